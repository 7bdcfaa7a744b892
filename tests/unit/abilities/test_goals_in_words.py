"""Goals in random words and frames are read and compared with tasks as before."""

from __future__ import annotations

import pytest
from recorded_goals import answer_of, recorded, result_of

PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_random_goals_are_read_as_before(part: int) -> None:
    """If a reader was changed on purpose, run ``recorded_goals.py`` and look at each line."""
    for number, expected in recorded()[part::PARTS]:
        assert result_of(number) == expected, answer_of(number)
