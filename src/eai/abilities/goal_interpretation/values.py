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
from eai.answers import Group, Node, Pair, Text, decode_value, is_list, is_object, loose
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
        is_flat = len(words) == len(group.items)  # nothing but texts
        if words[:1] == ["not"] and not is_flat:
            self.read_words(kind, group)
            return
        if is_flat and len(words) > 1:
            goals = self.goals_of_one(kind, words, group.at)
            if goals:
                self.add(goals)
                return
        # A list that mixes texts with pairs is an object that lacks a key.
        parts = _pairs_among(group)
        if parts:
            self.read_goal(kind, parts, group)
            return
        self.read_items(kind, group)

    def goals_of_one(self, kind: str, words: Sequence[str], at: int) -> list[ReadGoal]:
        """Return the state or relation whose words a list holds; none if it lists several goals."""
        negated = self.negated_goals(kind, words, at)
        if negated:
            return negated
        goal = self.grammar.goal_of_words(kind, words, at, sure=False)
        return [] if goal is None or goal.kind == "action" else [goal]

    def read_items(self, kind: str, group: Group) -> None:
        """Read the items of a list one by one; empty lists in it are passed over."""
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

        Args:
            before: Number of goals that were read before the list, which stay as they were.
        """
        goals = self.current.goals
        if not any(goal.name for goal in goals[before:]):
            return
        for index in range(before, len(goals)):
            goal = goals[index]
            word = goal.text.strip("'")
            is_unread = not goal.kind and not goal.name
            if is_unread and word.isidentifier() and word.isupper():
                goals[index] = ReadGoal("action", word, position=goal.position)

    def read_item(self, kind: str, node: Node | Pair) -> None:
        """Read an item of a list: a goal in any notation, or a list of goals."""
        if isinstance(node, Text):
            self.read_text(kind, node)
        elif isinstance(node, Pair):
            self.read_pair(kind, node)
        elif node.kind == "object":
            self.read_object(kind, node)
        elif node.kind == "call" and node.pairs:
            self.read_call(kind, node)
        elif _lists_goals(node):
            self.read_list(kind, node)
        else:
            self.read_words(kind, node)

    def read_call(self, kind: str, call: Group) -> None:
        """Read a call whose keywords are the parts of a goal: ``NodeGoal(name="tv", state="ON")``.

        Args:
            kind: The kind of the goal, unless the name of the call says another one.
            call: The call.
        """
        parts: list[tuple[str, str]] = []
        for pair in call.pairs:
            parts += _flat(pair)
        name = "" if call.name is None else call.name.value
        self.add(self.grammar.goals_of_roles(kind_in_name(name) or kind, parts, call.at))

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
        self.add(self.goals_of_nested_words(kind, words, node.at))

    def goals_of_nested_words(self, kind: str, words: Sequence[str], at: int) -> list[ReadGoal]:
        """Return the goals of words that are meant as one goal; at least an unreadable one."""
        if kind or self.names.is_empty or any(map(self.names.is_known, words)):
            goal = self.grammar.goal_of_words(kind, words, at)
            if goal is not None:
                return [goal]
        negated = self.negated_goals(kind, words, at)
        return negated or [unread_goal(kind, " ".join(words), at)]

    def read_text(self, kind: str, text: Text) -> None:
        """Read a text: a value in a string, a text of several lines, or one goal.

        A text that is no goal, but stands where one has to, is kept as a goal that cannot be read.
        """
        inner = decode_value(text)
        if inner is not None:
            self.read_encoded(kind, text, inner)
            return
        is_nothing = not text.quoted and text.value in ("null", "None", "nil")
        if is_nothing or kind_of(text.value) is not None:
            return  # the name of a section stands for what is to be put there
        self.add(self.goals_in_text(kind, text))

    def read_encoded(self, kind: str, text: Text, inner: Node) -> None:
        """Read a value in a string, ``"['ON(tv)']"``; its goals stand where the string does."""
        opened_before = self.opened
        self.opened = text.at if opened_before is None else opened_before
        self.read(inner, kind)
        self.opened = opened_before

    def goals_in_text(self, kind: str, text: Text) -> list[ReadGoal]:
        """Return the goals of a text; an unreadable one if it has none and does not say so."""
        value = text.value
        # Several lines, a value or a code block in a string may be a whole answer of their own.
        if any(mark in value for mark in ("\n", "{", "```", "<")):
            goals = [replace(goal, position=text.at) for goal in self.nested(value)]
            if goals:
                return goals
        goals = self.grammar.text(kind, value, text.at, meant=True)
        if goals:
            return goals
        # Among actions an unknown text is an action that the task does not have, and is reported as
        # such.
        if kind == "action" and value.strip():
            return [ReadGoal("action", value, position=text.at)]
        if loose(value) in ("none", "null", ""):
            return []
        return [unread_goal(kind, value, text.at)]

    def read_object(self, kind: str, group: Group) -> None:
        """Read an object: a goal, a mapping of names, or a value around sections."""
        pairs = [pair for pair in group.pairs if not _is_left_out(pair)]
        kinds = [pair.text for pair in pairs if _says_kind(pair)]
        lists = [pair.value for pair in pairs if is_list(pair.value)]
        if len(pairs) == 2 and kinds and lists:
            self.read(lists[0], kind_of(kinds[0]) or kind)
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
        """Return whether the parts of an object outside of any section are all that a goal needs.

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
        # {"predicate": "WET", "arguments": ["soap"]} is a goal, though it may be an unknown one.
        is_term = "predicate" in roles_of_texts and "arguments" in roles
        if is_term and any(map(self.names.objects, values)):
            return True
        # The keys leave doubt: then one of the values has to be a predicate of the task.
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

        Args:
            kind: The kind of the goal; may be empty.
            pairs: The parts of the object.
            group: The object, for its offset.
        """
        if any(map(_names_no_state, pairs)):
            return
        is_negated = False
        parts: list[tuple[str, str]] = []
        for pair in pairs:
            truth = TRUTH.get(pair.text.lower())
            if pair.name in NEGATING:
                goal = _goal_under_negation(pair, is_alone=len(pairs) == 1)
                if goal is not None:
                    self.read_negated(kind, goal)
                    return
                is_negated = truth is True
            elif pair.name == "value" and truth is not None:
                is_negated = not truth
            else:
                parts += _flat(pair)
        if parts:
            self.add(self.grammar.goals_of_roles(kind, parts, group.at, negated=is_negated))

    def read_negated(self, kind: str, node: Node) -> None:
        """Read a value, and add the opposites of its goals."""
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
            self.read_section(section, kind, pair)
        elif kind or self.is_name(key):
            self.read_mapping(kind, pair)
        elif isinstance(pair.value, Group) or encoded_group(pair.value) or _holds_text(pair):
            self.read_wrapper(kind, pair)

    def read_section(self, section: str, kind: str, pair: Pair) -> None:
        """Read the goals under a heading, and note that its kind of goals was answered.

        Args:
            section: The kind that the heading says; empty for goals of all kinds.
            kind: The kind of the section around it; may be empty.
            pair: The heading and the value under it.
        """
        before = len(self.current.goals)
        self.read(pair.value, section or kind)
        self.current.kinds |= {section} - {""}
        # An empty section is an answer, too: there are no goals of its kind.
        if len(self.current.goals) == before and isinstance(pair.value, Group):
            self.current.is_empty = True

    def read_wrapper(self, kind: str, pair: Pair) -> None:
        """Read the value under a key that is no name of the task: ``"answer": {...}``.

        A key that frames what is below it, ``"draft"`` or ``"final"``, parts it from the rest, so
        that it can be chosen or rejected.
        """
        words = pair.key.value.replace("_", " ")
        if is_final(words) or is_rejected(words):
            self.readings.append(GoalsInValue(words))
            self.read(pair.value, kind)
            self.readings.append(GoalsInValue())
            return
        before = len(self.current.goals)
        self.read(pair.value, kind)
        self.drop_unread(before)

    def drop_unread(self, before: int) -> None:
        """Forget the texts under a key of a wrapper if none of them is a goal.

        Args:
            before: Number of goals that were read before the wrapper.
        """
        inside = self.current.goals[before:]
        if not any(goal.name or goal.kind for goal in inside):
            del self.current.goals[before:]

    def read_mapping(self, kind: str, pair: Pair) -> None:
        """Read names over names: an object over its states, a state over its objects.

        ``"tv": ["ON", "CLEAN"]`` are two goals, and so are ``"ON": ["tv", "lamp"]``. In
        ``"tv": {"ON": false}`` a truth value says whether the goal above it shall be true.
        """
        name = pair.key.value
        at = pair.key.at
        parts = self.parts_below(pair)
        if parts:
            self.add(self.grammar.goals_of_roles(kind, [("object", name), *parts], at))
            return
        paths = list(_paths(pair.value))
        if not paths and kind == "action":
            self.add([ReadGoal("action", name, position=at)])
        for path in paths:
            words = [name, *filter(self.may_be_part_of_goal, path)]
            self.add(self.goals_on_path(kind, words, at))

    def goals_on_path(self, kind: str, words: list[str], at: int) -> list[ReadGoal]:
        """Return the goals of names over each other, of which the last may be a truth value.

        What cannot be read is returned as an unreadable goal, shown by its first name.
        """
        unread = unread_goal(kind, words[0], at)
        truth = self.truth_below(words)
        if truth is not None:
            goals = self.goals_of_names(kind, words[:-1], at) or [unread]
            return goals if truth else [goal.opposite() for goal in goals]
        if len(words) == 2 and not any(map(self.names.is_known, words)):
            words.reverse()  # an object over its state
        return [self.grammar.goal_of_words(kind, words, at) or unread]

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
        if not is_object(group):
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
    return isinstance(node, Text) and decode_value(node) is not None


def _holds_text(pair: Pair) -> bool:
    """Whether a text under a key may be the answer: it has lines, or the key is a heading."""
    if not isinstance(pair.value, Text) or role_of(pair.key.value):
        return False
    return "\n" in pair.value.value or pair.name in HEADINGS


def _names_no_state(pair: Pair) -> bool:
    """Whether a part of an object says that it has no states: ``"state": []``."""
    is_empty = is_list(pair.value) and not pair.value.items
    return is_empty and role_of(pair.key.value) == "predicate"


def _goal_under_negation(pair: Pair, *, is_alone: bool) -> Node | None:
    """Return the goal that a key such as ``not`` negates; None if it only has a truth value.

    Args:
        pair: The key and its value.
        is_alone: Whether the object has no other key. A text beside other parts is no goal.
    """
    if isinstance(pair.value, Group):
        return pair.value
    has_truth = TRUTH.get(pair.text.lower()) is not None
    is_goal = isinstance(pair.value, Text) and is_alone and not has_truth
    return pair.value if is_goal else None


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


def _lists_goals(node: Group) -> bool:
    """Return whether a list holds goals, or the parts of one, and not the words of one."""
    if node.name is not None:
        return False
    begins_with_word = bool(node.items) and isinstance(node.items[0], Text)
    return not begins_with_word or bool(_pairs_among(node))


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
    """Yield for each text in a value the keys above it, and then the text.

    ``{"ON": ["table", "shelf"]}`` has the paths ``ON table`` and ``ON shelf``. A list of texts in a
    list is one path.
    """
    if node is None:
        return
    if isinstance(node, Text):
        yield [node.value]
    elif node.kind == "object":
        for pair in node.pairs:
            for path_below in _paths(pair.value):
                yield [pair.key.value, *path_below]
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
