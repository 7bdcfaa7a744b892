"""``eai plan``: a plan for a PDDL task, or a proof that there is none."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from eai.cli.commands import Argument, Option
from eai.errors import InputError

if TYPE_CHECKING:
    from eai.planning import PlanningResult

__all__ = ["COMMAND"]


def _plan(
    domain: Annotated[Path, Argument("The domain, a PDDL file.")],
    problem: Annotated[Path, Argument("The problem, a PDDL file.")],
    engine: Annotated[
        str,
        Option(
            "eai, eai-width, eai-greedy, eai-optimal, eai-breadth-first, fast-downward, "
            "pyperplan, or the name of an engine that another package announces."
        ),
    ] = "eai",
    time_limit: Annotated[
        float | None,
        Option("Seconds of processor time."),
    ] = None,
    memory_limit: Annotated[
        float | None,
        Option("Megabytes of memory for the search."),
    ] = None,
    json: Annotated[bool, Option("Print one JSON document.")] = False,
) -> None:
    """Print a plan as PDDL planners do; exit code 1 if there is no plan that was checked.

    The last lines are comments: how planning ended and why, the cost, the processor time.
    """
    from eai.cli.here import is_suite
    from eai.cli.output import say
    from eai.pddl.reader import read_file
    from eai.planning import plan

    if not domain.exists() and is_suite(str(domain)):
        raise InputError(
            "this is a suite, not a PDDL file",
            where=str(domain),
            expected="the files of a domain and of a problem",
            mend=f"eai repair {domain} {problem} FILE corrects an answer to a task",
        )
    found = plan(
        read_file(domain),
        read_file(problem),
        engine=engine,
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    if json:
        from eai.cli.documents import print_json

        print_json(_document(found))
    else:
        say(_text(found))
    if not found.solved:
        sys.exit(1)


def _document(found: PlanningResult) -> dict[str, Any]:
    steps = None if found.plan is None else [[step.name, *step.arguments] for step in found.plan]
    return {**vars(found), "outcome": found.outcome.value, "plan": steps}


def _text(found: PlanningResult) -> str:
    steps = [f"({' '.join((step.name, *step.arguments))})" for step in found.plan or ()]
    told = found.reason.splitlines()
    lines = [f"{found.outcome.value} ({found.engine}): {told[0] if told else ''}", *told[1:]]
    if found.cost is not None:
        lines.append(f"cost {found.cost:g}{', the least there is' if found.optimal else ''}")
    lines.append(f"{found.seconds:.2f} s of processor time")
    return "\n".join([*steps, *(f"; {line}" for line in lines)])


COMMAND = _plan
