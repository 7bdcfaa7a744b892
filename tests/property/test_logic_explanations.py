"""Explanations are true of the trajectory that they explain."""

from __future__ import annotations

import re
from collections.abc import Iterable

from definition import holds, true_at
from hypothesis import given, settings, strategies as st
from list_trajectory import ListTrajectory
from strategies import OBJECTS, formulas, positive_formulas, state_formulas, trajectories
from strategies_formulas import all_formulas

import eai
from eai.contract import execution_of
from eai.logic import ActionAtom, And, Atom, Formula, Proposition, Then, evaluate, explain
from eai.logic.evidence import Blame
from eai.report import Record
from eai.suites.household import Household, samples

FEW = settings(max_examples=100)


@FEW
@given(formulas(depth=2), trajectories())
def test_the_verdict_is_the_same_and_there_is_a_sentence(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    found = explain(formula, trajectory)
    assert found.holds == evaluate(formula, trajectory).holds
    assert found.text.endswith(".")


@FEW
@given(state_formulas(depth=2), trajectories())
def test_the_part_of_a_state_formula_fails_or_holds_as_said(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    found = explain(formula, trajectory)
    if found.holds:
        assert found.position is not None
        assert true_at(found.part, trajectory, found.position, {})
        assert not holds(formula, trajectory, 0, found.position, {})
    else:
        assert not holds(found.part, trajectory, 0, trajectory.length, {})
        if found.position is not None:
            assert any(true_at(part, trajectory, found.position, {}) for part in found.missing)


@FEW
@given(positive_formulas(depth=2), trajectories())
def test_the_witness_of_a_lasting_formula_is_where_it_was_first_met(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    found = explain(formula, trajectory)
    verdict = evaluate(formula, trajectory)
    if verdict.position is not None and found.position is not None:
        assert found.position >= verdict.position
        assert holds(formula, trajectory, 0, found.position + 1, {})


@FEW
@given(st.lists(formulas(depth=2), min_size=2, max_size=3).map(tuple).map(Then), trajectories())
def test_a_chain_that_holds_is_cut_where_the_explanation_says(
    chain: Then, trajectory: ListTrajectory
) -> None:
    found = explain(chain, trajectory)
    if found.holds:
        ends = [0, *(place + 1 for place in found.reached[:-1]), trajectory.length]
        for link, start, end in zip(chain.operands, ends, ends[1:], strict=False):
            assert holds(link, trajectory, start, end, {})


FACTS = [Atom("dark"), *(Atom("clean", (name,)) for name in OBJECTS)]


@FEW
@given(st.lists(st.sampled_from(FACTS), min_size=2, max_size=4, unique=True), trajectories())
def test_giving_a_conjunction_what_it_missed_where_it_missed_it_changes_the_verdict(
    parts: list[Formula], trajectory: ListTrajectory
) -> None:
    """Conditions that never held are added everywhere; then all of them do at some time.

    If they do not meet, one position and what is missing there are named. Adding that makes the
    named part hold. Another part may still fail, at another position; since each explanation names
    a fact that was not there, the formula holds at the latest when all facts are everywhere.
    """
    goal = And(tuple(parts))
    found = explain(goal, trajectory)
    if not found.holds and found.fails_at is None:
        trajectory = with_facts(trajectory, found.missing, range(trajectory.length))
        assert evaluate(found.part, trajectory).holds
        found = explain(goal, trajectory)
    while not found.holds:
        assert found.fails_at is not None
        assert not evaluate(found.part, trajectory).holds
        before = trajectory.states
        trajectory = with_facts(trajectory, found.missing, [found.fails_at])
        assert trajectory.states != before
        assert evaluate(found.part, trajectory).holds
        found = explain(goal, trajectory)


def with_facts(
    trajectory: ListTrajectory, facts: Iterable[Formula], positions: Iterable[int]
) -> ListTrajectory:
    states = [set(state) for state in trajectory.states]
    for position in positions:
        for fact in facts:
            assert isinstance(fact, Atom)
            states[position].add((fact.predicate, *map(str, fact.terms)))
    return ListTrajectory(OBJECTS, states, trajectory.actions)


def evaluated() -> list[Record]:
    report = eai.evaluate("household", samples()[:1])
    return [record for record in report.records if record.result.formula_holds is not None][:40]


def test_explanations_of_goals_of_the_household_name_steps_that_exist() -> None:
    suite = Household()
    for record in evaluated():
        task = suite.task(record.task)
        execution = execution_of(suite, task, record.output, suite.semantics("strict"))
        if execution is None or task.goal.formula is None:
            continue
        trajectory = execution.trajectory
        numbers = [step.number for step in trajectory.steps]
        found = explain(task.goal.formula, trajectory, numbers=numbers)
        assert found.holds == record.result.formula_holds
        assert found.step is None or found.step in numbers
        assert all(0 <= blame.position < trajectory.length for blame in found.blamed)
        assert all(0 <= place < trajectory.length for place in found.reached)
        named = {int(number) for number in re.findall(r"step (\d+)", found.text)}
        assert named <= {*numbers, (numbers[-1] if numbers else 0) + 1}


@FEW
@given(all_formulas(), trajectories(), trajectories(), st.data())
def test_the_facts_that_a_verdict_rests_on_decide_it(
    formula: Formula, trajectory: ListTrajectory, other: ListTrajectory, data: st.DataObject
) -> None:
    """A trajectory that agrees on all that is blamed has the same verdict."""
    found = explain(formula, trajectory)
    changed = ListTrajectory(
        OBJECTS,
        [other.states[i % other.length] for i in range(trajectory.length)],
        data.draw(st.permutations(trajectory.actions)),
    )
    for blame in found.blamed:
        copy_leaf(blame, trajectory, changed)
    assert evaluate(formula, changed).holds == found.holds


def copy_leaf(blame: Blame, source: ListTrajectory, target: ListTrajectory) -> None:
    """Make a proposition in one trajectory as true as in another."""
    place = blame.position
    if isinstance(blame.atom, ActionAtom):
        target.actions[place : place + 1] = source.actions[place : place + 1]
        return
    assert isinstance(blame.atom, Proposition)  # there are no numbers here
    fact = fact_of(blame.atom)
    target.states[place] = target.states[place] - {fact} | source.states[place] & {fact}


def fact_of(atom: Proposition) -> tuple[str, ...]:
    return (atom.name, *map(str, atom.terms))
