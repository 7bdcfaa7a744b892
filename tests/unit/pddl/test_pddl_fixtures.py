"""Real domains as files and as objects: reading the one gives the other."""

from __future__ import annotations

import pytest
from fixtures_pddl import DOMAINS, FOLDER, PROBLEMS

from eai.pddl import (
    check_domain,
    check_problem,
    format_domain,
    format_problem,
    load_domain,
    load_problem,
    parse_domain,
    parse_problem,
)

NAMES = sorted(DOMAINS)


@pytest.mark.parametrize("name", NAMES)
def test_a_domain_file_is_read_to_the_same_objects(name: str) -> None:
    assert load_domain(FOLDER / f"{name}.pddl") == DOMAINS[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_problem_file_is_read_to_the_same_objects(name: str) -> None:
    path = FOLDER / f"{name}-problem.pddl"
    assert load_problem(path, domain=DOMAINS[name]) == PROBLEMS[name]
    assert load_problem(path) == PROBLEMS[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_written_domain_is_read_back(name: str) -> None:
    assert parse_domain(format_domain(DOMAINS[name])) == DOMAINS[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_written_problem_is_read_back(name: str) -> None:
    text = format_problem(PROBLEMS[name], domain=DOMAINS[name])
    assert parse_problem(text, domain=DOMAINS[name]) == PROBLEMS[name]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_are_legal_stay(name: str) -> None:
    domain, problem = DOMAINS[name], PROBLEMS[name]
    assert format_domain(domain, legal_names=True) == format_domain(domain)
    assert format_problem(problem, legal_names=True) == format_problem(problem)


@pytest.mark.parametrize("name", NAMES)
def test_the_check_finds_nothing(name: str) -> None:
    assert check_domain(DOMAINS[name]) == []
    assert check_problem(PROBLEMS[name], DOMAINS[name]) == []


def test_the_objects_of_one_domain_do_not_fit_another() -> None:
    kinds = {issue.kind for issue in check_problem(PROBLEMS["gripper"], DOMAINS["briefcase"])}
    assert kinds == {"other-domain", "undeclared-predicate", "ill-typed"}
