"""Text, CSV and LaTeX: complete, stored as golden files, harmless, never over another file."""

import csv
import io
import re
from pathlib import Path

import pytest
from report_samples import GARBLED, SOLVED, golden, record, sample_report
from rich.console import Console

from eai.diagnosis import ErrorKind, Finding, Result
from eai.errors import InputError, OutputExistsError
from eai.files import replacing
from eai.report import Leaderboard, Report
from eai.text import cut, encodable, latex, printable, printable_line, short, spreadsheet

HOSTILE = "a\x00\x1b[31m\u202eb\ud800\r\n\u2028c"


class InterruptedRunError(Exception):
    """Something that goes wrong while a file is written."""


def console(encoding: str, width: int = 80) -> tuple[Console, io.BytesIO]:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, write_through=True)
    return Console(file=stream, width=width), raw


def test_the_text_is_the_stored_one() -> None:
    text = str(sample_report()) + "\n"
    assert golden("report.txt", text) == text


def test_the_latex_file_is_the_stored_one(tmp_path: Path) -> None:
    sample_report().to_latex(tmp_path / "table.tex")
    text = (tmp_path / "table.tex").read_text("utf-8")
    assert golden("table.tex", text) == text


def test_the_csv_file_is_the_stored_one(tmp_path: Path) -> None:
    sample_report().to_csv(tmp_path / "table.csv")
    text = (tmp_path / "table.csv").read_text("utf-8")
    assert golden("table.csv", text) == text


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("-m", "'-m"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\uff20SUM(1)", "'\uff20SUM(1)"),
        ("a;=1+1", "a;'=1+1"),
        ('a; "=1+1', "a; \"'=1+1"),
        (" \t=1", "'=1"),
        ("a = 1; b", "a = 1; b"),
        ("a-b, +c", "a-b, +c"),
        ("as it was; --force replaces it; --all", "as it was; --force replaces it; --all"),
        ("--force", "'--force"),
        ("a; --cmd|' /C calc'!A0", "a; '--cmd|' /C calc'!A0"),
        ("a; --x cmd|' /C calc'!A0", "a; '--x cmd|' /C calc'!A0"),
        ("a; --sum (A1)", "a; '--sum (A1)"),
        ("a; --a1+1", "a; '--a1+1"),
        ("a; -force", "a; '-force"),
    ],
)
def test_no_cell_is_a_formula(text: str, cell: str, tmp_path: Path) -> None:
    assert spreadsheet(text) == cell
    Report([record(SOLVED, model=text)]).to_csv(tmp_path / "table.csv")
    [row] = csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text("utf-8")))
    assert row["model"] == cell


def test_each_row_has_the_notes_of_its_model_only(tmp_path: Path) -> None:
    notes = ("a: odd", "a: odder: b", "b: odd", "of all")
    report = Report([record(SOLVED, model="a"), record(SOLVED, model="b")], notes)
    report.to_csv(tmp_path / "table.csv")
    rows = csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text("utf-8")))
    assert [row["notes"] for row in rows] == ["a: odd; a: odder: b; of all", "b: odd; of all"]
    # What is said of several models is said once below the tables.
    assert "a, b: odd\n" in str(report)


def test_an_error_that_counts_twice_is_no_number_of_tasks(tmp_path: Path) -> None:
    twice = Result("evaluated", findings=(Finding(ErrorKind.PARSING, "unreadable", times=2),))
    report = Report([record(twice, task="t2"), record(twice, task="t3"), record(SOLVED)])
    parsing = next(each for each in report.metrics("alpha") if each.key == "parsing")
    assert (parsing.numerator, parsing.unit, parsing.interval) == (4, "occurrences", None)
    assert report.tally("alpha").affected["parsing"] == 2
    report.to_html(tmp_path / "page.html")
    assert "parsing: 2 of 3 tasks" in (tmp_path / "page.html").read_text("utf-8")
    report.to_csv(tmp_path / "table.csv")


def test_every_rendering_says_what_was_run_and_out_of_how_many(tmp_path: Path) -> None:
    report = sample_report()
    report.to_html(tmp_path / "page.html")
    report.to_latex(tmp_path / "table.tex")
    shown = [
        str(report),
        report._repr_html_(),
        (tmp_path / "page.html").read_text("utf-8"),
        (tmp_path / "table.tex").read_text("utf-8").replace(r"\_", "_"),
    ]
    for text in shown:
        words = " ".join(text.split())
        assert "uite household 1.0, ability action_sequencing" in words
        assert "semantics official (eai-eval 1.0.5), evaluated by eai 0.1.0" in words
        assert "n = 4 tasks (1 unanswered, counted as failures;" in words
        assert "1 excluded) and 12 goal conditions (4 state, 4 relation, 4 action)" in words
        assert "1 prediction for an unknown task was left out" in words


def test_models_that_agree_share_one_line_of_small_print() -> None:
    report = Report([record(SOLVED, model=model) for model in ("one", "two")])
    words = " ".join(str(report).split())
    assert "n = 1 task (0 unanswered, counted as failures;" in words


def test_the_csv_file_reads_back_as_numbers(tmp_path: Path) -> None:
    sample_report().to_csv(tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as stream:
        first, second = csv.DictReader(stream)
    assert first["model"] == "alpha"
    assert first["task_success_rate"] == "25.0000"
    assert first["task_success_rate.numerator"] == "1"
    assert first["task_success_rate.denominator"] == "4"
    assert float(first["task_success_rate.low"]) < 25 < float(first["task_success_rate.high"])
    assert second["tasks"] == "5"


def test_a_csv_cell_is_never_a_formula(tmp_path: Path) -> None:
    Report([record(SOLVED, model='=HYPERLINK("http://x")')]).to_csv(tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert row["model"] == '\'=HYPERLINK("http://x")'


def test_an_empty_report_can_be_shown(tmp_path: Path) -> None:
    report = Report([], ["every prediction was left out"])
    assert "There are no records." in str(report)
    assert "There are no records." in report._repr_html_()
    report.to_csv(tmp_path / "table.csv")
    report.to_latex(tmp_path / "table.tex")
    report.to_html(tmp_path / "page.html")
    assert len((tmp_path / "table.csv").read_text().splitlines()) == 1


def test_a_terminal_shows_lines_and_an_ascii_stream_does_not() -> None:
    fine, raw = console("utf-8")
    fine.print(sample_report())
    assert "\u2500" in raw.getvalue().decode("utf-8")
    simple, raw = console("ascii")
    simple.print(Report([record(SOLVED, model="modèle")]))
    assert "mod\\xe8" in raw.getvalue().decode("ascii")


def test_the_table_fits_eighty_columns() -> None:
    narrow, raw = console("utf-8")
    narrow.print(Report([record(GARBLED, model="a-rather-long-name-2024-05-13")]))
    lines = raw.getvalue().decode("utf-8").splitlines()
    assert max(map(len, lines)) <= 80
    assert not any("…" in line for line in lines)


def test_markup_and_control_characters_do_not_reach_the_terminal() -> None:
    shown, raw = console("utf-8", width=200)
    shown.print(Report([record(SOLVED, model="[red]x[/red]")], [HOSTILE]))
    text = raw.getvalue().decode("utf-8")
    assert "[red]x[/red]" in text
    assert "a<U+0000><U+001B>[31m<U+202E>b<U+D800> <U+2028>c" in text


def test_hostile_names_are_escaped_in_latex(tmp_path: Path) -> None:
    model = r"\input{a}%$_^#&~"
    Report([record(SOLVED, model=model)], [HOSTILE]).to_latex(tmp_path / "table.tex")
    text = (tmp_path / "table.tex").read_text("utf-8")
    assert latex(model) in text
    assert r"\input" not in text
    assert latex(r"\{}") == r"\textbackslash{}\{\}"


def test_nothing_is_written_over_unasked(tmp_path: Path) -> None:
    report = sample_report()
    board = Leaderboard([report])
    for write in (
        report.to_csv,
        report.to_latex,
        report.to_html,
        board.to_csv,
        board.to_latex,
        board.to_markdown,
        board.to_html,
        report.to_markdown,
        report.compare().to_csv,
    ):
        path = tmp_path / "out"
        path.write_text("precious")
        with pytest.raises(OutputExistsError):
            write(path)
        assert path.read_text() == "precious"
        write(path, force=True)
        assert path.read_text("utf-8") != "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_in_the_middle_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("precious")

    def fail_half_way() -> None:
        with replacing(path, force=True) as stream:
            stream.write("half" * 10_000)
            raise InterruptedRunError

    with pytest.raises(InterruptedRunError):
        fail_half_way()
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder does not exist"):
        sample_report().to_csv(tmp_path / "no" / "table.csv")
    with pytest.raises(InputError, match="cannot be written: File name too long"):
        sample_report().to_csv(tmp_path / ("x" * 250))


def test_unsafe_characters_are_named() -> None:
    assert printable("a\tb\nc\r\nd\re") == "a\tb\nc\nd\ne"
    assert printable("\x00\x7f\ud800\ufeff\u2066\uffff") == (
        "<U+0000><U+007F><U+D800><U+FEFF><U+2066><U+FFFF>"
    )
    assert printable("שלום é 🙂") == "שלום é 🙂"
    assert printable_line(" a\n\t b ") == "a b"


def test_long_texts_are_cut_with_a_note() -> None:
    assert cut("abc", 3) == ("abc", "")
    assert cut("x" * 5000, 2) == ("xx", "cut: the first 2 of 5,000 characters are shown")
    assert short("abcdef", 3) == "abc ..."
    assert encodable("né\n", "ascii") == "n\\xe9"


@pytest.mark.parametrize("length", [199, 200, 201, 500])
def test_names_of_models_are_cut_at_200_characters(length: int) -> None:
    report = Report([record(SOLVED, model="m" * length)])
    names = re.findall("m{100,}", report._repr_html_())
    assert names == ["m" * min(length, 200)] * len(names)
    assert names
