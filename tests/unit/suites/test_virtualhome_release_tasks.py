"""From the release to tasks."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from fake_virtualhome_release import GRAPHS, PART, SET, edge, node, write_wheel

from eai.errors import DataError, DataMissingError, UnknownNameError
from eai.logic import And, Atom, Formula, LogicVocabulary, parse_formula
from eai.suites.shared.store import StoredTask
from eai.suites.virtualhome import tasks
from eai.suites.virtualhome.tasks import HomeStore
from eai.task import ActionGoal
from eai.world import Action, State, Universe

GRAPH = f"{SET}/init_and_final_graphs/{PART}/file{{}}.json"
LAMP_IS_ON = Atom("on", ("lamp.1000",))
NEXT_TO_LAMP = Atom("next_to", ("character.65", "lamp.1000"))


@pytest.fixture
def library(tmp_path: Path) -> HomeStore:
    wheel = write_wheel(tmp_path / "toy.whl")
    return HomeStore(tmp_path / "stored", wheel=wheel)


def test_the_words_of_a_task(library: HomeStore) -> None:
    assert library.ids == ("1_1", "2_1")
    task = library.load("1_1")
    assert (task.id, task.name, task.agent) == ("1_1", "Turn on light", "character.65")
    assert task.instruction == "I turn on the lamp"
    assert task.plans == ((Action("walk", ("lamp.1000",)), Action("switchon", ("lamp.1000",))),)


def test_objects_are_numbered_by_id_and_typed_by_category(library: HomeStore) -> None:
    universe = library.load("1_1").start.universe
    assert universe.names == ("bathroom.1", "character.65", "desk.70", "lamp.1000")
    assert universe.types == ("room", "character", "thing", "thing")


def test_the_start_has_states_properties_relations_and_classes(library: HomeStore) -> None:
    assert set(library.load("1_1").start.atoms()) == {
        Atom("clean", ("bathroom.1",)),
        Atom("clean", ("desk.70",)),
        Atom("surfaces", ("desk.70",)),
        Atom("movable", ("desk.70",)),
        Atom("openable", ("desk.70",)),
        Atom("has_switch", ("lamp.1000",)),
        Atom("off", ("lamp.1000",)),
        Atom("clean", ("lamp.1000",)),
        Atom("inside", ("character.65", "bathroom.1")),
        Atom("inside", ("desk.70", "bathroom.1")),
        Atom("next_to", ("desk.70", "character.65")),
        Atom("ontop", ("lamp.1000", "desk.70")),
    }


def test_a_task_sees_only_its_own_objects_and_changes(library: HomeStore) -> None:
    first = set(library.load("1_1").start.atoms())
    second = set(library.load("2_1").start.atoms())
    assert second == {
        Atom("clean", ("bathroom.1",)),
        Atom("dirty", ("desk.70",)),
        Atom("surfaces", ("desk.70",)),
        Atom("movable", ("desk.70",)),
        Atom("openable", ("desk.70",)),
        Atom("knife", ("butter_knife.1000",)),
        Atom("knife", ("butter_knife.1001",)),
        Atom("grabbable", ("butter_knife.1001",)),
        Atom("inside", ("character.65", "bathroom.1")),
        Atom("inside", ("desk.70", "bathroom.1")),
    }
    assert set(library.load("1_1").start.atoms()) == first


def test_changing_one_start_changes_no_other(library: HomeStore) -> None:
    before = set(library.load("2_1").start.atoms())
    start = library.load("1_1").start
    for predicate, objects in (
        ("inside", ("lamp.1000", "bathroom.1")),
        ("between", ("lamp.1000", "desk.70")),
        ("lookable", ("desk.70",)),
    ):
        start.add(predicate, objects)
    assert set(library.load("2_1").start.atoms()) == before
    assert not library.load("1_1").start.holds("between", ("lamp.1000", "desk.70"))


def test_rows_and_columns_agree(library: HomeStore) -> None:
    for task in library.ids:
        state = library.load(task).start
        size = len(state.universe)
        for p in state.layout.binary:
            rows, cols = state.rows[p], state.cols[p]
            assert len(rows) == len(cols) == size
            assert all(
                rows[a] >> b & 1 == cols[b] >> a & 1 for a in range(size) for b in range(size)
            )


def test_goals_annotated_twice_count_once(library: HomeStore) -> None:
    goal = library.load("1_1").goal
    assert goal.final == ((("state", LAMP_IS_ON), ("relation", NEXT_TO_LAMP)),)
    assert goal.actions == (ActionGoal(("lookat", "watch")),)


def test_the_formula_is_parsed_when_it_is_asked_for(
    library: HomeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []

    def parse(text: str, *, vocabulary: LogicVocabulary, source: str) -> Formula:
        parsed.append(text)
        return parse_formula(text, vocabulary=vocabulary, source=source)

    tasks._parse.cache_clear()
    monkeypatch.setattr("eai.suites.virtualhome.tasks.logic.parse_formula", parse)
    goal, again = library.load("1_1").goal, library.load("1_1").goal
    assert parsed == []
    assert goal.formula == And((LAMP_IS_ON, NEXT_TO_LAMP)) == again.formula
    assert parsed == [goal.text]


def test_a_task_without_a_goal_has_no_formula(library: HomeStore) -> None:
    goal = library.load("2_1").goal
    assert (goal.text, goal.formula, goal.final, goal.actions) == ("", None, ((),), ())


def test_goals_cross_process_borders(library: HomeStore) -> None:
    goal = library.load("1_1").goal
    copy = pickle.loads(pickle.dumps(goal))
    assert copy == goal
    assert copy.formula == goal.formula
    assert hash(copy) == hash(goal)


def test_the_vocabulary_is_what_the_plan_may_use(library: HomeStore) -> None:
    vocabulary = library.load("2_1").vocabulary
    assert vocabulary.objects == {"character.65", "butter_knife.1001"}
    assert vocabulary.classes == {
        "character": ("character.65",),
        "butter_knife": ("butter_knife.1001",),
    }
    assert len(vocabulary.actions) == 42
    assert [vocabulary.actions[name] for name in ("standup", "walk", "putback")] == [0, 1, 2]
    assert vocabulary.predicates["ontop"] == 2
    assert vocabulary.predicates["plugged_in"] == 1
    assert not {"near", "from_on"} & set(vocabulary.predicates)


def test_names_without_id_are_tried_by_ascending_id(tmp_path: Path) -> None:
    before = GRAPHS["2_1"]["init_graph"]
    after = {**before, "nodes": [node(1000, "x"), node(1001, "x"), *before["nodes"][:3]]}
    graphs = {"init_graph": before, "final_graph": after}
    wheel = write_wheel(tmp_path / "toy.whl", {GRAPH.format("2_1"): json.dumps(graphs)})
    task = HomeStore(tmp_path / "stored", wheel=wheel).load("2_1")
    knives = ("butter_knife.1000", "butter_knife.1001")
    assert task.vocabulary.classes["butter_knife"] == knives


@pytest.mark.parametrize(
    ("nodes", "edges", "word"),
    [
        ([node(2, "cup", states=("WOBBLY",))], [], "wobbly"),
        ([node(2, "cup"), node(3, "cup")], [edge(2, "NEAR", 3)], "NEAR"),
    ],
)
def test_facts_that_the_domain_does_not_know_are_told(
    nodes: list[dict[str, object]], edges: list[dict[str, object]], word: str, tmp_path: Path
) -> None:
    graph = {"nodes": nodes, "edges": edges}
    text = json.dumps({"init_graph": graph, "final_graph": graph})
    wheel = write_wheel(tmp_path / "toy.whl", {GRAPH.format("1_1"): text})
    library = HomeStore(tmp_path / "stored", wheel=wheel)
    with pytest.raises(DataError, match=word):
        library.load("1_1")


def test_the_start_is_made_when_it_is_asked_for(
    library: HomeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    enlarged = State.enlarged

    def counted(state: State, universe: Universe) -> State:
        made.append(universe)
        return enlarged(state, universe)

    monkeypatch.setattr(State, "enlarged", counted)
    task = library.load("1_1")
    assert task.plans
    assert not made
    assert task.start is task.start
    assert len(made) == 1


def test_a_task_is_read_when_more_than_its_name_is_needed(
    library: HomeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.fill()
    read: list[str] = []
    whole_task = HomeStore.task

    def counted(store: HomeStore, task: str) -> StoredTask:
        read.append(task)
        return whole_task(store, task)

    monkeypatch.setattr(HomeStore, "task", counted)
    task = library.load("1_1")
    assert (task.id, task.name) == ("1_1", library.shared.names["1_1"])
    assert not hasattr(task, "no_such_attribute")
    assert not read
    assert task.plans
    assert task.instruction
    assert task.name == library.task("1_1").name
    assert read == ["1_1", "1_1"]


def test_a_task_can_be_changed_and_crosses_process_borders(library: HomeStore) -> None:
    task = library.load("1_1")
    copy = pickle.loads(pickle.dumps(task))
    assert set(copy.start.atoms()) == set(task.start.atoms())
    assert (copy.goal, copy.vocabulary, copy.plans) == (task.goal, task.vocabulary, task.plans)
    renamed = replace(library.load("1_1"), name="Light")
    assert (renamed.name, renamed.plans) == ("Light", task.plans)


def test_an_unknown_task_is_told(library: HomeStore) -> None:
    with pytest.raises(UnknownNameError, match="did you mean"):
        library.load("1_2")


def test_the_cache_is_where_tasks_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EAI_CACHE", str(tmp_path))
    with pytest.raises(DataMissingError, match="eai data fetch eai"):
        list(HomeStore.opened().ids)
    HomeStore(wheel=write_wheel(tmp_path / "toy.whl")).fill()
    assert HomeStore.opened().ids == ("1_1", "2_1")
    assert HomeStore.opened().load("2_1").name == "Cut bread"
