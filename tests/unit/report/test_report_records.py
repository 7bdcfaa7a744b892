"""Record files: what goes in comes out, interruption costs one line, errors name the place."""

import errno
import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from report_samples import MISSING, SOLVED, STOPPED, record, write_records

from eai.errors import InputError, SchemaError
from eai.report import read_records, record_from_json, record_to_json

RECORDS = [record(SOLVED, task="a"), record(STOPPED, task="b"), record(MISSING, task="c")]


def changed(*path: str | int, to: object) -> str:
    """Return a good record as JSON with one value replaced (or added)."""
    value = json.loads(record_to_json(RECORDS[1]))
    inner = value
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return json.dumps(value)


def test_a_file_gives_back_its_records(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    write_records(path, RECORDS)
    found = read_records(path)
    assert list(found) == RECORDS
    assert len(found) == 3
    assert (found.truncated, found.note) == (None, "")


def test_the_same_records_are_the_same_bytes_without_the_time(tmp_path: Path) -> None:
    slow = [replace(each, seconds=1.5) for each in RECORDS]
    write_records(tmp_path / "one", RECORDS)
    write_records(tmp_path / "two", slow)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_keys_stand_in_the_order_of_the_dataclass() -> None:
    keys = list(json.loads(record_to_json(RECORDS[0])))
    assert keys == [
        "suite",
        "version",
        "ability",
        "semantics",
        "model",
        "task",
        "name",
        "output",
        "result",
    ]


@pytest.mark.parametrize("answer", ["\x00\u2028\r\n", "\ud800 alone", "\u202eabc", "é" * 3])
def test_any_answer_survives_as_ascii(answer: str) -> None:
    line = record_to_json(record(SOLVED, output=answer))
    assert line.isascii()
    assert "\n" not in line
    assert record_from_json(line).output == answer


def test_every_cut_of_the_last_line_loses_that_line_only(tmp_path: Path) -> None:
    whole = [record_to_json(each).encode() + b"\n" for each in RECORDS[:2]]
    path = tmp_path / "run.jsonl"
    for length in (*range(1, len(whole[1]) - 1, 17), len(whole[1]) - 2):
        path.write_bytes(whole[0] + whole[1][:length])
        found = read_records(path)
        assert list(found) == RECORDS[:1]
        assert found.truncated == 2
    assert found.note == f"{path}:2: the last line is cut off and was left out"


def test_a_last_line_without_line_end_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(map(record_to_json, RECORDS)))
    assert read_records(path).records == tuple(RECORDS)


def test_blank_lines_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("\n\n" + record_to_json(RECORDS[0]) + "\n  \n")
    assert list(read_records(path)) == RECORDS[:1]


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "nowhere.jsonl"
    with pytest.raises(InputError, match="cannot be read") as caught:
        read_records(path)
    # The path is said once, as the place of the error.
    assert caught.value.where == str(path)
    assert str(path) not in caught.value.what
    assert os.strerror(errno.ENOENT) in caught.value.what


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1, 2", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("9" * 5_000, "not JSON|an object"),
        ("[]", "an object"),
        ("{}", "the field 'suite'"),
        (changed("task", to=7), "the field 'task' is 7\n.*a string"),
        (changed("colour", to="red"), "the field 'colour'"),
        (changed("seconds", to=float("nan")), "the field 'seconds' is nan"),
        (changed("seconds", to=10**400), "the field 'seconds' is 1000"),
        (changed("result", "success", to=1), "the field 'result.success' is 1"),
        (changed("result", "status", to="done"), "'evaluated', 'missing', 'excluded'"),
        (changed("result", "plan", to="walk"), "the field 'result.plan' is 'walk'"),
        (changed("result", "plan", 2, to=None), r"the field 'result.plan\[2\]' is None"),
        (
            changed("result", "findings", 1, "kind", to="wrongorder"),
            r"(?s)'result.findings\[1\].kind'.*did you mean 'wrong_order'",
        ),
        (changed("result", "findings", 1, "step", to=True), r"findings\[1\].step' is True"),
        (changed("result", "goals", 0, "since", to=-1), r"goals\[0\].since' is -1"),
        (changed("result", "goals", 0, "kind", to="colour"), "'state', 'relation', 'action'"),
    ],
)
def test_a_line_that_is_no_record_is_refused_with_its_place(
    tmp_path: Path, line: str, message: str
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(f"{record_to_json(RECORDS[0])}\n{line}\n")
    with pytest.raises(SchemaError, match=message) as caught:
        read_records(path)
    assert caught.value.where == f"{path}:2"


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"\xff\xfe\x00garbage\n")
    with pytest.raises(SchemaError, match="not JSON"):
        read_records(path)


def test_fields_with_a_default_may_be_absent() -> None:
    value = json.loads(record_to_json(RECORDS[2]))
    value["result"] = {"status": "missing"}
    assert record_from_json(json.dumps(value)).result.findings == ()


@pytest.mark.heavy
def test_ten_thousand_records_are_read_within_a_second(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    line = record_to_json(record(STOPPED, output="x" * 1_000)) + "\n"
    path.write_text(line * 10_000)
    begin = time.process_time()
    assert len(read_records(path)) == 10_000
    assert time.process_time() - begin < 10
