"""Steps that are written as lines of text: ``WALK(light.411)``, ``[WALK] <light> (411)``.

Ordinary sentences are not steps. A line counts only if it has the form of a call or of a
VirtualHome script, or is a few words with a sign that they are meant as a step: a name in
capitals, a number or bullet before it, or an id among the objects.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

from eai.abilities.answer_text import ELLIPSES
from eai.abilities.answers_plan import AnswerProblem, PlanReading, ReadStep, shorten
from eai.abilities.answers_words import FILLERS, HEADINGS, NOTHING

__all__ = ["read_line", "read_lines", "tokens_of"]

LONGEST = 400
"""A line with more characters is not a step."""
MOST_LINES = 20_000
"""An answer with more lines is not a plan."""
MOST_WORDS = 8
"""A step of bare words has at most this many."""

_LEAD = re.compile(
    r"\s*(?:[-*•+>]\s+)?(?:(?:step\s*)?\d+\s*[.):\-]\s*)?(?:<char\d>\s*)?", re.IGNORECASE
)
_IN_PARENTHESES = re.compile(r"\(([^()]+)\)")
_SCRIPT = re.compile(
    r"\[\s*([A-Za-z][\w\-]*(?: [\w\-]+)?)\s*\]"
    r"((?:\s*(?:<[^<>]*>|\(\s*[\w.]*\s*\)))*)(?:\s*\[\d+\])?"
)
_SCRIPT_PART = re.compile(r"<([^<>]*)>|\(\s*([\w.]*)\s*\)")
_CALL = re.compile(r"([A-Za-z][\w\-]*)\s?\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_BETWEEN = re.compile(r"(?:\s|[,;.`]|->|→|\bthen\b|\band\b)*", re.IGNORECASE)
_REMARK = re.compile(r"\s*(?:[-\u2013\u2014:#]|//)")
_LABELLED = re.compile(r"([\"']?)([A-Za-z][\w\-]*)\1\s*:\s*(\S.*)")
_WORD = re.compile(r"<[^<>]*>|\([\w.]+\)|[\w.\-]+")
_NAME = re.compile(r"[A-Za-z][\w\-]*")
_ID = re.compile(r"\w*[A-Za-z]\w*[._]\d+(?:\.\d+)?")
_NUMBER = re.compile(r"\(?[\d.]+\)?")
_NAMED_PART = re.compile(r"\s*[A-Za-z_]\w*\s*=\s*")
_NAME_AND_ID = re.compile(r"([^\d\s<(][^<>()]*?|<[^<>()]*>)\s*[\s(]\s*(\d+)\s*\)?")
_UNFINISHED = re.compile(r"[A-Za-z][\w\-]*\s?\([^()]*")


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


def _script_tokens(text: str) -> list[str]:
    parts = ((name or number).strip() for name, number in _SCRIPT_PART.findall(text))
    return [part for part in parts if part]


def _sequence(
    pattern: re.Pattern[str], split: Callable[[str], list[str]], text: str, at: int
) -> list[ReadStep]:
    """Steps that all follow one pattern, up to the end or a remark; else none."""
    steps: list[ReadStep] = []
    place = end = 0
    while place < len(text):
        match = pattern.match(text, place)
        if match is None:
            return steps if steps and _REMARK.match(text, end) else []
        end = match.end()
        steps.append(ReadStep(match[1].strip(), tuple(split(match[2])), at + place))
        between = _BETWEEN.match(text, end)
        place = between.end() if between else end
    return steps


def _labelled(text: str, at: int, *, meant: bool) -> list[ReadStep]:
    """A step such as ``WALK: light, 411``."""
    match = _LABELLED.fullmatch(text.rstrip(" \t\r,;"))
    if match is None or len(match[3].split()) > MOST_WORDS:
        return []
    name = match[2]
    if not (meant or match[1] or _in_capitals(name)) or name.lower() in HEADINGS | FILLERS:
        return []
    return [ReadStep(name, tuple(tokens_of(match[3])), at)]


def _in_capitals(name: str) -> bool:
    return len(name) > 1 and name.isupper() and name.lower() not in HEADINGS


def _words(text: str, at: int, *, meant: bool) -> list[ReadStep]:
    """A step such as ``WALK light 411`` or ``walk light_411``."""
    words = _WORD.findall(text.replace(",", " "))
    if not 0 < len(words) <= MOST_WORDS or text.endswith("."):
        return []
    if "".join(words) != "".join(text.replace(",", " ").split()):
        return []
    name, *rest = words
    if not _NAME.fullmatch(name) or not FILLERS.isdisjoint(word.lower() for word in words):
        return []
    numbered = len(rest) > 1 and any(map(_NUMBER.fullmatch, rest))
    if not (meant or _in_capitals(name) or numbered or any(map(_ID.fullmatch, rest))):
        return []
    return [ReadStep(name, tuple(word.strip("<>()") for word in rest), at)]


def read_line(text: str, at: int, *, meant: bool = False) -> list[ReadStep]:
    """Read the steps of one line.

    Args:
        text: The line, without its line end.
        at: Offset of its first character in the answer.
        meant: Whether the line is known to be meant as a step (it stood in a list of steps).

    Returns:
        Its steps; none if the line is something else.
    """
    if len(text) > LONGEST:
        return []
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    meant = meant or bool(text[:start].strip())
    bare = text[start:].replace("**", "").strip(" \t\r`*")
    pddl = _IN_PARENTHESES.fullmatch(bare)
    bare = pddl[1].strip() if pddl else bare
    at += start
    script = _sequence(_SCRIPT, _script_tokens, bare, at)
    if not meant:
        script = [step for step in script if step.arguments or _in_capitals(step.name)]
    return (
        script
        or _sequence(_CALL, tokens_of, bare, at)
        or _labelled(bare, at, meant=meant)
        or _words(bare, at, meant=meant)
    )


def read_lines(text: str, start: int, *, end: int) -> PlanReading:
    """Read the steps that stand in lines of their own.

    Args:
        text: The answer.
        start: Offset at which reading begins.
        end: Offset at which it ends.

    Returns:
        The steps of all lines that are steps. Other lines are left out; a numbered one between
        two steps is a problem, because it may have been meant as a step.
    """
    steps: list[ReadStep] = []
    problems: list[AnswerProblem] = []
    doubts: list[AnswerProblem] = []
    last, others = "", False
    lines = re.compile(r"[^\n]+").finditer(text, start, end)
    for match in itertools.islice(lines, MOST_LINES):
        if match.group().isspace():
            continue
        last = match.group()
        found = read_line(last, match.start())
        if found:
            problems += doubts
            doubts = []
            steps += found
        else:
            others = True
            if steps and _marked(last):
                doubts.append(
                    AnswerProblem(f"{shorten(last.strip())} is not a step", match.start())
                )
    if next(lines, None) is not None:
        problems.append(AnswerProblem(f"more than {MOST_LINES:,} lines are not a plan", end))
    elif steps and len(last) <= LONGEST and _UNFINISHED.fullmatch(_LEAD.sub("", last, count=1)):
        problems.append(AnswerProblem("the answer ends in the middle of a step", end))
    return PlanReading(tuple(steps), tuple(problems), ("text around the steps",) if others else ())


def _marked(line: str) -> bool:
    """Whether a line is numbered, has a bullet, begins like a step, or stands for some."""
    lead = _LEAD.match(line)
    begin = line.lstrip().startswith(("[", *ELLIPSES))
    return begin or bool(lead and lead.group().strip())
