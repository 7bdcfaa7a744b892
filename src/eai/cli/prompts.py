"""``eai prompts``: a prompt for every task, as JSON Lines."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

from eai.cli.commands import Argument, Option

__all__ = ["COMMAND"]


def _prompts(
    suite: Annotated[str, Argument("Name of a suite; see `eai suites`.")],
    tasks: Annotated[list[str] | None, Argument("Tasks; by default all.")] = None,
    ability: Annotated[
        str | None, Option("By default action_sequencing, or the suite's only one.")
    ] = None,
    source: Annotated[
        Literal["own", "official"],
        Option("Our own words, or the published release's.", ("--prompts",)),
    ] = "own",
    limit: Annotated[int | None, Option("Only the first so many.")] = None,
    output: Annotated[
        Path | None, Option("A file; by default standard output.", ("--output", "-o"))
    ] = None,
    force: Annotated[bool, Option("Write over a file.")] = False,
) -> None:
    """Write a prompt for every task as JSON Lines: id, suite, ability, prompt."""
    from eai.cli.here import limited, named_suite
    from eai.cli.output import say, warn
    from eai.prompts import prompts, write_prompts

    asked = prompts(named_suite(suite), ability, official=source == "official", tasks=tasks)
    found = islice(asked, limited(limit))
    if output is None:
        for prompt in found:
            say(prompt.to_json())
        return
    warn(f"{write_prompts(found, output, force=force)} prompts written to {output}")


COMMAND = _prompts
