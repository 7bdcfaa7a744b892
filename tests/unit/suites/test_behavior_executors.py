"""What kind of error a step is under the published executors' rules."""

from __future__ import annotations

import pytest
from small_behavior import OFFICIAL, STRICT, SUITE, errors, evaluated, kitchen, task_in

FULL = ("RIGHT_GRASP egg_6", "LEFT_GRASP rag_9")
JAR = "inside egg_6 jar_3"


@pytest.mark.parametrize(
    ("states", "relations", "steps", "kind"),
    [
        # Full hands are tested before what an object is good for, a closed container before
        # whether something is sliced.
        ("", "", (*FULL, "OPEN table_1"), "missing_step"),
        ("", "", ("OPEN table_1",), "affordance"),
        ("Open jar_3", "", ("OPEN jar_3",), "additional_step"),
        ("", "inside jar_4 jar_3", ("OPEN jar_4",), "missing_step"),
        ("ToggledOn microwave_14", "", ("OPEN microwave_14",), "missing_step"),
        ("Open microwave_14", "", ("TOGGLE_ON microwave_14",), "missing_step"),
        ("", "", ("RIGHT_GRASP room_floor_kitchen_0",), "affordance"),
        ("", "", ("RIGHT_GRASP egg_6", "RIGHT_GRASP egg_6"), "additional_step"),
        ("", "", ("RIGHT_GRASP egg_6", "LEFT_GRASP egg_6"), "additional_step"),
        ("", JAR, ("RIGHT_GRASP egg_6",), "missing_step"),
        ("", "", ("RIGHT_PLACE_ONTOP table_1",), "missing_step"),
        ("", "", ("RIGHT_GRASP egg_6", "RIGHT_PLACE_ONTOP egg_6"), "missing_step"),
        ("", "", ("RIGHT_GRASP egg_6", "RIGHT_PLACE_INSIDE jar_3"), "missing_step"),
        ("", "", ("RIGHT_TRANSFER_CONTENTS_ONTOP table_1",), "missing_step"),
        ("", "", ("RIGHT_GRASP plate_10", "RIGHT_TRANSFER_CONTENTS_ONTOP table_1"), "affordance"),
        ("", "", ("SLICE egg_6",), "missing_step"),
        ("", "", ("RIGHT_GRASP knife_7", "SLICE egg_6"), "affordance"),
        ("", "", ("COOK apple_5",), "missing_step"),
        ("", "", ("COOK knife_7",), "affordance"),
        ("", "", ("CLEAN egg_6",), "affordance"),
        ("", "", ("CLEAN plate_10",), "additional_step"),
        ("Dusty plate_10", "", ("CLEAN plate_10",), "missing_step"),
        # Releasing something that is related to nothing is superfluous, else something is missing.
        ("", "", ("RIGHT_RELEASE egg_6",), "additional_step"),
        ("", "onfloor egg_6 room_floor_kitchen_0", ("RIGHT_RELEASE egg_6",), "missing_step"),
        ("", "", ("RIGHT_GRASP knife_7", "RIGHT_RELEASE egg_6"), "missing_step"),
    ],
)
def test_the_first_test_that_fails_decides(
    states: str, relations: str, steps: tuple[str, ...], kind: str
) -> None:
    result = evaluated(task_in(kitchen(states, relations)), *steps)
    assert errors(result) == [(kind, len(steps))]
    assert result.executable is (kind == "additional_step")


def test_what_could_be_done_before_is_in_the_wrong_order() -> None:
    task = task_in(kitchen("Open jar_3", JAR))
    closing = ("CLOSE jar_3", "RIGHT_GRASP egg_6")
    assert errors(evaluated(task, *closing)) == [("wrong_order", 2)]
    # All of a step's tests must have held together: here the hand was never free with an open jar.
    shut = task_in(kitchen("", JAR))
    steps = ("RIGHT_GRASP knife_7", "OPEN jar_3", "RIGHT_GRASP egg_6")
    assert errors(evaluated(shut, *steps)) == [("missing_step", 3)]
    assert errors(evaluated(shut, *steps, semantics=STRICT)) == [("wrong_order", 3)]


def test_placing_is_never_in_the_wrong_order() -> None:
    task = task_in(kitchen())
    steps = ("RIGHT_GRASP egg_6", "RIGHT_RELEASE egg_6", "RIGHT_PLACE_ONTOP table_1")
    assert errors(evaluated(task, *steps)) == [("missing_step", 3)]
    late = SUITE.semantics("official", without=["placing_never_wrong_order"])
    assert errors(evaluated(task, *steps, semantics=late)) == [("wrong_order", 3)]


def test_cleaning_looks_back_for_dust_and_stains_apart() -> None:
    task = task_in(kitchen("Dusty plate_10; Stained plate_10"))
    steps = ("RIGHT_GRASP rag_9", "RIGHT_RELEASE rag_9", "CLEAN plate_10")
    assert errors(evaluated(task, *steps)) == [("wrong_order", 3)]
    stained = task_in(kitchen("Stained plate_10"))
    assert errors(evaluated(stained, *steps)) == [("missing_step", 3)]


@pytest.mark.parametrize("action", ["NAVIGATE_TO", "BURN"])
def test_an_action_without_executor_fails_with_an_error_of_no_kind(action: str) -> None:
    task = task_in(kitchen("Open jar_3"))
    result = evaluated(task, f"{action} egg_6")
    assert errors(result) == [("unscorable", 1)]
    assert (result.executable, result.success) == (False, True)  # the jar is open


def test_going_somewhere_is_possible_and_burning_is_made_up_without_the_quirk() -> None:
    task = task_in(kitchen())
    known = SUITE.semantics("official", without=["no_executor"])
    assert evaluated(task, "NAVIGATE_TO egg_6", semantics=known).executable
    assert errors(evaluated(task, "BURN egg_6", semantics=known)) == [("action_hallucination", 1)]


def test_a_transfer_moves_what_was_put_first_and_fails() -> None:
    goal = "(and (ontop egg_6 table_1) (ontop rag_9 table_1))"
    task = task_in(kitchen("", "ontop rag_9 plate_10"), goal)
    steps = (
        "RIGHT_GRASP egg_6",
        "RIGHT_PLACE_ONTOP plate_10",
        "LEFT_GRASP plate_10",
        "LEFT_TRANSFER_CONTENTS_ONTOP table_1",
    )
    official = evaluated(task, *steps)
    assert errors(official) == [("unscorable", 4)]
    assert [goal.met for goal in official.goals] == [False, True]
    whole = SUITE.semantics("official", without=["transfer_stops"])
    assert evaluated(task, *steps, semantics=whole).success


@pytest.mark.parametrize(
    ("steps", "kind"),
    [
        (("RIGHT_GRASP egg_6", "RIGHT_PLACE_INSIDE room_floor_kitchen_0"), [("unscorable", 2)]),
        (
            ("RIGHT_GRASP plate_10", "RIGHT_TRANSFER_CONTENTS_INSIDE room_floor_kitchen_0"),
            [("unscorable", 2)],
        ),
        (("RIGHT_GRASP egg_6", "RIGHT_TRANSFER_CONTENTS_INSIDE room_floor_kitchen_0"), []),
    ],
)
def test_a_floor_holds_nothing_inside(steps: tuple[str, ...], kind: list[tuple[str, int]]) -> None:
    task = task_in(kitchen("", "ontop rag_9 plate_10"))
    assert errors(evaluated(task, *steps)) == kind


def test_two_objects_are_placed_next_to_and_on() -> None:
    task = task_in(kitchen(), "(and (ontop egg_6 table_1) (nextto jar_3 egg_6))")
    steps = ("RIGHT_GRASP egg_6", "RIGHT_PLACE_NEXTTO_ONTOP jar_3, table_1")
    assert evaluated(task, *steps, semantics=OFFICIAL).success
