"""Where things lie when an instance of AsgardBench starts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from eai.errors import UnknownNameError
from eai.simulators import load_scene
from eai.simulators.thor.scenes import Scene, SceneObject
from eai.suites.asgardbench.gate import CHOPPED, LOWEST_TO_SLICE
from eai.suites.asgardbench.instances import Instance, ReferenceEvidence, instance, instances, rules
from eai.suites.asgardbench.placement import inventory, place_objects
from eai.suites.asgardbench.room import surface_height


@pytest.fixture(scope="module")
def starts() -> dict[str, Scene]:
    return {one.id: place_objects(one) for one in instances().values()}


def portable(scene: Scene) -> Iterator[SceneObject]:
    return (one for one in scene.objects if "pickupable" in one.affordances)


def place_of(scene: Scene, kind: str) -> str:
    things = scene.by_name()
    (one,) = scene.of_type(kind)
    return things[one.place].type


def test_one_object_is_left_of_every_type_that_is_carried(starts: dict[str, Scene]) -> None:
    for name, scene in starts.items():
        kinds = [one.type for one in portable(scene)]
        assert len(kinds) == len(set(kinds)), name
        assert "PepperShaker" not in kinds


def test_what_is_set_up_is_there(starts: dict[str, Scene]) -> None:
    for name, scene in starts.items():
        for _, thing, *_rest in instance(name).setup:
            assert thing in scene.by_name()


def test_the_inventory_is_a_part_of_the_scene() -> None:
    one = instance("coffee__empty_FloorPlan26_V1")
    scene = load_scene(one.scene)
    kept = inventory(scene, one)
    assert set(kept) <= set(scene.objects)
    assert len(kept) < len(scene.objects)


def test_what_pictures_show_is_where_they_show_it(starts: dict[str, Scene]) -> None:
    shown = [
        (name, kind, where)
        for name in starts
        for kind, where in instance(name).reference.seen.items()
    ]
    assert len(shown) == 428
    assert [row for row in shown if place_of(starts[row[0]], row[1]) != row[2]] == []


def test_a_sink_is_blocked_where_pictures_show_it_or_something_was_taken_out(
    starts: dict[str, Scene],
) -> None:
    washable = {*rules().spread(("Dishes", "Cookware")), "DishSponge"}
    shown, blocked = set[str](), set[str]()
    for name, scene in starts.items():
        basins = {one.name for one in scene.of_type("SinkBasin")}
        seen = instance(name).reference.seen
        if {kind for kind, where in seen.items() if where == "SinkBasin"} - washable:
            shown.add(name)
        if {one.type for one in portable(scene) if one.place in basins} - washable:
            blocked.add(name)
    assert len(shown) == 44
    assert shown <= blocked
    assert all(instance(name).reference.blocked_sink for name in blocked - shown)


def test_nothing_is_in_the_machines_but_what_pictures_show(starts: dict[str, Scene]) -> None:
    for name, scene in starts.items():
        machines = {one.name for one in scene.of_type("CoffeeMachine", "Toaster", "Microwave")}
        inside = {one.type for one in portable(scene) if one.place in machines}
        seen = instance(name).reference.seen
        assert inside == {kind for kind in seen if seen[kind] == "CoffeeMachine"}, name


def test_the_table_that_is_to_be_set_has_on_it_what_was_taken_off(starts: dict[str, Scene]) -> None:
    one = instance("settable__empty_FloorPlan4_V1")
    scene = starts[one.id]
    tables = {table.name for table in scene.of_type("DiningTable")}
    on_it = {thing.type for thing in portable(scene) if thing.place in tables}
    assert on_it == {kind for kind, _, _ in one.reference.relocated}


def test_after_the_table_the_last_one_comes_out_of_the_sink(starts: dict[str, Scene]) -> None:
    scene = starts["settable__Mug(d)_FloorPlan20_V1"]
    assert place_of(scene, "WineBottle") == "SinkBasin"
    assert place_of(scene, "Pot") == "DiningTable"


def test_targets_are_in_sight(starts: dict[str, Scene]) -> None:
    for name, scene in starts.items():
        things = scene.by_name()
        one = instance(name)
        for thing in portable(scene):
            if thing.type in one.visible and thing.type not in one.reference.opened:
                assert "openable" not in things[thing.place].affordances, (name, thing)


def test_what_is_to_be_sliced_lies_flat_unless_it_was_moved(starts: dict[str, Scene]) -> None:
    for name, scene in starts.items():
        one = instance(name)
        moved = {kind for kind, _, _ in one.reference.relocated}
        things = scene.by_name()
        for thing in portable(scene):
            if thing.type in (CHOPPED & set(one.visible)) - moved - set(one.reference.seen):
                assert surface_height(things[thing.place]) >= LOWEST_TO_SLICE
                assert things[thing.place].type in {"CounterTop", "DiningTable", "SideTable"}


def test_what_is_moved_to_be_sliced_comes_out_of_the_sink() -> None:
    """Not out of the dish that is filled next: pictures show all six such foods in the sink."""
    for one in instances().values():
        blind = place_objects(replace(one, reference=replace(one.reference, seen={})))
        for kind, _, following in one.reference.relocated:
            sliced = kind in CHOPPED & set(one.visible) and one.family != "settable"
            if sliced and following in ("Bowl", "Pan", "Plate", "Pot"):
                assert place_of(blind, kind) == "SinkBasin", one.id


def test_what_the_reference_execution_moved_is_in_sight(starts: dict[str, Scene]) -> None:
    for name, scene in starts.items():
        one = instance(name)
        things = scene.by_name()
        moved = {kind for kind, _, _ in one.reference.relocated} - set(one.reference.opened)
        for thing in portable(scene):
            if thing.type in moved:
                assert "openable" not in things[thing.place].affordances, (name, thing)


def test_silverware_is_on_counters_and_tables(starts: dict[str, Scene]) -> None:
    scene = starts["putaway__Silverware_FloorPlan4_V1-ButterKnife Fork Ladle Knife"]
    for kind in ("ButterKnife", "Fork", "Knife", "Ladle"):
        assert place_of(scene, kind) in {"CounterTop", "DiningTable"}


def test_a_clean_pan_that_no_picture_shows_stands_on_a_burner(starts: dict[str, Scene]) -> None:
    assert place_of(starts["cook__Egg_FloorPlan13_V1"], "Pan") == "CounterTop"
    assert place_of(starts["cook__Egg_Plate(d)_FloorPlan23_V1"], "Pan") == "StoveBurner"
    assert place_of(starts["cook__Egg_Pan(d)_FloorPlan5_V1"], "Pan") != "StoveBurner"


def test_what_was_in_a_closed_container_is_in_one(starts: dict[str, Scene]) -> None:
    assert place_of(starts["settable__Mug(d)_FloorPlan19_V1"], "Plate") == "Cabinet"


def test_the_seed_decides_the_rest() -> None:
    one = instance("coffee__empty_FloorPlan26_V1")
    assert place_objects(one) == place_objects(one)
    others = {place_objects(replace(one, seed=seed)) for seed in range(5)}
    assert len({tuple(thing.place for thing in scene.objects) for scene in others}) > 1


def test_a_new_instance_has_its_own_evidence() -> None:
    one = Instance(
        "mine",
        "coffee",
        "FloorPlan1",
        "i",
        1,
        20,
        visible=("Mug",),
        reference=ReferenceEvidence(blocked_sink=True, relocated=(("Egg", "Fridge", "SinkBasin"),)),
    )
    assert place_of(place_objects(one), "Egg") == "SinkBasin"


def test_an_unknown_scene_is_named() -> None:
    with pytest.raises(UnknownNameError, match="FloorPlan99"):
        place_objects(Instance("mine", "coffee", "FloorPlan99", "i", 1, 20))


def test_evidence_of_what_is_not_there_is_passed_over() -> None:
    one = Instance(
        "mine",
        "coffee",
        "FloorPlan1",
        "i",
        1,
        20,
        reference=ReferenceEvidence(relocated=(("Unicorn", "Fridge", "SinkBasin"),)),
    )
    assert not place_objects(one).of_type("Unicorn")
