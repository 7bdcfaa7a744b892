"""Judging BEHAVIOR action sequences, and the suite around it."""

from __future__ import annotations

import pytest

from eai.errors import InputError, UnknownNameError
from eai.registry import suite
from eai.suites.behavior import Behavior
from eai.suites.behavior.plans import BehaviorPlans, simulator
from small_behavior import OFFICIAL, STRICT, SUITE, errors, judged, kitchen, task_in, written

GOAL = "(and (inside egg_6 jar_3) (not (open jar_3)))"
PLAN = ("OPEN jar_3", "RIGHT_GRASP egg_6", "RIGHT_PLACE_INSIDE jar_3", "CLOSE jar_3")
TASK = task_in(kitchen(), GOAL)


@pytest.mark.parametrize("semantics", [OFFICIAL, STRICT])
def test_a_good_plan_solves_its_task(semantics: object) -> None:
    judgement = judged(TASK, *PLAN, semantics=OFFICIAL if semantics is OFFICIAL else STRICT)
    assert (judgement.success, judgement.executable) == (True, True)
    assert judgement.findings == ()
    assert judgement.plan[0] == "open(jar_3)"
    assert judgement.executed == ("done",) * 4
    assert judgement.formula_holds


def test_a_plan_that_stops_tells_what_is_missing() -> None:
    judgement = judged(TASK, *PLAN[1:], semantics=STRICT)
    assert (judgement.success, judgement.executable) == (False, False)
    assert judgement.executed == ("done", "failed", "not reached")
    step, goal = judgement.findings
    assert (step.kind.value, step.step) == ("missing_step", 2)
    assert "open(jar_3)" in step.conditions[0]
    assert goal.conditions == ("inside(egg_6, jar_3)",)
    assert judgement.formula_holds is False
    assert "inside(egg_6, jar_3)" in judgement.formula_reason


def test_an_additional_step_does_not_stop_a_plan() -> None:
    for semantics in (OFFICIAL, STRICT):
        judgement = judged(TASK, "OPEN jar_3", *PLAN, semantics=semantics)
        assert judgement.success
        assert errors(judgement) == [("additional_step", 2)]


def test_no_answer_is_a_failure() -> None:
    judgement = BehaviorPlans().judge(TASK, None, OFFICIAL)
    assert (judgement.status, judgement.success) == ("missing", False)
    assert [goal.met for goal in judgement.goals] == [False, False]
    assert [finding.kind.value for finding in judgement.findings] == ["no_answer"]


def test_a_plan_can_be_run_again_and_an_unreadable_one_cannot() -> None:
    execution = BehaviorPlans().execution(TASK, written(PLAN), STRICT)
    assert execution is not None
    assert execution.completed
    assert BehaviorPlans().execution(TASK, "no", STRICT) is None


def test_the_simulator_of_a_semantics_is_built_once() -> None:
    assert simulator(OFFICIAL) is simulator(SUITE.semantics("official"))
    assert simulator(OFFICIAL) is not simulator(STRICT)


def test_the_suite_is_found_by_its_name() -> None:
    found = suite("behavior")
    assert isinstance(found, Behavior)
    assert "action_sequencing" in found.abilities
    assert found.canonical_id("demo_0") == "demo_0"
    assert found.semantics("official").version == "eai-eval 1.0.5"


def test_the_suite_judges_by_ability() -> None:
    assert SUITE.judge("action_sequencing", TASK, written(PLAN), STRICT).success
    assert SUITE.execution(TASK, written(PLAN), STRICT) is not None
    with pytest.raises(UnknownNameError, match="action_sequencing"):
        SUITE.judge("action_sequences", TASK, "", OFFICIAL)
    with pytest.raises(InputError, match="not text"):
        SUITE.judge("action_sequencing", TASK, 3, OFFICIAL)  # type: ignore[arg-type]
