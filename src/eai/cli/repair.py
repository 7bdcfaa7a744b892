"""``eai repair``: the fewest edits that would have made a plan work."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(name="repair")(_repair)


def _repair(
    suite: Annotated[str, typer.Argument(help="The suite, or module:attribute.")],
    task: Annotated[str, typer.Argument(help="The task.")],
    answer: Annotated[Path, typer.Argument(help="A file with the answer of a model.")],
    edits: Annotated[int, typer.Option(help="Most edits that are searched for.")] = 3,
) -> None:
    """Print the edits and the repaired plan; exit code 1 if the plan does not work as it is."""
    from eai.cli.here import find_modules_here
    from eai.cli.output import say
    from eai.pddl.files import read_file
    from eai.planning.repair import RepairBounds
    from eai.registry import suite as find_suite
    from eai.remedy import repair

    find_modules_here(suite)
    found_suite = find_suite(suite)
    problem = found_suite.task(found_suite.canonical_id(task))
    found = repair(problem, read_file(answer), bounds=RepairBounds(edits=edits))
    say(str(found))
    if found.repaired is not None:
        say("\n".join(["repaired plan:", *(f"  {step}" for step in found.repaired)]))
    if found.distance != 0:
        raise typer.Exit(1)
