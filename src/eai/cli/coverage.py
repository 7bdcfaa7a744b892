"""``eai check-predictions``: what is there, missing, doubled or unreadable, without a run."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from eai.cli import options as opt
from eai.cli.output import print_json, say, show
from eai.cli.reading import named_suite
from eai.contract import chosen_ability
from eai.suites import DEFAULT, SAMPLES

app = typer.Typer()


@opt.command(
    app,
    f"eai check-predictions {SAMPLES} answers.jsonl",
    f"eai check-predictions {DEFAULT} submission.zip",
    f"eai check-predictions {SAMPLES} outputs.jsonl --id-field custom_id --show-left-out",
    name="check-predictions",
)
def check_predictions(
    suite: opt.SuiteName,
    path: Annotated[
        Path,
        opt.path_argument(
            "PATH",
            "Predictions: a file, a folder, or a zip such as a submission to the challenge.",
        ),
    ],
    fields: opt.Fields,
    ability: Annotated[
        str | None, typer.Option("--ability", help="Only this ability; by default all.")
    ] = None,
    show_left_out: opt.ShowLeftOut = False,
    json: opt.Json = False,
) -> None:
    """Count the answers that are there, missing, doubled or unreadable; evaluate nothing.

    Exit code 1 if a task has no answer, or an answer no task.
    """
    from eai.evaluation.coverage import coverage_of, coverage_table

    chosen_suite = named_suite(suite)
    abilities = []
    if ability:
        abilities.append(chosen_ability(chosen_suite, ability))
    coverages = coverage_of(
        chosen_suite,
        path,
        abilities,
        id=fields.id_field or "",
        output=fields.field or "",
        model_field=fields.model_field or "",
    )
    if json:
        models = [coverage.to_json() for coverage in coverages]
        print_json({"suite": chosen_suite.name, "models": models})
    else:
        show(coverage_table(chosen_suite.name, coverages))
    if show_left_out and not json:
        # Models of one source share its omitted rows, which are reported once.
        left_out = chain.from_iterable(coverage.left_out for coverage in coverages)
        for line in dict.fromkeys(left_out):
            say(line)
    if not coverages or not all(coverage.is_complete for coverage in coverages):
        raise typer.Exit(1)
