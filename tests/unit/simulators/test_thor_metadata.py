"""Metadata of AI2-THOR: read into rooms, and written from states."""

from __future__ import annotations

import json
from typing import Any

import pytest
from thor_metadata import write_metadata
from thor_rooms import kitchen, outcome

from eai.errors import SchemaError
from eai.simulators import ThorEngine, ThorWorld, load_scene
from eai.simulators.thor.metadata import read_scene


def event(**objects: dict[str, Any]) -> dict[str, Any]:
    """Metadata of a room with an object for each name; its type is the name."""
    box = {"size": {"x": 0.1, "y": 0.2, "z": 0.3}}
    spot = {"x": 1, "y": 2, "z": 3}
    rows = [
        {
            "name": f"{name}_1",
            "objectId": f"{name}|1|2|3",
            "objectType": name,
            "axisAlignedBoundingBox": box,
            "position": spot,
            **fields,
        }
        for name, fields in objects.items()
    ]
    return {"sceneName": "FloorPlan1_physics", "objects": rows}


@pytest.mark.parametrize("name", ["FloorPlan1", "FloorPlan201", "FloorPlan301", "FloorPlan401"])
def test_what_is_written_reads_back_as_the_same_room(name: str) -> None:
    scene = load_scene(name)
    written = {"sceneName": name, "objects": write_metadata(ThorWorld().start(scene), scene)}
    assert read_scene(json.dumps(written)).objects == scene.objects
    assert read_scene(written).objects == scene.objects


def test_fields_become_flags_and_affordances() -> None:
    scene = read_scene(
        event(
            Mug={
                "pickupable": True,
                "isFilledWithLiquid": True,
                "fillLiquid": "coffee",
                "temperature": "Hot",
                "isPickedUp": True,
            },
            WineBottle={"isFilledWithLiquid": True, "fillLiquid": None},
        )
    )
    mug, bottle = scene.objects
    assert scene.name == "FloorPlan1"
    assert (mug.name, mug.id, mug.type) == ("Mug_1", "Mug|1|2|3", "Mug")
    assert (mug.affordances, mug.flags) == (("pickupable",), frozenset({"filled", "hot"}))
    assert (mug.liquid, mug.held, mug.size, mug.height) == ("coffee", True, (0.1, 0.2, 0.3), 2.0)
    assert (bottle.flags, bottle.liquid) == (frozenset({"filled"}), "")


def test_names_of_fields_in_older_versions_are_read() -> None:
    scene = read_scene(event(Stove={"ObjectTemperature": "Hot", "canChangeTempToHot": True}))
    assert scene.objects[0].flags == {"hot"}
    assert scene.objects[0].affordances == ("heat_source",)


def test_a_type_that_the_engine_did_not_have_can_stand_in_a_room() -> None:
    scene = read_scene(event(Trampoline={}, Mug={"pickupable": True}))
    state = ThorWorld().start(scene)
    assert state.universe.types[:2] == ("trampoline", "mug")
    assert scene.vocabulary == ("Mug", "Trampoline")


def test_slices_are_named_after_their_source() -> None:
    scene = kitchen("CounterTop", "Tomato")
    engine = ThorEngine(scene)
    assert outcome(engine, "SliceObject", "Tomato") is None
    written = write_metadata(engine.state, scene)
    pieces = [row for row in written if row["objectType"] == "TomatoSliced"]
    assert pieces[2]["objectId"] == "Tomato|TomatoSliced_2"
    assert pieces[2]["parentReceptacles"] == ["CounterTop"]
    for number, row in enumerate(pieces):
        row["name"] = f"Slice_{number}"
    read = read_scene({"sceneName": "Kitchen", "objects": written})
    again = ThorWorld().start(read)
    assert set(again.atoms()) == set(engine.state.atoms())


def test_what_is_carried_is_in_nothing_and_keeps_its_contents() -> None:
    scene = kitchen("CounterTop", "Bowl", "Tomato")
    engine = ThorEngine(scene)
    for step in ("PickupObject Tomato", "PutObject Bowl", "PickupObject Bowl"):
        assert outcome(engine, *step.split()) is None
    counter, bowl, tomato = write_metadata(engine.state, scene)[:3]
    assert (bowl["isPickedUp"], bowl["parentReceptacles"]) == (True, None)
    assert (tomato["isPickedUp"], tomato["parentReceptacles"]) == (False, ["Bowl"])
    assert (counter["receptacleObjectIds"], bowl["receptacleObjectIds"]) == ([], ["Tomato"])


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "cannot be read"),
        ({"sceneName": "FloorPlan1"}, "objects"),
        ({"objects": [{"name": "Mug_1"}]}, "objectId"),
        (event(Mug={"position": {"x": 1}}), "'y'"),
        (event(Mug={"position": {"x": "left", "y": 0, "z": 0}}), "left"),
        (event(Mug={"axisAlignedBoundingBox": None}), "TypeError"),
        (event(Mug={"name": "Bowl_1"}, Bowl={}), "same name"),
    ],
)
def test_what_is_no_metadata_is_an_error_that_says_so(metadata: Any, said: str) -> None:
    with pytest.raises(SchemaError, match=said) as caught:
        read_scene(metadata, where="my.json")
    assert str(caught.value).startswith("my.json")
