"""EB-Manipulation: what is wrong with a plan by its geometry.

Nothing is simulated: whether a plan succeeds is a matter of physics, and of results that were
recorded. Source: EmbodiedBench (arXiv 2502.09560), section 3 and appendix.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from eai.suites.embodiedbench.failures import EpisodeFailure
from eai.suites.embodiedbench.skills import MANIPULATION, STEPS

Bins = Sequence[int]
"""x, y, z (0 to 100, of 1 cm), roll, pitch, yaw (0 to 120), gripper (0: closed, 1: open)."""

_MAX_BINS = (100, 100, 100, 120, 120, 120, 1)
REACH = 10
"""A grasp or a release farther from all listed objects, in bins (10 cm), is not near any."""
_SIZES = {
    "base": 48,
    "common_sense": 48,
    "complex_instruction": 48,
    "spatial": 48,
    "visual_appearance": 36,
}
"""Number of tasks of each subset."""
# An object in the list of an observation: "object 1: [43, 60, 17]".
_OBJECT = re.compile(r"object (\d+)\W{1,4}\[\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\]", re.IGNORECASE)


class ManipulationRecord(NamedTuple):
    """One task of EB-Manipulation, whose instruction is not published."""

    sha256: str = ""


@cache
def records() -> Mapping[str, ManipulationRecord]:
    """Return the 228 tasks by identifier."""
    tasks: dict[str, ManipulationRecord] = {}
    for subset, size in _SIZES.items():
        for index in range(size):
            tasks[f"{subset}/{index}"] = ManipulationRecord()
    return tasks


def listed_objects(text: str) -> Mapping[int, tuple[int, int, int]]:
    """Return the objects that an observation lists: their numbers and their bins."""
    return {int(n): (int(x), int(y), int(z)) for n, x, y, z in _OBJECT.findall(text)}


def lint_plan(
    plan: Sequence[Bins], objects: Mapping[int, tuple[int, int, int]]
) -> Iterator[EpisodeFailure]:
    """Yield the mistakes that the numbers of a plan and the positions of objects reveal."""
    limit = STEPS[MANIPULATION]
    if len(plan) > limit:
        text = f"{len(plan)} actions, of which {limit} are carried out"
        yield EpisodeFailure("invalid_action", text)
    for step, pose in enumerate(plan, start=1):
        if len(pose) != len(_MAX_BINS):
            yield EpisodeFailure("invalid_action", f"{len(pose)} numbers, not 7", step)
        elif not _is_in_range(pose):
            yield EpisodeFailure("invalid_action", f"{list(pose)} is out of range", step)
    yield from _grip_faults(plan, objects)


def _is_in_range(pose: Bins) -> bool:
    return all(0 <= number <= limit for number, limit in zip(pose, _MAX_BINS, strict=True))


def _grip_faults(
    plan: Sequence[Bins], objects: Mapping[int, tuple[int, int, int]]
) -> Iterator[EpisodeFailure]:
    """Yield missing grasps and releases, and those that happen far from every object.

    Args:
        plan: The poses of the plan.
        objects: Positions of the objects by their numbers; empty if they are not known.
    """
    # The last number of a pose is the gripper: 1 is open, 0 is closed.
    gripper_states = [pose[6] for pose in plan if len(pose) == len(_MAX_BINS)]
    changes = list(enumerate(pairwise(gripper_states), start=1))
    closing_poses = [index for index, change in changes if change == (1, 0)]
    opening_poses = [index for index, change in changes if change == (0, 1)]
    if gripper_states and not closing_poses:
        yield EpisodeFailure("missing_steps", "the gripper is never closed on anything")
    elif closing_poses and (not opening_poses or opening_poses[-1] < closing_poses[-1]):
        yield EpisodeFailure("missing_steps", "what the gripper closed on last is never released")
    if objects:
        positions = objects.values()
        yield from _far_from_all("grasps", closing_poses, plan, positions)
        yield from _far_from_all("releases", opening_poses, plan, positions)


def _far_from_all(
    verb: str,
    indexes: Iterable[int],
    plan: Sequence[Bins],
    positions: Collection[tuple[int, int, int]],
) -> Iterator[EpisodeFailure]:
    """Yield the poses at some indexes that are far from every object (a bin is 1 cm).

    Args:
        verb: What the gripper does there, for messages.
        indexes: Indices of the poses.
        plan: All poses of the plan.
        positions: Positions of the objects.
    """
    for index in indexes:
        distance = min(math.dist(plan[index][:3], position) for position in positions)
        if distance > REACH:
            text = f"{verb} {distance:.0f} cm from the nearest object"
            yield EpisodeFailure("inaccurate_action", text, index + 1)
