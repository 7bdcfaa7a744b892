"""The engine of the symbolic AI2-THOR: what each action asks for, does, and brings about."""

from __future__ import annotations

import pytest

from eai.errors import InputError
from eai.logic.formula import Atom
from eai.simulators.base import execute
from eai.simulators.thor.engine import ENGINE_ACTIONS, Engine
from eai.simulators.thor.failures import MESSAGES, TESTS, Failure, failure_of
from eai.simulators.thor.fits import Fits, PutOutcome
from eai.simulators.thor.scenes import Scene, SceneObject, load_scene
from eai.simulators.thor.world import AGENT, ThorWorld, thor_domain
from eai.world.action import Action
from thor_rooms import kitchen, outcome


def engine_after(*steps: str, force: bool = False, **flags: str) -> Engine:
    """The kitchen after some steps, each an action and its arguments."""
    engine = Engine(kitchen(**flags))
    for step in steps:
        assert outcome(engine, *step.split(), force=force) is None, step
    return engine


def facts(engine: Engine, name: str) -> set[str]:
    """What is so of one object, without its nature: ``{"in CounterTop", "dirty"}``."""
    changing = engine.world.domain.fluents
    found = (atom for atom in engine.state.atoms() if atom.predicate in changing)
    return {
        " ".join((atom.predicate, *map(str, atom.terms[1:])))
        for atom in found
        if atom.terms and atom.terms[0] == name
    }


@pytest.mark.parametrize(
    ("step", "failure"),
    [
        ("Fly Mug", Failure.INVALID_ACTION),
        ("PickupObject", Failure.MISSING_ARGUMENTS),
        ("PickupObject Mug Bowl", Failure.INVALID_ARGUMENT),
        ("PickupObject Teapot", Failure.UNKNOWN_OBJECT),
        ("PickupObject agent", Failure.UNKNOWN_OBJECT),
        ("PickupObject water", Failure.UNKNOWN_OBJECT),
        ("PickupObject Egg", Failure.NOT_INTERACTABLE),
        ("PickupObject Potato_PotatoSliced_0", Failure.UNKNOWN_OBJECT),
        ("PickupObject Tomato_TomatoSliced_0", Failure.NOT_INTERACTABLE),
        ("PickupObject Fridge", Failure.NOT_PICKUPABLE),
        ("PutObject CounterTop", Failure.HAND_EMPTY),
        ("DropHandObject", Failure.HAND_EMPTY),
        ("ThrowObject", Failure.HAND_EMPTY),
        ("OpenObject Mug", Failure.NOT_OPENABLE),
        ("CloseObject Mug", Failure.NOT_OPENABLE),
        ("ToggleObjectOn Mug", Failure.NOT_TOGGLEABLE),
        ("ToggleObjectOn StoveBurner", Failure.CONTROLLED),
        ("ToggleObjectOff Faucet", Failure.ALREADY_OFF),
        ("SliceObject Mug", Failure.NOT_SLICEABLE),
        ("BreakObject Pan", Failure.NOT_BREAKABLE),
        ("DirtyObject Egg", Failure.NOT_INTERACTABLE),
        ("DirtyObject Knife", Failure.NOT_INTERACTABLE),
        ("DirtyObject Potato", Failure.NOT_DIRTYABLE),
        ("CleanObject Potato", Failure.NOT_DIRTYABLE),
        ("CleanObject Mug", Failure.ALREADY_CLEAN),
        ("FillObjectWithLiquid Mug", Failure.NO_LIQUID),
        ("FillObjectWithLiquid Pan milk", Failure.NOT_FILLABLE),
        ("FillObjectWithLiquid Mug Bowl", Failure.UNKNOWN_LIQUID),
        ("FillObjectWithLiquid Mug milk", Failure.UNKNOWN_LIQUID),
        ("EmptyLiquidFromObject Mug", Failure.ALREADY_EMPTY),
        ("EmptyLiquidFromObject Pan", Failure.NOT_FILLABLE),
        ("CookObject Tomato", Failure.NOT_COOKABLE),
        ("UseUpObject Mug", Failure.CANNOT_BE_USED_UP),
    ],
)
def test_what_cannot_be_done_at_the_start(step: str, failure: Failure) -> None:
    scene = kitchen()
    assert "sliceable" in scene.by_name()["Potato"].affordances
    engine = Engine(scene.without(["Potato"]) if "PotatoSliced" in step else scene)
    before = list(engine.state.atoms())
    assert outcome(engine, *step.split()) is failure
    assert list(engine.state.atoms()) == before


@pytest.mark.parametrize(
    ("steps", "failure"),
    [
        ("PickupObject Mug; PickupObject Bowl", Failure.HAND_FULL),
        ("PickupObject Mug; PutObject Mug", Failure.NO_RECEPTACLE),
        ("PickupObject Mug; PutObject Faucet", Failure.NOT_RECEPTACLE),
        ("PickupObject Mug; PutObject Fridge", Failure.RECEPTACLE_CLOSED),
        ("PickupObject Mug; PutObject Toaster", Failure.NOT_MADE_FOR_IT),
        ("PickupObject Mug; PutObject Pan", Failure.NOT_ACCEPTED),
        ("ToggleObjectOn Microwave; OpenObject Microwave", Failure.MUST_BE_OFF),
        ("ToggleObjectOn Microwave; CloseObject Microwave", Failure.MUST_BE_OFF),
        ("OpenObject Microwave; ToggleObjectOn Microwave", Failure.MUST_BE_CLOSED),
        ("ToggleObjectOn Faucet; ToggleObjectOn Faucet", Failure.ALREADY_ON),
        ("PickupObject Tomato; SliceObject Tomato", Failure.IN_HAND),
        ("SliceObject Tomato; SliceObject Tomato", Failure.NOT_INTERACTABLE),
        ("DirtyObject Mug; DirtyObject Mug", Failure.ALREADY_DIRTY),
        ("FillObjectWithLiquid Mug water; FillObjectWithLiquid Mug wine", Failure.ALREADY_FILLED),
        ("FillObjectWithLiquid Mug water; FillObjectWithLiquid Mug milk", Failure.UNKNOWN_LIQUID),
        ("CookObject Potato; CookObject Potato", Failure.ALREADY_COOKED),
    ],
)
def test_what_cannot_be_done_after_something_else(steps: str, failure: Failure) -> None:
    *first, last = steps.split("; ")
    assert outcome(engine_after(*first), *last.split()) is failure


def test_a_holder_takes_one_thing() -> None:
    engine = engine_after(
        "SliceObject Bread",
        "PickupObject Bread_BreadSliced_0",
        "PutObject Toaster",
        "PickupObject Bread_BreadSliced_1",
    )
    assert outcome(engine, "PutObject", "Toaster") is Failure.RECEPTACLE_FULL


def test_a_broken_appliance_cannot_be_turned_on() -> None:
    engine = Engine(load_scene("FloorPlan201"))
    name = next(one.name for one in load_scene("FloorPlan201").of_type("Television"))
    assert outcome(engine, "ToggleObjectOn", name) is None
    assert outcome(engine, "BreakObject", name) is None
    assert outcome(engine, "ToggleObjectOn", name) is Failure.IS_BROKEN


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
    assert outcome(engine, "PutObject", "Bowl") is Failure.NO_RECEPTACLE


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
    engine = Engine(start, world=world)
    assert outcome(engine, "PickupObject", "Plate") is None
    assert facts(engine, "Pan") == {"in CounterTop"}


def test_nothing_is_put_in_what_is_inside_of_what_is_carried() -> None:
    engine = engine_after("PickupObject Mug", "PutObject Box", "PickupObject Box")
    assert outcome(engine, "PutObject", "Mug", force=True) is Failure.NO_RECEPTACLE
    assert outcome(engine, "PutObject", "Egg_EggCracked_0") is Failure.NO_RECEPTACLE


def test_only_what_shuts_things_in_has_to_be_open() -> None:
    scene = load_scene("FloorPlan401")
    (bottle,), (toilet,) = scene.of_type("SprayBottle"), scene.of_type("Toilet")
    engine = Engine(scene)
    assert "openable" in toilet.affordances
    assert outcome(engine, "PickupObject", bottle.name) is None
    assert outcome(engine, "PutObject", toilet.name, force=True) is None
    engine = Engine(kitchen(Box="dirty"))
    engine.state.remove("openable", ("Box",))
    assert outcome(engine, "PickupObject", "Mug") is None
    assert outcome(engine, "PutObject", "Box") is None


def test_only_a_microwave_has_to_be_off_to_be_opened_or_closed() -> None:
    scene = load_scene("FloorPlan301")
    (laptop,) = scene.of_type("Laptop")
    engine = Engine(scene)
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
    assert outcome(engine, "PickupObject", "Egg") is Failure.NOT_INTERACTABLE


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
    engine = Engine(kitchen())
    assert outcome(engine, "PickupObject", "Egg", force=True) is None
    assert outcome(engine, "PutObject", "Fridge", force=True) is Failure.RECEPTACLE_CLOSED
    assert outcome(engine, "PutObject", "Toaster", force=True) is Failure.NOT_MADE_FOR_IT
    assert outcome(engine, "PutObject", "Faucet", force=True) is Failure.NOT_RECEPTACLE
    assert outcome(engine, "PutObject", "Mug") is Failure.NOT_ACCEPTED
    assert outcome(engine, "PutObject", "Mug", force=True) is None
    assert outcome(engine, "SliceObject", "Egg", force=True) is None
    # The source can still be resolved when forced: that does nothing and succeeds.
    before = list(engine.state.atoms())
    assert outcome(engine, "SliceObject", "Egg", force=True) is None
    assert list(engine.state.atoms()) == before
    assert outcome(engine, "PickupObject", "Tomato_TomatoSliced_0", force=True) is not None


def test_hard_misfits_are_refused_if_that_is_switched_on() -> None:
    outcomes = [PutOutcome("Kitchen", "Bowl", "Tomato", succeeded=False, failures=5)]
    engine = Engine(kitchen(), world=ThorWorld(fits=Fits(outcomes)))
    assert outcome(engine, "PickupObject", "Tomato") is None
    assert outcome(engine, "PutObject", "Bowl", force=True) is Failure.NO_POSITION
    assert outcome(engine, "PutObject", "Plate") is None


# ---------------------------------------------------------------------------- surroundings


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
    engine = Engine(scene.placed({"Knife": "Toaster", "Bowl": "CoffeeMachine"}))
    assert facts(engine, "Knife") == {"in Toaster"}
    assert facts(engine, "Bowl") == {"in CoffeeMachine"}


def test_what_is_heated_and_cooled_at_once_is_cold() -> None:
    scene = kitchen(Microwave="on").placed({"Microwave": "Fridge", "Potato": "Microwave"})
    assert facts(Engine(scene), "Potato") == {"in Microwave", "cooked", "cold"}


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
        engine = Engine(scene)
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
    assert outcome(engine, "SliceObject", "Tomato") is Failure.NOT_INTERACTABLE
    assert outcome(engine, "PutObject", "Bowl") is Failure.NO_RECEPTACLE


def test_breaking_again_does_nothing_and_a_broken_appliance_is_off() -> None:
    engine = engine_after("BreakObject Mug")
    result = engine.perform("BreakObject", ["Mug"])
    assert result.success
    assert not result.changes
    engine = Engine(kitchen("Mug", Mug="on"))
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
    engine = Engine(used)
    engine.state.add("can_be_used_up", ("Mug",))
    assert outcome(engine, "UseUpObject", "Mug") is None
    assert outcome(engine, "UseUpObject", "Mug") is Failure.ALREADY_USED_UP


# ---------------------------------------------------------------------------- around the engine


def test_an_engine_leaves_the_state_that_it_is_given() -> None:
    world = ThorWorld()
    start = world.start(kitchen(), changes={Atom("dirty", ("Mug",)): True})
    before = list(start.atoms())
    engine = Engine(start, world=world)
    assert outcome(engine, "CleanObject", "Mug") is None
    assert list(start.atoms()) == before
    assert engine.state.initial is start


def test_no_object_can_have_the_name_of_the_agent() -> None:
    thing = SceneObject("agent", "Mug|1|2|3", "Mug")
    with pytest.raises(InputError, match="agent"):
        ThorWorld().start(Scene("Room", (thing,)))


def test_plans_run_in_the_world_as_in_any_other() -> None:
    world = ThorWorld()
    plan = [
        Action("pickup_object", ("Mug",)),
        Action("put_object", ("CoffeeMachine",)),
        Action("toggle_object_on", ("CoffeeMachine",)),
    ]
    run = execute(world, world.start(kitchen()), plan, agent=AGENT)
    assert run.completed
    assert run.trajectory.final.holds("contains", ("Mug", "coffee"))
    assert Atom("contains", ("Mug", "coffee")) in list(run.trajectory.added(3))
    failed = execute(world, world.start(kitchen()), plan[1:], agent=AGENT)
    assert [each.kind.value for each in failed.findings] == ["missing_step"]


def test_every_test_of_the_domain_stands_for_a_failure() -> None:
    domain = thor_domain()
    world = ThorWorld().world
    used = {
        test.predicate
        for name in domain.operators
        for test in world.operator(name).tests
        if isinstance(test, Atom)
    }
    assert used == set(TESTS)
    assert len(domain.operators) == len(ENGINE_ACTIONS) + 1


def test_messages_are_known_again() -> None:
    for failure, parts in MESSAGES.items():
        for part in parts:
            assert failure_of(f"Mug|1|2|3: {part}, sorry.") is failure
    assert failure_of("the agent sneezed") is Failure.OTHER
