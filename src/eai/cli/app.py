"""The command line: arguments to functions to renderings, and nothing else.

Results go to standard output, everything else to standard error. Exit codes: 0 fine, 1 what was
checked has errors, 2 wrong use of the command, 3 an input cannot be used, 4 data is missing or
cannot be had, 130 interrupted.
"""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Sequence
from importlib import import_module

from eai.cli.commands import Function, Group, UsageError, read
from eai.cli.output import let_go, say, tolerate, warn, write_error
from eai.errors import DataError, EaiError

__all__ = ["main", "run"]

_ABOUT = "Says whether a plan written by a language model would work, and if not, why."
_VERSION = ("--version", "Print the version.")

_COMMANDS = (
    "evaluate",
    "explain",
    "check",
    "plan",
    "perturb",
    "repair",
    "prompts",
    "ask",
    "replan",
    "interact",
    "suites",
    "analyze",
    "data",
)
"""Names of the commands; each has a module here, in which it is called ``COMMAND``."""


def main() -> None:
    """Run the command line; errors of the user are printed without a traceback."""
    # Collecting garbage would take a sixth of a short command: imports make next to none, and
    # Python's last collection looks at every object.
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)
    tolerate()
    try:
        run(sys.argv[1:])
    except DataError as error:
        _stop(str(error), 4)
    except EaiError as error:
        _stop(str(error), 3)
    except MemoryError:
        _stop("this needs more memory than there is\n  to mend it: take fewer or smaller files", 3)
    except OSError as error:
        let_go()
        place = f"{error.filename}: " if error.filename else ""
        _stop(f"{place}{error.strerror or error}", 3)
    except KeyboardInterrupt:
        _stop("interrupted", 130)


def run(words: Sequence[str]) -> None:
    """Run a command.

    Args:
        words: Its name and what comes behind it.

    Raises:
        SystemExit: If that is not how it is used (2), or with what the command says (1).
    """
    name, *rest = words or ("",)
    if name in _COMMANDS:
        _run(f"eai {name}", import_module(f"eai.cli.{name}").COMMAND, rest)
    elif name == "--version":
        from eai.version import __version__

        say(__version__)
    else:
        _choose("eai", name, _help(), wrong=_wrong(name))


def _run(path: str, command: Function | Group, words: Sequence[str]) -> None:
    if not isinstance(command, Group):
        _call(path, command, words)
        return
    members = {member.__name__: member for member in command.members}
    name, *rest = words or ("",)
    if name in members:
        _call(f"{path} {name}", members[name], rest)
    else:
        from eai.cli.manual import list_help, summary

        told = {name: summary(member) for name, member in members.items()}
        _choose(path, name, list_help(path, command.help, told), wrong=_wrong(name))


def _call(path: str, function: Function, words: Sequence[str]) -> None:
    if "--help" in words:
        from eai.cli.manual import command_help

        say(command_help(path, function))
        return
    try:
        function(**read(function, words))
    except UsageError as error:
        from eai.cli.manual import takes

        _refuse(path, takes(function), str(error))


def _choose(path: str, name: str, told: str, *, wrong: str) -> None:
    """Tell which commands there are, because none was named."""
    if name == "--help":
        say(told)
    elif name:
        _refuse(path, "[OPTIONS] COMMAND [ARGS]...", wrong)
    else:
        write_error(told)
        sys.exit(2)


def _wrong(name: str) -> str:
    return f"No such {'option' if name.startswith('-') else 'command'} {name!r}."


def _refuse(path: str, takes: str, message: str) -> None:
    from eai.cli.manual import usage

    write_error(f"{usage(path, takes)}\nTry '{path} --help' for help.\n\nError: {message}")
    sys.exit(2)


def _help() -> str:
    from eai.cli.manual import list_help, summary

    told: dict[str, str] = {}
    for name in _COMMANDS:
        command = import_module(f"eai.cli.{name}").COMMAND
        told[name] = command.help if isinstance(command, Group) else summary(command)
    return list_help("eai", _ABOUT, told, [_VERSION])


def _stop(message: str, code: int) -> None:
    warn(message)
    sys.exit(code)
