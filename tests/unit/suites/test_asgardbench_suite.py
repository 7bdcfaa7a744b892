"""The suite ``asgardbench``: tasks, episodes, evaluating answers again, reports."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from asgard_episodes import OFFICIAL, STRICT
from asgardbench_rooms import SLICES

import eai
from eai.acting import run_episode, write_answers
from eai.contract import is_interactive, own_oracle
from eai.contract.lint import lint_suite
from eai.contract.registry import suite as find_suite
from eai.diagnosis import ErrorKind, Result
from eai.errors import InputError, SchemaError, UnknownNameError
from eai.evaluation import evaluate
from eai.report.metrics.episodes import REFUSALS
from eai.semantics import Semantics
from eai.simulators import ThorFailure
from eai.suites.asgardbench.episodes import KINDS, REASONS, instance_of
from eai.suites.asgardbench.gate import ACTIONS
from eai.suites.asgardbench.instances import Goals, instance
from eai.suites.asgardbench.room import Refusal
from eai.suites.asgardbench.suite import AsgardBench
from eai.task import Task

TV = "turn_on_tv__FloorPlan202_V1"
POTATO = "cook__Potato_FloorPlan5_V1"
SUITE = AsgardBench()


def evaluated(answers: list[str], semantics: Semantics, task: str = TV) -> Result:
    return SUITE.evaluate("interaction", SUITE.task(task), write_answers(answers), semantics)


def oracle_answers(task_id: str, semantics: Semantics) -> list[str]:
    task = SUITE.task(task_id)
    environment = SUITE.environment(task, semantics)
    rules = SUITE.episode_rules(task, semantics)
    agent = own_oracle(SUITE, task, semantics, environment)
    assert agent is not None
    return [turn.answer for turn in run_episode(environment, agent, rules=rules).turns]


def test_the_suite_is_found_by_name_and_can_be_acted_in() -> None:
    found = find_suite("asgardbench")
    assert is_interactive(found)
    assert len(found.task_ids()) == 108
    assert list(found.abilities) == ["interaction", "recorded"]


def test_version_and_title_say_the_condition() -> None:
    assert "textual observation" in SUITE.version
    assert "textual observation" in SUITE.title


def test_a_task_has_its_instruction_its_family_and_its_goal() -> None:
    task = SUITE.task(POTATO)
    assert task.name == "microwave_potato"
    assert task.instruction == "Microwave a potato and serve it in a bowl"
    assert "potato" in task.goal.text
    assert instance_of(task) == instance(POTATO)
    assert {"Potato", "Bowl", "Microwave"} <= task.vocabulary.objects
    assert dict.fromkeys(ACTIONS, 1) == task.vocabulary.actions


def test_unknown_tasks_and_tasks_of_other_suites_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="turn_on"):
        SUITE.task("turn_on_tv__FloorPlan202_V2")
    household = find_suite("household")
    other = household.task(household.task_ids()[0])
    with pytest.raises(InputError, match="a task of another suite"):
        SUITE.environment(other, STRICT)


@pytest.mark.parametrize(
    ("goals", "setup", "says"),
    [
        (Goals(), (), "nothing to reach"),
        (Goals(kitchen_exit=True), (), "nothing to reach"),
        (Goals(state=(("Television", "isLit", True),)), (), "no flag named 'isLit'"),
        (Goals(state=(("Televison", "isToggled", True),)), (), "no type named 'Televison'"),
        (Goals(location=(("Mug", "Moon"),)), (), "no type named 'Moon'"),
        (Goals(contents_exact=(("DiningTable", ("Mugg",)),)), (), "no type named 'Mugg'"),
        (Goals(put_away=("Sofa",)), (), "no type with a home named 'Sofa'"),
        (Goals(action=("Eat Coffee",)), (), "no act named 'Eat Coffee'"),
        (
            instance(TV).goals,
            (("burn", "Television_3896d693"),),
            "no word of a set-up named 'burn'",
        ),
        (instance(TV).goals, (("dirty",),), "has 1 words"),
    ],
)
def test_an_own_instance_that_says_nothing_or_something_unknown_is_refused(
    goals: Goals, setup: tuple[tuple[str, ...], ...], says: str
) -> None:
    own = AsgardBench([replace(instance(TV), goals=goals, setup=setup)])
    with pytest.raises((SchemaError, UnknownNameError), match=says):
        own.task(TV)


@pytest.mark.parametrize("ask", [eai.repair, eai.causes])
def test_what_asks_for_plans_is_refused(ask: Callable[[Task, list[str]], object]) -> None:
    """The domain alone would switch the Television on without the remote control."""
    with pytest.raises(InputError, match="has no whole plans to evaluate"):
        ask(SUITE.task(TV), [])
    with pytest.raises(UnknownNameError, match="no ability named 'action_sequencing'"):
        eai.replan("asgardbench", TV, ["Action: TOGGLE_ON Television"])


@pytest.mark.parametrize("semantics", [OFFICIAL, STRICT], ids=str)
def test_the_answers_of_an_episode_are_evaluated_again(semantics: Semantics) -> None:
    answers = oracle_answers(POTATO, semantics)
    result = evaluated(answers, semantics, POTATO)
    assert result.success
    assert result.outcome == "success"
    assert result.groups == ("microwave_potato",)
    measures = {each.kind: (each.amount, each.base) for each in result.measures}
    assert measures["valid"] == (len(answers), len(answers))
    assert measures["step_ratio"] == (len(answers), instance(POTATO).reference_steps)
    assert measures["goals_reached"] == (8, 8)


def test_answers_may_be_a_list_of_lines() -> None:
    text = "\n".join(oracle_answers(TV, STRICT))
    assert SUITE.evaluate("interaction", SUITE.task(TV), text, STRICT).success


def test_without_an_answer_nothing_is_reached_but_what_holds_anyway() -> None:
    result = SUITE.evaluate("interaction", SUITE.task(POTATO), None, STRICT)
    assert result.status == "missing"
    assert sum(goal.met for goal in result.goals) == 6


def test_too_few_answers_end_the_episode() -> None:
    result = evaluated(oracle_answers(POTATO, STRICT)[:-2], STRICT, POTATO)
    assert not result.success
    assert result.outcome == "no_more_answers"


@pytest.mark.parametrize(
    ("answer", "kind", "measure"),
    [
        ("Action: FLY Mug", ErrorKind.ACTION_HALLUCINATION, "invalid_action"),
        ("Action: FIND Unicorn", ErrorKind.OBJECT_HALLUCINATION, "invalid_object"),
        ("I will look around now.\nThen I see.", ErrorKind.PARSING, "unparsable"),
        ("", ErrorKind.PARSING, "unparsable"),
        ("Action: FIND", ErrorKind.ARGUMENT_NUMBER, "unparsable"),
        ("Action: PUT Sofa", ErrorKind.MISSING_STEP, "undoable"),
    ],
)
def test_kinds_of_turn_errors(answer: str, kind: ErrorKind, measure: str) -> None:
    result = evaluated([answer] * 3, STRICT)
    assert {f.kind for f in result.findings if f.step} == {kind}
    found = {each.kind: (each.amount, each.base) for each in result.measures}
    assert found[measure] == (3, 3)


def test_the_same_answer_again_and_again_ends_the_episode() -> None:
    assert evaluated(["Action: FIND Sofa"] * 20, STRICT).outcome == "max_repeats"
    assert len(evaluated(["Action: FIND Sofa"] * 20, STRICT).plan) == 9
    assert len(evaluated(["Action: FIND Sofa"] * 20, OFFICIAL).plan) == 8


def test_every_code_has_a_kind_and_reasons_are_those_of_the_report() -> None:
    codes = {code.value for code in (*Refusal, *ThorFailure)}
    assert set(KINDS) == codes
    assert set(REASONS) <= codes
    assert set(REASONS.values()) == set(REFUSALS) - {"other"}
    unnamed = {code.value for code in Refusal} - set(REASONS)
    assert unnamed == {"INVALID_ACTION", "INVALID_OBJECT", "INVALID_RESPONSE"}


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("NOT_SLICEABLE", ErrorKind.AFFORDANCE),
        ("ALREADY_ON", ErrorKind.ADDITIONAL_STEP),
        ("HAND_FULL", ErrorKind.MISSING_STEP),
        ("NO_POSITION", ErrorKind.MISSING_STEP),
    ],
)
def test_kinds_of_refusals(code: str, kind: ErrorKind) -> None:
    assert KINDS[code] is kind


def test_to_look_for_what_was_sliced_is_to_name_no_object() -> None:
    steps = ("PICKUP Knife", "SLICE Tomato", "SLICE Tomato", "FIND Tomato")
    result = evaluated([f"Action: {step}" for step in steps], OFFICIAL, SLICES)
    again, looked = result.findings[:2]
    assert (again.kind, looked.kind) == (ErrorKind.ADDITIONAL_STEP, ErrorKind.OBJECT_HALLUCINATION)
    assert again.conditions == looked.conditions == ("ALREADY_SLICED",)
    shares = {each.kind: each.amount for each in result.measures}
    assert (shares["invalid_object"], shares["undoable"]) == (1, 1)


def test_a_report_names_condition_families_and_ends() -> None:
    chosen = AsgardBench([instance(TV), instance(POTATO)])
    answers = {TV: write_answers(oracle_answers(TV, STRICT))}
    report = evaluate(chosen, answers, ability="interaction", semantics="strict")
    text = " ".join(str(report).split())
    assert "textual observation" in text
    assert "turn_on_tv 1 of 1" in text
    assert "microwave_potato 0 of 1" in text
    found = {metric.key: metric for metric in report.metrics(report.models[0])}
    assert (found["task_success_rate"].numerator, found["task_success_rate"].denominator) == (1, 2)
    assert found["end_success"].numerator == 1


def test_where_no_plans_are_evaluated_no_annotation_is_faulty() -> None:
    chosen = AsgardBench([instance(TV)])
    assert list(lint_suite(chosen)) == []
    report = evaluate(chosen, {TV: "x"}, ability="interaction", semantics="strict", corrected=True)
    assert report.tally(report.models[0]).tasks == 1


def test_two_instances_of_one_name_are_refused() -> None:
    with pytest.raises(SchemaError, match=TV):
        AsgardBench([instance(TV), instance(TV)])
