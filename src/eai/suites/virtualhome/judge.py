"""The judging half of suites whose world is VirtualHome; the world is loaded when it is needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from eai.semantics import Quirk, Semantics
from eai.suites.judges import JudgedSuite, Judges
from eai.suites.virtualhome.quirks import OFFICIAL_VERSION, QUIRKS

if TYPE_CHECKING:
    from eai.interaction.protocol import Environment
    from eai.interaction.rules import EpisodeRules
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
    goals_in_order = False
    """Whether the order in which a goal demands things counts where tasks are acted in."""

    def execution(self, task: Task, answer: str, semantics: Semantics) -> Execution | None:
        """Run an answer again, to tell its story; None if it has grammar errors."""
        from eai.suites.virtualhome.judging import execution

        return execution(task, answer, semantics)

    def environment(self, task: Task, semantics: Semantics) -> Environment:
        """See :meth:`eai.suites.interactive.InteractiveSuite.environment`."""
        from eai.suites.virtualhome.interaction import environment

        return environment(task, semantics)

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        """See :meth:`eai.suites.interactive.InteractiveSuite.episode_rules`."""
        from eai.suites.virtualhome.interaction import episode_rules

        return episode_rules(task, semantics, ordered=self.goals_in_order)
