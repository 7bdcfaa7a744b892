"""Each quirk of AsgardBench's actions: what `official` does, and `strict` does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from asgardbench_rooms import COFFEE, EGG, MIRROR, SLICES, acted, kitchen, said, take

from eai.acting import RecordedEpisode, RecordedStep
from eai.semantics import Semantics
from eai.suites.asgardbench import logs
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.instances import rules
from eai.suites.asgardbench.quirks import ACTING, QUIRKS
from eai.suites.asgardbench.room import SIGHT, Act

Seen = Callable[[AsgardEnvironment], object]

BLIND = 0.0
"""A reach with which only what is looked at is in view."""


def put_with_all_closed(environment: AsgardEnvironment) -> object:
    return said(environment, "PICKUP Mug; PUT Cabinet")


def left_open(environment: AsgardEnvironment) -> object:
    """Whether the fridge is still open after it refused a Knife."""
    said(environment, "OPEN Fridge; PICKUP Knife; PUT Fridge")
    return environment.room.has("open", str(environment.room.first("Fridge")))


def put_beside_the_counter(environment: AsgardEnvironment) -> object:
    return said(environment, "FIND Apple; PICKUP Apple; PUT CounterTop")


def closed_with_many_out_of_view(environment: AsgardEnvironment) -> object:
    return said(environment, "FIND Cabinet; CLOSE Cabinet")


def knife_in_bowl(environment: AsgardEnvironment) -> object:
    return said(environment, "PICKUP Knife; PUT Bowl")


def found_in_closed(environment: AsgardEnvironment) -> object:
    said(environment, "FIND Mug")
    return environment.room.has("open", str(environment.room.first("Cabinet")))


def found_without_being_seen(environment: AsgardEnvironment) -> object:
    return said(environment, "FIND Egg")


def butter_knife(environment: AsgardEnvironment) -> object:
    return said(environment, "PICKUP ButterKnife; SLICE Tomato")


def egg_on_the_counter(environment: AsgardEnvironment) -> object:
    return said(environment, "SLICE Egg")


def drunk_with_an_egg(environment: AsgardEnvironment) -> object:
    return said(environment, "PICKUP Egg; DRINK Mug")


def drunk_water(environment: AsgardEnvironment) -> object:
    acted(environment, "PICKUP Mug")
    environment.room.call("FillObjectWithLiquid", str(environment.room.held), "water", force=True)
    acted(environment, "DRINK Mug")
    return environment.acts


def sprayed_a_sink(environment: AsgardEnvironment) -> object:
    acted(environment, "PICKUP SprayBottle; SPRAY SinkBasin")
    return environment.acts


def water_far_from_the_sink(environment: AsgardEnvironment) -> object:
    mug = str(environment.room.first("Mug"))
    environment.room.call("FillObjectWithLiquid", mug, "water", force=True)
    acted(environment, "TOGGLE_ON Microwave; TOGGLE_OFF Microwave")
    return environment.room.has("filled", mug)


def served_slice(environment: AsgardEnvironment) -> object:
    """Whether the only egg can be taken from the plate where it has to be."""
    acted(environment, "PICKUP Egg; PUT Pan; SLICE Egg; PICKUP EggCracked; PUT Plate")
    return said(environment, "PICKUP EggCracked")


def burner_without_pan(environment: AsgardEnvironment) -> object:
    return said(environment, "TOGGLE_ON StoveBurner")


def burner_that_the_pan_left(environment: AsgardEnvironment) -> object:
    acted(environment, "TOGGLE_ON StoveBurner; PICKUP Pan; PUT CounterTop; PICKUP Pot")
    return said(environment, "PUT StoveBurner; PICKUP Pan; PUT StoveBurner; TOGGLE_OFF StoveBurner")


def basin_switched_on(environment: AsgardEnvironment) -> object:
    said(environment, "TOGGLE_ON SinkBasin")
    return environment.room.has("on", str(environment.room.first("Faucet")))


# instance, where things are, reach, what is looked at, under official, under strict
CASES: Mapping[str, tuple[str, Mapping[str, str], float, Seen, object, object]] = {
    "put_tries_all": (COFFEE, {}, SIGHT, put_with_all_closed, "", "CONTAINER_CLOSED"),
    "surfaces_alike": (
        "cook__PotatoSliced_FloorPlan20_V1",
        {"Apple": "DiningTable"},
        BLIND,
        put_beside_the_counter,
        "",
        "NOT_VISIBLE",
    ),
    "recorded_places_first": (
        EGG,
        {"Pot": "CounterTop"},
        SIGHT,
        burner_that_the_pan_left,
        "ALREADY_OFF",
        "",
    ),
    "basin_is_faucet": (COFFEE, {"Egg": "SinkBasin"}, SIGHT, basin_switched_on, True, False),
    "last_refusal_told": (
        COFFEE,
        {},
        BLIND,
        closed_with_many_out_of_view,
        "NOT_VISIBLE",
        "ALREADY_CLOSED",
    ),
    "own_table": (
        "distribute__Apple_Bowl_FloorPlan19_V1",
        {},
        SIGHT,
        knife_in_bowl,
        "INCOMPATIBLE",
        "",
    ),
    "find_opens": (COFFEE, {"Mug": "Cabinet"}, SIGHT, found_in_closed, True, False),
    "find_never_fails": (
        COFFEE,
        {"Egg": "Fridge"},
        SIGHT,
        found_without_being_seen,
        "",
        "NOT_VISIBLE",
    ),
    "any_knife": (SLICES, {}, SIGHT, butter_knife, "", "NEEDS_KNIFE"),
    "egg_anywhere": (EGG, {}, SIGHT, egg_on_the_counter, "", "NOT_IN_PAN"),
    "drink_with_anything": (
        "coffee__has_coffee_FloorPlan12_V1",
        {},
        SIGHT,
        drunk_with_an_egg,
        "",
        "NOT_HELD",
    ),
    "spray_anything": (MIRROR, {}, SIGHT, sprayed_a_sink, {Act.SPRAY}, frozenset()),
    "off_empties_water": (COFFEE, {}, SIGHT, water_far_from_the_sink, False, True),
    "reached_is_untouchable": (EGG, {}, SIGHT, served_slice, "ALL_EMPLOYED", ""),
    "stove_without_pan": (
        EGG,
        {"Pan": "CounterTop"},
        SIGHT,
        burner_without_pan,
        "",
        "BURNER_EMPTY",
    ),
}


def test_every_quirk_has_its_case() -> None:
    assert set(CASES) == set(ACTING)


@pytest.mark.parametrize("quirk", sorted(CASES))
def test_a_quirk_is_official_and_not_strict(quirk: str) -> None:
    name, places, reach, look, official, strict = CASES[quirk]
    assert look(kitchen(name, "official", places=places, reach=reach)) == official
    assert look(kitchen(name, "strict", places=places, reach=reach)) == strict


@pytest.mark.parametrize("quirk", sorted(CASES))
def test_one_switch_makes_the_difference(quirk: str) -> None:
    name, places, reach, look, official, strict = CASES[quirk]
    without = Semantics.of("official", QUIRKS, without=[quirk])
    alone = Semantics.of("strict", QUIRKS, only=[quirk])
    assert look(kitchen(name, without, places=places, reach=reach)) == strict
    assert look(kitchen(name, alone, places=places, reach=reach)) == official


def test_nothing_in_view_is_no_hindrance_where_there_are_several() -> None:
    """Report of the published evaluator: `PUT CounterTop` with no counter in view."""
    official = kitchen(COFFEE, "official", places={"Egg": "Fridge"}, reach=BLIND)
    acted(official, "FIND Fridge; OPEN Fridge; PICKUP Egg")
    assert said(official, "PUT CounterTop") == ""


def test_a_failure_is_forgotten_where_the_room_has_a_surface_that_is_not_in_view() -> None:
    """What is named is a counter, and the room has a table: its failures are told, none here."""
    for semantics, code in (("official", ""), ("strict", "NOT_VISIBLE")):
        environment = acted(kitchen(COFFEE, semantics, reach=BLIND), "FIND Fridge")
        assert said(environment, "PICKUP CounterTop") == code
        assert environment.room.held is None


def test_what_was_found_counts_right_after_that_only() -> None:
    environment = kitchen(COFFEE, "official", places={"Egg": "CounterTop"})
    cabinets = environment.room.instances("Cabinet")
    environment.room.look_at(cabinets[-1])
    acted(environment, "OPEN Cabinet; PICKUP Egg; PUT CounterTop; PICKUP Mug; PUT Cabinet")
    put = environment.room.parent(str(environment.room.first("Mug")))
    assert environment.room.has("open", str(put))


def test_an_egg_in_the_sink_does_not_hinder_the_basin() -> None:
    official = kitchen(COFFEE, "official", places={"Egg": "SinkBasin"})
    assert said(official, "TOGGLE_ON Faucet") == "SINK_BLOCKED"
    assert said(official, "TOGGLE_ON SinkBasin") == ""
    assert said(official, "TOGGLE_OFF SinkBasin") == "ALREADY_OFF"
    assert said(official, "TOGGLE_OFF Faucet") == ""


def test_a_fridge_gets_no_such_help() -> None:
    """There is one fridge only: nothing else can be tried."""
    assert said(kitchen(COFFEE, "official"), "PICKUP Egg; PUT Fridge") == "CONTAINER_CLOSED"


def test_what_refuses_and_is_open_is_closed() -> None:
    assert left_open(kitchen(COFFEE, "official")) is False
    assert left_open(kitchen(COFFEE, "strict")) is True


def test_water_that_is_drunk_is_coffee_under_official() -> None:
    assert drunk_water(kitchen(COFFEE, "official")) == {Act.DRINK}
    assert drunk_water(kitchen(COFFEE, "strict")) == frozenset()


def test_what_is_drunk_with_something_else_in_the_hand_stays_clean_under_official() -> None:
    environment = kitchen("coffee__has_coffee_FloorPlan12_V1", "official")
    acted(environment, "PICKUP Egg; DRINK Mug")
    assert environment.acts == {Act.DRINK}
    assert not environment.room.has("dirty", str(environment.room.first("Mug")))


def test_washing_leaves_no_water_behind() -> None:
    """Under strict water stays until a dish is taken out of the sink; then it is gone too."""
    for semantics, before in (("official", False), ("strict", True)):
        environment = kitchen(SLICES, semantics, places={"Bowl": "SinkBasin"})
        bowl = str(environment.room.first("Bowl"))
        acted(environment, "TOGGLE_ON Faucet; TOGGLE_OFF Faucet")
        assert environment.room.has("filled", bowl) is before
        acted(environment, "PICKUP Bowl")
        assert not environment.room.has("filled", bowl)


def test_a_type_without_objects_is_told_in_the_published_words() -> None:
    environment = kitchen("cook__PotatoSliced_FloorPlan20_V1", "official")
    told = {
        words: take(environment, words)
        for words in ("FIND PotatoSliced", "EMPTY PotatoSliced", "JUMP PotatoSliced")
    }
    assert {str(result.code) for result in told.values()} == {"NO_INSTANCE"}
    for words, action in (("FIND PotatoSliced", "FIND"), ("EMPTY PotatoSliced", "EMPTY_LIQUID")):
        text = rules().feedback["NO_INSTANCE"].format("PotatoSliced", action=action)
        assert told[words].message == text
    assert told["JUMP PotatoSliced"].message == rules().feedback["INVALID_RESPONSE"]


def test_what_is_all_employed_is_told_in_the_published_words() -> None:
    environment = kitchen(EGG, "official")
    acted(environment, "PICKUP Egg; PUT Pan; SLICE Egg; PICKUP EggCracked; PUT Plate")
    result = take(environment, "PICKUP EggCracked")
    assert str(result.code) == "ALL_EMPLOYED"
    assert result.message == rules().feedback["ALL_EMPLOYED"].format("EggCracked")


def test_a_surface_that_took_the_held_object_before_stands_for_its_neighbours() -> None:
    environment = kitchen("cook__PotatoSliced_FloorPlan20_V1", "official")
    acted(environment, "PICKUP Apple; FIND DiningTable; PUT DiningTable; PICKUP Apple")
    result = take(environment, "PUT CounterTop")
    assert result.resolved is not None
    assert environment.room.type(result.resolved.arguments[0]) == "DiningTable"


def test_a_recorded_line_about_a_missing_type_has_its_code() -> None:
    text = rules().feedback["NO_INSTANCE"].format("AppleSliced", action="FIND")
    step = RecordedStep("FIND AppleSliced", success=False, feedback=text)
    (coded,) = logs.with_error_codes(RecordedEpisode("task", (step,))).steps
    assert coded.code == "NO_INSTANCE"
