"""Dataclasses as JSON, put together from parts, are what the json module makes of them."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass

import pytest
from hypothesis import given, settings, strategies as st

from eai.diagnosis.judgement import Condition, Finding, Judgement, Match, Measure
from eai.diagnosis.taxonomy import ErrorKind
from eai.report.record import Record
from eai.report.records import record_to_json
from eai.report.records.encoding import object_writer

TEXT = st.text(max_size=8) | st.just("\ud800 \u2028\n\"'\\")
NUMBER = st.integers(-(10**20), 10**20)
MAYBE = st.none() | NUMBER
FINDINGS = st.builds(
    Finding, st.sampled_from(ErrorKind), TEXT, MAYBE, TEXT, st.lists(TEXT).map(tuple), MAYBE
)
JUDGEMENTS = st.builds(
    Judgement,
    TEXT,
    findings=st.lists(FINDINGS, max_size=3).map(tuple),
    goals=st.lists(st.builds(Condition, TEXT, TEXT, st.booleans(), MAYBE), max_size=2).map(tuple),
    formula_holds=st.none() | st.booleans(),
    matches=st.lists(st.builds(Match, TEXT, NUMBER, NUMBER, NUMBER), max_size=3).map(tuple),
    measures=st.lists(st.builds(Measure, TEXT, NUMBER, NUMBER), max_size=2).map(tuple),
)


@settings(deadline=None, max_examples=60)
@given(JUDGEMENTS, TEXT, st.floats(0, 1e9))
def test_records_are_what_json_makes_of_them(
    judgement: Judgement, text: str, seconds: float
) -> None:
    record = Record("s", "1", "a", "strict", text, "t", "n", text, judgement, seconds)
    expected = asdict(record)
    assert record_to_json(record, seconds=True) == _compact(expected)
    del expected["seconds"]
    assert record_to_json(record) == _compact(expected)


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


@dataclass
class Three:
    first: object
    second: object = ()
    third: object = None


def test_what_is_no_dataclass_is_left_to_the_json_module() -> None:
    write = object_writer(Three)
    written = write(Three([1, "a"], {"b": None}, Three(True, (2.5,))))
    inner = '{"first":true,"second":[2.5],"third":null}'
    assert written == f'{{"first":[1, "a"],"second":{{"b": null}},"third":{inner}}}'


@pytest.mark.parametrize("value", [math.nan, math.inf, object()])
def test_what_json_has_no_word_for_is_an_error(value: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        object_writer(Three)(Three(value))


def test_fields_can_be_left_out() -> None:
    assert object_writer(Three, without=("first",))(Three(1, 2)) == '{"second":2,"third":null}'
