"""Commands that ask models and agents: prompts, ask, replan, interact."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

import eai
from eai.acting import Ending, add_usage
from eai.agents import (
    REFERENCE_AGENTS,
    TRANSCRIPTS,
    WHOLE_PLAN,
    AgentOptions,
    Collection,
    Interaction,
    InteractionOptions,
    Replanning,
    ScriptedAgent,
    agent_names,
    collect_answers,
    interact_all,
    replan_all,
)
from eai.agents.prompts import Prompt, prompts as all_prompts, write_prompts
from eai.cli import options as opt
from eai.cli.agents import acting_agent, has_modules, planning_agent, stop_after
from eai.cli.documents import report_document
from eai.cli.output import print_json, progress, say, show, warn
from eai.cli.reading import NamedSelection, answers_by_task, named_suite
from eai.contract import (
    INTERACTION,
    PLANS,
    Suite,
    check_rules,
    checked_interactive,
    given_rules,
)
from eai.diagnosis import applicable_rules
from eai.errors import InputError
from eai.files import FILES
from eai.integrations import openai_chat
from eai.logic import Rule
from eai.nesting import load_json
from eai.runs import listed_ids
from eai.semantics import Semantics
from eai.suites import SAMPLES
from eai.text import counted

app = typer.Typer()

_SAMPLING = "Sampling of a model"

_MAX_NAMED = 3
"""Maximum number of tasks that are named in a warning."""


class _Sampling(opt.OptionGroup):
    """Options for sampling, shared by all commands that ask a model."""

    temperature: Annotated[
        float | None,
        typer.Option(callback=opt.finite, help="Sampling temperature.", rich_help_panel=_SAMPLING),
    ] = None
    max_tokens: Annotated[
        int | None,
        typer.Option(min=1, help="Maximum number of tokens per answer.", rich_help_panel=_SAMPLING),
    ] = None
    system: Annotated[
        str,
        typer.Option(help="A system prompt, before all other messages.", rich_help_panel=_SAMPLING),
    ] = ""
    seed: Annotated[
        int | None,
        typer.Option(
            help="Seed of the model's sampling, where the endpoint takes one.",
            rich_help_panel=_SAMPLING,
        ),
    ] = None
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Any field of the request, as JSON or text (max_completion_tokens=2000); repeat "
            "for more.",
            rich_help_panel=_SAMPLING,
        ),
    ] = None
    timeout: Annotated[
        float,
        typer.Option(
            min=0.001,
            max=1e6,
            callback=opt.finite,
            help="Seconds until an answer is there.",
            rich_help_panel=_SAMPLING,
        ),
    ] = 120.0
    retries: Annotated[
        int,
        typer.Option(
            min=0, help="Maximum number of retries per request.", rich_help_panel=_SAMPLING
        ),
    ] = 5

    def options(self, *names: str) -> dict[str, object]:
        """Return the sampling parameters that were given.

        Args:
            names: Other fields of this class that are part of a request.
        """
        options: dict[str, object] = {}
        for name in ("temperature", "max_tokens", "seed", *names):
            value = getattr(self, name)
            if value not in (None, ""):
                options[name] = value
        for text in self.option or ():
            key, value = _read_field(text)
            options[key] = value
        return options

    def agent(self, model: str, base_url: str | None, **options: object) -> openai_chat.ChatAgent:
        """Return a model behind an endpoint as an agent."""
        return openai_chat.ChatAgent(
            model,
            base_url=base_url,
            timeout=self.timeout,
            max_retries=self.retries,
            system=self.system,
            options=self.options() | options,
        )


def _read_field(text: str) -> tuple[str, object]:
    """Return key and value of ``KEY=VALUE``, with the value as JSON or else as text."""
    # "top_p=0.9" -> ("top_p", 0.9); "stop=END" -> ("stop", "END"), as END is no JSON.
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise InputError(f"--option {text!r} is no field", expected="KEY=VALUE")
    try:
        return key, load_json(value)
    except ValueError:
        return key, value


def _seed(what: str) -> Any:  # noqa: ANN401
    return typer.Option(help=f"Seed of {what} (by default 0), and of the model if it is given.")


class _Replanning(_Sampling):
    seed: Annotated[int | None, _seed("chance")] = None


class _Acting(_Sampling):
    seed: Annotated[int | None, _seed("the random agent")] = None


class _Asking(_Sampling):
    samples: Annotated[
        int, typer.Option(min=1, help="Number of answers to each task, for pass@k.")
    ] = 1
    workers: Annotated[
        int, typer.Option(help="Number of prompts that are asked at the same time.")
    ] = 4


class _Asked(opt.OptionGroup):
    """Options for the model that is asked."""

    model: Annotated[str, typer.Option(help="Name of the model, as the endpoint knows it.")]
    base_url: opt.BaseUrl = None


class _Question(opt.OptionGroup):
    """Options for the question that is asked about each task."""

    ability: opt.Ability = None
    wording: opt.Wording = "own"

    @property
    def is_official(self) -> bool:
        """Whether the prompts are those of the published release."""
        return self.wording == "official"

    def prompts(self, suite: Suite, tasks: Sequence[str] | None) -> Iterable[Prompt]:
        """Return the prompts for tasks of a suite; None for all of them."""
        return all_prompts(suite, self.ability, official=self.is_official, tasks=tasks)


@opt.command(app, f"eai prompts {SAMPLES} --limit 1", f"eai prompts {SAMPLES} -o prompts.jsonl")
def prompts(
    suite: opt.SuiteName,
    *,
    question: _Question,
    selection: NamedSelection,
    lines: opt.Lines,
    json: opt.Json = False,  # noqa: ARG001  # they are JSON Lines in any case
) -> None:
    """Write a prompt for every task as JSON Lines: id, suite, ability, prompt."""
    chosen_suite = named_suite(suite)
    selected_tasks = selection.of(chosen_suite, limited=False)
    # The limit counts prompts: not every task has one.
    selected_prompts = islice(question.prompts(chosen_suite, selected_tasks), selection.limit)
    task_ids: list[str] = []
    prompts = _collecting_task_ids(selected_prompts, task_ids)
    if lines.output is not None:
        number_written = write_prompts(prompts, lines.output, force=lines.force)
        warn(f"{counted(number_written, 'prompt')} written to {lines.output}")
    else:
        for prompt in prompts:
            say(prompt.to_json())
    if not question.is_official and selection.limit is None:
        _warn_of_tasks_without_prompt(chosen_suite, selected_tasks, task_ids)


def _collecting_task_ids(prompts: Iterable[Prompt], task_ids: list[str]) -> Iterator[Prompt]:
    """Yield prompts, and append the identifier of each one's task to a list."""
    for prompt in prompts:
        task_ids.append(prompt.id)
        yield prompt


def _warn_of_tasks_without_prompt(
    suite: Suite, selected_tasks: Sequence[str] | None, tasks_with_prompt: Sequence[str]
) -> None:
    """Print which tasks have no prompt.

    Args:
        suite: The suite.
        selected_tasks: The tasks as they were named; None for all of them.
        tasks_with_prompt: Identifiers of the tasks that have a prompt.
    """
    if selected_tasks is None:
        task_ids = suite.task_ids()
    else:
        # Prompts are written under the full identifiers; what was typed may be cut off.
        task_ids = [suite.canonical_id(task) for task in selected_tasks]
    known_ids = set(tasks_with_prompt)
    left_out = [task_id for task_id in task_ids if task_id not in known_ids]
    if not left_out:
        return
    examples = ", ".join(left_out[:_MAX_NAMED])
    if len(left_out) > _MAX_NAMED:
        examples += ", ..."
    tasks = counted(len(left_out), "task")
    warn(f"left out: {tasks} of which this cannot be asked ({examples}); evaluate says why")


@opt.command(
    app,
    f"eai ask {SAMPLES} --model gpt-4o -o answers.jsonl",
    f"eai ask {SAMPLES} --model llama3 --base-url http://localhost:11434/v1 -o a.jsonl",
)
def ask(
    suite: opt.SuiteName,
    asked: _Asked,
    output: Annotated[Path, opt.output_option("The file of predictions.")],
    *,
    question: _Question,
    selection: NamedSelection,
    sampling: _Asking,
    printed: opt.Printed,
) -> None:
    """Ask a model and write its answers; run it again to resume.

    The key is read from OPENAI_API_KEY. With each answer it stores the tokens used, why it
    ended and how it was sampled. With several samples and a seed, each sample has the next seed.
    Exit code 1 if some prompts could not be asked.
    """
    chosen_suite = named_suite(suite)
    all_tasks_prompts = question.prompts(chosen_suite, selection.of(chosen_suite, limited=False))
    prompts = list(islice(all_tasks_prompts, selection.limit))
    # One sample after the other over all prompts: an interrupted call has whole samples.
    collections: list[Collection] = []
    with progress("asking", shown=not printed.quiet) as step, openai_chat.reporting_retries(warn):
        for sample_index in range(sampling.samples):
            seed_option = {}
            if sampling.seed is not None:
                seed_option["seed"] = sampling.seed + sample_index
            epoch = 0  # the only sample has no number
            if sampling.samples > 1:
                epoch = sample_index + 1
            collection = collect_answers(
                sampling.agent(asked.model, asked.base_url, **seed_option),
                prompts,
                path=output,
                model=asked.model,
                workers=sampling.workers,
                epoch=epoch,
                sampling=sampling.options("system"),
                force=printed.force
                and sample_index == 0,  # later samples go to the file of the first
                progress=step,
            )
            collections.append(collection)
    _report_collections(collections, output, json=printed.json)


def _report_collections(collections: Sequence[Collection], output: Path, *, json: bool) -> None:
    """Report the number of prompts and their usage. If some prompts failed, exit with code 1."""
    number_asked = sum(collection.asked for collection in collections)
    number_kept = sum(collection.kept for collection in collections)
    failures: dict[str, str] = {}
    usage: dict[str, float] = {}
    endings: dict[Ending, list[str]] = {}
    for collection in collections:
        failures.update(collection.failures)
        add_usage(usage, collection.usage)
        for ending, task_ids in collection.endings.items():
            endings.setdefault(ending, []).extend(task_ids)
    if json:
        document = {"path": output, "asked": number_asked, "kept": number_kept, "usage": usage}
        document["endings"] = {ending.value: task_ids for ending, task_ids in endings.items()}
        print_json({**document, "failures": failures})
    warn(f"{counted(number_asked, 'answer')} written to {output}; {number_kept} were already there")
    if usage:
        amounts = [f"{amount:,} {name}" for name, amount in usage.items()]
        warn(f"used: {', '.join(amounts)}")
    for ending, task_ids in endings.items():
        warn(f"{listed_ids(task_ids, 'answer')} {ending.words}")
    for task, reason in failures.items():
        warn(f"{task}: {reason}")
    if failures:
        raise typer.Exit(1)


class _Planner(opt.OptionGroup):
    """Options for the planning agent."""

    agent: Annotated[
        str, typer.Option(help="oracle, or module:attribute of a function of messages.")
    ] = "oracle"
    model: opt.LiveModel = None
    base_url: opt.BaseUrl = None


class _Attempts(opt.OptionGroup):
    """Options for the attempts at a task, and for the feedback between them."""

    first: Annotated[Path | None, opt.path_option("Predictions to use as the first attempts.")] = (
        None
    )
    max_attempts: Annotated[int, typer.Option(help="Attempts, the first included.")] = 3
    level: Annotated[
        Literal["verdict", "kind", "reason"], typer.Option(help="Detail of the feedback.")
    ] = "reason"
    form: Annotated[Literal["chat", "paper"], typer.Option(help="Form of the feedback.")] = "chat"
    failure_probability: Annotated[
        float, typer.Option(help="Probability that an action has no effect.")
    ] = 0.0
    semantics: opt.Semantics = None
    rules: opt.Rules = None


@opt.command(
    app,
    f"eai replan {SAMPLES} --first answers.jsonl --model gpt-4o --max-attempts 3",
    f"eai replan {SAMPLES} --limit 5 --agent my_module:agent -o attempts.jsonl",
)
def replan(
    suite: opt.SuiteName,
    *,
    planner: _Planner,
    attempts: _Attempts,
    sampling: _Replanning,
    selection: NamedSelection,
    output: Annotated[Path | None, opt.output_option("Write all attempts as JSON Lines.")] = None,
    printed: opt.Printed,
) -> None:
    """Let an agent correct its plans after feedback; print first and last attempts.

    With --rules, a plan that breaks one is corrected, too.

    Exit code 1: the model could not be asked for some tasks; 3: your own agent raised an error in
    some. Such tasks are named and not counted.
    """
    chosen_suite = named_suite(suite)
    live = None
    if planner.model:
        live = sampling.agent(planner.model, planner.base_url)
    task_names = selection.of(chosen_suite, limited=False)
    answers: dict[str, str] = {}
    if attempts.first is not None:
        answers = answers_by_task(attempts.first, chosen_suite)
    # Without names, the tasks that have a first attempt; without first attempts, all.
    task_ids = list(task_names or answers or chosen_suite.task_ids())[: selection.limit]
    rules = _RulesOfTasks(chosen_suite, attempts.rules, PLANS, task_ids)
    choose = planning_agent(
        chosen_suite,
        planner.agent,
        live=live,
        semantics=attempts.semantics,
        rules=rules.applicable_to,
    )

    def attempt(task: str) -> Replanning:
        agent = choose(task)
        # The stored answer is the first attempt. The agent is asked for later ones.
        if task in answers:
            agent = ScriptedAgent([answers[task]], then=agent)
        return eai.replan(
            chosen_suite,
            task,
            agent,
            semantics=attempts.semantics,
            max_attempts=attempts.max_attempts,
            level=attempts.level,
            form=attempts.form,
            failure_probability=attempts.failure_probability,
            seed=sampling.seed or 0,
            rules=rules.applicable_to(task),
        )

    shown = not printed.quiet
    with progress("replanning", shown=shown) as step, openai_chat.reporting_retries(warn):
        replanned = replan_all(
            task_ids,
            attempt,
            output=output,
            force=printed.force,
            sampling=sampling.options("system") if planner.model else None,
            progress=step,
        )
    if printed.json:
        print_json({**report_document(replanned.report), "failures": replanned.failures})
    elif replanned.report.records and not printed.quiet:
        show(replanned.report)
    stop_after(replanned, choose)


class _Actor(opt.OptionGroup):
    """Options for the acting agent, and for the models that drive it."""

    agent: Annotated[
        str,
        typer.Option(
            help=f"{', '.join(agent_names())}, scripted:FILE (transcripts, or other answers by "
            "task), or module:attribute of a function of messages; with --model also "
            f"{', '.join(REFERENCE_AGENTS)}."
        ),
    ] = "oracle"
    model: opt.LiveModel = None
    base_url: opt.BaseUrl = None
    modules: Annotated[
        str,
        typer.Option(help="Modules of the agent that the model drives; or --model MODULE=NAME,..."),
    ] = ""
    max_calls: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Maximum number of calls of models in one episode by an agent with modules; by "
            "default its own limit.",
        ),
    ] = None
    workers: Annotated[
        int, typer.Option(min=1, help="Number of tasks in which a model acts at the same time.")
    ] = 1

    def options(self, sampling: _Sampling) -> AgentOptions:
        """Return the options for creating the agent."""
        return AgentOptions(
            models=self._models(sampling),
            modules=[name for name in self.modules.split(",") if name],
            max_calls=self.max_calls,
            seed=sampling.seed or 0,
        )

    def _models(
        self, sampling: _Sampling
    ) -> openai_chat.ChatAgent | dict[str, openai_chat.ChatAgent] | None:
        """Return the model that drives the agent, or one model for each module, or None.

        An agent with modules takes ``MODULE=NAME,...``. Any other agent takes the whole text as the
        name of its model, since such names may contain commas and equals signs.
        """
        if not self.model:
            return None
        if not has_modules(self.agent):
            return sampling.agent(self.model, self.base_url)
        # "critic=gpt-4o,planner=llama3" -> an agent for each module; "gpt-4o" -> {"": the agent}.
        models = {}
        for part in self.model.split(","):
            if part:
                module, _, name = part.rpartition("=")
                models[module] = sampling.agent(name, self.base_url)
        # A name without a module is that of all modules.
        return models.get("") or models or None

    def reported_name(self, changes: Sequence[str]) -> str:
        """Return the name of the agent in reports, with the changed settings added.

        Args:
            changes: The settings that are not the default ones, in words.
        """
        name = self.agent
        if self.model:
            name = self.model
        elif self.agent.startswith("scripted:"):
            name = Path(self.agent).stem
        if changes:
            name += f" ({', '.join(changes)})"
        return name


class _Episodes(opt.OptionGroup):
    """Options for the rules of an episode and the agent's information."""

    feedback: Annotated[
        Literal["none", "simple", "detailed"],
        typer.Option(help="Detail of the feedback on its actions."),
    ] = "simple"
    view: Annotated[
        str, typer.Option(help="What the agent sees: a view of the suite, such as room or near.")
    ] = ""
    forgetful: Annotated[
        bool, typer.Option("--forgetful", help="Do not repeat its own plan and notes to the agent.")
    ] = False
    prompt: Annotated[
        list[str] | None,
        typer.Option(help="A change of the prompt, such as no-plan; may be repeated."),
    ] = None
    actions: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Maximum number of actions per answer; after a failed one the rest are dropped.",
        ),
    ] = None
    keep_rest: Annotated[
        bool,
        typer.Option(
            "--keep-rest", help="Go on with the other actions of an answer after one fails."
        ),
    ] = False
    semantics: opt.Semantics = None
    rules: opt.Rules = None


@opt.command(
    app,
    f"eai interact {SAMPLES} --limit 3 -o acted",
    f"eai interact {SAMPLES} --model gpt-4o --feedback detailed -o told",
    f"eai interact {SAMPLES} --agent scripted:acted/transcripts.jsonl",
)
def interact(
    suite: opt.SuiteName,
    *,
    actor: _Actor,
    episodes: _Episodes,
    sampling: _Acting,
    selection: NamedSelection,
    output: Annotated[
        Path | None,
        opt.output_option("Write records, tables, the page and transcripts.", metavar="FOLDER"),
    ] = None,
    printed: opt.Printed,
) -> None:
    """Let an agent act in tasks step by step, and print the table; --output also writes files.

    Exit code 1: the model could not be asked for some tasks; 3: your own agent raised an error in
    some. Such tasks are named and not counted, and the same command tries them again.
    """
    chosen_suite = checked_interactive(named_suite(suite))
    profile = chosen_suite.semantics(episodes.semantics or chosen_suite.default_semantics)
    choose = acting_agent(chosen_suite, actor.agent, actor.options(sampling), profile)
    task_names = selection.of(chosen_suite) or list(chosen_suite.task_ids())
    rules = _RulesOfTasks(chosen_suite, episodes.rules, INTERACTION, task_names)
    prompt_changes: tuple[str, ...] = ()
    if episodes.prompt:
        # The rules of an episode know the changes of a prompt by their full names.
        episode_rules = chosen_suite.episode_rules(chosen_suite.task(task_names[0]), profile)
        prompt_changes = episode_rules.prompted(episodes.prompt).prompt
    options = _interaction_options(actor, episodes, sampling, profile)
    changes = _changed_settings(actor, options, prompt_changes)

    def act(task: str) -> Interaction:
        own_options: InteractionOptions = {**options, "rules": rules.applicable_to(task)}
        return eai.interact(chosen_suite, task, choose(task), **own_options)

    shown = not printed.quiet and not printed.json
    with progress("acting", shown=shown) as step, openai_chat.reporting_retries(warn):
        acted = interact_all(
            chosen_suite,
            task_names,
            act,
            semantics=profile,
            model=actor.reported_name(changes),
            output=output,
            force=printed.force,
            workers=actor.workers,
            rules=rules.all_rules,
            sampling=sampling.options("system") if actor.model else None,
            progress=step,
        )
    if printed.json:
        document = report_document(acted.report)
        print_json({**document, "output": output, "failures": acted.failures})
    elif not printed.quiet:
        show(acted.report)
        if output is not None:
            page = f"look at it: eai view {shlex.quote(str(output))}"
            say(f"written to {output}: {', '.join((*FILES, TRANSCRIPTS))}; {page}")
    stop_after(acted, choose)


def _interaction_options(
    actor: _Actor, episodes: _Episodes, sampling: _Acting, semantics: Semantics
) -> InteractionOptions:
    """Return the options of an episode for :func:`eai.interact`."""
    actions = episodes.actions
    # This agent answers with a whole plan; one action of it per answer would be another agent.
    if actor.agent == "replan" and actions is None:
        actions = WHOLE_PLAN
    return {
        "semantics": semantics,
        "feedback": episodes.feedback,
        "view": episodes.view,
        "carried": not episodes.forgetful,
        "seed": sampling.seed or 0,
        "actions": actions,
        "drop_rest": False if episodes.keep_rest else None,  # None: as the suite says
        "prompt": episodes.prompt or (),
    }


class _RulesOfTasks:
    """The safety rules in a file, by the tasks that they apply to.

    Args:
        suite: The suite.
        source: The file; None if there is none.
        ability: The ability that answers are about.
        tasks: The tasks; a rule that applies to none of them is refused.

    Attributes:
        all_rules: All rules in the file.
    """

    def __init__(
        self, suite: Suite, source: Path | None, ability: str, tasks: Sequence[str]
    ) -> None:
        """Read the rules, and warn of those that say nothing about the tasks."""
        self._suite = suite
        self.all_rules = given_rules(source, suite, ability)
        if self.all_rules:
            for note in check_rules(self.all_rules, suite, tasks):
                warn(note)

    def applicable_to(self, task: str) -> Sequence[Rule] | None:
        """Return the rules that apply to a task; None if there are none."""
        if not self.all_rules:
            return None
        return applicable_rules(self._suite.task(task), task, self.all_rules) or None


def _changed_settings(
    actor: _Actor, options: InteractionOptions, prompt_changes: Sequence[str]
) -> list[str]:
    """Return the settings that differ from the defaults, as reports name them.

    They are appended to the model's name, as in ``gpt-4o (feedback detailed, forgetful)``, so that
    the same model under other conditions has a row of its own in every table.

    Args:
        actor: The agent, as it was named.
        options: How it acts.
        prompt_changes: Changes of the prompt, by their full names.
    """
    changes = []
    if options["feedback"] != "simple":
        changes.append(f"feedback {options['feedback']}")
    if options["view"]:
        changes.append(f"view {options['view']}")
    if prompt_changes:
        changes.append(f"prompt {' '.join(prompt_changes)}")
    if not options["carried"]:
        changes.append("forgetful")
    # A model that answers directly needs no mention; one that an agent calls does.
    if actor.model and (actor.agent in REFERENCE_AGENTS[1:] or has_modules(actor.agent)):
        changes.append(actor.agent)
    if actor.modules:
        changes.append(f"modules {actor.modules}")
    if actor.max_calls:
        changes.append(f"{actor.max_calls} calls")
    # The number of actions of the agent "replan" is a consequence of the agent, not a choice.
    if options["actions"] and actor.agent != "replan":
        changes.append(f"{options['actions']} actions")
    if options["drop_rest"] is False:
        changes.append("rest kept")
    return changes
