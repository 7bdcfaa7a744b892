"""Rules checked against the tasks of a suite before anything is evaluated."""

from pathlib import Path

from typer.testing import CliRunner

import eai
from eai.budget import Budget
from eai.cli.program import app
from eai.data import read_text
from eai.logic import load_rules
from eai.runs.rule_checks import RulesCheck, check_against

SUITE = eai.suite("household")


def check(*rules: dict[str, str]) -> RulesCheck:
    return check_against(load_rules(rules), SUITE, ["studio-01"], Budget(states=500))


def test_rule_against_the_goal_has_no_safe_plan() -> None:
    found = check(
        {"name": "dark", "formula": "G not on(light.34)"},
        {"name": "other", "formula": "G not DROP(light.34)"},
    )
    (task,) = found.tasks
    assert task.outcome == "none"
    assert "dark" in task.conflict
    assert "other" not in task.conflict
    assert found.has_conflict


def test_rules_that_contradict_or_imply_each_other_are_named() -> None:
    found = check(
        {"name": "once", "formula": "F WALK(light.34)"},
        {"name": "never", "formula": "G not WALK(light.34)"},
        {"name": "nowhere", "formula": "G not (WALK(light.34) or RUN(light.34))"},
    )
    assert ("once", "contradicts", "never") in found.pairs
    assert ("nowhere", "implies", "never") in found.pairs


def test_trigger_that_no_reference_plan_reaches_is_counted_apart() -> None:
    found = check(
        {"name": "stake", "formula": "G (on(light.34) -> F on(light.34))"},
        {"name": "vacuous", "formula": "G (DROP(light.34) -> X on(light.34))"},
    )
    assert found.staked == {"stake": 1, "vacuous": 0}


def test_house_rules_are_understood_in_every_home() -> None:
    rules = load_rules(map(load, read_text("tasks/household/rules.ltl").splitlines()))
    assert len(rules) == 12
    for task_id in ("studio-01", "flat-01", "house-01", "cottage-01"):
        for rule in rules:
            rule.formula_for(SUITE.task(task_id).logic_names())


def load(line: str) -> object:
    from eai.nesting import load_json

    return load_json(line)


def test_command_ends_with_1_if_rules_cannot_be_kept(tmp_path: Path) -> None:
    file = tmp_path / "rules.jsonl"
    file.write_text('{"name": "dark", "formula": "G not on(light.34)"}\n')
    words = ["rules", "check", str(file), "--suite", "household", "--task", "studio-01"]
    assert CliRunner().invoke(app, words).exit_code == 1
