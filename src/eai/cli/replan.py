"""``eai replan``: let an agent plan, tell it what was wrong, and let it plan again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

if TYPE_CHECKING:
    from eai.agents import Agent, Replanning
    from eai.suites.base import Suite

__all__ = ["register"]


class _Level(str, Enum):
    VERDICT = "verdict"
    KIND = "kind"
    REASON = "reason"


class _Form(str, Enum):
    CHAT = "chat"
    PAPER = "paper"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(name="replan")(_replan)


def _replan(
    suite: Annotated[str, typer.Argument(help="Name of a suite; see `eai suites`.")],
    tasks: Annotated[list[str] | None, typer.Argument(help="Tasks; by default all.")] = None,
    agent: Annotated[
        str, typer.Option(help="oracle, or module:attribute of a function of messages.")
    ] = "oracle",
    model: Annotated[
        str | None, typer.Option(help="A model behind an OpenAI-compatible endpoint.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="Where the endpoint is.")] = None,
    first: Annotated[
        Path | None, typer.Option(help="Predictions that are taken as the first attempts.")
    ] = None,
    max_attempts: Annotated[int, typer.Option(help="Attempts, the first included.")] = 3,
    level: Annotated[_Level, typer.Option(help="How much the agent is told.")] = _Level.REASON,
    form: Annotated[_Form, typer.Option(help="How it is told.")] = _Form.CHAT,
    failure_probability: Annotated[
        float, typer.Option(help="With which probability an action has no effect.")
    ] = 0.0,
    seed: Annotated[int, typer.Option(help="Seed of these failures.")] = 0,
    semantics: Annotated[
        Optional[str],  # noqa: UP045 - typer evaluates it
        typer.Option(help="official or strict; by default what the suite prefers."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="All attempts as JSON Lines.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No bar, no table.")] = False,
) -> None:
    """Replan tasks of a suite; print the first and the last attempts side by side."""
    from functools import partial

    from eai.agents import replan
    from eai.cli.here import find_modules_here
    from eai.cli.progress import progress
    from eai.registry import suite as find_suite

    find_modules_here(suite)
    find_modules_here(agent)
    chosen = find_suite(suite)
    make = _agents(chosen, agent, model=model, base_url=base_url, semantics=semantics)
    answers = _answers(chosen, first)
    run = partial(
        replan,
        suite=chosen,
        semantics=semantics,
        max_attempts=max_attempts,
        level=level.value,
        form=form.value,
        failure_probability=failure_probability,
        seed=seed,
    )
    names = list(tasks or (answers if first is not None else chosen.task_ids()))
    found: list[Replanning] = []
    with progress("replanning", shown=not quiet) as step, _lines(output, force) as write:
        for name in names:
            result = run(name, _starting(answers.get(chosen.canonical_id(name)), make(name)))
            write(result.to_json())
            found.append(result)
            if step is not None:
                step(len(found), len(names))
    if not quiet:
        _show(found)


def _agents(
    suite: Suite, agent: str, *, model: str | None, base_url: str | None, semantics: str | None
) -> Callable[[str], Agent]:
    """Who plans for a task."""
    if model is not None:
        from eai.integrations.openai_chat import ChatAgent

        live = ChatAgent(model, base_url=base_url)
        return lambda _: live
    if agent == "oracle":
        from eai.agents import OracleAgent

        return lambda task: OracleAgent(task, suite=suite, semantics=semantics)
    from eai.registry import Registry

    given: Agent = Registry("agent", "eai.agents", {}).load(agent)
    return lambda _: given


def _answers(suite: Suite, first: Path | None) -> dict[str, str]:
    if first is None:
        return {}
    from eai.predictions import load_predictions

    items = load_predictions(first).items
    return {suite.canonical_id(name): text for name, text in items.items()}


def _starting(answer: str | None, agent: Agent) -> Agent:
    from eai.agents import ScriptedAgent

    return agent if answer is None else ScriptedAgent([answer], then=agent)


@contextmanager
def _lines(output: Path | None, force: bool) -> Iterator[Callable[[str], None]]:
    """What writes a line to a file at once, so that an interruption loses nothing."""
    if output is None:
        yield lambda _: None
        return
    from eai.report.files import refuse_existing, writing_to

    refuse_existing(output, force=force)
    with writing_to(output), output.open("w", encoding="utf-8") as stream:

        def write(line: str) -> None:
            stream.write(f"{line}\n")
            stream.flush()

        yield write


def _show(found: Sequence[Replanning]) -> None:
    from rich.console import Console

    from eai.report.report import Report

    first = [result.record("first attempt", attempt=1) for result in found]
    last = [result.record("last attempt") for result in found]
    Console().print(Report([*first, *last]))
