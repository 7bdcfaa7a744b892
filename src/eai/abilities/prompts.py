"""Words for tasks: what there is, how it is, what can be done, what is wanted.

Prompts are made of these; :func:`plan_prompt` is the one that asks for plans of any suite.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Mapping

from eai.diagnosis import described
from eai.logic import Atom, format_formula
from eai.task import Task
from eai.text import counted
from eai.world import world_of

Rename = Callable[[str], str]
"""How an object is called in a prompt."""


def section(title: str, *paragraphs: str) -> str:
    """Return a part of a prompt: a heading and what stands below it."""
    return "\n".join([f"## {title}", *(paragraph for paragraph in paragraphs if paragraph)])


def sheet(*parts: str) -> str:
    """Return a prompt: its parts, with blank lines between them."""
    return "\n\n".join(parts)


def bullets(lines: Iterable[str], *, none: str = "(none)") -> str:
    """Return a list, or a word for an empty one."""
    return "\n".join(f"- {line}" for line in lines) or none


def objects(
    task: Task,
    *,
    hidden: Container[str] = (),
    rename: Rename = str,
    upper: bool = False,
    only: Container[str] | None = None,
) -> str:
    """List the objects that an answer may mention, with what holds of each alone.

    Args:
        task: The task.
        hidden: Predicates that are not shown.
        rename: How an object is called in the prompt.
        upper: Whether predicates are written in upper case.
        only: The objects to list; all if None.
    """
    listed = {}
    for name, held in states(task).items():
        if only is None or name in only:
            shown = ", ".join(each for each in held if each not in hidden)
            listed[rename(name)] = shown.upper() if upper else shown
    return bullets(f"{name}: {held}" if held else name for name, held in listed.items())


def states(task: Task) -> dict[str, list[str]]:
    """Return the objects that an answer may mention, with the predicates that hold of each alone.

    Args:
        task: The task; what holds is that of its start.
    """
    names = (name for name in task.start.universe.names if name in task.vocabulary.objects)
    found: dict[str, list[str]] = {name: [] for name in names}
    for atom in _facts(task, 1):
        if str(atom.terms[0]) in found:
            found[str(atom.terms[0])].append(atom.predicate)
    return {name: sorted(held) for name, held in found.items()}


def facts(
    task: Task,
    *,
    hidden: Container[str] = (),
    rename: Rename = str,
    names: Mapping[str, str] | None = None,
    about: Container[str] | None = None,
) -> list[str]:
    """Return the relations between the objects that an answer may mention, at the start.

    Args:
        task: The task.
        hidden: Predicates that are left out.
        rename: How an object is called.
        names: Predicate to what it is called; by default its own name.
        about: Only relations whose first object is one of these; all if None.
    """
    called = names or {}
    return sorted(
        f"{called.get(atom.predicate, atom.predicate)}"
        f"({', '.join(rename(str(term)) for term in atom.terms)})"
        for atom in _facts(task, 2)
        if atom.predicate not in hidden and (about is None or str(atom.terms[0]) in about)
    )


def actions(task: Task, *, without: Container[str] = ()) -> str:
    """List the actions: what each takes, needs and does, by the task's domain.

    Args:
        task: The task.
        without: Actions that are not listed.
    """
    domain, world = task.start.layout.domain, world_of(task.start.layout.domain)
    return bullets(
        described(world, task.start, domain.operators[name], agent=bool(task.agent))
        if name in domain.operators
        else f"{name.upper()}: {counted(count, 'object')}"  # an environment's own
        for name, count in sorted(task.vocabulary.actions.items())
        if name not in without
    )


def final_conditions(task: Task) -> str:
    """List what has to hold in the end, and the actions that have to be taken on the way."""
    final = next(iter(task.goal.final), ())
    wanted = [f"the action {' or '.join(goal.names).upper()}" for goal in task.goal.actions]
    return bullets([*(format_formula(formula) for _, formula in final), *wanted])


def _facts(task: Task, arity: int) -> Iterable[Atom]:
    known = task.vocabulary.objects
    for atom in task.start.atoms():
        if len(atom.terms) == arity and all(str(term) in known for term in atom.terms):
            yield atom


def plan_prompt(task: Task) -> str:
    """Ask for a plan as a JSON list of one-key objects."""
    # A formula may speak of the way there as well as of the end.
    goal = "In the end this has to be true:", final_conditions(task)
    if task.goal.text:
        goal = "As a formula:", task.goal.text
    return sheet(
        "Write a plan for an agent. Names are used exactly as they stand here.",
        section("Objects", objects(task)),
        section("Relations", bullets(facts(task))),
        section("Actions", actions(task)),
        section("Goal", task.instruction, *goal),
        section(
            "Answer",
            "Write the plan as one JSON list, in the order of execution, and nothing else; "
            "each step is an object with the action as its key and the list of its objects as "
            "its value. The form:",
            json.dumps([{"ACTION": ["object_1", "object_2"]}]),
        ),
    )
