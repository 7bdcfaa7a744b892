"""Mistakes in files that somebody wrote by hand: which message names what and where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eai.errors import EaiError, InputError, ParseError, SchemaError, UnknownNameError
from eai.suites.household import Household

HOMES = """\
{
  "classes": {
    "lamp": {"properties": ["has_switch"], "states": ["off"]}
  },
  "homes": {
    "hut": {
      "title": "A hut",
      "agent": {"id": "character.1", "room": "den.2"},
      "rooms": {
        "den.2": {
          "lamp.3": {}
        }
      }
    }
  }
}
"""
MANIFEST = {
    "name": "huts",
    "title": "One hut",
    "version": "1.0.0",
    "homes": 1,
    "tasks": 1,
    "plans": 1,
    "semantics": ["strict"],
    "samples": {},
}
TASK: dict[str, Any] = {
    "id": "hut-1",
    "home": "hut",
    "name": "Light",
    "instruction": "Switch it on.",
    "goal": "on(lamp.3)",
    "plans": [["WALK(lamp.3)", "SWITCHON(lamp.3)"]],
}


def suite(folder: Path, *tasks: object, homes: str = HOMES) -> Household:
    (folder / "manifest.json").write_text(json.dumps(MANIFEST), "utf-8")
    (folder / "homes.json").write_text(homes, "utf-8")
    lines = [task if isinstance(task, str) else json.dumps(task) for task in tasks]
    (folder / "tasks.jsonl").write_text("\n".join(lines), "utf-8")
    return Household(folder)


def error_of(folder: Path, *tasks: object, homes: str = HOMES) -> EaiError:
    with pytest.raises(EaiError) as caught:
        suite(folder, *tasks, homes=homes).task("hut-1")
    return caught.value


def test_a_folder_of_ones_own_is_a_suite(tmp_path: Path) -> None:
    huts = suite(tmp_path, TASK)
    assert (huts.name, huts.version, huts.task_ids()) == ("huts", "1.0.0", ("hut-1",))
    task = huts.task("hut-1")
    answer = '[{"WALK": ["lamp"]}, {"SWITCHON": ["lamp"]}]'
    assert huts.evaluate("action_sequencing", task, answer, huts.semantics("strict")).success


def test_blank_lines_are_left_out(tmp_path: Path) -> None:
    assert suite(tmp_path, "", TASK, "  ").task_ids() == ("hut-1",)


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"goal": "on(lamp.3"}, ParseError, "tasks.jsonl:1: goal:1:10"),
        ({"goal": "on(lamp.4)"}, ParseError, "lamp.4"),
        ({"goal": "bright(lamp.3)"}, ParseError, "bright"),
        ({"goal": "near(character.1, lamp.3)"}, ParseError, "near"),
        ({"goal": "on(x)"}, ParseError, "unbound variable 'x'"),
        ({"goal": "exists x:lamp. (on(x))"}, UnknownNameError, "there is no type named 'lamp'"),
        ({"goal": "forn 1. x:lamp. (on(x))"}, UnknownNameError, "there is no type named 'lamp'"),
        ({"goal": ""}, SchemaError, "goal: String should have at least 1 character"),
        ({"goal": 3}, SchemaError, "goal: Input should be a valid string"),
        ({"home": "hat"}, UnknownNameError, "there is no home named 'hat'"),
        ({"plans": []}, SchemaError, "plans: List should have at least 1 item"),
        ({"plans": [[]]}, SchemaError, "plans[0]: List should have at least 1 item"),
        ({"plans": [["WALK lamp.3"]]}, SchemaError, "tasks.jsonl:1: plans[0][0]: 'WALK lamp.3'"),
        ({"plans": [["FLY(lamp.3)"]]}, UnknownNameError, "there is no action named 'fly'"),
        ({"plans": [["WALK(lump.3)"]]}, UnknownNameError, "there is no object named 'lump.3'"),
        ({"plans": [["STANDUP()", "WALK()"]]}, SchemaError, "plans[0][1]: walk takes 1"),
        ({"hint": "none"}, SchemaError, "hint: Extra inputs are not permitted"),
        ({"id": "Hut 1"}, SchemaError, "id: String should match pattern"),
        ({"changes": {"states": {"lamp": ["on"]}}}, SchemaError, "changes > states > lamp"),
        ({"changes": {"states": {"lamp.9": ["on"]}}}, SchemaError, "changes of hut: changes"),
    ],
)
def test_mistakes_in_a_task_are_named(
    tmp_path: Path, change: dict[str, Any], kind: type[EaiError], message: str
) -> None:
    task = {**TASK, **change}
    with pytest.raises(kind) as caught:
        suite(tmp_path, task).task(task["id"])
    assert message in str(caught.value)
    assert "tasks.jsonl:1" in str(caught.value)


def test_a_goal_with_too_many_alternatives_is_refused(tmp_path: Path) -> None:
    goal = " and ".join(f"(forn {i}. x. (on(x)) or forn {i}. x. (off(x)))" for i in range(9))
    error = error_of(tmp_path, {**TASK, "goal": goal})
    assert isinstance(error, InputError)
    assert "more than 256 alternatives" in str(error)
    assert str(error).startswith(str(tmp_path / "tasks.jsonl:1"))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([TASK, TASK], "tasks.jsonl:2: task 'hut-1' is already in line 1"),
        ([TASK, "[1, 2]"], "tasks.jsonl:2: the line is not a JSON object"),
        ([TASK, '{"id": '], "tasks.jsonl:2: is not JSON"),
        (['{"id": "a", "id": "b"}'], "tasks.jsonl:1: 'id' is given twice"),
        (["[" * 100_000], "tasks.jsonl:1: is not JSON: nested more than 250 levels deep"),
        ([{"home": "hut"}], "tasks.jsonl:1: id: Field required (and 4 more mistakes)"),
        ([{**TASK, "id": 7}], "tasks.jsonl:1: id: Input should be a valid string"),
    ],
)
def test_mistakes_in_the_list_of_tasks_are_named(
    tmp_path: Path, lines: list[object], message: str
) -> None:
    error = error_of(tmp_path, *lines)
    assert isinstance(error, SchemaError)
    assert message in str(error)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"lamp.3": {}', '"lamp.3": {"colour": 1}', "homes.json:11: homes > hut > rooms"),
        ('"lamp.3": {}', '"Lamp": {}', "homes.json:11: homes > hut > rooms > den.2 > Lamp"),
        ('"lamp.3": {}', '"lamp.3": {}, "lamp.3": {}', "'lamp.3' is given twice"),
        ('"lamp.3": {}', '"lamp.3": {"on": "lamp.3"}', "hut: lamp.3: on names the object"),
        ('"title": "A hut",', "", "homes > hut > title: Field required"),
        ('"title": "A hut",', '"title": A hut,', "homes.json:7: is not JSON"),
        ('"off"', '"dim"', "lamp.3: there is no state 'dim'"),
        ('"rooms": {', '"rooms": [', "is not JSON"),
        ('"room": "den.2"', '"room": "pen.2"', "character.1: there is no room 'pen.2'"),
    ],
)
def test_mistakes_in_a_home_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in HOMES
    error = error_of(tmp_path, TASK, homes=HOMES.replace(old, new, 1))
    assert isinstance(error, SchemaError)
    assert message in str(error)
    assert "homes.json" in str(error)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"manifest.json: cannot be read: No such file"):
        Household(tmp_path)


def test_text_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    huts = suite(tmp_path, TASK)
    (tmp_path / "tasks.jsonl").write_bytes(b'{"id": "\xff"}')
    with pytest.raises(SchemaError, match="is not UTF-8 text"):
        huts.task_ids()


def test_a_wrong_manifest_is_refused(tmp_path: Path) -> None:
    suite(tmp_path, TASK)
    (tmp_path / "manifest.json").write_text(json.dumps({**MANIFEST, "version": "new"}), "utf-8")
    with pytest.raises(SchemaError, match=r"manifest.json:1: version: String should match"):
        Household(tmp_path)
