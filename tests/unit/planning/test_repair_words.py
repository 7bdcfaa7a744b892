"""What a repair says of itself: its edits in words, its score, and what was proved."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from causes_worlds import WORLD, steps, workshop_task

from eai.abilities.plans import repair
from eai.errors import InputError
from eai.planning import Repair, RepairBounds, Target, least_repair
from eai.planning.limits import _limit_this_process
from eai.planning.repair.task import Edit, EditKind
from eai.world import Action

GO, STAY = Action("go", ("a",)), Action("stay", ("a",))


@pytest.mark.parametrize(
    ("edit", "mistake", "place", "changes", "numbers"),
    [
        (Edit(EditKind.INSERT, None, 3, None, GO), "missing_step", 3, (GO,), [3]),
        (Edit(EditKind.DELETE, 2, None, GO), "additional_step", 2, (2,), [2]),
        (Edit(EditKind.REPLACE, 2, None, GO, STAY), "wrong_action", 2, (2, STAY), [2]),
        (
            Edit(EditKind.REPLACE, 2, None, GO, Action("go", ("b",))),
            "wrong_object",
            2,
            (2, Action("go", ("b",))),
            [2],
        ),
        (Edit(EditKind.MOVE, 4, 2, GO, GO), "wrong_order", 2, (4, GO), [4, 2]),
        (Edit(EditKind.MOVE, 1, 3, GO, GO), "wrong_order", 1, (1, GO), [1, 3]),
    ],
)
def test_an_edit_says_what_was_wrong_and_where(
    edit: Edit, mistake: str, place: int, changes: tuple[object, ...], numbers: list[int]
) -> None:
    assert (edit.mistake, edit.place, edit.changes) == (mistake, place, changes)
    text = str(edit)
    assert text.startswith(str(edit.kind))
    assert [int(number) for number in re.findall(r"\d+", text)] == numbers
    for action in filter(None, (edit.old, edit.new)):
        assert str(action) in text


PLAN = (GO, STAY, GO)


@pytest.mark.parametrize(
    ("edits", "repaired", "score"),
    [
        ((), PLAN, 1.0),
        ((Edit(EditKind.DELETE, 2, None, STAY),), (GO, GO), 2 / 3),
        ((Edit(EditKind.INSERT, None, 4, None, GO),), (*PLAN, GO), 3 / 4),
        ((Edit(EditKind.DELETE, 1),) * 3, (), 0.0),
        ((Edit(EditKind.DELETE, 1),) * 5, (GO,), 0.0),
    ],
)
def test_the_score_is_the_share_of_the_longer_plan_that_stays(
    edits: tuple[Edit, ...], repaired: tuple[Action, ...], score: float
) -> None:
    found = Repair(PLAN, edits, repaired, len(edits))
    assert found.score == pytest.approx(score)
    assert (found.found, found.distance, found.optimal) == (True, len(edits), True)
    assert Repair((), (), (), 0).score == 1.0


def test_without_a_repair_nothing_of_the_plan_counts() -> None:
    found = Repair(PLAN, None, None, 2, untried="most of it")
    assert (found.found, found.distance, found.optimal, found.score) == (False, None, False, 0.0)
    assert "at least 2 edits" in str(found)
    assert "most of it" in str(found)
    assert str(Repair(PLAN, None, None, 1)).endswith("1 edit")
    assert found.irredundant == 0  # they were not all found


@pytest.mark.parametrize(
    ("count", "bound", "optimal", "numbers"),
    [
        (1, 1, True, []),
        (3, 1, False, ["1 to 2"]),
        (2, 1, False, ["whether 1 "]),
        (4, 3, False, ["3 are"]),
    ],
)
def test_what_is_not_proved_is_said(
    count: int, bound: int, optimal: bool, numbers: list[str]
) -> None:
    edits = tuple(Edit(EditKind.DELETE, at, None, GO) for at in range(1, count + 1))
    found = Repair((GO,) * 5, edits, (GO,), bound)
    assert found.optimal is optimal
    for text in numbers:
        assert text in str(found).splitlines()[0]
    assert ("proved not to be enough" in str(found)) is (not optimal and bound > 1)
    assert len(str(found).splitlines()) == 1 + count


def test_several_plans_that_are_as_near_are_counted() -> None:
    edits = (Edit(EditKind.INSERT, None, 1, None, GO),)
    one, two = (Repair((), edits, (GO,), 1, number) for number in (1, 2))
    assert "2 plans" in str(two)
    assert "plans" not in str(one)
    assert str(two).splitlines()[0] in two._repr_html_()


@pytest.mark.parametrize("necessary", [None, True, False])
def test_an_edit_may_be_needed_by_every_repair(necessary: bool | None) -> None:
    edits = (Edit(EditKind.INSERT, None, 1, None, GO, necessary=necessary),)
    lines = {
        each: str(
            Repair((), (Edit(EditKind.INSERT, None, 1, None, GO, necessary=each),), (GO,), 1)
        ).splitlines()[1]
        for each in (None, True, False)
    }
    assert str(Repair((), edits, (GO,), 1)).splitlines()[1] == lines[necessary]
    assert len(set(lines.values())) == 3


@pytest.mark.parametrize("name", ["edits", "actions"])
def test_bounds_are_numbers_from_0(name: str) -> None:
    task = workshop_task("lit()")
    with pytest.raises(InputError) as caught:
        repair(task, (), bounds=RepairBounds(**{name: -1}))
    assert name in caught.value.what
    none = repair(task, steps("press"), bounds=RepairBounds(**{name: 0}))
    # To see that the plan works takes an action that is tried.
    assert none.distance == (0 if name == "edits" else None)


def test_beyond_the_bounds_the_nearest_reference_plan_is_taken() -> None:
    task = workshop_task("painted(box)", "wet(can)")
    plans = (
        steps("press; open_door; paint box; soak can"),
        steps("open_door; soak can; paint box"),
        steps("look"),
    )
    task = replace(task, plans=plans)
    found = repair(task, steps("look; look"), bounds=RepairBounds(edits=0))
    assert found.repaired == plans[1]
    assert found.distance == 3
    assert not found.optimal
    without = repair(replace(task, plans=()), steps("look; look"), bounds=RepairBounds(edits=0))
    assert (without.found, without.bound) == (False, 1)


def test_a_search_that_may_try_nothing_says_so() -> None:
    task = workshop_task("painted(box)", "wet(can)", "in(pot, can)")
    found = least_repair(
        WORLD,
        task.start,
        (),
        Target(tuple(tuple(f for _, f in option) for option in task.goal.final)),
        agent="robot",
        bounds=RepairBounds(edits=3, actions=5),
    )
    assert not found.found
    assert "5 actions" in found.untried


@pytest.mark.parametrize(
    ("seconds", "megabytes", "limits"),
    [
        (None, None, {}),
        (2.5, None, {"RLIMIT_CPU": (3, 4)}),
        (2, None, {"RLIMIT_CPU": (2, 3)}),
        (None, 1.5, {"RLIMIT_DATA": (1_500_000, 1_500_000)}),
        (1, 0.0000015, {"RLIMIT_CPU": (1, 2), "RLIMIT_DATA": (2, 2)}),
    ],
)
def test_a_process_limits_itself_in_whole_numbers(
    seconds: float | None,
    megabytes: float | None,
    limits: dict[str, tuple[int, int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resource = pytest.importorskip("resource")
    made: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "setrlimit", made.__setitem__)
    _limit_this_process(seconds, megabytes)
    assert made == {getattr(resource, name): value for name, value in limits.items()}


@pytest.mark.parametrize(
    ("demanded", "plan", "edits"),
    [
        (["close_door", "press"], "", 3),
        (["close_door", "dry"], "", 3),
        (["look", "dry"], "", 3),
        (["dry", "press", "look"], "", 3),
        (["dry", "slam", "open_door"], "", 3),
        (["look", "slam", "look"], "look", 3),
        (["press", "slam", "slam", "open_door"], "slam", 3),
        (["open_door", "slam", "press", "dry"], "open_window; slam", 3),
    ],
)
def test_demanded_actions_that_change_nothing_for_the_goal_are_put_in(
    demanded: list[str], plan: str, edits: int
) -> None:
    found = repair(workshop_task(actions=demanded), steps(plan) if plan else ())
    assert found.distance == edits
    done = iter(action.name for action in found.repaired or ())
    assert all(name in done for name in demanded)
