"""How often a step is taken, as words behind it say: ``twice``, ``(x2)``, ``3 times``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from eai.answers.items import Step
from eai.answers.number_words import NUMBER_WORDS

_REPETITION = re.compile(
    r"(?:^|(?<=[\s)\]>`*]))[(\[]?(?:[x\u00d7] ?(?P<behind_sign>\d{1,3})"
    r"|(?P<count>\d{1,3}) ?(?:[x\u00d7]|times)"
    r"|(?P<words>twice|thrice|(?:three|four|five|six|several|many)(?= times)))"
    r"(?: times)?[)\]]?[\s.!*_`]*$",
    re.IGNORECASE,
)
_COUNTS = NUMBER_WORDS | {"twice": 2, "thrice": 3}
_MAX_REPETITIONS = 20


class Repetition(NamedTuple):
    """Words that say how often a step is taken.

    Args:
        written: The words.
        start: Where they begin.
        times: The number they say; 0 if it is none that can be taken: "several times".
    """

    written: str
    start: int
    times: int


def repetition_at_end(text: str) -> Repetition | None:
    """Return the words at the end of a text that say how often a step is taken; None if none do."""
    match = _REPETITION.search(text)
    if match is None:
        return None
    count_text = (match["count"] or match["behind_sign"] or match["words"]).lower()
    count = int(count_text) if count_text.isdigit() else _COUNTS.get(count_text, 0)
    return Repetition(match[0], match.start(), count if 1 < count <= _MAX_REPETITIONS else 0)


def repeated(steps: Sequence[Step], count: int) -> list[Step]:
    """Return how often a single step is taken besides the first time; empty if that is not sure."""
    # Of several steps, the words may mean the last one or all of them.
    if len(steps) != 1 or not 1 < count <= _MAX_REPETITIONS:
        return []
    return [replace(steps[0], number=None) for _ in range(count - 1)]
