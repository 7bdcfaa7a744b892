"""Words to nested brackets; where they do not match, repaired first.

Idea: a text in order is nested in one pass (:func:`_nest_balanced`). If that pass finds anything
out of its place, all words are collected, repaired (:mod:`eai.pddl.mending`) and nested again. Both
take time linear in the number of words; the repair is bounded by :data:`MAX_MENDED`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import chain, islice, pairwise
from typing import Literal

from eai.pddl.languages import HYBRID, RELATIONAL
from eai.pddl.mending import BracketRepair
from eai.pddl.reading import PddlReading
from eai.pddl.text import FENCE, Form, Word, scan, unfence

MAX_DEPTH = 100
"""Deepest nesting of brackets that is read; formulas are walked recursively everywhere."""

MAX_CHARACTERS = 5_000_000
"""Longest text that is read."""
MAX_ANSWER = 250_000
"""Longest answer that is read: some twenty times the longest that a model gave."""
MAX_UNMATCHED = 10_000
"""Maximum number of unmatched brackets in a long text; with more it is not split into words."""
MAX_MENDED = 50_000
"""Maximum number of words and brackets that are repaired; what stands behind them is left out."""

Frame = Literal["define", "sections", "condition", "answer"]
"""Form of a text: one ``(define ...)``, sections one after the other, one condition, or sections
with anything around them."""


def nest_brackets(reading: PddlReading, frame: Frame) -> list[Form]:
    """Return the nested brackets of a text.

    Mistakes are noted and repaired: see :mod:`eai.pddl.mending`.

    Returns:
        The outermost forms; empty for a text without any bracket.
    """
    text = reading.source.text
    if _is_too_long(reading, frame):
        return []
    block = _RDDL.match(text) if frame == "define" else None
    if block is not None:
        feature = f"definitions in braces ('{block['kind']} ... {{')"
        reading.note_foreign(feature, RELATIONAL, block.start("kind"))
        return []
    unfenced_text = unfence(text) if frame == "answer" else _remove_fences(reading)
    if _GLUED.search(text):
        _note_glued(reading, unfenced_text, frame)
    unknown_words: list[Word] = []
    # The words are not collected first: a text in order may have millions. Those that the first
    # pass has taken are kept as far as they would be repaired.
    scanned_words = scan(unfenced_text)
    words = list(islice(scanned_words, MAX_MENDED + 1))
    forms = _nest_balanced(chain(words, scanned_words), unknown_words, frame)
    if forms is None:
        if len(words) > MAX_MENDED:
            reading.note(
                "long-text",
                f"brackets do not match, and there are more than {MAX_MENDED:,} words and brackets",
                words.pop(),
                expected="fewer where they have to be repaired",
            )
        unknown_words = [word for word in words if word.kind == "UNKNOWN"]
        readable_words = [word for word in words if word.kind != "UNKNOWN"]
        forms = _nest_repaired(reading, _repair_words(reading, readable_words, frame))
    _note_unknown(reading, unknown_words, forms, around=frame != "answer")
    return forms


def _is_too_long(reading: PddlReading, frame: Frame) -> bool:
    """Return whether a text exceeds the maximum length, and note it if so.

    Repairing brackets takes longer than reading them, so texts with many unmatched brackets have a
    smaller limit.
    """
    text = reading.source.text
    max_characters = MAX_ANSWER if frame == "answer" else MAX_CHARACTERS
    if len(text) > max_characters:
        message = f"the text has {len(text):,} characters"
        reading.note("long-text", message, 0, expected=f"at most {max_characters:,} characters")
        return True
    if len(text) > MAX_ANSWER and abs(text.count("(") - text.count(")")) > MAX_UNMATCHED:
        message = f"more than {MAX_UNMATCHED:,} brackets are not matched"
        expected = f"at most that many in a text of more than {MAX_ANSWER:,} characters"
        reading.note("long-text", message, 0, expected=expected)
        return True
    return False


def _note_glued(reading: PddlReading, plain: str, frame: Frame) -> None:
    """Note missing blanks between names and variables, or dashes and types.

    ``?x?y`` and ``?x -block`` are read as ``?x ?y`` and ``?x - block``; other planners read one
    word, so a warning tells of it.

    Args:
        reading: Where the findings go.
        plain: The text without comments.
        frame: Form of the text; in an answer a dash before a name is mostly a hyphen.
    """
    for previous_word, word in pairwise(scan(plain)):
        # Something stands between them already.
        if previous_word.start + len(previous_word) != word.start:
            continue
        is_glued_variable = word.kind == "VARIABLE" and previous_word.kind in {"NAME", "VARIABLE"}
        is_glued_type = frame != "answer" and previous_word == "-" and word.kind == "NAME"
        if is_glued_variable or is_glued_type:
            message = f"there is no blank between '{previous_word}' and '{word}'"
            advice = f"write '{previous_word} {word}': other planners read one word"
            reading.note("missing-blank", message, word, severity="warning", advice=advice)


_RDDL = re.compile(
    r"""
    (?: \s | //[^\n]* (?: \n | \Z ) )*                 # blanks and comments, whole lines
    (?P<kind> domain | instance | non-fluents ) \s+
    [\w-]+ \s* \{                                       # the name, and its block
    """,
    re.VERBOSE,
)
"""Beginning of a file of RDDL."""

_DEPTHS: dict[Frame, int] = {"define": 2, "sections": 1, "condition": 0, "answer": 1}
"""How many brackets are open where a keyword may stand."""

_GLUED = re.compile(r"[A-Za-z0-9_.-]\?|[^A-Za-z0-9_.-]-[A-Za-z0-9_]")
"""A name and a variable, or a dash and a type, without a blank between them; in comments, too."""


def _remove_fences(reading: PddlReading) -> str:
    """Return the text without markdown fences, which are noted."""
    text = reading.source.text
    # The pattern takes long on long texts; nearly all have no fence.
    if "```" not in text and "~~~" not in text:
        return text
    fence = FENCE.search(text)
    if fence is None:
        return text
    reading.note(
        "markdown-fence",
        f"'{fence[0].strip()}' is markdown, not PDDL",
        fence.start(),
        expected="PDDL only",
        advice="remove the lines with fences",
    )
    return unfence(text)


def _nest_balanced(
    words: Iterable[Word], unknown_words: list[Word], frame: Frame
) -> list[Form] | None:
    """Return the nested forms of balanced brackets, or None if anything is out of order.

    Args:
        words: The words of a text.
        unknown_words: List to which words of no known kind are added.
        frame: Form of the text.
    """
    keyword_depth = _DEPTHS[frame]
    is_single = frame in {"define", "condition"}
    outermost_forms: list[Form] = []
    # Invariant: the forms that are open, outermost first; a word belongs to the last of them.
    open_forms: list[Form] = []
    for word in words:
        word_kind = word.kind
        if word_kind == "OPEN":
            form = Form(word.start)
            siblings = open_forms[-1].items if open_forms else outermost_forms
            siblings.append(form)
            open_forms.append(form)
            # A second outermost form in a definition shows that a bracket before it closed too
            # early.
            if len(open_forms) > MAX_DEPTH or (is_single and len(outermost_forms) > 1):
                return None
        elif word_kind == "UNKNOWN":
            # A few strange signs can be mended; with more of them the text is no PDDL.
            unknown_words.append(word)
            if len(unknown_words) > MAX_MENDED:
                return None
        # A keyword at another depth shows that a bracket before it is missing or extra.
        elif not open_forms or (word_kind == "KEYWORD" and len(open_forms) != keyword_depth):
            return None
        elif word_kind == "CLOSE":
            open_forms.pop().closing = word.start
        else:
            open_forms[-1].items.append(word)
    if open_forms or (is_single and not outermost_forms):
        return None
    return outermost_forms


def _repair_words(reading: PddlReading, words: Sequence[Word], frame: Frame) -> Sequence[Word]:
    """Return the words of a text with brackets repaired and surrounding text removed.

    Sections without brackets get them, everything before the first form is dropped, and the rest is
    balanced (:class:`BracketRepair`).

    Args:
        reading: Where the findings go.
        words: The words of the text.
        frame: Form of the text.
    """
    repair = BracketRepair(reading, prose=frame == "answer")
    if frame in {"sections", "answer"}:
        words = repair.with_openings(words)
    start_index = _find_start(words, frame)
    if words and frame != "answer" and start_index != 0:
        message = f"'{words[0]:.60}' outside of all brackets"
        reading.note("surrounding-text", message, words[0], expected="'('")
    if start_index is None:
        return ()
    bracketed_words = words[start_index:]
    # The word `define` may begin the text without its bracket, which is then put back.
    if bracketed_words[0].kind != "OPEN":
        repair.note_unopened(bracketed_words[0])
        bracketed_words = [Word.at("(", "OPEN", bracketed_words[0].start), *bracketed_words]
    is_defined = len(bracketed_words) > 1 and bracketed_words[1].lower() == "define"
    is_framed = is_defined or frame == "define"
    return repair.mend(bracketed_words, framed=is_framed, sections=frame != "condition")


def _find_start(words: Sequence[Word], frame: Frame) -> int | None:
    """Return the index at which the PDDL in a text begins, after any prose.

    Args:
        words: The words of the text.
        frame: Form of the text, such as ``"define"`` for one definition.

    Returns:
        The index of the first bracket that may begin such a text, or of the word ``define`` if its
        bracket is missing; None if there is neither.
    """
    first_opening: int | None = None
    for index, word in enumerate(words):
        if word.kind != "OPEN":
            if frame == "define" and word.lower() == "define":
                return index
            continue
        if first_opening is None:
            first_opening = index
        word_after_bracket = words[index + 1].lower() if index + 1 < len(words) else ""
        if _may_begin(frame, word_after_bracket):
            return index
    # A definition was meant, whatever the brackets contain.
    return first_opening if frame == "define" else None


def _may_begin(frame: Frame, head: str) -> bool:
    """Return whether a text of this kind may begin with a bracket before ``head``."""
    if frame == "condition":
        return True
    if frame in {"sections", "answer"} and head.startswith(":"):
        return True
    return frame in {"define", "answer"} and head == "define"


def _nest_repaired(reading: PddlReading, words: Sequence[Word]) -> list[Form]:
    """Return the forms of balanced words, without those that are too deep.

    Args:
        reading: Where the finding about the depth goes.
        words: The words, after their repair.
    """
    outermost_forms: list[Form] = []
    open_forms: list[Form] = []
    is_deep_noted = False
    for word in words:
        if word.kind == "CLOSE":
            open_forms.pop().closing = word.start
            continue
        if word.kind != "OPEN":
            open_forms[-1].items.append(word)
            continue
        form = Form(word.start)
        # A form that is too deep is opened, so that its brackets match, but belongs to nothing.
        if len(open_forms) < MAX_DEPTH:
            siblings = open_forms[-1].items if open_forms else outermost_forms
            siblings.append(form)
        elif not is_deep_noted:
            is_deep_noted = True
            reading.note(
                "deep-nesting",
                f"brackets are nested more than {MAX_DEPTH} deep",
                word,
                expected=f"at most {MAX_DEPTH} brackets inside of each other",
            )
        open_forms.append(form)
    return outermost_forms


def _note_unknown(
    reading: PddlReading, unknown_words: Sequence[Word], forms: Sequence[Form], *, around: bool
) -> None:
    """Note characters that are not allowed in PDDL.

    Args:
        reading: Where the findings go.
        unknown_words: The characters, as words.
        forms: The outermost forms.
        around: Whether text around the forms is a mistake, which is then noted once.
    """
    is_noted = "surrounding-text" in {issue.kind for issue in reading.issues}
    starts = [form.opening for form in forms]
    for word in unknown_words:
        if word.lower() == "#t":
            reading.note_foreign("changes over time ('#t')", HYBRID, word)
        elif _is_inside(word, forms, starts):
            reading.note(
                "unknown-character",
                f"the character {word[0]!r} cannot stand here",
                word,
                expected="brackets, names, ?variables, :keywords, numbers, or a comment after ';'",
            )
        elif around and not is_noted:
            is_noted = True
            reading.note("surrounding-text", f"'{word:.60}' outside of all brackets", word)


def _is_inside(word: Word, forms: Sequence[Form], starts: Sequence[int]) -> bool:
    """Return whether a word is inside of a form. Without any form, all words are.

    Args:
        word: The word.
        forms: The outermost forms, in the order of the text.
        starts: The offsets of their opening brackets.
    """
    if not forms:
        return True
    # The last form that begins before the word is the only one that can contain it.
    form = forms[max(0, bisect_right(starts, word.start) - 1)]
    return form.opening < word.start < form.closing
