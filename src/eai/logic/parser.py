"""Text in the notation of the Embodied Agent Interface to a formula.

The grammar is ``grammars/ltl.lark`` (LALR). Parsing goes in two passes: the grammar gives a tree
whose names are still tokens; then every name is looked up, from the root down, because only
there it is known which variables are bound. Both passes are bounded by the limits below, so no
text, however long or deep, ends in anything but a :class:`~eai.errors.ParseError`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from eai.errors import ParseError, SchemaError
from eai.logic.formula import (
    FALSE,
    TRUE,
    And,
    Atom,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Then,
    Variable,
)
from eai.logic.names import LARGEST_COUNT, resolve
from eai.logic.syntax_errors import NESTING_LIMIT, describe, too_deep
from eai.logic.vocabulary import LogicVocabulary

if TYPE_CHECKING:
    from lark import Lark

__all__ = ["LENGTH_LIMIT", "NESTING_LIMIT", "parse_formula"]

LENGTH_LIMIT = 100_000
"""Longest text that is parsed, in characters (the longest official goal has about 1,500)."""


def parse_formula(
    text: str, *, vocabulary: LogicVocabulary | None = None, source: str = "formula"
) -> Formula:
    """Parse a formula.

    Args:
        text: The formula; ``then`` binds loosest, followed by ``implies``, ``or``, ``and``, and
            ``not`` with the quantifiers (paper, section C.3). Keywords in any letter case.
        vocabulary: The names that may occur. They are matched without regard to letter case and
            stored as the vocabulary spells them; a name that is both a predicate and an action
            is the predicate. Without a vocabulary every primitive becomes an
            :class:`~eai.logic.formula.Atom` and every unbound name is an object.
        source: What to call the text in error messages.

    Raises:
        ParseError: If the text is no formula, or uses a name that the vocabulary does not have.
        SchemaError: If ``text`` is not a string.
    """
    if not isinstance(text, str):
        raise SchemaError(f"{source} is no text", expected=f"str, not {type(text).__name__}")
    _check_size(text, source)
    tree = _parse_tree(text, source)
    return resolve(tree, text, source=source, vocabulary=vocabulary)


def _check_size(text: str, source: str) -> None:
    """Refuse what would take long only to fail, before the grammar sees it."""
    if len(text) > LENGTH_LIMIT:
        raise ParseError(
            f"the formula has {len(text):,} characters",
            text=text,
            position=LENGTH_LIMIT,
            source=source,
            expected=f"at most {LENGTH_LIMIT:,}",
        )
    if text.count("(") > NESTING_LIMIT:
        depth = 0
        # A quote that is never closed runs to the end, so that no text is scanned twice.
        for match in re.finditer(r'"(?:[^"\\]|\\.)*"?|[()]', text):
            depth += {"(": 1, ")": -1}.get(match.group(), 0)
            if depth > NESTING_LIMIT:
                raise too_deep(text, match.start(), source)


def _parse_tree(text: str, source: str) -> Formula:
    from lark.exceptions import UnexpectedInput

    try:
        tree: object = _grammar().parse(text)
    except UnexpectedInput as error:
        raise describe(error, text, source) from None
    assert isinstance(tree, Formula)  # noqa: S101 - every rule of the grammar builds one
    return tree


@cache
def _grammar() -> Lark:
    from lark import Lark

    grammar = resources.files("eai.data.grammars").joinpath("ltl.lark")
    return Lark(
        grammar.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        transformer=_Builder(),
        maybe_placeholders=False,
    )


class _Builder:
    """What each rule of the grammar makes of its parts; names stay tokens."""

    def then(self, parts: list[Formula]) -> Formula:
        return Then(tuple(parts))

    def implies(self, parts: list[Formula]) -> Formula:
        return Implies(parts[0], parts[1])

    def or_(self, parts: list[Formula]) -> Formula:
        return Or(tuple(parts))

    def and_(self, parts: list[Formula]) -> Formula:
        return And(tuple(parts))

    def not_(self, parts: list[Formula]) -> Formula:
        return Not(parts[0])

    def forall(self, parts: tuple[tuple[Variable, ...], Formula]) -> Formula:
        return Forall(parts[0], parts[1])

    def exists(self, parts: tuple[tuple[Variable, ...], Formula]) -> Formula:
        return Exists(parts[0], parts[1])

    def forn(self, parts: tuple[str, Variable, Formula]) -> Formula:
        # A number that is too large is refused in the second pass, which knows the text.
        digits = parts[0].lstrip("0")[: len(str(LARGEST_COUNT)) + 1]
        return Count(int(digits or "0"), parts[1], parts[2])

    def variables(self, parts: list[Variable]) -> tuple[Variable, ...]:
        return tuple(parts)

    def variable(self, parts: list[str]) -> Variable:
        return Variable(parts[0], tuple(parts[1:]) or ("object",))

    def atom(self, parts: list[str]) -> Formula:
        return Atom(parts[0], tuple(parts[1:]))

    def equal(self, parts: list[str]) -> Formula:
        return Equal(parts[0], parts[1])

    def true(self, _parts: list[str]) -> Formula:
        return TRUE

    def false(self, _parts: list[str]) -> Formula:
        return FALSE
