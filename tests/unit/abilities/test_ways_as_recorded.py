"""Ways to random conditions in a yard, and the work that it takes to find them."""

from __future__ import annotations

import pytest
from recorded_searches import recorded, result_of

PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_ways_are_found_as_before(part: int) -> None:
    """If a search was changed on purpose, run ``recorded_searches.py`` and look at each line."""
    for number, expected in enumerate(recorded("ways")):
        if number % PARTS == part:
            assert result_of("ways", number) == expected, number
