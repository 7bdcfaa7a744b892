"""Ground tasks, plans, repairs and causal links of random tasks, with the work that they take."""

from __future__ import annotations

import pytest
from recorded_searches import recorded, result_of

PARTS = 5


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", ["grounded", "planned", "estimated", "repaired", "linked"])
def test_searches_go_as_before(name: str, part: int) -> None:
    """If a search was changed on purpose, run ``recorded_searches.py`` and look at each line."""
    for number, expected in enumerate(recorded(name)):
        if number % PARTS == part:
            assert result_of(name, number) == expected, number
