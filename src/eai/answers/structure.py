"""What stands beside a plan in a value and is not read: explanations, or steps?

Something has the form of a step if it is a call, a line of a script, an object with the keys of
a step, or a value under a key in capitals. Whether a key in small letters is the name of an
action is for the task's vocabulary to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import compress

from eai.answers.forms import (
    arguments_of,
    encoded,
    is_call,
    is_cut,
    named_at,
    names_objects,
    object_key,
    pairs_of,
    plain_key,
    read_line,
    submitted,
)
from eai.answers.plan import (
    ACTION_KEYS,
    ASIDE_KEYS,
    CALLING,
    EXPLAINING,
    HEADINGS,
    PARTICLES,
    RESERVED,
    STATES,
    AnswerProblem,
    Beside,
    PlanReading,
    ReadStep,
    no_step,
    shorten,
    unread,
    words_of,
)
from eai.answers.values import Group, Item, Node, Pair, Text

MOST_LINES = 200
"""So many lines of a text beside a plan are looked at."""
MOST_WORDS = 2
"""The name of an action has at most so many, unless it is a call."""

_ONE_NAME = re.compile(r"[<(]?\w[\w.\-]*[>)]?(?:[ ,]+[<(]?[\w.\-]+[>)]?)?")


def beside_plan(pair: Pair, *, capitals: bool) -> Iterator[Beside]:
    """Find what may be steps in a pair that is not read, in order."""
    words = set(plain_key(pair.key.value).split("_"))
    if not words.isdisjoint(STATES):
        return
    key, value = pair.key.value.strip(), pair.value
    if not words.isdisjoint(EXPLAINING):
        reported = _node(value, capitals=capitals) if isinstance(value, Group) else ()
        yield from (replace(beside, explaining=True) for beside in reported)
        return
    if _is_name(key) and not (plain_key(key) in RESERVED or object_key(key)):
        step = ReadStep(key, tuple(arguments_of(value)), pair.key.at)
        plain = not isinstance(value, Group)
        short = not isinstance(value, Text) or _ONE_NAME.fullmatch(value.value.strip()) is not None
        shouted = capitals and key.isupper() and len(key) > 1
        yield Beside(step, sure=shouted and short and value is not None, plain=plain)
    if value is not None:
        yield from _node(value, capitals=capitals)


def _is_name(name: str) -> bool:
    return len(name.split()) <= MOST_WORDS and name.replace("_", "a").replace(" ", "a").isalpha()


def _node(node: Node, *, capitals: bool) -> Iterator[Beside]:
    if isinstance(node, Text):
        # Steps in a string stand where the string does; a bare word is a name or a number.
        for beside in _written(node, capitals=capitals):
            yield replace(beside, step=replace(beside.step, position=node.at))
    elif node.kind == "call" and node.name is not None:
        objects = replace(node, kind="list", name=None)
        yield Beside(ReadStep(node.name.value, tuple(arguments_of(objects)), node.at), sure=True)
    elif node.kind == "object":
        yield from _object(node, capitals=capitals)
    else:
        yield from _words(node, capitals=False)
        yield from _list(node, capitals=capitals)


def _written(text: Text, *, capitals: bool) -> Iterator[Beside]:
    inside = encoded(text)
    if inside is not None:
        yield from _node(inside, capitals=capitals)
    elif text.quoted:
        for line in text.value.splitlines()[:MOST_LINES]:
            sure = is_call(line) or _shouts(line.split())
            yield from (Beside(step, sure=sure, plain=True) for step in read_line(line, 0))


def _shouts(words: list[str]) -> bool:
    """Whether the first of several words is in capitals and not all of them are."""
    return len(words) > 1 and words[0].isupper() and not "".join(words[1:]).isupper()


def _object(group: Group, *, capitals: bool) -> Iterator[Beside]:
    pairs = pairs_of(group)
    keys = [plain_key(pair.key.value) for pair in pairs]
    named = named_at(keys)
    for pair, key in zip(pairs, keys, strict=True):
        if named is None or not (key == keys[named] or object_key(key)):
            yield from beside_plan(pair, capitals=capitals)
        elif key == keys[named] and isinstance(pair.value, Text):
            yield from _named(pair.value, pairs, sure=key != "name" or not CALLING.isdisjoint(keys))
        elif key == keys[named] and pair.value is not None:
            yield from _node(pair.value, capitals=capitals)


def _named(name: Text, pairs: list[Pair], *, sure: bool) -> Iterator[Beside]:
    """The step of an object with named parts."""
    if is_call(name.value):
        yield from (Beside(step, sure=True) for step in read_line(name.value, name.at))
        return
    objects = [p for p in pairs if object_key(p.key.value) and p.value is not name]
    values = tuple(value for pair in objects for value in arguments_of(pair.value))
    step = ReadStep(name.value.strip(), values, name.at)
    yield Beside(step, sure=sure and bool(objects) and _is_name(step.name))


def _list(group: Group, *, capitals: bool) -> Iterator[Beside]:
    for item in group.items:
        if isinstance(item, Pair):
            yield from beside_plan(item, capitals=capitals)
        elif isinstance(item, Group) and item.kind == "list":
            yield from _words(item, capitals=capitals)
            yield from _list(item, capitals=capitals)
        else:
            yield from _node(item, capitals=capitals)


def _words(group: Group, *, capitals: bool) -> Iterator[Beside]:
    """The step in a list of words, its name first."""
    texts = [item for item in group.items if isinstance(item, Text)]
    if len(texts) == len(group.items) > 1 and _is_name(texts[0].value):
        values = tuple(value for text in texts[1:] for value in arguments_of(text))
        sure = capitals and _shouts([text.value for text in texts])
        yield Beside(ReadStep(texts[0].value, values, texts[0].at), sure=sure, plain=True)


MOST_KEYS = 10
"""So many keys of what was not read are named in a note."""

MOST_TOLD = 200
"""So many steps of the plan are compared with those in explanations."""

_NUMBERED = re.compile(r"(?:step|action)?_?\d+")
_NUMBERING = re.compile(r"(?:(?:step|action|time|t)[ _\-]*)?\d+")


def _is_whole_step(item: Item) -> bool:
    """Whether a string holds the name of a step, in capitals, and its objects behind it."""
    if not (isinstance(item, Text) and item.quoted):
        return False
    name, _, objects = item.value.strip().partition(" ")
    return (
        name.isupper()
        and not objects.isupper()
        and PARTICLES.isdisjoint(objects.lower().split())
        and any(step.arguments for step in read_line(item.value, item.at))
    )


def _holds_steps(node: Node | None) -> bool:
    """Whether a value looks like steps, not like the objects of one step."""
    if not isinstance(node, Group):
        return False
    if node.kind == "object":
        keys = {plain_key(pair.key.value) for pair in pairs_of(node)}
        return not keys.isdisjoint(ACTION_KEYS) or any(
            isinstance(pair.value, Group) and not object_key(pair.key.value)
            for pair in pairs_of(node)
        )
    return any(
        isinstance(item, Group) and (item.kind == "call" or _holds_steps(item))
        for item in node.items
        if not isinstance(item, Pair)
    )


@dataclass(slots=True)
class StepReader:
    """Collects the steps of a value.

    ``nested`` reads a text inside a string (JSON that was encoded as a string), or returns None.
    """

    nested: Callable[[Text], PlanReading | None]
    steps: list[ReadStep] = field(default_factory=list)
    problems: list[AnswerProblem] = field(default_factory=list)  # in the place of steps
    notes: dict[str, None] = field(default_factory=dict)
    certain: bool = False  # some step has a form that nothing but a step has
    empty: bool = False  # a plan without steps was read
    cut: bool = False  # the end of the answer cut into a step
    beside: list[Beside] = field(default_factory=list)  # was not read, and may be steps
    left_out: dict[str, None] = field(default_factory=dict)  # the keys of what was not read

    def settle(self) -> None:
        """Decide, after all was read, which of what was not read are steps beside the plan."""
        known = [frozenset(words_of(str(step))) for step in self.steps[:MOST_TOLD]]
        for beside in self.beside:
            words = words_of(str(beside.step))
            reported = beside.explaining and any(step.issuperset(words) for step in known)
            if beside.sure and not reported:
                self.problems.append(unread(str(beside.step), beside.step.position))
        self.beside = [beside for beside in self.beside if not (beside.sure or beside.explaining)]
        if self.left_out:
            named = list(map(shorten, self.left_out))
            more = f" and {len(named) - MOST_KEYS:,} more" if len(named) > MOST_KEYS else ""
            self.notes[f"not read: {', '.join(named[:MOST_KEYS])}{more}"] = None

    def read(self, node: Node | None) -> None:
        """Read a value that stands where steps are expected."""
        if isinstance(node, Text):
            self.read_text(node)
        elif node is not None:
            self.empty = self.empty or not (node.items or node.cut)
            if node.kind == "object":
                self.read_object(node)
            elif node.kind == "call" and node.name is not None:
                self.add(node.name, node.items, cut=is_cut(node))
            else:
                self.read_list(node)

    def add(self, name: Text, values: Iterable[Item | None], *, cut: bool) -> None:
        """Add one step, or say that the end of the answer cut into it."""
        if cut or name.cut:
            self.cut = True
            self.problem("the answer ends in the middle of a step", name.at)
            return
        tokens: list[str] = []
        for value in values:
            tokens += arguments_of(value.value if isinstance(value, Pair) else value)
        self.certain = True
        self.steps.append(ReadStep(name.value.strip(), tuple(tokens), name.at))

    def problem(self, message: str, at: int) -> None:
        """Note that something is not a step."""
        self.problems.append(AnswerProblem(message, at))

    def read_text(self, text: Text) -> None:
        """Read a string that stands where a step is expected."""
        if text.cut:
            self.cut = True
            self.problem("the answer ends in the middle of a string", text.at)
            return
        inside = self.nested(text) if text.quoted else None
        if inside is not None:
            self.notes["JSON encoded as a string"] = None
            self.certain = self.certain or bool(inside.steps)
            self.steps += inside.steps
            self.problems += inside.problems
            self.beside += inside.beside
            return
        found = read_line(text.value, text.at) if text.quoted else []
        self.certain = self.certain or bool(found)
        if text.quoted and not found:
            found = read_line(text.value, text.at, meant=True)
        if not found:
            self.problems.append(no_step(text.value, text.at))
        self.steps += found

    def read_list(self, group: Group) -> None:
        """Read a list: of steps, or the list form of one step (``["WALK", "light"]``)."""
        for item in group.items:
            if isinstance(item, Pair):
                self.read_pair(item)
            elif isinstance(item, Group) and item.kind == "list" and self.is_step(item):
                name, *values = item.items
                if isinstance(name, Text):
                    self.add(name, values, cut=is_cut(item))
            else:
                self.read(item)

    @staticmethod
    def is_step(group: Group) -> bool:
        """Whether a list inside a list is one step: its name first, then its objects."""
        first = group.items[0] if group.items else None
        return (
            isinstance(first, Text)
            and (first.quoted or len(group.items) > 1)
            and first.value.replace("_", "a").replace(" ", "a").isalpha()
            and not any(_holds_steps(item) for item in group.items if not isinstance(item, Pair))
            and not all(map(_is_whole_step, group.items))
        )

    def read_object(self, group: Group) -> None:
        """Read an object: a wrapper, steps with named parts, or action names as keys."""
        pairs = pairs_of(group)
        keys = [plain_key(pair.key.value) for pair in pairs]
        wrapped = [  # a key only says that its value is the plan
            key in HEADINGS and (isinstance(value, Group) or (value is not None and value.quoted))
            for key, value in zip(keys, (pair.value for pair in pairs), strict=True)
        ]
        if any(wrapped):
            self.read_wrapper(pairs, wrapped)
            return
        named = named_at(keys)
        if named is not None:
            again = [i for i, key in enumerate(keys) if key == keys[named] and i > named]
            for start, end in zip([0, *again], [*again, len(pairs)], strict=True):
                self.read_named(
                    pairs[start:end], pairs[start or named], cut=group.cut and end == len(pairs)
                )
            return
        for pair in pairs:
            self.read_pair(pair)

    def read_wrapper(self, pairs: list[Pair], wrapped: list[bool]) -> None:
        """Read the plan in an object, which stands under one of its keys."""
        self.notes["a wrapper around the plan"] = None
        plans: list[Pair] = []
        for pair, is_plan in zip(pairs, wrapped, strict=True):
            before = len(self.steps)
            if is_plan:
                self.read(pair.value)
            if len(self.steps) > before:
                plans.append(pair)
        for pair in plans[1:]:
            first, second = shorten(plans[0].key.value), shorten(pair.key.value)
            self.problem(f"{second} is a second plan besides {first}; write one plan", pair.key.at)
        capitals = not any(pair.key.value.isupper() for pair in compress(pairs, wrapped))
        for pair, is_plan in zip(pairs, wrapped, strict=True):
            if not is_plan:
                self.leave_out(pair, capitals=capitals)

    def leave_out(self, pair: Pair, *, capitals: bool) -> None:
        """Do not read what stands beside a plan or a step, but look at whether it is one, too."""
        if not is_cut(pair):
            self.left_out[pair.key.value] = None
            self.beside += beside_plan(pair, capitals=capitals)
            if _NUMBERED.fullmatch(plain_key(pair.key.value)):
                numbered = StepReader(self.nested)
                numbered.read(pair.value)
                self.beside += (Beside(step, sure=True) for step in numbered.steps)
                self.problems += numbered.problems

    def read_named(self, pairs: list[Pair], action: Pair, *, cut: bool) -> None:
        """Read ``{"action": "WALK", "objects": ["light", "411"]}``."""
        parts = [pair for pair in pairs if pair is not action]
        calling = any(plain_key(pair.key.value) in CALLING for pair in parts)
        values = [pair for pair in parts if names_objects(pair, calling=calling)]
        plan = submitted(action, values)
        if plan is not None:
            self.notes["a wrapper around the plan"] = None
            self.read(plan)
            return
        for pair in parts:
            if not names_objects(pair, calling=calling):
                self.leave_out(pair, capitals=not action.key.value.isupper())
        if not isinstance(action.value, Text):
            others = (pair for pair in values if plain_key(pair.key.value) not in ("id", "name"))
            if any(pair.value is not None for pair in others):
                self.problem("one step has several actions, or none", action.key.at)
            self.read(action.value)
            return
        if values or cut or not action.value.quoted:
            self.add(action.value, values, cut=cut or any(map(is_cut, values)))
        else:
            self.read_text(action.value)

    def read_pair(self, pair: Pair) -> None:
        """Read ``"WALK": ["light", "411"]``, or a key that only numbers or explains."""
        key = plain_key(pair.key.value)
        text = pair.value if isinstance(pair.value, Text) else None
        if _NUMBERING.fullmatch(key) or _holds_steps(pair.value):
            self.read(pair.value)
            if not (_NUMBERING.fullmatch(key) or key in ASIDE_KEYS | HEADINGS):
                self.left_out[pair.key.value] = None
                step = ReadStep(pair.key.value, tuple(arguments_of(pair.value)), pair.key.at)
                self.beside.append(Beside(step))
        elif key == "step" and text is not None and is_call(text.value):
            self.read_text(text)
        elif key in EXPLAINING or (key in ASIDE_KEYS and (text or pair.value is None)):
            self.notes["explanations between the steps"] = None
            self.beside += beside_plan(pair, capitals=True)
        elif key in HEADINGS and not isinstance(pair.value, Group):
            self.problem(f"there are no steps in {shorten(pair.key.value)}", pair.key.at)
        else:
            self.add(pair.key, [pair.value], cut=is_cut(pair.value))
