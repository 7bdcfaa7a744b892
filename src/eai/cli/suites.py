"""``eai suites``: what there is to evaluate on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

from eai.cli.commands import Option

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.registry import Origin

__all__ = ["COMMAND"]


def _suites(
    json: Annotated[bool, Option("Print one JSON document instead of the table.")] = False,
) -> None:
    """List the suites: name, number of tasks, abilities, where they come from."""
    from eai.registry import suites

    found = [_described(origin) for origin in suites().origins()]
    if json:
        from eai.cli.documents import print_json

        print_json({"suites": found})
    else:
        _show(found)


def _described(origin: Origin) -> dict[str, Any]:
    """What there is to say about a suite, or what is wrong with it."""
    from eai.errors import EaiError
    from eai.registry import suite

    said = {"name": origin.name, "package": origin.package}
    try:
        found = suite(origin.name)
        return said | {
            "title": found.title,
            "abilities": list(found.abilities),
            **_tasks(found, origin.name),
        }
    except EaiError as error:
        return said | {"title": "", "abilities": [], "tasks": None, "problem": error.what}


def _tasks(suite: Suite, name: str) -> dict[str, Any]:
    """How many tasks there are, or how to get them."""
    from eai.errors import DataError
    from eai.registry import blaming

    try:
        with blaming("suite", name):
            return {"tasks": len(suite.task_ids()), "problem": None}
    except DataError as error:
        return {"tasks": None, "problem": error.mend or error.what}


def _show(found: list[dict[str, Any]]) -> None:
    from rich.table import Table
    from rich.text import Text

    from eai.cli.output import show
    from eai.text import encodable

    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    table = Table("suite", "tasks", "abilities", "what it is", box=None, pad_edge=False)
    for each in found:
        tasks = f"none ({each['problem']})" if each["tasks"] is None else str(each["tasks"])
        about = f"{each['title']} [{each['package']}]".strip()
        cells = (each["name"], tasks, ", ".join(each["abilities"]) or "-", about)
        table.add_row(*(Text(encodable(cell, encoding)) for cell in cells))
    show(table)


COMMAND = _suites
