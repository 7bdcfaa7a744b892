"""The edits that lead from one plan to another, found without looking at the world."""

from __future__ import annotations

from collections.abc import Sequence

from eai.planning.repair.search import Operation
from eai.world.action import Action

__all__ = ["align"]


def align(plan: Sequence[Action], other: Sequence[Action]) -> tuple[Operation, ...]:
    """Return operations that turn a plan into another one.

    Insertions, deletions and replacements are the fewest (Levenshtein 1966); what is taken out
    in one place and put in in another is a move.

    Args:
        plan: The plan.
        other: What it is to become.
    """
    operations = _script(plan, other)
    inserted = [i for i, each in enumerate(operations) if each.kind == "insert"]
    for i, each in enumerate(operations):
        if each.kind != "delete":
            continue
        twin = next((j for j in inserted if operations[j].action == plan[each.at]), None)
        if twin is not None:
            inserted.remove(twin)
            later = max(i, twin)
            operations[later] = operations[later]._replace(paired=True)
    return tuple(operations)


def _script(plan: Sequence[Action], other: Sequence[Action]) -> list[Operation]:
    costs = _costs(plan, other)
    operations: list[Operation] = []
    i = j = 0
    while i < len(plan) or j < len(other):
        cost = costs[i][j]
        if i < len(plan) and j < len(other) and plan[i] == other[j] and cost == costs[i + 1][j + 1]:
            i, j = i + 1, j + 1
        elif i < len(plan) and j < len(other) and cost == costs[i + 1][j + 1] + 1:
            operations.append(Operation("replace", i, other[j]))
            i, j = i + 1, j + 1
        elif j < len(other) and cost == costs[i][j + 1] + 1:
            operations.append(Operation("insert", i, other[j]))
            j += 1
        else:
            operations.append(Operation("delete", i))
            i += 1
    return operations


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
