"""Heights and distances in a scene, as far as boxes around objects tell them."""

from __future__ import annotations

import math

from eai.simulators.thor.scenes import SceneObject

__all__ = ["gap", "surface_height"]

_FLAT = frozenset({"CounterTop", "Shelf"})


def gap(one: SceneObject, other: SceneObject) -> float:
    """Return how far apart the boxes around two objects are, seen from above, in metres."""
    apart = (
        max(0.0, abs(one.position[i] - other.position[i]) - (one.size[i] + other.size[i]) / 2)
        for i in (0, 2)
    )
    return math.hypot(*apart)


def surface_height(place: SceneObject) -> float:
    """Return the height of the surface of a receptacle, in metres.

    The origin of a counter or a shelf is its surface, that of a table is at its feet.
    """
    return place.height if place.type in _FLAT else place.height + place.size[1]
