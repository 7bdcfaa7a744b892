"""Which of several repairs that do the same kind of edits a person would choose.

What is put in belongs where its objects are at hand and where it is needed: a kettle is plugged in
when it stands at its place again, not before it is carried to the sink.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eai.planning.repair.course import follow
from eai.planning.repair.edits import EditKind
from eai.planning.repair.slots import Slot, Slots
from eai.planning.repair.stage import Effort, Stage
from eai.planning.repair.target import Tracker
from eai.world.action import Action
from eai.world.state import State

__all__ = ["Places"]

_MOST = 40
"""So many repairs are run again to see what is at hand where something is put in."""

_ENOUGH = 1_000_000
"""Actions that may be tried in that; it is never reached, for all these repairs can be done."""


class Places:
    """Compares the places at which repairs put something in.

    Args:
        stage: The plan and its world.
        tracker: What has to be reached.
    """

    def __init__(self, stage: Stage, tracker: Tracker) -> None:
        self._stage = stage
        self._tracker = tracker
        # The search may have used up what it was allowed; what it found is only looked at here.
        stage.effort = Effort(_ENOUGH)
        self._names = {slot.action.name for slot in stage.slots}
        self._fails = follow(stage, tracker, stage.slots).at

    def best(self, repairs: Iterable[Slots]) -> list[Slots]:
        """Return the repairs with the best places, in their order.

        1. What is put in stands beside steps with the same objects;
        2. it is an action that the plan uses elsewhere;
        3. nowhere else can the same be done with its objects and more (as where what they are in
           is not closed);
        4. it is near to where the plan fails.

        Args:
            repairs: Repairs with the same kinds of edits.
        """
        left = list(repairs)
        if len(left) < 2:
            return left
        left = _least(left, [(-self._beside(each), self._unused(each)) for each in left])[:_MOST]
        possible = [self._possible(each) for each in left]
        left = [
            each
            for each, at_hand in zip(left, possible, strict=True)
            if not any(at_hand < other for other in possible)
        ]
        return _least(left, [self._distance(each) for each in left])

    def _beside(self, slots: Slots) -> int:
        """How many steps beside those that are put in have an object in common with them."""
        return sum(
            not set(slots[at].action.arguments).isdisjoint(slots[other].action.arguments)
            for at, _ in _put_in(slots)
            for other in (at - 1, at + 1)
            if 0 <= other < len(slots)
        )

    def _unused(self, slots: Slots) -> int:
        return sum(slot.action.name not in self._names for _, slot in _put_in(slots))

    def _possible(self, slots: Slots) -> frozenset[tuple[int, str, int]]:
        """What can be done with the objects of what is put in, one at a time, where it is done."""
        states = follow(self._stage, self._tracker, slots).states
        return frozenset(
            (which, name, number)
            for which, (at, slot) in enumerate(_put_in(slots))
            for name, number in self._at_hand(states[at], slot.action)
        )

    def _at_hand(self, state: State, action: Action) -> Iterator[tuple[str, int]]:
        stage, universe = self._stage, self._stage.universe
        for name in stage.operators:
            _, *others = stage.world.domain.operators[name].parameters
            fitting = universe.mask(others[0].types) if len(others) == 1 else 0
            for number in map(universe.number, action.arguments):
                if fitting >> number & 1 and stage.is_applicable(
                    state, name, (stage.agent, number)
                ):
                    yield name, number

    def _distance(self, slots: Slots) -> int:
        return sum(abs(at - self._fails) for at, _ in _put_in(slots))


def _put_in(slots: Slots) -> Iterator[tuple[int, Slot]]:
    for at, slot in enumerate(slots):
        if slot.edit in (EditKind.INSERT, EditKind.MOVE):
            yield at, slot


def _least(repairs: list[Slots], costs: list[object]) -> list[Slots]:
    """The repairs with the least cost, in their order."""
    least = min(costs)  # type: ignore[type-var]
    return [each for each, cost in zip(repairs, costs, strict=True) if cost == least]
