"""The suite ``behavior``: the 100 BEHAVIOR tasks of the Embodied Agent Interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from eai.semantics import Quirk, Semantics
from eai.simulators.base import Execution
from eai.suites.behavior.judging import rerun
from eai.suites.behavior.quirks import OFFICIAL_VERSION, QUIRKS
from eai.suites.behavior.quirks_goal_interpretation import GOAL_INTERPRETATION_QUIRKS
from eai.suites.behavior.subgoal_quirks import SUBGOAL_QUIRKS
from eai.suites.behavior.tasks import behavior_task_ids, load_task
from eai.suites.judges import JudgedSuite, Judges
from eai.suites.transition.quirks import TRANSITION_QUIRKS
from eai.task import Task

if TYPE_CHECKING:
    from eai.interaction.protocol import Environment
    from eai.interaction.rules import EpisodeRules

__all__ = ["Behavior"]


class Behavior(JudgedSuite):
    """BEHAVIOR tasks of the Embodied Agent Interface (official data, fetched once)."""

    name = "behavior"
    title = "Embodied Agent Interface, BEHAVIOR: 100 household activities, one scene each"
    version = "eai-eval 1.0.5 data"
    judges = Judges(
        {
            "goal_interpretation": "eai.suites.behavior.goal_interpretation:judge",
            "action_sequencing": "eai.suites.behavior.judging:judge_actions",
            "subgoal_decomposition": "eai.suites.behavior.subgoal_decomposition:judge_subgoals",
            "transition_modeling": "eai.suites.transition.judging:judge_behavior",
            "interaction": "eai.suites.behavior.interaction:judge",
        }
    )
    quirks: Mapping[str, Quirk] = {
        **QUIRKS,
        **SUBGOAL_QUIRKS,
        **GOAL_INTERPRETATION_QUIRKS,
        **TRANSITION_QUIRKS,
    }
    official_version = OFFICIAL_VERSION

    def task_ids(self) -> Sequence[str]:
        """Identifiers of all tasks, in the order of the release."""
        return behavior_task_ids()

    def task(self, task_id: str) -> Task:
        """Load one task; only its own part of the data is read.

        Raises:
            UnknownNameError: If there is no such task.
            DataMissingError: If the official data was not fetched.
        """
        return load_task(task_id)

    def canonical_id(self, raw: str) -> str:
        """Identifiers are the names of the demos, as they are."""
        return raw

    def execution(self, task: Task, answer: str, semantics: Semantics) -> Execution | None:
        """Run an answer again, to tell its story; None if it has grammar errors."""
        return rerun(task, answer, semantics)

    def environment(self, task: Task, semantics: Semantics) -> Environment:
        """See :meth:`eai.suites.interactive.InteractiveSuite.environment`."""
        from eai.suites.behavior.interaction import environment

        return environment(task, semantics)

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        """See :meth:`eai.suites.interactive.InteractiveSuite.episode_rules`."""
        from eai.suites.behavior.interaction import episode_rules

        return episode_rules(task, semantics)
