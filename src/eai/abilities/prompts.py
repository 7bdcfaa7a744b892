"""The prompt that asks for plans of any suite, and the parts that others are made of."""

from __future__ import annotations

import json

from eai.abilities.action_rules import rules
from eai.abilities.scenes import bullets, scene
from eai.logic import format_formula
from eai.task import Task


def section(title: str, *paragraphs: str) -> str:
    """Return a part of a prompt: a heading and the text below it."""
    return "\n".join([f"## {title}", *(paragraph for paragraph in paragraphs if paragraph)])


def sheet(*parts: str) -> str:
    """Return a prompt: its parts, with blank lines between them."""
    return "\n\n".join(parts)


def final_conditions(task: Task) -> str:
    """List what has to hold in the end, and the actions that have to be taken on the way."""
    final = next(iter(task.goal.final), ())
    wanted = [f"the action {' or '.join(goal.names).upper()}" for goal in task.goal.actions]
    return bullets([*(format_formula(formula) for _, formula in final), *wanted])


def plan_prompt(task: Task) -> str:
    """Return the text that asks a model for a plan, as a JSON list of one-key objects.

    It lists objects, actions and the goal, and leaves out predicates that decide nothing.
    """
    # A formula may speak of the way there as well as of the end.
    goal = "In the end this has to be true:", final_conditions(task)
    if task.goal.text:
        goal = "As a formula:", task.goal.text
    action_rules = rules(task)
    # Predicates that are neither in the goal nor in a relevant action decide nothing.
    hidden = task.start.layout.domain.predicates.keys() - action_rules.predicates
    agent = f" The agent is {task.agent}." if task.agent in task.vocabulary.objects else ""
    return sheet(
        f"Write a plan for an agent. Names are used exactly as they stand here.{agent}",
        section(
            "Objects, with what holds of them", scene(task, hidden=hidden, kinds=action_rules.kinds)
        ),
        section("Actions", action_rules.text),
        section("Goal", task.instruction, *goal),
        section(
            "Answer",
            "Write the plan as one JSON list, in the order of execution, and nothing else; "
            "each step is an object with the action as its key and the list of its objects as "
            "its value. The form:",
            json.dumps([{"ACTION": ["object_1", "object_2"]}]),
        ),
    )
