"""Values as calls: objects and lists that name a skill, its arguments and perhaps an arm.

Each step of a value becomes a text that a line could hold, ``left: grasp(tray)``; what stands
around steps stays, so that plans, drafts and choices are found as in any value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import zip_longest

from eai.answers import Group, Item, Node, Pair, Text
from eai.answers.grammar import is_aside_key, is_object_key, opened, plain_key, texts_of
from eai.answers.plan import ACTION_KEYS, CALLING
from eai.suites.robobench.vocabulary import in_roles, side_of, skill_surfaces, skills, words


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
    for item in node.items:
        if isinstance(item, Pair) and plain_key(item.key.value) in words()["arm_keys"]:
            arm = side_of(", ".join(texts_of(item.value))) or arm
        else:
            objects += texts_of(item.value if isinstance(item, Pair) else item)
    if not arm:
        return node
    return Text(
        f"{arm}: {name}({', '.join(objects)})", node.at, node.end, quoted=True, cut=node.cut
    )


def _plain_object(node: Group, pairs: Sequence[Pair], arm: str) -> Node:  # noqa: C901, PLR0912
    """Return an object whose step, if it names one, is a call under one key."""
    number = ""
    named: Text | None = None
    name_key = "action"
    arguments: list[Pair] = []
    acting: list[tuple[str, Node]] = []
    called: list[Item] = []
    others: list[Pair] = []
    for pair in pairs:
        key, value = plain_key(pair.key.value), pair.value
        skill = skill_surfaces().action(pair.key.value)
        if (
            skill is not None
            and isinstance(value, Group)
            and value.kind == "object"
            and key not in CALLING
        ):
            given, said = _arguments_of([pair])
            call = f"{skill.name}({', '.join(in_roles(skill.name, given))})"
            side = said or arm
            called.append(replace(pair.key, value=f"{side}: {call}" if side else call, quoted=True))
        elif isinstance(value, Text) and key in words()["arm_keys"] and side_of(value.value):
            arm = side_of(value.value)
        elif side_of(key) and value is not None:
            acting.append((side_of(key), value))
        elif (
            isinstance(value, Text)
            and named is None
            and (skill_surfaces().action(value.value) is not None or (arm and key in ACTION_KEYS))
        ):
            named = value
            name_key = pair.key.value if key in ACTION_KEYS else name_key
        elif key in _roles() or key in CALLING or is_object_key(key):
            arguments.append(pair)
        else:
            others.append(pair)
            if isinstance(value, Text) and value.value.isdigit() and is_aside_key(key):
                number = f"{value.value}-"
    if acting:
        return _arms_at_a_time(node, acting, number)
    if called and named is None:
        return Group("arms", node.at, node.end, called, cut=node.cut)
    if named is None:
        return replace(
            node,
            items=[Pair(p.key, None if p.value is None else as_calls(p.value, arm)) for p in pairs],
        )
    given, said = _arguments_of(arguments)
    arm = said or arm
    if not given:
        given = [
            (p.key.value, text)
            for p in others
            if not is_aside_key(p.key.value)
            for text in texts_of(p.value)
        ]
    call = named.value
    if skill_surfaces().action(call) is not None:
        call = f"{call}({', '.join(in_roles(call, given))})"
    written = f"{arm}: {call}" if arm else call
    step = Pair(Text(name_key, named.at, named.at), replace(named, value=written, quoted=True))
    return replace(node, items=[*others, step])


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


def _arguments_of(pairs: Sequence[Pair]) -> tuple[list[tuple[str, str]], str]:
    """Return the arguments of a step with their keys, and the arm among them."""
    given: list[tuple[str, str]] = []
    arm = ""
    for pair in pairs:
        value = opened(pair.value)
        inner = value.items if isinstance(value, Group) else []
        named = [item for item in inner if isinstance(item, Pair)]
        for item in named:
            if plain_key(item.key.value) in words()["arm_keys"] and side_of(
                ", ".join(texts_of(item.value))
            ):
                arm = side_of(", ".join(texts_of(item.value)))
            else:
                given.append((item.key.value, ", ".join(texts_of(item.value))))
        if not named:
            given.append((pair.key.value, ", ".join(texts_of(value))))
    return given, arm
