"""Keys of values: what stands under them, and the roles of the objects that they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from eai.answers.plan import ASIDE_KEYS, EXPLAINING, HEADINGS, OBJECT_KEYS, STATES, WORDS
from eai.answers.values import Node, Pair, Text, encoded

_FIRST_ROLES = WORDS["first_roles"]
_LAST_ROLES = WORDS["last_roles"]
_ASIDE_KEYS = ASIDE_KEYS | {"type", "role", "confidence", "status", "kind", "usage"}
_COUNTING = ("one two three four five six seven eight", "first second third fourth fifth sixth")
_NUMBER_WORDS = {
    word: number for words in _COUNTING for number, word in enumerate(words.split(), start=1)
}


@lru_cache(maxsize=4096)
def plain_key(key: str) -> str:
    """Return a key in small letters, with underscores between its words."""
    bare = key.strip(" \t?!.:*`")
    return re.sub(r"[\s\-]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", bare)).lower()


@lru_cache(maxsize=4096)
def key_words(key: str) -> tuple[str, ...]:
    """Return the words of a key without numbers."""
    return tuple(word for word in plain_key(key).strip("0123456789_").split("_") if word)


@lru_cache(maxsize=4096)
def is_aside_key(key: str) -> bool:
    """Whether a key stands over explanations, states, numbers or other asides."""
    words = key_words(key)
    is_about_steps = any(word in EXPLAINING or word in STATES for word in words)
    return is_about_steps or plain_key(key) in _ASIDE_KEYS


@lru_cache(maxsize=4096)
def is_object_key(key: str) -> bool:
    """Whether a key names the objects of a step: ``object``, ``target_location``, ``arg1``."""
    words = key_words(key)
    return bool(words) and all(word in OBJECT_KEYS for word in words)


def is_heading_key(key: str) -> bool:
    """Whether a key stands over a plan: ``plan``, ``executable_plan``."""
    return plain_key(key) in HEADINGS or key_words(key)[-1:] in (
        ("plan",),
        ("actions",),
        ("steps",),
    )


@lru_cache(maxsize=4096)
def is_numbering(key: str) -> bool:
    """Whether a key only numbers what stands under it: ``step_1``, ``3``."""
    plain = plain_key(key)
    if re.fullmatch(r"(?:(?:step|action|time|t|task|subtask|move)[ _\-]*)?#?\d+", plain):
        return True
    words = plain.split("_")
    return len(words) == 2 and not _NUMBER_WORDS.keys().isdisjoint(words) and "step" in words


def number_of(key: str) -> int | None:
    """Return the number in a key, if it has one of at most six digits."""
    digits = re.search(r"\d+", key)
    if digits is None:
        return next((_NUMBER_WORDS[word] for word in key_words(key) if word in _NUMBER_WORDS), None)
    return int(digits[0]) if len(digits[0]) < 7 else None


def in_order_of_roles(named: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return named objects in the order of an action's parameters: what is moved, then where to."""
    are_numbered = all(plain_key(key)[-1:] in "123456789" and plain_key(key) for key, _ in named)

    def rank(pair: tuple[str, str]) -> int:
        words = set(key_words(pair[0])) | {plain_key(pair[0])}
        if are_numbered:
            return int(plain_key(pair[0])[-1])
        if words & _LAST_ROLES:
            return 2
        return 0 if words & _FIRST_ROLES else 1

    return sorted(named, key=rank)


def fitting_roles(named: Sequence[tuple[str, str]], max_objects: int) -> list[str]:
    """Return named objects in order; where they are too many, without those that say only where."""
    ordered = in_order_of_roles(named)
    if 0 < max_objects < len(ordered):
        kept = [pair for pair in ordered if set(key_words(pair[0])).isdisjoint(_LAST_ROLES)]
        ordered = kept if len(kept) == max_objects else ordered
    return [value for _, value in ordered]


def texts_of(node: Node | None) -> Iterator[str]:
    """Yield the texts in a value: a name, then what stands under keys, then all else in order.

    What stands under keys comes in the order of their roles, so ``{"target": "shelf", "object":
    "cup"}`` gives "cup" and "shelf". Keys of remarks (``"why"``) are passed over; ``"id"``, which
    is one in a list of steps, tells here which object is meant.
    """
    if isinstance(node, Text):
        yield node.value
        return
    if node is None:
        return
    if node.name is not None:
        yield node.name.value
    pairs: list[tuple[str, str]] = []
    for item in node.items:
        if not isinstance(item, Pair):
            continue
        key = item.key.value
        if not is_aside_key(key) or plain_key(key) == "id":
            pairs.append((key, ", ".join(texts_of(item.value))))
    for _, value in in_order_of_roles(pairs):
        yield value
    for item in node.items:
        if not isinstance(item, Pair):
            yield from texts_of(item)


def opened(node: Node | None) -> Node | None:
    """Return the value in a string, if the string holds one."""
    if isinstance(node, Text):
        return encoded(node) or node
    return node


def is_rejected_key(key: str) -> bool:
    """Whether a key says that what stands under it is not meant."""
    from eai.answers.choice import is_rejected

    return is_rejected(key.replace("_", " "))


def frames(key: str) -> bool:
    """Whether a key says that what stands under it is meant, or is not."""
    from eai.answers.choice import is_final, is_rejected

    words = key.replace("_", " ")
    return is_final(words) or is_rejected(words)
