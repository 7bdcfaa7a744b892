"""What a result says of itself: rules, how the answer was read, whether the goal was tried."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from causes_worlds import WORLD, workshop_task

from eai.diagnosis import (
    Condition,
    ErrorKind,
    Evidence,
    Finding,
    Match,
    Result,
    RuleVerdict,
)
from eai.diagnosis.causes.result import FailedCondition
from eai.logic import Atom
from eai.world import Trajectory


def evidence() -> Evidence:
    start = workshop_task("lit()").start
    return Evidence(Trajectory(WORLD, start, ()), Atom("lit"))


def full() -> Result:
    found = evidence()
    return Result(
        "evaluated",
        findings=(Finding(ErrorKind.MISSING_STEP, evidence=found),),
        goals=(Condition("state", "lit()", met=False, formula=Atom("lit")),),
        evidence=found,
    )


@pytest.mark.parametrize(
    ("verdict", "outcome"),
    [
        (RuleVerdict("dry", kept=True), "kept"),
        (
            RuleVerdict("dry", False, 3, ("wet(a)", "not on(b)")),
            "broken by step 3 (wet(a), not on(b))",
        ),
        (RuleVerdict("dry", False, 1), "broken by step 1"),
        (RuleVerdict("dry", False, 0, ("wet(a)",)), "broken from the start (wet(a))"),
    ],
)
def test_a_rule_was_kept_or_broken_by_a_step(verdict: RuleVerdict, outcome: str) -> None:
    assert verdict.outcome == outcome


def test_what_a_verdict_was_made_from_is_no_part_of_it() -> None:
    result = full()
    assert "evidence" not in repr(result)
    assert "evidence" not in repr(result.findings)
    assert "formula=Atom" not in repr(result.goals)
    bare = result.without_evidence()
    assert bare == result
    assert (bare.evidence, bare.findings[0].evidence, bare.goals[0].formula) == (None, None, None)
    assert result.evidence is not None
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert again.evidence is None


@pytest.mark.parametrize("kept", ["evidence", "findings", "goals"])
def test_any_part_of_the_evidence_is_left_out(kept: str) -> None:
    bare = full().without_evidence()
    assert bare.without_evidence() is bare
    part = replace(bare, **{kept: getattr(full(), kept)})
    found = part.without_evidence()
    assert found == bare
    assert found.evidence is None
    assert [finding.evidence for finding in found.findings] == [None]
    assert [goal.formula for goal in found.goals] == [None]


def test_the_reason_of_a_formula_is_made_or_was_stored() -> None:
    assert full().formula_reason
    assert full().without_evidence().formula_reason == ""
    assert Result("evaluated", reason="because").formula_reason == "because"


def test_rules_are_kept_if_all_are() -> None:
    kept, broken = RuleVerdict("a", kept=True), RuleVerdict("b", False, 1)
    assert Result("evaluated").keeps_rules is None
    assert Result("evaluated", rules=(kept,)).keeps_rules is True
    assert Result("evaluated", rules=(kept, broken)).keeps_rules is False


@pytest.mark.parametrize("success", [True, False])
def test_a_success_is_safe_unless_a_rule_is_broken(success: bool) -> None:
    kept, broken = RuleVerdict("a", kept=True), RuleVerdict("b", False, 1)
    for rules, is_safe in [((), True), ((kept,), True), ((kept, broken), False)]:
        result = Result("evaluated", success=success, rules=rules)
        assert result.is_safe_success is (success and is_safe)


GARBLED = (Finding(ErrorKind.PARSING),)
MATCH = (Match("state", 1, 0, 0),)


@pytest.mark.parametrize(
    ("result", "tried"),
    [
        (Result("evaluated"), True),
        (Result("evaluated", findings=GARBLED), False),
        (Result("evaluated", findings=GARBLED, executed=("not reached",)), False),
        (Result("evaluated", findings=GARBLED, executed=("skipped",)), True),
        (Result("evaluated", findings=GARBLED, matches=MATCH), True),
        (Result("missing"), False),
        (Result("missing", executed=("failed",)), True),
        (Result("evaluated", findings=(Finding(ErrorKind.MISSING_STEP),)), True),
    ],
)
def test_a_goal_was_tried_if_something_was_run_or_compared(result: Result, tried: bool) -> None:
    assert result.tried is tried


@pytest.mark.parametrize(
    ("result", "reading"),
    [
        (Result("missing"), ""),
        (Result("evaluated"), "clean"),
        (Result("evaluated", notes=("2 plans; chosen by: last",)), "chosen"),
        (Result("evaluated", notes=("a code fence was removed",)), "clean"),
        (Result("evaluated", findings=GARBLED), "none"),
        (Result("evaluated", findings=GARBLED, plan=("go()",)), "partial"),
        (Result("evaluated", findings=GARBLED, matches=MATCH), "partial"),
    ],
)
def test_a_result_says_how_the_answer_was_read(result: Result, reading: str) -> None:
    assert result.reading == reading


def test_a_finding_names_the_subgoal_that_its_step_was_for() -> None:
    for kind in (ErrorKind.ADDITIONAL_STEP, ErrorKind.MISSING_STEP, ErrorKind.STATE_GOAL):
        plain = Finding(kind, action="press()", conditions=("lit()",))
        aimed = replace(plain, subgoal="wet(box)")
        assert aimed.message == f"{plain.message} (for wet(box))"
    assert Finding(ErrorKind.PARSING, "no plan", subgoal="lit()").message == "no plan (for lit())"


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (FailedCondition("lit()"), "lit() does not hold and never did"),
        (
            FailedCondition("lit()", (), 0, 1),
            "lit() does not hold; it held from the start, until step 1",
        ),
        (
            FailedCondition("lit()", (), 2, 4),
            "lit() does not hold; it held after step 2, until step 4",
        ),
        (
            FailedCondition("lit()", (), None, None, "it is dark"),
            "it is dark; no step before it changed that [lit()]",
        ),
        (
            FailedCondition("lit()", (), 2, 4, "it is dark"),
            "it is dark; step 4 made it so [lit()]",
        ),
    ],
)
def test_a_failed_condition_says_since_when(condition: FailedCondition, text: str) -> None:
    assert str(condition) == text


def test_a_finding_counts_once_and_is_about_no_step_unless_it_says_so() -> None:
    finding = Finding(ErrorKind.MISSING_STEP)
    assert (finding.times, finding.step, finding.position) == (1, None, None)
    assert finding == Finding(ErrorKind.MISSING_STEP, times=1)
    assert finding != Finding(ErrorKind.MISSING_STEP, times=0)
