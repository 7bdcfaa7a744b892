"""The numbers of random reports, comparisons and leaderboards, in every rendering."""

from __future__ import annotations

import pytest
from recorded_reports import recorded, result_of

PARTS = 6


@pytest.mark.parametrize("part", range(PARTS))
def test_reports_have_the_numbers_that_they_had(part: int) -> None:
    """If that was changed on purpose, run ``recorded_reports.py`` and look at each line."""
    for number, expected in enumerate(recorded()):
        if number % PARTS == part:
            assert result_of(number) == expected, number
