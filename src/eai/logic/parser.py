"""Text to a formula: goals of the Embodied Agent Interface and linear temporal logic.

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
from eai.logic.formula import Formula
from eai.logic.syntax.builder import Builder, TooLargeError
from eai.logic.syntax.dialects import Dialect, prepare
from eai.logic.syntax.errors import NESTING_LIMIT, describe, too_deep
from eai.logic.syntax.names import place_of, resolve
from eai.logic.syntax.reserved import misread, misreading
from eai.logic.vocabulary import LogicVocabulary

if TYPE_CHECKING:
    from lark import Lark

__all__ = ["LENGTH_LIMIT", "NESTING_LIMIT", "parse_formula", "parse_tree"]

LENGTH_LIMIT = 100_000
"""Longest text that is parsed, in characters (the longest official goal has about 1,500)."""


def parse_formula(
    text: str,
    *,
    vocabulary: LogicVocabulary | None = None,
    source: str = "formula",
    dialect: Dialect = "default",
) -> Formula:
    """Parse a formula.

    Args:
        text: The formula. From loosest to tightest bind ``then``, ``iff``, ``implies``, ``xor``,
            ``or``, ``and``, until and its relatives, then ``not``, the temporal operators with
            one operand, and quantifiers. Keywords in any letter case.
        vocabulary: The names that may occur. They are matched without regard to letter case and
            stored as the vocabulary spells them; a name that is both a predicate and an action
            is the predicate. One that is a word of the notation (``next``, ``F``) has to stand in
            double quotes. Without a vocabulary every primitive becomes an
            :class:`~eai.logic.formula.Atom` and every unbound name is an object.
        source: What to call the text in error messages.
        dialect: How the text is written: ``"default"``; ``"spot"``, where X is the weak next and
            operators may be glued (``GFa``); ``"eai"``, the published grammar and nothing else.

    Raises:
        ParseError: If the text is no formula, or uses a name that the vocabulary does not have.
        SchemaError: If ``text`` is not a string, or the dialect is unknown.
    """
    try:
        tree = parse_tree(text, source=source, dialect=dialect)
        return _resolved(tree, text, vocabulary, source=source, dialect=dialect)
    except ParseError as error:
        found = [] if vocabulary is None or dialect == "eai" else [*misread(text, vocabulary)]
        if found:
            raise _again(error, text, error.position, mend=misreading(found[0][1])) from None
        raise


def _resolved(
    tree: Formula,
    text: str,
    vocabulary: LogicVocabulary | None,
    *,
    source: str,
    dialect: Dialect,
) -> Formula:
    prepared = prepare(text, dialect)
    try:
        strict = dialect == "eai"
        return resolve(tree, prepared.text, source=source, vocabulary=vocabulary, strict=strict)
    except ParseError as error:
        raise _again(error, text, prepared.place(error.position)) from None


def parse_tree(text: str, *, source: str = "formula", dialect: Dialect = "default") -> Formula:
    """Parse a formula, but leave its names as tokens that know where they stand.

    Args:
        text: The formula.
        source: What to call the text in error messages.
        dialect: How the text is written.

    Returns:
        A tree in which every name is a token, quotes included; its place (``start_pos``) is
        that in the prepared text (:func:`~eai.logic.syntax.dialects.prepare`). Variables are not
        told from objects yet, nor actions from predicates.

    Raises:
        ParseError: If the text is no formula.
        SchemaError: If ``text`` is not a string, or the dialect is unknown.
    """
    if not isinstance(text, str):
        raise SchemaError(f"{source} is no text", expected=f"str, not {type(text).__name__}")
    if dialect not in ("default", "spot", "eai"):
        raise SchemaError(f"there is no dialect {dialect!r}", expected="default, spot or eai")
    _check_size(text, source)
    prepared = prepare(text, dialect)
    try:
        return _parse_tree(prepared.text, source, strict=dialect == "eai")
    except ParseError as error:
        raise _again(error, text, prepared.place(error.position)) from None


def _again(error: ParseError, text: str, position: int, *, mend: str | None = None) -> ParseError:
    """The same error about the text as it was given, perhaps with a better mend."""
    return ParseError(
        error.what,
        text=text,
        position=position,
        source=error.source,
        expected=error.expected,
        mend=mend or error.mend,
    )


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


def _parse_tree(text: str, source: str, *, strict: bool) -> Formula:
    from lark.exceptions import UnexpectedInput

    try:
        tree: object = _grammar().parse(text, start="strict" if strict else "start")
    except UnexpectedInput as error:
        raise describe(error, text, source) from None
    except TooLargeError as error:
        raise ParseError(
            error.what,
            text=text,
            position=place_of(error.token),
            source=source,
            expected=error.expected,
        ) from None
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
        start=["start", "strict"],
        transformer=Builder(),
        maybe_placeholders=False,
    )
