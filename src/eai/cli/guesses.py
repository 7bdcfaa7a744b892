"""What commands and options are called elsewhere, and what is meant by a name that there is not."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from eai.errors import nearest

__all__ = ["NAMING", "option_meant", "wrong_command"]

_COMMANDS: Mapping[str, str] = {
    **dict.fromkeys(("eval", "grade", "judge", "run", "score", "test"), "evaluate"),
    **dict.fromkeys(("open", "serve", "web"), "view"),
    **dict.fromkeys(("list", "ls"), "suites"),
    **dict.fromkeys(("lint", "validate", "verify"), "check"),
    **dict.fromkeys(("download", "fetch"), "data fetch"),
    **dict.fromkeys(("diff",), "compare"),
    **dict.fromkeys(("fix",), "repair"),
    **dict.fromkeys(("summary", "table"), "report"),
}
"""What a command is called elsewhere, and its name here."""

_OPTIONS: Mapping[str, str] = {
    **dict.fromkeys(("--html", "--out", "--outdir", "--save"), "--output"),
    **dict.fromkeys(("--format",), "--json"),
    **dict.fromkeys(("--id", "--ids", "--task", "--task-id"), "--tasks"),
    **dict.fromkeys(("--max-samples", "--num-samples", "--samples"), "--limit"),
    **dict.fromkeys(("--jobs", "--n-jobs", "--processes", "--threads"), "--workers"),
    **dict.fromkeys(("--baseline",), "--no-regression-vs"),
    **dict.fromkeys(("--overwrite",), "--force"),
    **dict.fromkeys(("--silent",), "--quiet"),
}
"""What an option is called elsewhere, and its name here."""

_FILES = ("--answers", "--file", "--files", "--input", "--inputs", "--predictions", "--run")
"""What files are called elsewhere that stand without a name here."""

_PORT = "the port is one that is free, and the address is printed"
_VERBOSE = "what there is to say is said; eai explain RUN TASK tells more about one answer"
_NEEDLESS = {"--port": _PORT, "--host": _PORT, "--verbose": _VERBOSE, "--debug": _VERBOSE}
"""What there is no option for, and why."""

NAMING = (
    'a model is called like its file, or by the key "model" in its lines; '
    "NAME=FILE gives it another name"
)
"""How a model gets its name where files of predictions are given."""


def option_meant(
    name: str, known: Iterable[str], *, places: Mapping[str, str], files: str | None
) -> str:
    """Say what may be meant by the name of an option that there is not.

    Args:
        name: The name.
        known: The options that there are.
        places: Option that an argument might be called to what it is called.
        files: What the argument is called that takes files, if there is one.

    Returns:
        A clause, or nothing.
    """
    options = list(known)
    place = places.get(name) or (files if name in _FILES else None)
    if place is not None:
        return f"{place} is given without a name"
    if name in ("--model-name", "--name") and "--model-outputs" in options:
        return NAMING
    if name in _NEEDLESS:
        return _NEEDLESS[name]
    close = [_OPTIONS[name]] if _OPTIONS.get(name) in options else nearest(name, options)
    return f"did you mean {' or '.join(close)}?" if close else ""


def wrong_command(path: str, name: str, known: Iterable[str]) -> str:
    """Say that there is no command, and which may be meant.

    Args:
        path: The names before it.
        name: The name.
        known: The commands that there are.
    """
    commands = list(known)
    if name in ("version", "-v", "-V") and path == "eai":
        return f"there is no {name!r}; eai --version prints the version"
    if name.startswith("-"):
        return f"there is no option {name} here; options come behind the command"
    mend = _named(name, commands) if path == "eai" else _behind(path, name, commands)
    mend = mend or f"there are {', '.join(commands)}"
    return f"there is no command {name!r}; {mend}"


def _named(name: str, commands: Sequence[str]) -> str:
    """What to do about a word that is no command; nothing if that cannot be told."""
    from eai.cli.here import is_run
    from eai.registry import suites

    if name in _COMMANDS:  # also if there is a folder of this name
        return f"did you mean {_COMMANDS[name]}?"
    if is_run(Path(name)):
        return f"this is a run: {shlex.join(['eai', 'report', name])}"
    if Path(name).is_file():
        return f"answers are judged by {shlex.join(['eai', 'evaluate', 'SUITE', name])}"
    close = nearest(name, commands)
    if not close:
        known = nearest(name, [origin.name for origin in suites().origins()])
        close = [f"eai evaluate {suite}" for suite in known]
    return f"did you mean {' or '.join(close)}?" if close else ""


def _behind(path: str, name: str, commands: Sequence[str]) -> str:
    """What to do about a word that is none of a group's commands."""
    if Path(name).exists():
        return f"{path} COMMAND {shlex.quote(name)}, with one of {', '.join(commands)}"
    close = nearest(name, commands)
    return f"did you mean {' or '.join(close)}?" if close else ""
