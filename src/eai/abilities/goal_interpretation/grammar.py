"""The second stage of reading, for goals: the goals in a text or in a value.

A goal is a state of an object, a relation between two objects, or an action. The vocabulary of the
task decides which word is what, so that ``ON(tv)``, ``tv: ON``, ``["tv", "ON"]``,
``{"name": "tv", "state": "ON"}`` and "the tv must be ON" are the same goal. A name that the task
does not have is part of a goal only where the form leaves no doubt: in a section, in a list, or
beside known names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from eai.abilities.goal_interpretation.names import GoalNames, ReadGoal
from eai.answers import EXPLAINING, Group, Node, Pair, Text, encoded, loose, shorten
from eai.answers.choice import is_final, is_rejected
from eai.answers.grammar import key_words, plain_key
from eai.answers.plan import HEADINGS, NOTHING

MAX_TEXT = 20_000
"""Maximum number of characters of a text in which goals are looked for."""

_SECTIONS = {
    **dict.fromkeys("node nodes state states unary property properties".split(), "state"),
    **dict.fromkeys(
        "edge edges relation relations relationship relationships spatial binary".split(), "relation"
    ),
    **dict.fromkeys(("action", "actions"), "action"),
}
_GOAL_WORDS = frozenset(
    "goal goals literal literals condition conditions constraint constraints term terms".split()
)
_BESIDE_SECTIONS = _GOAL_WORDS | frozenset(
    "symbolic final desired required needed necessary the list of object objects target all"
    " following must should have has to be done performed executed are is in order as for this task"
    .split()
)
_ROLES = {
    **dict.fromkeys("to target second destination object2 arg2".split(), "to"),
    **dict.fromkeys("from source first object1 arg1".split(), "from"),
    **dict.fromkeys(("subject",), "subject"),
    **dict.fromkeys(
        "state states relation relationship predicate property rel status".split(), "predicate"
    ),
    **dict.fromkeys(("action", "verb"), "action"),
    **dict.fromkeys("args arguments objects parameters params entities".split(), "arguments"),
    **dict.fromkeys("name object item entity node class thing obj".split(), "object"),
}
"""Words in keys, to what the value is in a goal; the first that a key holds counts."""
_ASIDE = EXPLAINING | frozenset("confidence id number index step priority".split())
_KIND_KEYS = frozenset("type kind goal goal_type category section name".split())
_NEGATING = frozenset("not negated negation".split())

_KIND_MARK = re.compile(r"[(\[]\s*(\w+)(?:[ _-]goals?)?\s*[)\]]")
_KEYED = re.compile(r"[\"']?([^\W\d][\w ]{0,30}?)[\"']?\s*[:=]\s*[\"']?([^\"',:=;{}()]{1,200})")
_CALL = re.compile(r"([^\W\d][\w.\-]{0,60}(?: [\w\-]{1,30}){0,2})?(\s?)\(([^()]{0,400})\)")
_KEYWORD = re.compile(r"^\s*\w+\s*=\s*")
_NOT = re.compile(r"\b(?:not|no longer|never|¬)\b|n't\b|¬|~(?!~)", re.IGNORECASE)
_NOT_BEFORE = re.compile(r"(?:\bnot\s*\(?\s*|[¬!]\s*\(?\s*)\Z", re.IGNORECASE)
_AND = re.compile(r"[\s,&]*(?:\band\b)?[\s,&]*(?:\bthe\b|\ba\b)?\s*", re.IGNORECASE)
_PARTED = re.compile(r"[,;]|\band\b", re.IGNORECASE)
_PARTS = re.compile(r"\s*(?:->|=>|\u2192|[:=,|;])\s*|\s+(?:is|are|must be|should be)\s+")
_LONE = re.compile(r"(?:(?!\b(?:and|then)\b)[\w \-])+", re.IGNORECASE)
_REMARK = re.compile(r"[:(]|\s[-\u2013\u2014]\s")
_CLAUSE = re.compile(r";|[.!?](?=\s|$)|\n")
_MARKUP = re.compile(r"[`*]")


def kind_of(label: str) -> str | None:
    """Return the kind of goals that a label names; empty for all kinds, None if it names none."""
    words = key_words(label)
    kinds = {_SECTIONS[word] for word in words if word in _SECTIONS}
    if any(word not in _SECTIONS and word not in _BESIDE_SECTIONS for word in words):
        return None
    if kinds:
        return kinds.pop() if len(kinds) == 1 else ""
    return "" if not _GOAL_WORDS.isdisjoint(words) else None


def role_of(key: str) -> str:
    """Return what stands under a key of a goal; empty if the key does not say it."""
    words = key_words(key) or [plain_key(key)]
    return next((role for word, role in _ROLES.items() if word in words), "")


def is_aside(key: str) -> bool:
    """Whether a key stands over explanations and other asides."""
    return not _ASIDE.isdisjoint(key_words(key) or [plain_key(key)])


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


class GoalGrammar:
    """Reads goals of one task.

    Args:
        names: The names of the task.
        nested: Reads the goals of a text in a string.
    """

    def __init__(self, names: GoalNames, nested: Callable[[str], list[ReadGoal]]) -> None:
        self.names = names
        self.nested = nested

    # -------------------------------------------------------------- words

    def goal_of_words(
        self, kind: str, words: Sequence[str], at: int, *, sure: bool = True
    ) -> ReadGoal | None:
        """Return the goal that consists of some words, of which one is the predicate.

        Args:
            kind: The kind of the section; may be empty.
            words: A predicate and objects in any order, or an action first.
            at: Offset of the goal.
            sure: Whether names may be unknown, because the form leaves no doubt.
        """
        negated = bool(words) and words[0].lower() == "not"
        words = [word for word in words[negated:] if word not in NOTHING]
        if not words:
            return None
        if kind == "action" or (not kind and len(words) == 1):
            known = [word for word in words if self.names.is_action(word)]
            if not known and (kind != "action" or not sure):
                return None
            name = known[0] if known else words[0]
            others = tuple(word for word in words if word is not name)
            return ReadGoal("action", name, others, negated, position=at)
        if len(words) == 1:
            return None
        place = self._predicate_place(words)
        others = tuple(word for number, word in enumerate(words) if number != place)
        if not sure and not self._is_known(words[place], others):
            return None
        return self._literal(words[place], others, negated, at)

    def _predicate_place(self, words: Sequence[str]) -> int:
        """Return which word is the predicate: the others are objects, as many as it takes."""
        is_object = [bool(self.names.objects(word)) for word in words]
        fitting = [n for n, w in enumerate(words) if self.names.has_predicate(w, len(words) - 1)]
        if not fitting and is_object[0] and is_object.count(False) == 1:
            return is_object.index(False)
        # A word may be a predicate and an object, as "computer" is in VirtualHome.
        return max(fitting, key=lambda n: sum(is_object) - is_object[n], default=0)

    def _is_known(self, predicate: str, objects: Sequence[str]) -> bool:
        return self.names.has_predicate(predicate, len(objects)) and all(
            map(self.names.objects, objects)
        )

    @staticmethod
    def _literal(name: str, objects: tuple[str, ...], negated: bool, at: int) -> ReadGoal:
        return ReadGoal(
            "state" if len(objects) == 1 else "relation", name, objects, negated, position=at
        )

    # -------------------------------------------------------------- texts

    def text(self, kind: str, text: str, at: int, *, meant: bool = False) -> list[ReadGoal]:
        """Return the goals in a text.

        Args:
            kind: The kind of the section in which it stands; may be empty.
            text: The text.
            at: Its offset.
            meant: Whether it stands where one goal is expected, as in a list.
        """
        if len(text) > MAX_TEXT or _is_head(text):
            return []
        text = _MARKUP.sub(" ", text)
        mark = _KIND_MARK.search(text)
        marked = None if mark is None else kind_of(mark[1])
        if mark is not None and marked is not None:
            kind = marked or kind
            text = text[: mark.start()] + " " * len(mark[0]) + text[mark.end() :]
        goals = self._keyed(kind, text, at) or self._with_terms(kind, text, at, meant=meant)
        goals = goals or self._fields(kind, text, at) or self._mentioned(kind, text, at)
        if not goals and meant:
            parts = [part.strip(" .\"'()[]") for part in _PARTS.split(text)]
            parts = [part for part in parts if any(map(str.isalnum, part))]
            if 1 < len(parts) < 5 and kind_of(parts[0]):
                kind = kind_of(parts[0]) or kind
                parts = parts[1:]
            if len(parts) < 4 and any(map(self.names.is_known, parts)):
                goal = self.goal_of_words(kind, parts, at)
                goals = [] if goal is None else [goal]
        return goals

    def has_only_goals(self, text: str) -> bool:
        """Whether a text says hardly more than names of the task."""
        said = text
        for mention in reversed(self.names.mentions(text)):
            said = said[: mention.start] + said[mention.end :]
        return len(_words(said)) < 3

    def _keyed(self, kind: str, text: str, at: int) -> list[ReadGoal]:
        """Return the goal in a text such as ``name="tv", state="ON"``."""
        found_pairs = list(_KEYED.finditer(text))
        before = text[: found_pairs[0].start()].rstrip() if found_pairs else ""
        if not found_pairs or (len(_words(before)) > 3 and before[-1] not in "({["):
            return []
        pairs = [(found[1], found[2].strip()) for found in found_pairs]
        named = [(key, value) for key, value in pairs if role_of(key) and not is_aside(key)]
        if len(named) < 2 and not any(role_of(key) == "action" for key, _ in named):
            return []
        if any(self.names.is_known(key) for key, _ in named):
            return []
        goals = self.goals_of_roles(kind, named, at)
        return goals if all(goal.name for goal in goals) else []

    def _fields(self, kind: str, text: str, at: int) -> list[ReadGoal]:
        """Return the goal in names between commas: ``edge,cup,ON,table``."""
        fields = [part.strip() for part in text.split(",")]
        if kind_of(fields[0]):
            kind = kind_of(fields[0]) or kind
            fields = fields[1:]
        words = [field for field in fields if field]
        if len(fields) < 2 or not all(map(self.names.is_known, words)):
            return []
        goal = self.goal_of_words(kind, words, at, sure=False)
        return [] if goal is None else [goal]

    def _with_terms(self, kind: str, text: str, at: int, *, meant: bool) -> list[ReadGoal]:
        """Return the terms in a text, ``ON(tv)``, ``(on tv)``, and actions that stand beside them."""
        goals = []
        start = 0
        for found in _CALL.finditer(text):
            goal = self._term(kind, found, at, meant=meant)
            if goal is not None:
                goals += [*self._lone_actions(text, start, found.start(), at), goal]
                start = found.end()
        return [*goals, *self._lone_actions(text, start, len(text), at)] if goals else []

    def _lone_actions(self, text: str, start: int, end: int, at: int) -> Iterator[ReadGoal]:
        """Yield the actions that stand alone between commas and the like."""
        for found in _LONE.finditer(text, start, end):
            if self.names.is_action(found[0].strip()):
                yield ReadGoal("action", found[0].strip(), position=at + found.start())

    def _term(
        self, kind: str, found: re.Match[str], at: int, *, meant: bool
    ) -> ReadGoal | None:
        written, gap, inside = found[1] or "", found[2], found[3]
        at += found.start()
        arguments = [_KEYWORD.sub("", part).strip(" \"'[]") for part in inside.split(",")]
        arguments = [part for part in arguments if part]
        words = written.split()
        negated = bool(_NOT_BEFORE.search(found.string, 0, found.start() + len(written) - len(words[-1]) if words else found.start()))
        names = [" ".join(words[-count:]) for count in range(len(words), 0, -1)]
        name = next((n for n in names if self.names.has_predicate(n, len(arguments))), None)
        if name is not None and (not gap or all(map(self.names.objects, arguments))):
            return self._literal(name, tuple(arguments), negated, at)
        action = next((n for n in names if self.names.is_action(n)), None)
        if action is not None and kind in ("", "action"):
            return ReadGoal("action", action, tuple(arguments), position=at)
        # goals.add_edge("cup", "ON", "table") and NodeGoal("tv", "ON") say the kind in the name.
        called = [kind_of(word) for word in re.split(r"[._]|(?<=[a-z])(?=[A-Z])", words[-1])] if words else []
        of_call = [each for each in called if each]
        if of_call:
            return self.goal_of_words(of_call[0], arguments, at)
        inner = [mention for mention in self.names.mentions(inside)]
        goal = self.goal_of_words("", [inside[m.start : m.end] for m in inner], at, sure=False)
        if goal is not None and len(inner) > 1 and (not words or gap or words[-1].lower() == "not"):
            return replace(goal, negated=goal.negated or negated or words[-1:] == ["not"])
        is_plain = meant and found[0].strip() == found.string.strip(" .;`")
        if words and not gap and arguments and (is_plain or any(map(self.names.objects, arguments))):
            name = written.removeprefix("not ")
            if kind == "action":
                return ReadGoal("action", name, tuple(arguments), position=at)
            return self._literal(name, tuple(arguments), negated or name != written, at)
        return None

    def _mentioned(self, kind: str, text: str, at: int) -> list[ReadGoal]:
        """Return the goals that a text says in words of the vocabulary, clause by clause."""
        goals: list[ReadGoal] = []
        start = 0
        for end in [*(found.start() for found in _CLAUSE.finditer(text)), len(text)]:
            clause = text[start:end]
            if any(map(str.isalnum, clause)):
                goals += self._in_clause(kind, clause, at + start)
            start = end
        return goals

    def _in_clause(self, kind: str, clause: str, at: int) -> list[ReadGoal]:
        mentions = self.names.mentions(clause)
        spans = [(m.start, m.end, clause[m.start : m.end]) for m in mentions]
        actions = [span for span in spans if self.names.is_action(span[2])]
        if kind == "action":
            return self._actions(clause, actions, at)
        objects = [span for span in spans if self.names.objects(span[2])]
        predicates = [
            span for span in spans if span not in objects and self.names.arities(span[2])
        ]
        is_of_actions = not objects and all(span in actions for span in predicates)
        if not kind and is_of_actions and self.has_only_goals(clause):
            return self._actions(clause, actions, at)
        goals: list[ReadGoal] = []
        for number, (start, end, name) in enumerate(predicates):
            behind = predicates[number + 1][0] if number + 1 < len(predicates) else len(clause)
            before = [span for span in objects if span[1] <= start]
            after = [span for span in objects if end <= span[0] < behind]
            negated = _NOT.search(clause, before[-1][1] if before else 0, start) is not None
            for names in self._objects_of(clause, (start, end, name), before, after):
                goals.append(self._literal(name, names, negated, at + start))
        return goals

    def _objects_of(
        self,
        clause: str,
        predicate: tuple[int, int, str],
        before: Sequence[tuple[int, int, str]],
        after: Sequence[tuple[int, int, str]],
    ) -> list[tuple[str, ...]]:
        """Return the objects of each goal with a predicate, from those before and behind it."""
        end = predicate[1]
        arities = self.names.arities(predicate[2])
        if 2 in arities:
            is_parted = bool(after) and _PARTED.search(clause, end, after[0][0]) is not None
            if before and after and not is_parted:
                return [(before[-1][2], after[0][2])]
            if len(after) > 1:
                return [(after[0][2], after[1][2])]
            if len(before) > 1 and 1 not in arities:
                return [(before[-2][2], before[-1][2])]
        if 1 in arities and before:
            run = [before[-1]]
            for span in reversed(before[:-1]):
                if not _AND.fullmatch(clause, span[1], run[0][0]):
                    break
                run.insert(0, span)
            return [(name,) for _, _, name in run]
        return [(after[0][2],)] if 1 in arities and after else []

    def _actions(
        self, clause: str, actions: Sequence[tuple[int, int, str]], at: int
    ) -> list[ReadGoal]:
        """Return the actions that a clause names, up to a remark behind the first."""
        if not actions:
            return []
        remark = _REMARK.search(clause, actions[0][1])
        stop = len(clause) if remark is None else remark.start()
        return [
            ReadGoal("action", name, position=at + start)
            for start, _, name in actions
            if start < stop
        ]

    # -------------------------------------------------------------- values

    def values(self, group: Group, kind: str) -> list[GoalsInValue]:
        """Return the goals of a value; keys that frame what is below them part it."""
        reader = _ValueReader(self)
        reader.read(group, kind)
        return [each for each in reader.readings if each.goals or each.is_empty]

    def goals_of_roles(
        self, kind: str, named: Iterable[tuple[str, str]], at: int, *, negated: bool = False
    ) -> list[ReadGoal]:
        """Return the goals of an object whose keys say what its values are in a goal.

        Args:
            kind: The kind of the section; may be empty.
            named: Keys and values.
            at: Offset of the object.
            negated: Whether it shall be false.
        """
        by_role: dict[str, list[str]] = {}
        pairs = [(key, value.strip()) for key, value in named]
        for key, value in pairs:
            is_named_kind = plain_key(key) in _KIND_KEYS and kind_of(value) is not None
            if is_named_kind and not self.names.objects(value):
                kind = kind_of(value) or kind
            elif value not in NOTHING and any(map(str.isalnum, value)):
                by_role.setdefault(role_of(key), []).append(value)
        predicates = by_role.get("predicate", [])
        subjects = [word for role in ("subject", "from", "object") for word in by_role.get(role, ())]
        targets = by_role.get("to", [])
        objects = [*subjects, *by_role.get("arguments", []), *targets]
        actions = by_role.get("action", [])
        if kind == "action":
            actions = actions or predicates or objects[:1]
        if actions and kind in ("", "action"):
            return [ReadGoal("action", name, position=at) for name in actions]
        others = by_role.get("", [])
        has_ends = ("from" in by_role or bool(targets)) and len(objects) + len(others) < 2
        goals: list[ReadGoal] = []
        if predicates and objects and not has_ends and ("from" not in by_role or len(objects) > 1):
            goals = [self._literal(name, tuple(objects), negated, at) for name in predicates]
        elif not has_ends:
            words = [*predicates, *objects, *others]
            is_known = any(map(self.names.is_known, words))
            goal = self.goal_of_words(kind, words, at, sure=False) if is_known else None
            if goal is not None:
                goals = [replace(goal, negated=goal.negated or negated)]
            elif len(words) == 1:
                goals = self.text(kind, words[0], at, meant=True)
        if goals:
            return goals
        shown = ", ".join(f"{key}: {value}" for key, value in pairs)
        return [unread_goal(kind, shown, at)]


def _is_head(text: str) -> bool:
    """Whether a text is the head of a table in commas: all its parts are keys."""
    keys = [part.strip() for part in text.split(",")]
    are_short = len(keys) > 1 and all(len(key.split()) < 3 for key in keys)
    return are_short and all(role_of(key) or plain_key(key) in _KIND_KEYS for key in keys)


def unread_goal(kind: str, text: str, at: int) -> ReadGoal:
    """Return a goal that cannot be read."""
    return ReadGoal(kind, "", text=shorten(text), position=at)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


class _ValueReader:
    """Collects the goals of one value."""

    def __init__(self, grammar: GoalGrammar) -> None:
        self.grammar = grammar
        self.names = grammar.names
        self.readings = [GoalsInValue()]
        self.opened: int | None = None  # offset of the string that holds what is read now

    @property
    def current(self) -> GoalsInValue:
        return self.readings[-1]

    def add(self, goals: Iterable[ReadGoal]) -> None:
        """Take in goals; in a string, they stand where the string does."""
        for goal in goals:
            at = goal.position if self.opened is None else self.opened
            self.current.goals.append(replace(goal, position=at))

    def read(self, node: Node | None, kind: str) -> None:
        """Read a section, or a value around sections."""
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
        words = list(_texts(group))
        is_flat = len(words) == len(group.items)
        goal = self.grammar.goal_of_words(kind, words, group.at, sure=False) if is_flat else None
        if goal is not None and len(words) > 1 and goal.kind != "action":
            self.add([goal])
            return
        mixed = _pairs_among(group)
        if mixed:
            self.read_goal(kind, mixed, group)
            return
        before = len(self.current.goals)
        for item in group.items:
            if not (isinstance(item, Group) and not item.items and item.name is None):
                self.read_item(kind, item)
        self.name_actions(before)
        self.current.is_empty = self.current.is_empty or not group.items

    def name_actions(self, before: int) -> None:
        """Take single words in capitals beside goals for actions, though the task has none such."""
        goals = self.current.goals
        if not any(goal.name for goal in goals[before:]):
            return
        for place in range(before, len(goals)):
            word = goals[place].text.strip("'")
            if not goals[place].kind and not goals[place].name and word.isidentifier() and word.isupper():
                goals[place] = ReadGoal("action", word, position=goals[place].position)

    def read_item(self, kind: str, node: Node | Pair) -> None:
        """Read an item of a list: a goal in a text, a list or an object, or a list of goals."""
        if isinstance(node, Text):
            self.read_text(kind, node)
        elif isinstance(node, Pair):
            self.read_pair(kind, node)
        elif node.kind == "object":
            self.read_object(kind, node)
        elif node.kind == "call" and any(isinstance(item, Pair) for item in node.items):
            named = [pair for item in node.items if isinstance(item, Pair) for pair in _flat(item)]
            name = "" if node.name is None else node.name.value
            self.add(self.grammar.goals_of_roles(_kind_in_name(name) or kind, named, node.at))
        elif node.name is None and (not _begins_with_word(node) or _pairs_among(node)):
            self.read_list(kind, node)
        else:
            self.read_words(kind, node)

    def read_words(self, kind: str, node: Group) -> None:
        """Read a goal whose words stand in a list or a call, however it is nested."""
        inside = [self.grammar.text(kind, text, node.at) for text in _texts(node)]
        if node.name is None and len(inside) > 1 and all(inside) and kind != "action":
            self.read_list(kind, node)
            return
        words = list(_flat_words(node))
        of_call = "" if node.name is None else _kind_in_name(node.name.value)
        if of_call and not self.names.is_known(words[0]):
            kind = of_call
            words = words[1:]
        sure = bool(kind) or any(map(self.names.is_known, words)) or self.names.is_empty
        goal = self.grammar.goal_of_words(kind, words, node.at) if sure else None
        self.add([goal or unread_goal(kind, " ".join(words), node.at)])

    def read_text(self, kind: str, text: Text) -> None:
        """Read a text: a value in a string, a text of several lines, or one goal."""
        inner = encoded(text)
        if inner is not None:
            was_opened = self.opened
            self.opened = text.at if was_opened is None else was_opened
            self.read(inner, kind)
            self.opened = was_opened
            return
        goals: list[ReadGoal] = []
        if any(mark in text.value for mark in ("\n", "{", "```", "<")):
            goals = [replace(goal, position=text.at) for goal in self.grammar.nested(text.value)]
        goals = goals or self.grammar.text(kind, text.value, text.at, meant=True)
        if not goals and kind == "action" and text.value.strip():
            goals = [ReadGoal("action", text.value, position=text.at)]
        if not goals and loose(text.value) not in ("none", "null", ""):
            goals = [unread_goal(kind, text.value, text.at)]
        self.add(goals)

    def read_object(self, kind: str, group: Group) -> None:
        """Read an object: a goal, a mapping of names, or a value around sections."""
        pairs = [item for item in group.items if isinstance(item, Pair) and not _is_left_out(item)]
        if self.is_goal(pairs, kind):
            self.read_goal(kind, pairs, group)
            return
        for pair in pairs:
            self.read_pair(kind, pair)

    def is_goal(self, pairs: Sequence[Pair], kind: str) -> bool:
        """Whether the parts of an object are those of one goal."""
        if any(plain_key(pair.key.value) in _NEGATING or _says_kind(pair) for pair in pairs):
            return True
        roles = [role_of(pair.key.value) for pair in pairs]
        for pair, role in zip(pairs, roles, strict=True):
            is_plain = not role and plain_key(pair.key.value) not in _KIND_KEYS
            if is_plain and self.names.is_known(pair.key.value):
                return False
        if not all(_is_flat(pair.value) for pair in pairs):
            return False
        texts = {r for p, r in zip(pairs, roles, strict=True) if isinstance(p.value, Text)}
        if kind:
            return any(roles)
        values = [v for pair in pairs for _, v in _flat(pair)]
        is_said = "action" in texts or bool(texts & {"object", "subject", "from", "to"} and "predicate" in roles)
        return is_said or (len(values) > 1 and any(roles) and any(map(self.names.arities, values)))

    def read_goal(self, kind: str, pairs: Sequence[Pair], group: Group) -> None:
        negated = False
        named: list[tuple[str, str]] = []
        for pair in pairs:
            is_negation = plain_key(pair.key.value) in _NEGATING
            if is_negation and isinstance(pair.value, Group):
                before = len(self.current.goals)
                self.read_item(kind, pair.value)
                inner = self.current.goals[before:]
                self.current.goals[before:] = [replace(g, negated=not g.negated) for g in inner]
                return
            flat = list(_flat(pair))
            if is_negation or (plain_key(pair.key.value) == "value" and flat and flat[0][1].lower() in ("true", "false")):
                negated = bool(flat) and (flat[0][1].lower() == "true") is is_negation
            else:
                named += flat
        if named:
            self.add(self.grammar.goals_of_roles(kind, named, group.at, negated=negated))

    def read_pair(self, kind: str, pair: Pair) -> None:
        """Read a section, a wrapper around sections, or a name over other names."""
        key = pair.key.value
        section = kind_of(key)
        is_name = self.names.is_known(key) and plain_key(key) not in _KIND_KEYS
        if section is not None and not (is_name and kind):
            before = len(self.current.goals)
            self.read(pair.value, section or kind)
            self.current.kinds |= {section} - {""}
            if len(self.current.goals) == before and isinstance(pair.value, Group):
                self.current.is_empty = True
        elif kind or is_name:
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
        """Read names over names: an object over its states, a state over its objects."""
        for words in _paths(pair.value):
            words = [pair.key.value, *words]
            if len(words) == 2 and not any(map(self.names.is_known, words)):
                words.reverse()  # an object over its state
            goal = self.grammar.goal_of_words(kind, words, pair.key.at)
            self.add([goal or unread_goal(kind, pair.key.value, pair.key.at)])


def encoded_group(node: Node | None) -> bool:
    """Whether a text holds a value."""
    return isinstance(node, Text) and encoded(node) is not None


def _holds_text(pair: Pair) -> bool:
    """Whether a text under a key may be the answer: it has lines, or the key is a heading."""
    if not isinstance(pair.value, Text) or role_of(pair.key.value):
        return False
    return "\n" in pair.value.value or plain_key(pair.key.value) in HEADINGS


def _is_left_out(pair: Pair) -> bool:
    return is_aside(pair.key.value) and kind_of(pair.key.value) is None


def _pairs_among(group: Group) -> list[Pair]:
    """Return the parts of an object that lacks a key, which is read as a list; else nothing."""
    inner = [item for item in group.items if isinstance(item, Group) and len(item.items) == 1]
    pairs = [item.items[0] for item in inner]
    lone = [Pair(Text("", t.at, t.at), t) for t in group.items if isinstance(t, Text)]
    keyed = [p for i, p in zip(inner, pairs, strict=True) if isinstance(p, Pair) and p.key.end == i.end]
    is_whole = bool(keyed and lone) and len(keyed) + len(lone) == len(group.items)
    return [*keyed, *lone] if is_whole else []


def _begins_with_word(node: Group) -> bool:
    return bool(node.items) and isinstance(node.items[0], Text)


def _kind_in_name(name: str) -> str:
    """Return the kind of goal in the name of a constructor: ``NodeGoal``, ``add_edge``."""
    kinds = (_SECTIONS.get(word) for word in key_words(name.rpartition(".")[2]))
    return next(filter(None, kinds), "")


def _says_kind(pair: Pair) -> bool:
    """Whether a part of an object says its kind: ``"type": "node"``."""
    is_text = isinstance(pair.value, Text) and plain_key(pair.key.value) in _KIND_KEYS
    return is_text and bool(kind_of(next(value for _, value in _flat(pair))))


def _texts(group: Group) -> Iterator[str]:
    return (item.value for item in group.items if isinstance(item, Text))


def _is_flat(node: Node | None) -> bool:
    """Whether a value is a text or a list of texts."""
    if isinstance(node, Text):
        return not encoded_group(node)
    return node is None or (node.kind != "object" and all(isinstance(i, Text) for i in node.items))


def _flat(pair: Pair) -> Iterator[tuple[str, str]]:
    """Return a key with each of its texts."""
    texts = [pair.value] if isinstance(pair.value, Text) else []
    if isinstance(pair.value, Group):
        texts = [item for item in pair.value.items if isinstance(item, Text)]
    return ((pair.key.value, text.value) for text in texts)


def _flat_words(node: Group) -> Iterator[str]:
    """Return all words of a list or a call, in order; keys are left out."""
    if node.name is not None:
        yield node.name.value
    for item in node.items:
        value = item.value if isinstance(item, Pair) else item
        if isinstance(value, Text):
            yield value.value
        elif isinstance(value, Group):
            yield from _flat_words(value)


def _paths(node: Node | None) -> Iterator[list[str]]:
    """Return the words on each way from a value to one of its texts."""
    if isinstance(node, Text):
        yield [node.value]
    elif node is not None and node.kind == "object":
        for pair in node.items:
            if isinstance(pair, Pair):
                yield from ([pair.key.value, *rest] for rest in _paths(pair.value))
    elif node is not None and node.items and all(isinstance(i, Group) for i in node.items):
        for item in node.items:
            yield from _paths(item if isinstance(item, Group) else None)
    elif node is not None:
        yield from ([text] for text in _texts(node))
