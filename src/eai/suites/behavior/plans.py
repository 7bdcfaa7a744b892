"""Plans in the BEHAVIOR world, under any set of the published evaluator's quirks."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from operator import itemgetter

from eai.abilities import Plans
from eai.answers import BoundPlan
from eai.diagnosis import Condition, Result, condition_of, text_of
from eai.logic import And, Atom, Evaluation, Formula, GoalOptions, Or
from eai.semantics import Semantics
from eai.simulators import BehaviorSimulator, Execution
from eai.suites.behavior.executors import ExecutorRules
from eai.suites.behavior.goals import goal_conditions, read_goal, with_tested_goal
from eai.suites.behavior.listed_options import listed_options
from eai.suites.behavior.quirks import DYNAMICS
from eai.suites.behavior.reader import read_answer
from eai.suites.shared.store import by_class
from eai.task import Task, literal_kind
from eai.world import Action, State, World


@cache
def simulator(semantics: Semantics) -> BehaviorSimulator:
    """The world under a semantics (built once)."""
    rules = ExecutorRules.of(semantics)
    return BehaviorSimulator(semantics.quirks & DYNAMICS, rules=rules)


class BehaviorPlans(Plans):
    """How plans are read, run and scored where the world is BEHAVIOR."""

    def __init__(self, semantics: Semantics) -> None:
        super().__init__(semantics)
        self.must_execute = "success_without_execution" not in semantics

    def simulator(self, task: Task) -> BehaviorSimulator:
        """The world under the semantics."""
        return simulator(self.semantics)

    def read(self, task: Task, answer: str) -> BoundPlan:
        """Read a plan out of an answer, as the semantics says."""
        return read_answer(answer, task.vocabulary, self.semantics)

    def write(self, plan: Iterable[Action]) -> str:
        """Write a plan: a list of objects with an action and an object."""
        steps = ({"action": s.name.upper(), "object": ", ".join(s.arguments)} for s in plan)
        return f"[{', '.join(map(json.dumps, steps))}]"

    def evaluate(self, task: Task, answer: str | None) -> Result:
        """Evaluate an answer; the formula of the result is the goal as it was tested."""
        result = super().evaluate(with_tested_goal(task, self.semantics), answer)
        if result.formula_holds is None:
            return result
        return replace(result, formula_holds=all(goal.met for goal in result.goals))

    def conditions(self, task: Task, execution: Execution | None) -> tuple[Condition, ...]:
        """Score the goal of a task.

        Under ``whole_conditions`` every condition of the goal is one, met if it holds in the last
        state. Otherwise the conditions are the literals of that simple goal of which most hold,
        as the paper defines partial success (section 2.5).
        """
        goal = read_goal(with_tested_goal(task, self.semantics).goal.text)
        whole = "whole_conditions" in self.semantics
        named: Sequence[_Named] | None = _conditions(goal)
        if not whole:
            facts: Container[Atom] = ()
            if execution is not None:
                facts = _Facts(execution.trajectory.world, execution.trajectory.final)
            universe = task.start.universe
            best = _options(goal, universe.names, universe.types).best_partial(facts)
            named = None if best is None else sorted(map(_name, best.option), key=itemgetter(1))
        if named is None:
            return (Condition(literal_kind(goal), text_of(goal), met=False, formula=goal),)
        if execution is None:
            return tuple(Condition(kind, text, met=False, formula=f) for kind, text, f in named)
        trajectory = execution.trajectory
        if not whole:
            return tuple(condition_of(kind, formula, trajectory) for kind, _, formula in named)
        evaluation, universe = Evaluation(trajectory), task.start.universe
        tested = [formula for _, _, formula in named]
        if "listed_options" in self.semantics:
            tested = _listed(goal, universe.names, universe.types)
        return tuple(
            condition_of(kind, formula, trajectory, truth=evaluation.truth(each))
            for (kind, _, formula), each in zip(named, tested, strict=True)
        )


@dataclass(frozen=True, slots=True)
class _Facts:
    """The atoms that hold in a state, derived ones included."""

    world: World
    state: State

    def __contains__(self, atom: object) -> bool:
        return isinstance(atom, Atom) and self.world.holds(self.state, atom)


_Named = tuple[str, str, Formula]
"""A condition with its kind and its text."""


@lru_cache(maxsize=256)
def _options(goal: Formula, names: tuple[str, ...], types: tuple[str, ...]) -> GoalOptions:
    return GoalOptions(goal, by_class(zip(names, types, strict=True)))


@lru_cache(maxsize=256)
def _listed(goal: Formula, names: tuple[str, ...], types: tuple[str, ...]) -> list[Formula]:
    """For each condition of a goal: that one of its listed options holds."""
    objects = by_class(zip(names, types, strict=True))
    listed = (listed_options(formula, objects) for _, _, formula in _conditions(goal))
    return [Or(tuple(map(And, options))) for options in listed]


@lru_cache(maxsize=256)
def _conditions(goal: Formula) -> tuple[_Named, ...]:
    return tuple(map(_name, goal_conditions(goal)))


def _name(formula: Formula) -> _Named:
    return literal_kind(formula), text_of(formula), formula
