"""Prompts in the VirtualHome world: upper-case names, objects with ids."""

from __future__ import annotations

import json

from eai.abilities import actions, bullets, objects, relations, section, sheet
from eai.logic import Atom, format_formula
from eai.simulators import class_predicates, object_class
from eai.task import Task

_RELATIONS = {
    "ontop": "ONTOP",
    "inside": "INSIDE",
    "between": "BETWEEN",
    "next_to": "NEXT_TO",
    "facing": "FACING",
    "holds_rh": "HOLDS_RH",
    "holds_lh": "HOLDS_LH",
}
_EDGES = {**_RELATIONS, "ontop": "ON", "next_to": "CLOSE"}
_STATES = (
    *("CLOSED", "OPEN", "ON", "OFF", "PLUGGED_IN", "PLUGGED_OUT"),
    *("SITTING", "LYING", "CLEAN", "DIRTY"),
)
_ROLE = (
    "You control a character in a simulated home. Nothing is known but what is written below, "
    "and names are used exactly as they stand here."
)
_NOT_OFFERED = frozenset({"release"})


def action_sequencing(task: Task) -> str:
    """Ask for a plan: a JSON list of one-key objects, each argument as name and id."""
    example = json.dumps([{"WALK": ["lamp", "12"]}, {"SWITCHON": ["lamp", "12"]}])
    return sheet(
        _ROLE,
        *_scene(task),
        section(
            "Actions",
            actions(task, without=_NOT_OFFERED),
            "An object has to be near before it can be handled, and a hand has to be free to "
            "take it. Doors of containers are opened first.",
        ),
        section("Goal", _goal(task)),
        section(
            "Answer",
            "Write the plan as one JSON list, in the order of execution, and nothing else. "
            "Each step is an object with the action as its key and a list as its value: for "
            "every argument its name without the number, then the number as text. An action "
            'without arguments has the value [ ]. The form, for a lamp called "lamp.12":',
            example,
        ),
    )


def goal_interpretation(task: Task) -> str:
    """Ask for the goal that an instruction means: states, relations and actions as JSON."""
    example = json.dumps(
        {
            "node goals": [{"name": "lamp", "state": "ON"}],
            "edge goals": [{"from_name": "character", "relation": "FACING", "to_name": "lamp"}],
            "action goals": [{"action": "LOOKAT"}],
        }
    )
    names = dict.fromkeys(object_class(name) for name in sorted(task.vocabulary.objects))
    return sheet(
        "Say formally what an instruction wants to be true when it has been carried out.",
        *_scene(task),
        section("Names", ", ".join(names)),
        section("States of one object", ", ".join(_STATES)),
        section("Relations of two objects", ", ".join(dict.fromkeys(_EDGES.values()))),
        section("Actions that can be demanded", _action_names(task)),
        section("Instruction", f"{task.name}: {task.instruction}"),
        section(
            "Answer",
            "Write one JSON object and nothing else. Objects are named without their number. "
            "Demand an action only if its trace is not visible in the end (such as looking at "
            "something). The form:",
            example,
        ),
    )


def subgoal_decomposition(task: Task) -> str:
    """Ask for the states on the way to the goal, in their order, as a JSON list of formulas."""
    example = json.dumps({"output": ["NEXT_TO(character.65, lamp.12)", "ON(lamp.12)"]})
    return sheet(
        _ROLE,
        *_scene(task),
        section(
            "What a subgoal can say",
            "States, of one object: " + ", ".join(_STATES),
            "Relations, of two objects: " + ", ".join(dict.fromkeys(_RELATIONS.values())),
            "Actions, as if they were states: " + _action_names(task),
            "Several can be joined by `and`, alternatives by `or`.",
        ),
        section("Goal", _goal(task)),
        section(
            "Answer",
            "Write the states that the world passes through on the way to the goal, in their "
            'order, as one JSON object with the key "output" and a list of texts, and nothing '
            "else. Every object has its number. The form:",
            example,
        ),
    )


def _scene(task: Task) -> list[str]:
    # What follows from the class alone needs no words.
    classes = {object_class(name) for name in task.vocabulary.objects}
    hidden = frozenset(name for each in classes for name in class_predicates(each))
    return [
        section(
            "Objects, with their properties and states", objects(task, hidden=hidden, upper=True)
        ),
        section("Relations", relations(task, names=_RELATIONS)),
    ]


def _action_names(task: Task) -> str:
    return ", ".join(sorted(name.upper() for name in task.vocabulary.actions))


def _goal(task: Task) -> str:
    final = next(iter(task.goal.final), ())
    lines = [_condition(formula) for _, formula in final]
    wanted = [
        f"on the way, the action {' or '.join(name.upper() for name in goal.names)}"
        for goal in task.goal.actions
    ]
    return "\n".join(
        [
            *([f"Instruction: {task.instruction}"] if task.instruction else []),
            "In the end this has to be true:",
            bullets([*lines, *wanted], none="(nothing in particular)"),
        ]
    )


def _condition(formula: object) -> str:
    if isinstance(formula, Atom):
        name = _RELATIONS.get(formula.predicate, formula.predicate.upper())
        return f"{name}({', '.join(map(str, formula.terms))})"
    return format_formula(formula)  # type: ignore[arg-type]
