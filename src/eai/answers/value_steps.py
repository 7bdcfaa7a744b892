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


MAX_DEPTH = 12
"""Maximum nesting of a value in which steps are looked for."""


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
        name = name.replace("->", ".").replace("::", ".")
        action = self.grammar.surfaces.action(name.rpartition(".")[2])
        inner = node.items
        if len(inner) == 1 and isinstance(inner[0], Group) and inner[0].kind == "object":
            inner = inner[0].items  # do({"action": ...})
        pairs = [item for item in inner if isinstance(item, Pair)]
        if action is None and pairs and len(pairs) == len(inner):
            before = len(self.current.steps)
            self.read_object(replace(node, kind="object", name=None, items=inner), depth + 1)
            if len(self.current.steps) > before:
                return
        if action is None and inner:
            first = inner[0].value if isinstance(inner[0], Pair) else inner[0]
            if isinstance(first, Text) and self.grammar.surfaces.action(first.value):
                self.read(
                    replace(
                        node, kind="list" if not isinstance(inner[0], Pair) else "object", name=None
                    ),
                    depth + 1,
                )
                return
        if action is None and self.read_calls_inside(node, depth):
            return
        if action is None and holds_step(name) and self.read_step_in_text(node):
            return
        objects = replace(node, kind="list", name=None)
        max_objects = action.max_objects if action else -1
        step = Step(
            action.name if action else name.rpartition(".")[2].strip(),
            self.grammar.objects_of(objects, max_objects),
            node.at,
            max_objects,
            "call",
            is_known=action is not None,
            is_cut=node.cut or node.is_open,
            written=name.rpartition(".")[2].strip(),
        )
        if action is None and (name.lower() in CODE_WORDS or name.lower() in HEADINGS):
            for item in node.items:
                self.read(item.value if isinstance(item, Pair) else item, depth + 1)
            return
        self.current.steps.append(step)

    def read_step_in_text(self, node: Group) -> bool:
        """Read the step in words in a call, ``execute(9, "find a cup")``; False if it has none."""
        found: list[Step] = []
        for item in node.items:
            if isinstance(item, Text) and item.quoted:
                found += self.grammar.line(item.value, node.at, meant=True).steps
        if len(found) != 1 or not found[0].is_known or found[0].lacks_objects:
            return False
        found[0].at = node.at
        found[0].form = "call"
        self.current.steps += found
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
        surfaces = self.grammar.surfaces
        first = items[0]
        texts = [item for item in items if isinstance(item, Text)]
        if self.grammar.is_free:
            is_name = first.value.replace("_", "a").replace(" ", "a").isalpha()
            whole = any(self.grammar.line(text.value, 0).steps for text in texts)
            if len(texts) < len(items) or not is_name or whole or len(items) < 2:
                return None
            return Step(
                first.value,
                self.grammar.objects_of(replace(group, items=items[1:]), -1),
                group.at,
                form="list",
                is_known=False,
            )
        action = surfaces.action(first.value)
        if action is None:
            return self.unknown_list_step(group, texts)
        others = [item for item in items[1:] if isinstance(item, Text) and self._is_step_text(item)]
        if others or (len(items) > 1 and action.max_objects == 0):
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
        mentions = self.grammar.surfaces.mentions(text.value)
        return (
            bool(mentions)
            and mentions[0].is_action
            and (len(mentions) > 1 or self.grammar.surfaces.action(text.value) is not None)
        )

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
        """Read a table with a whole plan in a cell of each row, framed by the cells beside it."""
        plans: list[ValueReading] = []
        columns: set[str] = set()
        for row in rows:
            cells = [pair for pair in row.items if isinstance(pair, Pair)]
            read = [self.steps_of_cell(cell) for cell in cells]
            holding = [n for n, steps in enumerate(read) if steps]
            if len(holding) != 1:
                return False
            others = [cell for n, cell in enumerate(cells) if n != holding[0]]
            frame = ". ".join(text for cell in others for text in texts_of(cell.value))
            columns.add(cells[holding[0]].key.value)
            plans.append(ValueReading(f"option {frame}", row.at, read[holding[0]]))
        if len(columns) > 1 or max((len(plan.steps) for plan in plans), default=0) < 2:
            return False
        if len(plans) < 2:
            return False
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
        kept = [
            pair.value.value
            for pair in cells
            if isinstance(pair.value, Text) and not self._is_remark_column(pair.key.value)
        ]
        reading = self.grammar.line(" ".join(kept), row.at, meant=True)
        self.current.steps += reading.steps
        if not reading.steps and any(map(str.isalnum, "".join(kept))):
            self.current.unread.append(Text(" | ".join(kept), row.at, row.end, quoted=True))

    @staticmethod
    def _is_remark_column(key: str) -> bool:
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
        inside = [self.plans_under(pair, depth) for pair in pairs]
        flag = self.flag_of(pairs)
        if flag:
            for found in inside:
                self.take_in(found, flag, as_own=True) if found else None
            return
        self.read_pairs(pairs, inside, depth)

    def read_pairs(
        self, pairs: Sequence[Pair], inside: Sequence[list[ValueReading]], depth: int
    ) -> None:
        """Read the pairs of an object; what stands beside a plan and may belong to it is unread."""
        plans = [pair for pair, found in zip(pairs, inside, strict=True) if found]
        has_plan = any(self.grammar.surfaces.action(pair.key.value) is None for pair in plans)
        has_heading = any(
            is_heading_key(pair.key.value) and _FOLLOWING.isdisjoint(key_words(pair.key.value))
            for pair in plans
        )
        has_final = any(is_final(pair.key.value.replace("_", " ")) for pair in plans)
        beside_plans = ACTION_KEYS | TALKING
        unclear_lines: list[Text] = []
        kept: list[tuple[Pair, list[ValueReading]]] = []
        for pair, found in zip(pairs, inside, strict=True):
            key = plain_key(pair.key.value)
            if found:
                is_own = is_heading_key(key) or frames(key) or _LABELLED.fullmatch(key) is not None
                if has_final and not is_own and len(found) > 1:
                    self.current.left_out[pair.key.value] = None  # candidates, beside the final one
                    continue
                is_unclear = has_heading and not is_own
            else:
                # A first step goes before the list of "subsequent_steps".
                is_first = is_numbering(key) and not has_heading
                is_unclear = has_plan and not is_first and self.is_step_beside(pair)
            if is_unclear:
                unclear_lines.append(_written(pair))
            elif (
                has_heading
                and not found
                and (isinstance(pair.value, Group) or is_object_key(key) or key in beside_plans)
            ):
                self.current.left_out[pair.key.value] = None
            else:
                kept.append((pair, found))
        label = _label_of(pairs)
        before = len(self.readings)
        count = sum(any(r.steps or r.is_empty for r in found) for _, found in kept)
        for pair, found in kept:
            if label and found:
                self.take_in(found, f"option {label}", as_own=True)
            else:
                self.read_pair(pair, found, depth, is_alone=count < 2)
        for reading in self.readings[before - 1 :]:
            if reading.steps or reading.is_empty or len(self.readings) == before:
                reading.unread += unclear_lines

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
        found: list[list[Step]] = []
        for pair in pairs:
            key = plain_key(pair.key.value)
            is_kept = isinstance(pair.value, Text) and pair.value.quoted and not is_aside_key(key)
            if (
                not is_kept
                or key in HEADINGS
                or is_numbering(key)
                or self.grammar.surfaces.action(key)
            ):
                continue
            assert isinstance(pair.value, Text)  # noqa: S101 - just looked
            steps = self.grammar.line(pair.value.value, pair.value.at, meant=True).steps
            if steps and all(step.is_known and not step.lacks_objects for step in steps):
                found.append(steps)
        if len(found) != 1:
            return False
        for step in found[0]:
            step.form = "object"
        self.current.steps += found[0]
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

    def _names_action(self, item: Item) -> bool:
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

    def _may_hold_steps(self, node: Node | None) -> bool:
        return isinstance(node, Group) or (
            isinstance(node, Text)
            and ("\n" in node.value or node.value.strip(' \t\n"\\')[:1] in ("[", "{"))
        )

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
        """Read ``{"action": "WALK", "objects": ["light", "411"]}``; False if it is none."""
        named = self.action_pairs(pairs)
        if not named:
            return False
        ends = [*named[1:], len(pairs)]
        number = next(
            (
                number_of(p.value.value)
                for p in pairs
                if isinstance(p.value, Text)
                and plain_key(p.key.value)
                in ("step", "number", "index", "id", "step_number", "order", "#", "no", "nr")
                and p.value.value.isdigit()
            ),
            None,
        )
        for count, (start, end) in enumerate(zip(named, ends, strict=True)):
            own = pairs[start:end] if count else pairs[:end]
            action = pairs[start]
            if not isinstance(action.value, Text):
                for pair in own:
                    if pair is action or self.plans_under(pair, depth):
                        self.read(pair.value, depth + 1)
                continue
            whole = replace(node, cut=(node.cut or node.is_open) and end == len(pairs))
            self.named_step(action.value, [p for p in own if p is not action], whole, number)
        return True

    def action_pairs(self, pairs: Sequence[Pair]) -> list[int]:
        """Return which pairs of an object name an action."""
        texts = [n for n, pair in enumerate(pairs) if isinstance(pair.value, Text)]
        by_key = self._under_action_keys(pairs, texts)
        by_value = [n for n in texts if self._is_action_value(pairs[n])]
        if len(by_value) == 1 and by_value[0] not in by_key:
            key = pairs[by_value[0]].key.value
            if self.grammar.surfaces.action(key) is None or plain_key(key) in _SCHEMA_KEYS:
                return by_value
        # A row whose cells stand one column too far to the left has its action under "Step".
        misplaced = [
            n for n in texts if is_aside_key(pairs[n].key.value) and self._names_action_in(pairs[n])
        ]
        if len(misplaced) == 1 and not any(self._names_action_in(pairs[n]) for n in by_key):
            return misplaced
        groups = [n for n, pair in enumerate(pairs) if _is_wrapped_action(pair)]
        if groups and not by_key:
            return groups if all(self.holds_name(pairs[n].value) for n in groups) else []
        return [n for n in by_key if len(pairs) > 1 or _is_quoted(pairs[n].value)]

    def _under_action_keys(self, pairs: Sequence[Pair], texts: Sequence[int]) -> list[int]:
        """Return which texts of an object stand under keys such as ``action``.

        Beside arguments, what stands under ``name`` is the action, unless it is an object.
        """
        by_key = [n for n in texts if plain_key(pairs[n].key.value) in ACTION_KEYS]
        has_arguments = any(
            is_object_key(pair.key.value) or plain_key(pair.key.value) in CALLING for pair in pairs
        )
        if by_key or not has_arguments:
            return by_key
        named = [n for n in texts if plain_key(pairs[n].key.value) == "name"]
        objects = self.grammar.surfaces.objects
        return [n for n in named if squeezed(_text_of(pairs[n])) not in objects]

    def _is_action_value(self, pair: Pair) -> bool:
        """Whether the text of a pair is an action, and its key neither an aside nor a number."""
        key = pair.key.value
        if is_numbering(key) or (is_aside_key(key) and plain_key(key) != "type"):
            return False
        return self._names_action_in(pair)

    def holds_name(self, node: Node | None) -> bool:
        """Whether an object holds the name of an action among its texts."""
        return isinstance(node, Group) and node.kind == "object"

    def named_step(  # noqa: C901, PLR0912
        self, name: Text, others: Sequence[Pair], node: Group, number: int | None
    ) -> None:
        """Add the step whose action is named in one part of an object and its objects in others."""
        surfaces = self.grammar.surfaces
        action = surfaces.action(name.value)
        for pair in others:
            if is_aside_key(pair.key.value):
                self.current.left_out[pair.key.value] = None
        parts = [
            p for p in others if not is_aside_key(p.key.value) or plain_key(p.key.value) == "id"
        ]
        if action is None:
            in_text = self.grammar.line(name.value, name.at, meant=True)
            if in_text.steps and in_text.steps[0].is_known:
                step = in_text.steps[0]
                if step.lacks_objects:
                    objects = self._objects(parts, step.max_objects)
                    step.arguments = objects or step.arguments
                for each in in_text.steps:
                    each.at, each.number, each.form = name.at, number, "object"
                self.current.steps += in_text.steps
                return
            submitted = [(p.key.value, self.plans_under(p, 3)) for p in parts]
            submitted = [(key, found) for key, found in submitted if any(r.steps for r in found)]
            for key, found in submitted:
                self.take_in(found, key, as_own=False)
            if submitted:
                return
            inside = self.grammar.nested(name)
            if inside is not None:
                self.current.steps += inside
                return
            if not self.grammar.is_free and in_text.steps and not parts:
                for each in in_text.steps:
                    each.at, each.number, each.form = name.at, number, "object"
                self.current.steps += in_text.steps
                return
            called = [
                p for p in parts if is_object_key(p.key.value) or plain_key(p.key.value) in CALLING
            ]
            if not name.value.strip() or len(name.value) > 60:
                self.current.unread.append(name)
                return
            if squeezed(name.value) in SIGNALS and not any(
                self._names_object(p.value) for p in parts
            ):
                self.current.left_out[name.value] = None
                return
            if in_text.steps and not called:
                self.current.steps += in_text.steps
                return
            objects = self._objects(called, -1)
            self.current.steps.append(
                Step(
                    name.value.strip(),
                    objects,
                    name.at,
                    -1,
                    "object",
                    number,
                    is_known=False,
                    is_cut=node.cut or name.cut,
                )
            )
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
                is_cut=node.cut or name.cut,
                written=name.value.strip(),
            )
        )

    def note_others(self, parts: Sequence[Pair]) -> None:
        """Report steps under other keys of a step with named parts."""
        called = [
            p for p in parts if is_object_key(p.key.value) or plain_key(p.key.value) in CALLING
        ]
        for pair in parts if called else ():
            if pair in called or is_rejected_key(plain_key(pair.key.value)):
                continue
            if self.plans_under(pair, 3) or self.is_step_beside(pair):
                self.current.unread.append(_written(pair))
            else:
                self.current.left_out[pair.key.value] = None

    def _objects(self, parts: Sequence[Pair], max_objects: int) -> list[str]:
        """Return the objects in the parts of a step."""
        parts = [p for p in parts if not isinstance(p.value, Text) or p.value.value not in NOTHING]
        called = [
            p for p in parts if is_object_key(p.key.value) or plain_key(p.key.value) in CALLING
        ]
        plain = [p for p in called if plain_key(p.key.value) != "id"]
        if len(plain) < len(called) and (
            self._id_of_call(called) or self._are_whole(plain, max_objects)
        ):
            called = plain
        chosen = self._with_others(called, parts, max_objects) or list(parts)
        named: list[tuple[str, str]] = []
        for pair in chosen:
            value = pair.value
            if isinstance(value, Text):
                inside = encoded(value)
                texts = texts_of(inside) if inside is not None else iter([value.value])
            else:
                texts = texts_of(value)
            said = ", ".join(texts)
            if said and said not in NOTHING:
                named.append((pair.key.value, said))
        objects = self.grammar.inside(", ".join(fitting_roles(named, max_objects)), max_objects)
        if not called and max_objects >= 0:
            known = self.grammar.surfaces.mentions(
                ", ".join(v for _, v in in_order_of_roles(named))
            )
            return (
                [m.name for m in known if not m.is_action][:max_objects]
                if known
                else objects[:max_objects]
            )
        return objects

    def _with_others(
        self, called: Sequence[Pair], parts: Sequence[Pair], max_objects: int
    ) -> list[Pair]:
        """Return the parts with the objects of a step, those under unknown keys where one lacks.

        Beside ``object`` and ``target`` a third object may stand under any key.
        """
        others = [
            pair
            for pair in parts
            if pair not in called
            and isinstance(pair.value, Text)
            and squeezed(pair.value.value) in self.grammar.surfaces.objects
        ]
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
        """Whether a key ``id`` beside the arguments is that of the call, not of an object."""
        for pair in called:
            if plain_key(pair.key.value) == "id" and isinstance(pair.value, Text):
                return not pair.value.value.isdigit() or any(
                    plain_key(p.key.value) in CALLING for p in called
                )
        return False

    def read_pair(  # noqa: C901
        self, pair: Pair, found: Sequence[ValueReading], depth: int, *, is_alone: bool
    ) -> None:
        """Read one pair of an object that is no step with named parts.

        Args:
            pair: The key and its value.
            found: The plans under the key.
            depth: How deep the pair stands.
            is_alone: Whether no other key of the object stands over a plan.
        """
        key = pair.key.value
        plain = plain_key(key)
        if found:
            label = _LABELLED.fullmatch(plain)
            as_own = not is_alone and (plain in HEADINGS or frames(key) or label is not None)
            self.take_in(found, f"option {label[1]}" if label else key, as_own=as_own)
            return
        if isinstance(pair.value, Text) and _DECIDING.search(plain) and len(pair.value.value) < 60:
            self.decision = f"choose option {pair.value.value}"
        action = self.grammar.surfaces.action(key)
        if (
            action is not None
            and plain in _SCHEMA_KEYS
            and isinstance(pair.value, Text)
            and not self._names_object(pair.value)
        ):
            self.current.left_out[key] = None
            return
        if action is not None:
            objects = self.grammar.objects_of(opened(pair.value), action.max_objects)
            is_cut = _is_cut(pair.value)
            step = Step(
                action.name,
                objects,
                pair.key.at,
                action.max_objects,
                "key",
                is_cut=is_cut,
                written=key,
            )
            self.current.steps.append(step)
            return
        if is_numbering(plain):
            before = len(self.current.steps)
            self.read(pair.value, depth + 1)
            for step in self.current.steps[before:]:
                step.number = number_of(plain) if step.number is None else step.number
            return
        if is_aside_key(key) and plain not in HEADINGS:
            if plain == "step" and isinstance(pair.value, Text) and not pair.value.value.isdigit():
                self.read_text(pair.value)
                if self.current.unread and self.current.unread[-1] is pair.value:
                    self.current.unread.pop()
                return
            if not isinstance(pair.value, Text) and not any(
                w in EXPLAINING or w in STATES for w in key_words(key)
            ):
                self.read(pair.value, depth + 1)
                return
            self.current.left_out[key] = None
            return
        if plain in HEADINGS and isinstance(pair.value, Text):
            self.read_text(pair.value)
            return
        self.unknown_pair(pair)

    def _names_object(self, node: Node | None) -> bool:
        """Whether a value names an object of the task."""
        texts = () if node is None else texts_of(node)
        return any(not m.is_action for text in texts for m in self.grammar.surfaces.mentions(text))

    def unknown_pair(self, pair: Pair) -> None:
        """Read a key that may be an action that the task does not have, over its objects."""
        key = pair.key.value
        if plain_key(key) in SIGNALS and not self._names_object(pair.value):
            self.current.left_out[key] = None
            return
        values = [] if pair.value is None else list(texts_of(pair.value))
        is_list = isinstance(pair.value, Group) and pair.value.kind == "list"
        named = self._names_object(pair.value)
        if is_object_key(key) or plain_key(key) in ACTION_KEYS:
            if plain_key(key) in ACTION_KEYS or not named:
                self.current.left_out[key] = None
            else:
                self.current.unread.append(_written(pair))
            return
        is_name = key.isidentifier() or self.grammar.line(key, 0).steps
        if (
            is_name
            and (
                (is_list and (values or key.isupper())) or (key.isupper() and (named or not values))
            )
        ) or (self.grammar.is_free and is_name and plain_key(key) not in HEADINGS):
            step = Step(
                key,
                self.grammar.objects_of(opened(pair.value), -1),
                pair.key.at,
                -1,
                "key",
                is_known=False,
                is_weak=not (named or key.isupper()),
            )
            self.current.steps.append(step)
            return
        self.current.left_out[key] = None


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
