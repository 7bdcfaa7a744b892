"""What AsgardBench's goals mean, and what the published evaluator makes of them."""

import pytest
from asgard_episodes import OFFICIAL, STRICT, acted

from eai.diagnosis import Condition, GoalStatus, Result
from eai.errors import InputError
from eai.logic import format_formula
from eai.semantics import Semantics
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.goals import AsgardGoal, goal_conditions, goal_formula
from eai.suites.asgardbench.instances import instance
from eai.suites.asgardbench.quirks import QUIRKS
from eai.suites.asgardbench.suite import failed_by_family

FRY = "cook__PotatoSliced_FloorPlan20_V1"
TOMATO = "distribute__Tomato_Plate_FloorPlan12_V1"
TABLE = "settable__has_coffee_FloorPlan4_V1"
TV = "turn_on_tv__FloorPlan202_V1"


def only(quirk: str) -> Semantics:
    return Semantics.of("strict", QUIRKS, only=[quirk])


def look(name: str, semantics: Semantics, environment: AsgardEnvironment) -> GoalStatus:
    return AsgardGoal(instance(name), semantics).update(environment, None, None)


def condition(status: GoalStatus, text: str) -> Condition:
    return next(each for each in status.conditions if each.text == text)


def call(environment: AsgardEnvironment, action: str, *names: str) -> None:
    failed = environment.room.call(action, *names, force=True)
    assert failed is None, failed


def first(environment: AsgardEnvironment, kind: str) -> str:
    return environment.room.instances(kind)[0]


def put(environment: AsgardEnvironment, name: str, place: str) -> None:
    call(environment, "PickupObject", name)
    call(environment, "PutObject", place)


def test_conditions_in_words() -> None:
    texts = [each.text for each in goal_conditions(instance(TV), STRICT, first=str)]
    assert texts == ["Television on"]
    fried = [each.text for each in goal_conditions(instance(FRY), STRICT, first=str)]
    assert fried[:2] == ["a cooked PotatoSliced in Plate", "PotatoSliced cooked"]
    assert fried[-6:] == [
        "CoffeeMachine not on",
        "Toaster not on",
        "StoveKnob not on",
        "Microwave not open",
        "Fridge not open",
        "Faucet not on",
    ]


def test_the_goal_as_a_formula() -> None:
    room = AsgardEnvironment(instance(TV), STRICT).room
    formula = format_formula(goal_formula(instance(TV), STRICT, first=room.first))
    assert "television" in formula
    assert "on(" in formula


def test_at_the_start_only_what_a_kitchen_is_left_like_is_met() -> None:
    status = look(FRY, STRICT, AsgardEnvironment(instance(FRY), STRICT))
    assert not status.reached
    assert [each.met for each in status.conditions] == [False, False] + [True] * 6


def test_a_goal_says_since_when_and_what_undid_it() -> None:
    episode = acted(instance(TOMATO), STRICT)
    text = "TomatoSliced in Plate"
    met = condition(episode.statuses[-1], text)
    assert met.met
    assert met.since is not None
    call(episode.environment, "PickupObject", sliced_on_plate(episode.environment))
    lost = condition(episode.goal.update(episode.environment, None, None), text)
    assert (lost.met, lost.since, lost.lost_by) == (False, met.since, len(episode.statuses))


def sliced_on_plate(environment: AsgardEnvironment) -> str:
    room = environment.room
    return next(
        name
        for name in room.instances("TomatoSliced")
        if (place := room.parent(name)) is not None and room.type(place) == "Plate"
    )


def test_location_sticks_reproduced_and_absent() -> None:
    for semantics, met in ((only("location_sticks"), True), (STRICT, False), (OFFICIAL, True)):
        episode = acted(instance(TOMATO), semantics)
        assert episode.statuses[-1].reached
        call(episode.environment, "PickupObject", sliced_on_plate(episode.environment))
        status = episode.goal.update(episode.environment, None, None)
        assert condition(status, "TomatoSliced in Plate").met is met


def test_first_of_type_reproduced_and_absent() -> None:
    environment = AsgardEnvironment(instance(FRY), STRICT)
    knobs = environment.room.instances("StoveKnob")
    call(environment, "ToggleObjectOn", knobs[1])
    for semantics, met in ((only("first_of_type"), True), (STRICT, False), (OFFICIAL, True)):
        assert condition(look(FRY, semantics, environment), "StoveKnob not on").met is met
    call(environment, "ToggleObjectOn", knobs[0])
    assert not condition(look(FRY, OFFICIAL, environment), "StoveKnob not on").met


def test_any_slice_reproduced_and_absent() -> None:
    environment = AsgardEnvironment(instance(FRY), STRICT)
    call(environment, "SliceObject", first(environment, "Potato"))
    cooked, raw = environment.room.instances("PotatoSliced")[:2]
    call(environment, "CookObject", cooked)
    put(environment, raw, first(environment, "Plate"))
    for semantics in (only("any_slice"), OFFICIAL):
        status = look(FRY, semantics, environment)
        assert condition(status, "PotatoSliced in Plate").met
        assert condition(status, "PotatoSliced cooked").met
    assert not condition(look(FRY, STRICT, environment), "a cooked PotatoSliced in Plate").met
    put(environment, cooked, first(environment, "Plate"))
    assert condition(look(FRY, STRICT, environment), "a cooked PotatoSliced in Plate").met


def test_table_set_with_anything_reproduced_and_absent() -> None:
    episode = acted(instance(TABLE), only("table_set_with_anything"))
    environment = episode.environment
    assert episode.statuses[-1].reached
    mug = first(environment, "Mug")
    call(environment, "EmptyLiquidFromObject", mug)
    call(environment, "FillObjectWithLiquid", mug, "water")
    assert look(TABLE, only("table_set_with_anything"), environment).reached
    assert look(TABLE, OFFICIAL, environment).reached
    unmet = [c.text for c in look(TABLE, STRICT, environment).conditions if not c.met]
    assert "Mug holds coffee" in unmet


def test_summary_fails_all_reproduced_and_absent() -> None:
    results = [
        Result("evaluated", success=True, groups=("coffee",)),
        Result("evaluated", success=False, groups=("coffee",)),
        Result("evaluated", success=True, groups=("turn_on_tv",)),
    ]
    strict = {"coffee": (1, 2), "turn_on_tv": (0, 1)}
    everything = {"coffee": (2, 2), "turn_on_tv": (1, 1)}
    assert failed_by_family(results, STRICT) == strict
    assert failed_by_family(results, only("summary_fails_all")) == everything
    assert failed_by_family(results, OFFICIAL) == everything


def test_nothing_else_may_stand_on_the_table() -> None:
    episode = acted(instance(TABLE), STRICT)
    environment = episode.environment
    assert episode.statuses[-1].reached
    put(environment, first(environment, "Knife"), first(environment, "DiningTable"))
    unmet = [c.text for c in look(TABLE, STRICT, environment).conditions if not c.met]
    assert unmet == ["DiningTable holds Mug, Plate, BreadSliced and nothing else"]


def test_goals_of_another_world_are_refused() -> None:
    with pytest.raises(InputError, match="str"):
        AsgardGoal(instance(TV), STRICT).update("a room", None, None)  # type: ignore[arg-type]
