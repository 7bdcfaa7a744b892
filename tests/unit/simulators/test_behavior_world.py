"""The BEHAVIOR world: scenes, parts, places, and the variations that the published one needs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from small_behavior import facts_of, kitchen, state_of

from eai.errors import UnknownNameError
from eai.logic import Atom
from eai.simulators import BehaviorSimulator, Execution, execute, initial_state
from eai.simulators.behavior import AGENT, VARIATIONS, BehaviorObject, BehaviorScene, category
from eai.world import Action

PLAIN = BehaviorSimulator()


def run(
    facts: str, steps: Sequence[str], *, varied: Sequence[str] = (), floors: int = 1
) -> Execution:
    simulator = BehaviorSimulator(varied)
    actions = [Action(words[0], tuple(words[1:])) for words in map(str.split, steps)]
    return execute(simulator, state_of(facts, simulator, floors=floors), actions, agent=AGENT)


def holds(execution: Execution, predicate: str, *arguments: str) -> bool:
    trajectory = execution.trajectory
    return trajectory.world.holds(trajectory.final, Atom(predicate, arguments))


def final(execution: Execution) -> set[str]:
    return facts_of(execution.trajectory.final)


def kinds(execution: Execution) -> list[str]:
    return [finding.kind.value for finding in execution.findings]


# ---------------------------------------------------------------------- scenes


def test_a_scene_becomes_a_state() -> None:
    state = initial_state(
        kitchen(
            "Open jar_3; Dusty plate_10; ToggledOn sink_8", "inside egg_6 jar_3; nextto jar_3 jar_4"
        )
    )
    for fact in (
        ("open", "jar_3"),
        ("openable", "jar_3"),
        ("toggled_on", "sink_8"),
        ("basin", "sink_8"),
        ("cleaning_tool", "rag_9"),
        ("slicer", "knife_7"),
        ("placed_inside", "egg_6", "jar_3"),
        ("placed_nextto", "jar_4", "jar_3"),
        ("part_of", "apple_5_part_1", "apple_5"),
    ):
        assert state.holds(fact[0], fact[1:])
    assert not state.holds("sliceable", ("apple_5_part_0",))
    universe = state.universe
    assert universe.of_types(("jar.n.01",)) == ["jar_3", "jar_4"]
    assert universe.of_types(("floor",)) == ["room_floor_kitchen_0"]
    assert universe.of_types(("part",)) == ["apple_5_part_0", "apple_5_part_1"]
    assert universe.of_types(("apple.n.01",)) == ["apple_5"]
    assert universe.of_types(("agent",)) == [AGENT]
    assert category("electric_refrigerator.n.01_12") == "electric_refrigerator.n.01"


def test_an_unknown_state_or_ability_is_named() -> None:
    for scene in (
        BehaviorScene((BehaviorObject("jar_1", "jar.n.01_1", states=("Opened",)),), ()),
        BehaviorScene((BehaviorObject("jar_1", "jar.n.01_1", abilities=("Opened",)),), ()),
    ):
        with pytest.raises(UnknownNameError, match="Opened"):
            initial_state(scene)


def test_an_unknown_variation_is_named() -> None:
    with pytest.raises(UnknownNameError, match="freeze_anywhere"):
        BehaviorSimulator(["freeze_everywhere"])


# ---------------------------------------------------------------------- places


def test_contents_move_with_their_container() -> None:
    done = run(
        "placed_inside egg_6 saucepan_12; placed_ontop saucepan_12 table_1",
        ["left_grasp saucepan_12", "open fridge_2", "left_place_inside fridge_2"],
    )
    assert holds(done, "inside", "egg_6", "fridge_2")
    assert holds(done, "inside", "egg_6", "saucepan_12")
    assert not holds(done, "ontop", "saucepan_12", "table_1")


def test_what_is_on_something_inside_is_inside_but_not_on_what_is_below() -> None:
    done = run(
        "placed_ontop egg_6 plate_10; placed_inside plate_10 jar_3; placed_ontop jar_3 table_1", []
    )
    assert holds(done, "inside", "egg_6", "jar_3")
    assert not holds(done, "inside", "egg_6", "table_1")
    assert not holds(done, "ontop", "egg_6", "table_1")


def test_nothing_reaches_into_a_closed_container_however_deep() -> None:
    facts = "placed_ontop egg_6 plate_10; placed_inside plate_10 fridge_2"
    assert kinds(run(facts, ["right_grasp egg_6"])) == ["missing_step"]
    assert kinds(run(facts, ["open fridge_2", "right_grasp egg_6"])) == []


@pytest.mark.parametrize(
    ("around", "soaks"),
    [
        ("placed_inside rag_9 sink_8; toggled_on sink_8", True),
        ("placed_inside rag_9 plate_10; placed_inside plate_10 sink_8; toggled_on sink_8", True),
        ("placed_inside rag_9 sink_8", False),
        ("placed_nextto rag_9 sink_8; toggled_on sink_8", False),
        ("placed_inside rag_9 saucepan_12", False),  # of the pots a teapot only, as published
    ],
)
def test_soaking_needs_running_water(around: str, soaks: bool) -> None:
    assert run(around, ["soak rag_9"]).completed is soaks


@pytest.mark.parametrize(
    ("facts", "left"),
    [
        ("holds_rh rag_9", {"stained"}),
        ("holds_rh rag_9; soaked rag_9", set()),
        ("holds_rh detergent_13", {"dusty"}),
        ("placed_inside plate_10 sink_8; toggled_on sink_8", set()),
    ],
)
def test_a_tool_cleans_what_it_is_for(facts: str, left: set[str]) -> None:
    done = run(f"{facts}; dusty plate_10; stained plate_10", ["clean plate_10"])
    assert done.completed
    assert {name for name in ("dusty", "stained") if f"{name} plate_10" in final(done)} == left


def test_cleaning_what_is_clean_is_an_additional_step() -> None:
    assert kinds(run("holds_rh rag_9", ["clean plate_10"])) == ["additional_step"]
    assert kinds(run("stained plate_10; holds_rh rag_9", ["clean plate_10"])) == ["missing_step"]


def test_something_released_lies_on_the_floor_if_there_is_only_one() -> None:
    steps = ["left_release egg_6"]
    assert holds(run("holds_lh egg_6", steps), "onfloor", "egg_6", "room_floor_kitchen_0")
    assert "placed_onfloor" not in str(final(run("holds_lh egg_6", steps, floors=2)))


# ---------------------------------------------------------------------- parts

SLICED = ("right_grasp knife_7", "slice apple_5")


def test_parts_take_the_place_and_the_states_of_the_whole() -> None:
    done = run("placed_inside apple_5 jar_4; open jar_4; frozen apple_5", SLICED)
    for name in ("apple_5_part_0", "apple_5_part_1", "apple_5"):
        assert holds(done, "inside", name, "jar_4")
        assert {f"frozen {name}", f"sliced {name}"} <= final(done)


def test_a_sliced_object_is_where_all_its_parts_are() -> None:
    steps = [*SLICED, "left_grasp apple_5_part_0", "left_place_inside jar_4"]
    one = run("placed_ontop apple_5 table_1; open jar_4", steps)
    assert not holds(one, "inside", "apple_5", "jar_4")
    assert not holds(one, "ontop", "apple_5", "table_1")
    more = [*steps, "left_grasp apple_5_part_1", "left_place_inside jar_4"]
    assert holds(
        run("placed_ontop apple_5 table_1; open jar_4", more), "inside", "apple_5", "jar_4"
    )


def test_a_sliced_object_is_in_a_state_if_all_its_parts_are() -> None:
    facts = "placed_inside apple_5 saucepan_12; frozen apple_5"
    one = run(facts, [*SLICED, "cook apple_5_part_0", "unfreeze apple_5_part_0"])
    assert not {"cooked apple_5", "frozen apple_5"} & final(one)
    both = run(facts, [*SLICED, "cook apple_5_part_0", "cook apple_5_part_1"])
    assert {"cooked apple_5", "frozen apple_5"} <= final(both)


def test_there_are_no_parts_before_and_no_whole_after_slicing() -> None:
    assert kinds(run("", ["left_grasp apple_5_part_0"])) == ["missing_step"]
    assert kinds(run("", [*SLICED, "left_grasp apple_5"])) == ["wrong_order"]
    assert kinds(run("", [*SLICED, "slice apple_5_part_0"])) == ["affordance"]


# ---------------------------------------------------------------------- variations


@pytest.mark.parametrize(
    ("variation", "facts", "steps", "plain", "varied"),
    [
        (
            "parts_before_slicing",
            "",
            ["left_grasp apple_5_part_0"],
            ["missing_step"],
            [],
        ),
        (
            "hand_free_for_states",
            "holds_rh knife_7; holds_lh egg_6",
            ["slice apple_5"],
            [],
            ["missing_step"],
        ),
        (
            "hand_free_for_states",
            "holds_rh knife_7; holds_lh egg_6; soaked rag_9; frozen apple_5",
            ["dry rag_9", "unfreeze apple_5"],
            [],
            ["missing_step"],
        ),
        ("freeze_anywhere", "", ["freeze egg_6"], ["missing_step"], []),
    ],
)
def test_a_variation_changes_what_can_be_done(
    variation: str, facts: str, steps: list[str], plain: list[str], varied: list[str]
) -> None:
    assert kinds(run(facts, steps)) == plain
    assert kinds(run(facts, steps, varied=[variation])) == varied


def test_parts_can_be_thought_to_be_sliced_again() -> None:
    done = run("", [*SLICED, "slice apple_5_part_0"], varied=["parts_sliced_again"])
    assert kinds(done) == ["additional_step"]


def test_inside_can_be_confined_to_the_own_container() -> None:
    facts = "placed_inside egg_6 jar_3; placed_inside jar_3 fridge_2"
    done = run(facts, [], varied=["inside_not_transitive"])
    assert holds(done, "inside", "egg_6", "jar_3")
    assert not holds(done, "inside", "egg_6", "fridge_2")


def test_a_new_relation_can_end_the_others() -> None:
    # jar_3 is next to the egg while the egg is in the hand; then the egg goes under it
    facts = "holds_lh egg_6; placed_nextto egg_6 jar_3; placed_nextto jar_3 egg_6"
    plain = final(run(facts, ["left_place_under jar_3"]))
    assert {"placed_under egg_6 jar_3", "placed_nextto egg_6 jar_3"} <= plain
    one = final(run(facts, ["left_place_under jar_3"], varied=["one_relation_a_pair"]))
    assert "placed_under egg_6 jar_3" in one
    assert "placed_nextto egg_6 jar_3" not in one
    assert "placed_nextto jar_3 egg_6" in one


def test_released_things_can_be_left_nowhere() -> None:
    steps = ["left_release egg_6"]
    done = run("holds_lh egg_6", steps, varied=["released_nowhere"])
    assert not holds(done, "onfloor", "egg_6", "room_floor_kitchen_0")


def test_cooking_can_be_confined_to_saucepans() -> None:
    pan = BehaviorScene(
        (
            BehaviorObject("egg_1", "egg.n.02_1", abilities=("Cooked",)),
            BehaviorObject("frying_pan_2", "frying_pan.n.01_1"),
        ),
        (("ontop", "egg_1", "frying_pan_2"),),
    )
    cook = [Action("cook", ("egg_1",))]
    state = initial_state(pan)
    assert execute(PLAIN, state, cook, agent=AGENT).completed
    only = BehaviorSimulator(["saucepan_only"])
    assert not execute(only, state, cook, agent=AGENT).completed


def test_every_variation_redefines_derived_predicates_of_the_domain() -> None:
    assert {name for bodies in VARIATIONS.values() for name in bodies} <= PLAIN.world.domain.derived
