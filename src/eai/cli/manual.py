"""What ``--help`` prints, and how a command is used, in one line."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Mapping

from eai.cli.commands import Function, Parameter, parameters

__all__ = ["command_help", "list_help", "summary", "takes", "usage"]

_KINDS = {"int": "INTEGER", "float": "NUMBER", "Path": "PATH"}
_HELP = ("--help", "Show this message and exit.")


def usage(path: str, takes: str) -> str:
    """Return the line that says how something is called.

    Args:
        path: The names of the commands.
        takes: What comes behind them.
    """
    return f"Usage: {path} {takes}"


def takes(function: Function) -> str:
    """Return what comes behind the name of a command."""
    places = [parameter for parameter in parameters(function) if not parameter.names]
    return " ".join(["[OPTIONS]", *map(_place, places)])


def _place(parameter: Parameter) -> str:
    shown = parameter.shown if parameter.required else f"[{parameter.shown}]"
    return f"{shown}..." if parameter.many else shown


def command_help(path: str, function: Function) -> str:
    """Return everything that is to be said about a command."""
    known = parameters(function)
    places = [(parameter.shown, _told(parameter)) for parameter in known if not parameter.names]
    options = [(_named(parameter), _told(parameter)) for parameter in known if parameter.names]
    about = (function.__doc__ or "").split("\n\n")
    return "\n".join(
        [
            usage(path, takes(function)),
            *(f"\n{_wrapped(' '.join(part.split()), '  ', '  ')}" for part in about),
            *_table("Arguments", places),
            *_table("Options", [*options, _HELP]),
        ]
    )


def list_help(
    path: str, about: str, commands: Mapping[str, str], options: Iterable[tuple[str, str]] = ()
) -> str:
    """Return what is to be said about several commands.

    Args:
        path: The names that they stand behind.
        about: What they are.
        commands: Name to what it does.
        options: Options of their own, and what they do.
    """
    return "\n".join(
        [
            usage(path, "[OPTIONS] COMMAND [ARGS]..."),
            f"\n{_wrapped(about, '  ', '  ')}",
            *_table("Options", [*options, _HELP]),
            *_table("Commands", list(commands.items())),
        ]
    )


def summary(function: Function) -> str:
    """Return the first paragraph about a command."""
    return " ".join((function.__doc__ or "").split("\n\n")[0].split())


def _named(parameter: Parameter) -> str:
    names = ", ".join(parameter.names)
    if parameter.kind is bool:
        return names
    kind = "|".join(parameter.choices) or _KINDS.get(getattr(parameter.kind, "__name__", ""))
    return f"{names} {kind or 'TEXT'}"


def _told(parameter: Parameter) -> str:
    told = parameter.mark.help
    if parameter.required:
        return f"{told} [required]"
    if parameter.default is None or parameter.default is False:
        return told
    return f"{told} [default: {parameter.default}]"


def _table(title: str, rows: list[tuple[str, str]]) -> list[str]:
    """Lines of two columns; what is too wide for the first has a line of its own."""
    if not rows:
        return []
    width = min(26, max(len(first) for first, _ in rows)) + 4
    lines = [f"\n{title}:"]
    for first, second in rows:
        head = f"  {first}".ljust(width)
        if len(first) + 4 > width:
            lines.append(head.rstrip())
            head = ""
        lines.append(_wrapped(second, head.ljust(width), " " * width))
    return lines


def _wrapped(text: str, first: str, other: str) -> str:
    columns = min(100, shutil.get_terminal_size().columns)
    return textwrap.fill(
        text,
        max(columns, 40),
        initial_indent=first,
        subsequent_indent=other,
        break_on_hyphens=False,
    )
