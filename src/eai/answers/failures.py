"""Steps that failed when they were tried, as an answer or the log of an agent says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eai.answers.decisions import OPTIONS
from eai.answers.items import Step
from eai.answers.plan import REJECTING_SIGNS

_SIGN = f"[{REJECTING_SIGNS}]"
_LABEL = re.compile(
    r"\W*(?:(?:observation|result|output|response|status|outcome|feedback|returned|return value"
    r"|(?:tool|environment|env|action|execution) (?:result|output|response|feedback|status)"
    r"|environment|stdout|stderr)\b[^:=\n]{0,12}[:=]\s*)",
    re.IGNORECASE,
)
"""The label of what a tool said of a step."""
_FAILURE = (
    r"(?:fail(?:ed|ure|s)?|errors?|exception|refused|denied|rejected|unsuccessful|aborted"
    r"|timed out|timeout|not (?:possible|executed|successful|allowed)|could not|cannot|unable to"
    r"|(?:exit )?(?:code|status):? [1-9])\b(?! (?:handling|cases?|messages?|recovery|correction))"
)
_SAID_FAILURE = re.compile(rf"(?<!\w)(?:{_FAILURE}|{_SIGN})", re.IGNORECASE)
_BEGINS_WITH_FAILURE = re.compile(
    r"(?!\W*(?:rejected|refused|denied))"  # the begin of "Rejected alternative"
    r"\W*(?:(?:the )?(?:action|step|it|this|command|call) )?(?:has |have |was |is )?"
    rf"(?:{_FAILURE}"
    rf"|traceback\b)|\s*{_SIGN}(?!\W*{OPTIONS}\b)",
    re.IGNORECASE,
)
_NO_FAILURE = re.compile(
    r"\b(?:no|0|without|not|never|none|zero|any)\s(?:\w+ )?(?:errors?|failures?|fail\w*)"
    r"|\bcannot be (?:skipped|omitted|left out|dropped|removed)"
    r"|\b(?:errors?|failures?)\b\W{1,4}(?:none|null|no|0|false|nil)\b|\b(?:if|would|might)\b",
    re.IGNORECASE,
)
_IS_FALSE = re.compile(r"\W*(?:false|no|0|ko|nok|bad)\W*$", re.IGNORECASE)
_FAILED_BEFORE = re.compile(rf"[\s\d.)*+-]*{_SIGN}|(?:\S+ ){{0,3}}\W?(?:ERROR|FAIL(?:ED)?)\b")
_FAILED_BEHIND = re.compile(
    r"[)\]>\w`'\"*]\s*(?:\.{2,}|\u2026|->|=>|\u2192|:|[(\[]|[\u2014\u2013-] |\|)\s*[`'\"*]{0,3}"
    rf"(?:{_FAILURE}|{_SIGN})[^)\]\n]{{0,60}}[)\]]?\W*$|\s{_SIGN}\W*$",
    re.IGNORECASE,
)


def says_nothing(value: str) -> bool:
    """Whether the text under a key for errors says that there is none."""
    return value.strip().lower() in ("none", "null", "no", "false", "nil", "0", "n/a", "ok")


def marks_failure(line: str) -> bool:
    """Whether a line with a step marks it as one that failed: ``OPEN(door) ... FAILED``."""
    is_marked = _FAILED_BEFORE.match(line) or _FAILED_BEHIND.search(line)
    return bool(is_marked) and _NO_FAILURE.search(line) is None


def reports_failure(line: str) -> bool:
    """Whether a line right below a step says that the step failed: ``Observation: it failed``."""
    if _NO_FAILURE.search(line):
        return False
    label = _LABEL.match(line)
    if label is None:
        return _BEGINS_WITH_FAILURE.match(line) is not None
    result = line[label.end() :]
    return _SAID_FAILURE.search(result[:80]) is not None or _IS_FALSE.match(result) is not None


def without_repeated_failures(steps: Sequence[Step]) -> tuple[list[Step], list[Step]]:
    """Return steps without failed attempts that are repeated, and those that are not repeated.

    A failed attempt changed nothing, so a later attempt takes its place. What is done instead of a
    failed step is not known; so the step stays, and is returned as failed as well.
    """
    remaining_steps: list[Step] = []
    failed_steps: list[Step] = []
    for index, step in enumerate(steps):
        if not step.is_failed:
            remaining_steps.append(step)
        elif not any(step.says_same(later) for later in steps[index + 1 :]):
            remaining_steps.append(step)
            failed_steps.append(step)
    return remaining_steps, failed_steps
