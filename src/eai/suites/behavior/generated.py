"""BEHAVIOR as a world of generated tasks: what goals ask for, in which words and notation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eai.contract import TaskWorld
from eai.logic import And, Formula
from eai.pddl import format_condition
from eai.suites.behavior.goals import BddlGoal
from eai.task import Task


def pose(task: Task, name: str, literals: Sequence[Formula]) -> Task:
    """Return the task of a scene with another goal, in BDDL."""
    goal = BddlGoal(format_condition(And(tuple(literals))))
    # Prompts name objects as the definition of the scene's own activity does.
    return replace(task, id=name, goal=goal, metadata={"names": task.metadata["names"]})


WORLD = TaskWorld(
    {
        "open": ("{0} is open", "open {0}"),
        "not open": ("{0} is closed", "close {0}"),
        "toggled_on": ("{0} is switched on", "switch {0} on"),
        "not toggled_on": ("{0} is switched off", "switch {0} off"),
        "cooked": ("{0} is cooked", "cook {0}"),
        "frozen": ("{0} is frozen", "freeze {0}"),
        "not frozen": ("{0} is not frozen", "thaw {0}"),
        "sliced": ("{0} is sliced", "slice {0}"),
        "soaked": ("{0} is soaked", "soak {0}"),
        "not soaked": ("{0} is dry", "dry {0}"),
        "not dusty": ("{0} is free of dust", "dust {0}"),
        "not stained": ("{0} is free of stains", "scrub {0}"),
        "inside": ("{0} is inside {1}", "put {0} inside {1}"),
        "ontop": ("{0} is on {1}", "put {0} on {1}"),
        "under": ("{0} is under {1}", "put {0} under {1}"),
        "nextto": ("{0} is next to {1}", "put {0} next to {1}"),
        "onfloor": ("{0} is on the floor {1}", "put {0} on the floor {1}"),
    },
    pose,
)
"""The world of the suite ``behavior``."""
