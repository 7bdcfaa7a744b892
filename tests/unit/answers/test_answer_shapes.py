"""Shapes of answers, written by somebody who knows models and not the reader, are read rightly."""

from __future__ import annotations

import pytest
from answer_shapes import DECISIONS, NEGATIVES, SHAPES, Step
from answer_words import in_words

import eai
from eai.world import Action

SUITE = eai.suite("household")
STRICT = SUITE.semantics("strict")
TASKS = tuple(map(SUITE.task, ("studio-02", "studio-04", "studio-12")))


def written(plan: tuple[Action, ...]) -> list[Step]:
    """Return the steps of a plan in the notation of the suite, and in words."""
    steps = []
    for action in plan:
        name = action.name.upper()
        call = f"{name}({', '.join(action.arguments)})"
        words = in_words(action.name, action.arguments)
        steps.append(Step(name, action.arguments, call, words))
    return steps


PLANS = [(task, written(task.plans[0])) for task in TASKS]


def succeeds(task: eai.Task, text: str) -> bool:
    return SUITE.evaluate("action_sequencing", task, text, STRICT).success


@pytest.mark.parametrize("name", list(SHAPES))
def test_a_right_plan_is_read_in_every_shape(name: str) -> None:
    shape = SHAPES[name]
    for task, steps in PLANS:
        assert succeeds(task, shape(steps)), task.id


@pytest.mark.parametrize("name", list(DECISIONS))
def test_of_two_plans_the_one_that_is_meant_is_run(name: str) -> None:
    for task, steps in PLANS:
        for wrong in (steps[:-1], steps[::-1]):
            assert succeeds(task, DECISIONS[name](steps, wrong)), task.id
            assert not succeeds(task, DECISIONS[name](wrong, steps)), task.id


@pytest.mark.parametrize("name", list(NEGATIVES))
def test_a_plan_that_is_not_given_as_the_answer_is_not_run(name: str) -> None:
    for task, steps in PLANS:
        assert not succeeds(task, NEGATIVES[name](steps)), task.id
