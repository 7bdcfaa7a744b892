"""``eai replan``: let an agent plan, tell it what was wrong, and let it plan again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from eai.cli.commands import Argument, Option
from eai.errors import ModelError

if TYPE_CHECKING:
    from eai.agents import Agent, Replanning
    from eai.contract import Suite
    from eai.report.report import Report

__all__ = ["COMMAND"]

_MOST_FAILURES = 5
"""After so many tasks in a row for which an agent could not be asked no other is begun."""


def _replan(
    suite: Annotated[str, Argument("Name of a suite; see `eai suites`.")],
    tasks: Annotated[list[str] | None, Argument("Tasks; by default all.")] = None,
    agent: Annotated[
        str, Option("oracle, or module:attribute of a function of messages.")
    ] = "oracle",
    model: Annotated[str | None, Option("A model behind an OpenAI-compatible endpoint.")] = None,
    base_url: Annotated[str | None, Option("Where the endpoint is.")] = None,
    first: Annotated[
        Path | None, Option("Predictions that are taken as the first attempts.")
    ] = None,
    max_attempts: Annotated[int, Option("Attempts, the first included.")] = 3,
    level: Annotated[
        Literal["verdict", "kind", "reason"], Option("How much the agent is told.")
    ] = "reason",
    form: Annotated[Literal["chat", "paper"], Option("How it is told.")] = "chat",
    failure_probability: Annotated[
        float, Option("With which probability an action has no effect.")
    ] = 0.0,
    seed: Annotated[int, Option("Seed of these failures.")] = 0,
    semantics: Annotated[
        str | None,
        Option("official or strict; by default what the suite prefers."),
    ] = None,
    output: Annotated[
        Path | None, Option("All attempts as JSON Lines.", ("--output", "-o"))
    ] = None,
    force: Annotated[bool, Option("Write over a file.")] = False,
    json: Annotated[bool, Option("Print one JSON document instead of the table.")] = False,
    quiet: Annotated[bool, Option("No bar, no table.", ("--quiet", "-q"))] = False,
) -> None:
    """Replan tasks of a suite; print the first and the last attempts side by side.

    Exit code 1 if the agent could not be asked for some tasks, 3 if one of your own failed in some;
    they are named and not counted.
    """
    from functools import partial

    from eai.agents import replan
    from eai.cli.agents import tell_failures
    from eai.cli.here import named_suite
    from eai.cli.progress import progress

    chosen = named_suite(suite)
    make = _agents(chosen, agent, model=model, base_url=base_url, semantics=semantics)
    answers = _answers(chosen, first)
    run = partial(
        replan,
        suite=chosen,
        semantics=semantics,
        max_attempts=max_attempts,
        level=level,
        form=form,
        failure_probability=failure_probability,
        seed=seed,
    )
    given = tasks or (answers if first is not None else chosen.task_ids())
    names = list(dict.fromkeys(map(chosen.canonical_id, given)))
    found: list[Replanning] = []
    failures: dict[str, str] = {}
    with progress("replanning", shown=not quiet) as step, _lines(output, force) as write:
        for done, name in enumerate(names, start=1):
            starting = _starting(answers.get(name), make(name))
            result = _result(run, name, starting, failures)
            if result is not None:
                write(result.to_json())
                found.append(result)
            elif _hopeless(names[:done], failures):
                break
            if step is not None:
                step(done, len(names))
    if json:
        from eai.cli.documents import print_json, report_document

        print_json({**report_document(_report(found)), "failures": failures})
    elif found and not quiet:
        from eai.cli.output import show

        show(_report(found))
    if failures:
        left = len(names) - len(found) - len(failures)
        tell_failures(failures, make(names[0]), left=left)


def _result(
    run: Callable[[str, Agent], Replanning], name: str, agent: Agent, failures: dict[str, str]
) -> Replanning | None:
    """What came of a task; None if the agent could not be asked, for the reason that is noted."""
    try:
        return run(name, agent)
    except ModelError as error:
        failures[name] = error.what
        return None


def _hopeless(begun: Sequence[str], failures: Mapping[str, str]) -> bool:
    """Whether the agent could not be asked for so many tasks in a row that no other is begun."""
    last = begun[-_MOST_FAILURES:]
    return len(last) == _MOST_FAILURES and all(name in failures for name in last)


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
    from eai.cli.agents import named_agent

    own = named_agent(agent, ["oracle"])
    return lambda _: own


def _answers(suite: Suite, first: Path | None) -> dict[str, str]:
    if first is None:
        return {}
    from eai.cli.answers import answers_by_task

    return answers_by_task(first, suite)


def _starting(answer: str | None, agent: Agent) -> Agent:
    from eai.agents import ScriptedAgent

    return agent if answer is None else ScriptedAgent([answer], then=agent)


@contextmanager
def _lines(output: Path | None, force: bool) -> Iterator[Callable[[str], None]]:
    """What writes a line to a file at once, so that an interruption loses nothing."""
    if output is None:
        yield lambda _: None
        return
    from eai.files import refuse_existing, writing_to

    refuse_existing(output, force=force)
    with writing_to(output), output.open("w", encoding="utf-8") as stream:

        def write(line: str) -> None:
            stream.write(f"{line}\n")
            stream.flush()

        yield write


def _report(found: Sequence[Replanning]) -> Report:
    from eai.report.report import Report

    first = [result.record("first attempt", attempt=1) for result in found]
    last = [result.record("last attempt") for result in found]
    return Report([*first, *last])


COMMAND = _replan
