"""The rules of a task that apply, and what a plan's broken rules rest on."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from causes_worlds import steps, workshop_task

from eai.diagnosis import TaskRules, task_rules
from eai.diagnosis.causes import Link, causes
from eai.diagnosis.causes.result import RuleCause
from eai.diagnosis.rules import applicable_rules
from eai.errors import InputError, ParseError, SchemaError
from eai.logic import Rule
from eai.task import Task

Given = dict[str, object]

DARK: Given = {"name": "dark", "formula": "G !lit()"}
MINE: Given = {"name": "mine", "formula": "G !look()", "tasks": ["workshop"], "text": "Never look."}
FOREIGN: Given = {"name": "foreign", "formula": "G !lit()", "tasks": ["elsewhere"]}
UNKNOWN = {"name": "unknown", "formula": "G !broken(box)"}
UNKNOWN_TOO = {"name": "unknown too", "formula": "G !looked()"}
OWN = Rule("own", "G !wet(can)", text="Keep the can dry.")


@pytest.fixture
def task() -> Task:
    return replace(workshop_task("painted(box)"), rules=(OWN,))


def names(rules: TaskRules) -> list[str]:
    return [name for name, _ in rules.formulas]


def test_rules_apply_unless_they_are_for_other_tasks_or_speak_of_what_there_is_not(
    task: Task,
) -> None:
    rules = task_rules(task, [FOREIGN, UNKNOWN, DARK, MINE])
    assert names(rules) == ["own", "dark", "mine"]
    assert rules.words == ("Keep the can dry.", "G !lit()", "Never look.")
    assert rules.listed == "- Keep the can dry.\n- G !lit()\n- Never look."
    assert ["foreign" in rules.notes[0], "unknown" in rules.notes[1]] == [True, True]
    assert len(rules.notes) == 2
    assert task_rules(task) == TaskRules(rules.formulas[:1], (), (OWN.text,))


def test_rules_none_of_which_applies_are_an_error(task: Task) -> None:
    with pytest.raises(InputError) as caught:
        task_rules(task, [FOREIGN])
    assert not isinstance(caught.value, ParseError)
    # Of several that were left out for what they speak of the first one is told.
    with pytest.raises(ParseError, match="'broken'"):
        task_rules(task, [FOREIGN, UNKNOWN, UNKNOWN_TOO])
    assert names(task_rules(task, [UNKNOWN, DARK])) == ["own", "dark"]


def test_a_rule_with_the_name_of_one_of_the_tasks_own_is_refused(task: Task) -> None:
    with pytest.raises(SchemaError):
        task_rules(task, [{**DARK, "name": "own"}])
    assert names(task_rules(task, [{**FOREIGN, "name": "own"}, DARK])) == ["own", "dark"]


def test_applicable_rules_are_those_that_were_given(task: Task) -> None:
    given = [Rule("a", "G !broken()"), Rule("b", "G !lit()"), Rule("c", "G !lit()", ("x",))]
    assert applicable_rules(task, "workshop", given) == (given[1],)
    assert applicable_rules(task, "x", given) == tuple(given[1:])


def test_a_broken_rule_rests_on_the_steps_that_made_what_broke_it(task: Task) -> None:
    rules = task_rules(task, [DARK, MINE, {"name": "soaked", "formula": "F wet(box)"}, FOREIGN])
    found = causes(task, steps("open_door; press; look; paint box; press"), rules)
    lit = (Link("lit()", 2),)
    assert [replace(rule, outcome="") for rule in found.rules] == [
        RuleCause("own", "", True),
        RuleCause("dark", "", False, 2, lit, (2,)),
        RuleCause("mine", "", False, 3, lit, (2, 3)),
        RuleCause("soaked", "", False, 5),
    ]
    assert (found.fixed, found.idle) == (True, ())
    assert found.notes == rules.notes
    text = str(found)
    for line in ("own: kept", "dark: broken by step 2", "rests on step 2, press()", "foreign"):
        assert line in text


def test_where_all_rules_are_broken_steps_may_be_idle() -> None:
    task = workshop_task("painted(box)")
    plan = steps("open_door; press; paint box")
    found = causes(task, plan, task_rules(task, [DARK]))
    assert (found.fixed, found.idle) == (False, (2,))
    # The state at the end is nobody's precondition.
    last = causes(task, steps("open_door; paint box; press"), task_rules(task, [DARK]))
    assert (last.rules[0].step, last.rules[0].rests_on) == (3, (3,))


@pytest.mark.parametrize(
    ("given", "numbers"), [([], None), ([DARK], (1, 0)), ([DARK, FOREIGN], (1, 1))]
)
def test_rules_are_in_the_data_if_there_are_any(
    given: list[Given], numbers: tuple[int, int] | None
) -> None:
    task = workshop_task("painted(box)")
    rules = task_rules(task, given) if given else None
    row = json.loads(json.dumps(causes(task, steps("open_door; press"), rules).as_dict()))
    assert ("rules" in row) is ("notes" in row) is (numbers is not None)
    if numbers is not None:
        assert (len(row["rules"]), len(row["notes"])) == numbers
        assert row["rules"][0]["because"] == [{"fact": "lit()", "maker": 2}]
