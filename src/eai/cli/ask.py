"""``eai ask``: a live model's answers to the prompts of a suite, as a file of predictions."""

from __future__ import annotations

import sys
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

from eai.cli.commands import Argument, Option

__all__ = ["COMMAND"]


def _ask(
    suite: Annotated[str, Argument("Name of a suite; see `eai suites`.")],
    model: Annotated[str, Option("Name of the model, as the endpoint knows it.")],
    output: Annotated[Path, Option("The file of predictions.", ("--output", "-o"))],
    tasks: Annotated[list[str] | None, Argument("Tasks; by default all.")] = None,
    ability: Annotated[
        str | None, Option("By default action_sequencing, or the suite's only one.")
    ] = None,
    base_url: Annotated[
        str | None,
        Option("An OpenAI-compatible endpoint; by default OPENAI_BASE_URL."),
    ] = None,
    source: Annotated[
        Literal["own", "official"],
        Option("Our own words, or the published release's.", ("--prompts",)),
    ] = "own",
    limit: Annotated[int | None, Option("Ask only the first so many.")] = None,
    workers: Annotated[int, Option("How many are asked at the same time.")] = 4,
    timeout: Annotated[float, Option("Seconds to wait for one answer.")] = 120.0,
    temperature: Annotated[float | None, Option("Temperature of sampling.")] = None,
    force: Annotated[bool, Option("Write over a file.")] = False,
    json: Annotated[bool, Option("Print one JSON document.")] = False,
    quiet: Annotated[bool, Option("No progress bar.", ("--quiet", "-q"))] = False,
) -> None:
    """Ask a model and write its answers; the same command goes on where it stopped.

    The key is read from OPENAI_API_KEY. Exit code 1 if some prompts could not be asked.
    """
    from eai.agents.collection import collect_answers
    from eai.cli.here import limited, named_suite
    from eai.cli.output import warn
    from eai.cli.progress import progress
    from eai.integrations.openai_chat import ChatAgent
    from eai.prompts import prompts

    most = limited(limit)
    asked = prompts(named_suite(suite), ability, official=source == "official", tasks=tasks)
    options = {} if temperature is None else {"temperature": temperature}
    agent = ChatAgent(model, base_url=base_url, timeout=timeout, options=options)
    with progress("asking", shown=not quiet) as step:
        found = collect_answers(
            agent,
            islice(asked, most),
            path=output,
            model=model,
            workers=workers,
            force=force,
            progress=step,
        )
    if json:
        from eai.cli.documents import print_json

        print_json({**asdict(found), "failures": dict(found.failures)})
    warn(f"{found.asked} answers written to {found.path}, {found.kept} were there before")
    for task, reason in found.failures.items():
        warn(f"{task}: {reason}")
    if found.failures:
        sys.exit(1)


COMMAND = _ask
