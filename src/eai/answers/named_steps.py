"""Steps with named parts: ``{"action": "WALK", "objects": ["light", "411"]}``.

The key of the action may be any of many, and the objects may stand under keys that nobody knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from eai.answers.items import SIGNALS, Step, ValueReading
from eai.answers.keys import is_aside_key, is_numbering, is_rejected_key, number_of
from eai.answers.plan import ACTION_KEYS, WORDS
from eai.answers.step_parts import (
    MAX_NAME_LENGTH,
    SCHEMA_KEYS,
    holds_arguments,
    objects_of_parts,
    written_pair,
)
from eai.answers.surfaces import squeezed
from eai.answers.values import Group, Node, Pair, Text

if TYPE_CHECKING:
    from eai.answers.surfaces import ActionForm
    from eai.answers.value_steps import CollectedSteps


_NUMBER_KEYS = WORDS["number_keys"]
"""Keys of the number of a step."""
_TELLING_KEYS = WORDS["telling_keys"]
"""Keys of texts that explain a step, or are one where nothing else in an object can be it."""
_DEPTH_OF_PARTS = 3
"""Depth that is assumed for the parts of a step, so that less is looked into."""


class NamedSteps:
    """Reads steps with named parts into the plans of a value."""

    def __init__(self, collected: CollectedSteps) -> None:
        self.collected = collected
        self.grammar = collected.grammar

    def read(self, pairs: Sequence[Pair], node: Group, depth: int) -> bool:
        """Read ``{"action": "WALK", "objects": ["light", "411"]}``; False if it is none.

        An object may hold several steps, each from the key of its action to that of the next one.
        """
        places = self._action_pairs(pairs)
        number = _number_in(pairs)
        if not places:
            return self._read_told_step(pairs, number)
        for count, (start, end) in enumerate(zip(places, [*places[1:], len(pairs)], strict=True)):
            # What stands before the first action belongs to it as well.
            own = pairs[:end] if count == 0 else pairs[start:end]
            action = pairs[start]
            if isinstance(action.value, Text):
                others = [pair for pair in own if pair is not action]
                whole = replace(node, cut=(node.cut or node.is_open) and end == len(pairs))
                self._add_step(action.value, others, whole, number)
                continue
            for pair in own:
                if pair is action or self.collected.plans_under(pair, depth):
                    self.collected.read(pair.value, depth + 1)
        return True

    def _read_told_step(self, pairs: Sequence[Pair], number: int | None) -> bool:
        """Read ``{"id": 1, "description": "Walk to the hall"}``, which has no other part."""
        others = [pair for pair in pairs if pair.name not in _NUMBER_KEYS]
        told = _told_in(others)
        if number is None or len(told) != 1 or not all(is_aside_key(p.key.value) for p in others):
            return False
        steps = self._whole_steps(told[0])
        self._add_steps_of_object(steps, told[0].at, number)
        if not steps:
            self.collected.current.unread.append(told[0])
        return True

    def _told_objects(self, text: Text, action: ActionForm) -> list[str]:
        """Return the objects of an action in a text that explains it; none if they are unclear."""
        same = [step for step in self._whole_steps(text) if step.name == action.name]
        if len(same) == 1:
            return same[0].arguments
        named = self.grammar.surfaces.objects_in(text.value)
        return named if len(named) == action.max_objects else []

    def _whole_steps(self, text: Text) -> list[Step]:
        """Return the steps of a text that explains a step; none if one of them is not whole."""
        steps = self.grammar.line(text.value, text.at, meant=True).steps
        return steps if all(step.is_whole for step in steps) else []

    def _action_pairs(self, pairs: Sequence[Pair]) -> list[int]:
        """Return the places of those pairs of an object that name an action."""
        texts = [place for place, pair in enumerate(pairs) if isinstance(pair.value, Text)]
        actions = [place for place in texts if self.collected.names_action(pairs[place].value)]
        by_key = self._under_action_keys(pairs, texts)
        by_value = [place for place in actions if self._may_head_action(pairs[place])]
        if len(by_value) == 1 and by_value[0] not in by_key:
            pair = pairs[by_value[0]]
            if self.grammar.surfaces.action(pair.key.value) is None or pair.name in SCHEMA_KEYS:
                return by_value
        # A row whose cells stand one column too far to the left has its action under "Step".
        misplaced = [place for place in actions if is_aside_key(pairs[place].key.value)]
        if len(misplaced) == 1 and set(by_key).isdisjoint(actions):
            return misplaced
        if by_key:
            return [place for place in by_key if len(pairs) > 1 or _is_quoted(pairs[place].value)]
        wrapped = [place for place, pair in enumerate(pairs) if _is_wrapped_action(pair)]
        return wrapped if all(_holds_name(pairs[place].value) for place in wrapped) else []

    def _under_action_keys(self, pairs: Sequence[Pair], texts: Sequence[int]) -> list[int]:
        """Return which texts of an object stand under keys such as ``action``.

        Beside arguments, what stands under ``name`` is the action, unless it is an object.
        """
        by_key = [place for place in texts if pairs[place].name in ACTION_KEYS]
        if by_key or not any(holds_arguments(pair) for pair in pairs):
            return by_key
        objects = self.grammar.surfaces.objects
        names = [place for place in texts if pairs[place].name == "name"]
        return [place for place in names if squeezed(pairs[place].text) not in objects]

    @staticmethod
    def _may_head_action(pair: Pair) -> bool:
        """Whether a key is neither an aside nor a number, so that its text may be an action."""
        key = pair.key.value
        return not is_numbering(key) and (not is_aside_key(key) or pair.name == "type")

    def _add_step(
        self, name: Text, others: Sequence[Pair], node: Group, number: int | None
    ) -> None:
        """Add the step whose action is named in one part of an object and its objects in others.

        Args:
            name: The text that names the action.
            others: The other pairs of the object: objects, reasons, anything.
            node: The object, which says whether the answer ends in it.
            number: The number of the step; None if it has none.
        """
        parts: list[Pair] = []
        for pair in others:
            key = pair.name
            is_aside = is_aside_key(pair.key.value)
            if is_aside:
                self.collected.current.left_out[pair.key.value] = None
            # An "id" may be that of an object: {"action": "WALK", "object": "light", "id": 411}.
            is_count = key == "id" and number == len(self.collected.current.steps) + 1
            if not is_count and (key == "id" or not is_aside):
                parts.append(pair)
        is_cut = node.cut or name.cut
        action = self.grammar.surfaces.action(name.value)
        if action is None:
            self._read_unknown_name(name, parts, number, is_cut=is_cut)
            return
        self._note_others(parts)
        objects = objects_of_parts(self.grammar, parts, action.max_objects, action.optional)
        if action.max_objects == 0:
            # "find a mug" names its object; a column may name it again.
            objects = [name for name in objects if squeezed(name) not in squeezed(action.name)]
        for text in _told_in(others) if len(objects) < action.max_objects else ():
            objects = self._told_objects(text, action) or objects
        self.collected.current.steps.append(
            Step(
                action.name,
                objects,
                name.at,
                action.max_objects,
                "object",
                number,
                is_cut=is_cut,
                written=name.value.strip(),
            )
        )

    def _read_unknown_name(
        self, name: Text, parts: Sequence[Pair], number: int | None, *, is_cut: bool
    ) -> None:
        """Read an object whose text under ``action`` is not just an action of the task.

        It is one of, in this order: a line with steps (``"walk to the hall"``), a wrapper of plans
        (``"submit_plan"``), a value in a text, a signal (``"done"``), or an unknown action.
        """
        steps = self.grammar.line(name.value, name.at, meant=True).steps
        if steps and steps[0].is_known:
            if steps[0].lacks_objects:
                objects = objects_of_parts(self.grammar, parts, steps[0].max_objects)
                steps[0].arguments = objects or steps[0].arguments
            self._add_steps_of_object(steps, name.at, number)
            return
        if self._take_plans_of_parts(parts):
            return
        nested_steps = self.grammar.nested(name)
        if nested_steps is not None:
            self.collected.current.steps += nested_steps
            return
        if steps and not parts and not self.grammar.is_free:
            self._add_steps_of_object(steps, name.at, number)
            return
        if not name.value.strip() or len(name.value) > MAX_NAME_LENGTH:
            self.collected.current.unread.append(name)
            return
        is_signal = squeezed(name.value) in SIGNALS
        if is_signal and not any(self.collected.names_object(pair.value) for pair in parts):
            self.collected.current.left_out[name.value] = None
            return
        arguments = [pair for pair in parts if holds_arguments(pair)]
        if steps and not arguments:
            self.collected.current.steps += steps
            return
        self.collected.current.steps.append(
            Step(
                name.value.strip(),
                objects_of_parts(self.grammar, arguments, -1),
                name.at,
                -1,
                "object",
                number,
                is_known=False,
                is_cut=is_cut,
            )
        )

    def _add_steps_of_object(self, steps: Sequence[Step], at: int, number: int | None) -> None:
        """Add steps that a text of an object names, with the number of the object."""
        for step in steps:
            step.at = at
            step.number = number
            step.form = "object"
        self.collected.current.steps += steps

    def _take_plans_of_parts(self, parts: Sequence[Pair]) -> bool:
        """Add the plans under the keys of a call: ``{"name": "submit_plan", "plan": [...]}``.

        False if there are none.
        """
        submitted: list[tuple[str, list[ValueReading]]] = []
        for pair in parts:
            plans = self.collected.plans_under(pair, _DEPTH_OF_PARTS)
            if any(plan.steps for plan in plans):
                submitted.append((pair.key.value, plans))
        for key, plans in submitted:
            self.collected.take_in(plans, key, as_own=False)
        return bool(submitted)

    def _note_others(self, parts: Sequence[Pair]) -> None:
        """Report steps under other keys of a step with named parts."""
        arguments = [pair for pair in parts if holds_arguments(pair)]
        if not arguments:
            return  # the objects of the step may stand under any of the keys
        for pair in parts:
            if pair in arguments or is_rejected_key(pair.name):
                continue
            if self.collected.plans_under(pair, _DEPTH_OF_PARTS) or self.collected.is_step_beside(
                pair
            ):
                self.collected.current.unread.append(written_pair(pair))
            else:
                self.collected.current.left_out[pair.key.value] = None


def _number_in(pairs: Sequence[Pair]) -> int | None:
    """Return the number of a step in its object: ``"step": "3"``; None if it has none."""
    for pair in pairs:
        if pair.name in _NUMBER_KEYS and pair.text.isdigit():
            return number_of(pair.text)
    return None


def _told_in(pairs: Sequence[Pair]) -> list[Text]:
    """Return the texts that explain a step in other words."""
    values = [pair.value for pair in pairs if pair.name in _TELLING_KEYS]
    return [value for value in values if isinstance(value, Text)]


def _is_quoted(node: Node | None) -> bool:
    """Whether a value is a text in quotes."""
    return isinstance(node, Text) and node.quoted


def _is_wrapped_action(pair: Pair) -> bool:
    """Whether an action is an object of its own: ``"function": {"name": ...}``."""
    key = pair.name
    is_wrapper = key in ("action", "function", "function_call", "functioncall")
    return is_wrapper and isinstance(pair.value, Group)


def _holds_name(node: Node | None) -> bool:
    """Whether a value is an object, among whose texts the name of an action may be."""
    return isinstance(node, Group) and node.kind == "object"
