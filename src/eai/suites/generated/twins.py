"""Obfuscated twins: the same task with names that say nothing, to tell planning from recall."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from eai.errors import InputError
from eai.logic import And, Formula
from eai.pddl import Problem, format_domain, format_problem
from eai.suites.pddl import Pddl, PddlTask
from eai.task import Task
from eai.world import Action

_NAME = re.compile(r"(?<![\w:?.-])[A-Za-z][\w.-]*")
_KEYWORDS = (
    *("define", "domain", "problem", "object", "number", "either", "total-cost"),
    *("and", "or", "not", "imply", "exists", "forall", "when"),
    *("assign", "increase", "decrease", "minimize", "maximize"),
)
_KEPT = frozenset(_KEYWORDS)


@dataclass(frozen=True, slots=True)
class Twin:
    """A task with other names.

    Args:
        task: The task, in PDDL; plans name all arguments, the agent's among them.
        names: Old name to new name.
        agent: Old name of the agent; empty if there is none.
    """

    task: PddlTask
    names: Mapping[str, str]
    agent: str

    def action(self, action: Action) -> Action:
        """Return an action under its new names."""
        arguments = action.by(self.agent)
        return Action(self.names[action.name], tuple(self.names[name] for name in arguments))


def is_described(task: Task) -> bool:
    """Return whether the domain of a task says all that happens in its world."""
    world = task.world
    # Some worlds take actions by themselves, after each of the agent's.
    own_actions = world.domain.operators.keys() - task.vocabulary.actions.keys()
    return world.computed <= world.domain.derived and not own_actions


def twin(task: Task, *, seed: int = 0) -> Twin:
    """Return the obfuscated twin of a task: every name is replaced, everywhere by the same.

    Args:
        task: A task whose goal is a conjunction about the state at the end.
        seed: Seed of the draw of names.

    Raises:
        InputError: If its goal is another one, or its world does more than its domain says.
    """
    goal = task.goal
    world = task.world
    if goal.actions or len(goal.final) != 1 or goal.is_extended or not is_described(task):
        raise InputError(
            f"{task.id!r} has no twin",
            expected="a goal about the state at the end, in a world that PDDL describes",
        )
    universe = task.start.universe
    objects = universe.objects
    condition: Formula = And(tuple(formula for _, formula in goal.final[0]))
    # The objects of a scene may have types of their own.
    types = {**universe.domain.types, **world.domain.types}
    domain = replace(world.domain, types=types)
    facts = tuple(task.start.atoms())
    values = dict(task.start.numeric_facts())
    problem = Problem("task", domain.name, objects, facts, condition, values)
    symbols = {*domain.operators, *domain.predicates, *domain.functions, *domain.types}
    # In a fixed order, so that a seed draws the same names in every process.
    old_names = sorted((symbols | objects.keys()) - _KEPT)
    numbers = list(range(len(old_names)))
    Random(seed).shuffle(numbers)  # noqa: S311 - nothing is secret
    names = {name: f"n{number}" for name, number in zip(old_names, numbers, strict=True)}
    domain_text = _renamed(format_domain(domain), names)
    problem_text = _renamed(format_problem(problem), names)
    twin_task = Pddl.from_texts("twin", domain_text, {task.id: problem_text}).task(task.id)
    return Twin(twin_task, names, task.agent)


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """Return a text with its names replaced; those without a new name stay."""
    return _NAME.sub(lambda match: names.get(match[0], match[0]), text)
