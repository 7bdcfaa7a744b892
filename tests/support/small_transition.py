"""An environment with two operators and one task, as the official release writes them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from eai.suites.transition.data import OperatorStore
from eai.suites.transition.environment import OperatorEnvironment

RESOURCES = "virtualhome_eval/resources/virtualhome"
HEAD = """(define (domain virtualhome)
    (:requirements :typing)
    (:types object character)
    (:predicates (on ?obj - object) (off ?obj - object) (broken ?obj - object)
        (next_to ?char - character ?obj - object))
"""
PROBLEM = """(define (problem Turn_on_light) (:domain virtualhome)
    (:objects character - character light - object)
    (:init (off light) (facing light character))
    (:goal (and (on light))))"""
WALK = {
    "action_name": "walk_towards",
    "action_parameters": "(?char - character ?obj - object)",
    "action_preconditions": "(not (and (broken ?obj) (on ?obj)))",
    "action_effects": "(next_to ?char ?obj)",
}
SWITCH = {
    "action_name": "switch_on",
    "action_parameters": "(?char - character ?obj - object)",
    "action_preconditions": "(and (off ?obj) (next_to ?char ?obj))",
    "action_effects": "(and (on ?obj) (not (off ?obj)))",
}
CATEGORIES = {
    "on": "object_states",
    "off": "object_states",
    "broken": "object_states",
    "next_to": "spatial_relations",
}
FILES = {
    "virtualhome_pd.pddl": HEAD,
    "gold_action.json": {"walk_towards": WALK, "switch_on": SWITCH},
    "predicates_category.json": CATEGORIES,
    "id2task.json": {"1_1": "Turn on light", "2_2": "Turn on light"},
    "id2category_2.json": {"1_1": ["object_states", "spatial_relations"]},
    "id2action.json": {"1_1": ["walk_towards", "switch_on"]},
    "success_task.json": ["1_1"],
    "problem_pddl/Turn_on_light/1_1.pddl": PROBLEM,
    "gold_pddl_plan.json": {"1_1": ["walk_towards character light", "switch_on character light"]},
}


def release(folder: Path) -> Path:
    """Write a wheel like the official one; return its path."""
    wheel = folder / "release.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in FILES.items():
            text = content if isinstance(content, str) else json.dumps(content)
            archive.writestr(f"{RESOURCES}/{name}", text)
    return wheel


def small_environment(folder: Path) -> OperatorEnvironment:
    """Return the environment of such a release."""
    store = OperatorStore("virtualhome", folder / "cache", wheel=release(folder))
    return OperatorEnvironment(store)
