"""Acting in AsgardBench: which instance an action is about, and what is seen."""

from __future__ import annotations

import pytest
from asgardbench_rooms import COFFEE, EGG, SLICES, acted, kitchen, said, take

from eai.errors import UnknownNameError
from eai.simulators import Observation, load_scene
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.instances import instance
from eai.world import Action


def types_seen(observation: Observation) -> set[str]:
    return {thing.type for thing in observation.objects}


def chosen(environment: AsgardEnvironment, text: str) -> str:
    result = take(environment, text)
    assert result.resolved is not None, result
    return result.resolved.arguments[0]


def test_an_environment_is_set_up_and_goes_back_to_its_start() -> None:
    environment = AsgardEnvironment(instance("coffee__Mug(d)_FloorPlan12_V1"), "strict")
    start = set(environment.state().atoms())
    assert environment.room.has("dirty", str(environment.room.first("Mug")))
    acted(environment, "PICKUP Mug; OPEN Fridge")
    assert set(environment.state().atoms()) != start
    seen = environment.reset()
    assert set(environment.state().atoms()) == start
    assert seen == AsgardEnvironment(instance("coffee__Mug(d)_FloorPlan12_V1"), "strict").reset()


def test_a_mug_is_filled_in_its_setup() -> None:
    environment = AsgardEnvironment(instance("coffee__has_coffee_FloorPlan12_V1"))
    assert environment.room.liquid(str(environment.room.first("Mug"))) == "coffee"
    emptied = AsgardEnvironment(instance(COFFEE))
    assert not emptied.room.has("filled", str(emptied.room.first("Mug")))


def test_names_are_read_whatever_their_case() -> None:
    assert said(kitchen(COFFEE), "find mug") == ""


def test_what_was_chosen_is_told_to_the_evaluator() -> None:
    result = take(kitchen(COFFEE), "FIND Mug")
    assert result.resolved is not None
    assert result.resolved.name == "FIND"
    assert result.resolved.arguments[0].startswith("Mug_")


def test_what_was_found_last_is_meant() -> None:
    environment = kitchen(COFFEE)
    cabinet = chosen(environment, "FIND Cabinet")
    assert chosen(environment, "OPEN Cabinet") == cabinet
    assert chosen(environment, "CLOSE Cabinet") == cabinet


def test_what_is_open_takes_what_is_put() -> None:
    environment = acted(kitchen(COFFEE), "PICKUP Mug")
    cabinet = chosen(environment, "OPEN Cabinet")
    assert chosen(environment, "PUT Cabinet") == cabinet


def test_opening_again_opens_another_one() -> None:
    environment = kitchen(COFFEE)
    assert chosen(environment, "OPEN Cabinet") != chosen(environment, "OPEN Cabinet")


def test_a_receptacle_that_what_is_held_fits_into_comes_first() -> None:
    """In FloorPlan10 a Pot has no place in most cabinets."""
    environment = acted(kitchen("cook__Egg_Pan(d)_FloorPlan10_V1"), "FIND Bowl; PICKUP Bowl")
    room = environment.room
    cabinet = chosen(environment, "OPEN Cabinet")
    assert room.would_take(cabinet, str(room.held))


def test_slices_that_are_where_they_have_to_be_come_last() -> None:
    environment = acted(
        kitchen(SLICES), "PICKUP Knife; SLICE Tomato; PUT CounterTop; PICKUP TomatoSliced"
    )
    served = str(environment.room.held)
    acted(environment, "PUT Plate")
    assert chosen(environment, "PICKUP TomatoSliced") != served


def test_slices_are_there_once_something_is_sliced() -> None:
    environment = kitchen(SLICES)
    assert environment.room.instances("TomatoSliced") == []
    acted(environment, "PICKUP Knife; SLICE Tomato")
    assert len(environment.room.instances("TomatoSliced")) > 1


def test_the_burner_under_the_pan_is_meant() -> None:
    environment = kitchen(EGG)
    burner = chosen(environment, "TOGGLE_ON StoveBurner")
    assert burner == environment.room.parent(str(environment.room.first("Pan")))


def test_a_burner_that_the_pan_left_is_switched_off() -> None:
    environment = kitchen(EGG, places={"Pot": "CounterTop"})
    first = chosen(environment, "TOGGLE_ON StoveBurner")
    acted(
        environment,
        "PICKUP Pan; PUT CounterTop; PICKUP Pot; PUT StoveBurner; PICKUP Pan; PUT StoveBurner",
    )
    assert environment.room.parent(str(environment.room.first("Pan"))) != first
    assert chosen(environment, "TOGGLE_OFF StoveBurner") == first


def test_a_second_pan_goes_on_a_free_burner() -> None:
    environment = acted(kitchen(EGG, places={"Pot": "CounterTop"}), "PICKUP Pot; PUT StoveBurner")
    room = environment.room
    assert room.parent(str(room.first("Pot"))) != room.parent(str(room.first("Pan")))


def test_what_is_in_something_closed_is_not_seen() -> None:
    environment = kitchen(COFFEE, places={"Egg": "Fridge"})
    assert "Egg" not in types_seen(take(environment, "FIND Fridge").observation)
    assert "Egg" in types_seen(take(environment, "OPEN Fridge").observation)


def test_what_was_looked_for_and_is_hidden_leads_to_what_hides_it() -> None:
    environment = kitchen(COFFEE, places={"Egg": "Fridge"})
    result = take(environment, "FIND Egg")
    assert result.code == "NOT_VISIBLE"
    assert environment.room.type(result.observation.focus) == "Fridge"


def test_what_is_beside_is_seen_and_what_is_elsewhere_is_not() -> None:
    environment = kitchen(COFFEE, places={"Mug": "DiningTable", "Potato": "DiningTable"})
    beside = types_seen(take(environment, "FIND Mug").observation)
    assert {"Mug", "Potato", "DiningTable"} <= beside
    assert "Potato" not in types_seen(take(environment, "FIND SinkBasin").observation)


def test_the_state_of_a_thing_is_seen_where_the_agent_looks() -> None:
    environment = kitchen("coffee__Mug(d)_FloorPlan12_V1", places={"Mug": "CounterTop"})
    seen = take(environment, "FIND Mug").observation
    (mug,) = [thing for thing in seen.objects if thing.type == "Mug"]
    assert mug.properties == {"dirty": True, "liquid": ""}
    assert mug.relation == "on"
    elsewhere = take(environment, "FIND Fridge").observation
    assert "Mug" not in types_seen(elsewhere)


def test_what_is_held_is_seen_everywhere() -> None:
    environment = acted(kitchen(COFFEE), "FIND Mug; PICKUP Mug")
    seen = take(environment, "FIND Fridge").observation
    assert seen.held == (environment.room.held,)
    assert "Mug" in types_seen(seen)


def test_the_sink_shows_what_blocks_it() -> None:
    seen = take(kitchen("coffee__Mug(d)_FloorPlan12_V1"), "FIND SinkBasin").observation
    assert {"Egg", "Faucet"} <= types_seen(seen)


def test_hidden_slices_are_never_seen() -> None:
    environment = acted(kitchen(SLICES), "FIND Tomato")
    assert "TomatoSliced" not in types_seen(environment.reset())


def test_nothing_an_agent_says_raises() -> None:
    environment = kitchen(COFFEE)
    for action in (Action("", ()), Action("PUT", ("", "")), Action("find", ("Mug", "Egg"))):
        assert not environment.step(action).success


def test_capabilities_and_vocabulary() -> None:
    environment = kitchen(COFFEE)
    assert environment.capabilities.hidden_state
    assert not environment.capabilities.physics
    assert {"Mug", "BreadSliced", "Cabinet"} <= set(environment.vocabulary)
    assert "PepperShaker" not in environment.vocabulary


def test_who_looks_at_the_floor_does_not_see_what_lies_on_tables() -> None:
    environment = kitchen(COFFEE, places={"Mug": "DiningTable"})
    seen = types_seen(take(environment, "FIND Floor").observation)
    assert "DiningTable" in seen
    assert "Mug" not in seen


def test_the_agent_looks_on_where_it_took_something_from() -> None:
    environment = acted(kitchen(COFFEE, places={"Mug": "DiningTable"}), "FIND Mug; PICKUP Mug")
    assert environment.room.type(environment.room.focus) == "DiningTable"


@pytest.mark.parametrize("name", ["coffee__Mug(d)_FloorPlan12_V1", COFFEE])
def test_another_room_without_what_is_set_up_is_refused(name: str) -> None:
    with pytest.raises(UnknownNameError, match="no object named 'Mug_"):
        AsgardEnvironment(instance(name), scene=load_scene("FloorPlan1"))
