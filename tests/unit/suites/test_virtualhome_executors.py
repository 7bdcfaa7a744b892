"""The kind of a runtime error under ``executor_order`` and ``recorded_preconditions``."""

from __future__ import annotations

import pytest
from small_virtualhome import SUITE, evaluate, small_task, verdict, written

from eai.diagnosis import ErrorKind, Finding

OFFICIAL = SUITE.semantics("official")
STRICT = SUITE.semantics("strict")

CUP = "grabbable cup.11; inside cup.11 kitchen.1"
BOX = "can_open box.12; inside box.12 kitchen.1"
FULL_HANDS = (
    "grabbable cup.11; grabbable cup.13; holds_rh character.65 cup.11;"
    "holds_lh character.65 cup.13; near cup.11; near cup.13"
)


def errors(facts: str, *steps: str) -> list[tuple[str, int | None]]:
    """Kinds and steps of the runtime errors under ``official``."""
    task = small_task(facts, actions=["DRINK"])
    findings = evaluate(task, written(*steps), OFFICIAL).findings
    return [(f.kind.value, f.step) for f in findings if f.kind is not ErrorKind.ACTION_GOAL]


@pytest.mark.parametrize(
    ("facts", "step", "kind"),
    [
        # Nearness is tested before what the object is good for.
        ("inside chair.5 kitchen.1", "SIT chair.5", "missing_step"),
        ("near chair.5", "SIT chair.5", "affordance"),
        ("near chair.5; sitting character.65", "SIT chair.5", "additional_step"),
        # These executors look at the object first.
        ("inside lamp.10 kitchen.1", "SWITCHON lamp.10", "affordance"),
        ("has_switch lamp.10; off lamp.10", "SWITCHON lamp.10", "missing_step"),
        ("has_switch lamp.10; on lamp.10; near lamp.10", "SWITCHON lamp.10", "additional_step"),
        (
            "has_switch lamp.10; off lamp.10; plugged_out lamp.10; near lamp.10",
            "SWITCHON lamp.10",
            "additional_step",
        ),
        (f"{BOX}; near box.12; closed box.12; on box.12", "OPEN box.12", "additional_step"),
        (
            f"{BOX}; near box.12; closed box.12; grabbable cup.11; holds_rh character.65 cup.11",
            "PUTIN cup.11 box.12",
            "affordance",
        ),
        (f"near eel.9; {FULL_HANDS}", "CUT eel.9", "missing_step"),
        ("inside lamp.10 kitchen.1", "GREET lamp.10", "affordance"),
        ("sitting character.65; inside lamp.10 kitchen.1", "WALK lamp.10", "missing_step"),
        ("inside lamp.10 kitchen.1", "STANDUP", "additional_step"),
        ("inside lamp.10 kitchen.1", "SLEEP", "missing_step"),
    ],
)
def test_the_first_test_that_fails_decides(facts: str, step: str, kind: str) -> None:
    assert errors(facts, step) == [(kind, 1)]


def test_additional_steps_do_not_stop_a_plan_and_are_all_counted() -> None:
    facts = "has_switch lamp.10; off lamp.10; near lamp.10"
    found = errors(facts, "SWITCHOFF lamp.10", "SWITCHOFF lamp.10", "SWITCHON lamp.10", "STANDUP")
    assert found == [("additional_step", 1), ("additional_step", 2), ("additional_step", 4)]


def test_the_first_other_error_stops_a_plan() -> None:
    found = errors(CUP, "STANDUP", "GRAB cup.11", "GRAB cup.11", "STANDUP")
    assert found == [("additional_step", 1), ("missing_step", 2)]
    task = small_task(CUP, actions=["GRAB"])
    result = evaluate(task, written("STANDUP", "GRAB cup.11", "STANDUP"), OFFICIAL)
    assert result.executed == ("skipped", "failed", "not reached")


def test_what_held_before_makes_a_wrong_order() -> None:
    assert errors(f"{CUP}; near cup.11", "WALK bedroom.2", "GRAB cup.11") == [("wrong_order", 2)]
    assert errors(CUP, "WALK bedroom.2", "GRAB cup.11") == [("missing_step", 2)]
    grabbed = errors(f"{CUP}; near cup.11; drinkable cup.11", "GRAB cup.11", "DROP cup.11",
                     "DRINK cup.11")  # fmt: skip
    assert grabbed == [("wrong_order", 3)]


def test_a_direct_neighbour_is_recorded_where_reach_is_tested() -> None:
    # The cup on the table is in reach from the table, but never was a neighbour itself.
    facts = (
        "grabbable cup.11; inside cup.11 kitchen.1; ontop cup.11 table.4; inside table.4 kitchen.1;"
        "near table.4"
    )
    plan = ("WALK bedroom.2", "GRAB cup.11")
    assert errors(facts, *plan) == [("missing_step", 2)]
    task = small_task(facts, actions=["DRINK"])
    without = SUITE.semantics("official", without=["recorded_preconditions"])
    assert verdict(evaluate(task, written(*plan), without)).startswith(
        "failed: stopped, wrong_order@2"
    )


def test_uprightness_is_recorded_as_two_conditions_that_need_not_hold_together() -> None:
    # Lying down and sitting up again: at each moment one of both holds, once each did not.
    facts = "lieable bed.6; sittable bed.6; near bed.6; inside bed.6 kitchen.1"
    assert errors(f"{facts}; sitting character.65", "LIE bed.6", "WALK bed.6") == [
        ("wrong_order", 2)
    ]
    assert errors(f"{facts}; sitting character.65", "WALK bed.6") == [("missing_step", 1)]


def test_nothing_is_recorded_for_a_full_seat() -> None:
    facts = "sittable chair.5; near chair.5; inside chair.5 kitchen.1"
    assert errors(facts, "SIT chair.5", "STANDUP", "SIT chair.5") == [("missing_step", 3)]


def test_a_wrong_order_says_when_it_held_and_what_ended_it() -> None:
    task = small_task(f"{CUP}; near cup.11", actions=["DRINK"])
    answer = written("TURNTO cup.11", "WALK bedroom.2", "TURNTO bedroom.2", "GRAB cup.11")
    finding: Finding = evaluate(task, answer, OFFICIAL).findings[0]
    assert finding.kind is ErrorKind.WRONG_ORDER
    assert (finding.step, finding.held_until, finding.destroyed_by) == (4, 1, 2)
    assert "walk(bedroom.2)" in finding.message


def test_strict_names_affordance_first_and_additional_steps_next() -> None:
    def kind(facts: str, *steps: str) -> str:
        task = small_task(facts, actions=["DRINK"])
        return verdict(evaluate(task, written(*steps), STRICT)).split(": ")[1]

    assert kind("inside chair.5 kitchen.1", "SIT chair.5").startswith("stopped, affordance@1")
    # It is on already; that it is out of reach does not matter.
    facts = "has_switch lamp.10; on lamp.10; inside lamp.10 kitchen.1"
    assert kind(facts, "SWITCHON lamp.10").startswith("additional_step@1")
    facts = "has_switch lamp.10; off lamp.10; plugged_out lamp.10; near lamp.10"
    assert kind(facts, "SWITCHON lamp.10").startswith("stopped, missing_step@1")
