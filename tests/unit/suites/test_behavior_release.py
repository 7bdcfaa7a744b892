"""BEHAVIOR's part of the release: what is read, how it is kept, and the scene that it makes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fake_operators_release
import fake_virtualhome_release
from eai.errors import DataError, DataMissingError, UnknownNameError
from eai.registry import suite
from eai.simulators.behavior import SceneObject
from eai.suites.behavior.annotations import (
    GoalTerm,
    definition_names,
    goal_conditions,
    object_states,
    subgoal_goal_terms,
)
from eai.suites.behavior.compact import CompactTask
from eai.suites.behavior.release import Archive, prompt_objects
from eai.suites.behavior.scenes import category_of, predicate_of, scene_of
from eai.suites.behavior.shelf import Shelf
from eai.suites.data import EAI_EVAL, release_folder
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


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    return write_wheel(tmp_path / "toy.whl")


@pytest.fixture
def shelf(tmp_path: Path, wheel: Path) -> Shelf:
    return Shelf(tmp_path / "compact", wheel=wheel)


@pytest.fixture
def cached(tmp_path: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's cache, filled from the toy release."""
    monkeypatch.setenv("EAI_CACHE", str(tmp_path / "cache"))
    Shelf(release_folder(EAI_EVAL) / "behavior-1", wheel=wheel).fill()


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
    with Archive(wheel) as archive:
        common = archive.common()
    assert dict(common.activities) == {SLICE: "slicing_fruit", MAIL: "sorting_mail"}
    assert common.actions == {"left_grasp": 1, "left_place_nextto_ontop": 2}
    assert common.predicates == {"open": 1, "toggled_on": 1, "ontop": 2}


def test_a_task_is_kept_as_the_release_has_it(wheel: Path) -> None:
    with Archive(wheel) as archive:
        task = archive.task(SLICE)
    assert (task.activity, task.place) == ("slicing_fruit", "Rs_int")
    assert task.instruction == "Slice the peach."
    assert task.objects[0] == ("peach_7", "peach.n.03_1", ("Sliced", "Frozen"))
    assert task.initial[4] == ("not", "dusty", "knife.n.01_1")
    assert task.goal == (
        "(and (sliced ?peach.n.03_1) (forall (?carton.n.02 - carton.n.02)"
        " (not (open ?carton.n.02))))"
    )
    assert task.plan == (
        ("RIGHT_REALEASE", "peach_7"),
        ("LEFT_PLACE_NEXTTO_ONTOP", "carton_3, peach_7"),
    )
    assert task.options == (
        ((("sliced", "peach.n.03_1"),),),
        ((("not", "open", "carton.n.02_1"),),),
    )
    assert [held for _, held in task.terms] == [False, True]


def test_a_scene_follows_the_order_of_its_objects(shelf: Shelf) -> None:
    scene = scene_of(shelf.task(SLICE))
    assert scene.objects == (
        SceneObject("peach_7", "peach.n.03_1", abilities=("Frozen", "Sliced"), states=("Frozen",)),
        SceneObject("peach_7_part_0", "peach.n.03_1", part=True, abilities=("Frozen",)),
        SceneObject("peach_7_part_1", "peach.n.03_1", part=True, abilities=("Frozen",)),
        SceneObject(
            "table_knife_0", "knife.n.01_1", abilities=("Dusty", "Slicer"), states=("Slicer",)
        ),
        SceneObject("room_floor_kitchen_0", "floor.n.01_1", floor=True, abilities=("Stained",)),
        SceneObject("carton_3", "carton.n.02_1", abilities=("Open",), states=("Open",)),
    )
    assert scene.relations == (
        ("inside", "peach_7", "carton_3"),
        ("onfloor", "peach_7", "room_floor_kitchen_0"),
        ("ontop", "table_knife_0", "carton_3"),
    )


def test_a_carton_that_is_said_to_be_closed_is_closed(shelf: Shelf) -> None:
    things = {thing.name: thing for thing in scene_of(shelf.task(MAIL)).objects}
    assert things["carton_0"].states == ()
    assert things["hand_towel_1"].states == ("CleaningTool", "ToggledOn")


def test_a_relation_of_the_goal_that_held_is_in_the_scene(shelf: Shelf) -> None:
    relations = scene_of(shelf.task(MAIL)).relations
    assert relations == (("nextto", "envelope_143", "envelope_144"),)


def test_names_of_states_and_categories() -> None:
    assert [predicate_of(name) for name in ("ToggledOn", "OnTop")] == ["toggled_on", "ontop"]
    assert category_of("room_floor_living_room_0") == "room_floor_living_room"


def test_tasks_are_read_back_as_they_were_made(shelf: Shelf, wheel: Path) -> None:
    assert shelf.fill() == 2
    names = {path.name for path in shelf.folder.iterdir()}
    assert names == {"common.json", f"{SLICE}.json", f"{MAIL}.json"}
    with Archive(wheel) as archive:
        made = [archive.task(demo) for demo in (SLICE, MAIL)]
        common = archive.common()
    wheel.unlink()
    again = Shelf(shelf.folder)
    assert again.ids == (SLICE, MAIL)
    assert again.common == common
    assert [again.task(demo) for demo in again.ids] == made


def test_options_share_their_literals(shelf: Shelf) -> None:
    content = shelf.task(MAIL).to_json()
    assert content["options"] == [[[0], [1]]]
    again = CompactTask.from_json(json.loads(json.dumps(content)))
    assert again == shelf.task(MAIL)


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
    with Archive(wheel) as archive, pytest.raises(DataError, match=name):
        archive.common()


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
    with Archive(wheel) as archive, pytest.raises(DataError, match=name):
        archive.task(SLICE)


def test_a_prompt_of_other_objects_is_told(tmp_path: Path) -> None:
    other = json.dumps([{"identifier": SLICE, "llm_prompt": prompt(MAIL)}])
    wheel = write_wheel(tmp_path / "bad.whl", {PROMPTS: other})
    said = "peach.n.03_1 stands where the prompt has envelope_143"
    with Archive(wheel) as archive, pytest.raises(DataError, match=said):
        archive.task(SLICE)


@pytest.mark.usefixtures("cached")
def test_annotations_are_read_by_demo() -> None:
    assert goal_conditions(SLICE)[1] == ((("not", "open", "carton.n.02_1"),),)
    assert object_states(SLICE)["peach.n.03_1"] == ("Sliced", "Frozen")
    assert definition_names(SLICE)["carton.n.02_1"] == "carton_3"
    assert subgoal_goal_terms(MAIL) == (
        GoalTerm(("nextto", "envelope.n.01_1", "envelope.n.01_2"), held=True),
    )


@pytest.mark.usefixtures("cached")
def test_an_unknown_demo_is_told_with_its_neighbours() -> None:
    with pytest.raises(UnknownNameError, match="sorting_mail_0_Rs_int_0"):
        goal_conditions(MAIL[:-1])


def test_without_the_release_the_command_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EAI_CACHE", str(tmp_path))
    with pytest.raises(DataMissingError, match="eai data fetch eai"):
        object_states(SLICE)


def converted(*, force: bool = False) -> int:
    """How many tasks the suites of the release converted."""
    stores = [store for name in EAI_EVAL.suites for store in suite(name).stores()]
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
    monkeypatch.setattr("eai.suites.shelf.located", lambda _: both)
    assert converted() == 6
    folders = [path.name for path in sorted(release_folder(EAI_EVAL).iterdir())]
    assert folders == [
        "behavior-1",
        "transition-behavior-1",
        "transition-virtualhome-1",
        "virtualhome-1",
    ]
    assert converted() == 0
    assert converted(force=True) == 6
