"""What distinguishes two models."""

import json
from pathlib import Path

import pytest
from command_line import call

import eai
from eai.analyses import distinctions
from eai.diagnosis import ErrorKind, Finding, Result
from eai.errors import UnknownNameError
from eai.report import Record, Report
from eai.suites.household import samples

ORDER = Finding(ErrorKind.WRONG_ORDER, "too late")
RESULTS = {
    "+": Result("evaluated", success=True, executable=True),
    "-": Result("evaluated"),
    "o": Result("evaluated", findings=(ORDER,)),
    "x": Result("excluded"),
}


def outcomes(model: str, marks: str) -> list[Record]:
    names = ("wash", "wash", "cook", "cook", "cook")
    return [
        Record("world", "1", "action_sequencing", "strict", model, f"t{n}", name, "", RESULTS[mark])
        for n, (mark, name) in enumerate(zip(marks, names, strict=True))
    ]


REPORT = Report([*outcomes("a", "++-+x"), *outcomes("b", "oo++x")])


def test_tasks_that_only_one_solves_are_counted_and_named() -> None:
    whole, _, _ = distinctions(REPORT, "a", "b")
    assert whole.rows == [
        {
            "what": "all tasks",
            "both": 1,
            "only first": 2,
            "only second": 1,
            "examples first": "t0, t1",
            "examples second": "t2",
        }
    ]
    assert "4 tasks that count for both models" in whole.notes[0]


def test_categories_and_errors_stand_in_the_order_of_their_difference() -> None:
    _, categories, errors = distinctions(REPORT, "a", "b", examples=1)
    assert [(row["what"], row["only first"], row["only second"]) for row in categories.rows] == [
        ("wash", 2, 0),
        ("cook", 0, 1),
    ]
    assert [(row["what"], row["only second"], row["examples second"]) for row in errors.rows] == [
        ("wrong_order", 2, "t0")
    ]


def test_a_model_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no model named 'c'"):
        distinctions(REPORT, "a", "c")


@pytest.mark.heavy
def test_the_command(tmp_path: Path) -> None:
    eai.evaluate("household", samples(), output=tmp_path)
    words = ("analyze", "differences", tmp_path, "samples_careful", "samples_hasty")
    tables = json.loads(call(*words, "--json").stdout)["tables"]
    assert tables[0]["title"] == "Tasks that are solved"
    assert tables[0]["rows"][0]["only first"] > tables[0]["rows"][0]["only second"]
