"""Properties of reading and writing PDDL."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import partial

import pytest
from fixtures_pddl import DOMAINS, FOLDER
from hypothesis import HealthCheck, example, given, settings, strategies as st
from strategies_pddl import domains, worlds

from eai.errors import InputError, ParseError
from eai.pddl import (
    Domain,
    Problem,
    check_domain,
    check_problem,
    format_domain,
    format_problem,
    format_task,
    parse_condition,
    parse_domain,
    parse_problem,
    read_domain,
    read_problem,
)
from eai.planning import validate
from eai.planning.engines.package import read_steps
from eai.world import Action

slow = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
FILES = sorted(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.pddl"))
BRACKETS = {"unclosed-bracket", "extra-bracket", "missing-bracket", "surrounding-text"}
GRIPPER = DOMAINS["gripper"]


@slow
@given(domains())
def test_reading_what_was_written_gives_the_same_domain(domain: Domain) -> None:
    assert [issue for issue in check_domain(domain) if issue.severity == "error"] == []
    assert parse_domain(format_domain(domain)) == domain


@slow
@given(worlds())
def test_reading_what_was_written_gives_the_same_problem(world: tuple[Domain, Problem]) -> None:
    domain, problem = world
    assert [i for i in check_problem(problem, domain) if i.severity == "error"] == []
    assert parse_problem(format_problem(problem, domain=domain), domain=domain) == problem
    assert parse_problem(format_problem(problem)) == problem


@slow
@given(st.sampled_from(FILES), st.randoms(use_true_random=False))
def test_case_blanks_and_remarks_mean_nothing(text: str, chance: random.Random) -> None:
    words = re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text))
    blanks = (" ", "\n", "\t ", " ; (remark) 'and' more\n")
    noisy = "".join(chance.choice((str.upper, str.lower))(w) + chance.choice(blanks) for w in words)
    parse = parse_domain if "(domain " in text.split("(:", maxsplit=1)[0] else parse_problem
    assert parse(noisy) == parse(text)


def refusal(parse: Callable[[str], object], text: str) -> ParseError | None:
    try:
        parse(text)
    except ParseError as error:
        return error
    return None


@slow
@given(
    st.sampled_from([parse_domain, parse_problem, parse_condition]),
    st.text(alphabet="()abz?:-=;. \n019", max_size=60),
)
@example(parse_domain, "(define (domain d) (:action")
def test_any_text_is_read_or_refused_at_a_place_inside_of_it(
    parse: Callable[[str], object], text: str
) -> None:
    error = refusal(parse, text)
    assert error is None or 0 <= error.position <= len(text)


@slow
@given(st.sampled_from(FILES), st.data())
def test_a_missing_bracket_is_always_noticed(text: str, data: st.DataObject) -> None:
    brackets = [found.start() for found in re.finditer(r"[()]", re.sub(r";[^\n]*", _blank, text))]
    at = data.draw(st.sampled_from(brackets))
    read = read_domain if "(domain " in text.split("(:", maxsplit=1)[0] else read_problem
    _, issues = read(text[:at] + text[at + 1 :])
    assert BRACKETS & {issue.kind for issue in issues}


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


@slow
@given(
    st.sampled_from([parse_domain, parse_problem, partial(parse_problem, domain=GRIPPER)]),
    st.sampled_from(FILES),
    st.data(),
)
def test_a_damaged_file_is_read_or_refused(
    parse: Callable[[str], object], text: str, data: st.DataObject
) -> None:
    words = list(re.finditer(r"[()]|[^\s()]+", text))
    one, other = data.draw(st.sampled_from(words)), data.draw(st.sampled_from(words))
    damaged = text[: one.start()] + other.group() + text[one.end() :]
    error = refusal(parse, damaged)
    assert error is None or 0 <= error.position <= len(damaged)


@pytest.mark.heavy
@slow
@given(worlds(), st.data())
def test_a_task_for_other_programs_is_the_same_task(
    world: tuple[Domain, Problem], data: st.DataObject
) -> None:
    """Whatever plan is tried, it does the same under the names that were written."""
    domain, problem = world
    task = format_task(domain, problem)
    written_domain = parse_domain(task.domain)
    written_problem = parse_problem(task.problem, domain=written_domain)
    assert set(task.actions.values()) == set(domain.operators)
    assert set(task.actions) == set(written_domain.operators)
    objects = {**domain.constants, **problem.objects}
    assert {task.objects[name] for name in written_problem.objects} == set(problem.objects)
    assert len(written_problem.initial) == len(set(problem.initial))
    if not (task.actions and objects):
        return
    steps = data.draw(st.lists(st.sampled_from(sorted(task.actions)), max_size=3))
    names = sorted(task.objects)
    written_plan = []
    for name in steps:
        arity = len(written_domain.operators[name].parameters)
        arguments = st.lists(st.sampled_from(names), min_size=arity, max_size=arity)
        written_plan.append(Action(name, tuple(data.draw(arguments))))
    plan = read_steps([(step.name, *step.arguments) for step in written_plan], task)
    ours = _validated(domain, problem, plan)
    theirs = _validated(written_domain, written_problem, written_plan)
    assert ours == theirs


def _validated(
    domain: Domain, problem: Problem, plan: list[Action]
) -> tuple[bool, int | None, float | None] | str:
    try:
        found = validate(domain, problem, plan)
    except InputError:
        return "refused"
    return found.valid, found.step, found.cost
