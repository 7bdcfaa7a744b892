"""Arguments that an answer names: by parameters of an action, by their types, by their roles."""

from __future__ import annotations

import pytest

import eai
from eai.answers import bind, read_answer
from eai.suites.pddl import Pddl
from eai.suites.robobench.plans import read_answer as read_skills

DOMAIN = """
(define (domain drones)
  (:requirements :strips :typing)
  (:types drone parcel site - object)
  (:predicates (over ?d - drone ?s - site) (lies ?p - parcel ?s - site)
               (holds ?d - drone ?p - parcel))
  (:action fly
    :parameters (?unit - drone ?to ?from - site)
    :precondition (over ?unit ?from)
    :effect (and (not (over ?unit ?from)) (over ?unit ?to)))
  (:action catch
    :parameters (?unit - drone ?p - parcel ?at - site)
    :precondition (and (over ?unit ?at) (lies ?p ?at))
    :effect (and (not (lies ?p ?at)) (holds ?unit ?p))))
"""
PROBLEM = """
(define (problem courier)
  (:domain drones)
  (:objects swift - drone box - parcel roof yard - site)
  (:init (over swift roof) (lies box yard))
  (:goal (holds swift box)))
"""
NAMES = Pddl.from_texts("drones", DOMAIN, {"courier": PROBLEM}).task("courier").readable
HOUSE = eai.suite("household").task("studio-01").readable


def steps(answer: str) -> list[str]:
    return [str(step) for step in read_answer(answer, NAMES).steps]


@pytest.mark.parametrize(
    "answer",
    [
        "fly(unit=swift, from=roof, to=yard)",
        "fly(from=roof, to=yard, unit=swift)",
        "fly(swift, from=roof, to=yard)",
        '[{"name": "fly", "arguments": {"from": "roof", "unit": "swift", "to": "yard"}}]',
        '[{"action": "fly", "from": "roof", "to": "yard", "unit": "swift"}]',
        '[{"fly": {"?from": "roof", "?to": "yard", "?unit": "swift"}}]',
        'steps = [fly(from_="roof", to="yard", unit="swift")]',
        'steps = [fly("swift", from_="roof", to="yard")]',
        "(fly (from roof) (unit swift) (to yard))",
        '<fly from="roof" to="yard" unit="swift"/>',
        "| action | from | to | unit |\n|---|---|---|---|\n| fly | roof | yard | swift |",
        "fly:\n  from: roof\n  unit: swift\n  to: yard",
        "fly(unit=swift, from=roof, to=yard, speed=5)",
    ],
)
def test_arguments_named_like_parameters_are_those_parameters(answer: str) -> None:
    assert steps(answer) == ["fly(swift, yard, roof)"]


@pytest.mark.parametrize(
    "answer",
    [
        "catch(site=yard, parcel=box, drone=swift)",
        '[{"action": "catch", "object": "box", "location": "yard", "agent": "swift"}]',
        '[{"catch": {"where": "yard", "which": "box", "who": "swift"}}]',
        "Action: catch\nPlace: yard\nItem: box\nUsing: swift",
    ],
)
def test_the_only_order_that_fits_the_types_is_meant_by_other_names(answer: str) -> None:
    assert steps(answer) == ["catch(swift, box, yard)"]


@pytest.mark.parametrize(
    "answer",
    [
        "catch(yard, box, swift)",
        "catch(arg1=yard, arg2=box, arg3=swift)",
        '[["catch", "yard", "box", "swift"]]',
    ],
)
def test_arguments_without_names_stay_in_their_order(answer: str) -> None:
    assert steps(answer) == ["catch(yard, box, swift)"]


def test_an_unknown_object_under_the_name_of_a_parameter_is_reported() -> None:
    answer = '[{"action": "fly", "unit": "eagle", "from": "roof", "to": "yard"}]'
    assert steps(answer) == ["fly(eagle, yard, roof)"]
    findings = bind(read_answer(answer, NAMES), NAMES).findings
    assert [finding.kind.value for finding in findings] == ["object_hallucination"]


def test_an_object_beside_all_parameters_is_one_too_many() -> None:
    answer = "fly(unit=swift, from=roof, to=yard, via=roof)"
    assert steps(answer) == ["fly(swift, yard, roof, roof)"]


def test_labels_on_lines_below_an_action_tell_roles() -> None:
    answer = "Action: putin\nTarget: fridge.40\nObject: cheese.43"
    assert list(map(str, read_answer(answer, HOUSE).steps)) == ["putin(cheese.43, fridge.40)"]
    answer = "cut\n  target: board\n  object: bread\n  tool: knife"
    assert list(map(str, read_skills(answer).steps)) == ["cut(knife, bread, board)"]


def test_a_list_of_more_objects_than_an_action_takes_is_not_cut_without_a_word() -> None:
    answer = '{"phases": [{"phase": "WALK", "steps": ["light.34", "bed.10"]}]}'
    assert read_answer(answer, HOUSE).problems


def test_an_object_behind_the_action_in_its_cell_joins_that_of_the_other_cell() -> None:
    answer = "| Step | Object | Action |\n|---|---|---|\n| 1 | cheese.43 | PUTIN, fridge.40 |"
    assert list(map(str, read_answer(answer, HOUSE).steps)) == ["PUTIN(cheese.43, fridge.40)"]
