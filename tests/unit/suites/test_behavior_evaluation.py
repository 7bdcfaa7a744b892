"""Evaluating BEHAVIOR action sequences, and the suite around it."""

from __future__ import annotations

import pytest
from small_behavior import OFFICIAL, STRICT, SUITE, errors, evaluated, kitchen, task_in, written

from eai.contract import execution_of
from eai.contract.registry import suite
from eai.errors import InputError, UnknownNameError
from eai.suites.behavior import Behavior
from eai.suites.behavior.plans import BehaviorPlans, simulator

GOAL = "(and (inside egg_6 jar_3) (not (open jar_3)))"
PLAN = ("OPEN jar_3", "RIGHT_GRASP egg_6", "RIGHT_PLACE_INSIDE jar_3", "CLOSE jar_3")
TASK = task_in(kitchen(), GOAL)


@pytest.mark.parametrize("semantics", [OFFICIAL, STRICT])
def test_a_good_plan_solves_its_task(semantics: object) -> None:
    result = evaluated(TASK, *PLAN, semantics=OFFICIAL if semantics is OFFICIAL else STRICT)
    assert (result.success, result.executable) == (True, True)
    assert result.findings == ()
    assert result.plan[0] == "open(jar_3)"
    assert result.executed == ("done",) * 4
    assert result.formula_holds


def test_a_plan_that_stops_tells_what_is_missing() -> None:
    result = evaluated(TASK, *PLAN[1:], semantics=STRICT)
    assert (result.success, result.executable) == (False, False)
    assert result.executed == ("done", "failed", "not reached")
    step, goal = result.findings
    assert (step.kind.value, step.step) == ("missing_step", 2)
    assert "open(jar_3)" in step.conditions[0]
    assert goal.conditions == ("inside(egg_6, jar_3)",)
    assert result.formula_holds is False
    assert "inside(egg_6, jar_3)" in result.formula_reason


def test_an_additional_step_does_not_stop_a_plan() -> None:
    for semantics in (OFFICIAL, STRICT):
        result = evaluated(TASK, "OPEN jar_3", *PLAN, semantics=semantics)
        assert result.success
        assert errors(result) == [("additional_step", 2)]


def test_no_answer_is_a_failure() -> None:
    result = BehaviorPlans(OFFICIAL).evaluate(TASK, None)
    assert (result.status, result.success) == ("missing", False)
    assert [goal.met for goal in result.goals] == [False, False]
    assert [finding.kind.value for finding in result.findings] == ["no_answer"]


def test_a_plan_can_be_run_again_and_an_unreadable_one_cannot() -> None:
    execution = BehaviorPlans(STRICT).execution(TASK, written(PLAN))
    assert execution is not None
    assert execution.completed
    assert BehaviorPlans(STRICT).execution(TASK, "no") is None


def test_the_simulator_of_a_semantics_is_built_once() -> None:
    assert simulator(OFFICIAL) is simulator(SUITE.semantics("official"))
    assert simulator(OFFICIAL) is not simulator(STRICT)


def test_the_suite_is_found_by_its_name() -> None:
    found = suite("behavior")
    assert isinstance(found, Behavior)
    assert "action_sequencing" in found.abilities
    assert found.canonical_id("demo_0") == "demo_0"
    assert found.semantics("official").version == "eai-eval 1.0.5"


def test_the_suite_evaluates_by_ability() -> None:
    assert SUITE.evaluate("action_sequencing", TASK, written(PLAN), STRICT).success
    assert execution_of(SUITE, TASK, written(PLAN), STRICT) is not None
    with pytest.raises(UnknownNameError, match="action_sequencing"):
        SUITE.evaluate("action_sequences", TASK, "", OFFICIAL)
    with pytest.raises(InputError, match="not text"):
        SUITE.evaluate("action_sequencing", TASK, 3, OFFICIAL)  # type: ignore[arg-type]
