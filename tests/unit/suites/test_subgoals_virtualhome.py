"""Subgoal decomposition in VirtualHome: templates, searches, and each quirk."""

from __future__ import annotations

import pytest
from small_subgoals import evaluated, listed, meaning, subgoal_task

from eai.diagnosis import Result
from eai.suites.virtualhome.quirks import SUBGOAL_QUIRKS

LAMP = subgoal_task(states=["on lamp.8"], formula="ON(lamp.8)")
BED = subgoal_task(relations=["ontop character.65 bed.9"], formula="ONTOP(character.65, bed.9)")
STRICT = meaning("strict")


def kinds(result: Result) -> list[str]:
    return [finding.kind.value for finding in result.findings]


def test_a_state_becomes_finding_and_switching() -> None:
    result = evaluated(LAMP, listed("ON(lamp.8)"))
    assert result.success
    assert result.plan == ("find(lamp.8)", "switchon(lamp.8)")


def test_the_branch_that_solves_the_task_is_reported() -> None:
    lying = subgoal_task(states=["lying character.65"], formula="LYING(character.65)")
    result = evaluated(lying, listed("ONTOP(character.65, bed.9)"))
    assert result.success
    assert result.plan[-1] == "lie(bed.9)"


def test_a_failed_step_ends_the_plan_with_its_kind() -> None:
    result = evaluated(LAMP, listed("HOLDS_RH(character.65, pen.13)", "ON(lamp.8)"))
    assert not result.executable
    assert result.executed == ("done", "failed")
    assert kinds(result)[0] == "missing_step"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("no braces", "parsing"),
        (listed(), "parsing"),
        (listed("ON(lamp.8"), "parsing"),
        (listed("not ON(lamp.8)"), "parsing"),
        (listed("forall x. (ON(x))"), "parsing"),
        (listed("ON(lamp.8) and (OFF(lamp.8) then ON(lamp.99))"), "parsing"),
        (listed("ON(lamp.8) and (OFF(lamp.8) then FLY(lamp.8))"), "action_hallucination"),
        (listed("FLY(lamp.8)"), "action_hallucination"),
        (listed("on(lamp.8)"), "action_hallucination"),
        (listed("ON(lamp.99)"), "object_hallucination"),
        (listed("ON(lamp.8, lamp.8)"), "argument_number"),
    ],
)
def test_what_is_wrong_with_a_text(answer: str, kind: str) -> None:
    result = evaluated(LAMP, answer)
    assert kinds(result)[0] == kind
    assert not result.executable


def test_a_missing_answer_and_a_task_without_goal() -> None:
    assert evaluated(LAMP, None).status == "missing"
    assert evaluated(subgoal_task(), listed("ON(lamp.8)")).status == "excluded"


def test_strict_opens_the_box_by_itself() -> None:
    result = evaluated(
        subgoal_task(relations=["holds_rh character.65 pen.13"]),
        listed("HOLDS_RH(character.65, pen.13)"),
        STRICT,
    )
    assert result.success
    assert result.outcome == "reached"
    assert "open(box.12)" in result.plan


def test_strict_says_what_can_never_be() -> None:
    result = evaluated(LAMP, listed("ON(cup.11)"), STRICT)
    assert result.outcome == "unreachable"
    assert kinds(result)[0] == "affordance"
    assert result.findings[0].conditions == ("has_switch(cup.11)",)


def test_strict_takes_actions_negations_and_quantifiers() -> None:
    answer = listed("exists x. (HOLDS_RH(character.65, x))", "TOUCH(bed.9)", "not OFF(lamp.8)")
    result = evaluated(LAMP, answer, STRICT)
    assert result.success
    assert "touch(bed.9)" in result.plan


def test_strict_finds_another_way_if_the_first_does_not_solve_the_task() -> None:
    lying = subgoal_task(states=["lying character.65"])
    result = evaluated(lying, listed("ONTOP(character.65, bed.9)"), STRICT)
    assert result.success
    assert result.plan[-1] == "lie(bed.9)"


def test_strict_notes_what_held_from_the_start() -> None:
    result = evaluated(LAMP, listed("OFF(lamp.8)", "ON(lamp.8)"), STRICT)
    assert result.success
    assert kinds(result) == ["additional_step"]


def test_one_thing_in_both_hands_is_proved_unreachable() -> None:
    answer = listed("HOLDS_RH(character.65, cup.11) and HOLDS_LH(character.65, cup.11)")
    assert evaluated(LAMP, answer, STRICT).outcome == "unreachable"


def test_the_bound_is_an_outcome() -> None:
    answer = listed("ONTOP(cup.11, bed.9) and INSIDE(cup.11, lamp.8)")
    result = evaluated(LAMP, answer, STRICT)
    assert result.outcome == "bound"
    # The finding says which limit of the budget ended the search, and how large it was.
    assert kinds(result)[0] == "beyond_budget"
    assert "instances" in result.findings[0].message
    assert not result.executable


POUR = subgoal_task(states=["on lamp.8"], formula="exists x. (POUR(x, cup.11)) or ON(lamp.8)")
LOST = listed("ON(lamp.8)", "OFF(lamp.8)")
SWITCHES = [
    ("subgoal_pattern_reader", LAMP, 'Plan {"output": {"a": 1}} ["ON(lamp.8)"]', True),
    ("subgoal_alternative_drawn", LAMP, listed("OFF(lamp.8) or ON(lamp.8)"), True),
    ("subgoal_vocabulary", LAMP, listed("on(lamp.8)"), True),
    ("goal_in_subgoal_vocabulary", POUR, listed("ON(lamp.8)"), True),
    ("subgoal_ids_required", LAMP, listed("ON(lamp)"), True),
    ("subgoal_templates", LAMP, listed("not OFF(lamp.8)"), True),
    ("success_by_formula", LAMP, LOST, False),
]


@pytest.mark.parametrize(("quirk", "task", "answer", "solved"), SWITCHES)
def test_a_quirk_alone_decides(quirk: str, task: object, answer: str, *, solved: bool) -> None:
    switched = meaning("official", without=[quirk])
    assert evaluated(task, answer).success is not solved  # type: ignore[arg-type]
    assert evaluated(task, answer, switched).success is solved  # type: ignore[arg-type]


def test_additional_steps_count_again_without_their_quirk() -> None:
    answer = listed("OFF(lamp.8)")
    quirk = "additional_uncounted_if_unsolved"
    here = evaluated(LAMP, answer).findings
    there = evaluated(LAMP, answer, meaning("official", without=[quirk])).findings
    assert [f.times for f in here if f.step] == [0] * sum(f.step is not None for f in here)
    assert [f.times for f in there if f.step] == [1] * sum(f.step is not None for f in there)


def test_every_quirk_says_both_sides() -> None:
    assert all(quirk.official and quirk.strict for quirk in SUBGOAL_QUIRKS.values())


def test_action_goals_count_in_any_order_with_their_quirk() -> None:
    task = subgoal_task(actions=["GRAB", "TOUCH"], formula="ON(lamp.8)")
    answer = listed("TOUCH(cup.11)", "GRAB(cup.11)")
    assert evaluated(task, answer).count("action") == (2, 2)
    ordered = meaning("official", without=["action_goals_anywhere"])
    assert evaluated(task, answer, ordered).count("action") == (1, 2)


@pytest.mark.parametrize("connective", ["and", "or", "then"])
def test_deep_nesting_is_evaluated(connective: str) -> None:
    deep = f"(ON(lamp.8) {connective} " * 3000 + "ON(lamp.8)" + ")" * 3000
    assert kinds(evaluated(LAMP, listed(deep), STRICT))[0] == "parsing"
    assert evaluated(LAMP, listed(deep)).status == "evaluated"
