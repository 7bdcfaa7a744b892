"""What is read out of many answers, right and damaged ones, stays as it is: texts and places."""

from __future__ import annotations

import pytest
from recorded_readings import READERS, recorded

PARTS = 8


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", READERS)
def test_answers_are_read_as_before(name: str, part: int) -> None:
    """If a reader was changed on purpose, run ``recorded_readings.py`` and look at each line."""
    read = READERS[name]
    for answer, expected in recorded(name)[part::PARTS]:
        assert read(answer) == expected, answer
