"""The words and symbols of the notations that formulas are printed in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["LATEX", "PLAIN", "UNICODE", "Notation"]


@dataclass(frozen=True, slots=True)
class Notation:
    """One way to write formulas.

    Args:
        words: What each operator and constant is called.
        symbols: Whether operators with one operand are symbols, which no blank has to follow.
        typeset: Whether the text is for LaTeX.
    """

    words: Mapping[str, str]
    symbols: frozenset[str] = frozenset()
    typeset: bool = False

    def prefixed(self, word: str, operand: str) -> str:
        """Return an operator before its operand."""
        return f"{self.words[word]}{'' if word in self.symbols else ' '}{operand}"

    def counted(self, comparison: str, number: int) -> str:
        """Return the head of a counting quantifier."""
        if self.typeset:
            return rf"\exists^{{{self.words[comparison]}{number}}}"
        return f"{self.words[comparison]} {number}."

    def pairs(self, number: int | None) -> str:
        """Return the head of a quantifier over pairs."""
        if self.typeset:
            return r"\mathsf{pairs}" + ("" if number is None else rf"^{{\geq {number}}}")
        return "forpairs" if number is None else f"fornpairs {number}."

    def quantified(self, head: str, variables: str, body: str) -> str:
        """Return a quantifier with its variables and its body."""
        blank = "" if head in self.symbols else " "
        dot = r".\," if self.typeset else ". "
        return f"{head}{blank}{variables}{dot}({body})"

    def name(self, name: str) -> str:
        """Return the name of a predicate, an action, an object or a type."""
        return rf"\mathit{{{_escaped(name)}}}" if self.typeset else name

    def variable(self, name: str) -> str:
        """Return the name of a variable."""
        return _escaped(name) if self.typeset else name


_TIMES = {
    "next": "X",
    "weak next": "WX",
    "eventually": "F",
    "always": "G",
    "until": "U",
    "release": "R",
    "weak until": "W",
    "strong release": "M",
    "previous": "Y",
    "weak previous": "Z",
    "once": "O",
    "historically": "H",
    "since": "S",
    "trigger": "T",
}
_ENDS = {"last": "last", "first": "first"}

PLAIN = Notation(
    {
        **{word: word for word in ("then", "iff", "implies", "xor", "or", "and", "not")},
        **{word: word for word in ("forall", "exists", "true", "false")},
        "exactly": "forn",
        "at least": "atleast",
        "at most": "atmost",
        "count": "forn",
        **_TIMES,
        **_ENDS,
    }
)
"""Words, and capital letters for temporal operators."""

UNICODE = Notation(
    {
        **PLAIN.words,
        "iff": "\u2194",
        "implies": "\u2192",
        "xor": "\u2295",
        "or": "\u2228",
        "and": "\u2227",
        "not": "\u00ac",
        "forall": "\u2200",
        "exists": "\u2203",
        "true": "\u22a4",
        "false": "\u22a5",
        "next": "\u25cb",
        "eventually": "\u25c7",
        "always": "\u25a1",
    },
    frozenset(["not", "next", "eventually", "always", "\u2200", "\u2203"]),
)
"""Symbols where there are some."""

LATEX = Notation(
    {
        "then": r"\mathbin{\mathbf{then}}",
        "iff": r"\leftrightarrow",
        "implies": r"\rightarrow",
        "xor": r"\oplus",
        "or": r"\lor",
        "and": r"\land",
        "not": r"\neg",
        "forall": r"\forall",
        "exists": r"\exists",
        "count": r"\exists",
        "true": r"\top",
        "false": r"\bot",
        "exactly": "=",
        "at least": r"\geq ",
        "at most": r"\leq ",
        **{word: rf"\mathsf{{{letter}}}" for word, letter in _TIMES.items()},
        **{word: rf"\mathit{{{name}}}" for word, name in _ENDS.items()},
    },
    typeset=True,
)
"""For math mode."""

_SPECIAL = re.compile(r"[\\{}_&%$#^~]")
_COMMANDS = {"\\": r"\backslash ", "^": r"\hat{}", "~": r"\sim "}


def _escaped(name: str) -> str:
    return _SPECIAL.sub(lambda match: _COMMANDS.get(match[0], f"\\{match[0]}"), name)
