"""The suite ``virtualhome``: the 342 VirtualHome tasks of the Embodied Agent Interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eai.semantics import Quirk
from eai.suites.judges import Judges
from eai.suites.transition.quirks import TRANSITION_QUIRKS
from eai.suites.virtualhome.judge import VirtualHomeJudge
from eai.suites.virtualhome.quirks import QUIRKS
from eai.suites.virtualhome.quirks_goal_interpretation import GOAL_INTERPRETATION_QUIRKS
from eai.suites.virtualhome.subgoal_quirks import SUBGOAL_QUIRKS
from eai.suites.virtualhome.tasks import load_task, task_ids
from eai.task import Task

__all__ = ["VirtualHome"]

_PREFIX = "scene_1_"


class VirtualHome(VirtualHomeJudge):
    """VirtualHome tasks of the Embodied Agent Interface (official data, fetched once)."""

    name = "virtualhome"
    title = "Embodied Agent Interface, VirtualHome: 342 household tasks in one flat"
    version = "eai-eval 1.0.5 data"
    judges = Judges(
        {
            "goal_interpretation": "eai.suites.virtualhome.goal_interpretation:judge",
            "action_sequencing": "eai.suites.virtualhome.judging:judge_actions",
            "subgoal_decomposition": "eai.suites.virtualhome.subgoal_decomposition:judge_subgoals",
            "transition_modeling": "eai.suites.transition.judging:judge_virtualhome",
            "interaction": "eai.suites.virtualhome.interaction:judge",
        }
    )
    quirks: Mapping[str, Quirk] = {
        **QUIRKS,
        **SUBGOAL_QUIRKS,
        **GOAL_INTERPRETATION_QUIRKS,
        **TRANSITION_QUIRKS,
    }

    def task_ids(self) -> Sequence[str]:
        """Identifiers of all tasks, in the order of the annotation."""
        return task_ids()

    def task(self, task_id: str) -> Task:
        """Load one task; only its own part of the data is read.

        Raises:
            UnknownNameError: If there is no such task.
            DataMissingError: If the official data was not fetched.
        """
        return load_task(task_id)

    def canonical_id(self, raw: str) -> str:
        """Remove the scene from an identifier (``scene_1_27_2`` is task ``27_2``)."""
        return raw.removeprefix(_PREFIX)
