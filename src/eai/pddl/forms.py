"""PDDL text as nested brackets, each word with its place.

The words are described by ``grammars/pddl.lark``. Brackets are matched here, with an explicit
stack: a bracket that stays open is reported by the place where it was opened, and no depth of
nesting can exhaust the interpreter's own stack.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Union

from eai.errors import ParseError

if TYPE_CHECKING:
    from lark import Lark, Token

__all__ = ["MAX_CHARACTERS", "MAX_DEPTH", "Form", "Item", "Source", "read_forms", "start_of"]

MAX_DEPTH = 100
"""Deepest nesting of brackets that is read; formulas are walked recursively everywhere."""

MAX_CHARACTERS = 5_000_000
"""Longest text that is read."""


@dataclass(slots=True)
class Form:
    """What stands between two brackets.

    Args:
        opening: Offset of the opening bracket in the text.
        items: Words and inner forms, in the order of the text.
        closing: Offset of the closing bracket.
    """

    opening: int
    items: list[Item] = field(default_factory=list)
    closing: int = -1


Item = Union[Form, "Token"]


@dataclass(frozen=True, slots=True)
class Source:
    """A text and the name under which messages mention it.

    Args:
        text: The whole text.
        name: A path, or a word such as ``"domain"``.
    """

    text: str
    name: str

    def error(
        self, what: str, at: Item | int, *, expected: str | None = None, mend: str | None = None
    ) -> ParseError:
        """Build the error for a mistake at an item or offset."""
        position = at if isinstance(at, int) else start_of(at)
        return ParseError(
            what,
            text=self.text,
            position=position,
            source=self.name,
            expected=expected,
            mend=mend,
        )

    def unexpected(self, item: Item, expected: str) -> ParseError:
        """Build the error for an item that is not what must stand there."""
        shown = "a form in brackets" if isinstance(item, Form) else f"'{item}'"
        return self.error(f"found {shown}", item, expected=expected)

    def word(self, item: Item, kind: str, expected: str) -> str:
        """Take a word of one kind (a terminal of the grammar), in lower case.

        Raises:
            ParseError: The item is something else.
        """
        if not isinstance(item, Form) and item.type == kind:
            return item.lower()
        raise self.unexpected(item, expected)

    def place(self, at: Item | int) -> str:
        """Say in words where an item or offset is: ``line 3, column 5``."""
        error = self.error("", at)
        return f"line {error.line}, column {error.column}"


def start_of(item: Item) -> int:
    """Return the offset of an item's first character."""
    return item.opening if isinstance(item, Form) else item.start_pos or 0


def read_forms(source: Source, *, sections: int | None = 2, several: bool = False) -> list[Form]:
    """Match the brackets of a text.

    Args:
        source: The text.
        sections: How many brackets are open where section keywords (``:effect``) may stand;
            None if they may not stand anywhere. A keyword elsewhere shows a missing bracket.
        several: Whether the text may have more than one outermost form.

    Returns:
        The outermost forms; empty for a text without any word.

    Raises:
        ParseError: A character that PDDL does not know, a bracket that is not closed or not
            opened, a word outside of all brackets, or a text that is too long or too deep.
    """
    if len(source.text) > MAX_CHARACTERS:
        raise source.error(
            f"the text has {len(source.text):,} characters",
            0,
            expected=f"at most {MAX_CHARACTERS:,} characters",
        )
    done: list[Form] = []
    opened: list[Form] = []
    for word in _words(source):
        kind = word.type
        if kind == "CLOSE":
            _close(source, word, opened, done)
        elif done and not opened and not several:
            raise _after(source, word, done[0])
        elif kind == "OPEN":
            _open(source, word, opened)
        else:
            if not opened or (kind == "KEYWORD" and len(opened) != sections):
                raise _stray(source, word, opened, sections=sections)
            opened[-1].items.append(word)
    if opened:
        raise _unclosed(source, opened[-1], "the end of the text")
    return done


@lru_cache(maxsize=1)
def _lexer() -> Lark:
    from lark import Lark

    grammar = files("eai.data.grammars").joinpath("pddl.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser=None, lexer="basic")


def _words(source: Source) -> Iterator[Token]:
    from lark.exceptions import UnexpectedCharacters

    try:
        yield from _lexer().lex(source.text)
    except UnexpectedCharacters as stop:
        at = stop.pos_in_stream or 0
        raise source.error(
            f"the character {source.text[at]!r} cannot stand here",
            at,
            expected="brackets, names, ?variables, :keywords, numbers, or a comment after ';'",
        ) from None


def _open(source: Source, word: Token, opened: list[Form]) -> None:
    if len(opened) >= MAX_DEPTH:
        raise source.error(
            f"brackets are nested more than {MAX_DEPTH} deep",
            word,
            expected=f"at most {MAX_DEPTH} brackets inside of each other",
        )
    form = Form(start_of(word))
    if opened:
        opened[-1].items.append(form)
    opened.append(form)


def _close(source: Source, word: Token, opened: list[Form], done: list[Form]) -> None:
    if not opened:
        raise _after(source, word, done[0]) if done else _nothing_open(source, word)
    form = opened.pop()
    form.closing = start_of(word)
    if not opened:
        done.append(form)


def _nothing_open(source: Source, word: Token) -> ParseError:
    return source.error(f"'{word}' outside of all brackets", word, expected="'('")


def _after(source: Source, word: Token, first: Form) -> ParseError:
    return source.error(
        f"the text goes on after {_named(first)} was closed at {source.place(first.closing)}",
        word,
        expected="the end of the text",
        mend="look for a closing bracket too many before this place",
    )


def _stray(source: Source, word: Token, opened: list[Form], *, sections: int | None) -> ParseError:
    """Explain a word that stands outside of the brackets that it needs."""
    if not opened:
        return _nothing_open(source, word)
    if sections is None:
        return source.error(f"'{word}' cannot stand in a condition", word)
    if len(opened) > sections:
        begun = not opened[-1].items and len(opened) == sections + 1
        left_open = opened[-2] if begun else opened[-1]
        return _unclosed(source, left_open, f"'{word}' ({source.place(word)})")
    return source.error(
        f"'{word}' stands outside of any section",
        word,
        expected="an opening bracket '('",
        mend="look for a closing bracket too many before this place",
    )


def _unclosed(source: Source, form: Form, before: str) -> ParseError:
    return source.error(f"{_named(form)} is not closed", form, expected=f"')' before {before}")


def _named(form: Form) -> str:
    head = form.items[:1]
    second = form.items[1:2] if head and str(head[0]).startswith(":") else []
    words = [str(item) for item in (*head, *second) if not isinstance(item, Form)]
    return f"the bracket '({' '.join(words)}'"
