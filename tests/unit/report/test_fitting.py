"""Tables that fit a terminal without a split word or number."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO

import pytest
from report_samples import SOLVED, record
from rich.console import Console, RenderableType

from eai.diagnosis import Condition, Result
from eai.report import Report
from eai.table import Cell, Table
from eai.table.folding import fold_text, longest_piece

UNSOLVED = Result("scored", goals=(Condition("state", "on(lamp)", met=False),))


def printed(shown: RenderableType, width: int) -> str:
    stream = StringIO()
    Console(file=stream, width=width, color_system=None).print(shown)
    return stream.getvalue()


def report(*models: str) -> Report:
    return Report(
        [
            record(SOLVED if (n + place) % 3 else UNSOLVED, model=model, task=f"t{n}")
            for place, model in enumerate(models)
            for n in range(30)
        ]
    )


def test_texts_are_folded_behind_blanks_and_punctuation_only() -> None:
    assert fold_text("samples_careful", 8) == "samples_\ncareful"
    assert fold_text("first %", 5) == "first\n%"
    assert fold_text("Llama-3.1-70B-Instruct", 14) == "Llama-3.1-70B-\nInstruct"
    assert fold_text("171/202", 3) == "171/202"
    assert fold_text("a b c", 3) == "a b\nc"
    assert fold_text("", 3) == ""
    assert [longest_piece(text) for text in ("my model", "", "名前")] == [5, 0, 4]


@pytest.mark.parametrize("width", [50, 60, 80, 100, 120, 200])
def test_a_comparison_splits_no_word_and_no_number(width: int) -> None:
    comparison = replace(report("alpha", "samples_careful").compare(), title="Title")
    lines = printed(comparison, width).splitlines()
    assert max(map(len, lines)) <= width
    end = next(n for n, line in enumerate(lines) if "alpha and" in line)
    words = set(re.findall(r"[^\s_─]+", "\n".join(lines[:end])))
    known = "metric first second tasks % difference low high only p adjusted effect"
    assert set(known.split()) <= words
    numbers = {word for word in words if re.search(r"\d", word)}
    row = comparison.rows.rows[0]
    assert {f"{row['first %']:.1f}", f"{row['low']:.1f}", str(row["only first"])} <= numbers
    assert all(re.fullmatch(r"-?\d+|-?\d+\.\d|-?\d\.\d{3}", number) for number in numbers)


def test_what_has_no_room_as_a_table_becomes_a_list() -> None:
    rows: list[dict[str, Cell]] = [{"name": "x" * 30, "number": 1.5, "other": 2}]
    told = printed(Table("Title", rows), 35)
    assert told.split() == ["Title", "x" * 30, "number", "1.5", "other", "2"]


def test_tables_with_one_column_or_none_are_shown() -> None:
    rows: list[dict[str, Cell]] = [{"number": 7}]
    assert printed(Table("T", rows), 20).split()[-1] == "7"
    assert printed(Table("Nothing", ()), 20).split() == ["Nothing"]


def test_names_of_models_are_not_split_inside_a_word() -> None:
    told = printed(report("samples_of_somebody_very_careful_and_not_hasty", "beta"), 80)
    assert re.search(r"^samples_of_somebody_very_careful_and_ ", told, re.MULTILINE)
    assert re.search(r"^not_hasty ", told, re.MULTILINE)
    told = printed(report("incomprehensibilities"), 30)  # as a list: there is no room beside it
    assert re.search(r"^incomprehensibilities$", told, re.MULTILINE)


def test_names_of_usual_length_stay_whole_and_metrics_go_to_a_second_table() -> None:
    told = printed(report("samples_careful", "beta"), 80)
    assert len(re.findall(r"^ *samples_careful ", told, re.MULTILINE)) == 3  # trajectories: two
    assert max(map(len, told.splitlines())) <= 80
    wide = printed(report("samples_careful", "beta"), 100)
    assert len(re.findall(r"^ *samples_careful ", wide, re.MULTILINE)) == 2
    assert wide.split().count("Addit.") == told.split().count("Addit.") == 1


def test_percentages_have_one_decimal_however_small() -> None:
    table = Table("Rates", [{"rate %": 0.0, "correlation": 0.25}])
    assert " 0.0 " in f"{table} ".replace("\n", " ")
    assert "0.250" in str(table)
