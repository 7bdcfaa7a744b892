"""The tables of kinds and of metrics are complete and true."""

from __future__ import annotations

import re

import pytest
from docs_pages import ROOT

from eai import Report, evaluate
from eai.diagnosis import RUNTIME, ErrorKind
from eai.report import Tally
from eai.report.metrics.plans import PLANS
from eai.suites.household import samples
from eai.suites.shared.quirks import shipped_quirks

EXPLANATION = ROOT / "docs" / "explanation"
KINDS = re.findall(
    r"^\| `(\w+)` \| [^|]* \| (`\w+`|none) \| `([\w-]+)`, `(\w+)` \|$",
    (EXPLANATION / "errors.md").read_text("utf-8"),
    re.MULTILINE,
)
METRICS = re.findall(
    r"^\| `(\w+)` \| ([^|]*) \| .* \| (tasks|conditions|occurrences) \| [^|]* \|$",
    (EXPLANATION / "metrics.md").read_text("utf-8"),
    re.MULTILINE,
)


@pytest.fixture(scope="module")
def report() -> Report:
    return evaluate("household", samples())


def test_every_kind_of_error_is_in_a_table() -> None:
    listed = [kind for kind, *_ in KINDS]
    of_no_plan = ["predicate_hallucination", "beyond_budget", "unscorable", "path_goal"]
    assert sorted([*listed, *of_no_plan]) == sorted(kind.value for kind in ErrorKind)


@pytest.mark.parametrize(("kind", "key", "task", "model"), KINDS)
def test_the_example_of_a_kind_has_it(
    report: Report, kind: str, key: str, task: str, model: str
) -> None:
    (record,) = [record for record in report.of(model) if record.task == task]
    assert kind in [finding.kind.value for finding in record.result.findings]
    assert key.strip("`") == (ErrorKind(kind).official_key or "none")


def test_every_metric_is_in_the_table() -> None:
    found = {metric.key: (metric.label, metric.unit) for metric in PLANS.metrics(Tally())}
    listed = {key: (label, unit) for key, label, unit in METRICS}
    # The table has one row for all of these; the page on errors has one for each.
    listed |= {kind.key: (kind.label, "occurrences") for kind in RUNTIME}
    assert listed == found


def test_the_page_on_differences_asks_for_every_group_of_quirks() -> None:
    page = (ROOT / "docs" / "differences.md").read_text("utf-8")
    asked = re.findall(r"<!-- quirks: (\w+) (\w+) -->", page)
    suites = sorted(path.parent.name for path in (ROOT / "tasks").glob("*/quirks.ini"))
    shipped = [(suite, group) for suite in suites for group in shipped_quirks(suite)]
    assert sorted(asked) == sorted(shipped)
