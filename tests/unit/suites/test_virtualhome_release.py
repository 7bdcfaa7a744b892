"""Reading VirtualHome's part of a release out of the wheel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fake_virtualhome_release import (
    DIRTY_DESK,
    EDGES,
    FLAT,
    GRAPHS,
    PART,
    RESOURCES,
    SET,
    edge,
    node,
    write_wheel,
)
from hypothesis import HealthCheck, given, settings, strategies as st

from eai.errors import DataError
from eai.suites.virtualhome.release import HomeArchive, relevant

GOALS = f"{RESOURCES}/task_state_LTL_formula_accurate.json"
GRAPH = f"{SET}/init_and_final_graphs/{PART}/file1_1.json"
PROGRAM = f"{SET}/executable_programs/{PART}/file1_1.txt"


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    return write_wheel(tmp_path / "toy.whl")


def graph(*nodes: dict[str, Any], edges: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    return {"nodes": list(nodes), "edges": list(edges)}


def read_all(wheel: Path) -> int:
    with HomeArchive(wheel) as archive:
        for task in archive.annotations:
            archive.program(task)
            archive.graphs(task)
        return len([archive.task(task, archive.collection()) for task in archive.annotations])


def test_annotations_keep_their_order_and_every_goal(wheel: Path) -> None:
    with HomeArchive(wheel) as archive:
        shared = archive.collection()
        first, second = (archive.task(task, shared) for task in shared.names)
    assert (first.id, first.name) == ("1_1", "Turn on light")
    assert first.goal == {
        "text": "(ON(lamp.1000) and NEXT_TO(character.65, lamp.1000))",
        "final": [["on", "lamp.1000"], *[["next_to", "character.65", "lamp.1000"]] * 2],
        "actions": ["LOOKAT|WATCH", "LOOKAT|WATCH"],
    }
    assert (second.id, second.goal) == ("2_1", {"text": "", "final": [], "actions": []})


def test_a_program_has_two_lines_of_words_and_then_steps(wheel: Path) -> None:
    with HomeArchive(wheel) as archive:
        assert archive.program("1_1") == (
            "I turn on the lamp",
            [["walk", "lamp.1000"], ["switchon", "lamp.1000"]],
        )
        assert archive.program("2_1")[1] == [
            ["standup"],
            ["putback", "butter_knife.1001", "desk.70"],
        ]


def test_a_graph_has_its_objects_by_ascending_id(wheel: Path) -> None:
    with HomeArchive(wheel) as archive:
        found, _ = archive.graphs("1_1")
    assert list(found.names) == [1, 65, 70, 1000]
    assert found.types["bathroom.1"] == "room"
    of_lamp = {atom[0] for atom in found.atoms if atom[1:] == ("lamp.1000",)}
    assert of_lamp == {"clean", "off", "has_switch"}
    assert ("ontop", "lamp.1000", "desk.70") in found.atoms
    assert sum(len(atom) == 3 for atom in found.atoms) == 4


def test_what_the_gold_plan_changes_is_relevant(wheel: Path) -> None:
    with HomeArchive(wheel) as archive:
        assert archive.graphs("1_1")[1] == {1000}
        assert archive.graphs("2_1")[1] == {65, 1001}


@pytest.mark.parametrize(
    ("before", "after", "ids"),
    [
        (graph(*FLAT), graph(*reversed(FLAT)), set()),
        (graph(DIRTY_DESK), graph({**DIRTY_DESK, "properties": ["SURFACES", "MOVABLE"]}), set()),
        (graph(node(3, "cup")), graph(node(3, "mug")), {3}),
        (graph(node(3, "cup")), graph(node(3, "cup", "Props")), {3}),
        (graph(node(3, "cup")), graph({**node(3, "cup"), "prefab_name": "Cup_1"}), {3}),
        (graph(node(3, "cup")), graph({**node(3, "cup"), "bounding_box": {"size": [1]}}), {3}),
        (graph(node(3, "cup")), graph(node(3, "cup", properties=("MOVABLE",))), {3}),
        (graph(node(3, "cup")), graph(node(3, "cup"), node(4, "cup")), {4}),
        (graph(edges=(edge(3, "ON", 4),)), graph(), {3, 4}),
        (graph(edges=(edge(3, "ON", 4),)), graph(edges=(edge(3, "CLOSE", 4),)), {3, 4}),
        (graph(edges=(edge(3, "ON", 4),)), graph(edges=(edge(3, "ON", 4),) * 2), set()),
    ],
)
def test_every_difference_makes_relevant(
    before: dict[str, Any], after: dict[str, Any], ids: set[int]
) -> None:
    assert relevant(before, after) == ids
    assert relevant(after, before) == ids


def test_a_file_that_is_no_wheel_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.whl").write_bytes(b"not a zip")
    for name in ("x.whl", "absent.whl"):
        with pytest.raises(DataError, match="release cannot be read") as caught:
            HomeArchive(tmp_path / name)
        assert caught.value.mend == "eai data fetch eai --force"
        assert name in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (GOALS, None),
        (GOALS, "{"),
        (GOALS, "[]"),
        (GOALS, '{"scene_1": {}}'),
        (GOALS, '{"scene_2": {}}'),
        (GOALS, '{"scene_1": {"Turn on light": {"1_1": {"tl_goal": null}}}}'),
        (GOALS, '{"scene_1": {"A": {"1_1": {"vh_goal": {"goal": [], "actions": []}}}}}'),
        (f"{RESOURCES}/id2task.json", '{"1_1": "Cut bread", "2_1": "Cut bread"}'),
        (f"{RESOURCES}/id2task.json", "[1]"),
        (GRAPH, None),
        (GRAPH, "[" * 100_000),
        (GRAPH, '{"init_graph": {"nodes": [], "edges": []}}'),
        (GRAPH, '{"init_graph": {"nodes": [1], "edges": []}, "final_graph": {}}'),
        (GRAPH, '{"init_graph": null, "final_graph": null}'),
        (PROGRAM, None),
        (PROGRAM, ""),
        (PROGRAM, "one line"),
        (PROGRAM, "name\nwords\n[WALK] lamp (1.1000)"),
        (PROGRAM, "name\nwords\n[WALK] <lamp> (1000)"),
    ],
)
def test_unexpected_contents_are_told_with_the_name_of_the_file(
    name: str, text: str | None, tmp_path: Path
) -> None:
    wheel = write_wheel(tmp_path / "toy.whl", {name: text})
    with pytest.raises(DataError) as caught:
        read_all(wheel)
    assert name in str(caught.value)
    assert str(wheel) in str(caught.value)


def test_an_edge_to_nowhere_is_told(tmp_path: Path) -> None:
    bad = graph(*FLAT, edges=(*EDGES, edge(1, "ON", 999)))
    text = json.dumps({"init_graph": bad, "final_graph": GRAPHS["1_1"]["final_graph"]})
    wheel = write_wheel(tmp_path / "toy.whl", {GRAPH: text})
    with HomeArchive(wheel) as archive, pytest.raises(DataError, match="unknown nodes 1 and 999"):
        archive.graphs("1_1")


@settings(
    max_examples=150,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(place=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255), cut=st.booleans())
def test_a_damaged_wheel_is_read_or_refused(
    *, place: float, flip: int, cut: bool, wheel: Path
) -> None:
    content = bytearray(write_wheel(wheel).read_bytes())
    at = int(place * len(content))
    content[at] ^= flip
    wheel.write_bytes(content[:at] if cut else content)
    try:
        read = read_all(wheel)
    except DataError as error:
        told = error.where
    else:
        assert read == 2
        return
    assert told == str(wheel)
