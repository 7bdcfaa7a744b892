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
"""Field of an object's metadata to the predicate for an ability."""

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
"""Field of an object's metadata to the predicate for its state."""

_TEMPERATURES = {"Hot": "hot", "Cold": "cold"}
_OLDER = {
    "temperature": "ObjectTemperature",
    "isHeatSource": "canChangeTempToHot",
    "isColdSource": "canChangeTempToCold",
}


def read_scene(metadata: Mapping[str, Any] | str, *, where: str = "metadata") -> Scene:
    """Return the room described by the metadata of an event.

    A slice has the name of the object that it was cut from, with the end of its own id
    (``"Apple_3fef4551_AppleSliced_0"``). :class:`~eai.simulators.thor.scenes.Scene` gives the same
    names to slices that do not exist yet.

    Args:
        metadata: The metadata, or its JSON text.
        where: Where it stands, for messages.

    Raises:
        SchemaError: If it is not metadata of AI2-THOR.
    """
    try:
        value = load_json(metadata) if isinstance(metadata, str) else metadata
    except ValueError as problem:
        raise SchemaError(f"the metadata is not JSON: {problem}", where=where) from problem
    try:
        rows: Sequence[Mapping[str, Any]] = value["objects"]
        names = _names_by_id(rows)
        objects = [_read_object(row, names) for row in rows]
        parents = {names[row["objectId"]]: _parents(row, names) for row in rows}
        scene_name = str(value.get("sceneName", "")).removesuffix("_physics")
    # A missing field or a field of another type makes the whole metadata unusable.
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        raise SchemaError(
            f"the metadata cannot be read ({type(problem).__name__}: {problem})",
            where=where,
            expected='an object with "sceneName" and "objects", as in event.metadata of AI2-THOR',
        ) from problem
    if len({scene_object.name for scene_object in objects}) < len(objects):
        raise SchemaError("two objects have the same name", where=f"{where}, objects")
    return Scene(scene_name, arranged(objects, parents), vocabulary(objects))


def _parents(row: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    """Return the names of the receptacles that an object is listed in."""
    listed = row.get("parentReceptacles") or ()
    # Some of them are not objects of the room.
    return [names[id_] for id_ in listed if id_ in names]


def _names_by_id(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the names of objects by id. Slices are named after their source."""
    names = {str(row["objectId"]): str(row["name"]) for row in rows}
    slice_types = {
        object_type_record.slices[0]
        for object_type_record in object_types().values()
        if object_type_record.slices
    }
    for row in rows:
        # The id of a slice is that of its source with an end: "Apple|1|2|3|AppleSliced_0".
        source_id, _, ending = str(row["objectId"]).rpartition("|")
        if row["objectType"] in slice_types and source_id in names:
            names[row["objectId"]] = f"{names[source_id]}_{ending}"
    return names


def _read_object(row: Mapping[str, Any], names: Mapping[str, str]) -> SceneObject:
    """Return one object, still without its location.

    Args:
        row: The object in the metadata of AI2-THOR.
        names: Names of all objects, by their ids.
    """
    affordances = []
    for field, predicate in AFFORDANCE_FIELDS.items():
        if _field(row, field):
            affordances.append(predicate)
    flags = _state_predicates(row)
    # A liquid only counts for a filled object.
    liquid = str(row.get("fillLiquid") or "").lower()
    if liquid not in LIQUIDS or "filled" not in flags:
        liquid = ""
    controlled = row.get("controlledObjects") or ()
    return SceneObject(
        names[row["objectId"]],
        str(row["objectId"]),
        str(row["objectType"]),
        str(row.get("assetId") or ""),
        controls=tuple(names[id_] for id_ in controlled if id_ in names),
        affordances=tuple(sorted(affordances)),
        flags=frozenset(flags),
        liquid=liquid,
        held=bool(row.get("isPickedUp")),
        size=_triple(row["axisAlignedBoundingBox"]["size"]),
        position=_triple(row["position"]),
    )


def _state_predicates(row: Mapping[str, Any]) -> set[str]:
    """Return the predicates of the states that an object is in, such as ``open`` and ``hot``."""
    predicates = set()
    # The engine leaves out the field of a state that an object cannot have.
    for field, predicate in STATE_FIELDS.items():
        if row.get(field):
            predicates.add(predicate)
    temperature = _TEMPERATURES.get(_field(row, "temperature"))
    if temperature is not None:
        predicates.add(temperature)
    return predicates


def _field(row: Mapping[str, Any], name: str) -> Any:  # noqa: ANN401 (a JSON value)
    """Return a field, which older versions of the engine may call otherwise."""
    return row.get(name, row.get(_OLDER.get(name, "")))


def _triple(value: Mapping[str, float]) -> tuple[float, float, float]:
    """Return a vector of the engine: ``{"x": 0.5, "y": 1.0, "z": -2.0}``."""
    return float(value["x"]), float(value["y"]), float(value["z"])
