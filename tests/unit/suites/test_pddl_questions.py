"""Questions about planning tasks: our own answer is right, others as a brute-force check says."""

from __future__ import annotations

import itertools
import json
import pickle
import time
from dataclasses import replace
from pathlib import Path

import pytest
from pddl_blocks import DOMAIN, PROBLEM, write_suite
from typer.testing import CliRunner

import eai
from eai.budget import Budget
from eai.cli.program import app
from eai.contract import prompt_of
from eai.errors import InputError
from eai.logic import And
from eai.pddl import Domain, Problem
from eai.planning import Outcome, PlanningResult, applicable
from eai.suites.pddl import Asking, Pddl, PddlTask, questions
from eai.suites.pddl.kinds import PUBLISHED
from eai.world import Action


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> PddlTask:
    return Pddl(str(write_suite(tmp_path_factory.mktemp("questions")))).task("instance-2")


@pytest.mark.parametrize("kind", questions.KINDS)
@pytest.mark.parametrize("seed", [0, 1])
def test_our_own_answer_is_right(task: PddlTask, kind: str, seed: int) -> None:
    task = replace(task, asking=Asking(seed=seed, steps=seed))
    question = questions.make_question(task, kind)
    answers = questions.KINDS[kind][1]
    own = answers(question, None)
    assert isinstance(own, str)
    assert answers(question, own) is True
    assert answers(question, "(nothing of the kind)") is False
    again = questions.make_question(task, kind)
    assert (again.text, again.steps) == (question.text, question.steps)


def test_all_applicable_actions_are_found(task: PddlTask) -> None:
    world, state = task.world, task.start
    names = sorted(task.vocabulary.objects)
    every = {
        Action(name, arguments)
        for name, operator in world.domain.operators.items()
        for arguments in itertools.product(names, repeat=len(operator.parameters))
        if world.first_failure(state, name, world.numbers(state, name, arguments)) < 0
    }
    found = applicable(world, state)
    assert set(found) == every
    assert len(found) == len(every)


@pytest.mark.parametrize(
    ("kind", "answer", "right"),
    [
        ("applicability", "(unstack b a) (pick-up d)", True),
        ("applicability", "(pick-up d)", False),
        ("progression", "[(holding d)] [(ontable d) (clear d) (handempty)]", True),
        ("progression", "[(holding d)] []", False),
        ("validation", "1", True),
        ("validation", "None", False),
        ("justification", "(pick-up d) (stack d b)", True),
        ("justification", "(pick-up d)", False),
        ("reachability", "(on a a)", True),
        ("reachability", "(on a b)", False),
        ("action_reachability", "(stack d d)", True),
        ("action_reachability", "(stack a b)", False),
        ("landmark", "(holding d)", True),
        ("landmark", "(holding a)", False),
        ("landmark", "(clear d)", False),
        ("next_action", "(pick-up d)", True),
        ("next_action", "(unstack b a)", False),
    ],
)
def test_published_questions_are_evaluated(
    tmp_path: Path, kind: str, answer: str, right: bool
) -> None:
    plans = {
        "progression": "pick-up d",
        "validation": "(pick-up d) (pick-up a) (stack d b)",
        "justification": "(pick-up d) (put-down d) (pick-up d) (stack d b)",
    }
    line = {"id": "q", "domain": DOMAIN, "problem": PROBLEM, "kind": kind, "answer": "published"}
    line["question"] = f'About "{plans.get(kind, "")}"?'
    file = tmp_path / "acp.jsonl"
    file.write_text(json.dumps(line))
    report = eai.evaluate(f"pddl:{file}", {"q": answer}, ability=kind)
    [record] = report.of(report.models[0])
    assert record.result.success == right
    assert "published answer: published" in record.result.notes


def test_seed_steps_and_time_are_part_of_the_name(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "blocks")
    suite = eai.suite(f"pddl:{folder}@seed=7,steps=1,time_limit=2.5")
    task = suite.task("instance-2")
    assert isinstance(task, PddlTask)
    assert task.asking == Asking(7, 1, 2.5)
    again = pickle.loads(pickle.dumps(suite)).task("instance-2")
    assert again.asking == task.asking
    asked = set()
    for seed in range(4):
        other = eai.suite(f"pddl:{folder}@seed={seed}")
        asked.add(prompt_of(other, other.task("instance-2"), "applicability"))
    assert len(asked) > 1
    for wrong in ("@seeds=1", "@seed=-1", "@seed=1,steps"):
        with pytest.raises(InputError, match="no such folder"):
            eai.suite(f"pddl:{folder}{wrong}")


def test_an_empty_plan_may_be_what_is_left(task: PddlTask) -> None:
    met = replace(task, problem=replace(task.problem, goal=And(())))
    steps = (Action("pick-up", ("d",)),)
    question = questions.Question(met, "justification", "?", task.start, steps)
    answers = questions.KINDS["justification"][1]
    assert answers(question, None) == "[]"
    assert answers(question, "[]") is True
    assert answers(question, "I do not know.") is False


@pytest.mark.heavy
@pytest.mark.parametrize("piece", ["( ", "(a ", "()", "[ ", "none ", "((", "(a b) ", "-1 "])
def test_no_answer_raises_or_takes_long(task: PddlTask, piece: str) -> None:
    begin = time.process_time()
    for kind in questions.KINDS:
        questions.evaluate(kind, task, piece * (60_000 // len(piece)))
        questions.evaluate(kind, task, piece)
    assert time.process_time() - begin < 4


def test_a_question_of_another_kind_is_left_out(tmp_path: Path) -> None:
    line = {
        "id": "q",
        "domain": DOMAIN,
        "problem": PROBLEM,
        "kind": "app",
        "question": "",
        "answer": [],
    }
    file = tmp_path / "acp.jsonl"
    file.write_text(json.dumps(line))
    suite = Pddl(str(file))
    semantics = suite.semantics("strict")
    assert suite.evaluate("landmark", suite.task("q"), "None", semantics).status == "excluded"
    assert prompt_of(suite, suite.task("q"), "landmark") is None
    assert "Now these facts hold" in str(prompt_of(suite, suite.task("q"), "applicability"))


@pytest.mark.parametrize("words", ["(stack a b)", "(pick-up zz)", "(fly a)"])
@pytest.mark.parametrize("kind", ["prog", "val", "just"])
def test_a_published_question_that_names_what_there_is_not(
    tmp_path: Path, kind: str, words: str
) -> None:
    line = {"id": "q", "domain": DOMAIN, "problem": PROBLEM, "answer": []}
    file = tmp_path / "acp.jsonl"
    file.write_text(json.dumps({**line, "kind": kind, "question": f'"{words}"'}))
    suite, ability = Pddl(str(file)), PUBLISHED[kind]
    found = suite.evaluate(ability, suite.task("q"), "[(a)] [(b)]", suite.semantics("strict"))
    assert not found.success


def test_without_a_proof_an_item_is_left_out(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "blocks")
    for budget, status in ((None, "evaluated"), ("states=1", "excluded")):
        report = eai.evaluate(
            f"pddl:{folder}",
            {"instance-2": "(unstack b a)"},
            ability="next_action",
            tasks=["instance-2"],
            budget=budget,
        )
        assert report.records[0].result.status == status


def test_answers_to_questions_are_reported_as_answers(tmp_path: Path) -> None:
    suite = Pddl(str(write_suite(tmp_path)))
    report = eai.evaluate(suite, {"model": {"instance-2": "no"}}, ability="applicability")
    assert "Task SR" in str(report)
    assert "Exec. SR" not in str(report)
    told = str(eai.explain(report.records[0], suite=suite))
    assert "\nVerdict: wrong\n" in f"{told}\n"


class Helper:
    """A planner that takes over: it answers what it was given."""

    name, version = "helper", "1"

    def __init__(self, outcome: Outcome, steps: list[Action] | None = None) -> None:
        self.outcome, self.steps, self.calls = outcome, steps, 0

    def solve(
        self,
        domain: Domain,  # noqa: ARG002 - the interface of engines
        problem: Problem,  # noqa: ARG002
        *,
        time_limit: float | None,  # noqa: ARG002
        memory_limit: float | None,  # noqa: ARG002
    ) -> PlanningResult:
        self.calls += 1
        return PlanningResult.of(self, self.outcome, "", self.steps, optimal=True)


SHORTEST = [Action("pick-up", ("d",)), Action("stack", ("d", "b"))]


def test_other_planners_prove_what_our_search_does_not_decide(
    task: PddlTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "BEFORE_HELP", Budget(states=1))
    helper = Helper(Outcome.SOLVED, SHORTEST)
    monkeypatch.setattr(questions, "helpers", lambda *, shortest: [helper] if shortest else [])
    task = replace(task, asking=Asking(steps=0))
    question = questions.make_question(task, "next_action")
    assert question.distance() == 2
    assert question.helped == {"helper"}
    counted = replace(question, budget=Budget(states=1_000), helped=set())
    assert (counted.distance(), counted.helped, helper.calls) == (2, set(), 1)


def test_own_search_goes_on_where_the_others_do_not_decide(
    task: PddlTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "BEFORE_HELP", Budget(states=1))
    helper = Helper(Outcome.REJECTED)
    monkeypatch.setattr(questions, "helpers", lambda *, shortest: [helper] if shortest else [])
    question = questions.make_question(replace(task, asking=Asking(steps=0)), "next_action")
    assert (question.distance(), question.helped, helper.calls) == (2, set(), 1)


@pytest.mark.parametrize(
    ("kind", "answer", "why"),
    [
        ("applicability", "(pick-up d) (pick-up a)", "(unstack b a)"),
        ("landmark", "(holding a)", "(pick-up d) (stack d b)"),
        ("landmark", "(clear d)", "holds now"),
        ("landmark", "(on d b)", "goal"),
        ("reachability", "(on a b)", "(stack a b)"),
        ("reachability", "None", "(on a a)"),
        ("next_action", "(unstack b a)", "3 steps"),
        ("next_action", "(stack b a)", "cannot be done"),
    ],
)
def test_record_says_why_an_answer_is_wrong(
    tmp_path: Path, kind: str, answer: str, why: str
) -> None:
    suite = f"pddl:{write_suite(tmp_path / 'blocks')}@steps=0"
    report = eai.evaluate(suite, {"instance-2": answer}, ability=kind, tasks=["instance-2"])
    result = report.records[0].result
    assert not result.success
    assert any(why in note for note in result.notes)
    assert why in str(eai.explain(report.records[0]))


@pytest.mark.parametrize("kind", ["validation", "justification", "landmark", "next_action"])
def test_question_about_plans_is_not_asked_where_there_is_none(tmp_path: Path, kind: str) -> None:
    suite = f"pddl:{write_suite(tmp_path / 'blocks')}@steps=0"
    report = eai.evaluate(suite, {"instance-10": "None"}, ability=kind, tasks=["instance-10"])
    result = report.records[0].result
    assert (result.status, len(result.notes)) == ("excluded", 1)
    found = CliRunner().invoke(app, ["prompts", suite, "--ability", kind])
    assert [json.loads(line)["id"] for line in found.stdout.splitlines()] == ["instance-2"]
    assert "instance-10" in found.stderr
