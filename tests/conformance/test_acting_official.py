"""The annotated plans, played step by step: the page on acting says how many solve their task."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from eai.acting import format_action, write_answers
from eai.contract.registry import suite as find_suite

PAGE = Path(__file__).parents[2] / "docs" / "interaction.md"
ROW = re.compile(r"^\| `(\w+)` \| (\w+) \| (\d+) of (\d+) \|", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text("utf-8"))


@pytest.mark.official
@pytest.mark.heavy
@pytest.mark.parametrize(("name", "semantics", "solved", "tasks"), ROWS)
def test_the_table_of_the_page_is_true(name: str, semantics: str, solved: str, tasks: str) -> None:
    suite = find_suite(name)
    meaning = suite.semantics(semantics)
    results = []
    for task in map(suite.task, suite.task_ids()):
        plan = task.plans[0] if task.plans else ()
        answer = write_answers(map(format_action, plan))
        results.append(suite.evaluate("interaction", task, answer, meaning))
    counted = [result for result in results if result.status == "evaluated"]
    assert sum(result.success for result in counted) == int(solved)
    assert len(counted) == int(tasks)


def test_the_page_has_the_table() -> None:
    assert {(row[0], row[1]) for row in ROWS} == {
        (name, semantics)
        for name in ("household", "virtualhome", "behavior")
        for semantics in ("strict", "official")
    }
