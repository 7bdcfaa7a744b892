"""A run in a folder goes on with the tasks that it began with, or not at all."""

from __future__ import annotations

import importlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from longact_days import item, row

import eai
from eai.errors import OutputExistsError
from eai.suites.asgardbench import AsgardBench
from eai.suites.household import Household, samples
from eai.suites.longact import LongAct
from eai.suites.robobench.suite import RoboBench

SHIPPED = samples()[0].parent
MODULE = """
class Mine(eai.Suite):
    name, title, version = "mine", "Tasks of mine", "1"
    abilities = {"echo": eai.Ability(lambda task, answer, semantics: Result("evaluated"))}

    def task_ids(self):
        return ("one",)

    def task(self, task_id):
        return eai.Task.question(task_id, "Say one.")
"""
EPISODE = row(item({"type": "Apple"}, sliced=True))


def household(folder: Path, changed: bool) -> eai.Suite:
    for name in ("manifest.json", "homes.json", "tasks.jsonl"):
        shutil.copy(SHIPPED / name, folder)
    if changed:
        path = folder / "tasks.jsonl"
        path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[:-1]), "utf-8")
    return Household(folder)


def longact(folder: Path, changed: bool) -> eai.Suite:
    text = "Slice an apple." if changed else "Slice the apple."
    (folder / "own.json").write_text(json.dumps([{**EPISODE, "detailed": text}]))
    return LongAct(folder)


def asgardbench(_folder: Path, changed: bool) -> eai.Suite:
    one = next(iter(AsgardBench().instances.values()))
    return AsgardBench([replace(one, instruction="Do it.")] if changed else [one])


def robobench(folder: Path, changed: bool) -> eai.Suite:
    asked = {
        "unique_id": "one_Q3",
        "question": "Is it open?",
        "gt_answer": "no" if changed else "yes",
    }
    (folder / "state").mkdir(exist_ok=True)
    (folder / "state" / "questions.json").write_text(json.dumps([asked]))
    return RoboBench(folder)


def module(folder: Path, changed: bool) -> eai.Suite:
    text = "import eai\nfrom eai.diagnosis import Result\n" + MODULE.lstrip()
    (folder / "mine.py").write_text(text + "# changed\n" * changed)
    made: eai.Suite = importlib.import_module("mine").Mine()
    return made


@pytest.mark.parametrize("write", [household, longact, asgardbench, robobench, module])
def test_a_run_does_not_go_on_with_tasks_that_were_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path, bool], eai.Suite]
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    run = tmp_path / "run"
    suite = write(tmp_path, False)
    assert suite.content == write(tmp_path, False).content
    task, ability = suite.task_ids()[0], next(iter(suite.abilities))
    for _ in range(2):
        eai.evaluate(suite, {task: "[]"}, ability=ability, tasks=[task], output=run)
    suite = write(tmp_path, True)
    with pytest.raises(OutputExistsError, match="a complete run of tasks that were changed since"):
        eai.evaluate(suite, {task: "[]"}, ability=ability, tasks=[task], output=run)


def test_what_ships_is_known_by_its_version() -> None:
    assert {Household().content, LongAct().content} == {""}
