"""``eai replan`` and ``eai ask``, as a user meets them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from command_line import call

from eai.acting import Agent, Answer, Ending
from eai.agents import Message, format_plan
from eai.errors import InputError, ModelError, OutputExistsError
from eai.integrations import openai_chat
from eai.predictions import load_all, load_predictions
from eai.suites.household import Household

HOUSEHOLD = Household()
TASKS = HOUSEHOLD.task_ids()[:3]


@pytest.fixture
def halves(tmp_path: Path) -> Path:
    path = tmp_path / "halves.jsonl"
    with path.open("w") as stream:
        for name in TASKS:
            plan = HOUSEHOLD.task(name).plans[0]
            text = format_plan("household", plan[: len(plan) // 2])
            stream.write(json.dumps({"id": name, "output": text}) + "\n")
    return path


class Model:
    """Stands for a live model."""

    def __init__(self, model: str, **_options: object) -> None:
        self.model = model

    def __call__(self, messages: Sequence[Message]) -> str:
        if self.model == "broken" and HOUSEHOLD.task(TASKS[1]).instruction in str(messages):
            raise ModelError("out of order")
        return "an answer"


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_chat, "ChatAgent", Model)


def test_first_and_last_attempts_are_shown_side_by_side(halves: Path, tmp_path: Path) -> None:
    output = tmp_path / "attempts.jsonl"
    done = call("replan", "household", "--first", halves, "--output", output)
    assert done.exit_code == 0, done.output
    assert "first attempt" in done.output
    assert "last attempt" in done.output
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert [line["task"] for line in lines] == list(TASKS)
    solved = [[a["result"]["success"] for a in line["attempts"]] for line in lines]
    assert solved == [[False, True]] * 3


@pytest.mark.usefixtures("halves")
def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    output = tmp_path / "attempts.jsonl"
    output.write_text("mine")
    done = call("replan", "household", TASKS[0], "--output", output, "-q")
    assert isinstance(done.exception, OutputExistsError)
    assert output.read_text() == "mine"


def test_an_agent_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stubborn_agent.py").write_text("def agent(messages):\n    return 'no'\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    output = tmp_path / "out.jsonl"
    arguments = ("--agent", "stubborn_agent:agent", "--max-attempts", 2, "-q", "-o", output)
    done = call("replan", "household", TASKS[0], *arguments)
    assert done.exit_code == 0, done.output
    assert [a["answer"] for a in json.loads(output.read_text())["attempts"]] == ["no", "no"]


@pytest.mark.parametrize("option", [("--max-attempts", 0), ("--failure-probability", 2)])
def test_options_out_of_range(option: tuple[str, object]) -> None:
    assert isinstance(call("replan", "household", TASKS[0], *option).exception, InputError)


@pytest.mark.usefixtures("live")
def test_a_live_model_replans(tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    done = call("replan", "household", TASKS[0], "--model", "tiny", "-q", "-o", output)
    assert done.exit_code == 0, done.output
    assert json.loads(output.read_text())["attempts"][2]["answer"] == "an answer"


@pytest.mark.usefixtures("live")
def test_answers_of_a_live_model_become_predictions(tmp_path: Path) -> None:
    output = tmp_path / "tiny.jsonl"
    first = call("ask", "household", "--model", "tiny", "-o", output, "--limit", 2)
    assert first.exit_code == 0, first.output
    again = call("ask", "household", "--model", "tiny", "-o", output, "--limit", 3, "-q")
    assert "1 answer written" in again.output
    third = call("ask", "household", "--model", "tiny", "-o", output, "--limit", 3, "-q", "--json")
    found = {"path": str(output), "asked": 0, "kept": 3, "usage": {}, "endings": {}}
    assert json.loads(third.stdout) == {**found, "failures": {}}
    assert list(load_predictions(output).items) == list(TASKS)


@pytest.mark.usefixtures("live")
def test_what_could_not_be_asked_is_named(tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    done = call("ask", "household", "--model", "broken", "-o", output, "--limit", 3)
    assert done.exit_code == 1
    assert f"{TASKS[1]}: out of order" in done.output


def test_samples_are_numbered_and_say_how_they_were_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, object]] = []

    def agent(_name: str, **options: object) -> Agent:
        asked.append(options)
        return lambda _: Answer("an answer", {"completion_tokens": 3}, "length")

    monkeypatch.setattr(openai_chat, "ChatAgent", agent)
    output = tmp_path / "tiny.jsonl"
    words = ("household", "--model", "tiny", "-o", output, "--limit", 2, "--samples", 2, "-q")
    sampling = ("--temperature", 0.5, "--max-tokens", 3, "--seed", 7, "--system", "Be brief.")
    more = (*sampling, "--option", "n=1", "--option", "service_tier=flex")
    done = call("ask", *words, *more)
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert sorted((line["epoch"], line["id"]) for line in lines) == [
        (number, task) for number in (1, 2) for task in TASKS[:2]
    ]
    given = {"temperature": 0.5, "max_tokens": 3, "seed": 7, "n": 1, "service_tier": "flex"}
    assert lines[0]["sampling"] == {**given, "system": "Be brief."}
    assert (lines[0]["usage"], lines[0]["finish_reason"]) == ({"completion_tokens": 3}, "length")
    assert [each["options"] for each in asked] == [given, {**given, "seed": 8}]
    assert [each["system"] for each in asked] == ["Be brief."] * 2
    assert "12 completion_tokens" in done.output
    assert "0 answers written" in call("ask", *words, *more).output
    other = call("ask", *words, "--temperature", 1)
    assert "with another sampling" in str(other.exception)
    assert [of.endings for of in load_all(output)] == [{Ending.CUT_OFF: list(TASKS[:2])}] * 2


def test_what_answers_took_and_how_they_ended_is_told_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    details: dict[str, str | bool] = {
        "refusal": True,
        "served_model": "tiny-7b",
        "reasoning_content": "It is unsafe.",
        "model": "another",
    }
    usage = {"completion_tokens": 1500, "reasoning_tokens": 5, "cost": 0.25}
    refused = Answer("No.", usage, "content_filter", details)
    monkeypatch.setattr(openai_chat, "ChatAgent", lambda *_, **__: lambda _: refused)
    output = tmp_path / "tiny.jsonl"
    done = call("ask", "household", "--model", "tiny", "-o", output, "--limit", 2, "--json")
    assert done.exit_code == 0, done.output
    tasks = [*TASKS[:2]]
    document = json.loads(done.stdout)
    assert {key: sorted(ids) for key, ids in document["endings"].items()} == {
        "filtered": tasks,
        "refused": tasks,
    }
    told = [line for line in done.stderr.splitlines() if TASKS[0] in line]
    assert ["content_filter" in line for line in told] == [True, False]
    assert "used: 3,000 completion_tokens, 10 reasoning_tokens, 0.5 cost" in done.stderr
    line = json.loads(output.read_text().splitlines()[0])
    assert (line["output"], line["finish_reason"]) == ("No.", "content_filter")
    assert (line["usage"], line["model"]) == (usage, "tiny")
    assert line.items() >= {**details, "model": "tiny"}.items()
    # Whoever evaluates the file is told of it as well.
    [predictions] = load_all(output)
    assert {of: sorted(ids) for of, ids in predictions.endings.items()} == {
        Ending.FILTERED: tasks,
        Ending.REFUSED: tasks,
    }


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("replan", "household", "-o", "attempts.jsonl"), "attempts.jsonl"),
        (("interact", "household", "-o", "acted"), "acted/transcripts.jsonl"),
    ],
)
def test_what_is_sampled_says_how(
    words: Sequence[str], file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(openai_chat, "ChatAgent", lambda *_, **__: lambda _messages: "no plan")
    done = call(*words, "--model", "m", "--limit", 1, "--temperature", 0.5, "--system", "Hi", "-q")
    assert done.exit_code == 0, done.output
    [line] = (tmp_path / file).read_text().splitlines()
    assert json.loads(line)["sampling"] == {"temperature": 0.5, "system": "Hi"}
