"""Commands that ask models and agents: prompts, ask, replan, interact."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

import typer

import eai
from eai.agents import (
    TRANSCRIPTS,
    Replanning,
    ScriptedAgent,
    collect_answers,
    interact_all,
    replan_all,
)
from eai.cli.agents import acting_agent, planning_agent, stop_after
from eai.cli.answers import answers_by_task
from eai.cli.documents import report_document
from eai.cli.names import chosen_tasks, named_suite
from eai.cli.options import (
    Ability,
    BaseUrl,
    Force,
    Json,
    Limit,
    LiveModel,
    Quiet,
    Seed,
    Semantics,
    SuiteName,
    TaskNames,
    Tasks,
    Wording,
    examples,
    output_option,
    path_option,
)
from eai.cli.output import print_json, progress, say, show, warn
from eai.contract import checked_interactive
from eai.files import FILES
from eai.integrations import openai_chat
from eai.prompts import prompts as all_prompts, write_prompts
from eai.suites import SAMPLES

app = typer.Typer()


@app.command(
    epilog=examples(f"eai prompts {SAMPLES} --limit 1", f"eai prompts {SAMPLES} -o prompts.jsonl")
)
def prompts(
    suite: SuiteName,
    names: TaskNames = None,
    ability: Ability = None,
    wording: Wording = "own",
    tasks: Tasks = None,
    limit: Limit = None,
    output: Annotated[Path | None, output_option("A file; by default standard output.")] = None,
    force: Force = False,
    json: Json = False,  # noqa: ARG001  # they are JSON Lines in any case
) -> None:
    """Write a prompt for every task as JSON Lines: id, suite, ability, prompt."""
    chosen = named_suite(suite)
    meant = chosen_tasks(chosen, names, tasks)
    asked = all_prompts(chosen, ability, official=wording == "official", tasks=meant)
    found = islice(asked, limit)
    if output is not None:
        warn(f"{write_prompts(found, output, force=force)} prompts written to {output}")
        return
    for prompt in found:
        say(prompt.to_json())


@app.command(
    epilog=examples(
        f"eai ask {SAMPLES} --model gpt-4o -o answers.jsonl",
        f"eai ask {SAMPLES} --model llama3 --base-url http://localhost:11434/v1 -o a.jsonl",
    )
)
def ask(
    suite: SuiteName,
    model: Annotated[str, typer.Option(help="Name of the model, as the endpoint knows it.")],
    output: Annotated[Path, output_option("The file of predictions.")],
    names: TaskNames = None,
    ability: Ability = None,
    base_url: BaseUrl = None,
    wording: Wording = "own",
    tasks: Tasks = None,
    limit: Limit = None,
    workers: Annotated[int, typer.Option(help="How many are asked at the same time.")] = 4,
    timeout: Annotated[float, typer.Option(help="Seconds to wait for one answer.")] = 120.0,
    temperature: Annotated[float | None, typer.Option(help="Temperature of sampling.")] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Ask a model and write its answers; the same command goes on where it stopped.

    The key is read from OPENAI_API_KEY. Exit code 1 if some prompts could not be asked.
    """
    chosen = named_suite(suite)
    meant = chosen_tasks(chosen, names, tasks)
    asked = all_prompts(chosen, ability, official=wording == "official", tasks=meant)
    options = {} if temperature is None else {"temperature": temperature}
    agent = openai_chat.ChatAgent(model, base_url=base_url, timeout=timeout, options=options)
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
    if json:
        print_json({**asdict(found), "failures": dict(found.failures)})
    warn(f"{found.asked} answers written to {found.path}, {found.kept} were there before")
    for task, reason in found.failures.items():
        warn(f"{task}: {reason}")
    if found.failures:
        raise typer.Exit(1)


@app.command(
    epilog=examples(
        f"eai replan {SAMPLES} --first answers.jsonl --model gpt-4o --max-attempts 3",
        f"eai replan {SAMPLES} --limit 5 --agent my_module:agent -o attempts.jsonl",
    )
)
def replan(
    suite: SuiteName,
    names: TaskNames = None,
    agent: Annotated[
        str, typer.Option(help="oracle, or module:attribute of a function of messages.")
    ] = "oracle",
    model: LiveModel = None,
    base_url: BaseUrl = None,
    first: Annotated[
        Path | None, path_option("Predictions that are taken as the first attempts.")
    ] = None,
    max_attempts: Annotated[int, typer.Option(help="Attempts, the first included.")] = 3,
    level: Annotated[
        Literal["verdict", "kind", "reason"], typer.Option(help="How much the agent is told.")
    ] = "reason",
    form: Annotated[Literal["chat", "paper"], typer.Option(help="How it is told.")] = "chat",
    failure_probability: Annotated[
        float, typer.Option(help="Probability that an action has no effect.")
    ] = 0.0,
    seed: Seed = 0,
    semantics: Semantics = None,
    tasks: Tasks = None,
    limit: Limit = None,
    output: Annotated[Path | None, output_option("All attempts as JSON Lines.")] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Let an agent plan, tell it what was wrong, let it plan again; print first and last attempts.

    Exit code 1 if the agent could not be asked for some tasks, 3 if one of your own failed in some;
    they are named and not counted.
    """
    chosen = named_suite(suite)
    choose = planning_agent(chosen, agent, model=model, base_url=base_url, semantics=semantics)
    meant = chosen_tasks(chosen, names, tasks)
    answers = {} if first is None else answers_by_task(first, chosen)

    def attempt(task: str) -> Replanning:
        asked = choose(task)
        return eai.replan(
            task,
            ScriptedAgent([answers[task]], then=asked) if task in answers else asked,
            suite=chosen,
            semantics=semantics,
            max_attempts=max_attempts,
            level=level,
            form=form,
            failure_probability=failure_probability,
            seed=seed,
        )

    with progress("replanning", shown=not quiet) as step:
        found = replan_all(
            list(meant or answers or chosen.task_ids())[:limit],
            attempt,
            output=output,
            force=force,
            progress=step,
        )
    if json:
        print_json({**report_document(found.report), "failures": found.failures})
    elif found.report.records and not quiet:
        show(found.report)
    stop_after(found, choose)


@app.command(
    epilog=examples(
        f"eai interact {SAMPLES} --limit 3 -o acted",
        f"eai interact {SAMPLES} --model gpt-4o --feedback detailed -o acted",
        f"eai interact {SAMPLES} --agent scripted:acted/transcripts.jsonl",
    )
)
def interact(
    suite: SuiteName,
    names: TaskNames = None,
    agent: Annotated[
        str,
        typer.Option(
            help="oracle, random, scripted:FILE (transcripts, or other answers by task), or "
            "module:attribute of a function of messages."
        ),
    ] = "oracle",
    model: LiveModel = None,
    base_url: BaseUrl = None,
    feedback: Annotated[
        Literal["none", "simple", "detailed"],
        typer.Option(help="How much it is told of what came of its actions."),
    ] = "simple",
    view: Annotated[
        str, typer.Option(help="How much it sees: a view of the suite, such as room or near.")
    ] = "",
    forgetful: Annotated[
        bool, typer.Option("--forgetful", help="It is not told its own plan and notes again.")
    ] = False,
    seed: Seed = 0,
    semantics: Semantics = None,
    tasks: Tasks = None,
    limit: Limit = None,
    output: Annotated[
        Path | None,
        output_option("Write records, tables, the page and transcripts.", metavar="FOLDER"),
    ] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Let an agent act in tasks step by step, and print the table; --output also writes files.

    Exit code 1 if the agent could not be asked for some tasks, 3 if one of your own failed in some;
    they are named and not counted, and the same command goes on there.
    """
    chosen = checked_interactive(named_suite(suite))
    meaning = chosen.semantics(semantics or chosen.default_semantics)
    choose = acting_agent(chosen, agent, model=model, base_url=base_url)
    meant = chosen_tasks(chosen, names, tasks, limit=limit) or list(chosen.task_ids())
    changes = [
        f"feedback {feedback}" if feedback != "simple" else "",
        f"view {view}" if view else "",
        "forgetful" if forgetful else "",
    ]
    # Agents that were told other things are other models in a report.
    reported = ", ".join(filter(None, changes))
    name = model or (Path(agent).stem if agent.startswith("scripted:") else agent)
    with progress("acting", shown=not quiet and not json) as step:
        found = interact_all(
            meant,
            lambda task: eai.interact(
                task,
                choose(task),
                suite=chosen,
                semantics=meaning,
                feedback=feedback,
                view=view,
                carried=not forgetful,
                seed=seed,
            ),
            suite=chosen,
            semantics=meaning,
            model=f"{name} ({reported})" if reported else name,
            output=output,
            force=force,
            progress=step,
        )
    if json:
        document = report_document(found.report)
        print_json({**document, "output": output, "failures": found.failures})
    elif not quiet:
        show(found.report)
        if output is not None:
            page = f"look at it: eai view {shlex.quote(str(output))}"
            say(f"written to {output}: {', '.join((*FILES, TRANSCRIPTS))}; {page}")
    stop_after(found, choose)
