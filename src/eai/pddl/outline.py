"""A text cut at its keywords, each piece with the brackets that it ought to leave open or close.

A keyword such as ``:effect`` or ``(:action`` can stand at one depth only. So a bracket that is
missing or extra concerns one piece, and the pieces after it are read as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from eai.pddl.sources import Word

__all__ = ["PARTS", "SECTIONS", "Piece", "cut"]

PARTS = (":parameters", ":precondition", ":effect")
"""Keywords of the parts of an action."""

SECTIONS = (
    *(":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action"),
    *(":domain", ":objects", ":init", ":goal", ":metric"),
)
"""Keywords of the sections of domains and problems."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words from one keyword to the next.

    Args:
        words: The words.
        net: How many more brackets it ought to open than close.
        outer: The opening brackets that are open before it, outermost first.
        section: Keyword of the section that it belongs to; empty for what is before the first.
        next: The word after it; None at the end of the text.
        closing: Whether what follows its closing bracket does not belong to it.
    """

    words: Sequence[Word]
    net: int
    outer: Sequence[Word]
    section: str
    next: Word | None
    closing: bool = False


def cut(words: Sequence[Word], *, framed: bool) -> list[Piece]:
    """Cut a text into pieces.

    Args:
        words: The words, from the first opening bracket on.
        framed: Whether a bracket around all sections is opened by the first word.
    """
    starts = [i for i in range(int(framed), len(words)) if _begins_section(words, i)]
    frame = words[:1] if framed else ()
    pieces: list[Piece] = []
    if framed:
        end = starts[0] if starts else len(words)
        pieces.append(Piece(words[:end], 1, (), "", _at(words, end)))
    for start, end in zip(starts, [*starts[1:], len(words)], strict=False):
        pieces += _section(words, start, end, frame)
    if framed:
        pieces[-1] = replace(pieces[-1], net=pieces[-1].net - 1, closing=True)
    return pieces


def _section(words: Sequence[Word], start: int, end: int, frame: Sequence[Word]) -> list[Piece]:
    keyword = words[start + 1].lower()
    inner = range(start + 2, end) if keyword == ":action" else ()
    cuts = [start, *(i for i in inner if words[i].kind == "KEYWORD" and _bare(words, i)), end]
    pieces: list[Piece] = []
    for first, stop in pairwise(cuts):
        net = (first == start) - (stop == end)
        outer = frame if first == start else (*frame, words[start])
        after = stop + 1 if _opens_keyword(words, stop) else stop
        closing = stop == end and not frame
        pieces.append(Piece(words[first:stop], net, outer, keyword, _at(words, after), closing))
    return pieces


def _begins_section(words: Sequence[Word], i: int) -> bool:
    """Whether ``(:keyword`` stands here, for any keyword that is no part of an action."""
    return _opens_keyword(words, i) and words[i + 1].lower() not in PARTS


def _opens_keyword(words: Sequence[Word], i: int) -> bool:
    return i + 1 < len(words) and words[i].kind == "OPEN" and words[i + 1].kind == "KEYWORD"


def _bare(words: Sequence[Word], i: int) -> bool:
    return words[i - 1].kind != "OPEN"


def _at(words: Sequence[Word], i: int) -> Word | None:
    return words[i] if i < len(words) else None
