"""Planners that are Python packages: pyperplan, Kairos, and the engines of unified-planning.

Each is called by :mod:`eai.planning.engines.child` in a process of its own. It gets the task as
PDDL text and is never imported here, so a crash, a limit or a licence of it stays its own.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eai.errors import InputError, MissingExtraError, install_hint
from eai.pddl import Domain, Problem, TaskText, format_task
from eai.planning.limits import Ended, run
from eai.planning.results import Outcome, PlanningResult, version_of
from eai.world import Action

_CPU_LIMIT_SIGNALS = (-24, -9)
"""Exit codes of a process that reached its limit of processor time: SIGXCPU, then SIGKILL."""


@dataclass(frozen=True, slots=True)
class PackageEngine:
    """A planner that is used through a Python package.

    Args:
        name: Name of the engine.
        module: The package that is imported to call it.
        distributions: The packages that pip installs for it; its versions are those of the engine.
        caller: The function of :mod:`eai.planning.engines.child` that calls it.
        arguments: Further arguments of that function, besides the task.
    """

    name: str
    module: str
    distributions: Sequence[str]
    caller: str
    arguments: Sequence[str] = ()

    @property
    def version(self) -> str:
        """Versions of its distributions and its arguments, or "" if it is not installed."""
        if not self._is_installed():
            return ""
        versions = [version_of(distribution) for distribution in self.distributions]
        return " ".join([*filter(None, versions), *self.arguments])

    def solve(
        self,
        domain: Domain,
        problem: Problem,
        *,
        time_limit: float | None,
        memory_limit: float | None,
    ) -> PlanningResult:
        """Find a plan with the engine, in another process.

        A limit or a crash then only ends that process. Task and answer are passed in files.

        Args:
            domain: The domain.
            problem: The problem.
            time_limit: Seconds of processor time; None for no limit.
            memory_limit: Megabytes; None for no limit.
        """
        if not self._is_installed():
            missing = MissingExtraError(
                self.distributions[0], extra="planners", purpose=f"the engine {self.name!r}"
            )
            missing.mend = install_hint("planners", *self.distributions)
            return PlanningResult.of(self, Outcome.NOT_INSTALLED, str(missing))
        # If the task cannot be written as PDDL for planners, no process is started.
        try:
            task = format_task(domain, problem)
        except InputError as error:
            return PlanningResult.of(self, Outcome.REJECTED, str(error))
        with tempfile.TemporaryDirectory(prefix="eai-") as folder:
            write_task(task, Path(folder))
            # An empty text stands for no limit.
            limit = "" if time_limit is None else str(time_limit)
            command = [sys.executable, "-m", "eai.planning.engines.child", self.caller, limit]
            process = run(
                [*command, *self.arguments],
                folder=folder,
                time_limit=time_limit,
                memory_limit=memory_limit,
            )
            answer_path = Path(folder, "answer.json")
            answer_text = answer_path.read_text(encoding="utf-8") if answer_path.exists() else None
        if answer_text is None:
            return self._ended_without_answer(process)
        return self._result_of(json.loads(answer_text), task)

    def _is_installed(self) -> bool:
        """Return whether the package is there; it is looked for, and not imported."""
        return importlib.util.find_spec(self.module) is not None

    def _ended_without_answer(self, ended: Ended) -> PlanningResult:
        """Return the result for a process that hit a limit or crashed."""
        # The last line of a Python traceback names the exception.
        lines = ended.errors.strip().splitlines()
        last_line = lines[-1] if lines else f"exit code {ended.code}"
        if ended.late or ended.code in _CPU_LIMIT_SIGNALS:
            return PlanningResult.of(self, Outcome.TIME_LIMIT, "it was stopped")
        if "MemoryError" in last_line or "bad_alloc" in last_line:
            return PlanningResult.of(self, Outcome.MEMORY_LIMIT, last_line)
        return PlanningResult.of(self, Outcome.CRASHED, last_line)

    def _result_of(self, answer: Mapping[str, Any], task: TaskText) -> PlanningResult:
        """Return the result for a process that wrote an answer.

        Args:
            answer: The fields of :class:`eai.planning.engines.child.ChildAnswer`, from JSON.
            task: The task as the process got it.
        """
        steps = answer["plan"]
        plan: list[Action] | None = None
        if steps is not None:
            plan = read_steps(steps, task)
        return PlanningResult.of(
            self,
            Outcome(answer["outcome"]),
            answer["reason"],
            plan,
            optimal=answer["is_optimal"],
        )


def write_task(task: TaskText, folder: Path) -> None:
    """Write a task to ``domain.pddl`` and ``problem.pddl`` in a folder."""
    (folder / "domain.pddl").write_text(task.domain, encoding="utf-8")
    (folder / "problem.pddl").write_text(task.problem, encoding="utf-8")


def read_steps(steps: Sequence[Sequence[str]], task: TaskText) -> list[Action]:
    """Return the actions of a plan in the task's original names.

    An unknown name is kept, and the validation of the plan reports it.
    """
    actions = []
    # Some names of a task are not valid in PDDL, so ``format_task`` respells them.
    for name, *words in steps:
        arguments = tuple(task.objects.get(word, word) for word in words)
        actions.append(Action(task.actions.get(name, name), arguments))
    return actions


PYPERPLAN = PackageEngine(
    "pyperplan", "pyperplan", ("pyperplan",), "call_pyperplan", ("gbf", "hff")
)
"""pyperplan: STRIPS with types and without costs; greedy best-first search with relaxed plans."""

KAIROS = PackageEngine("kairos", "kairos", ("kairos-planner",), "call_kairos")
"""Kairos: ADL with derived predicates and action costs."""


_UNIFIED_ENGINES = (
    "aries",
    "enhsp",
    "fast-downward",
    "fmap",
    "kairos",
    "lpg",
    "pyperplan",
    "symk",
    "tamer",
)
"""Engines of unified-planning whose packages have their names behind ``up-``."""


def unified_engine(engine: str) -> PackageEngine:
    """Return an engine of unified-planning.

    Args:
        engine: Its name there, such as ``"enhsp"`` or ``"pyperplan-opt"``.
    """
    packages = []
    for name in _UNIFIED_ENGINES:
        # "enhsp-opt" is another engine of the package of "enhsp".
        if engine == name or engine.startswith(f"{name}-"):
            packages.append(f"up-{name}")
    return PackageEngine(
        f"unified:{engine}",
        "unified_planning",
        ("unified-planning", *packages),
        "call_unified",
        (engine,),
    )
