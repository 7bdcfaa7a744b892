"""Subgoals that sentences tell in order, without a list."""

from __future__ import annotations

import pytest

from eai.abilities import read_subgoals
from eai.task import Vocabulary

NAMES = Vocabulary({"drink": 1}, {"on": 1, "open": 1, "near": 2}, frozenset(["cup.2", "door.1"]))


def texts(answer: str) -> list[str]:
    """Return the subgoals of an answer in which nothing is left unread."""
    reading = read_subgoals(answer, NAMES)
    return [] if reading.problems else [subgoal.text for subgoal in reading.subgoals]


@pytest.mark.parametrize(
    "answer",
    [
        "First on(cup.2) has to hold. Then not open(door.1) has to hold.",
        "So the sequence is on(cup.2), then not open(door.1).",
        "1. Nothing else is needed, therefore: on(cup.2)\n"
        "2. Otherwise it cannot be reached, so: not open(door.1)",
        "It is dark.\nFirst we reach `on(cup.2)`.\n\nThen `not open(door.1)` has to hold.",
    ],
)
def test_sentences_in_order_tell_subgoals(answer: str) -> None:
    assert texts(answer) == ["on(cup.2)", "not open(door.1)"]


@pytest.mark.parametrize(
    "answer",
    [
        "on(cup.2) holds here. There is also open(door.1) to think of.",
        "First on(cup.2) has to hold. Then open(door.1) must not hold.",
        "First on(cup.2) has to hold. Then perhaps open(door.1) has to hold.",
        "First on(cup.2) has to hold. Then flying(cup.2) and so on. Then open(door.1) may hold.",
        "Initially on(cup.2) holds first. Then open(door.1) holds.",
        "First on(cup.2) has to hold.",
        "First on(cup.2) has to hold. The room has a door, and I saw open(door.1) there.",
    ],
)
def test_sentences_in_doubt_tell_no_subgoals(answer: str) -> None:
    reading = read_subgoals(answer, NAMES)
    assert reading.problems or len(reading.subgoals) < 2
