"""The call that plans: one task, or many."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Union

from eai.budget import Budget, Meter
from eai.errors import InputError
from eai.pddl import (
    Domain,
    Problem,
    format_domain,
    format_problem,
    parse_domain,
    parse_problem,
)
from eai.planning.engines import Engine, find_engine
from eai.planning.limits import Limits
from eai.planning.own import OWN, OwnEngine, validate
from eai.planning.results import Outcome, PlanningResult, ResultCache

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
    cache: str | os.PathLike[str] | None = None,
) -> PlanningResult:
    """Plan.

    Args:
        domain: The domain, or its PDDL text.
        problem: The problem, or its PDDL text. Texts must be in order, as for
            :func:`~eai.pddl.parse_domain` and :func:`~eai.pddl.parse_problem`; models may mention
            objects and types that are not declared.
        engine: Name of an engine (:func:`eai.planning.engine_names`), ``module:attribute``, or an
            engine.
        time_limit: Seconds of processor time for grounding and search.
        memory_limit: Megabytes of memory for the search, as the engine counts them.
        budget: What one of our own engines may use, counted, so that the outcome is the same on
            every machine; a meter goes on counting. None for no limit.
        cache: A folder of results: what was asked before with the same texts, engine, version
            and limits is not planned again. A budget is not for it.

    Returns:
        How it ended. A plan in it was run by our engine; one that does not reach the goal
        is an outcome of its own.

    Raises:
        UnknownNameError: If there is no engine of this name.
        InputError: If the engine cannot be loaded, if a limit is not positive, or if there is a
            budget for an engine that is not ours, or beside a cache.
    """
    Limits(time=time_limit, memory=memory_limit)  # refuses limits that are not positive
    chosen, start = find_engine(engine), _processor()
    kept = None if cache is None else ResultCache(cache)
    key = ""
    if kept is not None:
        limits = (time_limit, memory_limit)
        key = kept.key(_text(domain), _text(problem), chosen.name, chosen.version, *limits)
        if (known := kept.get(key)) is not None:
            return known
    if budget is not None and (cache is not None or not isinstance(chosen, OwnEngine)):
        raise InputError(
            "a budget is counted by our own engines, without a cache",
            expected=f"one of {', '.join(OWN)}, and no cache",
        )
    solve = partial(chosen.solve, time_limit=time_limit, memory_limit=memory_limit)
    if isinstance(chosen, OwnEngine):
        solve = partial(solve, budget=budget)
    found = _solved(domain, problem, chosen, solve)
    found = replace(found, seconds=_processor() - start)
    if kept is not None:
        kept.put(key, found)
    return found


def plan_many(
    tasks: Iterable[tuple[DomainLike, ProblemLike]],
    *,
    engine: str | Engine = "eai",
    time_limit: float | None = None,
    memory_limit: float | None = None,
    cache: str | os.PathLike[str] | None = None,
    executor: Executor | None = None,
    batch: int = 16,
) -> list[PlanningResult]:
    """Plan for many tasks.

    Args:
        tasks: Domain and problem of each task.
        engine: As for :func:`plan`; for an executor of processes it must be picklable.
        time_limit: Seconds of processor time for each task.
        memory_limit: Megabytes for each task.
        cache: As for :func:`plan`.
        executor: Where to run: anything with the interface of ``concurrent.futures``, such as a
            pool of processes; here and one after the other if None.
        batch: Tasks that are sent to the executor at once.

    Returns:
        The results, in the order of the tasks.

    Raises:
        InputError: As :func:`plan` does; if a batch is not positive.
    """
    if batch < 1:
        raise InputError(f"a batch of {batch} tasks", expected="a whole number from 1")
    options: dict[str, Any] = {
        "engine": engine,
        "time_limit": time_limit,
        "memory_limit": memory_limit,
        "cache": cache,
    }
    work, waiting = partial(_planned, options), list(tasks)
    if executor is None:
        return list(map(work, waiting))
    return list(executor.map(work, waiting, chunksize=batch))


def _planned(options: Mapping[str, Any], task: tuple[DomainLike, ProblemLike]) -> PlanningResult:
    return plan(*task, **options)


def _solved(
    domain: DomainLike,
    problem: ProblemLike,
    engine: Engine,
    solve: Callable[[Domain, Problem], PlanningResult],
) -> PlanningResult:
    try:
        known = _domain(domain) if isinstance(domain, str) else domain
        if not isinstance(problem, str):
            asked = problem
        elif isinstance(domain, str):
            asked = _problem(problem, domain)
        else:
            asked = parse_problem(problem, domain=domain)
    except InputError as error:
        return PlanningResult.of(engine, Outcome.REJECTED, str(error))
    found = solve(known, asked)
    if found.plan is None:
        return found
    try:
        checked = validate(known, asked, found.plan)
    except InputError as error:
        return replace(found, outcome=Outcome.REJECTED, plan=None, cost=None, reason=str(error))
    if checked.valid:
        return replace(found, cost=checked.cost)
    return replace(found, outcome=Outcome.INVALID_PLAN, reason=checked.reason, optimal=False)


def _processor() -> float:
    """Seconds of processor time so far, those of processes that ended included."""
    children = os.times()
    return time.process_time() + children.children_user + children.children_system


def _text(given: DomainLike | ProblemLike) -> str:
    if isinstance(given, str):
        return given
    return format_domain(given) if isinstance(given, Domain) else format_problem(given)


_domain = lru_cache(maxsize=256)(parse_domain)


@lru_cache(maxsize=2048)
def _problem(text: str, domain: str) -> Problem:
    return parse_problem(text, domain=_domain(domain))
