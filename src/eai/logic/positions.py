"""Truth of state formulas: at every position at once.

A *state formula* (one without ``then``) has a truth value at every position of a trajectory. All
of them together are one Python integer, bit i for position i, and the connectives are bit
operations on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from eai.errors import InputError
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
from eai.logic.grounding import Level, Literal, Search, candidates, search_plan
from eai.logic.trace import Trajectory

__all__ = ["Binding", "Positions", "exactly"]


class Binding(dict[str, str]):
    """Variable name to object name."""

    def without(self, names: Iterable[str]) -> Binding:
        """Return a copy for the inside of a quantifier, whose variables hide those outside."""
        inner = Binding(self)
        for name in names:
            inner.pop(name, None)
        return inner


class Positions:
    """Truth vectors of state formulas on one trajectory.

    Formulas are recognised by identity: they must stay alive as long as this object.

    Args:
        trajectory: The trajectory; it must not change meanwhile.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self._all = (1 << trajectory.length) - 1
        self._ranges: dict[tuple[str, ...], Sequence[str]] = {}
        self._searches: dict[int, Search] = {}
        self._memo: dict[tuple[object, ...], int] = {}

    def truth(self, formula: Formula, binding: Binding) -> int:
        """Return the positions at which a state formula is true.

        Args:
            formula: A formula without ``then``.
            binding: Objects for its free variables, all of them.

        Raises:
            InputError: If the formula contains ``then``.
        """
        return self._rules[type(formula)](self, formula, binding)

    def range(self, variable: Variable) -> Sequence[str]:
        """Return the objects that a variable ranges over."""
        found = self._ranges.get(variable.types)
        if found is None:
            found = self._ranges[variable.types] = self.trajectory.objects(variable.types)
        return found

    def pool(
        self, variable: Variable, constraints: Iterable[Literal], binding: Binding
    ) -> Iterable[str]:
        """Return the objects of a variable's range for which the constraints can all be met."""
        everything = self.range(variable)
        few = candidates(constraints, variable.name, binding=binding, trajectory=self.trajectory)
        return everything if few is None else few.intersection(everything)

    def _constant(self, formula: Truth, _binding: Binding) -> int:
        return self._all if formula.value else 0

    def _atom(self, formula: Atom, binding: Binding) -> int:
        return self.trajectory.history(formula.predicate, _ground(formula.terms, binding))

    def _action(self, formula: ActionAtom, binding: Binding) -> int:
        return self.trajectory.occurrences(formula.action, _ground(formula.terms, binding))

    def _equal(self, formula: Equal, binding: Binding) -> int:
        left, right = _ground((formula.left, formula.right), binding)
        return self._all if left == right else 0

    def _not(self, formula: Not, binding: Binding) -> int:
        return self._all ^ self.truth(formula.operand, binding)

    def _and(self, formula: And, binding: Binding) -> int:
        found = self._all
        for operand in formula.operands:
            found &= self.truth(operand, binding)
            if not found:
                break
        return found

    def _or(self, formula: Or, binding: Binding) -> int:
        found = 0
        for operand in formula.operands:
            found |= self.truth(operand, binding)
            if found == self._all:
                break
        return found

    def _implies(self, formula: Implies, binding: Binding) -> int:
        left = self._all ^ self.truth(formula.left, binding)
        return left if left == self._all else left | self.truth(formula.right, binding)

    def _forall(self, formula: Forall, binding: Binding) -> int:
        return self._all ^ self._some(formula, binding)

    def _exists(self, formula: Exists, binding: Binding) -> int:
        return self._some(formula, binding)

    def _some(self, formula: Forall | Exists, binding: Binding) -> int:
        """Where some binding decides the quantifier (see :mod:`eai.logic.grounding`)."""
        search = self._searches.get(id(formula))
        if search is None:
            search = self._searches[id(formula)] = search_plan(formula)
        inner = binding.without(variable.name for variable in formula.variables)
        found = self._together(search.outside, inner)
        if found and search.levels:
            found &= self._search(formula, search.levels, 0, inner)
        return found

    def _search(
        self, formula: Forall | Exists, levels: tuple[Level, ...], index: int, binding: Binding
    ) -> int:
        level = levels[index]
        key = (id(formula), index, *(binding[name] for name in level.depends))
        known = self._memo.get(key)
        if known is not None:
            return known
        found = 0
        for name in self.pool(formula.variables[index], level.constraints, binding):
            binding[level.variable] = name
            here = self._together(level.decided, binding)
            if here and index + 1 < len(levels):
                here &= self._search(formula, levels, index + 1, binding)
            found |= here
            if found == self._all:
                break
        binding.pop(level.variable, None)
        self._memo[key] = found
        return found

    def _together(self, literals: Iterable[Literal], binding: Binding) -> int:
        """Where all literals have their wanted values."""
        found = self._all
        for formula, wanted in literals:
            value = self.truth(formula, binding)
            found &= value if wanted else ~value
            if not found:
                break
        return found

    def _count(self, formula: Count, binding: Binding) -> int:
        variable = formula.variable
        inner = binding.without((variable.name,))
        vectors = []
        for name in self.pool(variable, ((formula.body, True),), inner):
            inner[variable.name] = name
            vectors.append(self.truth(formula.body, inner))
        return exactly(formula.number, vectors, self._all)

    def _no_truth(self, _formula: Then, _binding: Binding) -> int:
        raise InputError(
            "a formula with 'then' is not true or false at a position",
            expected="a state formula",
            mend="use evaluate",
        )

    _rules: ClassVar[dict[type[Formula], Callable[..., int]]] = {
        Truth: _constant,
        Atom: _atom,
        ActionAtom: _action,
        Equal: _equal,
        Not: _not,
        And: _and,
        Or: _or,
        Implies: _implies,
        Forall: _forall,
        Exists: _exists,
        Count: _count,
        Then: _no_truth,
    }


def exactly(number: int, vectors: Iterable[int], positions: int) -> int:
    """Return the positions at which exactly ``number`` of the vectors have a one.

    The vectors are added up digit by digit: digit i of all sums is one integer.

    Args:
        number: How many.
        vectors: Truth vectors.
        positions: The vector of all positions.
    """
    digits: list[int] = []
    for carry in vectors:
        for i, digit in enumerate(digits):
            digits[i], carry = digit ^ carry, digit & carry  # noqa: PLW2901
        if carry:
            digits.append(carry)
    if not 0 <= number < 1 << len(digits):
        return 0
    found = positions
    for i, digit in enumerate(digits):
        found &= digit if number >> i & 1 else ~digit
    return found


def _ground(terms: Iterable[Term], binding: Binding) -> tuple[str, ...]:
    return tuple([binding[term.name] if isinstance(term, Variable) else term for term in terms])
