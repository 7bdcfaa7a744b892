"""Parsers of the standard library, made of the signatures of commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NoReturn

from eai.cli.commands import Function, Group, Parameter, UsageError, parameters

__all__ = ["Parser", "parser"]

_KINDS = {"int": "INTEGER", "float": "NUMBER", "Path": "PATH"}


class Parser(argparse.ArgumentParser):
    """A parser that raises instead of ending the process, and says which name may be meant.

    Args:
        texts: What help says (see :class:`argparse.ArgumentParser`).
    """

    def __init__(self, **texts: Any) -> None:  # noqa: ANN401
        # Every argument makes a formatter, and to ask how wide the terminal is takes an import.
        plain = partial(argparse.HelpFormatter, width=80)
        super().__init__(allow_abbrev=False, formatter_class=plain, **texts)
        self.color = False  # what is printed passes through what keeps terminals safe

    def format_help(self) -> str:
        """Return what ``--help`` prints, as wide as the terminal."""
        self.formatter_class = argparse.HelpFormatter
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Refuse the words.

        Raises:
            UsageError: Always.
        """
        _, _, missing = message.partition("arguments are required: ")
        if missing:
            message = "\n".join([message, *self._wanted(missing.split(", "))])
        if message.startswith("unrecognized") and "--model" in self._option_string_actions:
            message = f"{message}; a model is named by --model"
        raise UsageError(message)

    def words(self, words: Sequence[str]) -> dict[str, object]:
        """Return the arguments that the words give; options may stand between them.

        Args:
            words: What was written after the name of the command.

        Raises:
            UsageError: If there is a word that does not fit, or one too few or too many.
        """
        # Asked first: the parser may miss an argument because it swallowed a misspelled option.
        for word in _long_options(words):
            if word not in self._option_string_actions:
                self.error(f"there is no option {word}{self._meant(word)}")
        found = vars(self.parse_intermixed_args(words))
        # What is not given stays out: the function has the defaults.
        return {name: value for name, value in found.items() if value not in (None, [])}

    def _wanted(self, missing: Sequence[str]) -> Iterable[str]:
        """Lines that say of missing arguments what they are."""
        for each in self._actions:
            name = "/".join(each.option_strings) or each.metavar
            if name in missing:
                about = (each.help or "").removesuffix(" [required]").replace("%%", "%")
                yield f"  {name}: {about}"

    def _meant(self, name: str) -> str:
        """What may be meant by the name of an option that there is not."""
        from eai.cli.guesses import option_meant

        arguments = self._get_positional_actions()
        files = (str(each.metavar) for each in arguments if getattr(each, "is_path", False))
        meant = option_meant(
            name,
            self._option_string_actions,
            places={f"--{each.dest}": str(each.metavar) for each in arguments},
            files=next(files, None),
        )
        return meant and f"; {meant}"


def _long_options(words: Sequence[str]) -> Iterable[str]:
    """What looks like the name of an option, up to the mark behind which nothing is one."""
    for word in words:
        if word == "--":
            return
        if word.startswith("--") and " " not in word:
            yield word.partition("=")[0]


def parser(path: str, command: Function | Group) -> Parser:
    """Make the parser of a command, or of a group with everything that is in it.

    Args:
        path: The names by which it is called.
        command: The command.
    """
    made = Parser(**_texts(path, command))
    _fill(made, path, command)
    return made


def _paragraphs(command: Function | Group) -> list[str]:
    text = command.help if isinstance(command, Group) else command.__doc__ or ""
    return [" ".join(part.split()) for part in text.split("\n\n")]


def _texts(path: str, command: Function | Group) -> dict[str, Any]:
    first, *rest = map(_literal, _paragraphs(command))
    if isinstance(command, Group):
        takes = "COMMAND [ARGS]..."
    else:
        takes = " ".join(_place(each) for each in parameters(command) if not each.names)
    return {
        "prog": path,
        "usage": f"{path} [OPTIONS] {takes}".rstrip(),
        "description": first,
        "epilog": " ".join(rest),
    }


def _literal(text: str) -> str:
    return text.replace("%", "%%")


def _place(parameter: Parameter) -> str:
    shown = parameter.shown if parameter.required else f"[{parameter.shown}]"
    return f"{shown}..." if parameter.many else shown


def _fill(made: argparse.ArgumentParser, path: str, command: Function | Group) -> None:
    if not isinstance(command, Group):
        for parameter in parameters(command):
            _add(made, parameter)
        return
    members = made.add_subparsers(title="commands", metavar="COMMAND")
    for name, member in command.members.items():
        inner = f"{path} {name}"
        told = _literal(_paragraphs(member)[0])
        _fill(members.add_parser(name, help=told, **_texts(inner, member)), inner, member)


def _add(made: argparse.ArgumentParser, parameter: Parameter) -> None:
    common: dict[str, Any] = {"help": _told(parameter)}
    if parameter.kind is bool:
        common |= {"dest": parameter.name, "action": "store_true", "default": None}
        made.add_argument(*parameter.names, **common)
        return
    common |= {"type": _value(parameter.kind), "choices": parameter.choices or None}
    if parameter.names:
        kind = None if parameter.choices else _KINDS.get(_name(parameter.kind), "TEXT")
        action = "append" if parameter.many else "store"
        required = parameter.required
        added = made.add_argument(
            *parameter.names,
            dest=parameter.name,
            metavar=kind,
            action=action,
            required=required,
            **common,
        )
    else:
        many = "+" if parameter.required else "*"
        one = None if parameter.required else "?"
        number = many if parameter.many else one
        if not parameter.required:
            common["default"] = None  # without one, messages call it required
        added = made.add_argument(parameter.name, metavar=parameter.shown, nargs=number, **common)
    added.is_path = _name(parameter.kind) == "Path"  # type: ignore[attr-defined]


def _told(parameter: Parameter) -> str:
    told = parameter.mark.help
    if parameter.default not in (None, False, ""):
        told = f"{told} [default: {parameter.default}]"
    elif parameter.required and parameter.names:
        told = f"{told} [required]"
    return _literal(told)


def _name(kind: Callable[[str], object]) -> str:
    return getattr(kind, "__name__", "")


def _value(kind: Callable[[str], object]) -> Callable[[str], object]:
    """What reads a word, and says so if it cannot."""

    def value(word: str) -> object:
        if not word and _name(kind) == "Path":  # pathlib takes it for the current folder
            raise argparse.ArgumentTypeError(
                "the name is empty; check that the variable that holds it is set"
            )
        try:
            return kind(word)
        except ValueError:
            wanted = {"int": "an integer", "float": "a number"}.get(_name(kind), "valid")
            raise argparse.ArgumentTypeError(f"{word!r} is not {wanted}") from None

    return value
