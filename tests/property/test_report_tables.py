"""Intervals, groups and what is shown, for any records."""

from __future__ import annotations

import math
from html.parser import HTMLParser

from hypothesis import given, settings, strategies as st
from report_samples import record

from eai.diagnosis import GOAL_KINDS, Condition, ErrorKind, Finding, Result
from eai.display import preformatted, table
from eai.report import Record, Report
from eai.report.intervals import intervals
from eai.text import printable

CONDITION = st.builds(Condition, st.sampled_from(GOAL_KINDS), st.just("lit(a)"), met=st.booleans())
RESULT = st.builds(
    Result,
    st.sampled_from(["evaluated", "evaluated", "missing", "excluded"]),
    success=st.booleans(),
    executable=st.booleans(),
    findings=st.lists(
        st.builds(Finding, st.sampled_from(list(ErrorKind)), st.just("wrong")), max_size=3
    ).map(tuple),
    goals=st.lists(CONDITION, max_size=5).map(tuple),
)


@st.composite
def records(draw: st.DrawFn) -> list[Record]:
    results = draw(st.lists(RESULT, min_size=1, max_size=12))
    return [record(each, task=str(number)) for number, each in enumerate(results)]


@settings(max_examples=60)
@given(records())
def test_a_metric_lies_in_its_interval_and_what_is_undefined_has_none(found: list[Record]) -> None:
    report = Report(found)
    bounds = intervals(report.view, found)
    for metric in report.metrics("alpha"):
        if metric.value is None:
            assert metric.key not in bounds
        elif metric.unit == "tasks":
            assert bounds[metric.key].method == "Wilson"
        if metric.key in bounds and metric.value is not None:
            low, high, _ = bounds[metric.key]
            assert low < high
            assert low <= metric.value <= high


@settings(max_examples=40)
@given(records())
def test_rows_of_groups_have_every_grouped_task_once(found: list[Record]) -> None:
    report = Report(found)
    whole = report.table().loc["alpha"].to_dict()
    parts = report.table(lambda each: each.result.executable)
    for column in ("Tasks", "Excluded", "Missing", "Total Goals"):
        assert math.isclose(parts[column].sum(), whole[column])


class Texts(HTMLParser):
    """Collects the text, and the elements it stands in."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@settings(max_examples=100)
@given(st.text(max_size=30))
def test_any_text_is_shown_as_text(text: str) -> None:
    for part in (preformatted(text), table((text,), [(text, text)], caption=text)):
        parser = Texts()
        parser.feed(part)
        parser.close()
        assert parser.tags <= {"pre", "table", "caption", "thead", "tbody", "tr", "th", "td"}
        assert all(character in parser.text for character in printable(text))
        part.encode("utf-8")
