"""A truth value behind a literal, in a column or in a formula in LaTeX decides what is asked."""

from __future__ import annotations

import pytest

from eai.abilities import GoalNames, read_goals, read_subgoals
from eai.task import Vocabulary

NAMES = Vocabulary(
    actions={"drink": 1},
    predicates={"on": 1, "dusty": 1, "inside": 2},
    objects=frozenset({"lamp.1", "cup.2"}),
    classes={"lamp": ("lamp.1",), "cup": ("cup.2",)},
)


@pytest.mark.parametrize(
    "answer",
    [
        "on(lamp.1) = False\ndusty(cup.2) = True",
        "- on(lamp.1): false\n- dusty(cup.2): true",
        "1. `on(lamp.1)` is false\n2. `dusty(cup.2)` is true",
        "on(lamp.1) -> no\ndusty(cup.2) -> yes",
    ],
)
def test_a_truth_value_behind_a_literal_is_read(answer: str) -> None:
    goals = read_goals(answer, GoalNames(NAMES)).goals
    assert [(goal.name, goal.negated) for goal in goals] == [("on", True), ("dusty", False)]
    subgoals = read_subgoals(answer, NAMES).subgoals
    assert [each.text for each in subgoals] == ["!on(lamp.1)", "dusty(cup.2)"]


@pytest.mark.parametrize(
    "answer",
    [
        "negated,predicate,arg1,arg2\ntrue,on,lamp.1,\nfalse,dusty,cup.2,",
        "\\[\n\\neg \\text{on(lamp.1)} \\land \\text{dusty(cup.2)}\n\\]",
        "lamp.1.on = False\n- dusty(cup.2)",
        "~on(lamp.1) & dusty(cup.2)",
        "- ~on(lamp.1)\n- dusty(cup.2)",
        "~(on(lamp.1)) & dusty(cup.2)",
        "\\neg on(lamp.1) \\wedge dusty(cup.2)",
        "$$\\neg \\text{on(lamp.1)} \\wedge \\text{dusty(cup.2)}$$",
    ],
)
def test_negation_of_goals_is_read_wherever_it_stands(answer: str) -> None:
    goals = read_goals(answer, GoalNames(NAMES)).goals
    assert [(goal.name, goal.negated) for goal in goals] == [("on", True), ("dusty", False)]


@pytest.mark.parametrize("answer", ["1. on(lamp.1) is falsely told", "1. on(lamp.1): notes(x)"])
def test_other_words_behind_a_literal_deny_nothing(answer: str) -> None:
    assert not any(each.text.startswith("!") for each in read_subgoals(answer, NAMES).subgoals)
