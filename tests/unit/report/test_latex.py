"""Tables in LaTeX: they fit a column of a paper without being scaled, and hold what they should."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from needs import TEX

from eai.diagnosis import ErrorKind, Finding, Result
from eai.report import Leaderboard, Published, Record, Report
from eai.table import Cell, Column, Measured, Table
from eai.text import latex

MODELS = (
    "claude-3-haiku-20240307",
    "claude-3.5-sonnet-20240620",
    "gemini-1.5-flash-preview-0514",
    "gpt-4o-2024-05-13",
    "meta-llama/Meta-Llama-3-70B-Instruct",
    "mistral_large_2402",
    "mixtral-8x22b-instruct-v0.1",
    "o1-preview",
    "café & 50% of #1",
    "模型 β",
    "anameofoneverylongwordwithoutanyplacewhereitcouldbebroken",
    "x",
)
UNSCALED = r"\renewcommand{\resizebox}[3]{#3}"
ABILITIES = (
    "goal_interpretation",
    "action_sequencing",
    "subgoal_decomposition",
    "transition_modeling",
)


def report(suite: str, ability: str, models: tuple[str, ...] = MODELS) -> Report:
    """Models of which each solves one task more than the one before."""
    failed = Result("evaluated", findings=(Finding(ErrorKind.PARSING, "unreadable"),))
    solved = Result("evaluated", success=True, executable=True)
    return Report(
        Record(
            suite,
            "1.0.0",
            ability,
            "strict",
            model,
            str(task),
            "name",
            "",
            solved if task < 20 + place else failed,
        )
        for place, model in enumerate(models)
        for task in range(40)
    )


def board() -> Leaderboard:
    suites = ("virtualhome", "behavior")
    return Leaderboard([report(suite, ability) for suite in suites for ability in ABILITIES])


def log_of(tmp_path: Path, *texts: str) -> str:
    """Set texts in two columns, without the help of scaling, and return what TeX says."""
    body = "\n".join(texts)
    (tmp_path / "paper.tex").write_text(
        r"\documentclass[twocolumn]{article}\usepackage{booktabs,graphicx}"
        rf"{UNSCALED}\begin{{document}}{body}\end{{document}}",
        encoding="utf-8",
    )
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, check=False)
    said = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, said[-2000:]
    return said


def written(shown: Report, tmp_path: Path, *, wide: bool = False) -> str:
    shown.to_latex(tmp_path / "table.tex", force=True, wide=wide)
    return (tmp_path / "table.tex").read_text("utf-8")


@TEX
@pytest.mark.parametrize("wide", [False, True])
def test_a_leaderboard_of_two_suites_fits(tmp_path: Path, wide: bool) -> None:
    said = log_of(tmp_path, board().latex(wide=wide))
    assert r"Overfull \hbox" not in said
    assert "Float too large" not in said


@TEX
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("ability", [*ABILITIES, "interaction"])
def test_the_tables_of_a_run_fit(tmp_path: Path, ability: str, wide: bool) -> None:
    said = log_of(tmp_path, written(report("world", ability), tmp_path, wide=wide))
    assert r"Overfull \hbox" not in said
    assert "Float too large" not in said


@TEX
def test_means_and_published_numbers_can_be_set(tmp_path: Path) -> None:
    same = Published("x_1", "world", "action_sequencing", "task_success_rate", 70, "", "Paper & Co")
    found = Leaderboard([report("world", "action_sequencing")], average=True, published=[same])
    assert r"Overfull \hbox" not in log_of(tmp_path, found.latex())


@TEX
def test_any_character_can_be_set(tmp_path: Path) -> None:
    letters = "".join(map(chr, [*range(32, 0x250), *range(0x370, 0x400), *range(0x2000, 0x2300)]))
    log_of(tmp_path, latex(letters), latex("漢字 😀"))


def test_what_has_no_room_is_put_below_without_intervals() -> None:
    text = board().latex()
    assert text.count(r"\begin{tabular}") > 1
    assert r"\scriptsize 3" not in text
    assert "% left out for lack of room: the intervals" in text
    assert all(
        text.count(latex(name)) == text.count(r"\begin{tabular}") for name in ("o1-preview",)
    )


def test_one_column_has_its_intervals() -> None:
    text = Leaderboard([report("world", "action_sequencing", ("a", "b"))]).latex()
    [interval] = re.findall(r"^a +& .*\\\\\n & \{\\scriptsize ([\d.-]+)\}", text, re.MULTILINE)
    assert interval == "35.2--64.8"


def test_the_best_is_bold_and_errors_are_not(tmp_path: Path) -> None:
    text = written(report("world", "action_sequencing", ("a", "b")), tmp_path)
    first = text.partition(r"\end{tabular}")[0]
    rows = dict(re.findall(r"^(a|b) & (.*) \\\\$", first, re.MULTILINE))
    assert rows["b"].startswith(r"\textbf{")
    assert r"\textbf" not in rows["a"]
    alone = written(report("world", "action_sequencing", ("a",)), tmp_path)
    assert r"\textbf" not in alone


def test_numbers_that_are_printed_alike_are_all_bold() -> None:
    column = Column("score", is_score=True)
    numbers = {"a": 50.01, "b": 50.02, "c": 4.0}
    rows: list[dict[str, Cell]] = [
        {"model": name, "score": Measured(number)} for name, number in numbers.items()
    ]
    text = Table("Scores", rows, columns=(Column("model"), column)).latex()
    assert text.count(r"\textbf{50.0}") == 2


def test_the_caption_is_short_and_the_notes_stand_below(tmp_path: Path) -> None:
    shown = Report(report("world", "action_sequencing").records, ["a file was left out"])
    text = written(shown, tmp_path)
    for table in text.split(r"\begin{table}")[1:]:
        caption, rest = table.partition(r"\caption{")[2].split("\n", 1)
        assert len(caption) < 80
        assert rest.startswith(r"\label{tab:world-action-sequencing-")
        assert "n = 40 tasks" in rest.partition(r"\end{tabular}")[2]
    # Notes on the evaluation are for whoever writes the paper, not for its readers.
    assert "\n% a file was left out\n" in text
    assert text.count("a file was left out") == 1


def test_a_note_on_a_mark_stands_only_below_tables_with_the_mark() -> None:
    models = [f"model {number}" for number in range(40)]
    rows: list[dict[str, Cell]] = []
    for name in models:
        row: dict[str, Cell] = {"model": name, "first": Measured(50.0, mark="*")}
        row.update({f"n{number}": Measured(50.0) for number in range(9)})
        rows.append(row)
    columns = tuple(Column(key) for key in rows[0])
    text = Table("Scores", rows, ("* best", "all of it"), columns).latex()
    first, *others = text.split(r"\begin{table}")[1:]
    assert "* best" in first
    assert others
    assert not any("* best" in other for other in others)
    assert all("all of it" in part for part in (first, *others))


def test_every_table_has_its_own_label(tmp_path: Path) -> None:
    labels = re.findall(r"\\label\{(.*)\}", written(report("world", "interaction"), tmp_path))
    assert len(labels) > 2
    assert len(set(labels)) == len(labels)


def test_wide_tables_span_both_columns(tmp_path: Path) -> None:
    assert board().latex(wide=True).count(r"\begin{table*}") == 1
    text = written(report("world", "action_sequencing"), tmp_path, wide=True)
    assert r"\begin{table*}" in text
    assert r"\begin{table}" not in text
