"""Formulas as BDDL text. Reading the text gives the same tree back."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from eai.errors import InputError, SchemaError
from eai.logic.bddl.lists import KEYWORDS, is_name
from eai.logic.formula import (
    And,
    Atom,
    Comparison,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Implies,
    Not,
    Or,
    Term,
    Truth,
    Variable,
)

__all__ = ["format_bddl"]

_Scope = frozenset[str]


def format_bddl(formula: Formula, *, forn: Comparison = "exactly") -> str:
    """Return the formula as BDDL text, on one line.

    Constants are printed as the empty conjunction and disjunction.

    Args:
        formula: A state formula.
        forn: How ``forn`` counts, as for :func:`~eai.logic.bddl.reader.read_bddl`.

    Raises:
        SchemaError: The formula has no notation in BDDL: a temporal operator, an action, a count
            that compares otherwise, a variable of several types, an object that is called like a
            variable around it, a name with capitals or blanks.
        InputError: The formula is nested too deeply to be printed.
    """
    try:
        return _Printer(forn).text(formula, frozenset())
    except RecursionError:
        raise InputError("the formula is nested too deeply to be printed") from None


class _Printer:
    """Prints formulas; a scope holds the names of the variables that are bound."""

    def __init__(self, forn: Comparison) -> None:
        self.forn = forn

    def text(self, formula: Formula, scope: _Scope) -> str:
        printer = self._PRINTERS.get(type(formula))
        if printer is None:
            raise SchemaError(
                f"BDDL has no notation for {type(formula).__name__}",
                expected="a formula about one state",
            )
        return f"({printer(self, formula, scope)})"

    def _truth(self, formula: Truth, _scope: _Scope) -> str:
        return "and" if formula.value else "or"

    def _atom(self, formula: Atom, scope: _Scope) -> str:
        name = formula.predicate
        if name in KEYWORDS or name.isdigit():
            raise SchemaError(f"{name!r} cannot be a predicate in BDDL")
        return " ".join([_name(name), *(self._term(term, scope) for term in formula.terms)])

    def _equal(self, formula: Equal, scope: _Scope) -> str:
        return f"= {self._term(formula.left, scope)} {self._term(formula.right, scope)}"

    def _term(self, term: Term, scope: _Scope) -> str:
        if isinstance(term, Variable):
            if term.name not in scope:
                raise SchemaError(f"no quantifier binds the variable {term.name!r}")
            return f"?{_name(term.name)}"
        if term in scope:
            raise SchemaError(
                f"the object {term!r} is called like a variable around it",
                mend="rename the variable",
            )
        return _name(term)

    def _not(self, formula: Not, scope: _Scope) -> str:
        return f"not {self.text(formula.operand, scope)}"

    def _and(self, formula: And, scope: _Scope) -> str:
        return " ".join(["and", *(self.text(each, scope) for each in formula.operands)])

    def _or(self, formula: Or, scope: _Scope) -> str:
        return " ".join(["or", *(self.text(each, scope) for each in formula.operands)])

    def _implies(self, formula: Implies, scope: _Scope) -> str:
        return f"imply {self.text(formula.left, scope)} {self.text(formula.right, scope)}"

    def _forall(self, formula: Forall, scope: _Scope) -> str:
        return self._quantified("forall", formula.variables, formula.body, scope)

    def _exists(self, formula: Exists, scope: _Scope) -> str:
        return self._quantified("exists", formula.variables, formula.body, scope)

    def _quantified(
        self, word: str, variables: tuple[Variable, ...], body: Formula, scope: _Scope
    ) -> str:
        if not variables:
            raise SchemaError(f"{word} without variables has no notation in BDDL")
        if len({variable.name for variable in variables}) < len(variables):
            raise SchemaError(f"{word} binds a variable twice")
        bound = " ".join(map(_binder, variables))
        inner = scope | {variable.name for variable in variables}
        return f"{word} ({bound}) {self.text(body, inner)}"

    def _count(self, formula: Count, scope: _Scope) -> str:
        if formula.comparison != self.forn:
            raise SchemaError(
                f"'{formula.comparison}' has no notation in BDDL",
                expected=f"'{self.forn}', the reading of forn",
            )
        inner = scope | {formula.variable.name}
        body = self.text(formula.body, inner)
        return f"forn ({formula.number}) ({_binder(formula.variable)}) {body}"

    def _pairs(self, formula: ForPairs, scope: _Scope) -> str:
        word = "forpairs" if formula.number is None else f"fornpairs ({formula.number})"
        sides = (formula.first, formula.second)
        if formula.first.name == formula.second.name:
            raise SchemaError(f"both sides of the pairs are called {formula.first.name!r}")
        inner = scope | {variable.name for variable in sides}
        bound = " ".join(f"({_binder(variable)})" for variable in sides)
        return f"{word} {bound} {self.text(formula.body, inner)}"

    _PRINTERS: ClassVar[dict[type[Formula], Callable[..., str]]] = {
        Truth: _truth,
        Atom: _atom,
        Equal: _equal,
        Not: _not,
        And: _and,
        Or: _or,
        Implies: _implies,
        Forall: _forall,
        Exists: _exists,
        Count: _count,
        ForPairs: _pairs,
    }


def _binder(variable: Variable) -> str:
    if len(variable.types) != 1:
        raise SchemaError(f"in BDDL the variable {variable.name!r} has one type")
    return f"?{_name(variable.name)} - {_name(variable.types[0])}"


def _name(name: str) -> str:
    if not is_name(name):
        raise SchemaError(f"{name!r} cannot be written in BDDL", expected="one lower-case word")
    return name
