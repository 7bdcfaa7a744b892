"""Whatever a task says, its rewriting for unified-planning has the same plans."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given, settings
from needs import extra
from strategies_pddl import worlds

from eai.errors import InputError
from eai.pddl import (
    Domain,
    Problem,
    format_domain,
    format_problem,
    format_task,
    parse_domain,
    parse_problem,
)
from eai.planning import plan
from eai.planning.unified import to_unified
from eai.planning.unified.dialect import in_dialect


def _posed(task: tuple[Domain, Problem]) -> tuple[Domain, Problem]:
    """Read a task without derived predicates from its text, as users give it."""
    domain, problem = replace(task[0], axioms=()), task[1]
    read = parse_domain(format_domain(domain, legal_names=True))
    return read, parse_problem(format_problem(problem, legal_names=True), domain=read)


def _rewritten(domain: Domain, problem: Problem) -> tuple[Domain, Problem]:
    try:
        return in_dialect(domain, problem)
    except InputError:  # costs for each of some objects, or several of an action
        assume(False)
        raise


@settings(max_examples=100)
@given(worlds())
def test_the_rewritten_task_has_the_same_plans(task: tuple[Domain, Problem]) -> None:
    domain, problem = _posed(task)
    rewritten = _rewritten(domain, problem)
    before = plan(domain, problem, engine="eai-optimal")
    after = plan(*rewritten, engine="eai-optimal")
    assert after.outcome is before.outcome
    if domain.operators:  # without actions there is nothing to minimise
        assert after.cost == before.cost
    assert "either" not in format_task(*rewritten).domain


@extra("planners", "unified_planning")
@settings(max_examples=60, deadline=None)
@given(worlds())
def test_unified_planning_reads_what_is_not_refused_by_name(task: tuple[Domain, Problem]) -> None:
    domain, problem = _posed(task)
    _rewritten(domain, problem)
    unified = to_unified(domain, problem)
    assert {action.name for action in unified.actions} == set(domain.operators)
