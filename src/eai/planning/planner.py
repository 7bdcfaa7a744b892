"""Planners behind one interface, found by name, and the call that plans.

Ours are ``"eai"`` (searches that take turns) and ``"eai-optimal"``. Of others we call
``"fast-downward"``, ``"pyperplan"``, ``"kairos"`` and, as ``"unified:NAME"``, any engine of
unified-planning. All are announced as entry points of the group ``eai.planners``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Union, cast

from eai.budget import Budget, Meter
from eai.errors import InputError, UnknownNameError
from eai.logic import load_rules
from eai.pddl import Domain, Problem, parse_domain, parse_problem
from eai.planning.engines.package import unified_engine
from eai.planning.limits import Limits
from eai.planning.own import OWN, OwnEngine
from eai.planning.results import Engine, Outcome, PlanningResult
from eai.planning.validation import validate
from eai.plugins import announced, find_object

_GROUP = "eai.planners"
_UNIFIED = "unified:"
"""Prefix of the names of unified-planning's engines: ``"unified:enhsp"``."""


def engine_names() -> Sequence[str]:
    """Names of all engines, those of other packages last."""
    return list(dict.fromkeys([*OWN, *announced(_GROUP)]))


def find_engine(engine: str | Engine) -> Engine:
    """Return an engine given by name, ``unified:NAME``, ``module:attribute`` or object.

    Raises:
        UnknownNameError: If there is no engine of this name.
        InputError: If it cannot be imported, or is none.
    """
    if not isinstance(engine, str):
        if not callable(getattr(engine, "solve", None)):
            raise InputError(
                f"{type(engine).__name__} is not a planner",
                expected=f"one of {', '.join(engine_names())}, unified:NAME, module:attribute, "
                "or an engine",
            )
        return engine
    if engine in OWN:
        return OWN[engine]
    if engine.startswith(_UNIFIED):
        return unified_engine(engine.removeprefix(_UNIFIED))
    origin = announced(_GROUP).get(engine)
    target = engine
    # An unannounced engine is written as module:attribute; without a colon the name is wrong.
    if origin is not None:
        target = origin.target
    elif ":" not in engine:
        raise UnknownNameError("planner", engine, [*engine_names(), f"{_UNIFIED}NAME"])
    # An entry point may name an engine, or the class of one.
    announced_engine = find_object(target, what=f"the planner {engine!r}")
    if isinstance(announced_engine, type):
        announced_engine = announced_engine()
    return cast("Engine", announced_engine)


DomainLike = Union[Domain, str]
ProblemLike = Union[Problem, str]


def plan(
    domain: DomainLike,
    problem: ProblemLike,
    *,
    engine: str | Engine = "eai",
    time_limit: float | None = None,
    memory_limit: float | None = None,
    budget: Budget | Meter | None = None,
    rules: object = None,
) -> PlanningResult:
    """Find a plan for a planning task.

    Args:
        domain: The domain, or its PDDL text.
        problem: The problem, or its PDDL text. Texts must be free of errors, as for
            :func:`~eai.pddl.parse_domain` and :func:`~eai.pddl.parse_problem`; domain and problem
            as objects may mention objects and types that are not declared.
        engine: Name of an engine (:func:`eai.planning.engine_names`), ``unified:NAME`` for one of
            unified-planning, ``module:attribute``, or an engine.
        time_limit: Seconds of processor time for grounding and search.
        memory_limit: Megabytes of memory for the search, as the engine counts them.
        budget: Limits of our own engines, counted in steps, so that the outcome is the same on
            every machine; a meter goes on counting. None for no limit.
        rules: Rules that the plan must satisfy: a file of rules, or a list. They become part of the
            task (:func:`eai.planning.with_rules`), so every engine satisfies them. If there is no
            plan, there is no safe one. ``tasks`` of a rule are names of problems.

    Returns:
        The outcome, and the plan if there is one. Every plan was executed by our own engine; a plan
        that does not reach the goal has an outcome of its own.

    Raises:
        UnknownNameError: If there is no engine of this name.
        InputError: If the engine cannot be loaded, if a limit is not positive, if there is a
            budget for an engine that is not ours, or if a rule cannot be read, speaks of something
            that the task does not have, or is too large.
    """
    Limits(time=time_limit, memory=memory_limit)  # refuses limits that are not positive
    chosen_engine = find_engine(engine)
    # Reading the texts and running the plan count as well, so that engines compare fairly.
    start = _processor_time_s()
    if budget is not None and not isinstance(chosen_engine, OwnEngine):
        raise InputError(
            "only eai's own engines take a budget", expected=f"one of {', '.join(OWN)}"
        )
    solve = partial(chosen_engine.solve, time_limit=time_limit, memory_limit=memory_limit)
    if isinstance(chosen_engine, OwnEngine):
        solve = partial(solve, budget=budget)
    if rules is not None:
        domain, problem = _add_rules(domain, problem, rules)
    result = _solve_and_check(domain, problem, chosen_engine, solve)
    return replace(result, seconds=_processor_time_s() - start)


def _add_rules(domain: DomainLike, problem: ProblemLike, source: object) -> tuple[Domain, Problem]:
    """Return a task whose plans satisfy the rules for it.

    Raises:
        InputError: If a text is not PDDL, or a rule cannot be used in the task.
    """
    # It calls the planner itself.
    from eai.planning.safety import names_of, with_rules

    if isinstance(domain, str):
        domain = parse_domain(domain)
    if isinstance(problem, str):
        problem = parse_problem(problem, domain=domain)
    names = names_of(domain, problem)
    formulas = []
    for rule in load_rules(source):
        # A rule that names no tasks is for all of them.
        if not rule.tasks or problem.name in rule.tasks:
            formulas.append(rule.formula_for(names))
    return with_rules(domain, problem, formulas)


def _solve_and_check(
    domain: DomainLike,
    problem: ProblemLike,
    engine: Engine,
    solve: Callable[[Domain, Problem], PlanningResult],
) -> PlanningResult:
    """Solve a task with an engine, and validate the plan that it returns.

    Args:
        domain: The domain, or its text; texts are parsed once for many calls.
        problem: The problem, or its text.
        engine: The engine.
        solve: Calls it within its limits.

    Returns:
        The engine's result. A text that cannot be read is rejected, and a plan that does not work
        is an outcome of its own.
    """
    try:
        task = _parse_task(domain, problem)
    except InputError as error:
        return PlanningResult.of(engine, Outcome.REJECTED, str(error))
    result = solve(*task)
    if result.plan is None:
        return result
    try:
        validation = validate(*task, result.plan)
    except InputError as error:
        return replace(result, outcome=Outcome.REJECTED, plan=None, cost=None, reason=str(error))
    # A plan only counts if our own engine has executed it up to the goal.
    if validation.valid:
        return replace(result, cost=validation.cost)
    return replace(result, outcome=Outcome.INVALID_PLAN, reason=validation.reason, optimal=False)


def _parse_task(domain: DomainLike, problem: ProblemLike) -> tuple[Domain, Problem]:
    """Return a domain and a problem, of which each may be a text.

    Raises:
        InputError: If a text is not PDDL.
    """
    if not isinstance(domain, str):
        if isinstance(problem, str):
            problem = parse_problem(problem, domain=domain)
        return domain, problem
    parsed = _parse_domain_once(domain)
    if isinstance(problem, str):
        problem = _parse_problem_once(problem, domain)
    return parsed, problem


def _processor_time_s() -> float:
    """Return the seconds of processor time so far, those of processes that ended included."""
    children = os.times()
    return time.process_time() + children.children_user + children.children_system


_parse_domain_once = lru_cache(maxsize=256)(parse_domain)


@lru_cache(maxsize=64)  # a large one takes 2 MB
def _parse_problem_once(text: str, domain: str) -> Problem:
    """Parse a problem whose domain is a text, too."""
    return parse_problem(text, domain=_parse_domain_once(domain))
