"""What stands beside a plan in a value and is not read: explanations, or steps?

Something has the form of a step if it is a call, a line of a script, an object with the keys of
a step, or a value under a key in capitals. Whether a key in small letters is the name of an
action is for the task's vocabulary to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from eai.abilities.answers.forms import is_call, read_line
from eai.abilities.answers.nodes import Group, Node, Pair, Text
from eai.abilities.answers.parts import (
    arguments_of,
    encoded,
    named_at,
    object_key,
    pairs_of,
    plain_key,
)
from eai.abilities.answers.plan import Beside, ReadStep
from eai.abilities.answers.words import CALLING, EXPLAINING, RESERVED, STATES

__all__ = ["beside_plan"]

MOST_LINES = 200
"""So many lines of a text beside a plan are looked at."""
MOST_WORDS = 2
"""The name of an action has at most so many, unless it is a call."""

_ONE_NAME = re.compile(r"[<(]?\w[\w.\-]*[>)]?(?:[ ,]+[<(]?[\w.\-]+[>)]?)?")


def beside_plan(pair: Pair, *, capitals: bool) -> Iterator[Beside]:
    """Find what may be steps in a pair that is not read.

    Args:
        pair: A key and its value, beside a plan or among the parts of a step.
        capitals: Whether a key in capitals is a sign that an action is meant.

    Yields:
        The steps that it may stand for, in order.
    """
    words = set(plain_key(pair.key.value).split("_"))
    if not words.isdisjoint(STATES):
        return
    if words.isdisjoint(EXPLAINING):
        yield from _pair(pair, capitals=capitals)
    elif isinstance(pair.value, Group):
        told = _node(pair.value, capitals=capitals)
        yield from (replace(beside, explaining=True) for beside in told)


def _pair(pair: Pair, *, capitals: bool) -> Iterator[Beside]:
    key, value = pair.key.value.strip(), pair.value
    if _is_name(key) and not (plain_key(key) in RESERVED or object_key(key)):
        step = ReadStep(key, tuple(arguments_of(value)), pair.key.at)
        plain = not isinstance(value, Group)
        short = not isinstance(value, Text) or _ONE_NAME.fullmatch(value.value.strip()) is not None
        shouted = capitals and key.isupper() and len(key) > 1
        yield Beside(step, sure=shouted and short and value is not None, plain=plain)
    if value is not None:
        yield from _node(value, capitals=capitals)


def _is_name(name: str) -> bool:
    return len(name.split()) <= MOST_WORDS and name.replace("_", "a").replace(" ", "a").isalpha()


def _node(node: Node, *, capitals: bool) -> Iterator[Beside]:
    if isinstance(node, Text):
        yield from _text(node, capitals=capitals)
    elif node.kind == "call" and node.name is not None:
        objects = replace(node, kind="list", name=None)
        yield Beside(ReadStep(node.name.value, tuple(arguments_of(objects)), node.at), sure=True)
    elif node.kind == "object":
        yield from _object(node, capitals=capitals)
    else:
        yield from _words(node, capitals=False)
        yield from _list(node, capitals=capitals)


def _text(text: Text, *, capitals: bool) -> Iterator[Beside]:
    """Steps in a string; a bare word is a name or a number."""
    for beside in _written(text, capitals=capitals):
        yield replace(beside, step=replace(beside.step, position=text.at))


def _written(text: Text, *, capitals: bool) -> Iterator[Beside]:
    inside = encoded(text)
    if inside is not None:
        yield from _node(inside, capitals=capitals)
    elif text.quoted:
        for line in text.value.splitlines()[:MOST_LINES]:
            sure = is_call(line) or _shouts(line.split())
            yield from (Beside(step, sure=sure, plain=True) for step in read_line(line, 0))


def _shouts(words: list[str]) -> bool:
    """Whether the first of several words is in capitals and not all of them are."""
    return len(words) > 1 and words[0].isupper() and not "".join(words[1:]).isupper()


def _object(group: Group, *, capitals: bool) -> Iterator[Beside]:
    pairs = pairs_of(group)
    keys = [plain_key(pair.key.value) for pair in pairs]
    named = named_at(keys)
    for pair, key in zip(pairs, keys, strict=True):
        if named is None or not (key == keys[named] or object_key(key)):
            yield from beside_plan(pair, capitals=capitals)
        elif key == keys[named] and isinstance(pair.value, Text):
            yield from _named(pair.value, pairs, sure=key != "name" or not CALLING.isdisjoint(keys))
        elif key == keys[named] and pair.value is not None:
            yield from _node(pair.value, capitals=capitals)


def _named(name: Text, pairs: list[Pair], *, sure: bool) -> Iterator[Beside]:
    """The step of an object with named parts."""
    if is_call(name.value):
        yield from (Beside(step, sure=True) for step in read_line(name.value, name.at))
        return
    objects = [p for p in pairs if object_key(p.key.value) and p.value is not name]
    values = tuple(value for pair in objects for value in arguments_of(pair.value))
    step = ReadStep(name.value.strip(), values, name.at)
    yield Beside(step, sure=sure and bool(objects) and _is_name(step.name))


def _list(group: Group, *, capitals: bool) -> Iterator[Beside]:
    for item in group.items:
        if isinstance(item, Pair):
            yield from beside_plan(item, capitals=capitals)
        elif isinstance(item, Group) and item.kind == "list":
            yield from _words(item, capitals=capitals)
            yield from _list(item, capitals=capitals)
        else:
            yield from _node(item, capitals=capitals)


def _words(group: Group, *, capitals: bool) -> Iterator[Beside]:
    """The step in a list of words, its name first."""
    texts = [item for item in group.items if isinstance(item, Text)]
    if len(texts) == len(group.items) > 1 and _is_name(texts[0].value):
        values = tuple(value for text in texts[1:] for value in arguments_of(text))
        sure = capitals and _shouts([text.value for text in texts])
        yield Beside(ReadStep(texts[0].value, values, texts[0].at), sure=sure, plain=True)
