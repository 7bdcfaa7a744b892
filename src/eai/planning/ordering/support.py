"""What the truth of a condition rests on in a plan, whatever the atoms are that it does not touch.

An atom is *volatile* if a step of the plan changes it. A support of a condition is a set of
volatile literals that hold and suffice, whatever the other volatile atoms are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eai.logic import ActionAtom, And, Atom, Bits, Count, Formula, ForPairs, Quantifier
from eai.planning.achievers import Literal
from eai.planning.ordering.ranges import Ranges
from eai.planning.reasons import NOTHING, Env, Part, Reads, Reasons
from eai.world import Action, State, World


class Support(Reasons):
    """Finds what conditions rest on; what holds from the start is preferred to what steps made so.

    Args:
        world: The world.
        start: The initial state.
        volatile: A state in which exactly the volatile atoms hold.
    """

    def __init__(self, world: World, start: State, volatile: State) -> None:
        super().__init__(world, start)
        self.ranges = Ranges(world, start, volatile)
        self._volatile = volatile
        self._action: Action | None = None
        self._known: dict[tuple[str, tuple[int, ...], bool], Reads | None] = {}
        self._open: set[tuple[str, tuple[int, ...], bool]] = set()
        self._cut = False

    def move(self, state: State, action: Action | None = None) -> None:
        """Go to a position: its state, and the action that is taken from it."""
        self.state = self.ranges.state = state
        self._action = action
        self._known = {}

    def is_volatile(self, literal: Literal) -> bool:
        """Whether the atom of a literal changes."""
        return self._volatile.test(*literal[:2])

    def is_true(self, literal: Literal) -> bool:
        """Whether a literal holds here."""
        p, numbers, value = literal
        return self.state.test(p, numbers) is value

    def cheaper(self, one: Reads | None, other: Reads | None) -> Reads | None:
        """Return the support that rests on fewer changes; the first if there is no difference."""
        if one is None or other is None:
            return other if one is None else one
        return other if self._weight(other) < self._weight(one) else one

    def _weight(self, reads: Reads) -> tuple[int, int]:
        made = sum(self.start.test(p, numbers) is not value for p, numbers, value in reads)
        return made, len(reads)

    def literal(self, literal: Literal) -> Reads:
        """Itself, if its atom changes."""
        return frozenset((literal,)) if self.is_volatile(literal) else NOTHING

    def choice(self, parts: Iterable[Part]) -> Reads | None:
        """The part that rests on least."""
        best = None
        for part in parts:
            best = self.cheaper(best, self.of(*part))
            if best is not None and not best:
                break
        return best

    def instances(self, formula: Formula, env: Env) -> Iterator[Env]:
        """Yield the bindings of its variables, but those that can never decide a condition."""
        possible = formula.wants if isinstance(formula, Quantifier) else True
        return self.ranges.bindings(formula.variables, formula.operands[0], env, want=possible)

    def derived(self, atom: Atom, env: Env, value: bool) -> Reads | None:
        """What a derivation rests on, or that there is none."""
        key = (atom.predicate, self.numbers(atom.terms, env), value)
        if key in self._known:
            return self._known[key]
        if key in self._open:
            # A derivation does not use what it derives; what denies all of them may be circular.
            self._cut = True
            return None if value else NOTHING
        before, self._cut = self._cut, False
        self._open.add(key)
        bodies = self.bodies(*key)
        found = self.choice(bodies) if value else self.together(bodies)
        self._open.discard(key)
        # What was cut short inside a circle holds only where the circle was entered.
        if not self._cut or not self._open:
            self._known[key] = found
        self._cut = before or (self._cut and bool(self._open))
        return found

    def other(self, formula: Formula, env: Env, value: bool) -> Reads | None:
        """Actions are compared with the one that is taken here."""
        if isinstance(formula, ActionAtom):
            names = tuple([self.universe.names[n] for n in self.numbers(formula.terms, env)])
            return NOTHING if (self._action == Action(formula.action, names)) is value else None
        if isinstance(formula, Count):
            return self._counted(formula, env, value)
        if isinstance(formula, Quantifier):
            bodies = ((formula.body, inner, value) for inner in self.instances(formula, env))
            return self.choice(bodies) if formula.wants is value else self.together(bodies)
        # How pairs are formed, or which sides agree, is left open: all parts stay as they are.
        instances = list(self.instances(formula, env))
        values, reads = [], []
        for part, inner in ((p, inner) for inner in instances for p in formula.operands):
            found = self.of(part, inner)
            values.append(found is not None)
            reads.append((self.of(part, inner, False) or NOTHING) if found is None else found)
        if isinstance(formula, ForPairs):
            paired = [env for env, true in zip(instances, values, strict=True) if true]
            holds = self._is_paired(formula, paired)
        else:
            holds = bool(formula.combine(Bits(1), [int(each) for each in values]))
        return NOTHING.union(*reads) if holds is value else None

    def _is_paired(self, formula: ForPairs, instances: Iterable[Env]) -> bool:
        names, (one, other) = self.universe.names, (v.name for v in formula.variables)
        pairs = [(names[env[one]], names[env[other]]) for env in instances]
        first, second = (self.universe.of_types(v.types) for v in formula.variables)
        edges = {pair: 1 for pair in pairs if pair[0] != pair[1]}
        return bool(formula.paired(Bits(1), edges, (first, second)))

    def _counted(self, formula: Count, env: Env, value: bool) -> Reads | None:
        """At least n: the n instances that rest on least. At most n: all that are false."""
        number, body = formula.number, formula.body
        if formula.comparison == "exactly":
            least = Count(number, formula.variable, body, "at least")
            most = Count(number, formula.variable, body, "at most")
            return self.of(And((least, most)), env, value)
        if not value:
            return self.of(formula.negated(), env)
        true, false = [], []
        for inner in self.instances(formula, env):
            found = self.of(body, inner)
            if found is None:
                false.append(self.of(body, inner, False) or NOTHING)
            else:
                true.append(found)
        if formula.comparison == "at most":
            return NOTHING.union(*false) if len(true) <= number else None
        cheapest = sorted(true, key=self._weight)[: max(number, 0)]
        return NOTHING.union(*cheapest) if len(true) >= number else None
