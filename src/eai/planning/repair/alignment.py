"""The edits that lead from one plan to another, found without looking at the world."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Optional

from eai.planning.repair.edits import EditKind
from eai.planning.repair.slots import Slot, Slots
from eai.world.action import Action

__all__ = ["align"]

_Pair = tuple[Optional[int], Optional[int]]  # noqa: UP045


def align(plan: Slots, other: Slots) -> Slots:
    """Return what becomes of a plan when it is turned into another one.

    Insertions, deletions and replacements are the fewest (Levenshtein 1966); what is taken out
    in one place and put in in another is a move.

    Args:
        plan: The plan.
        other: What it is to become.
    """
    pairs = _pairs([slot.action for slot in plan], [slot.action for slot in other])
    gone: dict[Action, list[int]] = defaultdict(list)
    for i, j in pairs:
        if i is not None and j is None:
            gone[plan[i].action].append(i)
    return tuple([_slot(plan, i, other[j], gone) for i, j in pairs if j is not None])


def _slot(plan: Slots, at: int | None, new: Slot, gone: dict[Action, list[int]]) -> Slot:
    if at is None:
        if gone[new.action]:
            return new._replace(origin=gone[new.action].pop(0), edit=EditKind.MOVE)
        return new._replace(origin=None, edit=EditKind.INSERT)
    if plan[at].action == new.action:
        return plan[at]
    return new._replace(origin=at, edit=EditKind.REPLACE)


def _pairs(plan: Sequence[Action], other: Sequence[Action]) -> list[_Pair]:
    """The steps that stand for each other, None for nothing."""
    costs = _costs(plan, other)
    pairs: list[_Pair] = []
    i = j = 0
    while i < len(plan) or j < len(other):
        both = i < len(plan) and j < len(other)
        if both and costs[i][j] == costs[i + 1][j + 1] + (plan[i] != other[j]):
            pairs.append((i, j))
        elif j < len(other) and costs[i][j] == costs[i][j + 1] + 1:
            pairs.append((None, j))
        else:
            pairs.append((i, None))
        i, j = i + (pairs[-1][0] is not None), j + (pairs[-1][1] is not None)
    return pairs


def _costs(plan: Sequence[Action], other: Sequence[Action]) -> list[list[int]]:
    """For each pair of positions, how many operations the rests are apart."""
    columns = range(len(other), -1, -1)
    below = [len(other) - j for j in range(len(other) + 1)]
    table = [below]
    for i in range(len(plan) - 1, -1, -1):
        row = [0] * (len(other) + 1)
        for j in columns:
            row[j] = below[j] + 1
            if j < len(other):
                changed = below[j + 1] + (plan[i] != other[j])
                row[j] = min(row[j], row[j + 1] + 1, changed)
        table.append(row)
        below = row
    return table[::-1]
