"""A report says how answers were read, unless all of them say one thing."""

from __future__ import annotations

import pytest

import eai
from eai.abilities.subgoals.reader import read_subgoals
from eai.diagnosis import ErrorKind, Finding, Result
from eai.report.reading import reading_tables

UNREAD = Finding(ErrorKind.PARSING, "not a step")


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (Result("evaluated"), "clean"),
        (Result("evaluated", notes=("2 plans in the answer; chosen by: last",)), "chosen"),
        (Result("evaluated", findings=(UNREAD,), plan=("walk(hall)",)), "partial"),
        (Result("evaluated", findings=(UNREAD,)), "none"),
        (Result("missing"), ""),
    ],
)
def test_how_an_answer_was_read(result: Result, expected: str) -> None:
    assert result.reading == expected


def report_of(*answers: str) -> eai.Report:
    tasks = eai.suite("household").task_ids()
    return eai.evaluate(
        "household", dict(zip(tasks, answers, strict=False)), tasks="answered", semantics="strict"
    )


def test_answers_that_say_one_thing_need_no_table() -> None:
    assert list(reading_tables(report_of('["SLEEP()"]', "1. SLEEP()"))) == []


def test_shares_of_answers_by_their_reading() -> None:
    chosen = "1. WALK(bed.1)\n2. SLEEP()\n\nBetter:\n1. SLEEP()\n2. SLEEP()"
    report = report_of('["SLEEP()"]', chosen, "I do not know.")
    [table] = reading_tables(report)
    [row] = table.rows
    counts = {key: cell.counts for key, cell in row.items() if key != "model"}  # type: ignore[union-attr]
    assert counts == {"clean": "1", "chosen": "1", "partial": "0", "none": "1"}


def test_the_rule_of_a_choice_is_in_the_notes_of_every_ability() -> None:
    text = "Draft:\n1. ON(lamp.1)\n2. OPEN(door.2)\n\nFinal answer:\n1. OPEN(door.2)\n2. ON(tv.3)"
    assert any("; chosen by: final" in note for note in read_subgoals(text).notes)
