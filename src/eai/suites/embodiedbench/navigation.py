"""EB-Navigation: tasks, and the poses that a recorded run went through.

Source: EmbodiedBench (arXiv 2502.09560), section 3 and appendix. A move goes 0.2 m or 0.3 m,
because what is asked for (0.25 m) is rounded to a grid of 0.1 m; which of the two it was, the
recorded distance to the target says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from eai.suites.embodiedbench.skills import shipped

NEAR = 1.0
"""Within so many metres of the target, seen from above, a task is solved."""
EXACT = 0.0025
"""A replay that differs by more metres from what is recorded does not fit."""
_SIDES = {0: 0, 1: 180, 2: 90, 3: 270}
"""Number of a move to its direction, in degrees to the right of where the agent looks."""
# Number of a turn to its angle, in degrees to the right.
_TURNS = {4: 90, 5: -90}
_MOVES = (0.2, 0.3)
"""Possible lengths of a move, in metres."""


@dataclass(frozen=True)
class NavigationRecord:
    """One published task: the agent's start pose, and the target's kind and position.

    Lengths are in metres, angles in degrees; ``sha256`` is that of its instruction.
    """

    subset: str
    index: int
    sha256: str
    scene: str
    kind: str
    start: tuple[float, float, float]
    rotation: float
    horizon: float
    target: tuple[float, float, float]

    def distance(self, x: float, z: float) -> float:
        """Return the distance to the target, seen from above, in metres."""
        return math.hypot(x - self.target[0], z - self.target[2])


@cache
def records() -> Mapping[str, NavigationRecord]:
    """Return the 300 published tasks by identifier."""
    rows = [NavigationRecord(*row) for row in shipped("navigation.json.gz")["tasks"]]
    return {f"{record.subset}/{record.index}": record for record in rows}


class NavigationPose(NamedTuple):
    """The agent's pose after a step, and its distance from the target in metres.

    ``error`` is how far that is from what is recorded; None if nothing is recorded.
    """

    x: float
    z: float
    heading: float
    distance: float
    error: float | None


def replay(
    record: NavigationRecord, steps: Iterable[tuple[int, bool, float | None]]
) -> list[NavigationPose]:
    """Return the pose of the robot after each step of a recorded run.

    Args:
        record: The task.
        steps: Of each step the number of the action, whether it was executed, and the recorded
            distance to the target in metres (None if there is none).
    """
    # The second coordinate is the height, which never changes.
    x, _, z = record.start
    heading = record.rotation
    poses = []
    for action_number, is_done, recorded_distance in steps:
        if is_done and action_number in _TURNS:
            heading = (heading + _TURNS[action_number]) % 360
        elif is_done and action_number in _SIDES:
            angle = math.radians(heading + _SIDES[action_number])
            expected_distance = recorded_distance
            if expected_distance is None:
                # The move is taken for the one that changes the distance least.
                expected_distance = record.distance(x, z)
            x, z = _end_of_move(record, (x, z), angle, expected_distance)
        distance = record.distance(x, z)
        error = None if recorded_distance is None else abs(distance - recorded_distance)
        poses.append(NavigationPose(x, z, heading, distance, error))
    return poses


def _end_of_move(
    record: NavigationRecord, start: tuple[float, float], angle: float, distance: float
) -> tuple[float, float]:
    """Return where a move ends: with the possible length that fits a distance best.

    Args:
        record: The task, with the position of its target.
        start: The position before the move.
        angle: Direction of the move in radians.
        distance: Distance to the target after the move, in metres.
    """
    ends = []
    for length in _MOVES:
        ends.append((start[0] + length * math.sin(angle), start[1] + length * math.cos(angle)))
    return min(ends, key=lambda end: abs(record.distance(*end) - distance))


def misfit(record: NavigationRecord, steps: Iterable[tuple[int, bool, float | None]]) -> float:
    """Return by how many metres a replay differs from what is recorded, where it differs most."""
    return max((pose.error or 0.0 for pose in replay(record, steps)), default=0.0)
