"""Engines of unified-planning behind our interface, each run in a process of its own."""

from __future__ import annotations

import json
import math
import pickle
import resource
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from eai.pddl import Domain, Problem
from eai.planning.limits import run
from eai.planning.results import Outcome, PlanningResult, version_of
from eai.world import Action

_STATUS = {
    "SOLVED_SATISFICING": Outcome.SOLVED,
    "SOLVED_OPTIMALLY": Outcome.SOLVED,
    "UNSOLVABLE_PROVEN": Outcome.UNSOLVABLE,
    "UNSOLVABLE_INCOMPLETELY": Outcome.INCOMPLETE,
    "TIMEOUT": Outcome.TIME_LIMIT,
    "MEMOUT": Outcome.MEMORY_LIMIT,
    "UNSUPPORTED_PROBLEM": Outcome.REJECTED,
    "REJECTED": Outcome.REJECTED,
    "NOT_INSTALLED": Outcome.NOT_INSTALLED,
}


@dataclass(frozen=True, slots=True)
class UnifiedEngine:
    """An engine that unified-planning knows.

    Args:
        engine: Its name there.
        distribution: The distribution that brings it, for its version.
    """

    engine: str
    distribution: str = "unified-planning"

    @property
    def name(self) -> str:
        """Its name in unified-planning."""
        return self.engine

    @property
    def version(self) -> str:
        """Version of its distribution; empty if that is not installed."""
        return version_of(self.distribution)

    def solve(
        self,
        domain: Domain,
        problem: Problem,
        *,
        time_limit: float | None,
        memory_limit: float | None,
    ) -> PlanningResult:
        """Plan; see :func:`eai.planning.plan`."""
        with tempfile.TemporaryDirectory(prefix="eai-") as folder:
            Path(folder, "task").write_bytes(pickle.dumps((domain, problem)))
            ended = run(
                [sys.executable, "-m", "eai.planning.unified.process", self.engine],
                folder=folder,
                time_limit=time_limit,
                before=partial(_limit, time_limit, memory_limit),
            )
            answer = Path(folder, "answer")
            text = answer.read_text(encoding="utf-8") if answer.exists() else None
        if text is None:
            said = (ended.errors.strip().splitlines() or [f"exit code {ended.code}"])[-1]
            if ended.late or ended.code in (-24, -9):
                return PlanningResult.of(self, Outcome.TIME_LIMIT, "it was stopped")
            full = said.startswith("MemoryError")
            outcome = Outcome.MEMORY_LIMIT if full else Outcome.CRASHED
            return PlanningResult.of(self, outcome, said)
        found = json.loads(text)
        status, steps = found["status"], found["plan"]
        plan = None if steps is None else [Action(step[0], tuple(step[1:])) for step in steps]
        return PlanningResult.of(
            self,
            _STATUS.get(status, Outcome.CRASHED),
            found["reason"] or status,
            plan,
            optimal=status == "SOLVED_OPTIMALLY",
        )


PYPERPLAN = UnifiedEngine("pyperplan", "up-pyperplan")
"""pyperplan (STRIPS without costs), which is under the GPL and reached by its name only."""


def _limit(time_limit: float | None, memory_limit: float | None) -> None:
    if time_limit is not None:
        seconds = math.ceil(time_limit)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    if memory_limit is not None:
        size = math.ceil(memory_limit * 1e6)
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
