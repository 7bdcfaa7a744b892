"""``eai prompts``: a prompt for every task, as JSON Lines."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["register"]


class _Source(str, Enum):
    OWN = "own"
    OFFICIAL = "official"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(name="prompts")(_prompts)


def _prompts(
    suite: Annotated[str, typer.Argument(help="Name of a suite; see `eai suites`.")],
    ability: Annotated[str, typer.Option(help="Which ability.")] = "action_sequencing",
    source: Annotated[
        _Source, typer.Option("--prompts", help="Our own words, or the published release's.")
    ] = _Source.OWN,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file; by default standard output.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
) -> None:
    """Write a prompt for every task as JSON Lines: id, suite, ability, prompt."""
    from eai.cli.here import find_modules_here
    from eai.cli.output import say, warn
    from eai.prompts import prompts, write_prompts
    from eai.registry import suite as find_suite

    find_modules_here(suite)
    found = prompts(find_suite(suite), ability, official=source is _Source.OFFICIAL)
    if output is None:
        for prompt in found:
            say(prompt.to_json())
        return
    warn(f"{write_prompts(found, output, force=force)} prompts written to {output}")
