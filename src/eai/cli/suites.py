"""``eai suites``: what there is to evaluate on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eai.registry import Origin
    from eai.suites.base import Suite

__all__ = ["COMMAND"]


def _suites() -> None:
    """List the suites: name, number of tasks, abilities, where they come from."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from eai.registry import suites
    from eai.report.printable import encodable

    console = Console()
    table = Table("suite", "tasks", "abilities", "what it is", box=None, pad_edge=False)
    for origin in suites().origins():
        cells = (Text(encodable(cell, console.encoding)) for cell in _described(origin))
        table.add_row(*cells)
    console.print(table)


def _described(origin: Origin) -> tuple[str, str, str, str]:
    """Name, number of tasks, abilities and title of a suite, or what is wrong with it."""
    from eai.errors import EaiError
    from eai.registry import suite

    try:
        found = suite(origin.name)
        title, abilities = f"{found.title} [{origin.package}]", ", ".join(found.abilities)
        return origin.name, _tasks(found, origin.name), abilities, title
    except EaiError as error:
        return origin.name, "-", "-", f"{error.what} [{origin.package}]"


def _tasks(suite: Suite, name: str) -> str:
    """How many tasks there are, or how to get them."""
    from eai.errors import DataError
    from eai.registry import blaming

    try:
        with blaming("suite", name):
            return str(len(suite.task_ids()))
    except DataError as error:
        return f"none ({error.mend or error.what})"


COMMAND = _suites
