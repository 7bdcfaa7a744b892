"""``eai repair``: the fewest edits that would have made a plan work."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from eai.cli.commands import Argument, Option

__all__ = ["COMMAND"]


def _repair(
    suite: Annotated[str, Argument("The suite, or module:attribute.")],
    task: Annotated[str, Argument("The task.")],
    answer: Annotated[Path, Argument("A file with the answer of a model.")],
    edits: Annotated[int, Option("Most edits that are searched for.")] = 3,
) -> None:
    """Print the edits and the repaired plan; exit code 1 if the plan does not work as it is."""
    from eai.cli.here import find_modules_here
    from eai.cli.output import say
    from eai.planning.repair import RepairBounds
    from eai.registry import suite as find_suite
    from eai.remedy import repair

    find_modules_here(suite)
    found_suite = find_suite(suite)
    problem = found_suite.task(found_suite.canonical_id(task))
    text = answer.read_text("utf-8-sig", errors="replace")
    found = repair(problem, text, bounds=RepairBounds(edits=edits))
    say(str(found))
    if found.repaired is not None and found.edits:
        steps = (f"  {number}. {step}" for number, step in enumerate(found.repaired, start=1))
        say("\n".join(["the plan then:", *steps]))
    if found.distance != 0:
        sys.exit(1)


COMMAND = _repair
