"""BDDL text and nested lists as nested forms, each word with its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union

from eai.errors import ParseError, SchemaError

__all__ = [
    "KEYWORDS",
    "MAX_CHARACTERS",
    "MAX_DEPTH",
    "Form",
    "Item",
    "Nested",
    "Word",
    "is_name",
    "read_lists",
    "read_text",
]

KEYWORDS = frozenset(
    ["and", "or", "not", "imply", "forall", "exists", "forn", "forpairs", "fornpairs", "="]
)
"""The words that cannot be predicates."""

MAX_DEPTH = 100
"""Deepest nesting of brackets that is read."""

MAX_CHARACTERS = 1_000_000
"""Longest text that is read."""

Nested = Union[str, Sequence["Nested"]]
"""A word, or a list of words and lists."""

_WANTED = "one condition in brackets"
_TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")
_NAME = re.compile(r"[^\s();?:][^\s();]*")


@dataclass(frozen=True, slots=True)
class Word:
    """A word in lower case.

    Args:
        text: The word.
        start: Offset of its first character.
    """

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Form:
    """What stands between two brackets.

    Args:
        items: Words and inner forms.
        start: Offset of the opening bracket.
    """

    items: list[Item]
    start: int

    @property
    def head(self) -> str:
        """The first word; empty if there is none."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Word) else ""


Item = Union[Word, Form]


def is_name(word: str) -> bool:
    """Whether a word can name an object, a type or a predicate, and is read back unchanged."""
    return bool(_NAME.fullmatch(word)) and word == word.lower() and word != "-"


def read_text(text: str, source: str) -> Form:
    """Match the brackets of a text that holds one form.

    Raises:
        ParseError: The brackets do not match, or the text is something else than one form.
    """
    if len(text) > MAX_CHARACTERS:
        raise _error(f"the goal has {len(text):,} characters", text, MAX_CHARACTERS, source)
    outside = Form([], 0)
    opened = [outside]
    for match in _TOKEN.finditer(text):
        word, start = match.group(), match.start()
        if word == ")":
            _close(opened, text, start, source)
        elif word == "(":
            _open(opened, text, start, source)
        elif not word.startswith(";"):
            if len(opened) == 1:
                raise _outside(outside, text, start, source)
            opened[-1].items.append(Word(word.lower(), start))
    if len(opened) > 1:
        raise _error("this bracket is not closed", text, opened[-1].start, source, "')'")
    form = next((item for item in outside.items if isinstance(item, Form)), None)
    if form is None:
        raise _error("the goal is empty", text, 0, source, _WANTED)
    return form


def _open(opened: list[Form], text: str, start: int, source: str) -> None:
    if len(opened) == 1 and opened[0].items:
        raise _outside(opened[0], text, start, source)
    if len(opened) > MAX_DEPTH:
        raise _too_deep(text, start, source)
    form = Form([], start)
    opened[-1].items.append(form)
    opened.append(form)


def _close(opened: list[Form], text: str, start: int, source: str) -> None:
    if len(opened) == 1:
        raise _error("')' closes nothing", text, start, source)
    opened.pop()


def _outside(outside: Form, text: str, start: int, source: str) -> ParseError:
    what = "the text goes on after the goal" if outside.items else "found a word"
    return _error(what, text, start, source, None if outside.items else _WANTED)


def read_lists(lists: Sequence[Nested], source: str) -> tuple[Form, str]:
    """Turn nested lists into a form, and into the text by which mistakes are shown.

    Raises:
        ParseError: The lists are nested too deeply.
        SchemaError: There is something else in them than words and lists.
    """
    pieces: list[str] = []
    form = _from_list(lists, pieces, source, 0, 1)[0]
    return form, "".join(pieces)


def _from_list(
    lists: object, pieces: list[str], source: str, start: int, depth: int
) -> tuple[Form, int]:
    if isinstance(lists, str) or not isinstance(lists, Sequence):
        raise SchemaError(
            f"found {lists!r:.60}",
            where=source,
            expected="BDDL text, or nested lists of words",
        )
    if depth > MAX_DEPTH:
        raise _too_deep("".join(pieces), start, source)
    items: list[Item] = []
    form = Form(items, start)
    pieces.append("(")
    end = start + 1
    for number, each in enumerate(lists):
        if number:
            pieces.append(" ")
            end += 1
        if isinstance(each, str):
            items.append(_word(each, end, source))
            pieces.append(each)
            end += len(each)
        else:
            inner, end = _from_list(each, pieces, source, end, depth + 1)
            items.append(inner)
    pieces.append(")")
    return form, end + 1


def _word(text: str, start: int, source: str) -> Word:
    if not re.fullmatch(r"[^\s();]+", text):
        raise SchemaError(f"{text!r:.60} is no word", where=source, expected="one word, no blanks")
    return Word(text.lower(), start)


def _too_deep(text: str, position: int, source: str) -> ParseError:
    return _error(f"the goal is nested more than {MAX_DEPTH} deep", text, position, source)


def _error(
    what: str, text: str, position: int, source: str, expected: str | None = None
) -> ParseError:
    return ParseError(what, text=text, position=position, source=source, expected=expected)
