"""Dataclasses as JSON, put together from parts, are what the json module makes of them."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings, strategies as st

from eai.diagnosis import Condition, ErrorKind, Finding, Match, Measure, Result
from eai.report import Record, record_to_json
from eai.suites.household import Household

TEXT = st.text(max_size=8) | st.just("\ud800 \u2028\n\"'\\")
NUMBER = st.integers(-(10**20), 10**20)
MAYBE = st.none() | NUMBER
FINDINGS = st.builds(
    Finding, st.sampled_from(ErrorKind), TEXT, MAYBE, TEXT, st.lists(TEXT).map(tuple), MAYBE
)
RESULTS = st.builds(
    Result,
    TEXT,
    findings=st.lists(FINDINGS, max_size=3).map(tuple),
    goals=st.lists(st.builds(Condition, TEXT, TEXT, st.booleans(), MAYBE), max_size=2).map(tuple),
    formula_holds=st.none() | st.booleans(),
    matches=st.lists(st.builds(Match, TEXT, NUMBER, NUMBER, NUMBER), max_size=3).map(tuple),
    measures=st.lists(st.builds(Measure, TEXT, NUMBER, NUMBER), max_size=2).map(tuple),
)


def test_what_writes_a_record_keeps_nothing_of_it() -> None:
    suite = Household()
    task = suite.task(suite.task_ids()[0])
    result = suite.evaluate("action_sequencing", task, "[]", suite.semantics("strict"))
    finding = result.findings[0]  # it knows the states that it was found in
    known = sys.getrefcount(finding)
    record_to_json(Record("s", "1", "a", "strict", "m", "t", "n", "[]", result, 0.0))
    assert sys.getrefcount(finding) == known


@pytest.mark.heavy
@settings(max_examples=60)
@given(RESULTS, TEXT, st.floats(0, 1e9))
def test_records_are_what_json_makes_of_them(result: Result, text: str, seconds: float) -> None:
    record = Record("s", "1", "a", "strict", text, "t", "n", text, result, seconds)
    expected = asdict(record)
    del expected["usage"]  # only records of answers that state it have it
    told = expected["result"]
    told["formula_reason"] = told.pop("reason")
    del told["evidence"]
    if not told["rules"]:
        del told["rules"]  # only results with rules have them
    for finding in told["findings"]:
        del finding["evidence"]
    for goal in told["goals"]:
        del goal["formula"]
    told["findings"] = [
        {("message" if key == "text" else key): value for key, value in finding.items()}
        for finding in told["findings"]
    ]
    del expected["seconds"]
    assert expected.pop("epoch") == 0  # which only samples say
    assert record_to_json(record) == _compact(expected)
    assert record_to_json(replace(record, epoch=2)) == _compact({**expected, "epoch": 2})


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
