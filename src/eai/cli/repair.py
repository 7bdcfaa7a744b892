"""``eai repair``: the fewest edits that would have made a plan work."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from eai.cli.commands import Argument, Option, UsageError
from eai.errors import InputError

if TYPE_CHECKING:
    from eai.planning.repair import Repair
    from eai.task import Task

__all__ = ["COMMAND"]


def _repair(
    suite: Annotated[str, Argument("The suite, or module:attribute; or a run.")],
    task: Annotated[str, Argument("The task; see `eai tasks SUITE`.")],
    answer: Annotated[
        Path | None,
        Argument(
            "A file with the answer of a model, or with its answers to all tasks; - is standard "
            "input. A run has the answers."
        ),
    ] = None,
    model: Annotated[str | None, Option("Whose answer, if there are several.")] = None,
    own: Annotated[
        str | None,
        Option("Suite of a run, if no package announces it: module:attribute.", ("--suite",)),
    ] = None,
    edits: Annotated[int, Option("Most edits that are searched for.")] = 3,
    json: Annotated[bool, Option("Print one JSON document.")] = False,
) -> None:
    """Print the edits and the repaired plan; exit code 1 if the plan does not work as it is."""
    from eai.cli.here import is_run
    from eai.cli.output import say
    from eai.planning.repair import RepairBounds
    from eai.plans import repair

    if is_run(Path(suite)):
        if answer is not None:
            raise _answered_already(suite, task, answer)
        problem, text = _of_run(Path(suite), task, model=model, own=own)
    else:
        problem, text = _of_file(suite, task, answer, model=model)
    found = repair(problem, text, bounds=RepairBounds(edits=edits))
    if json:
        from eai.cli.documents import print_json

        print_json(_document(found))
    else:
        say(_text(found))
    if found.distance != 0:
        sys.exit(1)


def _answered_already(run: str, task: str, answer: Path) -> InputError:
    return InputError(
        "a run has the answers already",
        where=run,
        expected="the name of a suite before a file with an answer",
        mend=f"eai repair {shlex.join([run, task])} --model {shlex.quote(str(answer))}",
    )


def _of_run(run: Path, task: str, *, model: str | None, own: str | None) -> tuple[Task, str]:
    """A task, and what was answered to it in a run."""
    from eai.cli.here import find_modules_here
    from eai.cli.items import chosen_record
    from eai.cli.runs import read_records_of
    from eai.contract import PLANS
    from eai.report.explanation import suite_of

    find_modules_here(own)
    record = chosen_record(read_records_of(run), task, model=model, command="repair")
    if record.ability != PLANS:
        raise InputError(
            f"the answers are about {record.ability}, they are no plans",
            where=str(run),
            expected=f"a run of {PLANS}",
        )
    return suite_of(record, own).task(record.task), record.output


def _of_file(suite: str, task: str, answer: Path | None, *, model: str | None) -> tuple[Task, str]:
    """A task, and what was answered to it in a file."""
    from eai.cli.answers import answer_in
    from eai.cli.here import named_suite, named_task
    from eai.contract import refuse_without

    found = named_suite(suite)
    refuse_without(found)
    problem = named_task(found, task)
    if answer is None:
        raise UsageError(
            f"the file with the answer is missing: eai repair {suite} {task} FILE, or - for "
            "standard input"
        )
    return problem, answer_in(answer, problem.id, suite=found, model=model)


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
