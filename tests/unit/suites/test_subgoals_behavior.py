"""BEHAVIOR subgoals: the published lists of actions, and two hands."""

from __future__ import annotations

import json

import pytest
from small_behavior import OFFICIAL, kitchen, task_in

from eai.diagnosis import ErrorKind
from eai.logic import parse_formula
from eai.suites.behavior.subgoals import Hands, actions_for, evaluate_subgoals, joint_actions

EMPTY, RIGHT, FULL = Hands(), Hands(right="cup_1"), Hands("cup_1", "pan_2")


def written(text: str, hands: Hands) -> list[str]:
    return list(map(str, actions_for(parse_formula(text), hands)))


@pytest.mark.parametrize(
    ("text", "hands", "actions"),
    [
        ("inside(rag_0, sink_3)", EMPTY, ["right_grasp(rag_0)", "right_place_inside(sink_3)"]),
        ("ontop(cup_1, bed_4)", RIGHT, ["right_place_ontop(bed_4)"]),
        ("onfloor(rag_0, floor_0)", RIGHT, ["left_grasp(rag_0)", "left_place_ontop(floor_0)"]),
        (
            "touching(rag_0, bed_4)",
            FULL,
            ["right_release(cup_1)", "right_grasp(rag_0)", "right_place_nextto(bed_4)"],
        ),
        ("holds_lh(rag_0)", FULL, ["left_release(pan_2)", "left_grasp(rag_0)"]),
        ("open(box_5)", FULL, ["right_release(cup_1)", "open(box_5)"]),
        ("not open(box_5)", EMPTY, ["close(box_5)"]),
        ("not stained(bed_4)", RIGHT, ["clean(bed_4)"]),
        ("not holds_rh(cup_1)", RIGHT, ["right_release(cup_1)"]),
        ("not holds_rh(rag_0)", RIGHT, []),
        ("not inside(cup_1, box_5)", RIGHT, ["right_release(cup_1)"]),
        ("not ontop(cup_1, bed_4)", RIGHT, []),
        ("dusty(bed_4)", EMPTY, []),
        ("not cooked(rag_0)", EMPTY, []),
    ],
)
def test_actions_for_a_literal(text: str, hands: Hands, actions: list[str]) -> None:
    assert written(text, hands) == actions


def test_a_hand_is_found_by_a_part_of_the_name() -> None:
    assert Hands(right="cup_10").holding("cup_1") == "right"


@pytest.mark.parametrize(
    ("first", "second", "actions"),
    [
        (
            "ontop(cup_1, bed_4)",
            "nextto(cup_1, pan_2)",
            ["right_grasp(cup_1)", "right_place_nextto_ontop(pan_2, bed_4)"],
        ),
        (
            "touching(pan_2, cup_1)",
            "onfloor(cup_1, floor_0)",
            ["right_grasp(cup_1)", "right_place_nextto_ontop(pan_2, floor_0)"],
        ),
        ("ontop(cup_1, bed_4)", "nextto(pan_2, rag_0)", []),
        ("not ontop(cup_1, bed_4)", "nextto(cup_1, pan_2)", []),
        ("ontop(cup_1, bed_4)", "ontop(pan_2, bed_4)", []),
    ],
)
def test_two_subgoals_that_are_one(first: str, second: str, actions: list[str]) -> None:
    joint = joint_actions(parse_formula(first), parse_formula(second), EMPTY)
    assert list(map(str, joint)) == actions


def grammar(*subgoals: str) -> ErrorKind | None:
    """What is wrong with the grammar of an answer, if something is."""
    task = task_in(kitchen())
    findings = evaluate_subgoals(task, json.dumps({"output": subgoals}), OFFICIAL).findings
    first = findings[0].kind if findings else None
    return first if first in _GRAMMAR else None


_GRAMMAR = (
    ErrorKind.PARSING,
    ErrorKind.ACTION_HALLUCINATION,
    ErrorKind.ARGUMENT_NUMBER,
    ErrorKind.OBJECT_HALLUCINATION,
)


@pytest.mark.parametrize(
    ("subgoals", "kind"),
    [
        (["notopen(fridge.2)", "not not not open(jar.3)"], None),
        (["not not open(fridge.2)"], ErrorKind.PARSING),
        (["or(fridge.2)"], ErrorKind.ACTION_HALLUCINATION),
        (["open(fridge-2)"], ErrorKind.PARSING),
        (["open(fridge)"], ErrorKind.OBJECT_HALLUCINATION),
        # a primitive without objects ends everything but the search for unknown names
        (["open(fridge.2, jar.3)", "dusty()"], ErrorKind.PARSING),
        (["shiny(fridge.2)", "dusty()"], ErrorKind.ACTION_HALLUCINATION),
        # the numbers of objects of states are looked at before those of actions
        (["burn(egg.6)", "open(fridge.2, jar.3)"], ErrorKind.ARGUMENT_NUMBER),
        (["jar_n_01(jar.3)", "clean(fridge.2, jar.3)"], ErrorKind.PARSING),
        (["open(fridge.2, jar.3)", "jar_n_01(jar.3)"], ErrorKind.ARGUMENT_NUMBER),
    ],
)
def test_the_first_error_that_the_published_evaluator_meets(
    subgoals: list[str], kind: ErrorKind | None
) -> None:
    assert grammar(*subgoals) is kind


def test_an_executor_that_stops_makes_the_answer_unparseable() -> None:
    assert grammar("inside(egg.6, room_floor_kitchen.0)") is ErrorKind.PARSING
