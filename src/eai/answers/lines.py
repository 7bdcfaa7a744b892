"""Lines that cannot be read as steps, but may have been meant as some."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eai.answers.forms import MOST_WORDS, calls_in, in_capitals, is_call, lead_of, read_line, shouts
from eai.answers.plan import (
    ACTION_KEYS,
    ASIDE_KEYS,
    CONNECTIVES,
    EXPLAINING,
    FILLERS,
    HEADINGS,
    LONGEST,
    STATES,
    STATING,
    AnswerProblem,
    Beside,
    PlanReading,
    ReadStep,
    has_id,
    no_step,
    unread,
    words_of,
)
from eai.answers.values import ELLIPSES

MOST_WORDS_AROUND = 3
"""A call with more words around it stands in a sentence."""

_NAME = re.compile(r"[^\W\d_][\w\-]*")
_CALL = re.compile(r"[^\W\d][\w\-]{0,100}\([^()]*\)")
_TAG = re.compile(r"<[^<>\n]{0,200}>")
_ATTACHED_BRACKET = re.compile(r"\w[\[({<](?!e?s\))\w")
_AND_SO_ON = re.compile(
    r"\W*(?:etc|and so (?:on|forth)|repeat\b.*|x ?\d+|\d+ ?x)\W*|\s*(?:\.\.\.|\u2026)\s*",
    re.IGNORECASE,
)


def goes_on(line: str) -> bool:
    """Whether a line stands for steps that are left out: ``...``, ``etc.``, ``repeat this``."""
    return _AND_SO_ON.fullmatch(line) is not None


def shown_again(line: str, steps: Sequence[ReadStep]) -> bool:
    """Whether the calls in a line are steps of the plan, of which it tells something."""
    having: dict[str, set[int]] = {}
    for number, step in enumerate(steps):
        for word in words_of(str(step)):
            having.setdefault(word, set()).add(number)
    everything = set(range(len(steps)))
    named = {frozenset(words_of(call)) for call in calls_in(line)}
    # The steps with all words of a call; those of its rarest word first.
    return all(
        set.intersection(*sorted((having.get(w, set()) for w in words), key=len), everything)
        for words in named
    )


def may_be_step(line: str) -> bool:
    """Whether a line beside a plan is, or begins with, a call, or is one with marks around it."""
    return is_call(line) or shouts(line) or resembles_call(line) or _begins_with_call(line)


def resembles_call(line: str) -> bool:
    """Whether a line is a call with some marks or a few words around it, and no sentence."""
    calls = calls_in(line)
    if not calls:
        return False
    plain = _CALL.sub(" ", _TAG.sub(" ", line))
    words = words_of(plain)
    around = (FILLERS - CONNECTIVES) | STATING | EXPLAINING | STATES
    return len(words) <= MOST_WORDS_AROUND and around.isdisjoint(words)


def _begins_with_call(line: str) -> bool:
    bare = line[lead_of(line)[2] :].replace("**", "").strip(" \t\r`\"'")
    return any(bare.startswith(call) for call in calls_in(line)[:1])


def resembles_step(line: str) -> bool:
    """Whether a line that cannot be read begins like a step and is no sentence.

    It is a few words, the first one in capitals, or with an id or an attached bracket in them;
    a call with something around it; a tag or the row of a table with words; or "and so on".
    """
    bare = line[lead_of(line)[2] :].strip(" \t\r`*")
    row = bare.startswith(("<", "|")) and any(map(str.isalnum, _TAG.sub("", bare)))
    if row or bare.startswith("[") or goes_on(bare):
        return True
    if resembles_call(line) or _begins_with_call(line):
        return True
    label, colon, _ = bare.partition(":")
    return (bool(colon) and label.lower() in ACTION_KEYS) or _begins_like_step(bare)


def _begins_like_step(bare: str) -> bool:
    words = bare.split()
    first = _NAME.match(bare)
    if first is None or not 0 < len(words) <= MOST_WORDS or bare.endswith((".", ":", "?")):
        return False
    if _states([first.group().lower(), *(word.lower() for word in words)]):
        return False
    short = (word.strip("<>()[],;") for word in words[1:] if len(word) <= LONGEST)
    clear = any(map(has_id, short)) or in_capitals(first.group())
    return clear or _ATTACHED_BRACKET.search(bare) is not None


def _states(words: list[str]) -> bool:
    """Whether words are a statement, or begin with a label such as ``Initial state:``."""
    label_end = max((n for n, word in enumerate(words, 1) if word.endswith(":")), default=1)
    label = [word.strip(":*") for word in words[:label_end]]
    return (
        words[0] in FILLERS | CONNECTIVES
        or not STATING.isdisjoint(words)
        or not (HEADINGS | ASIDE_KEYS | {"state"}).isdisjoint(label)
    )


MOST_LINES = 10_000
"""An answer with more lines is not a plan."""

_UNFINISHED = re.compile(r"[A-Za-z][\w\-]*(?:[ \t][\w\-]+){0,2}\s?\([^()]*")
_OPEN_CALL = re.compile(r"[A-Za-z][\w\-]*\([^()]*")
_DIGIT = re.compile(r"\d")
_LINE = re.compile(r"[^\n]+")


@dataclass(slots=True)
class _Line:
    """A line that is not empty."""

    text: str
    at: int
    apart: bool  # an empty line stands before it
    steps: list[ReadStep]
    unclear: bool = False  # it may have been meant as a step

    @property
    def marked(self) -> bool:
        """Whether it is numbered, has a bullet, begins like a step, or stands for some."""
        begin = self.text.lstrip().startswith(("[", *ELLIPSES))
        return begin or bool(self.text[: lead_of(self.text)[2]].strip())

    @property
    def ends_early(self) -> bool:
        """Whether it is a call that is not closed."""
        rest = self.text[lead_of(self.text)[2] :]
        return len(self.text) <= LONGEST and _UNFINISHED.fullmatch(rest) is not None

    def follows(self, other: _Line) -> bool:
        """Whether it is the item of a list that comes behind another one."""
        bullet, number, _ = lead_of(self.text)
        bullet_before, before, _ = lead_of(other.text)
        if number is not None and before is not None:
            return number == before + 1
        return bool(bullet) and bullet == bullet_before and number == before and not self.apart

    def settle(self, *, listed: bool) -> bool:
        """Read it as a line amid steps; False if it has nothing to do with them."""
        self.steps = read_line(self.text, self.at, amid=True)
        self.unclear = not self.steps and (listed or resembles_step(self.text))
        return bool(self.steps) or self.unclear


def read_lines(text: str, start: int, *, end: int) -> PlanReading:
    """Read the steps that stand in lines of their own.

    Other lines are left out; amid the steps, what may have been meant as one is a problem.
    """
    found = _LINE.finditer(text, start, end)
    lines: list[_Line] = []
    before = -1
    for match in itertools.islice(found, MOST_LINES):
        written, at = match.group(), match.start()
        if not written.isspace():
            lines.append(_Line(written, at, at > before + 1, read_line(written, at)))
            before = match.end()
    locations = [place for place, line in enumerate(lines) if line.steps]
    if not locations:
        return PlanReading()
    _settle(lines, locations[0], locations[-1])
    for line in lines:
        line.unclear = line.unclear or (not line.steps and resembles_call(line.text))
    problems = [no_step(line.text.strip(), line.at) for line in lines if line.unclear]
    if next(found, None) is not None:
        problems.append(AnswerProblem(f"the plan has more than {MOST_LINES:,} lines", end))
    elif lines[-1].ends_early:
        problems = [problem for problem in problems if problem.position != lines[-1].at]
        problems.append(AnswerProblem("the answer ends in the middle of a step", end))
    notes = []
    if any(not (line.steps or line.unclear) for line in lines):
        notes.append("text around the steps")
    if any(line.steps and ("#" in line.text or "//" in line.text) for line in lines):
        notes.append("comments")
    steps = tuple(step for line in lines for step in line.steps)
    return PlanReading(steps, tuple(problems), tuple(notes))


def _settle(lines: list[_Line], first: int, last: int) -> None:
    """Decide about the lines between the steps, behind the last one and before the first one."""
    for line in lines[first:last]:
        if not line.steps:
            line.settle(listed=line.marked)
    for before, line in itertools.pairwise(lines[last:]):
        listed = line.follows(before)
        if not ((listed or not line.apart) and line.settle(listed=listed)):
            break
    for behind, line in itertools.pairwise(reversed(lines[: first + 1])):
        listed = behind.follows(line)
        titled = not (listed or _DIGIT.search(line.text))
        if titled or not ((listed or not behind.apart) and line.settle(listed=listed)):
            break


def steps_beside(
    text: str,
    start: int,
    end: int,
    steps: Sequence[ReadStep],
    others: Sequence[tuple[int, int]] = (),
) -> tuple[list[AnswerProblem], list[Beside]]:
    """Find steps in the :func:`lines_around` a value that is the plan, in which ``steps`` are.

    Returns:
        A problem for each line that is a call or a line of a script, since it may belong to the
        plan, or else replace it; and the steps in others, if their names are of the task.
    """
    problems: list[AnswerProblem] = []
    beside: list[Beside] = []
    for line, at in lines_around(text, start, end, others):
        cut = at >= end and _OPEN_CALL.fullmatch(line.strip()) is not None
        new = may_be_step(line) and not (calls_in(line) and shown_again(line, steps))
        if cut or new or is_call(line) or goes_on(line):
            problems.append(unread(line.strip(), at))
        else:
            found = read_line(line.strip(" \t\r,;"), at, meant=True)
            beside += (Beside(step, plain=True) for step in found if _DIGIT.search(str(step)))
    return problems, beside


def lines_around(
    text: str, start: int, end: int, others: Sequence[tuple[int, int]] = ()
) -> Iterator[tuple[str, int]]:
    """Find what stands right before and behind a value.

    Args:
        text: The answer.
        start: Offset of the value.
        end: Offset behind it.
        others: Begin and end of other values, which are left out.

    Yields:
        The rest of its first and last line, and the next lines with words on either side, fences
        aside, each with its offset.
    """
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    rest = text[end:last].lstrip(" \t,;")
    lines = [(text[first:start], first), (rest, last - len(rest))]
    while first > 0:
        behind, first = first - 1, text.rfind("\n", 0, first - 1) + 1
        if _has_words(text[first:behind]):
            lines.append((text[first:behind], first))
            break
    following = (line for line in _LINE.finditer(text, last) if _has_words(line.group()))
    lines += [(line.group(), line.start()) for line in itertools.islice(following, 1)]
    for line, at in lines:
        place = at + len(line) - len(line.lstrip())
        if not any(begin <= place < behind for begin, behind in others):
            yield line, at


def _has_words(line: str) -> bool:
    bare = line.lstrip()
    return not bare.startswith("```") and (any(map(str.isalnum, line)) or bare.startswith(ELLIPSES))


def tells_steps(text: str, start: int, end: int) -> bool:
    """Whether some line outside a part of an answer is a call or a line of a script."""
    outside = itertools.chain(_LINE.finditer(text, 0, start), _LINE.finditer(text, end))
    lines = (match.group() for match in outside)
    return any(
        len(line) <= LONGEST and (may_be_step(line) or bool(read_line(line, 0))) for line in lines
    )
