"""Prompts in the BEHAVIOR world: two hands, names of simulator objects or of definitions."""

from __future__ import annotations

import json

from eai.abilities import Rename, actions, objects, relations, section, sheet
from eai.suites.behavior.goals import definition_names
from eai.task import Task

_ROLE = (
    "You control a robot with two hands in a household. Nothing is known but what is written "
    "below, and names are used exactly as they stand here."
)
_STATES = "cooked, burnt, dusty, frozen, open, sliced, soaked, stained, toggledon"
_PLACES = {"placed_inside": "inside", "placed_ontop": "ontop"}
_RELATIONS = "inside, ontop, nextto, under, onfloor, touching"


def action_sequencing(task: Task) -> str:
    """Ask for a plan: a JSON list of objects with an action and an object."""
    example = json.dumps(
        [
            {"action": "RIGHT_GRASP", "object": "cup_3"},
            {"action": "RIGHT_PLACE_ONTOP", "object": "table_7"},
        ]
    )
    return sheet(
        _ROLE,
        *_scene(task),
        section(
            "Actions",
            actions(task),
            "The robot walks to what it handles by itself. A hand holds one object; what is "
            "placed is what that hand holds. To open, close or switch something a hand has to "
            "be free; to slice, a hand has to hold a knife; to clean, a hand has to hold a "
            "cleaning tool, and for stains a soaked one.",
        ),
        section("Goal", _goal(task)),
        section(
            "Answer",
            "Write the plan as one JSON list, in the order of execution, and nothing else. The "
            "form:",
            example,
        ),
    )


def goal_interpretation(task: Task) -> str:
    """Ask for the goal that an instruction means: states and relations as JSON."""
    example = json.dumps(
        {
            "node goals": [["open", "jar.n.01_1"], ["not", ["dusty", "floor.n.01_1"]]],
            "edge goals": [["inside", "apple.n.01_1", "jar.n.01_1"]],
        }
    )
    names = _definitions(task)

    def called(name: str) -> str:
        return names.get(name, name)

    return sheet(
        "Say formally what an instruction wants to be true when it has been carried out.",
        section("Objects, with their states", objects(task, only=names, rename=called)),
        section("Relations", relations(task, names=_PLACES, rename=called, hidden=("part_of",))),
        section("States of one object", _STATES.replace("toggledon", "toggled_on")),
        section("Relations of two objects", _RELATIONS),
        section("Instruction", f"{task.name}: {task.instruction}"),
        section(
            "Answer",
            "Write one JSON object and nothing else; every object is named with its number. "
            "The form:",
            example,
        ),
    )


def subgoal_decomposition(task: Task) -> str:
    """Ask for the states on the way to the goal, in their order, as a JSON list of formulas."""
    example = json.dumps({"output": ["holds_rh(cup.3)", "ontop(cup.3, table.7)"]})
    return sheet(
        _ROLE,
        *_scene(task, lambda name: ".".join(name.rsplit("_", 1))),
        section(
            "What a subgoal can say",
            f"States, of one object: {_STATES}, holds_rh, holds_lh",
            f"Relations, of two objects: {_RELATIONS}",
            "They can be negated by `not`, joined by `and`, alternatives by `or`.",
        ),
        section("Goal", _goal(task)),
        section(
            "Answer",
            "Write the states that the world passes through on the way to the goal, in their "
            'order, as one JSON object with the key "output" and a list of texts, and nothing '
            "else. The form:",
            example,
        ),
    )


def _scene(task: Task, rename: Rename = str) -> list[str]:
    definitions = _definitions(task)

    def described(name: str) -> str:
        return f"{rename(name)} ({definitions[name]})" if name in definitions else rename(name)

    return [
        section(
            "Objects (with their names in the definition of the task)",
            objects(task, rename=described),
        ),
        section("Relations", relations(task, rename=rename, names=_PLACES)),
    ]


def _definitions(task: Task) -> dict[str, str]:
    """Name in the simulator to name in the activity's definition; pieces have none."""
    return {name: bddl for bddl, name in definition_names(task).items()}


def _goal(task: Task) -> str:
    return "\n".join([f"Instruction: {task.instruction}", "Formally:", task.goal.text])
