"""Steps in sentences around the steps of a told plan, which the reader of lines passed over.

In "Walk to the hall. Having arrived, I open the door.", only the first line begins like a step. A
sentence without a step that is written like those with one, and says a whole step that the plan
does not have, tells another step of it. A sentence of an action that the task does not have, "I
paint the door red", may tell one, too: a plan without it is another plan.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from eai.answers.candidate_plan import Plan
from eai.answers.choice import is_rejected
from eai.answers.conditions import depends_on_case
from eai.answers.document import Block, Document
from eai.answers.flow import EXPLAINS, whole_steps_of_line
from eai.answers.grammar import StepGrammar
from eai.answers.items import LONGEST_LINE, TALKING, Step, are_alike
from eai.answers.keys import is_aside_key
from eai.answers.line_begin import read_line_begin
from eai.answers.plan import (
    EXPLAINING,
    FILLERS,
    HEADINGS,
    PARTICLES,
    STATES,
    STATING,
    WORDS,
    words_of,
)
from eai.answers.surfaces import Mention, Surfaces
from eai.answers.taken_out import takes_out
from eai.answers.unclear import DOUBT
from eai.answers.unclear_lines import bullet_of
from eai.answers.values import Text

_MAX_BLOCKS = 300
"""Maximum number of lines of an answer whose sentences are looked at."""
_LETTER = re.compile(r"[^\W\d_]")
_SENTENCE_END = re.compile(r"[.!?][\"'*_)]{0,3}\s+(?=\W{0,8}[^\W\d])")
_SPEAKS_OF_PLAN = re.compile(
    r"\b(?:goals?|tasks?|objectives?|instructions?|requests?|(?:this|these|the|above|whole) (?:plan"
    r"|steps?|sequence|actions?)|results?|notes?|scene|ready|user|want(?:s|ed)?|so that"
    r"|perhaps|maybe|think|thought|guess|only|at a time)\b",
    re.IGNORECASE,
)
"""Words of a sentence that speaks of the plan, or of what it is for."""
_CLAUSE_SIGN = re.compile(r"[,;:\u2014\u2013]|\b(?:and|then|so)\b", re.IGNORECASE)
_WORD = re.compile(r"[*_`\"']{0,3}(?P<word>[^\W\d_]{3,20})\b")
_ARTICLE = re.compile(r"\b(?:the|an?|this|that|these|those)\s+[*_`\"']{0,3}$", re.IGNORECASE)
_FIRST = re.compile(r"\W*(?:step one|first(?:ly)?|to (?:start|begin))\b", re.IGNORECASE)
"""The begin of a sentence that is said to be the first step."""
_IN_ORDER = re.compile(
    r"\b(?:then|next|first|finally|lastly|now|after|afterwards|should|must|will)\b", re.IGNORECASE
)
"""Words before a verb that say when its step is taken, or that it shall be."""
_CIRCUMSTANCE = re.compile(
    r"\W*(?:\d{1,3}[.):]\s+)?(?:with|because|since|as|to|for|given|once|after|when|now|in|at|having"
    r"|therefore|so)\b(?:\s[\w\u2019']+){0,7},\s",
    re.IGNORECASE,
)
"""A clause before a step that says why or when it is taken."""
_BEFORE_OBJECT = re.compile(
    rf"\s+(?:(?:{'|'.join(sorted(PARTICLES | WORDS['prepositions']))})\s+){{0,2}}"
    r"(?:(?:the|an?|this|that|its|both|all)\s+){0,2}[*_`\"'(\[<]{0,3}",
    re.IGNORECASE,
)
"""Words between the verb of an order and its object: "dance with the"."""
_ASKS_SOMEBODY = re.compile(
    r"\s(?:someone|somebody|everyone|everybody|(?:the|an?|my) (?:human|owner|person))\b",
    re.IGNORECASE,
)
"""The object of an order that another person shall obey."""
_NO_VERBS = (FILLERS | STATING | STATES | EXPLAINING | TALKING | HEADINGS | PARTICLES) | (
    WORDS["prepositions"] | WORDS["stative"] | WORDS["function_words"]
)
"""Words that are no verbs of steps."""


def find_passed_over(
    plan: Plan, offsets: Sequence[int], document: Document, grammar: StepGrammar
) -> list[tuple[Step, str]]:
    """Return the steps of sentences amid and beside a told plan that it lacks, each with its words.

    The list is empty for plans that are not told in words. Sentences that doubt, explain, reject or
    ask are left out, and so are those that only name a step of the plan again.

    Args:
        plan: The plan that was chosen.
        offsets: Offsets of the steps of all plans of the answer, in order.
        document: The answer.
        grammar: Reads the steps of a sentence.
    """
    passed_over: list[tuple[Step, str]] = []
    for sentence in _sentences_without_steps(plan, offsets, document, grammar):
        is_question = sentence.text.rstrip("*_ ").endswith("?")
        has_verb = not is_question and grammar.surfaces.sentences.has_verb(sentence.text)
        if not has_verb or _talks(sentence.text):
            continue
        for step in _whole_steps(sentence.text, sentence.at, grammar):
            # A step that the plan has is only spoken of: "This opens the door for you."
            if any(are_alike(step, other) for other in plan.items):
                continue
            passed_over.append((step, sentence.text.strip()))
    return passed_over


def find_unknown_told(
    plan: Plan, offsets: Sequence[int], document: Document, grammar: StepGrammar
) -> list[Text]:
    """Return the sentences amid and beside a told plan that may tell steps of unknown actions.

    Such a sentence begins with a verb that no action has, behind who acts or like an order, and
    names an object of the task. Before the first step it may tell what the plan is for, and counts
    only if it says that it is the first step.

    Args:
        plan: The plan that was chosen.
        offsets: Offsets of the steps of all plans of the answer, in order.
        document: The answer.
        grammar: Knows the names of the task.
    """
    sentences = chain(
        _sentences_without_steps(plan, offsets, document, grammar),
        _clauses_between_steps(plan, document),
    )
    return [
        Text(sentence.text.strip(), sentence.at, sentence.at + len(sentence.text))
        for sentence in sentences
        if _tells_unknown_step(sentence, grammar)
    ]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence without steps, in a line that is laid out like those of a plan.

    Args:
        text: The sentence.
        at: Its offset in the answer.
        is_amid: Whether it stands between the first and the last step of the plan.
        is_behind: Whether it stands behind the last step.
        is_beside: Whether its line has a step of the plan.
    """

    text: str
    at: int
    is_amid: bool
    is_behind: bool
    is_beside: bool


def _sentences_without_steps(
    plan: Plan, offsets: Sequence[int], document: Document, grammar: StepGrammar
) -> Iterator[_Sentence]:
    """Yield the sentences in lines like those of a told plan that have no step of any plan.

    Args:
        plan: The plan that was chosen.
        offsets: Offsets of the steps of all plans of the answer, in order.
        document: The answer.
        grammar: Knows the names of the task.
    """
    if not _is_told(plan) or len(document.blocks) > _MAX_BLOCKS:
        return
    sentences = [
        (block, offset, text)
        for block in document.blocks
        if block.value is None
        for offset, text in _sentences_of(block)
        if _LETTER.search(text) and not holds_offset(offset, offset + len(text), offsets)
        if not (document.strikes_words(text, offset) or takes_out(text))
    ]
    if not sentences:
        return  # most plans are lists of nothing but steps
    offsets_of_plan = sorted(step.at for step in plan.items)
    layouts = {
        _layout_of(block, grammar)
        for block in document.blocks
        if holds_offset(block.at, block.end, offsets_of_plan)
    }
    for block, offset, text in sentences:
        # Lines laid out otherwise, such as bullets below numbered steps, explain the plan.
        layout = _layout_of(block, grammar)
        if layout is None or layout not in layouts:
            continue
        is_beside = holds_offset(block.at, block.end, offsets_of_plan)
        is_behind = offset > offsets_of_plan[-1]
        is_amid = offset > offsets_of_plan[0] and not is_behind
        yield _Sentence(text, offset, is_amid, is_behind, is_beside)


def _clauses_between_steps(plan: Plan, document: Document) -> Iterator[_Sentence]:
    """Yield the clauses between two steps of one sentence: "walk there, paint it, sit down".

    Args:
        plan: The plan that was chosen.
        document: The answer.
    """
    if not _is_told(plan):
        return
    offsets_of_plan = sorted(step.at for step in plan.items)
    for step_start, next_start in pairwise(offsets_of_plan):
        text = document.text[step_start:next_start]
        if len(text) > LONGEST_LINE or "\n" in text or _SENTENCE_END.search(text):
            continue
        # The words up to the first sign belong to the step, those behind the last to the next.
        signs = list(_CLAUSE_SIGN.finditer(text))
        for sign, next_sign in pairwise(signs):
            clause = text[sign.end() : next_sign.start()]
            yield _Sentence(clause, step_start + sign.end(), True, False, True)


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


def holds_offset(begin: int, end: int, offsets: Sequence[int]) -> bool:
    """Whether one of some offsets, in order, lies between two."""
    return bisect_left(offsets, begin) < bisect_left(offsets, end)


def _talks(sentence: str) -> bool:
    """Whether a sentence doubts, explains, rejects, or speaks of the plan."""
    talks = any(pattern.search(sentence) for pattern in (DOUBT, EXPLAINS, _SPEAKS_OF_PLAN))
    return talks or depends_on_case(sentence) or is_rejected(sentence)


def _whole_steps(sentence: str, offset: int, grammar: StepGrammar) -> list[Step]:
    """Return the steps of a sentence that name all their objects."""
    present = grammar.surfaces.sentences.in_present(sentence)
    return [
        whole.step
        for whole in whole_steps_of_line(present, offset, grammar)
        if whole.step.arguments or " " in whole.step.written
    ]


def _tells_unknown_step(sentence: _Sentence, grammar: StepGrammar) -> bool:
    """Whether a sentence may tell a step of an action that the task does not have."""
    surfaces = grammar.surfaces
    text = sentence.text
    if grammar.is_free or text.rstrip("*_ ").endswith("?"):
        return False
    mentions = surfaces.find_mentions(text)
    # Without an object of the task, a sentence may speak of anything.
    if all(mention.is_action for mention in mentions):
        return False
    clause_start = _end_of_circumstance(text, mentions)
    if _talks(text[clause_start:]):
        return False
    begin = read_line_begin(text[clause_start:], surfaces)
    verb = _WORD.match(text, clause_start + begin.end)
    if begin.is_aside or verb is None or not _may_be_verb(verb, mentions, surfaces):
        return False
    # Around the plan, most sentences say what it is for, or what comes of it.
    is_numbered = begin.number is not None
    if sentence.is_behind:
        is_told = sentence.is_beside or is_numbered or begin.subject != ""
    else:
        is_told = sentence.is_amid or is_numbered or _FIRST.match(text) is not None
    if not is_told:
        return False
    objects = [each for each in mentions if each.start >= verb.end() and not each.is_action]
    return bool(objects) and _is_told_or_ordered(verb, objects[0].start, begin.subject)


def _is_told_or_ordered(verb: re.Match[str], object_start: int, subject: str) -> bool:
    """Whether a clause says who does something with an object, or orders it.

    Args:
        verb: The verb in its sentence.
        object_start: Where the first object behind it begins.
        subject: The word for who acts; empty in an order.
    """
    text = verb.string
    if subject:
        # "It lights the room" says how something is, "it then lights the lamp" what is done.
        is_agent = subject != "it" or _IN_ORDER.search(text[: verb.start()]) is not None
        return is_agent and STATING.isdisjoint(words_of(text[verb.end() : object_start]))
    if not STATING.isdisjoint(words_of(text[verb.start() :])):
        return False
    word = verb["word"].lower()
    if word.endswith(("s", "ing")) and not word.endswith("ss"):
        return False  # "walks", a plural, or "walking" orders nothing
    is_object_next = _BEFORE_OBJECT.fullmatch(text, verb.end(), object_start) is not None
    return is_object_next or _ASKS_SOMEBODY.match(text, verb.end()) is not None


def _end_of_circumstance(text: str, mentions: Sequence[Mention]) -> int:
    """Return where the clause behind "With everything in place, " begins; 0 if there is none."""
    circumstance = _CIRCUMSTANCE.match(text)
    if circumstance is None or any(each.start < circumstance.end() for each in mentions):
        return 0
    return circumstance.end()


def _may_be_verb(word: re.Match[str], mentions: Sequence[Mention], surfaces: Surfaces) -> bool:
    """Whether a word may be the verb of a step, and no action has it."""
    written = word["word"].lower()
    # "Need" of "needs" is in the list.
    bases = {written, written.removesuffix("s"), written.removesuffix("es")}
    if surfaces.sentences.has_verb(written) or not _NO_VERBS.isdisjoint(bases):
        return False
    if any(each.start < word.end() and word.start("word") < each.end for each in mentions):
        return False
    return _ARTICLE.search(word.string, 0, word.start()) is None
