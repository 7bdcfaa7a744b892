"""What ``--json`` prints has the keys that docs/command-line.md lists."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from command_line import call
from docs_pages import ROOT

import eai
from eai.suites.household import samples

PAGE = (ROOT / "docs" / "command-line.md").read_text("utf-8")

KEYS = {
    "report": "suite version ability semantics eai models notes",
    "evaluate": "suite version ability semantics eai models notes output failures",
    "explain": "record instruction steps remarks text",
    "compare": "title differences notes",
    "analyze errors": "tables",
    "repair": "distance optimal bound score untried notes edits repaired",
    "perturb": "plans edits predictions labels",
    "suites": "suites",
    "tasks household studio-01": "suite id name instruction goal objects types relations actions",
    "tasks": "suite tasks",
    "export": "files",
    "check": "errors warnings files issues",
    "plan": "outcome plan engine version reason cost optimal seconds expanded",
    "replan": "suite version ability semantics eai models notes failures",
    "interact": "suite version ability semantics eai models notes output failures",
    "data lint": "tables",
}

DOMAIN = "(define (domain d) (:predicates (p)) (:action go :effect (p)))"
PROBLEM = "(define (problem x) (:domain d) (:goal (p)))"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("json")
    eai.evaluate("household", samples()[:2], output=folder / "run")
    (folder / "d.pddl").write_text(DOMAIN)
    (folder / "p.pddl").write_text(PROBLEM)
    (folder / "answer.txt").write_text('[{"WALK": ["light", "34"]}, {"SWITCHON": ["light", "34"]}]')
    return folder


@pytest.mark.parametrize(
    "words",
    [
        "report run",
        "evaluate household run/../answers.jsonl",
        "explain run flat-17 --model samples_chatty",
        "compare run",
        "analyze errors run",
        "repair household studio-01 answer.txt",
        "perturb household -o wrong.jsonl --force",
        "suites",
        "tasks household",
        "tasks household studio-01",
        "export run --organization Us --force",
        "check d.pddl",
        "plan d.pddl p.pddl",
        "replan household studio-01",
        "interact household studio-01",
        "data lint household",
    ],
)
def test_the_json_of_a_command_has_the_documented_keys(
    words: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    Path("answers.jsonl").write_text(json.dumps({"id": "studio-01", "output": "[]"}) + "\n")
    done = call(*words.split(), "--json")
    assert done.exit_code == 0, done.output
    command = next(name for name in KEYS if words.startswith(name))
    assert list(json.loads(done.stdout)) == KEYS[command].split()
    assert all(f"`{key}`" in PAGE for key in KEYS[command].split())


def test_the_json_of_an_overview(tmp_path: Path) -> None:
    folder = tmp_path / "household" / "action_sequencing"
    folder.mkdir(parents=True)
    shutil.copy(samples()[0], folder / "careful.jsonl")
    words = ("--model-outputs", tmp_path, "--json", "-q")
    found = json.loads(call("evaluate", "household", *words).stdout)
    assert list(found) == ["overview", "reports", "notes", "output", "failures"]
    rates = {row["metric"]: row["value"] for row in found["overview"]["careful"] if row["value"]}
    assert rates["Task SR"] == pytest.approx(100 * 62 / 76)
    assert list(found["reports"]["household"]) == ["action_sequencing"]


def test_the_json_of_data_says_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eai.suites.shared.data.located", lambda _release: Path("cache/eai.whl"))
    found = json.loads(call("data", "path", "eai", "--json").stdout)
    assert found == {"name": "eai", "path": str(Path("cache/eai.whl"))}
    assert call("data", "path", "eai").stdout == f"{Path('cache/eai.whl')}\n"
