"""Prompts of the official suites, where the official data is there."""

import pytest

from eai.agents.prompts import prompts
from eai.contract.registry import suite as find_suite
from eai.errors import InputError

COUNTS = {
    ("virtualhome", "goal_interpretation"): 342,
    ("virtualhome", "subgoal_decomposition"): 342,
    ("virtualhome", "action_sequencing"): 342,
    ("virtualhome", "transition_modeling"): 296,
    ("behavior", "goal_interpretation"): 100,
    ("behavior", "subgoal_decomposition"): 100,
    ("behavior", "action_sequencing"): 100,
    ("behavior", "transition_modeling"): 100,
}


SAMPLED = {"goal_interpretation", "subgoal_decomposition"}
"""Abilities of which every fifth task is tried: most of the time goes into reading the tasks."""


@pytest.mark.official
@pytest.mark.heavy
@pytest.mark.parametrize(("name", "ability"), COUNTS)
def test_every_task_has_a_prompt(name: str, ability: str) -> None:
    suite = find_suite(name)
    if ability in SAMPLED:
        tasks = list(suite.task_ids())[::5]
        found = list(prompts(suite, ability, tasks=tasks))
        assert len(found) == len(tasks)
    else:
        found = list(prompts(suite, ability))
        assert len(found) == COUNTS[name, ability]
    assert all(prompt.prompt.count("## ") >= 4 for prompt in found)


@pytest.mark.official
@pytest.mark.heavy
@pytest.mark.parametrize(("name", "ability"), COUNTS)
def test_published_prompts_are_read_from_the_release(name: str, ability: str) -> None:
    suite = find_suite(name)
    if (name, ability) == ("virtualhome", "goal_interpretation"):
        with pytest.raises(InputError, match="no prompts"):
            next(prompts(suite, ability, official=True))
        return
    found = list(prompts(suite, ability, official=True))
    # One published prompt is about a recording that is no task.
    assert len({prompt.id for prompt in found} - set(suite.task_ids())) <= 1
    assert len(found) >= 100
