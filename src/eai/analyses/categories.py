"""Which categories of predicates dominate a task (paper, section L.5 and Table 25)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from eai.analyses.operators import environment_of
from eai.contract import Suite
from eai.errors import InputError
from eai.suites.transition.forms import EMPTY, literals, read_form
from eai.table import Cell, Table

__all__ = ["categorize", "category_counts", "mentioned_predicates", "task_categories"]


def categorize(
    programs: Mapping[str, Iterable[str]],
    predicates: Mapping[str, Iterable[str]],
    *,
    categories: Mapping[str, str],
    most: int = 2,
    repeated: bool = False,
) -> dict[str, tuple[str, ...]]:
    """Assign each program the categories whose predicates say most about it (section L.5).

    The predicates of a program are those of its actions. With df(t) the number of the |P|
    programs that have the predicate t, ``IDF(t) = log(|P| / df(t))``; the score of a category is
    the sum of the IDF of its predicates in the program, and the highest scores win.

    Args:
        programs: Program to the names of its actions.
        predicates: Action to the predicates of its conditions and effects.
        categories: Predicate to category; predicates without one do not count.
        most: Number of categories for each program (2 in the paper).
        repeated: Whether a predicate adds to the score once for each different action of the
            program that has it, as in the published categories; in the paper it adds once.

    Returns:
        Program to its categories, highest score first; of equal scores, that whose predicate
        comes first in the program. A category none of whose predicates occurs in the program is
        never assigned.

    Raises:
        InputError: If a program has an action that is not known, or ``most`` is below 1.
    """
    if most < 1:
        raise InputError(f"a program cannot have {most} categories", expected="1 or more")
    known = {action: tuple(dict.fromkeys(names)) for action, names in predicates.items()}
    found = {program: _predicates(program, actions, known) for program, actions in programs.items()}
    frequency = Counter(name for names in found.values() for name in names)
    weight = {name: math.log(len(found) / count) for name, count in frequency.items()}
    return {
        program: _best(names if repeated else dict.fromkeys(names, 1), weight, categories)[:most]
        for program, names in found.items()
    }


def _predicates(
    program: str, actions: Iterable[str], known: Mapping[str, tuple[str, ...]]
) -> Counter[str]:
    """How many of the different actions have each predicate."""
    names = Counter[str]()
    for action in dict.fromkeys(actions):
        if action not in known:
            raise InputError(
                f"the program {program!r} has the action {action!r}, which has no predicates",
                expected=f"one of {', '.join(sorted(known)[:8])}, ...",
            )
        names.update(known[action])
    return names


def _best(
    names: Mapping[str, int], weight: Mapping[str, float], categories: Mapping[str, str]
) -> tuple[str, ...]:
    parts: dict[str, list[float]] = {}
    for name, times in names.items():
        if name in categories:
            parts.setdefault(categories[name], []).append(times * weight[name])
    # An exact sum, so that the order of its parts cannot part equal scores.
    return tuple(sorted(parts, key=lambda category: -math.fsum(parts[category])))


def category_counts(assigned: Mapping[str, Iterable[str]]) -> Table:
    """Count the tasks in each category (Table 25); a task counts in each of its categories."""
    counts = Counter(category for categories in assigned.values() for category in categories)
    return Table(
        "Tasks in each category",
        [{"category": category, "tasks": counts[category]} for category in sorted(counts)],
        (f"{len(assigned)} tasks; a task counts in each of its categories",),
    )


def task_categories(suite: Suite, *, most: int = 2) -> Table:
    """Categorize a suite's planning problems by the actions of their annotated plans (Table 25).

    Args:
        suite: A suite with transition modeling.
        most: Number of categories for each task (2 in the paper).

    Returns:
        A row for each category: tasks by the paper's definition, tasks if a predicate adds once
        for each action that has it, and tasks in the release.

    Raises:
        UnknownNameError: If the suite has no transition modeling.
        InputError: If ``most`` is below 1.
        DataMissingError: If the official data was not fetched.
    """
    model = environment_of(suite).model
    plans = {task: demand.operators for task, demand in model.demands.items()}
    predicates = {
        operator.name: mentioned_predicates(f"(and {operator.precondition} {operator.effect})")
        for operator in model.operators.values()
    }
    once, repeated = (
        categorize(plans, predicates, categories=model.categories, most=most, repeated=how)
        for how in (False, True)
    )
    released = {task: demand.groups for task, demand in model.demands.items()}
    columns = {"as defined": once, "repeated": repeated, "released": released}
    counts = {
        name: Counter(category for categories in of.values() for category in categories)
        for name, of in columns.items()
    }
    rows: list[dict[str, Cell]] = [
        {"category": category, **{name: of[category] for name, of in counts.items()}}
        for category in dict.fromkeys(model.categories.values())
        if any(of[category] for of in counts.values())
    ]
    notes = [f"{len(plans)} tasks, {most} categories each"]
    for name, of in (("as defined", once), ("repeated", repeated)):
        same = sum(set(of[task]) == set(released[task]) for task in released)
        notes.append(f"{name}: {same} of {len(released)} tasks have the released categories")
    return Table(f"Task categories ({suite.name})", rows, tuple(notes))


def mentioned_predicates(formula: str) -> list[str]:
    """Return the predicates of an annotated condition or effect, in reading order.

    Args:
        formula: Its text.

    Raises:
        ValueError: If the text cannot be read.
    """
    found = [literal.split()[0] for literal in literals(read_form(formula))]
    return [name for name in found if name != EMPTY]
