"""The page of errata says what the check of the annotations finds."""

import re
from collections import Counter
from pathlib import Path

import pytest

from eai.contract.lint import lint_suite
from eai.contract.registry import suite as find_suite

DOCS = Path(__file__).parents[2] / "docs"
PAGES = (DOCS / "agreement.md", DOCS / "differences.md")


@pytest.mark.heavy
@pytest.mark.official
@pytest.mark.parametrize("name", ["virtualhome", "behavior"])
def test_the_page_lists_exactly_the_faults(name: str) -> None:
    suite = find_suite(name)
    found = list(lint_suite(suite))
    counts = Counter(fault.kind for fault in found)
    tasks = len(suite.task_ids())
    cells = [tasks, tasks - len({fault.task for fault in found})]
    cells += [counts[kind] for kind in ("no goal", "plan", "name", "goal")]
    page = "\n".join(path.read_text("utf-8") for path in PAGES)
    assert f"| `{name}` | {' | '.join(map(str, cells))} |" in page
    for fault in found:
        short = suite.task(fault.task).metadata.get("activity", fault.task)
        assert re.search(rf"^\|.*\b{short}\b.*\|.*\|", page, re.MULTILINE), fault
