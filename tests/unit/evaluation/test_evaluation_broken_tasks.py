"""Suites with mistakes: a task that cannot be used is no failure, and the rest is evaluated."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import eai
from eai.errors import InputError, ParseError
from eai.suites.household import Household, samples

PLAN = {"studio-02": "FIND(light.34)"}
SHIPPED = samples()[0].parent

Line = dict[str, object]


def broken(folder: Path, change: Callable[[Line], object], *, lines: slice = slice(1)) -> Household:
    """The household suite with a change in its tasks (by default in the first)."""
    for name in ("manifest.json", "homes.json"):
        shutil.copy(SHIPPED / name, folder)
    tasks = [json.loads(line) for line in (SHIPPED / "tasks.jsonl").read_text().splitlines()]
    for task in tasks[lines]:
        change(task)
    (folder / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in tasks))
    return Household(folder)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("goal", "on(x)", "goal:1:4: unbound variable 'x'"),
        ("goal", "exists x. (on(y))", "goal:1:15: unbound variable 'y'"),
        ("goal", "on(light.34) and", "ends too early"),
        ("home", "castle", "there is no home named 'castle'"),
        ("plans", [["JUMP()"]], "there is no action named 'jump'"),
    ],
)
def test_a_task_with_a_mistake_is_left_out(
    tmp_path: Path, field: str, value: object, told: str
) -> None:
    suite = broken(tmp_path, lambda task: task.update({field: value}))
    report = eai.evaluate(suite, PLAN)
    [_few, note] = report.notes
    assert note.startswith("task studio-01 left out: the task cannot be used: tasks.jsonl:1: ")
    assert told in note
    counts = report.tally("unnamed")
    assert (counts.excluded, counts.tasks) == (1, len(suite.task_ids()) - 1)
    assert "studio-01" not in [record.task for record in report.failures()]


def test_what_was_left_out_is_told_after_a_resumed_run_too(tmp_path: Path) -> None:
    suite = broken(tmp_path, lambda task: task.update(goal="on(x)"))

    def stop(done: int, _total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        eai.evaluate(suite, PLAN, output=tmp_path / "run", progress=stop)
    resumed = eai.evaluate(suite, PLAN, output=tmp_path / "run")
    assert resumed.notes == eai.evaluate(suite, PLAN).notes != ()


def test_a_suite_without_a_usable_task_is_an_error(tmp_path: Path) -> None:
    suite = broken(tmp_path, lambda task: task.update(goal="on(x)"), lines=slice(None))
    with pytest.raises(ParseError, match="unbound variable 'x'"):
        eai.evaluate(suite, PLAN)


def test_a_suite_without_tasks(tmp_path: Path) -> None:
    suite = broken(tmp_path, lambda _: None)
    (tmp_path / "tasks.jsonl").write_text("")
    with pytest.raises(InputError, match="has no tasks"):
        eai.evaluate(suite, PLAN)
