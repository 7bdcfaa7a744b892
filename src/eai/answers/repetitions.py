"""How often a step is taken, as words behind it say: ``twice``, ``(x2)``, ``3 times``.

Such a step is a problem: of several steps the words may mean the last one or all of them.
"""

from __future__ import annotations

import re

_REPETITION = re.compile(
    r"(?:^|(?<=[\s)\]>`*]))[(\[]?(?:[x\u00d7] ?\d{1,3}|\d{1,3} ?(?:[x\u00d7]|times)"
    r"|twice|thrice|(?:three|four|five|six|several|many)(?= times))"
    r"(?: times)?[)\]]?[\s.!*_`]*$",
    re.IGNORECASE,
)


def repetition_at_end(text: str) -> re.Match[str] | None:
    """Return the words at the end of a text that say how often a step is taken; None if none do."""
    return _REPETITION.search(text)
