"""Truth at positions: of a formula without ``then``, at every position at once.

All truth values of a formula along a trajectory are one Python integer, and the connectives are
operations on it. Quantifiers are searches for a binding that decides them
(:mod:`eai.logic.grounding`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from eai.errors import InputError
from eai.logic.formula import (
    ActionAtom,
    Atom,
    Count,
    Equal,
    Exists,
    First,
    Forall,
    Formula,
    ForPairs,
    Last,
    Term,
    Then,
    Truth,
    Variable,
    bottom_up,
    free_variables,
    has_linear,
    quantifier_depth,
)
from eai.logic.grounding import Level, Literal, Search, candidates, search_plan
from eai.logic.pairing import paired
from eai.logic.programs import AND, LEAF, NOT, OR, Instruction, program_of
from eai.logic.timeline import Timeline, counted, mirror
from eai.logic.trace import Trajectory

__all__ = ["Binding", "Positions"]

_DEEP = 40
"""So many quantifiers inside each other are decided by recursion."""


class Binding(dict[str, str]):
    """Variable name to object name."""

    def without(self, names: Iterable[str]) -> Binding:
        """Return a copy for the inside of a quantifier, whose variables hide those outside."""
        inner = Binding(self)
        for name in names:
            inner.pop(name, None)
        return inner


class Positions:
    """Truth vectors of formulas on one trajectory.

    Formulas are recognised by identity: they must stay alive as long as this object.

    Args:
        trajectory: The trajectory; it must not change meanwhile.
        timeline: Its positions, for formulas of linear temporal logic. All vectors then have
            bit 0 for the last position. Without one, bit i is position i, as in a history, and
            only state formulas can be evaluated.
        then: Where a formula ``f then g`` is true, for such formulas below operators of linear
            temporal logic.
    """

    def __init__(
        self,
        trajectory: Trajectory,
        *,
        timeline: Timeline | None = None,
        then: Callable[[Then, Binding], int] | None = None,
    ) -> None:
        self.trajectory = trajectory
        self.timeline = timeline or Timeline(trajectory.length)
        self._reversed = timeline is not None
        self._then = then
        self._all = self.timeline.full
        self._ranges: dict[tuple[str, ...], Sequence[str]] = {}
        self._prepared: set[int] = set()
        self._inside = False
        self._searches: dict[int, Search] = {}
        self._memo: dict[tuple[object, ...], int] = {}
        self._free: dict[int, list[str]] = {}
        self._vectors: dict[tuple[object, ...], int] = {}

    def truth(self, formula: Formula, binding: Binding) -> int:
        """Return the positions at which a formula is true.

        Args:
            formula: A formula; without a timeline, a state formula.
            binding: Objects for its free variables, all of them.

        Raises:
            InputError: If the formula needs a timeline and there is none, or contains ``then``
                and nothing was given to judge that.
        """
        program = program_of(formula)
        if program.special and id(formula) not in self._prepared:
            self._prepare(formula)
        code = program.code()
        leaves = self._leaves
        if code is None:
            return self._run(program.instructions, binding)
        vectors = [leaves[type(node)](self, node, binding) for node in code.leaves]
        return code.run(vectors, self._all, self.timeline)

    def _prepare(self, formula: Formula) -> None:
        if has_linear(formula) and not self._reversed:
            raise InputError("operators of linear temporal logic need a timeline")
        self._prepared.add(id(formula))
        if quantifier_depth(formula) > _DEEP and not self._inside:
            self._inside = True
            try:
                self._decide_ahead(formula)
            finally:
                self._inside = False

    def _decide_ahead(self, formula: Formula) -> None:
        """Decide closed quantified subformulas from the innermost out, at intervals."""
        for node in bottom_up(formula):
            quantified = isinstance(node, (Forall, Exists, Count, ForPairs))
            if quantified and quantifier_depth(node) % _DEEP == 0 and not free_variables(node):
                self._leaves[type(node)](self, node, Binding())

    def _run(self, instructions: tuple[Instruction, ...], binding: Binding) -> int:
        everywhere, timeline, leaves = self._all, self.timeline, self._leaves
        stack: list[int] = []
        for task, operands, node in instructions:
            if task == LEAF:
                stack.append(leaves[type(node)](self, node, binding))
            elif task == AND:
                right = stack.pop()
                stack[-1] &= right
            elif task == OR:
                right = stack.pop()
                stack[-1] |= right
            elif task == NOT:
                stack[-1] ^= everywhere
            elif operands == 1:
                stack[-1] = getattr(timeline, task)(stack[-1])
            else:
                right = stack.pop()
                stack[-1] = getattr(timeline, task)(stack[-1], right)
        return stack[0]

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
        arguments = _ground(formula.terms, binding)
        key = (formula.predicate, arguments)
        known = self._vectors.get(key)
        if known is None:
            known = self._vectors[key] = self._turned(
                self.trajectory.history(formula.predicate, arguments)
            )
        return known

    def _action(self, formula: ActionAtom, binding: Binding) -> int:
        arguments = _ground(formula.terms, binding)
        key = (formula.action, arguments, "taken")
        known = self._vectors.get(key)
        if known is None:
            known = self._vectors[key] = self._turned(
                self.trajectory.occurrences(formula.action, arguments)
            )
        return known

    def _turned(self, history: int) -> int:
        return mirror(history, self.trajectory.length) if self._reversed else history

    def _equal(self, formula: Equal, binding: Binding) -> int:
        left, right = _ground((formula.left, formula.right), binding)
        return self._all if left == right else 0

    def _last(self, _formula: Last, _binding: Binding) -> int:
        return self.timeline.last

    def _first(self, _formula: First, _binding: Binding) -> int:
        return self.timeline.first

    def _forall(self, formula: Forall, binding: Binding) -> int:
        return self._all ^ self._some(formula, binding)

    def _exists(self, formula: Exists, binding: Binding) -> int:
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

    def _count(self, formula: Count, binding: Binding) -> int:
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

    def _pairs(self, formula: ForPairs, binding: Binding) -> int:
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

    def _sequence(self, formula: Then, binding: Binding) -> int:
        if self._then is None:
            raise InputError(
                "a formula with 'then' is not true or false at a position",
                expected="a formula without 'then'",
                mend="use evaluate",
            )
        return self._then(formula, binding)

    _leaves: ClassVar[dict[type[Formula], Callable[..., int]]] = {
        Truth: _constant,
        Atom: _atom,
        ActionAtom: _action,
        Equal: _equal,
        Last: _last,
        First: _first,
        Forall: _forall,
        Exists: _exists,
        Count: _count,
        ForPairs: _pairs,
        Then: _sequence,
    }


def _ground(terms: Iterable[Term], binding: Binding) -> tuple[str, ...]:
    return tuple([binding[term.name] if isinstance(term, Variable) else term for term in terms])
