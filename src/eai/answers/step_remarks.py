"""Sentences that speak of a step instead of telling to take it.

"The plan should not contain OPEN(door)" and "insert OPEN(door) after step 2" hold a whole step that
is not to be read as one. The steps of such a sentence are replaced by a sign, so that patterns only
say which words stand around them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eai.answers.flow import whole_steps_of_line
from eai.answers.grammar import StepGrammar
from eai.answers.items import Step, is_same_step
from eai.answers.retractions import sentences_of
from eai.answers.taken_out import NEEDLESS, TAKE_OUT, TAKEN

_STEP = "\u25a0"
"""Stands in a sentence for a step."""
_QUOTED = rf"[`'\"*\u201c\u2018]{{0,3}}{_STEP}[`'\"*\u201d\u2019]{{0,3}}"
_TAKES = (
    r"(?:(?:contain|include|have|use|do|perform|run|execute|call|take|make|attempt|try|issue"
    r"|invoke|choose|begin with|start with|end with)(?:s|ing)? )?(?:the |an? |any )?(?:(?:step"
    r"|action|call|command)s? )?(?:to |of )?"
)
_MUST = r"(?:must|should|shall|may|can|could|will|would|do|does|did|is to|are to|has to|need)"
_NOT = r"(?:n['\u2019]t|n?ot| never| not)"
_FORBIDDEN = re.compile(
    rf"\b{_MUST} ?{_NOT}(?: ever)? {_TAKES}{_QUOTED}"
    rf"|\b(?:never|don['\u2019]t|avoid|cannot) {_TAKES}{_QUOTED}"
    rf"|\bno (?:plan|answer|sequence|step)s? (?:\w+ ){{1,3}}{_QUOTED}"
    rf"|\b{TAKE_OUT} (?:the )?(?:(?:step|action|call) )?{_QUOTED}"
    rf"|{_QUOTED},? (?:\w+ )?{_MUST} ?{_NOT} (?:be|appear|occur|happen|take place)\b"
    rf"|{_QUOTED},? (?:is|are|was|were)(?:n['\u2019]t| not| never| no longer)(?: \w+)? (?:allowed"
    r"|needed|necessary|required|part|permitted|in the|to be|included|contained|used|meant|done"
    r"|executed|run|taken|valid|correct|right)\b"
    rf"|{_QUOTED},? (?:is|are|was|were)(?: \w+)? (?:forbidden|prohibited|{NEEDLESS}"
    rf"|wrong|invalid|illegal|a mistake|an error|to be {TAKEN})\b"
    rf"|{_QUOTED},? (?:should|must|can|could|has to|needs to|may|is to) be {TAKEN}\b",
    re.IGNORECASE,
)
"""A sentence that forbids a step, or takes it out."""
_ONLY_SOMETIMES = re.compile(
    r"\b(?:if|unless|until|when|while|before|after(?! all\b)|again|twice|yet|otherwise|forget"
    r"|as long as|at the same time|alternative(?:ly)?|kept|(?:option|possibility) would"
    r"|one (?:could|might))\b",
    re.IGNORECASE,
)
"""Words of a sentence that forbids a step only at another time, or in another plan."""
_WHERE = (
    r"(?:\b(?:after|before|behind|between|following|preceding|at)\s(?:the )?(?:steps?\s)?"
    r"#?\d{1,4}\b"
    r"|\bat the (?:very )?(?:beginning|start|end|front)\b)"
)
_ADDED = (
    r"\b(?:insert|add|include|append|prepend|squeeze in|put in|forgot|forgotten|missing|another"
    r"|one more|an? (?:extra|additional|further))\b"
)
_ADDS = re.compile(
    rf"(?=.*{_WHERE})(?=.*{_ADDED}).*{_STEP}"
    rf"|{_QUOTED} (?:is|was) (?:still )?missing\b|\b(?:forgot|forgotten) {_TAKES}{_QUOTED}"
    rf"|\bmissing (?:is |step:? |action:? )?{_QUOTED}",
    re.IGNORECASE,
)
"""A sentence that adds a step to the plan."""
_FIRST = re.compile(
    r"\W*(?:please |instead,? |(?:you|we|i) should )?(?:start|begin) with\b", re.IGNORECASE
)
_NEIGHBOUR = re.compile(
    r"\bsteps?\s#?(\d{1,4}) (?:should|must|has to|needs to|is to) be (followed|preceded) by",
    re.IGNORECASE,
)
_POSITION = re.compile(
    r"\b(after|before|behind|between|following|preceding|at)\s(?:the )?(?:steps?\s)?#?(\d{1,4})\b"
    r"(?: and (?:step )?#?(\d{1,4})\b)?",
    re.IGNORECASE,
)
_PLACES = re.compile(
    rf"(?=.*{_WHERE})(?=.*\b(?:should|must|needs?|has to|have to|do|perform|execute|put|take|call"
    rf"|run)\b).*{_STEP}"
    rf"|{_NEIGHBOUR.pattern} (?:an? )?{_QUOTED}|^{_FIRST.pattern} {_QUOTED}",
    re.IGNORECASE,
)
"""A sentence that says where in the plan a step is."""
_NOT_FORGOTTEN = re.compile(
    r"(?:\bnot|n['\u2019]t|\bnever|\bnothing|\balmost)\s(?:\w+ )?(?:forg[eo]t\w*|missing)",
    re.IGNORECASE,
)
_MAY_SPEAK_OF_STEP = re.compile(
    r"\b(?:not\b|never\b|cannot\b|no\b|avoid|remove|delete|drop|omit|skip|exclud|cancel|ignore"
    r"|strike|struck|out\b|eliminate|forbidden|prohibited|unnecessary|superfluous|redundant|wrong"
    r"|invalid|illegal|mistake|error|insert|add\b|include|append|prepend|squeeze|put\b|forg[oe]t"
    r"|missing|another|one more|extra|additional|further|followed by|preceded by"
    r"|(?:start|begin) with"
    r"|(?:after|before|behind|between|following|preceding)\s(?:the )?(?:steps?\s)?#?\d)"
    r"|n['\u2019]t\b",
)
"""Words in small letters; a sentence without one of them needs no look at its steps."""


_MAX_MARKED = 1_000
"""Maximum number of characters of a remark, without those of its steps; a longer text is a list."""


@dataclass(frozen=True, slots=True)
class StepRemark:
    """A sentence that says something about steps, instead of telling to take them.

    Args:
        text: The sentence.
        steps: The steps in it.
        is_forbidding: Whether it says that the steps are not to be taken.
        is_adding: Whether it adds the steps to a plan.
        is_placing: Whether it says at which position in a plan the steps are.
    """

    text: str
    steps: Sequence[Step]
    is_forbidding: bool
    is_adding: bool
    is_placing: bool

    @property
    def tells_no_step(self) -> bool:
        """Whether the steps are no part of a plan in which the sentence stands."""
        return self.is_forbidding or self.is_adding

    def changes_plan(self, plan: Sequence[Step]) -> bool:
        """Whether the sentence contradicts a plan: it adds, forbids or moves a step."""
        if self.is_adding:
            return True
        if self.is_forbidding:
            return any(_is_in(step, plan) for step in self.steps)
        named_part = _part_named_in(self.text, plan)
        return not all(_is_in(step, named_part) for step in self.steps)


def _part_named_in(sentence: str, plan: Sequence[Step]) -> Sequence[Step]:
    """Return the part of a plan that a sentence names: "after step 2", "begin with"."""
    neighbour = _NEIGHBOUR.search(sentence)
    if neighbour is not None:
        number = int(neighbour[1])
        index = number - 2 if neighbour[2].lower() == "preceded" else number
        return plan[index : index + 1] if index >= 0 else ()
    if _FIRST.match(sentence):
        return plan[:1]
    position = _POSITION.search(sentence)
    if position is None:
        return plan
    preposition = position[1].lower()
    number = int(position[2])
    if preposition in ("before", "preceding"):
        return plan[: number - 1]
    if preposition == "at":
        return plan[number - 1 : number]
    end = int(position[3]) - 1 if position[3] else len(plan)
    return plan[number:end]


def _is_in(step: Step, plan: Sequence[Step]) -> bool:
    """Whether a step is one of a plan."""
    return any(is_same_step(step, taken) for taken in plan)


def read_remark(sentence: str, grammar: StepGrammar) -> StepRemark | None:
    """Return the remark of a sentence on the steps in it: it forbids, adds or places them.

    None if the sentence only tells to take the steps.
    """
    if grammar.is_free or not _MAY_SPEAK_OF_STEP.search(sentence.lower()):
        return None
    whole_steps = whole_steps_of_line(sentence, 0, grammar)
    if not whole_steps:
        return None
    text_with_marks = sentence
    for step in reversed(whole_steps):
        text_with_marks = text_with_marks[: step.start] + _STEP + text_with_marks[step.stop :]
    # The patterns look ahead from each place: time grows with the square of the length.
    if len(text_with_marks) > _MAX_MARKED:
        return None
    is_forbidding = _FORBIDDEN.search(text_with_marks) is not None
    is_forbidding = is_forbidding and _ONLY_SOMETIMES.search(text_with_marks) is None
    is_adding = (
        _ADDS.search(text_with_marks) is not None and _NOT_FORGOTTEN.search(text_with_marks) is None
    )
    is_placing = _PLACES.search(text_with_marks) is not None
    if not (is_forbidding or is_adding or is_placing):
        return None
    steps = [step.step for step in whole_steps]
    return StepRemark(sentence.strip(), steps, is_forbidding, is_adding, is_placing)


_RULES = re.compile(
    r"\b(?:must|should|shall|may|never|do not|no plan|forbidden|prohibited|not allowed|avoid)\b"
    r"|\bdon['\u2019]t\b",
    re.IGNORECASE,
)
"""Words of a sentence that lays down what a plan may do."""
MAX_SENTENCES = 200
"""Maximum number of sentences of an answer that are looked at."""


def remark_that_changes(
    plan: Sequence[Step], text_before: str, text_behind: str, grammar: StepGrammar
) -> StepRemark | None:
    """Return the first sentence around a plan that contradicts its steps; None if none does.

    Args:
        plan: The steps of the plan.
        text_before: The words before it, up to the end of another plan.
        text_behind: The words behind it.
        grammar: Reads the steps of a sentence.
    """
    for sentence in sentences_of(text_before)[-MAX_SENTENCES:]:
        # "You cannot stack b" and "that is not needed" only explain the plan behind them.
        if not _RULES.search(sentence):
            continue
        remark = read_remark(sentence, grammar)
        if remark is not None and remark.is_forbidding and remark.changes_plan(plan):
            return remark
    for sentence in sentences_of(text_behind)[:MAX_SENTENCES]:
        remark = read_remark(sentence, grammar)
        if remark is not None and remark.changes_plan(plan):
            return remark
    return None


def announces_addition(frame: str) -> bool:
    """Whether the words before a step say that it is put among others: "insert after step 2:"."""
    last = sentences_of(frame.rstrip())[-1]
    return _ADDS.search(f"{last} {_STEP}") is not None
