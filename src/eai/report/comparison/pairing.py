"""Which models are compared, and on which tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from eai.errors import InputError
from eai.report.record import Record
from eai.report.report import Report

__all__ = ["paired_models", "paired_records"]

_Side = tuple[str, Sequence[Record]]
"""A model's name as it is shown, and its records."""

_Pairs = list[tuple[Record, Record]]


def paired_models(first: Report, second: Report | None) -> Iterator[tuple[_Side, _Side]]:
    """Yield which models are compared, each with its records.

    Args:
        first: A report.
        second: Another one; None to compare the models of the first with each other.

    Raises:
        InputError: If the reports are of different suites or abilities, or if there is nothing
            to compare.
    """
    if second is None:
        if len(first.models) < 2:
            raise InputError(
                "there is one model only, so there is nothing to compare",
                expected="a report with two models, or a second report",
                mend="give the report of another run: eai compare RUN OTHER",
            )
        for one, other in combinations(first.models, 2):
            yield (one, first.of(one)), (other, first.of(other))
        return
    _check(first, second)
    shared = [model for model in first.models if model in second.models]
    for one, other in (
        zip(shared, shared, strict=True) if shared else product(first.models, second.models)
    ):
        names = (f"{one} (first)", f"{other} (second)") if shared else (one, other)
        yield (names[0], first.of(one)), (names[1], second.of(other))


def _check(first: Report, second: Report) -> None:
    for name in ("suite", "ability"):
        one, other = (getattr(report.setting, name) for report in (first, second))
        if one != other:
            raise InputError(
                f"the first report is of the {name} {one!r}, the second of {other!r}",
                expected="two reports of the same suite and ability",
                mend="compare models on the same tasks",
            )


def paired_records(
    one: _Side, other: _Side, notes: list[str], *, answered: bool
) -> tuple[list[Record], list[Record]]:
    """Return the records of the tasks that both models have, in the order of the first.

    Args:
        one: A model.
        other: Another one.
        notes: What is left out is said here.
        answered: Whether only the tasks count that both have answered.

    Raises:
        InputError: If there is no such task.
    """
    names = f"{one[0]} and {other[0]}"
    judged = [
        {r.task: r for r in records if r.judgement.status != "excluded"}
        for _, records in (one, other)
    ]
    tasks = [task for task in judged[0] if task in judged[1]]
    if not tasks:
        raise InputError(
            f"{names} have no task in common",
            expected="records of the same tasks",
        )
    left_out = len(judged[0].keys() ^ judged[1].keys())
    if left_out:
        notes.append(f"{_tasks(left_out)} that only one of {names} has: left out.")
    found = [(judged[0][task], judged[1][task]) for task in tasks]
    both = [pair for pair in found if not any(map(_is_missing, pair))]
    if answered:
        found = _of_both(found, both, names, notes)
    else:
        notes += _weighed(found, len(both), names)
    return [pair[0] for pair in found], [pair[1] for pair in found]


def _of_both(found: _Pairs, both: _Pairs, names: str, notes: list[str]) -> _Pairs:
    if not both:
        raise InputError(
            f"{names} have answered no task in common",
            expected="at least one task that both answered",
            mend="compare them with missing answers as failures (the default)",
        )
    if len(both) < len(found):
        notes.append(
            f"{_tasks(len(found) - len(both))} that not both of {names} answered: left out."
        )
    return both


def _weighed(found: _Pairs, both: int, names: str) -> Iterator[str]:
    """What to say if a difference may be one between missing answers and given ones."""
    alone = sum(_is_missing(one) != _is_missing(other) for one, other in found)
    if alone:
        yield (
            f"{_tasks(alone)} of {len(found)} that only one of {names} answered: missing answers "
            "count as failed, so they are a part of the differences; answered=True (--answered) "
            f"leaves {_tasks(both)} that both answered."
        )


def _is_missing(record: Record) -> bool:
    return record.judgement.status == "missing"


def _tasks(number: int) -> str:
    return f"{number} task{'' if number == 1 else 's'}"
