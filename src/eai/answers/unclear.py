"""Lines that may have been meant as steps, though they could not be read as some."""

from __future__ import annotations

import re

from eai.answers.plan import (
    ACTION_KEYS,
    ASIDE_KEYS,
    CONNECTIVES,
    EXPLAINING,
    FILLERS,
    HEADINGS,
    STATES,
    STATING,
    has_id,
    words_of,
)

MAX_WORDS = 8
"""Maximum number of words of a line that begins like a step; a sentence has more."""
MAX_WORDS_AROUND = 3
"""Maximum number of words around a call; a call in a sentence has more."""

_CALL = re.compile(r"\b[^\W\d][\w\-]{0,60}\([^()\n]*\)")
_TAG = re.compile(r"<[^<>\n]{0,200}>")
_WORDS_BEFORE_BRACKET = re.compile(r"[^\W\d_][\w\- ]{0,60}[(\[<][^()\[\]<>\n]+[)\]>]+[.,;]?$")
_BRACKETED_NAME = re.compile(r"\[[^\[\]\n]{1,60}\]\s{0,3}[<(]")
_ATTACHED_BRACKET = re.compile(r"\w[\[({<](?!e?s\))\w")
_LEAVES_OUT = re.compile(
    r"[\W\d]*(?:etc|(?:and )?so (?:on|forth)|repeat\b[^\n]*|x ?\d+|\d+ ?x)\W*|\W{0,8}(?:\.\.\."
    r"|\u2026)\W{0,8}",
    re.IGNORECASE,
)
_TALKS = (FILLERS - CONNECTIVES) | STATING | EXPLAINING | STATES


def leaves_out(line: str) -> bool:
    """Whether a line stands for steps that are left out: ``...``, ``etc.``, ``repeat this``."""
    return len(line) < 200 and _LEAVES_OUT.fullmatch(line) is not None


def is_like_step(rest: str, *, names_object: bool) -> bool:
    """Whether a line that is not read begins like a step and is no sentence.

    Args:
        rest: The line behind its number or bullet.
        names_object: Whether it names an object of the task.
    """
    bare = rest.strip(" \t\r`*")
    if _BRACKETED_NAME.match(bare):
        return True
    if is_like_call(bare):
        return True
    label, colon, behind = bare.partition(":")
    if colon and label.strip().lower() in ACTION_KEYS:
        return bool(words_of(behind))
    return _begins_like_step(bare, names_object=names_object)


def is_like_call(bare: str) -> bool:
    """Whether a line is a call with a few words around it."""
    calls = _CALL.findall(bare)
    if not calls or calls[0].endswith(("(s)", "(es)")):
        return False
    plain = words_of(_CALL.sub(" ", _TAG.sub(" ", bare)))
    if len(plain) <= MAX_WORDS_AROUND and _TALKS.isdisjoint(plain):
        return True
    return bare.startswith(calls[0]) and not _is_label(bare[len(calls[0]) :])


def _is_label(behind: str) -> bool:
    """Whether what stands behind a call makes it the head of an explanation: ``OPEN(x): ...``."""
    return behind.lstrip("`* ").startswith((":", "-", "\u2013", "\u2014", "=", "is ", "are "))


def _begins_like_step(bare: str, *, names_object: bool) -> bool:
    """Whether words look like a step: ``SEARCH bathroom``, ``dust(shelf)``, ``fly to hall.3``."""
    words = bare.split()
    if not 0 < len(words) <= MAX_WORDS or not words[0][0].isalpha():
        return False
    if bare.endswith((".", ":", "?")):
        return False
    plain = [word.lower().strip("<>()[],;*`") for word in words]
    if plain[0] in FILLERS | CONNECTIVES or not STATING.isdisjoint(plain):
        return False
    # "Initial state: ..." explains: the words up to the last colon are a label.
    colons = [number for number, word in enumerate(words, 1) if word.endswith(":")]
    label = [word.strip(":*") for word in plain[: max(colons, default=1)]]
    if not (HEADINGS | ASIDE_KEYS | {"state"}).isdisjoint(label):
        return False
    if len(words) > 1 and (names_object or any(map(has_id, plain[1:]))):
        return True
    is_first_in_capitals = len(words[0]) > 1 and words[0].isupper() and not bare.isupper()
    if is_first_in_capitals or _ATTACHED_BRACKET.search(bare):
        return True
    return _WORDS_BEFORE_BRACKET.match(bare) is not None and has_number(bare)


def has_number(text: str) -> bool:
    """Whether a text has a digit."""
    return any(map(str.isdigit, text))
