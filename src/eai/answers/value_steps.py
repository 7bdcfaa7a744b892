"""The steps in a value: JSON, Python, elements of XML, and tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from eai.answers.choice import is_final
from eai.answers.items import CODE_WORDS, LONGEST_LINE, SIGNALS, TALKING, Step, ValueReading
from eai.answers.keys import (
    fitting_roles,
    frames,
    in_order_of_roles,
    is_aside_key,
    is_heading_key,
    is_numbering,
    is_object_key,
    is_rejected_key,
    key_words,
    number_of,
    opened,
    plain_key,
    texts_of,
)
from eai.answers.plan import (
    ACTION_KEYS,
    CALLING,
    CONNECTIVES,
    EXPLAINING,
    HEADINGS,
    NOTHING,
    STATES,
)
from eai.answers.surfaces import squeezed
from eai.answers.values import ELLIPSES, Group, Item, Node, Pair, Text, encoded

if TYPE_CHECKING:
    from eai.answers.grammar import StepGrammar
    from eai.answers.surfaces import ActionForm


MAX_DEPTH = 12
"""Maximum nesting of a value in which steps are looked for."""


_MAX_NAME_LENGTH = 60
"""Maximum number of characters of an unknown name of an action; a longer text is a sentence."""


_DEPTH_OF_PARTS = 3
"""Depth that is assumed for the parts of a step, so that less is looked into."""


_SCHEMA_KEYS = frozenset(["type", "name", "kind", "role", "format", "class", "title", "id"])
"""Keys of wrappers, which may be names of actions as well."""


_CHOSEN_KEYS = frozenset(
    ["selected", "chosen", "is_final", "final", "accepted", "recommended", "best", "is_best"]
)


_GOING_ON = CONNECTIVES | frozenset(["later", "after", "else", "extra", "more"])
"""Words in keys of steps that come behind others."""


_FOLLOWING = frozenset(["subsequent", "remaining", "rest", "following", "next"])
"""Words in keys of lists that go on where the step before them ends."""


_LABELLED = re.compile(r"(?:(?:option|plan|candidate|alternative|version|variant)_)?([a-z]|\d)")


_DECIDING = re.compile(r"choice|chosen|select|decision|best|preferred|recommended|winner|pick")


_DENYING_KEYS = frozenset(
    ["execute", "do", "enabled", "active", "include", "included", "valid", "performed"]
)


_SKIPPING_KEYS = frozenset(["skip", "skipped", "omit", "omitted", "ignore", "disabled", "removed"])


_NUMBER_KEYS = frozenset(["step", "number", "index", "id", "step_number", "order", "#", "no", "nr"])
"""Keys of the number of a step."""


_TAKING = frozenset(["execute", "exec", "do", "run", "perform", "act", "action", "step", "skill"])
"""Words in names of functions that take a step."""


_KEYWORDS = re.compile(r"^(?:(?:await|yield|return|new|call)\s+)+")
"""Words of programming languages before a call."""


class CollectedSteps:
    """Collects the plans of one value."""

    def __init__(self, grammar: StepGrammar) -> None:
        self.grammar = grammar
        self.readings: list[ValueReading] = [ValueReading()]
        self.decision = ""

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
        return [each for each in self.readings if each.steps or each.is_empty or each.unread]

    def read(self, node: Node | None, depth: int) -> None:
        """Read a value that stands where steps are expected."""
        if node is None or depth > MAX_DEPTH:
            return
        if isinstance(node, Text):
            self.read_text(node)
        elif node.kind == "table":
            self.read_table(node, depth)
        elif node.kind == "call" and node.name is not None:
            self.read_call(_with_objects(node), depth)
        elif node.kind == "object":
            self.read_object(node, depth)
        else:
            self.read_list(node, depth)

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
        short_name = name.rpartition(".")[2]
        action = self.grammar.surfaces.action(short_name)
        if action is None:
            if self.read_call_around_steps(node, name, depth):
                return
            if name.lower() in CODE_WORDS or name.lower() in HEADINGS:
                for item in node.items:
                    self.read(item.value if isinstance(item, Pair) else item, depth + 1)
                return
        max_objects = action.max_objects if action else -1
        objects = replace(node, kind="list", name=None)
        step = Step(
            action.name if action else short_name.strip(),
            self.grammar.objects_of(objects, max_objects),
            node.at,
            max_objects,
            "call",
            is_known=action is not None,
            is_cut=node.cut or node.is_open,
            written=short_name.strip(),
        )
        self.current.steps.append(step)

    def read_call_around_steps(self, node: Group, name: str, depth: int) -> bool:
        """Read the steps in a call that is no action itself; False if it holds none.

        Examples are ``do({"action": "WALK"})``, ``Action("WALK", "light")``,
        ``step(1, WALK(hall))`` and ``execute(9, "find a cup")``.
        """
        inner = node.items
        if len(inner) == 1 and isinstance(inner[0], Group) and inner[0].kind == "object":
            inner = inner[0].items
        if inner and all(isinstance(item, Pair) for item in inner):
            before = len(self.current.steps)
            self.read_object(replace(node, kind="object", name=None, items=inner), depth + 1)
            if len(self.current.steps) > before:
                return True
        if inner and self._names_action(inner[0]):
            self.read(replace(node, kind="list", name=None), depth + 1)
            return True
        if inner and isinstance(inner[0], Pair) and self._names_action(inner[0].value):
            self.read(replace(node, kind="object", name=None), depth + 1)
            return True
        if self.read_calls_inside(node, depth):
            return True
        return holds_step(name) and self.read_step_in_text(node)

    def read_step_in_text(self, node: Group) -> bool:
        """Read the step in words in a call, ``execute(9, "find a cup")``; False if it has none."""
        steps: list[Step] = []
        for item in node.items:
            if isinstance(item, Text) and item.quoted:
                steps += self.grammar.line(item.value, node.at, meant=True).steps
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
        before = len(self.current.steps)
        for call in calls:
            self.read(call, depth + 1)
        for step in self.current.steps[before:]:
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
        for item in node.items:
            if isinstance(item, Group) and item in plans and len(plans) > 1:
                self.readings.append(ValueReading("alternative", item.at))
            self.read(item.value if isinstance(item, Pair) else item, depth + 1)

    def read_numbered(self, node: Group, depth: int) -> bool:
        """Read a list of a number and a step: ``[1, "WALK(light)"]``; say whether it is one."""
        if len(node.items) < 2:
            return False
        first, *rest = node.items
        if not isinstance(first, Text) or first.quoted or not first.value.isdigit():
            return False
        before = len(self.current.steps)
        self.read(replace(node, items=rest), depth + 1)
        for step in self.current.steps[before:]:
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
        action = self.grammar.surfaces.action(first.value)
        if action is None:
            return self.unknown_list_step(group, texts)
        # ["WALK(hall)", "OPEN(door)"] is a list of steps.
        if any(self._is_step_text(text) for text in texts[1:]):
            return None
        if len(items) > 1 and action.max_objects == 0:
            return None
        if len(items) == 1 and action.max_objects > 0:
            return None
        rest = replace(group, items=items[1:])
        return Step(
            action.name,
            self.grammar.objects_of(rest, action.max_objects),
            first.at,
            action.max_objects,
            "list",
            is_cut=group.cut or group.is_open,
            written=first.value.strip(),
        )

    def _list_step_of_any_name(self, group: Group, texts: Sequence[Text]) -> Step | None:
        """Return the step of a list of words, of which the first may be any action's name."""
        if len(texts) < len(group.items) or len(texts) < 2:
            return None
        name = texts[0].value
        if not name.replace("_", "a").replace(" ", "a").isalpha():
            return None
        if any(self.grammar.line(text.value, 0).steps for text in texts):
            return None
        return Step(
            name,
            self.grammar.objects_of(replace(group, items=group.items[1:]), -1),
            group.at,
            form="list",
            is_known=False,
        )

    def unknown_list_step(self, group: Group, texts: Sequence[Text]) -> Step | None:
        """Return the step of a list whose action is unknown, but whose object the task has."""
        first = texts[0].value
        if len(texts) != len(group.items) or len(texts) < 2 or not first.isidentifier():
            return None
        if any(self._is_step_text(text) for text in texts):
            return None
        objects = ", ".join(text.value for text in texts[1:])
        named = any(not m.is_action for m in self.grammar.surfaces.mentions(objects))
        if not (named or first.isupper()):
            return None
        if self.grammar.surfaces.mentions(first):
            return None
        return Step(
            first,
            self.grammar.objects_of(replace(group, items=group.items[1:]), -1),
            group.at,
            form="list",
            is_known=False,
            is_cut=group.cut or group.is_open,
        )

    def _is_step_text(self, text: Text) -> bool:
        """Whether a text is a step: an action alone, or with something behind it."""
        mentions = self.grammar.surfaces.mentions(text.value)
        if not mentions or not mentions[0].is_action:
            return False
        return len(mentions) > 1 or self.grammar.surfaces.action(text.value) is not None

    def read_table(self, node: Group, depth: int) -> None:
        """Read a table: each row is a step, whatever its columns are called.

        Columns of whole steps are plans of their own.
        """
        rows = [row for row in node.items if isinstance(row, Group)]
        if self.read_rows_of_plans(rows):
            return
        columns = self.columns_of_steps(rows)
        if len(columns) > 1:
            for key, steps in columns.items():
                self.readings.append(ValueReading(key, node.at, steps))
            return
        for row in rows:
            self.read_row(row, depth)

    def read_rows_of_plans(self, rows: Sequence[Group]) -> bool:
        """Read a table with a whole plan in a cell of each row, framed by the cells beside it.

        An example of a row is ``| 1 | WALK(hall); OPEN(door) | rejected |``. False if the table is
        no such one.
        """
        plans: list[ValueReading] = []
        columns: set[str] = set()
        for row in rows:
            cells = [item for item in row.items if isinstance(item, Pair)]
            cells_with_steps: list[tuple[Pair, list[Step]]] = []
            texts_beside: list[str] = []
            for cell in cells:
                steps = self.steps_of_cell(cell)
                if steps:
                    cells_with_steps.append((cell, steps))
                else:
                    texts_beside += texts_of(cell.value)
            if len(cells_with_steps) != 1:
                return False
            plan_cell, steps = cells_with_steps[0]
            columns.add(plan_cell.key.value)
            frame = ". ".join(texts_beside)
            plans.append(ValueReading(f"option {frame}", row.at, steps))
        if len(plans) < 2 or len(columns) > 1:
            return False
        if all(len(plan.steps) < 2 for plan in plans):
            return False  # each row is one step
        self.readings += plans
        return True

    def steps_of_cell(self, cell: Pair) -> list[Step]:
        """Return the steps in a cell of a table that holds nothing but known steps."""
        if not isinstance(cell.value, Text) or self._is_remark_column(cell.key.value):
            return []
        steps = self.grammar.line(cell.value.value, cell.value.at, meant=True).steps
        return steps if all(step.is_known and not step.lacks_objects for step in steps) else []

    def columns_of_steps(self, rows: Sequence[Group]) -> dict[str, list[Step]]:
        """Return the columns that hold a whole step in at least half of their rows."""
        columns: dict[str, list[Step]] = {}
        for row in rows:
            for pair in row.items:
                if not isinstance(pair, Pair) or not isinstance(pair.value, Text):
                    continue
                if self._is_remark_column(pair.key.value):
                    continue
                steps = self.grammar.line(pair.value.value, pair.value.at, meant=True).steps
                if len(steps) == 1 and steps[0].is_known and not steps[0].lacks_objects:
                    columns.setdefault(pair.key.value, []).append(steps[0])
        return {key: steps for key, steps in columns.items() if 2 * len(steps) >= len(rows) > 1}

    def read_row(self, row: Group, depth: int) -> None:
        """Read one row of a table."""
        before = len(self.current.steps)
        self.read_object(row, depth + 1)
        if len(self.current.steps) > before:
            return
        cells = [p for p in row.items if isinstance(p, Pair) and isinstance(p.value, Text)]
        if self.is_denied(cells):
            return
        # The cells together may be a line with a step: "| walk | to the hall |".
        texts = [_text_of(cell) for cell in cells if not self._is_remark_column(cell.key.value)]
        reading = self.grammar.line(" ".join(texts), row.at, meant=True)
        self.current.steps += reading.steps
        if not reading.steps and any(map(str.isalnum, "".join(texts))):
            self.current.unread.append(Text(" | ".join(texts), row.at, row.end, quoted=True))

    @staticmethod
    def _is_remark_column(key: str) -> bool:
        """Whether a column explains the steps beside it: its head is ``Reason`` or ``Effect``."""
        words = key_words(key)
        return any(word in TALKING for word in words)

    def read_object(self, node: Group, depth: int) -> None:
        """Read an object: a step with named parts, actions as keys, or a wrapper."""
        pairs = [item for item in node.items if isinstance(item, Pair)]
        if not pairs:
            self.current.is_empty = self.current.is_empty or not node.cut
            return
        if self.is_denied(pairs):
            self.current.notes["a step that is not to be executed was left out"] = None
            return
        if self.read_named(pairs, node, depth):
            return
        if self.read_only_text(pairs) or self.read_parallel(pairs):
            return
        plans_by_pair = [self.plans_under(pair, depth) for pair in pairs]
        flag = self.flag_of(pairs)
        if not flag:
            self.read_pairs(pairs, plans_by_pair, depth)
            return
        for plans in plans_by_pair:
            if plans:
                self.take_in(plans, flag, as_own=True)

    def read_pairs(
        self, pairs: Sequence[Pair], plans_by_pair: Sequence[list[ValueReading]], depth: int
    ) -> None:
        """Read the pairs of an object; what stands beside a plan and may belong to it is unread.

        Args:
            pairs: The keys of the object with their values.
            plans_by_pair: The plans under each of the keys.
            depth: How deep the object stands.
        """
        over_plans = [pair for pair, plans in zip(pairs, plans_by_pair, strict=True) if plans]
        has_plan = any(self.grammar.surfaces.action(pair.key.value) is None for pair in over_plans)
        has_heading = any(_heads_whole_plan(pair.key.value) for pair in over_plans)
        has_final = any(is_final(pair.key.value.replace("_", " ")) for pair in over_plans)
        unclear: list[Text] = []
        kept: list[tuple[Pair, list[ValueReading]]] = []
        for pair, plans in zip(pairs, plans_by_pair, strict=True):
            key = plain_key(pair.key.value)
            is_own = is_heading_key(key) or frames(key) or _LABELLED.fullmatch(key) is not None
            if plans and has_final and not is_own and len(plans) > 1:
                self.current.left_out[pair.key.value] = None  # candidates, beside the final one
            elif plans and has_heading and not is_own:
                unclear.append(_written(pair))
            elif plans:
                kept.append((pair, plans))
            elif self._may_belong_to_plan(pair, has_plan=has_plan, has_heading=has_heading):
                unclear.append(_written(pair))
            elif has_heading and _is_known_beside_plans(pair):
                self.current.left_out[pair.key.value] = None
            else:
                kept.append((pair, plans))
        readings_before = len(self.readings)
        self._read_kept_pairs(kept, _label_of(pairs), depth)
        is_only = len(self.readings) == readings_before
        for reading in self.readings[readings_before - 1 :]:
            if reading.steps or reading.is_empty or is_only:
                reading.unread += unclear

    def _may_belong_to_plan(self, pair: Pair, *, has_plan: bool, has_heading: bool) -> bool:
        """Whether a key over no plan is a step that belongs to the plan under another key."""
        # A first step goes before the list of "subsequent_steps".
        is_first = is_numbering(plain_key(pair.key.value)) and not has_heading
        return has_plan and not is_first and self.is_step_beside(pair)

    def _read_kept_pairs(
        self, kept: Sequence[tuple[Pair, list[ValueReading]]], label: str, depth: int
    ) -> None:
        """Read pairs, each with the plans under it; a label says that they are one of several."""
        pairs_with_plans = 0
        for _, plans in kept:
            pairs_with_plans += any(plan.steps or plan.is_empty for plan in plans)
        for pair, plans in kept:
            if label and plans:
                self.take_in(plans, f"option {label}", as_own=True)
            else:
                self.read_pair(pair, plans, depth, is_alone=pairs_with_plans < 2)

    def is_step_beside(self, pair: Pair) -> bool:
        """Whether a key beside one that holds a plan is a step, or holds one in its text."""
        key = plain_key(pair.key.value)
        if is_aside_key(key) or key in HEADINGS or is_object_key(key) or is_rejected_key(key):
            return False
        if self.grammar.surfaces.action(key) is not None:
            return key not in _SCHEMA_KEYS or self._names_object(pair.value)
        if is_numbering(key):
            return True
        if self.holds_call(pair.value):
            return True
        if isinstance(pair.value, Text) and not _GOING_ON.isdisjoint(key_words(key)):
            return bool(self.grammar.line(pair.value.value, 0, meant=True).steps)
        values = [] if pair.value is None else list(texts_of(pair.value))
        is_list = isinstance(pair.value, Group) and pair.value.kind == "list"
        return pair.key.value.isupper() and (
            is_list or not values or self._names_object(pair.value)
        )

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
        for item in node.items:
            if not isinstance(item, Pair):
                inner: Node | None = item
            elif is_aside_key(item.key.value):
                continue
            else:
                inner = item.value
            if self.holds_call(inner, depth + 1):
                return True
        return False

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
            if plain_key(pair.key.value) in _CHOSEN_KEYS and isinstance(pair.value, Text):
                value = pair.value.value.lower()
                if value in ("true", "yes", "false", "no"):
                    return "final" if value in ("true", "yes") else "rejected"
        return ""

    def read_only_text(self, pairs: Sequence[Pair]) -> bool:
        """Read an object of which one text is a whole step and no other is: ``{"call": ...}``."""
        if len(pairs) < 2 or any(isinstance(pair.value, Group) for pair in pairs):
            return False
        candidates: list[list[Step]] = []
        for pair in pairs:
            if not isinstance(pair.value, Text) or not pair.value.quoted:
                continue
            key = plain_key(pair.key.value)
            if is_aside_key(key) or key in HEADINGS or is_numbering(key):
                continue
            if self.grammar.surfaces.action(key) is not None:
                continue  # its text names the objects of the step
            steps = self.grammar.line(pair.value.value, pair.value.at, meant=True).steps
            if steps and all(step.is_known and not step.lacks_objects for step in steps):
                candidates.append(steps)
        if len(candidates) != 1:
            return False
        for step in candidates[0]:
            step.form = "object"
        self.current.steps += candidates[0]
        return True

    def read_parallel(self, pairs: Sequence[Pair]) -> bool:
        """Read actions and their objects in two lists of the same length; False if there are none.

        An example is ``{"actions": ["WALK", "OPEN"], "arguments": [["hall"], ["door"]]}``.
        """
        lists = {
            pair.key.value: pair.value.items
            for pair in pairs
            if isinstance(pair.value, Group) and pair.value.kind == "list"
        }
        for key, names in lists.items():
            is_heading = plain_key(key) in HEADINGS
            if not (is_heading and names and all(map(self._names_action, names))):
                continue
            for other, objects in lists.items():
                if other == key or len(objects) != len(names) or not is_object_key(other):
                    continue
                for name, own in zip(names, objects, strict=True):
                    if isinstance(name, Text):
                        self.read_pair_of_lists(name, own)
                return True
        return False

    def read_pair_of_lists(self, name: Text, own: Item) -> None:
        """Read the name of an action and its objects, which stand in another list."""
        items = own.items if isinstance(own, Group) else [own]
        step = self.list_step(Group("list", name.at, name.end, [name, *items]))
        if step is None:
            self.current.unread.append(name)
        else:
            self.current.steps.append(step)

    def _names_action_in(self, pair: Pair) -> bool:
        """Whether the value of a pair is nothing but the name of an action."""
        return isinstance(pair.value, Text) and self._names_action(pair.value)

    def _names_action(self, item: Item | None) -> bool:
        """Whether an item of a list is nothing but the name of an action."""
        return isinstance(item, Text) and self.grammar.surfaces.action(item.value) is not None

    def plans_under(self, pair: Pair, depth: int) -> list[ValueReading]:
        """Return the plans under a key; none if it is an action, a number or an aside."""
        key = plain_key(pair.key.value)
        is_aside = is_aside_key(pair.key.value) and key not in HEADINGS
        if is_aside or is_numbering(key) or not self._may_hold_steps(pair.value):
            return []
        if self.grammar.is_free and key not in HEADINGS and self._is_flat(pair.value):
            return []  # whatever the key is, these are its objects
        found = self.inside(pair.value, depth + 1)
        if self.grammar.surfaces.action(pair.key.value) is not None:
            # Under an action stand its objects, unless whole steps stand there.
            return [r for r in found if any(s.is_known and not s.lacks_objects for s in r.steps)]
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
            value = pair.value.value.lower() if isinstance(pair.value, Text) else ""
            key = plain_key(pair.key.value)
            is_off = key in _DENYING_KEYS and value in ("false", "no")
            is_skipped = key in _SKIPPING_KEYS and value in ("true", "yes")
            if is_off or is_skipped or value.strip(" *_`.") in _SKIPPING_KEYS:
                return True
        return False

    def read_named(self, pairs: Sequence[Pair], node: Group, depth: int) -> bool:
        """Read ``{"action": "WALK", "objects": ["light", "411"]}``; False if it is none.

        An object may hold several steps, each from the key of its action to that of the next one.
        """
        places = self.action_pairs(pairs)
        if not places:
            return False
        number = _number_in(pairs)
        for count, (start, end) in enumerate(zip(places, [*places[1:], len(pairs)], strict=True)):
            # What stands before the first action belongs to it as well.
            own = pairs[:end] if count == 0 else pairs[start:end]
            action = pairs[start]
            if isinstance(action.value, Text):
                others = [pair for pair in own if pair is not action]
                whole = replace(node, cut=(node.cut or node.is_open) and end == len(pairs))
                self.named_step(action.value, others, whole, number)
                continue
            for pair in own:
                if pair is action or self.plans_under(pair, depth):
                    self.read(pair.value, depth + 1)
        return True

    def action_pairs(self, pairs: Sequence[Pair]) -> list[int]:
        """Return the places of those pairs of an object that name an action."""
        texts = [n for n, pair in enumerate(pairs) if isinstance(pair.value, Text)]
        by_key = self._under_action_keys(pairs, texts)
        by_value = [n for n in texts if self._is_action_value(pairs[n])]
        if len(by_value) == 1 and by_value[0] not in by_key:
            key = pairs[by_value[0]].key.value
            if self.grammar.surfaces.action(key) is None or plain_key(key) in _SCHEMA_KEYS:
                return by_value
        # A row whose cells stand one column too far to the left has its action under "Step".
        asides = [n for n in texts if is_aside_key(pairs[n].key.value)]
        misplaced = [n for n in asides if self._names_action_in(pairs[n])]
        if len(misplaced) == 1 and not any(self._names_action_in(pairs[n]) for n in by_key):
            return misplaced
        if by_key:
            return [n for n in by_key if len(pairs) > 1 or _is_quoted(pairs[n].value)]
        wrapped = [n for n, pair in enumerate(pairs) if _is_wrapped_action(pair)]
        if all(self.holds_name(pairs[n].value) for n in wrapped):
            return wrapped
        return []

    def _under_action_keys(self, pairs: Sequence[Pair], texts: Sequence[int]) -> list[int]:
        """Return which texts of an object stand under keys such as ``action``.

        Beside arguments, what stands under ``name`` is the action, unless it is an object.
        """
        by_key = [n for n in texts if plain_key(pairs[n].key.value) in ACTION_KEYS]
        if by_key or not any(_holds_arguments(pair) for pair in pairs):
            return by_key
        objects = self.grammar.surfaces.objects
        names: list[int] = []
        for n in texts:
            is_name = plain_key(pairs[n].key.value) == "name"
            if is_name and squeezed(_text_of(pairs[n])) not in objects:
                names.append(n)
        return names

    def _is_action_value(self, pair: Pair) -> bool:
        """Whether the text of a pair is an action, and its key neither an aside nor a number."""
        key = pair.key.value
        if is_numbering(key) or (is_aside_key(key) and plain_key(key) != "type"):
            return False
        return self._names_action_in(pair)

    @staticmethod
    def holds_name(node: Node | None) -> bool:
        """Whether a value is an object, among whose texts the name of an action may be."""
        return isinstance(node, Group) and node.kind == "object"

    def named_step(
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
            is_aside = is_aside_key(pair.key.value)
            if is_aside:
                self.current.left_out[pair.key.value] = None
            # An "id" may be that of an object: {"action": "WALK", "object": "light", "id": 411}.
            if not is_aside or plain_key(pair.key.value) == "id":
                parts.append(pair)
        is_cut = node.cut or name.cut
        action = self.grammar.surfaces.action(name.value)
        if action is None:
            self._read_unknown_name(name, parts, number, is_cut=is_cut)
            return
        self.note_others(parts)
        objects = self._objects(parts, action.max_objects)
        if action.max_objects == 0:
            # "find a mug" names its object; a column may name it again.
            objects = [name for name in objects if squeezed(name) not in squeezed(action.name)]
        self.current.steps.append(
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
                objects = self._objects(parts, steps[0].max_objects)
                steps[0].arguments = objects or steps[0].arguments
            self._add_steps_of_object(steps, name.at, number)
            return
        if self._take_plans_of_parts(parts):
            return
        nested_steps = self.grammar.nested(name)
        if nested_steps is not None:
            self.current.steps += nested_steps
            return
        if steps and not parts and not self.grammar.is_free:
            self._add_steps_of_object(steps, name.at, number)
            return
        if not name.value.strip() or len(name.value) > _MAX_NAME_LENGTH:
            self.current.unread.append(name)
            return
        is_signal = squeezed(name.value) in SIGNALS
        if is_signal and not any(self._names_object(pair.value) for pair in parts):
            self.current.left_out[name.value] = None
            return
        arguments = [pair for pair in parts if _holds_arguments(pair)]
        if steps and not arguments:
            self.current.steps += steps
            return
        self.current.steps.append(
            Step(
                name.value.strip(),
                self._objects(arguments, -1),
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
        self.current.steps += steps

    def _take_plans_of_parts(self, parts: Sequence[Pair]) -> bool:
        """Add the plans under the keys of a call: ``{"name": "submit_plan", "plan": [...]}``.

        False if there are none.
        """
        submitted: list[tuple[str, list[ValueReading]]] = []
        for pair in parts:
            plans = self.plans_under(pair, _DEPTH_OF_PARTS)
            if any(plan.steps for plan in plans):
                submitted.append((pair.key.value, plans))
        for key, plans in submitted:
            self.take_in(plans, key, as_own=False)
        return bool(submitted)

    def note_others(self, parts: Sequence[Pair]) -> None:
        """Report steps under other keys of a step with named parts."""
        arguments = [pair for pair in parts if _holds_arguments(pair)]
        if not arguments:
            return  # the objects of the step may stand under any of the keys
        for pair in parts:
            if pair in arguments or is_rejected_key(plain_key(pair.key.value)):
                continue
            if self.plans_under(pair, _DEPTH_OF_PARTS) or self.is_step_beside(pair):
                self.current.unread.append(_written(pair))
            else:
                self.current.left_out[pair.key.value] = None

    def _objects(self, parts: Sequence[Pair], max_objects: int) -> list[str]:
        """Return the objects in the parts of a step.

        Args:
            parts: The pairs beside the action, without asides.
            max_objects: Number of objects that the action takes; -1 if it is unknown.
        """
        parts = [p for p in parts if not isinstance(p.value, Text) or p.value.value not in NOTHING]
        called = [pair for pair in parts if _holds_arguments(pair)]
        plain = [pair for pair in called if plain_key(pair.key.value) != "id"]
        has_id = len(plain) < len(called)
        if has_id and (self._id_of_call(called) or self._are_whole(plain, max_objects)):
            called = plain
        chosen = self._with_others(called, parts, max_objects) or list(parts)
        named: list[tuple[str, str]] = []
        for pair in chosen:
            # A text may be a value of its own: "args": "[\"light\", \"411\"]".
            inside = encoded(pair.value) if isinstance(pair.value, Text) else None
            written = ", ".join(texts_of(pair.value if inside is None else inside))
            if written and written not in NOTHING:
                named.append((pair.key.value, written))
        objects = self.grammar.inside(", ".join(fitting_roles(named, max_objects)), max_objects)
        if called or max_objects < 0:
            return objects
        # No key says that objects stand under it: names of the task are preferred to other words.
        texts = ", ".join(text for _, text in in_order_of_roles(named))
        mentions = self.grammar.surfaces.mentions(texts)
        if mentions:
            objects = [mention.name for mention in mentions if not mention.is_action]
        return objects[:max_objects]

    def _with_others(
        self, called: Sequence[Pair], parts: Sequence[Pair], max_objects: int
    ) -> list[Pair]:
        """Return the parts with the objects of a step, those under unknown keys where one lacks.

        Beside ``object`` and ``target`` a third object may stand under any key.
        """
        objects = self.grammar.surfaces.objects
        others: list[Pair] = []
        for pair in parts:
            is_object = isinstance(pair.value, Text) and squeezed(pair.value.value) in objects
            if is_object and pair not in called:
                others.append(pair)
        if not called or len(called) + len(others) != max_objects:
            return list(called)
        return [pair for pair in parts if pair in called or pair in others]

    def _are_whole(self, parts: Sequence[Pair], max_objects: int) -> bool:
        """Whether parts name as many objects as a step takes, each with its number."""
        texts = ", ".join(text for pair in parts for text in texts_of(pair.value))
        named = [m.name for m in self.grammar.surfaces.mentions(texts) if not m.is_action]
        return len(named) == max_objects and self.grammar.surfaces.classes.isdisjoint(named)

    @staticmethod
    def _id_of_call(called: Sequence[Pair]) -> bool:
        """Whether a key ``id`` beside the arguments is that of the call, not of an object.

        ``{"id": "call_1", "arguments": ...}`` has the id of a call, ``{"object": "light",
        "id": "411"}`` that of an object.
        """
        has_arguments = any(plain_key(pair.key.value) in CALLING for pair in called)
        for pair in called:
            if plain_key(pair.key.value) == "id" and isinstance(pair.value, Text):
                return has_arguments or not pair.value.value.isdigit()
        return False

    def read_pair(
        self, pair: Pair, plans: Sequence[ValueReading], depth: int, *, is_alone: bool
    ) -> None:
        """Read one pair of an object that is no step with named parts.

        Args:
            pair: The key and its value.
            plans: The plans under the key.
            depth: How deep the pair stands.
            is_alone: Whether no other key of the object stands over a plan.
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
        if text is not None and _DECIDING.search(plain) and len(text.value) < _MAX_NAME_LENGTH:
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
            self.unknown_pair(pair)

    def _read_action_key(self, pair: Pair, action: ActionForm) -> None:
        """Read ``{"WALK": "light"}``, unless the key is one of a schema: ``{"type": "plan"}``."""
        key = pair.key.value
        is_schema = plain_key(key) in _SCHEMA_KEYS and isinstance(pair.value, Text)
        if is_schema and not self._names_object(pair.value):
            self.current.left_out[key] = None
            return
        step = Step(
            action.name,
            self.grammar.objects_of(opened(pair.value), action.max_objects),
            pair.key.at,
            action.max_objects,
            "key",
            is_cut=_is_cut(pair.value),
            written=key,
        )
        self.current.steps.append(step)

    def _read_under_number(self, pair: Pair, depth: int) -> None:
        """Read ``{"1": "WALK(light)"}``, and number the steps that have no number yet."""
        before = len(self.current.steps)
        self.read(pair.value, depth + 1)
        number = number_of(plain_key(pair.key.value))
        for step in self.current.steps[before:]:
            if step.number is None:
                step.number = number

    def _read_aside(self, pair: Pair, depth: int) -> None:
        """Read a key that mostly explains; it is left out if nothing under it may be a step."""
        key = pair.key.value
        text = pair.value if isinstance(pair.value, Text) else None
        if text is None and not any(
            word in EXPLAINING or word in STATES for word in key_words(key)
        ):
            self.read(pair.value, depth + 1)
            return
        if text is None or plain_key(key) != "step" or text.value.isdigit():
            self.current.left_out[key] = None
            return
        self.read_text(text)
        # Under "step" may stand a title, so a text without a step is no problem.
        if self.current.unread and self.current.unread[-1] is text:
            self.current.unread.pop()

    def _names_object(self, node: Node | None) -> bool:
        """Whether a value names an object of the task."""
        texts = () if node is None else texts_of(node)
        return any(not m.is_action for text in texts for m in self.grammar.surfaces.mentions(text))

    def unknown_pair(self, pair: Pair) -> None:
        """Read a key that may be an action that the task does not have, over its objects."""
        key = pair.key.value
        plain = plain_key(key)
        names_object = self._names_object(pair.value)
        if plain in SIGNALS and not names_object:
            self.current.left_out[key] = None
            return
        if plain not in ACTION_KEYS and is_object_key(key) and names_object:
            self.current.unread.append(_written(pair))
            return
        is_part = plain in ACTION_KEYS or is_object_key(key)
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
            is_weak=not (names_object or key.isupper()),
        )
        self.current.steps.append(step)

    def _is_unknown_action(self, pair: Pair, *, names_object: bool) -> bool:
        """Whether a key may be the name of an action that the task does not have.

        It is over a list (``"fly": ["hall"]``), or in capitals over an object or nothing.
        """
        key = pair.key.value
        if not key.isidentifier() and not self.grammar.line(key, 0).steps:
            return False
        if self.grammar.is_free and plain_key(key) not in HEADINGS:
            return True
        texts = list(texts_of(pair.value))
        is_list = isinstance(pair.value, Group) and pair.value.kind == "list"
        if is_list and texts:
            return True
        return key.isupper() and (is_list or names_object or not texts)


def holds_step(name: str) -> bool:
    """Whether the name of a call says that it takes a step: ``execute``, ``env.do_action``."""
    return not _TAKING.isdisjoint(key_words(name.rpartition(".")[2]))


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


def _text_of(pair: Pair) -> str:
    """Return the text of a pair; empty if its value is none."""
    return pair.value.value if isinstance(pair.value, Text) else ""


def _holds_arguments(pair: Pair) -> bool:
    """Whether the objects of a step stand under a key such as ``object``, ``to`` or ``args``."""
    return is_object_key(pair.key.value) or plain_key(pair.key.value) in CALLING


def _heads_whole_plan(key: str) -> bool:
    """Whether a key such as ``plan`` stands over a plan, not over the rest of one."""
    return is_heading_key(key) and _FOLLOWING.isdisjoint(key_words(key))


def _is_known_beside_plans(pair: Pair) -> bool:
    """Whether a pair beside a plan is nothing to read: a value, objects, or a remark."""
    key = plain_key(pair.key.value)
    if isinstance(pair.value, Group) or is_object_key(key):
        return True
    return key in ACTION_KEYS or key in TALKING


def _number_in(pairs: Sequence[Pair]) -> int | None:
    """Return the number of a step in its object: ``"step": "3"``; None if it has none."""
    for pair in pairs:
        if plain_key(pair.key.value) in _NUMBER_KEYS and _text_of(pair).isdigit():
            return number_of(_text_of(pair))
    return None


def _is_quoted(node: Node | None) -> bool:
    """Whether a value is a text in quotes."""
    return isinstance(node, Text) and node.quoted


def _is_wrapped_action(pair: Pair) -> bool:
    """Whether an action is an object of its own: ``"function": {"name": ...}``."""
    key = plain_key(pair.key.value)
    is_wrapper = key in ("action", "function", "function_call", "functioncall")
    return is_wrapper and isinstance(pair.value, Group)


def _is_cut(node: Node | None) -> bool:
    """Whether the text ends inside a value."""
    if isinstance(node, Text):
        return node.cut
    return node is not None and (node.cut or node.is_open)


def _label_of(pairs: Sequence[Pair]) -> str:
    """Return the label of an object that is one of several plans: ``"p2"``; empty if none."""
    for pair in pairs:
        if plain_key(pair.key.value) in ("id", "label", "name", "option", "plan_id"):
            value = pair.value.value.strip() if isinstance(pair.value, Text) else ""
            if re.fullmatch(r"[A-Za-z]|[A-Za-z]\d{1,2}", value):
                return value
    return ""


def _written(pair: Pair) -> Text:
    """Return a pair as one text, for a message."""
    values = ", ".join(texts_of(pair.value))
    return Text(f"{pair.key.value}: {values}", pair.key.at, pair.key.end, quoted=True)
