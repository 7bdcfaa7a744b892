"""Which of several least repairs a person would choose, and what all of them share."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import zip_longest

from eai.budget import Budget
from eai.planning.repair.edits import Edit, EditKind, Slot, Slots, edits_of
from eai.planning.repair.task import RepairTask

_MOST = 40
"""So many repairs are run again to see what is at hand where something is put in."""


def best_repair(
    repairs: Collection[Slots], task: RepairTask, familiar: Collection[str], *, complete: bool
) -> tuple[Slots, tuple[Edit, ...]]:
    """Choose one of the repairs that were found.

    The one with the fewest objects that are neither in the plan nor in the goal is chosen; of
    several the one whose edits are in the fewest places, then the one whose replacements are most
    like what they replace. Of those that take the same steps out in the same way, the one is taken
    that puts in what it puts in where it belongs, the earliest first.

    Args:
        repairs: What was found, which is something.
        task: The plan and its world.
        familiar: Objects of the plan and the goal.
        complete: Whether these are all repairs with so few edits.

    Returns:
        What becomes of the plan, and the edits, which say whether all repairs have them.
    """
    scripts = {slots: edits_of(slots, task.plan) for slots in repairs}
    costs = {slots: _cost(edits, familiar) for slots, edits in scripts.items()}
    texts = {s: [f"{e.place:06} {e.kind} {e.new}" for e in edits] for s, edits in scripts.items()}
    # What is done, but for what is put in, and where.
    kinds = {s: sorted((str(e.kind), e.step or 0) for e in edits) for s, edits in scripts.items()}
    ordered = sorted(scripts, key=lambda slots: (costs[slots], texts[slots]))
    first = ordered[0]
    alike = [s for s in ordered if costs[s] == costs[first] and kinds[s] == kinds[first]]
    best = alike[0] if len(alike) == 1 else _best_placed(alike, task)
    common = set.intersection(
        *({change for edit in edits for change in edit.changes} for edits in scripts.values())
    )
    # What is not in all that were found is not necessary; what is may be, if these are all.
    known = True if complete else None
    return best, tuple(
        replace(edit, necessary=known if common.issuperset(edit.changes) else False)
        for edit in scripts[best]
    )


def _cost(edits: Sequence[Edit], familiar: Collection[str]) -> tuple[int, int, int]:
    strange = changed = 0
    for edit in edits:
        if edit.new is not None and edit.kind is not EditKind.MOVE:
            strange += sum(argument not in familiar for argument in edit.new.arguments)
        if edit.old is not None and edit.new is not None:  # in how many words they differ
            words = zip_longest(edit.old.arguments, edit.new.arguments)
            changed += (edit.old.name != edit.new.name) + sum(one != two for one, two in words)
    locations = {edit.before if edit.step is None else edit.step for edit in edits}
    return strange, len(locations), changed


def _best_placed(repairs: Sequence[Slots], task: RepairTask) -> Slots:
    """The repair with the best places, of several with the same kinds of edits.

    1. What is put in stands beside steps with the same objects;
    2. it is an action that the plan uses elsewhere;
    3. nowhere else can the same be done with its objects and more (as where what they are in
       is not closed);
    4. it is near to where the plan fails.
    """
    # The search may have used up what it was allowed; what it found is only looked at here.
    task.meter = Budget.unlimited().meter()
    used = {slot.action.name for slot in task.slots}
    costs = []
    for slots in repairs:
        beside = unused = 0
        for at, slot in _put_in(slots):
            for other in (*slots[max(at - 1, 0) : at], *slots[at + 1 : at + 2]):
                beside += not set(slot.action.arguments).isdisjoint(other.action.arguments)
            unused += slot.action.name not in used
        costs.append((-beside, unused))
    left = [each for each, cost in zip(repairs, costs, strict=True) if cost == min(costs)][:_MOST]
    at_hand = [_at_hand(each, task) for each in left]
    most = [
        slots
        for slots, here in zip(left, at_hand, strict=True)
        if not any(here < there for there in at_hand)
    ]
    fails = task.run(task.slots).at
    return min(most, key=lambda slots: sum(abs(at - fails) for at, _ in _put_in(slots)))


def _put_in(slots: Slots) -> list[tuple[int, Slot]]:
    return [(at, s) for at, s in enumerate(slots) if s.edit in (EditKind.INSERT, EditKind.MOVE)]


def _at_hand(slots: Slots, task: RepairTask) -> frozenset[tuple[int, str, int]]:
    """What can be done with the objects of what is put in, one at a time, where it is done."""
    states, universe = task.run(slots).states, task.universe
    found = set()
    for which, (at, slot) in enumerate(_put_in(slots)):
        for name in task.operators:
            _, *others = task.world.domain.operators[name].parameters
            fitting = universe.mask(others[0].types) if len(others) == 1 else 0
            for number in map(universe.number, slot.action.arguments):
                if fitting >> number & 1 and task.is_applicable(
                    states[at], name, (task.agent, number)
                ):
                    found.add((which, name, number))
    return frozenset(found)
