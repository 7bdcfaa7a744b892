"""BEHAVIOR's part of the release: what is read, how it is kept, and the scene that it makes."""

from __future__ import annotations

import json
from pathlib import Path

import fake_operators_release
import fake_virtualhome_release
import pytest
from fake_behavior_release import (
    DEFINITIONS,
    DEMOS,
    GOALS,
    MAIL,
    PLANS,
    PROMPTS,
    SLICE,
    STATS,
    TERMS,
    VOCABULARY,
    prompt,
    write_wheel,
)

from eai.contract import needed_extension
from eai.contract.registry import suite
from eai.errors import DataError, DataMissingError, UnknownNameError
from eai.simulators.behavior import BehaviorObject
from eai.suites.behavior.goals import definition_names, published_options
from eai.suites.behavior.release import BehaviorArchive, prompt_objects
from eai.suites.behavior.scenes import category_of, predicate_of
from eai.suites.behavior.tasks import BehaviorStore
from eai.suites.shared.data import EAI_EVAL, release_folder
from eai.suites.shared.store import StoredStart


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    return write_wheel(tmp_path / "toy.whl")


@pytest.fixture
def cached(tmp_path: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's cache, filled from the toy release."""
    monkeypatch.setenv("EAI_CACHE", str(tmp_path / "cache"))
    BehaviorStore(wheel=wheel).fill()


def test_the_objects_are_those_behind_the_task() -> None:
    assert prompt_objects(prompt(MAIL)) == [
        ("envelope_143", "envelope.n.01"),
        ("envelope_144", "envelope.n.01"),
        ("hand_towel_1", "towel.n.01"),
        ("carton_0", "carton.n.02"),
    ]


@pytest.mark.parametrize("text", ["", "Your task:\n", "interactable objects:\nYour task:\n"])
def test_a_prompt_without_objects_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no objects"):
        prompt_objects(text)


def test_what_all_tasks_share(wheel: Path) -> None:
    with BehaviorArchive(wheel) as archive:
        common = archive.collection()
    assert common.names == {SLICE: "slicing fruit", MAIL: "sorting mail"}
    assert common.actions == {"left_grasp": 1, "left_place_nextto_ontop": 2}
    assert common.predicates == {"open": 1, "toggled_on": 1, "ontop": 2}


def test_a_task_is_kept_as_the_release_has_it(wheel: Path) -> None:
    with BehaviorArchive(wheel) as archive:
        task = archive.task(SLICE, archive.collection())
    assert (task.name, task.instruction) == ("slicing fruit", "Slice the peach.")
    assert (task.metadata["activity"], task.metadata["scene"]) == ("slicing_fruit", "Rs_int")
    assert task.metadata["names"]["peach.n.03_1"] == "peach_7"
    assert task.metadata["states"]["peach.n.03_1"] == ("Sliced", "Frozen")
    assert task.goal["text"] == (
        "(and (sliced peach_7) (forall (?carton.n.02 - carton.n.02) (not (open ?carton.n.02))))"
    )
    assert task.plans == [
        [["right_realease", "peach_7"], ["left_place_nextto_ontop", "carton_3", "peach_7"]]
    ]
    start = StoredStart(**json.loads(task.start))
    assert start.types == {"peach.n.03": "thing", "knife.n.01": "thing", "floor.n.01": "floor"} | {
        "carton.n.02": "thing"
    }
    assert start.objects["peach_7"] == "peach.n.03"
    assert start.objects["peach_7_part_0"] == "part"


def test_a_scene_follows_the_order_of_its_objects(wheel: Path) -> None:
    with BehaviorArchive(wheel) as archive:
        scene = archive.scene(SLICE)
    assert scene.objects == (
        BehaviorObject(
            "peach_7", "peach.n.03_1", abilities=("Frozen", "Sliced"), states=("Frozen",)
        ),
        BehaviorObject("peach_7_part_0", "peach.n.03_1", part=True, abilities=("Frozen",)),
        BehaviorObject("peach_7_part_1", "peach.n.03_1", part=True, abilities=("Frozen",)),
        BehaviorObject(
            "table_knife_0", "knife.n.01_1", abilities=("Dusty", "Slicer"), states=("Slicer",)
        ),
        BehaviorObject("room_floor_kitchen_0", "floor.n.01_1", floor=True, abilities=("Stained",)),
        BehaviorObject("carton_3", "carton.n.02_1", abilities=("Open",), states=("Open",)),
    )
    assert scene.relations == (
        ("inside", "peach_7", "carton_3"),
        ("onfloor", "peach_7", "room_floor_kitchen_0"),
        ("ontop", "table_knife_0", "carton_3"),
    )


def test_a_carton_that_is_said_to_be_closed_is_closed(wheel: Path) -> None:
    with BehaviorArchive(wheel) as archive:
        things = {thing.name: thing for thing in archive.scene(MAIL).objects}
    assert things["carton_0"].states == ()
    assert things["hand_towel_1"].states == ("CleaningTool", "ToggledOn")


def test_a_relation_of_the_goal_that_held_is_in_the_scene(wheel: Path) -> None:
    with BehaviorArchive(wheel) as archive:
        assert archive.scene(MAIL).relations == (("nextto", "envelope_143", "envelope_144"),)


def test_names_of_states_and_categories() -> None:
    assert [predicate_of(name) for name in ("ToggledOn", "OnTop")] == ["toggled_on", "ontop"]
    assert category_of("room_floor_living_room_0") == "room_floor_living_room"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (DEMOS, "[]"),
        (DEMOS, "{"),
        (DEMOS, None),
        (STATS, "{}"),
        (VOCABULARY, '{"action_param": 3}'),
        (f"{GOALS}/object_states.json", "[]"),
    ],
)
def test_damage_of_what_is_shared_is_told(name: str, text: str | None, tmp_path: Path) -> None:
    wheel = write_wheel(tmp_path / "bad.whl", {name: text})
    with BehaviorArchive(wheel) as archive, pytest.raises(DataError, match=name):
        archive.collection()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (STATS, f'{{"{SLICE}": {{}}}}'),
        (f"{GOALS}/instructions_by_activity_name.json", "{}"),
        (f"{GOALS}/all_conditions.json", f'{{"{SLICE}": {{"initial_conditions": 1}}}}'),
        (f"{GOALS}/all_objects.json", f'{{"{SLICE}": {{"peach.n.03_1": []}}}}'),
        (PROMPTS, "[]"),
        (f"{PLANS}/{SLICE}.json", '[{"action": "OPEN"}]'),
        (f"{PLANS}/{SLICE}.json", None),
        (f"{DEFINITIONS}/{SLICE}.pddl", "(define)"),
        (f"{DEFINITIONS}/{SLICE}.pddl", "(:goal (and"),
        (TERMS, f'{{"{SLICE}": {{"subgoals": [], "subgoal_success": [true]}}}}'),
    ],
)
def test_damage_of_a_task_is_told(name: str, text: str | None, tmp_path: Path) -> None:
    wheel = write_wheel(tmp_path / "bad.whl", {name: text})
    with BehaviorArchive(wheel) as archive, pytest.raises(DataError, match=name):
        archive.task(SLICE, archive.collection())


def test_a_prompt_of_other_objects_is_told(tmp_path: Path) -> None:
    other = json.dumps([{"identifier": SLICE, "llm_prompt": prompt(MAIL)}])
    wheel = write_wheel(tmp_path / "bad.whl", {PROMPTS: other})
    said = "peach.n.03_1 stands where the prompt has envelope_143"
    with BehaviorArchive(wheel) as archive, pytest.raises(DataError, match=said):
        archive.task(SLICE, archive.collection())


@pytest.mark.usefixtures("cached")
def test_annotations_are_read_by_demo() -> None:
    task = suite("behavior").task(SLICE)
    assert published_options(task)[1] == [[["not", "open", "carton.n.02_1"]]]
    assert definition_names(task)["carton.n.02_1"] == "carton_3"


@pytest.mark.usefixtures("cached")
def test_an_unknown_demo_is_told_with_its_neighbours() -> None:
    with pytest.raises(UnknownNameError, match="sorting_mail_0_Rs_int_0"):
        suite("behavior").task(MAIL[:-1])


def test_without_the_release_the_command_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EAI_CACHE", str(tmp_path))
    with pytest.raises(DataMissingError, match="eai data fetch eai"):
        suite("behavior").task(SLICE)


def converted(*, force: bool = False) -> int:
    """How many tasks the suites of the release converted."""
    stores = [
        store
        for name in EAI_EVAL.suites
        for store in needed_extension("eai.stores", suite(name))(suite(name))
    ]
    return sum(store.fill(force=force) for store in stores)


def test_fetching_converts_both_environments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        **fake_virtualhome_release.contents(),
        **fake_operators_release.contents("virtualhome", "2_1", folder="Cut_bread/"),
        **fake_operators_release.contents("behavior", "demo_1"),
    }
    both = write_wheel(tmp_path / "both.whl", {**files})
    monkeypatch.setenv("EAI_CACHE", str(tmp_path))
    monkeypatch.setattr("eai.suites.shared.store.located", lambda _: both)
    assert converted() == 6
    folders = [path.name for path in sorted(release_folder(EAI_EVAL).iterdir())]
    names = ["behavior", "transition-behavior", "transition-virtualhome", "virtualhome"]
    assert [name.rpartition("-")[0] for name in folders] == names
    assert converted() == 0
    assert converted(force=True) == 6
