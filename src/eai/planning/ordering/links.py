"""Causal links: what a step of a plan rests on, what it changes, and what it might have changed.

Effects of PDDL have conditions. What an effect that happens rests on, and what the others rest on
that do not happen, is kept apart: in most plans nobody asks about most of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eai.logic import And, Formula
from eai.planning.achievers import Literal, changed_literals, effects_of, opposite
from eai.planning.ordering.support import Support
from eai.planning.reasons import NOTHING, Env, Reads
from eai.world import Action, Change, State, World

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


@dataclass(frozen=True, slots=True)
class StepLinks:
    """What one step rests on.

    Args:
        needs: What lets it be done, and keeps it from changing what no step changes.
        writes: What it makes so, with what that rests on.
        risks: What it would make so in other circumstances, with what keeps it from that.
    """

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
    def _linked(self, place: int) -> StepLinks:
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
            return StepLinks(needs, writes, volatile)
        # It is passed over because its effects hold already.
        kept = frozenset(filter(support.is_volatile, writes))
        return StepLinks(needs.union(kept, *volatile.values()), {}, {})

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
            for inner in support.ranges.bindings(own, matters, env, want=True):
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
