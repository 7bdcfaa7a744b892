"""What is done to a text before the grammar reads it.

Two things happen, and both remember where every character came from, so that an error still
points into the text as it was written:

- look-alike characters that word processors and language models put in are replaced by plain
  ones (full-width letters, typographic quotes and dashes), outside quoted names;
- the dialect of Spot is rewritten to ours: its next is weak, and it writes operators without a
  space between them (``GFa``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Dialect = Literal["default", "spot", "eai"]
"""``"default"``: everything, next is strong. ``"spot"``: next is weak, operators may be glued.
``"eai"``: the published grammar of the Embodied Agent Interface and nothing else."""

_QUOTES = dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\uff02", '"')
_DASHES = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-")
_PLAIN = {**_QUOTES, **_DASHES}
# A name, or operators that are glued to each other, or to a name that follows them.
_SPOT = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_][\w.]*')
_GLUED = re.compile(r"[FGX]*(?=[A-Za-z_]|$)")
_STRONG = re.compile(r"\s*\[\s*!\s*\]")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text as the grammar reads it.

    For every character and for the end, ``origin`` has its place in the text as it was given;
    nothing if that was not changed.
    """

    text: str
    origin: Sequence[int] = ()

    def place(self, position: int) -> int:
        """Return where a place of this text is in the text as it was given."""
        return self.origin[min(position, len(self.origin) - 1)] if self.origin else position


def prepare(text: str, dialect: Dialect) -> Prepared:
    """Return the text as the grammar reads it."""
    if dialect == "eai" or (text.isascii() and dialect != "spot"):
        return Prepared(text)
    pieces: list[tuple[str, int]] = []
    quoted = escaped = False
    for place, character in enumerate(text):
        folded = character if character.isascii() else fold(character)
        if not escaped and folded == '"':
            quoted = not quoted
            pieces.append((folded, place))
        else:
            pieces.append((character if quoted else folded, place))
            escaped = quoted and not escaped and character == "\\"
    if dialect == "spot":
        pieces = list(_from_spot(pieces))
    origin = [place for piece, place in pieces for _ in piece]
    return Prepared("".join(piece for piece, _ in pieces), [*origin, len(text)])


def fold(character: str) -> str:
    """Return what the grammar reads in place of a character."""
    return _PLAIN.get(character) or unicodedata.normalize("NFKC", character)


def _from_spot(pieces: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Take the operators at the front of every word one by one, then what is left of it."""
    text = "".join(piece for piece, _ in pieces)
    origin = [place for piece, place in pieces for _ in piece]
    end = 0
    for match in _SPOT.finditer(text):
        yield from zip(text[end : match.start()], origin[end : match.start()], strict=True)
        start, end, word = match.start(), match.end(), match[0]
        glued = _GLUED.match(word)
        front = glued.end() if glued and word[0] != '"' else 0
        for i in range(front):
            strong = word[i] == "X" and _STRONG.match(text, start + i + 1)
            letter = "WX" if word[i] == "X" and not strong else word[i]
            yield letter if strong else f"{letter} ", origin[start + i]
        if front < len(word):
            yield word[front:], origin[start + front]
    yield from zip(text[end:], origin[end:], strict=True)
