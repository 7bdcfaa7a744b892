"""Agents and suites of the user's own that fail: told with their place, and the rest goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import call

from eai.suites.household import Household

TASKS = Household().task_ids()[:6]

AGENTS = """
asked = []

def fails(messages):
    raise ValueError("no idea")

def fails_once(messages):
    asked.append(1)
    if len(asked) == 1:
        raise ValueError("not at first")
    return "no"

def counts(messages):
    return 7

def leaves(messages):
    raise SystemExit(5)

class Bored:
    def __call__(self, messages):
        return "no"

class Needy:
    def __init__(self, what):
        self.what = what
"""

SUITES = """
from eai.suites.household import Household

class Odd(Household):
    def evaluate(self, ability, task, answer, semantics):
        return answer.nothing
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with modules of the user's own."""
    (tmp_path / "cli_own_agents.py").write_text(AGENTS)
    (tmp_path / "cli_own_suites.py").write_text(SUITES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "cli_own_agents", raising=False)
    return tmp_path


@pytest.mark.parametrize("command", ["interact", "replan"])
@pytest.mark.parametrize(
    ("agent", "told"),
    [
        ("fails", "cli_own_agents.py:5: the agent 'cli_own_agents:fails' raised ValueError: no"),
        ("counts", "the agent 'cli_own_agents:counts' returned int, not text (str)"),
        ("leaves", "raised SystemExit: 5"),
    ],
)
@pytest.mark.usefixtures("home")
def test_an_agent_that_fails_is_named_with_its_line(command: str, agent: str, told: str) -> None:
    done = call(command, "household", *TASKS, "--agent", f"cli_own_agents:{agent}", "-q")
    assert (done.exit_code, done.stdout) == (3, "")
    assert done.stderr.startswith(f"eai: {TASKS[0]}: ")
    assert told in done.stderr
    assert "5 tasks failed; 1 were not begun" in done.stderr


def test_the_other_tasks_are_kept_and_the_same_command_goes_on(home: Path) -> None:
    words = ("household", *TASKS[:2], "--agent", "cli_own_agents:fails_once", "-o", "acted")
    first = call("interact", *words, "--json")
    assert first.exit_code == 3
    assert list(json.loads(first.stdout)["failures"]) == [TASKS[0]]
    kept = (home / "acted" / "records.jsonl").read_text().splitlines()
    assert [json.loads(line)["task"] for line in kept] == [TASKS[1]]
    again = call("interact", *words, "-q")
    assert (again.exit_code, again.output) == (0, "")


def test_the_other_attempts_are_kept(home: Path) -> None:
    words = ("--agent", "cli_own_agents:fails_once", "-o", "attempts.jsonl", "--json")
    done = call("replan", "household", *TASKS[:3], *words)
    assert done.exit_code == 3
    assert list(json.loads(done.stdout)["failures"]) == [TASKS[0]]
    kept = (home / "attempts.jsonl").read_text().splitlines()
    assert [json.loads(line)["task"] for line in kept] == list(TASKS[1:3])


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("agent", "told"),
    [
        ("os:nothing", "the agent 'os:nothing': the module 'os' has no attribute 'nothing'"),
        ("cli_own_agent:fails", "did you mean 'cli_own_agents'"),
        ("cli_own_agents:fail", "did you mean 'fails'"),
        ("cli_own_agents", "cli_own_agents:FUNCTION"),
        ("cli_own_agents.py", "cli_own_agents:FUNCTION"),
        ("os", "os:FUNCTION"),
        ("os:path", "a function that takes a list of messages"),
        ("cli_own_agents:Needy", "missing 1 required positional argument: 'what'"),
    ],
)
def test_an_agent_that_is_not_there(agent: str, told: str) -> None:
    done = call("interact", "household", TASKS[0], "--agent", agent)
    assert done.exit_code == 3
    assert told in str(done.exception)


@pytest.mark.usefixtures("home")
def test_a_class_of_agents_is_called_without_arguments() -> None:
    assert call("interact", "household", TASKS[0], "--agent", "cli_own_agents:Bored", "-q") == (
        (0, "", "", None)
    )


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("suite", "told"),
    [
        ("cli_own_suites:Even", "expected: Odd"),
        ("cli_own_suites", "cli_own_suites:ATTRIBUTE"),
        ("cli_own_suites.py", "cli_own_suites:ATTRIBUTE"),
    ],
)
def test_a_suite_that_is_not_there(suite: str, told: str) -> None:
    assert told in str(call("evaluate", suite).exception)


@pytest.mark.heavy
@pytest.mark.parametrize("workers", [(), ("--workers", "2")])
def test_a_suite_that_fails_is_no_mistake_of_eai(workers: tuple[str, ...], home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "eai", "evaluate", "cli_own_suites:Odd", *workers],
        capture_output=True,
        check=False,
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(home)},
        text=True,
    )
    assert done.returncode == 3
    assert f"eai: {home / 'cli_own_suites.py'}:6: AttributeError: 'str'" in done.stderr
    assert done.stderr.rstrip().endswith("this is a bug there, not in eai")
