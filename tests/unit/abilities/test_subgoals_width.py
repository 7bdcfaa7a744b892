"""A narrow search wins one conjunct after the other, and says when there is nothing to do."""

from __future__ import annotations

import pytest
from small_behavior import STRICT, state_of

from eai.abilities.subgoals.width import (
    NoWay,
    Reached,
    WidthSearch,
    _finish,
    _Turns,
    close_operators,
    find_way,
)
from eai.budget import Budget
from eai.logic import And, Atom, Formula, Not, Variable
from eai.pddl import AddEffect, Domain, Operator, Predicate, parse_domain
from eai.simulators import BehaviorSimulator, VirtualHomeSimulator
from eai.simulators.behavior import AGENT
from eai.world import Action, State, World

ME = "character.1"
WORLD = VirtualHomeSimulator().world
OPERATORS = tuple(WORLD.domain.operators)


def state() -> State:
    things = [f"box.{i}" for i in range(2, 6)]
    facts = [Atom(name, (thing,)) for thing in things for name in ("can_open", "closed")]
    facts += [Atom("inside", (name, "kitchen.9")) for name in (ME, *things)]
    objects = {ME: "character", "kitchen.9": "room", **dict.fromkeys(things, "thing")}
    return WORLD.state(objects, facts)


def search(goal: Formula, *, actions: int | None = None) -> Reached | None:
    width = WidthSearch(WORLD, ME, operators=OPERATORS, actions=actions)
    about = width.around(state(), goal)
    return width.reach(state(), goal, object_mask=about, widths=(1,))


def opened(count: int) -> And:
    return And(tuple(Atom("open", (f"box.{i}",)) for i in range(2, 2 + count)))


def test_conjuncts_of_width_one_are_reached_with_width_one() -> None:
    found = search(opened(4))
    assert found is not None
    assert [action.name for action in found.plan] == ["walk", "open"] * 4
    assert WORLD.holds(found.state, opened(4))


@pytest.mark.parametrize("is_on_table", [False, True])
def test_three_things_next_to_each_other_take_two_hands(is_on_table: bool) -> None:
    """The one that is placed first is placed next to one that is held."""
    simulator = BehaviorSimulator()
    world, start = simulator.world, state_of("", simulator)
    pairs = [("jar_3", "jar_4"), ("jar_3", "plate_10"), ("jar_4", "plate_10")]
    conditions = [Atom("nextto", pair) for pair in pairs]
    if is_on_table:
        conditions.append(Atom("ontop", ("plate_10", "table_1")))
    goal = And(tuple(conditions))
    found = find_way(
        world,
        start,
        goal,
        agent=AGENT,
        operators=tuple(world.domain.operators),
        meter=STRICT.budget.meter(),
        blocked=lambda: (),
        is_kept=is_on_table,
    )
    assert isinstance(found, Reached)
    assert world.holds(found.state, goal)
    assert len(found.plan) >= 6


def test_operators_close_to_a_goal_make_it_true_or_let_others_do_so() -> None:
    world = BehaviorSimulator().world
    names = tuple(world.domain.operators)
    close = close_operators(world, Atom("nextto", ("jar_3", "jar_4")), names)
    assert {"left_grasp", "right_place_nextto", "left_place_nextto_ontop"} <= set(close)
    assert not {"open", "toggle_on", "left_place_inside", "cook", "navigate_to"} & set(close)
    assert close == tuple(name for name in names if name in close)
    assert close_operators(world, Not(Atom("nextto", ("jar_3", "jar_4"))), names) == ()


def test_the_longest_way_is_counted_for_each_conjunct() -> None:
    assert search(opened(3), actions=2) is not None
    assert search(opened(3), actions=1) is None


def way(goal: Formula, budget: Budget) -> Reached | NoWay:
    return find_way(
        WORLD,
        state(),
        goal,
        agent=ME,
        operators=OPERATORS,
        meter=budget.meter(),
        blocked=lambda: (),
    )


def test_the_states_are_counted_for_all_conjuncts() -> None:
    # One condition may use half of the budget.
    assert isinstance(way(opened(3), Budget(states=100)), Reached)
    found = way(opened(3), Budget(states=4))
    assert isinstance(found, NoWay)
    assert "2 expanded states" in found.bound


def test_conjunct_that_others_put_out_of_reach_is_reached_before_them() -> None:
    world = World(
        parse_domain("""(define (domain d) (:predicates (sealed) (filled) (open))
          (:action seal :parameters (?a) :effect (and (sealed) (not (open))))
          (:action fill :parameters (?a) :precondition (open) :effect (filled)))""")
    )
    start = world.state({ME: "object"}, [Atom("open")])
    search = WidthSearch(world, ME, operators=tuple(world.domain.operators))
    turns = _Turns(search, world, start, And((Atom("sealed"), Atom("filled"))))
    found = _finish(turns._part_by_part(()))
    assert found is not None
    assert [action.name for action in found.plan] == ["fill", "seal"]


def test_what_holds_needs_nothing() -> None:
    found = search(Atom("closed", ("box.2",)))
    assert found is not None
    assert found.plan == ()


def test_an_operator_without_parameters_is_no_action_of_the_agent() -> None:
    world = World(
        Domain(
            "d",
            predicates={name: Predicate(name) for name in "pq"},
            operators={
                "rain": Operator("rain", effect=AddEffect(Atom("p"))),
                "shout": Operator("shout", (Variable("me"),), effect=AddEffect(Atom("q"))),
            },
        )
    )
    start = world.state({ME: "object"}, ())

    def way(goal: Atom) -> Reached | NoWay:
        names, meter = tuple(world.domain.operators), Budget.unlimited().meter()
        return find_way(
            world, start, goal, agent=ME, operators=names, meter=meter, blocked=lambda: ()
        )

    found = way(Atom("q"))
    assert isinstance(found, Reached)
    assert found.plan == (Action("shout"),)
    assert way(Atom("p")) == NoWay()


@pytest.mark.parametrize(("actions", "is_cut"), [(1, True), (None, False)])
def test_the_search_over_all_states_says_whether_longer_ways_were_left_out(
    actions: int | None, *, is_cut: bool
) -> None:
    names = ("walk", "switchon")
    width = WidthSearch(WORLD, ME, operators=names, actions=actions)
    about = state().universe.everything
    assert width.reach(state(), Atom("on", ("box.2",)), object_mask=about, widths=(0,)) is None
    assert width.is_cut_off is is_cut
