"""A wheel like the official one, with two tiny tasks."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

from eai.suites.shared.data import DataRelease

SET = "virtualhome_eval/dataset/programs_processed_precond_nograb_morepreconds"
PART = "TrimmedTestScene1_graph/results_intentions_march-13-18"
RESOURCES = "virtualhome_eval/resources/virtualhome"


def node(
    number: int,
    name: str,
    category: str = "placable_objects",
    *,
    properties: tuple[str, ...] = (),
    states: tuple[str, ...] = (),
) -> dict[str, Any]:
    return {
        "id": number,
        "class_name": name,
        "category": category,
        "properties": list(properties),
        "states": list(states),
        "prefab_name": None,
        "bounding_box": None,
    }


def edge(start: int, relation: str, end: int) -> dict[str, Any]:
    return {"from_id": start, "relation_type": relation, "to_id": end}


FLAT = [
    node(1, "bathroom", "Rooms", states=("CLEAN",)),
    node(65, "character", "Characters"),
    node(70, "desk", "Furniture", properties=("SURFACES", "MOVABLE"), states=("CLEAN",)),
]
EDGES = [edge(65, "INSIDE", 1), edge(70, "INSIDE", 1), edge(70, "CLOSE", 65)]

LAMP = node(1000, "lamp", properties=("HAS_SWITCH",), states=("OFF", "CLEAN"))
LIT = node(1000, "lamp", properties=("HAS_SWITCH",), states=("CLEAN", "ON"))
DIRTY_DESK = node(70, "desk", "Furniture", properties=("MOVABLE", "SURFACES"), states=("DIRTY",))
KNIVES = [node(1000, "butter_knife"), node(1001, "butter_knife", properties=("GRABBABLE",))]

GRAPHS: dict[str, dict[str, dict[str, Any]]] = {
    "1_1": {
        "init_graph": {"nodes": [*FLAT, LAMP], "edges": [*EDGES, edge(1000, "ON", 70)]},
        "final_graph": {
            "nodes": [LIT, *FLAT],
            "edges": [edge(1000, "ON", 70), *EDGES],
        },
    },
    "2_1": {
        "init_graph": {"nodes": [*FLAT[:2], DIRTY_DESK, *KNIVES], "edges": EDGES[:2]},
        "final_graph": {
            "nodes": [*FLAT[:2], DIRTY_DESK, *KNIVES],
            "edges": [*EDGES[:2], edge(65, "HOLDS_RH", 1001)],
        },
    },
}
GOALS: dict[str, dict[str, dict[str, Any]]] = {
    "scene_1": {
        "Turn on light": {
            "1_1": {
                "vh_goal": {
                    "actions": ["LOOKAT|WATCH", "LOOKAT|WATCH"],
                    "goal": [
                        {"id": 1000, "class_name": "lamp", "state": "ON"},
                        edge(65, "CLOSE", 1000),
                        edge(65, "CLOSE", 1000),
                    ],
                },
                "tl_goal": "(ON(lamp.1000) and NEXT_TO(character.65, lamp.1000))",
            }
        },
        "Cut bread": {"2_1": {"vh_goal": {"actions": [], "goal": []}, "tl_goal": None}},
    }
}
PROGRAMS = {
    "1_1": "Turn on light\nI turn on the lamp\n\n\n"
    "[WALK] <lamp> (1.1000)\n[SWITCHON] <lamp> (1.1000)",
    "2_1": "Cut bread\nTake a knife\n\n\n"
    "[STANDUP]\n[PUTBACK] <butter_knife> (1.1001) <desk> (2.70) \n",
}


def contents() -> dict[str, str]:
    """File name in the wheel to text."""
    names = {task: name for name, tasks in GOALS["scene_1"].items() for task in tasks}
    files = {
        f"{RESOURCES}/id2task.json": json.dumps(dict(reversed(names.items()))),
        f"{RESOURCES}/task_state_LTL_formula_accurate.json": json.dumps(GOALS),
    }
    for task, graphs in GRAPHS.items():
        files[f"{SET}/init_and_final_graphs/{PART}/file{task}.json"] = json.dumps(graphs)
        files[f"{SET}/executable_programs/{PART}/file{task}.txt"] = PROGRAMS[task]
    return files


def write_wheel(path: Path, changed: dict[str, str | None] | None = None) -> Path:
    """Write the wheel; ``changed`` replaces files, or leaves them out where it says None."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, text in {**contents(), **(changed or {})}.items():
            if text is not None:
                wheel.writestr(zipfile.ZipInfo(name), text)
    return path


def release_of(content: bytes, *, name: str = "toy") -> DataRelease:
    """A release that pins these bytes."""
    return DataRelease(
        name=name,
        version="1.2",
        distribution="toy-data",
        file="toy_data-1.2-py3-none-any.whl",
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
        licence="MIT",
        about="a toy",
    )
