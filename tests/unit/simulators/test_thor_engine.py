"""The engine of the symbolic AI2-THOR: what each action asks for, does, and brings about."""

from __future__ import annotations

import pytest
from thor_rooms import engine_after, facts, kitchen, outcome

from eai.logic import Atom
from eai.simulators import ThorEngine, ThorFailure, ThorWorld, load_scene
from eai.simulators.thor.world import AGENT, Fits, PutOutcome


@pytest.mark.parametrize(
    ("step", "failure"),
    [
        ("Fly Mug", ThorFailure.INVALID_ACTION),
        ("PickupObject", ThorFailure.MISSING_ARGUMENTS),
        ("PickupObject Mug Bowl", ThorFailure.INVALID_ARGUMENT),
        ("PickupObject Teapot", ThorFailure.UNKNOWN_OBJECT),
        ("PickupObject agent", ThorFailure.UNKNOWN_OBJECT),
        ("PickupObject water", ThorFailure.UNKNOWN_OBJECT),
        ("PickupObject Egg", ThorFailure.NOT_INTERACTABLE),
        ("PickupObject Potato_PotatoSliced_0", ThorFailure.UNKNOWN_OBJECT),
        ("PickupObject Tomato_TomatoSliced_0", ThorFailure.NOT_INTERACTABLE),
        ("PickupObject Fridge", ThorFailure.NOT_PICKUPABLE),
        ("PutObject CounterTop", ThorFailure.HAND_EMPTY),
        ("DropHandObject", ThorFailure.HAND_EMPTY),
        ("ThrowObject", ThorFailure.HAND_EMPTY),
        ("OpenObject Mug", ThorFailure.NOT_OPENABLE),
        ("CloseObject Mug", ThorFailure.NOT_OPENABLE),
        ("ToggleObjectOn Mug", ThorFailure.NOT_TOGGLEABLE),
        ("ToggleObjectOn StoveBurner", ThorFailure.CONTROLLED),
        ("ToggleObjectOff Faucet", ThorFailure.ALREADY_OFF),
        ("SliceObject Mug", ThorFailure.NOT_SLICEABLE),
        ("BreakObject Pan", ThorFailure.NOT_BREAKABLE),
        ("DirtyObject Egg", ThorFailure.NOT_INTERACTABLE),
        ("DirtyObject Knife", ThorFailure.NOT_INTERACTABLE),
        ("DirtyObject Potato", ThorFailure.NOT_DIRTYABLE),
        ("CleanObject Potato", ThorFailure.NOT_DIRTYABLE),
        ("CleanObject Mug", ThorFailure.ALREADY_CLEAN),
        ("FillObjectWithLiquid Mug", ThorFailure.NO_LIQUID),
        ("FillObjectWithLiquid Pan milk", ThorFailure.NOT_FILLABLE),
        ("FillObjectWithLiquid Mug Bowl", ThorFailure.UNKNOWN_LIQUID),
        ("FillObjectWithLiquid Mug milk", ThorFailure.UNKNOWN_LIQUID),
        ("EmptyLiquidFromObject Mug", ThorFailure.ALREADY_EMPTY),
        ("EmptyLiquidFromObject Pan", ThorFailure.NOT_FILLABLE),
        ("CookObject Tomato", ThorFailure.NOT_COOKABLE),
        ("UseUpObject Mug", ThorFailure.CANNOT_BE_USED_UP),
    ],
)
def test_what_cannot_be_done_at_the_start(step: str, failure: ThorFailure) -> None:
    scene = kitchen()
    assert "sliceable" in scene.by_name()["Potato"].affordances
    engine = ThorEngine(scene.without(["Potato"]) if "PotatoSliced" in step else scene)
    before = list(engine.state.atoms())
    assert outcome(engine, *step.split()) is failure
    assert list(engine.state.atoms()) == before


@pytest.mark.parametrize(
    ("steps", "failure"),
    [
        ("PickupObject Mug; PickupObject Bowl", ThorFailure.HAND_FULL),
        ("PickupObject Mug; PutObject Mug", ThorFailure.NO_RECEPTACLE),
        ("PickupObject Mug; PutObject Faucet", ThorFailure.NOT_RECEPTACLE),
        ("PickupObject Mug; PutObject Fridge", ThorFailure.RECEPTACLE_CLOSED),
        ("PickupObject Mug; PutObject Toaster", ThorFailure.NOT_MADE_FOR_IT),
        ("PickupObject Mug; PutObject Pan", ThorFailure.NOT_ACCEPTED),
        ("ToggleObjectOn Microwave; OpenObject Microwave", ThorFailure.MUST_BE_OFF),
        ("ToggleObjectOn Microwave; CloseObject Microwave", ThorFailure.MUST_BE_OFF),
        ("OpenObject Microwave; ToggleObjectOn Microwave", ThorFailure.MUST_BE_CLOSED),
        ("ToggleObjectOn Faucet; ToggleObjectOn Faucet", ThorFailure.ALREADY_ON),
        ("PickupObject Tomato; SliceObject Tomato", ThorFailure.IN_HAND),
        ("SliceObject Tomato; SliceObject Tomato", ThorFailure.NOT_INTERACTABLE),
        ("DirtyObject Mug; DirtyObject Mug", ThorFailure.ALREADY_DIRTY),
        (
            "FillObjectWithLiquid Mug water; FillObjectWithLiquid Mug wine",
            ThorFailure.ALREADY_FILLED,
        ),
        (
            "FillObjectWithLiquid Mug water; FillObjectWithLiquid Mug milk",
            ThorFailure.UNKNOWN_LIQUID,
        ),
        ("CookObject Potato; CookObject Potato", ThorFailure.ALREADY_COOKED),
    ],
)
def test_what_cannot_be_done_after_something_else(steps: str, failure: ThorFailure) -> None:
    *first, last = steps.split("; ")
    assert outcome(engine_after(*first), *last.split()) is failure


def test_a_holder_takes_one_thing() -> None:
    engine = engine_after(
        "SliceObject Bread",
        "PickupObject Bread_BreadSliced_0",
        "PutObject Toaster",
        "PickupObject Bread_BreadSliced_1",
    )
    assert outcome(engine, "PutObject", "Toaster") is ThorFailure.RECEPTACLE_FULL


def test_a_broken_appliance_cannot_be_turned_on() -> None:
    engine = ThorEngine(load_scene("FloorPlan201"))
    name = next(one.name for one in load_scene("FloorPlan201").of_type("Television"))
    assert outcome(engine, "ToggleObjectOn", name) is None
    assert outcome(engine, "BreakObject", name) is None
    assert outcome(engine, "ToggleObjectOn", name) is ThorFailure.IS_BROKEN


def test_opening_what_is_open_and_closing_what_is_closed_are_done() -> None:
    engine = engine_after("OpenObject Fridge", "OpenObject Fridge")
    assert facts(engine, "Fridge") == {"in Floor", "open"}
    engine = engine_after("CloseObject Fridge")
    assert facts(engine, "Fridge") == {"in Floor"}


def test_what_is_picked_up_leaves_its_place_and_takes_its_contents_along() -> None:
    engine = engine_after(
        "PickupObject Tomato", "PutObject Bowl", "PickupObject Bowl", "PutObject SinkBasin"
    )
    assert facts(engine, "Bowl") == {"in SinkBasin"}
    assert facts(engine, "Tomato") == {"in Bowl", "also_in SinkBasin"}
    engine = engine_after("PickupObject Tomato", "PutObject Bowl", "PickupObject Bowl")
    assert facts(engine, "Bowl") == set()
    assert facts(engine, AGENT) == {"holds Bowl"}
    assert facts(engine, "Tomato") == {"in Bowl"}
    # Nothing is put in what is carried.
    assert outcome(engine, "PutObject", "Bowl") is ThorFailure.NO_RECEPTACLE


def test_what_was_sliced_does_not_travel_along() -> None:
    engine = engine_after(
        "PickupObject Tomato", "PutObject Bowl", "SliceObject Tomato", "PickupObject Bowl"
    )
    assert facts(engine, "Tomato") == {"sliced"}
    assert facts(engine, "Tomato_TomatoSliced_3") == {"in Bowl"}


def test_what_stands_on_the_floor_and_is_low_is_on_the_floor_with_its_contents() -> None:
    engine = engine_after("PickupObject Tomato", "PutObject GarbageCan")
    assert facts(engine, "Tomato") == {"in GarbageCan", "also_in Floor"}


def test_what_is_listed_beside_the_place_comes_and_goes_with_it() -> None:
    box = ("PickupObject Mug", "PutObject Box", "OpenObject Drawer")
    engine = engine_after(*box, "PickupObject Knife", "PutObject Mug")
    assert facts(engine, "Mug") == {"in Box", "also_in Floor"}
    assert facts(engine, "Knife") == {"in Mug", "also_in Box", "also_in Floor"}
    for step in ("PickupObject Tomato", "PutObject GarbageCan", "PickupObject Box"):
        assert outcome(engine, *step.split()) is None
    assert facts(engine, "Box") == {"open"}
    assert facts(engine, "Knife") == {"in Mug", "also_in Box"}
    # What is somewhere else stays listed where it was.
    assert facts(engine, "Tomato") == {"in GarbageCan", "also_in Floor"}
    engine = engine_after("PickupObject Tomato", "PutObject GarbageCan", "PickupObject Tomato")
    assert facts(engine, "Tomato") == set()


def test_contents_are_put_down_with_what_they_are_in() -> None:
    steps = ("OpenObject Drawer", "PickupObject Knife", "PutObject Mug", "PickupObject Mug")
    engine = engine_after(*steps, "PutObject Box")
    assert facts(engine, "Knife") == {"in Mug", "also_in Box", "also_in Floor"}


def test_what_was_listed_in_a_thing_by_mistake_is_not_once_that_is_moved() -> None:
    world = ThorWorld()
    start = world.start(kitchen(), changes={Atom("also_in", ("Pan", "Plate")): True})
    engine = ThorEngine(start, world=world)
    assert outcome(engine, "PickupObject", "Plate") is None
    assert facts(engine, "Pan") == {"in CounterTop"}


def test_nothing_is_put_in_what_is_inside_of_what_is_carried() -> None:
    engine = engine_after("PickupObject Mug", "PutObject Box", "PickupObject Box")
    assert outcome(engine, "PutObject", "Mug", force=True) is ThorFailure.NO_RECEPTACLE
    assert outcome(engine, "PutObject", "Egg_EggCracked_0") is ThorFailure.NO_RECEPTACLE


def test_only_what_shuts_things_in_has_to_be_open() -> None:
    scene = load_scene("FloorPlan401")
    (bottle,), (toilet,) = scene.of_type("SprayBottle"), scene.of_type("Toilet")
    engine = ThorEngine(scene)
    assert "openable" in toilet.affordances
    assert outcome(engine, "PickupObject", bottle.name) is None
    assert outcome(engine, "PutObject", toilet.name, force=True) is None
    engine = ThorEngine(kitchen(Box="dirty"))
    engine.state.remove("openable", ("Box",))
    assert outcome(engine, "PickupObject", "Mug") is None
    assert outcome(engine, "PutObject", "Box") is None


def test_only_a_microwave_has_to_be_off_to_be_opened_or_closed() -> None:
    scene = load_scene("FloorPlan301")
    (laptop,) = scene.of_type("Laptop")
    engine = ThorEngine(scene)
    for step in ("ToggleObjectOn", "CloseObject", "OpenObject", "ToggleObjectOff"):
        assert outcome(engine, step, laptop.name) is None


def test_switching_one_thing_leaves_the_others() -> None:
    engine = engine_after("ToggleObjectOn Faucet", "ToggleObjectOn Microwave")
    assert outcome(engine, "ToggleObjectOff", "Faucet") is None
    assert "on" in facts(engine, "Microwave")


def test_slicing_again_leaves_the_slices_where_they_are() -> None:
    piece = "Tomato_TomatoSliced_0"
    engine = engine_after("SliceObject Tomato", f"PickupObject {piece}", "PutObject Plate")
    assert outcome(engine, "SliceObject", "Tomato", force=True) is None
    assert facts(engine, piece) == {"in Plate", "also_in CounterTop"}


def test_what_falls_is_on_the_floor_and_what_is_thrown_breaks() -> None:
    engine = engine_after("PickupObject Mug", "DropHandObject")
    assert facts(engine, "Mug") == {"in Floor"}
    assert facts(engine, "Bowl") == {"in CounterTop"}
    assert facts(engine, AGENT) == set()
    engine = engine_after("PickupObject Mug", "ThrowObject", Mug="on")
    assert facts(engine, "Mug") == {"in Floor", "broken"}
    assert facts(engine, "Bowl") == {"in CounterTop"}
    assert facts(engine, AGENT) == set()
    engine = engine_after("PickupObject Tomato", "PutObject Bowl", "PickupObject Bowl")
    assert outcome(engine, "ThrowObject") is None
    assert facts(engine, "Tomato") == {"in Floor"}
    assert facts(engine, "Bread") == {"in CounterTop"}
    engine = engine_after("PickupObject Tomato", "ThrowObject")
    assert facts(engine, "Tomato") == {"in Floor"}
    assert facts(engine, "Tomato_TomatoSliced_0") == {"dormant"}
    # What does not break keeps what is in it.
    engine = engine_after("PickupObject Tomato", "PutObject Pan", "PickupObject Pan", force=True)
    assert outcome(engine, "ThrowObject") is None
    assert facts(engine, "Tomato") == {"in Pan"}


def test_a_thrown_egg_is_a_cracked_one() -> None:
    engine = engine_after("OpenObject Fridge", "PickupObject Egg", "ThrowObject")
    assert facts(engine, "Egg_EggCracked_0") == {"in Floor"}
    assert outcome(engine, "PickupObject", "Egg") is ThorFailure.NOT_INTERACTABLE


def test_what_breaks_lets_go_of_what_is_in_it() -> None:
    engine = engine_after("PickupObject Tomato", "PutObject Plate", "BreakObject Plate")
    assert facts(engine, "Tomato") == {"in CounterTop"}
    assert facts(engine, "Plate") == {"in CounterTop", "broken"}
    assert facts(engine, "Knife") == {"in Drawer"}
    steps = ("PickupObject Tomato", "PutObject Plate", "PickupObject Plate", "BreakObject Plate")
    engine = engine_after(*steps)
    assert facts(engine, "Plate") == facts(engine, "Tomato") | {"broken"} == {"in Floor", "broken"}
    assert facts(engine, AGENT) == set()


def test_an_egg_that_breaks_is_a_cracked_one() -> None:
    piece = "Egg_EggCracked_0"
    engine = engine_after("OpenObject Fridge", "BreakObject Egg")
    assert facts(engine, piece) == {"in Fridge", "cold"}
    engine = engine_after("OpenObject Fridge", "PickupObject Egg", "BreakObject Egg")
    assert facts(engine, piece) == {"in Floor"}
    assert facts(engine_after("BreakObject Mug"), piece) == {"dormant"}


def test_slices_come_to_be_where_the_whole_was() -> None:
    engine = engine_after("CookObject Potato", "SliceObject Potato")
    assert facts(engine, "Potato") == {"in CounterTop", "cooked", "sliced"}
    assert facts(engine, "Potato_PotatoSliced_6") == {"in CounterTop", "cooked"}
    assert facts(engine_after("SliceObject Potato"), "Potato_PotatoSliced_6") == {"in CounterTop"}


def test_force_passes_over_reach_and_table_but_not_over_structure() -> None:
    engine = ThorEngine(kitchen())
    assert outcome(engine, "PickupObject", "Egg", force=True) is None
    assert outcome(engine, "PutObject", "Fridge", force=True) is ThorFailure.RECEPTACLE_CLOSED
    assert outcome(engine, "PutObject", "Toaster", force=True) is ThorFailure.NOT_MADE_FOR_IT
    assert outcome(engine, "PutObject", "Faucet", force=True) is ThorFailure.NOT_RECEPTACLE
    assert outcome(engine, "PutObject", "Mug") is ThorFailure.NOT_ACCEPTED
    assert outcome(engine, "PutObject", "Mug", force=True) is None
    assert outcome(engine, "SliceObject", "Egg", force=True) is None
    # The source can still be resolved when forced: that does nothing and succeeds.
    before = list(engine.state.atoms())
    assert outcome(engine, "SliceObject", "Egg", force=True) is None
    assert list(engine.state.atoms()) == before
    assert outcome(engine, "PickupObject", "Tomato_TomatoSliced_0", force=True) is not None


def test_hard_misfits_are_refused_if_that_is_switched_on() -> None:
    outcomes = [PutOutcome("Kitchen", "Bowl", "Tomato", succeeded=False, failures=5)]
    engine = ThorEngine(kitchen(), world=ThorWorld(fits=Fits(outcomes)))
    assert outcome(engine, "PickupObject", "Tomato") is None
    assert outcome(engine, "PutObject", "Bowl", force=True) is ThorFailure.NO_POSITION
    assert outcome(engine, "PutObject", "Plate") is None
