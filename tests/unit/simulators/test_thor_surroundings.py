"""What the surroundings do in the symbolic AI2-THOR: heat, cold, coffee, water."""

from __future__ import annotations

import pytest
from thor_rooms import engine_after, facts, kitchen, outcome

from eai.simulators import ThorEngine, ThorFailure, load_scene


def test_a_microwave_heats_what_is_in_it_and_cooks_all_but_bread() -> None:
    engine = engine_after(
        "SliceObject Bread",
        "OpenObject Microwave",
        "PickupObject Bread_BreadSliced_0",
        "PutObject Microwave",
        "PickupObject Potato",
        "PutObject Bowl",
        "PickupObject Bowl",
        "PutObject Microwave",
        "CloseObject Microwave",
        "ToggleObjectOn Microwave",
    )
    assert facts(engine, "Bowl") == {"in Microwave", "hot"}
    assert facts(engine, "Potato") == {"in Bowl", "also_in Microwave", "hot", "cooked"}
    assert facts(engine, "Bread_BreadSliced_0") == {"in Microwave", "hot"}


def test_a_toaster_cooks_bread() -> None:
    engine = engine_after(
        "SliceObject Bread",
        "PickupObject Bread_BreadSliced_0",
        "PutObject Toaster",
        "ToggleObjectOn Toaster",
    )
    assert facts(engine, "Bread_BreadSliced_0") == {"in Toaster", "hot", "cooked"}


def test_a_burner_cooks_what_is_in_its_pan_when_its_knob_is_turned() -> None:
    engine = engine_after(
        "ToggleObjectOn StoveKnob",
        "PickupObject Potato",
        "PutObject Pan",
        "PickupObject Pan",
        "PutObject StoveBurner",
    )
    assert facts(engine, "StoveBurner") == {"on"}
    assert facts(engine, "Pan") == {"in StoveBurner", "hot"}
    assert facts(engine, "Potato") == {"in Pan", "also_in StoveBurner", "hot", "cooked"}
    assert outcome(engine, "ToggleObjectOff", "StoveKnob") is None
    assert facts(engine, "StoveBurner") == set()


@pytest.mark.parametrize("before", ["", "dirty"])
def test_a_coffee_machine_fills_an_empty_mug_dirty_or_not(before: str) -> None:
    engine = engine_after(
        "PickupObject Mug", "PutObject CoffeeMachine", "ToggleObjectOn CoffeeMachine", Mug=before
    )
    filled = {"filled", "contains coffee", "hot", "in CoffeeMachine"}
    assert facts(engine, "Mug") == filled.union(before.split())


def test_a_full_mug_gets_no_coffee() -> None:
    engine = engine_after(
        "FillObjectWithLiquid Mug water",
        "PickupObject Mug",
        "PutObject CoffeeMachine",
        "ToggleObjectOn CoffeeMachine",
    )
    assert {"contains water", "filled"} <= facts(engine, "Mug")
    assert not {"contains coffee", "hot"} & facts(engine, "Mug")


def test_running_water_cleans_and_fills_and_puts_out() -> None:
    engine = engine_after(
        "ToggleObjectOn Candle", "PickupObject Candle", "PutObject SinkBasin", force=True
    )
    for step in ("PickupObject Bowl", "PutObject SinkBasin", "ToggleObjectOn Faucet"):
        assert outcome(engine, *step.split()) is None
    assert facts(engine, "Candle") == {"in SinkBasin"}
    assert facts(engine, "Bowl") == {"in SinkBasin", "filled", "contains water"}
    engine = engine_after(
        "ToggleObjectOn Faucet", "PickupObject Plate", "PutObject SinkBasin", Plate="dirty"
    )
    assert facts(engine, "Plate") == {"in SinkBasin"}


def test_a_fridge_cools_at_once_and_the_cold_stays() -> None:
    engine = engine_after("OpenObject Fridge", "PickupObject Tomato", "PutObject Fridge")
    assert "cold" in facts(engine, "Tomato")
    assert "cold" in facts(engine, "Egg")
    for step in ("PickupObject Tomato", "PutObject CounterTop"):
        assert outcome(engine, *step.split()) is None
    assert facts(engine, "Tomato") == {"in CounterTop", "cold"}


def test_machines_act_on_what_they_are_made_for_only() -> None:
    scene = kitchen(Toaster="on", CoffeeMachine="on")
    engine = ThorEngine(scene.placed({"Knife": "Toaster", "Bowl": "CoffeeMachine"}))
    assert facts(engine, "Knife") == {"in Toaster"}
    assert facts(engine, "Bowl") == {"in CoffeeMachine"}


def test_what_is_heated_and_cooled_at_once_is_cold() -> None:
    scene = kitchen(Microwave="on").placed({"Microwave": "Fridge", "Potato": "Microwave"})
    assert facts(ThorEngine(scene), "Potato") == {"in Microwave", "cooked", "cold"}


def test_heat_and_cold_drive_each_other_out() -> None:
    engine = engine_after(
        "OpenObject Fridge",
        "OpenObject Microwave",
        "PickupObject Egg",
        "PutObject Microwave",
        "CloseObject Microwave",
        "ToggleObjectOn Microwave",
    )
    assert facts(engine, "Egg") == {"in Microwave", "hot"}
    steps = "ToggleObjectOff Microwave; OpenObject Microwave; PickupObject Egg; PutObject Fridge"
    for step in steps.split("; "):
        assert outcome(engine, *step.split()) is None
    assert facts(engine, "Egg") == {"in Fridge", "cold"}


def test_an_egg_is_cooked_once_it_is_cracked() -> None:
    engine = engine_after(
        "OpenObject Fridge",
        "PickupObject Egg",
        "PutObject Pan",
        "PickupObject Pan",
        "PutObject StoveBurner",
        "ToggleObjectOn StoveKnob",
    )
    assert facts(engine, "Egg") == {"in Pan", "also_in StoveBurner", "hot"}
    assert outcome(engine, "SliceObject", "Egg") is None
    cracked = facts(engine, "Egg_EggCracked_0")
    assert cracked == {"in Pan", "also_in StoveBurner", "hot", "cooked"}


def test_a_pan_that_lies_on_two_burners_is_heated_by_either() -> None:
    scene = load_scene("FloorPlan10")
    (pan,) = scene.of_type("Pan")
    assert len(pan.parents) == 2
    for burner in pan.parents:
        engine = ThorEngine(scene)
        (knob,) = (one for one in scene.of_type("StoveKnob") if burner in one.controls)
        assert outcome(engine, "ToggleObjectOn", knob.name) is None
        assert engine.state.holds("hot", (pan.name,))


def test_what_is_deep_in_something_closed_is_out_of_reach() -> None:
    engine = engine_after(
        "OpenObject Fridge",
        "PickupObject Tomato",
        "PutObject Bowl",
        "PickupObject Bowl",
        "PutObject Fridge",
        "PickupObject Mug",
        "CloseObject Fridge",
    )
    assert outcome(engine, "SliceObject", "Tomato") is ThorFailure.NOT_INTERACTABLE
    assert outcome(engine, "PutObject", "Bowl") is ThorFailure.NO_RECEPTACLE


def test_breaking_again_does_nothing_and_a_broken_appliance_is_off() -> None:
    engine = engine_after("BreakObject Mug")
    result = engine.perform("BreakObject", ["Mug"])
    assert result.success
    assert not result.changes
    engine = ThorEngine(kitchen("Mug", Mug="on"))
    assert outcome(engine, "BreakObject", "Mug") is None
    assert facts(engine, "Mug") == {"broken"}


def test_coffee_is_hot_and_gone_when_it_is_emptied() -> None:
    engine = engine_after("FillObjectWithLiquid Mug coffee")
    assert {"filled", "contains coffee", "hot"} <= facts(engine, "Mug")
    assert outcome(engine, "EmptyLiquidFromObject", "Mug") is None
    assert facts(engine, "Mug") == {"in CounterTop", "hot"}
    engine = engine_after("FillObjectWithLiquid Mug coffee", Mug="cold")
    assert "cold" not in facts(engine, "Mug")


def test_states_that_are_set_directly() -> None:
    engine = engine_after("DirtyObject Mug", "CleanObject Mug", "DirtyObject Bowl")
    assert facts(engine, "Mug") == {"in CounterTop"}
    assert facts(engine, "Bowl") == {"in CounterTop", "dirty"}
    used = kitchen()
    engine = ThorEngine(used)
    engine.state.add("can_be_used_up", ("Mug",))
    assert outcome(engine, "UseUpObject", "Mug") is None
    assert outcome(engine, "UseUpObject", "Mug") is ThorFailure.ALREADY_USED_UP
