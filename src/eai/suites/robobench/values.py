"""Values as calls: objects and lists that name a skill, its arguments and perhaps an arm.

Each step of a value becomes a text that a line could hold, ``left: grasp(tray)``; what stands
around steps stays, so that plans, drafts and choices are found as in any value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import zip_longest

from eai.answers import (
    ACTION_KEYS,
    CALLING,
    NOTHING,
    Group,
    Item,
    Node,
    Pair,
    Text,
    is_aside_key,
    is_object_key,
    opened,
    plain_key,
    texts_of,
)
from eai.suites.robobench.vocabulary import in_roles, side_of, skill_surfaces, skills, words

_NUMBERED = re.compile(r"\d{1,6}\s?[-.):]\s?\w")


@cache
def _roles() -> frozenset[str]:
    return frozenset(role for roles in skills().values() for role in roles) - {"arm"}


def as_calls(node: Node, arm: str) -> Node:
    """Return a value in which each step with an arm or with roles is a call in a text."""
    if isinstance(node, Text):
        is_idle = node.value.strip().lower() in words()["idle"]
        said = "no_ops" if is_idle else node.value
        return replace(node, value=f"{arm}: {said}") if arm else node
    pairs = [item for item in node.items if isinstance(item, Pair)]
    name = "" if node.name is None else node.name.value
    if name and not (
        pairs and skill_surfaces().action(name) is None and len(pairs) == len(node.items)
    ):
        return _plain_call(node, arm)
    if pairs and len(pairs) == len(node.items):
        return _plain_object(node, pairs, arm)
    step = _plain_list_step(node, arm)
    if step is not None:
        return step
    items: list[Item] = []
    for item in node.items:
        inner = as_calls(item, arm) if not isinstance(item, Pair) else item
        if isinstance(inner, Group) and inner.kind == "arms":
            items += inner.items
        else:
            items.append(inner)
    kind = "list" if any(isinstance(item, Text) for item in items) else node.kind
    return replace(node, items=items, kind=kind)


def _plain_list_step(node: Group, arm: str) -> Text | None:
    """Return ``["grasp", "cup"]`` of an arm as a call."""
    texts = [item.value for item in node.items if isinstance(item, Text)]
    if (
        not arm
        or len(texts) != len(node.items)
        or not texts
        or skill_surfaces().action(texts[0]) is None
    ):
        return None
    if any(skill_surfaces().action(text) for text in texts[1:]):
        return None
    return Text(
        f"{arm}: {texts[0]}({', '.join(texts[1:])})", node.at, node.end, quoted=True, cut=node.cut
    )


def _plain_call(node: Group, arm: str) -> Node:
    """Return a call as text if it has an arm: ``left.grasp(cup)``, ``grasp(cup, arm=left)``."""
    assert node.name is not None  # noqa: S101 - it is a call
    owner, _, name = node.name.value.strip().rpartition(".")
    arm = side_of(owner.rpartition(".")[2]) or arm
    objects: list[str] = []
    given: list[tuple[str, str]] = []
    for item in node.items:
        if isinstance(item, Pair) and _has_arm_key(item):
            arm = side_of(_joined_texts(item.value)) or arm
        elif isinstance(item, Pair):
            given.append((item.key.value, _joined_texts(item.value)))
        else:
            objects += texts_of(item)
    if not (arm or given or _NUMBERED.match(name)):
        return node
    objects += in_roles(name, given)
    owner = f"{arm}: " if arm else ""
    return Text(
        f"{owner}{name}({', '.join(objects)})", node.at, node.end, quoted=True, cut=node.cut
    )


@dataclass
class _StepParts:
    """The parts of a step by the keys of an object.

    Args:
        arm: The arm that takes it.
        number: Its number, with a hyphen.
        named: The text that names its skill.
        name_key: The key of that text.
        arguments: Its arguments.
        acting: Arms as keys, with what each does.
        called: Skills as keys, as calls.
        others: All other pairs.
    """

    arm: str
    number: str = ""
    named: Text | None = None
    name_key: str = "action"
    arguments: list[Pair] = field(default_factory=list)
    acting: list[tuple[str, Node]] = field(default_factory=list)
    called: list[Item] = field(default_factory=list)
    others: list[Pair] = field(default_factory=list)

    def add(self, pair: Pair) -> None:
        """Take in a pair."""
        key, value = plain_key(pair.key.value), pair.value
        if isinstance(value, Text):
            self.add_text(pair, key, value)
        elif side_of(key) and value is not None:
            self.acting.append((side_of(key), value))
        elif _is_skill(key) and key not in CALLING and value is not None and value.kind == "object":
            given, arm = _arguments_of([pair])
            call = _call(pair.key.value, given, arm or self.arm)
            self.called.append(replace(pair.key, value=call, quoted=True))
        elif key in _roles() or key in CALLING or is_object_key(key):
            self.arguments.append(pair)
        else:
            self.others.append(pair)

    def add_text(self, pair: Pair, key: str, value: Text) -> None:
        """Take in a pair whose value is a text."""
        is_name = _is_skill(value.value) or (self.arm != "" and key in ACTION_KEYS)
        if _names_arm(pair):
            self.arm = side_of(value.value)
        elif side_of(key):
            self.acting.append((side_of(key), value))
        elif self.named is None and is_name:
            self.named = value
            self.name_key = pair.key.value if key in ACTION_KEYS else self.name_key
        elif key in _roles() or key in CALLING or is_object_key(key):
            self.arguments.append(pair)
        else:
            self.others.append(pair)
            if value.value.isdigit() and is_aside_key(key):
                self.number = f"{value.value}-"


def _has_arm_key(pair: Pair) -> bool:
    """Return whether the key of a pair asks for an arm: ``"arm"``, ``"hand"``."""
    return plain_key(pair.key.value) in words()["arm_keys"]


def _names_arm(pair: Pair) -> bool:
    """Return whether a pair says which arm takes a step: ``"arm": "left"``."""
    if not _has_arm_key(pair) or not isinstance(pair.value, Text):
        return False
    return side_of(pair.value.value) != ""


def _is_skill(written: str) -> bool:
    return skill_surfaces().action(written) is not None


def _call(skill: str, given: Sequence[tuple[str, str]], arm: str) -> str:
    """Return a step as a line would hold it."""
    call = f"{skill}({', '.join(in_roles(skill, given))})"
    return f"{arm}: {call}" if arm else call


def _plain_object(node: Group, pairs: Sequence[Pair], arm: str) -> Node:
    """Return an object whose step, if it names one, is a call under one key."""
    parts = _StepParts(arm)
    # The arm is known before the step that it takes, wherever it stands.
    for pair in sorted(pairs, key=lambda pair: not _names_arm(pair)):
        parts.add(pair)
    if parts.acting:
        return _arms_at_a_time(node, parts.acting, parts.number)
    named = parts.named
    if named is None and parts.called:
        return Group("arms", node.at, node.end, parts.called, cut=node.cut)
    if named is None:
        inner = [(p.key, p.value and as_calls(p.value, parts.arm)) for p in pairs]
        return replace(node, items=[Pair(key, value) for key, value in inner])
    given, arm = _arguments_of(_fitting(pairs, parts))
    if not given:
        others = [pair for pair in parts.others if not is_aside_key(pair.key.value)]
        given = [(pair.key.value, text) for pair in others for text in texts_of(pair.value)]
    arm = arm or parts.arm
    written = f"{arm}: {named.value}"
    if _is_skill(named.value):
        written = _call(named.value, given, arm)
    key = Text(parts.name_key, named.at, named.at)
    step = Pair(key, replace(named, value=written, quoted=True))
    return replace(node, items=[*parts.others, step])


def _is_step_number(pair: Pair) -> bool:
    """Whether a pair is the number of its step: ``"id": 3``, ``"id": "1.2"``."""
    if plain_key(pair.key.value) != "id" or not isinstance(pair.value, Text):
        return False
    return pair.value.value.replace(".", "").isdigit()


def _fitting(pairs: Sequence[Pair], parts: _StepParts) -> list[Pair]:
    """Return the pairs that hold the arguments of a step.

    An ``id`` beside all arguments under one key is that of the call. Where arguments are missing
    and as many other pairs are there, such as ``"third"``, all of them are arguments, as they are
    written.
    """
    arguments = parts.arguments
    without_id = [pair for pair in arguments if plain_key(pair.key.value) != "id"]
    is_call = any(plain_key(pair.key.value) in CALLING for pair in arguments)
    if is_call:
        return without_id
    if without_id and any(map(_is_step_number, arguments)):
        arguments = without_id
    if not all(isinstance(pair.value, Text) for pair in arguments):
        return arguments
    form = None if parts.named is None else skill_surfaces().action(parts.named.value)
    roles = skills()[form.name] if form is not None else ()
    may_be = [
        pair
        for pair in pairs
        if pair in arguments
        or (
            pair in parts.others
            and isinstance(pair.value, Text)
            and any(map(str.isalpha, pair.value.value))
            and not is_aside_key(pair.key.value)
        )
    ]
    return may_be if 0 < len(arguments) < len(roles) == len(may_be) else arguments


def _arms_at_a_time(node: Group, acting: Sequence[tuple[str, Node]], number: str) -> Group:
    """Return what several arms do at a time: ``{"left": "grasp(tray)", "right": ...}``."""
    columns: list[list[Item]] = []
    for arm, value in acting:
        plain = as_calls(value, f"{number}{arm}")
        is_list = isinstance(plain, Group) and plain.kind in ("list", "arms")
        columns.append([*plain.items] if isinstance(plain, Group) and is_list else [plain])
    rows = zip_longest(*columns)
    return Group(
        "arms",
        node.at,
        node.end,
        [item for row in rows for item in row if item is not None],
        cut=node.cut,
    )


def arguments_in(node: Node) -> list[tuple[str, str]]:
    """Return the arguments in an object with their keys; none if it is no object."""
    return _arguments_of(_pairs_in(node))[0]


def _arguments_of(pairs: Sequence[Pair]) -> tuple[list[tuple[str, str]], str]:
    """Return the arguments of a step with their keys, and the arm among them; empty for none.

    An object stands for its pairs: ``"args": {"object": "cup", "arm": "left"}`` has the argument
    ``object`` and the arm ``left``. Of several arms the last one counts. ``null`` is no argument.
    """
    arguments: list[tuple[str, str]] = []
    arm = ""
    for pair in pairs:
        value = opened(pair.value)
        members = _pairs_in(value)
        for member in members:
            text = _joined_texts(member.value)
            side = side_of(text) if _has_arm_key(member) else ""
            if side:
                arm = side
            else:
                arguments.append((member.key.value, text))
        is_null = isinstance(value, Text) and not value.quoted and value.value in NOTHING
        if not members and not is_null:
            arguments.append((pair.key.value, _joined_texts(value)))
    return arguments, arm


def _pairs_in(node: Node | None) -> list[Pair]:
    """Return the pairs of an object; none if the value is no object."""
    items = node.items if isinstance(node, Group) else []
    return [item for item in items if isinstance(item, Pair)]


def _joined_texts(node: Node | None) -> str:
    """Return the texts in a value as one: ``cup, tray`` for ``["cup", "tray"]``."""
    return ", ".join(texts_of(node))
