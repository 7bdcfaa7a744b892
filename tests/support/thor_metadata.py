"""Writes the metadata of objects as AI2-THOR 5.0.0 does, with all of its fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eai.simulators.thor.metadata import AFFORDANCE_FIELDS, STATE_FIELDS
from eai.simulators.thor.scenes import Scene, SceneObject
from eai.simulators.thor.world import AGENT
from eai.world import State
from eai.world.bits import bits

__all__ = ["Metadata", "object_metadata", "recorded_objects", "write_metadata"]

Metadata = dict[str, Any]

_AFFORDANCES = (
    *("receptacle", "toggleable", "breakable", "canFillWithLiquid", "dirtyable", "canBeUsedUp"),
    *("cookable", "isHeatSource", "isColdSource", "sliceable", "openable", "pickupable"),
    "moveable",
)
_FLAGS = (
    *("isToggled", "isBroken", "isFilledWithLiquid", "isDirty", "isUsedUp", "isCooked"),
    *("isSliced", "isOpen", "isPickedUp", "isMoving"),
)


def object_metadata(
    name: str,
    identifier: str,
    *,
    asset: str = "",
    affordances: Iterable[str] = (),
    flags: Iterable[str] = (),
    size: Sequence[float] = (0.1, 0.1, 0.1),
    height: float = 0.9,
    **fields: object,
) -> Metadata:
    """Write one object.

    Args:
        name: Its name (``"Mug_1d2f"``).
        identifier: Its ``objectId``: its type and where it is.
        asset: Its asset.
        affordances: The fields for what can be done that are true.
        flags: The fields for how it is that are true.
        size: Width, height and depth in metres.
        height: The y of its position in metres.
        fields: Other fields (``parentReceptacles``, ``controlledObjects``, ``temperature``).
    """
    has, now = set(affordances), set(flags)
    _, x, _, z, *_ = [*identifier.split("|"), "0", "0", "0"]
    point = {"x": float(x), "y": height, "z": float(z)}
    return {
        "name": name,
        "objectId": identifier,
        "objectType": object_type(identifier),
        "assetId": asset,
        "position": point,
        "rotation": {"x": 0.0, "y": 0.0, "z": 0.0},
        "visible": True,
        "isInteractable": True,
        **{field: field in has for field in _AFFORDANCES},
        **{field: field in now for field in _FLAGS},
        "fillLiquid": None,
        "temperature": "RoomTemp",
        "openness": float("isOpen" in now),
        "mass": 0.0,
        "salientMaterials": [],
        "receptacleObjectIds": [] if "receptacle" in has else None,
        "distance": 1.0,
        "parentReceptacles": None,
        "controlledObjects": None,
        "axisAlignedBoundingBox": {
            "cornerPoints": [],
            "center": point,
            "size": dict(zip("xyz", size, strict=True)),
        },
        "objectOrientedBoundingBox": None,
        **fields,
    }


def object_type(identifier: str) -> str:
    """The type in an ``objectId``: its first field, or the fifth for parts and slices."""
    parts = identifier.split("|")
    return parts[0] if len(parts) < 5 else parts[4].split("_")[0]


def recorded_objects(rows: Sequence[Sequence[Any]], types: Mapping[str, Any]) -> list[Metadata]:
    """Write the objects of a recorded scene.

    Args:
        rows: ``[name, objectId, assetId, parents, controls, true flags, size, height]`` with
            places in this list for other objects.
        types: For each type the share of its objects that have an affordance (``recorded``).
    """
    return [_recorded(row, [r[1] for r in rows], types) for row in rows]


def _recorded(row: Sequence[Any], names: Sequence[str], types: Mapping[str, Any]) -> Metadata:
    name, identifier, asset, parents, controls, true, size, height = row
    shares = types[object_type(identifier)].get("recorded", {})
    fields: Metadata = {"parentReceptacles": [names[i] for i in parents] or None}
    if controls:
        fields["controlledObjects"] = [names[i] for i in controls]
    fields.update(flag.split("=") for flag in true if "=" in flag)
    return object_metadata(
        name,
        identifier,
        asset=asset,
        affordances=[affordance for affordance, share in shares.items() if share >= 0.5],
        flags=[flag for flag in true if "=" not in flag],
        size=size,
        height=height,
        **fields,
    )


def write_metadata(state: State, scene: Scene) -> list[dict[str, Any]]:
    """Write the objects of a state as the engine lists them (``metadata["objects"]``).

    What physics decides is not written: rotation, velocity, what is visible. Positions are
    those of the room, whatever was moved.
    """
    objects = (*scene.objects, *scene.slices)
    ids = {one.name: one.id for one in objects}
    return [_written(state, one, ids) for one in objects if not state.holds("dormant", (one.name,))]


def _written(state: State, one: SceneObject, ids: Mapping[str, str]) -> dict[str, Any]:
    names, index, at = state.universe.names, state.layout.index, state.universe.number(one.name)

    def true(predicate: str) -> bool:
        return bool(state.unary[index[predicate]] >> at & 1)

    def related(relation: str) -> list[str]:
        return [names[i] for i in bits(state.rows[index[relation]][at])]

    parents = [ids[name] for name in related("in") + related("also_in")]
    inside = bits(state.cols[index["in"]][at] | state.cols[index["also_in"]][at])
    return {
        "name": one.name,
        "objectId": one.id,
        "objectType": one.type,
        "assetId": one.asset,
        **{name: true(predicate) for name, predicate in AFFORDANCE_FIELDS.items()},
        **{name: true(predicate) for name, predicate in STATE_FIELDS.items()},
        "openness": float(true("open")),
        "fillLiquid": next(iter(related("contains")), None),
        "temperature": "Hot" if true("hot") else "Cold" if true("cold") else "RoomTemp",
        "isPickedUp": state.holds("holds", (AGENT, one.name)),
        "parentReceptacles": parents or None,
        "receptacleObjectIds": [ids[names[i]] for i in inside] if true("receptacle") else None,
        "controlledObjects": [ids[name] for name in related("controls")] or None,
        "position": dict(zip("xyz", one.position, strict=True)),
        "axisAlignedBoundingBox": {"size": dict(zip("xyz", one.size, strict=True))},
    }
