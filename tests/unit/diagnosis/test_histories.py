"""Since when something holds and what ended it, by the definition, and by three functions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from eai.diagnosis import Condition, since_and_lost
from eai.diagnosis.goals import condition_of, last_held
from eai.logic import Atom
from eai.pddl import parse_domain
from eai.world import Action, Step, Trajectory, World

WORLD = World(
    parse_domain("""(define (domain d) (:predicates (lit)) (:requirements :adl)
      (:action turn :parameters () :effect (and (when (lit) (not (lit))) (when (not (lit)) (lit))))
      (:action wait :parameters ()))""")
)
histories = st.lists(st.booleans(), min_size=1, max_size=8)


def by_definition(truth: list[bool]) -> tuple[int | None, int | None]:
    """The step that made it true for the last time (0: the start), and the one that ended it."""
    begun = [i for i, now in enumerate(truth) if now and (i == 0 or not truth[i - 1])]
    if not begun:
        return None, None
    ended = [i for i in range(begun[-1], len(truth)) if not truth[i]]
    return begun[-1], ended[0] if ended else None


def trajectory(truth: list[bool], *, gap: int = 0) -> Trajectory:
    """A run with this history of ``lit``; the numbers of the steps leave a gap before each."""
    start = WORLD.state({}, [Atom("lit")] if truth[0] else [])
    state, steps = start.begin(), []
    for place, now in enumerate(truth[1:], start=1):
        name = "wait" if now is truth[place - 1] else "turn"
        steps.append(Step(Action(name), place * (1 + gap), WORLD.apply(state, name, ())))
    return Trajectory(WORLD, start, steps, state)


@settings(max_examples=200)
@given(histories, st.integers(0, 2))
def test_a_condition_says_since_when_and_until_when(truth: list[bool], gap: int) -> None:
    found = condition_of("state", Atom("lit"), trajectory(truth, gap=gap))
    numbers = [None if at is None else at * (1 + gap) for at in by_definition(truth)]
    assert [found.since, found.lost_by] == numbers
    assert found.met is truth[-1]
    assert (found.kind, found.text) == ("state", "lit()")


@settings(max_examples=200)
@given(histories)
def test_looking_at_every_step_says_the_same_as_looking_back(truth: list[bool]) -> None:
    before: Condition | None = None
    for step, now in enumerate(truth):
        since, lost_by = since_and_lost(now, before, step)
        assert (since, lost_by) == by_definition(truth[: step + 1])
        before = Condition("state", "lit()", now, since, lost_by)


@settings(max_examples=200)
@given(histories, st.integers(0, 2))
def test_the_last_step_after_which_it_held_and_the_one_that_ended_it(
    truth: list[bool], gap: int
) -> None:
    run = trajectory(truth, gap=gap)
    vector = sum(1 << place for place, now in enumerate(truth) if now)
    held = [place for place, now in enumerate(truth) if now]
    if not held:
        assert last_held(vector, run.steps) == (None, None)
        return
    ended = None if truth[-1] else (held[-1] + 1) * (1 + gap)
    assert last_held(vector, run.steps) == (held[-1] * (1 + gap), ended)


@pytest.mark.parametrize("met", [True, False])
def test_a_truth_that_is_given_is_not_looked_up(met: bool) -> None:
    run = trajectory([True, True])
    found = condition_of("relation", Atom("lit"), run, truth=0b10 if met else 0b01)
    assert (found.met, found.since, found.lost_by) == ((True, 1, None) if met else (False, 0, 1))
