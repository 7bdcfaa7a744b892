"""Least repairs of random plans, compared with all edit scripts of up to two edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from causes_worlds import OPERATORS, THINGS, WORLD, verdict, workshop_task
from eai.diagnosis.runtime import DomainRules, Rules
from eai.planning.repair import Repair, RepairBounds
from eai.planning.repair.edits import Edit, EditKind
from eai.planning.repair.slots import Slot, Slots, edits_of, kept
from eai.remedy import repair
from eai.task import Task
from eai.world.action import Action
from eai.world.transition import World

ACTIONS = [
    Action(name, arguments)
    for name, arity in OPERATORS.items()
    for arguments in product(THINGS, repeat=arity)
]
CONDITIONS = [
    "painted(box)",
    "wet(box) and painted(can)",
    "not wet(can)",
    "in(box, can)",
    "nested(box, can) or painted(box)",
    "lit()",
    "not door_open()",
    "exists x. (painted(x))",
]
FACTS = ["lit", "door_open", "in box can", "wet box", "painted can"]


class Workshop:
    """The workshop as its domain describes it."""

    world: World = WORLD
    rules: Rules = DomainRules()


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    """Tasks in the workshop."""
    several = st.lists(st.sampled_from(CONDITIONS), unique=True, max_size=2)
    conditions, otherwise = draw(several), draw(st.one_of(st.just([]), several))
    actions = draw(st.lists(st.sampled_from(["look", "press", "paint"]), max_size=1))
    formula = draw(st.sampled_from(["", "", "wet(box) then painted(box)", "lit() then not lit()"]))
    facts = draw(st.lists(st.sampled_from(FACTS), unique=True, max_size=3))
    return workshop_task(
        *conditions, otherwise=otherwise, actions=actions, formula=formula, initially=facts
    )


plans = st.lists(st.sampled_from([*ACTIONS, Action("fly")]), max_size=3).map(tuple)


class Scripts:
    """All ways to edit a plan, and which of them work."""

    def __init__(self, task: Task, plan: Sequence[Action]) -> None:
        self.task = task
        self.start = tuple(kept(action, None, at) for at, action in enumerate(plan))
        self.known: dict[tuple[Action, ...], bool] = {}

    def works(self, slots: Slots) -> bool:
        """Whether a plan succeeds; what the world does not know fails."""
        plan = tuple(slot.action for slot in slots)
        if plan not in self.known:
            legal = all(action in ACTIONS for action in plan)
            self.known[plan] = legal and verdict(self.task, plan)[0]
        return self.known[plan]

    def least(self, most: int) -> set[Slots]:
        """The scripts with the fewest edits that work; empty beyond a number of edits."""
        layer = {self.start}
        for _ in range(most + 1):
            found = {slots for slots in layer if self.works(slots)}
            if found:
                return {slots for slots in found if not any(map(found.__contains__, less(slots)))}
            if _ < most:
                layer = {after for slots in layer for after in edited(slots)}
        return set()


def less(slots: Slots) -> Iterator[Slots]:
    """The same without one of the actions that stand for a step that goes."""
    for at, slot in enumerate(slots):
        if slot.edit in (EditKind.REPLACE, EditKind.MOVE):
            yield (*slots[:at], *slots[at + 1 :])


def edited(slots: Slots) -> Iterator[Slots]:
    """All plans after one more edit."""
    for at in range(len(slots) + 1):
        for action in ACTIONS:
            yield (*slots[:at], Slot(action, None), *slots[at:])
    for at, slot in enumerate(slots):
        if slot.edit is not None:
            continue
        rest = (*slots[:at], *slots[at + 1 :])
        yield rest
        for action in ACTIONS:
            if action != slot.action:
                yield (
                    *slots[:at],
                    Slot(action, None, slot.origin, EditKind.REPLACE),
                    *slots[at + 1 :],
                )
        for to in range(len(rest) + 1):
            if to != at:
                yield (*rest[:to], slot._replace(edit=EditKind.MOVE), *rest[to:])


def changes(edits: Iterable[Edit]) -> set[object]:
    """What a script takes out and puts in."""
    return {change for edit in edits for change in edit.changes}


def _check(found: Repair, task: Task, plan: tuple[Action, ...], most: int) -> None:
    scripts = Scripts(task, plan)
    least = scripts.least(most)
    assert found.found is bool(least)
    if not least:
        assert found.bound == most + 1
        return
    by_script = {slots: edits_of(slots, plan) for slots in least}
    assert found.edits is not None
    assert found.repaired is not None
    assert {found.distance} == {len(edits) for edits in by_script.values()}
    assert found.optimal
    assert found.count == len({tuple(slot.action for slot in slots) for slots in least})
    common = set.intersection(*map(changes, by_script.values()))
    for edit in found.edits:
        assert edit.necessary is (common >= set(edit.changes))
    assert verdict(task, found.repaired)[0]


@settings(max_examples=60, deadline=None)
@given(tasks(), plans)
def test_one_edit_is_found_as_by_trying_all(task: Task, plan: tuple[Action, ...]) -> None:
    found = repair(task, plan, bounds=RepairBounds(edits=1), simulator=Workshop())
    _check(found, task, plan, 1)


@settings(max_examples=12, deadline=None)
@given(tasks(), plans.filter(lambda plan: len(plan) < 3))
def test_two_edits_are_found_as_by_trying_all(task: Task, plan: tuple[Action, ...]) -> None:
    found = repair(task, plan, bounds=RepairBounds(edits=2), simulator=Workshop())
    _check(found, task, plan, 2)
