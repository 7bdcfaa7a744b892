"""Tasks of one's own in a room of AI2-THOR: the file, the goals, the oracle, the generator."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import call

import eai
from eai.agents import OracleAgent
from eai.contract.lint import lint_suite
from eai.errors import EaiError, InputError, ModelError
from eai.suites.shared.documents import json_schema
from eai.suites.thor import KINDS, ThorTasks, ThorTasksDocument, generate_tasks

SCHEMA = Path(__file__).parents[3] / "tasks" / "thor" / "tasks.schema.json"


def written(
    folder: Path, goal: object, start: Sequence[object] = (), scene: str = "FloorPlan1"
) -> ThorTasks:
    """A suite of one task."""
    task = {"id": "one", "scene": scene, "instruction": "Do it.", "goal": goal}
    path = folder / "tasks.json"
    path.write_text(json.dumps({"tasks": [{**task, "start": [*start]}]}))
    return ThorTasks(str(path))


def solved(suite: ThorTasks, plan: list[str]) -> bool:
    text = "\n".join(f"{step.replace(' ', '(')})" for step in plan)
    return eai.evaluate(suite, {"one": text}).records[0].result.success


@pytest.mark.parametrize(
    ("goal", "start"),
    [
        ([{"object": "Apple", "is": ["hot"], "in": "Plate"}], []),
        ([{"object": "Apple", "is": ["cold"], "in": "Plate"}], []),
        (
            [{"object": "Mug", "is": ["clean"], "in": "Cabinet"}],
            [{"object": "Mug", "is": ["dirty"]}],
        ),
        ([{"object": "Lettuce", "is": ["clean"], "in": "Fridge"}], []),
        ([{"object": "Tomato", "is": ["sliced"]}], []),
        ([{"object": "Apple", "is": ["sliced", "cold"], "in": "Bowl", "count": 2}], []),
        ([{"object": "Potato", "is": ["cooked"], "in": "CounterTop"}], []),
        ([{"object": "Vase", "in": "Drawer", "count": 2}], []),
        ([{"object": "Spoon", "in": {"object": "Mug", "in": "Fridge"}}], []),
        ([{"object": "Egg", "is": ["held"]}, {"object": "Fridge", "is": ["open"]}], []),
        ([{"object": "StoveBurner_2", "is": ["on"]}], []),
        ([{"object": "Cup", "is": ["filled"], "in": "CounterTop"}], []),
        (
            [{"object": "Egg", "in": "Bowl"}],
            [{"object": "Egg", "in": "Bowl"}, {"object": "Egg", "in": "Cabinet_2"}],
        ),
        (
            [{"object": "Bowl", "is": ["clean"]}, {"object": "Apple", "in": "Bowl"}],
            [{"object": "Bowl", "is": ["dirty"]}],
        ),
    ],
)
def test_every_kind_of_goal_is_solved_by_the_oracle(
    tmp_path: Path, goal: object, start: list[object]
) -> None:
    suite = written(tmp_path, goal, start)
    assert [*lint_suite(suite)] == []
    assert not solved(suite, [])
    played = eai.interact(suite, "one", "oracle")
    assert played.success
    assert played.episode.turns[-1].goal is not None
    assert pickle.loads(pickle.dumps(suite)).task("one").goal == suite.task("one").goal


def test_a_plan_is_evaluated_with_its_causes(tmp_path: Path) -> None:
    suite = written(tmp_path, [{"object": "Apple", "is": ["cold"], "in": "Fridge"}])
    assert solved(suite, ["find Apple", "pick Apple", "find Fridge", "open Fridge", "put Fridge"])
    plan = "FIND(Apple)\nPICK(Apple)\nFIND(Fridge)\nPUT(Fridge)"
    result = eai.evaluate(suite, {"one": plan}).records[0].result
    assert result.findings[0].kind.value == "missing_step"
    assert result.findings[0].conditions == ("ready_to_take(Fridge)",)


def test_two_in_two_receptacles_are_not_two_in_one(tmp_path: Path) -> None:
    suite = written(tmp_path, [{"object": "Vase", "in": "Drawer", "count": 2}])
    apart = [
        *("find Vase_1", "pick Vase_1", "find Drawer_1", "open Drawer_1", "put Drawer_1"),
        *("find Vase_2", "pick Vase_2", "find Drawer_2", "open Drawer_2", "put Drawer_2"),
    ]
    assert not solved(suite, apart)
    assert solved(
        suite, [word.replace("Drawer_2", "Drawer_1") for word in apart if word != "open Drawer_2"]
    )


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ({"goal": [{"object": "Aple"}]}, "did you mean 'Apple'"),
        ({"goal": [{"object": "Apple", "is": ["warm", "hot"]}]}, "no state named 'warm'"),
        ({"goal": [{"object": "Apple", "is": ["sliced"], "inn": "Fridge"}]}, "did you mean 'in'"),
        ({"goal": [{"object": "Apple", "is": ["open"]}]}, "Apple cannot be open"),
        ({"goal": [{"object": "Apple", "in": "Frige"}]}, "did you mean 'Fridge'"),
        ({"goal": [{"object": "Apple", "in": {"object": "Bol", "in": "Fridge"}}]}, "'Bowl'"),
        (
            {"goal": [{"object": "Apple", "count": 2}]},
            "the number of Apple objects is 1 in FloorPlan1",
        ),
        ({"goal": []}, "at least 1 item"),
        ({"goal": [{"object": "Apple"}]}, "no state or place is required of Apple"),
        ({"goal": [{"object": "Apple", "in": "Knife"}]}, "nothing can be in or on Knife"),
        ({"scene": "FloorPlan31"}, "did you mean 'FloorPlan3"),
        ({"start": [{"object": "Apple", "is": ["held"]}]}, "nothing is held at the start"),
        ({"start": [{"object": "Apple", "in": "Nowhere"}]}, "no object named 'Nowhere'"),
    ],
)
def test_mistakes_are_answered_with_near_names(
    tmp_path: Path, task: dict[str, Any], said: str
) -> None:
    usual = {
        "id": "one",
        "scene": "FloorPlan1",
        "instruction": "Do it.",
        "goal": [{"object": "Apple", "in": "Fridge"}],
    }
    (tmp_path / "tasks.json").write_text(json.dumps({"tasks": [{**usual, **task}]}))
    with pytest.raises(EaiError) as caught:
        ThorTasks(tmp_path / "tasks.json").task("one")
    assert said in str(caught.value)


def test_identifiers_are_unique(tmp_path: Path) -> None:
    suite = written(tmp_path, [{"object": "Apple", "in": "Fridge"}])
    row = json.loads((tmp_path / "tasks.json").read_text())["tasks"][0]
    (tmp_path / "tasks.json").write_text(json.dumps({"tasks": [row, row]}))
    with pytest.raises(EaiError, match="same id"):
        ThorTasks(str(tmp_path / "tasks.json"))
    with pytest.raises(EaiError, match="one"):
        suite.task("on")


def test_a_file_without_faults_says_so(tmp_path: Path) -> None:
    suite = written(tmp_path, [{"object": "Mug", "in": "Fridge"}])
    done = call("data", "lint", suite.name)
    assert "no faults" in done.stdout
    assert done.stderr == ""


def test_relations_that_no_action_changes_are_not_listed(tmp_path: Path) -> None:
    written(tmp_path, [{"object": "Mug", "in": "Fridge"}])
    shown = call("tasks", f"thor:{tmp_path / 'tasks.json'}", "one").stdout
    assert "- in(Mug, CounterTop_3)" in shown
    assert "accepted(" not in shown
    assert "which no action changes: --json lists all" in shown


def test_what_the_oracle_cannot_do_is_named(tmp_path: Path) -> None:
    suite = written(tmp_path, [{"object": "Book", "is": ["hot"]}], scene="FloorPlan301")
    assert [fault.kind for fault in lint_suite(suite)] == ["no plan"]
    done = call("data", "lint", suite.name)
    assert "no reference plan" in done.output
    done_before = written(tmp_path, [{"object": "Fridge", "is": ["closed"]}])
    # It is one fault that both of its abilities are solved by saying nothing.
    assert [fault.kind for fault in lint_suite(done_before)] == ["trivial", "no plan"]


@pytest.mark.heavy
def test_all_seven_types_are_generated_and_solved() -> None:
    made = generate_tasks(["FloorPlan1", "FloorPlan203"], seed=3)
    assert set(KINDS) == {task.name for task in made.tasks}
    made_again = [generate_tasks(["FloorPlan1"], [*KINDS][:1], seed=seed) for seed in (3, 3, 4)]
    assert made_again[0] == made_again[1] != made_again[2]
    assert Counter(task.scene for task in made.tasks)["FloorPlan1"] == 6, "it has no lamp"
    suite = ThorTasks(made)
    assert [*lint_suite(suite)] == []
    first = suite.task_ids()[0]
    assert eai.interact(suite, first, "oracle", view="near").success
    with pytest.raises(EaiError, match="pick_heat_then_place_in_recep"):
        generate_tasks(["FloorPlan1"], ["pick_heat"])
    with pytest.raises(EaiError, match="no such task"):
        generate_tasks(["FloorPlan1"], ["look_at_obj_in_light"])


def test_commands_take_the_file(tmp_path: Path) -> None:
    suite = written(tmp_path, [{"object": "Apple", "in": "Fridge"}])
    assert "Apple" in call("tasks", suite.name, "one").output
    assert '"numerator": 1' in call("interact", suite.name, "--json").output
    assert "FIND" in call("prompts", suite.name).output


def test_the_shipped_json_schema_is_current() -> None:
    assert SCHEMA.read_text("utf-8") == json_schema(ThorTasksDocument)


@pytest.mark.parametrize(
    "goal",
    [
        [{"object": "Apple", "is": ["hot", "cold"]}],
        [{"object": "Fridge", "is": ["open", "closed"]}],
        [{"object": "Fridge", "is": ["open"]}, {"object": "Fridge", "is": ["closed"]}],
        [{"object": "Microwave", "is": ["open", "on"]}],
        [{"object": "Mug", "is": ["filled", "empty"]}],
        [{"object": "Apple", "is": ["held"]}, {"object": "Mug", "is": ["held"]}],
        [{"object": "Apple", "is": ["held"], "in": "Fridge"}],
        [{"object": "Vase", "is": ["held"], "count": 2}],
        [{"object": "Fridge", "in": "Mug"}],
        [{"object": "Mug", "in": "Mug"}],
        [{"object": "Plate", "in": "Bowl"}, {"object": "Bowl", "in": "Plate"}],
        [{"object": "Apple", "is": ["sliced"], "count": 8}],
        [{"object": "StoveBurner", "is": ["held"]}],
    ],
)
def test_a_goal_that_contradicts_itself_is_refused(tmp_path: Path, goal: object) -> None:
    suite = written(tmp_path, goal)
    with pytest.raises(InputError) as caught:
        suite.task("one")
    assert caught.value.where is not None
    assert caught.value.expected
    assert [fault.kind for fault in lint_suite(suite)] == ["task"]
    assert call("interact", suite.name).exit_code == 3


@pytest.mark.parametrize(
    ("scene", "goal", "start"),
    [
        ("FloorPlan4", [{"object": "HousePlant", "is": ["filled"]}], []),
        ("FloorPlan1", [{"object": "Mug", "is": ["dirty"]}], []),
        ("FloorPlan1", [{"object": "WineBottle", "is": ["empty"]}], []),
        ("FloorPlan1", [{"object": "Apple", "is": ["hot"], "in": "Fridge"}], []),
        (
            "FloorPlan1",
            [{"object": "Mug", "is": ["clean", "empty"]}],
            [{"object": "Mug", "is": ["dirty"]}],
        ),
        ("FloorPlan201", [{"object": "Vase", "is": ["clean"]}], []),
    ],
)
def test_a_goal_that_no_plan_reaches_has_a_reason(
    tmp_path: Path, scene: str, goal: object, start: list[object]
) -> None:
    suite = written(tmp_path, goal, start, scene)
    reason = suite.task("one").no_plan
    assert reason
    assert [(fault.kind, fault.message) for fault in lint_suite(suite)] == [("no plan", reason)]
    episode = eai.interact(suite, "one", "oracle").episode
    assert episode.end == "agent_failure"
    assert reason in episode.note
    with pytest.raises(ModelError) as caught:
        OracleAgent(suite, "one")([])
    assert reason in caught.value.what


@pytest.mark.parametrize(
    "start",
    [
        [{"object": "Apple", "is": ["hot", "cold"]}],
        [{"object": "Fridge", "in": "Mug"}],
        [{"object": "Apple", "in": "Apple"}],
        [{"object": "Mug", "in": "Plate"}, {"object": "Plate", "in": "Mug"}],
        [{"object": "Apple", "in": "Knife"}],
    ],
)
def test_a_start_that_cannot_be_is_refused(tmp_path: Path, start: list[object]) -> None:
    suite = written(tmp_path, [{"object": "Egg", "in": "Bowl"}], start)
    with pytest.raises(InputError):
        suite.task("one")


@pytest.mark.parametrize(
    ("goal", "start"),
    [
        # Doors are shut at the end, whatever the order of the goal.
        ([{"object": "Fridge", "is": ["closed"]}, {"object": "Apple", "in": "Fridge"}], []),
        # Bread cannot be cooked, its slices can.
        ([{"object": "Bread", "is": ["sliced", "cooked"]}], []),
        # A machine that runs is stopped first.
        ([{"object": "Egg", "is": ["hot"]}], [{"object": "Microwave", "is": ["on"]}]),
        ([{"object": "Egg", "is": ["clean"]}], [{"object": "Faucet", "is": ["on"]}]),
        # Coffee fills a mug without washing it.
        ([{"object": "Mug", "is": ["filled", "dirty"]}], [{"object": "Mug", "is": ["dirty"]}]),
        # What is to stay dirty is taken out of the sink before something is washed in it.
        (
            [{"object": "Mug", "is": ["dirty"]}, {"object": "Plate", "is": ["clean"]}],
            [
                {"object": "Mug", "is": ["dirty"], "in": "SinkBasin"},
                {"object": "Plate", "is": ["dirty"]},
            ],
        ),
        # One object meets two parts of a goal.
        ([{"object": "Spoon", "in": "Mug"}, {"object": "Spoon", "in": "Fridge"}], []),
        ([{"object": "Egg", "in": {"object": "Mug", "is": ["held"]}}], []),
        ([{"object": "Tomato", "is": ["hot"]}, {"object": "Tomato", "is": ["sliced"]}], []),
        ([{"object": "Cabinet", "is": ["open"]}, {"object": "Cabinet", "is": ["closed"]}], []),
    ],
)
def test_goals_are_reached_in_an_order_that_undoes_nothing(
    tmp_path: Path, goal: object, start: list[object]
) -> None:
    suite = written(tmp_path, goal, start)
    task = suite.task("one")
    assert task.no_plan == ""
    assert eai.interact(suite, "one", "oracle").success
