"""The steps in a value: JSON, Python, elements of XML, and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from eai.answers.call_steps import CallSteps
from eai.answers.choice import is_final, is_rejected
from eai.answers.column_steps import ColumnSteps
from eai.answers.conditions import makes_conditional
from eai.answers.empty_answers import is_explicitly_empty
from eai.answers.failures import reports_failure, says_nothing
from eai.answers.items import (
    LONGEST_LINE,
    SIGNALS,
    TALKING,
    Step,
    ValueReading,
    are_same,
    is_same_action,
)
from eai.answers.keyed_steps import KeyedSteps
from eai.answers.keys import (
    decode_if_encoded,
    has_texts,
    is_aside_key,
    is_explaining_key,
    is_framing_key,
    is_heading_key,
    is_numbering,
    is_object_key,
    is_rejected_key,
    is_reply_key,
    lists_objects,
    number_of,
    texts_of,
)
from eai.answers.list_steps import ListSteps
from eai.answers.named_steps import NamedSteps
from eai.answers.plan import (
    ACTION_KEYS,
    CONNECTIVES,
    HEADINGS,
    WORDS,
    words_of,
)
from eai.answers.retractions import takes_back
from eai.answers.step_parts import (
    MAX_NAME_LENGTH,
    SCHEMA_KEYS,
    holds_arguments,
    written_pair,
)
from eai.answers.surfaces import squeezed
from eai.answers.table_steps import TableSteps
from eai.answers.taken_out import TRUTHS, denies_step, rejects_step
from eai.answers.unclear import DOUBT, is_like_call
from eai.answers.values import (
    ELLIPSES,
    Group,
    Item,
    Node,
    Pair,
    Text,
    decode_value,
    is_list,
    key_words,
    plain_key,
)
from eai.text import has_words

if TYPE_CHECKING:
    from eai.answers.grammar import StepGrammar
    from eai.answers.surfaces import ActionForm


_MIN_SENTENCE = 3
"""A final answer of no more words, such as "none" or "not possible", speaks of no steps."""
MAX_DEPTH = 12
"""Maximum nesting of a value in which steps are looked for."""
_CHOSEN_KEYS = WORDS["chosen_keys"]
_GOING_ON = CONNECTIVES | WORDS["going_on"]
"""Words in keys of steps that come behind others."""
_FOLLOWING = WORDS["following"]
"""Words in keys of lists that go on where the step before them ends."""
_OVER_CANDIDATES = WORDS["over_candidates"]
"""Keys over a list of plans: ``candidates``, ``options``."""
_LABELLED = re.compile(r"(?:(?:option|plan|candidate|alternative|version|variant)_)?([a-z]|\d)")
_DECIDING = re.compile(r"choice|chosen|select|decision|best|preferred|recommended|winner|pick")
_NOT_TO_DO = WORDS["not_to_do"]
_NEGATIONS = WORDS["negations"]
_TOLD_PLAN_KEYS = WORDS["told_plan_keys"]
_NOTE_KEYS = WORDS["status_keys"] | WORDS["verdict_keys"]
"""Keys of what is said of the plan beside them."""
_RESULT_KEYS = WORDS["result_keys"]
"""Keys, and heads of columns, of what came of a step."""
_OTHERS = WORDS["other_speakers"]
"""Roles in a dialogue that are not the agent's."""
_SAYING_KEYS = frozenset(["content", "parts", "text", "output", "result"])
"""Keys of the content of a message."""
_IDS_OF_CALLS = frozenset(["tool_call_id", "tool_use_id", "call_id"])
"""Keys of the call to which a message without arguments replies."""


class CollectedSteps:
    """Collects the plans of one value.

    Args:
        grammar: Reads the steps in strings.

    Attributes:
        readings: The plans so far; steps are added to the last one.
        decision: A sentence that decides between plans, from a key such as ``choice``.
        lists_around: Number of lists of several items around the value that is being read.
    """

    def __init__(self, grammar: StepGrammar) -> None:
        """Begin with one plan without steps; :meth:`read_value` adds steps to it."""
        self.grammar = grammar
        self.readings: list[ValueReading] = [ValueReading()]
        self.decision = ""
        self.lists_around = 0

    @property
    def current(self) -> ValueReading:
        """The plan to which steps are added."""
        return self.readings[-1]

    def finish(self, group: Group) -> list[ValueReading]:
        """Return the plans that hold something.

        Args:
            group: The value, which says where the plans begin and whether they are cut.
        """
        plans: list[ValueReading] = []
        for reading in self.readings:
            reading.at = reading.at or group.at
            reading.is_cut = group.cut and reading is self.current
            if reading.is_cut and _is_cut_behind_list(group):
                reading.is_cut = False
                reading.notes["the answer ends in a remark behind the plan"] = None
            reading.decision = self.decision
            if reading.steps or reading.is_empty or reading.unread:
                plans.append(reading)
        return plans

    def read_value(self, node: Node | None, depth: int) -> None:
        """Add the steps of a value that stands where steps are expected.

        Args:
            node: The value; None if it is missing.
            depth: How deep it stands in the whole value.
        """
        if node is None or depth > MAX_DEPTH:
            return
        if isinstance(node, Text):
            self.read_text(node)
        elif node.kind == "table":
            TableSteps(self).read_table(node, depth)
        elif node.kind == "call" and node.name is not None:
            CallSteps(self).read_call(node, node.name, depth)
        elif node.kind == "object":
            self.read_object(node, depth)
        else:
            ListSteps(self).read_list(node, depth)

    def steps_in(self, nodes: Iterable[Node | None], depth: int) -> Sequence[Step]:
        """Read values inside of another one, and return the steps that they add."""
        count_before = len(self.current.steps)
        for node in nodes:
            self.read_value(node, depth + 1)
        return self.current.steps[count_before:]

    def read_text(self, text: Text) -> None:
        """Add the steps of a string; without any it is unread."""
        nested_steps = self.grammar.nested(text)
        if nested_steps is not None:
            self.current.steps += nested_steps
            return
        reading = self.grammar.read_line(text.value, text.at, is_step_expected=True)
        steps = reading.steps
        if reading.unread:
            self.current.unread.append(text)
        # A bare ellipsis stands for steps that are left out.
        is_ellipsis = not text.quoted and text.value.strip() in ELLIPSES
        if squeezed(text.value) in SIGNALS or (not steps and _heads_items(text.value)):
            self.current.left_out[text.value] = None
        elif not steps and (is_ellipsis or has_words(text.value)):
            self.current.unread.append(text)
        for step in steps:
            step.at = text.at
            step.is_cut = step.is_cut or text.cut
        self.current.steps += steps

    def read_object(self, node: Group, depth: int) -> None:
        """Add the steps of an object: a step with its parts under keys, or plans under keys."""
        pairs = self._without_title(node.pairs)
        if not pairs:
            self.current.is_empty = self.current.is_empty or not node.cut
            return
        if _is_said_by_others(pairs):
            return
        if self.is_denied(pairs):
            self.current.notes["a step that is not to be executed was left out"] = None
            return
        count_before = len(self.current.steps)
        # Columns go first: else a column of actions is read as the action of one step.
        if (
            ColumnSteps(self).read_columns(pairs, depth)
            or KeyedSteps(self).read_keys(pairs, depth)
            or NamedSteps(self).read_step(pairs, node, depth)
        ):
            self.qualify_step(pairs, count_before)
            return
        if is_explicitly_empty(pairs):
            self.current.is_empty = True
            return
        if self.read_only_text(pairs):
            self.qualify_step(pairs, count_before)
            return
        # The plans of each key are read apart first, as what one key means depends on the others.
        plans_by_pair = [self.plans_under(pair, depth) for pair in pairs]
        flag_frame = self.frame_of_flag(pairs) or _frame_of_notes(pairs)
        if not flag_frame:
            self.read_pairs(pairs, plans_by_pair, depth)
            return
        for plans in plans_by_pair:
            if plans:
                self.add_plans(plans, flag_frame, as_own=True)

    def _without_title(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Return the pairs of an object without its title, if its steps stand under other keys.

        ``{"name": "Go to the hall", "walk": {"to": "hall"}}`` is a task of a playbook, and several
        objects under the key ``action`` are elements of a list, whatever name that has.
        """
        surfaces = self.grammar.surfaces
        groups = [pair for pair in pairs if isinstance(pair.value, Group)]
        names = [pair.name for pair in groups]
        has_members = len(names) > 1 and set(names) <= ACTION_KEYS
        has_action_key = any(surfaces.find_action(pair.key.value) is not None for pair in groups)
        if not (has_members or has_action_key):
            return list(pairs)
        return [pair for pair in pairs if pair.name != "name" or not isinstance(pair.value, Text)]

    def read_pairs(
        self, pairs: Sequence[Pair], plans_by_pair: Sequence[list[ValueReading]], depth: int
    ) -> None:
        """Add the plans under the keys of an object; report pairs beside them that may be steps.

        Args:
            pairs: The keys and values of the object.
            plans_by_pair: The plans under each key, in the same order.
            depth: How deep the object stands in the whole value.
        """
        beside = _PlansBeside.from_pairs(pairs, plans_by_pair, self.grammar)
        unclear: list[Text] = []
        pairs_to_read: list[tuple[Pair, list[ValueReading]]] = []
        for pair, plans in zip(pairs, plans_by_pair, strict=True):
            use = _use_over_plans(pair, plans, beside) if plans else self._use_of_key(pair, beside)
            if use is _Use.READ:
                pairs_to_read.append((pair, plans))
            elif use is _Use.UNCLEAR and not _is_told_elsewhere(plans, plans_by_pair):
                unclear.append(written_pair(pair))
            else:
                self.current.left_out[pair.key.value] = None
        readings_before = len(self.readings)
        self._read_beside_each_other(pairs_to_read, _label_of(pairs), depth)
        is_only = len(self.readings) == readings_before
        for reading in self.readings[readings_before - 1 :]:
            if reading.steps or reading.is_empty or is_only:
                reading.unread += unclear

    def _use_of_key(self, pair: Pair, beside: _PlansBeside) -> _Use:
        """Return how a key without a plan is used, beside keys over plans."""
        # A first step goes before the list of "subsequent_steps".
        is_first = is_numbering(pair.name) and not beside.has_heading
        if beside.has_plan and not is_first and self.is_step_beside(pair):
            return _Use.UNCLEAR
        if beside.has_heading and _is_known_beside_plans(pair):
            return _Use.LEFT_OUT
        return _Use.READ

    def _read_beside_each_other(
        self, pairs: Sequence[tuple[Pair, list[ValueReading]]], label: str, depth: int
    ) -> None:
        """Add the plans under several keys of an object.

        Args:
            pairs: The keys and values, each with the plans under it.
            label: The label of the object if it is one of several plans; empty if it has none.
            depth: How deep the object stands in the whole value.
        """
        count_over_plans = 0
        keys_over_plans: set[str] = set()
        for pair, plans in pairs:
            count_over_plans += any(plan.steps or plan.is_empty for plan in plans)
            if plans:
                keys_over_plans.add(pair.key.value)
        is_alone = count_over_plans < 2
        # Several elements of one name are one list, not several options.
        is_option = label != "" and (is_alone or len(keys_over_plans) > 1)
        for pair, plans in pairs:
            if not plans:
                self.read_pair(pair, depth, is_only=len(pairs) == 1)
            elif is_option:
                self.add_plans(plans, f"option {label}", as_own=True)
            else:
                self._take_plans_under(pair.key.value, plans, is_alone=is_alone)

    def _take_plans_under(self, key: str, plans: Sequence[ValueReading], *, is_alone: bool) -> None:
        """Add the plans under a key; they are plans of their own if the key names a candidate.

        Args:
            key: The key.
            plans: The plans under it.
            is_alone: Whether no other key of the object stands over a plan.
        """
        plain = plain_key(key)
        label = _LABELLED.fullmatch(plain)
        frame = f"option {label[1]}" if label else key
        if len(plans) > 1 and plain in _OVER_CANDIDATES:
            frame = ""  # "alternatives" over all plans rejects none of them
        is_candidate = plain in HEADINGS or is_framing_key(key) or label is not None
        self.add_plans(plans, frame, as_own=is_candidate and not is_alone)

    def is_step_beside(self, pair: Pair) -> bool:
        """Whether a pair beside a plan may be a step as well, by its key or a call in its value."""
        key = pair.name
        if is_aside_key(key) or key in HEADINGS or is_object_key(key) or is_rejected_key(key):
            return False
        if self.grammar.surfaces.find_action(key) is not None:
            return key not in SCHEMA_KEYS or self.names_object(pair.value)
        if is_numbering(key) or self.holds_call(pair.value):
            return True
        if isinstance(pair.value, Text) and not _GOING_ON.isdisjoint(key_words(key)):
            return bool(self.grammar.read_line(pair.value.value, 0, is_step_expected=True).steps)
        if not pair.key.value.isupper():
            return False
        if is_list(pair.value) or not has_texts(pair.value):
            return True
        return self.names_object(pair.value)

    def holds_call(self, node: Node | None, depth: int = 0) -> bool:
        """Whether a text, or one in a value, is written as only steps are; remarks do not count.

        Args:
            node: The text or the value; None if it is missing.
            depth: Number of values around it that were looked into.
        """
        # A value in a string may be encoded several times.
        decoded_value = decode_value(node) if isinstance(node, Text) else None
        if decoded_value is not None and depth <= MAX_DEPTH:
            return self.holds_call(decoded_value, depth + 1)
        if isinstance(node, Text):
            return self._is_written_as_step(node)
        if node is None or depth > MAX_DEPTH:
            return False
        under_keys = [pair.value for pair in node.pairs if not is_aside_key(pair.key.value)]
        return any(self.holds_call(inner, depth + 1) for inner in [*node.members, *under_keys])

    def _is_written_as_step(self, text: Text) -> bool:
        """Whether a string is written as only steps are: a call, not words."""
        if not text.quoted or len(text.value) > LONGEST_LINE:
            return False
        steps = self.grammar.read_line(text.value, 0, is_step_expected=True).steps
        return any(map(self.is_step_form, steps))

    def is_step_form(self, step: Step) -> bool:
        """Whether a step is written as only steps are: a call, but not of an object's name."""
        if step.form == "words" and not step.is_known:
            return step.name.isupper()
        if step.form not in ("call", "script", "pddl"):
            return False
        mentions = self.grammar.surfaces.find_mentions(step.name)
        return step.is_known or all(mention.name != step.name for mention in mentions)

    @staticmethod
    def frame_of_flag(pairs: Sequence[Pair]) -> str:
        """Return ``"final"`` for ``"chosen": true``, ``"rejected"`` for false, else ""."""
        for pair in pairs:
            truth = TRUTHS.get(pair.text.lower())
            if pair.name in _CHOSEN_KEYS and truth is not None:
                return "final" if truth else "rejected"
        return ""

    def read_only_text(self, pairs: Sequence[Pair]) -> bool:
        """Add the only text of an object that is a whole step: ``{"call": "WALK(hall)"}``.

        Return False if there is none or more than one, or if the object has other values.
        """
        if any(isinstance(pair.value, Group) for pair in pairs):
            return False
        is_only = len(pairs) == 1
        steps_of_pairs = [self._steps_of_plain_text(pair, is_only=is_only) for pair in pairs]
        steps_of_texts = list(filter(None, steps_of_pairs))
        if len(steps_of_texts) != 1:
            return False
        for step in steps_of_texts[0]:
            step.form = "object"
        self.current.steps += steps_of_texts[0]
        return True

    def _steps_of_plain_text(self, pair: Pair, *, is_only: bool) -> list[Step]:
        """Return the steps in a string whose key says nothing about it, ``"x": "WALK(hall)"``.

        Empty if the key has a meaning of its own, or one of the steps is not whole: it lacks an
        object, or its action is not one of the task. Under an only key, any call is a step.
        """
        key, text = pair.name, pair.value
        if not isinstance(text, Text) or not text.quoted:
            return []
        if is_aside_key(key) or key in HEADINGS or is_numbering(key):
            return []
        if self.grammar.surfaces.find_action(key) is not None:
            return []  # the string names the objects of the step
        if is_only and (key in _SAYING_KEYS or not _may_hold_call(pair)):
            return []
        if is_only and not is_like_call(text.value):
            return []
        steps = self.grammar.read_line(text.value, text.at, is_step_expected=True).steps
        return steps if is_only or all(step.is_whole for step in steps) else []

    def names_action(self, item: Item | None) -> bool:
        """Whether an item of a list is nothing but the name of an action."""
        return isinstance(item, Text) and self.action_of(item) is not None

    def action_of(self, text: Text) -> ActionForm | None:
        """Return the action that a text names, perhaps as a member: ``Action.WALK``."""
        name = text.value if text.quoted else text.value.rpartition(".")[2]
        return self.grammar.surfaces.find_action(name)

    def plans_under(self, pair: Pair, depth: int) -> list[ValueReading]:
        """Return the plans under a key; none if the key is a remark or a number."""
        key = pair.name
        is_aside = is_aside_key(pair.key.value) and key not in HEADINGS
        if is_aside or is_numbering(key) or not _may_hold_plan(pair.value):
            return []
        if self.grammar.is_free and key not in HEADINGS and _is_list_of_words(pair.value):
            return []  # whatever the key is, these are its objects
        # Under an action stand its objects, unless whole steps stand there.
        is_action = self.grammar.surfaces.find_action(pair.key.value) is not None
        if is_action and self._names_objects(pair.value):
            return []  # it is not read as a plan, which would take most of the time
        plans = self._plans_of_candidates(pair, depth) or self.plans_inside(pair.value, depth + 1)
        if is_action:
            return [plan for plan in plans if any(step.is_whole for step in plan.steps)]
        return [plan for plan in plans if plan.steps or (plan.is_empty and key in HEADINGS)]

    def _names_objects(self, node: Node | None) -> bool:
        """Whether a value is only names and numbers of objects, one or a list of them."""
        texts = node.items if isinstance(node, Group) and node.kind == "list" else [node]
        is_object = self.grammar.surfaces.is_object
        return all(isinstance(text, Text) and is_object(text.value) for text in texts)

    def _plans_of_candidates(self, pair: Pair, depth: int) -> list[ValueReading]:
        """Return the plans of a list of candidates, one each; none if the value is no such list.

        Which of them is meant may be said in many ways. So the list itself is unread in each,
        unless flags such as ``"chosen": true`` frame all of them.
        Where each of its items is a single step, ``["walk", "hall"]``, it is a plan itself.
        """
        candidates = _listed_candidates(pair)
        plans: list[ValueReading] = []
        are_framed = True
        for position, candidate in enumerate(candidates, start=1):
            plans_of_candidate = [
                plan for plan in self.plans_inside(candidate, depth + 1) if plan.steps
            ]
            if len(plans_of_candidate) != 1:
                return []
            plan = plans_of_candidate[0]
            if not is_framing_key(plan.key):
                plan.key = f"option {position}"
                are_framed = False
            plans.append(plan)
        if not any(len(plan.steps) > 1 for plan in plans):
            return []
        for plan in plans if not are_framed else ():
            plan.unread.append(written_pair(pair))
        return plans

    def plans_inside(self, node: Node | None, depth: int) -> list[ValueReading]:
        """Return the plans in a value, without adding them."""
        inner_steps = CollectedSteps(self.grammar)
        inner_steps.read_value(node, depth)
        self.decision = self.decision or inner_steps.decision
        return inner_steps.readings

    def add_plans(self, readings: Sequence[ValueReading], key: str, *, as_own: bool) -> None:
        """Add plans that were read apart.

        Args:
            readings: The plans.
            key: The key over them.
            as_own: Whether they are plans of their own. If not, the first one adds its steps to the
                current plan, unless several of them have steps.
        """
        plans_with_steps = [reading for reading in readings if reading.steps]
        are_own = as_own or len(plans_with_steps) > 1
        if not are_own:
            self._add_to_current(readings[0], key)
            readings = readings[1:]
        for reading in readings:
            reading.key = f"{key} {reading.key}".strip()
            self.readings.append(reading)
        if are_own:
            self.readings.append(ValueReading())

    def _add_to_current(self, reading: ValueReading, key: str) -> None:
        """Add the steps of a plan under a key to the current plan, unless it tells them again."""
        current = self.current
        if len(reading.steps) > 1 and are_same(current.steps, reading.steps):
            current.left_out[key] = None
            return
        if not current.steps:
            current.key = current.key or f"{key} {reading.key}".strip()
            current.at = current.at or reading.at
        current.steps += reading.steps
        current.unread += reading.unread
        current.left_out |= reading.left_out
        current.notes |= reading.notes
        current.is_empty = current.is_empty or reading.is_empty

    def is_denied(self, pairs: Sequence[Pair]) -> bool:
        """Whether an object says that its step is not to be executed: ``"skip": true``."""
        return any(map(denies_step, pairs))

    def qualify_step(self, pairs: Sequence[Pair], steps_before: int) -> None:
        """Report the condition of the step of an object or a row; mark the step if it failed.

        Args:
            pairs: The keys and values of the object.
            steps_before: Number of steps before those of the object. Only a single step is marked.
        """
        steps = self.current.steps[steps_before:]
        if len(steps) != 1:
            return
        if self.frame_of_flag(pairs) == "rejected" or any(map(rejects_step, pairs)):
            self.current.notes["a step that was not chosen was left out"] = None
            self.current.steps.pop()
            return
        conditions = [written_pair(pair) for pair in pairs if makes_conditional(pair)]
        self.current.unread += [text for text in conditions if text not in self.current.unread]
        for pair in pairs:
            key = pair.name
            if key not in _RESULT_KEYS or not isinstance(pair.value, Text):
                continue
            result = pair.value.value
            is_error = key == "error" and has_words(result) and not says_nothing(result)
            if is_error or reports_failure(f"result: {result}"):
                steps[0].is_failed = True

    def read_pair(self, pair: Pair, depth: int, *, is_only: bool) -> None:
        """Add the step that a key and its value are, or the steps in the value.

        Args:
            pair: The key and its value. No plan stands under the key.
            depth: How deep the pair stands in the whole value.
            is_only: Whether the object has no other key.
        """
        key = pair.key.value
        plain = plain_key(key)
        text = pair.value if isinstance(pair.value, Text) else None
        if text is not None and _DECIDING.search(plain) and len(text.value) < MAX_NAME_LENGTH:
            self.decision = f"choose option {text.value}"
        action = self.grammar.surfaces.find_action(key)
        if action is not None:
            self._read_action_key(pair, action)
        elif is_numbering(plain):
            self._read_under_number(pair, depth)
        elif is_aside_key(key) and plain not in HEADINGS:
            self._read_aside(pair, depth)
        elif plain in HEADINGS and text is not None:
            self._read_plan_in_text(text, key)
        else:
            self.read_unknown_key(pair, is_listed=is_only and depth > 0)

    def _read_action_key(self, pair: Pair, action: ActionForm) -> None:
        """Add the step ``{"WALK": "light"}``, unless the key is of a schema: ``{"type": "plan"}``.

        Args:
            pair: The key and its value.
            action: The action that the key names.
        """
        key = pair.key.value
        is_schema = plain_key(key) in SCHEMA_KEYS and isinstance(pair.value, Text)
        if is_schema and not self.names_object(pair.value):
            self.current.left_out[key] = None
            return
        step = self._whole_step_of(action, pair.value)
        if step is None:
            objects = decode_if_encoded(pair.value)
            is_cut = _is_cut(pair.value)
            step = self.grammar.step_of(action, objects, pair.key.at, "key", is_cut=is_cut)
            step.written = key
        self.current.steps.append(step)

    def _whole_step_of(self, action: ActionForm, node: Node | None) -> Step | None:
        """Return the step of an action that a text says in full: ``{"walk": "walk(hall)"}``."""
        if not isinstance(node, Text) or "(" not in node.value or node.cut:
            return None
        steps = self.grammar.read_line(node.value, node.at, is_step_expected=True).steps
        is_said = (
            len(steps) == 1 and steps[0].is_whole and is_same_action(steps[0].name, action.name)
        )
        return steps[0] if is_said else None

    def _read_plan_in_text(self, text: Text, key: str) -> None:
        """Add the steps of a text; a final answer behind other steps is a plan of its own."""
        is_final_key = is_final(plain_key(key).replace("_", " "))
        plans = self.plans_inside(text, 0) if is_final_key and self.current.steps else []
        if any(plan.steps for plan in plans):
            self.add_plans(plans, key, as_own=True)
        elif plans and _tells_of_plan(text.value):
            self.current.left_out[key] = None
        else:
            # A text such as null is no answer, and leaves the steps before it in doubt.
            self.read_text(text)

    def _read_under_number(self, pair: Pair, depth: int) -> None:
        """Add the steps of ``{"1": "WALK(light)"}``, with this number if they have none."""
        number = number_of(pair.name)
        for step in self.steps_in([pair.value], depth):
            if step.number is None:
                step.number = number

    def _read_aside(self, pair: Pair, depth: int) -> None:
        """Add the steps under a key that mostly explains; it is left out if there are none.

        A text is only read under ``step``.
        """
        key = pair.key.value
        text = pair.value if isinstance(pair.value, Text) else None
        if text is None and not is_explaining_key(key):
            self.read_value(pair.value, depth + 1)
            return
        if text is None or plain_key(key) != "step" or text.value.isdigit():
            self.current.left_out[key] = None
            return
        self.read_text(text)
        # Under "step" may stand a title, so a text without a step is no problem.
        if self.current.unread and self.current.unread[-1] is text:
            self.current.unread.pop()

    def names_object(self, node: Node | None) -> bool:
        """Whether a value names an object of the task."""
        texts = () if node is None else texts_of(node)
        return any(self.grammar.surfaces.objects_in(text) for text in texts)

    def _is_object_of_last_step(self, node: Node | None) -> bool:
        """Whether a value is an object of the last step, in full or without its number."""
        if not self.current.steps or not isinstance(node, Text):
            return False
        name = squeezed(node.value)
        arguments = map(squeezed, self.current.steps[-1].arguments)
        return any(name in (each, each.rstrip("0123456789")) for each in arguments)

    def read_unknown_key(self, pair: Pair, *, is_listed: bool) -> None:
        """Add the step of a key that may be an unknown action over its objects; else leave it out.

        Args:
            pair: The key and its value.
            is_listed: Whether it is the only key of an item of a list, as each step of a plan is.
        """
        key = pair.key.value
        plain = plain_key(key)
        is_no_step = lists_objects(key) or (plain in SIGNALS and not self.names_object(pair.value))
        if is_no_step or plain in ACTION_KEYS:
            self.current.left_out[key] = None
        elif is_object_key(key) and self.names_object(pair.value):
            # "step": "WALK(hall)" beside it may have said the object already.
            if not self._is_object_of_last_step(pair.value):
                self.current.unread.append(written_pair(pair))
        elif is_object_key(key) or not self._is_unknown_action(pair):
            self.current.left_out[key] = None
        else:
            objects = self.grammar.objects_of(decode_if_encoded(pair.value), None)
            step = Step(key, objects, pair.key.at, -1, "key", is_known=False)
            step.is_weak = not (key.isupper() or is_listed or self.names_object(pair.value))
            self.current.steps.append(step)

    def _is_unknown_action(self, pair: Pair) -> bool:
        """Whether a key may be the name of an action that the task does not have.

        It is over a list, ``"fly": ["hall"]``, or in capitals over an object or nothing.
        """
        key = pair.key.value
        if not key.replace("-", "_").isidentifier() and not self.grammar.read_line(key, 0).steps:
            return False
        if self.grammar.is_free and plain_key(key) not in HEADINGS:
            return True
        if is_list(pair.value):
            return key.isupper() or has_texts(pair.value)
        # Most keys are none. The texts under them are not looked at: values may be deep.
        return key.isupper() and (not has_texts(pair.value) or self.names_object(pair.value))


class _Use(Enum):
    """Use that is made of a key of an object and the value under it."""

    READ = "its steps are added"
    UNCLEAR = "it is reported, as it may be a step that was not read"
    LEFT_OUT = "it is noted as not read"


@dataclass(frozen=True, slots=True)
class _PlansBeside:
    """The keys of an object that stand over plans.

    Args:
        has_plan: Whether there is one that is no action of the task.
        has_heading: Whether there is one for a whole plan: ``plan``, ``steps``.
        has_final: Whether there is one that presents its plan as final.
        has_written: Whether there is one over steps that are not only told in words.
    """

    has_plan: bool
    has_heading: bool
    has_final: bool
    has_written: bool

    @classmethod
    def from_pairs(
        cls,
        pairs: Sequence[Pair],
        plans_by_pair: Sequence[list[ValueReading]],
        grammar: StepGrammar,
    ) -> _PlansBeside:
        """Return which kinds of keys over plans an object has.

        Args:
            pairs: The keys and values of the object.
            plans_by_pair: The plans under each key, in the same order; empty for other keys.
            grammar: Knows the names of actions.
        """
        keys: list[str] = []
        has_written = False
        for pair, plans in zip(pairs, plans_by_pair, strict=True):
            if plans:
                keys.append(pair.key.value)
                has_steps = any(plan.steps for plan in plans)
                has_written = has_written or (has_steps and not _heads_told_plan(pair.key.value))
        return cls(
            has_plan=any(grammar.surfaces.find_action(key) is None for key in keys),
            # "remaining_steps" stands over the rest of a plan.
            has_heading=any(
                is_heading_key(key) and _FOLLOWING.isdisjoint(key_words(key)) for key in keys
            ),
            has_final=any(is_final(key.replace("_", " ")) for key in keys),
            has_written=has_written,
        )


def _use_over_plans(pair: Pair, plans: Sequence[ValueReading], beside: _PlansBeside) -> _Use:
    """Return how a key over plans is used, beside other keys over plans."""
    key = pair.name
    if beside.has_written and _heads_told_plan(key):
        return _Use.LEFT_OUT
    if is_heading_key(key) or is_framing_key(key) or _LABELLED.fullmatch(key) is not None:
        return _Use.READ
    if beside.has_final and len(plans) > 1:
        return _Use.LEFT_OUT  # candidates, beside the final one
    return _Use.UNCLEAR if beside.has_heading else _Use.READ


def _is_said_by_others(pairs: Sequence[Pair]) -> bool:
    """Whether an object is a message of the world, or of somebody else than the agent.

    It has to say something: a role beside an unknown action does not hide that action.
    """
    if not any(pair.name in _SAYING_KEYS for pair in pairs):
        return False
    has_arguments = any(holds_arguments(pair) for pair in pairs if pair.name not in ("id", "name"))
    for pair in pairs:
        is_reply = pair.name == "type" and is_reply_key(pair.text)
        is_result = pair.name in _IDS_OF_CALLS and not has_arguments
        if is_reply or is_result or (pair.name == "role" and pair.text in _OTHERS):
            return True
    return False


def _may_hold_call(pair: Pair) -> bool:
    """Whether a key may stand over a step: it neither denies, rejects, nor names objects."""
    words = key_words(pair.key.value)
    is_denied = not _NOT_TO_DO.isdisjoint(words) or not _NEGATIONS.isdisjoint(words)
    return not (is_denied or is_object_key(pair.key.value) or is_rejected_key(pair.key.value))


def _may_hold_plan(node: Node | None) -> bool:
    """Whether a value is a group, or a text of several lines or with a value in it."""
    if not isinstance(node, Text):
        return isinstance(node, Group)
    return "\n" in node.value or node.value.strip(' \t\n"\\')[:1] in ("[", "{")


def _listed_candidates(pair: Pair) -> Sequence[Group]:
    """Return the values of which each may hold a plan, if a key names its list one of candidates.

    Empty if it does not.
    """
    if pair.name not in _OVER_CANDIDATES or not isinstance(pair.value, Group):
        return []
    if pair.value.kind != "list" or len(pair.value.items) < 2:
        return []
    candidates = [item for item in pair.value.items if isinstance(item, Group)]
    return candidates if len(candidates) == len(pair.value.items) else []


def _is_list_of_words(node: Node | None) -> bool:
    """Whether a value is a list of texts without brackets in them."""
    if not is_list(node):
        return False
    return all(isinstance(item, Text) and "(" not in item.value for item in node.items)


def plan_in_thoughts(group: Group) -> Pair | None:
    """Return the plan among the thoughts of an object, ``{"thoughts": {"plan": "..."}}``.

    Such a plan is meant if the object holds no other one.
    """
    for outer in group.items:
        if not isinstance(outer, Pair) or not isinstance(outer.value, Group):
            continue
        for inner in outer.value.items:
            if isinstance(inner, Pair) and inner.name in HEADINGS:
                return inner
    return None


def _heads_told_plan(key: str) -> bool:
    """Whether a key says that the plan below it is only told in words: ``language_plan``."""
    return is_heading_key(key) and not _TOLD_PLAN_KEYS.isdisjoint(key_words(key))


def _heads_items(text: str) -> bool:
    """Whether an item of a list only introduces the steps below it: "The plan is as follows:"."""
    words = words_of(text)
    if not text.rstrip().endswith(":") or HEADINGS.isdisjoint(words):
        return False
    # "Zap the door, then follow this plan" has a step before the plan.
    is_sure = "then" not in words and DOUBT.search(text) is None
    return is_sure and not is_rejected(text, is_alone=True)


def _is_known_beside_plans(pair: Pair) -> bool:
    """Whether a pair beside a plan can be left out: a group, objects, an action, or a remark.

    ``{"step": "Clean the pool", "actions": [...]}`` has a title, where others have a number.
    """
    key = pair.name
    if isinstance(pair.value, Group) or is_object_key(key):
        return True
    return key in ACTION_KEYS or key in TALKING or key in WORDS["number_keys"]


def _tells_of_plan(text: str) -> bool:
    """Whether the text of a final answer speaks of the steps before it: "Done in 6 steps"."""
    return len(words_of(text)) > _MIN_SENTENCE and not takes_back(text)


def _is_told_elsewhere(
    plans: Sequence[ValueReading], plans_by_pair: Sequence[Sequence[ValueReading]]
) -> bool:
    """Whether the plan under a key is also told under another key of the same object."""
    if len(plans) != 1:
        return False
    others = [other for other in plans_by_pair if other is not plans and len(other) == 1]
    return any(are_same(other[0].steps, plans[0].steps) for other in others)


def _frame_of_notes(pairs: Sequence[Pair]) -> str:
    """Return ``"rejected"`` if a note takes the plan beside it back: ``"status": "incorrect"``."""
    notes = [text for pair in pairs if pair.name in _NOTE_KEYS for text in texts_of(pair.value)]
    notes += [f"it is {note}" for note in notes if len(note.split()) < _MIN_SENTENCE]
    return "rejected" if any(map(takes_back, notes)) else ""


def _is_cut(node: Node | None) -> bool:
    """Whether the answer ends inside a value."""
    if isinstance(node, Text):
        return node.cut
    return node is not None and (node.cut or node.is_open)


def _is_cut_behind_list(group: Group) -> bool:
    """Whether an answer ends in a remark of an object that has its list of steps before it."""
    pairs = group.pairs
    if group.kind != "object" or not pairs or not isinstance(pairs[-1].value, Text):
        return False
    lists = [pair for pair in pairs if is_list(pair.value) and not _is_cut(pair.value)]
    return bool(lists) and is_aside_key(pairs[-1].key.value)


def _label_of(pairs: Sequence[Pair]) -> str:
    """Return the label of an object that is one of several plans: ``"p2"``; empty if none."""
    for pair in pairs:
        is_label = pair.name in ("id", "label", "name", "option", "plan_id")
        if is_label and re.fullmatch(r"[A-Za-z](?:\d{1,2})?", pair.text.strip()):
            return pair.text.strip()
    return ""
