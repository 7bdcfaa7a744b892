"""The BEHAVIOR data of the official release, against what is known of it.

``eai/b_stub_world.json.gz`` of the recordings has each demo's objects, relations and goals as
another program found them, which ran the published evaluator in a symbolic world.
"""

from __future__ import annotations

import gzip
import json
import re
import time
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import pytest
from needs import facts, recordings

from eai.logic import final
from eai.pddl import format_bddl, read_bddl
from eai.simulators import BehaviorSimulator, execute
from eai.suites.behavior import Behavior
from eai.suites.behavior.goals import bind_names, goal_options, with_tested_goal
from eai.suites.behavior.release import BehaviorArchive
from eai.suites.behavior.tasks import BehaviorStore
from eai.task import Task

pytestmark = pytest.mark.official

WORLD = ("eai", "b_stub_world.json.gz")

HELD_AT_THE_START = {
    "cleaning_bedroom": ("nextto", "vacuum_51", "bed_10"),
    "cleaning_sneakers": ("nextto", "scrub_brush_84", "hand_towel_83"),
}
"""Relations that no initial condition states, but that held in the simulator.

The other program's world does not have them. The release is right: it says so itself
(``error_list_dict.json``), and the annotated plan for the bedroom needs it.
"""

OTHER_GOAL = {"sorting_mail", "organizing_school_stuff", "rearranging_furniture"}
"""Demos whose options and checked terms come from an older version of the goal."""


@pytest.fixture(scope="module")
def store(official_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> BehaviorStore:
    made = BehaviorStore(tmp_path_factory.mktemp("behavior"), wheel=official_wheel)
    assert made.fill() == 100
    return made


@pytest.fixture(scope="module")
def tasks(store: BehaviorStore) -> list[Task]:
    return [store.load(demo) for demo in store.ids]


@pytest.fixture(scope="module")
def world() -> Mapping[str, Any]:
    path = facts(*WORLD)
    content: Mapping[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return content


def test_what_there_is(store: BehaviorStore, tasks: list[Task]) -> None:
    assert len({task.name for task in tasks}) == len(tasks) == 100
    assert len({about(task)["scene"] for task in tasks}) == 15
    assert sum(len(task.plans[0]) for task in tasks) == 1455
    assert len(store.shared.actions) == 30
    assert all(task.instruction for task in tasks)


@recordings(*WORLD)
def test_scenes_are_those_of_the_other_program(
    tasks: list[Task], official_wheel: Path, world: Mapping[str, Any]
) -> None:
    assert [task.id for task in tasks] == list(world)
    added = {}
    with BehaviorArchive(official_wheel) as archive:
        scenes = {task.id: archive.scene(task.id) for task in tasks}
    for task in tasks:
        scene, other = scenes[task.id], world[task.id]
        assert [
            {
                "bddl": thing.bddl,
                "name": thing.name,
                "floor": thing.floor,
                "part": thing.part,
                "states": list(thing.abilities),
                "true": list(thing.states),
            }
            for thing in scene.objects
        ] == other["objects"]
        theirs = [tuple(relation) for relation in other["relations"]]
        ours = list(scene.relations)
        if ours != theirs:
            (added[about(task)["activity"]],) = [
                relation for relation in ours if relation not in theirs
            ]
            assert [relation for relation in ours if relation in theirs] == theirs
    assert added == HELD_AT_THE_START


def about(task: Task) -> Any:
    """What the release says beside the task."""
    return task.metadata


def _flat(condition: str) -> list[str]:
    return re.findall(r"[^\s()?]+", condition)


@recordings(*WORLD)
def test_goals_are_those_that_the_published_evaluator_evaluates(
    tasks: list[Task], world: Mapping[str, Any]
) -> None:
    different = set()
    for task in tasks:
        names = about(task)["names"]
        terms = [word for words in world[task.id]["goal_terms"] for word in words]
        tested = with_tested_goal(task, Behavior().semantics("official")).goal.text
        words = _flat(tested)
        assert words[words[0] == "and" :] == [names.get(word, word) for word in terms]
        if tested != task.goal.text:
            different.add(about(task)["activity"])
    assert different == {"sorting_mail"}


def test_every_goal_has_the_listed_number_of_options(
    tasks: list[Task],
) -> None:
    counts = [[each.count() for each in goal_options(t, forn="at least")] for t in tasks]
    for task, counted in zip(tasks, counts, strict=True):
        listed = [len(ways) for ways in about(task)["options"]]
        if about(task)["activity"] == "rearranging_furniture":
            assert (counted, listed) == ([1] * 3, [1] * 4)
        else:
            assert counted == listed
    assert sum(map(prod, counts)) == 416_441
    assert max(map(prod, counts)) == 331_776


def _formula(words: list[str], names: Mapping[str, str]) -> Any:
    return read_bddl(bind_names(f"({' '.join(words)})", names))


def test_the_listed_options_are_those_of_the_goals(
    tasks: list[Task],
) -> None:
    different = set()
    for task in tasks:
        names = about(task)["names"]
        for options, ways in zip(
            goal_options(task, forn="at least"), about(task)["options"], strict=False
        ):
            listed = {frozenset(_formula(words, names) for words in way) for way in ways}
            if set(options.enumerate().options) != listed:
                different.add(about(task)["activity"])
    assert different == OTHER_GOAL


def test_the_start_satisfies_what_held_in_the_simulator(
    tasks: list[Task],
) -> None:
    """Of 363 conditions one differs: the sheet that is said to lie on the table does not."""
    compared, different, simulator = 0, [], BehaviorSimulator()
    for task in tasks:
        start = execute(simulator, task.start, (), agent=task.agent).trajectory
        names = about(task)["names"]
        held = {tuple(names.get(w, w) for w in words): held for words, held in about(task)["terms"]}
        for _, condition in task.goal.final[0]:
            words = tuple(_flat(format_bddl(condition)))
            compared += words in held
            if words in held and final(condition, start) != held[words]:
                different.append((about(task)["activity"], words[0]))
    assert compared == 363
    assert different == [("putting_away_Halloween_decorations", "or")]


def test_one_annotation_is_misspelt_and_stays_so(tasks: list[Task]) -> None:
    outside = [
        (task.name, str(step.name))
        for task in tasks
        for step in task.plans[0]
        if task.vocabulary.actions.get(step.name) != len(step.arguments)
        or not set(step.arguments) <= task.vocabulary.objects
    ]
    assert outside == [("preserving food", "right_realease")]


def test_loading_is_fast(store: BehaviorStore) -> None:
    library = BehaviorStore(store.folder)
    library.load(library.ids[0])
    began = time.process_time()
    for demo in library.ids:
        assert library.load(demo).goal.final
    assert time.process_time() - began < 7  # about 0.06 s when nothing else runs
