"""What weights make of an attempt."""

import pytest

from eai.errors import InputError
from eai.rewards import Attempt, Weights
from eai.rewards.attempts import NOTHING, SOLVED

HALF = Attempt(solved=False, goals=0.5, way=0.25, left=0.5, repair=0.5)


def test_goals_and_way_are_weighed_and_what_was_left_is_taken_off() -> None:
    assert Weights().value(HALF) == pytest.approx((0.6 * 0.5 + 0.3 * 0.25) * 0.75)
    assert Weights(goals=0.0, way=0.5, left=1.0).value(HALF) == pytest.approx(0.0625)
    assert Weights(goals=0.5, way=0.0, left=0.0).value(HALF) == 0.25


def test_a_repair_is_weighed_as_goals_and_way_together() -> None:
    assert Weights().nearness(HALF) == pytest.approx(0.45)
    assert Weights(goals=0.2, way=0.1).nearness(HALF) == pytest.approx(0.15)


def test_a_solved_task_is_worth_one_whatever_the_shares() -> None:
    solved = Attempt(solved=True)
    assert (Weights().value(solved), Weights().nearness(solved)) == (1.0, 1.0)


def test_what_solves_its_task_has_all_shares_and_what_achieves_nothing_none() -> None:
    for attempt, share in ((SOLVED, 1.0), (NOTHING, 0.0)):
        assert attempt.solved is (share == 1)
        assert (attempt.goals, attempt.way, attempt.repair) == (share, share, share)
        assert (attempt.left, attempt.measured, attempt.broken) == (0.0, None, ())


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan"), float("inf"), True, "0.5", None])
def test_a_weight_is_a_number_from_0_to_1(wrong: float) -> None:
    for name in ("goals", "way", "left"):
        with pytest.raises(InputError, match=f"the weight {name} is"):
            Weights(**{name: wrong})


def test_only_a_solved_task_can_be_worth_one() -> None:
    with pytest.raises(InputError, match="add up to 1"):
        Weights(goals=0.5, way=0.5)
    assert Weights(goals=0.5, way=0.499).value(Attempt(False, goals=1.0, way=1.0)) < 1


def test_a_solution_has_all_shares_and_nothing_has_none() -> None:
    assert Attempt(True, goals=1.0, way=1.0, left=0.0, repair=1.0, measured=None) == SOLVED
    assert Attempt(False, goals=0.0, way=0.0, left=0.0, repair=0.0, measured=None) == NOTHING
