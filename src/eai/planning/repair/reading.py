"""Reading a repair off what was found: the best one, what all share, and how many there are."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set as AbstractSet
from dataclasses import replace
from itertools import zip_longest

from eai.planning.repair.edits import Edit, EditKind
from eai.planning.repair.places import Places
from eai.planning.repair.search import Found
from eai.planning.repair.slots import Slots, edits_of
from eai.world.action import Action

__all__ = ["best_repair", "repaired_plan"]

_Cost = tuple[int, int, int]


def best_repair(
    found: Found, plan: Sequence[Action], familiar: Collection[str], places: Places
) -> tuple[Slots, tuple[Edit, ...]]:
    """Choose one of the repairs that were found, and say what they share.

    The one with the fewest objects that are neither in the plan nor in the goal is chosen; of
    several the one whose edits are in the fewest places, then the one whose replacements are most
    like what they replace. Of those that take the same steps out in the same way, the one is taken
    that puts in what it puts in where it belongs (:class:`~eai.planning.repair.places.Places`), the
    earliest first.

    Args:
        found: What the search found, which is something.
        plan: The plan.
        familiar: Objects of the plan and the goal.
        places: What compares the places.
    """
    scripts = {slots: edits_of(slots, plan) for slots in found.repairs}
    common = set.intersection(
        *({change for edit in edits for change in edit.changes} for edits in scripts.values())
    )
    best = _chosen(scripts, familiar, places)
    return best, tuple(
        replace(edit, necessary=_is_necessary(edit, common, found.complete))
        for edit in scripts[best]
    )


def repaired_plan(slots: Slots) -> tuple[Action, ...]:
    """The plan after its edits."""
    return tuple([slot.action for slot in slots])


def _is_necessary(edit: Edit, common: AbstractSet[object], complete: bool) -> bool | None:
    if not common >= set(edit.changes):
        return False
    return True if complete else None


def _chosen(
    scripts: Mapping[Slots, Sequence[Edit]], familiar: Collection[str], places: Places
) -> Slots:
    costs = {slots: _cost(edits, familiar) for slots, edits in scripts.items()}
    ordered = sorted(scripts, key=lambda slots: (costs[slots], _told(scripts[slots])))
    first = ordered[0]
    kind = _kind(scripts[first])
    alike = [
        slots for slots in ordered if costs[slots] == costs[first] and _kind(scripts[slots]) == kind
    ]
    return places.best(alike)[0]


def _kind(edits: Sequence[Edit]) -> list[tuple[str, int]]:
    """What is done, but for what is put in, and where."""
    return sorted((str(edit.kind), edit.step or 0) for edit in edits)


def _told(edits: Sequence[Edit]) -> list[str]:
    return [f"{edit.place:06} {edit.kind} {edit.new}" for edit in edits]


def _cost(edits: Sequence[Edit], familiar: Collection[str]) -> _Cost:
    strange = sum(
        argument not in familiar
        for edit in edits
        if edit.new is not None and edit.kind is not EditKind.MOVE
        for argument in edit.new.arguments
    )
    places = {edit.before if edit.step is None else edit.step for edit in edits}
    changed = sum(_difference(edit.old, edit.new) for edit in edits if edit.old and edit.new)
    return strange, len(places), changed


def _difference(old: Action, new: Action) -> int:
    """In how many words two actions differ."""
    words = zip_longest(old.arguments, new.arguments)
    return int(old.name != new.name) + sum(int(one != other) for one, other in words)
