"""One small scene for each variation: what the domain says, and what the variation makes of it."""

from __future__ import annotations

import pytest

from eai.errors import InputError, UnknownNameError
from eai.logic import Atom
from eai.simulators import VirtualHomeSimulator, class_predicates, object_class, virtualhome_domain
from eai.simulators.virtualhome import VARIATIONS
from eai.world import State, World

OBJECTS = {
    "kitchen.1": "room",
    "bath.2": "room",
    "hall.55": "room",
    "me.3": "character",
    **dict.fromkeys(("cup.4", "table.5", "box.6", "sofa.7", "shelf.40", "desk.33"), "thing"),
}


def scene(*facts: str, variations: tuple[str, ...] = ()) -> tuple[World, State]:
    world = VirtualHomeSimulator(variations).world
    split = (fact.split() for fact in facts)
    atoms = [Atom(words[0], tuple(words[1:])) for words in split]
    return world, world.state(OBJECTS, atoms).begin()


def act(world: World, state: State, step: str) -> bool:
    """Do a step if it can be done."""
    name, *arguments = step.split()
    numbers = world.numbers(state, name, ("me.3", *arguments))
    if world.first_failure(state, name, numbers) >= 0:
        return False
    world.apply(state, name, numbers)
    return True


@pytest.mark.parametrize(
    ("variations", "room"), [((), "bath.2"), (("held_left_behind",), "kitchen.1")]
)
def test_held_left_behind(variations: tuple[str, ...], room: str) -> None:
    world, state = scene(
        "inside me.3 kitchen.1", "inside cup.4 kitchen.1", "holds_rh me.3 cup.4",
        variations=variations,
    )  # fmt: skip
    assert act(world, state, "walk bath.2")
    assert state.holds("inside", ("me.3", "bath.2"))
    rooms = [name for name in ("kitchen.1", "bath.2") if state.holds("inside", ("cup.4", name))]
    assert rooms == [room]


@pytest.mark.parametrize(("variations", "again"), [((), True), (("grab_memory",), False)])
def test_grab_memory(variations: tuple[str, ...], again: bool) -> None:
    # the cup was grabbed from the table and came out of the hand in a way that left the memory
    facts = ("grabbable cup.4", "next_to me.3 cup.4", "inside me.3 kitchen.1")
    world, state = scene(*facts, "from_on cup.4 table.5", variations=variations)
    assert act(world, state, "grab cup.4") is again
    world, state = scene(*facts, "holds_rh me.3 cup.4", variations=variations)
    assert act(world, state, "grab cup.4") is not again


@pytest.mark.parametrize(("variations", "stays"), [((), False), (("standing_keeps_seat",), True)])
def test_standing_keeps_seat(variations: tuple[str, ...], stays: bool) -> None:
    world, state = scene("sitting me.3", "ontop me.3 sofa.7", variations=variations)
    assert act(world, state, "standup")
    assert not state.holds("sitting", ("me.3",))
    assert state.holds("ontop", ("me.3", "sofa.7")) is stays


@pytest.mark.parametrize(("variations", "done"), [((), False), (("silent_putobjback",), True)])
def test_silent_putobjback(variations: tuple[str, ...], done: bool) -> None:
    # the table is out of reach: the step does nothing, and whether that is an error differs
    world, state = scene("from_on cup.4 table.5", "holds_rh me.3 cup.4", variations=variations)
    assert act(world, state, "putobjback cup.4") is done
    assert state.holds("holds_rh", ("me.3", "cup.4"))
    assert state.holds("from_on", ("cup.4", "table.5"))


def origins(world: World, state: State) -> set[tuple[str, str]]:
    assert act(world, state, "grab cup.4")
    return {
        (predicate, place)
        for predicate in ("from_on", "from_inside", "from_close")
        for place in OBJECTS
        if state.holds(predicate, ("cup.4", place))
    }


IN_HAND = ("grabbable cup.4", "next_to me.3 cup.4", "inside me.3 kitchen.1", "open box.6")
FIRST = ("first_neighbour",)


@pytest.mark.parametrize(
    ("facts", "plain", "first"),
    [
        (("ontop cup.4 table.5",), {("from_on", "table.5")}, {("from_on", "table.5")}),
        (("inside cup.4 box.6", "inside cup.4 kitchen.1"), {("from_inside", "box.6")},
         {("from_inside", "box.6")}),
        (("ontop cup.4 table.5", "inside cup.4 box.6"), {("from_on", "table.5")},
         {("from_on", "table.5")}),
        (("next_to cup.4 table.5",), set(), {("from_close", "table.5")}),
        (("inside cup.4 kitchen.1", "next_to cup.4 kitchen.1"), set(), set()),
    ],
)  # fmt: skip
def test_first_neighbour(
    facts: tuple[str, ...], plain: set[tuple[str, str]], first: set[tuple[str, str]]
) -> None:
    assert origins(*scene(*IN_HAND, *facts)) == plain
    assert origins(*scene(*IN_HAND, *facts, variations=FIRST)) == first


def test_first_neighbour_takes_one_of_several_in_the_order_of_a_set_of_ids() -> None:
    facts = (*IN_HAND, "ontop cup.4 desk.33", "ontop cup.4 shelf.40", "ontop cup.4 table.5")
    assert {place for _, place in origins(*scene(*facts))} == {"desk.33", "shelf.40", "table.5"}
    expected = next(iter({33, 40, 5}))
    [(predicate, place)] = origins(*scene(*facts, variations=FIRST))
    assert predicate == "from_on"
    assert place.endswith(f".{expected}")


def test_first_neighbour_puts_new_places_into_the_set_before_old_ones() -> None:
    world, state = scene(*IN_HAND, "ontop cup.4 table.5", "ontop cup.4 shelf.40", variations=FIRST)
    state.add("ontop", ("cup.4", "desk.33"))
    assert list({33, 5, 40})[0] == 40  # noqa: RUF015
    assert list({33, 5})[0] == 33  # noqa: RUF015
    state.remove("ontop", ("cup.4", "shelf.40"))
    assert origins(world, state) == {("from_on", "desk.33")}


def test_first_neighbour_prefers_what_came_to_be_where_only_that_is_left() -> None:
    world, state = scene(*IN_HAND, "ontop cup.4 desk.33", variations=FIRST)
    state.remove("ontop", ("cup.4", "desk.33"))
    state.add("ontop", ("cup.4", "table.5"))
    assert origins(world, state) == {("from_on", "table.5")}


def in_rooms(world: World, state: State, name: str) -> list[str]:
    rooms = ("kitchen.1", "bath.2", "hall.55")
    return [room for room in rooms if world.holds(state, Atom("in_room", (name, room)))]


ROOM = ("first_room",)


@pytest.mark.parametrize(
    ("facts", "name", "plain", "first"),
    [
        ((), "bath.2", ["bath.2"], ["bath.2"]),
        (("inside cup.4 bath.2",), "cup.4", ["bath.2"], ["bath.2"]),
        # only in a box: the variation looks where the box is
        (("inside cup.4 box.6", "inside box.6 bath.2"), "cup.4", [], ["bath.2"]),
        (("inside cup.4 box.6",), "cup.4", [], []),
        (("inside cup.4 box.6", "inside box.6 cup.4"), "cup.4", [], []),
        # in several rooms: the variation takes one
        (("inside cup.4 bath.2", "inside cup.4 kitchen.1"), "cup.4",
         ["kitchen.1", "bath.2"], ["kitchen.1"]),
        # in a box and in a room: the room counts, though the box comes first in the set of ids
        (("inside cup.4 box.6", "inside box.6 bath.2", "inside cup.4 hall.55"), "cup.4",
         ["hall.55"], ["hall.55"]),
        (("inside cup.4 box.6", "inside cup.4 bath.2"), "cup.4", ["bath.2"], ["bath.2"]),
    ],
)  # fmt: skip
def test_first_room(facts: tuple[str, ...], name: str, plain: list[str], first: list[str]) -> None:
    assert in_rooms(*scene(*facts), name) == plain
    assert in_rooms(*scene(*facts, variations=ROOM), name) == first


def test_every_variation_has_a_test_here() -> None:
    assert {f"test_{name}" for name in VARIATIONS} <= globals().keys()


def test_variations_are_combined() -> None:
    world, state = scene(
        "sitting me.3", "ontop me.3 sofa.7", "from_on cup.4 table.5",
        variations=("standing_keeps_seat", "silent_putobjback"),
    )  # fmt: skip
    assert act(world, state, "standup")
    assert act(world, state, "putobjback cup.4")
    assert state.holds("ontop", ("me.3", "sofa.7"))


def test_an_unknown_variation_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'first_room'"):
        VirtualHomeSimulator(["first_rooms"])


def test_choosing_by_id_needs_ids() -> None:
    world = VirtualHomeSimulator(["first_room"]).world
    objects = {"kitchen": "room", "bath": "room", "cup": "thing"}
    both = [Atom("inside", ("cup", "kitchen")), Atom("inside", ("cup", "bath"))]
    with pytest.raises(InputError, match="the object 'kitchen' has no id"):
        world.holds(world.state(objects, both), Atom("in_room", ("cup", "bath")))


def test_properties_follow_from_the_class_of_an_object() -> None:
    assert object_class("washing_machine.1001") == "washing_machine"
    assert object_class("kitchen") == "kitchen"
    assert class_predicates("desk") == ("openable",)
    assert class_predicates("bread_knife") == ("knife",)
    assert set(class_predicates("couch")) == {"seats_four", "beds_two"}
    assert class_predicates("spoon") == ()
    declared = virtualhome_domain().predicates
    assert all(name in declared for name in class_predicates("water"))
