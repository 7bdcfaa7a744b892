"""EB-Manipulation: what is wrong with a plan by its geometry.

Nothing is simulated: whether a plan succeeds is a matter of physics, and of results that were
recorded. Source: EmbodiedBench (arXiv 2502.09560), section 3 and appendix.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from eai.suites.embodiedbench.failures import EpisodeFailure
from eai.suites.embodiedbench.skills import MANIPULATION, STEPS

Bins = Sequence[int]
"""x, y, z (0 to 100, of 1 cm), roll, pitch, yaw (0 to 120), gripper (0: closed, 1: open)."""

_MOST = (100, 100, 100, 120, 120, 120, 1)
REACH = 10
"""A grasp or a release farther from all listed objects, in bins (10 cm), is not near any."""
_SIZES = {"base": 48, "common_sense": 48, "complex_instruction": 48, "spatial": 48}
_SIZES["visual_appearance"] = 36
_OBJECT = re.compile(r"object (\d+)\W{1,4}\[\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\]", re.IGNORECASE)


class ManipulationRecord(NamedTuple):
    """One task: its instruction is not known."""

    sha256: str = ""


@cache
def records() -> Mapping[str, ManipulationRecord]:
    """Return the 228 tasks by identifier."""
    named = (f"{subset}/{n}" for subset, size in _SIZES.items() for n in range(size))
    return dict.fromkeys(named, ManipulationRecord())


def listed_objects(text: str) -> Mapping[int, tuple[int, int, int]]:
    """Return the objects that an observation lists: their numbers and their bins."""
    return {int(n): (int(x), int(y), int(z)) for n, x, y, z in _OBJECT.findall(text)}


def lint_plan(
    plan: Sequence[Bins], objects: Mapping[int, tuple[int, int, int]]
) -> Iterator[EpisodeFailure]:
    """Yield the mistakes of a plan that its numbers, and the positions of objects, show."""
    limit = STEPS[MANIPULATION]
    if len(plan) > limit:
        yield EpisodeFailure(
            "invalid_action", f"{len(plan)} actions, of which {limit} are carried out"
        )
    for step, pose in enumerate(plan, start=1):
        if len(pose) != 7:
            yield EpisodeFailure("invalid_action", f"{len(pose)} numbers, not 7", step)
        elif any(not 0 <= number <= most for number, most in zip(pose, _MOST, strict=True)):
            yield EpisodeFailure("invalid_action", f"{list(pose)} is out of range", step)
    # The last number of a pose is the gripper: 1 is open, 0 is closed.
    grips = [pose[6] for pose in plan if len(pose) == 7]
    changes = list(enumerate(pairwise(grips), start=1))
    closes = [index for index, change in changes if change == (1, 0)]
    opens = [index for index, change in changes if change == (0, 1)]
    if grips and not closes:
        yield EpisodeFailure("missing_steps", "the gripper is never closed on anything")
    elif closes and not any(index > closes[-1] for index in opens):
        yield EpisodeFailure("missing_steps", "what the gripper closed on last is never released")
    if not objects:
        return
    for index in (*closes, *opens):
        distance = min(math.dist(plan[index][:3], position) for position in objects.values())
        if distance > REACH:
            verb = "grasps" if index in closes else "releases"
            text = f"{verb} {distance:.0f} cm from the nearest object"
            yield EpisodeFailure("inaccurate_action", text, index + 1)
