"""When an episode of AsgardBench ends before its goals are reached (section 3.3)."""

from __future__ import annotations

from eai.interaction.limits import (
    ConsecutiveFailures,
    HardLimit,
    Limit,
    Milestones,
    NewObjects,
    Repeats,
    SoftLimit,
)
from eai.semantics import Semantics

__all__ = ["MILESTONES", "episode_limits", "hard_limit", "soft_limit"]

MILESTONES = ("SLICE", "CLEAN", "SPRAY", "DRINK")
"""Actions that complete a part of a task, after which the agent may go on for a while."""

_EXTENSION = 10
"""By how much the soft limit is raised. The paper gives no number; the evaluator has this one."""
_WINDOW = 10
_FAILURES = 10
_REPEATS = 8


def soft_limit(reference_steps: int) -> int:
    """Return the soft limit on the number of steps: ``max(floor(1.5 n), 15)`` (section 3.3)."""
    return max(3 * reference_steps // 2, 15)


def hard_limit(reference_steps: int) -> int:
    """Return the hard limit on the number of steps: ``max(2 n, 20)`` (section 3.3)."""
    return max(2 * reference_steps, 20)


def episode_limits(reference_steps: int, semantics: Semantics) -> tuple[Limit, ...]:
    """Return what ends an episode, in the order in which the evaluator asks.

    Args:
        reference_steps: Number of steps of the reference execution.
        semantics: The quirks ``repeats_at_eight`` and ``one_step_too_many`` count here.
    """
    repeats = _REPEATS if "repeats_at_eight" in semantics else _REPEATS + 1
    late = int("one_step_too_many" in semantics)
    return (
        Repeats(repeats),
        ConsecutiveFailures(_FAILURES),
        HardLimit(hard_limit(reference_steps) + late),
        SoftLimit(
            soft_limit(reference_steps) + late,
            _EXTENSION,
            (Milestones(MILESTONES), NewObjects(_WINDOW)),
        ),
    )
