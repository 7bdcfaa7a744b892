"""``eai interact``: let an agent act in tasks step by step."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from eai.cli.commands import Argument, Option

if TYPE_CHECKING:
    from eai.agents.interaction import AgentChoice
    from eai.contract import Suite
    from eai.report.report import Report

__all__ = ["COMMAND"]

_SCRIPTED = "scripted:"


def _interact(
    suite: Annotated[str, Argument("Name of a suite; see `eai suites`.")],
    tasks: Annotated[list[str] | None, Argument("Tasks; by default all.")] = None,
    agent: Annotated[
        str,
        Option(
            "oracle, random, scripted:FILE (transcripts, or other answers by task), or "
            "module:attribute of a function of messages."
        ),
    ] = "oracle",
    model: Annotated[str | None, Option("A model behind an OpenAI-compatible endpoint.")] = None,
    base_url: Annotated[str | None, Option("Where the endpoint is.")] = None,
    feedback: Annotated[
        Literal["none", "simple", "detailed"],
        Option("How much it is told of what came of its actions."),
    ] = "simple",
    view: Annotated[
        str, Option("How much it sees: a view of the suite, such as room or near.")
    ] = "",
    forgetful: Annotated[bool, Option("It is not told its own plan and notes again.")] = False,
    seed: Annotated[int, Option("Seed of the random agent.")] = 0,
    semantics: Annotated[
        str | None, Option("official or strict; by default what the suite prefers.")
    ] = None,
    output: Annotated[
        Path | None,
        Option("Folder for records, tables, the page and transcripts.", ("--output", "-o")),
    ] = None,
    force: Annotated[bool, Option("Write over the files of another run.")] = False,
    json: Annotated[bool, Option("Print one JSON document instead of the table.")] = False,
    quiet: Annotated[bool, Option("No progress bar, no table.", ("--quiet", "-q"))] = False,
) -> None:
    """Let an agent act in tasks of a suite, and print the table; --output also writes files.

    Exit code 1 if the agent could not be asked for some tasks, 3 if one of your own failed in some;
    they are named and not counted, and the same command goes on there.
    """
    from functools import partial

    from eai.agents.episodes import interact_all
    from eai.agents.interaction import interact
    from eai.cli.agents import tell_failures
    from eai.cli.here import named_suite
    from eai.cli.progress import progress
    from eai.contract import checked_interactive

    chosen = checked_interactive(named_suite(suite))
    meaning = chosen.semantics(semantics or chosen.default_semantics)
    choose = _agents(chosen, agent, model=model, base_url=base_url)
    act = partial(
        interact,
        suite=chosen,
        semantics=meaning,
        feedback=feedback,
        view=view,
        carried=not forgetful,
        seed=seed,
    )
    names = list(dict.fromkeys(map(chosen.canonical_id, tasks or chosen.task_ids())))
    label = _label(model or agent, feedback=feedback, view=view, forgetful=forgetful)
    with progress("acting", shown=not quiet and not json) as step:
        found = interact_all(
            names,
            lambda name: act(name, choose(name)),
            suite=chosen,
            semantics=meaning,
            model=label,
            output=output,
            force=force,
            progress=step,
        )
    if json:
        from eai.cli.documents import print_json, report_document

        failures = dict(found.failures)
        print_json({**report_document(found.report), "output": output, "failures": failures})
    elif not quiet:
        _show(found.report, output)
    left = len(names) - len(found.report.records) - len(found.failures)
    tell_failures(found.failures, choose(names[0]), left=left)


def _label(name: str, *, feedback: str, view: str, forgetful: bool) -> str:
    """What the agent is called, with what it was told, so that runs can be told apart."""
    changes = [
        f"feedback {feedback}" if feedback != "simple" else "",
        f"view {view}" if view else "",
        "forgetful" if forgetful else "",
    ]
    told = ", ".join(filter(None, changes))
    short = Path(name.removeprefix(_SCRIPTED)).stem if name.startswith(_SCRIPTED) else name
    return f"{short} ({told})" if told else short


def _agents(
    suite: Suite, agent: str, *, model: str | None, base_url: str | None
) -> Callable[[str], AgentChoice]:
    """Who acts in a task."""
    if model is not None:
        from eai.integrations.openai_chat import ChatAgent

        live = ChatAgent(model, base_url=base_url)
        return lambda _: live
    if agent.startswith(_SCRIPTED):
        from eai.cli.answers import answers_by_task
        from eai.interaction.verdicts import read_answers

        texts = answers_by_task(Path(agent.removeprefix(_SCRIPTED)), suite)
        return lambda task: read_answers(texts[task]) if task in texts else ()
    from eai.agents.interaction import AGENTS
    from eai.cli.agents import named_agent

    if agent in AGENTS:
        return lambda _: agent
    own = named_agent(agent, [*AGENTS, "scripted:FILE"])
    return lambda _: own


def _show(report: Report, output: Path | None) -> None:
    from eai.cli.output import say, show
    from eai.files import FILES

    show(report)
    if output is not None:
        files = ", ".join((*FILES, "transcripts.jsonl"))
        say(f"written to {output}: {files}; look at it: eai view {shlex.quote(str(output))}")


COMMAND = _interact
