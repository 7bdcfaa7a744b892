"""The suite ``behavior``: the 100 BEHAVIOR tasks of the Embodied Agent Interface."""

from __future__ import annotations

from collections.abc import Mapping

from eai.contract import Ability
from eai.semantics import Quirk
from eai.suites.behavior.quirks import GOAL_INTERPRETATION_QUIRKS, QUIRKS, SUBGOAL_QUIRKS
from eai.suites.behavior.tasks import BehaviorStore
from eai.suites.shared.embodied import OfficialSuite, transition_modeling
from eai.suites.transition.quirks import TRANSITION_QUIRKS

_HERE = "eai.suites.behavior"

_FORMER = {
    "cleaning_up_after_a_meal_0_Merom_1_int_0_2021-06-06_19-55-27": (
        "cleaning_up_after_a_meal_0_Wainscott_0_int_0_2021-10-20_05-33-24"
    )
}
"""The paper's answers are to an earlier recording of one activity. Its goal is the same in every
scene, and the published evaluator looks up subgoals by their activity."""


def _files(ability: str, *names: str) -> list[str]:
    """Return the files of an ability's prompts in the release."""
    folder = f"behavior_eval/evaluation/{ability}/resources/prompts"
    return [f"{folder}/{name}.json" for name in names]


class Behavior(OfficialSuite):
    """BEHAVIOR tasks of the Embodied Agent Interface (official data, fetched once)."""

    name = "behavior"
    title = "Embodied Agent Interface, BEHAVIOR: 100 household activities, one scene each"
    plans_class = f"{_HERE}.plans:BehaviorPlans"
    store = BehaviorStore
    prompt_files = {  # noqa: RUF012
        "goal_interpretation": _files("goal_interpretation", "user_prompts", "system_setup"),
        "action_sequencing": _files("action_sequencing", "helm_prompts"),
        "subgoal_decomposition": _files("subgoal_decomposition", "helm_prompts", "system_setup"),
        "transition_modeling": _files("transition_modeling", "helm_prompts"),
    }
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
        "transition_modeling": transition_modeling("behavior"),
        "interaction": Ability(acting=f"{_HERE}.interaction"),
        "recorded": Ability(),
    }
    quirks: Mapping[str, Quirk] = {
        **QUIRKS,
        **SUBGOAL_QUIRKS,
        **GOAL_INTERPRETATION_QUIRKS,
        **TRANSITION_QUIRKS,
    }

    def canonical_id(self, raw: str) -> str:
        """Return the name of a demo, which is its identifier, as it is."""
        return raw
