"""A failure says whether there are ways through the subgoals that were not looked for."""

from __future__ import annotations

import pytest
from small_subgoals import evaluated, listed, meaning, subgoal_task

from eai.abilities.subgoals.search import ENDS
from eai.budget import Budget

STRICT = meaning("strict")
FIRST = ("ON(lamp.8)", "HOLDS_RH(character.65, cup.11)", "OPEN(box.12)")
THREE_WAYS = " or ".join(f"({text} then OFF(lamp.8))" for text in FIRST)


@pytest.mark.parametrize(("subgoals", "ways"), [(1, 3), (2, 9), (3, 27)])
def test_ways_that_were_not_looked_for_are_noted(subgoals: int, ways: int) -> None:
    # No action makes a lamp clean, so no way through the subgoals solves the task.
    unsolvable = subgoal_task(states=["clean lamp.8"])
    result = evaluated(unsolvable, listed(*[THREE_WAYS] * subgoals), STRICT)
    assert (result.success, result.outcome) == (False, "reached")
    noted = [note for note in result.notes if note.startswith(f"{ENDS} ways followed")]
    assert len(noted) == (ways > ENDS)


def test_a_success_needs_no_other_ways() -> None:
    solved = subgoal_task(states=["off lamp.8"])
    result = evaluated(solved, listed(THREE_WAYS, THREE_WAYS), STRICT)
    assert result.success
    assert result.notes == ()


def test_the_only_way_that_ends_at_a_bound_is_no_other_way() -> None:
    # Proved neither reachable nor unreachable within so little.
    semantics = STRICT._replace(budget=Budget(instances=100_000))
    answer = listed("ONTOP(cup.11, bed.9) and INSIDE(cup.11, lamp.8)")
    result = evaluated(subgoal_task(states=["on lamp.8"]), answer, semantics)
    assert result.outcome == "bound"
    assert result.notes == ("0 of 1 subgoals were reached",)
