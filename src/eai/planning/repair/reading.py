"""Reading a repair off what was found: the best one, what all share, and how many there are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import zip_longest

from eai.planning.repair.edits import Edit, EditKind
from eai.planning.repair.search import Found
from eai.planning.repair.slots import Slots, edits_of
from eai.world.action import Action

__all__ = ["best_repair", "repaired_plan"]

_Rank = tuple[int, int, int, list[str]]


def best_repair(
    found: Found, plan: Sequence[Action], familiar: Collection[str]
) -> tuple[Slots, tuple[Edit, ...]]:
    """Choose one of the repairs that were found, and say what they share.

    The one with the fewest objects that are neither in the plan nor in the goal is chosen; of
    several the one whose edits are in the fewest places, then the one whose replacements are most
    like what they replace, the earliest first.

    Args:
        found: What the search found, which is something.
        plan: The plan.
        familiar: Objects of the plan and the goal.
    """
    scripts = {slots: edits_of(slots, plan) for slots in found.repairs}
    common = set.intersection(
        *({change for edit in edits for change in edit.changes} for edits in scripts.values())
    )
    best = min(scripts, key=lambda slots: _rank(scripts[slots], familiar))
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


def _rank(edits: Sequence[Edit], familiar: Collection[str]) -> _Rank:
    strange = sum(
        argument not in familiar
        for edit in edits
        if edit.new is not None and edit.kind is not EditKind.MOVE
        for argument in edit.new.arguments
    )
    places = {edit.before if edit.step is None else edit.step for edit in edits}
    changed = sum(_difference(edit.old, edit.new) for edit in edits if edit.old and edit.new)
    return (
        strange,
        len(places),
        changed,
        [f"{edit.place:06} {edit.kind} {edit.new}" for edit in edits],
    )


def _difference(old: Action, new: Action) -> int:
    """In how many words two actions differ."""
    words = zip_longest(old.arguments, new.arguments)
    return int(old.name != new.name) + sum(int(one != other) for one, other in words)
