"""``eai tasks``."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from command_line import call
from docs_pages import ROOT

from eai.suites.household import Household


def test_all_tasks_are_listed_a_line_each() -> None:
    done = call("tasks", "household")
    lines = done.stdout.splitlines()
    assert done.exit_code == 0
    assert len(lines) == len(Household().task_ids())
    assert lines[0] == "studio-01   Turn on light: Switch on the light in the living room."


def test_of_one_task_it_is_said_what_an_answer_may_name() -> None:
    told = call("tasks", "household", "studio-01").stdout
    assert told.startswith("household studio-01: Turn on light\nSwitch on the light")
    assert "## Goal\non(light.34)\n" in told
    assert "- light.34 (thing): clean, has_switch, off\n" in told
    assert "- SWITCHON(x): needs has_switch(x), off(x), " in told


def test_both_are_documents_too() -> None:
    listed = json.loads(call("tasks", "household", "--json").stdout)
    assert listed["suite"] == "household"
    first = listed["tasks"][0]
    assert (first["id"], first["name"]) == ("studio-01", "Turn on light")
    one = json.loads(call("tasks", "household", "studio-01", "--json").stdout)
    assert one["goal"] == "on(light.34)"
    assert one["objects"]["light.34"] == ["clean", "has_switch", "off"]
    assert one["actions"]["switchon"] == 1
    assert "inside(juice.44, fridge.40)" in one["relations"]


def test_it_is_said_where_things_are_and_which_object_comes_first() -> None:
    told = call("tasks", "household", "studio-02").stdout
    assert "\n- inside(juice.44, fridge.40)\n" in told
    assert "\n- inside(character.5, hall.4)\n" in told
    assert "- PUTIN(x, y): needs agent is near y, " in told
    assert ", inside(x, y), " in told
    assert "more, of other objects: --json lists all\n\n## Actions" in told
    assert "inside(socks.82" not in told


def test_some_tasks_are_listed() -> None:
    listed = call("tasks", "household", "--limit", 2, "--json").stdout
    assert [task["id"] for task in json.loads(listed)["tasks"]] == list(Household().task_ids()[:2])
    assert call("tasks", "household", "--tasks", "flat-17").stdout.startswith("flat-17  ")


def test_where_objects_are_seen_only_while_acting_it_is_said_how() -> None:
    told = call("tasks", "asgardbench", "clean_mirror__FloorPlan406_V1").stdout
    assert "## Objects\nThey are seen only while acting: eai interact asgardbench\n" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("tasks houshold", "did you mean 'household'?"),
        ("tasks household studio-1", "did you mean 'studio-"),
    ],
)
def test_unknown_names_are_refused(words: str, told: str) -> None:
    done = call(*words.split())
    assert done.exit_code == 3
    assert told in str(done.exception)


def test_a_task_with_a_mistake_does_not_hide_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "tasks" / "household", tmp_path / "own")
    path = tmp_path / "own" / "tasks.jsonl"
    path.write_text(path.read_text("utf-8").replace("ON(light.34)", "ON(moon.1)", 1), "utf-8")
    (tmp_path / "own_suite.py").write_text(
        "from eai.suites.household import Household\nown = Household('own')\n"
    )
    monkeypatch.chdir(tmp_path)
    lines = call("tasks", "own_suite:own").stdout.splitlines()
    assert lines[0].startswith("studio-01   cannot be used: ")
    assert lines[1].startswith("studio-02   Drink juice: ")


@pytest.mark.heavy
def test_annotations_without_a_fault_are_said_to_have_none() -> None:
    done = call("data", "lint", "household")
    assert "household: 76 tasks; no faults" in done.stdout
    assert done.stderr == ""
