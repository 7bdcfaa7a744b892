"""Prompts: what they tell of a task, and that an answer in their form is understood."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from command_line import call

from eai.abilities.wording import RulesWriter
from eai.agents.prompts import Prompt, prompts, write_prompts
from eai.errors import InputError, UnknownNameError
from eai.simulators import object_class
from eai.suites.household import Household
from eai.suites.virtualhome.prompts import goal_interpretation, subgoal_decomposition
from eai.task import Task

SUITE = Household()
HOMES = {SUITE.task(name).metadata["home"] for name in SUITE.task_ids()}


@pytest.fixture
def task() -> Task:
    return SUITE.task("studio-01")


def test_prompts_are_those_of_the_tasks_in_their_order() -> None:
    names = list(SUITE.task_ids())[::10]
    found = list(prompts(SUITE, "action_sequencing", tasks=names))
    assert [prompt.id for prompt in found] == names
    assert {(prompt.suite, prompt.ability) for prompt in found} == {
        ("household", "action_sequencing")
    }


def test_the_rules_of_a_home_are_worded_once_for_all_its_tasks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worded: list[str] = []
    say_effects = RulesWriter._say_effects

    def counted(self: RulesWriter, *arguments: Any) -> str:
        worded.append("")
        return say_effects(self, *arguments)

    monkeypatch.setattr(RulesWriter, "_say_effects", counted)
    first = list(prompts(SUITE, "action_sequencing"))
    # A line depends on the goal only by the predicates that matter for it.
    assert len(worded) < 2 * len(SUITE.task("studio-01").vocabulary.actions) * len(HOMES)
    worded.clear()
    assert list(prompts(SUITE, "action_sequencing")) == first
    assert not worded


def test_some_tasks_are_asked_for_in_the_order_of_the_suite() -> None:
    found = prompts(SUITE, tasks=("studio-03", "studio-01"))
    assert [prompt.id for prompt in found] == ["studio-01", "studio-03"]
    with pytest.raises(UnknownNameError, match="no task named 'moon-1'"):
        next(prompts(SUITE, tasks=["moon-1"]))


@pytest.mark.heavy
def test_every_task_has_a_prompt_that_says_everything_that_a_plan_needs() -> None:
    found = list(prompts(SUITE, "action_sequencing"))
    assert [prompt.id for prompt in found] == list(SUITE.task_ids())
    for prompt in found:
        task = SUITE.task(prompt.id)
        steps = [action for plan in task.plans[:1] for action in plan]
        for name in {name for action in steps for name in action.arguments}:
            assert name in prompt.prompt, (prompt.id, name)
        # Drop, putback and putin do all that these do.
        for name in {action.name for action in steps} - {"release", "putobjback"}:
            assert re.search(rf"\b{name.upper()}\(", prompt.prompt), (prompt.id, name)
        assert task.instruction in prompt.prompt


def test_a_plan_in_the_form_of_the_prompt_solves_its_task(task: Task) -> None:
    plan = [
        {action.name.upper(): [part for name in action.arguments for part in name.split(".")]}
        for action in task.plans[0]
    ]
    for semantics in ("strict", "official"):
        result = SUITE.evaluate(
            "action_sequencing", task, json.dumps(plan), SUITE.semantics(semantics)
        )
        assert result.success


def test_the_goal_is_not_told_where_it_is_asked_for() -> None:
    for name in SUITE.task_ids()[:20]:
        task = SUITE.task(name)
        text = goal_interpretation(task)
        assert task.goal.text not in text
        assert "In the end" not in text
        for each in task.vocabulary.objects:
            assert object_class(each) in text


def test_subgoals_are_asked_for_with_goal_and_vocabulary(task: Task) -> None:
    text = subgoal_decomposition(task)
    assert "NEXT_TO" in text
    assert '"output"' in text
    assert re.search(r"In the end this has to be true:\n- \w", text)


def test_an_unknown_ability_is_an_error() -> None:
    with pytest.raises(UnknownNameError):
        next(prompts(SUITE, "telepathy"))


def test_household_has_no_published_prompts() -> None:
    with pytest.raises(InputError, match="prompts for action_sequencing"):
        next(prompts(SUITE, "action_sequencing", official=True))


def test_prompts_are_json_lines(tmp_path: Path) -> None:
    written = [Prompt("a", "s", "x", 'line\n"quoted" \ud800'), Prompt("b", "s", "x", "é")]
    assert write_prompts(written, tmp_path / "p.jsonl") == 2
    lines = (tmp_path / "p.jsonl").read_text("ascii").splitlines()
    assert [Prompt(**json.loads(line)) for line in lines] == written


@pytest.mark.heavy
def test_the_command_prints_one_line_a_task(tmp_path: Path) -> None:
    shown = call("prompts", "household")
    assert shown.exit_code == 0
    assert len(shown.stdout.splitlines()) == len(SUITE.task_ids())
    path = tmp_path / "p.jsonl"
    assert call("prompts", "household", "-o", str(path)).exit_code == 0
    assert path.read_text() == shown.stdout
