"""Whole steps amid other words, for answers in which no plan is found otherwise.

A *whole* step is an action of the task with exactly the objects that it takes. It cannot be
misunderstood, whatever words stand around it: "Start with `WALK(hall)`, followed by `OPEN(door)`",
``echo "WALK(hall)"``, ``* TODO WALK(hall)``. Whole steps are read in the order of the text, but
only if nothing else in the answer has to be understood: no word denies, doubts or compares, and
nothing else in it may be a step. Values are left out, because their keys say what is in them.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from eai.answers.choice import is_rejected, is_unordered
from eai.answers.conditions import depends_on_case
from eai.answers.corrected_steps import may_replace_another
from eai.answers.document import Document
from eai.answers.grammar import StepGrammar
from eai.answers.items import Step, are_same, is_same_step
from eai.answers.keys import is_aside_key
from eai.answers.plan import AnswerProblem, words_of
from eai.answers.program import never_runs
from eai.answers.repetitions import repetition_at_end
from eai.answers.retractions import takes_back
from eai.answers.sentences import IT
from eai.answers.step_edits import labels_correction, replaced_step
from eai.answers.step_rows import OPENS_BRACKET, is_other_step_in_words
from eai.answers.surfaces import Mention, squeezed
from eai.answers.taken_out import may_tell_step
from eai.answers.told_steps import find_unread_clause, tells_step_before
from eai.answers.unclear import DOUBT

MAX_LINE = 8_000
"""Maximum number of characters of a line in which steps are looked for."""

MAX_LINES = 1_000
"""Maximum number of lines with words in them of an answer whose steps are looked for."""

_STATE = re.compile(r"\W*(?:initial|start|final|end|goal) state\b[^.\n]{0,60}$", re.IGNORECASE)
"""A line that names a state, as between the arrows of a state machine."""
_SIGNS_BEFORE_NAME = frozenset(["'", '"', "`", "/"])
"""Signs right before the name of an action that is named whole: ``"sleep"``, ``cmd/sleep``."""
_CALL = re.compile(r"\w[(\[]\w|\w\]\s?<")
EXPLAINS = re.compile(
    r"\b(?:helps?|lets?(?!['\u2019]s\b)|allows?|enables?|ensures?|makes? sure|so that"
    r"|can|must be|wants? to|goal|makes? it (?:\w+ )?(?:possible|easier?|safer?)|in order|able to"
    r"|no (?:need|reason|use|point)|nobody|no one|need ?less(?:ly)?|unnecessary)\b",
    re.IGNORECASE,
)
"""Words around a step in words that may only explain another one."""
_PRONOUN_BEHIND = re.compile(r"\s(?:on |at |in |to )?(?:it|them)\b", re.IGNORECASE)
_QUOTED = re.compile(r"`([^`\n]*)`")
_PURPOSE_SENTENCE = re.compile(r"[.!?]\s(?:(?![.!?]\s).)*\sto\s*$")
_LABEL = re.compile(r"[A-Za-z]{0,4}_?\d{1,4}|-?\d+(?:\.\d+)?")
"""Text that may stay unread: a number, or the name of a step in a diagram."""


def find_whole_steps(
    document: Document, grammar: StepGrammar, problems: Sequence[AnswerProblem]
) -> list[Step]:
    """Return the whole steps of an answer in the order of its text.

    The list is empty as soon as one line is in doubt: a plan with a gap is another plan.

    Args:
        document: The answer.
        grammar: Reads the steps of a line.
        problems: Parts of the answer that could not be read as steps of a plan.
    """
    # Most answers are lists or values, and need not be read line by line.
    if not _may_have_whole_steps(document.text, grammar):
        return []
    lines = [_read_line(line, offset, grammar) for line, offset in _lines_to_read(document)]
    if any(map(_is_correction, lines)):
        return []
    words_by_line = [frozenset(words_of(line.text)) for line in lines if line.steps]
    common_words = frozenset.intersection(*words_by_line) if words_by_line else frozenset()
    value_spans = [(block.at, block.end) for block in document.blocks if block.value is not None]
    lines_with_steps: list[_ReadLine] = []
    for line in lines:
        steps = [step for step in line.steps if not document.is_struck(step.at)]
        if steps and not _is_step_in_doubt(line, steps, value_spans):
            lines_with_steps.append(replace(line, steps=steps))
        elif (
            steps
            or _may_hold_step(line.text, common_words, grammar)
            or _may_mean_step(line, grammar)
        ):
            return []
    spans = [line.span for line in lines_with_steps]
    if not all(_is_harmless(problem, spans) for problem in problems):
        return []
    return _without_second_telling(_join_steps(lines_with_steps), document.text)


def _may_have_whole_steps(text: str, grammar: StepGrammar) -> bool:
    """Whether whole steps may be looked for in an answer.

    They are not if any word may name an action, if the answer takes its steps back or gives them no
    order, or if it is very long: every line is read anew here.
    """
    # Lines are counted first: to look for words in a long text takes longer.
    if grammar.is_free or sum(1 for line in text.split("\n") if line.strip()) > MAX_LINES:
        return False
    return not (takes_back(text) or never_runs(text) or is_unordered(text))


def _is_step_in_doubt(
    line: _ReadLine, steps: Sequence[Step], value_spans: Sequence[tuple[int, int]]
) -> bool:
    """Whether it is not sure that the steps of a line are to be taken.

    Args:
        line: The line.
        steps: The whole steps in it.
        value_spans: Begin and end of each value of the answer.
    """
    if DOUBT.search(line.words_around) or depends_on_case(line.text):
        return True
    if repetition_at_end(line.text):
        return True
    # "It helps to open the door" explains a step.
    is_told = any(step.form == "words" for step in steps)
    if is_told and EXPLAINS.search(line.words_around):
        return True
    return any(_is_inside(step.at, value_spans) for step in steps)


def _is_correction(line: _ReadLine) -> bool:
    """Whether a line says that its step, or one below it, takes the place of another one."""
    if not line.steps:
        return labels_correction(line.text) or replaced_step(line.text) > 0
    starts = [step.at - line.at for step in line.steps]
    return labels_correction(line.text[: starts[0]]) or may_replace_another(line.text, starts)


def _is_harmless(problem: AnswerProblem, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether text that was not read is a label, or stands in a line whose steps were read."""
    is_label = _LABEL.fullmatch(problem.written.strip()) is not None
    return is_label or _is_inside(problem.position, spans)


def _join_steps(lines: Sequence[_ReadLine]) -> list[Step]:
    """Return the steps of all lines, one after the other.

    A line of a diagram, ``WALK(hall) -> OPEN(door)``, begins with the step that ends the line
    above; this step is taken only once.
    """
    steps: list[Step] = []
    for line in lines:
        is_edge = len(line.steps) > 1 and bool(steps) and line.steps[0].says_same(steps[-1])
        for index, step in enumerate(line.steps):
            # The line may explain its step: "WALK(hall), with which I walk to the hall".
            is_told_again = index > 0 and _is_told_again(step, line.steps[index - 1], line)
            if not is_told_again and not (index == 0 and is_edge):
                steps.append(step)
    return steps


def _is_told_again(step: Step, step_before: Step, line: _ReadLine) -> bool:
    """Whether a step of a line only explains the step before it.

    It does in another form, or as the purpose in a sentence of its own: "Walk to the hall. Use your
    legs to walk to the hall." But "walk to the hall and walk to the hall" is two steps.
    """
    if not is_same_step(step, step_before):
        return False
    between = line.text[step_before.at - line.at : step.at - line.at]
    is_purpose = _PURPOSE_SENTENCE.search(between) is not None
    return step.form != step_before.form or is_purpose


@dataclass(frozen=True, slots=True)
class _ReadLine:
    """A line of an answer, with the whole steps in it.

    Args:
        text: The line.
        at: Its offset in the answer.
        steps: Its whole steps.
        words_around: The words before, between and behind the steps.
    """

    text: str
    at: int
    steps: list[Step]
    words_around: str

    @property
    def span(self) -> tuple[int, int]:
        """Offsets in the answer at which the line begins and ends."""
        return self.at, self.at + len(self.text)


def _is_inside(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether an offset is inside of one of several spans, each with its begin and end."""
    return any(begin <= offset < end for begin, end in spans)


def _may_mean_step(line: _ReadLine, grammar: StepGrammar) -> bool:
    """Whether a line without a whole step may be meant as a step, or may speak of one."""
    if _STATE.match(line.text):
        return False
    if is_rejected(line.text) or _quotes_whole_action(line.text, grammar):
        return True
    if line.text.rstrip().endswith("?"):
        return False
    reading = grammar.read_line(line.text, line.at)
    may_be_step = reading.is_like_step or reading.is_told or reading.leaves_out
    return bool(reading.steps) or may_be_step or reading.is_negated


def _may_hold_step(line: str, common_words: frozenset[str], grammar: StepGrammar) -> bool:
    """Whether a line without a whole step looks like the lines with one, and has a verb or object.

    Beside ``echo "Walk to the hall"``, ``echo "Open the door"`` is a step of which the object is
    not clear.

    Args:
        line: The line.
        common_words: Words in every line with a step: ``robot`` of ``$ robot walk hall``.
        grammar: Knows the names of the task.
    """
    if not common_words or not common_words.issubset(words_of(line)):
        return False
    surfaces = grammar.surfaces
    return surfaces.sentences.has_verb(line) or bool(surfaces.objects_in(line))


def _quotes_whole_action(line: str, grammar: StepGrammar) -> bool:
    """Whether a line names an action that takes no objects right behind a quote or a slash.

    Examples are "then `sleep`" and ``cmd/sleep``.
    """
    if not any(sign in line for sign in _SIGNS_BEFORE_NAME):
        return False
    for mention in grammar.surfaces.find_mentions(line):
        sign_before = line[: mention.start][-1:]
        if not mention.is_action or sign_before not in _SIGNS_BEFORE_NAME:
            continue
        action = grammar.surfaces.find_action(line[mention.start : mention.end])
        if action is not None and action.max_objects == 0:
            return True
    return False


def _lines_to_read(document: Document) -> Iterator[tuple[str, int]]:
    """Yield the lines in which a step may stand, each with its offset.

    These are no blank lines, comments of programs, asides, or lines that are struck out.
    """
    asides = _spans_of_asides(document)
    offset = 0
    for line in document.text.split("\n"):
        while asides and asides[0][1] <= offset:
            asides.popleft()
        is_aside = bool(asides) and asides[0][0] <= offset
        is_left_out = is_aside or document.is_struck(offset) or _is_comment(line, offset, document)
        if line.strip() and not is_left_out:
            yield line, offset
        offset += len(line) + 1


def _is_comment(line: str, offset: int, document: Document) -> bool:
    """Whether a line is a comment of a program, in a code fence."""
    if not line.lstrip().startswith(("#", "//")):
        return False
    fences = (region for region in document.regions if region.kind == "fence")
    return any(fence.start <= offset < fence.end for fence in fences)


def _spans_of_asides(document: Document) -> deque[tuple[int, int]]:
    """Return begin and end of the elements for thoughts and notes, merged where they overlap."""
    spans: list[tuple[int, int]] = []
    for region in document.regions:
        if region.kind == "tag" and is_aside_key(region.name):
            spans.append((region.start, region.end))
    asides: deque[tuple[int, int]] = deque()
    for begin, end in sorted(spans):
        if asides and begin <= asides[-1][1]:
            last_begin, last_end = asides.pop()
            asides.append((last_begin, max(end, last_end)))
        else:
            asides.append((begin, end))
    return asides


@dataclass(frozen=True, slots=True)
class WholeStep:
    """A whole step, and where it begins and ends in its line."""

    step: Step
    start: int
    stop: int


def whole_steps_of_line(line: str, offset: int, grammar: StepGrammar) -> list[WholeStep]:
    """Return the whole steps of a line, in order.

    Args:
        line: The line.
        offset: Its offset in the answer.
        grammar: Reads the steps of a line.
    """
    surfaces = grammar.surfaces
    mentions = surfaces.find_all_mentions(line)
    return _whole_steps_at(mentions, line, offset, grammar)


def _whole_steps_at(
    mentions: Sequence[Mention], line: str, offset: int, grammar: StepGrammar
) -> list[WholeStep]:
    """Return the whole steps of the actions that a line mentions."""
    steps: list[WholeStep] = []
    for mention_index, mention in enumerate(mentions):
        is_in_last_step = bool(steps) and mention.start < steps[-1].stop
        if not mention.is_action or is_in_last_step:
            continue
        step, step_end = grammar.step_at(line, offset, mentions, mention_index)
        if _is_whole(step, grammar):
            steps.append(WholeStep(step, mention.start, step_end))
    return steps


def _is_whole(step: Step, grammar: StepGrammar) -> bool:
    """Whether a step has the objects that its action takes, all of them objects of the task.

    An action alone, such as "wait", is a step only where it is written as a call, or where its
    name has an object in it: "find a mug".
    """
    surfaces = grammar.surfaces
    names_object = step.written.count(" ") > 1
    is_bare = step.form == "words" and step.max_objects <= 0 and not names_object
    if step.is_cut or step.is_unordered or is_bare:
        return False
    action = surfaces.by_name.get(step.name)
    max_named_objects = action.most_named if action else step.max_objects
    if not step.max_objects <= len(step.arguments) <= max_named_objects:
        return False
    if not surfaces.objects:
        return step.form == "call"  # any word may be an object
    return all(squeezed(name) in surfaces.objects for name in step.arguments)


def _read_line(line: str, offset: int, grammar: StepGrammar) -> _ReadLine:
    """Return a line with its whole steps and the words around them.

    A whole step names an action of the task with all its objects. The line has no steps if
    anything else in it may be a step: a step with a pronoun, another call, or a clause that is not
    understood.
    """
    without_steps = _ReadLine(line, offset, [], line)
    if len(line) > MAX_LINE:
        return without_steps
    mentions = grammar.surfaces.find_all_mentions(line)
    steps = _whole_steps_at(mentions, line, offset, grammar)
    has_pronoun = any(_has_pronoun(line, mention) for mention in mentions)
    if not steps or has_pronoun or may_tell_step(line):
        return without_steps
    # "WALK(a) (after OPEN(b))": the call in brackets may be a step, too.
    if any(_is_step_or_explanation(line, *neighbours) for neighbours in pairwise(steps)):
        return without_steps
    gap_spans = _gaps_between(steps, len(line))
    if tells_step_before(line, gap_spans[0][1], mentions, grammar.surfaces):
        return without_steps
    for gap in gap_spans:
        if find_unread_clause(grammar, line, gap, mentions, is_numbered=False):
            return without_steps
    words_around = "".join(line[begin:end] for begin, end in gap_spans)
    # A call or a quoted object between the steps may be a step of an unknown action.
    quoted = " ".join(_QUOTED.findall(words_around))
    if _CALL.search(words_around) or grammar.surfaces.objects_in(quoted):
        return _ReadLine(line, offset, [], words_around)
    return _ReadLine(line, offset, [step.step for step in steps], words_around)


def _has_pronoun(line: str, mention: Mention) -> bool:
    """Whether a pronoun is an object of an action: "switch it on", "sit on it"."""
    if mention.clause_step is not None:
        return IT in mention.clause_step.objects
    return mention.is_action and _PRONOUN_BEHIND.match(line, mention.end) is not None


def _gaps_between(steps: Sequence[WholeStep], length: int) -> list[tuple[int, int]]:
    """Return begin and end of the text before, between and behind the steps of a line."""
    begins = [0, *(step.stop for step in steps)]
    ends = [*(step.start for step in steps), length]
    return list(zip(begins, ends, strict=True))


def _is_step_or_explanation(line: str, step: WholeStep, next_step: WholeStep) -> bool:
    """Whether a step beside another one may explain it, though it is another step.

    Both cannot be meant: ``Close the door (OPEN(door))``, ``OPEN(door) Close the door``.
    """
    if is_other_step_in_words(step.step, line[step.stop : next_step.start], next_step.step):
        return True
    if OPENS_BRACKET.fullmatch(line, step.stop, next_step.start) is None:
        return False
    is_call_behind_words = step.step.form == "words" and next_step.step.form == "call"
    return is_call_behind_words and step.step.name != next_step.step.name


def _without_second_telling(steps: list[Step], text: str) -> list[Step]:
    """Return steps without their second half if it says the same as the first.

    In one line and in one form, "walk to the hall and open the door" may be meant twice, and in
    several lines, too, if all steps are one step.
    """
    half = len(steps) // 2
    if half == 0 or not are_same(steps[:half], steps[half:]):
        return steps
    is_one_form = all(step.form == steps[0].form for step in steps)
    is_one_step = all(step.says_same(steps[0]) for step in steps[:half])
    is_one_line = "\n" not in text[steps[half - 1].at : steps[half].at]
    return steps if is_one_form and (is_one_step or is_one_line) else steps[:half]
