"""Goals of an answer against a simple goal: what they mean, and what is counted."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from eai.abilities import Fit, GoalNames, GoalReading, PredictedGoal, ReadGoal, look_up
from eai.abilities.goal_interpretation.evaluation import settled
from eai.diagnosis import ErrorKind, Finding, Match
from eai.logic import Atom, Formula, Not
from eai.task import Vocabulary

CUPS = ("cup.1", "cup.2", "cup.3")


def state(name: str, *objects: str, negated: bool = False) -> PredictedGoal:
    return PredictedGoal("state", f"{name} {objects}", name, (objects,), negated)


def relation(name: str, first: tuple[str, ...], second: tuple[str, ...]) -> PredictedGoal:
    return PredictedGoal("relation", f"{name} {first} {second}", name, (first, second))


def literals(*names: str) -> list[Formula]:
    return [Atom("clean", (name,)) for name in names]


@pytest.mark.parametrize("seed", range(40))
def test_goals_mean_as_many_of_the_wanted_literals_as_possible(seed: int) -> None:
    random = Random(seed)
    goals = [
        state(random.choice(("clean", "on")), *random.sample(CUPS, random.randint(1, 3)))
        for _ in range(random.randint(1, 4))
    ]
    wanted = frozenset(
        Atom(name, (cup,)) for name in ("clean", "on") for cup in CUPS if random.random() < 0.5
    )
    meant = settled(goals, wanted)
    distinct = list(dict.fromkeys(goals))
    most = max(
        len(wanted.intersection(choice)) for choice in product(*([*g.literals()] for g in goals))
    )
    assert len(wanted.intersection(literal for literal, _ in meant)) == most
    assert {goal for _, goal in meant} == set(distinct)
    assert all(literal in [*goal.literals()] for literal, goal in meant)


def test_what_is_left_over_means_something_that_is_not_said_yet() -> None:
    several = [state("clean", *CUPS), state("clean", *CUPS[:2])]
    assert [literal for literal, _ in settled(several, frozenset())] == literals("cup.1", "cup.2")
    named = [state("clean", "cup.1"), state("clean", *CUPS)]
    assert [literal for literal, _ in settled(named, frozenset())] == literals("cup.1", "cup.2")
    wanted = frozenset(literals("cup.1"))
    found = settled([state("clean", "cup.2"), state("clean", *CUPS[:2])], wanted)
    assert {literal for literal, _ in found} == {*literals("cup.1", "cup.2")}


def test_the_same_goal_of_a_class_is_a_repetition() -> None:
    twice = [state("clean", *CUPS)] * 2
    assert [literal for literal, _ in settled(twice, frozenset())] == literals("cup.1")
    wanted = frozenset(literals("cup.2", "cup.3"))
    assert {literal for literal, _ in settled(twice, wanted)} == wanted
    thrice = [state("clean", *CUPS)] * 3
    assert {literal for literal, _ in settled(thrice, wanted)} == wanted
    certain = [state("clean", "cup.1")] * 2
    assert [literal for literal, _ in settled(certain, frozenset())] == literals("cup.1", "cup.1")


ON = Atom("on", ("cup.1", "cup.2"))
OPTION = (*literals("cup.1", "cup.2"), Not(Atom("hot", ("cup.1",))), ON)


def fit(*pairs: tuple[Formula, PredictedGoal], copies_count: bool = False) -> Fit:
    return Fit.of(pairs, OPTION, copies_count=copies_count)


def test_right_wrong_and_missing_goals_are_counted_by_kind() -> None:
    clean, other = literals("cup.1", "cup.3")
    found = fit(
        (clean, state("clean", "cup.1")),
        (other, state("clean", "cup.3")),
        (Atom("on", ("cup.2", "cup.1")), relation("on", ("cup.2",), ("cup.1",))),
        (ON, relation("on", ("cup.1",), ("cup.2",))),
    )
    assert found.match("state") == Match("state", 1, 1, 2)
    assert found.match("relation") == Match("relation", 1, 1, 0)
    assert found.match("other") == Match("other", 0, 0, 0)
    assert found.wrong == ["clean ('cup.3',)", "on ('cup.2',) ('cup.1',)"]
    assert [found.condition(each).met for each in OPTION] == [True, False, False, True]
    assert [found.condition(each).kind for each in OPTION] == ["state"] * 3 + ["relation"]


def test_a_denied_goal_is_another_one() -> None:
    hot = Atom("hot", ("cup.1",))
    assert fit((hot, state("hot", "cup.1"))).match("state") == Match("state", 0, 1, 3)
    denied = fit((Not(hot), state("hot", "cup.1", negated=True)))
    assert denied.match("state") == Match("state", 1, 0, 2)


def test_copies_count_once_unless_they_are_to_count() -> None:
    clean, wrong = literals("cup.1", "cup.3")
    pairs = [(clean, state("clean", "cup.1"))] * 2 + [(wrong, state("clean", "cup.3"))] * 3
    assert fit(*pairs).match("state") == Match("state", 1, 1, 2)
    assert fit(*pairs, copies_count=True).match("state") == Match("state", 2, 3, 1)


def test_names_of_a_reading_are_looked_up_in_their_order() -> None:
    names = GoalNames(Vocabulary({"read": 1}, {"clean": 1}, frozenset(CUPS), {"cup": CUPS}))
    problem = Finding(ErrorKind.PARSING, "the rest is missing")
    goals = (
        ReadGoal("state", "clean", ("cup",)),
        ReadGoal("action", "READ"),
        ReadGoal("state", "shiny", ("cup",)),
        ReadGoal("action", "fly"),
        ReadGoal("state", "clean", ("cup",)),
    )
    predicted, actions, findings = look_up(GoalReading(goals, problem), names)
    assert [(goal.predicate, goal.usable) for goal in predicted] == [
        ("clean", True),
        ("shiny", False),
        ("clean", True),
    ]
    assert actions == ["read", "fly"]
    assert [finding.kind for finding in findings] == [
        ErrorKind.PARSING,
        ErrorKind.PREDICATE_HALLUCINATION,
        ErrorKind.ACTION_HALLUCINATION,
    ]
    assert look_up(GoalReading(), names) == ([], [], [])
