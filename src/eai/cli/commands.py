"""Commands are functions: what a command takes is read off the signature of its function.

A parameter annotated with :class:`Argument` stands at its place, one with :class:`Option` after a
name, wherever that comes. Its type says how the word is read: text, a number, a path, one of
several words (``Literal``); a ``bool`` takes no value, a ``list`` may come several times.
:mod:`eai.cli.parsers` makes a parser of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

__all__ = ["Argument", "Function", "Group", "Option", "Parameter", "UsageError", "parameters"]

Function = Callable[..., None]
"""What a command does."""


class UsageError(Exception):
    """A command was called with words that it does not take; the message says which."""


class Argument(NamedTuple):
    """Marks a parameter that stands at its place.

    Args:
        help: What it is.
        name: What messages call it; by default the parameter's name in capitals.
    """

    help: str
    name: str = ""


class Option(NamedTuple):
    """Marks a parameter that follows a name.

    Args:
        help: What it is.
        names: What it is called; by default like the parameter.
    """

    help: str
    names: tuple[str, ...] = ()


class Group(NamedTuple):
    """Commands under one name.

    Args:
        help: What they do.
        members: Name to command, or to a group again.
    """

    help: str
    members: Mapping[str, Function | Group]


class Parameter(NamedTuple):
    """What a command takes.

    Args:
        name: Name of the function's parameter.
        mark: Whether it has a place or a name, and what it is.
        kind: What makes the value of a word; ``bool`` for a flag.
        choices: The words that it may be; empty for any.
        many: Whether it is a list.
        required: Whether it has no default.
        default: Its default.
    """

    name: str
    mark: Argument | Option
    kind: Callable[[str], object]
    choices: tuple[str, ...]
    many: bool
    required: bool
    default: object

    @property
    def names(self) -> tuple[str, ...]:
        """Names of an option; none of an argument."""
        if isinstance(self.mark, Argument):
            return ()
        return self.mark.names or (f"--{self.name.replace('_', '-')}",)

    @property
    def shown(self) -> str:
        """What messages call an argument."""
        return (isinstance(self.mark, Argument) and self.mark.name) or self.name.upper()


@cache
def parameters(function: Function) -> tuple[Parameter, ...]:
    """List what a command takes, in the order of its signature."""
    defaults = function.__defaults__ or ()
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    known = dict(zip(reversed(names), reversed(defaults), strict=False))
    hints = get_type_hints(function, include_extras=True)
    return tuple(_parameter(name, hints[name], known) for name in names)


def _parameter(name: str, hint: Any, defaults: dict[str, object]) -> Parameter:  # noqa: ANN401
    while not hasattr(hint, "__metadata__"):  # Python 3.10 puts it into an Optional
        hint = get_args(hint)[0]
    kind, mark = hint.__origin__, hint.__metadata__[0]
    if NoneType in get_args(kind):
        kind = get_args(kind)[0]
    many = get_origin(kind) is list
    kind = get_args(kind)[0] if many else kind
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    required = name not in defaults
    return Parameter(
        name, mark, str if choices else kind, choices, many, required, defaults.get(name)
    )
