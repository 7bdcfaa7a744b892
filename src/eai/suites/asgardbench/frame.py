"""What a camera has in its frame: a view of a room by field of view and distance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from eai.simulators import Observation, SeenObject
from eai.simulators.thor.scenes import Scene, SceneObject

_ANGLE = 60.0  # degrees of the field of view
_FARTHEST = 1.5  # metres; how far is seen
_APART = 1.25  # metres between the agent and what it looks at


@dataclass(frozen=True, slots=True)
class Frame:
    """Only what lies in front of the agent, seen from above, and what is held.

    Where the agent stands is not recorded. It is taken to stand in front of what it looks at, on
    the side of the middle of the room, and to look straight at it. Nothing is hidden by what
    stands before it, so the angle is less than that of the simulator's camera (90 degrees).
    The scene is the room at its start; what was moved is where the thing is that it is in or on.
    """

    scene: Scene

    def begin(self) -> None:
        """Nothing is remembered."""

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """See :meth:`eai.acting.View.see`."""
        shown = {one.name: one for one in whole.objects}
        known = self.scene.by_name()
        at = _position(whole.focus, shown, known)
        if at is None:
            return seen
        ends = [[one.position[axis] for one in self.scene.objects] for axis in (0, 2)]
        aside = [(min(each) + max(each)) / 2 - here for each, here in zip(ends, at, strict=True)]
        far = math.hypot(*aside) or 1.0
        step = min(_APART / far, 1.0)
        ahead = -aside[0] / far, -aside[1] / far
        camera = at[0] + aside[0] * step, at[1] + aside[1] * step

        def framed(thing: SeenObject) -> bool:
            if thing.name == whole.focus or {thing.name, thing.inside} & set(whole.held):
                return True
            there = _position(thing.name, shown, known)
            if there is None:
                return False
            x, z = there[0] - camera[0], there[1] - camera[1]
            cross, dot = x * ahead[1] - z * ahead[0], x * ahead[0] + z * ahead[1]
            turned = abs(math.degrees(math.atan2(cross, dot)))
            return math.hypot(x, z) <= _FARTHEST and turned <= _ANGLE / 2

        return replace(seen, objects=tuple(filter(framed, seen.objects)))


def _position(
    name: str, shown: Mapping[str, SeenObject], known: Mapping[str, SceneObject]
) -> tuple[float, float] | None:
    """Where an object is: its own place if it is still there, else that of what it is in or on."""
    for _ in range(len(shown) + 1):
        place = shown[name].inside if name in shown else ""
        here = known.get(name)
        if here is not None and (not place or here.place == place or place not in known):
            return here.position[0], here.position[2]
        name = place
    return None
