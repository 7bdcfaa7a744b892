"""Goal interpretation on VirtualHome: answers read and compared, under any set of the quirks."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
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
    unanswered,
)
from eai.answers import loose, shorten
from eai.diagnosis import Condition, ErrorKind, Finding, Match, Result
from eai.semantics import Semantics
from eai.suites.shared.goal_interpretation import read_json_goals
from eai.suites.virtualhome.tasks import NO_GOAL, RELATIONS, answer_names, goalless_count
from eai.task import ActionGoal, Task

_SECTIONS = {
    "node goals": ("state", "state", ("name",)),
    "edge goals": ("relation", "relation", ("from_name", "to_name")),
    "action goals": ("action", "action", ()),
}


def official_goals(text: str, objects: Mapping[str, object], semantics: Semantics) -> GoalReading:
    """Read the goals of an answer by the published evaluator's rules.

    Equal entries are one; entries that differ in any key are two.
    """
    # A mark of some models for the end of a turn, which the published evaluator takes out.
    text = text.replace("<|eot_id|>", "")
    if text.startswith("```json"):
        text = text.removeprefix("```json").strip("`")
    text = text.strip().replace("\n", "").replace("'", '"')
    return read_json_goals(text, semantics, partial(_goals, objects), part="the answer")


def _goals(objects: Mapping[str, object], sections: Any) -> Iterator[ReadGoal]:  # noqa: ANN401
    """Yield the goals in a JSON answer by section. Of several equal entries, only the last counts.

    Args:
        objects: The names that the published evaluator looks up.
        sections: The value of the answer: lists of entries under ``node goals``, ``edge goals``
            and ``action goals``.
    """
    for section in _SECTIONS:
        # The last of several equal entries is yielded where the first one stood.
        entries = {_comparable(entry): entry for entry in sections.get(section, [])}
        for entry in entries.values():
            if len(entry) > 0:
                yield _read_entry(section, entry, objects)


def _read_entry(section: str, entry: Any, objects: Mapping[str, object]) -> ReadGoal:  # noqa: ANN401
    """Return the goal of an entry such as ``{"name": "tv", "state": "ON"}``.

    An entry with a missing field is kept as text.

    Args:
        section: The section of the answer in which it stands.
        entry: The entry.
        objects: The names that the published evaluator looks up.
    """
    kind, predicate_field, object_fields = _SECTIONS[section]
    if any(field not in entry for field in (predicate_field, *object_fields)):
        return ReadGoal(kind, "", text=shorten(json.dumps(entry)))
    names = [entry[field] for field in object_fields]
    # The published evaluator looks names up until one is unknown. A name that cannot be hashed (a
    # list) raises a TypeError there, and in this line.
    all(name in objects for name in names)
    predicate = entry[predicate_field]
    if kind == "action":
        return ReadGoal(kind, predicate.upper())
    if not isinstance(predicate, str):
        predicate = json.dumps(predicate)
    return ReadGoal(kind, predicate, tuple(str(name) for name in names))


def _comparable(value: Any) -> Hashable:  # noqa: ANN401
    """Return a hashable key that is equal for equal values, in Python's sense (True is 1)."""
    if isinstance(value, dict):
        return frozenset((key, _comparable(item)) for key, item in value.items())
    if isinstance(value, list):
        return tuple(map(_comparable, value))
    return value  # type: ignore[no-any-return]


_ALIASES = {(loose(name), 2): predicate for name, predicate in RELATIONS.items()}


def evaluate(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer to goal interpretation (see :class:`eai.contract.suite.Ability`).

    A task without a goal is excluded, unless the semantics counts such tasks. An answer that cannot
    be parsed is an error, or excludes the task if the semantics skips unparsed goals.
    """
    if not (has_goal(task) or goalless_count(semantics)):
        return Result("excluded", notes=(NO_GOAL,))
    if answer is None:
        return unanswered(evaluate_goals(GoalReading(), task, GoalNames(task.vocabulary)))
    names = None
    if "goals_as_json" in semantics:
        # The names of a whole scene take long to collect, and are not needed here.
        reading = official_goals(answer, task.vocabulary.classes, semantics)
    else:
        from eai.abilities import read_goals  # loads the whole reader

        names = _goal_names(task, semantics)
        reading = read_goals(answer, names)
    problem = reading.problem
    skips_unparsed = "unparsed_goals_skipped" in semantics
    if skips_unparsed and problem is not None and problem.kind is ErrorKind.PARSING:
        note = "left out, because it cannot be parsed (unparsed_goals_skipped)"
        return Result("excluded", findings=(problem,), notes=(*reading.notes, note))
    copies_count = "goal_copies_counted" in semantics
    return evaluate_goals(
        reading,
        task,
        names or _goal_names(task, semantics),
        evaluate_actions=_action_evaluator(semantics, copies=copies_count),
        unusable_count="unusable_goals_ignored" not in semantics,
        copies_count=copies_count,
    )


def _goal_names(task: Task, semantics: Semantics) -> SceneNames:
    """Return the names that goals can use, spelled exactly or loosely."""
    if "goal_names_exact" in semantics:
        return _ExactHomeNames(task, semantics)
    return SceneNames(task, semantics)


def _action_evaluator(
    semantics: Semantics, *, copies: bool
) -> Callable[[tuple[ActionGoal, ...], Sequence[str]], ActionVerdict] | None:
    """Return how actions are compared one by one, or None to compare them as a sequence.

    ``copies`` says whether an action that is predicted twice counts twice.
    """
    if "actions_one_by_one" not in semantics:
        return None
    return partial(
        _single_actions,
        again="actions_found_again" in semantics,
        copies=copies,
    )


class SceneNames(GoalNames):
    """Names of a VirtualHome scene."""

    def __init__(self, task: Task, semantics: Semantics) -> None:
        self._relevant = task.vocabulary.objects
        super().__init__(answer_names(task, semantics), aliases=_ALIASES)
        self._one = "one_object_per_name" in semantics

    def objects(self, name: str) -> tuple[str, ...]:
        """Return the objects that a name can mean; none if it is unknown."""
        return self.chosen(super().objects(name))

    def chosen(self, objects: tuple[str, ...]) -> tuple[str, ...]:
        """Return all objects, or only the relevant one with the highest id.

        The quirk ``one_object_per_name`` asks for the latter.
        """
        if not self._one or len(objects) < 2:
            return objects
        relevant = tuple(name for name in objects if name in self._relevant)
        return (relevant or objects)[-1:]


class _ExactHomeNames(SceneNames):
    """Names that must be spelled exactly, as the published evaluator compares them."""

    def objects(self, name: str) -> tuple[str, ...]:
        """Return the objects of a class."""
        return self.chosen(self.vocabulary.classes.get(name, ()))

    def look_up(self, goal: ReadGoal) -> tuple[PredictedGoal, tuple[Finding, ...]]:
        """Return the meaning of a goal. An unknown state or relation has none, but is no error."""
        if goal.text:
            return super().look_up(goal)
        unknown = [name for name in goal.arguments if not self.objects(name)]
        if unknown:
            message = f"{shorten(unknown[0])} is not an object of this task"
            finding = Finding(ErrorKind.OBJECT_HALLUCINATION, message)
            return PredictedGoal.unusable(goal), (finding,)
        terms = tuple(map(self.objects, goal.arguments))
        # In quotes the name is that of no predicate, so that the goal matches nothing.
        predicate = repr(goal.name)
        if goal.kind == "relation":
            predicate = RELATIONS.get(goal.name, predicate)
        elif goal.name.isupper() and self.vocabulary.predicates.get(goal.name.lower()) == 1:
            predicate = goal.name.lower()
        return PredictedGoal(goal.kind, str(goal), predicate, terms, goal.negated), ()

    def action(self, goal: ReadGoal) -> tuple[str, tuple[Finding, ...]]:
        """Say which action a goal demands; an unknown one is no error."""
        if goal.text:
            return super().action(goal)
        return goal.name.lower() or repr(""), ()


def _single_actions(
    goals: tuple[ActionGoal, ...], actions: Sequence[str], *, again: bool, copies: bool
) -> ActionVerdict:
    """Match predicted actions to goals greedily in their order.

    Args:
        goals: The annotated actions, each with its alternatives.
        actions: The predicted actions.
        again: Whether a goal that is matched already can be matched by another action.
        copies: Whether an action that is predicted twice counts twice.
    """
    if not copies:
        actions = list(dict.fromkeys(actions))
    matched_goals: set[int] = set()
    wrong_actions: list[str] = []
    for action in actions:
        # The first goal that fits gets the action, even if only a later goal still needs it.
        excluded_goals = set() if again else matched_goals
        goal_index = _first_match(action, goals, without=excluded_goals)
        if goal_index is None:
            wrong_actions.append(action.upper())
        else:
            matched_goals.add(goal_index)
    n_right = len(actions) - len(wrong_actions)
    match = Match("action", n_right, len(wrong_actions), len(goals) - n_right)
    conditions: list[Condition] = []
    for goal_index, goal in enumerate(goals):
        conditions.append(Condition("action", str(goal), goal_index in matched_goals))
    return ActionVerdict(match, tuple(conditions), tuple(wrong_actions))


def _first_match(
    action: str, goals: Sequence[ActionGoal], *, without: Collection[int]
) -> int | None:
    """Return the index of the first goal that names an action, or None if there is none.

    Goals whose index is in ``without`` are passed over.
    """
    for index, goal in enumerate(goals):
        if action in goal.names and index not in without:
            return index
    return None
