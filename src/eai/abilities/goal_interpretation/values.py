"""The second stage of reading, for goals: the goals in a value, such as JSON or a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from eai.abilities.goal_interpretation.grammar import GoalGrammar, kind_in_name, unread_goal
from eai.abilities.goal_interpretation.names import ReadGoal
from eai.abilities.goal_interpretation.words import (
    KIND_KEYS,
    NEGATING,
    is_aside,
    is_section,
    kind_of,
    role_of,
)
from eai.answers import Group, Node, Pair, Text, encoded, loose
from eai.answers.choice import is_final, is_rejected
from eai.answers.plan import HEADINGS
from eai.answers.values import plain_key


@dataclass(slots=True)
class GoalsInValue:
    """The goals in a value, or under one of its keys.

    Args:
        key: The keys above them that frame them.
        goals: The goals, with those that cannot be read.
        kinds: The kinds of goals that the value has sections of.
        is_empty: Whether it has sections without goals.
    """

    key: str = ""
    goals: list[ReadGoal] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)
    is_empty: bool = False

    @property
    def is_read(self) -> bool:
        """Whether at least one goal was understood, or all of them stand in a section."""
        return any(goal.name for goal in self.goals) or bool(self.goals and self.kinds)


_TERM = re.compile(r"\w+\s*\([^()]+\)")
"""A name with objects in brackets: ``ON(tv)``."""
TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
"""Words for truth values in small letters."""


class ValueReader:
    """Collects the goals of one value.

    Args:
        grammar: Reads the goals in its texts.
        nested: Reads the goals of an answer in a string.
    """

    def __init__(self, grammar: GoalGrammar, nested: Callable[[str], list[ReadGoal]]) -> None:
        self.grammar = grammar
        self.nested = nested
        self.names = grammar.names
        self.readings = [GoalsInValue()]
        self.opened: int | None = None  # offset of the string that holds what is read now

    def values(self, group: Group, kind: str) -> list[GoalsInValue]:
        """Return the goals of a value; keys that frame what is below them part it."""
        self.read(group, kind)
        return [reading for reading in self.readings if reading.goals or reading.is_empty]

    @property
    def current(self) -> GoalsInValue:
        """The goals that are read now."""
        return self.readings[-1]

    def add(self, goals: Iterable[ReadGoal]) -> None:
        """Add goals; in a string, they stand where the string does."""
        for goal in goals:
            at = goal.position if self.opened is None else self.opened
            self.current.goals.append(replace(goal, position=at))

    def read(self, node: Node | None, kind: str) -> None:
        """Read a value: a text, an object, a call or a list has a method each."""
        if isinstance(node, Text):
            self.read_text(kind, node)
        elif node is None:
            return
        elif node.kind == "object":
            self.read_object(kind, node)
        elif node.kind == "call":
            self.read_item(kind, node)
        else:
            self.read_list(kind, node)

    def read_list(self, kind: str, group: Group) -> None:
        """Read a list: of goals, or the words of one.

        ``["ON(tv)", "OPEN(door)"]`` are two goals, ``["ON", "tv"]`` are the words of one, and
        ``["not", "ON(tv)"]`` is a negated one.
        """
        words = list(_texts(group))
        if words[:1] == ["not"] and len(words) < len(group.items):
            self.read_words(kind, group)
            return
        is_flat = len(words) == len(group.items)  # nothing but texts
        if is_flat and len(words) > 1:
            negated = self.negated_goals(kind, words, group.at)
            if negated:
                self.add(negated)
                return
            goal = self.grammar.goal_of_words(kind, words, group.at, sure=False)
            if goal is not None and goal.kind != "action":
                self.add([goal])
                return
        mixed = _pairs_among(group)
        if mixed:
            self.read_goal(kind, mixed, group)
            return
        before = len(self.current.goals)
        for item in group.items:
            is_empty_list = isinstance(item, Group) and not item.items and item.name is None
            if not is_empty_list:
                self.read_item(kind, item)
        self.name_actions(before)
        self.current.is_empty = self.current.is_empty or not group.items

    def negated_goals(self, kind: str, words: Sequence[str], at: int) -> list[ReadGoal]:
        """Return the goals of the words ``not`` and ``ON(tv)``; none for other words."""
        if len(words) != 2 or words[0] != "not":
            return []
        goals = self.grammar.text(kind, words[1], at)
        return [replace(goal, negated=not goal.negated) for goal in goals]

    def name_actions(self, before: int) -> None:
        """Turn single words in capitals beside goals into actions.

        In ``["ON(tv)", "WATCH"]`` the word was meant as an action even if the task has no such one;
        as an action it is reported as a hallucination, not as an unreadable goal.
        """
        goals = self.current.goals
        if not any(goal.name for goal in goals[before:]):
            return
        for index in range(before, len(goals)):
            word = goals[index].text.strip("'")
            is_unread = not goals[index].kind and not goals[index].name
            if is_unread and word.isidentifier() and word.isupper():
                goals[index] = ReadGoal("action", word, position=goals[index].position)

    def read_item(self, kind: str, node: Node | Pair) -> None:
        """Read an item of a list: a goal in a text, a list or an object, or a list of goals.

        ``NodeGoal(name="tv", state="ON")`` is a goal as well.
        """
        if isinstance(node, Text):
            self.read_text(kind, node)
        elif isinstance(node, Pair):
            self.read_pair(kind, node)
        elif node.kind == "object":
            self.read_object(kind, node)
        elif node.kind == "call" and node.pairs:
            named: list[tuple[str, str]] = []
            for pair in node.pairs:
                named += _flat(pair)
            name = "" if node.name is None else node.name.value
            self.add(self.grammar.goals_of_roles(kind_in_name(name) or kind, named, node.at))
        elif node.name is None and (not _begins_with_word(node) or _pairs_among(node)):
            self.read_list(kind, node)
        else:
            self.read_words(kind, node)

    def read_words(self, kind: str, node: Group) -> None:
        """Read a goal whose words stand in a list or a call, however it is nested.

        ``["ON", ["tv"]]`` and ``relation("on", "cup", "table")`` are such goals. A list whose texts
        can each be read as a goal is a list of goals instead.
        """
        if node.name is None and kind != "action":
            goals_of_texts = [self.grammar.text(kind, text, node.at) for text in _texts(node)]
            if len(goals_of_texts) > 1 and all(goals_of_texts):
                self.read_list(kind, node)
                return
        words = list(_flat_words(node))
        # The first word may say which kind of goal it is, unless it is a name of the task.
        if node.name is not None or len(words) > 2:
            kind_of_call = kind_in_name(words[0])
            if kind_of_call and not self.names.is_known(words[0]):
                kind = kind_of_call
                words = words[1:]
        goal: ReadGoal | None = None
        if kind or self.names.is_empty or any(map(self.names.is_known, words)):
            goal = self.grammar.goal_of_words(kind, words, node.at)
        if goal is not None:
            self.add([goal])
            return
        negated = self.negated_goals(kind, words, node.at)
        self.add(negated or [unread_goal(kind, " ".join(words), node.at)])

    def read_text(self, kind: str, text: Text) -> None:
        """Read a text: a value in a string, a text of several lines, or one goal.

        A text that is no goal, but stands where one has to, is kept as a goal that cannot be read.
        """
        inner = encoded(text)
        if inner is not None:
            was_opened = self.opened
            self.opened = text.at if was_opened is None else was_opened
            self.read(inner, kind)
            self.opened = was_opened
            return
        is_nothing = not text.quoted and text.value in ("null", "None", "nil")
        if is_nothing or kind_of(text.value) is not None:
            return  # the name of a section stands for what is to be put there
        goals: list[ReadGoal] = []
        if any(mark in text.value for mark in ("\n", "{", "```", "<")):
            goals = [replace(goal, position=text.at) for goal in self.nested(text.value)]
        goals = goals or self.grammar.text(kind, text.value, text.at, meant=True)
        if not goals and kind == "action" and text.value.strip():
            goals = [ReadGoal("action", text.value, position=text.at)]
        if not goals and loose(text.value) not in ("none", "null", ""):
            goals = [unread_goal(kind, text.value, text.at)]
        self.add(goals)

    def read_object(self, kind: str, group: Group) -> None:
        """Read an object: a goal, a mapping of names, or a value around sections."""
        pairs = [pair for pair in group.pairs if not _is_left_out(pair)]
        said_kinds = [pair.text for pair in pairs if _says_kind(pair)]
        lists = [p.value for p in pairs if isinstance(p.value, Group) and p.value.kind == "list"]
        if len(pairs) == 2 and said_kinds and lists:
            self.read(lists[0], kind_of(said_kinds[0]) or kind)
            return  # {"type": "node goals", "goals": [...]}
        if self.is_goal(pairs, kind):
            self.read_goal(kind, pairs, group)
            return
        for pair in pairs:
            self.read_pair(kind, pair)

    def is_goal(self, pairs: Sequence[Pair], kind: str) -> bool:
        """Whether the keys and values of an object are the parts of one goal.

        ``{"object": "tv", "state": "ON"}`` is one. ``{"tv": "ON", "door": "OPEN"}`` is not, since
        its keys are names, nor is ``{"node goals": [...]}``. Keys decide first; where they leave
        doubt, the values have to look like names of the task.

        Args:
            pairs: The keys and values, without those that explain.
            kind: The kind of the section around the object; empty if there is none.
        """
        if any(pair.name in NEGATING or _says_kind(pair) for pair in pairs):
            return True
        if any(is_section(pair.key.value) or self.is_name(pair.key.value) for pair in pairs):
            return False
        if not all(_is_flat(pair.value) for pair in pairs):
            return False
        roles = {role_of(pair.key.value) for pair in pairs} - {""}
        if kind or not roles:
            return bool(roles)
        return self._make_whole_goal(pairs, roles)

    def _make_whole_goal(self, pairs: Sequence[Pair], roles: set[str]) -> bool:
        """Whether the parts of an object outside of any section are all that a goal needs.

        Args:
            pairs: The keys and values of the object.
            roles: The roles that its keys name.
        """
        roles_of_texts = {role_of(pair.key.value) for pair in pairs if isinstance(pair.value, Text)}
        if "act" in roles_of_texts:
            # {"state": "ON(tv)", "action": "WATCH"} is two goals.
            return not any(map(_is_term_of_state, pairs))
        if "predicate" in roles and roles_of_texts & {"object", "subject", "from", "to"}:
            return True
        values: list[str] = []
        for pair in pairs:
            values += [value for _, value in _flat(pair)]
        return len(values) > 1 and any(map(self.names.arities, values))

    def is_name(self, key: str) -> bool:
        """Whether a key is a name of the task, which stands over other names."""
        if role_of(key) or plain_key(key) in KIND_KEYS or kind_of(key) is not None:
            return False
        return self.names.is_known(key)

    def read_goal(self, kind: str, pairs: Sequence[Pair], group: Group) -> None:
        """Read an object that is one goal: ``{"object": "tv", "state": "ON", "negated": true}``.

        A negation is a key of its own; its value may be a truth value, or the goal that is negated.
        With ``"value": false`` the goal is that its predicate is false.
        """
        if any(map(_names_no_state, pairs)):
            return
        negated = False
        named: list[tuple[str, str]] = []
        for pair in pairs:
            key = pair.name
            value = pair.value
            truth = TRUTH.get(pair.text.lower())
            # A text beside other parts is no goal: "negated": "null".
            is_lone_text = isinstance(value, Text) and truth is None and len(pairs) == 1
            if key in NEGATING and value is not None and (is_lone_text or isinstance(value, Group)):
                self.read_negated(kind, value)
                return
            if key in NEGATING:
                negated = truth is True
            elif key == "value" and truth is not None:
                negated = not truth
            else:
                named += _flat(pair)
        if named:
            self.add(self.grammar.goals_of_roles(kind, named, group.at, negated=negated))

    def read_negated(self, kind: str, node: Node) -> None:
        """Read what shall be false."""
        before = len(self.current.goals)
        self.read_item(kind, node)
        inside = self.current.goals[before:]
        self.current.goals[before:] = [replace(goal, negated=not goal.negated) for goal in inside]

    def read_pair(self, kind: str, pair: Pair) -> None:
        """Read a pair of an object: a section, a wrapper around sections, or a name over others.

        ``"node goals": [...]`` is a section, ``"answer": {...}`` a wrapper, and ``"tv": "ON"`` a
        name over another.
        """
        key = pair.key.value
        section = kind_of(key)
        # In a section, "close" over two objects is a relation.
        is_name = bool(kind) and plain_key(key) not in KIND_KEYS and self.names.is_known(key)
        if section is not None and not is_name:
            before = len(self.current.goals)
            self.read(pair.value, section or kind)
            self.current.kinds |= {section} - {""}
            if len(self.current.goals) == before and isinstance(pair.value, Group):
                self.current.is_empty = True
        elif kind or self.is_name(key):
            self.read_mapping(kind, pair)
        elif isinstance(pair.value, Group) or encoded_group(pair.value) or _holds_text(pair):
            words = key.replace("_", " ")
            if is_final(words) or is_rejected(words):
                self.readings.append(GoalsInValue(words))
                self.read(pair.value, kind)
                self.readings.append(GoalsInValue())
            else:
                before = len(self.current.goals)
                self.read(pair.value, kind)
                self.drop_unread(before)

    def drop_unread(self, before: int) -> None:
        """Forget the texts under a key of a wrapper that are no goals."""
        inside = self.current.goals[before:]
        if not any(goal.name or goal.kind for goal in inside):
            del self.current.goals[before:]

    def read_mapping(self, kind: str, pair: Pair) -> None:
        """Read names over names: an object over its states, a state over its objects.

        ``"tv": ["ON", "CLEAN"]`` are two goals, and so are ``"ON": ["tv", "lamp"]``. In
        ``"tv": {"ON": false}`` a truth value says whether the goal above it shall be true.
        """
        parts = self.parts_below(pair)
        if parts:
            named = [("object", pair.key.value), *parts]
            self.add(self.grammar.goals_of_roles(kind, named, pair.key.at))
            return
        paths = list(_paths(pair.value))
        if not paths and kind == "action":
            self.add([ReadGoal("action", pair.key.value, position=pair.key.at)])
        for path in paths:
            words = [pair.key.value, *filter(self.may_be_part_of_goal, path)]
            truth = self.truth_below(words)
            if truth is not None:
                goals = self.goals_of_names(kind, words[:-1], pair.key.at)
                goals = goals or [unread_goal(kind, pair.key.value, pair.key.at)]
                self.add(goals if truth else [goal.opposite() for goal in goals])
                continue
            if len(words) == 2 and not any(map(self.names.is_known, words)):
                words.reverse()  # an object over its state
            goal = self.grammar.goal_of_words(kind, words, pair.key.at)
            self.add([goal or unread_goal(kind, pair.key.value, pair.key.at)])

    def truth_below(self, words: Sequence[str]) -> bool | None:
        """Return the truth value at the end of names over each other; None for another word."""
        *names, last = words
        if self.names.is_known(last):
            return None
        # A number may be anything below a name that is no predicate: {"tv": {"id": 1}}.
        if last.isdigit() and not any(map(self.names.arities, names)):
            return None
        return TRUTH.get(last.lower())

    def goals_of_names(self, kind: str, names: Sequence[str], at: int) -> list[ReadGoal]:
        """Return the goals of names over a truth value: ``{"tv": {"ON": true}}``."""
        if len(names) == 1:  # {"ON(tv)": true}
            return self.grammar.text(kind, names[0], at, meant=True)
        goal = self.grammar.goal_of_words(kind, names, at)
        return [] if goal is None else [goal]

    def may_be_part_of_goal(self, word: str) -> bool:
        """Whether a word below a name is more than a label: ``{"tv": {"states": ["ON"]}}``."""
        return self.names.is_known(word) or kind_of(word) is None

    def parts_below(self, pair: Pair) -> list[tuple[str, str]]:
        """Return the other parts of a goal below its object.

        ``{"tv": {"state": "ON"}}`` has the part ``("state", "ON")``. Empty unless all keys below
        are roles, one of them that of the predicate, and all values are flat.
        """
        group = pair.value
        if not isinstance(group, Group) or group.kind != "object":
            return []
        parts = [pair for pair in group.pairs if not _is_left_out(pair)]
        # A key that is no role, such as "cup" in {"tv": {"cup": ...}}, begins goals of its own.
        roles = {role_of(part.key.value) for part in parts}
        if "predicate" not in roles or "" in roles:
            return []
        texts: list[tuple[str, str]] = []
        for part in parts:
            if self.names.is_known(part.key.value) or not _is_flat(part.value):
                return []
            texts += _flat(part)
        return texts


def encoded_group(node: Node | None) -> bool:
    """Whether a text holds a value."""
    return isinstance(node, Text) and encoded(node) is not None


def _holds_text(pair: Pair) -> bool:
    """Whether a text under a key may be the answer: it has lines, or the key is a heading."""
    if not isinstance(pair.value, Text) or role_of(pair.key.value):
        return False
    return "\n" in pair.value.value or pair.name in HEADINGS


def _names_no_state(pair: Pair) -> bool:
    """Whether a part of an object says that it has no states: ``"state": []``."""
    is_empty = isinstance(pair.value, Group) and pair.value.kind == "list" and not pair.value.items
    return is_empty and role_of(pair.key.value) == "predicate"


def _is_left_out(pair: Pair) -> bool:
    """Return whether a pair of an object only explains: ``"reason": "it is dark"``."""
    return is_aside(pair.key.value) and kind_of(pair.key.value) is None


def _pairs_among(group: Group) -> list[Pair]:
    """Return the parts of an object that lacks a key, which is read as a list; else nothing.

    ``{"tv", "state": "ON"}`` has the parts ``"": "tv"`` and ``"state": "ON"``.
    """
    keyed: list[Pair] = []
    without_key: list[Pair] = []
    for item in group.items:
        if isinstance(item, Text):
            without_key.append(Pair(Text("", item.at, item.at), item))
        elif isinstance(item, Group) and len(item.items) == 1:
            # A pair in a list is a group of its own, which ends where its key does.
            pair = item.items[0]
            if isinstance(pair, Pair) and pair.key.end == item.end:
                keyed.append(pair)
    is_whole = len(keyed) + len(without_key) == len(group.items)
    if not keyed or not without_key or not is_whole:
        return []
    return [*keyed, *without_key]


def _begins_with_word(node: Group) -> bool:
    """Return whether the first item of a list is a text."""
    return bool(node.items) and isinstance(node.items[0], Text)


def _says_kind(pair: Pair) -> bool:
    """Whether a part of an object says its kind: ``"type": "node"``."""
    is_text = isinstance(pair.value, Text) and pair.name in KIND_KEYS
    return is_text and bool(kind_of(next(value for _, value in _flat(pair))))


def _texts(group: Group) -> Iterator[str]:
    """Return the texts among the items of a list."""
    for item in group.items:
        if isinstance(item, Text):
            yield item.value


def _is_term_of_state(pair: Pair) -> bool:
    """Return whether a whole state or relation stands under its kind: ``"state": "ON(tv)"``."""
    is_of_state = kind_of(pair.key.value) in ("state", "relation")
    return is_of_state and _TERM.fullmatch(pair.text.strip()) is not None


def _is_flat(node: Node | None) -> bool:
    """Whether a value is a text or a list of texts."""
    if isinstance(node, Text):
        return not encoded_group(node)
    if node is None:
        return True
    return node.kind != "object" and all(isinstance(item, Text) for item in node.items)


def _flat(pair: Pair) -> Iterator[tuple[str, str]]:
    """Return a key with each of its texts."""
    if isinstance(pair.value, Text):
        yield pair.key.value, pair.value.value
    elif isinstance(pair.value, Group):
        for text in _texts(pair.value):
            yield pair.key.value, text


def _flat_words(node: Group) -> Iterator[str]:
    """Yield all words of a list or a call, in order; keys are left out.

    ``on("cup", place=["table"])`` has the words ``on``, ``cup`` and ``table``.
    """
    if node.name is not None:
        yield node.name.value
    for value in node.values:
        if isinstance(value, Text):
            yield value.value
        elif value is not None:
            yield from _flat_words(value)


def _paths(node: Node | None) -> Iterator[list[str]]:
    """Yield the words on each way from a value to one of its texts.

    ``{"ON": ["table", "shelf"]}`` has the ways ``ON table`` and ``ON shelf``.
    """
    if node is None:
        return
    if isinstance(node, Text):
        yield [node.value]
    elif node.kind == "object":
        for pair in node.pairs:
            for keys_below in _paths(pair.value):
                yield [pair.key.value, *keys_below]
    elif node.items and all(isinstance(item, Group) for item in node.items):
        for item in node.items:
            yield from _paths_of_inner_list(item)
    else:
        for text in _texts(node):
            yield [text]


def _paths_of_inner_list(node: Node | Pair) -> Iterator[list[str]]:
    """Yield the paths of a list in a list, which is one goal if it holds nothing but words."""
    assert isinstance(node, Group)  # noqa: S101 - the caller looked
    words = list(_texts(node))
    if len(words) > 1 and len(words) == len(node.items):
        yield words
    else:
        yield from _paths(node)
