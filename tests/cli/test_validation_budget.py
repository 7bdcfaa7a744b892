"""Validating a plan ends within a budget, whatever quantified conditions have to look at."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import call

from eai.budget import BeyondBudgetError, Budget
from eai.suites.pddl import Validator

DOMAIN = """(define (domain pairs)
 (:requirements :adl :derived-predicates)
 (:predicates (p ?a ?b) (done) (chain ?a ?b ?c))
 (:derived (chain ?a ?b ?c)
  (or (and (p ?a ?b) (p ?b ?c)) (exists (?z) (and (p ?a ?z) (chain ?z ?b ?c)))))
 (:action look :parameters ()
  :precondition (exists (?a ?b ?c ?d) (and (p ?a ?b) (p ?b ?c) (p ?c ?d) (p ?d ?a)))
  :effect (done))
 (:action all :parameters () :precondition ()
  :effect (forall (?a ?b ?c) (when (and (p ?a ?b) (not (p ?a ?c))) (done))))
 (:action derive :parameters (?a ?b ?c) :precondition (chain ?a ?b ?c) :effect (done)))
"""
OBJECTS = [f"o{number}" for number in range(12)]
FACTS = " ".join(f"(p {a} {b})" for a in OBJECTS for b in OBJECTS if a < b)
PROBLEM = f"""(define (problem twelve) (:domain pairs) (:objects {" ".join(OBJECTS)})
 (:init {FACTS}) (:goal (done)))"""
DURATIVE = DOMAIN.replace(":adl", ":adl :durative-actions").replace(
    "(:action all",
    "(:durative-action slow :parameters () :duration (= ?duration 1)"
    " :condition (at start (forall (?a ?b ?c) (or (p ?a ?b) (not (p ?a ?b)) (p ?b ?c))))"
    " :effect (at end (done)))\n (:action all",
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    paths = tmp_path / "domain.pddl", tmp_path / "problem.pddl", tmp_path / "plan.txt"
    for path, text in zip(paths, (DOMAIN, PROBLEM, "(all)\n"), strict=True):
        path.write_text(text, "utf-8")
    return paths


@pytest.mark.parametrize("plan", ["(look)", "(all)", "(derive o0 o1 o2)"])
def test_a_plan_that_takes_more_than_the_budget_is_an_error(
    files: tuple[Path, Path, Path], plan: str
) -> None:
    files[2].write_text(plan, "utf-8")
    done = call("validate", *files, "--budget", "instances=20")
    assert done.exit_code == 3
    assert "plan.txt" in str(done.exception)
    assert "20 instances" in str(done.exception)
    whole = call("validate", *files)
    assert whole.exit_code in (0, 1)
    assert call("validate", *files, "--budget", "none").stdout == whole.stdout


def test_tables_of_derived_predicates_are_held_within_the_budget(
    files: tuple[Path, Path, Path],
) -> None:
    files[2].write_text("(derive o0 o1 o2)", "utf-8")
    done = call("validate", *files, "--budget", "bytes=1000")
    assert done.exit_code == 3
    assert "1,000 bytes" in str(done.exception)


def test_each_plan_has_the_whole_budget() -> None:
    budget = Budget(instances=2_000)
    validator = Validator(DOMAIN, PROBLEM, budget=budget)
    # Plans with a common beginning share their states, so that these begin differently.
    verdicts = [validator.diagnose(f"({name})\n(all)").valid for name in ("all", "look")]
    assert verdicts == [True, False]


def test_a_plan_after_one_that_took_too_much_is_judged_as_ever() -> None:
    plan = "(derive o0 o1 o2)"
    validator = Validator(DOMAIN, PROBLEM, budget=Budget(instances=20))
    for _ in range(2):
        with pytest.raises(BeyondBudgetError):
            validator.diagnose(plan)
    assert Validator(DOMAIN, PROBLEM, budget=Budget()).diagnose(plan).valid


def test_plans_with_times_have_the_same_limit() -> None:
    plan = "0: (slow) [1]"
    assert Validator(DURATIVE, PROBLEM, budget=Budget()).diagnose(plan).valid
    with pytest.raises(BeyondBudgetError):
        Validator(DURATIVE, PROBLEM, budget=Budget(instances=20)).diagnose(plan)


@pytest.mark.parametrize("text", ["much", "instances=-1", "instances=", "time=3"])
def test_an_unknown_limit_is_refused(files: tuple[Path, Path, Path], text: str) -> None:
    assert call("validate", *files, "--budget", text).exit_code == 3
