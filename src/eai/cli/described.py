"""What there is in a task, for a person and as a JSON document."""

from __future__ import annotations

from typing import Any

from eai.abilities import prompts as sections
from eai.contract import Suite
from eai.logic import Atom, atoms
from eai.pddl import AddEffect, literal_effects
from eai.task import Task

_MOST = 40
"""So many relations are all shown."""


def task_document(task: Task, suite: Suite) -> dict[str, Any]:
    """Return everything that an answer may name, and what is true of it at the start."""
    return {
        "suite": suite.name,
        "id": task.id,
        "name": task.name,
        "instruction": task.instruction,
        "goal": _goal(task),
        "objects": sections.states(task),
        "relations": sections.facts(task),
        "actions": dict(sorted(task.vocabulary.actions.items())),
    }


def task_text(task: Task, suite: Suite) -> str:
    """Return the same as text; of many relations, those of what the goal names and of who acts."""
    seen = sections.states(task)
    unseen = f"They are seen only while acting: eai interact {suite.name}"
    parts = [
        f"{suite.name} {task.id}: {task.name}\n{task.instruction}",
        sections.section("Goal", _goal(task)),
        sections.section("Objects", sections.objects(task) if seen else unseen),
        *([sections.section("Relations", *_relations(task))] if seen else []),
        sections.section("Actions", sections.actions(task, ends=_ends(task))),
    ]
    return "\n\n".join(parts)


def _goal(task: Task) -> str:
    return task.goal.text or sections.final_conditions(task)


def _relations(task: Task) -> list[str]:
    every = sections.facts(task)
    ends = [formula for option in task.goal.final for _, formula in option]
    goal = ends if task.goal.formula is None else [task.goal.formula]
    found = (atom for formula in goal for atom in atoms(formula) if isinstance(atom, Atom))
    about = {str(term) for atom in found for term in atom.terms} & task.vocabulary.objects
    if len(every) <= _MOST or not about:
        return [sections.bullets(every)]
    shown = sections.facts(task, about=about | {task.agent})
    more = len(every) - len(shown)
    left_out = f"and {more} more, of other objects: --json lists all" if more else ""
    return [sections.bullets(shown), left_out]


def _ends(task: Task) -> dict[str, str]:
    """Action of two objects to how they are related after it; that says which is the first."""
    found: dict[str, str] = {}
    for name, operator in task.start.layout.domain.operators.items():
        if task.vocabulary.actions.get(name) != 2:
            continue
        pair = operator.parameters[-2:]
        added = (each for each in literal_effects(operator.effect) if isinstance(each, AddEffect))
        related = [each.atom.predicate for each in added if each.atom.terms == pair]
        if related:
            found[name] = f"{related[0]}(first, second)"
    return found
