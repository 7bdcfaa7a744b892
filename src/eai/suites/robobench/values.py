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
    decode_if_encoded,
    is_aside_key,
    is_object_key,
    texts_of,
)
from eai.suites.robobench.vocabulary import order_by_roles, side_of, skill_surfaces, skills, words

# A call with the number of its step in its name: "3-grasp".
_NUMBERED = re.compile(r"\d{1,6}\s?[-.):]\s?\w")


@cache
def _roles() -> frozenset[str]:
    """Return the roles of arguments of all skills, except the arms of a transfer."""
    roles: set[str] = set()
    for roles_of_skill in skills().values():
        roles.update(roles_of_skill)
    return frozenset(roles - {"arm"})


def _is_skill(written: str) -> bool:
    """Whether a text is a written form of a skill: ``pick_up``, ``picks up``."""
    return skill_surfaces().find_action(written) is not None


def as_calls(node: Node, arm: str) -> Node:
    """Return a value in which each step with an arm or with roles is written as a call.

    Args:
        node: A text, a list, an object or a call of an answer.
        arm: The arm under whose key it stands, perhaps behind a number (``"3-left"``); or empty.

    Example:
        ``{"skill": "grasp", "object": "cup", "arm": "left"}`` becomes an object whose only pair
        is ``"action": "left: grasp(cup)"``.
    """
    if isinstance(node, Text):
        return _text_of_arm(node, arm)
    pairs = node.pairs
    is_object = bool(pairs) and len(pairs) == len(node.items)
    name = "" if node.name is None else node.name.value
    # If the name before pairs is not a skill, it is a title: `plan(step: grasp, object: cup)`.
    is_title = is_object and not _is_skill(name)
    if name and not is_title:
        return _plain_call(node, arm)
    if is_object:
        return _plain_object(node, pairs, arm)
    return _plain_list_step(node, arm) or _plain_list(node, arm)


def _text_of_arm(node: Text, arm: str) -> Text:
    """Return a text with its arm in front: ``left: grasp(cup)``, ``left: no_ops``."""
    if not arm:
        return node
    is_idle = node.value.strip().lower() in words()["idle"]
    step = "no_ops" if is_idle else node.value
    return replace(node, value=f"{arm}: {step}")


def _plain_list(node: Group, arm: str) -> Group:
    """Return a list with plain members. Simultaneous steps of several arms become members."""
    items: list[Item] = []
    for item in node.items:
        if isinstance(item, Pair):
            items.append(item)
            continue
        member = as_calls(item, arm)
        if isinstance(member, Group) and member.kind == "arms":
            items += member.items
        else:
            items.append(member)
    # A list of calls alone stays what it is; one text makes it a list of lines.
    has_texts = any(isinstance(item, Text) for item in items)
    return replace(node, items=items, kind="list" if has_texts else node.kind)


def _plain_list_step(node: Group, arm: str) -> Text | None:
    """Return a list ``["grasp", "cup"]`` as a call, or None if it is not a step of an arm."""
    texts = [item.value for item in node.items if isinstance(item, Text)]
    if not arm or not texts or len(texts) != len(node.items):
        return None
    # ["grasp", "cup"] is one step, ["grasp(cup)", "lift(cup)"] are two.
    skill, *arguments = texts
    if not _is_skill(skill) or any(map(_is_skill, arguments)):
        return None
    call = f"{arm}: {skill}({', '.join(arguments)})"
    return Text(call, node.at, node.end, quoted=True, cut=node.cut)


def _plain_call(node: Group, arm: str) -> Node:
    """Return a call as text if it has an arm or keys: ``left.grasp(cup)``, ``grasp(object=cup)``.

    Args:
        node: The call.
        arm: The arm of what stands around the call; an arm of the call itself counts more.
    """
    assert node.name is not None  # noqa: S101 - it is a call
    owner, _, name = node.name.value.strip().rpartition(".")
    arm = side_of(owner.rpartition(".")[2]) or arm
    positional: list[str] = []
    keyed: list[tuple[str, str]] = []
    for item in node.items:
        if not isinstance(item, Pair):
            positional += texts_of(item)
        elif _has_arm_key(item):
            arm = side_of(_joined_texts(item.value)) or arm
        else:
            keyed.append((item.key.value, _joined_texts(item.value)))
    is_plain = not arm and not keyed and not _NUMBERED.match(name)
    if is_plain:
        return node
    # Arguments with keys are put in the order of the roles; those without stay in their order.
    call = f"{name}({', '.join([*positional, *order_by_roles(name, keyed)])})"
    if arm:
        call = f"{arm}: {call}"
    return Text(call, node.at, node.end, quoted=True, cut=node.cut)


@dataclass
class _StepParts:
    """The parts of one step, collected from the pairs of a JSON object.

    Args:
        arm: The arm that takes it.
        number: Its number, with a hyphen.
        skill_text: The text that names its skill.
        name_key: The key of that text.
        arguments: Its arguments.
        steps_by_arm: Arm and step of each pair with an arm as its key: ``"left": "grasp(cup)"``.
        calls: The calls of pairs with a skill as their key: ``"grasp": {"object": "cup"}``.
        other_pairs: All other pairs.
    """

    arm: str
    number: str = ""
    skill_text: Text | None = None
    name_key: str = "action"
    arguments: list[Pair] = field(default_factory=list)
    steps_by_arm: list[tuple[str, Node]] = field(default_factory=list)
    calls: list[Item] = field(default_factory=list)
    other_pairs: list[Pair] = field(default_factory=list)

    def add(self, pair: Pair) -> None:
        """Add a pair to the part of the step that its key stands for."""
        key, value = pair.name, pair.value
        if isinstance(value, Text):
            self.add_text(pair, key, value)
        elif side_of(key) and value is not None:
            self.steps_by_arm.append((side_of(key), value))
        elif _is_skill_with_arguments(pair):
            arguments, arm = _arguments_of([pair])
            call = _call(pair.key.value, arguments, arm or self.arm)
            self.calls.append(replace(pair.key, value=call, quoted=True))
        elif _is_argument_key(key):
            self.arguments.append(pair)
        else:
            self.other_pairs.append(pair)

    def add_text(self, pair: Pair, key: str, value: Text) -> None:
        """Add a pair with a text value to the part of the step that its key stands for."""
        names_skill = _is_skill(value.value) or (self.arm != "" and key in ACTION_KEYS)
        if _names_arm(pair):
            # "arm": "left"
            self.arm = side_of(value.value)
        elif side_of(key):
            # "left": "grasp(cup)"
            self.steps_by_arm.append((side_of(key), value))
        elif self.skill_text is None and names_skill:
            # "action": "grasp"
            self.skill_text = value
            if key in ACTION_KEYS:
                self.name_key = pair.key.value
        elif _is_argument_key(key):
            self.arguments.append(pair)
        else:
            self.other_pairs.append(pair)
            # "step": "3"
            if value.value.isdigit() and is_aside_key(key):
                self.number = f"{value.value}-"


def _is_skill_with_arguments(pair: Pair) -> bool:
    """Return whether a pair is a skill with its arguments: ``"grasp": {"object": "cup"}``."""
    if not _is_skill(pair.name) or pair.name in CALLING:
        return False
    return isinstance(pair.value, Group) and pair.value.kind == "object"


def _is_argument_key(key: str) -> bool:
    """Return whether a key stands for an argument of a skill: ``"target"``, ``"object"``."""
    return key in _roles() or key in CALLING or is_object_key(key)


def _has_arm_key(pair: Pair) -> bool:
    """Return whether the key of a pair asks for an arm: ``"arm"``, ``"hand"``."""
    return pair.name in words()["arm_keys"]


def _names_arm(pair: Pair) -> bool:
    """Return whether a pair says which arm takes a step: ``"arm": "left"``."""
    if not _has_arm_key(pair) or not isinstance(pair.value, Text):
        return False
    return side_of(pair.value.value) != ""


def _call(skill: str, arguments: Sequence[tuple[str, str]], arm: str) -> str:
    """Return a step as a line would hold it: ``left: grasp(cup)``."""
    call = f"{skill}({', '.join(order_by_roles(skill, arguments))})"
    return f"{arm}: {call}" if arm else call


def _plain_object(node: Group, pairs: Sequence[Pair], arm: str) -> Node:
    """Return an object in which a step spread over several keys is one call.

    Args:
        node: The object.
        pairs: Its pairs.
        arm: The arm of what stands around it; empty if there is none.
    """
    parts = _StepParts(arm)
    # A pair that names the arm comes first, because it applies to all others. The sort is stable.
    for pair in sorted(pairs, key=lambda pair: not _names_arm(pair)):
        parts.add(pair)
    if parts.steps_by_arm:
        return _interleave_arms(node, parts.steps_by_arm, parts.number)
    if parts.skill_text is not None:
        return _object_of_step(node, pairs, parts, parts.skill_text)
    if parts.calls:
        return Group("arms", node.at, node.end, parts.calls, cut=node.cut)
    plain_pairs: list[Item] = []
    for pair in pairs:
        value = None
        if pair.value is not None:
            value = as_calls(pair.value, parts.arm)
        plain_pairs.append(Pair(pair.key, value))
    return replace(node, items=plain_pairs)


def _object_of_step(
    node: Group, pairs: Sequence[Pair], parts: _StepParts, skill_text: Text
) -> Group:
    """Return an object whose last pair is its step as one call.

    Args:
        node: The object, such as ``{"skill": "grasp", "object": "cup"}``.
        pairs: Its pairs.
        parts: The pairs, sorted by the meaning of their keys.
        skill_text: The text that names the skill.
    """
    arguments, arm = _arguments_of(_argument_pairs(pairs, parts))
    if not arguments:
        for pair in parts.other_pairs:
            if not is_aside_key(pair.key.value):
                arguments += [(pair.key.value, text) for text in texts_of(pair.value)]
    # An arm among the arguments is preferred to one beside them.
    arm = arm or parts.arm
    call = f"{arm}: {skill_text.value}"
    if _is_skill(skill_text.value):
        call = _call(skill_text.value, arguments, arm)
    key = Text(parts.name_key, skill_text.at, skill_text.at)
    step = Pair(key, replace(skill_text, value=call, quoted=True))
    return replace(node, items=[*parts.other_pairs, step])


def _is_step_number(pair: Pair) -> bool:
    """Whether a pair is the number of its step: ``"id": 3``, ``"id": "1.2"``."""
    if pair.name != "id" or not isinstance(pair.value, Text):
        return False
    return pair.value.value.replace(".", "").isdigit()


def _argument_pairs(pairs: Sequence[Pair], parts: _StepParts) -> list[Pair]:
    """Return the pairs that hold the arguments of a step.

    A pair ``"id": ...`` may be the object of a step or the number of a call. It is the number if
    all arguments are under one key beside it. If arguments are missing, and there are exactly as
    many pairs with unknown keys (``"third"``), these pairs are arguments, too.

    Args:
        pairs: All pairs of the step, in their order.
        parts: The pairs, sorted by the meaning of their keys.
    """
    arguments = parts.arguments
    without_id = [pair for pair in arguments if pair.name != "id"]
    if any(pair.name in CALLING for pair in arguments):
        return without_id
    if without_id and any(map(_is_step_number, arguments)):
        arguments = without_id
    # {"skill": "place", "object": "cup", "third": "tray"}: one of two arguments is missing.
    n_missing = _count_roles(parts.skill_text) - len(arguments)
    has_texts_only = all(isinstance(pair.value, Text) for pair in arguments)
    if not arguments or not has_texts_only or n_missing <= 0:
        return arguments
    with_unknown_keys: list[Pair] = []
    for pair in pairs:
        if pair in arguments or (pair in parts.other_pairs and _may_be_argument(pair)):
            with_unknown_keys.append(pair)
    if len(with_unknown_keys) == len(arguments) + n_missing:
        return with_unknown_keys
    return arguments


def _count_roles(skill_text: Text | None) -> int:
    """Return how many arguments the skill has that a text names; 0 if it names none."""
    form = None if skill_text is None else skill_surfaces().find_action(skill_text.value)
    return 0 if form is None else len(skills()[form.name])


def _may_be_argument(pair: Pair) -> bool:
    """Whether a pair under an unknown key may hold an argument: a text with letters, no remark."""
    if not isinstance(pair.value, Text) or is_aside_key(pair.key.value):
        return False
    return any(map(str.isalpha, pair.value.value))


def _interleave_arms(node: Group, steps_by_arm: Sequence[tuple[str, Node]], number: str) -> Group:
    """Return the simultaneous steps of several arms: ``{"left": "grasp(tray)", "right": ...}``.

    Where arms have lists of steps, their first steps come first, then their second ones.

    Args:
        node: The object that has the arms as keys.
        steps_by_arm: Each arm with its step or steps.
        number: The number of the step with a hyphen, or "".
    """
    lists_of_steps: list[list[Item]] = []
    for arm, value in steps_by_arm:
        # {"step": 3, "left": "grasp(cup)"} -> "3-left: grasp(cup)"
        step = as_calls(value, f"{number}{arm}")
        if isinstance(step, Group) and step.kind in ("list", "arms"):
            lists_of_steps.append([*step.items])
        else:
            lists_of_steps.append([step])
    items: list[Item] = []
    # {"left": [a, b], "right": [c]} -> a, c, b
    for simultaneous_steps in zip_longest(*lists_of_steps):
        items += [step for step in simultaneous_steps if step is not None]
    return Group("arms", node.at, node.end, items, cut=node.cut)


def arguments_in(node: Node) -> list[tuple[str, str]]:
    """Return the arguments in an object with their keys; none if it is no object."""
    return _arguments_of(_pairs_in(node))[0]


def _arguments_of(pairs: Sequence[Pair]) -> tuple[list[tuple[str, str]], str]:
    """Return the arguments of a step with their keys, and the arm among them, or "".

    An object stands for its pairs: ``"args": {"object": "cup", "arm": "left"}`` has the argument
    ``object`` and the arm ``left``. Of several arms the last one counts. ``null`` is no argument.
    """
    arguments: list[tuple[str, str]] = []
    arm = ""
    for pair in pairs:
        value = decode_if_encoded(pair.value)
        members = _pairs_in(value)
        if not members and not _is_null(value):
            arguments.append((pair.key.value, _joined_texts(value)))
        # The key of the pair itself ("args") has no meaning if the value has keys of its own.
        for member in members:
            text = _joined_texts(member.value)
            side = side_of(text) if _has_arm_key(member) else ""
            if side:
                arm = side
            else:
                arguments.append((member.key.value, text))
    return arguments, arm


def _is_null(value: Node | None) -> bool:
    """Return whether a value says that there is none: ``null``, not in quotes."""
    return isinstance(value, Text) and not value.quoted and value.value in NOTHING


def _pairs_in(node: Node | None) -> list[Pair]:
    """Return the pairs of an object; none if the value is no object."""
    items = node.items if isinstance(node, Group) else []
    return [item for item in items if isinstance(item, Pair)]


def _joined_texts(node: Node | None) -> str:
    """Return the texts in a value as one: ``cup, tray`` for ``["cup", "tray"]``."""
    return ", ".join(texts_of(node))
