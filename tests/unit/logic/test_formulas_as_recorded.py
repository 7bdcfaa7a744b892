"""Random formulas, right and damaged ones: what they mean, why, and what is wrong with them."""

from __future__ import annotations

import pytest
from recorded_formulas import recorded, result_of

PARTS = 8


@pytest.mark.parametrize("part", range(PARTS))
def test_formulas_mean_what_they_did(part: int) -> None:
    """If that was changed on purpose, run ``recorded_formulas.py`` and look at each line."""
    for number, expected in enumerate(recorded()):
        if number % PARTS == part:
            assert result_of(number) == expected, expected[0]
