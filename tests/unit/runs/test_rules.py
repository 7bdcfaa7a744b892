"""Rules beside the goals of tasks: verdicts, counts, and what is refused before the run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from command_line import call
from pddl_blocks import DOMAIN, PROBLEM
from small_virtualhome import SUITE as HOMES, small_task, written

import eai
from eai.contract import trajectory_of
from eai.diagnosis.rules import MAX_FACTS
from eai.errors import InputError, OutputExistsError, UnknownNameError
from eai.evaluation.overview import evaluate_outputs
from eai.report import Report
from eai.suites.pddl import Pddl

SUITE = Pddl.from_texts(
    "blocks", DOMAIN, {"one": PROBLEM, "two": PROBLEM.replace(" a b d)", " a b d e)")}
)
SOLVES = "(pick-up d)\n(stack d b)"
STOPS = "(pick-up d)\n(pick-up a)"
NEVER_HELD = {"name": "never held", "formula": "G !holding(d)"}
PUT_SOMEWHERE = {"name": "put", "formula": "G (holding(d) -> F !holding(d))"}
NO_STACK = {"name": "no stack", "formula": "G !exists x, y. (STACK(x, y))"}


def evaluated(
    *rules: Mapping[str, object], one: str | None = SOLVES, two: str | None = None
) -> Report:
    answers = {task: text for task, text in (("one", one), ("two", two)) if text is not None}
    return eai.evaluate(SUITE, {"m": answers}, rules=rules or None)


def score(report: Report) -> tuple[int, int]:
    [found] = [each for each in report.metrics("m") if each.key == "rules_kept"]
    return found.numerator, found.denominator


def test_verdict_names_the_step_and_its_facts() -> None:
    report = evaluated(NEVER_HELD, PUT_SOMEWHERE, NO_STACK)
    held, put, stack = report.of("m")[0].result.rules
    assert (held.kept, held.step, held.facts) == (False, 1, ("holding(d)",))
    assert (put.kept, put.step, put.facts, put.reason) == (True, None, (), "")
    assert (stack.kept, stack.step, stack.facts) == (False, 2, ("stack(d, b)",))
    assert held.reason


def test_rules_change_no_published_metric() -> None:
    plain, ruled = evaluated(), evaluated(NEVER_HELD)
    assert ruled.of("m")[0].result.success
    scores = {each.key: each for each in ruled.metrics("m")}
    assert scores.pop("rules_kept").value == 0
    assert scores.pop("safe_success").value == 0
    assert scores == {each.key: each for each in plain.metrics("m")}


def test_the_prefix_that_was_run_counts() -> None:
    report = evaluated(NEVER_HELD, PUT_SOMEWHERE, one=STOPS)
    held, put = report.of("m")[0].result.rules
    assert (held.kept, held.step) == (False, 1)
    assert (put.kept, put.step) == (False, 1)


def test_facts_are_few_however_many_objects_there_are() -> None:
    objects = " ".join(f"o{number}" for number in range(20))
    suite = Pddl.from_texts(
        "many", DOMAIN, {"one": PROBLEM.replace(" a b d)", f" a b d {objects})")}
    )
    rule = {"name": "tower", "formula": "F exists x, y, z. (on(x, y) and on(y, z) and on(x, a))"}
    report = eai.evaluate(suite, {"m": {"one": SOLVES}}, rules=[rule])
    [found] = report.records[0].result.rules
    assert found.step == 2
    assert len(found.facts) == MAX_FACTS


def test_broken_at_the_start_is_step_0() -> None:
    [found] = evaluated({"name": "r", "formula": "G !on(b, a)"}).of("m")[0].result.rules
    assert (found.kept, found.step) == (False, 0)


def test_answers_that_were_not_run_are_in_no_denominator() -> None:
    report = evaluated(PUT_SOMEWHERE, two="I cannot.")
    assert score(report) == (1, 1)
    assert report.tally("m").rules == {"put": 1}
    assert not evaluated(PUT_SOMEWHERE, one="I cannot.").tally("m").rules


def test_rule_by_task_is_for_that_task_alone() -> None:
    report = evaluated({**NEVER_HELD, "tasks": ["two"]}, two=SOLVES)
    assert {r.task: len(r.result.rules) for r in report.records} == {"one": 0, "two": 1}
    assert score(report) == (0, 1)


def test_rule_that_only_some_tasks_can_break_is_left_out_elsewhere_and_noted() -> None:
    report = evaluated({"name": "e", "formula": "G !holding(e)"}, two=SOLVES)
    assert {r.task: len(r.result.rules) for r in report.records} == {"one": 0, "two": 1}
    assert [note for note in report.notes if "1 of 2 tasks" in note]


@pytest.mark.parametrize(
    "rule",
    [
        {"name": "a", "formula": "G !holdin(d)"},
        {"name": "a", "formula": "G !holding(f)"},
        {"name": "a", "formula": "G !holding(e)", "tasks": ["one"]},
    ],
)
def test_rule_that_no_task_knows_is_refused(rule: Mapping[str, object]) -> None:
    with pytest.raises(InputError):
        evaluated(rule)


def test_unknown_task_of_a_rule_is_refused() -> None:
    with pytest.raises(UnknownNameError):
        evaluated({**NEVER_HELD, "tasks": ["tow"]})


@pytest.mark.parametrize("ability", ["goal_interpretation", "subgoal_decomposition"])
def test_other_abilities_are_refused(ability: str) -> None:
    with pytest.raises(InputError):
        eai.evaluate("household", {"m": {}}, ability=ability, rules=[NEVER_HELD])


def test_a_folder_without_answers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        evaluate_outputs("household", tmp_path, rules=[NEVER_HELD])


def test_records_come_back_and_lines_without_rules_stay_as_they_were() -> None:
    for report in (evaluated(), evaluated(NEVER_HELD)):
        line = eai.report.record_to_json(report.records[0])
        assert eai.report.record_from_json(line).result.rules == report.records[0].result.rules
        assert ('"rules"' in line) is bool(report.records[0].result.rules)


def test_annotated_plans_that_the_published_evaluator_does_not_run_are_run_for_rules() -> None:
    facts = "has_switch lamp.10; off lamp.10; plugged_in lamp.10; near lamp.10"
    task = small_task(facts, states=["on lamp.10"], plan=["switchon lamp.10"])
    meaning, answer = HOMES.semantics("official"), written("SWITCHON lamp.10")
    result = HOMES.evaluate("action_sequencing", task, answer, meaning)
    assert result.evidence is None
    trajectory = trajectory_of(result, HOMES, task, answer, meaning)
    assert trajectory is not None
    assert [step.action.name for step in trajectory.steps] == ["switchon"]
    unread = HOMES.evaluate("action_sequencing", task, "I cannot.", meaning)
    assert trajectory_of(unread, HOMES, task, "I cannot.", meaning) is None


@pytest.mark.heavy
def test_command_line_and_run_folder(tmp_path: Path) -> None:
    rules = tmp_path / "rules.jsonl"
    rules.write_text(
        '{"name": "hands off", "formula": "G !exists x. (GRAB(x))", "text": "Grab nothing."}\n'
    )
    run = tmp_path / "run"
    command = ("evaluate", "household", "--limit", "5", "-o", str(run), "--json")
    found = json.loads(call(*command, "--rules", str(rules)).stdout)
    counts = found["models"]["samples_careful"]
    numbers = counts["rules"]["hands off"]
    assert numbers.keys() == {"triggered", "kept", "broken", "never_at_stake"}
    judged = numbers["kept"] + numbers["broken"] + numbers["never_at_stake"]
    assert judged == counts["metrics"]["rules_kept"]["denominator"]
    about = json.loads((run / "run.json").read_text("utf-8"))
    assert [rule["name"] for rule in about["rules"]] == ["hands off"]
    broken = next(
        record for record in eai.read_records(run).records if record.result.keeps_rules is False
    )
    shown = str(eai.explain(broken))
    assert "hands off" in shown
    assert f"step {broken.result.rules[0].step}" in shown
    with pytest.raises(OutputExistsError):  # the same folder without its rules
        eai.evaluate(
            "household", limit_of(5), tasks=eai.suite("household").task_ids()[:5], output=run
        )


def limit_of(number: int) -> dict[str, dict[str, str]]:
    return {"samples_careful": dict.fromkeys(eai.suite("household").task_ids()[:number], "[]")}


@pytest.mark.heavy
def test_workers_evaluate_rules_too() -> None:
    rule = {"name": "r", "formula": "G !exists x. (GRAB(x))"}
    tasks = eai.suite("household").task_ids()[:4]
    alone = eai.evaluate("household", tasks=tasks, rules=[rule])
    shared = eai.evaluate("household", tasks=tasks, rules=[rule], workers=2)
    assert [r.result.rules for r in alone.records] == [r.result.rules for r in shared.records]
