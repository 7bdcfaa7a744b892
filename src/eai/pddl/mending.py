"""Repair of brackets: a text cut at its keywords, each piece repaired on its own.

Idea: a keyword such as ``:effect`` or ``(:action`` can stand at one depth only. So it is known how
many brackets the piece from one keyword to the next has to open more than it closes (its *net*). A
bracket that is missing or extra concerns one piece, and the pieces after it are read as if nothing
had happened.

Within a piece, :class:`BracketRepair` looks for a place that its surroundings show to be wrong:
brackets that have no room for another one, a closing bracket that is indented as if it closed
another one, a word that needs a bracket in front of it. At most :data:`_MAX_REPAIRS` places are
looked for; what does not match then is opened or closed at the end of the piece.

Cost: linear in the words of a piece, for each of the repairs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise, takewhile

from eai.errors import nearest
from eai.pddl.reading import PddlReading
from eai.pddl.text import RESERVED, Lines, Word

PARTS = (":parameters", ":precondition", ":effect")
"""Keywords of the parts of an action."""

SECTIONS = (
    *(":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action"),
    *(":domain", ":objects", ":init", ":goal", ":metric"),
)
"""Keywords of the sections of domains and problems."""


@dataclass(frozen=True, slots=True)
class BracketPiece:
    """The words from one keyword to the next.

    Args:
        words: The words.
        net: How many more brackets they have to open than close.
        outer: The opening brackets that are open before them, outermost first.
        section: Keyword of their section; empty for the words before the first section.
        next: The word after them; None at the end of the text.
        closing: Whether the words after their last closing bracket do not belong to the text.
    """

    words: Sequence[Word]
    net: int
    outer: Sequence[Word]
    section: str
    next: Word | None
    closing: bool = False


def cut_into_pieces(words: Sequence[Word], *, is_framed: bool) -> list[BracketPiece]:
    """Return a text cut into pieces, whose brackets are repaired one by one.

    Args:
        words: The words of the text.
        is_framed: Whether the first word opens a bracket around all sections.
    """
    starts: list[int] = []
    for index in range(int(is_framed), len(words)):
        # ``:parameters`` and the like may stand in brackets by mistake; no section begins there.
        if _opens_keyword(words, index) and words[index + 1].lower() not in PARTS:
            starts.append(index)
    frame = words[:1] if is_framed else ()
    pieces: list[BracketPiece] = []
    if is_framed:
        frame_end = starts[0] if starts else len(words)
        pieces.append(BracketPiece(words[:frame_end], 1, (), "", _word_at(words, frame_end)))
    for start, frame_end in pairwise([*starts, len(words)]):
        pieces += _cut_section(words, start, frame_end, frame)
    if is_framed:
        # The last piece also closes the bracket around all sections.
        pieces[-1] = replace(pieces[-1], net=pieces[-1].net - 1, closing=True)
    return pieces


def _cut_section(
    words: Sequence[Word], section_start: int, section_end: int, frame: Sequence[Word]
) -> list[BracketPiece]:
    """Cut one section into pieces whose brackets are mended one by one.

    An action is also cut at the keywords of its parts, so that a missing bracket in its
    precondition is not searched in its effect.

    Args:
        words: The words of the text.
        section_start: Index of the section's opening bracket.
        section_end: Index behind its last word.
        frame: The brackets that are open around it.
    """
    keyword = words[section_start + 1].lower()
    cut_indices = [section_start]
    if keyword == ":action":
        for index in range(section_start + 2, section_end):
            # A keyword after a bracket begins a new form and is not a part of the action.
            if words[index].kind == "KEYWORD" and words[index - 1].kind != "OPEN":
                cut_indices.append(index)
    cut_indices.append(section_end)
    pieces: list[BracketPiece] = []
    for piece_start, piece_end in pairwise(cut_indices):
        is_first = piece_start == section_start
        is_last = piece_end == section_end
        # The first piece opens the bracket of the section, the last one closes it.
        net = int(is_first) - int(is_last)
        outer = frame if is_first else (*frame, words[section_start])
        # A section is better known by its keyword than by the bracket before it.
        next_index = piece_end + 1 if _opens_keyword(words, piece_end) else piece_end
        is_closing = is_last and not frame
        pieces.append(
            BracketPiece(
                words[piece_start:piece_end],
                net,
                outer,
                keyword,
                _word_at(words, next_index),
                is_closing,
            )
        )
    return pieces


def _opens_keyword(words: Sequence[Word], index: int) -> bool:
    """Return whether a bracket before a keyword stands at a position."""
    if index + 1 >= len(words):
        return False
    return words[index].kind == "OPEN" and words[index + 1].kind == "KEYWORD"


def _word_at(words: Sequence[Word], index: int) -> Word | None:
    """Return the word at a position; None behind the last one."""
    return words[index] if index < len(words) else None


_FREE = {"", ":types", ":constants", ":objects", ":functions", ":requirements", ":metric"}
"""Sections in which brackets do not stand inside of conditions or effects."""

_VALUE = ""
"""Head of the brackets around a precondition or an effect: they have none of their own."""
_BRACKETED = {
    *("and", "or", "not", "imply", "when", "forall", "exists"),
    *(_VALUE, "define", ":init", ":goal", ":predicates"),
}
"""Heads of brackets with nothing but brackets inside."""
_ROOM = {"not": 1, "imply": 2, "when": 2, "forall": 2, "exists": 2}
"""How many brackets stand inside of brackets with these heads."""


def depth_change(word: Word) -> int:
    """Return how a word changes the number of open brackets."""
    return _STEP.get(word.kind, 0)


_STEP = {"OPEN": 1, "CLOSE": -1}


def find_overfull_form(piece: BracketPiece, words: Sequence[Word]) -> tuple[int, int] | None:
    """Find an open bracket that has more operands in brackets than it can take.

    Its closing bracket is missing before the first operand that is too many.

    Returns:
        The indices of the open bracket and of that operand's bracket; None if there is none.
    """
    if piece.section in _FREE:
        return None
    # Positions of the brackets that are open, the innermost last.
    open_indices: list[int] = []
    # Invariant: the number of brackets directly inside of each open one; the first counts those
    # that are inside of none.
    operand_counts = [0]
    for index, word in enumerate(words):
        if word.kind == "OPEN":
            # A dash is followed by a type, such as (either a b), which is not an operand.
            is_operand = words[index - 1] != "-"
            if open_indices and is_operand:
                innermost = open_indices[-1]
                if _is_full(words, innermost, index, operand_counts[-1]):
                    return innermost, index
            operand_counts[-1] += 1
            operand_counts.append(0)
            open_indices.append(index)
        elif word.kind == "CLOSE" and open_indices:
            open_indices.pop()
            operand_counts.pop()
    return None


def find_misaligned_brackets(
    piece: BracketPiece, words: Sequence[Word], lines: Lines
) -> tuple[int, int] | None:
    """Find a closing bracket that is indented like another bracket than the one that it closes.

    Args:
        piece: The piece of the text.
        words: Its words, as far as they are repaired.
        lines: The lines of the text.

    Returns:
        The indices of the opening bracket that it closes and of the closing bracket itself; None if
        there is none.
    """
    # Invariant: how often each column is an edge (column or indentation) of an open bracket.
    edge_counts = Counter(lines.edges(word.start)[0] for word in piece.outer)
    # Index and edges of each open bracket, the innermost last.
    open_brackets: list[tuple[int, tuple[int, int]]] = []
    for index, word in enumerate(words):
        if word.kind == "OPEN":
            own_edges = lines.edges(word.start)
            open_brackets.append((index, own_edges))
            edge_counts.update(own_edges)
        elif word.kind == "CLOSE" and open_brackets:
            opening_index, own_edges = open_brackets.pop()
            edge_counts.subtract(own_edges)
            column, indentation = lines.edges(word.start)
            begins_line = column == indentation
            # A closing bracket at the start of a line is usually aligned with what it closes.
            if begins_line and column not in own_edges and edge_counts[column] > 0:
                return opening_index, index
    return None


def find_unopened_word(words: Sequence[Word], stop: int) -> int | None:
    """Return the index of the first word that lacks an opening bracket, or None.

    In ``(and on a b)`` that is ``on``, as every operand of ``and`` is in brackets.
    """
    # The first words of the brackets that are open, the innermost last.
    open_heads = [] if words[0].kind == "OPEN" else [_VALUE]
    for index, word in enumerate(words[:stop]):
        if word.kind == "OPEN":
            open_heads.append(words[index + 1].lower())
            continue
        if word.kind == "CLOSE":
            del open_heads[-1:]
            continue
        is_head = index == 0 or words[index - 1].kind == "OPEN"
        if not is_head and open_heads and open_heads[-1] in _BRACKETED:
            return index
    return None


def find_superfluous_bracket(
    piece: BracketPiece, words: Sequence[Word], dip_index: int, lines: Lines
) -> int:
    """Return the index of the closing bracket to remove from a piece that closes too many.

    It is the first bracket that closes the outermost form although words follow, or else the one
    before a closing bracket that stands on a line of its own below its opening bracket.

    Args:
        piece: The piece of the text.
        words: Its words, as far as they are repaired.
        dip_index: Index of the bracket that closes more than the piece may close.
        lines: The lines of the text.
    """
    depth = 0
    for index, word in enumerate(words[:dip_index]):
        depth += depth_change(word)
        if depth == 0 and word.kind == "CLOSE" and words[index + 1].kind != "CLOSE":
            return index
    column, indentation = lines.edges(words[dip_index].start)
    begins_line = column == indentation
    follows_closing = dip_index > 0 and words[dip_index - 1].kind == "CLOSE"
    if not begins_line or not follows_closing:
        return dip_index
    openings = [*piece.outer, *(word for word in words[:dip_index] if word.kind == "OPEN")]
    for opening in openings:
        # The bracket stands where its opening one does, so the one before it is too many.
        if column in lines.edges(opening.start):
            return dip_index - 1
    return dip_index


def _is_full(
    words: Sequence[Word], opening_index: int, next_index: int, operand_count: int
) -> bool:
    """Return whether an open bracket has no room for another operand in brackets.

    ``(not (on a b)`` is full, since ``not`` takes one operand; ``(and ...`` never is.

    Args:
        words: The words.
        opening_index: Index of the open bracket.
        next_index: Index of the bracket that would begin another operand.
        operand_count: Number of operands in brackets that it has already.
    """
    head = words[opening_index + 1]
    if head.kind == "VARIABLE":
        return True
    if head.kind != "NAME":
        return False
    if head.lower() in RESERVED:
        # ``and`` and ``or`` have room for any number.
        return operand_count >= _ROOM.get(head.lower(), next_index)
    # A predicate takes no brackets; but a misspelt ``and`` looks like a predicate at first.
    return next_index > opening_index + 2 or not nearest(head, RESERVED)


_MAX_REPAIRS = 3
"""Maximum number of repairs inside of one piece; what is left is mended at its end."""


class BracketRepair:
    """Repairs the brackets of one text, which may have prose between its sections."""

    def __init__(self, reading: PddlReading, *, prose: bool = False) -> None:
        self.reading = reading
        self.prose = prose
        self.source = reading.source
        self.lines = reading.source.lines
        self.words: Sequence[Word] = ()

    def mend(self, words: Sequence[Word], *, framed: bool, sections: bool = True) -> list[Word]:
        """Return the words of a text with balanced brackets.

        Args:
            words: The words.
            framed: Whether the first word opens a bracket around all sections, as in
                ``(define ...)``.
            sections: Whether the text has sections; else it is a single condition.
        """
        self.words = words
        if not sections:
            return self._repair_piece(BracketPiece(words, 0, (), ":goal", None, closing=True))
        words = self.words = self.with_openings(words)
        return [
            word
            for piece in cut_into_pieces(words, is_framed=framed)
            for word in self._repair_piece(piece)
        ]

    def with_openings(self, words: Sequence[Word]) -> list[Word]:
        """Return the words with missing brackets added before section keywords.

        ``:action wash ...`` becomes ``(:action wash ...``, and is noted.
        """
        repaired: list[Word] = []
        # The keys of requirements, such as :typing, may be named like sections (:constraints).
        in_requirements = False
        for word in words:
            is_keyword = word.kind == "KEYWORD"
            keyword = word.lower() if is_keyword else ""
            is_opened = bool(repaired) and repaired[-1].kind == "OPEN"
            if keyword in SECTIONS and not is_opened and not in_requirements:
                self.note_unopened(word)
                repaired.append(Word.at("(", "OPEN", word.start))
            in_requirements = is_keyword and (in_requirements or keyword == ":requirements")
            repaired.append(word)
        return repaired

    def note_unopened(self, word: Word) -> None:
        """Note a missing bracket before a word."""
        self.reading.note(
            "missing-bracket",
            f"there is no '(' before '{word}'",
            word,
            expected=f"({word}",
            advice=f"write '({word}'",
        )

    def _repair_piece(self, piece: BracketPiece) -> list[Word]:
        """Return the words of a piece with its brackets repaired; each repair is noted."""
        end = _end_of_brackets(piece)
        words = list(piece.words[:end])
        # One repair a round, since each may show that others are not needed.
        for _ in range(_MAX_REPAIRS):
            dip_index = _first_dip(words, piece.net)
            if dip_index is not None:
                self._mend_dip(piece, words, dip_index)
                continue
            has_unclosed = sum(map(depth_change, words)) > piece.net
            if not has_unclosed or not self._close_inside(piece, words):
                break
        return self._balance(piece, [*words, *piece.words[end:]])

    def _mend_dip(self, piece: BracketPiece, words: list[Word], dip_index: int) -> None:
        """Repair a place where more brackets are closed than opened.

        Either an opening bracket is missing, as in ``on a b)``, and is inserted, or a closing
        bracket is superfluous and is removed.

        Args:
            piece: The piece of the text.
            words: Its words, which are changed in place.
            dip_index: Index of the closing bracket that has no opening one.
        """
        unopened_index = find_unopened_word(words, dip_index)
        if unopened_index is not None:
            word = words[unopened_index]
            self.note_unopened(word)
            words.insert(unopened_index, Word.at("(", "OPEN", word.start))
            return
        extra_index = find_superfluous_bracket(piece, words, dip_index, self.lines)
        message = "this closing bracket is one too many"
        self.reading.note("extra-bracket", message, words[extra_index], advice="remove it")
        del words[extra_index]

    def _close_inside(self, piece: BracketPiece, words: list[Word]) -> bool:
        """Close a bracket if the words around it show that its closing bracket is missing.

        Args:
            piece: The piece of the text.
            words: Its words, into which the closing bracket is inserted.

        Returns:
            Whether a bracket was closed.
        """
        unclosed = find_overfull_form(piece, words) or find_misaligned_brackets(
            piece, words, self.lines
        )
        if unclosed is None:
            return False
        opening_index, closing_index = unclosed
        next_word = words[closing_index]
        next_text: str = next_word
        if next_word.kind == "OPEN":
            # A bracket is named with the word after it.
            next_text = "".join(words[closing_index : closing_index + 2])
        before = f"')' before '{next_text}' ({self.source.say(next_word.start)})"
        stop = _end_of(words[closing_index - 1])
        self._note_unclosed(words[opening_index : opening_index + 3], before, stop)
        words.insert(closing_index, Word.at(")", "CLOSE", stop))
        return True

    def _note_unclosed(self, words: Sequence[Word], expected: str, end: int) -> None:
        """Note an unclosed bracket.

        Args:
            words: The bracket and the words after it.
            expected: What should stand where.
            end: Offset at which it should be closed.
        """
        # Messages show a bracket with the next word, or two after a keyword: ``(:action grab``.
        shown_words = list(takewhile(lambda word: not depth_change(word), words[1:3]))
        if shown_words and not shown_words[0].startswith(":"):
            del shown_words[1:]
        self.reading.note(
            "unclosed-bracket",
            f"the bracket '({' '.join(shown_words)}' is not closed",
            words[0],
            expected=expected,
            advice=f"close it at {self.source.say(end)}",
        )

    def _balance(self, piece: BracketPiece, words: list[Word]) -> list[Word]:
        """Return the words of a piece with balanced brackets.

        Superfluous closing brackets are dropped, and missing ones are added at the end, with one
        issue for either. Text after the last bracket of the whole text is left out.
        """
        balanced: list[Word] = []
        extra_brackets: list[Word] = []
        # Invariant: the open brackets, at least as many as the piece leaves open at its end.
        open_brackets: list[Word] = list(piece.outer)
        open_at_end = len(piece.outer) + piece.net
        text_end = len(self.source.text)
        for word in words:
            is_text_complete = (
                piece.closing and bool(balanced) and len(open_brackets) == open_at_end
            )
            if is_text_complete and word.kind != "CLOSE":
                if not self.prose:
                    self._note_surrounding(word, balanced[-1])
                break
            text_end = _end_of(word)
            if word.kind == "CLOSE" and len(open_brackets) <= open_at_end:
                extra_brackets.append(word)
                continue
            if word.kind == "CLOSE":
                open_brackets.pop()
            elif word.kind == "OPEN":
                open_brackets.append(word)
            balanced.append(word)
        if extra_brackets:
            self._note_extra(extra_brackets)
        missing_count = len(open_brackets) - open_at_end
        if missing_count > 0:
            if not self._is_explained(piece, open_brackets[-1]):
                self._note_missing(piece, open_brackets[-1], missing_count, text_end)
            balanced += [Word.at(")", "CLOSE", text_end)] * missing_count
        return balanced

    def _is_explained(self, piece: BracketPiece, opening: Word) -> bool:
        """Return whether a closing bracket that is too many explains an unclosed bracket.

        Only the outermost bracket of a text is explained in this way.

        Args:
            piece: The piece of the text.
            opening: The unclosed bracket.
        """
        if not piece.closing or opening is not self.words[0]:
            return False
        return any(issue.kind == "extra-bracket" for issue in self.reading.issues)

    def _note_surrounding(self, word: Word, closing: Word) -> None:
        """Note words after the last closing bracket of a text.

        Args:
            word: The word.
            closing: The bracket, whose place the message tells: it may be one too many.
        """
        closing_place = self.source.say(closing.start)
        self.reading.note(
            "surrounding-text",
            f"the text goes on after the last bracket was closed at {closing_place}",
            word,
            expected="the end of the text",
            advice="remove what is not PDDL, or look for a closing bracket too many before it",
        )

    def _note_extra(self, extra: Sequence[Word]) -> None:
        """Note superfluous closing brackets, at the first of them."""
        message = "this closing bracket is one too many"
        if len(extra) > 1:
            message = f"this closing bracket and {len(extra) - 1} more are too many"
        self.reading.note("extra-bracket", message, extra[0], advice="remove what is too many")

    def _note_missing(
        self, piece: BracketPiece, opening: Word, missing_count: int, end: int
    ) -> None:
        """Note the innermost unclosed bracket of a piece.

        Args:
            piece: The piece of the text.
            opening: The bracket.
            missing_count: How many closing brackets are missing.
            end: Offset at which they should be.
        """
        brackets = "')'" if missing_count == 1 else f"{missing_count} closing brackets"
        next_text = "the end of the text"
        if piece.next is not None:
            next_text = f"'{piece.next}' ({self.source.say(piece.next.start)})"
        # The repaired piece has other indices than the text, so the bracket is found by its offset.
        opening_index = bisect_left(self.words, opening.start, key=lambda word: word.start)
        self._note_unclosed(
            self.words[opening_index : opening_index + 3], f"{brackets} before {next_text}", end
        )


def _end_of_brackets(piece: BracketPiece) -> int:
    """Return the end of the words in which a piece's brackets are searched.

    A piece ends where it is closed, if what follows its last bracket is something else. Closing
    brackets that follow directly belong to it: they are too many.
    """
    words = piece.words
    end = len(words)
    if piece.closing:
        for index, depth in enumerate(accumulate(map(depth_change, words))):
            if words[index].kind == "CLOSE" and depth == piece.net:
                end = index + 1
                break
    while end < len(words) and words[end].kind == "CLOSE":
        end += 1
    return end


def _first_dip(words: Sequence[Word], net: int) -> int | None:
    """Return the position of the first superfluous closing bracket, or None."""
    for index, depth in enumerate(accumulate(map(depth_change, words))):
        if words[index].kind == "CLOSE" and depth < net:
            return index
    return None


def _end_of(word: Word) -> int:
    """Return the offset behind a word."""
    return word.start + len(word)
