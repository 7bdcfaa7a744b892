"""Goal interpretation on BEHAVIOR: answers read and compared, under any set of the quirks."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
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

_BRACES = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True, slots=True)
class ReadEntry(ReadGoal):
    """A goal as one entry of a list of the answer, with what stands behind a negated goal.

    No annotated goal has such a ``rest``, and nobody looks whether it is well formed.
    """

    rest: tuple[str, ...] = ()


def official_goals(text: str, semantics: Semantics) -> GoalReading:
    """Read the goals of an answer by the published evaluator's rules."""
    text = text.lower().replace("'", '"').replace("toggledon", "toggled_on")
    braces = _BRACES.search(text)
    if braces is None:
        return GoalReading.unusable("there is no pair of braces without braces in it")

    def goals(content: Any) -> Iterable[ReadGoal]:  # noqa: ANN401
        entries = (entry for part in content.values() for entry in part)
        return (_word(entry) if isinstance(entry, str) else _goal(entry) for entry in entries)

    part = "the first pair of braces"
    return read_json_goals(braces[0], semantics, goals, part=part)


def _goal(entry: Any) -> ReadEntry:  # noqa: ANN401
    """Read one entry; a string is a goal of letters here, as any sequence is."""
    negated = entry[0] == "not"
    inner = entry[1] if negated else entry
    word, objects = inner[0], inner[1:]
    name = word if isinstance(inner, list) and isinstance(word, str) else ""
    arguments = [each if isinstance(each, str) else json.dumps(each) for each in objects]
    rest = map(json.dumps, entry[2:]) if negated else ()
    return ReadEntry("", name, tuple(arguments), negated, json.dumps(entry), rest=tuple(rest))


_word = lru_cache(maxsize=1024)(_goal)
"""Where a text stands in place of a list, each of its letters is an entry."""

_Option = Collection[Formula]

_MOST_OPTIONS = 1000
"""More options of one condition are not listed; the release has 256 at most."""


def evaluate(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer to goal interpretation (see :class:`eai.contract.suite.Ability`)."""
    if answer is None:
        return unanswered(_evaluated(GoalReading(), task, _names(task, semantics), semantics))
    names = _names(task, semantics)
    if "goals_in_first_braces" in semantics:
        reading = official_goals(answer, semantics)
    else:
        reading = read_goals(answer, names)
    return _evaluated(reading, task, names, semantics)


def _names(task: Task, semantics: Semantics) -> _DefinitionNames:
    by_word = "goal_kind_by_word" in semantics
    if "goal_names_exact" in semantics:
        return _ExactNames(task, by_word=by_word)
    return _DefinitionNames(task, by_word=by_word)


def _evaluated(
    reading: GoalReading, task: Task, names: _DefinitionNames, semantics: Semantics
) -> Result:
    listed = _listed(task) if "published_goal_options" in semantics else None
    if "goal_options_one_by_one" not in semantics:
        options = None
        if listed is not None:
            goal = And(tuple(Or(tuple(map(And, options))) for options in listed))
            options = GoalOptions(goal, task.start.universe.of_types)
        return evaluate_goals(reading, task, names, options=options)
    predicted, _, findings = look_up(reading, names)
    meant = [(next(goal.literals()), goal) for goal in predicted]
    found = {literal for literal, _ in meant}
    conditions = listed or [
        options.enumerate(_MOST_OPTIONS).options for options in goal_options(task)
    ]
    # The first option with the most literals that were predicted.
    chosen = (
        max(options, key=lambda option: sum(each in found for each in option))
        for options in conditions
    )
    option = [literal for each in chosen for literal in each]
    if "goal_repetitions_counted" in semantics:
        fit = Fit.of(meant, option, copies_count=True)
        times = {each: option.count(each) or number for each, number in fit.elements.items()}
        fit = replace(fit, elements=times)
    else:
        fit = Fit.of(meant, dict.fromkeys(option))
    nothing = ActionVerdict(Match("action", 0, 0, 0))
    return evaluate_fit(fit, task, nothing, findings=findings, notes=reading.notes)


def _listed(task: Task) -> Sequence[Sequence[_Option]]:
    """The options that the release lists for each condition."""
    names = definition_names(task)

    def literal(words: Iterable[str]) -> Formula:
        first, *rest = words
        if first == "not":
            return Not(literal(rest))
        return Atom(first, tuple(names.get(name, name) for name in rest))

    return [[tuple(map(literal, way)) for way in ways] for ways in published_options(task)]


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
        """The objects that a name can mean; none if it is unknown."""
        lower = name.lower()
        if lower in self.definition:
            return (self.definition[lower],)
        members = tuple(
            known for full, known in self.definition.items() if full.rpartition("_")[0] == lower
        )
        return members or super().objects(name)

    def look_up(self, goal: ReadGoal) -> tuple[PredictedGoal, tuple[Finding, ...]]:
        """Say what a goal means, and what is wrong with it."""
        meant, findings = super().look_up(goal)
        return self.of_kind(meant), findings

    def of_kind(self, goal: PredictedGoal) -> PredictedGoal:
        """The goal with the kind that its word tells, if that is what decides."""
        if not self.by_word:
            return goal
        arity = self.vocabulary.predicates.get(goal.predicate, 0)
        return replace(goal, kind=("other", "state", "relation")[arity])


class _ExactNames(_DefinitionNames):
    """The same, letter by letter, as the published evaluator compares them."""

    def objects(self, name: str) -> tuple[str, ...]:
        """The object of that name in the definition."""
        return (self.definition[name],) if name in self.definition else ()

    def look_up(self, goal: ReadGoal) -> tuple[PredictedGoal, tuple[Finding, ...]]:
        """Say what a goal means; all that is wrong with it is said."""
        terms = tuple(self.objects(name) or (repr(name),) for name in goal.arguments)
        kind = "state" if len(terms) == 1 else "relation" if len(terms) == 2 else "other"
        rest = goal.rest if isinstance(goal, ReadEntry) else ()
        terms += tuple((text,) for text in rest)
        meant = PredictedGoal(kind, str(goal), goal.name, terms, goal.negated)
        findings = []
        if kind == "other":
            said = f"{goal} is about {len(goal.arguments)} objects"
            findings.append(Finding(ErrorKind.PARSING, said))
        if goal.name not in self.vocabulary.predicates:
            said = f"{goal}: {goal.name!r} is not a state or a relation"
            findings.append(Finding(ErrorKind.PREDICATE_HALLUCINATION, said))
        unknown = [name for name in goal.arguments if not self.objects(name)]
        if kind != "other" and unknown:
            said = f"{goal}: {unknown[0]!r} is not an object of this task"
            findings.append(Finding(ErrorKind.OBJECT_HALLUCINATION, said))
        return self.of_kind(meant), tuple(findings)
