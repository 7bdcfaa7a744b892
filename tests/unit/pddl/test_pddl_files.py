"""Files as others write them: two definitions in one, odd names, types that are not listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from eai.cli.program import app
from eai.errors import ParseError
from eai.pddl import (
    check_files,
    format_domain,
    format_problem,
    parse_domain,
    parse_problem,
    read_domain,
    read_problem,
)
from eai.planning import plan

DOMAIN = """; (define (domain commented-out))
(define (domain depot)
  (:requirements :strips :typing)
  (:types truck car - vehicle place)
  (:predicates (at ?v - vehicle ?p - place))
  (:action go
    :parameters (?v - vehicle ?a ?b - place)
    :precondition (at ?v ?a)
    :effect (and (at ?v ?b) (not (at ?v ?a)))))
"""
PROBLEM = """(define (problem move)
  (:domain depot)
  (:objects t - truck a b - place)
  (:init (at t a))
  (:goal (at t b)))
"""


def test_type_that_is_only_named_above_others_is_a_type() -> None:
    domain, issues = read_domain(DOMAIN)
    assert domain.types["vehicle"] == "object"
    assert [(i.kind, i.severity, i.line) for i in issues] == [("undeclared-type", "warning", 4)]
    assert plan(DOMAIN, PROBLEM).solved


def test_type_that_is_not_named_among_the_types_at_all_is_an_error() -> None:
    with pytest.raises(ParseError):
        parse_domain(DOMAIN.replace("?v - vehicle ?p", "?v - vehicel ?p"))


@pytest.mark.parametrize("name", ["15-puzzle-example", "0", "3.5", "8puzzle", "2024-01"])
def test_domain_and_problem_may_have_names_that_begin_with_digits(name: str) -> None:
    domain = parse_domain(DOMAIN.replace("(domain depot)", f"(domain {name})"))
    text = PROBLEM.replace("(problem move)", f"(problem {name})")
    problem = parse_problem(text.replace("(:domain depot)", f"(:domain {name})"), domain=domain)
    assert (domain.name, problem.name, problem.domain) == (name, name, name)
    assert parse_domain(format_domain(domain)) == domain
    assert parse_problem(format_problem(problem), domain=domain) == problem


@pytest.mark.parametrize("text", [DOMAIN + PROBLEM, PROBLEM + DOMAIN])
def test_domain_and_problem_are_read_from_one_text(text: str) -> None:
    domain, issues = read_domain(text)
    assert (domain.name, set(domain.operators)) == ("depot", {"go"})
    assert [(i.kind, i.severity) for i in issues if i.kind == "several-definitions"] == [
        ("several-definitions", "warning")
    ]
    problem, _ = read_problem(text, domain=domain)
    assert (problem.name, set(problem.objects)) == ("move", {"t", "a", "b"})


def test_places_in_a_text_with_two_definitions_are_those_of_the_text() -> None:
    text = DOMAIN + PROBLEM.replace("(at t a)", "(att t a)")
    _, issues = read_problem(text, domain=parse_domain(DOMAIN))
    (wrong,) = [issue for issue in issues if issue.severity == "error"]
    assert wrong.line == text[: text.index("(att")].count("\n") + 1


def test_two_domains_in_one_text_are_an_error() -> None:
    second = DOMAIN.replace("depot", "other").partition("\n")[2]
    (wrong,) = [i for i in read_domain(DOMAIN + second)[1] if i.severity == "error"]
    assert wrong.kind == "several-definitions"


def test_commands_take_one_file_with_both(tmp_path: Path) -> None:
    both, steps = tmp_path / "both.pddl", tmp_path / "plan.txt"
    both.write_text(DOMAIN + PROBLEM)
    steps.write_text("(go t a b)")
    run = CliRunner().invoke
    assert run(app, ["check", str(both)]).exit_code == 0
    planned = run(app, ["plan", str(both)])
    assert planned.exit_code == 0
    assert "(go t a b)" in planned.output
    assert run(app, ["validate", str(both), str(steps)]).exit_code == 0
    assert run(app, ["validate", str(both), str(both), str(steps)]).exit_code == 0


def test_commands_say_which_file_is_missing(tmp_path: Path) -> None:
    domain = tmp_path / "domain.pddl"
    domain.write_text(DOMAIN)
    assert CliRunner().invoke(app, ["plan", str(domain)]).exit_code == 2
    assert CliRunner().invoke(app, ["validate", str(domain), str(domain)]).exit_code == 2


def test_swapped_files_are_named(tmp_path: Path) -> None:
    domain, problem = tmp_path / "d.pddl", tmp_path / "p.pddl"
    domain.write_text(DOMAIN)
    problem.write_text(PROBLEM)
    found = CliRunner().invoke(app, ["plan", str(problem), str(domain)])
    assert found.exit_code != 0
    assert "p.pddl:1" in str(found.exception)


def test_blank_that_is_missing_after_a_dash_is_a_warning() -> None:
    _, issues = read_domain(DOMAIN.replace("?v - vehicle ?p", "?v -vehicle ?p"))
    assert ("missing-blank", "warning", 5) in {(i.kind, i.severity, i.line) for i in issues}


def test_action_that_can_never_be_done_is_said(tmp_path: Path) -> None:
    domain, problem = tmp_path / "d.pddl", tmp_path / "p.pddl"
    domain.write_text(DOMAIN)
    problem.write_text(
        PROBLEM.replace("t - truck ", "").replace("(at t a)", "").replace("(at t b)", "(and)")
    )
    kinds = {issue.kind for issue in check_files([domain, problem])[str(problem)]}
    assert kinds == {"no-instance"}
    problem.write_text(PROBLEM)
    assert check_files([domain, problem])[str(problem)] == []


def test_object_that_only_the_problem_declares_is_to_become_a_constant(tmp_path: Path) -> None:
    domain, problem = tmp_path / "d.pddl", tmp_path / "p.pddl"
    domain.write_text(DOMAIN.replace(":precondition (at ?v ?a)", ":precondition (at t ?a)"))
    problem.write_text(PROBLEM)
    (wrong,) = [i for i in check_files([domain, problem])[str(domain)] if i.severity == "error"]
    assert ":constants" in (wrong.mend or "")
