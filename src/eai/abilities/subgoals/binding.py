"""Subgoals that were read, and the conditions that they stand for in a task."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product

from eai.answers import AnswerProblem, near_hint, shorten
from eai.diagnosis import ErrorKind, Finding
from eai.errors import InputError, ParseError, nearest
from eai.logic import (
    Count,
    Formula,
    ForPairs,
    LogicVocabulary,
    Or,
    Quantifier,
    Term,
    Then,
    Variable,
    check_formula,
    generalize,
    objects_of,
    parse_formula,
)
from eai.task import Vocabulary


@dataclass(frozen=True, slots=True)
class WrittenSubgoal:
    """One subgoal, as the model wrote it.

    Args:
        text: Its text.
        position: 0-based offset of its first character in the answer.
    """

    text: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class SubgoalReading:
    """The subgoals that were read out of an answer.

    Args:
        subgoals: The subgoals, in order.
        problems: Parts that could not be read; empty if the answer is a list of subgoals.
        notes: Repairs and omissions, one phrase each.
    """

    subgoals: tuple[WrittenSubgoal, ...] = ()
    problems: tuple[AnswerProblem, ...] = ()
    notes: tuple[str, ...] = ()


def reading_of(entries: Sequence[str] | Finding) -> SubgoalReading:
    """Return the reading of entries that another reader took out of an answer.

    Args:
        entries: The entries, or why there are none.
    """
    if isinstance(entries, Finding):
        return SubgoalReading((), (AnswerProblem(entries.message),))
    return SubgoalReading(tuple(WrittenSubgoal(entry) for entry in entries))


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
    """One subgoal of an answer.

    Args:
        text: Its text, as the model wrote it.
        ways: Alternative sequences of conditions, one of which is to be reached.
    """

    text: str
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class BoundSubgoals:
    """The subgoals of an answer, bound to a task.

    Args:
        subgoals: The subgoals; empty if there are findings.
        findings: Errors in text or names.
        notes: Repairs, one phrase each.
        written: The subgoals as texts.
    """

    subgoals: tuple[Subgoal, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    written: tuple[str, ...] = ()


def bind_subgoals(
    reading: SubgoalReading, vocabulary: Vocabulary, *, types: Collection[str] | None = None
) -> BoundSubgoals:
    """Parse subgoals and look their names up.

    Letter case does not matter. A class name without id means the object of that class that was
    mentioned last, and before that the first one of the class: after ``on(cup.2)``, ``clean(cup)``
    is ``clean(cup.2)``.

    Args:
        reading: The subgoals that were read out of the answer.
        vocabulary: The names that may occur.
        types: Types that variables of quantifiers may have; None if any may.

    Returns:
        All subgoals if they have no errors; otherwise no subgoal, and the errors of all of them.
    """
    texts = tuple(subgoal.text for subgoal in reading.subgoals)
    if reading.problems:
        parsing_errors = tuple(
            Finding(ErrorKind.PARSING, problem.message, position=problem.position)
            for problem in reading.problems
        )
        return BoundSubgoals((), parsing_errors, reading.notes, texts)
    # One binder for all, in order: a class without id means the object that was mentioned last.
    binder = _Binder(vocabulary, types)
    subgoals: list[Subgoal] = []
    findings: list[Finding] = []
    for subgoal in reading.subgoals:
        result = binder.bind(subgoal)
        if isinstance(result, Subgoal):
            subgoals.append(result)
        else:
            findings += result
    return BoundSubgoals(() if findings else tuple(subgoals), tuple(findings), reading.notes, texts)


def ways_of(formula: Formula) -> tuple[Way, ...]:
    """Return the alternatives of a formula, each as a sequence of conditions.

    ``(a then b) or c`` has the alternatives ``a, b`` and ``c``. A formula without ``then`` is one
    condition, and a ``then`` may only stand below ``then`` and ``or``.

    Raises:
        InputError: If a ``then`` stands elsewhere, if there are operators of linear temporal logic,
            if there are more than :data:`MOST_WAYS` sequences, or more levels than :data:`DEEPEST`.
    """
    if formula.depth >= DEEPEST:
        raise InputError(f"the connectives are nested deeper than {DEEPEST}")
    if formula.has_linear:
        raise InputError("operators of linear temporal logic cannot be searched for")
    alternatives = tuple(islice(_ways(formula), MOST_WAYS + 1))
    if len(alternatives) > MOST_WAYS:
        raise InputError(f"there are more than {MOST_WAYS} alternatives")
    if any(len(alternative) > MOST_WAYS for alternative in alternatives):
        raise InputError(f"one subgoal has more than {MOST_WAYS} steps")
    return alternatives


def _ways(formula: Formula) -> Iterator[Way]:
    """Yield the sequences that a formula stands for, one for each choice of alternatives.

    ``((a then b) or c) then d`` stands for ``a, b, d`` and ``c, d``.
    """
    if not formula.has_then:
        yield (formula,)
    elif isinstance(formula, Then):
        ways_of_parts = [ways_of(part) for part in formula.operands]
        for ways in product(*ways_of_parts):
            yield tuple(chain.from_iterable(ways))
    elif isinstance(formula, Or):
        for part in formula.operands:
            yield from _ways(part)
    else:
        raise InputError("'then' can stand only inside 'then' or 'or'")


class _Binder:
    """Binds the subgoals of one answer, one after the other."""

    def __init__(self, vocabulary: Vocabulary, types: Collection[str] | None) -> None:
        self._types = types
        self._classes = vocabulary.classes
        self._last: dict[str, str] = {}  # class to the object of it that was mentioned last
        self._class_of: dict[str, str] = {}
        for kind, objects in vocabulary.classes.items():
            self._class_of.update(dict.fromkeys(objects, kind))
        names = frozenset({*vocabulary.objects, *vocabulary.classes})
        self._names = LogicVocabulary(vocabulary.predicates, vocabulary.actions, names)

    def bind(self, subgoal: WrittenSubgoal) -> Subgoal | list[Finding]:
        """Parse one subgoal and look its names up.

        Returns:
            The subgoal with its alternatives, or the errors in it. An alternative is a sequence of
            conditions that are reached one after the other.
        """
        try:
            formula = parse_formula(subgoal.text, vocabulary=self._names, source="subgoal")
            alternatives = tuple(
                tuple(map(self._with_ids, alternative)) for alternative in ways_of(formula)
            )
        except ParseError as error:
            return self._findings(subgoal, error)
        except InputError as error:
            return [_finding(ErrorKind.PARSING, error.what, subgoal)]
        # The parser looks up predicates and objects, but takes any word for a type.
        for type_name in _types_in(formula):
            if self._types is not None and type_name not in self._types:
                hint = near_hint(nearest(type_name, self._types))
                message = f"there is no type named {shorten(type_name)}{hint}"
                return [_finding(ErrorKind.OBJECT_HALLUCINATION, message, subgoal)]
        return Subgoal(subgoal.text, alternatives)

    def _findings(self, subgoal: WrittenSubgoal, error: ParseError) -> list[Finding]:
        """Return all errors of a subgoal whose parser stopped at the first one.

        The formula is checked a second time, for names and types only. If the text cannot be
        parsed, only the first error is returned.

        Args:
            subgoal: The subgoal.
            error: The error at which the parser stopped.
        """
        try:
            problems = check_formula(subgoal.text, self._names)
        except ParseError:
            problems = []
        findings = []
        for problem in problems:
            if problem.is_error:
                error_kind = _KINDS.get(problem.kind, ErrorKind.PARSING)
                # The text before the colon is removed: it is a position in the subgoal and not in
                # the answer.
                message = str(problem).partition(": ")[2] or problem.message
                findings.append(_finding(error_kind, message, subgoal, problem.position))
        if not findings:
            findings.append(_finding(ErrorKind.PARSING, error.what, subgoal, error.position))
        return findings

    def _with_ids(self, condition: Formula) -> Formula:
        """Return a condition with objects in the place of class names without id."""
        # A condition may mention two objects of a class. Sorting decides which of them is the last.
        mentioned = sorted(objects_of(condition))
        for name in mentioned:
            if name in self._class_of:
                self._last[self._class_of[name]] = name
        # "cup" is the name of a class, unless there is also an object of this name.
        class_names = [
            name for name in mentioned if name not in self._class_of and name in self._classes
        ]
        if not class_names:
            return condition
        # Only variables can be substituted, so class names become variables first:
        # "on(cup, table.1)" -> "on(?cup, table.1)" -> "on(cup.2, table.1)".
        variables: dict[str, Variable] = {}
        objects: dict[str, Term] = {}
        for name in class_names:
            variables[name] = Variable(f"?{name}")
            objects[f"?{name}"] = self._last.setdefault(name, self._classes[name][0])
        return generalize(condition, variables).substitute(objects)


def _types_in(formula: Formula) -> Iterator[str]:
    """Yield the types of the variables that are quantified in a formula.

    ``exists(?x - cup, on(?x))`` has the type ``cup``.
    """
    for node in formula.walk():
        if isinstance(node, (Quantifier, Count)):
            bound = node.variables
        elif isinstance(node, ForPairs):
            bound = (node.first, node.second)
        else:
            continue
        for variable in bound:
            yield from variable.types


def _finding(
    kind: ErrorKind, message: str, subgoal: WrittenSubgoal, offset: int | None = None
) -> Finding:
    """Return an error in a subgoal, at an offset in its text or at its begin."""
    place = subgoal.position + (offset or 0)
    return Finding(kind, message, action=shorten(subgoal.text), position=place)
