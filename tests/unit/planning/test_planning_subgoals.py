"""``reach``: from a state of a world to a subgoal, within bounds."""

from __future__ import annotations

import pytest

from eai.errors import InputError, UnknownNameError
from eai.logic import And, Atom, Exists, Formula, Not, Or, Variable
from eai.pddl import AddEffect, Domain, Operator, Predicate
from eai.planning import Bounds, SubgoalSearch, reach, relevance
from eai.simulators import VirtualHomeSimulator
from eai.world import Action, State, World

ME = "character.1"
WORLD = VirtualHomeSimulator().world
FACTS = (
    f"inside {ME} kitchen.2; inside fridge.3 kitchen.2; inside table.4 bedroom.9; "
    "inside cup.5 fridge.3; inside cup.5 kitchen.2; can_open fridge.3; closed fridge.3; "
    "grabbable cup.5; grabbable ball.6; ontop ball.6 table.4; inside ball.6 bedroom.9; "
    "surfaces table.4; sittable sofa.7; inside sofa.7 bedroom.9; clean table.4"
)


def state(more: str = "") -> State:
    facts = [fact.split() for fact in f"{FACTS}; {more}".split(";") if fact.strip()]
    rooms = {"kitchen.2": "room", "bedroom.9": "room"}
    things = ("fridge.3", "table.4", "cup.5", "ball.6", "sofa.7")
    objects = {ME: "character", **rooms, **dict.fromkeys(things, "thing")}
    return WORLD.state(objects, [Atom(name, tuple(terms)) for name, *terms in facts])


def atom(text: str) -> Atom:
    name, *terms = text.split()
    return Atom(name, tuple(terms))


def steps(found: SubgoalSearch) -> list[str]:
    return [str(action) for action in found.plan or ()]


def test_a_shortest_way_is_found() -> None:
    found = reach(WORLD, state(), atom(f"holds_rh {ME} cup.5"), agent=ME)
    assert steps(found) == ["walk(fridge.3)", "open(fridge.3)", "grab(cup.5)"]
    assert found.bound is None
    assert found.state is not None
    assert found.state.holds("holds_rh", (ME, "cup.5"))


def test_the_plan_runs_in_the_world() -> None:
    goal = And((atom("inside ball.6 fridge.3"), atom("closed fridge.3")))
    found = reach(WORLD, state(), goal, agent=ME)
    now = state().copy()
    assert found.plan is not None
    for action in found.plan:
        numbers = WORLD.numbers(now, action.name, (ME, *action.arguments))
        assert WORLD.first_failure(now, action.name, numbers) < 0
        WORLD.apply(now, action.name, numbers)
    assert WORLD.holds(now, goal)


def test_what_holds_needs_nothing() -> None:
    found = reach(WORLD, state(), atom("closed fridge.3"), agent=ME)
    assert found.plan == ()
    assert found.expanded == 0


def test_alternatives_are_searched() -> None:
    near = atom("open fridge.3")
    either = Or((atom("inside ball.6 fridge.3"), near))
    assert steps(reach(WORLD, state(), either, agent=ME)) == ["walk(fridge.3)", "open(fridge.3)"]


def test_variables_range_over_all_objects() -> None:
    x = Variable("x", ("thing",))
    goal = Exists((x,), And((Atom("ontop", (ME, x)), Atom("sittable", (x,)))))
    found = reach(WORLD, state(), goal, agent=ME)
    assert steps(found) == ["walk(sofa.7)", "sit(sofa.7)"]


@pytest.mark.parametrize(
    ("goal", "bounds", "bound"),
    [
        (atom("ontop cup.5 table.4"), Bounds(actions=3), "actions"),
        (atom("ontop cup.5 table.4"), Bounds(states=5), "states"),
        (atom("on fridge.3"), Bounds(objects=3), "objects"),
    ],
)
def test_the_bound_that_ends_a_search_is_named(goal: Formula, bounds: Bounds, bound: str) -> None:
    found = reach(WORLD, state(), goal, agent=ME, bounds=bounds)
    assert not found.found
    assert found.bound == bound
    assert found.expanded <= bounds.states


def test_no_bound_is_named_when_every_state_was_seen() -> None:
    goal, names = atom("on fridge.3"), ["walk", "switchon"]
    found = reach(WORLD, state(), goal, agent=ME, actions=names)
    assert found.plan is None
    assert found.bound is None
    assert len(found.objects) == len(state().universe)


def test_operators_can_be_chosen() -> None:
    goal = And((atom("clean cup.5"), Not(atom("dirty cup.5"))))
    dirty = state("dirty cup.5; open fridge.3")
    assert steps(reach(WORLD, dirty, goal, agent=ME))[-1] == "wash(cup.5)"
    found = reach(WORLD, dirty, goal, agent=ME, actions=["walk", "scrub"])
    assert steps(found) == ["walk(fridge.3)", "scrub(cup.5)"] or steps(found) == [
        "walk(cup.5)",
        "scrub(cup.5)",
    ]


def test_wrong_questions_are_refused() -> None:
    goal = atom(f"holds_rh {ME} cup.5")
    with pytest.raises(InputError, match="the bound actions is 0"):
        reach(WORLD, state(), goal, agent=ME, bounds=Bounds(actions=0))
    with pytest.raises(UnknownNameError, match="fly"):
        reach(WORLD, state(), goal, agent=ME, actions=["fly"])
    with pytest.raises(UnknownNameError, match=r"cup\.50"):
        reach(WORLD, state(), atom(f"holds_rh {ME} cup.50"), agent=ME)


def test_relevance_leaves_out_what_cannot_help() -> None:
    found = relevance(WORLD.domain, [atom(f"holds_rh {ME} cup.5")])
    assert {"grab", "walk", "open", "drop"} <= set(found.operators)
    assert not {"wash", "wipe", "read"} & set(found.operators)
    assert "clean" not in found.predicates


def test_an_action_without_arguments_but_the_agent() -> None:
    seated = state(f"sitting {ME}; ontop {ME} sofa.7")
    found = reach(WORLD, seated, Not(atom(f"sitting {ME}")), agent=ME)
    assert found.plan == (Action("standup"),)


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
    assert reach(world, start, Atom("q"), agent=ME).plan == (Action("shout"),)
    nothing = reach(world, start, Atom("p"), agent=ME)
    assert (nothing.plan, nothing.bound) == (None, None)
