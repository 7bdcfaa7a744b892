"""Rules checked against the tasks of a suite before anything is evaluated."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import eai
from eai.budget import Budget
from eai.cli.program import app
from eai.data import read_text
from eai.logic import load_rules
from eai.planning import Outcome, PlanningResult, safe_plan
from eai.runs import rule_checks
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


def test_relation_over_one_object_of_a_type_is_a_hint_unless_it_is_proved() -> None:
    found = check(
        {"name": "all", "formula": "forall x. (G not WALK(x))"},
        {"name": "all or run", "formula": "forall x. (G not (WALK(x) or RUN(x)))"},
        {"name": "named", "formula": "G not WALK(light.34)"},
        {"name": "some", "formula": "F exists x:thing. (WALK(x))"},
    )
    assert ("all or run", "implies", "all") in found.pairs
    assert ("all or run", "implies", "all") not in found.hints
    assert ("all", "contradicts", "some") in found.hints
    assert all(pair in found.pairs for pair in found.hints)


def test_pairs_that_are_not_compared_are_listed_with_the_reason() -> None:
    found = check(
        {"name": "order", "formula": "on(light.34) then off(light.34)"},
        {"name": "never", "formula": "G not WALK(light.34)"},
    )
    [(first, second, reason)] = found.uncompared
    assert (first, second) == ("order", "never")
    assert reason in str(found)


def test_rule_for_all_objects_against_an_action_that_a_goal_asks_for_is_proved() -> None:
    rules = load_rules([{"name": "no running", "formula": "forall x. (G not RUN(x))"}])
    [task] = check_against(rules, SUITE, ["house-18"], Budget(states=1)).tasks
    assert (task.outcome, task.conflict) == ("none", ("no running",))


def test_safe_plan_with_few_objects_of_a_large_home_is_run_among_all() -> None:
    rules = load_rules([load(line) for line in read_text("tasks/household/rules.ltl").splitlines()])
    [task] = check_against(rules, SUITE, ["house-10"], Budget(states=2000)).tasks
    assert task.outcome == "plan"
    assert task.broken
    plan = "\n".join(map(str, task.plan))
    found = eai.evaluate("household", {"safe": {"house-10": plan}}, tasks=["house-10"], rules=rules)
    [record] = found.records
    assert record.result.success
    assert all(verdict.kept for verdict in record.result.rules)


def test_unknown_outcome_says_why_the_search_ended() -> None:
    rules = load_rules([load(line) for line in read_text("tasks/household/rules.ltl").splitlines()])
    [task] = check_against(rules, SUITE, ["house-10"], Budget(states=1)).tasks
    word, outcome, reason = task.outcome.split(": ", 2)
    assert (word, outcome) == ("unknown", Outcome.BEYOND_BUDGET.value)
    assert reason


def test_reason_of_several_lines_is_cut_to_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def rejecting(*arguments: Any, **options: Any) -> PlanningResult:
        found = safe_plan(*arguments, **options)
        reason = "no such condition\n  expected: another"
        return replace(found, outcome=Outcome.REJECTED, plan=None, reason=reason)

    monkeypatch.setattr(rule_checks, "safe_plan", rejecting)
    rules = load_rules([load(line) for line in read_text("tasks/household/rules.ltl").splitlines()])
    [task] = check_against(rules, SUITE, ["house-10"], Budget(states=1)).tasks
    assert task.outcome == "unknown: rejected: no such condition"


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


def test_rules_that_ship_for_behavior_can_be_read() -> None:
    rules = load_rules(map(load, read_text("tasks/behavior/rules.ltl").splitlines()))
    assert len({rule.name for rule in rules}) == 10


def load(line: str) -> object:
    from eai.nesting import load_json

    return load_json(line)


def test_command_ends_with_1_if_rules_cannot_be_kept(tmp_path: Path) -> None:
    file = tmp_path / "rules.jsonl"
    file.write_text('{"name": "dark", "formula": "G not on(light.34)"}\n')
    words = ["rules", "check", str(file), "--suite", "household", "--task", "studio-01"]
    assert CliRunner().invoke(app, words).exit_code == 1
