"""Splitting text into the words and names in it."""

from __future__ import annotations

import re

from eai.abilities.answers.words import NOTHING

__all__ = ["LONGEST", "has_id", "tokens_of", "words_of"]

LONGEST = 400
"""A line with more characters is not a step, nor are they a name with its id."""

_NAMED_PART = re.compile(r"\s*[A-Za-z_]\w*\s*=\s*")
_NAME_AND_ID = re.compile(r"([^\d\s<(][^<>()]*?|<[^<>()]*>)\s*[\s(]\s*(\d+)\s*\)?")
_WITH_ID = re.compile(r"\w*[A-Za-z]\w*[._]\d+(?:\.\d+)?")


def has_id(word: str) -> bool:
    """Whether a word is a name with its id: ``light.411``, ``light_411``."""
    return _WITH_ID.fullmatch(word) is not None


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, without any signs."""
    return re.findall(r"[^\W_]+", text.lower())


def tokens_of(text: str) -> list[str]:
    """Split the arguments of one step, written as one text, into names and ids.

    ``"light, 411"``, ``"<light> (411)"``, ``"light 411"`` and ``"light.411"`` are one object
    each; the last stays one token, because only the task's names tell where its id begins.
    """
    if text in NOTHING:
        return []
    if text.isidentifier() or text.isdigit():
        return [text]
    tokens: list[str] = []
    for part in text.split(","):
        named = _NAMED_PART.match(part)
        bare = (part[named.end() :] if named else part).strip().strip("\"'`[]").strip()
        pair = _NAME_AND_ID.fullmatch(bare) if len(bare) <= LONGEST else None
        pieces = (piece.strip("<>() \t") for piece in (pair.groups() if pair else (bare,)))
        tokens += [piece for piece in pieces if piece]
    return tokens
