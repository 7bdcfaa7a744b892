"""Plans in the BEHAVIOR world, under any set of the published evaluator's quirks."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from operator import itemgetter

from eai.abilities import Plans
from eai.answers import BoundPlan
from eai.diagnosis import Condition, Result, condition_of, text_of
from eai.logic import And, Atom, Evaluation, Formula, GoalOptions, Or
from eai.semantics import Semantics
from eai.simulators import BehaviorSimulator, Execution
from eai.suites.behavior.executors import SceneExecutorRules
from eai.suites.behavior.goals import goal_conditions, read_goal, with_tested_goal
from eai.suites.behavior.listed_options import listed_options
from eai.suites.behavior.quirks import DYNAMICS
from eai.suites.behavior.reader import read_answer
from eai.suites.shared.store import by_class
from eai.task import Task, literal_kind
from eai.world import Action, State, World


@cache
def simulator(semantics: Semantics) -> BehaviorSimulator:
    """Return the world under a semantics (built once)."""
    rules = SceneExecutorRules.of(semantics)
    return BehaviorSimulator(semantics.quirks & DYNAMICS, rules=rules)


class BehaviorPlans(Plans):
    """Reads, runs and scores plans in BEHAVIOR."""

    def __init__(self, semantics: Semantics) -> None:
        super().__init__(semantics)
        self.must_execute = "success_without_execution" not in semantics

    @property
    def by_definition(self) -> bool:
        """Whether the verdict is that of the definitions."""
        return not self.semantics.quirks

    def simulator(self, task: Task) -> BehaviorSimulator:
        """Return the world under the semantics."""
        return simulator(self.semantics)

    def read(self, task: Task, answer: str) -> BoundPlan:
        """Read a plan out of an answer, as the semantics says."""
        return read_answer(answer, task.vocabulary, self.semantics)

    def write(self, plan: Iterable[Action]) -> str:
        """Write a plan as a JSON list of objects with an action and an object."""
        steps = []
        for step in plan:
            entry = {"action": step.name.upper(), "object": ", ".join(step.arguments)}
            steps.append(json.dumps(entry))
        return f"[{', '.join(steps)}]"

    def evaluate(self, task: Task, answer: str | None) -> Result:
        """Evaluate an answer.

        The result's formula is the goal in the form in which it was tested.
        """
        result = super().evaluate(with_tested_goal(task, self.semantics), answer)
        if result.formula_holds is None:
            return result
        return replace(result, formula_holds=all(goal.met for goal in result.goals))

    def conditions(self, task: Task, execution: Execution | None) -> tuple[Condition, ...]:
        """Score the goal of a task.

        Under the quirk ``whole_conditions`` the conjuncts of the goal are scored as they are, each
        in the last state. Otherwise the scored conditions are literals: the goal is satisfied by
        several sets of literals (simple goals), and the set with the most true literals is scored,
        as the paper defines partial success (section 2.5).
        """
        goal = read_goal(with_tested_goal(task, self.semantics).goal.text)
        if "whole_conditions" in self.semantics:
            return self._whole_conditions(goal, task, execution)
        final_facts: Container[Atom] = ()
        if execution is not None:
            final_facts = _StateFacts(execution.trajectory.world, execution.trajectory.final)
        universe = task.start.universe
        # The options are the sets of literals that satisfy the goal.
        best = _options(goal, universe.names, universe.types).best_partial(final_facts)
        if best is None:
            # No set of literals satisfies the goal.
            return (Condition(literal_kind(goal), text_of(goal), met=False, formula=goal),)
        # Sorted by text, so that the order does not depend on how the simple goal was found.
        named_literals = sorted(map(_name, best.option), key=itemgetter(1))
        if execution is None:
            return _unmet(named_literals)
        trajectory = execution.trajectory
        return tuple(condition_of(kind, literal, trajectory) for kind, _, literal in named_literals)

    def _whole_conditions(
        self, goal: Formula, task: Task, execution: Execution | None
    ) -> tuple[Condition, ...]:
        """Score every condition of a goal in the last state.

        Args:
            goal: The goal.
            task: The task.
            execution: The execution of the plan; None if it was not run.
        """
        named_conditions = _conditions(goal)
        if execution is None:
            return _unmet(named_conditions)
        trajectory = execution.trajectory
        # The condition that is shown, and the formula by which it is tested, may differ.
        tested_formulas = [formula for _, _, formula in named_conditions]
        if "listed_options" in self.semantics:
            universe = task.start.universe
            tested_formulas = _as_disjunctions(goal, universe.names, universe.types)
        evaluation = Evaluation(trajectory)
        conditions = []
        for (kind, _, formula), tested in zip(named_conditions, tested_formulas, strict=True):
            truth = evaluation.truth(tested)
            conditions.append(condition_of(kind, formula, trajectory, truth=truth))
        return tuple(conditions)


@dataclass(frozen=True, slots=True)
class _StateFacts:
    """The atoms that hold in a state, derived ones included."""

    world: World
    state: State

    def __contains__(self, atom: object) -> bool:
        return isinstance(atom, Atom) and self.world.holds(self.state, atom)


_Named = tuple[str, str, Formula]
"""A condition with its kind and its text."""


def _unmet(named: Iterable[_Named]) -> tuple[Condition, ...]:
    """Return conditions of a plan that was not run, none of which is met."""
    return tuple(Condition(kind, text, met=False, formula=formula) for kind, text, formula in named)


@lru_cache(maxsize=256)
def _options(goal: Formula, names: tuple[str, ...], types: tuple[str, ...]) -> GoalOptions:
    """Return the simple goals that satisfy a goal; names and types are those of the objects."""
    return GoalOptions(goal, by_class(zip(names, types, strict=True)))


@lru_cache(maxsize=256)
def _as_disjunctions(
    goal: Formula, names: tuple[str, ...], types: tuple[str, ...]
) -> list[Formula]:
    """Return each condition of a goal as the disjunction of its published options.

    Args:
        goal: The goal.
        names: Names of all objects.
        types: The type of each object.
    """
    objects = by_class(zip(names, types, strict=True))
    disjunctions: list[Formula] = []
    for _, _, formula in _conditions(goal):
        options = listed_options(formula, objects)
        disjunctions.append(Or(tuple(map(And, options))))
    return disjunctions


@lru_cache(maxsize=256)
def _conditions(goal: Formula) -> tuple[_Named, ...]:
    """Return the conditions of a goal."""
    return tuple(map(_name, goal_conditions(goal)))


def _name(formula: Formula) -> _Named:
    """Return a formula with its kind and its text."""
    return literal_kind(formula), text_of(formula), formula
