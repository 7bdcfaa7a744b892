"""``eai tasks``: the tasks of a suite, and what there is in one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from eai.cli.commands import Argument, Option
from eai.errors import InputError

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.task import Task

__all__ = ["COMMAND"]

_MOST = 40
"""So many relations are all shown."""

_UNSEEN = "They are seen only while acting: eai interact {}"


def _tasks(
    suite: Annotated[str, Argument("Name of a suite; see `eai suites`.")],
    task: Annotated[
        str | None, Argument("The task to describe; by default all are listed.")
    ] = None,
    json: Annotated[bool, Option("Print one JSON document.")] = False,
) -> None:
    """List the tasks of a suite: identifier, name, instruction; or say what there is in one.

    Of one task: its goal, its objects with what is true of each at the start, where they are (in a
    large home: what the goal names, and who acts; --json lists all), and its actions with the
    number of objects that each takes. Predictions call all of these as they are called here.
    """
    from eai.cli.documents import print_json
    from eai.cli.here import named_suite, named_task
    from eai.cli.output import say

    chosen = named_suite(suite)
    if task is not None:
        found = named_task(chosen, task)
        if json:
            print_json(_document(found, chosen))
        else:
            say(_text(found, chosen))
        return
    lines = [_listed(chosen, name) for name in chosen.task_ids()]
    if json:
        print_json({"suite": chosen.name, "tasks": lines})
        return
    width = max((len(line["id"]) for line in lines), default=0)
    for line in lines:
        say(f"{line['id']:<{width}}  {line['name']}: {line['instruction']}")


def _listed(suite: Suite, name: str) -> dict[str, str]:
    """What is said about a task in a list; one with a mistake in it does not hide the others."""
    try:
        found = suite.task(name)
    except InputError as error:
        return {"id": name, "name": "cannot be used", "instruction": error.what}
    return {"id": name, "name": found.name, "instruction": " ".join(found.instruction.split())}


def _document(task: Task, suite: Suite) -> dict[str, Any]:
    from eai.abilities.prompts import facts, states

    return {
        "suite": suite.name,
        "id": task.id,
        "name": task.name,
        "instruction": task.instruction,
        "goal": _goal(task),
        "objects": states(task),
        "relations": facts(task),
        "actions": dict(sorted(task.vocabulary.actions.items())),
    }


def _goal(task: Task) -> str:
    from eai.abilities.prompts import final_conditions

    return task.goal.text or final_conditions(task)


def _text(task: Task, suite: Suite) -> str:
    from eai.abilities.prompts import actions, objects, section, states

    seen = states(task)
    parts = [
        f"{suite.name} {task.id}: {task.name}\n{task.instruction}",
        section("Goal", _goal(task)),
        section("Objects", objects(task) if seen else _UNSEEN.format(suite.name)),
        *([section("Relations", *_relations(task))] if seen else []),
        section("Actions", actions(task, ends=_ends(task))),
    ]
    return "\n\n".join(parts)


def _relations(task: Task) -> list[str]:
    """The relations at the start; of many, those of what the goal names and of who acts."""
    from eai.abilities.prompts import bullets, facts

    every = facts(task)
    about = _wanted(task)
    if len(every) <= _MOST or not about:
        return [bullets(every)]
    shown = facts(task, about=about | {task.agent})
    more = len(every) - len(shown)
    return [bullets(shown), f"and {more} more, of other objects: --json lists all" if more else ""]


def _wanted(task: Task) -> set[str]:
    """The objects that the goal names."""
    from eai.logic.formula import Atom, atoms

    ends = [formula for option in task.goal.final for _, formula in option]
    goal = ends if task.goal.formula is None else [task.goal.formula]
    found = (atom for formula in goal for atom in atoms(formula) if isinstance(atom, Atom))
    return {str(term) for atom in found for term in atom.terms} & task.vocabulary.objects


def _ends(task: Task) -> dict[str, str]:
    """Action of two objects to how they are related after it; that says which is the first."""
    from eai.pddl.model import AddEffect, literal_effects

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


COMMAND = _tasks
