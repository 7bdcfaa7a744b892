"""Fast Downward (Helmert 2006) from its Python wheel, as a separate process.

It is never imported. Exit codes: https://www.fast-downward.org/latest/documentation/exit-codes/
"""

from __future__ import annotations

import importlib.util
import math
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from eai.errors import InputError, MissingExtraError
from eai.logic import TRUE
from eai.pddl import (
    AndEffect,
    CostEffect,
    Domain,
    Effect,
    ForallEffect,
    Problem,
    WhenEffect,
    clauses,
    cost_clauses,
    format_task,
)
from eai.planning.costs import with_values
from eai.planning.engines.package import read_steps, write_task
from eai.planning.limits import run
from eai.planning.results import Outcome, PlanningResult, version_of

_DISTRIBUTION, _MODULE = "up-fast-downward", "up_fast_downward"

_NOISE = ("INFO", "[t=", "Driver aborting", "translate exit code", "search exit code")
"""Beginnings of lines that say nothing about the task."""

_CODES = {
    10: (Outcome.UNSOLVABLE, "the translator proved it"),
    11: (Outcome.UNSOLVABLE, "the search proved it"),
    12: (Outcome.INCOMPLETE, "the search ended without a plan"),
    13: (Outcome.MEMORY_LIMIT, "the search ran out of memory"),
    20: (Outcome.MEMORY_LIMIT, "the translator ran out of memory"),
    21: (Outcome.TIME_LIMIT, "the translator ran out of time"),
    22: (Outcome.MEMORY_LIMIT, "the search ran out of memory"),
    23: (Outcome.TIME_LIMIT, "the search ran out of time"),
    24: (Outcome.MEMORY_LIMIT, "the search ran out of memory and time"),
    31: (Outcome.REJECTED, "the translator does not take the input"),
    34: (Outcome.REJECTED, "the search does not support the task"),
    # A component that was ended by SIGXCPU (-24) before it could say so.
    256 - 24: (Outcome.TIME_LIMIT, "a component was ended at its limit of processor time"),
}
"""Exit codes of its driver, each with how planning ended and why."""

_CODES_WITH_PLAN = range(4)
"""Exit codes after which there is a plan; from 1 on a limit ended the search for better ones."""

_EXPLAINED = (Outcome.REJECTED, Outcome.CRASHED)
"""Outcomes whose reason is in the output; of the others the exit code says all."""


@dataclass(frozen=True, slots=True)
class FastDownward:
    """Fast Downward as an engine.

    Args:
        arguments: Options of its driver after the file names, or an alias before them:
            ``("--alias", "lama-first")``, ``("--search", "astar(hmax())")``.
        name: Name of the engine.
        optimal: Whether the options make it search for the cheapest plans.
        driver: ``fast-downward.py`` of another build than the wheel's.
    """

    arguments: Sequence[str] = ("--alias", "lama-first")
    name: str = "fast-downward"
    optimal: bool = False
    driver: Path | None = None

    @property
    def version(self) -> str:
        """Version of the wheel, or the driver, with the options; empty if there is none."""
        build = str(self.driver or version_of(_DISTRIBUTION))
        return build and f"{build} {' '.join(self.arguments)}"

    def solve(
        self,
        domain: Domain,
        problem: Problem,
        *,
        time_limit: float | None,
        memory_limit: float | None,
    ) -> PlanningResult:
        """Find a plan with Fast Downward.

        The task is written as PDDL into a temporary folder, Fast Downward is run there, and the
        plan file is read. If there is no plan, the exit code gives the reason.

        Args:
            domain: The domain.
            problem: The problem.
            time_limit: Seconds of processor time; None for no limit.
            memory_limit: Megabytes; None for no limit.
        """
        try:
            driver = self.driver or driver_of_wheel()
        except MissingExtraError as error:
            return PlanningResult.of(self, Outcome.NOT_INSTALLED, str(error))
        reason = _costs_not_taken(domain, optimal=self.optimal)
        if reason is not None:
            return PlanningResult.of(self, Outcome.REJECTED, reason)
        command = self._command(driver, time_limit, memory_limit)
        # If the task cannot be written as PDDL for planners, no process is started.
        try:
            task = format_task(*_with_what_is_taken(domain, problem))
        except InputError as error:
            return PlanningResult.of(self, Outcome.REJECTED, str(error))
        with tempfile.TemporaryDirectory(prefix="eai-") as folder:
            write_task(task, Path(folder))
            # The driver of Fast Downward keeps the limits, and reports which of them ended it.
            process = run(command, folder=folder, time_limit=time_limit, limits_itself=True)
            plan = _last_plan(Path(folder))
        if process.late:
            return PlanningResult.of(self, Outcome.TIME_LIMIT, "it did not end by itself")
        if process.code in _CODES_WITH_PLAN and plan is not None:
            steps = read_steps(plan, task)
            return PlanningResult.of(self, Outcome.SOLVED, "found", steps, optimal=self.optimal)
        # A code of success without a plan is a crash as well.
        outcome, reason = _CODES.get(process.code, (Outcome.CRASHED, f"exit code {process.code}"))
        if outcome in _EXPLAINED:
            message = _last_message(f"{process.output}\n{process.errors}")
            if message:
                reason = f"{reason}: {message}"
        return PlanningResult.of(self, outcome, reason)

    def _command(
        self, driver: Path, time_limit: float | None, memory_limit: float | None
    ) -> list[str]:
        """Return the command line that plans for ``domain.pddl`` and ``problem.pddl``.

        Args:
            driver: The script ``fast-downward.py``.
            time_limit: Seconds for translation and search together; None for no limit.
            memory_limit: Megabytes; None for no limit.
        """
        command = [sys.executable, str(driver), "--plan-file", "plan"]
        # The driver takes whole numbers; a limit below one must not become zero.
        if time_limit is not None:
            command += ["--overall-time-limit", f"{math.ceil(time_limit)}s"]
        if memory_limit is not None:
            command += ["--overall-memory-limit", f"{math.ceil(memory_limit)}M"]
        task_files = ["domain.pddl", "problem.pddl"]
        # An alias is an option of the driver, before the files. Options of the search follow them.
        if self.arguments[:1] == ("--alias",):
            return [*command, *self.arguments, *task_files]
        return [*command, *task_files, *self.arguments]


def _last_message(output: str) -> str:
    """Return the last line of an output that is not blank, or ""."""
    # The error is the last line before those of the driver.
    for line in reversed(output.splitlines()):
        message = line.strip()
        if message and not message.startswith(_NOISE):
            return message
    return ""


def _costs_not_taken(domain: Domain, *, optimal: bool) -> str | None:
    """Return which costs Fast Downward 26.6 ignores, or None if it counts all that matter.

    Its translator stops at costs inside of effects, and of several of one action counts the last.
    """
    for name, operator in domain.operators.items():
        costs = list(cost_clauses(operator.effect))
        if any(cost.variables or cost.condition != TRUE for cost in costs):
            return f"Fast Downward takes no costs under 'when' or 'forall' (action {name!r})"
        if optimal and len(costs) > 1:
            return f"Fast Downward counts only one cost of an action (action {name!r})"
    return None


def _with_what_is_taken(domain: Domain, problem: Problem) -> tuple[Domain, Problem]:
    """Return a task with the same plans that the translator of Fast Downward 26.6 does not stop at.

    It stops at some costs without values, so actions get them as preconditions.
    """
    domain, problem = with_values(domain, problem)
    return _with_forall_outside(domain), problem


def _with_forall_outside(domain: Domain) -> Domain:
    """Return a domain in which no effect has 'forall' inside of 'when'.

    The translator stops at such effects, too. They become one effect for each literal, with the
    quantifiers outside of all conditions.
    """
    operators = dict(domain.operators)
    for name, operator in domain.operators.items():
        if not _has_forall_in_when(operator.effect):
            continue
        names = [parameter.name for parameter in operator.parameters]
        literals = [clause.effect for clause in clauses(operator.effect, names)]
        costs = [CostEffect(cost.amount) for cost in cost_clauses(operator.effect)]
        operators[name] = replace(operator, effect=AndEffect((*literals, *costs)))
    return replace(domain, operators=operators)


def _has_forall_in_when(effect: Effect, *, is_conditional: bool = False) -> bool:
    """Return whether a quantified effect stands inside of a conditional one."""
    if isinstance(effect, AndEffect):
        parts = effect.parts
        return any(_has_forall_in_when(part, is_conditional=is_conditional) for part in parts)
    if isinstance(effect, WhenEffect):
        return _has_forall_in_when(effect.effect, is_conditional=True)
    if isinstance(effect, ForallEffect):
        return is_conditional or _has_forall_in_when(effect.effect)
    return False


def _last_plan(folder: Path) -> list[list[str]] | None:
    """Return the steps of the best written plan as words, or None if there is none."""
    # plan, or plan.1, plan.2, ... plan.10: the last one is the best.
    files = sorted(folder.glob("plan*"), key=lambda file: (len(file.name), file))
    if not files:
        return None
    # One (name object ...) a line, and comments.
    lines = files[-1].read_text(encoding="utf-8").splitlines()
    return [line.strip("() ").split() for line in lines if line.startswith("(")]


@cache
def driver_of_wheel() -> Path:
    """Return the path of the driver in the wheel, without importing the package.

    Raises:
        MissingExtraError: If the wheel is not installed.
    """
    folders: Iterable[str] = ()
    spec = importlib.util.find_spec(_MODULE)
    if spec is not None:
        folders = spec.submodule_search_locations or ()
    for folder in folders:
        driver = Path(folder, "downward", "fast-downward.py")
        if driver.exists():
            return driver
    raise MissingExtraError(_DISTRIBUTION, extra="planners", purpose="the engine 'fast-downward'")
