"""Sentences that speak of a step instead of telling to take it.

"The plan should not contain OPEN(door)" and "insert OPEN(door) after step 2" hold a whole step that
is not to be read as one. The steps of such a sentence are replaced by a sign, so that patterns only
say which words stand around them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eai.answers.document import Document
from eai.answers.flow import told_steps
from eai.answers.grammar import StepGrammar
from eai.answers.items import Step
from eai.answers.plan import ReadStep
from eai.answers.retractions import sentences_of
from eai.answers.surfaces import squeezed
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
    r"\b(?:if|unless|until|when|while|before|after|again|twice|yet|otherwise|forget|as long as"
    r"|at the same time|(?:alternative|option|possibility) would)\b",
    re.IGNORECASE,
)
"""Words of a sentence that forbids a step only at another time."""
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
    r"\bnot\b|n['\u2019]t\b|\bnever\b|\bcannot\b|\bno\b|\bavoid|\bremove|\bdelete|\bdrop|\bomit"
    r"|\bskip|\bexclud|\bcancel|\bignore|\bstrike|\bstruck|\bout\b|\beliminate|\bforbidden|\bprohibited|\bunnecessary"
    r"|\bsuperfluous|\bredundant|\bwrong|\binvalid|\billegal|\bmistake|\berror|\binsert|\badd\b"
    r"|\binclude|\bappend|\bprepend|\bsqueeze|\bput\b|\bforg[oe]t|\bmissing|\banother|\bone more"
    r"|\bextra|\badditional|\bfurther|\b(?:after|before|behind|between|following|preceding)\s"
    r"(?:the )?(?:steps?\s)?#?\d|\bfollowed by|\bpreceded by|\b(?:start|begin) with",
    re.IGNORECASE,
)
"""Cheap to look for: a sentence without one of these words needs no look at its steps."""


@dataclass(frozen=True, slots=True)
class StepRemark:
    """A sentence that speaks of steps.

    Args:
        text: The sentence.
        steps: The steps in it.
        is_forbidding: Whether it says that they are not to be taken.
        is_adding: Whether it adds them to a plan.
        is_placing: Whether it says where in a plan they are.
    """

    text: str
    steps: Sequence[Step]
    is_forbidding: bool
    is_adding: bool
    is_placing: bool

    @property
    def tells_no_step(self) -> bool:
        """Whether its steps are none of the plan in whose row it stands."""
        return self.is_forbidding or self.is_adding

    def changes(self, plan: Sequence[Step]) -> bool:
        """Whether it says something else of its steps than a plan has."""
        if self.is_adding:
            return True
        if self.is_forbidding:
            return any(_is_in(step, plan) for step in self.steps)
        where = _part_spoken_of(self.text, plan)
        return not all(_is_in(step, where) for step in self.steps)


def _part_spoken_of(sentence: str, plan: Sequence[Step]) -> Sequence[Step]:
    """Return the steps of a plan among which a sentence says that others are."""
    neighbour = _NEIGHBOUR.search(sentence)
    if neighbour is not None:
        place = int(neighbour[1]) - (2 if neighbour[2].lower() == "preceded" else 0)
        return plan[place : place + 1] if place >= 0 else ()
    if _FIRST.match(sentence):
        return plan[:1]
    found = _POSITION.search(sentence)
    if found is None:
        return plan
    number = int(found[2])
    if found[1].lower() in ("before", "preceding"):
        return plan[: number - 1]
    if found[1].lower() == "at":
        return plan[number - 1 : number]
    return plan[number : int(found[3]) - 1] if found[3] else plan[number:]


def _is_in(step: Step, plan: Sequence[Step]) -> bool:
    """Whether a step is one of a plan."""
    return any(is_same_step(step, taken) for taken in plan)


def is_same_step(step: Step | ReadStep, taken: Step | ReadStep) -> bool:
    """Whether a step is one of a plan, whose objects it may name by their classes."""
    if squeezed(step.name) != squeezed(taken.name):
        return False
    if len(step.arguments) != len(taken.arguments):
        return False
    for name, own in zip(step.arguments, taken.arguments, strict=True):
        written, meant = squeezed(name), squeezed(own)
        if written != meant and written != meant.rstrip("0123456789"):
            return False
    return True


def remark_of(sentence: str, at: int, grammar: StepGrammar) -> StepRemark | None:
    """Return what a sentence says of the steps in it; None if it says nothing of any step."""
    if grammar.is_free or not _MAY_SPEAK_OF_STEP.search(sentence):
        return None
    told = told_steps(sentence, at, grammar)
    if not told:
        return None
    marked = sentence
    for step in reversed(told):
        marked = marked[: step.start] + _STEP + marked[step.stop :]
    is_forbidding = _FORBIDDEN.search(marked) is not None
    is_forbidding = is_forbidding and _ONLY_SOMETIMES.search(marked) is None
    is_adding = _ADDS.search(marked) is not None and _NOT_FORGOTTEN.search(marked) is None
    is_placing = _PLACES.search(marked) is not None
    if not (is_forbidding or is_adding or is_placing):
        return None
    steps = [each.step for each in told]
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
    plan: Sequence[Step],
    spans: tuple[int, int, int],
    document: Document,
    grammar: StepGrammar,
) -> StepRemark | None:
    """Return the first sentence around a plan that says something else of its steps than it has.

    Args:
        plan: The steps.
        spans: Where the words before the plan begin, which are of no other plan and can only
            forbid steps; where the plan begins; and where it ends.
        document: The answer.
        grammar: Reads the steps of a sentence.
    """
    begin_of_words, begin, end = spans
    before = sentences_of(document.text[begin_of_words:begin])[-MAX_SENTENCES:]
    for sentence in before:
        # "You cannot stack b" and "that is not needed" only explain the plan behind them.
        if not _RULES.search(sentence):
            continue
        remark = remark_of(sentence, 0, grammar)
        if remark is not None and remark.is_forbidding and remark.changes(plan):
            return remark
    for sentence in sentences_of(document.text[end:])[:MAX_SENTENCES]:
        remark = remark_of(sentence, end, grammar)
        if remark is not None and remark.changes(plan):
            return remark
    return None


def announces_addition(frame: str) -> bool:
    """Whether the words before a step say that it is put among others: "insert after step 2:"."""
    last = sentences_of(frame.rstrip())[-1]
    return _ADDS.search(f"{last} {_STEP}") is not None
