"""When an episode ends before its goal is reached."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from eai.acting import (
    ConsecutiveFailures,
    HardLimit,
    Limit,
    Milestones,
    NewObjects,
    Repeats,
    SoftLimit,
    Turn,
)
from eai.acting.replies import Reply
from eai.errors import InputError
from eai.simulators import Observation, StepResult
from eai.world import Action


def turns_of(steps: Iterable[str]) -> list[Turn]:
    """Turns from ``"OPEN Fridge"``; ``"!"`` in front: it failed; ``"?..."``: no action."""
    turns: list[Turn] = []
    for number, step in enumerate(steps, 1):
        name, *arguments = step.lstrip("!?").split()
        action = None if step.startswith("?") else Action(name, tuple(arguments))
        done = step[0] not in "!?"
        turns.append(Turn(number, step, Reply(action), StepResult(done, Observation())))
    return turns


def end(limit: Limit, *steps: str) -> tuple[int, str]:
    """After how many turns the limit ends the episode, and why; 0 if it does not."""
    check, turns = limit.begin(), turns_of(steps)
    for number in range(1, len(turns) + 1):
        reason = check(turns[:number])
        if reason:
            return number, reason
    return 0, ""


def test_a_hard_limit_counts_turns() -> None:
    assert end(HardLimit(3), "FIND Mug", "!OPEN Mug", "?what", "FIND Cup") == (3, "max_steps")
    assert end(HardLimit(4), "FIND Mug", "FIND Mug", "FIND Mug") == (0, "")
    assert end(HardLimit(1, reason="tired"), "FIND Mug") == (1, "tired")


def test_a_soft_limit_ends_the_episode_if_nothing_new_happened() -> None:
    limit = SoftLimit(2, 2, (Milestones(("clean",)),))
    assert end(limit, "FIND Mug", "FIND Cup") == (2, "max_steps")


def test_a_soft_limit_is_raised_by_a_milestone_since_the_last_extension() -> None:
    limit = SoftLimit(2, 2, (Milestones(("clean",)),))
    assert end(limit, "CLEAN Mug", "FIND Cup", "FIND Cup", "FIND Cup") == (4, "max_steps")
    again = ("CLEAN Mug", "FIND Cup", "CLEAN Cup", "FIND Cup", "FIND Mug", "FIND Mug")
    assert end(limit, *again) == (6, "max_steps")


def test_a_milestone_that_failed_is_none() -> None:
    assert end(SoftLimit(2, 2, (Milestones(("CLEAN",)),)), "!CLEAN Mug", "FIND Cup")[0] == 2


def test_each_episode_has_its_own_count() -> None:
    limit = SoftLimit(1, 5, (Milestones(("CLEAN",)),))
    assert end(limit, "CLEAN Mug")[0] == 0
    assert end(limit, "FIND Mug")[0] == 1


def test_new_objects_are_a_reason_to_go_on() -> None:
    limit = SoftLimit(4, 10, (NewObjects(2),))
    assert end(limit, "FIND Mug", "FIND Cup", "FIND Cup", "FIND Pot")[0] == 0
    assert end(limit, "FIND Mug", "FIND Cup", "FIND Cup", "FIND Mug")[0] == 4


def test_any_renewal_will_do() -> None:
    limit = SoftLimit(4, 10, (NewObjects(2), Milestones(("CLEAN",))))
    assert end(limit, "CLEAN Mug", "FIND Cup", "FIND Cup", "FIND Mug")[0] == 0


def test_the_same_action_again_and_again_ends_an_episode() -> None:
    assert end(Repeats(3), "FIND Mug", "FIND Mug", "FIND Mug") == (3, "max_repeats")
    assert end(Repeats(3), "FIND Mug", "FIND Mug", "FIND Cup", "FIND Mug")[0] == 0


def test_so_does_a_cycle_of_actions() -> None:
    cycle = ("OPEN Safe", "CLOSE Safe") * 3
    assert end(Repeats(3), "FIND Safe", *cycle) == (7, "max_repeats")
    assert end(Repeats(3, longest=1), "FIND Safe", *cycle)[0] == 0


def test_answers_without_an_action_are_the_same_if_their_text_is() -> None:
    assert end(Repeats(2), "?hm", "?hm")[0] == 2
    assert end(Repeats(2), "?hm", "?well")[0] == 0


def test_failures_in_a_row_end_an_episode() -> None:
    assert end(ConsecutiveFailures(2), "!OPEN Mug", "?hm") == (2, "max_failures")
    assert end(ConsecutiveFailures(2), "!OPEN Mug", "FIND Mug", "!OPEN Mug")[0] == 0


@pytest.mark.parametrize(
    "make",
    [
        lambda: HardLimit(0),
        lambda: SoftLimit(0, 1, ()),
        lambda: SoftLimit(1, 0, ()),
        lambda: NewObjects(0),
        lambda: Repeats(1),
        lambda: Repeats(2, longest=0),
        lambda: ConsecutiveFailures(0),
    ],
)
def test_numbers_out_of_range_are_refused(make: type) -> None:
    with pytest.raises(InputError, match="whole number"):
        make()
