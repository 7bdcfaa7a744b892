"""Disjunctive landmarks: literals of which one at least has to change for a condition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import product
from math import prod
from operator import itemgetter
from typing import NamedTuple

from eai.errors import InputError
from eai.logic.formula import (
    And,
    Atom,
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
    atoms,
)
from eai.planning.repair.problem import Literal, Stage, depth_of
from eai.world.bits import bits
from eai.world.state import State
from eai.world.transition import World
from eai.world.universe import Universe

__all__ = ["Blockers", "Env", "Rule", "rules_of"]


class Rule(NamedTuple):
    """One axiom.

    Args:
        head: The arguments of what is derived.
        body: From what.
    """

    head: tuple[Variable, ...]
    body: Formula

    def bound(self, numbers: Sequence[int], universe: Universe) -> dict[str, int] | None:
        """Bind the arguments.

        Args:
            numbers: The objects.
            universe: Where they are from.

        Returns:
            Variable to number; None if an object is of another type than the rule is for.
        """
        pairs = list(zip(self.head, numbers, strict=True))
        if all(universe.mask(variable.types) >> number & 1 for variable, number in pairs):
            return {variable.name: number for variable, number in pairs}
        return None


@lru_cache(maxsize=16)
def rules_of(world: World) -> Mapping[str, Sequence[Rule]]:
    """Return the axioms of the derived predicates that can be taken apart, by predicate."""
    found: dict[str, list[Rule]] = {}
    for axiom in world.domain.axioms:
        head = tuple(term for term in axiom.head.terms if isinstance(term, Variable))
        found.setdefault(axiom.head.predicate, []).append(Rule(head, axiom.body))
    return {name: rules for name, rules in found.items() if not _is_opaque(world, name)}


def _is_opaque(world: World, name: str) -> bool:
    """Whether the axioms of a predicate may say something else than the function that computes it.

    A recursive predicate is computed because that is quicker; its axioms count.
    """
    if name not in world.computed:
        return False
    bodies = [axiom.body for axiom in world.domain.axioms if axiom.head.predicate == name]
    return not any(
        isinstance(each, Atom) and each.predicate == name for body in bodies for each in atoms(body)
    )


Env = Mapping[str, int]
Landmark = frozenset[Literal]

_INSTANCES = 4000
"""Of a quantifier with more instances than this the literals are taken all together."""

_UNFOLDED = 1000
"""So many derived atoms are taken apart for one condition: recursive axioms lead along every path,
and there may be exponentially many. Predicates that lead to more are not taken apart again."""


class Blockers:
    """Finds what stands in the way of conditions.

    Args:
        stage: The world and what the agent can do.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._universe = stage.universe
        self._index = stage.world.layout.index
        self._rules = rules_of(stage.world)
        self._open: set[tuple[str, tuple[int, ...], bool]] = set()
        self._unfolded = 0
        self._outermost = ""
        self._tangled: set[str] = set()
        # What is known of a formula is kept with it, so that no other one can have its id.
        self._sorted: dict[int, tuple[Formula, list[tuple[int, Formula]]]] = {}
        self._tests: dict[object, tuple[Formula, Callable[..., bool]]] = {}
        self._closed: dict[object, Callable[[State], bool]] = {}

    def of(self, formula: Formula, env: Env, state: State, want: bool = True) -> Landmark | None:
        """Return literals of which one has to change so that a condition is as wanted.

        Args:
            formula: The condition.
            env: Numbers of its variables.
            state: A state.
            want: Whether it is to hold or to fail.

        Returns:
            The literals as they are to be: none if nothing that the agent does can help; None if
            the condition is as wanted in the state.
        """
        if isinstance(formula, Atom):
            return self._atom(formula, env, state, want)
        if isinstance(formula, Not):
            return self.of(formula.operand, env, state, not want)
        if isinstance(formula, (And, Or)):
            if isinstance(formula, And) is want:
                return self._worst(formula, env, state, want)
            return self._either(self.of(part, env, state, want) for part in formula.operands)
        if isinstance(formula, Implies):
            return self.of(Or((Not(formula.left), formula.right)), env, state, want)
        if isinstance(formula, (Exists, Forall)):
            return self._quantified(formula, env, state, want)
        return self._rest(formula, env, state, want)

    def _rest(self, formula: Formula, env: Env, state: State, want: bool) -> Landmark | None:
        if isinstance(formula, Truth):
            return None if formula.value is want else frozenset()
        if isinstance(formula, Equal):
            same = self._number(formula.left, env) == self._number(formula.right, env)
            return None if same is want else frozenset()
        if self._holds(formula, env, state) is want:
            return None
        if isinstance(formula, ForPairs):
            return self._paired(formula, env, state, want)
        return self._counted(formula, env, state)

    def _either(self, parts: Iterable[Landmark | None]) -> Landmark | None:
        """Of alternatives all together."""
        found: set[Literal] = set()
        for part in parts:
            if part is None:
                return None
            found |= part
        return frozenset(found)

    def _worst(self, formula: And | Or, env: Env, state: State, want: bool) -> Landmark | None:
        """Of parts that are all needed one that fails: the easiest to look at, then to mend."""
        failing: list[Landmark] = []
        last = 0
        for depth, part in self._by_depth(formula):
            if failing and depth > last:
                break
            found = self.of(part, env, state, want)
            if found is not None:
                failing.append(found)
                last = depth
        return min(failing, key=self._weight) if failing else None

    def _by_depth(self, formula: And | Or) -> list[tuple[int, Formula]]:
        known = self._sorted.get(id(formula))
        if known is None:
            parts = [(depth_of(self._stage.world, part), part) for part in formula.operands]
            known = self._sorted[id(formula)] = formula, sorted(parts, key=itemgetter(0))
        return known[1]

    def _weight(self, landmark: Landmark) -> int:
        return sum(map(self._stage.weight, landmark))

    def _number(self, term: Term, env: Env) -> int:
        return env[term.name] if isinstance(term, Variable) else self._universe.number(term)

    def _instances(
        self, variables: Sequence[Variable], env: Env
    ) -> Iterator[dict[str, int]] | None:
        """The values of bound variables; None if these are too many."""
        ranges = [list(bits(self._universe.mask(v.types))) for v in variables]
        if prod(map(len, ranges)) > _INSTANCES:
            return None
        names = [variable.name for variable in variables]
        return ({**env, **dict(zip(names, values, strict=True))} for values in product(*ranges))

    def _quantified(
        self, formula: Exists | Forall, env: Env, state: State, want: bool
    ) -> Landmark | None:
        if self._holds(formula, env, state) is want:
            return None
        instances = self._instances(formula.variables, env)
        if instances is None:
            return self._anything(formula, state)
        parts = (self.of(formula.body, each, state, want) for each in instances)
        if isinstance(formula, Exists) is want:
            return self._either(parts)
        # Any instance that fails will do.
        return next((part for part in parts if part is not None), None)

    def _paired(self, formula: ForPairs, env: Env, state: State, want: bool) -> Landmark:
        """More pairs, or fewer: of those that are not as wanted."""
        instances = self._instances((formula.first, formula.second), env)
        if instances is None:
            return self._anything(formula, state)
        found = (self.of(formula.body, each, state, want) for each in instances)
        return frozenset().union(*(part for part in found if part is not None))

    def _counted(self, formula: Formula, env: Env, state: State) -> Landmark:
        """What counts or compares can change with every part, in both directions."""
        bound = (formula.variable,) if isinstance(formula, Count) else ()
        instances = self._instances(bound, env)
        if instances is None:
            return self._anything(formula, state)
        found = (
            self.of(part, each, state, want)
            for each in instances
            for part in formula.operands
            for want in (True, False)
        )
        return frozenset().union(*(part for part in found if part is not None))

    def _holds(self, formula: Formula, env: Env, state: State) -> bool:
        key = id(formula), tuple(env)
        known = self._tests.get(key)
        if known is None:
            known = self._tests[key] = formula, self._test(formula, tuple(env))
        self._stage.effort.spend(1)
        return bool(known[1](state, *env.values()))

    def _test(self, formula: Formula, names: tuple[str, ...]) -> Callable[..., bool]:
        variables = {v.name: v for v in formula.free}
        given = tuple([variables.get(name, Variable(name)) for name in names])
        try:
            return self._stage.world.function_of(formula, given)
        except InputError:
            # A quantifier ranges over types that only the problem knows.
            return partial(self._evaluated, formula, names)

    def _evaluated(
        self, formula: Formula, names: tuple[str, ...], state: State, *numbers: int
    ) -> bool:
        key = id(formula), numbers
        if key not in self._closed:
            objects = [self._universe.names[number] for number in numbers]
            closed = formula.substitute(dict(zip(names, objects, strict=True)))
            self._closed[key] = self._stage.world.test_of(closed, self._universe)
        return self._closed[key](state)

    # ------------------------------------------------------------------ atoms
    def _atom(self, atom: Atom, env: Env, state: State, want: bool) -> Landmark | None:
        self._stage.effort.spend(1)
        numbers = tuple([self._number(term, env) for term in atom.terms])
        if atom.predicate not in self._stage.world.derived:
            p = self._index[atom.predicate]
            if state.test(p, numbers) is want:
                return None
            literal = p, numbers, want
            return frozenset((literal,) if self._stage.weight(literal) else ())
        if self._holds(atom, env, state) is want:
            return None
        rules = self._rules.get(atom.predicate)
        if rules is None:
            return self._anything(atom, state)
        return self._derived(atom, rules, numbers, state, want)

    def _derived(
        self, atom: Atom, rules: Sequence[Rule], numbers: tuple[int, ...], state: State, want: bool
    ) -> Landmark | None:
        key = atom.predicate, numbers, want
        if key in self._open:
            # A shortest derivation does not use what it derives; a denial may.
            return frozenset() if want else self._anything(atom, state)
        if not self._open:
            self._outermost, self._unfolded = atom.predicate, 0
        self._unfolded += 1
        if self._unfolded > _UNFOLDED:
            self._tangled.add(self._outermost)
        if self._outermost in self._tangled:
            return self._anything(atom, state)
        self._open.add(key)
        parts = (
            self.of(rule.body, env, state, want)
            for rule in rules
            if (env := rule.bound(numbers, self._universe)) is not None
        )
        found = self._either(parts) if want else next((p for p in parts if p is not None), None)
        self._open.discard(key)
        return found

    def _anything(self, formula: Formula, state: State) -> Landmark:
        """All literals of the predicates that a condition depends on, as they are not now."""
        world = self._stage.world
        reads = world.reads(formula)
        if reads is None:
            reads = frozenset(
                p for p, name in enumerate(world.layout.names) if name not in world.derived
            )
        found = (
            (p, numbers, not state.test(p, numbers))
            for p in sorted(reads)
            if self._stage.makers((p, True)) or self._stage.makers((p, False))
            for numbers in product(range(len(self._universe)), repeat=world.layout.arity[p])
        )
        some = frozenset(literal for literal in found if self._stage.weight(literal))
        self._stage.effort.spend(len(some))
        return some
