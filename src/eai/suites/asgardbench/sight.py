"""What an agent is shown: what it looks at, what is beside that, and what it holds.

Shown is the object that was found last, what it is in or on, all that is in or on the same
receptacle, what is in or on the object itself, and fixtures close to it; nothing in anything
closed. Whether something is dirty, filled or cooked is to be seen only where the agent looks.
"""

from __future__ import annotations

from eai.interaction.protocol import Observation, SeenObject
from eai.suites.asgardbench.room import Room

__all__ = ["NEAR", "observed", "shown"]

NEAR = 1.5
"""How far a fixture may be from what is looked at to be shown, in metres: the distance from
which the simulator lets things be done."""

_HOLLOW = frozenset(
    {
        *("Bathtub", "BathtubBasin", "Bowl", "CoffeeMachine", "Cup", "GarbageCan", "Mug", "Pan"),
        *("Pot", "Sink", "SinkBasin", "Toaster"),
    }
)


def observed(room: Room) -> Observation:
    """Return what the agent sees now."""
    names = shown(room)
    held = room.held
    return Observation(
        tuple(_seen(room, name) for name in names),
        () if held is None else (held,),
        room.focus,
    )


def shown(room: Room) -> list[str]:
    """Return the names of the objects that are shown, in the order of the scene."""
    near = _around(room, room.focus) if room.focus else set[str]()
    if room.held is not None:
        near |= {room.held, *room.contents(room.held)}
    return [name for name in room.things if name in near and room.in_view(name)]


def _around(room: Room, focus: str) -> set[str]:
    parent = room.parent(focus)
    base = focus if parent is None or room.type(parent) == "Floor" else parent
    inside = {name for place in {focus, base} for name in room.contents(place)}
    # Who looks at the floor sees what stands on it, not what lies on that.
    deeper = room.type(base) != "Floor"
    within = {name for place in inside if deeper for name in room.contents(place)}
    return {focus, base, *inside, *within, *_fixtures_near(room, base)}


def _fixtures_near(room: Room, base: str) -> set[str]:
    fixed = (one.name for one in room.scene.objects if "pickupable" not in one.affordances)
    return {name for name in fixed if room.distance(base, name) <= NEAR}


def _seen(room: Room, name: str) -> SeenObject:
    parent = room.parent(name)
    relation = "" if parent is None else "in" if _encloses(room, parent) else "on"
    return SeenObject(name, room.type(name), _properties(room, name), parent or "", relation)


def _encloses(room: Room, place: str) -> bool:
    return room.openable(place) or room.type(place) in _HOLLOW


def _properties(room: Room, name: str) -> dict[str, object]:
    seen: dict[str, object] = {}
    if room.openable(name):
        seen["open"] = room.is_open(name)
    for flag, can in (("dirty", "dirtyable"), ("cooked", "cookable")):
        if room.has(can, name):
            seen[flag] = room.has(flag, name)
    if room.has("toggleable", name) or room.controller(name) != name:
        seen["on"] = room.is_on(name)
    if room.has("fillable", name):
        seen["liquid"] = room.liquid(name) or ""
    return seen
