"""Words beside a step that take it out of the plan: ``(skipped)``, ``SKIP:``, "dropped"."""

from __future__ import annotations

import re

from eai.answers.languages import LANGUAGES
from eai.answers.plan import WORDS
from eai.answers.values import Pair
from eai.text import lazy_pattern

TAKE_OUT = (
    r"(?:remove|delete|drop|omit|skip|ignore|disregard|scratch|exclude|cancel|strike|eliminate"
    r"|leave out|take out|cross out)"
)
"""Verbs that tell to take a step out of a plan."""
TAKEN = (
    r"(?:removed|deleted|dropped|omitted|skipped|ignored|disregarded|excluded|cancell?ed|struck"
    r"|avoided|rejected|left out|taken out|crossed out|dispensed with|never mind)"
)
"""Words for a step that was taken out of a plan."""
NEEDLESS = r"(?:unnecessary|superfluous|redundant|obsolete|deprecated|void)"
"""Words for a step that a plan does not need."""
LEFT_OUT = "|".join(words.left_out for words in LANGUAGES.values() if words.left_out)
"""The same in other languages."""
_IS_OUT = (
    rf"(?:(?:this )?(?:step )?(?:is|was|has been) )?(?:to be )?(?:{TAKEN}|{NEEDLESS})"
    r"(?:(?: (?:from|by|out of|because|since|as|due to)|[:;,]) [^()\[\]\n]{1,60})?"
    r"|(?:this (?:step )?is )?(?:not|no longer) (?:needed|necessary|required|(?:to be )?executed"
    r"|done|run|performed|part of (?:the|my|this) plan)"
    r"|(?:please )?(?:do not|don['\u2019]t|never) (?:do|execute|run|perform|take|use|carry out)"
    r"(?: (?:this|that|it)(?: (?:step|one|action|plan))?)?(?: (?:yet|now|at all|please))?"
    rf"|{TAKE_OUT} (?:this|it|the step|this step)|{LEFT_OUT}"
)
"""Words that say of a step that it is no part of the plan."""
_SKIPPED = (
    r"(?:please )?(?:skip|omit|ignore|leave out|drop)(?: (?:this|it|the step|this step))?"
    rf"|{_IS_OUT}"
    r"|wrong|(?:a )?mistake|undone|undo|replaced(?: by [^()\n]{1,40})?|inactive|disabled"
    r"|unused|blocked|forbidden|prohibited|hypothetical|just kidding"
    r"|not(?: this(?: one)?)?|no|don['\u2019]t"
)
"""Words that take a step out of a plan."""
_BEFORE = (
    rf"(?:step \d+\W+)?(?:{_SKIPPED}|n/a|(?:do not|don['\u2019]t)(?: do)?|avoid|never|not"
    r"|(?:nothing \()?was|previously|postpone|(?:refuse|forget|pretend) to|imagine"
    rf"|(?:anything|all) but|{TAKE_OUT})"
)
_MARK_BEFORE = lazy_pattern(
    rf"{_BEFORE}[*_]{{0,2}}\s?(?:(?:[)\]:\uff1a\u2014]|\*\*|__)[*_]{{0,2}}\s?|-\s)", re.IGNORECASE
)
"""A mark before a step that takes it out of the plan, from its first letter on: ``SKIP:``."""
_ALL_BEFORE = lazy_pattern(rf"[\W\d]*{_BEFORE}\W*", re.IGNORECASE)
"""All words before a step, if they take it out: ``[OMITTED] ``."""
_LETTER = lazy_pattern(r"[^\W\d]")
_MARK_BEHIND = lazy_pattern(
    # The search is fast as the sign before the words is looked for first.
    r"[(\[\uff08\-\u2013\u2014,;|=<{.)\]`'\"#/>\u2192:](?:"
    # A bracket, or a dash behind a blank.
    r"(?:(?<=[(\[\uff08])|(?<=\s[\-\u2013\u2014])[\-\u2013\u2014]?)[\s*_]*(?:"
    rf"(?:optional[,;:] )?(?:{_SKIPPED})"
    rf"(?:[,;:]? (?:so |and )?(?:{_SKIPPED}))?\s*[)\]\uff09]?[\s.!*_`\uff09]*$"
    # An example is "(This step is implied, so it is not necessary in the recipe.)".
    r"|(?<=\()this (?:step|action) is [^()]{0,120}?\bnot (?:needed|necessary|required)\b"
    r"(?:(?!\b(?:if|unless|when)\b)[^()]){0,40}\)\W*$)"
    # Without brackets of its own: "WALK(hall) is omitted", "(too dangerous, skipped)".
    r"|(?<=[,;|=<{.)\]`'\"])\s*(?:(?:is|was|has been|(?:will|should|must|to) be) )?"
    rf"(?:{TAKEN}|{NEEDLESS}|(?:must )?not (?:to )?(?:be )?(?:executed|done))\W*$"
    rf"|(?<=[#/])\s*(?:{_SKIPPED})\W*$|(?<=[>\u2192:])\s(?:{TAKEN}|{NEEDLESS}|{LEFT_OUT})\W*$"
    # Behind the bracket of a call: "WALK(hall): do not do this".
    rf"|(?<=\):)\s(?:{_IS_OUT})\W*$)",
    re.IGNORECASE,
)
"""A mark behind a step that takes it out of the plan: ``(skipped)``."""

_OUT = lazy_pattern(_IS_OUT, re.IGNORECASE)
_FLAG = lazy_pattern(
    r"(?:is_|to_be_)?(?:skip(?:ped)?|omit(?:ted)?|ignored?|disabled|aborted|cancell?ed|removed"
    r"|deleted|obsolete)",
    re.IGNORECASE,
)
"""Words that say so under any key; others, such as "dropped", may be the state of an object."""
_FLAG_OF_PLAN = lazy_pattern(
    r"(?:is_)?(?:rejected|discarded|deprecated|superseded|withdrawn|example|draft)", re.IGNORECASE
)
"""Keys that say of a plan, or of a step, that it is not meant."""
TRUTHS = {
    **dict.fromkeys(("true", "yes", "x", "\u2713", "\u2714", "\u2705"), True),
    **dict.fromkeys(("false", "no", "\u2717", "\u2718", "\u2716", "\u274c"), False),
}
"""Values that say yes or no."""
_DENYING_KEYS = WORDS["denying_keys"]
_STATUS_KEYS = WORDS["status_keys"]
_DECISION_KEYS = frozenset(["decision", "verdict"])
_DECIDED = lazy_pattern(rf"{TAKE_OUT}|{TAKEN}|reject|discard(?:ed)?|den(?:y|ied)", re.IGNORECASE)


def takes_out(line: str, step_start: int = 0) -> bool:
    """Whether a line marks its step as none of the plan.

    Args:
        line: The line.
        step_start: Where the step begins; 0 if that is not known.
    """
    first_letter = _LETTER.search(line)
    if first_letter is None:
        return False
    if step_start > first_letter.start() and _ALL_BEFORE.fullmatch(line, 0, step_start):
        return True
    is_marked_first = _MARK_BEFORE.match(line, first_letter.start()) is not None
    return is_marked_first or _MARK_BEHIND.search(line) is not None


def denies_step(pair: Pair) -> bool:
    """Whether a key beside a step, and its value, say that the step is not to be executed."""
    value = pair.text.lower().strip(" *_`.()")
    truth = TRUTHS.get(value)
    if pair.name in _DENYING_KEYS and truth is False:
        return True
    if truth and (_FLAG.fullmatch(pair.name) or _FLAG_OF_PLAN.fullmatch(pair.name)):
        return True
    if _FLAG.fullmatch(value):
        return True
    # Elsewhere "not needed" may be said of a tool, and "dropped" of an object.
    return pair.name in _STATUS_KEYS and _OUT.fullmatch(value) is not None


def rejects_step(pair: Pair) -> bool:
    """Whether a key beside a single step decides against it: ``"decision": "reject"``."""
    value = pair.text.lower().strip(" *_`.()")
    if pair.name not in _DECISION_KEYS:
        return False
    return TRUTHS.get(value) is False or _DECIDED.fullmatch(value) is not None
