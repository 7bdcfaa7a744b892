"""Lists of subgoals: read out of what models write, and bound to a task as formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import NamedTuple

from eai.answers import (
    EXPLAINING,
    STATES,
    AnswerProblem,
    Block,
    Cleaned,
    Group,
    Node,
    Pair,
    ReadStep,
    Text,
    clean,
    lines_around,
    may_be_step,
    resembles_step,
    scan_block,
    shorten,
    shown_again,
    words_of,
)
from eai.diagnosis import ErrorKind, Finding
from eai.errors import InputError, ParseError
from eai.logic import (
    Formula,
    LogicVocabulary,
    Or,
    Then,
    Variable,
    check_formula,
    generalize,
    objects_of,
    parse_formula,
)
from eai.task import Vocabulary

MOST_SUBGOALS = 1_000
"""An answer with more subgoals is not read."""
_MOST_TOKENS = 100_000
_MOST_KEYS = 10

_OPENER = re.compile(r"[\[{]")
_BULLET = re.compile(r"[ \t]*(?:\d+[.):]|[-*\u2022])?")
_OPENING = re.compile(r"\w[ \t]*\(")
_ITEM = re.compile(r"[ \t]*(?:\d+[.):]|[-*\u2022])[ \t]+\S")
_ANY = re.compile(r"^.*\S.*", re.MULTILINE)
_CONNECTIVES = re.compile(r"\b(?:not|and|or|then|forall|exists)\b")
_KEYS = ("output", "subgoals", "subgoal_plan", "plan", "steps")
_ASKED = ("necessity_to_use_action", "actions_to_include")
"""Keys beside the list that the published prompts ask for."""
_ASIDE = EXPLAINING | STATES


class _List(NamedTuple):
    """A list that may be the subgoals, in a value from ``at`` to ``end``, and what is beside it."""

    group: Group
    at: int
    end: int
    beside: list[Pair]


@dataclass(frozen=True, slots=True)
class WrittenSubgoal:
    """One subgoal, as the model wrote it."""

    text: str
    position: int = 0  # 0-based offset of its first character in the answer


@dataclass(frozen=True, slots=True)
class SubgoalReading:
    """The subgoals that were read out of an answer.

    Args:
        subgoals: The subgoals, in order.
        problems: What could not be read; empty if the answer is a list of subgoals.
        notes: What was repaired or left out on the way, one phrase each.
    """

    subgoals: tuple[WrittenSubgoal, ...] = ()
    problems: tuple[AnswerProblem, ...] = ()
    notes: tuple[str, ...] = ()


def read_subgoals(text: str) -> SubgoalReading:
    """Read the subgoals out of an answer.

    Nothing in an answer raises an error. Of several lists the last one that is complete counts.

    Args:
        text: What the model wrote.
    """
    cleaned = clean(text)
    lists, place, tokens = list[_List](), 0, _MOST_TOKENS
    while (match := _OPENER.search(cleaned.text, place)) and tokens > 0:
        block = scan_block(cleaned.text, match.start(), end=len(cleaned.text), most=tokens)
        tokens -= block.tokens + 2
        place = block.group.end
        found = _inside(block)
        if found is not None:
            lists.append(found)
    chosen = next((found for found in reversed(lists) if not found.group.cut), None)
    if chosen is not None:
        if len(lists) > 1:
            cleaned.notes["several lists, of which the last complete one was read"] = None
        subgoals = [
            WrittenSubgoal(
                item.value.strip() if isinstance(item, Text) else cleaned.text[item.at : item.end],
                cleaned.place(item.at),
            )
            for item in chosen.group.items
            if not isinstance(item, Pair)
        ]
        others = [(found.at, found.end) for found in lists if found is not chosen]
        return _reading(subgoals, cleaned, _unread(chosen, subgoals, cleaned, others))
    if lists:
        at = cleaned.place(lists[-1].group.at)
        problem = AnswerProblem("the list of subgoals is cut off", at)
        return SubgoalReading((), (problem,), tuple(cleaned.notes))
    return _lines(cleaned)


def _lines(cleaned: Cleaned) -> SubgoalReading:
    """Subgoals in lines of their own; other items amid or right behind them are problems."""
    lines = list(_subgoal_lines(cleaned.text))
    subgoals = [WrittenSubgoal(text.strip("\"'` \t"), cleaned.place(at)) for _, at, text in lines]
    if not 0 < len(lines) <= MOST_SUBGOALS:
        return _reading(subgoals, cleaned, [])
    cleaned.notes["lines in place of a list"] = None
    amid: list[AnswerProblem] = []
    for line in _ANY.finditer(cleaned.text, lines[0][0]):
        item = _ITEM.match(line.group())
        if line.start() > lines[-1][0] and item is None:
            break
        unread = item is not None or resembles_step(line.group())
        if unread and not any(_subgoal_lines(line.group())):
            amid.append(_beside(line.group().strip(), cleaned.place(line.start())))
    return _reading(subgoals, cleaned, amid)


def _subgoal_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Lines with something in brackets behind a name: where they start, and what follows a bullet.

    One pattern for all of it would look at a long line without a closing bracket once for each
    of its opening ones.
    """
    for line in _ANY.finditer(text):
        bullet = _BULLET.match(text, line.start())
        start = bullet.end() if bullet else line.start()
        opening = _OPENING.search(text, start, line.end())
        if opening and text.rfind(")", opening.end(), line.end()) >= 0:
            yield line.start(), start, text[start : line.end()].rstrip(" \t,;")


def _unread(
    found: _List,
    subgoals: list[WrittenSubgoal],
    cleaned: Cleaned,
    others: Sequence[tuple[int, int]],
) -> list[AnswerProblem]:
    """What looks like subgoals and stands beside the list, in its value or in the lines around."""
    known = [ReadStep(subgoal.text) for subgoal in subgoals]
    reported = [
        (line.strip(), at)
        for line, at in lines_around(cleaned.text, found.at, found.end, others)
        if _may_be_subgoal(line) and not shown_again(line, known)
    ]
    keys = [shorten(pair.key.value) for pair in found.beside if pair.key.value not in _ASKED]
    if keys:
        cleaned.notes[f"not read: {', '.join(keys[:_MOST_KEYS])}"] = None
    reported += (
        (pair.key.value, pair.key.at)
        for pair in found.beside
        if pair.key.value.isupper() and isinstance(pair.value, Group)
    )
    reported += (
        (text.value, text.at)
        for pair in found.beside
        if _ASIDE.isdisjoint(words_of(pair.key.value))
        for text in _texts(pair.value)
        if _may_be_subgoal(text.value)
    )
    return [_beside(text, cleaned.place(at)) for text, at in reported]


def _may_be_subgoal(text: str) -> bool:
    return may_be_step(_CONNECTIVES.sub(" ", text))


def _beside(text: str, at: int) -> AnswerProblem:
    return AnswerProblem(f"{shorten(text)} was not read as one of the subgoals", at, text)


def _texts(node: Node | None) -> Iterator[Text]:
    """The texts in a value, and its calls as texts."""
    if isinstance(node, Text):
        yield node
    elif node is not None:
        if node.kind == "call" and node.name is not None:
            yield Text(f"{node.name.value}(...)", node.at, node.end)
        for item in node.items:
            yield from _texts(item.value if isinstance(item, Pair) else item)


def reading_of(entries: Sequence[str] | Finding) -> SubgoalReading:
    """Entries that were taken out of an answer otherwise, or why there are none, as a reading."""
    if isinstance(entries, Finding):
        return SubgoalReading((), (AnswerProblem(entries.message),))
    return SubgoalReading(tuple(WrittenSubgoal(entry) for entry in entries))


def _reading(
    subgoals: list[WrittenSubgoal], cleaned: Cleaned, unread: list[AnswerProblem]
) -> SubgoalReading:
    problems = [*cleaned.problems, *unread[:MOST_SUBGOALS]]
    kept = tuple(subgoal for subgoal in subgoals if subgoal.text)
    if len(kept) > MOST_SUBGOALS:
        problems.append(
            AnswerProblem(
                f"the answer has {len(kept):,} subgoals, more than the limit of {MOST_SUBGOALS:,}"
            )
        )
    elif not kept and not problems:
        problems.append(AnswerProblem('there is no list of subgoals such as ["OPEN(door.1)"]'))
    return SubgoalReading(() if problems else kept, tuple(problems), tuple(cleaned.notes))


def _inside(block: Block) -> _List | None:
    """The list in a value: itself, or what stands under the key that is meant."""
    group, beside = block.group, list[Pair]()
    at, end = group.at, group.end
    for _ in range(3):
        if group.kind == "list":
            plain = all(
                isinstance(i, Text) or getattr(i, "kind", "") == "call" for i in group.items
            )
            return _List(group, at, end, beside) if plain else None
        pairs = [item for item in group.items if isinstance(item, Pair)]
        lists = {pair.key.value.lower(): pair for pair in pairs if isinstance(pair.value, Group)}
        chosen = next((lists[key] for key in _KEYS if key in lists), None)
        if chosen is None or not isinstance(chosen.value, Group):
            return None
        beside += (pair for pair in pairs if pair is not chosen)
        chosen.value.cut = chosen.value.cut or group.cut
        group = chosen.value
    return None


MOST_WAYS = 100
"""A subgoal with more alternative sequences is not followed."""
DEEPEST = 40
"""A subgoal whose connectives are nested deeper is not followed."""

Way = tuple[Formula, ...]
"""Conditions that are to be reached one after the other; none has a ``then`` in it."""

_KINDS = {
    "unknown-primitive": ErrorKind.ACTION_HALLUCINATION,
    "arity": ErrorKind.ARGUMENT_NUMBER,
    "argument-type": ErrorKind.ARGUMENT_NUMBER,
    "unknown-object": ErrorKind.OBJECT_HALLUCINATION,
    "unbound-variable": ErrorKind.OBJECT_HALLUCINATION,
}


@dataclass(frozen=True, slots=True)
class Subgoal:
    """One subgoal of an answer."""

    text: str  # as the model wrote it
    ways: tuple[Way, ...]  # what has to be reached: one of these
    position: int = 0  # 0-based offset in the answer


@dataclass(frozen=True, slots=True)
class BoundSubgoals:
    """The subgoals of an answer, bound to a task.

    Args:
        subgoals: The subgoals; empty if there are findings.
        findings: What is wrong with text or names.
        notes: What was repaired, one phrase each.
        written: The subgoals as texts.
    """

    subgoals: tuple[Subgoal, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    written: tuple[str, ...] = ()


def bind_subgoals(reading: SubgoalReading, vocabulary: Vocabulary) -> BoundSubgoals:
    """Parse subgoals and look their names up.

    Letter case does not matter. A class name without id means the object of that class that was
    mentioned last, and before that the first one of the class.

    Args:
        reading: What was read out of the answer.
        vocabulary: The names that may occur.
    """
    written = tuple(subgoal.text for subgoal in reading.subgoals)
    if reading.problems:
        findings = tuple(
            Finding(ErrorKind.PARSING, problem.message, position=problem.position)
            for problem in reading.problems
        )
        return BoundSubgoals((), findings, reading.notes, written)
    binder = _Binder(vocabulary)
    subgoals: list[Subgoal] = []
    found: list[Finding] = []
    for subgoal in reading.subgoals:
        bound = binder.bound(subgoal)
        if isinstance(bound, Subgoal):
            subgoals.append(bound)
        else:
            found += bound
    return BoundSubgoals(() if found else tuple(subgoals), tuple(found), reading.notes, written)


def ways_of(formula: Formula) -> tuple[Way, ...]:
    """The sequences of conditions that a formula stands for, alternatives apart.

    A ``then`` may stand below ``then`` and ``or`` only.

    Raises:
        InputError: If it stands elsewhere, if there are operators of linear temporal logic, if
            there are more than :data:`MOST_WAYS` sequences, or more levels than :data:`DEEPEST`.
    """
    if formula.depth >= DEEPEST:
        raise InputError(f"the connectives are nested deeper than {DEEPEST}")
    if formula.has_linear:
        raise InputError("operators of linear temporal logic cannot be searched for")
    ways = tuple(islice(_ways(formula), MOST_WAYS + 1))
    if len(ways) > MOST_WAYS:
        raise InputError(f"there are more than {MOST_WAYS} alternatives")
    if any(len(way) > MOST_WAYS for way in ways):
        raise InputError(f"one subgoal has more than {MOST_WAYS} steps")
    return ways


def _ways(formula: Formula) -> Iterator[Way]:
    if not formula.has_then:
        yield (formula,)
    elif isinstance(formula, Then):
        for parts in product(*(ways_of(part) for part in formula.operands)):
            yield tuple(condition for part in parts for condition in part)
    elif isinstance(formula, Or):
        for part in formula.operands:
            yield from _ways(part)
    else:
        raise InputError("'then' can stand only inside 'then' or 'or'")


class _Binder:
    """Binds the subgoals of one answer, one after the other."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._classes = vocabulary.classes
        self._last: dict[str, str] = {}
        self._class_of: Mapping[str, str] = {
            name: kind for kind, names in vocabulary.classes.items() for name in names
        }
        names = frozenset({*vocabulary.objects, *vocabulary.classes})
        self._names = LogicVocabulary(vocabulary.predicates, vocabulary.actions, names)

    def bound(self, subgoal: WrittenSubgoal) -> Subgoal | list[Finding]:
        """The subgoal with its names looked up, or what is wrong with it."""
        try:
            formula = parse_formula(subgoal.text, vocabulary=self._names, source="subgoal")
            ways = tuple(tuple(map(self._with_ids, way)) for way in ways_of(formula))
        except ParseError as error:
            return self._findings(subgoal, error)
        except InputError as error:
            return [_finding(ErrorKind.PARSING, error.what, subgoal)]
        return Subgoal(subgoal.text, ways, subgoal.position)

    def _findings(self, subgoal: WrittenSubgoal, error: ParseError) -> list[Finding]:
        try:
            problems = check_formula(subgoal.text, self._names)
        except ParseError:
            problems = []
        return [
            _finding(
                _KINDS.get(problem.kind, ErrorKind.PARSING),
                str(problem).partition(": ")[2] or problem.message,
                subgoal,
                problem.position,
            )
            for problem in problems
            if problem.is_error
        ] or [_finding(ErrorKind.PARSING, error.what, subgoal, error.position)]

    def _with_ids(self, condition: Formula) -> Formula:
        mentioned = sorted(objects_of(condition))
        self._last.update(
            (self._class_of[name], name) for name in mentioned if name in self._class_of
        )
        bare = [name for name in mentioned if name not in self._class_of and name in self._classes]
        if not bare:
            return condition
        chosen = {name: self._last.setdefault(name, self._classes[name][0]) for name in bare}
        lifted = generalize(condition, {name: Variable(f"?{name}") for name in bare})
        return lifted.substitute({f"?{name}": chosen[name] for name in bare})


def _finding(
    kind: ErrorKind, message: str, subgoal: WrittenSubgoal, offset: int | None = None
) -> Finding:
    place = subgoal.position + (offset or 0)
    return Finding(kind, message, action=shorten(subgoal.text), position=place)
