"""What datasets hold: how large they are, of which categories, with which faults.

Paper, section L.5, Tables 2 and 25.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from eai.abilities import PARTS
from eai.analyses.operators import annotated_operators
from eai.contract import Suite
from eai.diagnosis import GOAL_KINDS
from eai.errors import InputError
from eai.lint import FAULTS, lint_suite
from eai.registry import given_suite
from eai.table import Cell, Table
from eai.task import Task


def dataset_statistics(suite: str | Suite) -> Table:
    """Count a suite's tasks, goals, plans and steps, and the operators of its world.

    Of a goal with alternatives the first is counted. A condition with quantifiers stands for the
    literals of the first option that the release lists for it.

    Raises:
        DataMissingError: If the data of the suite was not fetched.
    """
    chosen = given_suite(suite)
    tasks = [chosen.task(name) for name in chosen.task_ids()]
    goals = Counter(kind for task in tasks for kind in _size_kinds(task))
    plans = [task.plans[0] for task in tasks if task.plans]
    steps = sum(map(len, plans))
    rows: list[dict[str, Cell]] = [
        _row("task names", len({task.name for task in tasks})),
        _row("instructions", len(tasks)),
        _row("tasks with a goal", sum(any(_size_kinds(task)) for task in tasks)),
        _row("goal conditions", sum(goals.values())),
        *(_row(f"- {kind}", goals[kind]) for kind in GOAL_KINDS),
        *_literals(chosen, tasks),
        _row("reference plans", len(plans)),
        _row("- steps", steps),
        _row("- steps in the mean", steps / len(plans) if plans else None),
        _row("- steps at most", max(map(len, plans), default=None)),
        *_operators(tasks[:1]),
        *(_transition_models(chosen) if "transition_modeling" in chosen.abilities else ()),
    ]
    return Table(f"Statistics of {chosen.name} ({chosen.version})", rows)


def _row(what: str, number: Cell) -> dict[str, Cell]:
    return {"what": what, "number": number}


def _size_kinds(task: Task) -> Iterable[str]:
    for kind, _ in next(iter(task.goal.final), ()):
        yield kind
    for _ in task.goal.actions:
        yield "action"


def _operators(first: Iterable[Task]) -> Iterable[dict[str, Cell]]:
    for task in first:
        yield _row("predicates of the world", len(task.start.layout.domain.predicates))
        yield _row("operators of the world", len(task.start.layout.domain.operators))


def _literals(suite: Suite, tasks: Iterable[Task]) -> Iterable[dict[str, Cell]]:
    listed = [literal for task in tasks for literal in suite.listed_literals(task)]
    if listed:
        words = [[word for word in literal if word != "not"] for literal in listed]
        kinds = Counter("state" if len(literal) == 2 else "relation" for literal in words)
        yield _row("literals of their first options", len(words))
        yield from (_row(f"- {kind}", kinds[kind]) for kind in GOAL_KINDS if kinds[kind])


def _transition_models(suite: Suite) -> Iterable[dict[str, Cell]]:
    """Different predicates of each operator, added up; an empty formula is none."""
    annotated = annotated_operators(suite)
    model = annotated.model
    yield _row("tasks of transition modeling", len(model.demands))
    yield _row("- operators", len(model.operators))
    for part in PARTS:
        texts = [getattr(operator, part) for operator in model.operators.values()]
        found = [set(annotated.predicates(text)) for text in texts]
        yield _row(f"- predicates of their {part}s", sum(map(len, found)))
        yield _row(f"- operators without {part}", sum(not names for names in found))


def categorize(
    programs: Mapping[str, Iterable[str]],
    predicates: Mapping[str, Iterable[str]],
    *,
    categories: Mapping[str, str],
    most: int = 2,
    repeated: bool = False,
) -> dict[str, tuple[str, ...]]:
    """Assign each program the categories whose predicates say most about it (section L.5).

    The predicates of a program are those of its actions. With df(t) the number of the ``|P|``
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
    found: dict[str, Counter[str]] = {}
    for program, actions in programs.items():
        # How many of the different actions have each predicate.
        found[program] = Counter()
        for action in dict.fromkeys(actions):
            if action not in predicates:
                raise InputError(
                    f"the program {program!r} has the action {action!r}, which has no predicates",
                    expected=f"one of {', '.join(sorted(predicates)[:8])}, ...",
                )
            found[program].update(dict.fromkeys(predicates[action], 1))
    frequency = Counter(name for names in found.values() for name in names)
    assigned: dict[str, tuple[str, ...]] = {}
    for program, names in found.items():
        parts: dict[str, list[float]] = {}
        for name, times in names.items():
            if name in categories:
                weight = math.log(len(found) / frequency[name])
                parts.setdefault(categories[name], []).append(weight * (times if repeated else 1))
        # An exact sum, so that the order of its parts cannot part equal scores.
        ranked = sorted(parts, key=lambda category: -math.fsum(parts[category]))
        assigned[program] = tuple(ranked[:most])
    return assigned


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
    annotated = annotated_operators(suite)
    model = annotated.model
    plans = {task: demand.operators for task, demand in model.demands.items()}
    predicates = {
        operator.name: annotated.predicates(f"(and {operator.precondition} {operator.effect})")
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


def annotation_faults(suites: Iterable[str | Suite]) -> Table:
    """List the faults of the annotations of suites, found by running every reference plan.

    Raises:
        DataMissingError: If the data of a suite was not fetched.
    """
    chosen = list(map(given_suite, suites))
    found = [(suite.name, fault) for suite in chosen for fault in lint_suite(suite)]
    counts = Counter((suite, fault.kind) for suite, fault in found)
    notes = []
    for suite in chosen:
        kinds = [f"{counts[suite.name, k]} {k}" for k in FAULTS if counts[suite.name, k]]
        notes.append(f"{suite.name}: {len(suite.task_ids())} tasks; {', '.join(kinds) or '-'}")
    meanings = [f"{kind}: {FAULTS[kind]}" for kind in FAULTS if any(k == kind for _, k in counts)]
    return Table(
        "Faults of annotations",
        [
            {
                "suite": suite,
                "task": fault.task,
                "kind": fault.kind,
                "step": fault.step,
                "what": fault.message,
            }
            for suite, fault in found
        ],
        (*notes, *meanings),
    )
