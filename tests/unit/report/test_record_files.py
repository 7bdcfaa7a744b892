"""Files of runs: what is missing or was changed, what a run says of itself, and odd values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from report_samples import MISSING, SOLVED, STOPPED, record, write_records

from eai.diagnosis import Condition, Measure, Result
from eai.errors import InputError, SchemaError
from eai.report import (
    Record,
    Report,
    read_records,
    record_from_json,
    record_to_json,
    records_digest,
    report_of,
)
from eai.report.record import Records
from eai.report.records import CHANGED, INCOMPLETE, UNCHECKED, RecordFile

RECORDS = [record(SOLVED, task="a"), record(STOPPED, task="b"), record(MISSING, task="c")]


def run_folder(folder: Path, about: object, *, name: str = "records.jsonl") -> RecordFile:
    write_records(folder / name, RECORDS)
    text = about if isinstance(about, str) else json.dumps(about)
    (folder / "run.json").write_text(text, "utf-8")
    return read_records(folder if name == "records.jsonl" else folder / name)


@pytest.mark.parametrize(
    ("about", "beginning", "counted"),
    [
        ({}, UNCHECKED, False),
        ({"complete": True, "records": 3}, UNCHECKED, False),
        ({"complete": False, "records": 5}, INCOMPLETE, True),
        ({"complete": False, "records": 3}, INCOMPLETE, False),
        ({"complete": False, "records": 2}, INCOMPLETE, False),
        ({"complete": False}, INCOMPLETE, False),
        ({"complete": False, "records": "5"}, INCOMPLETE, False),
        ({"digest": "00", "records": 4}, CHANGED, True),
        ({"digest": "00", "records": 3}, CHANGED, False),
        ({"digest": "00"}, CHANGED, False),
    ],
)
def test_a_file_says_whether_its_run_is_whole(
    tmp_path: Path, about: Mapping[str, object], beginning: str, counted: bool
) -> None:
    found = run_folder(tmp_path, about)
    assert found.about == about
    assert bool(found.warning) is bool(beginning)
    assert found.warning.startswith(beginning)
    assert (f"3 of {about.get('records')} records" in found.warning) is counted


def test_the_digest_is_that_of_the_bytes_and_a_run_that_notes_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    write_records(path, RECORDS)
    digest = records_digest(path)
    assert len(digest) == 32
    assert read_records(path).digest == digest
    assert run_folder(tmp_path, {"digest": digest, "records": 9}).warning == ""
    write_records(path, RECORDS[:2])
    assert records_digest(path) != digest
    shorter = read_records(path)
    assert shorter.warning.startswith(CHANGED)
    assert Report(shorter).warnings == (shorter.warning,)


@pytest.mark.parametrize("text", ["[]", "{", "null", '"a"'])
def test_what_is_no_object_says_nothing_of_a_run(tmp_path: Path, text: str) -> None:
    assert run_folder(tmp_path, text).about == {}


def test_only_the_file_of_a_run_is_spoken_of(tmp_path: Path) -> None:
    assert run_folder(tmp_path, {"complete": False}, name="mine.jsonl").about == {}
    (tmp_path / "run.json").unlink()
    write_records(tmp_path / "records.jsonl", RECORDS)
    assert read_records(tmp_path).about == {}


def test_only_records_of_a_run_need_a_description_of_it(tmp_path: Path) -> None:
    for name, beginning in (("records.jsonl", UNCHECKED), ("mine.jsonl", "")):
        write_records(tmp_path / name, RECORDS)
        found = read_records(tmp_path / name)
        assert found.is_of_run is bool(beginning)
        assert bool(found.warning) is bool(beginning)
        assert found.warning.startswith(beginning)


def test_a_report_of_a_run_begins_with_the_warning_and_has_its_notes(tmp_path: Path) -> None:
    found = run_folder(tmp_path, {"complete": False, "notes": ["one", 2]})
    assert report_of(found).notes == (found.warning, "one", "2")
    about = {"digest": found.digest}
    assert report_of(run_folder(tmp_path, {**about, "notes": "one"})).notes == ()
    assert report_of(run_folder(tmp_path, {**about, "notes": ["one"]})).notes == ("one",)


def test_a_report_of_a_run_goes_model_by_model() -> None:
    records = [record(SOLVED, task=task, model=model) for task in "ab" for model in "xy"]
    found = report_of(RecordFile(Path("x"), tuple(records)))
    assert [(each.model, each.task) for each in found.records] == [
        ("x", "a"),
        ("x", "b"),
        ("y", "a"),
        ("y", "b"),
    ]


def test_only_the_beginning_of_a_record_may_be_cut_off(tmp_path: Path) -> None:
    path, whole = tmp_path / "r.jsonl", record_to_json(RECORDS[0])
    for cut in (whole[:1], whole[:9], whole[:-1]):
        path.write_text(f"{whole}\n{cut}")
        assert read_records(path).truncated == 2
    for other in ('{"task": ', "[", "walk", '{"suite" :'):
        path.write_text(f"{whole}\n{other}")
        with pytest.raises(SchemaError):
            read_records(path)
    path.write_text(f"{whole}\n{whole}")
    assert (len(read_records(path)), read_records(path).truncated) == (2, None)


def test_samples_have_numbers_and_single_answers_have_none() -> None:
    one = record(SOLVED)
    assert "epoch" not in json.loads(record_to_json(one))
    sample = replace(one, epoch=3)
    assert json.loads(record_to_json(sample))["epoch"] == 3
    assert record_from_json(record_to_json(sample)) == sample


def test_what_is_no_number_is_not_written() -> None:
    for number in (float("nan"), float("inf")):
        measure = Measure("x", number, 1)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="not JSON compliant"):
            record_to_json(record(Result("evaluated", measures=(measure,))))


# ---- what is refused


def refused(**changed: object) -> SchemaError:
    value = json.loads(record_to_json(RECORDS[0]))
    value |= changed
    with pytest.raises(SchemaError) as caught:
        record_from_json(json.dumps(value), where="here")
    assert caught.value.where == "here"
    assert caught.value.expected
    return caught.value


def test_a_long_value_is_shown_cut() -> None:
    fitting, long = refused(seconds="y" * 58), refused(seconds="y" * 59)
    assert fitting.what.endswith(f"'{'y' * 58}'")  # 60 characters with the quotes
    assert long.what.endswith(f" '{'y' * 56}...")


@pytest.mark.parametrize("seconds", ["1.5", None, -0.5, True])
def test_the_time_is_a_number_from_0(seconds: object) -> None:
    assert "'seconds'" in refused(seconds=seconds).what
    assert record_from_json(json.dumps(json.loads(record_to_json(RECORDS[0])) | {"seconds": 0.5}))


@pytest.mark.parametrize("epoch", ["1", 1.0, -1, True, None])
def test_a_sample_has_a_whole_number(epoch: object) -> None:
    assert "'epoch'" in refused(epoch=epoch).what


@pytest.mark.parametrize(
    ("measure", "fits"),
    [
        ({"kind": "x", "amount": -3, "base": 1}, True),
        ({"kind": "x", "amount": 0, "base": 7}, True),
        ({"kind": "x", "amount": 1, "base": 0}, False),
        ({"kind": "x", "amount": 0.5, "base": 1}, False),
        ({"kind": "x", "amount": True, "base": 1}, False),
    ],
)
def test_a_measure_is_a_ratio_of_whole_numbers(measure: object, fits: bool) -> None:
    value = json.loads(record_to_json(RECORDS[0]))
    value["result"]["measures"] = [measure]
    line = json.dumps(value)
    if fits:
        assert json.loads(record_to_json(record_from_json(line))) == value
        return
    with pytest.raises(SchemaError):
        record_from_json(line)


def test_a_credit_that_is_given_twice_makes_a_miss_negative() -> None:
    value = json.loads(record_to_json(RECORDS[0]))
    value["result"]["matches"] = [{"kind": "state", "tp": 2, "fp": 0, "fn": -1}]
    assert record_from_json(json.dumps(value)).result.matches[0].fn == -1
    for odd in ("1", 1.0, True, None):
        value["result"]["matches"] = [{"kind": "state", "tp": 2, "fp": 0, "fn": odd}]
        with pytest.raises(SchemaError):
            record_from_json(json.dumps(value))
    for part in ("tp", "fp"):
        value["result"]["matches"] = [{"kind": "state", "tp": 2, "fp": 0, "fn": 0} | {part: -1}]
        with pytest.raises(SchemaError):
            record_from_json(json.dumps(value))


def test_a_condition_and_a_finding_cannot_bring_what_is_made_when_it_is_asked_for() -> None:
    for part, key in (("goals", "formula"), ("findings", "evidence")):
        value = json.loads(record_to_json(RECORDS[1]))
        value["result"][part][0][key] = None
        assert record_from_json(json.dumps(value)) == RECORDS[1]
        value["result"][part][0][key] = "x"
        with pytest.raises(SchemaError):
            record_from_json(json.dumps(value))


def test_an_answer_that_was_not_evaluated_is_told_so() -> None:
    with pytest.raises(SchemaError) as caught:
        record_from_json('{"task": "a", "output": "walk"}')
    assert "eai.evaluate" in (caught.value.mend or "")
    assert refused(task=3).mend is None
    value = json.loads(record_to_json(RECORDS[1]))
    for kind, mend in (("wrongorder", "'wrong_order'"), ("xyzzy", None), (3, None)):
        value["result"]["findings"][1]["kind"] = kind
        with pytest.raises(SchemaError) as caught:
            record_from_json(json.dumps(value))
        assert (mend or "") in (caught.value.mend or "")
        assert (caught.value.mend is None) is (mend is None)


# ---- records in short


def test_records_are_counted_by_verdict() -> None:
    many = Records([record(SOLVED, task=str(n)) for n in range(1200)] + RECORDS[1:])
    text = repr(many)
    for part in ("1,202 records of alpha", "1,200 solved", "1 not solved", "1 missing"):
        assert part in text
    two = repr(Records([record(SOLVED), record(SOLVED, model="beta")]))
    assert "2 records of 2 models" in two
    assert repr(Records()) == "<0 records of 0 models>"


@pytest.mark.parametrize(("number", "rows"), [(0, 0), (1, 1), (10, 10), (11, 10)])
def test_the_first_records_are_shown(number: int, rows: int) -> None:
    html = Records([record(SOLVED, task=f"t{n}") for n in range(number)])._repr_html_()
    assert html.count("<tr") == (rows + 1 if rows else 0)
    assert ("the first 10" in html) is (number > 10)


def test_a_record_is_shown_with_its_model_its_verdict_and_its_answer() -> None:
    html = replace(record(STOPPED, output="<i>"), epoch=2)._repr_html_()
    for text in ("alpha", "action_sequencing", "household t1: Wash clothes", "&lt;i&gt;"):
        assert text in html
    assert replace(record(SOLVED), epoch=2).label in html


def test_a_condition_without_a_step_is_written_as_null() -> None:
    goals = (Condition("state", "a", met=True, since=0), Condition("state", "b", met=False))
    line = record_to_json(record(Result("evaluated", goals=goals)))
    found = json.loads(line)["result"]["goals"]
    assert [goal["since"] for goal in found] == [0, None]
    assert [goal["met"] for goal in found] == [True, False]


def test_records_of_one_kind_only_make_a_report() -> None:
    assert isinstance(RECORDS[0], Record)
    assert Report(RECORDS).records == Records(RECORDS)


def test_a_folder_without_records_is_refused_with_the_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_records(tmp_path)
    assert "records.jsonl" in str(caught.value)
