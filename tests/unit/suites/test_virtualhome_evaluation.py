"""Which tasks count, what is scored, and what stays unscorable."""

from __future__ import annotations

import pytest
from small_virtualhome import SUITE, action, evaluate, small_task, verdict, written

from eai.contract import execution_of
from eai.diagnosis import GRAMMAR, RUNTIME, ErrorKind, Result
from eai.errors import UnknownNameError
from eai.suites.virtualhome.reader import UNLIKE

OFFICIAL = SUITE.semantics("official")
STRICT = SUITE.semantics("strict")
NO_SHORTCUT = SUITE.semantics("official", without=["gold_shortcut"])

LAMP = "has_switch lamp.10; off lamp.10; plugged_in lamp.10; near lamp.10; inside lamp.10 kitchen.1"
TASK = small_task(
    LAMP,
    states=["on lamp.10"],
    relations=["facing character.65 lamp.10"],
    actions=["TOUCH|PUSH"],
    plan=["turnto lamp.10", "touch lamp.10", "switchon lamp.10"],
)
GOLD = written("TURNTO lamp.10", "TOUCH lamp.10", "SWITCHON lamp.10")
OTHER = written("TURNTO lamp.10", "PUSH lamp.10", "SWITCHON lamp.10")


def met(result: Result) -> tuple[tuple[int, int], ...]:
    return tuple(result.count(kind) for kind in ("state", "relation", "action"))


# ---- which tasks count


@pytest.mark.parametrize("name", ["official", "strict"])
def test_a_missing_answer_fails_and_all_its_goals_count(name: str) -> None:
    result = evaluate(TASK, None, SUITE.semantics(name))
    assert result.status == "missing"
    assert not result.success
    assert not result.executable
    assert [finding.kind for finding in result.findings] == [ErrorKind.NO_ANSWER]
    assert met(result) == ((0, 1), (0, 1), (0, 1))


def test_an_empty_answer_is_an_answer() -> None:
    for semantics in (OFFICIAL, STRICT):
        result = evaluate(TASK, "", semantics)
        assert result.status == "evaluated"
        assert result.number_of(ErrorKind.PARSING) == 1


def test_two_relation_goals_exclude_a_task_whatever_the_answer() -> None:
    two = small_task(
        LAMP, relations=["facing character.65 lamp.10", "next_to character.65 lamp.10"]
    )
    for answer in (None, "", GOLD, OTHER):
        left_out = evaluate(two, answer, OFFICIAL)
        assert left_out.status == "excluded"
        assert "multi_relation_tasks_dropped" in left_out.notes[0]
        assert evaluate(two, answer, STRICT).status != "excluded"


def test_many_goals_of_other_kinds_exclude_nothing() -> None:
    task = small_task(LAMP, states=["on lamp.10", "clean lamp.10"], actions=["SWITCHON", "WASH"])
    answer = written("SWITCHON lamp.10", "WASH lamp.10")
    assert verdict(evaluate(task, answer, OFFICIAL)) == "solved"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (written("TURNTO lamp.10"), "solved"),
        (written("GRAB lamp.10"), "solved: stopped, affordance@1"),
        (written("GRAB sofa.3"), "failed: stopped, object_hallucination@1"),
        ("", "failed: stopped, parsing"),
        (None, "missing"),
    ],
)
def test_without_goal_a_plan_without_grammar_errors_is_enough(
    answer: str | None, expected: str
) -> None:
    task = small_task(LAMP)
    assert verdict(evaluate(task, answer, OFFICIAL)) == expected
    assert verdict(evaluate(task, answer, STRICT)) == "excluded"


# ---- the annotated plan


def test_the_annotated_plan_is_executable_but_meets_nothing() -> None:
    result = evaluate(TASK, GOLD, OFFICIAL)
    assert result.executable
    assert not result.success
    assert result.executed == ("done", "done", "done")
    assert met(result) == ((0, 1), (0, 1), (0, 1))
    assert {finding.kind for finding in result.findings} == {
        ErrorKind.STATE_GOAL,
        ErrorKind.RELATION_GOAL,
        ErrorKind.ACTION_GOAL,
    }
    assert any("gold_shortcut" in note for note in result.notes)


def test_the_annotated_plan_is_run_without_the_shortcut() -> None:
    for semantics in (NO_SHORTCUT, STRICT):
        result = evaluate(TASK, GOLD, semantics)
        assert verdict(result) == "solved"
        assert met(result) == ((1, 1), (1, 1), (1, 1))


@pytest.mark.parametrize(
    "answer",
    [
        OTHER,
        written("TURNTO lamp.10", "TOUCH lamp.10", "TOUCH lamp.10", "SWITCHON lamp.10"),
        written("TURNTO lamp.10", "LOOKAT lamp.10", "TOUCH lamp.10", "SWITCHON lamp.10"),
    ],
)
def test_other_plans_are_run(answer: str) -> None:
    assert verdict(evaluate(TASK, answer, OFFICIAL)) == "solved"


def test_the_annotated_plan_in_other_words_is_run() -> None:
    task = small_task(LAMP, actions=["LOOKAT"], plan=["turnto lamp.10", "lookat lamp.10"])
    result = evaluate(task, written("TURNTO lamp.10", "LOOKAT_MEDIUM lamp.10"), OFFICIAL)
    assert verdict(result) == "solved"
    assert UNLIKE in result.notes
    assert verdict(evaluate(task, written("TURNTO lamp.10", "LOOKAT lamp.10"), OFFICIAL)) == (
        "failed: action_goal"
    )


def test_annotated_plans_without_objects_are_never_found_equal_if_written_plainly() -> None:
    task = small_task(
        "sitting character.65; ontop character.65 chair.5; near chair.5",
        actions=["TOUCH"],
        plan=["standup", "touch chair.5"],
    )
    plain = '[{"STANDUP": []}, {"TOUCH": ["chair", "5"]}]'
    assert verdict(evaluate(task, plain, OFFICIAL)) == "solved"
    assert verdict(evaluate(task, plain.replace("[]", "[ ]"), OFFICIAL)) == "failed: action_goal"


# ---- what the published evaluator does not survive

CRASHES = {
    "lower case": written("switchon lamp.10"),
    "no executor": written("SWITCHON lamp.10", "LOOKAT_LONG lamp.10"),
    "putting back what was never taken": written("SWITCHON lamp.10", "PUTOBJBACK lamp.10"),
    "going to what is nowhere": written("SWITCHON lamp.10", "WALK ghost.9"),
}


@pytest.mark.parametrize("name", CRASHES)
def test_where_the_published_evaluator_stops_nothing_is_met(name: str) -> None:
    task = small_task(f"{LAMP}; person ghost.9", states=["on lamp.10"])
    result = evaluate(task, CRASHES[name], OFFICIAL)
    assert result.status == "evaluated"
    assert [finding.kind for finding in result.findings] == [
        ErrorKind.UNSCORABLE,
        ErrorKind.STATE_GOAL,
    ]
    assert not result.success
    assert not result.executable
    assert met(result) == ((0, 1), (0, 0), (0, 0))


@pytest.mark.parametrize("name", CRASHES)
def test_strict_scores_everything(name: str) -> None:
    task = small_task(f"{LAMP}; person ghost.9", states=["on lamp.10"])
    assert evaluate(task, CRASHES[name], STRICT).number_of(ErrorKind.UNSCORABLE) == 0


def test_unscorable_is_neither_a_grammar_nor_a_runtime_error() -> None:
    assert ErrorKind.UNSCORABLE not in {*GRAMMAR, *RUNTIME}
    assert ErrorKind.UNSCORABLE.official_key == ""


# ---- goals


def test_relation_goals_count_up_to_the_first_that_holds() -> None:
    semantics = SUITE.semantics("official", without=["multi_relation_tasks_dropped"])
    relations = [
        "inside character.65 bedroom.2",
        "facing character.65 lamp.10",
        "next_to character.65 lamp.10",
    ]
    task = small_task(LAMP, relations=relations)
    result = evaluate(task, written("TURNTO lamp.10"), semantics)
    assert [goal.met for goal in result.goals] == [False, True, False]
    assert evaluate(task, written("TURNTO lamp.10"), STRICT).count("relation") == (2, 3)


def test_action_goals_are_found_in_the_text_of_the_steps_that_were_done() -> None:
    task = small_task(LAMP, actions=["LOOKAT", "TURNTO"])
    answer = written("TURNTO lamp.10", "LOOKAT lamp.10", "TURNTO lamp.10")
    result = evaluate(task, answer, OFFICIAL)
    assert [goal.since for goal in result.goals] == [2, 3]
    reverse = written("LOOKAT lamp.10", "TURNTO lamp.10")
    assert evaluate(task, reverse, OFFICIAL).count("action") == (0, 2)


def test_after_an_action_goal_that_is_not_found_none_is_met() -> None:
    task = small_task(LAMP, actions=["GRAB", "TOUCH"])
    for semantics in (OFFICIAL, STRICT):
        assert evaluate(task, written("TOUCH lamp.10"), semantics).count("action") == (0, 2)


def test_steps_that_were_skipped_count_for_no_action_goal() -> None:
    task = small_task(LAMP, actions=["SWITCHOFF"])
    result = evaluate(task, written("SWITCHOFF lamp.10"), OFFICIAL)
    assert verdict(result) == "failed: additional_step@1, action_goal"
    assert result.executed == ("skipped",)


def test_an_execution_can_be_told_again_unless_the_answer_has_grammar_errors() -> None:
    execution = execution_of(SUITE, TASK, OTHER, OFFICIAL)
    assert execution is not None
    assert [step.action for step in execution.trajectory.steps] == [
        action("turnto lamp.10"),
        action("push lamp.10"),
        action("switchon lamp.10"),
    ]
    assert execution_of(SUITE, TASK, "nothing", OFFICIAL) is None


def test_other_abilities_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="juggling"):
        SUITE.evaluate("juggling", TASK, GOLD, OFFICIAL)
