"""Operators in every shape are read and matched as before."""

from __future__ import annotations

import pytest
from recorded_operators import answer_of, recorded, result_of

PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_random_operators_are_read_as_before(part: int) -> None:
    """If a reader was changed on purpose, run ``recorded_operators.py`` and look at each line."""
    for number, expected in recorded()[part::PARTS]:
        assert result_of(number) == expected, answer_of(number)
