"""Words to nested brackets; where they do not match, repaired first."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import chain, islice, pairwise
from typing import Literal

from eai.pddl.languages import HYBRID
from eai.pddl.mending import Repair
from eai.pddl.reading import Reading
from eai.pddl.text import FENCE, Form, Word, scan, unfence

MAX_DEPTH = 100
"""Deepest nesting of brackets that is read; formulas are walked recursively everywhere."""

MAX_CHARACTERS = 5_000_000
"""Longest text that is read."""
MAX_ANSWER = 250_000
"""Longest answer that is read: some twenty times the longest that a model gave."""
MAX_UNMATCHED = 10_000
"""A long text with more brackets that nothing opens or closes is not even split into words."""
MAX_MENDED = 50_000
"""Up to so many words and brackets are mended; what stands behind them is left out."""

Frame = Literal["define", "sections", "condition", "answer"]
"""Form of a text: one ``(define ...)``, sections one after the other, one condition, or sections
with anything around them."""


def nest(reading: Reading, frame: Frame) -> list[Form]:
    """Read a text as nested brackets.

    What is wrong is noted and repaired: see :mod:`eai.pddl.mending`.

    Returns:
        The outermost forms; empty for a text without any bracket.
    """
    text = reading.source.text
    most = MAX_ANSWER if frame == "answer" else MAX_CHARACTERS
    if len(text) > most:
        message = f"the text has {len(text):,} characters"
        reading.note("long-text", message, 0, expected=f"at most {most:,} characters")
        return []
    if len(text) > MAX_ANSWER and abs(text.count("(") - text.count(")")) > MAX_UNMATCHED:
        message = f"more than {MAX_UNMATCHED:,} brackets are not matched"
        expected = f"at most that many in a text of more than {MAX_ANSWER:,} characters"
        reading.note("long-text", message, 0, expected=expected)
        return []
    plain = unfence(text) if frame == "answer" else _unfenced(reading)
    for before, word in pairwise(scan(plain)) if _GLUED.search(text) else ():
        if before.start + len(before) != word.start:
            continue
        named = word.kind == "VARIABLE" and before.kind in {"NAME", "VARIABLE"}
        typed = frame != "answer" and before == "-" and word.kind == "NAME"
        if named or typed:
            message = f"there is no blank between '{before}' and '{word}'"
            advice = f"write '{before} {word}': other planners read one word"
            reading.note("missing-blank", message, word, severity="warning", advice=advice)
    following, unknown = scan(plain), list[Word]()
    words = list(islice(following, MAX_MENDED + 1))
    forms = _matched(chain(words, following), unknown, frame)
    if forms is None:
        if len(words) > MAX_MENDED:
            reading.note(
                "long-text",
                f"brackets do not match, and there are more than {MAX_MENDED:,} words and brackets",
                words.pop(),
                expected="fewer where they have to be repaired",
            )
        unknown = [word for word in words if word.kind == "UNKNOWN"]
        known = [word for word in words if word.kind != "UNKNOWN"]
        forms = _nested(reading, _mended(reading, known, frame))
    _note_unknown(reading, unknown, forms, around=frame != "answer")
    return forms


_DEPTHS: dict[Frame, int] = {"define": 2, "sections": 1, "condition": 0, "answer": 1}
"""How many brackets are open where a keyword may stand."""


_GLUED = re.compile(r"[A-Za-z0-9_.-]\?|[^A-Za-z0-9_.-]-[A-Za-z0-9_]")
"""A name and a variable, or a dash and a type, without a blank between them; in comments, too."""


def _unfenced(reading: Reading) -> str:
    text = reading.source.text
    fence = FENCE.search(text) if "```" in text or "~~~" in text else None
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


def _matched(words: Iterable[Word], unknown: list[Word], frame: Frame) -> list[Form] | None:
    """Match brackets that are in order; None as soon as anything is not in its place.

    What is no word is added to ``unknown``.
    """
    depth, single = _DEPTHS[frame], frame in {"define", "condition"}
    done: list[Form] = []
    opened: list[Form] = []
    for word in words:
        kind = word.kind
        if kind == "OPEN":
            form = Form(word.start)
            (opened[-1].items if opened else done).append(form)
            opened.append(form)
            if len(opened) > MAX_DEPTH or (single and len(done) > 1):
                return None
        elif kind == "UNKNOWN":
            unknown.append(word)
            if len(unknown) > MAX_MENDED:
                return None
        elif not opened or (kind == "KEYWORD" and len(opened) != depth):
            return None
        elif kind == "CLOSE":
            opened.pop().closing = word.start
        else:
            opened[-1].items.append(word)
    return None if opened or (single and not done) else done


def _mended(reading: Reading, words: Sequence[Word], frame: Frame) -> Sequence[Word]:
    """Leave out the words around the brackets, and mend the brackets."""
    repair = Repair(reading, prose=frame == "answer")
    if frame in {"sections", "answer"}:
        words = repair.with_openings(words)
    start = _start(words, frame)
    unopened = start is not None and words[start].kind != "OPEN"
    if words and frame != "answer" and (start is None or start > 0):
        message = f"'{words[0]:.60}' outside of all brackets"
        reading.note("surrounding-text", message, words[0], expected="'('")
    if start is None:
        return ()
    core = words[start:]
    if unopened:
        repair.note_unopened(core[0])
        core = [Word.at("(", "OPEN", core[0].start), *core]
    framed = len(core) > 1 and core[1].lower() == "define"
    return repair.mend(core, framed=framed or frame == "define", sections=frame != "condition")


def _start(words: Sequence[Word], frame: Frame) -> int | None:
    """Find where the brackets begin, or the ``define`` that lacks one."""
    first: int | None = None
    for i, word in enumerate(words):
        opens = word.kind == "OPEN"
        after = words[i + 1].lower() if opens and i + 1 < len(words) else ""
        if opens and first is None:
            first = i
        if frame == "condition" and opens:
            return i
        if frame in {"sections", "answer"} and after.startswith(":"):
            return i
        if frame in {"define", "answer"} and after == "define":
            return i
        if frame == "define" and word.lower() == "define":
            return i
    return first if frame == "define" else None


def _nested(reading: Reading, words: Sequence[Word]) -> list[Form]:
    """Nest words after their repair; what is too deep is left out."""
    done: list[Form] = []
    opened: list[Form] = []
    deep = False
    for word in words:
        if word.kind == "OPEN":
            form = Form(word.start)
            if len(opened) < MAX_DEPTH:
                (opened[-1].items if opened else done).append(form)
            elif not deep:
                deep = True
                reading.note(
                    "deep-nesting",
                    f"brackets are nested more than {MAX_DEPTH} deep",
                    word,
                    expected=f"at most {MAX_DEPTH} brackets inside of each other",
                )
            opened.append(form)
        elif word.kind == "CLOSE":
            opened.pop().closing = word.start
        else:
            opened[-1].items.append(word)
    return done


def _note_unknown(
    reading: Reading, unknown: Sequence[Word], forms: Sequence[Form], *, around: bool
) -> None:
    """Note characters that PDDL does not know; what stands ``around`` the brackets once."""
    around = around and "surrounding-text" not in {issue.kind for issue in reading.issues}
    starts = [form.opening for form in forms]
    for word in unknown:
        form = forms[max(0, bisect_right(starts, word.start) - 1)] if forms else None
        if word.lower() == "#t":
            reading.note_foreign("changes over time ('#t')", HYBRID, word)
        elif form is None or form.opening < word.start < form.closing:
            reading.note(
                "unknown-character",
                f"the character {word[0]!r} cannot stand here",
                word,
                expected="brackets, names, ?variables, :keywords, numbers, or a comment after ';'",
            )
        elif around:
            around = False
            reading.note("surrounding-text", f"'{word:.60}' outside of all brackets", word)
