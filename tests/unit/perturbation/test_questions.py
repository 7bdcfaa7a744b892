"""Failure-analysis questions with known answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import call

import eai
from eai.errors import UnknownNameError
from eai.perturbation import LABELS, failure_questions

SOME = eai.suite("household").task_ids()[:12]


def test_the_answers_are_right() -> None:
    found = list(failure_questions("household", seed=2, tasks=SOME))
    assert {each.label for each in found} == set(LABELS)
    assert found == list(failure_questions("household", seed=2, tasks=SOME))
    suite = eai.suite("household")
    strict = suite.semantics("strict")
    for each in found:
        answer = json.dumps([_step(step) for step in each.plan])
        solved = suite.evaluate("action_sequencing", suite.task(each.task), answer, strict).success
        assert solved is (each.label == "correct")
        line = each.as_dict()
        assert f"{line['gold']}. {each.label}" in str(line["question"])


@pytest.mark.parametrize("name", ["eb-alfred", "eb-habitat"])
def test_plans_of_other_suites(name: str) -> None:
    suite = eai.suite(name)
    found = list(failure_questions(suite, seed=1, tasks=suite.task_ids()[:4]))
    assert len(found) == 4
    assert len({each.label for each in found}) > 1


@pytest.mark.heavy
def test_gold_plans_of_robobench() -> None:
    suite = eai.suite("robobench-examples")
    strict = suite.semantics("strict")
    found = list(failure_questions(suite, seed=0))
    assert {each.label for each in found} == set(LABELS)
    for each in found:
        task, answer = suite.task(each.task), ", ".join(each.plan)
        solved = suite.evaluate("multi_step_plan", task, answer, strict).success
        assert solved is (each.label == "correct")
        mistaken = zip(map(str, task.plans[0]), each.plan, strict=False)
        if each.label == "object mistaken":  # a thing, never a direction or the empty hand
            ((old, new),) = [pair for pair in mistaken if pair[0] != pair[1]]
            assert old.partition("(")[0] == new.partition("(")[0]
            assert old.count("none") == new.count("none")


@pytest.mark.parametrize("name", ["asgardbench", "longact", "eb-manipulation", "eb-navigation"])
def test_suites_without_plans_are_refused(name: str) -> None:
    with pytest.raises(UnknownNameError, match="hint: choose another suite"):
        next(failure_questions(name))


def _step(text: str) -> dict[str, list[str]]:
    name, _, rest = text.partition("(")
    return {name.upper(): [part.strip() for part in rest.rstrip(")").split(",") if part.strip()]}


def test_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    done = call("perturb", "household", "--questions", "-o", file, "--limit", 4)
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert all(line["gold"] in "ABCD" for line in lines)
