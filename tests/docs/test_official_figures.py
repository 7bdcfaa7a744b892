"""The figures about the official tasks that the documentation states."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs_pages import ROOT, blocks

from eai import Report, evaluate

pytestmark = pytest.mark.official

SCORE = ROOT / "docs" / "how-to" / "score-official.md"
SWITCH = ROOT / "docs" / "semantics.md"
SWITCHED = re.compile(r"^\| `official( -\w+)?` \| (\d+) of (\d+) \| (\d+) of \3 \|$", re.MULTILINE)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The annotated plans as predictions, written by the code of the page."""
    path = tmp_path_factory.mktemp("reference") / "reference.jsonl"
    code = next(b for b in blocks(SCORE) if "json.dumps" in b.text)
    exec(code.text.replace('"reference.jsonl"', repr(str(path))), {})
    return path


def row(report: Report) -> tuple[str, str, int, int]:
    found = {metric.key: metric for metric in report.metrics("reference")}
    rates = [found["task_success_rate"], found["execution_success_rate"]]
    task, executed = (f"{rate.numerator} ({rate.value:.1f} %)" for rate in rates)
    return task, executed, rates[0].denominator, found["total_goal"].denominator


@pytest.mark.heavy
@pytest.mark.parametrize("semantics", ["official", "strict"])
def test_the_table_of_the_reference_plans_is_true(reference: Path, semantics: str) -> None:
    cells = " | ".join(map(str, row(evaluate("virtualhome", reference, semantics=semantics))))
    assert f"| `{semantics}` | {cells} |" in SCORE.read_text("utf-8")


@pytest.mark.heavy
def test_the_table_of_the_switched_quirk_is_true(reference: Path) -> None:
    text = SWITCH.read_text("utf-8")
    rows = re.findall(
        r"^\| `official( -\w+)?` \| (\d+) of (\d+) \| (\d+) of \3 \|$", text, re.MULTILINE
    )
    assert len(rows) == 2
    for change, success, tasks, executable in rows:
        off = [change.removeprefix(" -")] if change else []
        counts = evaluate("virtualhome", reference, without=off).tally("reference")
        stated = (int(success), int(tasks), int(executable))
        assert (counts.success, counts.tasks, counts.executable) == stated
