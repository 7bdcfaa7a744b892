"""The whole name of an object counts, and so do ordinals before it and words joined to it."""

from __future__ import annotations

import pytest

import eai
from eai.answers import bind, read_answer
from eai.diagnosis import ErrorKind
from eai.suites.pddl import Pddl

HOUSE = eai.suite("household").task("studio-01").readable
ALFRED = eai.suite("eb-alfred")
HABITAT = eai.suite("eb-habitat")
DOMAIN = """
(define (domain yard)
  (:predicates (at ?x))
  (:action haul :parameters (?x) :effect (at ?x)))
"""
PROBLEM = """
(define (problem yard-1)
  (:domain yard)
  (:objects crate pallet)
  (:init)
  (:goal (at crate)))
"""
YARD = Pddl.from_texts("yard", DOMAIN, {"yard-1": PROBLEM}).task("yard-1").readable


def plan_of(suite: object, task: str, answer: str) -> tuple[list[str], list[str]]:
    """Return the steps of a plan, and the codes of what is wrong with its names."""
    result = suite.evaluate(  # type: ignore[attr-defined]
        "action_sequencing",
        suite.task(task),  # type: ignore[attr-defined]
        answer,
        suite.semantics("strict"),  # type: ignore[attr-defined]
    )
    codes = [finding.kind.value for finding in result.findings]
    return list(map(str, result.plan or ())), [code for code in codes if "hallucination" in code]


@pytest.mark.parametrize(
    "form", ["1. find {}", '["find a {}"]', "(find {})", "find({})", '[["find", "{}"]]']
)
@pytest.mark.parametrize("name", ["Bread_2_BreadSliced_3", "Egg_EggCracked_0", "Cabinet_2"])
def test_a_name_that_begins_with_another_is_read_as_a_whole(form: str, name: str) -> None:
    steps, unknown = plan_of(ALFRED, "base/0", form.format(name))
    assert steps == [f"find({name})"]
    assert not unknown


@pytest.mark.parametrize(
    "answer",
    [
        '[["nav", "refrigerator_push_point"]]',
        '{"nav": "refrigerator_push_point"}',
        '[{"action": "nav", "object": "refrigerator_push_point"}]',
        '<step action="nav" object="refrigerator_push_point"/>',
        "nav(refrigerator_push_point)",
        "1. navigate to the refrigerator push point",
    ],
)
def test_the_name_of_an_object_is_not_that_of_a_skill_about_another(answer: str) -> None:
    task = next(iter(HABITAT.task_ids()))
    assert plan_of(HABITAT, task, answer)[0] == ["nav(refrigerator_push_point)"]


@pytest.mark.parametrize(
    "answer", ["1. find Cabinet_9", "find a Cabinet_Shelf_3", "1. find Cabinet_2_Shelf"]
)
def test_an_unknown_instance_is_not_its_type(answer: str) -> None:
    assert plan_of(ALFRED, "base/0", answer)[1] == ["object_hallucination"]


@pytest.mark.parametrize(
    "answer", ["walk to the fridge_shelf", "walk to fridge_door", "walk to the sink-cupboard"]
)
def test_what_is_joined_to_the_name_of_a_class_is_part_of_a_name(answer: str) -> None:
    findings = bind(read_answer(answer, HOUSE), HOUSE).findings
    assert [finding.kind.value for finding in findings] == ["object_hallucination"]


def test_what_is_joined_to_a_name_in_pddl_is_part_of_it() -> None:
    findings = bind(read_answer("haul the crate-lid", YARD), YARD).findings
    assert [finding.kind.value for finding in findings] == ["object_hallucination"]


def test_objects_that_are_joined_by_a_preposition_are_two() -> None:
    answer = "putin cheese.43_in_fridge.40"
    assert list(map(str, read_answer(answer, HOUSE).steps)) == ["putin(cheese.43, fridge.40)"]


def test_an_ordinal_chooses_among_the_objects_of_a_class() -> None:
    assert plan_of(ALFRED, "base/0", "pick up the 2nd mug")[0] == ["pick(Mug_2)"]
    assert plan_of(ALFRED, "base/0", "find the second cabinet")[0] == ["find(Cabinet_2)"]
    steps = read_answer("walk to the second light", HOUSE).steps
    assert list(map(str, steps)) == ["walk(light.84)"]


def test_an_ordinal_beyond_the_objects_of_a_class_is_an_unknown_object() -> None:
    assert plan_of(ALFRED, "base/0", "find the ninth cabinet")[1] == ["object_hallucination"]
    findings = bind(read_answer("walk to the third light", HOUSE), HOUSE).findings
    assert [finding.kind.value for finding in findings] == ["object_hallucination"]


def test_an_ordinal_that_counts_steps_is_none_of_objects() -> None:
    answer = "First, walk to the light. Second, walk to the sink."
    bound = bind(read_answer(answer, HOUSE), HOUSE)
    assert list(map(str, bound.actions)) == ["walk(light.34)", "walk(sink.50)"]


def test_another_object_of_a_class_is_noted() -> None:
    assert read_answer("walk to another light", HOUSE).notes


@pytest.mark.parametrize(
    "told",
    [
        "the light (light.34)",
        "light (light.34)",
        "the light, light.34,",
        "the light: light.34",
        "the light = light.34",
        "the light i.e. light.34",
        "the light (id light.34)",
        "the light named light.34",
        "the light called light.34",
    ],
)
@pytest.mark.parametrize(
    "line", ["1. Walk to {} and switch it on", "1. go to {} then switch on the light.34"]
)
def test_an_object_told_by_its_class_and_its_name_is_one(told: str, line: str) -> None:
    bound = bind(read_answer(line.format(told), HOUSE), HOUSE)
    assert [str(action) for action in bound.actions] == ["walk(light.34)", "switchon(light.34)"]
    assert not bound.findings
    steps = read_answer(line.format(told), HOUSE).steps
    assert {step.arguments for step in steps} == {("light.34",)}


@pytest.mark.parametrize("label", ["Object", "Action Input", "Target"])
@pytest.mark.parametrize(
    ("words", "argument", "is_known"),
    [
        ("light.34", "light.34", True),
        ("the light", "light", True),
        ("the big light over there", "light", True),
        ("unicorn.7", "unicorn.7", False),
        ("the unicorn", "the unicorn", False),
    ],
)
def test_a_line_below_an_action_says_its_object(
    label: str, words: str, argument: str, is_known: bool
) -> None:
    answer = f"Action: walk\n{label}: {words}\nAction: switchon\n{label}: {words}"
    reading = read_answer(answer, HOUSE)
    assert [str(step) for step in reading.steps] == [f"walk({argument})", f"switchon({argument})"]
    findings = bind(reading, HOUSE).findings
    assert [finding.kind for finding in findings] == (
        [] if is_known else [ErrorKind.OBJECT_HALLUCINATION] * 2
    )
