"""Commands on PDDL files: plan, check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import eai
from eai import pddl
from eai.cli.options import Json, examples, path_argument
from eai.cli.output import print_json, say

if TYPE_CHECKING:
    from eai.planning import PlanningResult

app = typer.Typer()


@app.command(
    epilog=examples(
        "eai plan domain.pddl problem.pddl",
        "eai plan domain.pddl problem.pddl --engine fast-downward --time-limit 60",
    )
)
def plan(
    domain: Annotated[Path, path_argument("DOMAIN", "The domain, a PDDL file.")],
    problem: Annotated[Path, path_argument("PROBLEM", "The problem, a PDDL file.")],
    engine: Annotated[
        str,
        typer.Option(
            help="eai, eai-width, eai-greedy, eai-optimal, eai-breadth-first, fast-downward, "
            "pyperplan, or the name of an engine that another package announces."
        ),
    ] = "eai",
    time_limit: Annotated[float, typer.Option(help="Seconds of processor time.")] = 300,
    memory_limit: Annotated[float, typer.Option(help="Megabytes for the search.")] = 4_000,
    json: Json = False,
) -> None:
    """Print a plan as PDDL planners do; exit code 1 if there is no plan that was checked.

    The last lines are comments: how planning ended and why, the cost, the processor time.
    """
    found = eai.plan(
        pddl.read_file(domain),
        pddl.read_file(problem),
        engine=engine,
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    if json:
        steps = (
            None if found.plan is None else [[each.name, *each.arguments] for each in found.plan]
        )
        print_json({**vars(found), "outcome": found.outcome.value, "plan": steps})
    else:
        say(_planned(found))
    if not found.solved:
        raise typer.Exit(1)


def _planned(found: PlanningResult) -> str:
    steps = [f"({' '.join((step.name, *step.arguments))})" for step in found.plan or ()]
    reported = found.reason.splitlines()
    lines = [
        f"{found.outcome.value} ({found.engine}): {reported[0] if reported else ''}",
        *reported[1:],
    ]
    if found.cost is not None:
        lines.append(f"cost {found.cost:g}{', the least there is' if found.optimal else ''}")
    lines.append(f"{found.seconds:.2f} s of processor time")
    return "\n".join([*steps, *(f"; {line}" for line in lines)])


@app.command(epilog=examples("eai check domain.pddl problem.pddl plan.txt"))
def check(
    files: Annotated[list[Path], path_argument("FILES", "Domains, problems, lists of actions.")],
    json: Json = False,
) -> None:
    """Print every mistake in PDDL files with its place; exit code 1 if there is an error."""
    issues = [issue for found in pddl.check_files(files).values() for issue in found]
    errors = sum(issue.severity == "error" for issue in issues)
    warnings = len(issues) - errors
    if json:
        counts = {"errors": errors, "warnings": warnings, "files": len(files)}
        print_json({**counts, "issues": [issue.as_record() for issue in issues]})
    else:
        counted = ((errors, "error"), (warnings, "warning"), (len(files), "file"))
        amounts = [f"{count} {what}{'' if count == 1 else 's'}" for count, what in counted]
        total = f"{amounts[0]} and {amounts[1]} in {amounts[2]}"
        say("\n".join([*(issue.render() for issue in issues), total]))
    if errors:
        raise typer.Exit(1)
