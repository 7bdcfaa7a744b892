"""Verdicts of a run beside those in a file of somebody else, count by count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from report_samples import SOLVED, record

from eai.diagnosis import Result
from eai.errors import InputError
from eai.report import Record, id_of, kappa_rows, score_records, verdict_tables
from eai.report.agreement import _find_verdict

FAILED = Result("evaluated")


def write(path: Path, content: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def records(solved: str) -> list[Record]:
    """A record for each letter: + solved, - not, x excluded."""
    kinds = {"+": SOLVED, "-": FAILED, "x": Result("excluded", success=True)}
    return [record(kinds[sign], task=f"t{place}") for place, sign in enumerate(solved)]


def test_verdicts_are_counted_task_by_task(tmp_path: Path) -> None:
    theirs = [{"id": f"t{n}", "success": int(v)} for n, v in enumerate("1110010")]
    theirs += [{"id": "elsewhere", "success": 1}, {"id": "t9"}, {"success": 1}]
    path = write(tmp_path / "scores.json", theirs)
    head, crossed, apart = verdict_tables(records("++-+--x"), path)
    values = {row["what"]: row["value"] for row in head.rows}
    assert list(values.values())[:5] == [6, 2, 2, 50.0, "18.8 to 81.2"]
    assert values["Kappa"] == 0.0
    assert [list(row.values())[1:] for row in crossed.rows] == [[2, 1], [2, 1]]
    assert [list(row.values()) for row in apart.rows] == [["t2", 0, 1], ["t3", 1, 0], ["t5", 0, 1]]


def test_the_first_sample_of_a_task_counts_and_names_may_be_others(tmp_path: Path) -> None:
    twice = [record(SOLVED, task="t0"), record(FAILED, task="t0"), record(FAILED, task="t1")]
    path = write(tmp_path / "scores.json", {"T0": True, "T1": {"score": 0.4}})
    head, crossed, apart = verdict_tables(twice, path, str.lower)
    assert [row["value"] for row in head.rows][:4] == [2, 0, 0, 100.0]
    assert [list(row.values())[1:] for row in crossed.rows] == [[1, 0], [0, 1]]
    assert apart.rows == []


def test_without_a_common_task_nothing_is_compared(tmp_path: Path) -> None:
    path = write(tmp_path / "scores.json", [{"id": "other", "success": 1}])
    with pytest.raises(InputError):
        verdict_tables(records("+-"), path)


ROWS = [{"id": "a", "score": 1}, {"id": "b", "score": 0}]


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("x.json", ROWS, ROWS),
        ("x.json", {"a": 1, "b": 0}, ROWS),
        ("x.json", {"a": {"score": 1}, "b": {"score": 0}}, ROWS),
        ("x.json", [*ROWS, 3, "b", None], ROWS),
        ("x.jsonl", "\n\n".join(map(json.dumps, ROWS)) + "\n", ROWS),
        ("x.csv", "id,score\na,1\nb,0\n", [{"id": "a", "score": "1"}, {"id": "b", "score": "0"}]),
        ("x.json", "\ufeff" + json.dumps(ROWS), ROWS),
    ],
)
def test_records_of_scores_come_in_any_file(
    tmp_path: Path, name: str, content: object, found: list[object]
) -> None:
    assert score_records(write(tmp_path / name, content)) == found


@pytest.mark.parametrize("content", ["not json", '{"a": 1}\nnot json'])
def test_what_is_no_record_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError):
        score_records(write(tmp_path / "x.jsonl", content))
    with pytest.raises(InputError):
        score_records(tmp_path / "absent.json")


def test_a_record_is_named_by_the_first_key_that_says_something() -> None:
    assert id_of({"task": "t", "id": "i", "unique_id": ""}) == "i"
    assert id_of({"task": 3, "id": None}) == "3"
    assert id_of({"name": "t"}) == ""


@pytest.mark.parametrize(
    ("data", "verdict"),
    [
        ({"success": True}, 1.0),
        ({"success": "No "}, 0.0),
        ({"verdict": "PASSED"}, 1.0),
        ({"label": "wrong"}, 0.0),
        ({"score": 0.5}, 1.0),
        ({"score": 0.49}, 0.0),
        ({"score": 1}, 1.0),
        ({"score": 0}, 0.0),
        ({"score": 1.01}, None),
        ({"score": -0.01}, None),
        ({"score": "much"}, None),
        ({"task_success": None, "success": "", "correct": "false"}, 0.0),
        ({"id": "a", "result": {"passed": 1}}, 1.0),
        ({"id": "a", "answer": 'I say {"correct": false} here'}, 0.0),
        ({"id": "a", "answer": "I say { nothing }"}, None),
        ({"id": "a"}, None),
    ],
)
def test_a_verdict_is_found_in_a_record(data: dict[str, object], verdict: float | None) -> None:
    assert _find_verdict(data) == verdict


def test_kappa_is_a_row_with_its_interval_or_none() -> None:
    value, interval = kappa_rows([1, 1, 0, 0], [1, 0, 0, 0])
    assert value == ("Kappa", 0.5)
    assert interval[1] == "0.000 to 1.000"
    assert kappa_rows([1, 1], [1, 1]) == []
