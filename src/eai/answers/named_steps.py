"""Steps that are written as objects: ``{"action": "WALK", "objects": ["light", "411"]}``.

Models use many keys for the action, and any key for its objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eai.answers.items import SIGNALS, Step, are_alike, is_same_action, names_again
from eai.answers.keys import (
    is_aside_key,
    is_heading_key,
    is_numbering,
    is_rejected_key,
    number_of,
    texts_of,
)
from eai.answers.plan import ACTION_KEYS, NOTHING, WORDS
from eai.answers.step_parts import (
    MAX_NAME_LENGTH,
    SCHEMA_KEYS,
    StepsOfKind,
    arguments_of_action,
    holds_arguments,
    objects_of_parts,
    written_pair,
)
from eai.answers.surfaces import squeezed
from eai.answers.values import Group, Node, Pair, Text, is_object

if TYPE_CHECKING:
    from eai.answers.surfaces import ActionForm


_NUMBER_KEYS = WORDS["number_keys"]
"""Keys of the number of a step."""
_DESCRIPTION_KEYS = WORDS["telling_keys"]
"""Keys of texts that describe a step in words; they are read where no other key has the step."""
_REPLIES = WORDS["replies"]
_REPEATING_KEYS = frozenset(["repeat", "repeats", "repetitions", "repeat_count", "times"])
_DEPTH_OF_PARTS = 3
"""Depth that is assumed for the parts of a step, so that values below them are read less deeply."""


class NamedSteps(StepsOfKind):
    """Reads steps that are written as objects."""

    def read_step(self, pairs: Sequence[Pair], node: Group, depth: int) -> bool:
        """Read the steps of an object; return False if it is not written as a step.

        An object may hold several steps, each from the key of its action to that of the next one.

        Args:
            pairs: The keys and values of the object.
            node: The object.
            depth: How deep it stands in the value.
        """
        pairs = list(map(_unwrapped, pairs))
        action_positions = self._action_positions(pairs)
        number = _number_in(pairs)
        if not action_positions:
            return self._read_described_step(pairs, number)
        ends = [*action_positions[1:], len(pairs)]
        for action_position, end in zip(action_positions, ends, strict=True):
            # The keys before the first action belong to its step as well.
            parts = (
                pairs[:end]
                if action_position == action_positions[0]
                else pairs[action_position:end]
            )
            action = pairs[action_position]
            other_pairs = [pair for pair in parts if pair is not action]
            if isinstance(action.value, Text):
                is_last_cut = (node.cut or node.is_open) and end == len(pairs)
                is_cut = is_last_cut or action.value.cut
                self._add_step(action.value, other_pairs, number, is_cut=is_cut)
                continue
            # Steps stand in the value of the action, and in those of its parts that hold plans.
            for pair in parts:
                if pair is action or self.collected.plans_under(pair, depth):
                    self.collected.read_value(pair.value, depth + 1)
        return True

    def _read_described_step(self, pairs: Sequence[Pair], number: int | None) -> bool:
        """Read an object with a number and a description, ``{"id": 1, "task": "Walk home"}``.

        Return False if it has no number, several descriptions, or other parts.
        """
        others = [pair for pair in pairs if pair.name not in _NUMBER_KEYS]
        descriptions = _descriptions_in(others)
        has_other_part = not all(is_aside_key(pair.key.value) for pair in others)
        if number is None or len(descriptions) != 1 or has_other_part:
            return False
        steps = self._whole_steps(descriptions[0])
        self._add_steps_of_object(steps, descriptions[0].at, number)
        if not steps:
            self.collected.current.unread.append(descriptions[0])
        return True

    def _objects_in_description(self, text: Text, action: ActionForm) -> list[str]:
        """Return the objects that a description of a step names; none if they are unclear."""
        steps = [step for step in self._whole_steps(text) if step.name == action.name]
        if len(steps) == 1:
            return steps[0].arguments
        objects = self.grammar.surfaces.objects_in(text.value)
        return objects if len(objects) == action.max_objects else []

    def _whole_steps(self, text: Text) -> list[Step]:
        """Return the steps of a text; none if one of them is unknown or lacks an object."""
        steps = self.grammar.read_line(text.value, text.at, is_step_expected=True).steps
        return steps if all(step.is_whole for step in steps) else []

    def _action_positions(self, pairs: Sequence[Pair]) -> list[int]:
        """Return the positions of the pairs that name an action, by the first rule that finds some.

        1. The only action of the task under a key that is neither a remark nor a number.
        2. The only action of the task under the key of a remark. In a row whose cells stand one
           column too far to the left, the action is under "Step".
        3. Texts under keys such as ``action``, whether the task has these actions or not.
        4. Objects with a name under keys such as ``function``.
        """
        text_positions = [index for index, pair in enumerate(pairs) if isinstance(pair.value, Text)]
        known_positions = [
            index for index in text_positions if self.collected.names_action(pairs[index].value)
        ]
        under_action_keys = self._under_action_keys(pairs, text_positions)
        under_other_keys = [index for index in known_positions if _may_head_action(pairs[index])]
        if len(under_other_keys) == 1 and under_other_keys[0] not in under_action_keys:
            # {"walk": "open"} is the action "walk", but {"type": "open"} is "open".
            pair = pairs[under_other_keys[0]]
            if (
                self.grammar.surfaces.find_action(pair.key.value) is None
                or pair.name in SCHEMA_KEYS
            ):
                return under_other_keys
        under_remarks = [index for index in known_positions if is_aside_key(pairs[index].key.value)]
        if len(under_remarks) == 1 and not any(
            self._says_action(pairs[index].value) for index in under_action_keys
        ):
            return under_remarks
        if under_action_keys:
            value = pairs[under_action_keys[0]].value
            is_sure = len(pairs) > 1 or (isinstance(value, Text) and value.quoted)
            return under_action_keys if is_sure else []
        # None of the wrapped actions may be a list or a call.
        wrapped = [index for index, pair in enumerate(pairs) if _is_wrapped_action(pair)]
        return wrapped if all(is_object(pairs[index].value) for index in wrapped) else []

    def _says_action(self, node: Node | None) -> bool:
        """Whether a text is an action of the task, or a whole step of one."""
        if not isinstance(node, Text):
            return False
        return self.collected.names_action(node) or bool(self._whole_steps(node))

    def _under_action_keys(self, pairs: Sequence[Pair], texts: Sequence[int]) -> list[int]:
        """Return the positions of the texts under keys such as ``action``.

        If there are none, a text under ``name`` is the action beside arguments, unless it is an
        object of the task.

        Args:
            pairs: The keys and values of an object.
            texts: The positions of all its texts.
        """
        under_action_keys = [index for index in texts if pairs[index].name in ACTION_KEYS]
        if under_action_keys or not any(map(holds_arguments, pairs)):
            return under_action_keys
        objects = self.grammar.surfaces.objects
        names = [index for index in texts if pairs[index].name == "name"]
        return [index for index in names if squeezed(pairs[index].text) not in objects]

    def _add_step(
        self, name: Text, others: Sequence[Pair], number: int | None, *, is_cut: bool
    ) -> None:
        """Add the step of an object, whose action and objects stand under different keys.

        Args:
            name: The text that names the action.
            others: The other keys and values of the object: objects, reasons, anything.
            number: The number of the step; None if it has none.
            is_cut: Whether the answer ends inside the object.
        """
        self._report_repetition(others)
        action = self.grammar.surfaces.find_action(name.value)
        below = [pair for pair in others if _heads_parts(pair)]
        # Below an action may stand its objects: {"name": "WALK", "steps": [{"object": "hall"}]}.
        steps_below = self._take_plans_of_parts(below, must_be_known=action is not None)
        if steps_below:
            self._read_title(name, others, steps_below)
            return
        parts = self._parts_of_step(others, number)
        is_none = name.value in NOTHING and not (name.quoted or is_cut)
        if is_none and not any(self.collected.names_object(pair.value) for pair in parts):
            self.collected.current.left_out[name.value] = None
            return
        if action is None:
            self._read_unknown_name(name, parts, number, is_cut=is_cut)
            return
        self._note_others(parts, action)
        objects = self._objects_of_action(action, parts, others)
        step = Step(action.name, objects, name.at, action.max_objects, "object", number)
        step.is_cut = is_cut
        step.written = name.value.strip()
        self.collected.current.steps.append(step)

    def _read_title(self, title: Text, others: Sequence[Pair], steps: Sequence[Step]) -> None:
        """Leave out the title of steps, ``"Clean Pool"``; it is unread if they lack what it says.

        So it is beside objects of its own, which are not compared.
        """
        line = self.grammar.read_line(title.value, title.at, is_step_expected=True)
        said_steps = [step for step in line.steps if step.is_known]
        is_told = all(any(_is_title_of(said, step) for step in steps) for said in said_steps)
        if is_told and not (said_steps and any(map(holds_arguments, others))):
            self.collected.current.left_out[title.value] = None
        else:
            self.collected.current.unread.append(title)

    def _report_repetition(self, pairs: Sequence[Pair]) -> None:
        """Report that an object says how often its step is taken: ``"repeat": 2``."""
        for pair in pairs:
            is_repeating = pair.name in _REPEATING_KEYS and isinstance(pair.value, Text)
            if is_repeating and pair.text.strip() not in ("", "0", "1", "false", "False", "null"):
                self.collected.current.unread.append(written_pair(pair))

    def _parts_of_step(self, pairs: Sequence[Pair], number: int | None) -> list[Pair]:
        """Return the pairs that may hold objects of a step; remarks are noted as left out.

        An "id" may be that of an object: ``{"action": "WALK", "object": "light", "id": 411}``. It
        is none if it only counts the steps.

        Args:
            pairs: The keys and values beside the action.
            number: The number of the step; None if it has none.
        """
        current = self.collected.current
        parts: list[Pair] = []
        for pair in pairs:
            is_aside = is_aside_key(pair.key.value)
            if is_aside:
                current.left_out[pair.key.value] = None
            if pair.name == "id":
                if number != len(current.steps) + 1:
                    parts.append(pair)
            elif not is_aside:
                parts.append(pair)
        return parts

    def _objects_of_action(
        self, action: ActionForm, parts: Sequence[Pair], pairs: Sequence[Pair]
    ) -> list[str]:
        """Return the objects of a step; if some are missing, its description may name them.

        Args:
            action: The action of the step.
            parts: The pairs that may hold its objects.
            pairs: All pairs beside the action, descriptions in words included.
        """
        objects = objects_of_parts(self.grammar, parts, action)
        if action.max_objects == 0:
            # "find a mug" has its object in its name; another key may name it again.
            objects = [each for each in objects if not names_again(each, action.name)]
        if len(objects) < action.max_objects:
            for text in _descriptions_in(pairs):
                objects = self._objects_in_description(text, action) or objects
        return objects

    def _read_unknown_name(
        self, name: Text, parts: Sequence[Pair], number: int | None, *, is_cut: bool
    ) -> None:
        """Read an object whose text under ``action`` is not just an action of the task.

        The text is one of these, the first that fits: a line with steps (``"walk to the hall"``),
        the name of a call with plans as arguments (``"submit_plan"``), a value in a string, a
        sentence, a signal (``"done"``), or an unknown action.

        Args:
            name: The text.
            parts: The other keys and values of the object, without explanations.
            number: The number of the step; None if it has none.
            is_cut: Whether the answer ends inside the object.
        """
        current = self.collected.current
        steps = self.grammar.read_line(name.value, name.at, is_step_expected=True).steps
        if steps and steps[0].is_known:
            current.unread += map(written_pair, filter(self._holds_steps, parts))
            step = steps[0]
            if step.lacks_objects:
                action = self.grammar.surfaces.by_name.get(step.name)
                named = objects_of_parts(self.grammar, parts, action)
                # Of "letter.96 | PUTIN, trash_can.65" both cells name an object.
                others = [each for each in step.arguments if each not in named]
                is_behind = name.value[len(step.written) :].lstrip()[:1] in (",", ";")
                is_shared = is_behind and len(named) + len(others) <= step.max_objects
                step.arguments = [*named, *others] if is_shared else named or step.arguments
            self._add_steps_of_object(steps, name.at, number)
            return
        # A plan in the arguments is meant, whatever the call is named.
        if self._take_plans_of_parts([pair for pair in parts if not _heads_parts(pair)]):
            return
        nested_steps = self.grammar.nested(name)
        if nested_steps is not None:
            current.steps += nested_steps
            return
        arguments = [pair for pair in parts if holds_arguments(pair)]
        if steps and not parts and not self.grammar.is_free:
            self._add_steps_of_object(steps, name.at, number)
        elif not name.value.strip() or len(name.value) > MAX_NAME_LENGTH:
            current.unread.append(name)  # a longer text is a sentence, not a name
        elif self._is_signal(name, parts):
            current.left_out[name.value] = None
        elif steps and not arguments:
            current.steps += steps
        else:
            objects = objects_of_parts(self.grammar, arguments, None)
            written = name.value.strip()
            step = Step(written, objects, name.at, -1, "object", number, is_known=False)
            step.is_cut = is_cut
            current.steps.append(step)

    def _holds_steps(self, pair: Pair) -> bool:
        """Whether whole steps stand under a key: ``"then": ["OPEN(fridge)"]``."""
        plans = self.collected.plans_under(pair, _DEPTH_OF_PARTS)
        return any(step.is_whole and step.is_known for plan in plans for step in plan.steps)

    def _is_signal(self, name: Text, parts: Sequence[Pair]) -> bool:
        """Whether a text such as ``done`` only ends a plan; beside an object it may be a step."""
        if squeezed(name.value) not in SIGNALS:
            return False
        return not any(self.collected.names_object(pair.value) for pair in parts)

    def _add_steps_of_object(self, steps: Sequence[Step], offset: int, number: int | None) -> None:
        """Add the steps in a text of an object, with the offset and the number of the object."""
        for step in steps:
            step.at = offset
            step.number = number
            step.form = "object"
        self.collected.current.steps += steps

    def _take_plans_of_parts(
        self, parts: Sequence[Pair], *, must_be_known: bool = False
    ) -> Sequence[Step]:
        """Add the plans in the arguments of a call, ``{"name": "submit_plan", "plan": [...]}``.

        Return their steps. Plans without any action of the task may be passed over.
        """
        steps: list[Step] = []
        for pair in parts:
            plans = self.collected.plans_under(pair, _DEPTH_OF_PARTS)
            steps_of_plans = [step for plan in plans for step in plan.steps]
            if any(step.is_known or not must_be_known for step in steps_of_plans):
                self.collected.add_plans(plans, pair.key.value, as_own=False)
                steps += steps_of_plans
        return steps

    def _note_others(self, parts: Sequence[Pair], action: ActionForm) -> None:
        """Report the parts of a step beside its arguments: other steps as unread, the rest as such.

        Without arguments, as objects may stand under any key, only a list of more objects than the
        action takes is reported.
        """
        arguments = arguments_of_action(self.grammar, parts, action)
        if not arguments:
            lists = [pair for pair in parts if self._lists_more_objects(pair.value, action)]
            self.collected.current.unread += map(written_pair, lists)
            return
        for pair in parts:
            if pair in arguments or is_rejected_key(pair.name):
                continue
            plans = self.collected.plans_under(pair, _DEPTH_OF_PARTS)
            if plans or self.collected.is_step_beside(pair):
                self.collected.current.unread.append(written_pair(pair))
            else:
                self.collected.current.left_out[pair.key.value] = None

    def _lists_more_objects(self, node: Node | None, action: ActionForm) -> bool:
        """Whether a value is a list of nothing but objects, and of more than an action takes."""
        if not isinstance(node, Group) or len(node.members) <= max(action.most_named, 1):
            return False
        is_object = self.grammar.surfaces.is_object
        names = [name for member in node.members for name in texts_of(member)]
        without_ids = [name for name in names if not name.isdigit()]
        return len(without_ids) > action.most_named and all(map(is_object, names))


def _may_head_action(pair: Pair) -> bool:
    """Whether a key is neither a remark nor a number, so that the text under it may be an action.

    ``type`` is a remark elsewhere.
    """
    key = pair.key.value
    return not is_numbering(key) and (pair.name == "type" or not is_aside_key(key))


def _heads_parts(pair: Pair) -> bool:
    """Whether a key is over the steps of a part of a plan: ``{"name": ..., "steps": [...]}``."""
    is_heading = is_heading_key(pair.key.value) and pair.name not in _REPLIES
    return is_heading and isinstance(pair.value, Group)


def _is_title_of(title: Step, step: Step) -> bool:
    """Whether a title says a step, perhaps without its objects."""
    return are_alike(title, step) or (title.lacks_objects and is_same_action(title.name, step.name))


def _number_in(pairs: Sequence[Pair]) -> int | None:
    """Return the number of a step that is written as an object: 3 of ``"step": "3"``."""
    for pair in pairs:
        if pair.name in _NUMBER_KEYS and pair.text.isdigit():
            return number_of(pair.text)
    return None


def _descriptions_in(pairs: Sequence[Pair]) -> list[Text]:
    """Return the texts that describe a step in words: ``"description": "Walk to the hall"``."""
    values = [pair.value for pair in pairs if pair.name in _DESCRIPTION_KEYS]
    return [value for value in values if isinstance(value, Text)]


def _is_wrapped_action(pair: Pair) -> bool:
    """Whether an action is a value with parts of its own: ``"function": {"name": ...}``."""
    is_wrapper = pair.name in ("action", "function", "function_call", "functioncall")
    return is_wrapper and isinstance(pair.value, Group)


def _unwrapped(pair: Pair) -> Pair:
    """Return ``"action": {"name": "walk"}``, with nothing but a name, as ``"action": "walk"``."""
    if not _is_wrapped_action(pair) or not isinstance(pair.value, Group):
        return pair
    items = pair.value.items
    if len(items) != 1 or not isinstance(items[0], Pair) or not isinstance(items[0].value, Text):
        return pair
    is_name = items[0].name in ACTION_KEYS or items[0].name in ("name", "type")
    return Pair(pair.key, items[0].value) if is_name else pair
