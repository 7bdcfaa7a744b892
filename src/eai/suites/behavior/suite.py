"""The suite ``behavior``: the 100 BEHAVIOR tasks of the Embodied Agent Interface."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from eai.contract import Ability, Store, Suite
from eai.semantics import Quirk, Semantics
from eai.suites.behavior.quirks import (
    GOAL_INTERPRETATION_QUIRKS,
    OFFICIAL_VERSION,
    QUIRKS,
    SUBGOAL_QUIRKS,
)
from eai.suites.behavior.tasks import BehaviorStore, behavior_task_ids, load_task
from eai.suites.transition.data import OperatorStore
from eai.suites.transition.quirks import TRANSITION_QUIRKS
from eai.task import Task

if TYPE_CHECKING:
    from eai.acting import EpisodeRules
    from eai.simulators import Environment
    from eai.suites.behavior.plans import BehaviorPlans

_HERE = "eai.suites.behavior"

_FORMER = {
    "cleaning_up_after_a_meal_0_Merom_1_int_0_2021-06-06_19-55-27": (
        "cleaning_up_after_a_meal_0_Wainscott_0_int_0_2021-10-20_05-33-24"
    )
}
"""The paper's answers are to an earlier recording of one activity. Its goal is the same in every
scene, and the published evaluator looks up subgoals by their activity."""


class Behavior(Suite):
    """BEHAVIOR tasks of the Embodied Agent Interface (official data, fetched once)."""

    name = "behavior"
    title = "Embodied Agent Interface, BEHAVIOR: 100 household activities, one scene each"
    version = "eai-eval 1.0.5 data"
    default_semantics = "official"
    official_version = OFFICIAL_VERSION
    abilities: Mapping[str, Ability] = {
        "goal_interpretation": Ability(
            f"{_HERE}.goal_interpretation:evaluate",
            f"{_HERE}.prompts:goal_interpretation",
            former=_FORMER,
        ),
        "action_sequencing": Ability(prompt=f"{_HERE}.prompts:action_sequencing"),
        "subgoal_decomposition": Ability(
            f"{_HERE}.subgoals:evaluate_subgoals",
            f"{_HERE}.prompts:subgoal_decomposition",
            former=_FORMER,
        ),
        "transition_modeling": Ability(
            "eai.suites.transition.evaluation:evaluate_behavior",
            "eai.suites.transition.prompts:behavior",
            operators="eai.suites.transition.operators:behavior",
        ),
        "interaction": Ability(f"{_HERE}.interaction:evaluate"),
    }
    quirks: Mapping[str, Quirk] = {
        **QUIRKS,
        **SUBGOAL_QUIRKS,
        **GOAL_INTERPRETATION_QUIRKS,
        **TRANSITION_QUIRKS,
    }

    def plans(self, semantics: Semantics) -> BehaviorPlans:
        """How plans are read, run and scored."""
        from eai.suites.behavior.plans import BehaviorPlans

        return BehaviorPlans(semantics)

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

    def stores(self) -> Sequence[Store]:
        """What is converted when the data is fetched: tasks, and operators."""
        return (BehaviorStore(), OperatorStore("behavior"))

    def published_prompts(self, ability: str) -> Iterator[tuple[str, str]]:
        """Yield task and text of the prompts in the release.

        Raises:
            InputError: If there are none for the ability.
            DataMissingError: If the data was not fetched.
        """
        from eai.suites.behavior.prompts import published_prompts

        return published_prompts(ability)

    def listed_literals(self, task: Task) -> Sequence[Sequence[str]]:
        """The literals of the first option that the release lists for each condition."""
        from eai.suites.behavior.annotations import goal_conditions

        return [literal for options in goal_conditions(task.id) for literal in options[0]]

    def environment(self, task: Task, semantics: Semantics) -> Environment:
        """Set up the environment of a task."""
        from eai.suites.behavior.interaction import environment

        return environment(task, semantics)

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        """Say what an episode of a task is: limits, goal, how answers are read."""
        from eai.suites.behavior.interaction import episode_rules

        return episode_rules(task, semantics)
