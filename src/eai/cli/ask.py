"""``eai ask``: a live model's answers to the prompts of a suite, as a file of predictions."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(name="ask")(_ask)


def _ask(
    suite: Annotated[str, typer.Argument(help="Name of a suite; see `eai suites`.")],
    model: Annotated[str, typer.Option(help="Name of the model, as the endpoint knows it.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file of predictions.")],
    ability: Annotated[str, typer.Option(help="Which ability.")] = "action_sequencing",
    base_url: Annotated[
        str | None,
        typer.Option(help="An OpenAI-compatible endpoint; by default OPENAI_BASE_URL."),
    ] = None,
    official_prompts: Annotated[
        bool, typer.Option("--official-prompts", help="Ask in the words of the release.")
    ] = False,
    limit: Annotated[int | None, typer.Option(help="Ask only the first so many.")] = None,
    workers: Annotated[int, typer.Option(help="How many are asked at the same time.")] = 4,
    timeout: Annotated[float, typer.Option(help="Seconds to wait for one answer.")] = 120.0,
    temperature: Annotated[float | None, typer.Option(help="Temperature of sampling.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """Ask a model and write its answers; the same command goes on where it stopped.

    The key is read from OPENAI_API_KEY. Exit code 1 if some prompts could not be asked.
    """
    from eai.agents.collection import collect_answers
    from eai.cli.here import find_modules_here
    from eai.cli.output import warn
    from eai.cli.progress import progress
    from eai.integrations.openai_chat import ChatAgent
    from eai.prompts import prompts
    from eai.registry import suite as find_suite

    find_modules_here(suite)
    asked = prompts(find_suite(suite), ability, official=official_prompts)
    options = {} if temperature is None else {"temperature": temperature}
    agent = ChatAgent(model, base_url=base_url, timeout=timeout, options=options)
    with progress("asking", shown=not quiet) as step:
        found = collect_answers(
            agent,
            islice(asked, limit),
            path=output,
            model=model,
            workers=workers,
            force=force,
            progress=step,
        )
    warn(f"{found.asked} answers written to {found.path}, {found.kept} were there before")
    for task, reason in found.failures.items():
        warn(f"{task}: {reason}")
    if found.failures:
        raise typer.Exit(1)
