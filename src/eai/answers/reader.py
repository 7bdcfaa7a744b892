"""Reading plans out of what models write: which of an answer's values or lines is meant."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from eai.answers.cleaning import Cleaned, clean, visible
from eai.answers.lines import read_lines, steps_beside, tells_steps
from eai.answers.plan import (
    EMPTY,
    EXPLAINING,
    HEADINGS,
    NO_PLAN,
    RESERVED,
    AnswerProblem,
    PlanReading,
    ReadStep,
    no_step,
    shorten,
    tokens_of,
)
from eai.answers.structure import MOST_KEYS, StepReader
from eai.answers.values import ELLIPSES, Block, Group, Pair, Text, scan_block
from eai.errors import InputError
from eai.nesting import decoding
from eai.task import Vocabulary
from eai.text import counted

MOST_TOKENS = 30_000
"""An answer with more words and brackets is not a plan."""
MOST_STEPS = 3_000
"""A plan with more steps is none: to look at what all of them change would take seconds."""
MOST_PROBLEMS = 100
"""So many problems of one answer are listed."""
MOST_RESTARTS = 4
MOST_STRINGS = 50
DEEPEST = 3
TOO_DEEP = "brackets are nested too deeply for a plan"
TOO_MANY = f"the plan has more than {MOST_TOKENS:,} words and brackets"
SEVERAL = "several plans, of which the last complete one was read"

_OPENER = re.compile(r"[\[{]")
_KEY = re.compile(r"([\"'])([^\"']+)\1\s*:\s*\Z|\b([A-Z][A-Z_]+)\s*:?[ \t]*\Z")
_GAP = re.compile(
    r"(?:[\s\d,;.:)*•`-]|</?\w{1,20}>|json|step|then|and|next|finally|(?:#|//)[^\n]*)*",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Candidate(StepReader):
    """A value of the answer and the steps in it."""

    at: int = 0
    end: int = 0
    fenced: bool = False
    blocks: int = 1


class _Search:
    """Reads the values of one cleaned text."""

    def __init__(self, cleaned: Cleaned, depth: int) -> None:
        self.cleaned = cleaned
        self.text = cleaned.text
        self.depth = depth
        self.tokens = MOST_TOKENS
        self.restarts = MOST_RESTARTS
        self.strings = MOST_STRINGS
        self.too_much: AnswerProblem | None = None

    def blocks(self) -> Iterator[Block]:
        """The outermost bracketed values, in order."""
        place = 0
        while (match := _OPENER.search(self.text, place)) and self.tokens > 0:
            block = scan_block(self.text, match.start(), end=len(self.text), most=self.tokens)
            self.tokens -= block.tokens + 2
            place = block.group.end
            first = block.group.items[0] if block.group.items else None
            # A bracket that is never closed may belong to ordinary text.
            prose = first is None or (isinstance(first, Text) and not first.quoted)
            if block.group.cut and prose and self.restarts:
                self.restarts -= 1
                place = match.end()
                continue
            yield self.keyed(block)
            if block.too_deep is not None:
                self.too_much = AnswerProblem(TOO_DEEP, block.too_deep)
                return
        if self.tokens <= 0 and any(map(str.isalnum, self.text[place:])):
            self.too_much = AnswerProblem(TOO_MANY, place)

    def keyed(self, block: Block) -> Block:
        """Take in a key that stands before a value without braces around both."""
        group = block.group
        before = self.text[max(0, group.at - 60) : group.at]
        match = _KEY.search(before)
        if match is None:
            return block
        quoted = match[2] is not None
        name = match[2] or match[3]
        if name.lower() in HEADINGS or (not quoted and group.kind != "list"):
            return block
        at = group.at - len(before) + match.start()
        key = Text(name, at, at + len(match.group().rstrip(" :\t\n")), quoted=quoted)
        pair = Group("object", at, group.end, [Pair(key, group)], None, group.cut)
        return Block(pair, [*block.repairs, "missing braces"], block.tokens, block.too_deep)

    def nested(self, text: Text) -> PlanReading | None:
        """Read a string that holds JSON or several lines."""
        value = text.value.strip()
        encoded = value[:1] in ("[", "{") and ('"' in value or "'" in value or len(value) == 2)
        if not (encoded or "\n" in value) or self.depth >= DEEPEST or not self.strings:
            return None
        self.strings -= 1
        reading = search_plan(value, depth=self.depth + 1)
        if not (reading.steps or not reading.problems):
            return None
        return reading.moved(lambda _: text.at)

    def candidates(self) -> list[_Candidate]:
        """The values with what was read out of them; values of one step each are joined."""
        found: list[_Candidate] = []
        for block in self.blocks():
            candidate = self.candidate(block)
            if found and self.continues(found[-1], candidate):
                last = found[-1]
                for line in self.text[last.end : candidate.at].splitlines():
                    if line.strip().startswith(ELLIPSES):
                        last.problems.append(no_step(line.strip(), last.end))
                    elif "#" in line or "//" in line:
                        last.notes["comments"] = None
                last.end = candidate.end
                last.steps += candidate.steps
                last.problems += candidate.problems
                last.beside += candidate.beside
                last.notes |= {**candidate.notes, "each step is a separate JSON value": None}
                last.certain |= candidate.certain
                last.blocks += 1
            else:
                found.append(candidate)
        return found

    def continues(self, last: _Candidate, candidate: _Candidate) -> bool:
        """Whether a value carries on a plan whose steps are values of their own."""
        return bool(
            (len(candidate.steps) == 1 or (candidate.problems and not candidate.steps))
            and last.certain
            and (candidate.certain or not candidate.steps)
            and len(last.steps) == last.blocks
            and candidate.at - last.end <= 120
            and _GAP.fullmatch(self.text, last.end, candidate.at)
        )

    def candidate(self, block: Block) -> _Candidate:
        """Read the steps of one value."""
        group = block.group
        reader = _Candidate(
            self.nested, at=group.at, end=group.end, fenced=self.cleaned.fenced(group.at)
        )
        reader.read(group)
        if block.too_deep is not None:
            reader.problem(TOO_DEEP, block.too_deep)
        elif self.tokens <= 0 and group.cut:
            reader.problems.insert(0, AnswerProblem(TOO_MANY, group.end))
        elif group.cut and not reader.cut:
            reader.problem("the answer ends before its last bracket is closed", group.end)
        reader.settle()
        reader.notes = {**dict.fromkeys(block.repairs), **reader.notes}
        return reader


def _lines(cleaned: Cleaned) -> PlanReading | None:
    """The plan that is written as lines: in the last fence that has one, or anywhere."""
    text = cleaned.text
    for start, end in reversed(cleaned.fenced_ranges()[-MOST_RESTARTS:]):
        fenced = read_lines(text, start, end=end)
        if fenced.steps:
            reported, around = steps_beside(text, start - 3, end + 3, fenced.steps)
            several = (SEVERAL,) if tells_steps(text, start, end) else ()
            problems, notes = (*fenced.problems, *reported), (*fenced.notes, *several)
            return PlanReading(fenced.steps, problems, notes, tuple(around))
    reading = read_lines(text, 0, end=len(text))
    return reading if reading.steps else None


def search_plan(text: str, *, depth: int = 0) -> PlanReading:
    """Read a plan out of an answer of any form, in ``depth`` strings inside strings."""
    cleaned = clean(text)
    search = _Search(cleaned, depth)
    candidates = search.candidates()
    # The last value with steps; better one in a fence, better one that can be nothing else.
    pool = [candidate for candidate in candidates if candidate.steps]
    pool = [candidate for candidate in pool if candidate.fenced] or pool
    pool = [candidate for candidate in pool if candidate.certain] or pool
    pool = [candidate for candidate in pool if not candidate.problems] or pool
    chosen = pool[-1] if pool else None
    reading = None if chosen is not None and chosen.certain else _lines(cleaned)
    if reading is None and chosen is not None:
        reading = _with_surroundings(chosen, candidates, cleaned)
    reading = reading or _without_steps(candidates, cleaned)
    if search.too_much is not None and not reading.problems:
        reading = replace(reading, problems=(search.too_much,))
    return _finished(cleaned, reading)


def _with_surroundings(
    chosen: _Candidate, candidates: list[_Candidate], cleaned: Cleaned
) -> PlanReading:
    """The plan in a value, and what stands around the value."""
    text, start, end = cleaned.text, chosen.at, chosen.end
    others = [(each.at, each.end) for each in candidates if each is not chosen]
    reported, around = steps_beside(text, start, end, chosen.steps, others)
    notes = dict(chosen.notes)
    outside = text[:start] + text[end:]
    if "```" in outside:
        notes["code fence"] = None
    if any(map(str.isalnum, _FENCE.sub("", outside))):
        notes["text around the plan"] = None
    if not reported and tells_steps(text, start, end):
        notes["steps in the text around the plan were not read"] = None
    if sum(bool(candidate.steps) or candidate.cut for candidate in candidates) > 1:
        notes[SEVERAL] = None
    problems = (*chosen.problems, *reported)
    return PlanReading(tuple(chosen.steps), problems, tuple(notes), (*chosen.beside, *around))


def _without_steps(candidates: list[_Candidate], cleaned: Cleaned) -> PlanReading:
    """A plan without steps (``[]`` or ``{}`` and no text behind it), or why there is no plan."""
    last = candidates[-1] if candidates else None
    ends = last is not None and (last.fenced or not any(map(str.isalnum, cleaned.text[last.end :])))
    if last is not None and ends and last.empty and not last.problems:
        return PlanReading((), (), tuple(last.notes), tuple(last.beside))
    if cleaned.problems:
        return PlanReading()
    if not cleaned.text.strip():
        return PlanReading((), (AnswerProblem(EMPTY),))
    problems = tuple(problem for candidate in candidates for problem in candidate.problems)
    nothing = AnswerProblem(NO_PLAN, written=cleaned.text.strip().partition("\n")[0])
    return PlanReading((), problems or (nothing,))


def _finished(cleaned: Cleaned, reading: PlanReading) -> PlanReading:
    """Give a reading the offsets in the whole answer, and what is wrong with the answer."""
    found = reading.moved(cleaned.place) if cleaned.offset or cleaned.gaps else reading
    problems = found.problems
    if len(problems) > MOST_PROBLEMS:
        more = AnswerProblem(f"{counted(len(problems) - MOST_PROBLEMS, 'more problem')} not listed")
        problems = (*problems[:MOST_PROBLEMS], more)
    notes = dict.fromkeys((*cleaned.notes, *found.notes))
    if not found.steps and not problems and not cleaned.problems:
        notes["the plan has no steps"] = None
    problems = (*problems, *cleaned.problems)
    return PlanReading(found.steps, problems, tuple(notes), found.beside[:MOST_PROBLEMS])


_DECODER = json.JSONDecoder(
    object_pairs_hook=tuple, parse_int=str, parse_float=str, parse_constant=str
)
_KEY_OF_VALUE = re.compile(r'"[^"]*"\s*:')
_FENCE = re.compile(r"```\w*")
_APOSTROPHE = re.compile(r"\w'\w")
_QUOTE = re.compile("[\"'<(:]")
_BRACKET = re.compile(r"[\[{<(]")
_CAPITALS = re.compile("[A-Z][A-Z]")
_DIGIT = re.compile("[0-9]")
_GOING_ON = re.compile(r"\.\.\.|[eE]tc|epeat|nd so")
"""A plan goes on in the text behind it."""
_LONGEST_CLEAN = 200_000


def read_plan(text: str) -> PlanReading:
    """Read the plan out of an answer.

    Nothing in an answer raises an error, and nothing is evaluated. The time is linear in the
    length of the text; of very long answers only the first part is read, which is a problem.

    Args:
        text: What the model wrote.

    Returns:
        The steps in order, what could not be read, and what was repaired. Offsets count the
        characters of ``text`` from 0. If there are problems, the steps are those that could be
        read; of a step into which the end of the answer cuts, nothing is given.

    Raises:
        InputError: If ``text`` is not a string.
    """
    if not isinstance(text, str):
        raise InputError(
            f"an answer is {type(text).__name__}, not text", expected="what the model wrote, as str"
        )
    reading = _read_clean(text) or search_plan(text)
    if len(reading.steps) <= MOST_STEPS:
        return reading
    problem = AnswerProblem(
        f"the plan has more than {MOST_STEPS:,} steps", reading.steps[MOST_STEPS].position
    )
    return replace(reading, steps=reading.steps[:MOST_STEPS], problems=(*reading.problems, problem))


def read_answer(text: str, vocabulary: Vocabulary) -> PlanReading:
    """Read the plan out of an answer, in the notation of the task."""
    reading: PlanReading = (vocabulary.reader or read_plan)(text)
    return reading


def _read_clean(text: str) -> PlanReading | None:
    """Read the common forms with the standard scanner; None if anything is unusual.

    The answer has to hold exactly one bracketed value, which is a list of objects or an object
    with the action names as keys and flat argument lists.
    """
    if len(text) > _LONGEST_CLEAN or not text.isascii() or "\\" in text or visible(text)[1]:
        return None
    notes: tuple[str, ...] = ()
    if "'" in text and '"' not in text and not _APOSTROPHE.search(text):
        text = text.replace("'", '"')
        notes = ("single quotes",)
    brace, bracket = text.find("{"), text.find("[")
    start = min(brace, bracket) if min(brace, bracket) >= 0 else max(brace, bracket)
    if start < 0:
        return None
    try:
        value, end = decoding(_DECODER, text)(start)
    except ValueError:
        return None
    if start or end < len(text):
        surroundings = _text_around(text[:start], text[end:])
        if surroundings is None:
            return None
        notes += surroundings
    inside, wrapper = _unwrapped(value)
    notes += wrapper
    steps = _clean_steps(inside, text, start, end)
    return None if steps is None else PlanReading(tuple(steps), (), notes)


def _text_around(before: str, behind: str) -> tuple[str, ...] | None:
    """Notes about the text around the value; None if that text needs a closer look."""
    if _QUOTE.search(before) or _BRACKET.search(behind):
        return None
    if not before.strip() and not behind.strip():
        return ()
    if before.count("```") > 1 or behind.count("```") > 1:
        return None
    bare = before + " " + behind
    bare = _FENCE.sub("", bare) if "```" in bare else bare
    fenced = ("code fence",) if "```" in before or "```" in behind else ()
    if _DIGIT.search(bare) or _CAPITALS.search(bare) or _GOING_ON.search(bare):
        return None
    return (*fenced, "text around the plan") if any(map(str.isalnum, bare)) else fenced


def _clean_steps(value: object, text: str, start: int, end: int) -> list[ReadStep] | None:
    """Steps of a decoded value of a common shape, with the offsets of their keys."""
    pairs: list[tuple[str, object]] = []
    for item in value if type(value) is list else (value,):
        if type(item) is not tuple or not item:
            return None
        pairs += item
    keys = [match.start() for match in _KEY_OF_VALUE.finditer(text, start, end)][-len(pairs) :]
    if not pairs or len(keys) != len(pairs):
        return None
    steps: list[ReadStep] = []
    for (name, values), at in zip(pairs, keys, strict=True):
        arguments = _clean_arguments(values)
        if arguments is None or not name.isidentifier() or name.lower() in RESERVED:
            return None
        steps.append(ReadStep(name, arguments, at))
    return steps


def _unwrapped(value: object) -> tuple[object, tuple[str, ...]]:
    """The list under the last key of an object, if that key says so and texts explain it."""
    if type(value) is not tuple or not value or len(value) > MOST_KEYS:
        return value, ()
    *others, (name, inside) = value
    if type(inside) is not list or name.lower() not in HEADINGS:
        return value, ()
    if any(key not in EXPLAINING or type(text) is not str for key, text in others):
        return value, ()
    left_out = ", ".join(dict.fromkeys(shorten(key) for key, _ in others))
    notes = ("a wrapper around the plan", f"not read: {left_out}")
    return inside, notes if others else notes[:1]


def _clean_arguments(values: object) -> tuple[str, ...] | None:
    """Flat arguments of a decoded step; None if they are not flat."""
    texts: list[Any] = values if isinstance(values, list) else [values]
    tokens: list[str] = []
    for text in texts:
        if type(text) is not str:
            return None
        if text.isdigit():
            tokens.append(text)  # an id, which is read most often
        else:
            tokens += tokens_of(text)
    return tuple(tokens)
