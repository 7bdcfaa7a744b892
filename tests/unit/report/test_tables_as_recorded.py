"""Tables and statistics of random reports, and what is said of damaged lines of record files."""

from __future__ import annotations

import pytest
from recorded_tables import KINDS, recorded, result_of

PARTS = 3


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", KINDS)
def test_figures_are_what_they_were(kind: str, part: int) -> None:
    """If that was changed on purpose, run ``recorded_tables.py`` and look at each line."""
    for number, expected in recorded(kind)[part::PARTS]:
        assert result_of(kind, number) == expected, number
