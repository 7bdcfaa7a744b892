"""From a goal to its family of options: quantifiers resolved, negations pushed to the atoms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product as cartesian
from typing import ClassVar

from eai.errors import InputError, SchemaError
from eai.logic.formula import (
    TRUE,
    ActionAtom,
    And,
    Atom,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Iff,
    Implies,
    Not,
    Or,
    Term,
    Then,
    Truth,
    Variable,
    Xor,
    atoms,
)
from eai.logic.options.choices import Choice, Pairing
from eai.logic.options.families import EMPTY, Actions, Family, Fixed, Sum
from eai.logic.options.products import Product

__all__ = ["GROUND_LIMIT", "Extension", "Known", "family_of"]

GROUND_LIMIT = 200_000
"""Most subformulas that a goal may have once its quantifiers are resolved."""

Extension = Callable[[tuple[str, ...]], Sequence[str]]
"""The objects of any of some types, in a fixed order."""

Known = Callable[[Atom], "bool | None"]
"""The truth value of a ground atom that is settled beforehand; None if it is not."""

_Binding = Mapping[str, str]
_NONE = Sum(())
_SETTLED = Fixed(frozenset())
"""Nothing is asked: what is settled satisfies the formula, and its alternatives do not matter."""


def family_of(goal: Formula, extension: Extension, *, known: Known | None = None) -> Family:
    """Return the options of a goal.

    Args:
        goal: A state formula; or action formulas and last a state formula, joined by ``then``
            (paper, section 2.3). No variable is free in it.
        extension: The objects of each type.
        known: What is settled, and therefore not asked for.

    Raises:
        InputError: The goal has no simple goals by this definition (it is temporal in some other
            way), or it has more than :data:`GROUND_LIMIT` ground subformulas.
        SchemaError: A variable is not bound.
    """
    grounding = _Grounding(extension, known)
    try:
        if isinstance(goal, Then):
            return grounding.chain(goal.operands)
        if _acts(goal):
            return grounding.chain((goal,))
        return grounding.family(goal, {}, wanted=True)
    except RecursionError:
        raise InputError("the goal is nested too deeply to be resolved") from None


class _Grounding:
    """Resolves quantifiers; ``wanted`` is False under an odd number of negations."""

    def __init__(self, extension: Extension, known: Known | None) -> None:
        self.extension = extension
        self.known = known
        self.made = 0

    def family(self, formula: Formula, binding: _Binding, *, wanted: bool) -> Family:
        self.made += 1
        if self.made > GROUND_LIMIT:
            raise InputError(
                f"the goal has more than {GROUND_LIMIT:,} ground subformulas",
                mend="bind the quantifiers to narrower types",
            )
        make = self._MAKERS.get(type(formula))
        if make is None:
            raise InputError(
                f"a goal with {type(formula).__name__} has no simple goals here",
                expected="a state formula, or actions then a state formula",
            )
        return make(self, formula, binding, wanted)

    def chain(self, operands: Sequence[Formula]) -> Family:
        """Actions in order, then a condition on the final state."""
        *actions, last = operands if operands and not _acts(operands[-1]) else (*operands, TRUE)
        parts = [list(self.actions(action, {})) for action in actions]
        if not all(parts):
            return _NONE
        state = self.family(last, {}, wanted=True)
        return Product([Actions(parts), state]) if parts else state

    def actions(self, formula: Formula, binding: _Binding) -> Iterable[ActionAtom]:
        """The ground actions any of which will do."""
        if isinstance(formula, ActionAtom):
            yield ActionAtom(formula.action, _ground(formula.terms, binding))
        elif isinstance(formula, Or) or (isinstance(formula, And) and len(formula.operands) == 1):
            for operand in formula.operands:
                yield from self.actions(operand, binding)
        elif isinstance(formula, Exists):
            for inner in self.bindings(formula.variables, binding):
                yield from self.actions(formula.body, inner)
        else:
            raise InputError(
                f"{type(formula).__name__} before 'then' has no simple goals here",
                expected="an action, a disjunction of actions, or one for some object",
            )

    def bindings(self, variables: Sequence[Variable], binding: _Binding) -> Iterable[_Binding]:
        ranges = [self.extension(variable.types) for variable in variables]
        for chosen in cartesian(*ranges):
            names = (variable.name for variable in variables)
            yield {**binding, **dict(zip(names, chosen, strict=True))}

    def _truth(self, formula: Truth, _binding: _Binding, wanted: bool) -> Family:
        return EMPTY if formula.value == wanted else _NONE

    def _equal(self, formula: Equal, binding: _Binding, wanted: bool) -> Family:
        left, right = _ground((formula.left, formula.right), binding)
        return EMPTY if (left == right) == wanted else _NONE

    def _atom(self, formula: Atom, binding: _Binding, wanted: bool) -> Family:
        atom = Atom(formula.predicate, _ground(formula.terms, binding))
        settled = self.known(atom) if self.known else None
        if settled is not None:
            return _SETTLED if settled == wanted else _NONE
        return Fixed(frozenset([atom if wanted else Not(atom)]))

    def _not(self, formula: Not, binding: _Binding, wanted: bool) -> Family:
        return self.family(formula.operand, binding, wanted=not wanted)

    def _chained(self, formula: And | Or, binding: _Binding, wanted: bool) -> Family:
        parts = [self.family(each, binding, wanted=wanted) for each in formula.operands]
        return _all_or_any(parts, every=isinstance(formula, And) == wanted)

    def _implies(self, formula: Implies, binding: _Binding, wanted: bool) -> Family:
        left = self.family(formula.left, binding, wanted=not wanted)
        right = self.family(formula.right, binding, wanted=wanted)
        return _all_or_any([left, right], every=not wanted)

    def _alike(self, formula: Iff | Xor, binding: _Binding, wanted: bool) -> Family:
        same = isinstance(formula, Iff) == wanted
        return Sum(
            Product(
                [
                    self.family(formula.left, binding, wanted=left),
                    self.family(formula.right, binding, wanted=left == same),
                ]
            )
            for left in (True, False)
        )

    def _quantified(self, formula: Forall | Exists, binding: _Binding, wanted: bool) -> Family:
        inner = self.bindings(formula.variables, binding)
        parts = [self.family(formula.body, each, wanted=wanted) for each in inner]
        return _all_or_any(parts, every=isinstance(formula, Forall) == wanted)

    def _count(self, formula: Count, binding: _Binding, wanted: bool) -> Family:
        """Exactly n: the others are denied. At least or at most: nothing is said of them."""
        inner = list(self.bindings([formula.variable], binding))
        body = [self.family(formula.body, each, wanted=True) for each in inner]
        other = [self.family(formula.body, each, wanted=False) for each in inner]
        total, number = len(inner), formula.number
        if formula.comparison == "exactly":
            numbers = {number} if wanted else set(range(total + 1)) - {number}
            return Choice(numbers, body, other)
        if formula.comparison == "at most":
            number, wanted = number + 1, not wanted
        if not wanted:
            body, number = other, total - number + 1
        return Choice({max(0, number)}, body)

    def _pairs(self, formula: ForPairs, binding: _Binding, wanted: bool) -> Family:
        firsts = self.extension(formula.first.types)
        seconds = self.extension(formula.second.types)
        smaller = min(len(firsts), len(seconds))
        number = smaller if formula.number is None else formula.number
        names = (formula.first.name, formula.second.name)

        def pair(first: str, second: str) -> Family | None:
            if first == second:
                return None
            inner = {**binding, names[0]: first, names[1]: second}
            return self.family(formula.body, inner, wanted=wanted)

        if number > smaller:
            return _NONE if wanted else EMPTY
        rows = [[pair(first, second) for second in seconds] for first in firsts]
        return Pairing(number, rows) if wanted else self._unpaired(rows, number)

    def _unpaired(self, rows: list[list[Family | None]], number: int) -> Family:
        """No ``number`` pairs can be formed.

        By König's theorem fewer objects than that take part in all pairs that satisfy the body;
        so every pair without one of them does not.
        """
        width = len(rows[0]) if rows else 0
        parts: list[Family] = []
        objects = range(len(rows) + width)
        for cover in map(set, combinations(objects, number - 1) if number else ()):
            denied = [
                pair
                for i, row in enumerate(rows)
                for j, pair in enumerate(row)
                if pair is not None and i not in cover and len(rows) + j not in cover
            ]
            self.made += len(denied) + 1
            if self.made > GROUND_LIMIT:
                raise InputError(f"the goal has more than {GROUND_LIMIT:,} ground subformulas")
            parts.append(Product(denied))
        return Sum(parts)

    _MAKERS: ClassVar[dict[type[Formula], Callable[..., Family]]] = {
        Truth: _truth,
        Equal: _equal,
        Atom: _atom,
        Not: _not,
        And: _chained,
        Or: _chained,
        Implies: _implies,
        Iff: _alike,
        Xor: _alike,
        Forall: _quantified,
        Exists: _quantified,
        Count: _count,
        ForPairs: _pairs,
    }


def _all_or_any(parts: Sequence[Family], *, every: bool) -> Family:
    if any(part is _SETTLED for part in parts):
        parts = [part for part in parts if part is not _SETTLED] if every else []
        if not parts:
            return _SETTLED
    if len(parts) == 1:
        return parts[0]
    return Product(parts) if every else Sum(parts)


def _acts(formula: Formula) -> bool:
    """Whether the formula speaks of actions."""
    return any(isinstance(atom, ActionAtom) for atom in atoms(formula))


def _ground(terms: Iterable[Term], binding: _Binding) -> tuple[str, ...]:
    return tuple([_named(term, binding) for term in terms])


def _named(term: Term, binding: _Binding) -> str:
    if isinstance(term, str):
        return term
    if term.name not in binding:
        raise SchemaError(
            f"no quantifier binds the variable {term.name!r}", expected="a closed goal"
        )
    return binding[term.name]
