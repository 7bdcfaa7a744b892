"""The picture of truth over time."""

from __future__ import annotations

import re
import sys
import time
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from list_trajectory import ListTrajectory
from needs import package

from eai.errors import InputError, MissingExtraError, SchemaError
from eai.logic import (
    ActionAtom,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Iff,
    Not,
    Or,
    ShownFigure,
    Then,
    Variable,
    truth_table,
)

X = Variable("x")
ON, HELD, GRAB = Atom("on", ("tv",)), Atom("held", (X,)), ActionAtom("GRAB", (X,))
EVENING = ListTrajectory(
    ["tv", "cup"],
    [set(), {("on", "tv")}, {("on", "tv"), ("held", "cup")}, {("held", "cup")}],
    [("SWITCH", "tv"), ("GRAB", "cup"), ("SWITCH", "tv")],
)
GOAL = Then((Exists((X,), GRAB), And((ON, Exists((X,), HELD)))))


def test_plain_text_has_a_row_for_each_part_and_a_column_for_each_position() -> None:
    assert str(truth_table(GOAL, EVENING, width=60)).splitlines() == [
        "after step                                               0 1 2 3",
        "exists x. (GRAB(x)) then on(tv) and exists x. (held(x))  . . # #",
        "  exists x. (GRAB(x))                                    . # . .",
        "    next: GRAB(cup)                                      . # . .",
        "  on(tv) and exists x. (held(x))                         . . # .",
        "    on(tv)                                               . # # .",
        "    exists x. (held(x))                                  . . # #",
        "      held(cup)                                          . . # #",
        "(an action is marked below the step before it: step 8 below 7)",
        "(a row with 'then' says whether the steps so far will do)",
    ]


def test_a_picture_without_actions_says_nothing_of_them() -> None:
    assert "action" not in str(truth_table(ON, EVENING))


def test_steps_have_the_numbers_of_the_reader() -> None:
    picture = truth_table(ON, EVENING, numbers=[2, 5, 11], plan=["on", "grab", "off"])
    assert picture.labels == ("0", "2", "5", "11")
    assert picture.actions == ("", "on", "grab", "off")
    assert str(picture).splitlines()[0] == "after step   0  2  5 11"
    with pytest.raises(SchemaError, match="2 step numbers"):
        truth_table(ON, EVENING, numbers=[2, 5])


def test_parts_below_a_quantifier_that_nothing_decided_are_counted() -> None:
    picture = truth_table(Forall((Variable("x", ("nothing",)),), HELD), EVENING)
    assert len(picture.rows) == 1
    assert picture.notes == ("1 parts below quantifiers are left out: no object decided them",)


def test_below_the_last_row_of_a_full_table_parts_are_only_counted() -> None:
    undecided = Forall((Variable("x", ("nothing",)),), HELD)
    picture = truth_table(undecided, EVENING, most_rows=1)
    assert len(picture.rows) == 1
    assert picture.notes == ("1 more subformulas are left out",)


def test_long_trajectories_are_windowed_around_what_happens() -> None:
    states = [{("on", "tv")} if 300 <= i < 303 else set() for i in range(1000)]
    long = ListTrajectory(["tv"], states)
    picture = truth_table(Not(ON), long, most_columns=9)
    assert {0, 299, 300, 302, 303, 999} <= set(picture.positions)
    assert len(picture.positions) <= 9
    left_out = 1000 - len(picture.positions)
    assert picture.notes == (f"{left_out} of 1000 positions are left out, '~' marks where",)
    assert "~ 299 300" in str(picture)


def test_large_formulas_are_cut_and_it_is_said() -> None:
    wide = Or(tuple(Atom("on", (f"object_{i}",)) for i in range(50)))
    picture = truth_table(wide, EVENING, most_rows=5, width=20)
    assert len(picture.rows) == 5
    assert all(len(row.text) <= 20 for row in picture.rows)
    assert picture.notes == (
        "texts are cut after 20 characters",
        "46 more subformulas are left out",
    )


@pytest.mark.parametrize(("rows", "columns", "width"), [(0, 2, 8), (1, 1, 8), (1, 2, 7)])
def test_a_picture_of_nothing_is_refused(rows: int, columns: int, width: int) -> None:
    with pytest.raises(InputError, match="empty"):
        truth_table(ON, EVENING, most_rows=rows, most_columns=columns, width=width)


class Balanced(HTMLParser):
    """Fails on tags that are not closed in order, and collects the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert all(name in ("class", "title", "style", "colspan") for name, _ in attrs)
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_rows_of_html_are_indented_by_their_depth() -> None:
    picture = truth_table(GOAL, EVENING)
    indents = [float(indent) for indent in re.findall(r"padding-left:([\d.]+)em", picture.html())]
    assert 0 <= indents[0] < 1
    depths = [row.depth for row in picture.rows]
    assert indents == pytest.approx([indents[0] + depth for depth in depths])
    assert max(depths) > 1


def test_html_is_whole_escaped_and_needs_nothing_else() -> None:
    odd = Atom('<script>alert("x")</script>')
    picture = truth_table(And((odd, ON)), EVENING, plan=['<b onload="x">', "b", "c"])
    page = Balanced()
    page.feed(picture.html())
    assert page.open == []
    assert page.tags == {"style", "table", "tr", "th", "td"}
    assert any("<script>" in text for text in page.text)
    assert picture.html() == picture._repr_html_()
    assert "http" not in picture.html()


def test_without_matplotlib_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match="matplotlib") as caught:
        truth_table(ON, EVENING).plot()
    assert caught.value.mend == "pip install matplotlib"


def test_a_plot_can_be_saved(tmp_path: Path) -> None:
    package("matplotlib", extra="plot")
    formula: Formula = Or((GOAL, Atom("$x^")))
    path = tmp_path / "truth.png"
    plot = truth_table(formula, EVENING).plot()
    plot.savefig(path)
    assert path.read_bytes().startswith(b"\x89PNG")
    assert isinstance(plot, ShownFigure)
    assert plot._repr_png_().startswith(b"\x89PNG")  # notebooks ask for this


def test_a_plot_shows_what_the_rows_say_and_where_positions_are_left_out() -> None:
    package("matplotlib", extra="plot")
    long = ListTrajectory(["tv"], [[("on", "tv")] * (30 <= n < 60) for n in range(90)], [])
    picture = truth_table(Not(ON), long, most_columns=9)
    [axes] = picture.plot().axes  # type: ignore[attr-defined]
    positions = picture.positions
    gaps = [at for at, (a, b) in enumerate(pairwise(positions)) if b > a + 1]
    assert gaps
    assert [line.get_xdata()[0] for line in axes.lines] == [at + 0.5 for at in gaps]
    assert not any(label.get_parse_math() for label in axes.get_yticklabels())
    [image] = axes.images
    assert image.get_array().tolist() == [
        [row.truth >> position & 1 for position in positions] for row in picture.rows
    ]
    assert [label.get_text() for label in axes.get_xticklabels()] == list(picture.labels)


@pytest.mark.parametrize(
    ("columns", "positions", "lines"), [(3, (0, 1, 3), [1.5]), (4, (0, 1, 2, 3), [])]
)
def test_a_single_position_that_is_left_out_is_marked_too(
    columns: int, positions: tuple[int, ...], lines: list[float]
) -> None:
    package("matplotlib", extra="plot")
    four = ListTrajectory(["tv"], [set(), {("on", "tv")}, set(), set()], [])
    picture = truth_table(Not(ON), four, most_columns=columns)
    assert picture.positions == positions
    [axes] = picture.plot().axes  # type: ignore[attr-defined]
    assert [line.get_xdata()[0] for line in axes.lines] == lines
    assert picture.html().count("&#8943;") == len(lines) * len(picture.rows)


def test_shared_parts_of_a_deep_formula_are_looked_at_once() -> None:
    deep: Formula = Atom("dark")
    for _ in range(12):
        deep = Iff(deep, deep >> Atom("clean", ("cup.1",)))
    picture = truth_table(deep, ListTrajectory([], [[], [("dark",)]]), most_rows=10)
    assert "16 more subformulas are left out" in picture.notes


def test_quantifiers_that_are_left_out_are_not_decided() -> None:
    deep: Formula = Exists((X,), HELD)
    for number in range(60):
        variable = Variable(f"x{number}")
        deep = Exists((variable,), And((Atom("held", (variable,)), deep)))
    before = time.process_time()
    many = ListTrajectory([f"o{i}" for i in range(30)], [set()] * 9)
    assert truth_table(deep, many, most_rows=4).rows[3].depth == 2
    assert time.process_time() - before < 1
