"""A narrow search wins one conjunct after the other, and says when there is nothing to do."""

from __future__ import annotations

from eai.abilities.subgoals.width import Reached, WidthSearch
from eai.logic import And, Atom, Formula
from eai.simulators import VirtualHomeSimulator
from eai.world import State

ME = "character.1"
WORLD = VirtualHomeSimulator().world
OPERATORS = tuple(WORLD.domain.operators)


def state() -> State:
    things = [f"box.{i}" for i in range(2, 6)]
    facts = [Atom(name, (thing,)) for thing in things for name in ("can_open", "closed")]
    facts += [Atom("inside", (name, "kitchen.9")) for name in (ME, *things)]
    objects = {ME: "character", "kitchen.9": "room", **dict.fromkeys(things, "thing")}
    return WORLD.state(objects, facts)


def search(goal: Formula, *, actions: int = 8, states: int = 100) -> Reached | None:
    width = WidthSearch(WORLD, ME, actions=actions, states=states)
    about = width.around(state(), goal)
    return width.reach(state(), goal, operators=OPERATORS, about=about, widths=(1,))


def opened(count: int) -> And:
    return And(tuple(Atom("open", (f"box.{i}",)) for i in range(2, 2 + count)))


def test_conjuncts_of_width_one_are_reached_with_width_one() -> None:
    found = search(opened(4))
    assert found is not None
    assert [action.name for action in found.plan] == ["walk", "open"] * 4
    assert WORLD.holds(found.state, opened(4))


def test_the_longest_way_is_counted_for_each_conjunct() -> None:
    assert search(opened(3), actions=2) is not None
    assert search(opened(3), actions=1) is None


def test_the_states_are_counted_for_all_conjuncts() -> None:
    assert search(opened(3), states=2) is None


def test_what_holds_needs_nothing() -> None:
    found = search(Atom("closed", ("box.2",)))
    assert found is not None
    assert found.plan == ()
