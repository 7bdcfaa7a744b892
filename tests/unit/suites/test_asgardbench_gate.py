"""The twelve actions of AsgardBench: what refuses them, in which order, and what they do."""

from __future__ import annotations

import pytest
from asgardbench_rooms import COFFEE, EGG, MIRROR, SLICES, TELEVISION, acted, kitchen, said, take

from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.gate import ACTIONS
from eai.suites.asgardbench.instances import instance
from eai.suites.asgardbench.room import Act

REFUSED = [
    # what cannot be made out
    (COFFEE, {}, "JUMP Mug", "INVALID_ACTION"),
    (COFFEE, {}, "FIND Unicorn", "INVALID_OBJECT"),
    (COFFEE, {}, "FIND", "INVALID_OBJECT"),
    (COFFEE, {}, "FIND BreadSliced", "NO_INSTANCE"),
    # PICKUP
    (COFFEE, {}, "PICKUP Mug; PICKUP Mug", "HAND_FULL"),
    (COFFEE, {"Mug": "Fridge"}, "PICKUP Mug", "NOT_VISIBLE"),
    (COFFEE, {}, "PICKUP Fridge", "NOT_PICKUPABLE"),
    # PUT
    (COFFEE, {}, "PUT Fridge", "NOTHING_HELD"),
    (COFFEE, {}, "PICKUP Mug; PUT Fridge", "CONTAINER_CLOSED"),
    (COFFEE, {}, "PICKUP Egg; OPEN Cabinet; PUT Cabinet", "INCOMPATIBLE"),
    (COFFEE, {"Pan": "Fridge"}, "PICKUP Egg; PUT Pan", "NOT_VISIBLE"),
    ("cook__Egg_Plate(d)_FloorPlan11_V1", {}, "PICKUP Egg; PUT Plate", "CONTAINER_DIRTY"),
    # OPEN and CLOSE
    (COFFEE, {}, "OPEN Mug", "NOT_OPENABLE"),
    (COFFEE, {}, "OPEN Fridge; OPEN Fridge", "ALREADY_OPEN"),
    (COFFEE, {}, "CLOSE Fridge", "ALREADY_CLOSED"),
    (COFFEE, {}, "CLOSE Mug", "NOT_OPENABLE"),
    # TOGGLE_ON and TOGGLE_OFF
    (SLICES, {}, "TOGGLE_ON Faucet; TOGGLE_ON Faucet", "ALREADY_ON"),
    (COFFEE, {}, "TOGGLE_OFF Faucet", "ALREADY_OFF"),
    (COFFEE, {}, "TOGGLE_ON CoffeeMachine", "COFFEE_EMPTY"),
    (COFFEE, {"Egg": "CoffeeMachine"}, "TOGGLE_ON CoffeeMachine", "COFFEE_WRONG_OBJECT"),
    (
        "settable__has_coffee_FloorPlan11_V1",
        {"Mug": "CoffeeMachine"},
        "TOGGLE_ON CoffeeMachine",
        "COFFEE_MUG_FILLED",
    ),
    (
        "coffee__Mug(d)_FloorPlan12_V1",
        {"Mug": "CoffeeMachine"},
        "TOGGLE_ON CoffeeMachine",
        "COFFEE_MUG_DIRTY",
    ),
    (COFFEE, {"Potato": "SinkBasin"}, "TOGGLE_ON Faucet", "SINK_BLOCKED"),
    (COFFEE, {}, "OPEN Microwave; TOGGLE_ON Microwave", "MICROWAVE_OPEN"),
    (TELEVISION, {}, "TOGGLE_ON Television", "TV_NEEDS_REMOTE"),
    # SLICE
    (SLICES, {"Tomato": "Plate"}, "PICKUP Knife; SLICE Tomato", "NOT_ON_SURFACE"),
    (SLICES, {}, "SLICE Tomato", "NEEDS_KNIFE"),
    (SLICES, {}, "PICKUP Knife; SLICE Tomato; SLICE Tomato", "ALREADY_SLICED"),
    (SLICES, {}, "PICKUP Knife; SLICE Tomato; SLICE TomatoSliced", "ALREADY_SLICED"),
    (SLICES, {}, "PICKUP Knife; SLICE Tomato; FIND Tomato", "ALREADY_SLICED"),
    # CLEAN, SPRAY, DRINK, EMPTY
    (SLICES, {}, "CLEAN Plate", "FAUCET_OFF"),
    (SLICES, {}, "TOGGLE_ON Faucet; CLEAN Plate", "NOT_IN_SINK"),
    (SLICES, {"Plate": "SinkBasin"}, "TOGGLE_ON Faucet; CLEAN Plate", "NEEDS_SPONGE"),
    (MIRROR, {}, "CLEAN Mirror", "NOT_SPRAYED"),
    (MIRROR, {}, "PICKUP SprayBottle; SPRAY Mirror; CLEAN Mirror", "NEEDS_CLOTH"),
    (MIRROR, {}, "SPRAY Mirror", "NEEDS_SPRAY_BOTTLE"),
    (COFFEE, {}, "DRINK Mug", "NOTHING_HELD"),
    (COFFEE, {}, "PICKUP Mug; DRINK Mug", "NOT_FILLED"),
    (COFFEE, {}, "EMPTY Mug", "NOT_FILLED"),
]


@pytest.mark.parametrize(("name", "places", "actions", "code"), REFUSED)
def test_refusals(name: str, places: dict[str, str], actions: str, code: str) -> None:
    assert said(kitchen(name, places=places), actions) == code


@pytest.mark.parametrize("semantics", ["official", "strict"])
@pytest.mark.parametrize(
    "action",
    ["PICKUP", "OPEN", "CLOSE", "TOGGLE_ON", "SLICE", "CLEAN", "SPRAY", "DRINK", "EMPTY"],
)
def test_nothing_is_done_to_what_is_hidden(action: str, semantics: str) -> None:
    hidden = kitchen(COFFEE, semantics, places={"Mug": "Fridge"})
    assert said(hidden, f"{action} Mug") == "NOT_VISIBLE"
    assert said(acted(hidden, "OPEN Fridge"), f"{action} Mug") != "NOT_VISIBLE"


@pytest.mark.parametrize("semantics", ["official", "strict"])
def test_every_refusal_that_no_quirk_makes_is_made_by_the_published_gate_too(
    semantics: str,
) -> None:
    assert said(kitchen(COFFEE, semantics), "TOGGLE_ON CoffeeMachine") == "COFFEE_EMPTY"
    assert said(kitchen(COFFEE, semantics), "PICKUP Mug; PICKUP Egg") == "HAND_FULL"


def test_the_first_test_that_fails_decides() -> None:
    assert said(kitchen(COFFEE, places={"Egg": "Fridge"}), "PICKUP Mug; PICKUP Egg") == "HAND_FULL"


def test_a_refused_action_changes_nothing() -> None:
    environment = kitchen(COFFEE)
    before = set(environment.state().atoms())
    assert said(environment, "TOGGLE_ON CoffeeMachine") == "COFFEE_EMPTY"
    assert set(environment.state().atoms()) == before


def test_the_actions_are_twelve_and_take_a_type_each() -> None:
    assert len(ACTIONS) == 12
    assert AsgardEnvironment(instance(COFFEE)).actions == dict.fromkeys(ACTIONS, 1)


def test_what_is_put_is_where_it_was_put() -> None:
    environment = acted(kitchen(COFFEE), "PICKUP Mug; OPEN Cabinet; PUT Cabinet")
    room = environment.room
    place = room.parent(str(room.first("Mug")))
    assert place is not None
    assert room.type(place) == "Cabinet"
    assert room.held is None


def test_what_is_in_a_dish_comes_along() -> None:
    environment = acted(kitchen(SLICES, places={"Tomato": "Plate"}), "PICKUP Plate")
    room = environment.room
    assert room.held == room.first("Plate")
    assert room.contents(str(room.held)) == [room.first("Tomato")]


def test_coffee_is_brewed_drunk_and_the_mug_is_dirty() -> None:
    environment = acted(kitchen(COFFEE), "PICKUP Mug; PUT CoffeeMachine; TOGGLE_ON CoffeeMachine")
    mug = str(environment.room.first("Mug"))
    assert environment.room.liquid(mug) == "coffee"
    acted(environment, "TOGGLE_OFF CoffeeMachine; PICKUP Mug; DRINK Mug")
    assert environment.acts == {Act.DRINK}
    assert environment.room.has("dirty", mug)
    assert not environment.room.has("filled", mug)


def test_a_knob_is_turned_for_its_burner() -> None:
    environment = acted(kitchen(EGG), "TOGGLE_ON StoveBurner")
    room = environment.room
    pan = str(room.first("Pan"))
    burner = str(room.parent(pan))
    assert room.has("on", burner)
    assert room.has("on", room.controller(burner))
    assert room.controller(burner) != burner


def test_an_egg_is_cracked_and_cooked() -> None:
    environment = acted(
        kitchen(EGG), "PICKUP Egg; PUT Pan; SLICE Egg; TOGGLE_ON StoveBurner; PICKUP EggCracked"
    )
    assert environment.room.has("cooked", str(environment.room.held))


def test_a_mirror_is_sprayed_and_wiped() -> None:
    environment = acted(
        kitchen(MIRROR),
        "PICKUP SprayBottle; SPRAY Mirror; PUT CounterTop; PICKUP Cloth; CLEAN Mirror",
    )
    assert environment.acts == {Act.SPRAY}
    assert not environment.room.has("dirty", str(environment.room.first("Mirror")))


def test_a_television_is_turned_on_and_off_with_the_remote_control() -> None:
    environment = acted(kitchen(TELEVISION), "PICKUP RemoteControl; TOGGLE_ON Television")
    assert environment.room.has("on", str(environment.room.first("Television")))
    acted(environment, "TOGGLE_OFF Television")


def test_what_the_simulator_refuses_has_its_code() -> None:
    result = take(acted(kitchen(COFFEE), "OPEN Microwave; CLOSE Microwave"), "TOGGLE_ON Mug")
    assert (result.success, result.code) == (False, "NOT_TOGGLEABLE")


def test_cleaning_what_is_clean_is_done() -> None:
    environment = acted(
        kitchen(SLICES, places={"Plate": "SinkBasin"}),
        "PICKUP DishSponge; TOGGLE_ON Faucet; CLEAN Plate; CLEAN Plate",
    )
    assert not environment.room.has("dirty", str(environment.room.first("Plate")))
