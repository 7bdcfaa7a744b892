"""Answers collected into a file of predictions."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from eai.agents import collect_answers
from eai.agents.agents import Message
from eai.agents.prompts import Prompt
from eai.errors import InputError, ModelError, SchemaError
from eai.predictions import load_predictions

PROMPTS = [Prompt(f"task-{i}", "household", "action_sequencing", f"do {i}") for i in range(12)]


class Echo:
    """Answers what it was asked, and remembers it; some prompts it cannot be asked."""

    def __init__(self, *broken: str) -> None:
        self.asked: list[str] = []
        self.broken = broken
        self._lock = threading.Lock()

    def __call__(self, messages: Sequence[Message]) -> str:
        (message,) = messages
        with self._lock:
            self.asked.append(message["content"])
        if message["content"] in self.broken:
            raise ModelError("out of order")
        return f"answer to {message['content']}"


def test_all_prompts_are_answered_in_a_file_of_predictions(tmp_path: Path) -> None:
    done: list[tuple[int, int]] = []
    path = tmp_path / "echo.jsonl"
    found = collect_answers(
        Echo(), PROMPTS, path=path, model="echo", progress=lambda *step: done.append(step)
    )
    assert (found.asked, found.kept, dict(found.failures)) == (12, 0, {})
    read = load_predictions(path)
    assert read.model == "echo"
    assert read.items == {f"task-{i}": f"answer to do {i}" for i in range(12)}
    assert not read.problems
    assert done[-1] == (12, 12)


def test_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "echo.jsonl"
    collect_answers(Echo(), PROMPTS[:5], path=path, model="echo")
    # A run that was killed while it wrote leaves half a line.
    whole = path.read_bytes()
    path.write_bytes(whole[:-7])
    again = Echo()
    found = collect_answers(again, PROMPTS, path=path, model="echo", workers=1)
    assert (found.asked, found.kept) == (8, 4)
    assert len(again.asked) == 8
    assert len(load_predictions(path).items) == 12
    assert not load_predictions(path).problems


def test_what_could_not_be_asked_is_left_out_and_asked_next_time(tmp_path: Path) -> None:
    path = tmp_path / "echo.jsonl"
    found = collect_answers(Echo("do 3", "do 7"), PROMPTS, path=path, model="echo", workers=1)
    assert found.failures == {"task-3": "out of order", "task-7": "out of order"}
    assert collect_answers(Echo(), PROMPTS, path=path, model="echo").asked == 2


def test_a_model_that_is_out_of_order_is_not_asked_on_and_on(tmp_path: Path) -> None:
    agent = Echo(*(prompt.prompt for prompt in PROMPTS))
    with pytest.raises(ModelError, match="out of order"):
        collect_answers(agent, PROMPTS, path=tmp_path / "x.jsonl", model="echo", workers=1)
    assert len(agent.asked) == 5


def test_an_agent_that_cannot_be_used_is_not_asked_again(tmp_path: Path) -> None:
    def agent(_: Sequence[Message]) -> str:
        raise InputError("the key is wrong")

    with pytest.raises(InputError, match="key"):
        collect_answers(agent, PROMPTS, path=tmp_path / "x.jsonl", model="x")


def test_files_of_others_are_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "echo.jsonl"
    collect_answers(Echo(), PROMPTS[:2], path=path, model="echo")
    with pytest.raises(InputError, match="from the model 'echo'"):
        collect_answers(Echo(), PROMPTS, path=path, model="other")
    changed = [Prompt("task-0", "household", "action_sequencing", "do something else")]
    with pytest.raises(InputError, match="another prompt"):
        collect_answers(Echo(), changed, path=path, model="echo")
    path.write_text('{"id": "task-0", "output": "by hand"}\n')
    with pytest.raises(SchemaError, match="collected"):
        collect_answers(Echo(), PROMPTS, path=path, model="echo")
    assert collect_answers(Echo(), PROMPTS, path=path, model="echo", force=True).asked == 12


def test_answers_may_hold_anything(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    collect_answers(lambda _: "a\nb\ud800\u2028\0", PROMPTS[:1], path=path, model="x")
    (line,) = path.read_text("ascii").splitlines()
    assert json.loads(line)["output"] == "a\nb\ud800\u2028\0"


def test_places_and_numbers_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder"):
        collect_answers(Echo(), PROMPTS, path=tmp_path, model="echo")
    with pytest.raises(InputError, match="workers"):
        collect_answers(Echo(), PROMPTS, path=tmp_path / "x", model="echo", workers=0)


def test_an_agent_that_answers_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mute.jsonl"
    with pytest.raises(InputError, match="an answer is NoneType, not text"):
        collect_answers(lambda _: None, PROMPTS, path=path, model="mute")  # type: ignore[arg-type, return-value]
    assert path.read_text(encoding="utf-8") == ""
