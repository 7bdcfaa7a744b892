"""How random domains and problems compare with altered ones, and the plans that show it."""

from __future__ import annotations

import pytest
from recorded_pairs import KINDS, recorded, result_of

PARTS = 3


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", KINDS)
def test_pairs_compare_as_before(kind: str, part: int) -> None:
    """If that was changed on purpose, run ``recorded_pairs.py`` and look at each line."""
    for number, expected in recorded(kind)[part::PARTS]:
        assert result_of(kind, number) == expected, number
