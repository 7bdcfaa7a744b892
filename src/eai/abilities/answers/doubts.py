"""Lines that cannot be read as steps, but may have been meant as some."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eai.abilities.answers.forms import (
    MOST_WORDS,
    calls_in,
    is_call,
    lead_of,
    shouts,
)
from eai.abilities.answers.plan import ReadStep
from eai.abilities.answers.tokens import LONGEST, has_id, words_of
from eai.abilities.answers.words import (
    ACTION_KEYS,
    ASIDE_KEYS,
    CONNECTIVES,
    EXPLAINING,
    FILLERS,
    HEADINGS,
    STATES,
    STATING,
)

__all__ = ["goes_on", "may_be_step", "resembles_call", "resembles_step", "told_again"]

MOST_WORDS_AROUND = 3
"""A call with more words around it stands in a sentence."""

_NAME = re.compile(r"[^\W\d_][\w\-]*")
_CALL = re.compile(r"[^\W\d][\w\-]*\([^()]*\)")
_TAG = re.compile(r"<[^<>\n]{0,200}>")
_ATTACHED_BRACKET = re.compile(r"\w[\[({<](?!e?s\))\w")
_AND_SO_ON = re.compile(
    r"\W*(?:etc|and so (?:on|forth)|repeat\b.*|x ?\d+|\d+ ?x)\W*|\s*(?:\.\.\.|\u2026)\s*",
    re.IGNORECASE,
)


def goes_on(line: str) -> bool:
    """Whether a line stands for steps that are left out: ``...``, ``etc.``, ``repeat this``."""
    return _AND_SO_ON.fullmatch(line) is not None


def told_again(line: str, steps: Sequence[ReadStep]) -> bool:
    """Whether the calls in a line are steps of the plan, of which it tells something."""
    known = [frozenset(words_of(str(step))) for step in steps]
    return all(any(step.issuperset(words_of(call)) for step in known) for call in calls_in(line))


def may_be_step(line: str) -> bool:
    """Whether a line beside a plan is, or begins with, a call, or is one with marks around it."""
    return is_call(line) or shouts(line) or resembles_call(line) or _begins_with_call(line)


def resembles_call(line: str) -> bool:
    """Whether a line is a call with some marks or a few words around it, and no sentence."""
    calls = calls_in(line)
    if not calls:
        return False
    plain = _CALL.sub(" ", _TAG.sub(" ", line))
    words = words_of(plain)
    around = (FILLERS - CONNECTIVES) | STATING | EXPLAINING | STATES
    return len(words) <= MOST_WORDS_AROUND and around.isdisjoint(words)


def _begins_with_call(line: str) -> bool:
    bare = line[lead_of(line)[2] :].replace("**", "").strip(" \t\r`\"'")
    return any(bare.startswith(call) for call in calls_in(line)[:1])


def resembles_step(line: str) -> bool:
    """Whether a line that cannot be read begins like a step and is no sentence.

    It is a few words, the first one in capitals, or with an id or an attached bracket in them;
    a call with something around it; a tag or the row of a table with words; or "and so on".
    """
    bare = line[lead_of(line)[2] :].strip(" \t\r`*")
    if bare.startswith("[") or goes_on(bare) or _is_row(bare):
        return True
    if resembles_call(line) or _begins_with_call(line):
        return True
    label, colon, _ = bare.partition(":")
    return (bool(colon) and label.lower() in ACTION_KEYS) or _begins_like_step(bare)


def _is_row(bare: str) -> bool:
    """Whether it is the row of a table, or stands in tags, and has words."""
    return bare.startswith(("<", "|")) and any(map(str.isalnum, _TAG.sub("", bare)))


def _begins_like_step(bare: str) -> bool:
    words = bare.split()
    first = _NAME.match(bare)
    if first is None or not 0 < len(words) <= MOST_WORDS or bare.endswith((".", ":", "?")):
        return False
    if _states([first.group().lower(), *(word.lower() for word in words)]):
        return False
    short = (word.strip("<>()[],;") for word in words[1:] if len(word) <= LONGEST)
    ids = any(map(has_id, short))
    name = first.group()
    capitals = len(name) > 1 and name.isupper() and name.lower() not in HEADINGS
    return ids or capitals or _ATTACHED_BRACKET.search(bare) is not None


def _states(words: list[str]) -> bool:
    """Whether words are a statement, or begin with a label such as ``Initial state:``."""
    labels = [place for place, word in enumerate(words, 1) if word.endswith(":")]
    label = [word.strip(":*") for word in words[: max(labels, default=1)]]
    return (
        words[0] in FILLERS | CONNECTIVES
        or not STATING.isdisjoint(words)
        or not (HEADINGS | ASIDE_KEYS | {"state"}).isdisjoint(label)
    )
