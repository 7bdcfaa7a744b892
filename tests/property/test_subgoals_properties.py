"""Whatever a model writes is evaluated, and what a search finds holds in the world."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st
from small_subgoals import evaluated, listed, meaning, subgoal_task

from eai.logic import evaluate, parse_formula
from eai.simulators import VirtualHomeSimulator, execute
from eai.world import Action

TASK = subgoal_task(states=["on lamp.8"], formula="ON(lamp.8)")
STRICT, OFFICIAL = meaning("strict"), meaning("official")
PIECES = [
    "ON(lamp.8)",
    "[",
    "]",
    "{",
    "}",
    '"output":',
    '"',
    ",",
    " or ",
    " and ",
    " then ",
    "not ",
]
SUBGOALS = [
    "on(lamp.8)",
    "off(lamp.8)",
    "next_to(character.65, desk.14)",
    "holds_rh(character.65, cup.11)",
    "ontop(cup.11, desk.14)",
    "open(box.12)",
    "ontop(character.65, bed.9)",
    "facing(character.65, lamp.8)",
]


@settings(max_examples=40)
@given(st.lists(st.sampled_from([*PIECES, "x", "\n"]) | st.text(max_size=3), max_size=12))
def test_any_text_is_evaluated(pieces: list[str]) -> None:
    answer = "".join(pieces)
    for semantics in (OFFICIAL, STRICT):
        result = evaluated(TASK, answer, semantics)
        assert result.status == "evaluated"
        assert result.success or result.findings or not result.executable


@settings(max_examples=15)
@given(st.lists(st.sampled_from(SUBGOALS), min_size=1, max_size=4))
def test_a_plan_that_was_found_reaches_the_subgoals_in_their_order(subgoals: list[str]) -> None:
    result = evaluated(TASK, listed(*subgoals), STRICT)
    assert result.outcome == "reached"
    plan = [_action(step) for step in result.plan]
    done = execute(VirtualHomeSimulator(), TASK.start, plan, agent=TASK.agent)
    assert done.completed
    for subgoal in subgoals:
        assert evaluate(parse_formula(subgoal), done.trajectory)


def _action(text: str) -> Action:
    name, _, rest = text.rstrip(")").partition("(")
    return Action(name, tuple(part for part in rest.split(", ") if part))
