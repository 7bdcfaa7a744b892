"""What a suite is: a benchmark's tasks, its simulator, and how it scores answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeGuard

if TYPE_CHECKING:
    from eai.diagnosis.judgement import Judgement
    from eai.semantics import Quirk, Semantics
    from eai.simulators.base import Execution
    from eai.task import Task

__all__ = ["PromptedSuite", "Suite", "is_prompted"]


class Suite(Protocol):
    """A benchmark.

    Third parties register theirs in the entry-point group ``eai.suites``; the entry is called
    without arguments and returns an object like this.
    """

    name: str
    """Name on the command line."""
    title: str
    """One line that says what it is."""
    version: str
    """Version of the tasks, printed in every report."""
    quirks: Mapping[str, Quirk]
    """The quirks that ``official`` switches on."""
    official_version: str
    """The evaluator that ``official`` reproduces."""
    default_semantics: str
    """The semantics that is used when none is asked for."""

    @property
    def abilities(self) -> Sequence[str]:
        """Names of the abilities that can be judged."""
        ...

    def task_ids(self) -> Sequence[str]:
        """Identifiers of all tasks, in the benchmark's order."""
        ...

    def task(self, task_id: str) -> Task:
        """Load one task.

        Raises:
            UnknownNameError: If there is no such task.
        """
        ...

    def canonical_id(self, raw: str) -> str:
        """The identifier that a prediction file means (a prefix removed, for instance)."""
        ...

    def semantics(
        self, choice: str | Semantics, *, without: Iterable[str] = (), only: Iterable[str] = ()
    ) -> Semantics:
        """Resolve the semantics that a user asked for."""
        ...

    def judge(
        self, ability: str, task: Task, answer: str | None, semantics: Semantics
    ) -> Judgement:
        """Judge one answer; None stands for a missing one."""
        ...

    def execution(self, task: Task, answer: str, semantics: Semantics) -> Execution | None:
        """Run an answer again, to tell its story; None if it has grammar errors."""
        ...


class PromptedSuite(Suite, Protocol):
    """A suite that words its own prompts."""

    def prompt(self, ability: str, task: Task) -> str | None:
        """What to ask a model for one task; None if the task does not have the ability."""
        ...


def is_prompted(suite: Suite) -> TypeGuard[PromptedSuite]:
    """Whether a suite words its own prompts."""
    return hasattr(suite, "prompt")
