"""Rooms of AI2-THOR, and the types of what is in them."""

from __future__ import annotations

import pytest

from eai.errors import UnknownNameError
from eai.logic import Atom
from eai.simulators import ThorWorld, engine_accepts, load_scene, pddl_type, recorded_fits
from eai.simulators.thor.scenes import SceneObject, arranged, object_type, object_types, scene_names
from eai.simulators.thor.world import Fits, PutOutcome, spanning, thor_domain, watering


def test_120_rooms_load_and_what_is_in_something_is_in_it_once() -> None:
    assert len(scene_names()) == 120
    total = 0
    for name in scene_names():
        scene = load_scene(name)
        known = scene.by_name()
        total += len(known)
        for one in scene.objects:
            above = one
            for _ in known:
                if not above.place:
                    break
                above = known[above.place]
            assert not above.place, f"{name}: {one.name} is inside of itself"
            assert one.place not in one.also
    assert total == 5672


def test_a_room_says_where_things_are_and_what_they_can_do() -> None:
    scene = load_scene("FloorPlan1")
    (mug,) = scene.of_type("Mug")
    assert mug.place == scene.of_type("CounterTop")[2].name
    assert mug.affordances == ("breakable", "dirtyable", "fillable", "pickupable", "receptacle")
    assert mug.height == pytest.approx(0.9)
    knob = scene.of_type("StoveKnob")[0]
    assert scene.by_name()[knob.controls[0]].type == "StoveBurner"
    assert "on" in scene.of_type("LightSwitch")[0].flags
    assert "PepperShaker" not in scene.vocabulary
    assert "AppleSliced" in scene.vocabulary


def test_an_unknown_room_is_an_error_that_names_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="FloorPlan") as caught:
        load_scene("FloorPlan31")
    assert caught.value.suggestions


def test_the_place_of_a_thing_is_the_smallest_that_is_no_surface() -> None:
    size = {"Floor": 5.0, "Fridge": 0.8, "CounterTop": 2.0, "Plate": 0.2, "SinkBasin": 0.4}
    room = [
        SceneObject(kind, kind, kind, affordances=("receptacle",), size=(side, side, side))
        for kind, side in size.items()
    ]
    egg = SceneObject("Egg", "Egg", "Egg", affordances=("pickupable",), size=(0.1, 0.1, 0.1))
    pan = SceneObject("Pan", "Pan", "Pan", affordances=("pickupable",), size=(0.3, 0.1, 0.3))

    def place(one: SceneObject, *parents: str) -> tuple[str, ...]:
        return arranged([*room, one], {one.name: parents})[-1].parents

    assert place(egg, "Floor", "Fridge") == ("Fridge", "Floor")
    assert place(egg, "CounterTop", "Plate") == ("Plate", "CounterTop")
    # What cannot be is no place, though the engine lists it.
    assert place(pan, "Plate", "CounterTop") == ("CounterTop", "Plate")
    counter = arranged(room, {"CounterTop": ["SinkBasin"]})[2]
    assert (counter.place, counter.also) == ("", ("SinkBasin",))


def test_nothing_is_inside_of_itself_whatever_is_listed() -> None:
    boxes = [SceneObject(name, name, "Box", affordances=("pickupable",)) for name in "abc"]
    listed = {"a": ["b"], "b": ["c"], "c": ["a"]}
    assert [one.parents for one in arranged(boxes, listed)] == [("b",), ("c",), ("a",)]
    assert [one.place for one in arranged(boxes, listed)] == ["", "c", "a"]
    assert arranged(boxes[:1], {"a": ["a"]})[0].place == ""


def test_rooms_can_be_changed() -> None:
    scene = load_scene("FloorPlan1")
    (mug,), (sink,), (plate,) = (scene.of_type(t) for t in ("Mug", "SinkBasin", "Plate"))
    changed = scene.placed({mug.name: sink.name}).without([plate.place])
    assert changed.by_name()[mug.name].parents == (sink.name,)
    assert changed.by_name()[plate.name].parents == ()
    assert len(changed.objects) == len(scene.objects) - 1
    with pytest.raises(UnknownNameError, match="Teapot"):
        scene.placed({"Teapot": sink.name})


def test_slices_that_are_not_there_yet_are_known() -> None:
    scene = load_scene("FloorPlan1")
    pieces = [one for one in scene.slices if one.type == "EggCracked"]
    (egg,) = scene.of_type("Egg")
    assert [(one.name, one.id) for one in pieces] == [
        (f"{egg.name}_EggCracked_0", f"{egg.id}|EggCracked_0")
    ]


def test_water_runs_into_the_nearest_basin() -> None:
    scene = load_scene("FloorPlan1")
    assert [basin for _, basin in watering(scene)] == [scene.of_type("SinkBasin")[0].name]
    bathroom = load_scene("FloorPlan401")
    assert all(bathroom.by_name()[basin].type.endswith("Basin") for _, basin in watering(bathroom))


def test_a_low_can_reaches_down_to_the_floor() -> None:
    scene = load_scene("FloorPlan1")
    pairs = {(around.split("_")[0], one.split("_")[0]) for around, one in spanning(scene)}
    assert ("Floor", "GarbageCan") in pairs
    assert ("Floor", "Fridge") not in pairs


def test_placements_follow_the_table_of_the_engine() -> None:
    assert engine_accepts("Mug", "CoffeeMachine")
    assert not engine_accepts("Tomato", "Pan")
    assert engine_accepts("ScrubBrush", "Fridge")  # a type without an entry is unrestricted
    assert not engine_accepts("ScrubBrush", "Toaster")  # but a toaster takes slices of bread only
    assert sum(len(kind.accepted or ()) for kind in object_types().values()) == 863
    with pytest.raises(UnknownNameError, match="Mugg"):
        object_type("Mugg")


def test_the_domain_and_the_table_of_types_agree() -> None:
    types = thor_domain().types
    world = ThorWorld().world
    for kind in object_types().values():
        above = types[pddl_type(kind.name)]
        assert (above == "enclosure") == kind.must_be_open
        assert (above == "holder") == bool(kind.only)
    pairs = {(a, b) for b in object_types() for a in object_types()[b].only}
    objects = {name: pddl_type(name) for pair in pairs for name in pair}
    state = world.state(objects, [])
    suits = {(a, b) for a in objects for b in objects if world.holds(state, Atom("suits", (a, b)))}
    assert suits == pairs


def test_what_never_fitted_and_failed_often_has_no_place() -> None:
    fits = Fits(
        [
            PutOutcome("FloorPlan1", "Bowl_1", "Potato", succeeded=False, failures=5),
            PutOutcome("FloorPlan1", "Bowl_1", "Egg", succeeded=False, failures=4),
            PutOutcome("FloorPlan1", "Bowl_1", "Knife", succeeded=True, failures=5),
        ]
    )
    assert not fits.fits("FloorPlan1", "Bowl_1", "Potato")
    assert not fits.fits("FloorPlan1", "Bowl_1", "Potato")
    assert fits.fits("FloorPlan1", "Bowl_1", "Egg")
    assert fits.fits("FloorPlan1", "Bowl_1", "Knife")
    assert not recorded_fits().fits("FloorPlan10", "Bowl_148b0fbf", "LettuceSliced")
