"""Statistics of datasets: their size, and the faults of their annotations.

Paper, Table 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from eai.abilities import PARTS
from eai.analyses.operators import annotated_operators
from eai.contract import Suite, extension
from eai.contract.lint import FAULTS, lint_suite
from eai.contract.registry import given_suite
from eai.diagnosis import GOAL_KINDS
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
    domains = [task.start.layout.domain for task in tasks[:1]]
    listed_of = extension("eai.listed_goals", chosen)
    literals = [
        [word for word in literal if word != "not"]
        for task in (tasks if listed_of is not None else ())
        for literal in listed_of(chosen, task)
    ]
    kinds = Counter("state" if len(literal) == 2 else "relation" for literal in literals)
    listed = [_row("literals of their first options", len(literals))] if literals else []
    rows: list[dict[str, Cell]] = [
        _row("task names", len({task.name for task in tasks})),
        _row("instructions", len(tasks)),
        _row("tasks with a goal", sum(any(_size_kinds(task)) for task in tasks)),
        _row("goal conditions", sum(goals.values())),
        *(_row(f"- {kind}", goals[kind]) for kind in GOAL_KINDS),
        *listed,
        *(_row(f"- {kind}", kinds[kind]) for kind in GOAL_KINDS if kinds[kind]),
        _row("reference plans", len(plans)),
        _row("- steps", steps),
        _row("- mean number of steps", steps / len(plans) if plans else None),
        _row("- largest number of steps", max(map(len, plans), default=None)),
        *(_row("predicates of the world", len(domain.predicates)) for domain in domains),
        *(_row("operators of the world", len(domain.operators)) for domain in domains),
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
        notes.append(
            f"{suite.name}: {len(suite.task_ids())} tasks; {', '.join(kinds) or 'no faults'}"
        )
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
