"""The suite ``virtualhome``: the 342 VirtualHome tasks of the Embodied Agent Interface."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from eai.contract import Ability, Store, Suite
from eai.semantics import Quirk, Semantics
from eai.suites.transition.data import OperatorStore
from eai.suites.transition.quirks import TRANSITION_QUIRKS
from eai.suites.virtualhome.quirks import (
    GOAL_INTERPRETATION_QUIRKS,
    OFFICIAL_VERSION,
    QUIRKS,
    SUBGOAL_QUIRKS,
)
from eai.suites.virtualhome.tasks import HomeStore, load_task, task_ids
from eai.task import Task

if TYPE_CHECKING:
    from eai.acting import EpisodeRules
    from eai.simulators import Environment
    from eai.suites.virtualhome.plans import VirtualHomePlans

_HERE = "eai.suites.virtualhome"

HOME_ABILITIES = {
    "goal_interpretation": Ability(
        f"{_HERE}.goal_interpretation:evaluate", f"{_HERE}.prompts:goal_interpretation"
    ),
    "action_sequencing": Ability(prompt=f"{_HERE}.prompts:action_sequencing"),
    "subgoal_decomposition": Ability(
        f"{_HERE}.subgoals:evaluate_subgoals", f"{_HERE}.prompts:subgoal_decomposition"
    ),
    "interaction": Ability(f"{_HERE}.interaction:evaluate"),
}
"""Abilities of suites whose world is VirtualHome."""


class HomeSuite(Suite):
    """A suite whose world is VirtualHome; subclasses bring tasks, abilities and quirks."""

    official_version = OFFICIAL_VERSION

    def plans(self, semantics: Semantics) -> VirtualHomePlans:
        """How plans are read, run and scored."""
        from eai.suites.virtualhome.plans import VirtualHomePlans

        return VirtualHomePlans(semantics)

    def environment(self, task: Task, semantics: Semantics) -> Environment:
        """Set up the environment of a task."""
        from eai.suites.virtualhome.interaction import environment

        return environment(task, semantics)

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        """Say what an episode of a task is: limits, goal, how answers are read."""
        from eai.suites.virtualhome.interaction import episode_rules

        return episode_rules(task, semantics)


class VirtualHome(HomeSuite):
    """VirtualHome tasks of the Embodied Agent Interface (official data, fetched once)."""

    name = "virtualhome"
    title = "Embodied Agent Interface, VirtualHome: 342 household tasks in one flat"
    version = "eai-eval 1.0.5 data"
    default_semantics = "official"
    abilities: Mapping[str, Ability] = {
        "goal_interpretation": HOME_ABILITIES["goal_interpretation"],
        "action_sequencing": HOME_ABILITIES["action_sequencing"],
        "subgoal_decomposition": HOME_ABILITIES["subgoal_decomposition"],
        "transition_modeling": Ability(
            "eai.suites.transition.evaluation:evaluate_virtualhome",
            "eai.suites.transition.prompts:virtualhome",
            operators="eai.suites.transition.operators:virtualhome",
        ),
        "interaction": HOME_ABILITIES["interaction"],
    }
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
        return raw.removeprefix("scene_1_")

    def stores(self) -> Sequence[Store]:
        """What is converted when the data is fetched: tasks, and operators."""
        return (HomeStore(), OperatorStore("virtualhome"))

    def published_prompts(self, ability: str) -> Iterator[tuple[str, str]]:
        """Yield task and text of the prompts in the release.

        Raises:
            InputError: If there are none for the ability.
            DataMissingError: If the data was not fetched.
        """
        from eai.suites.virtualhome.prompts import published_prompts

        return published_prompts(ability)
