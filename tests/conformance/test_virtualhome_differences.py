"""The figures of the page on differences that concern the official tasks; skipped without them."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from eai.suites.virtualhome import VirtualHome
from eai.suites.virtualhome.quirks import QUIRKS
from eai.task import Task

pytestmark = [pytest.mark.official, pytest.mark.heavy]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "differences.md").read_text("utf-8")
SUITE = VirtualHome()


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    return [SUITE.task(task_id) for task_id in SUITE.task_ids()]


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "quirks", ROOT / "benchmarks" / "agreement" / "quirks.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_of_annotated_plans_is_true(tasks: list[Task], benchmark: ModuleType) -> None:
    assert len(tasks) == 342
    columns = benchmark.comparisons(set())
    changes = benchmark.over_gold(columns, str)
    table = PAGE.partition("**The 342 annotated plans**")[2].partition("**Answers.**")[0]
    stated = re.findall(r"^\| `(\w+)` \| (.*) \|$", table, re.MULTILINE)
    assert [name for name, _ in stated] == list(QUIRKS)
    for name, cells in stated:
        counted = [
            f"{changes.verdicts[column, name]} ({changes.successes[column, name]})"
            for column in columns
        ]
        assert cells.split(" | ") == counted, name


def _mentions_plugs(task: Task) -> bool:
    return any(step.name in ("plugin", "plugout") for step in task.plans[0])


def _leaves_the_vocabulary(task: Task) -> bool:
    mentioned = {name for step in task.plans[0] for name in step.arguments}
    return not mentioned <= task.vocabulary.objects


def _relations(task: Task) -> int:
    return sum(kind == "relation" for kind, _ in task.goal.final[0])


PROPERTIES: dict[str, Callable[[Task], bool]] = {
    "two or more relation goals": lambda task: _relations(task) > 1,
    "no goal": lambda task: not task.goal.actions and not any(task.goal.final),
    "two action goals": lambda task: len(task.goal.actions) == 2,
    "an action goal with": lambda task: any(len(goal.names) > 1 for goal in task.goal.actions),
    "an action without": lambda task: any(not step.arguments for step in task.plans[0]),
    "PLUGIN or PLUGOUT": _mentions_plugs,
    "an object in the annotated": _leaves_the_vocabulary,
    "a class with several": lambda task: any(
        len(objects) > 1 for objects in task.vocabulary.classes.values()
    ),
}


@pytest.mark.parametrize("words", PROPERTIES)
def test_what_the_tasks_have_in_them(tasks: list[Task], words: str) -> None:
    found = re.findall(rf"^\| {words}.* \| (\d+) \|$", PAGE, re.MULTILINE)
    assert found == [str(sum(map(PROPERTIES[words], tasks)))]
