"""The process in which a planner that is a Python package runs, apart from ours.

``python -m eai.planning.engines.child CALLER TIME_LIMIT [ARGUMENT ...]`` reads ``domain.pddl`` and
``problem.pddl`` of the current folder, and writes what came of planning to ``answer.json``: an
outcome, a reason, the steps of a plan, and whether it is optimal.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import re
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
"""Names of the files of the task, in the folder in which this process runs."""


@dataclass(frozen=True)
class ChildAnswer:
    """The answer of a planner that runs in another process.

    Args:
        outcome: How planning ended.
        reason: The explanation.
        plan: The words of each step.
        is_optimal: Whether no plan is cheaper.
    """

    outcome: Outcome
    reason: str
    plan: Sequence[Sequence[str]] | None = None
    is_optimal: bool = False


def call_pyperplan(_time_limit: float | None, search: str, heuristic: str) -> ChildAnswer:
    """Plan with pyperplan.

    Args:
        _time_limit: Not used: pyperplan has no limit of its own; the system ends this process.
        search: One of its searches, such as ``"gbf"``.
        heuristic: One of its heuristics, such as ``"hff"``.
    """
    from pyperplan.planner import HEURISTICS, SEARCHES, search_plan

    logging.disable()
    try:
        operators = search_plan(_DOMAIN, _PROBLEM, SEARCHES[search], HEURISTICS[heuristic])
    except MemoryError:
        raise  # the calling process recognises it in the last line
    except (Exception, SystemExit) as error:  # noqa: BLE001 - what it does not read, it fails on
        reason = f"pyperplan takes STRIPS without costs only: {_one_line(error)}"
        return ChildAnswer(Outcome.REJECTED, reason)
    if operators is None:
        # These searches visit every state from which the goal may be reachable.
        outcome = Outcome.INCOMPLETE
        if search in {"astar", "wastar", "gbf", "bfs"}:
            outcome = Outcome.UNSOLVABLE
        return ChildAnswer(outcome, "the search ended without a plan")
    # An operator is named "(pick ball1 rooma left)".
    steps = [operator.name.strip("()").split() for operator in operators]
    return ChildAnswer(Outcome.SOLVED, "found", steps)


def call_kairos(_time_limit: float | None) -> ChildAnswer:
    """Plan with Kairos, up to its first plan.

    If there is no plan, the first diagnostic of Kairos is the reason.

    Args:
        _time_limit: Not used: the operating system keeps the limit.
    """
    import kairos

    try:
        domain = kairos.load_domain(_DOMAIN)
        problem = kairos.load_problem(_PROBLEM, domain)
    except kairos.PddlError as error:
        return ChildAnswer(Outcome.REJECTED, _one_line(error))
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
    # Kairos limits clock time. Our limit of processor time is kept by the operating system.
    result = kairos.Planner().solve(problem, anytime=False, threads=1, timeout=_NO_LIMIT_S)
    if result.plan is None:
        reason = result.status.name.lower().replace("_", " ")
        if result.diagnostics:
            reason = str(result.diagnostics[0])
        return ChildAnswer(outcomes.get(result.status, Outcome.CRASHED), reason)
    steps = [[step.name, *step.args] for step in result.plan.steps]
    is_optimal = result.stop_reason == kairos.StopReason.PROVEN_OPTIMAL
    return ChildAnswer(Outcome.SOLVED, "found", steps, is_optimal)


_NO_LIMIT_S = 1e7
"""Seconds that Kairos takes as its limit where it has none, as it has no word for that."""


def call_unified(time_limit: float | None, name: str) -> ChildAnswer:
    """Plan with an engine of unified-planning.

    Args:
        time_limit: Seconds of processor time, which the system keeps; None for no limit.
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
        return ChildAnswer(Outcome.REJECTED, error.what)
    _tell_java_its_limits(time_limit)
    # This limit of clock time ends engines that wait. The operating system ends those that compute.
    timeout: float | None = None
    if time_limit is not None:
        timeout = _CLOCK_FACTOR * time_limit
    try:
        with environment.factory.OneshotPlanner(name=name) as planner:
            result = planner.solve(problem, timeout=timeout)
    except UPNoRequestedEngineAvailableException:
        return ChildAnswer(Outcome.NOT_INSTALLED, _package_hint(name))
    except UPException as error:
        return ChildAnswer(Outcome.REJECTED, _one_line(error))
    return _answer_of_unified(result, time_limit, is_proof=not name.startswith(_DELETING_WINS))


_DELETING_WINS = "enhsp"
"""Begins the names of engines that let an action delete what it also adds.

In PDDL adding wins, so an action on the same object twice can do more than they think.
"""


def _answer_of_unified(result: Any, time_limit: float | None, *, is_proof: bool) -> ChildAnswer:  # noqa: ANN401 - untyped library
    """Return the answer for a result of unified-planning.

    Args:
        result: The result.
        time_limit: Seconds of processor time that the engine had.
        is_proof: Whether to believe that there is no plan, or none that is cheaper.
    """
    from unified_planning.engines import PlanGenerationResultStatus as Status

    if result.plan is not None:
        steps = []
        for step in result.plan.actions:
            arguments = [argument.object().name for argument in step.actual_parameters]
            steps.append([step.action.name, *arguments])
        is_optimal = is_proof and result.status is Status.SOLVED_OPTIMALLY
        return ChildAnswer(Outcome.SOLVED, "found", steps, is_optimal)
    messages = [message.message for message in result.log_messages or ()]
    failure = _java_failure(messages)
    if failure is not None:
        # ENHSP ends with exit code 0 and "Unsolvable Problem" when it fails, too.
        return ChildAnswer(_outcome_of_failure(failure, time_limit), failure)
    outcomes = {
        Status.UNSOLVABLE_PROVEN: Outcome.UNSOLVABLE,
        Status.UNSOLVABLE_INCOMPLETELY: Outcome.INCOMPLETE,
        Status.TIMEOUT: Outcome.TIME_LIMIT,
        Status.MEMOUT: Outcome.MEMORY_LIMIT,
        Status.UNSUPPORTED_PROBLEM: Outcome.REJECTED,
    }
    outcome = outcomes.get(result.status, Outcome.CRASHED)
    if outcome is Outcome.UNSOLVABLE and not is_proof:
        reason = "it found no plan, which is no proof: with it deleting wins over adding"
        return ChildAnswer(Outcome.INCOMPLETE, reason)
    if outcome is Outcome.CRASHED and _did_children_use_time(time_limit):
        outcome = Outcome.TIME_LIMIT
    return ChildAnswer(outcome, _last_line(messages) or result.status.name)


def _last_line(messages: Sequence[str]) -> str:
    """Return the last line of the last message that is not a note by Java, or ""."""
    if not messages:
        return ""
    for line in reversed(messages[-1].strip().splitlines()):
        if not line.startswith(_JAVA_NOTE):
            return line
    return ""


def _outcome_of_failure(failure: str, time_limit: float | None) -> Outcome:
    """Return the outcome for the line in which Java reports a failure."""
    if any(word in failure for word in _JAVA_MEMORY):
        return Outcome.MEMORY_LIMIT
    if _did_children_use_time(time_limit):
        return Outcome.TIME_LIMIT
    return Outcome.CRASHED


_CLOCK_FACTOR = 4.0
"""How many times as long as its processor time an engine of unified-planning may take."""

_JAVA_OPTIONS = "JAVA_TOOL_OPTIONS"
"""The environment variable in which Java looks for options."""
_JAVA_NOTE = f"Picked up {_JAVA_OPTIONS}"
"""Begins the line in which Java says that it has read the options."""

_JAVA_FAILURE = re.compile(
    r"""
    (?:Exception\ in\ thread\ "[^"]*"\ )?
    (?:\w+\.)+\w*(?:Exception|Error)\b.*   # the name of a class, with its package
    | .*os::commit_memory.*                # the system gave no memory
    """,
    re.VERBOSE,
)
"""Line in which Java says what ended it."""
_JAVA_MEMORY = ("OutOfMemoryError", "os::commit_memory")
"""Words in such a line if there was not enough memory."""

_HEAP_SHARE = 0.75
"""How much of the memory is for Java's objects; the rest is for Java itself."""


def _tell_java_its_limits(time_limit: float | None) -> None:
    """Set options for engines that run in Java, unless the user has set some.

    Java looks at the memory of the machine, not at the limit of the process, and fails when it
    wants more. It collects garbage in several threads, whose processor time counts as the engine's.
    """
    if os.name != "posix" or _JAVA_OPTIONS in os.environ:
        return
    import resource

    options = []
    size, _ = resource.getrlimit(resource.RLIMIT_DATA)
    if size != resource.RLIM_INFINITY:
        options.append(f"-Xmx{int(_HEAP_SHARE * size / 2**20)}m")
    if time_limit is not None:
        options.append("-XX:+UseSerialGC")
    if options:
        os.environ[_JAVA_OPTIONS] = " ".join(options)


def _java_failure(messages: Sequence[str]) -> str | None:
    """Return the line in which Java reports a failure, or None."""
    for message in messages:
        for line in message.splitlines():
            if _JAVA_FAILURE.fullmatch(line.strip()):
                return line.strip()
    return None


def register_engines(environment: Any) -> None:  # noqa: ANN401 - untyped library
    """Register installed engines that unified-planning does not list itself.

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


def _package_hint(name: str) -> str:
    """Return a sentence about the package that provides an engine."""
    from unified_planning.engines.factory import DEFAULT_ENGINES

    packages: dict[str, str] = {}
    for engine, (module, _) in DEFAULT_ENGINES.items():
        # Only engines in packages plan. Those of unified-planning itself compile and validate.
        if module.startswith("up_"):
            package, _, _ = module.partition(".")
            packages[engine] = package.replace("_", "-")
    if name in packages:
        return f"the engine is not installed\n  hint: pip install {packages[name]}"
    return str(UnknownNameError("engine of unified-planning", name, list(packages)))


def _did_children_use_time(time_limit: float | None) -> bool:
    """Return whether ended child processes used their whole processor time."""
    if time_limit is None:
        return False
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    # The system ends a process shortly before the counted time reaches the limit.
    return used.ru_utime + used.ru_stime >= 0.9 * time_limit


def _one_line(error: BaseException) -> str:
    """Return the message of an error in one line, or its class if it has none."""
    message = " ".join(str(error).split())
    return message or type(error).__name__


def main() -> None:
    """Solve the task in the current folder with the planner on the command line.

    The first argument is the name of a function in this module (``call_kairos``), the second a
    number of seconds or empty. All others are passed to the function.
    """
    caller, limit, *arguments = sys.argv[1:]
    # Packages of engines raise warnings that users cannot act on.
    warnings.simplefilter("ignore")
    time_limit = float(limit) if limit else None
    answer: ChildAnswer = globals()[caller](time_limit, *arguments)
    Path("answer.json").write_text(json.dumps(asdict(answer)), encoding="utf-8")


if __name__ == "__main__":
    main()
