"""Commands are functions: what a command takes is read off the signature of its function.

A parameter annotated with :class:`Argument` stands at its place, one with :class:`Option` after a
name, wherever that comes. Its type says how the word is read: text, a number, a path, one of
several words (``Literal``); a ``bool`` takes no value, a ``list`` may come several times. Nothing
that a command does not need is imported for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from types import NoneType
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

__all__ = [
    "Argument",
    "Function",
    "Group",
    "Option",
    "Parameter",
    "UsageError",
    "parameters",
    "read",
]

Function = Callable[..., None]
"""What a command does."""


class UsageError(Exception):
    """A command was called with words that it does not take; the message says which."""


class Argument(NamedTuple):
    """Marks a parameter that stands at its place.

    Args:
        help: What it is.
    """

    help: str


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
        members: Their functions, named like the commands.
    """

    help: str
    members: tuple[Function, ...]


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
        """What messages call it."""
        return self.names[0] if self.names else self.name.upper()

    def value(self, word: str) -> object:
        """Return the value of a word.

        Raises:
            UsageError: If it is none.
        """
        if self.choices and word not in self.choices:
            listed = ", ".join(map(repr, self.choices))
            raise UsageError(f"Invalid value for {self.shown!r}: {word!r} is not one of {listed}.")
        try:
            return self.kind(word)
        except ValueError:
            kind = {"int": "integer", "float": "number"}.get(getattr(self.kind, "__name__", ""))
            message = f"{word!r} is not a valid {kind or 'value'}."
            raise UsageError(f"Invalid value for {self.shown!r}: {message}") from None


def parameters(function: Function) -> list[Parameter]:
    """List what a command takes, in the order of its signature."""
    defaults = function.__defaults__ or ()
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    known = dict(zip(reversed(names), reversed(defaults), strict=False))
    hints = get_type_hints(function, include_extras=True)
    return [_parameter(name, hints[name], known) for name in names]


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


def read(function: Function, words: Sequence[str]) -> dict[str, object]:
    """Read the words of a command.

    Args:
        function: The command.
        words: What was written after its name.

    Returns:
        The arguments of the function that were given.

    Raises:
        UsageError: If there is a word that does not fit, or one too few or too many.
    """
    known = parameters(function)
    options = {name: parameter for parameter in known for name in parameter.names}
    found: dict[str, Any] = {}
    placed: deque[str] = deque()
    rest = deque(words)
    while rest:
        word = rest.popleft()
        if word == "--":
            placed.extend(rest)
            break
        if word == "-" or not word.startswith("-"):
            placed.append(word)
            continue
        parameter, value = _option(word, rest, options)
        _keep(parameter, value, found)
    for parameter in known:
        if not parameter.names:
            _take(parameter, placed, found)
        if parameter.required and parameter.name not in found:
            what = "option" if parameter.names else "argument"
            raise UsageError(f"Missing {what} {parameter.shown!r}.")
    if placed:
        raise UsageError(f"Got unexpected extra argument ({placed[0]}).")
    return found


def _option(
    word: str, rest: deque[str], options: dict[str, Parameter]
) -> tuple[Parameter, str | None]:
    """An option and the word of its value, None for a flag."""
    if word.startswith("--"):
        name, given, text = word.partition("=")
    else:
        name, given, text = word[:2], word[2:], word[2:]
    parameter = options.get(name)
    if parameter is None:
        from eai.errors import nearest

        close = nearest(name, options)
        also = f" Did you mean {' or '.join(close)}?" if close else ""
        raise UsageError(f"No such option: {name}.{also}")
    if parameter.kind is bool:
        if given and word.startswith("--"):
            raise UsageError(f"Option {name!r} does not take a value.")
        if given:  # letters of several flags in one word
            rest.appendleft(f"-{text}")
        return parameter, None
    if not given and not rest:
        raise UsageError(f"Option {name!r} requires an argument.")
    return parameter, text if given else rest.popleft()


def _keep(parameter: Parameter, word: str | None, found: dict[str, Any]) -> None:
    value = True if word is None else parameter.value(word)
    if parameter.many:
        found.setdefault(parameter.name, []).append(value)
    else:
        found[parameter.name] = value


def _take(parameter: Parameter, placed: deque[str], found: dict[str, Any]) -> None:
    """Give an argument its word, or all words that are left."""
    while placed:
        _keep(parameter, placed.popleft(), found)
        if not parameter.many:
            break
