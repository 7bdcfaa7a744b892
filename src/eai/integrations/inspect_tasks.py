"""Suites as tasks of Inspect AI: any model it can reach, its logs and its viewer.

``inspect eval eai/ability -T suite=SUITE -T ability=goal_interpretation --model ...``, and
``inspect eval eai/acting -T suite=SUITE --model ...`` to act step by step. The
scorer is the suite's evaluator; the metrics are those of our reports, computed from all its
results. Needs the extra ``inspect``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eai.acting import Acting, Feedback, called_actions, check_feedback, write_answers
from eai.agents import ABILITY, Dialogue, Form, Level, give_feedback
from eai.agents.prompts import prompts
from eai.contract import (
    INTERACTION,
    checked_interactive,
    chosen_ability,
    version_of,
    without_trivial,
)
from eai.contract.registry import suite as find_suite
from eai.errors import InputError, MissingExtraError
from eai.report import Record, Report, record_from_json, record_to_json
from eai.suites import SAMPLES

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.log import EvalLog
    from inspect_ai.model import ChatMessageUser
    from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
    from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
    from inspect_ai.tool import Tool, ToolDef, ToolParam, ToolParams
except ImportError as error:
    raise MissingExtraError(
        "inspect-ai", extra="inspect", purpose="evaluating with Inspect AI"
    ) from error


@task
def ability(
    suite: str = SAMPLES,
    ability: str | None = None,
    *,
    semantics: str | None = None,
    official_prompts: bool = False,
    max_attempts: int = 1,
    level: Level = "reason",
    form: Form = "chat",
) -> Task:
    """One ability on all tasks of a suite.

    Args:
        suite: Name of the suite, or ``module:attribute``.
        ability: Which ability; by default action sequencing, or the suite's only one.
        semantics: ``"official"`` or ``"strict"``; by default what the suite prefers.
        official_prompts: Whether to ask with the prompts of the published release.
        max_attempts: How often the model may try; more than 1 for action sequencing only.
        level: How much it is told after a failure (see :mod:`eai.agents.replanning`).
        form: In which form.

    Raises:
        UnknownNameError: If a name is unknown.
        InputError: If there are no prompts for the ability, or no second attempts at it.
        DataMissingError: If the suite's data was not fetched.
    """
    chosen_suite = find_suite(suite)
    ability = chosen_ability(chosen_suite, ability)
    if max_attempts != 1 and ability != ABILITY:
        raise InputError(f"{max_attempts} attempts at {ability}", expected=f"1, or {ABILITY}")
    samples = []
    for prompt in prompts(chosen_suite, ability, official=official_prompts):
        samples.append(Sample(id=prompt.id, input=prompt.prompt))
    solver = generate()
    if max_attempts != 1:
        solver = replanning(
            suite, semantics=semantics, max_attempts=max_attempts, level=level, form=form
        )
    return Task(
        dataset=MemoryDataset(samples, name=f"{suite} {ability}"),
        solver=solver,
        scorer=evaluate(suite, ability, semantics=semantics),
    )


@solver
def replanning(
    suite: str,
    *,
    semantics: str | None = None,
    max_attempts: int = 3,
    level: Level = "reason",
    form: Form = "chat",
) -> Solver:
    """Let the model plan with feedback until the task is solved.

    The arguments are those of :func:`ability`; the id of a sample is the task.
    """

    # The framework asks the model; the dialogue evaluates and says what to ask next.
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        dialogue = Dialogue(
            suite,
            str(state.sample_id),
            semantics=semantics,
            max_attempts=max_attempts,
            level=level,
            form=form,
            prompt=state.input_text,
        )
        while True:
            state = await generate(state)
            dialogue.submit(state.output.completion)
            if dialogue.finished:
                state.metadata["attempts"] = len(dialogue.attempts)
                return state
            last = ChatMessageUser(content=dialogue.messages[-1]["content"])
            # In the form of the paper each prompt says all that happened before.
            if form == "paper":
                state.messages = [last]
            else:
                state.messages = [*state.messages, last]

    return solve


@task
def acting(
    suite: str = SAMPLES,
    *,
    semantics: str | None = None,
    feedback: Feedback = "simple",
    view: str = "",
    tools: bool = False,
) -> Task:
    """Acting step by step in all tasks of a suite.

    Args:
        suite: Name of the suite, or ``module:attribute``.
        semantics: ``"official"`` or ``"strict"``; by default what the suite prefers.
        feedback: How much the model is told of what came of its actions.
        view: How much it sees: the name of one of the suite's views.
        tools: Whether actions are tools that the model calls, instead of lines that it writes.

    Raises:
        UnknownNameError: If a name is unknown.
        InputError: If the suite cannot be acted in.
        DataMissingError: If the suite's data was not fetched.
    """
    chosen_suite = checked_interactive(find_suite(suite))
    check_feedback(feedback)
    samples = [
        Sample(id=name, input=chosen_suite.task(name).instruction)
        for name in chosen_suite.task_ids()
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"{suite} {INTERACTION}"),
        solver=step_by_step(suite, semantics=semantics, feedback=feedback, view=view, tools=tools),
        scorer=evaluate(suite, INTERACTION, semantics=semantics),
    )


@solver
def step_by_step(
    suite: str,
    *,
    semantics: str | None = None,
    feedback: Feedback = "simple",
    view: str = "",
    tools: bool = False,
) -> Solver:
    """Let the model act until the task is solved or a limit ends the episode.

    The arguments are those of :func:`acting`, and the id of a sample is the task. The framework
    does not execute tool calls: each call is an action, the last one in an answer.
    """
    chosen_suite = checked_interactive(find_suite(suite))
    profile = chosen_suite.semantics(semantics or chosen_suite.default_semantics)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        task = chosen_suite.task(chosen_suite.canonical_id(str(state.sample_id)))
        rules = chosen_suite.episode_rules(task, profile)
        environment = chosen_suite.environment(task, profile)
        views = rules.seen_by(view)
        episode = Acting(environment, rules, feedback=feedback, views=views, task=task.id)
        if tools:
            actions = sorted(environment.actions.items())
            state.tools = [_make_tool(name, count) for name, count in actions]
        while not episode.finished:
            # The model sees only the messages of the episode, which tell what happened before.
            contents = [message["content"] for message in episode.messages]
            state.messages = [ChatMessageUser(content=content) for content in contents]
            # "none": the framework executes no call, since each call is an action of the episode.
            state = await generate(state, tool_calls="none")
            # Text and calls together are the answer; a call becomes a line of text, too.
            calls = state.output.message.tool_calls or ()
            action_lines = called_actions((call.function, call.arguments) for call in calls)
            answer_parts = filter(None, (state.output.completion, action_lines))
            episode.submit("\n".join(answer_parts))
        state.metadata[_ANSWERS] = write_answers(turn.answer for turn in episode.turns)
        return state

    return solve


_ANSWERS = "answers"
"""Where a sample keeps all answers of its episode."""


def _make_tool(name: str, argument_count: int) -> Tool:
    """Return a tool for an action. It only records the call.

    Args:
        name: The action.
        argument_count: Number of its arguments.
    """

    # The framework never calls it: the environment takes the action from the whole answer.
    async def execute(**_objects: str) -> str:
        return ""

    argument_names = [f"object{number}" for number in range(1, argument_count + 1)]
    properties = {}
    for argument in argument_names:
        properties[argument] = ToolParam(type="string", description="name of it")
    return ToolDef(
        execute,
        name=name.lower(),
        description=f"The action {name}.",
        parameters=ToolParams(properties=properties, required=argument_names),
    ).as_tool()


@metric
def suite_metrics() -> Metric:
    """The metrics of reports in percent, without undefined ones."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        records: list[Record] = []
        # Metrics such as F1 are not means over samples, so whole records are needed.
        for sample in scores:
            records += _stored_records(sample.score.metadata)
        if not records:
            return {}
        report = Report(records)
        # A log of Inspect is of one model.
        (model,) = report.models
        values: dict[str, float] = {}
        for metric in report.metrics(model):
            if metric.value is not None:
                values[metric.key] = metric.value
        return values

    return compute


@scorer(metrics=[suite_metrics()])
def evaluate(suite: str, ability: str | None = None, *, semantics: str | None = None) -> Scorer:
    """Evaluate answers as :func:`eai.evaluate` does; the id of a sample is the task.

    The score is 1 for a task that is solved; its explanation is the feedback, and its metadata
    holds the whole record.
    """
    chosen_suite = find_suite(suite)
    ability_name = chosen_ability(chosen_suite, ability)
    profile = chosen_suite.semantics(semantics or chosen_suite.default_semantics)

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        task = chosen_suite.task(chosen_suite.canonical_id(str(state.sample_id)))
        # An episode is evaluated by all its answers, any other task by the last output.
        answer = state.metadata.get(_ANSWERS, state.output.completion)
        result = chosen_suite.evaluate(ability_name, task, answer, profile)
        result = without_trivial(result, chosen_suite, ability_name, task, profile)
        setting = (
            chosen_suite.name,
            version_of(chosen_suite, ability_name),
            ability_name,
            str(profile),
        )
        record = Record(*setting, str(state.model), task.id, task.name, answer, result)
        if ability_name == ABILITY:
            explanation = give_feedback(result)
        else:
            lines = [f"{finding.kind}: {finding.message}" for finding in result.findings]
            explanation = "\n".join(lines)
        return Score(
            value=float(result.success),
            answer=answer,
            explanation=explanation,
            metadata={"record": record_to_json(record)},
        )

    return score


def records_of(log: EvalLog) -> list[Record]:
    """Return the records that a log holds, for :class:`eai.Report`.

    Args:
        log: A log, as ``inspect_ai.log.read_eval_log`` returns it.

    Raises:
        SchemaError: If a record in it cannot be read.
    """
    records: list[Record] = []
    for sample in log.samples or ():
        for score in (sample.scores or {}).values():
            records += _stored_records(score.metadata)
    return records


def _stored_records(metadata: dict[str, Any] | None) -> Iterator[Record]:
    """Yield the record in the metadata of a score, if :func:`evaluate` wrote it."""
    line = (metadata or {}).get("record")
    if isinstance(line, str):
        yield record_from_json(line, where="log")
