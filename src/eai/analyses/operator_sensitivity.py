"""Which predicted operators break plans, one at a time (paper, section F, Figures 38 to 47)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from eai.analyses.operators import Answer, read_answers
from eai.contract import Suite
from eai.planning import Outcome
from eai.report.statistics import wilson
from eai.semantics import Semantics
from eai.table import Cell, Table

__all__ = ["sensitivity"]

_Key = tuple[str, str, str]


def sensitivity(
    suite: Suite,
    predictions: object,
    *,
    semantics: str | Semantics | None = None,
    categories: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Table:
    """Put each predicted operator among the annotated ones, and see whether a plan is left.

    A task is *sensitive* to an operator if the planner finds a plan with the annotated operators,
    but none after this one is replaced by the predicted one.

    Args:
        suite: A suite with transition modeling.
        predictions: Answers, as :func:`eai.predictions.load_all` takes them.
        semantics: ``"official"`` or ``"strict"``; by default what the suite prefers.
        categories: Whether there are rows for each ability category as well (Figures 39 to 43
            and 45 to 47).
        progress: Called after every answer.

    Returns:
        A row for each model and operator, the lowest success rate first.

    Raises:
        UnknownNameError: If the suite has no transition modeling.
        InputError: If the predictions cannot be read.
        DataMissingError: If the official data was not fetched.
    """
    answers = read_answers(suite, predictions, semantics=semantics)
    counts: dict[_Key, Counter[Outcome]] = {}
    unsolved = 0
    for done, answer in enumerate(answers, start=1):
        if answer.outcome(()) is Outcome.SOLVED:
            _count(answer, counts, answer.demand.groups if categories else ())
        else:
            unsolved += 1
        if progress is not None:
            progress(done, len(answers))
    rows = [_row(*key, of_key) for key, of_key in sorted(counts.items())]
    if not categories:
        rows = [{key: row[key] for key in row if key != "category"} for row in rows]
    rows.sort(key=_rate)
    title = f"Sensitivity to predicted operators ({suite.name})"
    return Table.by_model(title, rows, _notes(answers, unsolved))


def _count(answer: Answer, counts: dict[_Key, Counter[Outcome]], groups: Iterable[str]) -> None:
    for name in answer.compared:
        outcome = answer.outcome((name,))
        for group in ("all", *groups):
            counts.setdefault((answer.model, group, name), Counter())[outcome] += 1


def _row(model: str, group: str, name: str, outcomes: Counter[Outcome]) -> dict[str, Cell]:
    solved, failed = (
        sum(outcomes[outcome] for outcome in kind)
        for kind in ((Outcome.SOLVED,), (Outcome.UNSOLVABLE, Outcome.REJECTED))
    )
    tasks = solved + failed
    low, high = wilson(solved, tasks) if tasks else (None, None)
    return {
        "model": model,
        "category": group,
        "operator": name,
        "tasks": tasks,
        "solved": solved,
        "success %": 100 * solved / tasks if tasks else None,
        "low": low,
        "high": high,
        "undecided": outcomes.total() - tasks,
    }


def _rate(row: dict[str, Cell]) -> tuple[str, str, float]:
    rate = row["success %"]
    group = str(row.get("category", "all"))
    return (
        str(row["model"]),
        "" if group == "all" else group,
        float(rate) if isinstance(rate, float) else 100.0,
    )


def _notes(answers: Sequence[Answer], unsolved: int) -> tuple[str, ...]:
    notes = [
        f"{len(answers)} answers; operators that an answer lacks, or that nobody asked for, "
        "are left out",
        "low and high: Wilson 95 % interval; undecided: the search reached a limit",
    ]
    if unsolved:
        notes.append(f"{unsolved} answers left out: no plan with the annotated operators alone")
    return tuple(notes)
