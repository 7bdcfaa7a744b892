"""All ways to edit a plan, tried one by one: what least repairs are compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from eai.planning import Repair
from eai.planning.repair.task import Edit, EditKind, Slot, Slots, edits_of
from eai.world import Action

__all__ = ["check_repair"]

Plan = tuple[Action, ...]


class Scripts:
    """All ways to edit a plan, and which of them work.

    Args:
        works: Whether a plan of legal actions succeeds.
        actions: The legal actions.
        plan: The plan.
    """

    def __init__(
        self, works: Callable[[Plan], bool], actions: Sequence[Action], plan: Plan
    ) -> None:
        self.actions = actions
        self.start = tuple(Slot(action, None, at, None) for at, action in enumerate(plan))
        self._works = works
        self._known: dict[Plan, bool] = {}

    def works(self, slots: Slots) -> bool:
        """Whether a plan succeeds; what the world does not know fails."""
        plan = tuple(slot.action for slot in slots)
        if plan not in self._known:
            self._known[plan] = set(self.actions).issuperset(plan) and self._works(plan)
        return self._known[plan]

    def least(self, most: int) -> set[Slots]:
        """The scripts with the fewest edits that work; empty beyond a number of edits."""
        layer = {self.start}
        for number in range(most + 1):
            found = {slots for slots in layer if self.works(slots)}
            if found:
                return {slots for slots in found if found.isdisjoint(_less(slots))}
            if number < most:
                layer = {after for slots in layer for after in self._edited(slots)}
        return set()

    def _edited(self, slots: Slots) -> Iterator[Slots]:
        """All plans after one more edit."""
        for at in range(len(slots) + 1):
            for action in self.actions:
                yield (*slots[:at], Slot(action, None), *slots[at:])
        for at, slot in enumerate(slots):
            if slot.edit is not None:
                continue
            rest = (*slots[:at], *slots[at + 1 :])
            yield rest
            for action in self.actions:
                if action != slot.action:
                    new = Slot(action, None, slot.origin, EditKind.REPLACE)
                    yield (*slots[:at], new, *slots[at + 1 :])
            for to in range(len(slots)):
                if to != at:
                    yield (*rest[:to], slot._replace(edit=EditKind.MOVE), *rest[to:])


def _less(slots: Slots) -> Iterator[Slots]:
    """The same without one of the actions that stand for a step that goes."""
    for at, slot in enumerate(slots):
        if slot.edit in (EditKind.REPLACE, EditKind.MOVE):
            yield (*slots[:at], *slots[at + 1 :])


def _changes(edits: Sequence[Edit]) -> set[object]:
    """What a script takes out and puts in."""
    return {change for edit in edits for change in edit.changes}


def check_repair(
    found: Repair, works: Callable[[Plan], bool], actions: Sequence[Action], *, most: int
) -> None:
    """Compare a repair with all edit scripts.

    Args:
        found: The repair.
        works: Whether a plan of legal actions succeeds.
        actions: The legal actions.
        most: Most edits that were searched for.
    """
    least = Scripts(works, actions, found.plan).least(most)
    assert found.found is bool(least)
    if not least:
        assert found.bound == most + 1
        return
    scripts = [edits_of(slots, found.plan) for slots in least]
    assert found.edits is not None
    assert found.repaired is not None
    assert {found.distance} == {len(edits) for edits in scripts}
    assert found.optimal
    assert found.irredundant == len({tuple(slot.action for slot in slots) for slots in least})
    common = set.intersection(*map(_changes, scripts))
    for edit in found.edits:
        assert edit.necessary is (common >= set(edit.changes))
    assert works(found.repaired)
