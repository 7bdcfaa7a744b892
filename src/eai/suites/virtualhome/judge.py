"""The judging half of suites whose world is VirtualHome; the world is loaded when it is needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from eai.semantics import Quirk, Semantics
from eai.suites.judges import JudgedSuite, Judges
from eai.suites.virtualhome.quirks import OFFICIAL_VERSION, QUIRKS

if TYPE_CHECKING:
    from eai.simulators.base import Execution
    from eai.task import Task

__all__ = ["VirtualHomeJudge"]


class VirtualHomeJudge(JudgedSuite):
    """The judging half of a suite whose world is VirtualHome.

    Subclasses bring the tasks and say which quirks make sense for them.
    """

    judges = Judges({"action_sequencing": "eai.suites.virtualhome.judging:judge_actions"})
    quirks: Mapping[str, Quirk] = QUIRKS
    official_version = OFFICIAL_VERSION

    def execution(self, task: Task, answer: str, semantics: Semantics) -> Execution | None:
        """Run an answer again, to tell its story; None if it has grammar errors."""
        from eai.suites.virtualhome.judging import execution

        return execution(task, answer, semantics)
