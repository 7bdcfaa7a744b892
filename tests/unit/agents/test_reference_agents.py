"""The usual ways to let a model act, with models that are scripted."""

from __future__ import annotations

import io
import pickle
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

import eai
from eai.acting import Answer
from eai.agents import (
    REFERENCE_AGENTS,
    TRANSCRIPTS,
    Assignment,
    HumanAgent,
    Interaction,
    Message,
    ThinkingAgent,
    interact_all,
    reference_agent,
)
from eai.errors import InputError, ModelError, UnknownNameError

SUITE = eai.suite("household")
STRICT = SUITE.semantics("strict")
SOLUTION = ["Action: WALK light.34", "Action: SWITCHON light.34"]


def assigned(task: str = "studio-01", suite: str = "household") -> Assignment:
    return Assignment.of(suite, task, None)


class Scripted:
    """Gives one answer after the other and keeps what it was sent."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.sent: list[str] = []

    def __call__(self, messages: Sequence[Message]) -> str:
        self.sent.append(messages[-1]["content"])
        return self.answers.pop(0)


def test_thoughts_are_asked_for_and_repeated() -> None:
    model = Scripted(f"Thought: I am far away.\n{SOLUTION[0]}", f"Thought: near.\n{SOLUTION[1]}")
    acted = eai.interact(SUITE, "studio-01", ThinkingAgent(model))
    assert acted.success
    assert "Your thoughts so far" not in model.sent[0]
    assert "1. I am far away." in model.sent[1]
    assert "'Thought:'" in model.sent[0]


def test_the_planner_reaches_the_goal_that_the_model_writes() -> None:
    model = Scripted("It has to be lit.\nGoal: on(light.34)")
    agent = reference_agent("llm+p", model, assigned())
    acted = eai.interact(SUITE, "studio-01", agent)
    assert acted.success
    assert "Switch on the light" in model.sent[0]
    assert len(model.sent) == 1


@pytest.mark.parametrize("goal", ["Goal: shining(light.34)", "I do not know", "Goal: on(light.99)"])
def test_a_goal_that_is_none_leads_to_no_action(goal: str) -> None:
    acted = eai.interact(SUITE, "studio-01", reference_agent("llm+p", Scripted(goal), assigned()))
    assert not acted.success
    assert {turn.code for turn in acted.episode.turns} == {"parsing"}


def test_a_suite_without_plans_has_no_planner() -> None:
    with pytest.raises(InputError, match="nothing to plan in"):
        reference_agent("llm+p", Scripted(), assigned("turn_on_tv__FloorPlan202_V1", "asgardbench"))
    with pytest.raises(UnknownNameError):
        reference_agent("wizard", Scripted(), assigned())
    model = Scripted()
    assert reference_agent("plain", model, assigned()) is model
    assert set(REFERENCE_AGENTS) == {"plain", "react", "replan", "llm+p"}


def test_a_human_sees_what_is_new_and_may_leave() -> None:
    lines, screen = iter(["WALK light.34", "SWITCHON light.34"]), io.StringIO()
    agent = HumanAgent(lambda _: next(lines), screen=screen)
    assert eai.interact(SUITE, "studio-01", agent).success
    assert screen.getvalue().count("## Task") == 1
    assert "1. WALK light.34: Success" in screen.getvalue()

    def leave(_: str) -> str:
        raise EOFError

    with pytest.raises(ModelError, match="left"):
        HumanAgent(leave, screen=screen)([{"role": "user", "content": ""}])


def test_usage_and_the_reason_to_stop_stand_in_the_transcript() -> None:
    answers = iter(
        [Answer(SOLUTION[0], {"prompt_tokens": 7}, "stop"), Answer(SOLUTION[1], {}, "length")]
    )
    acted = eai.interact(SUITE, "studio-01", lambda _: next(answers))
    text = acted.to_json()
    assert '"usage": {"prompt_tokens": 7}, "finish_reason": "stop"' in text
    assert '"finish_reason": "length"' in text
    again = pickle.loads(pickle.dumps(acted.episode.turns[0].answer))
    assert (again, again.usage) == (SOLUTION[0], {"prompt_tokens": 7})


def slow(task: str) -> object:
    time.sleep(0.001 * (hash(task) % 7))
    return eai.interact(SUITE, task, "random", seed=3)


def test_several_workers_write_the_same_files_as_one(tmp_path: Path) -> None:
    tasks, threads = list(SUITE.task_ids()[:8]), set[int]()

    def act(task: str) -> Interaction:
        threads.add(threading.get_ident())
        return slow(task)  # type: ignore[return-value]

    for workers in (1, 4):
        interact_all(
            SUITE,
            tasks,
            act,
            semantics=STRICT,
            model="random",
            output=tmp_path / str(workers),
            workers=workers,
        )
    assert len(threads) > 1
    for name in ("records.jsonl", TRANSCRIPTS, "table.csv", "report.html"):
        one, four = ((tmp_path / str(n) / name).read_bytes() for n in (1, 4))
        assert one == four, name
    with pytest.raises(InputError, match="0 workers"):
        interact_all(SUITE, tasks, act, semantics=STRICT, model="m", workers=0)


def test_several_workers_go_on_where_they_stopped(tmp_path: Path) -> None:
    tasks, asked = list(SUITE.task_ids()[:6]), list[str]()

    def failing(task: str) -> Interaction:
        asked.append(task)

        def agent(_: object) -> str:
            if task == tasks[2] and asked.count(task) == 1:
                raise ModelError("busy")
            return "Action: STANDUP"

        return eai.interact(SUITE, task, agent)

    found = [
        interact_all(SUITE, tasks, failing, semantics=STRICT, model="m", output=tmp_path, workers=3)
        for _ in range(2)
    ]
    assert dict(found[0].failures) == {tasks[2]: "busy"}
    assert asked.count(tasks[2]) == 2
    assert len(asked) == 7
    assert [record.task for record in found[1].report.records] == tasks
