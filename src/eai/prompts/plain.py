"""Prompts for the tasks of any suite."""

from __future__ import annotations

import json

from eai.prompts.sections import actions, final_conditions, objects, relations, section
from eai.task import Task

__all__ = ["action_sequencing"]


def action_sequencing(task: Task) -> str:
    """Ask for a plan as a JSON list of one-key objects."""
    return "\n\n".join(
        [
            "Write a plan for an agent. Names are used exactly as they stand here.",
            section("Objects", objects(task)),
            section("Relations", relations(task)),
            section("Actions", actions(task)),
            section("Goal", task.instruction, *_goal(task)),
            section(
                "Answer",
                "Write the plan as one JSON list, in the order of execution, and nothing else; "
                "each step is an object with the action as its key and the list of its objects as "
                "its value. The form:",
                json.dumps([{"ACTION": ["object_1", "object_2"]}]),
            ),
        ]
    )


def _goal(task: Task) -> tuple[str, str]:
    """What has to be reached; a formula may speak of the way there as well as of the end."""
    if task.goal.text:
        return "As a formula:", task.goal.text
    return "In the end this has to be true:", final_conditions(task)
