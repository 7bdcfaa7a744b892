"""``eai check``: what is wrong with PDDL files."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from eai.cli.commands import Argument, Option

if TYPE_CHECKING:
    from eai.pddl import Issue

__all__ = ["COMMAND"]


def _check(
    files: Annotated[list[Path], Argument("Domains, problems, lists of actions.")],
    json: Annotated[bool, Option("Print one JSON document.")] = False,
) -> None:
    """Print every mistake in PDDL files with its place; exit code 1 if there is an error."""
    from eai.cli.output import say
    from eai.pddl import check_files

    issues = [issue for found in check_files(files).values() for issue in found]
    errors = sum(issue.severity == "error" for issue in issues)
    if json:
        from eai.cli.documents import print_json

        counts = {"errors": errors, "warnings": len(issues) - errors, "files": len(files)}
        print_json({**counts, "issues": [issue.as_record() for issue in issues]})
    else:
        say(_text(issues, errors, len(files)))
    if errors:
        sys.exit(1)


def _text(issues: Sequence[Issue], errors: int, files: int) -> str:
    warnings = len(issues) - errors
    counted = ((errors, "error"), (warnings, "warning"), (files, "file"))
    amounts = [f"{count} {what}{'' if count == 1 else 's'}" for count, what in counted]
    total = f"{amounts[0]} and {amounts[1]} in {amounts[2]}"
    return "\n".join([*(issue.render() for issue in issues), total])


COMMAND = _check
