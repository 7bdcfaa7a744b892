"""The steps of lists: a list of steps, or a step that is a list of words: ``["WALK", "light"]``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from eai.answers.chat_messages import without_earlier_plans
from eai.answers.items import Step, ValueReading, names_again
from eai.answers.keys import number_of
from eai.answers.plan import NOTHING
from eai.answers.step_parts import StepsOfKind
from eai.answers.values import Group, Item, Pair, Text

_ENDS_RUN = re.compile(r"\s*(?:return(?: \w{1,20})?|break|continue)\s*")
"""A statement behind which the others of its block are not run."""


_TRIES = frozenset(["try", "attempt", "candidate", "draft", "iteration", "proposal", "version"])
"""Keys that number several plans of which one is meant."""


def _is_try(node: Group) -> bool:
    """Whether an object is one of several plans: ``{"attempt": 2, "steps": [...]}``."""
    has_number = any(pair.name in _TRIES and pair.text.isdigit() for pair in node.pairs)
    return has_number and any(isinstance(pair.value, Group) for pair in node.pairs)


class ListSteps(StepsOfKind):
    """Reads the steps of lists."""

    def read_list(self, node: Group, depth: int) -> None:
        """Add the steps of a list, or the step that a list of words is: ``["WALK", "light"]``.

        Args:
            node: The list.
            depth: How deep it stands in the whole value.
        """
        if not node.items and not node.cut:
            self.collected.current.is_empty = True
        # Where any word may be an action, the outermost list may be any list of words.
        is_any_list = self.grammar.is_free and depth == 0
        step = None if is_any_list else self._step_of(node)
        if step is not None:
            self.collected.current.steps.append(step)
        elif not self._read_numbered(node, depth):
            self._read_items(node, depth)

    def _read_items(self, node: Group, depth: int) -> None:
        """Read the items of a list; of several lists of steps in it, each is a plan of its own."""
        plan_lists = [
            item
            for item in node.items
            if isinstance(item, Group) and (self._is_plan(item) or _is_try(item))
        ]
        has_several_items = len(node.items) > 1
        self.collected.lists_around += has_several_items
        items_that_run = self._items_that_run(node)
        for item in without_earlier_plans(items_that_run, self.grammar.nested):
            if len(plan_lists) > 1 and isinstance(item, Group) and item in plan_lists:
                key = "option" if _is_try(item) else "alternative"
                self.collected.readings.append(ValueReading(key, item.at))
            self.collected.read_value(item.value if isinstance(item, Pair) else item, depth + 1)
        self.collected.lists_around -= has_several_items

    def _items_that_run(self, node: Group) -> Sequence[Item]:
        """Return the items of a list; of a block of a program, those up to a ``return``.

        The value that is returned stands right behind the word, and is one of them.
        """
        for index, item in enumerate(node.items):
            if not isinstance(item, Text) or item.quoted or not _ENDS_RUN.fullmatch(item.value):
                continue
            items_behind = node.items[index + 1 :]
            is_value = bool(items_behind) and _begin_of(items_behind[0]) <= item.end + 1
            returned_items = items_behind[:1] if is_value else []
            if len(items_behind) > len(returned_items):
                left_out = f"what stands behind {item.value.strip()}"
                self.collected.current.left_out[left_out] = None
            return [*node.items[:index], *returned_items]
        return node.items

    def _read_numbered(self, node: Group, depth: int) -> bool:
        """Add the step of ``[1, "WALK(light)"]``; return False if a list has no number.

        A negative number is no number of a step: ``[-1, "find a Mug_2"]``.
        """
        if len(node.items) < 2:
            return False
        first_item, *other_items = node.items
        if not isinstance(first_item, Text) or first_item.quoted:
            return False
        if not first_item.value.removeprefix("-").isdigit():
            return False
        is_number = first_item.value.isdigit()
        for step in self.collected.steps_in([replace(node, items=other_items)], depth):
            step.number = number_of(first_item.value) if is_number else None
        return True

    def _is_plan(self, group: Group) -> bool:
        """Whether a list is a plan of its own: it holds several steps and nothing under keys."""
        if group.kind != "list" or len(group.items) < 2 or self._step_of(group) is not None:
            return False
        if any(isinstance(item, Pair) for item in group.items):
            return False
        return sum(1 for item in group.items if self._may_be_step(item)) > 1

    def _may_be_step(self, item: Item) -> bool:
        """Whether an item of a list may be a step: a text with one, an object, a call, a list."""
        if isinstance(item, Text):
            return self._is_step_text(item)
        if isinstance(item, Pair):
            return False
        return item.kind != "list" or self._step_of(item) is not None

    def _step_of(self, group: Group) -> Step | None:
        """Return the step that a list of an action and its objects is; None if it is none."""
        items = group.items
        if not items or not isinstance(items[0], Text):
            return None
        first_item = items[0]
        texts = [item for item in items if isinstance(item, Text)]
        if self.grammar.is_free:
            return self._step_of_any_words(group, texts)
        action = self.collected.action_of(first_item)
        if action is None:
            return self._step_of_unknown_action(group, texts)
        # ["WALK(hall)", "OPEN(door)"] is a list of steps.
        if any(self._is_step_text(text) for text in texts[1:]):
            return None
        others = list(items[1:])
        if action.max_objects == 0:
            others = [item for item in others if not _adds_nothing(item, action.name)]
        is_too_long = bool(others) and action.most_named == 0
        is_too_short = not others and action.max_objects > 0
        if is_too_long or is_too_short:
            return None
        objects = replace(group, items=others)
        is_cut = group.cut or group.is_open
        step = self.grammar.step_of(action, objects, first_item.at, "list", is_cut=is_cut)
        step.written = first_item.value.strip()
        return step

    def _step_of_any_words(self, group: Group, texts: Sequence[Text]) -> Step | None:
        """Return the step of a list of words, where any word may be the name of an action."""
        if len(texts) < len(group.items) or len(texts) < 2:
            return None
        name = texts[0].value
        if not name.replace("_", "a").replace(" ", "a").isalpha():
            return None
        if any(self.grammar.read_line(text.value, 0).steps for text in texts):
            return None
        return self._step_named(name, group, is_cut=False)

    def _step_of_unknown_action(self, group: Group, texts: Sequence[Text]) -> Step | None:
        """Return the step of a list whose action is unknown, but whose object the task has.

        The name of the action may also be in capitals, whatever the objects are.
        """
        name = texts[0].value
        if len(texts) != len(group.items) or len(texts) < 2 or not name.isidentifier():
            return None
        if any(self._is_step_text(text) for text in texts):
            return None
        objects = ", ".join(text.value for text in texts[1:])
        if not (self.grammar.surfaces.objects_in(objects) or name.isupper()):
            return None
        if self.grammar.surfaces.find_mentions(name):
            return None
        return self._step_named(name, group, is_cut=group.cut or group.is_open)

    def _step_named(self, name: str, group: Group, *, is_cut: bool) -> Step:
        """Return the step of a list that begins with the name of an unknown action."""
        objects = self.grammar.objects_of(replace(group, items=group.items[1:]), None)
        return Step(name, objects, group.at, form="list", is_known=False, is_cut=is_cut)

    def _is_step_text(self, text: Text) -> bool:
        """Whether a text is an action, or begins with one and names something else behind it."""
        mentions = self.grammar.surfaces.find_mentions(text.value)
        if not mentions or not mentions[0].is_action:
            return False
        return len(mentions) > 1 or self.grammar.surfaces.find_action(text.value) is not None


def _adds_nothing(item: Item, step: str) -> bool:
    """Whether an item behind a step in words says no more: ``("pick up the cup", "cup", None)``."""
    if not isinstance(item, Text):
        return False
    return item.value in NOTHING or names_again(item.value, step)


def _begin_of(item: Item) -> int:
    """Return the offset at which an item begins."""
    return item.key.at if isinstance(item, Pair) else item.at
