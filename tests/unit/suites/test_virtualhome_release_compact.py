"""The compact form of tasks, and the shelf that they are kept on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from eai.errors import DataError, DataMissingError, UnknownNameError
from eai.suites.virtualhome.compact import CompactTask, Scene, compact, expand, scene_of
from eai.suites.virtualhome.release import Annotation, Archive, Edge, Graph, Node, Program
from eai.suites.virtualhome.shelf import Shelf
from fake_virtualhome_release import write_wheel

ANNOTATION = Annotation("7_1", "Wash", ({"id": 1, "class_name": "cup", "state": "ON"},), (), None)
PROGRAM = Program("Wash", "I wash", (("WALK", (("cup", 1),)),))
FLAT = ((1, "bathroom"), (2, "cup"), (65, "character"))


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Graphs over the same flat, with some objects more."""
    added = draw(st.lists(st.integers(1000, 1005), unique=True).map(sorted))
    words = st.lists(st.sampled_from(["CLEAN", "ON", "OFF"]), unique=True).map(sorted).map(tuple)
    nodes = {
        number: Node(number, name, "Props", draw(words), draw(words))
        for number, name in (*FLAT, *((number, "plate") for number in added))
    }
    ends = st.sampled_from(list(nodes))
    relation = st.sampled_from(["ON", "CLOSE", "INSIDE"])
    edges = draw(st.frozensets(st.tuples(relation, ends, ends), max_size=12))
    return Graph(nodes, frozenset[Edge](edges))


@settings(max_examples=60, deadline=None)
@given(graphs(), graphs())
def test_a_task_is_the_scene_and_its_differences(first: Graph, other: Graph) -> None:
    scene = scene_of(first, {"7_1": "Wash"})
    for graph in (first, other):
        task = compact(ANNOTATION, PROGRAM, graph, relevant=(65, 2), scene=scene)
        assert expand(task, scene) == graph
        assert task.relevant == [2, 65]
        assert CompactTask.from_json(json.loads(json.dumps(task.to_json()))) == task
    assert Scene.from_json(json.loads(json.dumps(scene.to_json()))) == scene


@settings(max_examples=30, deadline=None)
@given(graphs())
def test_the_scene_itself_differs_only_in_what_a_task_adds(graph: Graph) -> None:
    scene = scene_of(graph, {})
    task = compact(ANNOTATION, PROGRAM, graph, relevant=(), scene=scene)
    named = [*task.facts.properties.values(), *task.facts.states.values()]
    assert all(number >= 1000 for numbers in named for number in numbers)
    assert [number for number, _, _ in scene.nodes] == [1, 2, 65]


def test_a_graph_of_another_flat_is_refused() -> None:
    scene = scene_of(Graph({1: Node(1, "bathroom", "Rooms")}, frozenset()), {})
    other = Graph({1: Node(1, "kitchen", "Rooms")}, frozenset())
    with pytest.raises(DataError, match="task 7_1 is not in the scene"):
        compact(ANNOTATION, PROGRAM, other, relevant=(), scene=scene)


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    return write_wheel(tmp_path / "toy.whl")


@pytest.fixture
def shelf(tmp_path: Path, wheel: Path) -> Shelf:
    return Shelf(tmp_path / "compact", wheel=wheel)


def test_filling_makes_one_file_for_each_task(shelf: Shelf) -> None:
    told: list[tuple[str, int, int]] = []
    assert shelf.fill(progress=lambda *news: told.append(news)) == 2
    assert sorted(path.name for path in shelf.folder.iterdir()) == [
        "1_1.json",
        "2_1.json",
        "scene.json",
    ]
    assert told == [("converting", 1, 2), ("converting", 2, 2)]
    assert shelf.fill() == 0
    assert shelf.fill(force=True) == 2


def test_filled_shelves_do_not_need_the_release(shelf: Shelf, wheel: Path) -> None:
    shelf.fill()
    with Archive(wheel) as archive:
        graph, relevant = archive.graphs("2_1")
    wheel.unlink()
    again = Shelf(shelf.folder, wheel=wheel)
    task = again.task("2_1")
    assert list(again.scene.names) == ["1_1", "2_1"]
    assert expand(task, again.scene) == graph
    assert frozenset(task.relevant) == relevant
    assert task.description == "Take a knife"


def test_missing_files_are_made_when_they_are_asked_for(shelf: Shelf) -> None:
    task = shelf.task("2_1")
    assert sorted(path.name for path in shelf.folder.iterdir()) == ["2_1.json", "scene.json"]
    assert Shelf(shelf.folder, wheel=shelf.folder / "absent").task("2_1") == task


def test_only_the_files_of_the_task_are_read(shelf: Shelf, wheel: Path) -> None:
    shelf.fill()
    (shelf.folder / "1_1.json").unlink()
    assert Shelf(shelf.folder, wheel=wheel).task("2_1").id == "2_1"
    assert not (shelf.folder / "1_1.json").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": 0}', '{"format": 1}'])
@pytest.mark.parametrize("name", ["scene", "1_1"])
def test_damaged_and_old_files_are_made_anew(
    name: str, text: str, shelf: Shelf, wheel: Path
) -> None:
    good = shelf.task("1_1")
    path = shelf.folder / f"{name}.json"
    content = path.read_bytes()
    path.write_text(text)
    again = Shelf(shelf.folder, wheel=wheel)
    assert again.task("1_1") == good
    assert path.read_bytes() == content
    path.write_text(text)
    assert Shelf(shelf.folder, wheel=wheel).fill() == (2 if name == "1_1" else 1)
    assert path.read_bytes() == content


def test_an_unknown_task_is_told_with_its_neighbours(shelf: Shelf) -> None:
    with pytest.raises(UnknownNameError, match="no task named '1_2'") as caught:
        shelf.task("1_2")
    assert "1_1" in caught.value.suggestions


def test_a_file_that_cannot_be_read_is_told(shelf: Shelf) -> None:
    (shelf.folder / "scene.json").mkdir(parents=True)
    with pytest.raises(DataError, match="cached task cannot be read") as caught:
        _ = shelf.scene
    assert "EAI_CACHE" in str(caught.value)


def test_without_the_release_the_command_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EAI_CACHE", str(tmp_path))
    with pytest.raises(DataMissingError, match="eai data fetch eai"):
        Shelf().task("1_1")


def test_tasks_of_another_flat_are_told_as_damage(tmp_path: Path, wheel: Path) -> None:
    shelf = Shelf(tmp_path / "compact", wheel=wheel)
    scene = shelf.scene
    shelf.common = scene._replace(nodes=[*scene.nodes, (999, "ghost", "Props")])
    with pytest.raises(DataError, match="not in the scene"):
        shelf.task("1_1")
