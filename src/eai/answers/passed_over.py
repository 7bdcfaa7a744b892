"""Steps in sentences around the steps of a told plan, which the reader of lines passed over.

In "Walk to the hall. Having arrived, I open the door.", only the first line begins like a step. A
sentence without a step that is written like those with one, and says a whole step that the plan
does not have, tells another step of it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eai.answers.candidate_plan import Plan
from eai.answers.choice import is_rejected
from eai.answers.document import Block, Document
from eai.answers.flow import EXPLAINS, whole_steps_of_line
from eai.answers.grammar import StepGrammar
from eai.answers.items import LONGEST_LINE, Step, is_same_step
from eai.answers.keys import is_aside_key
from eai.answers.line_begin import read_line_begin
from eai.answers.plan import CONNECTIVES, WORDS, words_of
from eai.answers.unclear import DOUBT
from eai.answers.unclear_lines import bullet_of

_MAX_BLOCKS = 300
"""Maximum number of lines of an answer whose sentences are looked at."""
_MAX_WORDS_BEFORE = 4
"""Maximum number of words before a step in a sentence that says little else."""
_SENTENCE_END = re.compile(r"[.!?][\"'*_)]{0,3}\s+(?=\W{0,8}[^\W\d])")
_SPEAKS_OF_PLAN = re.compile(
    r"\b(?:goals?|tasks?|objectives?|instructions?|requests?|(?:this|these|the|above|whole) (?:plan"
    r"|steps?|sequence|actions?)|results?|notes?|scene|ready|user|want(?:s|ed)?|so that"
    r"|perhaps|maybe|think|thought|guess|only|at a time)\b",
    re.IGNORECASE,
)
"""Words of a sentence that speaks of the plan, or of what it is for."""
_CLAUSE_SIGN = re.compile(r"[,;:\u2014\u2013]|\b(?:and|then|so)\b", re.IGNORECASE)
_AGENT = re.compile(
    r"\b(?:i|we|you|it|he|she|they|(?:the |a )?(?:robot|agent|character|person|arm|gripper|human)"
    r"|let['\u2019]?s|let us|please|kindly)(?:['\u2019](?:ll|d|ve))?"
    r"(?: (?:now|then|next|also|will|shall|must|should|can|just|finally|first|simply|go(?:es)?|to"
    r"|ha(?:ve|s) to|needs? to|wants?|would like))*\W*$",
    re.IGNORECASE,
)
"""Words right before a step that say who takes it, or ask for it."""
_ORDERING_WORDS = CONNECTIVES | WORDS["ordering"]
"""Words which, if nothing else stands before a step in its clause, lead to it."""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A step that was passed over.

    Args:
        step: The step.
        sentence: The sentence that says it.
        is_sure: Whether it stands between the first and the last step of the plan, or its sentence
            says little else.
        is_ordered: Whether the words before it are known to order a step, or to say who takes it.
    """

    step: Step
    sentence: str
    is_sure: bool
    is_ordered: bool


def find_passed_over(
    plan: Plan, offsets: Sequence[int], document: Document, grammar: StepGrammar
) -> list[PassedOver]:
    """Return the steps of sentences amid and beside a told plan that the plan does not have.

    The list is empty for plans that are not told in words. Sentences that doubt, explain, reject or
    ask are left out, and so are those that only name a step of the plan again.

    Args:
        plan: The plan that was chosen.
        offsets: Offsets of the steps of all plans of the answer, in order.
        document: The answer.
        grammar: Reads the steps of a sentence.
    """
    if not _is_told(plan) or len(document.blocks) > _MAX_BLOCKS:
        return []
    offsets_of_plan = sorted(step.at for step in plan.items)
    layouts = {
        _layout_of(block, grammar)
        for block in document.blocks
        if _holds(block.at, block.end, offsets_of_plan)
    }
    passed_over: list[PassedOver] = []
    for block in document.blocks:
        layout = _layout_of(block, grammar)
        if layout is None or layout not in layouts:
            continue
        for offset, sentence in _sentences_of(block):
            if _holds(offset, offset + len(sentence), offsets) or not _may_tell(sentence, grammar):
                continue
            for step in _whole_steps(sentence, offset, grammar):
                words_before = sentence[: max(step.at - offset, 0)]
                if document.is_struck(step.at) or _has_step(plan, step):
                    continue
                is_amid = offsets_of_plan[0] < step.at < offsets_of_plan[-1]
                says_little_else = len(words_of(words_before)) <= _MAX_WORDS_BEFORE
                passed_over.append(
                    PassedOver(
                        step,
                        sentence.strip(),
                        is_sure=is_amid or says_little_else,
                        is_ordered=_orders_step(words_before),
                    )
                )
    return passed_over


def _orders_step(words_before: str) -> bool:
    """Whether the words before a step order it, or say who takes it: "Having arrived, I".

    Unknown words might as well say that the step is not to be taken.
    """
    if _AGENT.search(words_before):
        return True
    clause = _CLAUSE_SIGN.split(words_before)[-1]
    return _ORDERING_WORDS.issuperset(words_of(clause))


def add_steps_in_order(plan: Plan, steps: Sequence[Step]) -> bool:
    """Add steps to a plan in the order of the text; return False if the plan has another order."""
    offsets = [step.at for step in plan.items]
    if offsets != sorted(offsets):
        return False
    plan.items = sorted([*plan.items, *steps], key=lambda step: step.at)
    return True


def _is_told(plan: Plan) -> bool:
    """Whether a plan is told in words, all of which were understood."""
    if plan.is_formal or plan.is_marked or plan.ends_with_value or not plan.items:
        return False
    return all(step.is_known and step.form in ("words", "heading") for step in plan.items)


def _layout_of(block: Block, grammar: StepGrammar) -> tuple[object, ...] | None:
    """Return how a line is laid out: indentation, bullet, whether it has a number, and its fence.

    None for values, comments, and lines that explain.
    """
    is_aside = block.is_struck or any(is_aside_key(region.name) for region in block.tags)
    if block.value is not None or is_aside or len(block.text) > LONGEST_LINE:
        return None
    begin = read_line_begin(block.text, grammar.surfaces)
    if begin.is_aside:
        return None
    indent = len(block.text) - len(block.text.lstrip())
    return indent, bullet_of(block.text), begin.number is not None, block.framing


def _sentences_of(block: Block) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a line, each with its offset in the answer."""
    begin = 0
    for sentence_end in _SENTENCE_END.finditer(block.text):
        yield block.at + begin, block.text[begin : sentence_end.end()]
        begin = sentence_end.end()
    yield block.at + begin, block.text[begin:]


def _holds(begin: int, end: int, offsets: Sequence[int]) -> bool:
    """Whether one of some offsets, in order, lies between two."""
    return bisect_left(offsets, begin) < bisect_left(offsets, end)


def _may_tell(sentence: str, grammar: StepGrammar) -> bool:
    """Whether a sentence may tell a step: it has a verb, and no word that makes it talk."""
    if not grammar.surfaces.sentences.has_verb(sentence) or sentence.rstrip("*_ ").endswith("?"):
        return False
    talks = any(pattern.search(sentence) for pattern in (DOUBT, EXPLAINS, _SPEAKS_OF_PLAN))
    return not (talks or is_rejected(sentence))


def _whole_steps(sentence: str, offset: int, grammar: StepGrammar) -> list[Step]:
    """Return the steps of a sentence that name all their objects."""
    present = grammar.surfaces.sentences.in_present(sentence)
    return [
        whole.step
        for whole in whole_steps_of_line(present, offset, grammar)
        if whole.step.arguments or " " in whole.step.written
    ]


def _has_step(plan: Plan, step: Step) -> bool:
    """Whether a plan has a step, perhaps with the class of an object instead of its name."""
    return any(is_same_step(step, other) or is_same_step(other, step) for other in plan.items)
