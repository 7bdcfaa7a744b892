"""Truth at positions: of a formula without ``then``, at every position at once.

All truth values of a formula along a trajectory are one Python integer, and the connectives are
operations on it (:mod:`eai.logic.algebra`). A quantifier is a search for a binding that decides
it (:mod:`eai.logic.quantifiers`); counting adds truth vectors up; pairs are matchings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from eai.logic.algebra import Bits, Timeline, reverse_bits
from eai.logic.code import code_of
from eai.logic.formula import ActionAtom, Atom, Count, ForPairs, Quantifier, Then, not_at_a_position
from eai.logic.nodes import Binding, Term, Variable
from eai.logic.numeric import NumericCondition
from eai.logic.quantifiers import Level, Literal, candidates, search_plan
from eai.logic.trace import Trajectory, numeric_history
from eai.logic.tree import Formula


class Positions:
    """Truth vectors of formulas on a trajectory that must not change meanwhile.

    Args:
        trajectory: The trajectory.
        timeline: Its positions, for linear temporal logic. All vectors then have bit 0 for the last
            position. Without one, bit i is position i, as in a history.
        then: Function that returns where a ``then`` below operators of linear temporal logic is
            true.
    """

    def __init__(
        self,
        trajectory: Trajectory,
        *,
        timeline: Timeline | None = None,
        then: Callable[[Then, Binding], int] | None = None,
    ) -> None:
        """Choose the order of bits in truth vectors, and begin with empty caches."""
        self.trajectory = trajectory
        self.timeline: Bits = timeline or Bits(Timeline(trajectory.length).full)
        self.full = self.timeline.full
        self._reversed = timeline is not None
        self._then = then
        # Vectors of atoms, objects of types, and vectors of formulas by the objects of variables.
        self._vectors: dict[object, int] = {}
        self._ranges: dict[tuple[str, ...], Sequence[str]] = {}
        self._memo: dict[tuple[object, ...], int] = {}

    def truth(self, formula: Formula, binding: Binding) -> int:
        """Return the positions at which a formula is true."""
        code = code_of(formula)
        # Code for linear temporal logic is about timelines, whose vectors are reversed.
        if code is None or not (self._reversed or not formula.has_linear):
            return formula.truth(self, binding)
        vectors = [leaf.truth(self, binding) for leaf in code.leaves]
        return code.run(vectors, self.full, self.timeline)

    # The operations that nodes call.

    def ground(self, terms: Iterable[Term], binding: Binding) -> tuple[str, ...]:
        """Return terms with objects in the place of variables."""
        return tuple([binding[term.name] if isinstance(term, Variable) else term for term in terms])

    def atom(self, formula: Atom, binding: Binding) -> int:
        """Return where an atom is true, as a bit vector over the positions.

        Vectors are kept by predicate and objects, and for a ground atom also by the atom itself,
        which is the faster key.
        """
        truth = self._vectors.get(formula)
        if truth is None:
            arguments = self.ground(formula.terms, binding)
            key = (formula.predicate, arguments)
            truth = self._vectors.get(key)
            if truth is None:
                truth = self._to_bit_order(self.trajectory.history(formula.predicate, arguments))
                self._vectors[key] = truth
            if arguments == formula.terms:
                self._vectors[formula] = truth
        return truth

    def action(self, formula: ActionAtom, binding: Binding) -> int:
        """Return where an action is taken."""
        arguments = self.ground(formula.terms, binding)
        key = (formula.action, arguments, "taken")
        truth = self._vectors.get(key)
        if truth is None:
            truth = self._to_bit_order(self.trajectory.occurrences(formula.action, arguments))
            self._vectors[key] = truth
        return truth

    def numeric(self, formula: NumericCondition, binding: Binding) -> int:
        """Return where a numeric condition is true."""
        ground = formula.substitute(binding)
        truth = self._vectors.get(ground)
        if truth is None:
            truth = self._to_bit_order(numeric_history(ground, self.trajectory))
            self._vectors[ground] = truth
        return truth

    def _to_bit_order(self, history: int) -> int:
        """Return a history as a vector of this kind: with bit 0 for the last position or first."""
        if not self._reversed:
            return history
        return reverse_bits(history, self.trajectory.length)

    def then(self, formula: Then, binding: Binding) -> int:
        """Return where a ``then`` holds on the rest of the trajectory."""
        if self._then is None:
            raise not_at_a_position()
        return self._then(formula, binding)

    # Quantifiers.

    def range(self, variable: Variable) -> Sequence[str]:
        """Return the objects that a variable ranges over."""
        objects = self._ranges.get(variable.types)
        if objects is None:
            objects = self._ranges[variable.types] = self.trajectory.objects(variable.types)
        return objects

    def pool(
        self, variable: Variable, constraints: Iterable[Literal], binding: Binding
    ) -> Iterable[str]:
        """Return the objects of a variable for which all constraints may be satisfied.

        Args:
            variable: The variable.
            constraints: Formulas that mention it, each with the value that it has to have.
            binding: Objects of other variables.
        """
        all_objects = self.range(variable)
        # Quantifiers range over all objects of a house, of which only a few can matter.
        possible_objects = candidates(
            constraints, variable.name, binding=binding, trajectory=self.trajectory
        )
        if possible_objects is None:
            return all_objects
        return possible_objects.intersection(all_objects)

    def some(self, formula: Quantifier, binding: Binding) -> int:
        """Return where some binding decides a quantifier, as a bit vector.

        A plan says in which order variables are bound and which literals narrow their objects down;
        alternatives are searched one by one.
        """
        key = formula.under(binding)
        cached = self._memo.get(key)
        if cached is not None:
            return cached
        plan = search_plan(formula)
        if plan.choices:
            truth = 0
            for alternative in plan.choices:
                truth |= self.some(alternative, binding)
        else:
            # Literals without the quantified variables are decided once, before any object.
            inner_binding = binding.without(variable.name for variable in formula.variables)
            truth = self._all_hold(plan.outside, inner_binding)
            if truth and plan.levels:
                truth &= self._search_level(formula, plan.levels, 0, inner_binding)
        self._memo[key] = truth
        return truth

    def _search_level(
        self, formula: Quantifier, levels: tuple[Level, ...], index: int, binding: Binding
    ) -> int:
        """Return where some values of a variable and the next ones decide a quantifier.

        Args:
            formula: The quantifier.
            levels: The levels of its search plan.
            index: The number of the variable.
            binding: The objects of the variables before it; changed meanwhile.
        """
        level = levels[index]
        key = (formula, "level", index, *(binding[object_name] for object_name in level.depends))
        cached = self._memo.get(key)
        if cached is not None:
            return cached
        truth = 0
        for object_name in self.pool(formula.variables[index], level.constraints, binding):
            binding[level.variable] = object_name
            holds_here = self._all_hold(level.decided, binding)
            if holds_here and index + 1 < len(levels):
                holds_here &= self._search_level(formula, levels, index + 1, binding)
            truth |= holds_here
            # Decided at every position: no further object can add anything.
            if truth == self.full:
                break
        binding.pop(level.variable, None)
        self._memo[key] = truth
        return truth

    def _all_hold(self, literals: Iterable[Literal], binding: Binding) -> int:
        """Return where all literals have the wanted values."""
        truth = self.full
        for formula, wanted in literals:
            value = self.truth(formula, binding)
            truth &= value if wanted else ~value
            if not truth:
                break
        return truth

    def count(self, formula: Count, binding: Binding) -> int:
        """Return where the number of objects that satisfy the body is as required.

        The body is evaluated once for each object that can make it true.
        """
        key = formula.under(binding)
        truth = self._memo.get(key)
        if truth is None:
            variable = formula.variable
            inner_binding = binding.without((variable.name,))
            vectors = []
            for name in self.pool(variable, ((formula.body, True),), inner_binding):
                inner_binding[variable.name] = name
                vectors.append(self.truth(formula.body, inner_binding))
            truth = self._memo[key] = formula.combine(self.timeline, vectors)
        return truth

    def for_pairs(self, formula: ForPairs, binding: Binding) -> int:
        """Return where the objects can be matched one to one.

        The body is evaluated once for each pair of objects that may satisfy it. At each position,
        the satisfying pairs are the edges of a graph in which a matching is searched.
        """
        key = formula.under(binding)
        truth = self._memo.get(key)
        if truth is None:
            names = (formula.first.name, formula.second.name)
            inner_binding = binding.without(names)
            vectors = {}
            for pair in self.pairs(formula, inner_binding):
                inner_binding.update(zip(names, pair, strict=True))
                vectors[pair] = self.truth(formula.body, inner_binding)
            object_ranges = (self.range(formula.first), self.range(formula.second))
            truth = self._memo[key] = formula.paired(self.timeline, vectors, object_ranges)
        return truth

    def pairs(self, formula: ForPairs, binding: Binding) -> Iterator[tuple[str, str]]:
        """Yield the pairs of different objects that may satisfy the body."""
        constraints = ((formula.body, True),)
        firsts = self.pool(formula.first, constraints, binding)
        seconds = self.pool(formula.second, constraints, binding)
        return ((a, b) for a in firsts for b in seconds if a != b)
