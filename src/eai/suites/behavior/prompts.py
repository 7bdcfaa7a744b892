"""Prompts in the BEHAVIOR world: two hands, names of simulator objects or of definitions."""

from __future__ import annotations

from collections.abc import Container

from eai.abilities import Rename, rules, scene
from eai.suites.behavior.goals import definition_names
from eai.suites.shared.templates import filled
from eai.task import Task

# Name of a predicate to the one that prompts have for it.
_PLACES = {"placed_inside": "inside", "placed_ontop": "ontop"}


def action_sequencing(task: Task) -> str:
    """Ask for a plan: a JSON list of objects with an action and an object."""
    action_rules = rules(task, show=_shown)
    # A predicate that neither a useful action nor the goal mentions cannot decide anything.
    hidden = task.start.layout.domain.predicates.keys() - action_rules.predicates
    return _fill_template("action_sequencing", task, hidden=hidden, actions=action_rules.text)


def goal_interpretation(task: Task) -> str:
    """Ask for the goal that an instruction means: states and relations as JSON."""
    names = _definitions(task)

    def called(name: str) -> str:
        """Return the name of an object in the definition, which goals use."""
        return names.get(name, name)

    return filled(
        "behavior/goal_interpretation",
        task=task,
        scene=scene(task, only=names, rename=called, show=_shown, hidden=("part_of",)),
    )


def subgoal_decomposition(task: Task) -> str:
    """Ask for the intermediate states on the way to the goal, as a JSON list of formulas."""

    def rename(name: str) -> str:
        """Return an object as subgoals write it: ``jar.0`` for ``jar_0``."""
        return ".".join(name.rsplit("_", 1))

    return _fill_template("subgoal_decomposition", task, rename=rename)


def _fill_template(
    ability: str,
    task: Task,
    *,
    rename: Rename = str,
    hidden: Container[str] = (),
    **values: object,
) -> str:
    """Return the template of an ability, filled with the scene and values of a task.

    Objects stand behind their new names (``rename``) with their definitions.
    """
    definitions = _definitions(task)

    def described(name: str) -> str:
        """Return an object with its definition in parentheses; pieces have none."""
        if name not in definitions:
            return rename(name)
        return f"{rename(name)} ({definitions[name]})"

    listed = scene(task, hidden=hidden, rename=described, show=_shown)
    return filled(f"behavior/{ability}", task=task, scene=listed, **values)


def _shown(predicate: str) -> str:
    """Return a predicate in the spelling of prompts: ``inside`` for ``placed_inside``."""
    return _PLACES.get(predicate, predicate)


def _definitions(task: Task) -> dict[str, str]:
    """Return for each name in the simulator the one in the activity's definition (pieces: none)."""
    return {name: bddl for bddl, name in definition_names(task).items()}
