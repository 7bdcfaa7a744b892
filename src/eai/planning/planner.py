"""The call that plans: one task, or many."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from functools import lru_cache
from typing import Union

from eai.errors import InputError
from eai.pddl import parse_domain, parse_problem
from eai.pddl.model import Domain, Problem
from eai.planning.engines import Engine, find_engine
from eai.planning.results import Outcome, PlanningResult
from eai.planning.validation import validate

__all__ = ["plan"]

DomainLike = Union[Domain, str]
ProblemLike = Union[Problem, str]


def plan(
    domain: DomainLike,
    problem: ProblemLike,
    *,
    engine: str | Engine = "eai",
    time_limit: float | None = None,
    memory_limit: float | None = None,
) -> PlanningResult:
    """Plan.

    Args:
        domain: The domain, or its PDDL text.
        problem: The problem, or its PDDL text. Facts may be ill typed, and mention objects that
            are not declared.
        engine: Name of an engine (:func:`eai.planning.engine_names`), ``module:attribute``, or an
            engine.
        time_limit: Seconds of processor time for grounding and search.
        memory_limit: Megabytes of memory for the search, as the engine counts them.

    Returns:
        How it ended. A plan in it was run by our engine; one that does not reach the goal
        is an outcome of its own.

    Raises:
        UnknownNameError: If there is no engine of this name.
        InputError: If the engine cannot be loaded, or a limit is not positive.
    """
    chosen = find_engine(engine)
    start = _processor()
    try:
        known = _domain(domain) if isinstance(domain, str) else domain
        asked = _problem(problem) if isinstance(problem, str) else problem
    except InputError as error:
        return PlanningResult(Outcome.REJECTED, None, chosen.name, chosen.version, str(error))
    found = chosen.solve(known, asked, time_limit=time_limit, memory_limit=memory_limit)
    if found.plan is not None:
        found = _checked(found, known, asked)
    return replace(found, seconds=_processor() - start)


def _checked(found: PlanningResult, domain: Domain, problem: Problem) -> PlanningResult:
    checked = validate(domain, problem, found.plan or ())
    if checked.valid:
        return found
    return replace(found, outcome=Outcome.INVALID_PLAN, reason=checked.reason, optimal=False)


def _processor() -> float:
    """Seconds of processor time so far, those of processes that ended included."""
    children = os.times()
    return time.process_time() + children.children_user + children.children_system


@lru_cache(maxsize=256)
def _domain(text: str) -> Domain:
    return parse_domain(text)


@lru_cache(maxsize=2048)
def _problem(text: str) -> Problem:
    return parse_problem(text)
