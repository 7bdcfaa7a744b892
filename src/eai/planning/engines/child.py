"""The process in which a planner that is a Python package runs, apart from ours.

``python -m eai.planning.engines.child CALLER TIME_LIMIT [ARGUMENT ...]`` reads ``domain.pddl`` and
``problem.pddl`` of the current folder, and writes what came of planning to ``answer.json``: an
outcome, a reason, the steps of a plan, and whether it is optimal.
"""

from __future__ import annotations

import importlib
import json
import logging
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from eai.errors import UnknownNameError
from eai.planning.results import Outcome

_DOMAIN, _PROBLEM = "domain.pddl", "problem.pddl"


@dataclass(frozen=True)
class Answer:
    """What came of planning; ``plan`` has one list of words a step."""

    outcome: Outcome
    reason: str
    plan: Sequence[Sequence[str]] | None = None
    is_optimal: bool = False


def call_pyperplan(_time_limit: float | None, search: str, heuristic: str) -> Answer:
    """Let pyperplan plan.

    Args:
        _time_limit: Not used: pyperplan has no limit of its own; the system ends this process.
        search: One of its searches, such as ``"gbf"``.
        heuristic: One of its heuristics, such as ``"hff"``.
    """
    from pyperplan.planner import HEURISTICS, SEARCHES, search_plan

    logging.disable()
    try:
        found = search_plan(_DOMAIN, _PROBLEM, SEARCHES[search], HEURISTICS[heuristic])
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - what it does not read, it fails on
        reason = f"pyperplan takes STRIPS without costs only: {_one_line(error)}"
        return Answer(Outcome.REJECTED, reason)
    if found is None:
        # These searches see every state from which the goal may be reachable.
        is_proof = search in {"astar", "wastar", "gbf", "bfs"}
        outcome = Outcome.UNSOLVABLE if is_proof else Outcome.INCOMPLETE
        return Answer(outcome, "the search ended without a plan")
    # An operator is named "(pick ball1 rooma left)".
    steps = [operator.name.strip("()").split() for operator in found]
    return Answer(Outcome.SOLVED, "found", steps)


def call_kairos(_time_limit: float | None) -> Answer:
    """Let Kairos look for its first plan."""
    import kairos

    try:
        domain = kairos.load_domain(_DOMAIN)
        problem = kairos.load_problem(_PROBLEM, domain)
    except kairos.PddlError as error:
        return Answer(Outcome.REJECTED, _one_line(error))
    status = kairos.Status
    outcomes = {
        status.SOLVED: Outcome.SOLVED,
        status.UNSOLVABLE: Outcome.UNSOLVABLE,
        status.NO_PLAN_FOUND: Outcome.INCOMPLETE,
        status.TIMEOUT: Outcome.TIME_LIMIT,
        status.CANCELLED: Outcome.TIME_LIMIT,
        status.OUT_OF_MEMORY: Outcome.MEMORY_LIMIT,
        status.GROUNDING_TOO_LARGE: Outcome.MEMORY_LIMIT,
        status.UNSUPPORTED: Outcome.REJECTED,
        status.INVALID_INPUT: Outcome.REJECTED,
    }
    # Its limit is by the clock; ours, of processor time, is kept by the system.
    found = kairos.Planner().solve(problem, anytime=False, threads=1, timeout=_NO_LIMIT_S)
    diagnostics = [str(diagnostic) for diagnostic in found.diagnostics]
    reason = diagnostics[0] if diagnostics else found.status.name.lower().replace("_", " ")
    if found.plan is None:
        return Answer(outcomes.get(found.status, Outcome.CRASHED), reason)
    steps = [[step.name, *step.args] for step in found.plan.steps]
    is_optimal = found.stop_reason == kairos.StopReason.PROVEN_OPTIMAL
    return Answer(Outcome.SOLVED, "found", steps, is_optimal)


_NO_LIMIT_S = 1e7


def call_unified(time_limit: float | None, name: str) -> Answer:
    """Let an engine of unified-planning plan.

    Args:
        time_limit: Seconds by the clock that the engine is asked to keep; None for no limit.
        name: Its name in unified-planning.
    """
    from unified_planning.environment import get_environment
    from unified_planning.exceptions import UPException, UPNoRequestedEngineAvailableException

    from eai.errors import InputError
    from eai.pddl import parse_domain, parse_problem
    from eai.planning.unified import to_unified

    environment = get_environment()
    environment.credits_stream = None
    register_engines(environment)
    try:
        domain = parse_domain(Path(_DOMAIN).read_text("utf-8"))
        text = Path(_PROBLEM).read_text("utf-8")
        problem = to_unified(domain, parse_problem(text, domain=domain))
    except InputError as error:
        return Answer(Outcome.REJECTED, error.what)
    try:
        with environment.factory.OneshotPlanner(name=name) as planner:
            found = planner.solve(problem, timeout=time_limit)
    except UPNoRequestedEngineAvailableException:
        return Answer(Outcome.NOT_INSTALLED, _who_brings(name))
    except UPException as error:
        return Answer(Outcome.REJECTED, _one_line(error))
    return _unified_answer(found, time_limit)


def _unified_answer(found: Any, time_limit: float | None) -> Answer:  # noqa: ANN401 - untyped library
    """Return what a result of unified-planning says, in our words."""
    from unified_planning.engines import PlanGenerationResultStatus as Status

    if found.plan is not None:
        steps = [
            [step.action.name, *(argument.object().name for argument in step.actual_parameters)]
            for step in found.plan.actions
        ]
        is_optimal = found.status is Status.SOLVED_OPTIMALLY
        return Answer(Outcome.SOLVED, "found", steps, is_optimal)
    outcomes = {
        Status.UNSOLVABLE_PROVEN: Outcome.UNSOLVABLE,
        Status.UNSOLVABLE_INCOMPLETELY: Outcome.INCOMPLETE,
        Status.TIMEOUT: Outcome.TIME_LIMIT,
        Status.MEMOUT: Outcome.MEMORY_LIMIT,
        Status.UNSUPPORTED_PROBLEM: Outcome.REJECTED,
    }
    outcome = outcomes.get(found.status, Outcome.CRASHED)
    if outcome is Outcome.CRASHED and _children_used_up(time_limit):
        outcome = Outcome.TIME_LIMIT
    messages = [message.message.strip() for message in found.log_messages or ()]
    lines = messages[-1].splitlines() if messages else []
    return Answer(outcome, lines[-1] if lines else found.status.name)


def register_engines(environment: Any) -> None:  # noqa: ANN401 - untyped library
    """Make the engines known that unified-planning does not list but that are installed.

    Their packages are called ``up-...`` and have a function ``register(environment)``.
    """
    for distribution in distributions():
        name = (distribution.metadata["Name"] or "").replace("-", "_").lower()
        if not name.startswith("up_"):
            continue
        try:
            register = getattr(importlib.import_module(name), "register", None)
        except ImportError:
            continue
        if callable(register):
            register(environment)


def _who_brings(name: str) -> str:
    """Say which package brings an engine, or which engines there are."""
    from unified_planning.engines.factory import DEFAULT_ENGINES

    # The engines of packages: the others, of its own, compile and validate.
    packages = {
        engine: module.partition(".")[0].replace("_", "-")
        for engine, (module, _) in DEFAULT_ENGINES.items()
        if module.startswith("up_")
    }
    if name in packages:
        return f"the engine is not installed\n  hint: pip install {packages[name]}"
    return str(UnknownNameError("engine of unified-planning", name, list(packages)))


def _children_used_up(time_limit: float | None) -> bool:
    """Return whether the processes that ended here took as much processor time as they may."""
    if time_limit is None:
        return False
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime >= time_limit


def _one_line(error: BaseException) -> str:
    said = " ".join(str(error).split())
    return said or type(error).__name__


def main() -> None:
    """Answer the task in the current folder."""
    caller, limit, *arguments = sys.argv[1:]
    # Engines that import many packages warn of what nobody here can mend.
    warnings.simplefilter("ignore")
    time_limit = float(limit) if limit else None
    answer: Answer = globals()[caller](time_limit, *arguments)
    Path("answer.json").write_text(json.dumps(asdict(answer)), encoding="utf-8")


if __name__ == "__main__":
    main()
