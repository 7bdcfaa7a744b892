"""Numbers in words: ``two``, ``second``."""

from __future__ import annotations


def index_by_word(words: str) -> dict[str, int]:
    """Map the words of a list to their places in it, from 1: ``"a b"`` is ``{"a": 1, "b": 2}``."""
    return {word: number for number, word in enumerate(words.split(), start=1)}


ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
NUMBER_WORDS = index_by_word("one two three four five six seven eight nine ten") | index_by_word(
    ORDINALS
)
"""Cardinal and ordinal numbers in words, with their values."""
