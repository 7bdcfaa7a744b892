"""Goal interpretation on VirtualHome: answers read and compared, under any set of the quirks."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from eai.abilities import (
    ActionVerdict,
    GoalNames,
    GoalReading,
    PredictedGoal,
    ReadGoal,
    evaluate_goals,
    has_goal,
    read_goals,
    unanswered,
)
from eai.answers import loose, shorten
from eai.diagnosis import Condition, ErrorKind, Finding, Match, Result
from eai.semantics import Semantics
from eai.suites.shared.goal_interpretation import read_json_goals
from eai.suites.virtualhome.plans import NO_GOAL, VirtualHomePlans
from eai.suites.virtualhome.tasks import RELATIONS
from eai.task import ActionGoal, Task

_SECTIONS = {
    "node goals": ("state", "state", ("name",)),
    "edge goals": ("relation", "relation", ("from_name", "to_name")),
    "action goals": ("action", "action", ()),
}


def official_goals(text: str, known: Mapping[str, object], semantics: Semantics) -> GoalReading:
    """Read the goals of an answer by the published evaluator's rules.

    Equal entries are one; entries that differ in any key are two.
    """
    text = text.replace("<|eot_id|>", "")
    if text.startswith("```json"):
        text = text.removeprefix("```json").strip("`")
    text = text.strip().replace("\n", "").replace("'", '"')
    return read_json_goals(text, semantics, partial(_goals, known), part="the answer")


def _goals(known: Mapping[str, object], content: Any) -> Iterator[ReadGoal]:  # noqa: ANN401
    for section, (kind, key, ends) in _SECTIONS.items():
        for entry in {_comparable(each): each for each in content.get(section, [])}.values():
            if len(entry) == 0:
                continue
            if any(wanted not in entry for wanted in (key, *ends)):
                yield ReadGoal(kind, "", text=shorten(json.dumps(entry)))
            else:
                objects = [entry[end] for end in ends]
                all(name in known for name in objects)  # here it may stop, up to the first unknown
                if kind == "action":
                    yield ReadGoal(kind, entry[key].upper())
                else:
                    word = entry[key] if isinstance(entry[key], str) else json.dumps(entry[key])
                    yield ReadGoal(kind, word, tuple(map(str, objects)))


def _comparable(value: Any) -> Hashable:  # noqa: ANN401
    """Return a hashable key that is equal for equal values, in Python's sense (True is 1)."""
    if isinstance(value, dict):
        return frozenset((key, _comparable(each)) for key, each in value.items())
    return tuple(map(_comparable, value)) if isinstance(value, list) else value


_ALIASES = {(loose(name), 2): predicate for name, predicate in RELATIONS.items()}


def evaluate(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer to goal interpretation (see :class:`eai.contract.suite.Ability`)."""
    if not (has_goal(task) or VirtualHomePlans(semantics).goalless_count):
        return Result("excluded", notes=(NO_GOAL,))
    if answer is None:
        return unanswered(evaluate_goals(GoalReading(), task, GoalNames(task.vocabulary)))
    as_json = "goals_as_json" in semantics
    known = task.vocabulary.classes
    names = (_ExactNames if "goal_names_exact" in semantics else SceneNames)(task, semantics)
    reading = official_goals(answer, known, semantics) if as_json else read_goals(answer, names)
    problem = reading.problem
    skipped = "unparsed_goals_skipped" in semantics
    if skipped and problem is not None and problem.kind is ErrorKind.PARSING:
        note = "left out, because it cannot be parsed (unparsed_goals_skipped)"
        return Result("excluded", findings=(problem,), notes=(*reading.notes, note))
    copies, one_by_one = "goal_copies_counted" in semantics, None
    if "actions_one_by_one" in semantics:
        again = "actions_found_again" in semantics
        one_by_one = partial(_single_actions, again=again, copies=copies)
    return evaluate_goals(
        reading,
        task,
        names,
        evaluate_actions=one_by_one,
        unusable_count="unusable_goals_ignored" not in semantics,
        copies_count=copies,
    )


class SceneNames(GoalNames):
    """Names of a VirtualHome scene."""

    def __init__(self, task: Task, semantics: Semantics) -> None:
        self._relevant = task.vocabulary.objects
        super().__init__(VirtualHomePlans(semantics).vocabulary(task), aliases=_ALIASES)
        self._one = "one_object_per_name" in semantics

    def objects(self, name: str) -> tuple[str, ...]:
        """The objects that a name can mean; none if it is unknown."""
        return self.chosen(super().objects(name))

    def chosen(self, objects: tuple[str, ...]) -> tuple[str, ...]:
        """The objects, or the one that counts: of the relevant ones, that with the highest id."""
        if not self._one or len(objects) < 2:
            return objects
        return (tuple(name for name in objects if name in self._relevant) or objects)[-1:]


class _ExactNames(SceneNames):
    """The same, letter by letter, as the published evaluator compares them."""

    def objects(self, name: str) -> tuple[str, ...]:
        """The objects of a class."""
        return self.chosen(self.vocabulary.classes.get(name, ()))

    def look_up(self, goal: ReadGoal) -> tuple[PredictedGoal, tuple[Finding, ...]]:
        """Say what a goal means; an unknown state or relation means nothing, but is no error."""
        if goal.text:
            return super().look_up(goal)
        unknown = [name for name in goal.arguments if not self.objects(name)]
        if unknown:
            message = f"{shorten(unknown[0])} is not an object of this task"
            finding = Finding(ErrorKind.OBJECT_HALLUCINATION, message)
            return PredictedGoal.unusable(goal), (finding,)
        terms = tuple(map(self.objects, goal.arguments))
        predicate = repr(goal.name)
        if goal.kind == "relation":
            predicate = RELATIONS.get(goal.name, predicate)
        elif goal.name.isupper() and self.vocabulary.predicates.get(goal.name.lower()) == 1:
            predicate = goal.name.lower()
        return PredictedGoal(goal.kind, str(goal), predicate, terms, goal.negated), ()

    def action(self, goal: ReadGoal) -> tuple[str, tuple[Finding, ...]]:
        """Say which action a goal demands; an unknown one is no error."""
        return super().action(goal) if goal.text else (goal.name.lower() or repr(""), ())


def _single_actions(
    goals: tuple[ActionGoal, ...], actions: Sequence[str], *, again: bool, copies: bool
) -> ActionVerdict:
    """Compare action by action."""
    if not copies:
        actions = list(dict.fromkeys(actions))
    found: set[int] = set()
    wrong: list[str] = []
    for action in actions:
        fitting = (place for place, goal in enumerate(goals) if action in goal.names)
        place = next((each for each in fitting if again or each not in found), None)
        if place is None:
            wrong.append(action.upper())
        else:
            found.add(place)
    right = len(actions) - len(wrong)
    match = Match("action", right, len(wrong), len(goals) - right)
    conditions = [Condition("action", str(goal), i in found) for i, goal in enumerate(goals)]
    return ActionVerdict(match, tuple(conditions), tuple(wrong))
