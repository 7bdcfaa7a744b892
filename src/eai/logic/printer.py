"""Formulas as text, in the notation of the Embodied Agent Interface.

Parsing the text gives the same tree back, if the formula is closed and no connective in it has
fewer than two operands (those have no notation of their own and are printed as what they mean).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from eai.errors import InputError, SchemaError
from eai.logic.formula import (
    ActionAtom,
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
    Term,
    Then,
    Truth,
    Variable,
)

__all__ = ["format_formula", "format_name"]

_PLAIN = re.compile(r"\w+(?:[-.]\w+)*")
_KEYWORD = re.compile("and|exists|false|forall|forn|implies|not|or|then|true", re.IGNORECASE)
_THEN, _IMPLIES, _OR, _AND, _UNARY = range(5)
_Scope = frozenset[str]


def format_formula(formula: Formula) -> str:
    """Return the formula in the notation that :func:`~eai.logic.parser.parse_formula` reads.

    Raises:
        SchemaError: If the formula has no notation: a ``then`` without operands, a variable
            that is not a plain word, or one without a type.
        InputError: If the formula is nested too deeply to be walked.
    """
    try:
        return _text(formula, _THEN, frozenset())
    except RecursionError:
        raise InputError("the formula is nested too deeply to be printed") from None


def format_name(name: str) -> str:
    """Return a predicate, action or object name as it is written in a formula.

    A name that is no plain word, or that is a keyword, is put into double quotes.
    """
    if _PLAIN.fullmatch(name) and not _KEYWORD.fullmatch(name):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _text(formula: Formula, loosest: int, scope: _Scope) -> str:
    """Print a formula, in parentheses if it binds more loosely than its place allows."""
    level, text = _PRINTERS[type(formula)](formula, scope)
    return text if level >= loosest else f"({text})"


def _truth(formula: Truth, _scope: _Scope) -> tuple[int, str]:
    return _UNARY, "true" if formula.value else "false"


def _atom(formula: Atom, scope: _Scope) -> tuple[int, str]:
    return _UNARY, _primitive(formula.predicate, formula.terms, scope)


def _action(formula: ActionAtom, scope: _Scope) -> tuple[int, str]:
    return _UNARY, _primitive(formula.action, formula.terms, scope)


def _primitive(name: str, terms: tuple[Term, ...], scope: _Scope) -> str:
    return f"{format_name(name)}({', '.join(_term(term, scope) for term in terms)})"


def _term(term: Term, scope: _Scope) -> str:
    if isinstance(term, Variable):
        return _plain(term.name, "variable")
    # Quotes keep an object apart from a variable of the same name.
    return f'"{term}"' if term in scope else format_name(term)


def _plain(name: str, kind: str) -> str:
    if format_name(name) != name:
        raise SchemaError(f"{kind} {name!r} cannot be written", expected="a word, not a keyword")
    return name


def _equal(formula: Equal, scope: _Scope) -> tuple[int, str]:
    return _UNARY, f"{_term(formula.left, scope)} = {_term(formula.right, scope)}"


def _not(formula: Not, scope: _Scope) -> tuple[int, str]:
    return _UNARY, f"not {_text(formula.operand, _UNARY, scope)}"


def _implies(formula: Implies, scope: _Scope) -> tuple[int, str]:
    left = _text(formula.left, _OR, scope)
    return _IMPLIES, f"{left} implies {_text(formula.right, _IMPLIES, scope)}"


def _and(formula: And, scope: _Scope) -> tuple[int, str]:
    return _chain(formula.operands, "and", _AND, scope) if formula.operands else (_UNARY, "true")


def _or(formula: Or, scope: _Scope) -> tuple[int, str]:
    return _chain(formula.operands, "or", _OR, scope) if formula.operands else (_UNARY, "false")


def _then(formula: Then, scope: _Scope) -> tuple[int, str]:
    if not formula.operands:
        raise SchemaError("a 'then' without operands has no notation")
    return _chain(formula.operands, "then", _THEN, scope)


def _chain(operands: tuple[Formula, ...], word: str, level: int, scope: _Scope) -> tuple[int, str]:
    if len(operands) == 1:
        return _UNARY, _text(operands[0], _UNARY, scope)
    return level, f" {word} ".join(_text(operand, level + 1, scope) for operand in operands)


def _forall(formula: Forall, scope: _Scope) -> tuple[int, str]:
    return _quantified("forall", formula.variables, formula.body, scope)


def _exists(formula: Exists, scope: _Scope) -> tuple[int, str]:
    return _quantified("exists", formula.variables, formula.body, scope)


def _count(formula: Count, scope: _Scope) -> tuple[int, str]:
    return _quantified(f"forn {formula.number}.", (formula.variable,), formula.body, scope)


def _quantified(
    word: str, variables: tuple[Variable, ...], body: Formula, scope: _Scope
) -> tuple[int, str]:
    if not variables:
        return _UNARY, _text(body, _UNARY, scope)
    inner = scope | {variable.name for variable in variables}
    bound = ", ".join(map(_binder, variables))
    return _UNARY, f"{word} {bound}. ({_text(body, _THEN, inner)})"


def _binder(variable: Variable) -> str:
    name = _plain(variable.name, "variable")
    if variable.types == ("object",):
        return name
    if not variable.types:
        raise SchemaError(f"variable {name!r} without a type cannot be written")
    return f"{name}:{'|'.join(format_name(each) for each in variable.types)}"


_PRINTERS: dict[type[Formula], Callable[..., tuple[int, str]]] = {
    Truth: _truth,
    Atom: _atom,
    ActionAtom: _action,
    Equal: _equal,
    Not: _not,
    Implies: _implies,
    And: _and,
    Or: _or,
    Then: _then,
    Forall: _forall,
    Exists: _exists,
    Count: _count,
}
