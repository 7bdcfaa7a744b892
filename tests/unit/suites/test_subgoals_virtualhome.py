"""Subgoal decomposition in VirtualHome: templates, searches, and each quirk."""

from __future__ import annotations

import pytest

from eai.diagnosis.judgement import Judgement
from eai.suites.virtualhome.quirks import SUBGOAL_QUIRKS
from small_subgoals import judged, listed, meaning, subgoal_task

LAMP = subgoal_task(states=["on lamp.8"], formula="ON(lamp.8)")
BED = subgoal_task(relations=["ontop character.65 bed.9"], formula="ONTOP(character.65, bed.9)")
STRICT = meaning("strict")


def kinds(judgement: Judgement) -> list[str]:
    return [finding.kind.value for finding in judgement.findings]


def test_a_state_becomes_finding_and_switching() -> None:
    judgement = judged(LAMP, listed("ON(lamp.8)"))
    assert judgement.success
    assert judgement.plan == ("find(lamp.8)", "switchon(lamp.8)")


def test_the_branch_that_solves_the_task_is_reported() -> None:
    lying = subgoal_task(states=["lying character.65"], formula="LYING(character.65)")
    judgement = judged(lying, listed("ONTOP(character.65, bed.9)"))
    assert judgement.success
    assert judgement.plan[-1] == "lie(bed.9)"


def test_a_failed_step_ends_the_plan_with_its_kind() -> None:
    judgement = judged(LAMP, listed("HOLDS_RH(character.65, pen.13)", "ON(lamp.8)"))
    assert not judgement.executable
    assert judgement.executed == ("done", "failed")
    assert kinds(judgement)[0] == "missing_step"


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
    judgement = judged(LAMP, answer)
    assert kinds(judgement)[0] == kind
    assert not judgement.executable


def test_a_missing_answer_and_a_task_without_goal() -> None:
    assert judged(LAMP, None).status == "missing"
    assert judged(subgoal_task(), listed("ON(lamp.8)")).status == "excluded"


def test_strict_opens_the_box_by_itself() -> None:
    judgement = judged(
        subgoal_task(relations=["holds_rh character.65 pen.13"]),
        listed("HOLDS_RH(character.65, pen.13)"),
        STRICT,
    )
    assert judgement.success
    assert judgement.outcome == "reached"
    assert "open(box.12)" in judgement.plan


def test_strict_says_what_can_never_be() -> None:
    judgement = judged(LAMP, listed("ON(cup.11)"), STRICT)
    assert judgement.outcome == "unreachable"
    assert kinds(judgement)[0] == "affordance"
    assert judgement.findings[0].conditions == ("has_switch(cup.11)",)


def test_strict_takes_actions_negations_and_quantifiers() -> None:
    answer = listed("exists x. (HOLDS_RH(character.65, x))", "TOUCH(bed.9)", "not OFF(lamp.8)")
    judgement = judged(LAMP, answer, STRICT)
    assert judgement.success
    assert "touch(bed.9)" in judgement.plan


def test_strict_finds_another_way_if_the_first_does_not_solve_the_task() -> None:
    lying = subgoal_task(states=["lying character.65"])
    judgement = judged(lying, listed("ONTOP(character.65, bed.9)"), STRICT)
    assert judgement.success
    assert judgement.plan[-1] == "lie(bed.9)"


def test_strict_notes_what_held_from_the_start() -> None:
    judgement = judged(LAMP, listed("OFF(lamp.8)", "ON(lamp.8)"), STRICT)
    assert judgement.success
    assert kinds(judgement) == ["additional_step"]


def test_the_bound_is_an_outcome() -> None:
    answer = listed("HOLDS_RH(character.65, cup.11) and HOLDS_LH(character.65, cup.11)")
    judgement = judged(LAMP, answer, STRICT)
    assert judgement.outcome == "bound"
    assert "ended at its bound" in " ".join(judgement.notes)
    assert not judgement.executable


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
    assert judged(task, answer).success is not solved  # type: ignore[arg-type]
    assert judged(task, answer, switched).success is solved  # type: ignore[arg-type]


def test_additional_steps_count_again_without_their_quirk() -> None:
    answer = listed("OFF(lamp.8)")
    quirk = "additional_uncounted_if_unsolved"
    here = judged(LAMP, answer).findings
    there = judged(LAMP, answer, meaning("official", without=[quirk])).findings
    assert [f.times for f in here if f.step] == [0] * sum(f.step is not None for f in here)
    assert [f.times for f in there if f.step] == [1] * sum(f.step is not None for f in there)


def test_every_quirk_says_both_sides() -> None:
    assert all(quirk.official and quirk.strict for quirk in SUBGOAL_QUIRKS.values())


def test_action_goals_count_in_any_order_with_their_quirk() -> None:
    task = subgoal_task(actions=["GRAB", "TOUCH"], formula="ON(lamp.8)")
    answer = listed("TOUCH(cup.11)", "GRAB(cup.11)")
    assert judged(task, answer).count("action") == (2, 2)
    ordered = meaning("official", without=["action_goals_anywhere"])
    assert judged(task, answer, ordered).count("action") == (1, 2)


@pytest.mark.parametrize("connective", ["and", "or", "then"])
def test_deep_nesting_is_judged(connective: str) -> None:
    deep = f"(ON(lamp.8) {connective} " * 3000 + "ON(lamp.8)" + ")" * 3000
    assert kinds(judged(LAMP, listed(deep), STRICT))[0] == "parsing"
    assert judged(LAMP, listed(deep)).status == "judged"
