"""A text cut at its keywords, each piece with the brackets that it ought to leave open or close.

A keyword such as ``:effect`` or ``(:action`` can stand at one depth only. So a bracket that is
missing or extra concerns one piece, and the pieces after it are read as if nothing had happened.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise, takewhile

from eai.errors import nearest
from eai.pddl.reading import Reading
from eai.pddl.text import RESERVED, Lines, Word

PARTS = (":parameters", ":precondition", ":effect")
"""Keywords of the parts of an action."""

SECTIONS = (
    *(":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action"),
    *(":domain", ":objects", ":init", ":goal", ":metric"),
)
"""Keywords of the sections of domains and problems."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words from one keyword to the next."""

    words: Sequence[Word]
    net: int  # how many more brackets it ought to open than close
    outer: Sequence[Word]  # the opening brackets that are open before it, outermost first
    section: str  # keyword of the section that it belongs to; empty for what is before the first
    next: Word | None  # the word after it; None at the end of the text
    closing: bool = False  # whether what follows its closing bracket does not belong to it


def cut(words: Sequence[Word], *, framed: bool) -> list[Piece]:
    """Cut a text into pieces."""
    # where ``(:keyword`` stands, for any keyword that is no part of an action
    starts = [
        i
        for i in range(int(framed), len(words))
        if _opens_keyword(words, i) and words[i + 1].lower() not in PARTS
    ]
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
    cuts = [
        start,
        *(i for i in inner if words[i].kind == "KEYWORD" and words[i - 1].kind != "OPEN"),
        end,
    ]
    pieces: list[Piece] = []
    for first, stop in pairwise(cuts):
        net = (first == start) - (stop == end)
        outer = frame if first == start else (*frame, words[start])
        after = stop + 1 if _opens_keyword(words, stop) else stop
        closing = stop == end and not frame
        pieces.append(Piece(words[first:stop], net, outer, keyword, _at(words, after), closing))
    return pieces


def _opens_keyword(words: Sequence[Word], i: int) -> bool:
    return i + 1 < len(words) and words[i].kind == "OPEN" and words[i + 1].kind == "KEYWORD"


def _at(words: Sequence[Word], i: int) -> Word | None:
    return words[i] if i < len(words) else None


_FREE = {"", ":types", ":constants", ":objects", ":functions", ":requirements", ":metric"}
"""Sections in which brackets do not stand inside of conditions or effects."""

_VALUE = ""
"""Head of the brackets around the parts of an action: none."""
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
    """Find a bracket, and one on a line that is indented as if it closed another, further out."""
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
    """Return whether brackets are full: they have no room for another bracket at a position."""
    head = words[opening + 1]
    if head.kind == "VARIABLE":
        return True
    if head.kind != "NAME":
        return False
    if head.lower() in RESERVED:
        return inside >= _ROOM.get(head.lower(), at)
    return at > opening + 2 or not nearest(head, RESERVED)


_MOST = 3
"""How many brackets of one piece are looked for one by one; what is left is mended at its end."""


class Repair:
    """Mends the brackets of one text; between its sections may stand prose."""

    def __init__(self, reading: Reading, *, prose: bool = False) -> None:
        self.reading = reading
        self.prose = prose
        self.source = reading.source
        self.lines = reading.source.lines
        self.words: Sequence[Word] = ()

    def mend(self, words: Sequence[Word], *, framed: bool, sections: bool = True) -> list[Word]:
        """Return words whose brackets match.

        In a frame the first word opens a bracket around all sections; without sections the text is
        one condition.
        """
        self.words = words
        if not sections:
            return self._piece(Piece(words, 0, (), ":goal", None, closing=True))
        words = self.words = self.with_openings(words)
        return [word for piece in cut(words, framed=framed) for word in self._piece(piece)]

    def with_openings(self, words: Sequence[Word]) -> list[Word]:
        """Open the brackets that are missing before the keywords of sections."""
        found: list[Word] = []
        flags = False
        for word in words:
            keyword = word.lower() if word.kind == "KEYWORD" else ""
            opened = bool(found) and found[-1].kind == "OPEN"
            if keyword in SECTIONS and not opened and not flags:
                self.note_unopened(word)
                found.append(Word.at("(", "OPEN", word.start))
            flags = (flags or (keyword == ":requirements")) and word.kind == "KEYWORD"
            found.append(word)
        return found

    def note_unopened(self, word: Word) -> None:
        """Note that a bracket is missing before a word."""
        self.reading.note(
            "missing-bracket",
            f"there is no '(' before '{word}'",
            word,
            expected=f"({word}",
            advice=f"write '({word}'",
        )

    def _piece(self, piece: Piece) -> list[Word]:
        # A piece ends where it is closed, if what follows its last bracket is something else.
        words, end = list(piece.words), len(piece.words)
        if piece.closing:
            depths = enumerate(accumulate(map(step, words)))
            ends = (i + 1 for i, depth in depths if words[i].kind == "CLOSE" and depth == piece.net)
            end = next(ends, end)
        while end < len(words) and words[end].kind == "CLOSE":
            end += 1
        words, rest = words[:end], words[end:]
        for _ in range(_MOST):
            # return the place of the first bracket that closes more than a piece may close
            depths = enumerate(accumulate(map(step, words)))
            dip = next(
                (i for i, depth in depths if words[i].kind == "CLOSE" and depth < piece.net), None
            )
            if dip is not None:
                # Open the bracket that a closing one lacks, or drop the closing one.
                at = unopened(words, dip)
                if at is not None:
                    self.note_unopened(words[at])
                    words.insert(at, Word.at("(", "OPEN", words[at].start))
                else:
                    at = superfluous(piece, words, dip, self.lines)
                    message = "this closing bracket is one too many"
                    self.reading.note("extra-bracket", message, words[at], advice="remove it")
                    del words[at]
            elif sum(map(step, words)) > piece.net:
                # What its surroundings show to be left open is closed.
                found = crowded(piece, words) or misaligned(piece, words, self.lines)
                if found is None:
                    break
                opening, at = found
                shown = "".join(words[at : at + 2]) if words[at].kind == "OPEN" else words[at]
                before = f"')' before '{shown}' ({self.source.say(words[at].start)})"
                stop = _stop(words[at - 1])
                self._note_unclosed(words[opening : opening + 3], before, stop)
                words.insert(at, Word.at(")", "CLOSE", stop))
        return self._settle(piece, [*words, *rest])

    def _note_unclosed(self, words: Sequence[Word], expected: str, end: int) -> None:
        # It is named by the words after it: ``(:action grab``, or by one name.
        shown = list(takewhile(lambda word: not step(word), words[1:3]))
        name = " ".join(shown if shown and shown[0].startswith(":") else shown[:1])
        self.reading.note(
            "unclosed-bracket",
            f"the bracket '({name}' is not closed",
            words[0],
            expected=expected,
            advice=f"close it at {self.source.say(end)}",
        )

    def _settle(self, piece: Piece, words: list[Word]) -> list[Word]:
        """Make the brackets match at the end of a piece, with one finding of each sort."""
        kept: list[Word] = []
        opened: list[Word] = list(piece.outer)
        floor = len(piece.outer) + piece.net
        extra: list[Word] = []
        for i, word in enumerate(words):
            ended = piece.closing and bool(kept) and len(opened) == floor
            if ended and word.kind != "CLOSE":
                words = words[:i]
                if not self.prose:
                    closed = self.source.say(kept[-1].start)
                    self.reading.note(
                        "surrounding-text",
                        f"the text goes on after the last bracket was closed at {closed}",
                        word,
                        expected="the end of the text",
                        advice="remove what is not PDDL, or look for a closing bracket too many "
                        "before it",
                    )
                break
            if word.kind == "CLOSE" and len(opened) <= floor:
                extra.append(word)
                continue
            if word.kind == "OPEN":
                opened.append(word)
            elif word.kind == "CLOSE":
                opened.pop()
            kept.append(word)
        if extra:
            one = "this closing bracket is one too many"
            many = f"this closing bracket and {len(extra) - 1} more are too many"
            message = one if len(extra) == 1 else many
            self.reading.note("extra-bracket", message, extra[0], advice="remove what is too many")
        missing = len(opened) - floor
        if missing > 0:
            end = _stop(words[-1]) if words else len(self.source.text)
            # The outermost bracket may be open only because another one is too many.
            kinds = {issue.kind for issue in self.reading.issues}
            spurious = opened[-1] is self.words[0] and "extra-bracket" in kinds
            if not (piece.closing and spurious):
                self._note_missing(piece, opened[-1], missing, end)
            kept += [Word.at(")", "CLOSE", end)] * missing
        return kept

    def _note_missing(self, piece: Piece, opening: Word, missing: int, end: int) -> None:
        brackets = "')'" if missing == 1 else f"{missing} closing brackets"
        shown = "the end of the text"
        if piece.next is not None:
            shown = f"'{piece.next}' ({self.source.say(piece.next.start)})"
        at = bisect_left(self.words, opening.start, key=lambda word: word.start)
        self._note_unclosed(self.words[at : at + 3], f"{brackets} before {shown}", end)


def _stop(word: Word) -> int:
    return word.start + len(word)
