"""``eai check``: what is wrong with PDDL files."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from eai.pddl import Issue

__all__ = ["register"]


class _Format(str, Enum):
    TEXT = "text"
    JSON = "json"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(name="check")(_check)


def _check(
    files: Annotated[list[Path], typer.Argument(help="Domains, problems, lists of actions.")],
    form: Annotated[
        _Format, typer.Option("--format", help="As a compiler prints it, or JSON.")
    ] = _Format.TEXT,
) -> None:
    """Print every mistake in PDDL files with its place; exit code 1 if there is an error."""
    import json

    from eai.cli.output import say
    from eai.pddl import check_files

    issues = [issue for found in check_files(files).values() for issue in found]
    errors = sum(issue.severity == "error" for issue in issues)
    if form is _Format.JSON:
        say(json.dumps([issue.as_record() for issue in issues], indent=2))
    else:
        say(_text(issues, errors, len(files)))
    if errors:
        raise typer.Exit(1)


def _text(issues: Sequence[Issue], errors: int, files: int) -> str:
    warnings = len(issues) - errors
    counted = ((errors, "error"), (warnings, "warning"), (files, "file"))
    amounts = [f"{count} {what}{'' if count == 1 else 's'}" for count, what in counted]
    total = f"{amounts[0]} and {amounts[1]} in {amounts[2]}"
    return "\n".join([*(issue.render() for issue in issues), total])
