"""Definitions in PDDL are found in answers, and one of several is chosen."""

from __future__ import annotations

import pytest

from eai.answers.definitions import read_definition

ONE = "(define (problem one) (:goal (done)))"
TWO = "(define (problem two) (:goal (over)))"


@pytest.mark.parametrize(
    ("answer", "text", "count"),
    [
        (f"Here it is:\n{ONE}\nDone.", ONE, 1),
        (f"{ONE}\n\nAs a block:\n```\n{ONE}\n```", ONE, 1),
        (f"Draft:\n{ONE}\n\nFinal:\n{TWO}", TWO, 2),
    ],
)
def test_a_definition_is_found_and_different_ones_are_counted(
    answer: str, text: str, count: int
) -> None:
    reading = read_definition(answer, "problem")
    assert reading.is_found
    assert (reading.text, reading.count) == (text, count)
    assert bool(reading.rule) is (count > 1)


def test_an_answer_without_a_definition_of_the_kind_is_returned_whole() -> None:
    for answer in ("I cannot say.", "(define (domain d) (:predicates (done)))"):
        reading = read_definition(answer, "problem")
        assert not reading.is_found
        assert (reading.text, reading.count, reading.rule) == (answer, 0, "")
