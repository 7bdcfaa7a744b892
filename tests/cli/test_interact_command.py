"""``eai interact``, as a user meets it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from command_line import call

from eai.agents import Message
from eai.errors import ModelError, UnknownNameError
from eai.integrations import openai_chat
from eai.suites.household import Household

TASKS = Household().task_ids()[:2]


def test_an_oracle_acts_and_its_transcripts_are_evaluated_again(tmp_path: Path) -> None:
    acted = call("interact", "household", *TASKS, "-q", "-o", tmp_path)
    assert (acted.exit_code, acted.output) == (0, "")
    script = tmp_path / "transcripts.jsonl"
    again = call("interact", "household", *TASKS, "--agent", f"scripted:{script}", "--json")
    assert again.exit_code == 0
    found = json.loads(again.stdout)
    metrics = found["models"]["transcripts"]["metrics"]
    assert metrics["task_success_rate"]["value"] == 100.0
    assert found["semantics"] == "strict"
    evaluated = call("evaluate", "household", script, "--ability", "interaction", "-q")
    assert evaluated.exit_code == 0


def test_a_table_is_shown_and_the_run_says_how_the_agent_was_told(tmp_path: Path) -> None:
    words = ("--agent", "random", "--feedback", "none", "--view", "near", "--forgetful")
    shown = call("interact", "household", TASKS[0], *words, "-o", tmp_path)
    assert shown.exit_code == 0
    assert "How episodes end" in shown.stdout
    run = json.loads((tmp_path / "run.json").read_text())
    assert run["models"] == ["random (feedback none, view near, forgetful)"]


def test_answers_of_other_tasks_are_not_taken(tmp_path: Path) -> None:
    script = tmp_path / "one.jsonl"
    script.write_text(json.dumps({"id": TASKS[0], "output": "Action: STANDUP"}) + "\n")
    found = call("interact", "household", *TASKS, "--agent", f"scripted:{script}", "--json")
    ends = json.loads(found.stdout)["models"]["one"]["metrics"]
    assert ends["end_no_more_answers"]["value"] == 100.0


def test_an_agent_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bored_agent.py").write_text("def agent(messages):\n    return 'no'\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = call("interact", "household", TASKS[0], "--agent", "bored_agent:agent", "--json")
    ends = json.loads(found.stdout)["models"]["bored_agent:agent"]["metrics"]
    assert ends["end_max_repeats"]["value"] == 100.0


class Model:
    """Stands for a live model."""

    def __init__(self, model: str, **_options: object) -> None:
        self.model = model

    def __call__(self, _messages: Sequence[Message]) -> str:
        if self.model == "broken":
            raise ModelError("out of order")
        return "no"


def test_a_model_that_cannot_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_chat, "ChatAgent", Model)
    found = call("interact", "household", TASKS[0], "--model", "broken", "-q")
    assert found.exit_code == 1
    assert f"{TASKS[0]}: out of order" in found.stderr
    assert call("interact", "household", TASKS[0], "--model", "broken").exit_code == 1
    assert call("interact", "household", TASKS[0], "--model", "dull", "-q").exit_code == 0


def test_names_that_are_not_known() -> None:
    for words in (("moon",), (TASKS[0], "--view", "x-ray"), (TASKS[0], "--agent", "me")):
        assert isinstance(call("interact", "household", *words, "-q").exception, UnknownNameError)
    assert call("interact", "household", "--feedback", "loud").exit_code == 2


@pytest.mark.parametrize("command", ["interact", "replan"])
def test_a_task_that_is_named_twice_is_done_once(command: str) -> None:
    done = call(command, "household", TASKS[0], TASKS[0], "--json")
    assert done.exit_code == 0, done.output
    tasks = [each["tasks"] for each in json.loads(done.stdout)["models"].values()]
    assert set(tasks) == {1}


def test_transcripts_are_not_taken_for_plans_by_mistake(tmp_path: Path) -> None:
    call("interact", "household", TASKS[0], "-q", "-o", tmp_path)
    script = tmp_path / "transcripts.jsonl"
    told = str(call("evaluate", "household", script).exception)
    assert "these are transcripts" in told
    assert "hint: --ability interaction" in told
    assert call("evaluate", "household", script, "--ability", "action_sequencing").exit_code == 0
