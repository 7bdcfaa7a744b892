"""Statistics of datasets: their size, and the faults of their annotations.

Paper, Table 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from eai.abilities import PARTS
from eai.analyses.operators import annotated_operators
from eai.contract import Suite, extension
from eai.contract.lint import FAULTS, lint_suite
from eai.contract.registry import given_suite
from eai.diagnosis import GOAL_KINDS
from eai.table import Cell, Table
from eai.task import Task


def dataset_statistics(suite: str | Suite) -> Table:
    """Return a table with counts of a suite's tasks, goals, plans and operators.

    Of a goal with alternatives, the first is counted. A condition with quantifiers counts as the
    literals of the first option that the release lists for it.

    Raises:
        DataMissingError: If the data of the suite was not fetched.
    """
    chosen_suite = given_suite(suite)
    tasks = [chosen_suite.task(name) for name in chosen_suite.task_ids()]
    rows = [
        _row("task names", len({task.name for task in tasks})),
        _row("instructions", len(tasks)),
        *_goal_rows(tasks),
        *_listed_literal_rows(chosen_suite, tasks),
        *_plan_rows(tasks),
    ]
    if tasks:  # all tasks have the same domain
        domain = tasks[0].start.layout.domain
        rows.append(_row("predicates of the world", len(domain.predicates)))
        rows.append(_row("operators of the world", len(domain.operators)))
    if "transition_modeling" in chosen_suite.abilities:
        rows += _operator_rows(chosen_suite)
    return Table(f"Statistics of {chosen_suite.name} ({chosen_suite.version})", rows)


def _row(what: str, number: Cell) -> dict[str, Cell]:
    """Return a row of the table: what is counted, and how many there are."""
    return {"what": what, "number": number}


def _goal_rows(tasks: Sequence[Task]) -> Iterator[dict[str, Cell]]:
    """Yield rows with the number of goals, and of conditions by kind."""
    kinds: Counter[str] = Counter()
    tasks_with_goal = 0
    for task in tasks:
        kinds_in_goal = _goal_kinds(task)
        # Some published tasks have an empty goal: they are counted as tasks, not here.
        if kinds_in_goal:
            tasks_with_goal += 1
        kinds.update(kinds_in_goal)
    yield _row("tasks with a goal", tasks_with_goal)
    yield _row("goal conditions", kinds.total())
    for kind in GOAL_KINDS:
        yield _row(f"- {kind}", kinds[kind])


def _goal_kinds(task: Task) -> list[str]:
    """Return the kinds of conditions in a goal's first alternative, and of its actions."""
    kinds = ["action"] * len(task.goal.actions)
    if task.goal.final:
        kinds += [kind for kind, _ in task.goal.final[0]]
    return kinds


def _listed_literal_rows(suite: Suite, tasks: Sequence[Task]) -> Iterator[dict[str, Cell]]:
    """Yield rows with the number of published literals for quantified goals, by kind."""
    read_literals = extension("eai.listed_goals", suite)
    if read_literals is None:
        return
    kinds: Counter[str] = Counter()
    for task in tasks:
        for literal in read_literals(suite, task):
            # ("not", "inside", "soap.1", "cup.2"): a predicate and one object say a state, a
            # predicate and more objects a relation.
            predicate_and_objects = [word for word in literal if word != "not"]
            kind = "state" if len(predicate_and_objects) == 2 else "relation"
            kinds[kind] += 1
    if kinds:
        yield _row("literals of their first options", kinds.total())
    for kind in GOAL_KINDS:
        if kinds[kind]:
            yield _row(f"- {kind}", kinds[kind])


def _plan_rows(tasks: Sequence[Task]) -> Iterator[dict[str, Cell]]:
    """Yield rows with the number and lengths of reference plans.

    Of several plans of a task the first counts, which is the one that the benchmark uses.
    """
    lengths = [len(task.plans[0]) for task in tasks if task.plans]
    yield _row("reference plans", len(lengths))
    yield _row("- steps", sum(lengths))
    mean = None
    if lengths:
        mean = sum(lengths) / len(lengths)
    yield _row("- mean number of steps", mean)
    yield _row("- largest number of steps", max(lengths, default=None))


def _operator_rows(suite: Suite) -> Iterator[dict[str, Cell]]:
    """Yield rows on the operators to predict, and on the predicates in them.

    Predicates are counted once for each precondition or effect, and these numbers are added up.
    """
    annotated = annotated_operators(suite)
    model = annotated.model
    yield _row("tasks of transition modeling", len(model.demands))
    yield _row("- operators", len(model.operators))
    for part in PARTS:
        texts = [getattr(operator, part) for operator in model.operators.values()]
        counts = [len(set(annotated.predicates(text))) for text in texts]
        yield _row(f"- predicates of their {part}s", sum(counts))
        yield _row(f"- operators without {part}", counts.count(0))


def annotation_faults(suites: Iterable[str | Suite]) -> Table:
    """Return a table of faulty annotations, found by executing every reference plan.

    Raises:
        DataMissingError: If the data of a suite was not fetched.
    """
    rows: list[dict[str, Cell]] = []
    notes = []
    all_kinds: set[str] = set()
    for suite_or_name in suites:
        suite = given_suite(suite_or_name)
        # A task may have several faults of a kind, and counts once.
        tasks_by_kind: dict[str, set[str]] = {}
        for fault in lint_suite(suite):
            tasks_by_kind.setdefault(fault.kind, set()).add(fault.task)
            rows.append(
                {
                    "suite": suite.name,
                    "task": fault.task,
                    "kind": fault.kind,
                    "step": fault.step,
                    "what": fault.message,
                }
            )
        all_kinds.update(tasks_by_kind)
        kinds = [f"{len(tasks_by_kind[kind])} {kind}" for kind in FAULTS if kind in tasks_by_kind]
        faults = ", ".join(kinds) or "no faults"
        notes.append(f"{suite.name}: {len(suite.task_ids())} tasks; {faults}")
    # The meanings of the kinds that occur; a table without faults needs none.
    for kind, meaning in FAULTS.items():
        if kind in all_kinds:
            notes.append(f"{kind}: {meaning}")
    return Table("Faults of annotations", rows, tuple(notes))
