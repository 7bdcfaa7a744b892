"""Formulas as text, in notations that can be parsed again and in one that is typeset.

Parsing the text gives the same tree back, if the formula is closed and no connective in it has
fewer than two operands. Those have no notation of their own: a conjunction or disjunction is
printed as what it means, and so is a ``then`` that is the whole formula. Elsewhere a ``then``
of one formula says of a part what no shorter text says, and is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from eai.errors import SchemaError
from eai.logic.formula import (
    ActionAtom,
    Always,
    And,
    Atom,
    Count,
    Equal,
    Eventually,
    Exists,
    First,
    Forall,
    Formula,
    ForPairs,
    Historically,
    Iff,
    Implies,
    Last,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Term,
    Then,
    Trigger,
    Truth,
    Until,
    Variable,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
    bound_variables,
    children,
)
from eai.logic.syntax.dialects import fold
from eai.logic.syntax.notations import LATEX, PLAIN, UNICODE, Notation
from eai.logic.syntax.reserved import is_reserved

__all__ = ["format_formula", "format_name"]

_WORD = re.compile(r"\w+(?:[-.]\w+)*")
_NOTATIONS: Mapping[str, Notation] = {"default": PLAIN, "unicode": UNICODE, "latex": LATEX}

# How tightly a node binds, loosest first, as in the grammar.
_THEN, _IFF, _IMPLIES, _XOR, _OR, _AND, _BINARY, _UNARY = range(8)
_CHAINS: dict[type[Formula], int] = {Then: _THEN, Or: _OR, And: _AND}
_PAIRS: dict[type[Formula], int] = {
    Iff: _IFF,
    Implies: _IMPLIES,
    Xor: _XOR,
    **dict.fromkeys((Until, Release, WeakUntil, StrongRelease, Since, Trigger), _BINARY),
}
_PREFIXES = (Not, Next, WeakNext, Eventually, Always, Previous, WeakPrevious, Once, Historically)
_Scope = frozenset[str]


def format_formula(formula: Formula, *, notation: str = "default") -> str:
    """Return the formula as text.

    Args:
        formula: Any formula.
        notation: ``"default"`` or ``"unicode"``, which
            :func:`~eai.logic.parser.parse_formula` reads; or ``"latex"``, for math mode.

    Raises:
        SchemaError: If the formula has no notation: a ``then`` without operands, or with one
            inside a formula; a variable that is not a plain word, or one without a type; or
            there is no such notation.
    """
    if notation not in _NOTATIONS:
        known = ", ".join(_NOTATIONS)
        raise SchemaError(f"there is no notation {notation!r}", expected=known)
    while isinstance(formula, Then) and len(formula.operands) == 1:
        (formula,) = formula.operands
    return _Printer(_NOTATIONS[notation]).text(formula)


def format_name(name: str) -> str:
    """Return a predicate, action or object name as it is written in a formula.

    A name that is no plain word, or that is a keyword, is put into double quotes.
    """
    if _WORD.fullmatch(name) and not is_reserved(name) and all(fold(each) == each for each in name):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


@dataclass(frozen=True, slots=True)
class _Printer:
    """Prints formulas in one notation, from the leaves up."""

    notation: Notation

    def text(self, formula: Formula) -> str:
        scopes: list[_Scope] = [frozenset()]
        done: list[tuple[int, str]] = []
        pending = [(formula, False)]
        while pending:
            node, ready = pending.pop()
            parts = children(node)
            bound = bound_variables(node)
            if not parts:
                done.append((_UNARY, self.leaf(node, scopes[-1])))
            elif ready:
                made = done[-len(parts) :]
                done[-len(parts) :] = [self.joined(node, made)]
                if bound:
                    scopes.pop()
            else:
                if bound:
                    scopes.append(scopes[-1] | {variable.name for variable in bound})
                pending.append((node, True))
                pending += [(part, False) for part in reversed(parts)]
        return done[0][1]

    def leaf(self, node: Formula, scope: _Scope) -> str:
        if isinstance(node, Atom):
            return self.primitive(node.predicate, node.terms, scope)
        if isinstance(node, ActionAtom):
            return self.primitive(node.action, node.terms, scope)
        if isinstance(node, Equal):
            return f"{self.term(node.left, scope)} = {self.term(node.right, scope)}"
        if isinstance(node, (Last, First)):
            return self.notation.words["last" if isinstance(node, Last) else "first"]
        if isinstance(node, Then):
            raise SchemaError("a 'then' without operands has no notation")
        holds = node.value if isinstance(node, Truth) else isinstance(node, And)
        return self.notation.words["true" if holds else "false"]

    def joined(self, node: Formula, parts: list[tuple[int, str]]) -> tuple[int, str]:
        if isinstance(node, (And, Or, Then)):
            return self.chain(node, parts)
        if type(node) in _PAIRS:
            return self.pair(node, parts)
        if isinstance(node, _PREFIXES):
            return _UNARY, self.notation.prefixed(_word(node), self.inside(parts[0], _UNARY))
        return self.quantified(node, parts[0])

    def chain(self, node: And | Or | Then, parts: list[tuple[int, str]]) -> tuple[int, str]:
        level = _CHAINS[type(node)]
        if len(parts) == 1:
            if isinstance(node, Then):
                raise SchemaError("a 'then' of one formula has no notation inside another")
            return _UNARY, self.inside(parts[0], _UNARY)
        word = f" {self.notation.words[_word(node)]} "
        return level, word.join(self.inside(part, level + 1) for part in parts)

    def pair(self, node: Formula, parts: list[tuple[int, str]]) -> tuple[int, str]:
        level = _PAIRS[type(node)]
        # All group to the right, except xor, whose sides are interchangeable anyway.
        left, right = (level, level + 1) if isinstance(node, Xor) else (level + 1, level)
        word = self.notation.words[_word(node)]
        return level, f"{self.inside(parts[0], left)} {word} {self.inside(parts[1], right)}"

    def inside(self, part: tuple[int, str], loosest: int) -> str:
        """A part, in parentheses if it binds more loosely than its place allows."""
        return part[1] if part[0] >= loosest else f"({part[1]})"

    def quantified(self, node: Formula, body: tuple[int, str]) -> tuple[int, str]:
        variables = bound_variables(node)
        if not variables:
            return _UNARY, self.inside(body, _UNARY)
        bound = ", ".join(map(self.binder, variables))
        head = self.notation.words.get(_word(node), "")
        if isinstance(node, Count):
            head = self.notation.counted(node.comparison, node.number)
        if isinstance(node, ForPairs):
            head = self.notation.pairs(node.number)
        return _UNARY, self.notation.quantified(head, bound, body[1])

    def primitive(self, name: str, terms: tuple[Term, ...], scope: _Scope) -> str:
        arguments = ", ".join(self.term(term, scope) for term in terms)
        return f"{self.notation.name(format_name(name))}({arguments})"

    def term(self, term: Term, scope: _Scope) -> str:
        if isinstance(term, Variable):
            return self.notation.variable(_plain(term.name))
        # Quotes keep an object apart from a variable of the same name.
        return self.notation.name(f'"{term}"' if term in scope else format_name(term))

    def binder(self, variable: Variable) -> str:
        name = self.notation.variable(_plain(variable.name))
        if variable.types == ("object",):
            return name
        if not variable.types:
            raise SchemaError(f"variable {variable.name!r} without a type cannot be written")
        return f"{name}:{'|'.join(self.notation.name(format_name(e)) for e in variable.types)}"


def _plain(name: str) -> str:
    if format_name(name) != name:
        raise SchemaError(f"variable {name!r} cannot be written", expected="a word, not a keyword")
    return name


def _word(node: Formula) -> str:
    return _WORDS[type(node)]


_WORDS: dict[type[Formula], str] = {
    kind: re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__).lower()
    for kind in (*_CHAINS, *_PAIRS, *_PREFIXES, Forall, Exists, Count, ForPairs)
}
