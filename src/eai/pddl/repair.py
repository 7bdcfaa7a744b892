"""Brackets that are missing or extra: found, named, and mended in the words.

Which bracket was left open is decided in this order: one in which another bracket stands where
none can (a predicate's arguments, a list of variables); the innermost one at a line that closes,
by its indentation, a bracket further out; the innermost one that is open where the next keyword
shows that it should have been closed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from eai.pddl.outline import SECTIONS, Piece, cut
from eai.pddl.reading import Reading
from eai.pddl.sources import Word
from eai.pddl.suspects import crowded, misaligned, step, superfluous, unopened

__all__ = ["Repair"]

_MOST = 3
"""How many brackets of one piece are looked for one by one; what is left is mended at its end."""


class Repair:
    """Mends the brackets of one text.

    Args:
        reading: The text, which gets the findings.
        prose: Whether anything may stand between and after the sections.
    """

    def __init__(self, reading: Reading, *, prose: bool = False) -> None:
        self.reading = reading
        self.prose = prose
        self.source = reading.source
        self.lines = reading.source.lines
        self.words: Sequence[Word] = ()

    def mend(self, words: Sequence[Word], *, framed: bool, sections: bool = True) -> list[Word]:
        """Return words whose brackets match.

        Args:
            words: The words, from the first opening bracket on.
            framed: Whether a bracket around all sections is opened by the first word.
            sections: Whether the text has sections; otherwise it is one condition.
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
        words, rest = self._apart(piece)
        for _ in range(_MOST):
            dip = _first_below(words, piece.net)
            if dip is not None:
                words = self._less(piece, words, dip)
            elif _net(words) > piece.net:
                closed = self._close_early(piece, words)
                if closed is None:
                    break
                words = closed
        return self._settle(piece, [*words, *rest])

    def _apart(self, piece: Piece) -> tuple[list[Word], list[Word]]:
        """Split a piece where it ends, if what follows its last bracket is something else."""
        words = list(piece.words)
        end = _end(words, piece.net) if piece.closing else len(words)
        while end < len(words) and words[end].kind == "CLOSE":
            end += 1
        return words[:end], words[end:]

    # brackets that are missing

    def _close_early(self, piece: Piece, words: list[Word]) -> list[Word] | None:
        """Close the bracket that its surroundings show to be left open; None if they do not."""
        found = crowded(piece, words) or misaligned(piece, words, self.lines)
        if found is None:
            return None
        opening, at = found
        self._note_open(words, opening, at)
        return [*words[:at], Word.at(")", "CLOSE", _stop(words[at - 1])), *words[at:]]

    def _note_open(self, words: Sequence[Word], opening: int, at: int) -> None:
        shown = "".join(words[at : at + 2]) if words[at].kind == "OPEN" else words[at]
        before = f"')' before '{shown}' ({self.source.say(words[at].start)})"
        self._note_unclosed(words[opening : opening + 3], before, _stop(words[at - 1]))

    def _note_unclosed(self, words: Sequence[Word], expected: str, end: int) -> None:
        self.reading.note(
            "unclosed-bracket",
            f"the bracket '{_named(words)}' is not closed",
            words[0],
            expected=expected,
            advice=f"close it at {self.source.say(end)}",
        )

    # brackets that are extra

    def _less(self, piece: Piece, words: list[Word], dip: int) -> list[Word]:
        """Open the bracket that a closing one lacks, or drop the closing one."""
        at = unopened(words, dip)
        if at is not None:
            self.note_unopened(words[at])
            return [*words[:at], Word.at("(", "OPEN", words[at].start), *words[at:]]
        at = superfluous(piece, words, dip, self.lines)
        message = "this closing bracket is one too many"
        self.reading.note("extra-bracket", message, words[at], advice="remove it")
        return [*words[:at], *words[at + 1 :]]

    # what is left

    def _settle(self, piece: Piece, words: list[Word]) -> list[Word]:
        """Make the brackets match at the end of a piece, with one finding of each sort."""
        kept: list[Word] = []
        opened: list[Word] = list(piece.outer)
        floor = len(piece.outer) + piece.net
        extra: list[Word] = []
        for i, word in enumerate(words):
            ended = piece.closing and bool(kept) and len(opened) == floor
            if ended and word.kind != "CLOSE":
                self._note_rest(word, kept[-1])
                words = words[:i]
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
            self._note_extra(extra)
        missing = len(opened) - floor
        if missing > 0:
            end = _stop(words[-1]) if words else len(self.source.text)
            if not (piece.closing and self._closed_early(opened[-1])):
                self._note_missing(piece, opened[-1], missing, end)
            kept += [Word.at(")", "CLOSE", end)] * missing
        return kept

    def _closed_early(self, opening: Word) -> bool:
        """Whether the outermost bracket is open only because another one is too many."""
        kinds = {issue.kind for issue in self.reading.issues}
        return opening is self.words[0] and "extra-bracket" in kinds

    def _note_extra(self, extra: Sequence[Word]) -> None:
        one = "this closing bracket is one too many"
        many = f"this closing bracket and {len(extra) - 1} more are too many"
        message = one if len(extra) == 1 else many
        self.reading.note("extra-bracket", message, extra[0], advice="remove what is too many")

    def _note_missing(self, piece: Piece, opening: Word, missing: int, end: int) -> None:
        brackets = "')'" if missing == 1 else f"{missing} closing brackets"
        shown = "the end of the text"
        if piece.next is not None:
            shown = f"'{piece.next}' ({self.source.say(piece.next.start)})"
        self._note_unclosed(self._words_from(opening), f"{brackets} before {shown}", end)

    def _words_from(self, opening: Word) -> Sequence[Word]:
        at = bisect_left(self.words, opening.start, key=lambda word: word.start)
        return self.words[at : at + 3]

    def _note_rest(self, word: Word, closing: Word) -> None:
        if self.prose:
            return
        closed = self.source.say(closing.start)
        self.reading.note(
            "surrounding-text",
            f"the text goes on after the last bracket was closed at {closed}",
            word,
            expected="the end of the text",
            advice="remove what is not PDDL, or look for a closing bracket too many before it",
        )


def _net(words: Sequence[Word]) -> int:
    return sum(step(word) for word in words)


def _end(words: Sequence[Word], net: int) -> int:
    """Return the number of words after which ``net`` is reached from above; all if never."""
    depth = 0
    for i, word in enumerate(words):
        depth += step(word)
        if word.kind == "CLOSE" and depth == net:
            return i + 1
    return len(words)


def _first_below(words: Sequence[Word], net: int) -> int | None:
    """Return the place of the first bracket that closes more than a piece may close."""
    depth = 0
    for i, word in enumerate(words):
        depth += step(word)
        if depth < net and word.kind == "CLOSE":
            return i
    return None


def _stop(word: Word) -> int:
    return word.start + len(word)


def _named(words: Sequence[Word]) -> str:
    """Name a bracket by the words after it: ``(:action grab``."""
    shown = [word for word in words[1:3] if not step(word)]
    if len(words) > 1 and step(words[1]):
        shown = []
    return "(" + " ".join(shown if shown and shown[0].startswith(":") else shown[:1])
