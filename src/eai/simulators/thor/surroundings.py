"""What a room's layout says of its objects: where water runs, and which volumes overlap.

Neither is in the engine's metadata; both are read off positions and initial containment.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from eai.simulators.thor.scenes import Scene, SceneObject

__all__ = ["spanning", "watering"]

_TAPS = ("Faucet", "ShowerHead")
_BASINS = ("SinkBasin", "BathtubBasin")
_LOW = ("GarbageCan", "Shelf")
_FARTHEST = 1.5  # metres; the widest tub that is recorded is 1.3 m long


def watering(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield each tap with the basin that its water runs into: the nearest, seen from above."""
    basins = scene.of_type(*_BASINS)
    for tap in scene.of_type(*_TAPS):
        near = [basin for basin in basins if _distance(tap, basin) <= _FARTHEST]
        if near:
            yield tap.name, min(near, key=lambda basin: _distance(tap, basin)).name


def _distance(one: SceneObject, other: SceneObject) -> float:
    (x, _, z), (u, _, w) = one.position, other.position
    return math.hypot(x - u, z - w)


def spanning(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield receptacles with the furniture in them whose contents are in their volume too.

    The engine lists for an object all receptacles in whose volume it is. What is put in
    something that can be carried is always in the volume of what that stands in (the domain
    says so). For furniture, what it holds at the start decides; of what holds nothing, cans and
    shelves that reach down into a volume are taken to do so with their contents (in the 120
    rooms 28 of 31 contents are).
    """
    known = scene.by_name()
    contents: dict[str, list[SceneObject]] = {}
    for one in scene.objects:
        if one.place and "pickupable" in one.affordances:
            contents.setdefault(one.place, []).append(one)
    for furniture in scene.objects:
        if "pickupable" in furniture.affordances:
            continue
        held = contents.get(furniture.name, [])
        for around in (known[name] for name in furniture.parents if name in known):
            inside = sum(around.name in one.also for one in held)
            if 2 * inside > len(held) or (not held and furniture.type in _LOW):
                yield around.name, furniture.name
