"""What a step of a plan needs, what it changes, and what it would change in other circumstances.

Effects of PDDL have conditions. What an effect that happens rests on, and what the others rest on
that do not happen, is kept apart: in most plans nobody asks about most of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eai.logic.formula import And, Atom, Formula
from eai.planning.ordering.support import Env, Reads, Support
from eai.planning.repair.problem import Literal, Producer, producers
from eai.world.action import Action
from eai.world.bits import bits
from eai.world.state import Change, State
from eai.world.transition import World

__all__ = ["Deed", "Deeds", "Demand", "Links", "Taken", "opposite"]

_NOTHING: Reads = frozenset()


def opposite(literal: Literal) -> Literal:
    """Return the negation of a literal."""
    p, numbers, value = literal
    return p, numbers, not value


@dataclass(frozen=True, slots=True)
class Deed:
    """One step that was done (or passed over), and what it rests on.

    Args:
        needs: What lets it be done, and keeps it from changing what no step changes.
        writes: What it makes so, with what that rests on.
        risks: What it would make so in other circumstances, with what keeps it from that.
    """

    needs: Reads
    writes: Mapping[Literal, Reads]
    risks: Mapping[Literal, Reads]


class Deeds:
    """Takes the steps of one trajectory apart; the support stands where the step is taken.

    Args:
        support: Finds what conditions rest on.
    """

    def __init__(self, support: Support) -> None:
        self._support = support
        self._world = support.world
        self._producers: dict[str, list[tuple[Producer, Formula]]] = {}

    def done(self, name: str, numbers: Sequence[int]) -> Deed:
        """Take a step apart that is done here.

        Args:
            name: The operator.
            numbers: Numbers of its arguments.
        """
        needs = self._tests(name, numbers)
        writes, risks = self._effects(name, numbers)
        volatile = {each: reads for each, reads in risks.items() if self._support.is_volatile(each)}
        return Deed(needs.union(*self._outside(risks)), writes, volatile)

    def passed_over(self, name: str, numbers: Sequence[int]) -> Deed:
        """Take a step apart that cannot be done here, but whose effects hold already."""
        needs = self._tests(name, numbers)
        writes, risks = self._effects(name, numbers)
        kept = frozenset(each for each in writes if self._support.is_volatile(each))
        volatile = (reads for each, reads in risks.items() if self._support.is_volatile(each))
        return Deed(needs.union(kept, *volatile, *self._outside(risks)), {}, {})

    def _outside(self, risks: Mapping[Literal, Reads]) -> list[Reads]:
        """What keeps a step from changing what no step changes."""
        support = self._support
        return [
            reads
            for each, reads in risks.items()
            if not support.is_volatile(each) and not support.is_true(each)
        ]

    def failed(self, name: str, numbers: Sequence[int]) -> Reads:
        """Return what keeps a step from being done or passed over here."""
        needs = self._tests(name, numbers)
        writes, _ = self._effects(name, numbers)
        for literal, reads in writes.items():
            if not self._support.is_true(literal):
                still = opposite(literal)
                own = frozenset((still,)) if self._support.is_volatile(still) else _NOTHING
                return needs | reads | own
        return needs

    def _tests(self, name: str, numbers: Sequence[int]) -> Reads:
        """What the tests of a precondition rest on, up to the first that fails."""
        compiled = self._world.operator(name)
        env = _env(compiled.operator.parameters, numbers)
        needs = _NOTHING
        for test in compiled.tests:
            found = self._support.of(test, env)
            if found is None:
                return needs | (self._support.of(test, env, False) or _NOTHING)
            needs |= found
        return needs

    def _effects(
        self, name: str, numbers: Sequence[int]
    ) -> tuple[dict[Literal, Reads], dict[Literal, Reads]]:
        """What happens, and what does not; adding wins over deleting."""
        happens: dict[Literal, Reads] = {}
        idle: dict[Literal, Reads] = {}
        for literal, condition, env in self._instances(name, numbers):
            found = self._support.cheaper(happens.get(literal), self._support.of(condition, env))
            if found is not None:
                happens[literal] = found
            else:
                why_not = self._support.of(condition, env, False) or _NOTHING
                idle[literal] = idle.get(literal, _NOTHING) | why_not
        risks = {each: reads for each, reads in idle.items() if each not in happens}
        return _net(happens, risks), risks

    def _instances(
        self, name: str, numbers: Sequence[int]
    ) -> Iterator[tuple[Literal, Formula, Env]]:
        """The literals that a step could make so, each with its condition."""
        support = self._support
        for producer, either in self._of(name):
            given, own = producer.variables[: producer.arity], producer.variables[producer.arity :]
            env = _env(given, numbers)
            for inner in support.spans.bindings(own, either, env, want=True):
                full = {**env, **inner}
                literal = (producer.sign[0], _places(producer, full, support), producer.sign[1])
                yield literal, producer.condition, full

    def _of(self, name: str) -> list[tuple[Producer, Formula]]:
        """The effects of an operator, each with a condition without which it does not matter.

        Deleting what does not hold is no matter; adding what holds may overrule a deletion.
        """
        found = self._producers.get(name)
        if found is None:
            found = self._producers[name] = []
            for each in producers(self._world, [name]):
                p, value = each.sign
                atom = Atom(self._world.layout.names[p], each.terms)
                found.append((each, each.condition if value else And((each.condition, atom))))
        return found


def _net(happens: dict[Literal, Reads], risks: dict[Literal, Reads]) -> dict[Literal, Reads]:
    """What is so after all effects; what is overruled becomes a risk."""
    writes: dict[Literal, Reads] = {}
    for literal, reads in happens.items():
        p, numbers, value = literal
        added = (p, numbers, True)
        if value:
            writes[literal] = reads
        elif added not in happens:
            writes[literal] = reads | risks.get(added, _NOTHING)
        elif happens[added]:
            risks[literal] = happens[added]
    return writes


def _env(variables: Sequence[object], numbers: Sequence[int]) -> dict[str, int]:
    return {str(v): number for v, number in zip(variables, numbers, strict=True)}


def _places(producer: Producer, env: Env, support: Support) -> tuple[int, ...]:
    number = support.start.universe.number
    return tuple([env[str(t)] if not isinstance(t, str) else number(t) for t in producer.terms])


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
        self._states = _states(start, steps)
        self._events = self._changed()
        volatile = State(start.layout, start.universe)
        for p, numbers in self._events:
            volatile.put(p, numbers, True)
        self._support = Support(world, start, volatile)
        self.deeds = Deeds(self._support)
        self._known: dict[_Node, frozenset[_Node]] = {}
        self._done = [self._deed(place) for place in range(self.end)]

    def _changed(self) -> dict[tuple[int, tuple[int, ...]], list[int]]:
        """For every atom that changes, the places of the steps that change it."""
        found: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        arity = self._states[0].layout.arity
        for place, step in enumerate(self.steps):
            for atom in _atoms(step.changes or (), arity):
                found.setdefault(atom, []).append(place)
        return found

    def _deed(self, place: int) -> Deed:
        step = self.steps[place]
        self.support(place)
        take = self.deeds.done if step.changes is not None else self.deeds.passed_over
        return take(step.action.name, step.numbers)

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

    # ------------------------------------------------------------------ what rests on what
    def rests_on(self, demands: Iterable[Demand]) -> frozenset[int]:
        """Return the steps without which some demands might not be met."""
        return frozenset(place for place, literal, _ in self._closure(demands) if literal is None)

    def _closure(self, demands: Iterable[Demand]) -> set[_Node]:
        pending = [node for demand in demands for node in self._behind(*demand)]
        found = set(pending)
        while pending:
            new = self._following(pending.pop()).difference(found)
            found |= new
            pending += new
        return found

    def _following(self, node: _Node) -> frozenset[_Node]:
        known = self._known.get(node)
        if known is None:
            behind = self._behind(self._reads(node), node[0])
            known = self._known[node] = frozenset(behind)
        return known

    def _reads(self, node: _Node) -> Reads:
        place, literal, made = node
        deed = self._done[place]
        if literal is None:
            return deed.needs
        return (deed.writes if made else deed.risks)[literal]

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

        Args:
            demands: What else has to hold; what is asked before a step stays right before it.
        """
        roots = [*demands, *((deed.needs, place) for place, deed in enumerate(self._done))]
        asked = {(literal, place) for reads, place in roots for literal in reads}
        for node in self._closure(roots):
            asked |= {(literal, node[0]) for literal in self._reads(node)}
        touching = self._touching()
        return {
            pair
            for literal, place in asked
            for pair in self._pairs(literal, place, touching.get(opposite(literal), ()))
        }

    def _touching(self) -> dict[Literal, list[int]]:
        """For every literal, the steps that make it so, or might do so."""
        found: dict[Literal, list[int]] = {}
        for place, deed in enumerate(self._done):
            for literal in {*deed.writes, *deed.risks}:
                found.setdefault(literal, []).append(place)
        return found

    def _pairs(
        self, literal: Literal, place: int, undoing: Iterable[int]
    ) -> Iterator[tuple[int, int]]:
        maker = self.maker(literal, place)
        if maker is not None and place < self.end:
            yield maker, place
        for other in undoing:
            if maker is not None and other < maker:
                yield other, maker
            elif other > place:
                yield place, other


def _states(start: State, steps: Sequence[Taken]) -> list[State]:
    """The states before every step, and at the end."""
    states = [start]
    for step in steps:
        state = states[-1]
        if step.changes is not None:
            state = state.copy()
            state.apply(step.changes)
        states.append(state)
    return states


def _atoms(
    changes: Iterable[Change], arity: Sequence[int]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    for p, column, key, mask, _ in changes:
        for number in bits(mask):
            if isinstance(key, tuple):
                yield p, (*key, number)
            elif isinstance(key, int):
                yield p, ((number, key) if column else (key, number))
            else:
                yield p, ((number,) if arity[p] else ())
