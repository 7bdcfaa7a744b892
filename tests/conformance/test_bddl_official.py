"""The goals and goal options of BEHAVIOR in the published evaluator."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from fractions import Fraction
from math import prod
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from zipfile import ZipFile

import pytest

from eai.logic import And, Formula
from eai.logic.options import GoalOptions, Option
from eai.pddl import format_bddl, read_bddl

pytestmark = pytest.mark.official

_EVALUATION = "behavior_eval/evaluation"
_LISTED = f"{_EVALUATION}/goal_interpretation/resources/data/all_conditions.json"
_GOALS = f"{_EVALUATION}/transition_modeling/resources/pddl_behavior/"

OTHER_GOAL = {"sorting_mail", "organizing_school_stuff", "rearranging_furniture"}
"""Tasks whose options were listed from another version of the goal."""

CONTRADICTIONS = {
    "bottling_fruit": (4, 2),
    "cleaning_kitchen_cupboard": (4, 2),
    "cleaning_up_the_kitchen_only": (8, 4),
    "packing_lunches": (64, 32),
}
"""Tasks in which choices for two conditions exclude each other."""


class Activity(NamedTuple):
    """One task: its goal, its objects by type, and the options listed for each condition."""

    name: str
    goal: Formula
    objects: dict[str, list[str]]
    listed: list[list[Any]]

    def conditions(self) -> tuple[Formula, ...]:
        assert isinstance(self.goal, And)
        return self.goal.operands

    def counts(self) -> list[int]:
        return [GoalOptions(each, self.objects).count() for each in self.conditions()]


@pytest.fixture(scope="module")
def activities(official_wheel: Path) -> list[Activity]:
    with ZipFile(official_wheel) as wheel:
        listed = json.loads(wheel.read(_LISTED))
        texts = {name: wheel.read(f"{_GOALS}{name}.pddl").decode() for name in listed}
    return [_activity(name, texts[name], listed[name]["goal_conditions"]) for name in listed]


def _activity(name: str, text: str, listed: dict[str, list[Any]]) -> Activity:
    text = re.sub(r";[^\n]*", "", text).lower()
    # The definition closes its own bracket behind the goal.
    goal = text[text.index("(:goal") :].rstrip().removesuffix(")")
    words = re.findall(r"[^\s()]+", text[text.index("(:objects") + 9 : text.index("(:init")])
    objects: dict[str, list[str]] = {}
    waiting: list[str] = []
    names = iter(words)
    for word in names:
        if word == "-":
            objects.setdefault(next(names), []).extend(waiting)
            waiting = []
        else:
            waiting.append(word)
    known = [each for members in objects.values() for each in members]
    formula = read_bddl(goal, forn="at least", objects=known, source=name)
    short = re.sub(r"_\d+_[A-Z][a-z]+_\d.*", "", name)
    return Activity(short, formula, objects, list(listed.values()))


def _options(listed: Iterable[Any]) -> set[Option]:
    return {frozenset(read_bddl(literal) for literal in option) for option in listed}


def test_every_goal_is_read_printed_and_read_back(activities: list[Activity]) -> None:
    assert len(activities) == 100
    for activity in activities:
        again = read_bddl(format_bddl(activity.goal, forn="at least"), forn="at least")
        assert again == activity.goal


def test_the_published_averages_are_those_of_the_listed_options(activities: list[Activity]) -> None:
    products = [prod(map(len, activity.listed)) for activity in activities]
    literals = [sum(len(options[0]) for options in activity.listed) for activity in activities]
    assert Fraction(sum(products), 100) == Fraction("4164.41")
    assert max(products) == 331_776
    assert Fraction(sum(literals), 100) == Fraction("6.73")
    assert products.count(1) == 70


def test_every_condition_has_as_many_options_as_are_listed(activities: list[Activity]) -> None:
    for activity in activities:
        listed = [len(options) for options in activity.listed]
        if activity.name == "rearranging_furniture":
            assert (activity.counts(), listed) == ([1, 1, 1], [1, 1, 1, 1])
        else:
            assert activity.counts() == listed
    assert sum(prod(activity.counts()) for activity in activities) == 416_441


def test_every_condition_has_the_listed_options(activities: list[Activity]) -> None:
    different = set()
    for activity in activities:
        for condition, listed in zip(activity.conditions(), activity.listed, strict=False):
            found = GoalOptions(condition, activity.objects).enumerate()
            assert found.complete
            if set(found.options) != _options(listed):
                different.add(activity.name)
    assert different == OTHER_GOAL


def test_whole_goals_have_no_contradictory_options(activities: list[Activity]) -> None:
    whole = {each.name: GoalOptions(each.goal, each.objects).count() for each in activities}
    parts = {each.name: prod(each.counts()) for each in activities}
    assert {n: (parts[n], whole[n]) for n in whole if whole[n] != parts[n]} == CONTRADICTIONS
    assert Fraction(sum(whole.values()), 100) == Fraction("4164.01")
    assert max(whole.values()) == whole["assembling_gift_baskets"] == 24**4


def test_the_best_f1_is_the_greatest_over_the_listed_options(activities: list[Activity]) -> None:
    random = Random(20241210)
    for activity in activities:
        if activity.name in OTHER_GOAL:
            continue
        for condition, listed in zip(activity.conditions(), activity.listed, strict=True):
            options = _options(listed)
            literals = sorted(frozenset[Formula]().union(*options), key=format_bddl)
            predicted = set(random.sample(literals, random.randint(1, len(literals))))
            best = GoalOptions(condition, activity.objects).best_f1(predicted)
            assert best is not None
            assert best.exact
            assert best.score == max(
                Fraction(2 * len(o & predicted), len(o) + len(predicted)) for o in options
            )


def test_exact_counting_denies_the_others_and_changes_no_number(
    activities: list[Activity],
) -> None:
    for activity in activities:
        text = format_bddl(activity.goal, forn="at least")
        exactly = GoalOptions(read_bddl(text), activity.objects)
        loosely = GoalOptions(activity.goal, activity.objects)
        assert exactly.count() == loosely.count()
        asked = [len(options.enumerate(1).options[0]) for options in (exactly, loosely)]
        assert (asked[0] > asked[1]) == ("(forn " in text)


def test_the_largest_goal_is_evaluated_without_listing_its_options(
    activities: list[Activity],
) -> None:
    (largest,) = (each for each in activities if each.name == "assembling_gift_baskets")
    options = GoalOptions(largest.goal, largest.objects)
    last = {read_bddl(literal) for listed in largest.listed for literal in listed[-1]}
    best = options.best_f1(last)
    assert best is not None
    assert best.score == 1
    assert best.option == last
