"""Plans as planners write them are read as the three stages read them."""

from __future__ import annotations

from unittest import mock

import pytest
from fixtures_pddl import DOMAINS, PROBLEMS
from hypothesis import given, strategies as st

from eai.answers import Names, Phrases, PlanReading, read_steps
from eai.answers.pddl_plans import surfaces_of_names

NAMES = {name: Names(domain, PROBLEMS[name]) for name, domain in DOMAINS.items()}


@st.composite
def plans(draw: st.DrawFn, names: Names) -> str:
    """Texts of plans of few different steps, so that some are written twice."""
    operators = [*names.domain.operators.values()]
    steps = []
    for operator in draw(st.lists(st.sampled_from(operators), min_size=1, max_size=4)):
        words = [operator.name]
        for _ in operator.parameters:
            words.append(draw(st.sampled_from(sorted(names.objects))))
        step = f"({' '.join(words)})"
        steps.append(draw(st.sampled_from([step, step.upper()])))
    lines = draw(st.lists(st.sampled_from(steps), min_size=1, max_size=8))
    before = draw(st.sampled_from(["", "\n", "      \n", " \n\n"]))
    after = draw(st.sampled_from(["", "\n", "\n        \n", "\n\n"]))
    return before + "\n".join(lines) + after


@pytest.mark.parametrize("domain", DOMAINS)
@given(data=st.data())
def test_plan_of_a_planner_is_read_as_by_the_three_stages(domain: str, data: st.DataObject) -> None:
    names = NAMES[domain]
    text = data.draw(plans(names))
    with mock.patch("eai.answers.pddl_plans.read_with", side_effect=AssertionError):
        quick = read_steps(text, names)
    with mock.patch("eai.answers.pddl_plans._steps_of_lines", return_value=None):
        whole = read_steps(text, names, surfaces_of_names(names))
    assert quick == whole


@pytest.mark.parametrize(
    "text",
    [
        "(move rooma roomb) ; comment",
        "(move rooma roomb) (move roomb rooma)",
        "1. (move rooma roomb)",
        " (move rooma roomb)",
        "(move rooma)",
        "(move rooma moon)",
        "(fly rooma roomb)",
        "(move rooma roomb)\n\n(move roomb rooma)",
        "",
    ],
)
def test_what_is_unusual_is_left_to_the_three_stages(text: str) -> None:
    empty = PlanReading()
    with mock.patch("eai.answers.pddl_plans.read_with", return_value=empty) as read_with:
        read_steps(text, NAMES["gripper"])
    assert read_with.called


def test_plan_is_left_to_the_three_stages_where_actions_have_phrases() -> None:
    phrases = Phrases({"move": "go from {} to {}"})
    names = Names(DOMAINS["gripper"], PROBLEMS["gripper"], phrases)
    empty = PlanReading()
    with mock.patch("eai.answers.pddl_plans.read_with", return_value=empty) as read_with:
        read_steps("(move rooma roomb)", names)
    assert read_with.called
