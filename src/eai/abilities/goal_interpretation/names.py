"""Goals of an answer: read, whatever of the usual forms they are written in, and looked up.

Goals stand in sections (``"node goals"``, ``"edge goals"``, ``"action goals"``; other usual
names will do). One goal is an object (``{"name": "lamp", "state": "ON"}``), a list
(``["not", ["open", "jar.n.01_1"]]``) or a term (``open(jar.n.01_1)``, also quoted).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product
from types import MappingProxyType

from eai.answers import (
    LONGEST_NAME,
    Cleaned,
    Group,
    Item,
    NameIndex,
    Node,
    Pair,
    Text,
    clean,
    encoded,
    loose,
    near_hint,
    no_action,
    scan_block,
    shorten,
    split_id,
)
from eai.diagnosis import ErrorKind, Finding
from eai.errors import nearest
from eai.logic import Atom, Formula, Not
from eai.task import Vocabulary
from eai.text import counted

MOST_TOKENS = 30_000
"""So many words and brackets of an answer are looked at, those of prose included."""
MOST_BLOCKS = 50
"""So many bracketed values of an answer are looked at."""

_SECTION = re.compile(
    r"(?:symbolic)?(?:(node|state|unary)|(edge|relation|spatial|binary)|(action))s?(?:goals?)?"
)
_TERM = re.compile(r"\s*(?:(not)\b\s*\(?\s*)?(\w[\w ]*)\(([^()]*)\)[\s)]*", re.IGNORECASE)
_OBJECT = ("name", "object", "objectname", "classname")
_STATE = ("state", "predicate")
_FROM = ("fromname", "from", "subject", "object1")
_RELATION = ("relation", "relationtype", "predicate")
_TO = ("toname", "to", "target", "object2")


@dataclass(frozen=True, slots=True)
class ReadGoal:
    """One goal, as the model wrote it."""

    kind: str  # "state", "relation" or "action" by its section; empty if it has none
    name: str  # the state, the relation or the action; empty if it cannot be read
    arguments: tuple[str, ...] = ()
    negated: bool = False  # it shall be false
    text: str = ""  # how it is shown: the goal, or the piece of the answer that cannot be read
    position: int | None = None  # 0-based offset in the answer

    def __str__(self) -> str:
        if self.text:
            return self.text
        term = f"{self.name}({', '.join(self.arguments)})" if self.arguments else self.name
        return f"not {term}" if self.negated else term


@dataclass(frozen=True, slots=True)
class GoalReading:
    """The goals of an answer, before their names are looked up."""

    goals: tuple[ReadGoal, ...] = ()  # in order, with those that cannot be read
    problem: Finding | None = None  # why the answer as a whole cannot be used
    notes: tuple[str, ...] = ()  # what was left out or repaired

    @classmethod
    def unusable(
        cls,
        message: str,
        kind: ErrorKind = ErrorKind.PARSING,
        *,
        position: int | None = None,
        notes: tuple[str, ...] = (),
    ) -> GoalReading:
        """No goals, for something that is wrong with the answer as a whole."""
        return cls((), Finding(kind, message, position=position), notes)


def read_goals(text: str) -> GoalReading:
    """Read the goals of an answer.

    Of several values with goals the last one that is complete counts. A value that the answer
    breaks off in is a parsing error, for what it says is not known.
    """
    cleaned = clean(text)
    notes = tuple(cleaned.notes)
    if cleaned.problems:
        first = cleaned.problems[0]
        return GoalReading.unusable(first.message, position=first.position, notes=notes)
    found = [(group, list(_sections(group))) for group in _groups(cleaned.text)]
    chosen = [each for each in found if each[1]] or [
        (group, [("", group, None)]) for group, _ in found if group.kind == "list"
    ]
    if not chosen:
        return GoalReading.unusable("there are no goals in the answer", notes=notes)
    group, sections = next((each for each in reversed(chosen) if not each[0].cut), chosen[-1])
    if group.cut:
        end = cleaned.place(group.end)
        message = "the answer ends before its goals do"
        return GoalReading.unusable(message, position=end, notes=notes)
    goals = _Goals(cleaned)
    for kind, node, goals.opened in sections:
        goals.read_section(kind, node)
    return GoalReading(tuple(goals.found), None, notes)


def _groups(text: str) -> Iterator[Group]:
    """The outermost bracketed values; a bracket of the prose around them is passed over."""
    place, tokens = 0, MOST_TOKENS
    for _ in range(MOST_BLOCKS):
        starts = [at for at in (text.find("{", place), text.find("[", place)) if at >= 0]
        if not starts:
            return
        block = scan_block(text, min(starts), end=len(text), most=tokens)
        group, tokens = block.group, tokens - block.tokens
        prose = group.cut and not any(_sections(group))
        place = min(starts) + 1 if prose else group.end
        yield group
        if tokens <= 0:
            return


def _sections(group: Group, opened: int | None = None) -> Iterator[tuple[str, Group, int | None]]:
    """Kind and content of the sections in a value, and the offset of a string around one."""
    for item in group.items:
        value, at = item.value if isinstance(item, Pair) else item, opened
        if isinstance(value, Text) and opened is None:
            at = value.at
            value = encoded(value)
        if not isinstance(value, Group):
            continue
        match = _SECTION.fullmatch(loose(item.key.value)) if isinstance(item, Pair) else None
        if match is None:
            yield from _sections(value, at)
        else:
            yield ("state", "relation", "action")[(match.lastindex or 1) - 1], value, at


class _Goals:
    """Collects the goals of the sections."""

    def __init__(self, cleaned: Cleaned) -> None:
        self.cleaned = cleaned
        self.opened: int | None = None  # offset of the string that holds what is read now
        self.found: list[ReadGoal] = []

    def read_section(self, kind: str, group: Group) -> None:
        if group.kind != "list" and _fields(group).keys() & {*_OBJECT, *_FROM, "action"}:
            self.read(kind, group)
            return
        for item in group.items:
            if isinstance(item, Pair):
                self.read_pair(kind, item)
            elif not (isinstance(item, Group) and not item.items and item.name is None):
                self.read(kind, item)

    def read_pair(self, kind: str, pair: Pair) -> None:
        """Read a section that maps objects to their states."""
        values = pair.value.items if isinstance(pair.value, Group) else [pair.value]
        for value in values:
            state = value.value if isinstance(value, Text) and kind == "state" else ""
            self.add(kind, state, (pair.key.value,), at=pair.key.at, piece=pair.key.value)

    def read(self, kind: str, node: Node) -> None:
        """Read one goal."""
        if isinstance(node, Text):
            self.read_text(kind, node)
        elif node.kind == "object":
            self.read_object(kind, node)
        else:
            # all words of a list or a call, in order
            words = [] if node.name is None else [node.name.value]
            pending: list[Item] = list(reversed(node.items))
            while pending:
                item = pending.pop()
                if isinstance(item, Text):
                    words.append(item.value)
                elif isinstance(item, Group):
                    words += [] if item.name is None else [item.name.value]
                    pending += reversed(item.items)
            negated = bool(words) and words[0].lower() == "not"
            name, *arguments = words[negated:] or [""]
            self.add(kind, name, tuple(arguments), negated=negated, at=node.at)

    def read_text(self, kind: str, text: Text) -> None:
        match = _TERM.fullmatch(text.value)
        if match is not None:
            arguments = tuple(part.strip() for part in match[3].split(",") if part.strip())
            self.add(kind, match[2].strip(), arguments, negated=bool(match[1]), at=text.at)
        else:
            name = text.value if kind == "action" else ""
            self.add(kind, name, at=text.at, piece=text.value)

    def read_object(self, kind: str, group: Group) -> None:
        fields = _fields(group)
        if "not" in fields and isinstance(fields["not"], Group):
            before = len(self.found)
            self.read(kind, fields["not"])
            inner = self.found[before:]
            self.found[before:] = [replace(g, negated=not g.negated, text="") for g in inner]
            return
        action, relation = fields.get("action"), _first(fields, _RELATION)
        ends = _first(fields, _FROM), _first(fields, _TO)
        if action is not None and kind in ("", "action"):
            self.add(kind or "action", _word(action), at=group.at)
        elif all(map(_word, ends)):
            self.add(kind, _word(relation), tuple(map(_word, ends)), at=group.at)
        else:
            thing = _word(_first(fields, _OBJECT))
            state = _word(_first(fields, _STATE)) if thing else ""
            pairs = (item for item in group.items if isinstance(item, Pair))
            shown = ", ".join(f"{item.key.value}: {_word(item.value)}" for item in pairs)
            self.add(kind, state, (thing,) if thing else (), at=group.at, piece=shown)

    def add(
        self,
        kind: str,
        name: str,
        arguments: tuple[str, ...] = (),
        *,
        negated: bool = False,
        at: int = 0,
        piece: str = "",
    ) -> None:
        readable = bool(name) and (kind == "action" or bool(arguments))
        text = "" if readable else shorten(piece or name)
        place = self.cleaned.place(at if self.opened is None else self.opened)
        if kind != "action" and readable:
            kind = "state" if len(arguments) == 1 else "relation"
        self.found.append(ReadGoal(kind, name if readable else "", arguments, negated, text, place))


def _fields(group: Group) -> dict[str, Node | None]:
    """The values of an object by the loose form of their keys."""
    return {loose(item.key.value): item.value for item in group.items if isinstance(item, Pair)}


def _first(fields: dict[str, Node | None], keys: tuple[str, ...]) -> Node | None:
    return next((fields[key] for key in keys if fields.get(key) is not None), None)


def _word(node: Node | None) -> str:
    return node.value if isinstance(node, Text) else ""


MOST_MEANINGS = 10_000
"""So many meanings of one goal are considered."""

_NO_ALIASES: Mapping[tuple[str, int], str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PredictedGoal:
    """A goal of an answer about the final state."""

    kind: str  # "state" or "relation", or "other" where that cannot be said
    text: str  # as the model wrote it
    predicate: str  # the one that it means, or as written if it means none
    terms: tuple[tuple[str, ...], ...]  # what each argument can mean, the most likely first
    negated: bool = False  # it shall be false
    usable: bool = True  # all its names are known

    @property
    def certain(self) -> bool:
        """Whether it can mean only one thing."""
        return all(len(term) == 1 for term in self.terms)

    def literals(self) -> Iterator[Formula]:
        """All that it can mean, the most likely first."""
        for terms in islice(product(*self.terms), MOST_MEANINGS):
            atom = Atom(self.predicate, terms)
            yield Not(atom) if self.negated else atom

    @classmethod
    def unusable(cls, goal: ReadGoal) -> PredictedGoal:
        """What is left of a goal that means nothing in the task."""
        terms = tuple((name,) for name in goal.arguments or (str(goal),))
        kind = goal.kind or "other"
        return cls(kind, str(goal), goal.name, terms, goal.negated, usable=False)


class GoalNames:
    """Looks up the names of goals.

    Names are taken loosely: letter case, blanks and punctuation do not matter. An object may be
    named by its class; it then means any object of that class.

    Args:
        vocabulary: The names of the task.
        aliases: Other names of predicates: the name (lower case, letters and digits only) and
            the arity, to the predicate.
    """

    def __init__(
        self, vocabulary: Vocabulary, *, aliases: Mapping[tuple[str, int], str] = _NO_ALIASES
    ) -> None:
        self.vocabulary = vocabulary
        self._aliases = aliases

    @cached_property
    def index(self) -> NameIndex:
        """The names of actions and objects."""
        return NameIndex(self.vocabulary)

    @cached_property
    def _predicates(self) -> dict[tuple[str, int], str]:
        known = self.vocabulary.predicates.items()
        return {**{(loose(name), arity): name for name, arity in known}, **self._aliases}

    def look_up(self, goal: ReadGoal) -> tuple[PredictedGoal, tuple[Finding, ...]]:
        """Say what a goal about the final state means, and what is wrong with it."""
        unknown = next((name for name in goal.arguments if not self.objects(name)), None)
        if not goal.name:
            kind, message = ErrorKind.PARSING, f"{goal} is not a goal"
        elif (loose(goal.name), len(goal.arguments)) not in self._predicates:
            kind, message = self._unknown_predicate(goal)
        elif unknown is not None:
            near = near_hint(self.index.near_objects(unknown))
            kind = ErrorKind.OBJECT_HALLUCINATION
            message = f"{shorten(unknown)} is not an object{near}"
        else:
            terms = tuple(map(self.objects, goal.arguments))
            predicate = self._predicates[loose(goal.name), len(terms)]
            kind_of_goal = "state" if len(terms) == 1 else "relation"
            return PredictedGoal(kind_of_goal, str(goal), predicate, terms, goal.negated), ()
        return PredictedGoal.unusable(goal), (Finding(kind, message, position=goal.position),)

    def action(self, goal: ReadGoal) -> tuple[str, tuple[Finding, ...]]:
        """Say which action a goal demands, and what is wrong with it."""
        if not goal.name:
            message = f"{goal} is not an action goal"
            return "", (Finding(ErrorKind.PARSING, message, position=goal.position),)
        known, _ = self.index.action(goal.name)
        if known is not None:
            return known, ()
        message = no_action(goal.name, self.vocabulary.actions)
        finding = Finding(ErrorKind.ACTION_HALLUCINATION, message, position=goal.position)
        return goal.name, (finding,)

    def objects(self, name: str) -> tuple[str, ...]:
        """The objects that a name can mean; none if it is unknown."""
        vocabulary, index = self.vocabulary, self.index
        for written in (name, name.lower()):
            if written in vocabulary.objects:
                return (written,)
            if written in vocabulary.classes:
                return vocabulary.classes[written]
        if len(name) > LONGEST_NAME:
            return ()
        of_class = index.loose_classes.get(loose(name))
        if of_class is not None:
            return vocabulary.classes[of_class]
        parts = split_id(name)
        known = index.joined(*parts) if parts else None
        return () if known is None else (known[0],)

    def _unknown_predicate(self, goal: ReadGoal) -> tuple[ErrorKind, str]:
        name, given = loose(goal.name), counted(len(goal.arguments), "object")
        takes = sorted(arity for known, arity in self._predicates if known == name)
        if takes:
            wanted = " or ".join(map(str, takes))
            return ErrorKind.ARGUMENT_NUMBER, f"{shorten(str(goal))} has {given}, not {wanted}"
        known = sorted({*self._predicates.values()}) if len(goal.name) <= LONGEST_NAME else ()
        near = near_hint(nearest(goal.name, known))
        message = f"{shorten(goal.name)} is not a state or a relation{near}"
        return ErrorKind.PREDICATE_HALLUCINATION, message
