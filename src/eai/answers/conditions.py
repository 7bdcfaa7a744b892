"""Steps that are only taken in some case: "If the owner agrees, ...", ``"condition": "it rains"``.

Nobody knows whether such a step is taken, so it is a problem, wherever the condition stands: before
the step, behind it, under a key beside it, or in a column of its table.
"""

from __future__ import annotations

import re

from eai.answers.plan import WORDS
from eai.answers.unclear import EVENT
from eai.answers.values import Group, Pair, Text, key_words
from eai.text import lazy_pattern

_IN_CASE = (
    r"(?:if|in case|unless|provid(?:ed|ing)|as long as|depending on|assuming|supposing|subject to"
    r"|pending (?:approval|confirmation|permission)"
    rf"|when (?:asked|requested|told|needed|necessary)|{EVENT})"
)
"""Words before what has to be so."""
_UNSURE = r"(?:optional(?:ly)?|conditional(?:ly)?|tentative(?:ly)?|maybe|perhaps|possibly)"
"""Words for a step that may be left out."""
_FOREIGN = (
    r"(?:(?:(?:nur )?(?:falls|wenn|sofern)|(?:s[o\u00f3]lo |seulement )?si|caso"
    r"|\u0435\u0441\u043b\u0438)\s[^,:\n]{1,80}[,:]|\u5982\u679c|\u5047\u5982|\u4ec5\u5f53|\u3082\u3057|\ub9cc\uc57d"
    r"|\u0625\u0630\u0627)"
)
"""A condition before a step in other languages."""
_OTHERS = "|".join(sorted(WORDS["others"]))
_OTHER_ACTS = (
    r"\s*(?:\(?\d{1,4}[.):]+|[-*+\u2022])\s+[*_]{0,2}(?:the |your |my |an? )?"
    rf"(?:{_OTHERS})s?(?: else)?(?:[*_]{{0,2}}:| (?:(?:then|now|also) )?(?:will|shall|should|must"
    r"|ha(?:s|ve) to|needs? to|(?:is|are) (?:going|asked|expected) to|does|do))"
)
"""The begin of an item whose step somebody else takes: "2. The user will open the door"."""
_BEFORE = lazy_pattern(
    r"[\W\d]*(?:step \d{1,4}\W+)?(?:and |then |but )?(?:"
    rf"(?:only |just )?{_IN_CASE}|only when|whenever|{_UNSURE}|should (?:the|it|an?)"
    r"|with (?:the )?[^\s,]{1,30} (?:permission|consent|approval)"
    r"|(?:once|after|when) [^,.\n]{1,40}\b(?:agree|allow|permit|approve|confirm|consent)(?:s|d|ed)?"
    r"|(?P<when>when)"
    r"|(?P<waiting>wait (?:until|till))|(?P<other>(?:or )?(?:else|otherwise)))(?!\w)"
    rf"|[\W\d]*{_FOREIGN}|{_OTHER_ACTS}(?!\w)",
    re.IGNORECASE,
)
"""The begin of a line of which nobody knows whether its step is taken: "If it is off, ..."."""
_NO_OTHER_CLAUSE = r"(?![^\n;.]*,\s)(?![^\n]*\b(?:were|had|would|could|might)\b)"
"""Not "(if it is shut, push harder)", nor "if it were open, you could see": these only explain."""
_SAYS_WHEN = (
    rf"(?:only (?:{_IN_CASE}|when|on (?:\w+ )?(?:\w+days?|request))|unless"
    rf"|(?:(?:and|but) )?{_IN_CASE}\b{_NO_OTHER_CLAUSE}|{_UNSURE}(?=\W*$| step\b)"
    r"|(?<=[(\[])(?:later|tomorrow|already done)(?=\W*$)"
    r"|(?:(?:(?:is|will be|to be) )?(?:done|performed|executed|taken) |(?<=[(\[]))by (?:the )?"
    rf"(?:{_OTHERS}|human)s?(?=\W*$)"
    r"|(?:falls|sofern|si|nur wenn)\s(?!.*,)|(?:i(?:['\u2019]m| am) )?not sure)\b"
)
_BEHIND = lazy_pattern(
    r"(?<=[\w)\]>`'\"*.])(?<!\bsee)(?<!\bcheck)(?<!\bverify)(?<!\bknow)(?<!\btell)(?<!\bask)"
    r"(?<!\bas)(?<!\beven)(?<!\bnot)"
    rf"(?:[^\w\n.!]{{1,6}}(?:{_SAYS_WHEN}|or (?:do nothing|not|stop|skip)\b)"
    r"|[ \t]?\(\?\)|(?<=\))[ \t]?\?[\s*_]*$)",
    re.IGNORECASE,
)
"""Words right behind a step that say when it is taken: "(only if it rains)"."""
_MAY_DEPEND = (
    "if", "case", "unless", "provid", "long as", "depend", "assum", "suppos", "subject", "pending",
    "when", "option", "condition", "tentativ", "maybe", "perhaps", "possibl", "falls", "sofern",
    "si ", "nur wenn", "sure", "only on", "?)", ")?", ") ?", "later", "tomorrow", "already done",
    "should ", "permi", "consent", "approv", "agree", "allow", "confirm", "else", "otherwise",
    "wenn", "caso", "by the", "or do", "or not", "or stop", "or skip", *sorted(WORDS["others"]),
)  # fmt: skip
"""A line without any of these is taken in any case, which is quickly seen."""
_CASE = lazy_pattern(
    r"[\W\d]*(?:if|unless|in case|only if|as long as)\b[^.:!?\n]{3,80}:\W*$", re.IGNORECASE
)
_EXPLAINS = lazy_pattern(r"\b(?:so|because|since|in order|which|that|whether)\b", re.IGNORECASE)
"""Words behind a step whose clause a condition belongs to: "so that I see it if it rains"."""
_VALUE = lazy_pattern(
    rf"\W*(?:(?:skip|omit)\b[^,.\n]*\b(?:if|when|unless)\b|{_SAYS_WHEN})", re.IGNORECASE
)
_CONDITION_KEYS = WORDS["condition_keys"]
_OPTION_KEYS = WORDS["option_keys"]
_NEED_KEYS = WORDS["need_keys"]
_BESIDE_CONDITION = WORDS["beside_condition"]
_ALWAYS = WORDS["always"] | {"", "-", "\u2013", "\u2014"}
"""Values under which a step is taken in any case."""


def begins_with_condition(text: str) -> re.Match[str] | None:
    """Return the words with which a line makes its step conditional; None if it does not."""
    return _BEFORE.match(text)


def names_case(line: str) -> bool:
    """Whether a line names the case in which what stands below it is done: "If it rains:"."""
    return _CASE.match(line) is not None


def has_condition_behind(text: str, step_end: int) -> bool:
    """Whether right behind a step its line says when it is taken, or that it may not be."""
    return _BEHIND.match(text, step_end) is not None


def depends_on_case(text: str, step_start: int = 0) -> bool:
    """Whether words before or behind a step of a line say that it is only taken in some case.

    Args:
        text: The line.
        step_start: Where the step begins.
    """
    lowered_text = text.lower()
    if text.isascii() and not any(word in lowered_text for word in _MAY_DEPEND):
        return False
    condition = _BEFORE.match(text)
    if condition is not None and condition["when"] is None and condition["waiting"] is None:
        return True
    behind = _BEHIND.search(text, step_start)
    return behind is not None and not _EXPLAINS.search(text, step_start, behind.start())


def makes_conditional(pair: Pair) -> bool:
    """Whether a key beside a step, or what it says, leaves open whether the step is taken."""
    words = set(key_words(pair.key.value)) - _BESIDE_CONDITION
    value = pair.text.strip().lower() if isinstance(pair.value, Text) else None
    if not words:
        return False
    if words <= _CONDITION_KEYS:
        if value is None:
            return isinstance(pair.value, Group) and bool(pair.value.items)
        return value not in _ALWAYS
    if words <= _OPTION_KEYS:
        return value in ("true", "yes", "1", "x")
    if words <= _NEED_KEYS:
        return value in ("false", "no", "0")
    return value is not None and _VALUE.match(value) is not None
