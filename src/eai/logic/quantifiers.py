"""Truth of quantified formulas at every position at once.

A quantifier is a search for a binding that decides it (:mod:`eai.logic.grounding`); counting adds
truth vectors up; pairs are matchings (:mod:`eai.logic.pairing`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence

from eai.logic.formula import (
    Count,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Variable,
    free_variables,
)
from eai.logic.grounding import Level, Literal, Search, candidates, search_plan
from eai.logic.pairing import paired
from eai.logic.timeline import counted
from eai.logic.trace import Trajectory

__all__ = ["Binding", "Quantifiers"]


class Binding(dict[str, str]):
    """Variable name to object name."""

    def without(self, names: Iterable[str]) -> Binding:
        """Return a copy for the inside of a quantifier, whose variables hide those outside."""
        inner = Binding(self)
        for name in names:
            inner.pop(name, None)
        return inner


class Quantifiers(ABC):
    """Truth vectors of quantified formulas on one trajectory.

    Formulas are recognised by identity: they must stay alive as long as this object.

    Args:
        trajectory: The trajectory; it must not change meanwhile.
        everywhere: The vector of all positions.
    """

    def __init__(self, trajectory: Trajectory, everywhere: int) -> None:
        self.trajectory = trajectory
        self._all = everywhere
        self._ranges: dict[tuple[str, ...], Sequence[str]] = {}
        self._searches: dict[int, Search] = {}
        self._memo: dict[tuple[object, ...], int] = {}
        self._free: dict[int, list[str]] = {}

    @abstractmethod
    def truth(self, formula: Formula, binding: Binding) -> int:
        """Return the positions at which a formula is true.

        Args:
            formula: Any formula.
            binding: Objects for its free variables, all of them.
        """

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

    def forall(self, formula: Forall, binding: Binding) -> int:
        """Where every binding makes the body true."""
        return self._all ^ self._some(formula, binding)

    def exists(self, formula: Exists, binding: Binding) -> int:
        """Where some binding makes the body true."""
        return self._some(formula, binding)

    def _some(self, formula: Forall | Exists, binding: Binding) -> int:
        """Where some binding decides the quantifier (see :mod:`eai.logic.grounding`)."""
        key = self._key(formula, binding)
        known = self._memo.get(key)
        if known is not None:
            return known
        search = self._searches.get(id(formula))
        if search is None:
            search = self._searches[id(formula)] = search_plan(formula)
        inner = binding.without(variable.name for variable in formula.variables)
        found = self._together(search.outside, inner)
        if found and search.levels:
            found &= self._search(formula, search.levels, 0, inner)
        self._memo[key] = found
        return found

    def _key(self, formula: Formula, binding: Binding) -> tuple[object, ...]:
        """What the truth of a formula depends on."""
        names = self._free.get(id(formula))
        if names is None:
            names = sorted(variable.name for variable in free_variables(formula))
            self._free[id(formula)] = names
        return (id(formula), *[binding[name] for name in names])

    def _search(
        self, formula: Forall | Exists, levels: tuple[Level, ...], index: int, binding: Binding
    ) -> int:
        level = levels[index]
        key = (id(formula), "level", index, *(binding[name] for name in level.depends))
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

    def count(self, formula: Count, binding: Binding) -> int:
        """Where as many objects as wanted make the body true."""
        variable = formula.variable
        inner = binding.without((variable.name,))
        key = self._key(formula, binding)
        known = self._memo.get(key)
        if known is not None:
            return known
        vectors = []
        for name in self.pool(variable, ((formula.body, True),), inner):
            inner[variable.name] = name
            vectors.append(self.truth(formula.body, inner))
        found = counted(formula.number, formula.comparison, vectors, self._all)
        self._memo[key] = found
        return found

    def for_pairs(self, formula: ForPairs, binding: Binding) -> int:
        """Where the objects can be paired off."""
        key = self._key(formula, binding)
        known = self._memo.get(key)
        if known is None:
            names = (formula.first.name, formula.second.name)
            inner = binding.without(names)
            vectors = {}
            for pair in self.pairs(formula, inner):
                inner.update(zip(names, pair, strict=True))
                vectors[pair] = self.truth(formula.body, inner)
            known = self._memo[key] = self.paired(formula, vectors, self._all)
        return known

    def pairs(self, formula: ForPairs, binding: Binding) -> Iterator[tuple[str, str]]:
        """Yield the pairs of different objects that may satisfy the body."""
        constraints = ((formula.body, True),)
        firsts = self.pool(formula.first, constraints, binding)
        seconds = self.pool(formula.second, constraints, binding)
        return ((a, b) for a in firsts for b in seconds if a != b)

    def paired(self, formula: ForPairs, vectors: Mapping[tuple[str, str], int], full: int) -> int:
        """Return where enough of the pairs can be formed, given where each can."""
        sides = (self.range(formula.first), self.range(formula.second))
        return paired(sides, vectors, number=formula.number, full=full)
