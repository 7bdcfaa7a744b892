"""Who made what others needed: the causal links of a plan that was run.

A literal that is needed at some step has a *maker*, the step that last changed its atom before, or
held from the start. From the links follow what a step contributes to, and which order the steps
have to keep: the maker before the user, and whoever would undo the literal before the one or after
the other (McAllester & Rosenblitt 1991; for executed plans Bäckström 1998, section 4).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from eai.planning.ordering.deeds import Deed, Deeds, opposite
from eai.planning.ordering.support import Reads, Support
from eai.planning.repair.producers import Literal
from eai.world.action import Action
from eai.world.bits import bits
from eai.world.state import Change, State
from eai.world.transition import World

__all__ = ["Demand", "Links", "Taken"]

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
