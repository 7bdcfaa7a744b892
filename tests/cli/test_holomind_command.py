"""``eai interact --agent holomind``: parts left out, modules driven by models, runs that go on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import Done, call
from fake_endpoint import Endpoint, said, serving
from needs import package

TASK = "dine-000/detailed"
FILES = ("transcripts.jsonl", "records.jsonl", "run.json", "table.csv")


def acted(
    output: Path, *words: object, task: str = TASK
) -> tuple[Done, Sequence[Mapping[str, Any]]]:
    """Act in a task; return how the command ended, and the log of the agent."""
    done = call("interact", "longact", task, "-q", "-o", output, *words)
    path = output / "transcripts.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return done, json.loads(lines[0])["log"] if lines else []


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    package("openai", extra="openai")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with serving() as state:
        state.reply = lambda _: (200, {**said("I cannot say."), "usage": USAGE})
        yield state


USAGE = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}


@pytest.mark.heavy
def test_a_part_is_left_out(tmp_path: Path) -> None:
    events = []
    for name in ("holomind", "holomind:no-critic", "holomind:no-episodic,no-spatial"):
        done, log = acted(tmp_path / name, "--agent", name)
        assert done.exit_code == 0, done.output
        assert json.loads((tmp_path / name / "run.json").read_text())["models"] == [name]
        events.append({entry["event"] for entry in log})
    assert ["directive" in each for each in events] == [True, False, True]
    done, _ = acted(tmp_path / "none", "--agent", "holomind:no-brain")
    assert done.exit_code == 3
    assert "there is no part named 'brain'" in done.told


def test_a_model_drives_the_modules_that_are_named(endpoint: Endpoint, tmp_path: Path) -> None:
    words = ("--agent", "holomind", "--model", "tiny", "--base-url", endpoint.url)
    done, log = acted(tmp_path / "run", *words, "--modules", "critic,highplanner")
    assert done.exit_code == 0, done.output
    usage = log[-1]
    assert usage["event"] == "usage"
    assert set(usage["calls"]) == {"critic", "highplanner"}
    # Nothing can be read out of what it answers, so that the symbolic modules do the work.
    assert usage["fallbacks"] == usage["calls"]
    assert usage["tokens"]["total_tokens"] == 7 * len(endpoint.asked)
    assert {asked["model"] for asked in endpoint.asked} == {"tiny"}
    assert "Write the goals of the task" in endpoint.asked[0]["messages"][-1]["content"]
    models = json.loads((tmp_path / "run" / "run.json").read_text())["models"]
    assert models == ["tiny (holomind, modules critic,highplanner)"]


@pytest.mark.heavy
def test_modules_are_driven_by_models_of_their_own(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.reply = lambda asked: (200, said("Replan: no." if asked["model"] == "small" else "?"))
    words = ("--agent", "holomind", "--model", "highplanner=large,critic=small")
    done, log = acted(tmp_path / "run", *words, "--base-url", endpoint.url)
    assert done.exit_code == 0, done.output
    assert log[-1]["fallbacks"] == {"highplanner": 1}
    assert [asked["model"] for asked in endpoint.asked].count("large") == 1
    assert {e["kind"] for e in log if e["event"] == "directive"} == {"Replan"}


def test_only_holomind_has_modules(tmp_path: Path) -> None:
    for words in (("--modules", "critic"), ("--agent", "random", "--modules", "critic")):
        done, _ = acted(tmp_path / "run", *words)
        assert done.exit_code == 3
        assert "has no modules" in done.told


@pytest.mark.heavy
def test_a_run_that_was_killed_goes_on_byte_for_byte(tmp_path: Path) -> None:
    tasks = ",".join(f"rest-{n:03d}/detailed" for n in range(8))
    words = ["interact", "longact", tasks, "--agent", "holomind", "-q", "-o"]
    code = "from eai.cli import main; main()"
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert call(*words, whole).exit_code == 0
    running = subprocess.Popen([sys.executable, "-c", code, *words, str(parts)])
    written = parts / "transcripts.jsonl"
    for _ in range(6000):
        if written.exists() and written.read_bytes().count(b"\n") >= 2:
            break
        time.sleep(0.01)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert 2 <= written.read_bytes().count(b"\n") < 8
    assert call(*words, parts).exit_code == 0
    for name in FILES:
        assert (parts / name).read_bytes() == (whole / name).read_bytes(), name
