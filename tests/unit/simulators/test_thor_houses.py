"""Houses: rooms side by side, ways through doors, reach, counted steps."""

import pytest

from eai.errors import InputError, UnknownNameError
from eai.simulators.thor.houses import (
    Door,
    House,
    HouseEnvironment,
    HouseStep,
    Spot,
    house_of,
    joined,
)
from eai.simulators.thor.scenes import Scene, SceneObject
from eai.world import Action

ROOMS = ("FloorPlan1", "FloorPlan201", "FloorPlan301")


def thing(name: str, kind: str, x: float, z: float, *can: str, place: str = "") -> SceneObject:
    where = f"{kind}|{x}|1.00|{z}"
    return SceneObject(name, where, kind, place=place, affordances=can, position=(x, 1.0, z))


def two_rooms() -> House:
    """A kitchen of 4 m by 4 m, and east of it a living room of the same size.

    The agent starts at (2, 2). The door is at (4, 2).
    """
    kitchen = [
        thing("floor", "Floor", 0, 0, "receptacle"),
        thing("table", "CounterTop", 4, 4, "receptacle"),
        thing("apple", "Apple", 4, 4, "pickupable", "sliceable", place="table"),
        thing("knife", "Knife", 0.5, 2, "pickupable", place="floor"),
        thing("fridge", "Fridge", 2, 4, "receptacle", "openable"),
        thing("egg", "Egg", 2, 4, "pickupable", place="fridge"),
    ]
    living = [
        thing("floor", "Floor", 0, 0, "receptacle"),
        thing("desk", "Desk", 4, 2, "receptacle"),
        thing("lamp", "DeskLamp", 4, 4, "toggleable"),
    ]
    return joined([Scene("FloorPlan1", tuple(kitchen)), Scene("FloorPlan201", tuple(living))])


def do(house: HouseEnvironment, text: str) -> HouseStep:
    name, *arguments = text.split()
    return house.step(Action(name, tuple(arguments)))


def test_a_walk_of_ten_actions_takes_the_steps_counted_by_hand() -> None:
    """Moves are 0.05 m; the agent stops 0.75 m before an object; it looks north at the start."""
    house = HouseEnvironment(two_rooms())
    walk = [
        # (action, atomic moves, turns, interactions)
        ("GoTo Knife_1", 15, 3, 0),  # 1.5 m west, 0.75 m short of it; a quarter turn
        ("Pick Knife_1", 0, 0, 1),
        ("GoTo living_room_1", 95, 6, 0),  # from (1.25, 2) east to the door, half a turn
        ("GoTo kitchen_1", 80, 6, 0),  # from (6, 2) to the door at (4, 2), on to (2, 2)
        ("GoTo Fridge_1", 25, 3, 0),  # 2 m north, 0.75 m short of it
        ("Open Fridge_1", 0, 0, 1),
        ("Pick Egg_1", 0, 0, 1),  # in vain: the hand is full
        ("GoTo kitchen_1", 25, 6, 0),
        ("Pick Apple_1", 0, 0, 1),  # in vain: too far
        ("Stop", 0, 0, 0),
    ]
    # The middle of the living room is at (6, 2), so the third way is 2.75 m + 2 m.
    steps = [do(house, action) for action, *_ in walk]
    assert [(s.moves, s.turns, s.interactions) for s in steps] == [
        (moves, turns, acts) for _, moves, turns, acts in walk
    ]
    assert sum(step.navigation for step in steps) == pytest.approx(240 / 5 + 24)
    assert sum(step.atomic for step in steps) == 240 + 24 + 4
    assert [step.code for step in steps if not step.success] == ["HAND_FULL", "TOO_FAR"]
    assert house.stopped


def test_what_is_in_other_rooms_or_shut_in_is_not_seen() -> None:
    house = HouseEnvironment(two_rooms())
    seen = {one.name for one in house.reset().objects}
    assert {"Fridge_1", "Knife_1", "living_room_1"} <= seen
    assert not {"Egg_1", "Desk_1"} & seen
    assert do(house, "GoTo Desk_1").code == "NOT_SEEN"
    assert do(house, "GoTo Egg_1").code == "NOT_SEEN"
    do(house, "GoTo Fridge_1")
    do(house, "Open Fridge_1")
    assert do(house, "Pick Egg_1").success
    assert do(house, "GoTo living_room_1").success
    assert {"Desk_1", "Egg_1"} <= {one.name for one in do(house, "GoTo Desk_1").observation.objects}


def test_what_is_placed_is_where_it_was_placed() -> None:
    house = HouseEnvironment(two_rooms())
    for action in ("GoTo Apple_1", "Pick Apple_1", "GoTo living_room_1", "GoTo Desk_1"):
        assert do(house, action).success
    assert do(house, "Place Desk_1").success
    assert house.spot_of("Apple_1") == Spot("living_room_1", 8.0, 2.0)
    assert do(house, "GoTo kitchen_1").success
    assert do(house, "Pick Apple_1").code == "TOO_FAR"
    assert do(house, "GoTo Apple_1").success
    assert do(house, "Pick Apple_1").success


@pytest.mark.parametrize(
    ("actions", "code"),
    [
        (["GoTo Apple_1", "Slice Apple_1"], "NO_KNIFE"),
        (["GoTo Fridge_1", "Open Fridge_1", "Open Fridge_1"], "ALREADY_OPEN"),
        (["GoTo Fridge_1", "Close Fridge_1"], "ALREADY_CLOSED"),
        (["Pick kitchen_1"], "ROOM"),
        (["Fly Apple_1"], "action_hallucination"),
        (["Pick"], "argument_number"),
        (["GoTo Apple_1", "Place CounterTop_1"], "HAND_EMPTY"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(actions: list[str], code: str) -> None:
    house = HouseEnvironment(two_rooms())
    *_, last = (do(house, action) for action in actions)
    assert (last.success, last.code) == (False, code)
    assert last.message
    assert last.atomic == 1


def test_slicing_takes_a_knife_and_makes_slices() -> None:
    house = HouseEnvironment(two_rooms())
    for action in ("GoTo Knife_1", "Pick Knife_1", "GoTo Apple_1", "Slice Apple_1"):
        assert do(house, action).success
    assert house.holds("sliced", "Apple_1")
    slices = [o.name for o in do(house, "GoTo CounterTop_1").observation.objects]
    assert "Apple_1_AppleSliced_0" in slices


def test_a_house_of_recorded_rooms_starts_in_its_first_room() -> None:
    house = house_of(ROOMS)
    assert list(house.rooms) == ["kitchen_1", "living_room_1", "bedroom_1"]
    assert len(house.way("kitchen_1", "bedroom_1")) == 2
    environment = HouseEnvironment(house)
    assert environment.spot.room == "kitchen_1"
    first = environment.reset()
    do(environment, "GoTo bedroom_1")
    assert environment.reset() == first


@pytest.mark.parametrize(
    ("rooms", "message"),
    [
        ((), "a house without a room"),
        (("FloorPlan1", "FloorPlan1"), "appears 2 times"),
        (("FloorPlan999",), "FloorPlan999"),
    ],
)
def test_houses_that_cannot_be(rooms: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        house_of(rooms)


def test_a_house_is_in_one_piece() -> None:
    house = two_rooms()
    with pytest.raises(InputError, match="no way leads from kitchen_1 to living_room_1"):
        House(house.rooms, (), house.scene, house.spots)
    with pytest.raises(UnknownNameError, match="attic"):
        House(house.rooms, (Door("attic", "kitchen_1", (0, 0)),), house.scene, house.spots)
