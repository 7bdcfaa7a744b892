"""Whole steps amid other words, for answers whose lines and values hold no plan that is read.

"Start with `WALK(hall)`, followed by `OPEN(door)`", ``echo "WALK(hall)"`` and ``* TODO WALK(hall)``
have a step that cannot be misunderstood in words that no grammar lists: an action of the task with
exactly the objects that it takes. They are read in the order of the text, but only if nothing else
in the answer needs to be understood for that: no word denies, doubts or compares, nothing that may
be a step is left over, and the steps are told once. Values are not looked into: their keys say what
is in them.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from eai.answers.choice import is_rejected
from eai.answers.document import Document
from eai.answers.grammar import DOUBT, OPENS_BRACKET, StepGrammar
from eai.answers.items import Step
from eai.answers.keys import is_aside_key
from eai.answers.plan import AnswerProblem, words_of
from eai.answers.program import never_runs
from eai.answers.retractions import takes_back
from eai.answers.sentences import IT
from eai.answers.surfaces import Mention, squeezed

MAX_LINE = 20_000
"""Maximum number of characters of a line in which steps are looked for."""

MAX_LINES = 1_000
"""Maximum number of lines with words in them of an answer whose steps are looked for."""

_STATE = re.compile(r"\W*(?:initial|start|final|end|goal) state\b[^.\n]{0,60}$", re.IGNORECASE)
"""A line that names a state, as between the arrows of a state machine."""
_CALL = re.compile(r"\w[(\[]\w")
_LABEL = re.compile(r"[A-Za-z]{0,4}_?\d{1,4}|-?\d+(?:\.\d+)?")
"""Text that may stay unread: a number, or the name of a step in a diagram."""


def whole_steps(
    document: Document, grammar: StepGrammar, unread: Sequence[AnswerProblem]
) -> list[Step]:
    """Return the steps of an answer in the order of its text; none if anything is in doubt.

    Args:
        document: The answer.
        grammar: Reads the steps of a line.
        unread: Problems with what was not read of it otherwise.
    """
    if grammar.is_free or takes_back(document.text) or never_runs(document.text):
        return []
    if sum(map(bool, map(str.strip, document.text.split("\n")))) > MAX_LINES:
        return []
    lines = [_read_line(line, at, grammar) for line, at in _told_lines(document)]
    layout = _Layout.of([line.text for line in lines if line.steps])
    value_spans = [(block.at, block.end) for block in document.blocks if block.value is not None]
    steps: list[Step] = []
    lines_with_steps: list[tuple[int, int]] = []
    for line in lines:
        told = line.steps or _step_without_objects(line.text, line.at, grammar, layout)
        told = [step for step in told if not document.is_struck(step.at)]
        if not told:
            if _may_mean_step(line, grammar):
                return []
            continue
        if DOUBT.search(line.around) or any(_is_inside(step.at, value_spans) for step in told):
            return []
        lines_with_steps.append((line.at, line.at + len(line.text)))
        # A line of a diagram, "WALK(hall) -> OPEN(door)", begins with the end of the one before.
        is_edge = len(told) > 1 and bool(steps) and told[0].says_same(steps[-1])
        steps += told[1:] if is_edge else told
    for problem in unread:
        is_label = _LABEL.fullmatch(problem.written.strip()) is not None
        if not is_label and not _is_inside(problem.position, lines_with_steps):
            return []
    return _told_once(steps)


@dataclass(frozen=True, slots=True)
class _ReadLine:
    """A line of an answer, read.

    Args:
        text: The line.
        at: Its offset in the answer.
        steps: Its steps that have all their objects.
        around: The words around them.
    """

    text: str
    at: int
    steps: list[Step]
    around: str


def _is_inside(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a place is inside of one of several stretches of the text."""
    return any(begin <= at < end for begin, end in spans)


def _may_mean_step(line: _ReadLine, grammar: StepGrammar) -> bool:
    """Whether a line without a whole step may be one, or be about one, all the same."""
    if _STATE.match(line.text):
        return False
    if is_rejected(line.text) or _may_be_step(line.text, line.at, grammar):
        return True
    return _quotes_action(line.text, grammar)


@dataclass(frozen=True, slots=True)
class _Layout:
    """The words and signs that all lines with steps have in common.

    Args:
        words: The words that stand in each of them: ``robot`` of ``$ robot walk hall``.
        signs: The signs with which they begin.
    """

    words: frozenset[str]
    signs: frozenset[str]

    @classmethod
    def of(cls, lines: Sequence[str]) -> _Layout:
        """Return the layout of some lines."""
        words = [frozenset(words_of(line)) for line in lines]
        signs = {line.lstrip()[:1] for line in lines}
        common = words[0].intersection(*words) if words else frozenset()
        return cls(common, frozenset(sign for sign in signs if not sign.isalnum()))

    def holds(self, line: str, mention: Mention) -> bool:
        """Whether a line that names an action is laid out like them."""
        rest = words_of(line[: mention.start]) + words_of(line[mention.end :])
        return self.words.issuperset(rest) if rest else line.lstrip()[:1] in self.signs


def _step_without_objects(line: str, at: int, grammar: StepGrammar, layout: _Layout) -> list[Step]:
    """Return the step of a line with an action that takes no objects, laid out as the others."""
    mentions = grammar.surfaces.mentions(line)
    if len(mentions) != 1 or not mentions[0].is_action or not layout.holds(line, mentions[0]):
        return []
    step, _ = grammar.step_at(line, at, mentions, 0)
    return [step] if step.max_objects == 0 else []


def _quotes_action(line: str, grammar: StepGrammar) -> bool:
    """Whether a line has an action that takes no objects in quotes or behind a sign of code."""
    for mention in grammar.surfaces.mentions(line):
        action = grammar.surfaces.action(line[mention.start : mention.end])
        is_bare = mention.is_action and action is not None and action.max_objects == 0
        if is_bare and line[: mention.start][-1:] in ("'", '"', "`", "/"):
            return True
    return False


def _told_lines(document: Document) -> Iterator[tuple[str, int]]:
    """Yield the lines with words that are neither struck out nor an aside, each with its place."""
    asides = _asides(document)
    begin = 0
    for line in document.text.split("\n"):
        while asides and asides[0][1] <= begin:
            asides.popleft()
        is_aside = bool(asides) and asides[0][0] <= begin
        is_told = bool(line.strip()) and not is_aside and not document.is_struck(begin)
        if is_told and not _is_comment(line, begin, document):
            yield line, begin
        begin += len(line) + 1


def _is_comment(line: str, at: int, document: Document) -> bool:
    """Whether a line is a comment of a program."""
    if not line.lstrip().startswith(("#", "//")):
        return False
    return any(r.kind == "fence" and r.start <= at < r.end for r in document.regions)


def _asides(document: Document) -> deque[tuple[int, int]]:
    """Return where the elements for thoughts, notes and the like are, in order and apart."""
    asides: deque[tuple[int, int]] = deque()
    regions = (r for r in document.regions if r.kind == "tag" and is_aside_key(r.name))
    for begin, end in sorted((region.start, region.end) for region in regions):
        if asides and begin <= asides[-1][1]:
            asides[-1] = asides[-1][0], max(end, asides[-1][1])
        else:
            asides.append((begin, end))
    return asides


@dataclass(frozen=True, slots=True)
class ToldStep:
    """A whole step in a line, and where in the line it stands."""

    step: Step
    start: int
    stop: int


def told_steps(line: str, at: int, grammar: StepGrammar) -> list[ToldStep]:
    """Return the steps of a line that have all their objects.

    Args:
        line: The line.
        at: Its offset in the answer.
        grammar: Reads the steps of a line.
    """
    surfaces = grammar.surfaces
    mentions = surfaces.said(line, surfaces.mentions(line))
    return _told_by(mentions, line, at, grammar)


def _told_by(
    mentions: Sequence[Mention], line: str, at: int, grammar: StepGrammar
) -> list[ToldStep]:
    """Return the whole steps whose actions are among the names that a line mentions."""
    surfaces = grammar.surfaces
    told: list[ToldStep] = []
    end = 0
    for place, mention in enumerate(mentions):
        if not mention.is_action or mention.start < end:
            continue
        step, stop = grammar.step_at(line, at, mentions, place)
        names_object = step.written.count(" ") > 1 or "(" in step.written  # find(Mug) as one name
        is_said = step.form != "words" or step.max_objects > 0 or names_object
        are_known = all(squeezed(name) in surfaces.objects for name in step.arguments)
        if not surfaces.objects:
            are_known = step.form == "call"  # objects are any words
        action = surfaces.by_name.get(step.name)
        most_named = action.most_named if action else step.max_objects
        is_whole = step.max_objects <= len(step.arguments) <= most_named and are_known
        if is_said and is_whole and not step.is_cut:
            told.append(ToldStep(step, mention.start, stop))
            end = stop
    return told


def _read_line(line: str, at: int, grammar: StepGrammar) -> _ReadLine:
    """Read the steps of a line that have all their objects.

    A line with another call besides, or with a clause between that is not understood, has none.
    """
    without_steps = _ReadLine(line, at, [], line)
    if len(line) > MAX_LINE:
        return without_steps
    mentions = grammar.surfaces.said(line, grammar.surfaces.mentions(line))
    told = _told_by(mentions, line, at, grammar)
    has_pronoun = any(mention.said and IT in mention.said.objects for mention in mentions)
    if not told or has_pronoun:
        return without_steps  # the step of a pronoun is not whole
    if any(_has_other_call_in_brackets(line, *pair) for pair in pairwise(told)):
        return without_steps
    begins = [0, *(each.stop for each in told)]
    ends = [*(each.start for each in told), len(line)]
    for begin, end in zip(begins, ends, strict=True):
        if grammar.unread_clause(line, begin, end, mentions, is_numbered=False):
            return without_steps
    between = [line[begin:end] for begin, end in zip(begins, ends, strict=True)]
    around = "".join(between)
    steps = [] if _CALL.search(around) else [each.step for each in told]
    return _ReadLine(line, at, steps, around)


def _has_other_call_in_brackets(line: str, step: ToldStep, behind: ToldStep) -> bool:
    """Whether a call of another action stands in brackets behind a step in words.

    Both cannot be meant: ``Close the door (OPEN(door))``.
    """
    if OPENS_BRACKET.fullmatch(line, step.stop, behind.start) is None:
        return False
    is_call = (step.step.form, behind.step.form) == ("words", "call")
    return is_call and step.step.name != behind.step.name


def _may_be_step(line: str, at: int, grammar: StepGrammar) -> bool:
    """Whether a line without a whole step may have been meant as one."""
    reading = grammar.line(line, at)
    if line.rstrip().endswith("?"):
        return False
    return bool(reading.steps) or reading.is_like_step or reading.leaves_out or reading.is_negated


def _told_once(steps: list[Step]) -> list[Step]:
    """Return steps once if they are told twice; none if a part of them is told again."""
    half = len(steps) // 2
    first, second = steps[:half], steps[half:]
    if half and len(first) == len(second) and all(map(Step.says_same, first, second)):
        return first
    return steps
