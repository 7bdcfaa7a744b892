"""Subgoals in random notations are read, bound and evaluated as before."""

from __future__ import annotations

import pytest
from recorded_subgoals import answer_of, recorded, result_of

PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_random_subgoals_are_read_as_before(part: int) -> None:
    """If a reader was changed on purpose, run ``recorded_subgoals.py`` and look at each line."""
    for number, expected in recorded()[part::PARTS]:
        assert result_of(number) == expected, answer_of(number)
