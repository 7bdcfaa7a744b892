"""Keys of values: which hold plans, objects or remarks, and the roles of objects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from eai.answers.number_words import NUMBER_WORDS
from eai.answers.plan import ASIDE_KEYS, EXPLAINING, HEADINGS, OBJECT_KEYS, STATES, VERBS, WORDS
from eai.answers.values import Group, Node, Pair, Text, decode_value, key_words, plain_key

_FIRST_ROLES = WORDS["first_roles"]
_LAST_ROLES = WORDS["last_roles"]
_ASIDE_KEYS = ASIDE_KEYS | {"type", "role", "confidence", "status", "kind", "usage"}
_OTHERS = WORDS["other_speakers"]
_REPLIES = WORDS["replies"]


@lru_cache(maxsize=4096)
def is_aside_key(key: str) -> bool:
    """Whether a key stands over explanations, states, replies, numbers or other asides."""
    return is_explaining_key(key) or plain_key(key) in _ASIDE_KEYS


@lru_cache(maxsize=4096)
def is_explaining_key(key: str) -> bool:
    """Whether a key stands over explanations, states, or a reply: nothing there is a step."""
    return is_reply_key(key) or any(word in EXPLAINING or word in STATES for word in key_words(key))


def is_reply_key(key: str) -> bool:
    """Whether a key, or the name of an element, stands over a reply: ``tool_response``."""
    *speaker, last = key_words(key) or ("",)
    return last in _REPLIES and not _OTHERS.isdisjoint(speaker)


@lru_cache(maxsize=4096)
def is_object_key(key: str) -> bool:
    """Whether a key names the objects of a step: ``object``, ``target_location``, ``arg1``."""
    words = key_words(key)
    return bool(words) and all(word in OBJECT_KEYS for word in words)


_COLLECTIONS = frozenset(["objects", "items", "entities", "things", "locations", "receptacles"])


def lists_objects(key: str) -> bool:
    """Whether a key lists objects of a kind, as no name of an action does: ``relevant_objects``."""
    words = key_words(key)
    # "pick_objects" may be an action that the task does not have.
    return len(words) > 1 and words[-1] in _COLLECTIONS and words[0] not in VERBS


def is_input_key(key: str) -> bool:
    """Whether a key or a label stands over the input of a tool: ``Action Input``."""
    return key_words(key)[-1:] == ("input",)


def heads_objects(label: str) -> bool:
    """Whether a label stands before objects of a step: ``Object``, ``Action Input``."""
    return is_object_key(label) or is_input_key(label)


def is_heading_key(key: str) -> bool:
    """Whether a key stands over a plan: ``plan``, ``executable_plan``."""
    return plain_key(key) in HEADINGS or key_words(key)[-1:] in (
        ("plan",),
        ("actions",),
        ("steps",),
    )


_NUMBERED = re.compile(
    r"(?:(?:step|s|action|act|a|time|t|task|subtask|move|turn|command|cmd|instruction|skill|op"
    r"|operation)[ _\-]*)?#?\d+"
)


@lru_cache(maxsize=4096)
def is_numbering(key: str) -> bool:
    """Whether a key is only a number: ``step_1``, ``3``."""
    plain = plain_key(key)
    if _NUMBERED.fullmatch(plain):
        return True
    words = plain.split("_")
    return len(words) == 2 and "step" in words and not NUMBER_WORDS.keys().isdisjoint(words)


def number_of(key: str) -> int | None:
    """Return the number in a key, ``3`` of ``step_3``; None if there is none, or over a million."""
    digits = re.search(r"\d+", key)
    if digits is not None:
        return int(digits[0]) if len(digits[0]) < 7 else None
    for word in key_words(key):
        if word in NUMBER_WORDS:
            return NUMBER_WORDS[word]
    return None


def in_order_of_roles(named_objects: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return named objects in the order of an action's parameters: what is moved, then where to.

    Args:
        named_objects: The key of each object, such as ``to``, with its name.
    """
    if len(named_objects) < 2:
        return list(named_objects)
    has_numbers = are_numbered(named_objects)

    def rank_of_role(pair: tuple[str, str]) -> int:
        key = plain_key(pair[0])
        if has_numbers:
            return int(key[-1])
        words = {key, *key_words(pair[0])}
        if words & _LAST_ROLES:
            return 2
        return 0 if words & _FIRST_ROLES else 1

    return sorted(named_objects, key=rank_of_role)


def are_numbered(named_objects: Sequence[tuple[str, str]]) -> bool:
    """Whether the keys of all objects end in a number: ``object1``, ``arg_2``."""
    return all(plain_key(key)[-1:] in tuple("123456789") for key, _ in named_objects)


def fitting_roles(named_objects: Sequence[tuple[str, str]], max_objects: int) -> list[str]:
    """Return named objects in the order of an action's parameters.

    If they are too many, those that only say where, such as ``to``, are left out.

    Args:
        named_objects: The key of each object, with its name.
        max_objects: Number of objects that the action takes; -1 if it is unknown.
    """
    ordered_objects = in_order_of_roles(named_objects)
    with_roles = [pair for pair in ordered_objects if is_object_key(pair[0])]
    if 0 < max_objects == len(with_roles):
        ordered_objects = with_roles  # {"object": "cup", "timeout": 10}
    if 0 < max_objects < len(ordered_objects):
        objects_without_places = [
            pair for pair in ordered_objects if set(key_words(pair[0])).isdisjoint(_LAST_ROLES)
        ]
        ordered_objects = (
            objects_without_places
            if len(objects_without_places) == max_objects
            else ordered_objects
        )
    return [value for _, value in ordered_objects]


def texts_of(node: Node | None) -> Iterator[str]:
    """Yield the texts in a value: a name, then what stands under keys, then all else in order.

    What stands under keys comes in the order of their roles, so ``{"target": "shelf", "object":
    "cup"}`` gives "cup" and "shelf". Keys of remarks (``"why"``) are passed over.
    """
    if isinstance(node, Text):
        yield node.value
        return
    if node is None:
        return
    if node.name is not None:
        yield node.name.value
    for _, value in in_order_of_roles(texts_under_keys(node)):
        yield value
    for member in node.members:
        yield from texts_of(member)


def texts_under_keys(group: Group) -> list[tuple[str, str]]:
    """Return the keys of a value that may name objects, each with the texts under it.

    Keys of remarks do not name objects. Nor does ``"id"`` in a list of steps, but here it may.
    """
    parameter = _named_parameter(group)
    if parameter is not None:
        return [parameter]
    texts_by_key: list[tuple[str, str]] = []
    for pair in group.pairs:
        is_empty_group = isinstance(pair.value, Group) and not pair.value.items
        if is_empty_group and not is_object_key(pair.key.value):
            texts_by_key.append(("", pair.key.value))  # {"light.34": {}}
        elif _may_name_objects(pair):
            texts_by_key.append((pair.key.value, ", ".join(texts_of(pair.value))))
    return texts_by_key


def _named_parameter(group: Group) -> tuple[str, str] | None:
    """Return the key and text in ``{"name": "object", "value": "cup"}``; None if it is no such.

    In ``{"name": "light", "value": "411"}`` the value is the id of the object.
    """
    # Other keys beside these two say that it is more than one argument of a call.
    if len(group.items) != 2:
        return None
    pairs = group.pairs
    texts = {pair.name: pair.value.value for pair in pairs if isinstance(pair.value, Text)}
    if len(pairs) != 2 or "value" not in texts:
        return None
    name = texts.get("name") or texts.get("key")
    is_id = texts["value"].isdigit() and name is not None and not is_object_key(name)
    return None if name is None or is_id else (name, texts["value"])


def has_texts(node: Node | None) -> bool:
    """Whether :func:`texts_of` yields anything, which is told without looking below keys."""
    if not isinstance(node, Group):
        return node is not None
    if node.name is not None or any(map(_may_name_objects, node.pairs)):
        return True
    return any(map(has_texts, node.members))


def _may_name_objects(pair: Pair) -> bool:
    """Whether a key may stand over objects, as no remark does."""
    return not is_aside_key(pair.key.value) or pair.name == "id"


def decode_if_encoded(node: Node | None) -> Node | None:
    """Return the value in a string, if the string holds one."""
    if isinstance(node, Text):
        return decode_value(node) or node
    return node


def is_rejected_key(key: str) -> bool:
    """Whether a key says that what stands under it is not meant."""
    from eai.answers.choice import is_rejected

    return is_rejected(key.replace("_", " "))


def is_framing_key(key: str) -> bool:
    """Whether a key says that what stands under it is meant, or is not."""
    from eai.answers.choice import is_final, is_rejected

    words = key.replace("_", " ")
    return is_final(words) or is_rejected(words)
