"""All actions of the BEHAVIOR domain: what they need and what they change.

Each case stands in a small kitchen. A *break* toggles facts of the case so that one test of the
precondition is the first to fail; every test of every action has one. The actions of the left
hand are the same with the other hand.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from small_behavior import facts_of, state_of

from eai.simulators import BehaviorSimulator
from eai.simulators.behavior import AGENT

SIMULATOR = BehaviorSimulator()
WORLD = SIMULATOR.world

SHUT = "placed_inside {0} jar_3"
"""A jar that is closed."""


@dataclass(frozen=True)
class Case:
    """An action with what makes it applicable, its changes, and what prevents it."""

    step: str
    facts: str
    added: str = ""
    deleted: str = ""
    breaks: tuple[str, ...] = ()


def reach(name: str, part: str = "sliced {0}") -> tuple[str, ...]:
    """What keeps the robot from an object: a closed container, and being sliced."""
    return SHUT.format(name), "-present", part.format(name)


CASES = (
    Case("navigate_to egg_6", "", breaks=reach("egg_6")),
    Case(
        "right_grasp egg_6",
        "placed_inside egg_6 saucepan_12; placed_nextto egg_6 jar_3; placed_under jar_4 egg_6",
        added="holds_rh egg_6",
        deleted="placed_inside egg_6 saucepan_12; placed_nextto egg_6 jar_3; "
        "placed_under jar_4 egg_6",
        breaks=("@room_floor_kitchen_0", "holds_lh egg_6", "holds_rh jar_4", *reach("egg_6")),
    ),
    Case(
        "right_release egg_6",
        "holds_rh egg_6",
        added="placed_onfloor egg_6 room_floor_kitchen_0",
        deleted="holds_rh egg_6",
        breaks=("holds_rh egg_6", *reach("egg_6")),
    ),
    Case(
        "right_place_ontop table_1",
        "holds_rh egg_6",
        added="placed_ontop egg_6 table_1",
        deleted="holds_rh egg_6",
        breaks=("holds_rh egg_6", "placed_ontop table_1 egg_6", *reach("table_1")),
    ),
    Case(
        "right_place_ontop room_floor_kitchen_0",
        "holds_rh egg_6",
        added="placed_onfloor egg_6 room_floor_kitchen_0",
        deleted="holds_rh egg_6",
    ),
    Case(
        "right_place_inside jar_4",
        "holds_rh egg_6; open jar_4",
        added="placed_inside egg_6 jar_4",
        deleted="holds_rh egg_6",
        breaks=(
            "holds_rh egg_6",
            "placed_ontop jar_4 egg_6",
            "open jar_4",
            *reach("jar_4"),
            "@room_floor_kitchen_0",
        ),
    ),
    Case(
        "right_place_nextto jar_4",
        "holds_rh egg_6; placed_ontop jar_4 table_1",
        added="placed_nextto egg_6 jar_4; placed_nextto jar_4 egg_6; placed_ontop egg_6 table_1",
        deleted="holds_rh egg_6",
        breaks=("holds_rh egg_6", "placed_inside jar_4 egg_6", *reach("jar_4")),
    ),
    Case(
        "right_place_nextto jar_4",
        "holds_rh egg_6; placed_onfloor jar_4 room_floor_kitchen_0",
        added="placed_nextto egg_6 jar_4; placed_nextto jar_4 egg_6; "
        "placed_onfloor egg_6 room_floor_kitchen_0",
        deleted="holds_rh egg_6",
    ),
    Case(
        "right_place_under table_1",
        "holds_rh egg_6; placed_onfloor table_1 room_floor_kitchen_0",
        added="placed_under egg_6 table_1; placed_onfloor egg_6 room_floor_kitchen_0",
        deleted="holds_rh egg_6",
        breaks=("holds_rh egg_6", "placed_ontop table_1 egg_6", *reach("table_1")),
    ),
    Case(
        "right_place_nextto_ontop jar_4 table_1",
        "holds_rh egg_6",
        added="placed_nextto egg_6 jar_4; placed_nextto jar_4 egg_6; placed_ontop egg_6 table_1",
        deleted="holds_rh egg_6",
        breaks=(
            "holds_rh egg_6",
            "placed_ontop jar_4 egg_6",
            *reach("jar_4"),
            "placed_ontop table_1 egg_6",
            *reach("table_1"),
        ),
    ),
    Case(
        "right_transfer_contents_inside jar_4",
        "holds_rh plate_10; open jar_4; placed_ontop egg_6 plate_10; placed_inside rag_9 plate_10",
        added="placed_inside egg_6 jar_4; placed_inside rag_9 jar_4",
        deleted="placed_ontop egg_6 plate_10; placed_inside rag_9 plate_10",
        breaks=(
            "holds_rh plate_10",
            "placed_ontop jar_4 plate_10",
            "open jar_4",
            *reach("jar_4"),
            "@room_floor_kitchen_0",
        ),
    ),
    Case(
        "right_transfer_contents_ontop table_1",
        "holds_rh plate_10; placed_inside egg_6 plate_10",
        added="placed_ontop egg_6 table_1",
        deleted="placed_inside egg_6 plate_10",
        breaks=(
            "placed_inside egg_6 plate_10",
            "holds_rh plate_10",
            "placed_ontop table_1 plate_10",
            *reach("table_1"),
            "@room_floor_kitchen_0",
        ),
    ),
    Case(
        "open microwave_14",
        "",
        added="open microwave_14",
        breaks=(
            "holds_rh egg_6; holds_lh rag_9",
            "@table_1",
            "open microwave_14",
            *reach("microwave_14"),
            "toggled_on microwave_14",
        ),
    ),
    Case(
        "close jar_4",
        "open jar_4",
        deleted="open jar_4",
        breaks=("holds_rh egg_6; holds_lh rag_9", "@table_1", "open jar_4", *reach("jar_4")),
    ),
    Case(
        "toggle_on dishwasher_11",
        "placed_inside plate_10 dishwasher_11; dusty plate_10; stained plate_10; dusty sink_8",
        added="toggled_on dishwasher_11",
        deleted="dusty plate_10; stained plate_10",
        breaks=(
            "holds_rh egg_6; holds_lh rag_9",
            "@table_1",
            "toggled_on dishwasher_11",
            *reach("dishwasher_11"),
            "open dishwasher_11",
        ),
    ),
    Case(
        "toggle_off sink_8",
        "toggled_on sink_8",
        deleted="toggled_on sink_8",
        breaks=(
            "holds_rh egg_6; holds_lh rag_9",
            "@table_1",
            "toggled_on sink_8",
            *reach("sink_8"),
        ),
    ),
    Case(
        "slice apple_5",
        "holds_rh knife_7; placed_ontop apple_5 table_1; frozen apple_5; cooked apple_5_part_0",
        added="sliced apple_5; sliced apple_5_part_0; sliced apple_5_part_1; "
        "placed_ontop apple_5_part_0 table_1; placed_ontop apple_5_part_1 table_1; "
        "frozen apple_5_part_0; frozen apple_5_part_1",
        deleted="placed_ontop apple_5 table_1; cooked apple_5_part_0",
        breaks=(
            "holds_rh knife_7",
            "-hand_to_spare",
            "@egg_6",
            "sliced apple_5",
            "placed_inside apple_5 jar_3",
            "-present",
            "-cut_up",
        ),
    ),
    Case(
        "cook egg_6",
        "placed_inside egg_6 saucepan_12",
        added="cooked egg_6",
        breaks=(
            "holds_rh jar_4; holds_lh rag_9",
            "@table_1",
            "cooked egg_6",
            *reach("egg_6"),
            "placed_inside egg_6 saucepan_12",
        ),
    ),
    Case(
        "freeze egg_6",
        "placed_inside egg_6 fridge_2; open fridge_2",
        added="frozen egg_6",
        breaks=(
            "holds_rh jar_4; holds_lh rag_9",
            "@table_1",
            "frozen egg_6",
            "open fridge_2",
            "-present",
            "sliced egg_6",
            "placed_inside egg_6 fridge_2",
        ),
    ),
    Case(
        "unfreeze egg_6",
        "frozen egg_6",
        deleted="frozen egg_6",
        breaks=("-hand_to_spare", "@table_1", "frozen egg_6", *reach("egg_6")),
    ),
    Case(
        "soak rag_9",
        "placed_inside rag_9 sink_8; toggled_on sink_8",
        added="soaked rag_9",
        breaks=(
            "holds_rh jar_4; holds_lh egg_6",
            "@table_1",
            "soaked rag_9",
            *reach("rag_9"),
            "toggled_on sink_8",
        ),
    ),
    Case(
        "dry rag_9",
        "soaked rag_9",
        deleted="soaked rag_9",
        breaks=("-hand_to_spare", "@egg_6", "soaked rag_9", *reach("rag_9")),
    ),
    Case(
        "clean plate_10",
        "holds_rh rag_9; soaked rag_9; dusty plate_10; stained plate_10",
        deleted="dusty plate_10; stained plate_10",
        breaks=(
            "@egg_6",
            "dusty plate_10; stained plate_10",
            *reach("plate_10"),
            "holds_rh rag_9",
        ),
    ),
)


def mirrored(case: Case) -> Case:
    """The same with the other hand."""

    def swap(text: str) -> str:
        text = text.replace("holds_lh", "holds_?").replace("holds_rh", "holds_lh")
        return text.replace("holds_?", "holds_rh").replace("right_", "left_")

    breaks = tuple(map(swap, case.breaks))
    return Case(swap(case.step), swap(case.facts), swap(case.added), swap(case.deleted), breaks)


BOTH = [*CASES, *(mirrored(case) for case in CASES if case.step.startswith("right_"))]


def first_failure(step: str, facts: set[str]) -> int:
    name, *arguments = step.split()
    state = state_of("; ".join(sorted(facts)), SIMULATOR)
    return WORLD.first_failure(state, name, WORLD.numbers(state, name, (AGENT, *arguments)))


def split(facts: str) -> set[str]:
    return set(filter(None, facts.split("; ")))


@pytest.mark.parametrize("case", BOTH, ids=lambda case: case.step)
def test_an_action_changes_what_it_says(case: Case) -> None:
    state = state_of(case.facts, SIMULATOR)
    before = facts_of(state)
    name, *arguments = case.step.split()
    numbers = WORLD.numbers(state, name, (AGENT, *arguments))
    assert WORLD.first_failure(state, name, numbers) == -1
    WORLD.apply(state, name, numbers)
    assert facts_of(state) - before == split(case.added)
    assert before - facts_of(state) == split(case.deleted)


@pytest.mark.parametrize("case", [c for c in BOTH if c.breaks], ids=lambda case: case.step)
def test_every_test_of_an_action_can_be_the_first_to_fail(case: Case) -> None:
    name, target, *rest = case.step.split()
    assert len(case.breaks) == len(WORLD.operator(name).tests)
    for number, broken in enumerate(case.breaks):
        if broken.startswith("-"):
            continue  # never fails here: see the tests of parts and of variations
        if broken.startswith("@"):
            assert first_failure(" ".join([name, broken[1:], *rest]), split(case.facts)) == number
        else:
            assert first_failure(case.step, split(case.facts) ^ split(broken)) == number, target


def test_every_action_has_a_case() -> None:
    assert {case.step.split()[0] for case in BOTH} == set(WORLD.domain.operators)
    assert len(WORLD.domain.operators) == 30
