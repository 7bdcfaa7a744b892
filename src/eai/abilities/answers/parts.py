"""The parts of a step in a JSON-like value: which key names its action, which its objects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from eai.abilities.answers.nodes import Group, Item, Node, Pair, Text
from eai.abilities.answers.scanner import scan_block
from eai.abilities.answers.tokens import tokens_of, words_of
from eai.abilities.answers.words import ACTION_KEYS, HEADINGS, OBJECT_KEYS

__all__ = [
    "arguments_of",
    "encoded",
    "is_cut",
    "named_at",
    "names_objects",
    "object_key",
    "pairs_of",
    "plain_key",
    "submitted",
]

MOST_TOKENS = 10_000
"""A value in a string with more words and brackets is not read."""
DEEPEST = 8
"""Nor is one with brackets that are nested deeper."""

_SUBMITTING = HEADINGS | {"submit"}
_BRACKET = re.compile(r"[\[{(\])}]")


def plain_key(key: str) -> str:
    """A key in small letters, with underscores between its words."""
    return key.strip().lower().replace(" ", "_").replace("-", "_")


def object_key(key: str) -> bool:
    """Whether a key names the objects of a step: ``object``, ``target_location``, ``arg1``."""
    words = plain_key(key).rstrip("0123456789_").split("_")
    return all(word in OBJECT_KEYS for word in words)


def named_at(keys: Sequence[str]) -> int | None:
    """Which of the keys of an object names its action; None if it is no step with named parts."""
    named = next((i for i, key in enumerate(keys) if key in ACTION_KEYS), None)
    if named is None and "name" in keys and any(map(object_key, keys[1:])):
        return keys.index("name")
    return named


def names_objects(pair: Pair, *, calling: bool) -> bool:
    """Whether a part of a step names its objects; in a call, ``id`` may be that of the call."""
    if calling and plain_key(pair.key.value) == "id" and isinstance(pair.value, Text):
        return pair.value.value.isdigit()
    return object_key(pair.key.value)


def pairs_of(group: Group) -> list[Pair]:
    """The pairs of a key and a value in a group."""
    return [item for item in group.items if isinstance(item, Pair)]


def submitted(action: Pair, values: list[Pair]) -> Group | None:
    """The plan in a call of a tool such as ``submit_plan``, whose argument is the plan."""
    name = action.value.value if isinstance(action.value, Text) else ""
    if len(values) != 1 or _SUBMITTING.isdisjoint(words_of(name.replace("_", " "))):
        return None
    inside = values[0].value
    if not isinstance(inside, Group) or inside.kind != "object":
        return None
    keys = (plain_key(pair.key.value) for pair in pairs_of(inside) if isinstance(pair.value, Group))
    return None if HEADINGS.isdisjoint(keys) else inside


def is_cut(item: Item | None) -> bool:
    """Whether the end of the text cut into a value."""
    node = item.value if isinstance(item, Pair) else item
    if isinstance(node, Group):
        return node.cut or any(map(is_cut, node.items))
    return node is not None and node.cut


def arguments_of(node: Node | None) -> Iterator[str]:
    """The names and ids in the value of a step, flat and in order."""
    if isinstance(node, Text):
        inside = encoded(node)
        yield from tokens_of(node.value) if inside is None else arguments_of(inside)
    elif node is not None:
        if node.name is not None:
            yield node.name.value
        for item in node.items:
            if isinstance(item, Pair):
                if not object_key(item.key.value):
                    yield from tokens_of(item.key.value)
                yield from arguments_of(item.value)
            else:
                yield from arguments_of(item)


def encoded(text: Text) -> Group | None:
    """The value that stands in a string, as in tool calls: ``"{'object': 'light'}"``."""
    value = text.value.strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        value = f"[{value}]"  # a string that was encoded twice
    if not text.quoted or value[:1] + value[-1:] not in ("{}", "[]"):
        return None
    steps = (1 if bracket in "[{(" else -1 for bracket in _BRACKET.findall(value))
    if max(accumulate(steps)) > DEEPEST:
        return None
    group = scan_block(value, 0, end=len(value), most=MOST_TOKENS).group
    return None if group.cut or group.end < len(value) else group
