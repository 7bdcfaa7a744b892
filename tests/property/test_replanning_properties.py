"""What holds of every replanning, whatever the agent does."""

from __future__ import annotations

import json
from functools import cache

from hypothesis import given, settings, strategies as st

import eai
from eai.agents import (
    FORMS,
    LEVELS,
    Assignment,
    Form,
    Level,
    ScriptedAgent,
    format_plan,
)
from eai.agents.replanning import Chance
from eai.world import Action

NAMES = ("studio-01", "studio-05", "flat-03", "house-07", "cottage-11")
SEMANTICS = ("strict", "official")


@cache
def assignment(name: str, semantics: str) -> Assignment:
    return Assignment.of("household", name, semantics)


@st.composite
def plans(draw: st.DrawFn, given: Assignment) -> list[Action]:
    """The annotated plan with steps left out, said twice or replaced."""
    task = given.task
    steps = list(task.plans[0])
    objects = st.sampled_from(sorted(task.vocabulary.objects))
    found: list[Action] = []
    for step in steps:
        change = draw(st.sampled_from(["keep", "keep", "keep", "drop", "twice", "other"]))
        if change == "other":
            found.append(Action(step.name, tuple(draw(objects) for _ in step.arguments)))
        else:
            found += [step] * {"drop": 0, "keep": 1, "twice": 2}[change]
    return found


@st.composite
def cases(draw: st.DrawFn) -> tuple[Assignment, str]:
    chosen = assignment(draw(st.sampled_from(NAMES)), draw(st.sampled_from(SEMANTICS)))
    if draw(st.integers(0, 4)) == 0:
        return chosen, draw(st.text(max_size=60))
    return chosen, format_plan("household", draw(plans(chosen)))


@settings(max_examples=60)
@given(cases(), st.sampled_from([0.0, 0.3, 1.0]), st.integers(0, 5))
def test_chance_only_cuts_a_plan_short(
    case: tuple[Assignment, str], probability: float, seed: int
) -> None:
    chosen, answer = case
    whole = chosen.evaluate(answer)
    result, failed = Chance(probability, seed).evaluate(chosen, answer, 1)
    assert result.plan == whole.plan
    if failed is None:
        assert result == whole
        return
    assert whole.executed[failed - 1] == "done"
    assert result.executed[: failed - 1] == whole.executed[: failed - 1]
    assert result.executed[failed - 1] == "failed"
    assert not result.executable
    steps = [f for f in whole.findings if f.step is not None and f.step < failed]
    assert [f for f in result.findings if f.step is not None] == steps
    # What is reached is what the part before reaches by itself.
    execution = chosen.execution(answer)
    assert execution is not None
    before = [s.action for s in execution.trajectory.steps if s.number < failed]
    alone = chosen.evaluate(format_plan("household", before))
    assert [goal.met for goal in result.goals] == [goal.met for goal in alone.goals]


@settings(max_examples=60)
@given(
    cases(),
    st.lists(st.text(max_size=20), max_size=3),
    st.sampled_from(LEVELS),
    st.sampled_from(FORMS),
    st.integers(1, 4),
)
def test_a_replanning_is_whole_and_can_be_kept(
    case: tuple[Assignment, str], others: list[str], level: Level, form: Form, most: int
) -> None:
    chosen, answer = case
    result = eai.replan(
        chosen.suite,
        chosen.task,
        ScriptedAgent([*others, answer]),
        semantics=chosen.semantics,
        max_attempts=most,
        level=level,
        form=form,
        prompt="Plan.",
    )
    evaluated = [attempt.result.success for attempt in result.attempts]
    assert not any(evaluated[:-1])
    assert evaluated[-1] or len(evaluated) == most
    assert [bool(attempt.feedback) for attempt in result.attempts] == [not ok for ok in evaluated]
    assert json.loads(result.to_json())["task"] == chosen.task.id
    sent = "\n".join(message["content"] for message in result.messages)
    assert all(attempt.feedback in sent for attempt in result.attempts[:-1])
    assert result.messages[-1]["content"] == result.attempts[-1].answer
