"""The numbers in what a difference is said to mean, and what it depends on that they are said."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from eai.report.comparison import Difference, conclusion

DIFFERENCE = Difference(
    metric="task_success_rate",
    label="Task SR",
    unit="tasks",
    first="alpha",
    second="beta",
    tasks=40,
    values=(30.0, 20.0),
    interval=(-14.25, 5.5),
    p_value=0.3,
    adjusted=0.4,
    effect=0.1,
    pairs=(6, 6, 2, 26),
)


def numbers(said: str) -> list[float]:
    """Return the numbers of a sentence that have decimals."""
    return [float(number) for number in re.findall(r"[-+]?\d+\.\d+", said)]


def said(comparisons: int = 1, **changed: Any) -> str:
    return conclusion(replace(DIFFERENCE, **changed), comparisons)


@pytest.mark.parametrize(
    ("interval", "most"), [((-14.25, 5.5), 14.2), ((-5.5, 14.75), 14.8), ((-0.5, 0.25), 0.5)]
)
def test_the_farther_end_of_the_interval_is_ruled_out(
    interval: tuple[float, float], most: float
) -> None:
    found = numbers(said(interval=interval))
    low, high = (round(end, 1) for end in interval)
    assert found[:6] == [
        30.0,
        20.0,
        10.0,
        pytest.approx(low, abs=0.06),
        pytest.approx(high, abs=0.06),
        0.4,
    ]
    assert found[6] == pytest.approx(most, abs=0.06)


def test_the_winner_and_its_numbers_come_first() -> None:
    first = said(adjusted=0.01, interval=(1.5, 18.5))
    assert first.startswith("alpha has")
    assert numbers(first) == [30.0, 20.0, 10.0, 1.5, 18.5, 0.01]
    second = said(adjusted=0.01, values=(20.0, 30.0), interval=(-18.5, -1.5))
    assert second.startswith("beta has")
    assert numbers(second) == numbers(first)
    assert "more than" not in first


def test_the_limit_of_significance_is_five_percent() -> None:
    inside: dict[str, Any] = {"interval": (1.5, 18.5), "p_value": 0.04}
    assert said(adjusted=0.0499, **inside).startswith("alpha has")
    assert said(adjusted=0.05, **inside).startswith("alpha and beta")


def test_numbers_that_are_no_shares_have_two_decimals_and_no_unit() -> None:
    found = said(unit="numbers", pairs=None, values=(2.5, 1.25), interval=(-0.25, 2.75))
    assert numbers(found)[:5] == [2.5, 1.25, 1.25, -0.25, 2.75]
    assert "+1.25" in found
    assert "%" not in found.replace("95 %", "")
    assert "points" not in found


def test_how_many_comparisons_there_are_is_said_if_there_are_several() -> None:
    assert "2 comparisons" in said(2)
    assert "comparisons" not in said(1)


@pytest.mark.parametrize(("tasks", "is_few"), [(5, True), (6, False)])
def test_with_fewer_than_six_tasks_nothing_is_ruled_out(tasks: int, is_few: bool) -> None:
    found = said(tasks=tasks, pairs=(tasks - 1, 1, 0, 0))
    assert ("fewer than 6" in found) is is_few
    assert ("more than" in found) is not is_few
    assert "more than" in said(tasks=tasks, pairs=None)


@pytest.mark.parametrize(
    "changed",
    [{"values": (None, 20.0)}, {"values": (30.0, None)}, {"interval": None}, {"adjusted": None}],
)
def test_what_is_undefined_has_no_numbers(changed: dict[str, Any]) -> None:
    assert numbers(said(**changed)) == []
    assert said(**changed).startswith("alpha and beta cannot")


def test_the_least_p_value_of_drawn_exchanges_is_said_to_be_a_bound() -> None:
    drawn: dict[str, Any] = {"pairs": None, "draws": 999}
    assert "999" in said(p_value=0.001, **drawn)
    assert "999" not in said(p_value=0.002, **drawn)
    assert "draws" not in said(p_value=1.0)


@pytest.mark.parametrize(
    ("interval", "p_value", "adjusted", "words"),
    [
        ((-1.0, 5.0), 0.2, 0.2, []),
        ((1.0, 5.0), 0.01, 0.02, []),
        ((1.0, 5.0), 0.01, 0.2, ["before it is adjusted", "0.01"]),
        ((-5.0, -1.0), 0.01, 0.2, ["before it is adjusted", "0.01"]),
        ((1.0, 5.0), 0.05, 0.2, ["excludes", "Newcombe", "McNemar"]),
        ((-5.0, -1.0), 0.06, 0.06, ["excludes", "Newcombe", "McNemar"]),
        ((-1.0, 5.0), 0.01, 0.01, ["contains", "Newcombe", "McNemar"]),
        ((0.0, 5.0), 0.01, 0.01, ["contains", "Newcombe", "McNemar"]),
        ((-5.0, 0.0), 0.06, 0.06, []),
    ],
)
def test_an_interval_and_a_p_value_that_disagree_are_explained(
    interval: tuple[float, float], p_value: float, adjusted: float, words: list[str]
) -> None:
    found = said(interval=interval, p_value=p_value, adjusted=adjusted)
    for word in ("before it is adjusted", "excludes", "contains", "Newcombe", "McNemar"):
        expected = word in words or (word == "excludes" and "before it is adjusted" in words)
        assert (word in found) is expected
    no_rate = said(interval=interval, p_value=p_value, adjusted=adjusted, pairs=None)
    assert "Newcombe" not in no_rate
    assert ("linearization" in no_rate) is ("Newcombe" in words)
