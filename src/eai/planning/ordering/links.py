"""Causal links: what a step of a plan rests on, what it changes, and what it might have changed.

An atom is *volatile* if a step of the plan changes it. A support of a condition is a set of
volatile literals that hold and suffice, whatever the other volatile atoms are. Quantifiers range
over hundreds of objects, of which the atoms of the condition leave a few.

Effects of PDDL have conditions. What an effect that happens rests on, and what the others rest on
that do not happen, is kept apart: in most plans nobody asks about most of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

from eai.logic import (
    ActionAtom,
    And,
    Atom,
    Bits,
    Count,
    Equal,
    Formula,
    ForPairs,
    Quantifier,
    Term,
    Variable,
)
from eai.planning.achievers import effects_of, opposite
from eai.planning.reasons import NOTHING, Env, Part, Reads, Reasons
from eai.world import Action, Change, Literal, State, World, changed_literals, locations
from eai.world.bits import bits

_ALL = -1


def _joined(masks: Iterable[int], *, every: bool) -> int:
    return reduce(and_, masks, _ALL) if every else reduce(or_, masks, 0)


class Support(Reasons):
    """Finds what conditions rest on; what holds from the start is preferred to what steps made so.

    Args:
        world: The world.
        start: The initial state.
        volatile: A state in which exactly the volatile atoms hold.
    """

    def __init__(self, world: World, start: State, volatile: State) -> None:
        super().__init__(world, start)
        self._volatile = volatile
        self._action: Action | None = None
        self._known: dict[tuple[str, tuple[int, ...], bool], Reads | None] = {}
        self._open: set[tuple[str, tuple[int, ...], bool]] = set()
        self._cut = False
        self._unfolded: set[str] = set()

    def move(self, state: State, action: Action | None = None) -> None:
        """Go to a position: its state, and the action that is taken from it."""
        self.state = state
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
        return self.bindings(formula.variables, formula.operands[0], env, want=possible)

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
            names, (one, other) = self.universe.names, (v.name for v in formula.variables)
            pairs = ((names[env[one]], names[env[other]]) for env in instances)
            edges = {p: 1 for p, true in zip(pairs, values, strict=True) if true and p[0] != p[1]}
            first, second = (self.universe.of_types(v.types) for v in formula.variables)
            holds = bool(formula.paired(Bits(1), edges, (first, second)))
        else:
            holds = bool(formula.combine(Bits(1), [int(each) for each in values]))
        return NOTHING.union(*reads) if holds is value else None

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

    # ------------------------------------------------------------------ the objects that matter
    def bindings(
        self, variables: Sequence[Variable], body: Formula, env: Env, *, want: bool
    ) -> Iterator[Env]:
        """Yield the bindings of variables for which a condition may be as wanted, and others."""
        if not variables:
            yield env
            return
        hidden = {variable.name for variable in variables}
        outer = {name: number for name, number in env.items() if name not in hidden}
        first, *rest = variables
        found = self.objects(body, first.name, outer, want) & self.universe.mask(first.types)
        for number in bits(found):
            yield from self.bindings(rest, body, {**outer, first.name: number}, want=want)

    def objects(self, formula: Formula, name: str, env: Env, want: bool) -> int:
        """Return the objects for which a condition may be as wanted, and perhaps more (-1: all).

        They are those that a variable may stand for; of the others some may be open.
        """
        if isinstance(formula, Atom):
            return self._in_atom(formula, name, env, want)
        if isinstance(formula, Equal) and want:
            for this, other in (formula.terms, formula.terms[::-1]):
                number = self._number(other, env)
                if isinstance(this, Variable) and this.name == name and number is not None:
                    return 1 << number
            return _ALL
        needed = formula.needs(want)
        hidden = {variable.name for variable in formula.variables}
        if needed is None or name in hidden:
            return _ALL
        inner = {key: number for key, number in env.items() if key not in hidden}
        masks = (self.objects(part, name, inner, wish) for part, wish in needed.parts)
        return _joined(masks, every=needed.every)

    def _number(self, term: Term, env: Env) -> int | None:
        if isinstance(term, Variable):
            return env.get(term.name)
        return self.universe.number(term)

    def _in_atom(self, atom: Atom, name: str, env: Env, want: bool) -> int:
        at = locations(atom, name)
        if len(at) != 1:
            return _ALL
        numbers = [self._number(term, env) for term in atom.terms]
        if atom.predicate in self.world.derived:
            return self._by_rules(atom.predicate, at[0], numbers, want)
        p = self.world.layout.index[atom.predicate]
        if len(numbers) == 1:
            now, later = self.state.unary[p], self._volatile.unary[p]
        else:
            other = numbers[1 - at[0]] if len(numbers) == 2 else None
            if other is None:
                return _ALL
            now, later = (
                (each.rows if at[0] else each.cols)[p][other]
                for each in (self.state, self._volatile)
            )
        return now | later if want else ~(now & ~later)

    def _by_rules(self, predicate: str, at: int, numbers: Sequence[int | None], want: bool) -> int:
        rules = self.rules.get(predicate)
        typed = rules and any("object" not in v.types for head, _ in rules for v in head)
        if not rules or predicate in self._unfolded or (typed and not want):
            return _ALL
        self._unfolded.add(predicate)
        masks = []
        for head, body in rules:
            env = {v.name: n for v, n in zip(head, numbers, strict=True) if n is not None}
            masks.append(self.objects(body, head[at].name, env, want))
        self._unfolded.discard(predicate)
        return _joined(masks, every=not want)


Demand = tuple[Reads, int]
"""Literals that have to hold before the step at a place, or at the end."""

_Node = tuple[int, "Literal | None", bool]
"""A step, what it makes so (or not: False); None for that it is done at all."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A step that was done or passed over.

    Args:
        action: The step.
        numbers: Object numbers of its operator's arguments.
        changes: What it changed; None if it was passed over.
    """

    action: Action
    numbers: tuple[int, ...]
    changes: Sequence[Change] | None


class _StepLinks(NamedTuple):
    """What one step rests on: to be done, to make literals so, and not to make others so."""

    needs: Reads
    writes: Mapping[Literal, Reads]
    risks: Mapping[Literal, Reads]


class Links:
    """The causal links of one execution.

    Args:
        world: A world without computed predicates: what they look at is not known.
        start: The initial state.
        steps: What was done; the place of a step is its 0-based number here, and the place
            after the last one is the end.
    """

    def __init__(self, world: World, start: State, steps: Sequence[Taken]) -> None:
        self.steps = steps
        self.end = len(steps)
        self._world = world
        self._states = [start]
        # For every atom that changes, the places of the steps that change it.
        self._events: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        volatile = State(start.layout, start.universe)
        for place, step in enumerate(steps):
            state = self._states[-1]
            if step.changes is not None:
                state = state.copy()
                state.apply(step.changes)
            self._states.append(state)
            for p, numbers, _ in changed_literals(step.changes or (), start.layout):
                self._events.setdefault((p, numbers), []).append(place)
                volatile.put(p, numbers, True)
        self._support = Support(world, start, volatile)
        self._known: dict[_Node, frozenset[_Node]] = {}
        self._done = [self._linked(place) for place in range(self.end)]

    def support(self, place: int) -> Support:
        """Return what finds supports, at a place."""
        action = self.steps[place].action if place < self.end else None
        self._support.move(self._states[place], action)
        return self._support

    def needs(self, place: int) -> Reads:
        """Return what lets a step be done."""
        return self._done[place].needs

    def maker(self, literal: Literal, place: int) -> int | None:
        """Return the step that made so what holds at a place; None if it holds from the start."""
        events = self._events.get(literal[:2], [])
        at = bisect_left(events, place)
        return events[at - 1] if at else None

    # ------------------------------------------------------------------ what a step rests on
    def _linked(self, place: int) -> _StepLinks:
        step, support = self.steps[place], self.support(place)
        needs = self._tests(step.action.name, step.numbers)
        writes, risks = self._effects(step.action.name, step.numbers)
        volatile = {each: reads for each, reads in risks.items() if support.is_volatile(each)}
        # What keeps it from changing what no step changes.
        needs = needs.union(
            *(
                reads
                for each, reads in risks.items()
                if each not in volatile and not support.is_true(each)
            )
        )
        if step.changes is not None:
            return _StepLinks(needs, writes, volatile)
        # It is passed over because its effects hold already.
        kept = frozenset(filter(support.is_volatile, writes))
        return _StepLinks(needs.union(kept, *volatile.values()), {}, {})

    def failed(self, name: str, numbers: Sequence[int]) -> Reads:
        """Return what keeps an action from being done or passed over at the end."""
        support = self.support(self.end)
        needs = self._tests(name, numbers)
        for literal, reads in self._effects(name, numbers)[0].items():
            if not support.is_true(literal):
                return needs | reads | support.literal(opposite(literal))
        return needs

    def _tests(self, name: str, numbers: Sequence[int]) -> Reads:
        """What the tests of a precondition rest on, up to the first that fails."""
        compiled = self._world.operator(name)
        env = {v.name: n for v, n in zip(compiled.operator.parameters, numbers, strict=True)}
        needs = NOTHING
        for test in compiled.tests:
            found = self._support.of(test, env)
            if found is None:
                return needs | (self._support.of(test, env, False) or NOTHING)
            needs |= found
        return needs

    def _effects(
        self, name: str, numbers: Sequence[int]
    ) -> tuple[dict[Literal, Reads], dict[Literal, Reads]]:
        """What is so after all effects, and what is not but might be; adding wins over deleting."""
        support = self._support
        happens: dict[Literal, Reads] = {}
        idle: dict[Literal, Reads] = {}
        for literal, condition, env in self._instances(name, numbers):
            found = support.cheaper(happens.get(literal), support.of(condition, env))
            if found is not None:
                happens[literal] = found
            else:
                why_not = support.of(condition, env, False) or NOTHING
                idle[literal] = idle.get(literal, NOTHING) | why_not
        risks = {each: reads for each, reads in idle.items() if each not in happens}
        writes: dict[Literal, Reads] = {}
        for literal, reads in happens.items():
            p, arguments, value = literal
            added = (p, arguments, True)
            if value:
                writes[literal] = reads
            elif added not in happens:
                writes[literal] = reads | risks.get(added, NOTHING)
            elif happens[added]:
                risks[literal] = happens[added]  # it is overruled
        return writes, risks

    def _instances(
        self, name: str, numbers: Sequence[int]
    ) -> Iterator[tuple[Literal, Formula, Env]]:
        """The literals that a step could make so, each with its condition."""
        support = self._support
        for effect in effects_of(self._world, name):
            arity = len(effect.operator.parameters)
            given, own = effect.variables[:arity], effect.variables[arity:]
            env = {v.name: number for v, number in zip(given, numbers, strict=True)}
            # Deleting what does not hold is no matter; adding what holds may overrule a deletion.
            p, added = effect.sign
            matters = effect.condition if added else And((effect.condition, effect.atom))
            for inner in support.bindings(own, matters, env, want=True):
                literal = (p, support.numbers(effect.atom.terms, inner), added)
                yield literal, effect.condition, inner

    # ------------------------------------------------------------------ what rests on what
    def rests_on(self, demands: Iterable[Demand]) -> frozenset[int]:
        """Return the steps without which some demands might not be met."""
        return frozenset(place for place, literal, _ in self._closure(demands) if literal is None)

    def _closure(self, demands: Iterable[Demand]) -> set[_Node]:
        pending = [node for demand in demands for node in self._behind(*demand)]
        found = set(pending)
        while pending:
            node = pending.pop()
            known = self._known.get(node)
            if known is None:
                known = self._known[node] = frozenset(self._behind(self._reads(node), node[0]))
            new = known.difference(found)
            found |= new
            pending += new
        return found

    def _reads(self, node: _Node) -> Reads:
        place, literal, made = node
        step = self._done[place]
        if literal is None:
            return step.needs
        return (step.writes if made else step.risks)[literal]

    def _behind(self, reads: Reads, place: int) -> Iterator[_Node]:
        """Who made literals so, and what kept the steps since from undoing them."""
        for literal in reads:
            maker = self.maker(literal, place)
            if maker is not None:
                yield maker, None, True
                yield maker, literal, True
            undone = opposite(literal)
            for between in range(0 if maker is None else maker + 1, place):
                if undone in self._done[between].risks:
                    yield between, undone, False

    # ------------------------------------------------------------------ order
    def order(self, demands: Sequence[Demand]) -> set[tuple[int, int]]:
        """Return which step has to come before which, if all steps and the demands shall stay.

        What is asked before a step stays right before it.
        """
        roots = [*demands, *((step.needs, place) for place, step in enumerate(self._done))]
        asked = {(literal, place) for reads, place in roots for literal in reads}
        for node in self._closure(roots):
            asked |= {(literal, node[0]) for literal in self._reads(node)}
        # For every literal, the steps that make it so, or might do so.
        touching: dict[Literal, list[int]] = {}
        for place, step in enumerate(self._done):
            for literal in {*step.writes, *step.risks}:
                touching.setdefault(literal, []).append(place)
        found: set[tuple[int, int]] = set()
        for literal, place in asked:
            maker = self.maker(literal, place)
            if maker is not None and place < self.end:
                found.add((maker, place))
            for other in touching.get(opposite(literal), ()):
                if maker is not None and other < maker:
                    found.add((other, maker))
                elif other > place:
                    found.add((place, other))
        return found
