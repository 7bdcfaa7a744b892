"""Prompts of suites that are not part of the package."""

from collections.abc import Mapping
from functools import partial

import pytest

from eai.agents.prompts import prompt_for, prompts
from eai.contract import Ability
from eai.errors import InputError
from eai.suites.household import Household
from eai.task import Task


class Silent(Household):
    """The embedded tasks under another name."""

    def __init__(self) -> None:
        super().__init__()
        self.name = "silent"


def worded(ability: str, task: Task) -> str | None:
    return None if task.id == "studio-02" else f"{ability}: {task.instruction}"


class Worded(Silent):
    """The same, with prompts of its own for all tasks but one."""

    abilities: Mapping[str, Ability] = {
        name: ability._replace(prompt=partial(worded, name))
        for name, ability in Household.abilities.items()
    }


def test_a_suite_words_its_own_prompts() -> None:
    suite = Worded()
    task = suite.task("studio-01")
    assert prompt_for(suite, task).prompt == f"action_sequencing: {task.instruction}"
    [asked] = prompts(suite, "goal_interpretation", tasks=["studio-01"])
    assert (asked.suite, asked.prompt) == ("silent", f"goal_interpretation: {task.instruction}")


def test_a_task_without_a_prompt_of_its_own_is_left_out() -> None:
    suite = Worded()
    assert [each.id for each in prompts(suite)] == [
        name for name in suite.task_ids() if name != "studio-02"
    ]
    with pytest.raises(InputError, match="no prompt for action_sequencing of the task 'studio-02'"):
        prompt_for(suite, suite.task("studio-02"))


def test_other_suites_are_asked_in_plain_words() -> None:
    """A goal may speak of the way, so the formula is not called a condition on the end."""
    suite = Silent()
    suite.abilities = {
        "action_sequencing": Ability(prompt="eai.abilities.prompts:plan_prompt"),
        "goal_interpretation": Ability("eai.suites.virtualhome.goal_interpretation:evaluate"),
    }
    task = suite.task("studio-01")
    text = prompt_for(suite, task).prompt
    assert text.startswith("Write a plan for an agent.")
    assert f"As a formula:\n{task.goal.text}" in text
    with pytest.raises(InputError, match="no prompts for goal_interpretation"):
        list(prompts(suite, "goal_interpretation"))
