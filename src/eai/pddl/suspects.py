"""Which bracket of a piece of text is the one that is missing or too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from eai.errors import nearest
from eai.pddl.names import RESERVED
from eai.pddl.outline import Piece
from eai.pddl.sources import Lines, Word

__all__ = ["crowded", "misaligned", "step", "superfluous", "unopened"]

_FREE = {"", ":types", ":constants", ":objects", ":functions", ":requirements", ":metric"}
"""Sections in which brackets do not stand inside of conditions or effects."""

_VALUE = ""
"""What a part of an action stands in."""
_BRACKETED = {
    *("and", "or", "not", "imply", "when", "forall", "exists"),
    *(_VALUE, "define", ":init", ":goal", ":predicates"),
}
"""Heads of brackets with nothing but brackets inside."""
_ROOM = {"not": 1, "imply": 2, "when": 2, "forall": 2, "exists": 2}
"""How many brackets stand inside of brackets with these heads."""


def step(word: Word) -> int:
    """Return how a word changes the number of open brackets."""
    return _STEP.get(word.kind, 0)


_STEP = {"OPEN": 1, "CLOSE": -1}


def crowded(piece: Piece, words: Sequence[Word]) -> tuple[int, int] | None:
    """Find a bracket with another one inside where none can stand; returns both their places."""
    if piece.section in _FREE:
        return None
    opened: list[int] = []
    inside = [0]
    for i, word in enumerate(words):
        if word.kind == "OPEN":
            if opened and words[i - 1] != "-" and _full(words, opened[-1], i, inside[-1]):
                return opened[-1], i
            inside[-1] += 1
            inside.append(0)
            opened.append(i)
        elif word.kind == "CLOSE" and opened:
            opened.pop()
            inside.pop()
    return None


def misaligned(piece: Piece, words: Sequence[Word], lines: Lines) -> tuple[int, int] | None:
    """Find a line that closes, by its indentation, a bracket further out than the innermost.

    Returns:
        The places of the innermost bracket and of the closing one.
    """
    edges = Counter(lines.edges(word.start)[0] for word in piece.outer)
    opened: list[tuple[int, tuple[int, int]]] = []
    for i, word in enumerate(words):
        if word.kind == "OPEN":
            opened.append((i, lines.edges(word.start)))
            edges.update(opened[-1][1])
        elif word.kind == "CLOSE" and opened:
            opening, inner = opened.pop()
            edges.subtract(inner)
            column, indentation = lines.edges(word.start)
            if column == indentation and column not in inner and edges[column] > 0:
                return opening, i
    return None


def unopened(words: Sequence[Word], stop: int) -> int | None:
    """Find the first word before ``stop`` that needs a bracket in front of it."""
    heads = [] if words[0].kind == "OPEN" else [_VALUE]
    for i, word in enumerate(words[:stop]):
        if word.kind == "OPEN":
            heads.append(words[i + 1].lower())
        elif word.kind == "CLOSE":
            del heads[-1:]
        elif i and words[i - 1].kind != "OPEN" and heads and heads[-1] in _BRACKETED:
            return i
    return None


def superfluous(piece: Piece, words: Sequence[Word], dip: int, lines: Lines) -> int:
    """Choose the extra one of the closing brackets up to the one that closes too much.

    It is the one after which something follows that does not belong there; else the last one
    before a line with nothing but a bracket that stands where its opening one does.
    """
    depth = 0
    for i, word in enumerate(words[:dip]):
        depth += step(word)
        if depth == 0 and word.kind == "CLOSE" and words[i + 1].kind != "CLOSE":
            return i
    column, indentation = lines.edges(words[dip].start)
    openings = [*piece.outer, *(word for word in words[:dip] if word.kind == "OPEN")]
    aligned = any(column in lines.edges(word.start) for word in openings)
    before = dip > 0 and words[dip - 1].kind == "CLOSE"
    return dip - 1 if column == indentation and aligned and before else dip


def _full(words: Sequence[Word], opening: int, at: int, inside: int) -> bool:
    """Whether what follows an opening bracket leaves no room for another bracket at a place.

    Args:
        words: The words.
        opening: The opening bracket.
        at: The place.
        inside: How many brackets stand inside already.
    """
    head = words[opening + 1]
    if head.kind == "VARIABLE":
        return True
    if head.kind != "NAME":
        return False
    if head.lower() in RESERVED:
        return inside >= _ROOM.get(head.lower(), at)
    return at > opening + 2 or not nearest(head, RESERVED)
