"""Checking annotations, and leaving out tasks whose annotation is faulty."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from command_line import call

from eai.analyses import annotation_faults
from eai.contract.lint import FAULTS, lint_suite, lint_task
from eai.evaluation import evaluate
from eai.logic import parse_formula
from eai.report import explain
from eai.suites.household import Household
from eai.task import Goal, Task
from eai.task.goals import goal_from_formula
from eai.world import Action

SUITE = Household()


@pytest.fixture
def task() -> Task:
    return SUITE.task("studio-01")


def kinds(task: Task) -> list[str]:
    return [fault.kind for fault in lint_task(SUITE, task)]


@pytest.mark.heavy
def test_the_embedded_tasks_have_no_faults() -> None:
    assert list(lint_suite(SUITE)) == []


def test_a_plan_that_cannot_be_executed_is_found_with_its_step(task: Task) -> None:
    plan = (*task.plans[0], Action("open", (task.agent,)))
    [fault] = lint_task(SUITE, replace(task, plans=(plan,)))
    assert (fault.kind, fault.step) == ("plan", len(plan))


def test_a_plan_that_stops_short_of_the_goal_is_found(task: Task) -> None:
    [fault] = lint_task(SUITE, replace(task, plans=(task.plans[0][:1],)))
    assert fault.kind == "goal"
    assert "not reached" in fault.message


def test_a_misspelt_action_is_found(task: Task) -> None:
    first, *rest = task.plans[0]
    plan = (Action(first.name + "x", first.arguments), *rest)
    assert "name" in kinds(replace(task, plans=(plan,)))


def test_missing_parts_of_an_annotation_are_found(task: Task) -> None:
    assert kinds(replace(task, plans=())) == ["no plan"]
    assert kinds(replace(task, goal=Goal())) == ["no goal"]


def test_every_kind_is_explained(task: Task) -> None:
    assert set(kinds(replace(task, plans=()))) <= set(FAULTS)


class Faulty(Household):
    """The embedded tasks, one of them with a reference plan that does nothing."""

    def task_ids(self) -> Sequence[str]:
        return ("studio-01", "studio-02")

    def task(self, task_id: str) -> Task:
        found = super().task(task_id)
        return replace(found, plans=((),)) if task_id == "studio-02" else found


def test_faulty_tasks_are_left_out_on_request_only() -> None:
    answers = {"m": {"studio-01": "[]", "studio-02": "[]"}}
    suite = Faulty()
    assert evaluate(suite, answers).tally("m").tasks == 2
    report = evaluate(suite, answers, corrected=True)
    assert (report.tally("m").tasks, report.tally("m").excluded) == (1, 1)
    assert report.setting.semantics == "strict (corrected annotations)"
    [left_out] = [r for r in report.records if r.result.status == "excluded"]
    assert left_out.result.notes[0].startswith("faulty annotation: not reached")


class Misspelt(Household):
    """One task, whose goal has several names that the world does not know."""

    def task_ids(self) -> Sequence[str]:
        return ("studio-01",)

    def task(self, task_id: str) -> Task:
        formula = parse_formula("onn(light.34) or on(light.43)")
        return replace(super().task(task_id), goal=goal_from_formula(formula))


def test_a_task_counts_once_whatever_the_number_of_its_faults() -> None:
    table = annotation_faults([Misspelt()])
    assert len(table.rows) == 2
    assert table.notes[0].endswith("; 1 formula")


@pytest.mark.heavy
def test_records_of_a_corrected_run_can_be_told() -> None:
    answers = {"m": {"studio-01": "[]"}}
    report = evaluate(SUITE, answers, corrected=True, semantics="official")
    assert report.setting.semantics == "official (eai-eval 1.0.5, corrected annotations)"
    assert "not solved" in str(explain(report.records[0]))


def test_the_command_lists_the_faults_of_a_suite() -> None:
    result = call("data", "lint", "household")
    assert result.exit_code == 0
    assert "76 tasks" in result.output


def test_a_misspelt_goal_is_found_whatever_answers_are_worth(task: Task) -> None:
    formula = parse_formula("exists x:characters. (onn(light.34)) or on(light.43)")
    found = list(lint_task(SUITE, replace(task, goal=goal_from_formula(formula))))
    assert [fault.kind for fault in found] == ["formula"] * 3
    told = " ".join(fault.message for fault in found)
    assert "'characters'" in told
    assert "no predicate named 'onn'; did you mean on" in told
    assert "no object named 'light.43'" in told
