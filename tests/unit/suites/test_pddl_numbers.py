"""Tasks with numbers as a suite: verdicts, rewards, explanations, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import eai
from eai.integrations.mcp import Tools
from eai.logic import Atom
from eai.pddl import parse_domain, parse_problem
from eai.planning import applicable
from eai.report import explain
from eai.rewards import Reward
from eai.suites.pddl.generation import generated_questions
from eai.suites.pddl.tasks import Asking
from eai.world import Action

DOMAIN = """
(define (domain depot) (:requirements :typing :numeric-fluents) (:types truck place)
  (:predicates (at ?t - truck ?p - place))
  (:functions (fuel ?t - truck) (used))
  (:action drive :parameters (?t - truck ?a ?b - place)
    :precondition (and (at ?t ?a) (>= (fuel ?t) 4))
    :effect (and (not (at ?t ?a)) (at ?t ?b) (decrease (fuel ?t) 4) (increase (used) 4)))
  (:action refuel :parameters (?t - truck) :effect (assign (fuel ?t) 10)))
"""
PROBLEM = """
(define (problem p1) (:domain depot) (:objects t - truck a b c - place)
  (:init (at t a) (= (fuel t) 5) (= (used) 0)) (:goal (at t c)) (:metric minimize {metric}))
"""
FILES = {"domain": "domain", "problem": "p1"}
GOOD = "(drive t a b)\n(refuel t)\n(drive t b c)"
EMPTY_TANK = "(drive t a b)\n(drive t b c)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "p1.pddl").write_text(PROBLEM.format(metric="(used)"))
    return tmp_path


def test_rewards_of_plans_with_numbers(folder: Path) -> None:
    for kind in ("binary", "graded"):
        reward = Reward(f"pddl:{folder}", kind=kind)
        assert reward.score("p1", [GOOD, EMPTY_TANK, GOOD]) == [1, 0, 1]


def test_states_that_differ_in_numbers_only_are_told_apart(folder: Path) -> None:
    reward = Reward(f"pddl:{folder}", kind="binary")
    there_and_back = "(drive t a b)\n(refuel t)\n(drive t b a)\n"
    # Both come to the same facts: with 6 litres that are enough for one way, and with 2.
    first = there_and_back + "(drive t a c)"
    second = there_and_back + "(drive t a b)\n(drive t b c)"
    assert reward.score("p1", [first, second, first]) == [1, 0, 1]


def test_failing_step_is_explained_with_its_numbers(folder: Path) -> None:
    report = eai.evaluate(f"pddl:{folder}", {"m": [{"id": "p1", "output": EMPTY_TANK}]})
    (record,) = report.records
    (finding,) = [each for each in record.result.findings if each.step]
    assert (finding.step, finding.kind.value, finding.destroyed_by) == (2, "wrong_order", 1)
    assert "1 >= 4" in finding.message


def test_plan_without_a_value_is_valid(folder: Path) -> None:
    (folder / "p1.pddl").write_text(PROBLEM.format(metric="(/ 1 (- (used) 8))"))
    assert Reward(f"pddl:{folder}", kind="binary").score("p1", [GOOD]) == [1]


def test_explanation_shows_how_numbers_change(folder: Path) -> None:
    report = eai.evaluate(f"pddl:{folder}", {"m": [{"id": "p1", "output": EMPTY_TANK}]})
    first, _ = explain(report.records[0]).steps
    assert first.added == ("at(t, b)", "fuel(t) = 1", "used() = 4")
    assert first.deleted == ("at(t, a)", "fuel(t) = 5", "used() = 0")


def test_numbers_are_seen_step_by_step(folder: Path) -> None:
    suite = eai.suite(f"pddl:{folder}")
    environment = suite.environment(suite.task("p1"), suite.semantics("strict"))
    before = environment.reset()
    after = environment.step(Action("drive", ("t", "a", "b"))).observation
    fuel = []
    for observation in (before, after):
        seen = {each.name: each.properties for each in observation.objects}
        fuel.append((seen["t"]["fuel"], seen["world"]["used"]))
    assert fuel == [("5", "0"), ("1", "4")]
    failed = environment.step(Action("drive", ("t", "b", "c")))
    assert not failed.success


def test_tool_tells_the_numbers_of_a_state(folder: Path) -> None:
    both = {name: (folder / f"{file}.pddl").read_text() for name, file in FILES.items()}
    _, told = Tools(None).applicable_actions(**both, plan="(drive t a b)")
    assert told["actions"] == ["(refuel t)"]
    assert told["state"] == ["(at t b)", "(= (fuel t) 1)", "(= (used) 4)"]


def test_questions_are_about_the_numbers_of_their_state(folder: Path) -> None:
    domain_text, problem_text = [(folder / f"{file}.pddl").read_text() for file in FILES.values()]
    asking = Asking(steps=4)
    questions = list(generated_questions(domain_text, problem_text, "applicability", 10, asking))
    assert len(questions) == 10
    for question in questions:
        domain = parse_domain(str(question["domain"]))
        problem = parse_problem(str(question["problem"]), domain=domain)
        fuel = problem.values[Atom("fuel", ("t",))]
        can_drive = any(name in str(question["answer"]) for name in ("(drive t", "drive(t"))
        assert can_drive is (fuel >= 4)


def test_fewest_edits_of_a_plan_with_numbers(folder: Path) -> None:
    task = eai.suite(f"pddl:{folder}").task("p1")
    mended = eai.repair(task, EMPTY_TANK)
    assert [str(edit) for edit in mended.edits or ()] == ["insert refuel(t) before step 2"]
    assert mended.optimal
    moved = eai.repair(task, "(refuel t)\n(refuel t)\n(drive t b c)\n(drive t a b)")
    assert [str(edit.kind) for edit in moved.edits or ()] == ["move"]


def test_a_long_plan_with_numbers_is_not_repaired_and_that_is_said(folder: Path) -> None:
    task = eai.suite(f"pddl:{folder}").task("p1")
    mended = eai.repair(task, "(refuel t)\n" * 201)
    assert not mended.found
    assert mended.bound == 0
    assert mended.untried


def test_actions_that_need_a_missing_number_are_not_possible(folder: Path) -> None:
    text = (folder / "p1.pddl").read_text()
    (folder / "p1.pddl").write_text(text.replace("(= (fuel t) 5)", ""))
    task = eai.suite(f"pddl:{folder}").task("p1")
    assert [str(action) for action in applicable(task.world, task.start)] == ["refuel(t)"]


def test_causes_lead_through_numbers(folder: Path) -> None:
    task = eai.suite(f"pddl:{folder}").task("p1")
    failure = eai.causes(task, EMPTY_TANK).failure
    assert failure is not None
    assert [condition.destroyed_by for condition in failure.conditions] == [1]
    assert failure.rests_on == (1,)
