"""``eai suites``: what there is to evaluate on."""

from __future__ import annotations

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(name="suites")(_suites)


def _suites() -> None:
    """List the suites: name, number of tasks, abilities, where they come from."""
    from rich.console import Console
    from rich.table import Table

    from eai.errors import EaiError
    from eai.registry import suite, suites

    table = Table("suite", "tasks", "abilities", "what it is", box=None, pad_edge=False)
    for origin in suites().origins():
        try:
            found = suite(origin.name)
        except EaiError as error:
            table.add_row(origin.name, "-", "-", f"cannot be loaded: {error.what}")
            continue
        try:
            count = str(len(found.task_ids()))
        except EaiError as error:
            count = f"none ({error.mend or error.what})"
        title = f"{found.title} [{origin.package}]"
        table.add_row(found.name, count, ", ".join(found.abilities), title)
    Console().print(table)
