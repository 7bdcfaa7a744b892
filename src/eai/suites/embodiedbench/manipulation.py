"""EB-Manipulation: what is wrong with a plan by its geometry.

Nothing is simulated: whether a plan succeeds is a matter of physics, and of results that were
recorded. Source: EmbodiedBench (arXiv 2502.09560), section 3 and appendix.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
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
    """Yield what is wrong with a plan by its numbers alone, and by where objects are listed."""
    most = STEPS[MANIPULATION]
    if len(plan) > most:
        yield EpisodeFailure(
            "invalid_action", f"{len(plan)} actions, of which {most} are carried out"
        )
    for step, pose in enumerate(plan, start=1):
        if len(pose) != 7:
            yield EpisodeFailure("invalid_action", f"{len(pose)} numbers, not 7", step)
        elif any(not 0 <= each <= most for each, most in zip(pose, _MOST, strict=True)):
            yield EpisodeFailure("invalid_action", f"{list(pose)} is out of range", step)
    grips = [pose[6] for pose in plan if len(pose) == 7]
    closes = [n for n in range(1, len(grips)) if (grips[n - 1], grips[n]) == (1, 0)]
    opens = [n for n in range(1, len(grips)) if (grips[n - 1], grips[n]) == (0, 1)]
    if grips and not closes:
        yield EpisodeFailure("missing_steps", "the gripper is never closed on anything")
    elif closes and not any(n > closes[-1] for n in opens):
        yield EpisodeFailure("missing_steps", "what the gripper closed on last is never released")
    for n in (*closes, *opens) if objects else ():
        near = min(math.dist(plan[n][:3], at) for at in objects.values())
        if near > REACH:
            what = "grasps" if n in closes else "releases"
            text = f"{what} {near:.0f} cm from the nearest object"
            yield EpisodeFailure("inaccurate_action", text, n + 1)
