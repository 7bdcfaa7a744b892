"""Disjunctive landmarks of conditions: literals of which one at least has to change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from operator import itemgetter

from eai.logic import Atom, Formula, ForPairs, Quantifier, Variable
from eai.planning.achievers import Literal, opposite
from eai.planning.reasons import NOTHING, Env, Part, Reads, Reasons
from eai.planning.repair.task import RepairTask, depth_of
from eai.world import State
from eai.world.bits import bits

_INSTANCES = 4000
"""Of a quantifier with more instances than this the literals are taken all together."""

_UNFOLDED = 1000
"""So many derived atoms are taken apart for one condition: recursive axioms lead along every path,
and there may be exponentially many. Predicates that lead to more are not taken apart again."""


class Disjunctions(Reasons):
    """Finds what stands in the way of conditions.

    A condition fails as long as every literal stays on which it rests that it fails. Literals are
    returned as they have to become.
    """

    def __init__(self, task: RepairTask) -> None:
        super().__init__(task.world, task.start)
        self._task = task
        self._open: set[tuple[str, tuple[int, ...], bool]] = set()
        self._unfolded = 0
        self._outermost = ""
        self._tangled: set[str] = set()
        self._tests: dict[tuple[Formula, tuple[str, ...]], Callable[..., bool]] = {}

    def landmark(self, formula: Formula, env: Env, state: State, want: bool = True) -> Reads:
        """Return literals of which one has to become so for a condition to be as wanted.

        There are none if it is as wanted in the state, or nothing that the agent does can help.
        """
        self.state = state
        return self.of(formula, env, not want) or NOTHING

    def literal(self, literal: Literal) -> Reads:
        """Its opposite, if that can be brought about."""
        other = opposite(literal)
        return frozenset((other,)) if self._task.weight(other) else NOTHING

    def choice(self, parts: Iterable[Part]) -> Reads | None:
        """The part that is easiest to look at, then to mend."""
        found: list[Reads] = []
        last = 0
        ordered = [(depth_of(self.world, part[0]), part) for part in parts]
        for depth, part in sorted(ordered, key=itemgetter(0)):
            if found and depth > last:
                break
            reads = self.of(*part)
            if reads is not None:
                found.append(reads)
                last = depth
        return min(found, key=lambda each: sum(map(self._task.weight, each)), default=None)

    def _any(self, parts: Iterable[Part]) -> Reads | None:
        return next((reads for part in parts if (reads := self.of(*part)) is not None), None)

    def atom(self, atom: Atom, env: Env, value: bool) -> Reads | None:
        """It is counted."""
        self._task.meter.count_instances(1)
        return super().atom(atom, env, value)

    def derived(self, atom: Atom, env: Env, value: bool) -> Reads | None:
        """What all derivations rest on that fail, or one that succeeds."""
        if self._holds(atom, env) is not value:
            return None
        key = atom.predicate, self.numbers(atom.terms, env), value
        if atom.predicate not in self.rules:
            return self._anything(atom)
        if key in self._open:
            # A shortest derivation does not use what it derives; a denial may.
            return self._anything(atom) if value else NOTHING
        if not self._open:
            self._outermost, self._unfolded = atom.predicate, 0
        self._unfolded += 1
        if self._unfolded > _UNFOLDED:
            self._tangled.add(self._outermost)
        if self._outermost in self._tangled:
            return self._anything(atom)
        self._open.add(key)
        bodies = self.bodies(*key)
        found = self._any(bodies) if value else self.together(bodies)
        self._open.discard(key)
        return found

    def other(self, formula: Formula, env: Env, value: bool) -> Reads | None:
        """What counts or compares can change with every part, in both directions."""
        if self._holds(formula, env) is not value:
            return None
        instances = self._instances(formula.variables, env)
        if instances is None:
            return self._anything(formula)
        if isinstance(formula, Quantifier):  # where one instance decides it, any will do
            parts = ((formula.body, inner, value) for inner in instances)
            return self._any(parts) if formula.wants is value else self.together(parts)
        # More pairs, or fewer: of those that are not as wanted.
        values = (value,) if isinstance(formula, ForPairs) else (False, True)
        found = (
            self.of(part, inner, each)
            for inner in instances
            for part in formula.operands
            for each in values
        )
        return NOTHING.union(*(reads for reads in found if reads is not None))

    def _instances(self, variables: Sequence[Variable], env: Env) -> Iterator[Env] | None:
        """The values of bound variables; None if these are too many."""
        ranges = [list(bits(self.universe.mask(v.types))) for v in variables]
        if prod(map(len, ranges)) > _INSTANCES:
            return None
        names = [variable.name for variable in variables]
        return ({**env, **dict(zip(names, values, strict=True))} for values in product(*ranges))

    def _holds(self, formula: Formula, env: Env) -> bool:
        names = tuple(env)
        test = self._tests.get((formula, names))
        if test is None:
            variables = {v.name: v for v in formula.free}
            given = tuple([variables.get(name, Variable(name)) for name in names])
            test = self._tests[formula, names] = self.world.function_of(formula, given)
        self._task.meter.count_instances(1)
        return bool(test(self.state, *env.values()))

    def _anything(self, formula: Formula) -> Reads:
        """All literals of the predicates that a condition depends on, as they are not now."""
        task, layout = self._task, self.world.layout
        reads = self.world.reads(formula)
        if reads is None:
            reads = frozenset(p for p, n in enumerate(layout.names) if n not in self.world.derived)
        found = (
            (p, numbers, not self.state.test(p, numbers))
            for p in sorted(reads)
            if task.achievers((p, True)) or task.achievers((p, False))
            for numbers in product(range(len(self.universe)), repeat=layout.arity[p])
        )
        some = frozenset(literal for literal in found if task.weight(literal))
        task.meter.count_instances(len(some))
        return some
