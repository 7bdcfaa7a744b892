"""Which ability is meant when none is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import eai
from eai.agents.prompts import prompt_for, prompts
from eai.contract import Suite, chosen_ability, refuse_without
from eai.errors import InputError, UnknownNameError
from eai.suites.household import Household


class Narrow(Household):
    """Evaluates less than the suite that it is made of."""

    def __init__(self, *abilities: str) -> None:
        super().__init__()
        self.abilities = {name: Household.abilities[name] for name in abilities}


@pytest.mark.parametrize(
    ("suite", "meant"),
    [
        (Household(), "action_sequencing"),
        (Narrow("interaction", "action_sequencing"), "action_sequencing"),
        (Narrow("interaction"), "interaction"),
        (eai.suite("asgardbench"), "interaction"),
    ],
)
def test_without_a_name(suite: Suite, meant: str) -> None:
    assert chosen_ability(suite) == meant


def test_several_others_are_listed() -> None:
    with pytest.raises(InputError, match="several abilities") as raised:
        chosen_ability(Narrow("interaction", "goal_interpretation"))
    assert raised.value.expected == "one of interaction, goal_interpretation"
    assert "--ability interaction" in str(raised.value)


def test_a_name_has_to_be_one_of_the_suites() -> None:
    assert chosen_ability(Household(), "goal_interpretation") == "goal_interpretation"
    with pytest.raises(UnknownNameError, match="action_sequencing"):
        chosen_ability(eai.suite("asgardbench"), "action_sequencing")


def test_transcripts_are_evaluated_without_naming_the_ability(tmp_path: Path) -> None:
    suite = Narrow("interaction")
    task = suite.task_ids()[0]
    transcript = eai.interact(suite, task, "oracle").to_json()
    answers = {task: json.loads(transcript)["output"]}
    report = eai.evaluate(suite, answers, output=tmp_path)
    assert report.setting.ability == "interaction"
    assert [record.task for record in report.records if record.result.success] == [task]


def test_prompts_and_rewards_take_the_same_default() -> None:
    whole, narrow = Household(), Narrow("goal_interpretation")
    task = whole.task(whole.task_ids()[0])
    assert next(prompts(whole)).ability == prompt_for(whole, task).ability == "action_sequencing"
    assert next(prompts(narrow)).ability == prompt_for(narrow, task).ability
    assert prompt_for(narrow, task).ability == "goal_interpretation"
    assert eai.Reward(whole).ability == "action_sequencing"
    assert eai.Reward(narrow, kind="binary").ability == "goal_interpretation"


def test_what_is_for_one_ability_names_it_and_the_others() -> None:
    refuse_without(Household())
    with pytest.raises(UnknownNameError, match="transition_modeling") as raised:
        refuse_without(Narrow("action_sequencing"), "transition_modeling")
    assert raised.value.expected == (
        "a suite that evaluates transition_modeling; this one: action_sequencing"
    )
    assert raised.value.mend == "choose another suite (eai suites)"
    with pytest.raises(UnknownNameError, match="eai interact asgardbench"):
        refuse_without(eai.suite("asgardbench"))
