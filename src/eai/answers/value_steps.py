"""The steps in a value: JSON, Python, elements of XML, and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from eai.answers.choice import is_final
from eai.answers.empty_answers import is_explicitly_empty
from eai.answers.failures import reports_failure, says_nothing
from eai.answers.items import CODE_WORDS, LONGEST_LINE, SIGNALS, TALKING, Step, ValueReading
from eai.answers.keys import (
    explains,
    frames,
    is_aside_key,
    is_heading_key,
    is_numbering,
    is_object_key,
    is_rejected_key,
    is_reply_key,
    number_of,
    opened,
    texts_of,
)
from eai.answers.named_steps import NamedSteps
from eai.answers.object_grammar import VARIABLES
from eai.answers.plan import (
    ACTION_KEYS,
    CONNECTIVES,
    HEADINGS,
    WORDS,
)
from eai.answers.step_parts import (
    MAX_NAME_LENGTH,
    SCHEMA_KEYS,
    holds_arguments,
    written_pair,
)
from eai.answers.surfaces import squeezed
from eai.answers.table_steps import TableSteps
from eai.answers.taken_out import is_flag_of_omission, is_out_of_plan
from eai.answers.unclear import is_like_call
from eai.answers.values import (
    ELLIPSES,
    Group,
    Item,
    Node,
    Pair,
    Text,
    encoded,
    key_words,
    plain_key,
)

if TYPE_CHECKING:
    from eai.answers.grammar import StepGrammar
    from eai.answers.surfaces import ActionForm


MAX_DEPTH = 12
"""Maximum nesting of a value in which steps are looked for."""
_CHOSEN_KEYS = WORDS["chosen_keys"]
_GOING_ON = CONNECTIVES | WORDS["going_on"]
"""Words in keys of steps that come behind others."""
_FOLLOWING = WORDS["following"]
"""Words in keys of lists that go on where the step before them ends."""
_LABELLED = re.compile(r"(?:(?:option|plan|candidate|alternative|version|variant)_)?([a-z]|\d)")
_DECIDING = re.compile(r"choice|chosen|select|decision|best|preferred|recommended|winner|pick")
_DENYING_KEYS = WORDS["denying_keys"]
_NOT_TO_DO = WORDS["not_to_do"]
_NEGATIONS = WORDS["negations"]
_STATUS_KEYS = WORDS["status_keys"]
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
_ENDS_RUN = re.compile(r"\s*(?:return(?: \w{1,20})?|break|continue)\s*")
"""A statement behind which the others of its block are not run."""
_RESULT_KEYS = WORDS["result_keys"]
"""Keys, and heads of columns, of what came of a step."""
_TAKING = WORDS["taking"]
"""Words in names of functions that take a step."""
_KEYWORDS = re.compile(r"^(?:(?:await|yield|return|new|call)\s+)+")
"""Words of programming languages before a call."""
_DECLARATION = re.compile(r"(?:(?:const|static|final)\s+)?[A-Za-z_][\w:.<>]*[\s*&]+(\w+)")
"""The type of a variable and its name, as in C++ and Java."""
_OTHERS = WORDS["other_speakers"]
"""Roles in a dialogue that are not the agent's."""
_SAYING_KEYS = frozenset(["content", "parts", "text", "output", "result"])
"""Keys of a message that hold what it says."""
_IDS_OF_CALLS = frozenset(["tool_call_id", "tool_use_id", "call_id"])
"""Keys of the call to which a message without arguments replies."""


class CollectedSteps:
    """Collects the plans of one value."""

    def __init__(self, grammar: StepGrammar) -> None:
        self.grammar = grammar
        self.readings: list[ValueReading] = [ValueReading()]
        self.decision = ""
        self.owners: set[str] = set()  # objects of a program whose members are steps
        self.depth_of_items = 0  # number of lists around, of which one is an item of several

    @property
    def current(self) -> ValueReading:
        """The plan to which steps are added."""
        return self.readings[-1]

    def finished(self, group: Group) -> list[ValueReading]:
        """Return the plans that hold something."""
        for reading in self.readings:
            reading.at = reading.at or group.at
            reading.is_cut = group.cut and reading is self.readings[-1]
            reading.decision = self.decision
            reading.unread = [text for text in reading.unread if not self._is_declaration(text)]
        return [each for each in self.readings if each.steps or each.is_empty or each.unread]

    def _is_declaration(self, text: Text) -> bool:
        """Whether a text of a program declares the owner of its steps: ``Robot robot;``."""
        declared = None if text.quoted else _DECLARATION.fullmatch(text.value.strip())
        return declared is not None and declared[1] in self.owners

    def read(self, node: Node | None, depth: int) -> None:
        """Read a value that stands where steps are expected."""
        if node is None or depth > MAX_DEPTH:
            return
        if isinstance(node, Text):
            self.read_text(node)
        elif node.kind == "table":
            TableSteps(self).read(node, depth)
        elif node.kind == "call" and node.name is not None:
            self.read_call(_with_objects(node), depth)
        elif node.kind == "object":
            self.read_object(node, depth)
        else:
            self.read_list(node, depth)

    def steps_in(self, nodes: Iterable[Node | None], depth: int) -> Sequence[Step]:
        """Read values that stand inside of another one, and return the steps that were added."""
        before = len(self.current.steps)
        for node in nodes:
            self.read(node, depth + 1)
        return self.current.steps[before:]

    def read_text(self, text: Text) -> None:
        """Read a string that stands where a step is expected."""
        inside = self.grammar.nested(text)
        if inside is not None:
            self.current.steps += inside
            return
        reading = self.grammar.line(text.value, text.at, meant=True)
        is_left_out = not text.quoted and text.value.strip() in ELLIPSES
        is_code = not (text.quoted or reading.steps) and text.value.partition(" ")[0] in CODE_WORDS
        if is_code or squeezed(text.value) in SIGNALS:
            self.current.left_out[text.value] = None
        elif not reading.steps and (is_left_out or any(map(str.isalnum, text.value))):
            self.current.unread.append(text)
        for step in reading.steps:
            step.at = text.at
            step.is_cut = step.is_cut or text.cut
        self.current.steps += reading.steps

    def read_call(self, node: Group, depth: int) -> None:
        """Read ``WALK(light)``, or a call around a step: ``Action("WALK", "light")``."""
        name = _KEYWORDS.sub("", node.name.value) if node.name is not None else ""
        # Members of objects in C++ and Rust are called like those in Python: robot->walk(hall).
        name = name.replace("->", ".").replace("::", ".")
        short_name = name.rpartition(".")[2].strip()
        action = self.grammar.surfaces.action(short_name)
        self.owners.add(name.rpartition(".")[0])
        if action is None:
            if self.read_call_around_steps(node, name, depth) or _hands_over_variables(node):
                return
            if name.lower() in CODE_WORDS or name.lower() in HEADINGS:
                for inner in node.values:
                    self.read(inner, depth + 1)
                return
        objects = replace(node, kind="list", name=None)
        is_cut = node.cut or node.is_open
        if action is None:
            names = self.grammar.objects_of(objects, -1)
            step = Step(short_name, names, node.at, form="call", is_known=False, is_cut=is_cut)
        else:
            step = self.grammar.step_of(action, objects, node.at, "call", is_cut=is_cut)
        step.written = short_name
        self.current.steps.append(step)

    def read_call_around_steps(self, node: Group, name: str, depth: int) -> bool:
        """Read the steps in a call that is no action itself; False if it holds none.

        Examples are ``do({"action": "WALK"})``, ``Action("WALK", "light")``,
        ``step(1, WALK(hall))`` and ``execute(9, "find a cup")``.
        """
        arguments = replace(node, kind="list", name=None)
        if len(node.items) == 1 and isinstance(node.items[0], Group):
            arguments = node.items[0] if node.items[0].kind == "object" else arguments
        if arguments.items and len(arguments.pairs) == len(arguments.items):
            before = len(self.current.steps)
            self.read_object(
                replace(node, kind="object", name=None, items=arguments.items), depth + 1
            )
            if len(self.current.steps) > before:
                return True
        first = arguments.items[0] if arguments.items else None
        if isinstance(first, Pair) and self.names_action(first.value):
            self.read(replace(node, kind="object", name=None), depth + 1)
            return True
        if self.names_action(first):
            self.read(replace(node, kind="list", name=None), depth + 1)
            return True
        if self.read_calls_inside(node, depth):
            return True
        return holds_step(name) and self.read_step_in_text(node)

    def read_step_in_text(self, node: Group) -> bool:
        """Read the step in words in a call, ``execute(9, "find a cup")``; False if it has none."""
        steps: list[Step] = []
        for member in node.members:
            if isinstance(member, Text) and member.quoted:
                steps += self.grammar.line(member.value, node.at, meant=True).steps
        if len(steps) != 1 or not steps[0].is_known or steps[0].lacks_objects:
            return False
        steps[0].at = node.at
        steps[0].form = "call"
        self.current.steps += steps
        return True

    def read_calls_inside(self, node: Group, depth: int) -> bool:
        """Read the steps in a call such as ``step(1, WALK(hall))``; False if it holds none."""
        calls = [item for item in node.items if isinstance(item, Group) and self._is_step(item)]
        if not calls:
            return False
        first = node.items[0]
        for step in self.steps_in(calls, depth):
            if isinstance(first, Text) and first.value.isdigit() and len(calls) == 1:
                step.number = number_of(first.value)
        return True

    def _is_step(self, group: Group) -> bool:
        """Whether a value is the call of an action of the task."""
        if group.kind != "call" or group.name is None:
            return False
        return self.grammar.surfaces.action(group.name.value) is not None

    def read_list(self, node: Group, depth: int) -> None:
        """Read a list: of steps, or one step as a list of words (``["WALK", "light"]``)."""
        if not node.items and not node.cut:
            self.current.is_empty = True
        # Of names that nobody knows a list alone may be any list of words.
        step = None if self.grammar.is_free and depth == 0 else self.list_step(node)
        if step is not None:
            self.current.steps.append(step)
            return
        if self.read_numbered(node, depth):
            return
        plans = [item for item in node.items if isinstance(item, Group) and self.is_plan(item)]
        self.depth_of_items += len(node.items) > 1
        for item in self._items_that_run(node):
            if isinstance(item, Group) and item in plans and len(plans) > 1:
                self.readings.append(ValueReading("alternative", item.at))
            self.read(item.value if isinstance(item, Pair) else item, depth + 1)
        self.depth_of_items -= len(node.items) > 1

    def _items_that_run(self, node: Group) -> Sequence[Item]:
        """Return the items of a list; of a block of C or JavaScript those up to a ``return``.

        What is returned stands right behind the word.
        """
        for place, item in enumerate(node.items):
            if not isinstance(item, Text) or item.quoted or not _ENDS_RUN.fullmatch(item.value):
                continue
            behind = node.items[place + 1 :]
            returned = [other for other in behind[:1] if _place_of(other) <= item.end + 1]
            if len(behind) > len(returned):
                self.current.left_out[f"what stands behind {item.value.strip()}"] = None
            return [*node.items[:place], *returned]
        return node.items

    def read_numbered(self, node: Group, depth: int) -> bool:
        """Read a list of a number and a step: ``[1, "WALK(light)"]``; say whether it is one."""
        if len(node.items) < 2:
            return False
        first, *rest = node.items
        if not isinstance(first, Text) or first.quoted or not first.value.isdigit():
            return False
        for step in self.steps_in([replace(node, items=rest)], depth):
            step.number = number_of(first.value)
        return True

    def is_plan(self, group: Group) -> bool:
        """Whether a list in a list is a plan of its own: it holds several whole steps."""
        if group.kind != "list" or self.list_step(group) is not None or len(group.items) < 2:
            return False
        steps = 0
        for item in group.items:
            if isinstance(item, Pair):
                return False
            if isinstance(item, Text):
                steps += self._is_step_text(item)
            else:
                steps += item.kind != "list" or self.list_step(item) is not None
        return steps > 1

    def list_step(self, group: Group) -> Step | None:
        """Return the step of a list whose first item is an action and whose rest are objects."""
        items = group.items
        if not items or not isinstance(items[0], Text):
            return None
        first = items[0]
        texts = [item for item in items if isinstance(item, Text)]
        if self.grammar.is_free:
            return self._list_step_of_any_name(group, texts)
        action = self.action_of(first)
        if action is None:
            return self.unknown_list_step(group, texts)
        # ["WALK(hall)", "OPEN(door)"] is a list of steps.
        if any(self._is_step_text(text) for text in texts[1:]):
            return None
        if len(items) > 1 and action.most_named == 0:
            return None
        if len(items) == 1 and action.max_objects > 0:
            return None
        rest = replace(group, items=items[1:])
        is_cut = group.cut or group.is_open
        step = self.grammar.step_of(action, rest, first.at, "list", is_cut=is_cut)
        step.written = first.value.strip()
        return step

    def _list_step_of_any_name(self, group: Group, texts: Sequence[Text]) -> Step | None:
        """Return the step of a list of words, of which the first may be any action's name."""
        if len(texts) < len(group.items) or len(texts) < 2:
            return None
        name = texts[0].value
        if not name.replace("_", "a").replace(" ", "a").isalpha():
            return None
        if any(self.grammar.line(text.value, 0).steps for text in texts):
            return None
        return self._step_of_other_name(name, group, is_cut=False)

    def unknown_list_step(self, group: Group, texts: Sequence[Text]) -> Step | None:
        """Return the step of a list whose action is unknown, but whose object the task has."""
        first = texts[0].value
        if len(texts) != len(group.items) or len(texts) < 2 or not first.isidentifier():
            return None
        if any(self._is_step_text(text) for text in texts):
            return None
        objects = ", ".join(text.value for text in texts[1:])
        if not (self.grammar.surfaces.objects_in(objects) or first.isupper()):
            return None
        if self.grammar.surfaces.mentions(first):
            return None
        return self._step_of_other_name(first, group, is_cut=group.cut or group.is_open)

    def _step_of_other_name(self, name: str, group: Group, *, is_cut: bool) -> Step:
        """Return the step of a list whose first item is no name of an action of the task."""
        objects = self.grammar.objects_of(replace(group, items=group.items[1:]), -1)
        return Step(name, objects, group.at, form="list", is_known=False, is_cut=is_cut)

    def _is_step_text(self, text: Text) -> bool:
        """Whether a text is a step: an action alone, or with something behind it."""
        mentions = self.grammar.surfaces.mentions(text.value)
        if not mentions or not mentions[0].is_action:
            return False
        return len(mentions) > 1 or self.grammar.surfaces.action(text.value) is not None

    def read_object(self, node: Group, depth: int) -> None:
        """Read an object: a step with named parts, actions as keys, or a wrapper."""
        pairs = self._without_title(node.pairs)
        if not pairs:
            self.current.is_empty = self.current.is_empty or not node.cut
            return
        if _is_said_by_others(pairs):
            return
        if self.is_denied(pairs):
            self.current.notes["a step that is not to be executed was left out"] = None
            return
        before = len(self.current.steps)
        if self.read_columns(pairs, depth) or NamedSteps(self).read(pairs, node, depth):
            self.mark_failure(pairs, before)
            return
        if is_explicitly_empty(pairs):
            self.current.is_empty = True
            return
        if self.read_only_text(pairs):
            return
        plans_by_pair = [self.plans_under(pair, depth) for pair in pairs]
        flag = self.flag_of(pairs)
        if not flag:
            self.read_pairs(pairs, plans_by_pair, depth)
            return
        for plans in plans_by_pair:
            if plans:
                self.take_in(plans, flag, as_own=True)

    def _without_title(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Return the pairs of an object without the name of a step whose action is a key.

        ``{"name": "Go to the hall", "walk": {"to": "hall"}}`` is a task of a playbook.
        """
        surfaces = self.grammar.surfaces
        groups = [pair for pair in pairs if isinstance(pair.value, Group)]
        if not any(surfaces.action(pair.key.value) is not None for pair in groups):
            return list(pairs)
        return [pair for pair in pairs if pair.name != "name" or not isinstance(pair.value, Text)]

    def read_pairs(
        self, pairs: Sequence[Pair], plans_by_pair: Sequence[list[ValueReading]], depth: int
    ) -> None:
        """Read the pairs of an object; what stands beside a plan and may belong to it is unread."""
        beside = _PlansBeside.of(pairs, plans_by_pair, self.grammar)
        unclear: list[Text] = []
        kept: list[tuple[Pair, list[ValueReading]]] = []
        for pair, plans in zip(pairs, plans_by_pair, strict=True):
            use = self._use_over_plans(pair, plans, beside) if plans else self._use(pair, beside)
            if use == "read":
                kept.append((pair, plans))
            elif use == "unclear":
                unclear.append(written_pair(pair))
            else:
                self.current.left_out[pair.key.value] = None
        readings_before = len(self.readings)
        self._read_kept_pairs(kept, _label_of(pairs), depth)
        is_only = len(self.readings) == readings_before
        for reading in self.readings[readings_before - 1 :]:
            if reading.steps or reading.is_empty or is_only:
                reading.unread += unclear

    @staticmethod
    def _use_over_plans(
        pair: Pair, plans: Sequence[ValueReading], beside: _PlansBeside
    ) -> Literal["read", "unclear", "left out"]:
        """Return how a key over plans is used, beside other keys over plans."""
        key = pair.name
        if is_heading_key(key) or frames(key) or _LABELLED.fullmatch(key) is not None:
            return "read"
        if beside.has_final and len(plans) > 1:
            return "left out"  # candidates, beside the final one
        return "unclear" if beside.has_heading else "read"

    def _use(self, pair: Pair, beside: _PlansBeside) -> Literal["read", "unclear", "left out"]:
        """Return how a key over no plan is used, beside keys over plans."""
        # A first step goes before the list of "subsequent_steps".
        is_first = is_numbering(pair.name) and not beside.has_heading
        if beside.has_plan and not is_first and self.is_step_beside(pair):
            return "unclear"
        if beside.has_heading and _is_known_beside_plans(pair):
            return "left out"
        return "read"

    def _read_kept_pairs(
        self, kept: Sequence[tuple[Pair, list[ValueReading]]], label: str, depth: int
    ) -> None:
        """Read pairs, each with the plans under it; a label says that they are one of several."""
        pairs_with_plans = 0
        for _, plans in kept:
            pairs_with_plans += any(plan.steps or plan.is_empty for plan in plans)
        is_option = bool(label) and len({pair.key.value for pair, plans in kept if plans}) > 1
        is_option |= bool(label) and pairs_with_plans < 2  # elements of one name are one list
        for pair, plans in kept:
            if is_option and plans:
                self.take_in(plans, f"option {label}", as_own=True)
            else:
                is_alone = pairs_with_plans < 2
                self.read_pair(pair, plans, depth, is_alone=is_alone, is_only=len(kept) == 1)

    def is_step_beside(self, pair: Pair) -> bool:
        """Whether a key beside one that holds a plan is a step, or holds one in its text."""
        key = pair.name
        if is_aside_key(key) or key in HEADINGS or is_object_key(key) or is_rejected_key(key):
            return False
        if self.grammar.surfaces.action(key) is not None:
            return key not in SCHEMA_KEYS or self.names_object(pair.value)
        if is_numbering(key):
            return True
        if self.holds_call(pair.value):
            return True
        if isinstance(pair.value, Text) and not _GOING_ON.isdisjoint(key_words(key)):
            return bool(self.grammar.line(pair.value.value, 0, meant=True).steps)
        values = [] if pair.value is None else list(texts_of(pair.value))
        is_list = isinstance(pair.value, Group) and pair.value.kind == "list"
        return pair.key.value.isupper() and (is_list or not values or self.names_object(pair.value))

    def holds_call(self, node: Node | None, depth: int = 0) -> bool:
        """Whether a text, or one in a value, is written as only steps are."""
        inside = encoded(node) if isinstance(node, Text) else None
        if inside is not None and depth <= MAX_DEPTH:
            return self.holds_call(inside, depth + 1)
        if isinstance(node, Text):
            is_short = node.quoted and len(node.value) <= LONGEST_LINE
            steps = self.grammar.line(node.value, 0, meant=True).steps if is_short else []
            return any(map(self.is_step_form, steps))
        if node is None or depth > MAX_DEPTH:
            return False
        told = [pair.value for pair in node.pairs if not is_aside_key(pair.key.value)]
        return any(self.holds_call(inner, depth + 1) for inner in (*node.members, *told))

    def is_step_form(self, step: Step) -> bool:
        """Whether a step is written as only steps are: a call, but not of an object's name."""
        if step.form == "words" and not step.is_known:
            return step.name.isupper()
        is_object = any(m.name == step.name for m in self.grammar.surfaces.mentions(step.name))
        return step.form in ("call", "script", "pddl") and (step.is_known or not is_object)

    @staticmethod
    def flag_of(pairs: Sequence[Pair]) -> str:
        """Return whether an object says that its plan is chosen: ``"final"``, ``"rejected"``."""
        for pair in pairs:
            if pair.name in _CHOSEN_KEYS and pair.text.lower() in _TRUTHS:
                return "final" if _TRUTHS[pair.text.lower()] else "rejected"
        return ""

    def read_only_text(self, pairs: Sequence[Pair]) -> bool:
        """Read an object of which one text is a whole step and no other is: ``{"call": ...}``."""
        if len(pairs) < 2:
            return any(map(self.read_only_call, pairs))
        if any(isinstance(pair.value, Group) for pair in pairs):
            return False
        candidates: list[list[Step]] = []
        for pair in pairs:
            if not isinstance(pair.value, Text) or not pair.value.quoted:
                continue
            key = pair.name
            if is_aside_key(key) or key in HEADINGS or is_numbering(key):
                continue
            if self.grammar.surfaces.action(key) is not None:
                continue  # its text names the objects of the step
            steps = self.grammar.line(pair.value.value, pair.value.at, meant=True).steps
            if steps and all(step.is_whole for step in steps):
                candidates.append(steps)
        if len(candidates) != 1:
            return False
        for step in candidates[0]:
            step.form = "object"
        self.current.steps += candidates[0]
        return True

    def read_only_call(self, pair: Pair) -> bool:
        """Read the call under the only key of an object, known or not; False if there is none."""
        key = pair.name
        is_other = is_aside_key(key) or is_numbering(key) or key in HEADINGS | _SAYING_KEYS
        if is_other or self.grammar.surfaces.action(key) is not None or not _may_hold_call(pair):
            return False
        text = pair.value
        if not isinstance(text, Text) or not text.quoted or not is_like_call(text.value):
            return False
        steps = self.grammar.line(text.value, text.at, meant=True).steps
        for step in steps:
            step.form = "object"
        self.current.steps += steps
        if not steps:
            self.current.unread.append(text)
        return True

    def read_columns(self, pairs: Sequence[Pair], depth: int) -> bool:
        """Read actions and their objects in columns of the same length; False if there are none.

        Examples are ``{"actions": ["WALK", "OPEN"], "arguments": [["hall"], ["door"]]}`` and
        ``{"action": {"0": "WALK", "1": "OPEN"}, "object": {"0": "hall", "1": "door"}}``.
        Several names under ``action`` in one item of a list of steps are no column.
        """
        names_columns = HEADINGS if self.depth_of_items else HEADINGS | ACTION_KEYS
        columns: dict[str, list[Node]] = {}
        for pair in pairs:
            cells = _cells_of_column(pair.value)
            if cells:
                columns[pair.key.value] = cells
        for key, names in columns.items():
            is_column = plain_key(key) in names_columns
            if not (is_column and all(map(self.names_action, names))):
                continue
            beside = {
                other: cells
                for other, cells in columns.items()
                if other != key and len(cells) == len(names)
            }
            if any(map(is_object_key, beside)):
                for place, name in enumerate(names):
                    row: list[Item] = [Pair(Text("action", name.at, name.at), name)]
                    for other, cells in beside.items():
                        at = cells[place].at
                        row.append(Pair(Text(other, at, at), cells[place]))
                    self.read_object(Group("object", name.at, name.end, row), depth + 1)
                others = [pair for pair in pairs if pair.key.value not in {key, *beside}]
                self.current.unread += map(written_pair, filter(self.is_step_beside, others))
                return True
        return False

    def names_action(self, item: Item | None) -> bool:
        """Whether an item of a list is nothing but the name of an action."""
        return isinstance(item, Text) and self.action_of(item) is not None

    def action_of(self, text: Text) -> ActionForm | None:
        """Return the action that a text names, perhaps as a member: ``Action.WALK``."""
        name = text.value if text.quoted else text.value.rpartition(".")[2]
        return self.grammar.surfaces.action(name)

    def plans_under(self, pair: Pair, depth: int) -> list[ValueReading]:
        """Return the plans under a key; none if it is an action, a number or an aside."""
        key = pair.name
        is_aside = is_aside_key(pair.key.value) and key not in HEADINGS
        if is_aside or is_numbering(key) or not self._may_hold_steps(pair.value):
            return []
        if self.grammar.is_free and key not in HEADINGS and self._is_flat(pair.value):
            return []  # whatever the key is, these are its objects
        found = self.inside(pair.value, depth + 1)
        if self.grammar.surfaces.action(pair.key.value) is not None:
            # Under an action stand its objects, unless whole steps stand there.
            return [r for r in found if any(s.is_whole for s in r.steps)]
        return [r for r in found if r.steps or (r.is_empty and key in HEADINGS)]

    @staticmethod
    def _is_flat(node: Node | None) -> bool:
        """Whether a value is a list of words without brackets in them."""
        return (
            isinstance(node, Group)
            and node.kind == "list"
            and all(isinstance(item, Text) and "(" not in item.value for item in node.items)
        )

    @staticmethod
    def _may_hold_steps(node: Node | None) -> bool:
        """Whether a value is a group, or a text of several lines or with a value in it."""
        if not isinstance(node, Text):
            return isinstance(node, Group)
        return "\n" in node.value or node.value.strip(' \t\n"\\')[:1] in ("[", "{")

    def inside(self, node: Node | None, depth: int) -> list[ValueReading]:
        """Return the plans in a value, read apart."""
        apart = CollectedSteps(self.grammar)
        apart.read(node, depth)
        self.decision = self.decision or apart.decision
        return apart.readings

    def take_in(self, readings: Sequence[ValueReading], key: str, *, as_own: bool) -> None:
        """Add plans that were read apart: to the current plan, or as plans of their own."""
        several = sum(bool(reading.steps) for reading in readings) > 1
        for number, reading in enumerate(readings):
            if as_own or several or number:
                reading.key = f"{key} {reading.key}".strip()
                self.readings.append(reading)
                continue
            current = self.current
            if not current.steps:
                current.key = current.key or key
                current.at = current.at or reading.at
            current.steps += reading.steps
            current.unread += reading.unread
            current.left_out |= reading.left_out
            current.notes |= reading.notes
            current.is_empty = current.is_empty or reading.is_empty
        if as_own or several:
            self.readings.append(ValueReading())

    def is_denied(self, pairs: Sequence[Pair]) -> bool:
        """Whether an object says that its step is not to be executed."""
        for pair in pairs:
            value = pair.text.lower()
            truth = _TRUTHS.get(value)
            if pair.name in _DENYING_KEYS and truth is False:
                return True
            if truth and is_flag_of_omission(pair.name):
                return True
            if is_flag_of_omission(value.strip(" *_`.")):
                return True
            # Elsewhere "not needed" may be said of a tool.
            if pair.name in _STATUS_KEYS and is_out_of_plan(value):
                return True
        return False

    def mark_failure(self, pairs: Sequence[Pair], begin: int) -> None:
        """Mark the step of an object or a row if a key beside it says that it failed."""
        steps = self.current.steps[begin:]
        if len(steps) != 1:
            return
        for pair in pairs:
            key = pair.name
            if key not in _RESULT_KEYS or not isinstance(pair.value, Text):
                continue
            said = pair.value.value
            is_error = key == "error" and any(map(str.isalnum, said)) and not says_nothing(said)
            if is_error or reports_failure(f"result: {said}"):
                steps[0].is_failed = True

    def read_pair(
        self,
        pair: Pair,
        plans: Sequence[ValueReading],
        depth: int,
        *,
        is_alone: bool,
        is_only: bool,
    ) -> None:
        """Read one pair of an object that is no step with named parts.

        Args:
            pair: The key and its value.
            plans: The plans under the key.
            depth: How deep the pair stands.
            is_alone: Whether no other key of the object stands over a plan.
            is_only: Whether the object has no other key.
        """
        key = pair.key.value
        plain = plain_key(key)
        if plans:
            label = _LABELLED.fullmatch(plain)
            frame = f"option {label[1]}" if label else key
            is_candidate = plain in HEADINGS or frames(key) or label is not None
            self.take_in(plans, frame, as_own=is_candidate and not is_alone)
            return
        text = pair.value if isinstance(pair.value, Text) else None
        if text is not None and _DECIDING.search(plain) and len(text.value) < MAX_NAME_LENGTH:
            self.decision = f"choose option {text.value}"
        action = self.grammar.surfaces.action(key)
        if action is not None:
            self._read_action_key(pair, action)
        elif is_numbering(plain):
            self._read_under_number(pair, depth)
        elif is_aside_key(key) and plain not in HEADINGS:
            self._read_aside(pair, depth)
        elif plain in HEADINGS and text is not None:
            self.read_text(text)
        else:
            self.unknown_pair(pair, is_listed=is_only and depth > 0)

    def _read_action_key(self, pair: Pair, action: ActionForm) -> None:
        """Read ``{"WALK": "light"}``, unless the key is one of a schema: ``{"type": "plan"}``."""
        key = pair.key.value
        is_schema = plain_key(key) in SCHEMA_KEYS and isinstance(pair.value, Text)
        if is_schema and not self.names_object(pair.value):
            self.current.left_out[key] = None
            return
        is_cut = _is_cut(pair.value)
        step = self.grammar.step_of(action, opened(pair.value), pair.key.at, "key", is_cut=is_cut)
        step.written = key
        self.current.steps.append(step)

    def _read_under_number(self, pair: Pair, depth: int) -> None:
        """Read ``{"1": "WALK(light)"}``, and number the steps that have no number yet."""
        number = number_of(pair.name)
        for step in self.steps_in([pair.value], depth):
            if step.number is None:
                step.number = number

    def _read_aside(self, pair: Pair, depth: int) -> None:
        """Read a key that mostly explains; it is left out if nothing under it may be a step."""
        key = pair.key.value
        text = pair.value if isinstance(pair.value, Text) else None
        if text is None and not explains(key):
            self.read(pair.value, depth + 1)
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

    def unknown_pair(self, pair: Pair, *, is_listed: bool) -> None:
        """Read a key that may be an action that the task does not have, over its objects.

        Args:
            pair: The key and its value.
            is_listed: Whether it is the only key of an item of a list, as each step of a plan is.
        """
        key = pair.key.value
        plain = plain_key(key)
        names_object = self.names_object(pair.value)
        if plain in SIGNALS and not names_object:
            self.current.left_out[key] = None
            return
        if plain not in ACTION_KEYS and is_object_key(key) and names_object:
            self.current.unread.append(written_pair(pair))
            return
        # "relevant_objects" stands beside a plan, and is no action.
        is_part = plain in ACTION_KEYS or is_object_key(key) or key_words(key)[-1:] == ("objects",)
        if is_part or not self._is_unknown_action(pair, names_object=names_object):
            self.current.left_out[key] = None
            return
        step = Step(
            key,
            self.grammar.objects_of(opened(pair.value), -1),
            pair.key.at,
            -1,
            "key",
            is_known=False,
            is_weak=not (names_object or key.isupper() or is_listed),
        )
        self.current.steps.append(step)

    def _is_unknown_action(self, pair: Pair, *, names_object: bool) -> bool:
        """Whether a key may be the name of an action that the task does not have.

        It is over a list (``"fly": ["hall"]``), or in capitals over an object or nothing.
        """
        key = pair.key.value
        if not key.replace("-", "_").isidentifier() and not self.grammar.line(key, 0).steps:
            return False
        if self.grammar.is_free and plain_key(key) not in HEADINGS:
            return True
        texts = list(texts_of(pair.value))
        is_list = isinstance(pair.value, Group) and pair.value.kind == "list"
        if is_list and texts:
            return True
        return key.isupper() and (is_list or names_object or not texts)


@dataclass(frozen=True, slots=True)
class _PlansBeside:
    """The keys of an object that stand over plans.

    Args:
        has_plan: Whether one of them is no action of the task.
        has_heading: Whether one of them is that of a whole plan: ``plan``, ``steps``.
        has_final: Whether one of them says that its plan is the final one.
    """

    has_plan: bool
    has_heading: bool
    has_final: bool

    @classmethod
    def of(
        cls,
        pairs: Sequence[Pair],
        plans_by_pair: Sequence[list[ValueReading]],
        grammar: StepGrammar,
    ) -> _PlansBeside:
        """Return what the keys over plans are, of an object with the plans under each key."""
        keys = [pair.key.value for pair, plans in zip(pairs, plans_by_pair, strict=True) if plans]
        return cls(
            has_plan=any(grammar.surfaces.action(key) is None for key in keys),
            has_heading=any(map(_heads_whole_plan, keys)),
            has_final=any(is_final(key.replace("_", " ")) for key in keys),
        )


def _is_said_by_others(pairs: Sequence[Pair]) -> bool:
    """Return whether an object is what the world, or somebody else, says to an agent in a dialogue.

    It has to say something: a role beside an unknown action does not hide that action.
    """
    if not any(pair.name in _SAYING_KEYS for pair in pairs):
        return False
    has_arguments = any(holds_arguments(pair) for pair in pairs if pair.name not in ("id", "name"))
    for pair in pairs:
        is_result = pair.name == "type" and is_reply_key(pair.text)
        is_result |= pair.name in _IDS_OF_CALLS and not has_arguments
        if is_result or (pair.name == "role" and pair.text in _OTHERS):
            return True
    return False


def _may_hold_call(pair: Pair) -> bool:
    """Whether the only key of an object may stand over a step: it neither denies nor tells."""
    words = key_words(pair.key.value)
    is_past = not _NOT_TO_DO.isdisjoint(words) or not _NEGATIONS.isdisjoint(words)
    return not (is_past or is_object_key(pair.key.value) or is_rejected_key(pair.key.value))


def _cells_of_column(node: Node | None) -> list[Node]:
    """Return the cells of a list, or of an object whose keys number them, in their order."""
    if not isinstance(node, Group) or node.kind not in ("list", "object"):
        return []
    if node.kind == "list":
        return node.members if not node.pairs else []
    numbered: list[tuple[int, Node]] = []
    for pair in node.pairs:
        if not pair.name.isdigit() or pair.value is None:
            return []
        numbered.append((int(pair.name[:9]), pair.value))
    return [cell for _, cell in sorted(numbered, key=lambda entry: entry[0])]


def _place_of(item: Item) -> int:
    """Return where an item begins."""
    return item.key.at if isinstance(item, Pair) else item.at


def holds_step(name: str) -> bool:
    """Whether the name of a call says that it takes a step: ``execute``, ``env.do_action``."""
    return not _TAKING.isdisjoint(key_words(name.rpartition(".")[2]))


def plan_in_thoughts(group: Group) -> Pair | None:
    """Return the plan among the thoughts of an object, ``{"thoughts": {"plan": "..."}}``.

    Such a plan is meant where the object holds nothing else that is one.
    """
    for outer in group.items:
        if not isinstance(outer, Pair) or not isinstance(outer.value, Group):
            continue
        for inner in outer.value.items:
            if isinstance(inner, Pair) and inner.name in HEADINGS:
                return inner
    return None


def _with_objects(node: Group) -> Group:
    """Return a call with the calls by keyword under its own keywords as objects.

    ``Call(function=Function(name="walk"))`` is how Python prints an object that holds another.
    """
    items: list[Item] = []
    for item in node.items:
        before = items[-1] if items else None
        if isinstance(item, Group) and isinstance(before, Pair) and _names_call(before, item):
            items[-1] = Pair(before.key, _with_objects(replace(item, kind="object", name=None)))
        else:
            items.append(item)
    return replace(node, items=items)


def _names_call(pair: Pair, group: Group) -> bool:
    """Whether the value of a pair is the name of a call whose arguments a group holds."""
    name = pair.value
    is_name = isinstance(name, Text) and not name.quoted and name.end == group.at
    return is_name and all(isinstance(item, Pair) for item in group.items)


def _heads_whole_plan(key: str) -> bool:
    """Whether a key such as ``plan`` stands over a plan, not over the rest of one."""
    return is_heading_key(key) and _FOLLOWING.isdisjoint(key_words(key))


def _is_known_beside_plans(pair: Pair) -> bool:
    """Whether a pair beside a plan is nothing to read: a value, objects, or a remark."""
    key = pair.name
    if isinstance(pair.value, Group) or is_object_key(key):
        return True
    return key in ACTION_KEYS or key in TALKING


def _hands_over_variables(call: Group) -> bool:
    """Whether a call of a program has parts of variables as arguments: ``do(step.action)``."""
    texts = [item.value for item in call.items if isinstance(item, Text) and not item.quoted]
    return len(texts) == len(call.items) and VARIABLES.fullmatch(",".join(texts)) is not None


def _is_cut(node: Node | None) -> bool:
    """Whether the text ends inside a value."""
    if isinstance(node, Text):
        return node.cut
    return node is not None and (node.cut or node.is_open)


def _label_of(pairs: Sequence[Pair]) -> str:
    """Return the label of an object that is one of several plans: ``"p2"``; empty if none."""
    for pair in pairs:
        is_label = pair.name in ("id", "label", "name", "option", "plan_id")
        if is_label and re.fullmatch(r"[A-Za-z](?:\d{1,2})?", pair.text.strip()):
            return pair.text.strip()
    return ""
