"""Random formulas: how they compare, why they hold at positions, and what damaged ones lack."""

from __future__ import annotations

import pytest
from recorded_comparisons import KINDS, recorded, result_of

PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", KINDS)
def test_formulas_compare_and_are_explained_as_before(kind: str, part: int) -> None:
    """If that was changed on purpose, run ``recorded_comparisons.py`` and look at each line."""
    for number, expected in recorded(kind)[part::PARTS]:
        assert result_of(kind, number) == expected, expected[0]
