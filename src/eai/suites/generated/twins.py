"""Obfuscated twins: the same task with names that say nothing, to tell planning from recall."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from eai.errors import InputError
from eai.logic import And, Formula
from eai.pddl import (
    Domain,
    Problem,
    format_domain,
    format_problem,
    parse_domain,
    parse_problem,
)
from eai.suites.pddl import PddlTask
from eai.suites.pddl.tasks import made_task
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
    """A copy of a task with other names.

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
    """Return whether a task's domain describes its world completely."""
    world = task.world
    # Some worlds take actions by themselves, after each of the agent's.
    own_actions = world.domain.operators.keys() - task.vocabulary.actions.keys()
    return world.computed <= world.domain.derived and not own_actions


def twin(task: Task, *, seed: int = 0) -> Twin:
    """Return a copy of a task in which every name is consistently replaced by a random one.

    Args:
        task: A task whose goal is a conjunction about the state at the end.
        seed: Seed of the draw of names.

    Raises:
        InputError: If its goal is another one, or its world does more than its domain says.
    """
    goal, world = task.goal, task.world
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
    names = _draw_names(domain, objects, seed)
    # The twin is read from renamed PDDL texts, as if somebody else had written them.
    domain_text = _rename(format_domain(domain), names)
    problem_text = _rename(format_problem(problem), names)
    twin_domain = _read_domain(domain_text)
    twin_problem = parse_problem(problem_text, domain=twin_domain)
    texts = domain_text, problem_text
    return Twin(made_task(twin_domain, twin_problem, name=task.id, texts=texts), names, task.agent)


def _draw_names(domain: Domain, objects: Iterable[str], seed: int) -> Mapping[str, str]:
    """Return a new name for each name of a domain and each object.

    The names of the domain are drawn first, without regard to the objects, so that all tasks of a
    world have one domain.

    Args:
        domain: The domain.
        objects: Names of the objects.
        seed: Seed of the draw.
    """
    symbols = {*domain.operators, *domain.predicates, *domain.functions, *domain.types}
    domain_names = sorted((symbols | domain.constants.keys()) - _KEPT)
    object_names = sorted(set(objects).difference(domain_names, _KEPT))
    random = Random(seed)  # noqa: S311 - nothing is secret
    names: dict[str, str] = {}
    for old_names in (domain_names, object_names):
        numbers = list(range(len(names), len(names) + len(old_names)))
        random.shuffle(numbers)
        names.update((name, f"n{number}") for name, number in zip(old_names, numbers, strict=True))
    return names


def _rename(text: str, names: Mapping[str, str]) -> str:
    """Return a text in PDDL with other names."""
    return _NAME.sub(lambda match: names.get(match[0], match[0]), text)


@lru_cache(maxsize=64)
def _read_domain(text: str) -> Domain:
    """Read a domain (once)."""
    return parse_domain(text, source="twin")
