"""Words around goals: labels of sections, keys of the parts of a goal, keys of asides."""

from __future__ import annotations

import re
from functools import lru_cache

from eai.answers import EXPLAINING
from eai.answers.plan import word_sets
from eai.answers.values import key_words, plain_key

_GOALS = word_sets("goals")

_SECTIONS = {word: kind for kind in ("state", "relation", "action") for word in _GOALS[kind]}
_ROLES = ("to", "from", "subject", "predicate", "act", "arguments", "object")
"""Kinds of parts of a goal; of several that a key says, the first counts."""
KIND_KEYS = _GOALS["kind_keys"]
"""Keys under which an object says of which kind its goal is."""
NEGATING = _GOALS["negating"]
"""Keys under which an object says that its goal shall be false."""
MAX_KEY = 60
"""Maximum number of characters of a key or a label."""
_cached = lru_cache(maxsize=2_000)


@_cached
def kind_of(label: str) -> str | None:
    """Return the kind of goals that a label names.

    ``node goals`` names states, ``goals`` all kinds (an empty text), and ``tv`` none (None): any
    other word makes it no label of goals.
    """
    words = key_words(label[:MAX_KEY])
    kinds: set[str] = set()
    for word in words:
        if word in _SECTIONS:
            kinds.add(_SECTIONS[word])
        elif word not in _GOALS["labels"]:
            return None
    if len(kinds) == 1:
        return kinds.pop()
    is_heading = bool(kinds) or not _GOALS["headings"].isdisjoint(words)
    return "" if is_heading else None


@_cached
def is_section(key: str) -> bool:
    """Whether a key can only be that of a section: ``node goals``, not ``state``."""
    is_of_goals = not _GOALS["headings"].isdisjoint(key_words(key[:MAX_KEY]))
    return is_of_goals and kind_of(key) is not None


@_cached
def role_of(key: str) -> str:
    """Return what stands under a key of a goal; empty if the key does not say it."""
    words = key_words(key[:MAX_KEY]) or [plain_key(key[:MAX_KEY])]
    for role in _ROLES:
        if not _GOALS[role].isdisjoint(words):
            return role
    return ""


@_cached
def is_aside(key: str) -> bool:
    """Whether a key stands over explanations and other asides."""
    words = key_words(key[:MAX_KEY]) or [plain_key(key[:MAX_KEY])]
    return not (EXPLAINING | _GOALS["asides"]).isdisjoint(words)


def is_plural(label: str) -> bool:
    """Whether a label stands over several goals: ``states``, ``node goals``, ``Goal``."""
    return any(word in ("goal", "goals") or word.endswith("s") for word in key_words(label))


def says_nothing(text: str) -> bool:
    """Whether a text says that there are no goals of a kind: ``none``, ``no edge goals``."""
    words = re.findall(r"[a-z]+", text.lower().replace("n/a", "none"))
    filler_words = _GOALS["nothing"] | _GOALS["labels"] | _SECTIONS.keys()
    return not _GOALS["nothing"].isdisjoint(words) and filler_words.issuperset(words)


def is_head(text: str) -> bool:
    """Whether a text is the head of a table in commas: all its parts are keys."""
    keys = [part.strip() for part in text.split(",")]
    if len(keys) < 2:
        return False
    for key in keys:
        is_key = role_of(key) != "" or plain_key(key) in KIND_KEYS | NEGATING
        if not is_key or len(key.split()) > 2:
            return False
    return True
