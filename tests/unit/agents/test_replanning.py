"""Planning again: attempts, what is sent, what is kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

import eai
from eai.agents import Dialogue, Message, OracleAgent, ScriptedAgent, format_plan
from eai.diagnosis import Result
from eai.errors import InputError, UnknownNameError
from eai.report import Report, record_from_json, record_to_json
from eai.semantics import Semantics
from eai.suites.household import Household
from eai.task import Task

HOUSEHOLD = Household()
TASK = HOUSEHOLD.task("studio-05")
GOOD = format_plan("household", TASK.plans[0])
SHORT = format_plan("household", TASK.plans[0][:-1])


def test_an_agent_that_is_right_is_asked_once() -> None:
    result = eai.replan("household", "studio-05", ScriptedAgent([GOOD]))
    assert result.success
    assert [attempt.number for attempt in result.attempts] == [1]
    assert [message["role"] for message in result.messages] == ["user", "assistant"]
    assert "studio-05" in str(result)


def test_an_agent_that_fails_is_told_why_and_asked_again() -> None:
    seen: list[Sequence[Message]] = []

    def agent(messages: Sequence[Message]) -> str:
        seen.append(messages)
        return SHORT if len(seen) == 1 else GOOD

    result = eai.replan(HOUSEHOLD, TASK, agent)
    assert result.success
    assert [attempt.result.success for attempt in result.attempts] == [False, True]
    assert [message["role"] for message in seen[1]] == ["user", "assistant", "user"]
    assert seen[1][0] == seen[0][0]
    assert seen[1][1]["content"] == SHORT
    assert seen[1][2]["content"] == result.attempts[0].feedback


def test_a_stubborn_agent_is_asked_as_often_as_allowed() -> None:
    result = eai.replan(HOUSEHOLD, TASK, ScriptedAgent([SHORT]), max_attempts=4)
    assert not result.success
    assert len(result.attempts) == 4


def test_the_paper_sends_one_message_with_all_attempts() -> None:
    dialogue = Dialogue(HOUSEHOLD, TASK, form="paper", prompt="Do it.")
    dialogue.submit(SHORT)
    dialogue.submit("no plan at all")
    (message,) = dialogue.messages
    assert message["role"] == "user"
    assert message["content"].startswith("Do it.\n\nAttempt 1. ")
    assert "Attempt 2. The predicted action sequence was no plan at all" in message["content"]
    assert dialogue.attempts[0].feedback in message["content"]


def test_everything_is_kept_as_json() -> None:
    agent = ScriptedAgent(["nonsense"], then=ScriptedAgent([GOOD]))
    result = eai.replan(HOUSEHOLD, TASK, agent, level="kind")
    line = result.to_json()
    assert line.isascii()
    assert "\n" not in line
    value = json.loads(line)
    assert value["level"] == "kind"
    assert [a["result"]["success"] for a in value["attempts"]] == [False, True]
    assert value["attempts"][0]["result"]["findings"][0]["kind"] == "parsing"
    assert value["messages"][-1] == {"role": "assistant", "content": GOOD}


def test_attempts_become_records_of_a_report() -> None:
    result = eai.replan(HOUSEHOLD, TASK, ScriptedAgent([SHORT, GOOD]))
    first, last = result.record("once", attempt=1), result.record("again")
    assert record_from_json(record_to_json(first)) == first
    assert (first.result.success, last.result.success) == (False, True)
    assert result.record(attempt=9) == result.record()
    assert len(Report([first, last]).records) == 2
    with pytest.raises(InputError, match="attempt 0"):
        result.record(attempt=0)


def test_a_finished_dialogue_takes_no_answer() -> None:
    dialogue = Dialogue(HOUSEHOLD, TASK)
    with pytest.raises(InputError, match="no attempts yet"):
        _ = dialogue.result
    dialogue.submit(GOOD)
    with pytest.raises(InputError, match="finished"):
        dialogue.submit(GOOD)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"max_attempts": 0}, InputError),
        ({"failure_probability": 1.5}, InputError),
        ({"failure_probability": float("nan")}, InputError),
        ({"level": "loud"}, UnknownNameError),
        ({"form": "song"}, UnknownNameError),
        ({"semantics": "lenient"}, UnknownNameError),
    ],
)
def test_what_makes_no_sense_is_refused_before_the_agent_is_asked(
    options: dict[str, object], error: type[Exception]
) -> None:
    def agent(_: Sequence[Message]) -> str:
        raise AssertionError

    with pytest.raises(error):
        eai.replan(HOUSEHOLD, TASK, agent, **options)  # type: ignore[arg-type]


def test_an_answer_that_is_no_text_is_refused() -> None:
    with pytest.raises(InputError, match="not text"):
        eai.replan(HOUSEHOLD, TASK, lambda _: None)  # type: ignore[arg-type, return-value]


def test_a_task_that_does_not_count_is_not_tried_again() -> None:
    class Picky(Household):
        def evaluate(
            self, ability: str, task: Task, answer: str | None, semantics: Semantics
        ) -> Result:
            result = super().evaluate(ability, task, answer, semantics)
            return replace(result, status="excluded", success=False)

    result = eai.replan(Picky(), "studio-05", ScriptedAgent([GOOD]), failure_probability=0.5)
    assert len(result.attempts) == 1
    assert not result.success


def test_a_script_needs_an_answer() -> None:
    with pytest.raises(InputError, match="script"):
        ScriptedAgent([])


@pytest.mark.heavy
@pytest.mark.parametrize("semantics", ["strict", "official"])
def test_the_oracle_lifts_broken_plans_to_the_rate_of_annotated_plans(semantics: str) -> None:
    gold = broken = mended = 0
    for name in HOUSEHOLD.task_ids():
        task = HOUSEHOLD.task(name)
        plan = task.plans[0]
        first = format_plan("household", plan[: len(plan) // 2])
        agent = ScriptedAgent([first], then=OracleAgent(HOUSEHOLD, task, semantics=semantics))
        result = eai.replan(HOUSEHOLD, task, agent, semantics=semantics, max_attempts=2, prompt="")
        answer = format_plan("household", plan)
        meaning = HOUSEHOLD.semantics(semantics)
        gold += HOUSEHOLD.evaluate("action_sequencing", task, answer, meaning).success
        broken += result.attempts[0].result.success
        mended += result.success
    assert broken < 0.1 * gold
    assert mended == gold == len(HOUSEHOLD.task_ids())


@pytest.mark.heavy
def test_the_oracle_finds_plans_by_itself() -> None:
    for name in ("studio-05", "studio-17", "flat-04"):
        agent = OracleAgent(HOUSEHOLD, name, annotated=False)
        assert eai.replan(HOUSEHOLD, name, agent, max_attempts=1).success
