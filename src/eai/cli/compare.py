"""``eai compare``: models task by task, with what can be concluded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from eai.cli.commands import Argument, Option

__all__ = ["COMMAND"]


def _compare(
    run: Annotated[Path, Argument("A record file, or the folder of a run.")],
    other: Annotated[
        Path | None, Argument("Another run; without it, the models of the first are compared.")
    ] = None,
    model: Annotated[list[str] | None, Option("Only this model; may come several times.")] = None,
    metric: Annotated[
        list[str] | None,
        Option("Key of a metric; may come several times; by default those with an interval."),
    ] = None,
    answered: Annotated[
        bool, Option("Only tasks that both models answered; by default a missing answer failed.")
    ] = False,
    draws: Annotated[int, Option("How often tasks are drawn for what is no rate over tasks.")] = (
        10_000
    ),
    seed: Annotated[int, Option("Seed of the draws.")] = 0,
    csv: Annotated[Path | None, Option("Also write the rows to this file.")] = None,
    force: Annotated[bool, Option("Write over a file.")] = False,
    json: Annotated[bool, Option("Print one JSON document.")] = False,
) -> None:
    """Compare models task by task: differences, intervals, tests, what can be concluded.

    Two runs: each model that both have with itself, else each with each. One run: each of its
    models with each other one.
    """
    from eai.cli.runs import read_run, record_file

    if other is not None and record_file(run).resolve() == record_file(other).resolve():
        from eai.cli.output import warn

        warn("this is the same run twice; eai compare RUN compares its models with each other")
    first = read_run(run, models=model or ())
    second = None if other is None else read_run(other, models=model or ())
    found = first.compare(second, metrics=metric, answered=answered, draws=draws, seed=seed)
    if csv is not None:
        found.to_csv(csv, force=force)
    if json:
        from eai.cli.documents import comparison_document, print_json

        print_json(comparison_document(found))
        return
    from eai.cli.output import show

    show(found)


COMMAND = _compare
