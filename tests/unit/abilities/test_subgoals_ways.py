"""Ways to conditions, against a search through all states, and the parts of such searches."""

from __future__ import annotations

import itertools
from collections.abc import Generator
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest
from reachable_states import STARTS, YARD, formula, key, reachable, state

from eai.abilities.subgoals.achievers import obstacles
from eai.abilities.subgoals.width import (
    NoWay,
    Reached,
    WidthSearch,
    _Novelty,
    _Turns,
    find_way,
    helpers,
    unfolded,
)
from eai.budget import BeyondBudgetError, Budget
from eai.logic import And, Atom, Formula, Not, Or, conjuncts
from eai.pddl import parse_domain
from eai.world import Action, World

WORLD = YARD
OPERATORS = tuple(WORLD.domain.operators)
GOALS = (
    "lit()",
    "not lit()",
    "cut(box)",
    "cut(saw)",
    "cut(box) and cut(can)",
    "in(can, box)",
    "not in(can, box)",
    "in(box, can) and in(can, box)",
    "in(box, can) and in(saw, can)",
    "held(robot, box) and held(robot, can)",
    "held(robot, saw) and not lit()",
    "tidy(box)",
    "not tidy(box)",
    "tidy(box) and tidy(can)",
    "dry_all()",
    "not dry_all()",
    "dry_all() and lit()",
    "ready()",
    "not ready()",
    "sharp(box)",
    "full(robot)",
    "not full(robot) and cut(can)",
    "forall x - thing. (cut(x))",
    "forall x - thing. (wet(x) -> lit())",
    "forall x - thing. (in(x, box) -> cut(x))",
    "forall x - thing. (not wet(x)) and held(robot, can)",
    "exists x - thing. (in(x, can))",
    "exists x - thing. (wet(x) and cut(x))",
    "exists x - thing. (in(x, x))",
    "exists x - thing, y - thing. (in(x, y) and in(y, x))",
    "wet(can) and cut(can) and in(can, box)",
    "in(box, can) or sharp(can)",
    "held(robot, can) and wet(can)",
)


def way(
    facts: str,
    goal: Formula,
    *,
    actions: int | None = None,
    quick: bool = False,
    budget: Budget | None = None,
    operators: tuple[str, ...] = OPERATORS,
) -> Reached | NoWay:
    return find_way(
        WORLD,
        state(facts),
        goal,
        agent="robot",
        operators=operators,
        meter=(budget or Budget.unlimited()).meter(),
        blocked=lambda: (),
        actions=actions,
        quick=quick,
    )


@pytest.mark.parametrize("facts", STARTS)
def test_a_way_is_found_wherever_there_is_one_and_only_there(facts: str) -> None:
    states = reachable(facts)
    for text in GOALS:
        goal = formula(text)
        possible = any(WORLD.holds(each, goal) for each in states)
        found = way(facts, goal)
        if not possible:
            assert found == NoWay(), text
            continue
        assert isinstance(found, Reached), text
        now = state(facts)
        for action in found.plan:
            numbers = WORLD.numbers(now, action.name, ("robot", *action.arguments))
            assert WORLD.first_failure(now, action.name, numbers) < 0, text
            WORLD.apply(now, action.name, numbers)
        assert WORLD.holds(now, goal), text
        assert key(found.state) == key(now)


@pytest.mark.parametrize("facts", STARTS)
def test_what_keeps_a_condition_away_never_becomes_true(facts: str) -> None:
    states = reachable(facts)
    named = 0
    for text in GOALS:
        goal, start = formula(text), state(facts)
        kept = obstacles(WORLD, start, goal, agent="robot", operators=OPERATORS)
        named += bool(kept)
        if kept:
            assert not any(WORLD.holds(each, goal) for each in states), text
    assert named


@pytest.mark.parametrize("facts", STARTS)
def test_a_goal_taken_apart_says_no_less_than_the_goal(facts: str) -> None:
    start, taken = state(facts), 0
    for text in GOALS:
        goal = formula(text)
        parts = unfolded(WORLD, start, goal, meter=Budget.unlimited().meter())
        taken += parts != goal
        if parts is goal:
            continue
        # Static facts are those of the start; what holds then may be lost again.
        assert len(conjuncts(parts)) >= len(conjuncts(goal))
        assert not WORLD.holds(start, parts)
    assert taken


@pytest.mark.parametrize(
    ("facts", "goal", "parts"),
    [
        ("", "lit() and cut(box)", ["lit()", "cut(box)"]),
        ("", "forall x - thing. (cut(x))", ["cut(box)", "cut(can)", "cut(saw)"]),
        ("cut can", "forall x - thing. (cut(x))", ["cut(box)", "cut(saw)"]),
        (
            "in can box; in saw box; cut saw",
            "forall x - thing. (in(x, box) -> cut(x))",
            ["cut(can)"],
        ),
        ("", "forall x - thing. (cut(x)) and lit()", ["cut(box)", "cut(can)", "cut(saw)", "lit()"]),
        ("wet can", "dry_all()", ["not wet(box)", "not wet(can)", "not wet(saw)"]),
        ("", "dry_all()", ["dry_all()"]),
        (
            "in can box; fixed saw",
            "tidy(box)",
            ["not in(box, box)", "not in(can, box)"],
        ),
        ("lit", "ready()", ["cut(box)", "cut(can)", "cut(saw)"]),
        ("", "ready()", ["ready()"]),
        ("wet can", "not dry_all()", ["not dry_all()"]),
        (
            "",
            "forall x - thing, y - thing. (in(x, y))",
            ["forall x - thing, y - thing. (in(x, y))"],
        ),
    ],
)
def test_a_condition_on_several_objects_has_a_part_for_each(
    facts: str, goal: str, parts: list[str]
) -> None:
    found = unfolded(WORLD, state(facts), formula(goal), meter=Budget.unlimited().meter())
    assert list(conjuncts(found)) == list(map(formula, parts))


def test_for_all_is_taken_apart_for_few_objects_only() -> None:
    many = {"robot": "robot", **{f"t{n}": "thing" for n in range(22)}}
    goal = formula("forall x - thing. (cut(x))")
    for cut, apart in ((0, 1), (1, 1), (2, 20)):
        start = WORLD.state(many, [Atom("cut", (f"t{n}",)) for n in range(cut)])
        found = unfolded(WORLD, start, goal, meter=Budget.unlimited().meter())
        assert len(conjuncts(found)) == apart


def test_tools_are_the_first_objects_with_a_property_that_some_object_must_have() -> None:
    assert helpers(WORLD, state("sharp saw; wet box; cut box")) == ("saw",)
    assert helpers(WORLD, state("sharp saw; fixed can; fixed saw")) == ("saw", "can")
    assert helpers(WORLD, state("")) == ()


def test_what_is_asked_of_a_parameter_is_no_property_of_helpers() -> None:
    world = World(
        parse_domain("""(define (domain d) (:requirements :adl) (:types robot thing)
      (:predicates (lit) (sharp ?x - thing) (fixed ?x - thing) (near ?x ?y - thing))
      (:action cut :parameters (?r - robot ?x - thing) :effect (lit)
        :precondition (exists (?y - thing) (and (fixed ?x) (sharp ?y) (near ?x ?y)))))""")
    )
    facts = [Atom("sharp", ("saw",)), Atom("fixed", ("box",))]
    at = world.state({"robot": "robot", "saw": "thing", "box": "thing"}, facts)
    assert helpers(world, at) == ("saw",)


def test_helpers_are_the_first_of_a_kind() -> None:
    many = {"robot": "robot", **{f"t{n}": "thing" for n in range(5)}}
    start = WORLD.state(many, [Atom("sharp", (f"t{n}",)) for n in (4, 1, 3, 2)])
    assert helpers(WORLD, start) == ("t1", "t2", "t3")


# ---- bounds


def test_no_way_has_more_actions_than_are_allowed() -> None:
    facts, goal = "sharp saw", formula("cut(box)")
    found = way(facts, goal)
    assert isinstance(found, Reached)
    assert [action.name for action in found.plan] == ["grab", "cut"]
    assert isinstance(way(facts, goal, actions=2), Reached)
    cut = way(facts, goal, actions=1)
    assert isinstance(cut, NoWay)
    assert cut.bound
    # Without longer ways nothing was left out.
    assert way(facts, formula("sharp(box)"), actions=50, operators=("press",)) == NoWay()


def test_a_quick_search_proves_nothing() -> None:
    facts = "sharp saw"
    assert isinstance(way(facts, formula("held(robot, box)"), quick=True), Reached)
    found = way(facts, formula("sharp(box)"), quick=True)
    assert isinstance(found, NoWay)
    assert found.bound


def test_what_is_blocked_is_told_and_nothing_else_is_tried() -> None:
    asked: list[int] = []

    def blocked() -> tuple[Formula, ...]:
        asked.append(1)
        return (formula("sharp(box)"),)

    meter = Budget.unlimited().meter()

    def find(goal: str) -> Reached | NoWay:
        return find_way(
            WORLD,
            state("sharp saw"),
            formula(goal),
            agent="robot",
            operators=OPERATORS,
            meter=meter,
            blocked=blocked,
        )

    assert isinstance(find("held(robot, box)"), Reached)
    assert asked == []
    assert find("sharp(box)") == NoWay(kept=(formula("sharp(box)"),))
    assert asked == [1]


def test_one_condition_may_use_half_of_the_budget_and_what_it_used_counts() -> None:
    goal = formula("wet(can) and cut(can) and in(can, box)")
    free = Budget.unlimited().meter()
    find_way(
        WORLD,
        state("sharp saw"),
        goal,
        agent="robot",
        operators=OPERATORS,
        meter=free,
        blocked=lambda: (),
    )
    needed, looked_at = free.states, free.instances
    assert needed > 4
    assert looked_at > needed

    def bounded(budget: Budget) -> tuple[Reached | NoWay, int]:
        meter = budget.meter()
        found = find_way(
            WORLD,
            state("sharp saw"),
            goal,
            agent="robot",
            operators=OPERATORS,
            meter=meter,
            blocked=lambda: (),
        )
        return found, meter.states

    enough, used = bounded(Budget(states=2 * needed))
    assert isinstance(enough, Reached)
    assert used == needed
    short, used = bounded(Budget(states=2 * needed - 2))
    assert isinstance(short, NoWay)
    assert short.bound
    assert used >= needed - 1
    with pytest.raises(BeyondBudgetError):
        way("sharp saw", goal, budget=Budget(states=1))


def test_a_condition_has_no_more_than_what_is_left_of_the_budget() -> None:
    goal = formula("wet(can) and cut(can) and in(can, box)")
    meter = Budget(instances=100_000).meter()
    meter.count_instances(99_990)
    try:
        found = find_way(
            WORLD,
            state("sharp saw"),
            goal,
            agent="robot",
            operators=OPERATORS,
            meter=meter,
            blocked=lambda: (),
        )
    except BeyondBudgetError:
        pass
    else:
        assert isinstance(found, NoWay)
        assert found.bound
    assert meter.instances < 101_000


# ---- what is new


def test_states_are_new_once() -> None:
    novelty = _Novelty(0)
    assert not novelty.record(0, 0, 0)
    for kind in (0, 1):
        assert novelty.record(kind, 0b101 << kind, 0b1)
        assert not novelty.record(kind, 0b101 << kind, 0b1)
    assert novelty.promising(0, 0, [(("a", ()), 0)]) == [(("a", ()), 0)]


def test_with_width_one_some_added_atom_is_new_in_its_class() -> None:
    novelty = _Novelty(1)
    assert novelty.record(3, 0b011, 0b011)
    assert not novelty.record(3, 0b011, 0b010)
    assert not novelty.record(3, 0b111, 0)
    assert novelty.record(3, 0b110, 0b110)
    assert novelty.record(2, 0b010, 0b010)
    first, second = (("a", ()), 0b1), (("b", ()), 0b1001)
    assert novelty.promising(3, 0, [first, second]) == [second]
    assert novelty.promising(3, 0b1000, [first, second]) == []
    assert novelty.promising(2, 0, [first]) == [first]


def test_with_width_two_some_pair_with_an_added_atom_is_new() -> None:
    for masks in (
        [(0b0011, 0b0011), (0b0101, 0b0100), (0b0110, 0b0010), (0b0111, 0b0111), (0b1001, 0b1000)],
        [(0b111, 0b100), (0b101, 0b101), (0b011, 0b010), (0b110, 0b110), (0b1111, 0b1000)],
    ):
        novelty, seen = _Novelty(2), set[frozenset[int]]()
        for atoms, added in masks:
            members = [bit for bit in range(4) if atoms >> bit & 1]
            pairs = {
                frozenset(pair)
                for pair in [*combinations(members, 2), *((bit,) for bit in members)]
                if any(added >> bit & 1 for bit in pair)
            }
            assert novelty.record(7, atoms, added) is bool(pairs - seen)
            seen |= pairs
        assert novelty.record(8, 0b1, 0b1)


@pytest.mark.parametrize("width", [0, 1, 2])
def test_each_width_finds_what_is_one_step_away(width: int) -> None:
    search = WidthSearch(WORLD, "robot", operators=OPERATORS)
    start = state("sharp saw")
    for goal in (Atom("lit"), Atom("held", ("robot", "can")), Not(Atom("lit"))):
        found = search.reach(start, goal, object_mask=start.universe.everything, widths=(width,))
        assert found is not None
        assert len(found.plan) == (0 if isinstance(goal, Not) else 1)
    # About no other objects than those that are given.
    robot = 1 << start.universe.number("robot")
    both = Or((Atom("held", ("robot", "can")), Atom("lit")))
    found = search.reach(start, both, object_mask=robot, widths=(width,))
    assert found is not None
    assert found.plan == (Action("press"),)
    assert (
        search.reach(start, Atom("held", ("robot", "can")), object_mask=robot, widths=(width,))
        is None
    )


def test_objects_around_a_condition_are_those_it_is_related_to() -> None:
    search = WidthSearch(WORLD, "robot", operators=OPERATORS)
    start = state("in can box; held robot saw")
    names = start.universe.names

    def around(goal: Formula, others: tuple[str, ...] = ()) -> list[str]:
        mask = search.around(start, goal, others)
        return [name for at, name in enumerate(names) if mask >> at & 1]

    assert around(Atom("lit")) == ["robot", "saw"]
    assert around(Atom("wet", ("can",))) == ["robot", "box", "can", "saw"]
    assert around(And((Atom("lit"),)), ("box",)) == ["robot", "box", "can", "saw"]


def test_both_widths_leave_out_what_a_search_through_all_states_visits() -> None:
    start = state("sharp saw")
    lost = WidthSearch(WORLD, "robot", operators=OPERATORS)
    everything, never = start.universe.everything, formula("sharp(box)")
    assert lost.reach(start, never, object_mask=everything, widths=(1, 2)) is None
    whole = WidthSearch(WORLD, "robot", operators=OPERATORS)
    whole.reach(start, never, object_mask=everything, widths=(0,))
    assert lost.meter.states <= whole.meter.states


def test_ways_of_searching_take_turns_by_what_they_did_times_their_price() -> None:
    def way(name: str, ends_after: int | None, plan: str = "") -> Generator[None, None, Any]:
        for _ in itertools.count() if ends_after is None else range(ends_after):
            done.append(name)
            meter.count_instances(9)
            yield
        return plan or None

    for prices, share in (((1, 1), 1), ((1, 4), 4), ((2, 1), 0.5)):
        done: list[str] = []
        meter = Budget.unlimited().meter()
        turns = SimpleNamespace(_search=SimpleNamespace(meter=meter))
        endless, short = way("endless", None), way("short", 10, "plan")
        ways = {short: prices[0], endless: prices[1]}
        found: object = _Turns._alternately(turns, ways)  # type: ignore[arg-type]
        assert found == "plan"
        assert done.count("short") == 10
        assert done.count("endless") == pytest.approx(10 / share, abs=2)
    done, meter = [], Budget.unlimited().meter()
    turns = SimpleNamespace(_search=SimpleNamespace(meter=meter))
    both = {way("one", 3): 1, way("two", 5): 1}
    assert _Turns._alternately(turns, both) is None  # type: ignore[arg-type]
    assert (done.count("one"), done.count("two")) == (3, 5)
