"""Trying instances in turn, and the geometry of boxes, for AsgardBench."""

from __future__ import annotations

import pytest

from eai.simulators.thor.scenes import SceneObject
from eai.suites.asgardbench.choice import Tried, try_in_turn
from eai.suites.asgardbench.room import Failed, Refusal, gap, surface_height


class Attempts:
    """Attempts of which some fail, and what was done around them."""

    def __init__(self, *failing: str) -> None:
        self.failing = failing
        self.done: list[str] = []

    def attempt(self, name: str) -> Failed | None:
        self.done.append(f"try {name}")
        return Failed(Refusal.NOT_VISIBLE, name) if name in self.failing else None

    def before(self, name: str) -> None:
        self.done.append(f"open {name}")

    def after(self, name: str) -> None:
        self.done.append(f"close {name}")


def test_the_first_that_lets_it_be_done_is_taken() -> None:
    attempts = Attempts("a", "b")
    assert try_in_turn("abcd", attempts.attempt) == Tried("c")
    assert attempts.done == ["try a", "try b", "try c"]


def test_help_comes_before_all_but_the_first_and_what_refused_is_closed() -> None:
    attempts = Attempts("a")
    tried = try_in_turn("ab", attempts.attempt, before=attempts.before, after=attempts.after)
    assert tried == Tried("b")
    assert attempts.done == ["try a", "close a", "open b", "try b"]


def test_if_none_does_all_failures_are_known() -> None:
    attempts = Attempts("a", "b")
    tried = try_in_turn("ab", attempts.attempt)
    assert tried == Tried(failures=tuple(Failed(Refusal.NOT_VISIBLE, name) for name in "ab"))


def box(x: float, z: float, width: float, depth: float, kind: str = "Desk") -> SceneObject:
    return SceneObject(
        f"{kind}_1", f"{kind}|1", kind, size=(width, 0.7, depth), position=(x, 0.1, z)
    )


@pytest.mark.parametrize(
    ("other", "apart"),
    [
        (box(0, 0, 1, 1), 0.0),
        (box(0.9, 0, 1, 1), 0.0),
        (box(3, 0, 1, 1), 2.0),
        (box(0, -3, 1, 3), 1.0),
        (box(4, 5, 1, 1), 5.0),
    ],
)
def test_boxes_are_apart_as_seen_from_above(other: SceneObject, apart: float) -> None:
    here = box(0, 0, 1, 1)
    assert gap(here, other) == pytest.approx(apart)
    assert gap(other, here) == pytest.approx(apart)


def test_tables_stand_on_their_feet_and_counters_do_not() -> None:
    assert surface_height(box(0, 0, 1, 1, "DiningTable")) == pytest.approx(0.8)
    assert surface_height(box(0, 0, 1, 1, "CounterTop")) == pytest.approx(0.1)
