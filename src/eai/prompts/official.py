"""The prompts of the published release, read from the fetched data."""

from __future__ import annotations

from collections.abc import Iterator

from eai.errors import InputError
from eai.suites.archive import Archive
from eai.suites.data import EAI_EVAL, located

__all__ = ["official_prompts"]

_VIRTUALHOME = "virtualhome_eval/evaluation/{}/prompts/helm_prompts.json"
_BEHAVIOR = "behavior_eval/evaluation/{}/resources/prompts/{}.json"
_SYSTEM = "behavior_eval/evaluation/{}/resources/prompts/system_setup.json"
_FILES = {
    ("virtualhome", "action_sequencing"): _VIRTUALHOME.format("action_sequencing"),
    ("virtualhome", "subgoal_decomposition"): _VIRTUALHOME.format("subgoal_decomposition"),
    ("virtualhome", "transition_modeling"): _VIRTUALHOME.format("transition_modeling"),
    ("behavior", "goal_interpretation"): _BEHAVIOR.format("goal_interpretation", "user_prompts"),
    ("behavior", "action_sequencing"): _BEHAVIOR.format("action_sequencing", "helm_prompts"),
    ("behavior", "subgoal_decomposition"): _BEHAVIOR.format(
        "subgoal_decomposition", "helm_prompts"
    ),
    ("behavior", "transition_modeling"): _BEHAVIOR.format("transition_modeling", "helm_prompts"),
}
_SETUPS = {
    ("virtualhome", "subgoal_decomposition"): (
        "virtualhome_eval/evaluation/subgoal_decomposition/prompts/system_setup.json"
    ),
    ("behavior", "goal_interpretation"): _SYSTEM.format("goal_interpretation"),
    ("behavior", "subgoal_decomposition"): _SYSTEM.format("subgoal_decomposition"),
}


def official_prompts(suite: str, ability: str) -> Iterator[tuple[str, str]]:
    """Yield task and text; where the release has a system prompt too, it stands before the text.

    Args:
        suite: Name of the suite.
        ability: Which ability.

    Raises:
        InputError: If the release has no such prompts.
        DataMissingError: If the data was not fetched.
    """
    file = _FILES.get((suite, ability))
    if file is None:
        raise InputError(
            f"the release has no prompts for {ability} in the suite {suite!r}",
            expected=", ".join(f"{ability} of {suite}" for suite, ability in _FILES),
            mend="leave --prompts out: prompts in our own words are built from the tasks",
        )
    with Archive(located(EAI_EVAL)) as archive:
        setup = _SETUPS.get((suite, ability))
        before = ""
        if setup is not None:
            content = archive.json(setup)
            with archive.shape(setup):
                before = f"{content['system_prompt']}\n\n"
        content = archive.json(file)
        with archive.shape(file):
            found = [(entry["identifier"], entry["llm_prompt"]) for entry in content]
    for identifier, text in found:
        yield identifier.removeprefix("scene_1_"), before + text
