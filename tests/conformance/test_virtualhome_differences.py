"""The figures of the page on differences that concern the official tasks; skipped without them."""

from __future__ import annotations

import importlib.util
import re
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
    stated = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", table, re.MULTILINE))
    assert stated.keys() <= QUIRKS.keys()
    unlisted = " | ".join(["0 (0)"] * len(columns))
    for name in QUIRKS:
        counted = [
            f"{changes.verdicts[column, name]} ({changes.successes[column, name]})"
            for column in columns
        ]
        assert stated.get(name, unlisted).split(" | ") == counted, name
