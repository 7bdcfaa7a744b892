"""Plans for tasks, found by the planner in the suite's own world.

A world has hundreds of objects, a task is about a few: planning is done over the objects of the
goal and what they are closely related to, and over more if that is not enough. A goal that
demands one thing after the other is reached link by link.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product

from eai.abilities.subgoals.actions import demands_action, enabling, last_action
from eai.abilities.subgoals.binder import Way, ways_of
from eai.agents.assignment import Assignment
from eai.diagnosis.runtime import DomainRules, Run
from eai.errors import InputError
from eai.logic.formula import And, Atom, Formula, Variable, atoms, objects_of
from eai.pddl.model import Domain, Problem
from eai.planning import plan
from eai.planning.subgoal_steps import related
from eai.task import Goal, Task
from eai.world.action import Action
from eai.world.bits import bits, mask_of
from eai.world.state import State
from eai.world.transition import World

__all__ = ["search_plans"]

_WAYS = 3
"""So many ways to a goal with alternatives are tried."""

_OBJECTS = 40
"""A vocabulary of no more objects is taken whole; planning is not tried over more."""

_SECONDS = 4.0
"""Processor time for one link of a goal."""

_ALL_SECONDS = 10.0
"""After so much processor time nothing new is begun for a task."""

_ACTOR = "(actor)"
"""The type of the agent while planning, so that nobody else acts; no PDDL has such a type."""


def search_plans(assignment: Assignment) -> Iterator[tuple[Action, ...]]:
    """Yield plans that should solve a task, found without its annotated plans.

    They were not judged: what the suite counts may be something else than the goal says.

    Args:
        assignment: The task.
    """
    world, task = assignment.world, assignment.task
    if world is None:
        return
    end = time.process_time() + _ALL_SECONDS
    for rounds, way in product((1, 2), islice(_ways(task.goal), _WAYS)):
        mask = _about(world, task, rounds)
        if mask.bit_count() <= _OBJECTS and time.process_time() < end:
            found = _along(world, task, way, mask)
            if found is not None:
                yield found


def _ways(goal: Goal) -> Iterator[Way]:
    """Sequences of conditions: the links of the goal, then what has to hold at the end."""
    links: tuple[Way, ...] = ((),)
    if goal.formula is not None:
        try:
            links = ways_of(goal.formula)
        except InputError:
            links = ((),)
    for way in links:
        for option in goal.final:
            end = And(tuple(formula for _, formula in option))
            yield (*way, end)


def _about(world: World, task: Task, rounds: int) -> int:
    """The objects to plan over, as a mask of their numbers."""
    state, fluents = task.start, world.domain.fluents
    names = {task.agent}
    if len(task.vocabulary.objects) <= _OBJECTS:
        names |= task.vocabulary.objects
    for condition in _conditions(task.goal):
        names |= objects_of(condition)
        for atom in atoms(condition):
            # A quantifier is about the objects that have the properties it asks for.
            if isinstance(atom, Atom) and len(atom.terms) == 1 and atom.predicate not in fluents:
                names |= _having(atom.predicate, state, world)
    mask = mask_of(map(state.universe.number, names))
    for _ in range(rounds):
        mask |= related(state, mask)
    return mask


def _conditions(goal: Goal) -> list[Formula]:
    final = [formula for option in goal.final for _, formula in option]
    return final if goal.formula is None else [*final, goal.formula]


def _having(predicate: str, state: State, world: World) -> set[str]:
    if predicate in world.derived:
        return set()
    return {name for name in state.universe.names if state.holds(predicate, (name,))}


def _along(world: World, task: Task, way: Way, mask: int) -> tuple[Action, ...] | None:
    """A plan that reaches one condition after the other; None if one was not reached."""
    run, rules = Run(world, task.start, task.agent), DomainRules()
    names = frozenset(task.start.universe.names[i] for i in bits(mask))
    for condition in way:
        try:
            steps = _reach(run, condition, names)
            if steps is None:
                return None
            for step in steps:
                rules.take(run, step, len(run.steps) + 1)
            last = last_action(condition, run) if demands_action(condition) else None
        except InputError:
            return None  # a condition that no single action makes true
        if last is not None:
            rules.take(run, last, len(run.steps) + 1)
    return tuple(step.action for step in run.steps)


def _reach(run: Run, condition: Formula, names: frozenset[str]) -> list[Action] | None:
    """Actions of the agent that lead to a condition, or to where one action makes it true."""
    universe = run.state.universe
    objects = {
        name: kind
        for name, kind in zip(universe.names, universe.types, strict=True)
        if name in names
    }
    domain = _acting(run.world.domain, universe.domain, objects[run.agent])
    problem = Problem(
        "link",
        domain.name,
        {**objects, run.agent: _ACTOR},
        tuple(atom for atom in run.state.atoms() if names.issuperset(map(str, atom.terms))),
        enabling(condition, run),
    )
    found = plan(domain, problem, time_limit=_SECONDS)
    if found.plan is None:
        return None
    return [Action(step.name, step.arguments[1:]) for step in found.plan]


def _acting(domain: Domain, typed: Domain, kind: str) -> Domain:
    """The domain with a type of its own for the agent, which all actions ask for first."""
    operators = {
        name: replace(
            operator,
            parameters=(
                Variable(operator.parameters[0].name, (_ACTOR,)),
                *operator.parameters[1:],
            ),
        )
        for name, operator in domain.operators.items()
    }
    return replace(domain, types={**typed.types, _ACTOR: kind}, operators=operators)
