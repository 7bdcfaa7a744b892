"""Goal interpretation on BEHAVIOR: answers read and compared, under any set of the quirks."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from eai.abilities import (
    ActionVerdict,
    Fit,
    GoalNames,
    GoalReading,
    PredictedGoal,
    ReadGoal,
    evaluate_fit,
    evaluate_goals,
    look_up,
    read_goals,
    unanswered,
)
from eai.diagnosis import ErrorKind, Finding, Match, Result
from eai.logic import And, Atom, Formula, GoalOptions, Not, Or
from eai.semantics import Semantics
from eai.suites.behavior.goals import definition_names, goal_options, published_options
from eai.suites.shared.goal_interpretation import read_json_goals
from eai.task import Task

# An object of JSON without another one in it.
_BRACES = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True, slots=True)
class ReadEntry(ReadGoal):
    """A goal as one entry of a list of the answer.

    ``rest`` are the items after a negated goal, ``["not", [...], rest]``. The published evaluator
    does not check them; no annotated goal has any, so such a goal is never equal to one.
    """

    rest: tuple[str, ...] = ()


def official_goals(text: str, semantics: Semantics) -> GoalReading:
    """Read the goals of an answer by the published evaluator's rules."""
    # Python literals become JSON in this way, as long as no text has an apostrophe.
    text = text.lower().replace("'", '"').replace("toggledon", "toggled_on")
    braces = _BRACES.search(text)
    if braces is None:
        return GoalReading.unusable("there is no pair of braces without braces in it")

    def goals(content: Any) -> Iterable[ReadGoal]:  # noqa: ANN401
        """Yield the goals under all keys, whatever these are."""
        for entries in content.values():
            for entry in entries:
                yield _read_text_entry(entry) if isinstance(entry, str) else _read_entry(entry)

    return read_json_goals(braces[0], semantics, goals, part="the first pair of braces")


def _read_entry(entry: Any) -> ReadEntry:  # noqa: ANN401
    """Read one entry of an answer: ``["open", "fridge_97"]`` or ``["not", [...]]``.

    A text in place of a list is read as the list of its letters, as the published evaluator does.
    An entry of another form raises an error, which :func:`read_json_goals` handles.
    """
    literal = entry
    rest: tuple[str, ...] = ()
    is_negated = entry[0] == "not"
    if is_negated:
        literal = entry[1]
        rest = tuple(map(json.dumps, entry[2:]))
    predicate, objects = literal[0], literal[1:]
    # The letters of "open" are three objects without a predicate.
    if not isinstance(literal, list) or not isinstance(predicate, str):
        predicate = ""
    arguments: list[str] = []
    for item in objects:
        arguments.append(item if isinstance(item, str) else json.dumps(item))
    return ReadEntry("", predicate, tuple(arguments), is_negated, json.dumps(entry), rest=rest)


_read_text_entry = lru_cache(maxsize=1024)(_read_entry)
"""The same for a text, which can be repeated many times in a hostile answer."""

_Option = Collection[Formula]

_MOST_OPTIONS = 1000
"""Maximum number of options of one condition that are listed; the release has at most 256."""


def evaluate(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer to goal interpretation (see :class:`eai.contract.suite.Ability`)."""
    if answer is None:
        return unanswered(
            _evaluate_reading(GoalReading(), task, _names(task, semantics), semantics)
        )
    names = _names(task, semantics)
    if "goals_in_first_braces" in semantics:
        reading = official_goals(answer, semantics)
    else:
        reading = read_goals(answer, names)
    return _evaluate_reading(reading, task, names, semantics)


def _names(task: Task, semantics: Semantics) -> _DefinitionNames:
    """Return the object names that goals may use under the given semantics."""
    by_word = "goal_kind_by_word" in semantics
    if "goal_names_exact" in semantics:
        return _ExactSceneNames(task, by_word=by_word)
    return _DefinitionNames(task, by_word=by_word)


def _evaluate_reading(
    reading: GoalReading, task: Task, names: _DefinitionNames, semantics: Semantics
) -> Result:
    """Compare the goals of an answer with the goals of the task under the given semantics.

    Args:
        reading: The goals that were read out of the answer.
        task: The task.
        names: The names that goals may use.
        semantics: Decides with which options of the task's goal the answer is compared.
    """
    options_of_conditions = None
    if "published_goal_options" in semantics:
        options_of_conditions = _listed_options(task)
    if "goal_options_one_by_one" in semantics:
        return _evaluate_one_by_one(reading, task, names, semantics, options_of_conditions)
    if options_of_conditions is None:
        return evaluate_goals(reading, task, names, options=None)
    # One of the options of each condition has to be met.
    conditions: list[Formula] = []
    for options in options_of_conditions:
        conditions.append(Or(tuple(And(option) for option in options)))
    goal_options_of_release = GoalOptions(And(tuple(conditions)), task.start.universe.of_types)
    return evaluate_goals(reading, task, names, options=goal_options_of_release)


def _evaluate_one_by_one(
    reading: GoalReading,
    task: Task,
    names: _DefinitionNames,
    semantics: Semantics,
    listed: Sequence[Sequence[_Option]] | None,
) -> Result:
    """Compare the goals with the best option of each condition of the goal.

    An option is a set of literals that satisfies a condition. The option of one condition is chosen
    without regard to those of the others.

    Args:
        reading: The goals that were read out of the answer.
        task: The task.
        names: The names that goals may use.
        semantics: Decides whether a literal of two conditions counts twice.
        listed: The options of each condition that the release lists; None to work them out.
    """
    predicted_goals, _, findings = look_up(reading, names)
    goals_by_literal = [(next(goal.literals()), goal) for goal in predicted_goals]
    options_of_conditions = listed
    if options_of_conditions is None:
        options_of_conditions = [
            options.enumerate(_MOST_OPTIONS).options for options in goal_options(task)
        ]
    predicted_literals = {literal for literal, _ in goals_by_literal}
    expected_literals = _best_options(options_of_conditions, predicted_literals)
    if "goal_repetitions_counted" in semantics:
        fit = Fit.of(goals_by_literal, expected_literals, copies_count=True)
        # A literal of two conditions is expected twice.
        expected_counts = {}
        for literal, count in fit.elements.items():
            expected_counts[literal] = expected_literals.count(literal) or count
        fit = replace(fit, elements=expected_counts)
    else:
        fit = Fit.of(goals_by_literal, dict.fromkeys(expected_literals))
    no_actions = ActionVerdict(Match("action", 0, 0, 0))
    return evaluate_fit(fit, task, no_actions, findings=findings, notes=reading.notes)


def _best_options(
    conditions: Iterable[Sequence[_Option]], predicted: Collection[Formula]
) -> list[Formula]:
    """Return the literals of the best option of each condition, in order.

    The best one is the first with the most predicted literals. The published evaluator chooses
    so condition by condition, although another choice may be better for the goal as a whole.
    """
    literals: list[Formula] = []
    for options in conditions:
        literals += max(options, key=lambda option: sum(literal in predicted for literal in option))
    return literals


def _listed_options(task: Task) -> Sequence[Sequence[_Option]]:
    """Return the options that the release lists for each condition.

    It has them as words, ``["not", "open", "fridge.n.01_1"]``, in the definition's names.
    """
    names = definition_names(task)
    conditions: list[list[_Option]] = []
    for options in published_options(task):
        read_options: list[_Option] = []
        for option in options:
            read_options.append(tuple(_read_literal(words, names) for words in option))
        conditions.append(read_options)
    return conditions


def _read_literal(words: Iterable[str], names: Mapping[str, str]) -> Formula:
    """Return the literal of words, with the names of the task in place of the definition's."""
    first, *rest = words
    if first == "not":
        return Not(_read_literal(rest, names))
    return Atom(first, tuple(names.get(name, name) for name in rest))


class _DefinitionNames(GoalNames):
    """Names of an activity's definition, or of the scene."""

    def __init__(self, task: Task, *, by_word: bool) -> None:
        super().__init__(task.vocabulary)
        self.by_word = by_word  # the predicate alone decides which kind of goal it is
        self.definition = definition_names(task)

    def written(self) -> Iterable[str]:
        """Return the names of objects as answers may write them."""
        stems = (name.rpartition("_")[0] for name in self.definition)
        return (*super().written(), *self.definition, *stems)

    def objects(self, name: str) -> tuple[str, ...]:
        """Return the objects that a name can mean, or an empty tuple if it is unknown."""
        lower = name.lower().replace(" ", "_")
        if lower in self.definition:
            return (self.definition[lower],)
        # A name without its number, ``jar.n.01``, means all objects of the category.
        members = []
        for definition_name, plan_name in self.definition.items():
            if definition_name.rpartition("_")[0] == lower:
                members.append(plan_name)
        return tuple(members) or super().objects(name)

    def look_up(self, goal: ReadGoal) -> tuple[PredictedGoal, tuple[Finding, ...]]:
        """Return the meaning of a goal, and every mistake in it."""
        predicted, findings = super().look_up(goal)
        return self.of_kind(predicted), findings

    def of_kind(self, goal: PredictedGoal) -> PredictedGoal:
        """Return the goal with the kind of its predicate, under the quirk ``goal_kind_by_word``."""
        if not self.by_word:
            return goal
        arity = self.vocabulary.predicates.get(goal.predicate, 0)
        return replace(goal, kind=("other", "state", "relation")[arity])


class _ExactSceneNames(_DefinitionNames):
    """Names that must be spelled exactly, as the published evaluator compares them."""

    def objects(self, name: str) -> tuple[str, ...]:
        """Return the object of that name in the definition."""
        if name not in self.definition:
            return ()
        return (self.definition[name],)

    def look_up(self, goal: ReadGoal) -> tuple[PredictedGoal, tuple[Finding, ...]]:
        """Return the meaning of a goal, and every mistake in it."""
        # The name of an unknown object gets quotes, so that it cannot match any object.
        terms = [self.objects(name) or (repr(name),) for name in goal.arguments]
        # The number of objects tells the kind, unless a quirk takes that of the predicate.
        kind = {1: "state", 2: "relation"}.get(len(terms), "other")
        if isinstance(goal, ReadEntry):
            # Further items behind a negated condition are part of the goal.
            terms += [(text,) for text in goal.rest]
        predicted = PredictedGoal(kind, str(goal), goal.name, tuple(terms), goal.negated)
        return self.of_kind(predicted), tuple(self._mistakes(goal, kind))

    def _mistakes(self, goal: ReadGoal, kind: str) -> Iterator[Finding]:
        """Yield the mistakes in a goal: number of objects, predicate, and the first unknown object.

        ``kind`` is ``"other"`` if the goal is about a number of objects that no predicate takes.
        """
        if kind == "other":
            text = f"{goal} is about {len(goal.arguments)} objects"
            yield Finding(ErrorKind.PARSING, text)
        if goal.name not in self.vocabulary.predicates:
            text = f"{goal}: {goal.name!r} is not a state or a relation"
            yield Finding(ErrorKind.PREDICATE_HALLUCINATION, text)
        unknown = [name for name in goal.arguments if not self.objects(name)]
        if kind != "other" and unknown:
            text = f"{goal}: {unknown[0]!r} is not an object of this task"
            yield Finding(ErrorKind.OBJECT_HALLUCINATION, text)
