"""The suite ``virtualhome``: the 342 VirtualHome tasks of the Embodied Agent Interface."""

from __future__ import annotations

from collections.abc import Mapping

from eai.contract import Ability
from eai.semantics import Quirk
from eai.suites.shared.embodied import EmbodiedSuite, OfficialSuite, transition_modeling
from eai.suites.transition.quirks import TRANSITION_QUIRKS
from eai.suites.virtualhome.quirks import (
    GOAL_INTERPRETATION_QUIRKS,
    QUIRKS,
    SUBGOAL_QUIRKS,
)
from eai.suites.virtualhome.tasks import HomeStore

_HERE = "eai.suites.virtualhome"


def _files(ability: str, *names: str) -> list[str]:
    """Return the files of an ability's prompts in the release."""
    return [f"virtualhome_eval/evaluation/{ability}/prompts/{name}.json" for name in names]


HOME_ABILITIES = {
    "goal_interpretation": Ability(
        f"{_HERE}.goal_interpretation:evaluate", f"{_HERE}.prompts:goal_interpretation"
    ),
    "action_sequencing": Ability(prompt=f"{_HERE}.prompts:action_sequencing"),
    "subgoal_decomposition": Ability(
        f"{_HERE}.subgoals:evaluate_subgoals", f"{_HERE}.prompts:subgoal_decomposition"
    ),
    "interaction": Ability(acting=f"{_HERE}.interaction"),
    "recorded": Ability(),
}
"""Abilities of suites whose world is VirtualHome."""


class HomeSuite(EmbodiedSuite):
    """A suite whose world is VirtualHome. Subclasses add tasks, abilities and quirks."""

    plans_class = f"{_HERE}.plans:VirtualHomePlans"


class VirtualHome(OfficialSuite, HomeSuite):
    """VirtualHome tasks of the Embodied Agent Interface (official data, fetched once)."""

    name = "virtualhome"
    title = "Embodied Agent Interface, VirtualHome: 342 household tasks in one flat"
    store = HomeStore
    prompt_files = {  # noqa: RUF012
        "action_sequencing": _files("action_sequencing", "helm_prompts"),
        "subgoal_decomposition": _files("subgoal_decomposition", "helm_prompts", "system_setup"),
        "transition_modeling": _files("transition_modeling", "helm_prompts"),
    }
    abilities: Mapping[str, Ability] = {
        **HOME_ABILITIES,
        "transition_modeling": transition_modeling("virtualhome"),
    }
    quirks: Mapping[str, Quirk] = {
        **QUIRKS,
        **SUBGOAL_QUIRKS,
        **GOAL_INTERPRETATION_QUIRKS,
        **TRANSITION_QUIRKS,
    }

    def canonical_id(self, raw: str) -> str:
        """Remove the scene from an identifier (``scene_1_27_2`` is task ``27_2``)."""
        return raw.removeprefix("scene_1_")
