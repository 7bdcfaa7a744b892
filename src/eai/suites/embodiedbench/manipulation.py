"""EB-Manipulation: poses as bins and as metres, and what is wrong with a plan by its geometry.

Nothing is simulated: whether a plan succeeds is a matter of physics, and of results that were
recorded. Source: EmbodiedBench (arXiv 2502.09560), section 3 and appendix.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from eai.suites.embodiedbench.failures import Failure

Bins = Sequence[int]
"""x, y, z (0 to 100), roll, pitch, yaw (0 to 120), gripper (0: closed, 1: open)."""

LOWEST = (-0.3, -0.5, 0.6)
"""The corner of the workspace, in metres; a bin is 1 cm wide, and its centre is meant."""
_METRES, _DEGREES = 0.01, 3
_MOST = (100, 100, 100, 120, 120, 120, 1)
STEPS = 15
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


def metres(bins: Bins) -> tuple[float, ...]:
    """Return a pose in metres and degrees; the gripper stays as it is."""
    at = (low + (each + 0.5) * _METRES for low, each in zip(LOWEST, bins[:3], strict=True))
    return (*at, *(each * _DEGREES - 180.0 for each in bins[3:6]), float(bins[6]))


def bins_of(pose: Sequence[float]) -> tuple[int, ...]:
    """Return the bins of a pose in metres and degrees, cut off at the workspace."""
    moved = [(each - low) / _METRES for low, each in zip(LOWEST, pose[:3], strict=True)]
    turned = [round((each + 180) / _DEGREES) for each in pose[3:6]]
    found = (*(math.floor(each + 1e-9) for each in moved), *turned, int(pose[6]))
    return tuple(min(max(each, 0), most) for each, most in zip(found, _MOST, strict=True))


def listed_objects(text: str) -> Mapping[int, tuple[int, int, int]]:
    """Return the objects that an observation lists: their numbers and their bins."""
    return {int(n): (int(x), int(y), int(z)) for n, x, y, z in _OBJECT.findall(text)}


def lint_plan(
    plan: Sequence[Bins], objects: Mapping[int, tuple[int, int, int]] | None = None
) -> Iterator[Failure]:
    """Yield what is wrong with a plan by its numbers alone, and by where objects are listed."""
    if len(plan) > STEPS:
        yield Failure("invalid_action", f"{len(plan)} actions, of which {STEPS} are carried out")
    for step, pose in enumerate(plan, start=1):
        if len(pose) != 7:
            yield Failure("invalid_action", f"{len(pose)} numbers, not 7", step)
        elif any(not 0 <= each <= most for each, most in zip(pose, _MOST, strict=True)):
            yield Failure("invalid_action", f"{list(pose)} is out of range", step)
    grips = [pose[6] for pose in plan if len(pose) == 7]
    closes = [n for n in range(1, len(grips)) if (grips[n - 1], grips[n]) == (1, 0)]
    opens = [n for n in range(1, len(grips)) if (grips[n - 1], grips[n]) == (0, 1)]
    if grips and not closes:
        yield Failure("missing_steps", "the gripper is never closed on anything")
    elif closes and not any(n > closes[-1] for n in opens):
        yield Failure("missing_steps", "what the gripper closed on last is never released")
    for n in (*closes, *opens) if objects else ():
        near = min(math.dist(plan[n][:3], at) for at in (objects or {}).values())
        if near > REACH:
            what = "grasps" if n in closes else "releases"
            yield Failure(
                "inaccurate_action", f"{what} {near:.0f} cm from the nearest object", n + 1
            )
