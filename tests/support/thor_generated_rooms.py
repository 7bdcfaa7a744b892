"""New rooms, made from a seed: the furniture of one of the 120 rooms, other things in it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from eai.errors import UnknownNameError
from eai.simulators import engine_accepts, load_scene
from eai.simulators.thor.scenes import Scene, SceneObject, object_type, vocabulary

ROOMS: Mapping[str, range] = {
    "kitchen": range(1, 31),
    "living_room": range(201, 231),
    "bedroom": range(301, 331),
    "bathroom": range(401, 431),
}
"""Kind of room to the numbers of its floor plans."""

_LARGEST = 0.48
"""Share of a receptacle that a thing may cover: above it, placements in sinks failed more often
than not (recorded in 5.0.0, 194 placements)."""


def generate_scene(seed: int, *, room: str = "kitchen") -> Scene:
    """Make a room: the same seed makes the same room.

    The furniture, with its doors and switches, is that of a floor plan of this kind. Most of
    the things that can be carried are kept, some of another floor plan are added, and each is
    put somewhere the table of placements allows, a few of them dirty.

    Args:
        seed: Any number.
        room: One of :data:`ROOMS`.

    Raises:
        UnknownNameError: If there is no such kind of room.
    """
    if room not in ROOMS:
        raise UnknownNameError("kind of room", room, ROOMS)
    dice = random.Random(f"{room} {seed}")
    own, other = (load_scene(f"FloorPlan{n}") for n in dice.sample(ROOMS[room], 2))
    furniture = [_emptied(one) for one in own.objects if "pickupable" not in one.affordances]
    things = [one for one in _things(own) if dice.random() < 0.8]
    things += [_renamed(one, dice) for one in _things(other) if dice.random() < 0.3]
    objects = [*furniture, *_strewn(things, furniture, dice)]
    return Scene(f"generated_{room}_{seed}", tuple(objects), vocabulary(objects))


def _things(scene: Scene) -> list[SceneObject]:
    return [one for one in scene.objects if "pickupable" in one.affordances]


def _emptied(one: SceneObject) -> SceneObject:
    return replace(one, also=())


def _renamed(one: SceneObject, dice: random.Random) -> SceneObject:
    new = f"{dice.getrandbits(32):08x}"
    where = "|".join(f"{dice.uniform(-9, 9):+06.2f}" for _ in "xyz")
    return replace(one, name=f"{one.type}_{new}", id=f"{one.type}|{where}")


def _strewn(
    things: Sequence[SceneObject], furniture: Sequence[SceneObject], dice: random.Random
) -> Iterator[SceneObject]:
    """Put things somewhere, one after the other; what has no place is left out."""
    full: set[str] = set()
    takers = [one for one in furniture if "receptacle" in one.affordances]
    for thing in things:
        free = [one for one in takers if one.name not in full and _takes(one, thing)]
        if not free:
            continue
        place = dice.choice(free)
        if object_type(place.type).only:
            full.add(place.name)
        flags = thing.flags - {"cold"}
        if "dirtyable" in thing.affordances and dice.random() < 0.2:
            flags |= {"dirty"}
        yield replace(thing, place=place.name, also=(), flags=flags, position=place.position)


def _takes(receptacle: SceneObject, thing: SceneObject) -> bool:
    if not engine_accepts(thing.type, receptacle.type):
        return False
    snapped = bool(object_type(receptacle.type).only)
    return snapped or thing.footprint <= _LARGEST * receptacle.footprint
