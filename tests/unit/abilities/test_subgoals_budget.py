"""What the search for subgoals may use is counted: a verdict does not depend on the processor."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest
from small_subgoals import listed, meaning, subgoal_task

from eai.abilities import subgoal_decomposition
from eai.abilities.subgoals.means import means
from eai.abilities.subgoals.search import Pursuit, pursue
from eai.abilities.subgoals.width import WidthSearch
from eai.budget import BeyondBudgetError, Budget
from eai.diagnosis import Result
from eai.logic import And, Atom, Count, Equal, Exists, Forall, Formula, Not, Variable
from eai.pddl import Domain
from eai.simulators import VirtualHomeSimulator
from eai.suites.virtualhome.subgoals import evaluate_subgoals
from eai.world import State

WORLD = VirtualHomeSimulator().world
ME = "character.1"
OPERATORS = tuple(WORLD.domain.operators)
X, Y, Z = (Variable(name) for name in "xyz")
TASK = subgoal_task(states=["on lamp.8"])


def state(things: int) -> State:
    names = [f"box.{i}" for i in range(2, 2 + things)]
    facts = [Atom(name, (thing,)) for thing in names for name in ("can_open", "closed")]
    facts += [Atom("inside", (name, "kitchen.1")) for name in (ME, *names)]
    objects = {ME: "character", "kitchen.1": "room", **dict.fromkeys(names, "thing")}
    return WORLD.state(objects, facts)


def near(first: Variable | str, second: Variable | str) -> Atom:
    return Atom("next_to", (first, second))


def evaluated(*subgoals: str, budget: Budget | None = None) -> Result:
    semantics = meaning("strict")._replace(budget=budget or Budget())
    return evaluate_subgoals(TASK, listed(*subgoals), semantics)


@pytest.mark.parametrize(
    ("condition", "instances"),
    [
        (near(ME, "box.2"), 1),
        (Not(And((near(ME, "box.2"), near("box.2", ME)))), 2),
        (Exists((X,), near(ME, X)), 1),
        (Forall((X, Y), near(X, Y)), 10),
        (Forall((X,), Exists((Y,), Forall((Z,), near(X, Z)))), 10),
        (Forall((X,), Exists((Y,), And((near(X, Y), near(Y, X))))), 20),
        (Exists((X,), near(X, X)), 10),
        (Exists((X, Y), And((near(X, Y), Equal(X, Y)))), 20),
        (Count(2, X, near(ME, X), "at least"), 1),
    ],
)
def test_the_instances_of_a_condition(condition: Formula, instances: int) -> None:
    assert WORLD.instances(condition, state(8).universe) == instances


def test_a_variable_that_nothing_mentions_is_not_enumerated() -> None:
    inner: Formula = near(ME, X)
    for number in range(12):
        inner = Forall((Variable(f"v{number}"),), inner)
    assert not WORLD.holds(state(60), Exists((X,), inner))
    assert WORLD.holds(state(60), Not(Exists((X,), inner)))


def test_a_search_counts_states_and_what_is_looked_at_in_them() -> None:
    meter = Budget().meter()
    search = WidthSearch(WORLD, ME, operators=OPERATORS, meter=meter)
    start, goal = state(4), Atom("open", ("box.2",))
    about = search.around(start, goal)
    assert search.reach(start, goal, object_mask=about, widths=(1, 2))
    assert meter.states > 0
    assert meter.instances > meter.states


def test_a_search_ends_where_the_budget_does() -> None:
    search = WidthSearch(WORLD, ME, operators=OPERATORS, meter=Budget(states=1).meter())
    start, goal = state(4), Atom("open", ("box.2",))
    about = search.around(start, goal)
    with pytest.raises(BeyondBudgetError):
        search.reach(start, goal, object_mask=about, widths=(1, 2))


def test_an_answer_within_the_budget() -> None:
    assert evaluated("ON(lamp.8)").success


def test_an_answer_beyond_the_budget_is_not_solved() -> None:
    result = evaluated("ON(lamp.8)", budget=Budget(instances=10))
    assert (result.success, result.outcome) == (False, "beyond the budget")
    assert [finding.kind.value for finding in result.findings] == ["beyond_budget"]
    assert [goal.met for goal in result.goals] == [False]
    assert gc.isenabled()  # it rests during searches


def test_what_holds_already_is_tested_within_the_budget() -> None:
    held = ["OFF(lamp.8)"] * 200
    assert evaluated(*held).outcome == "reached"
    assert evaluated(*held, budget=Budget(instances=100)).outcome == "beyond the budget"


@pytest.mark.parametrize("depth", [2, 4, 8, 12])
@pytest.mark.parametrize("last", ["NEXT_TO(x0, {last})", "NEXT_TO(x0, x1) or NEXT_TO(x1, {last})"])
def test_nested_quantifiers_take_no_more_than_the_budget(depth: int, last: str) -> None:
    subgoal = last.format(last=f"x{depth - 1}")
    for number in reversed(range(depth)):
        subgoal = f"forall x{number}. ({subgoal})"
    result = evaluated(subgoal, budget=Budget(instances=100_000))
    assert not result.success
    assert result == evaluated(subgoal, budget=Budget(instances=100_000))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_ways_that_were_followed_count_if_the_budget_ends_behind_them(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(*arguments: Any, **options: Any) -> Iterator[Pursuit]:
        """Yield the first way several times; then the budget is used up."""
        first = next(pursue(*arguments, **options))
        for _ in range(number):
            yield first
        raise BeyondBudgetError("instances", 1)

    monkeypatch.setattr(subgoal_decomposition, "pursue", cut_off)
    result = evaluated("OFF(lamp.8)")
    assert (result.success, result.outcome) == (False, "reached")
    ways = "1 way" if number == 1 else f"{number} ways"
    assert [note for note in result.notes if "looked for" in note] == [
        f"{ways} followed; others were not looked for"
    ]
    # A success needs no other way.
    assert not [note for note in evaluated("ON(lamp.8)").notes if "looked for" in note]


def test_nested_quantifiers_are_taken_apart_within_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = 0
    is_static = Domain.is_static

    def count(domain: Domain, atom: Formula) -> bool:
        nonlocal looked_at
        looked_at += 1
        return is_static(domain, atom)

    monkeypatch.setattr(Domain, "is_static", count)
    wettable = Forall((Z,), Atom("wettable", (X,)))
    condition = Forall((X,), Exists((Y,), Exists((Variable("w"),), wettable)))
    meter = Budget().meter()
    assert means(WORLD, state(100), condition, agent=ME, operators=OPERATORS, meter=meter) == []
    assert looked_at < 600_000
