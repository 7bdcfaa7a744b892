"""The engine's metadata, read into a room.

Reading is a pure function, so that whatever speaks with the real controller can be tested
without it. Field names are those of AI2-THOR 5.0.0; older names of three fields are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from eai.errors import SchemaError
from eai.nesting import load_json
from eai.simulators.thor.scenes import Scene, SceneObject, arranged, object_types, vocabulary
from eai.simulators.thor.world import LIQUIDS

AFFORDANCE_FIELDS: Mapping[str, str] = {
    "receptacle": "receptacle",
    "toggleable": "toggleable",
    "breakable": "breakable",
    "canFillWithLiquid": "fillable",
    "dirtyable": "dirtyable",
    "canBeUsedUp": "can_be_used_up",
    "cookable": "cookable",
    "isHeatSource": "heat_source",
    "isColdSource": "cold_source",
    "sliceable": "sliceable",
    "openable": "openable",
    "pickupable": "pickupable",
    "moveable": "moveable",
}
"""Field of an object's metadata to the predicate that says what it can do."""

STATE_FIELDS: Mapping[str, str] = {
    "isToggled": "on",
    "isBroken": "broken",
    "isFilledWithLiquid": "filled",
    "isDirty": "dirty",
    "isUsedUp": "used_up",
    "isCooked": "cooked",
    "isSliced": "sliced",
    "isOpen": "open",
}
"""Field of an object's metadata to the predicate that says how it is."""

_TEMPERATURES = {"Hot": "hot", "Cold": "cold"}
_OLDER = {
    "temperature": "ObjectTemperature",
    "isHeatSource": "canChangeTempToHot",
    "isColdSource": "canChangeTempToCold",
}


def read_scene(metadata: Mapping[str, Any] | str, *, where: str = "metadata") -> Scene:
    """Read a room from the metadata of an event.

    Slices are named after what they were cut from, with the end of their id
    (``"Apple_3fef4551_AppleSliced_0"``), which is how :class:`~eai.simulators.thor.scenes.Scene`
    names those that are not there yet.

    Raises:
        SchemaError: If it is not metadata of AI2-THOR.
    """
    try:
        value = load_json(metadata) if isinstance(metadata, str) else metadata
    except ValueError as problem:
        raise SchemaError(f"the metadata is not JSON: {problem}", where=where) from problem
    try:
        rows: Sequence[Mapping[str, Any]] = value["objects"]
        # id to name; slices are named after their source
        named = {str(row["objectId"]): str(row["name"]) for row in rows}
        made = {kind.slices[0] for kind in object_types().values() if kind.slices}
        for row in rows:
            source, _, end = str(row["objectId"]).rpartition("|")
            if row["objectType"] in made and source in named:
                named[row["objectId"]] = f"{named[source]}_{end}"
        read = [_object(row, named) for row in rows]
        parents = {
            one.name: [named[id_] for id_ in row.get("parentReceptacles") or () if id_ in named]
            for one, row in zip(read, rows, strict=True)
        }
        name = str(value.get("sceneName", "")).removesuffix("_physics")
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        raise SchemaError(
            f"the metadata cannot be read ({type(problem).__name__}: {problem})",
            where=where,
            expected='an object with "sceneName" and "objects", as in event.metadata of AI2-THOR',
        ) from problem
    if len({one.name for one in read}) < len(read):
        raise SchemaError("two objects have the same name", where=f"{where}, objects")
    return Scene(name, arranged(read, parents), vocabulary(read))


def _object(row: Mapping[str, Any], named: Mapping[str, str]) -> SceneObject:
    size = row["axisAlignedBoundingBox"]["size"]
    can = (predicate for name, predicate in AFFORDANCE_FIELDS.items() if _field(row, name))
    flags = {predicate for name, predicate in STATE_FIELDS.items() if row.get(name)}
    warmth = _TEMPERATURES.get(_field(row, "temperature"))
    liquid = str(row.get("fillLiquid") or "").lower()
    return SceneObject(
        named[row["objectId"]],
        str(row["objectId"]),
        str(row["objectType"]),
        str(row.get("assetId") or ""),
        controls=tuple(named[id_] for id_ in row.get("controlledObjects") or () if id_ in named),
        affordances=tuple(sorted(can)),
        flags=frozenset(flags | ({warmth} if warmth else set())),
        liquid=liquid if liquid in LIQUIDS and "filled" in flags else "",
        held=bool(row.get("isPickedUp")),
        size=_triple(size),
        position=_triple(row["position"]),
    )


def _field(row: Mapping[str, Any], name: str) -> Any:  # noqa: ANN401 (a JSON value)
    return row.get(name, row.get(_OLDER.get(name, "")))


def _triple(value: Mapping[str, float]) -> tuple[float, float, float]:
    return float(value["x"]), float(value["y"]), float(value["z"])
