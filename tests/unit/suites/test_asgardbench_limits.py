"""When episodes of AsgardBench end."""

from collections.abc import Sequence

import pytest

from eai.acting import Turn
from eai.acting.replies import Reply
from eai.semantics import Semantics
from eai.simulators import Observation, StepResult
from eai.suites.asgardbench.episodes import episode_limits, hard_limit, soft_limit
from eai.suites.asgardbench.quirks import SCORING
from eai.world import Action

OFFICIAL = Semantics.of("official", SCORING)
STRICT = Semantics.of("strict", SCORING)


def turn(number: int, action: str, target: str, success: bool) -> Turn:
    reply = Reply(Action(action, (target,)))
    return Turn(number, "", reply, StepResult(success, Observation()))


def end(
    actions: Sequence[tuple[str, str, bool]], semantics: Semantics, steps: int = 10
) -> tuple[int, str]:
    """After how many turns the episode ends, and why."""
    checks = [limit.begin() for limit in episode_limits(steps, semantics)]
    turns: list[Turn] = []
    for number, (action, target, success) in enumerate(actions, 1):
        turns.append(turn(number, action, target, success))
        reasons = [check(turns) for check in checks]
        if any(reasons):
            return number, next(filter(None, reasons))
    return len(turns), ""


def wandering(count: int, targets: int) -> list[tuple[str, str, bool]]:
    """Finding things without ever repeating a cycle; so many different ones."""
    return [("FIND", f"T{(i * i + i // 7) % targets}", True) for i in range(count)]


@pytest.mark.parametrize(
    ("reference", "soft", "hard"), [(4, 15, 20), (10, 15, 20), (11, 16, 22), (107, 160, 214)]
)
def test_limits_follow_the_reference(reference: int, soft: int, hard: int) -> None:
    assert (soft_limit(reference), hard_limit(reference)) == (soft, hard)


def test_repeats_at_eight_reproduced_and_absent() -> None:
    same = [("FIND", "Mug", True)] * 20
    assert end(same, OFFICIAL) == (8, "max_repeats")
    assert end(same, STRICT) == (9, "max_repeats")


def test_a_cycle_is_a_repetition_too() -> None:
    cycle = [("OPEN", "Fridge", True), ("CLOSE", "Fridge", True)] * 20
    assert end(cycle, OFFICIAL, steps=30) == (16, "max_repeats")


def test_ten_failures_in_a_row() -> None:
    failures = [("PICKUP", f"T{i}", False) for i in range(20)]
    assert end(failures, OFFICIAL) == (10, "max_failures")
    assert end([*failures[:9], ("FIND", "Mug", True), *failures], STRICT)[1] != ""
    assert end([*failures[:9], ("FIND", "Mug", True), *failures[:5]], STRICT) == (15, "")


def test_one_step_too_many_reproduced_and_absent() -> None:
    always_new = [("FIND", f"T{i}", True) for i in range(40)]
    assert end(always_new, OFFICIAL) == (21, "max_steps")
    assert end(always_new, STRICT) == (20, "max_steps")


def test_without_anything_new_the_soft_limit_holds() -> None:
    idle = wandering(60, targets=3)
    assert end(idle, OFFICIAL, steps=20) == (31, "max_steps")
    assert end(idle, STRICT, steps=20) == (30, "max_steps")


def test_a_milestone_raises_the_soft_limit_once() -> None:
    idle = wandering(60, targets=3)
    idle[5] = ("CLEAN", "T0", True)
    assert end(idle, OFFICIAL, steps=30) == (56, "max_steps")
    idle[5] = ("CLEAN", "T0", False)
    assert end(idle, OFFICIAL, steps=30) == (46, "max_steps")
