"""``eai repair``: the fewest edits that would have made a plan work."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from eai.cli.commands import Argument, Option

if TYPE_CHECKING:
    from eai.planning.repair import Repair

__all__ = ["COMMAND"]


def _repair(
    suite: Annotated[str, Argument("The suite, or module:attribute.")],
    task: Annotated[str, Argument("The task.")],
    answer: Annotated[Path, Argument("A file with the answer of a model.")],
    edits: Annotated[int, Option("Most edits that are searched for.")] = 3,
    json: Annotated[bool, Option("Print one JSON document.")] = False,
) -> None:
    """Print the edits and the repaired plan; exit code 1 if the plan does not work as it is."""
    from eai.cli.here import named_suite, named_task, read_answer
    from eai.cli.output import say
    from eai.planning.repair import RepairBounds
    from eai.remedy import repair
    from eai.suites.abilities import refuse_without

    found_suite = named_suite(suite)
    refuse_without(found_suite)
    problem = named_task(found_suite, task)
    found = repair(problem, read_answer(answer), bounds=RepairBounds(edits=edits))
    if json:
        from eai.cli.documents import print_json

        print_json(_document(found))
    else:
        say(_text(found))
    if found.distance != 0:
        sys.exit(1)


def _document(found: Repair) -> dict[str, Any]:
    edits = None if found.edits is None else [str(edit) for edit in found.edits]
    repaired = None if found.repaired is None else [str(step) for step in found.repaired]
    return {
        "distance": found.distance,
        "optimal": found.optimal,
        "bound": found.bound,
        "score": found.score,
        "edits": edits,
        "repaired": repaired,
    }


def _text(found: Repair) -> str:
    if found.repaired is None or not found.edits:
        return str(found)
    steps = (f"  {number}. {step}" for number, step in enumerate(found.repaired, start=1))
    return "\n".join([str(found), "the plan then:", *steps])


COMMAND = _repair
