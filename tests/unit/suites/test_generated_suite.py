"""Generated tasks: solved by their plans, disjoint by structure, the same for the same seed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import call
from hypothesis import given, settings, strategies as st
from pddl_blocks import write_suite

import eai
from eai.errors import InputError, UnknownNameError
from eai.suites.generated import SPLITS, twin
from eai.suites.pddl import Pddl
from eai.task import Task
from eai.world import Action

PLANS = "action_sequencing"


def _in_pddl(plan: tuple[Action, ...]) -> str:
    return "\n".join(f"({' '.join((step.name, *step.arguments))})" for step in plan)


def _answer(task: Task) -> str:
    return json.dumps([{step.name.upper(): list(step.arguments)} for step in task.plans[0]])


def test_household_tasks_are_solved_by_their_plans_and_by_nothing_less() -> None:
    suite = eai.suite("generated:household?seed=3&n=40")
    strict = suite.semantics("strict")
    for name in suite.task_ids():
        task = suite.task(name)
        assert 3 <= len(task.plans[0]) <= 40
        assert suite.evaluate(PLANS, task, _answer(task), strict).success
        assert not suite.evaluate(PLANS, task, "[]", strict).success


def test_the_same_seed_gives_the_same_tasks() -> None:
    def written(seed: int) -> list[tuple[str, str, object]]:
        tasks = eai.generate("household", n=10, seed=seed)
        return [(task.goal.text, task.instruction, task.plans) for task in tasks]

    assert written(5) == written(5)
    assert written(5) != written(6)


def test_splits_share_no_structure() -> None:
    structures = []
    for split in SPLITS:
        tasks = list(eai.generate("household", n=15, seed=1, split=split))
        assert {task.metadata["split"] for task in tasks} == {split}
        structures += [task.metadata["structure"] for task in tasks]
    assert len(set(structures)) == len(structures) == 45


def test_any_domain_of_pddl_is_a_source(tmp_path: Path) -> None:
    write_suite(tmp_path)
    suite = eai.suite(f"generated:pddl:{tmp_path}?n=5&steps=2-6")
    assert suite.task_ids()
    for name in suite.task_ids():
        task = suite.task(name)
        result = suite.evaluate(PLANS, task, _in_pddl(task.plans[0]), suite.semantics("strict"))
        assert result.success


@given(seed=st.integers(0, 1_000))
@settings(max_examples=5, deadline=None)
def test_a_twin_has_the_same_verdict_for_the_renamed_plan(seed: int) -> None:
    suite = eai.suite("household")
    strict = suite.semantics("strict")
    (task,) = eai.generate(suite, n=1, seed=seed)
    other = twin(task, seed=seed)
    twins = Pddl.from_texts("twins", other.task.texts[0], {task.id: other.task.texts[1]})
    for plan in (task.plans[0], task.plans[0][1:], task.plans[0][:-1]):
        answer = json.dumps([{step.name.upper(): list(step.arguments)} for step in plan])
        renamed = _in_pddl(tuple(map(other.action, plan)))
        expected = suite.evaluate(PLANS, task, answer, strict).success
        found = twins.evaluate(PLANS, other.task, renamed, twins.semantics("strict")).success
        assert found is expected


def test_a_twin_mentions_no_old_name() -> None:
    (task,) = eai.generate("household", n=1, seed=2)
    other = twin(task)
    text = " ".join(other.task.texts)
    assert not [name for name in task.start.universe.names if name in text]


@pytest.mark.parametrize("query", ["seed=x", "n=many", "steps=5", "colour=red"])
def test_settings_of_another_form_are_refused(query: str) -> None:
    with pytest.raises(InputError):
        eai.suite(f"generated:household?{query}")


def test_unknown_sources_and_splits_are_refused() -> None:
    with pytest.raises(UnknownNameError):
        eai.generate("nowhere", n=1)
    with pytest.raises(UnknownNameError):
        eai.generate("household", n=1, split="dev")
    with pytest.raises(InputError):
        eai.generate("household", n=1, steps=(5, 3))


def test_the_command_line_evaluates_generated_tasks(tmp_path: Path) -> None:
    name = "generated:household?seed=1&n=4"
    suite = eai.suite(name)
    rows = [{"id": task, "output": _answer(suite.task(task))} for task in suite.task_ids()]
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    done = call("evaluate", name, answers, "--fail-under", "task_success_rate=100")
    assert done.exit_code == 0, done.told
