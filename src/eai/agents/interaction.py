"""Acting in one task, and the transcript of it, which can be read and evaluated again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, TypedDict, Union

from eai.acting import (
    Agent,
    Answer,
    Episode,
    EpisodeRules,
    Feedback,
    Turn,
    TurnOptions,
    add_usage,
    ask_agent,
    check_feedback,
    episode_trajectory,
    evaluate_episode,
    replay,
    run_episode,
    usage_amounts,
    usage_of,
    write_answers,
)
from eai.agents.oracle import Assignment
from eai.agents.registry import (
    AgentOptions,
    EpisodeSetting,
    EpisodicAgent,
    NamedAgent,
    agent_names,
    make_agent,
)
from eai.contract import (
    INTERACTION,
    Suite,
    checked_interactive,
    refuse_rules,
    version_of,
    without_trivial,
)
from eai.diagnosis import Condition, Result, TaskRules, task_rules
from eai.display import preformatted
from eai.errors import InputError, names_checked
from eai.report import Record
from eai.semantics import Semantics
from eai.simulators import Environment, Observation
from eai.task import Task
from eai.world import Action

if TYPE_CHECKING:
    from typing_extensions import Unpack


def episode_value(episode: Episode) -> object:
    """Return an episode as a JSON value.

    Empty parts (a code, a message, a list) are left out. The start has all visible objects. A turn
    has the objects that are new or changed since the turn before (``objects``), and the names of
    those that disappeared (``gone``).
    """
    turns = []
    observation_before = episode.start
    for turn in episode.turns:
        turns.append(_turn_value(turn, observation_before))
        observation_before = turn.result.observation
    value = {
        "end": str(episode.end),
        "note": episode.note,
        "solved": episode.success,
        "conditions": list(map(_condition_value, episode.goal.conditions)),
        "start": asdict(replace(episode.start, image=b"")),  # bytes are no JSON
        "turns": turns,
    }
    return _without_empty_parts(value)


def _condition_value(condition: Condition) -> dict[str, object]:
    """Return a condition of the goal as a JSON value, with the fields that are compared."""
    names = [field.name for field in fields(condition) if field.compare]
    return {name: getattr(condition, name) for name in names}


def _turn_value(turn: Turn, observation_before: Observation) -> dict[str, object]:
    """Return a turn as a JSON value, still with its empty parts."""
    reply = turn.reply
    result = turn.result
    usage: object = None
    finish_reason = None
    details: dict[str, str | bool] = {}
    if isinstance(turn.answer, Answer):
        usage = turn.answer.usage
        finish_reason = turn.answer.finish_reason
        details = turn.answer.details
    return {
        "number": turn.number,
        "answer": turn.answer,
        "action": _action_text(reply.action),
        "plan": reply.plan,
        "memory": reply.memory,
        "success": result.success,
        "code": result.code,
        "message": result.message,
        "usage": usage,
        "finish_reason": finish_reason,
        **details,
        # The turn whose answer the action is from, where it is an earlier one.
        "answered": turn.answered if turn.answered != turn.number else None,
        "dropped": turn.dropped or None,
        "resolved": _action_text(result.resolved),
        "observation": _observation_changes(observation_before, result.observation),
    }


def _action_text(action: Action | None) -> str:
    """Return an action as text; empty if there is none."""
    if action is None:
        return ""
    return str(action)


def _observation_changes(
    observation_before: Observation, observation_after: Observation
) -> dict[str, object]:
    """Return the differences between two observations as a JSON value."""
    # Only differences are written: a room of hundreds of objects changes little from turn to turn.
    seen_before = {seen_object.name: seen_object for seen_object in observation_before.objects}
    gone = dict.fromkeys(seen_before)
    changed = []
    for seen_object in observation_after.objects:
        gone.pop(seen_object.name, None)
        if seen_before.get(seen_object.name) != seen_object:
            changed.append(asdict(seen_object))
    return {
        "objects": changed,
        "gone": list(gone),
        "held": list(observation_after.held),
        "focus": observation_after.focus,
    }


def _without_empty_parts(value: object) -> object:
    """Return a JSON value without empty parts (False and 0 are kept)."""
    if isinstance(value, dict):
        kept = {}
        for name, entry in value.items():
            smaller = _without_empty_parts(entry)
            if smaller not in ("", b"", None, {}, []):
                kept[name] = smaller
        return kept
    if isinstance(value, (list, tuple)):
        return list(map(_without_empty_parts, value))
    return value


AgentChoice = Union[str, NamedAgent, Agent, Sequence[str]]
"""An agent: the name of one that is registered (:mod:`eai.agents.registry`), with options if it
takes some, anything that can be called with messages and returns text, or its answers, written
beforehand."""


_SETTING = ("suite", "version", "name", "semantics", "feedback", "view", "carried", "actions")
"""Fields of an interaction that are written into every transcript as they are."""


@dataclass(frozen=True, slots=True)
class Interaction:
    """One episode of an agent in a task of a suite.

    Args:
        semantics: Under which semantics it was acted and evaluated, as reports print it.
        feedback: How much the agent was told.
        view: How much of the world it saw; empty for as much as the suite shows.
        carried: Whether it was told its own plan and notes again.
        actions: How many actions its answers could hold.
        prompt: How what it was sent differs from what the suite sends.
        log: Notes of the agent on its decisions; empty if it keeps no log.
    """

    suite: str
    version: str
    task: str
    name: str
    semantics: str
    feedback: Feedback
    view: str
    carried: bool
    episode: Episode
    result: Result
    actions: int = 1
    prompt: tuple[str, ...] = ()
    log: Sequence[Mapping[str, object]] = ()

    @property
    def success(self) -> bool:
        """Whether the task is solved."""
        return self.episode.success

    @property
    def output(self) -> str:
        """All answers as one text, which leads to the same episode when it is evaluated."""
        return write_answers(turn.answer for turn in self.episode.turns)

    @property
    def usage(self) -> dict[str, float]:
        """Sum of what all answers used, and of the tokens in the agent's own log."""
        # An answer with several actions has a turn for each, of which the first has the usage.
        first_turns: dict[int, str] = {}
        for turn in self.episode.turns:
            first_turns.setdefault(turn.answered, turn.answer)
        usage = usage_of(first_turns.values())
        for entry in self.log:
            tokens = entry.get("tokens")
            if entry.get("event") == "usage" and isinstance(tokens, Mapping):
                add_usage(usage, usage_amounts(tokens))
        return usage

    def record(self, model: str = "agent") -> Record:
        """The episode as a record, for the tables of a report."""
        setting = (self.suite, self.version, INTERACTION, self.semantics)
        about_task = (model, self.task, self.name)
        return Record(*setting, *about_task, self.output, self.result, usage=self.usage)

    def to_json(self, model: str = "agent", sampling: Mapping[str, object] | None = None) -> str:
        """Return everything as one line of ASCII JSON, a prediction that can be evaluated again.

        The episode is written as :func:`eai.agents.interaction.episode_value` says.

        Args:
            model: Name of the agent.
            sampling: How a model sampled (``{"temperature": 0.7}``).
        """
        line: dict[str, object] = {"id": self.task, "output": self.output, "model": model}
        if sampling:
            line["sampling"] = dict(sampling)
        if self.usage:
            line["usage"] = self.usage
        for name in _SETTING:
            line[name] = getattr(self, name)
        if self.prompt:
            line["prompt"] = self.prompt
        if self.log:
            line["log"] = self.log
        line["episode"] = episode_value(self.episode)
        return json.dumps(line)

    def __str__(self) -> str:
        lines = [f"{self.suite} {self.task}: {self.name} ({self.semantics})"]
        for turn in self.episode.turns:
            outcome = "done"
            if not turn.success:
                outcome = f"{turn.code}: {turn.result.message}"
            lines.append(f"{turn.number}. {turn.reply.written or '(no action)'}: {outcome}")
        lines.append(f"The end: {self.episode.end or self.result.status}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return preformatted(str(self))


class InteractionOptions(TypedDict, total=False):
    """Options for episodes: the agent's information and permitted actions.

    They are keyword arguments of :func:`interact`.
    """

    semantics: str | Semantics | None
    """``"official"``, ``"strict"`` or a ready one; by default what the suite prefers."""
    feedback: Feedback
    """How much the agent is told of what came of its actions: ``"none"``, ``"simple"`` (whether
    they were done; the default) or ``"detailed"`` (also why not)."""
    view: str
    """How much of the world it sees: the name of one of the suite's views (``"room"``,
    ``"near"``); by default as much as the suite shows."""
    carried: bool
    """Whether it is told the plan and the notes that it wrote last; by default it is."""
    seed: int
    """Seed of the random agent."""
    actions: int | None
    """How many actions an answer may hold (lines ``Action:``), each of which is a turn; by default
    as many as the suite says, which mostly is one."""
    drop_rest: bool | None
    """Whether an action that fails drops those behind it in its answer; by default as the suite
    says, which mostly is so."""
    prompt: Sequence[str]
    """Changes of what it is sent: names of some of the suite's (``EpisodeRules.prompts``), such as
    ``("published", "no-plan")``."""
    rules: object
    """Rules that are judged after the episode, as those of :func:`eai.evaluate` are: a file of
    rules, or a list. Prompts of our own list them; a published prompt stays as it is, and a note of
    the result says so. ``guard`` keeps the agent from breaking rules."""
    guard: object
    """Rules that are checked before every action: a :class:`~eai.guard.Guard` of the task, or a
    file or list of rules. An action that breaks one is not done; the agent is told why."""


def _turn_options(
    options: InteractionOptions, rules: EpisodeRules, feedback: Feedback
) -> TurnOptions:
    """Return the options of each turn, with defaults for those that are not given."""
    return {
        "views": rules.seen_by(options.get("view", "")),
        "actions": options.get("actions"),
        "drop_rest": options.get("drop_rest"),
        "feedback": feedback,
        "carried": options.get("carried", True),
    }


def _guard_environment(environment: Environment, rules: object, task: Task) -> Environment:
    """Return an environment in which rules are checked before every action."""
    from eai.acting import GuardedEnvironment
    from eai.guard import Guard

    if not isinstance(rules, Guard):
        rules = Guard.of_task(rules, task)
    return GuardedEnvironment(environment, rules)


def _episode_task_rules(suite: Suite, task: Task, source: object) -> TaskRules:
    """Return the rules by which an episode of a task is judged."""
    if source is not None:
        refuse_rules(suite, INTERACTION)
    return task_rules(task, source)


def _tell_rules(rules: EpisodeRules, required_rules: TaskRules) -> tuple[EpisodeRules, TaskRules]:
    """Return episode rules whose prompt lists the required rules, and these rules.

    A published prompt is left as it is, and a note says that it does not list the rules.
    """
    if not required_rules.words:
        return rules, required_rules
    if rules.prompt_version:
        note = "the agent was not told the rules: its prompt is a published one"
        return rules, replace(required_rules, notes=(*required_rules.notes, note))
    return rules.listing(required_rules.listed), required_rules


@names_checked
def interact(
    suite: str | Suite,
    task: str | Task,
    agent: AgentChoice = "oracle",
    **options: Unpack[InteractionOptions],
) -> Interaction:
    """Let an agent act in a task, step by step, until it is solved or a limit is reached.

    No episode is run for a task that the semantics excludes from all rates.

    Args:
        suite: The suite that the task is from, or its name.
        task: The task, or its identifier.
        agent: The name of a registered agent (:func:`eai.agents.agent_names`): ``"oracle"``,
            ``"random"``, ``"human"`` (a person at the terminal), ...; a callable that gets a list
            of messages (``role`` and ``content``) and returns the answer as text with the last
            line ``Action: NAME ARGUMENTS``; or a sequence of such answers. An exception of the
            agent ends the episode, as :class:`~eai.errors.ModelError` does; errors of ``eai`` are
            passed on.
        **options: The information of the agent, and its permitted actions
            (:class:`InteractionOptions`).

    Raises:
        UnknownNameError: If a name is unknown.
        InputError: If the suite is invalid or not interactive, if the agent is invalid, if an
            answer is not text, or if ``actions`` permits no action at all.
        DataMissingError: If the suite's data was not fetched.
    """
    feedback: Feedback = options.get("feedback", "simple")
    check_feedback(feedback)
    assignment = Assignment.of(suite, task, options.get("semantics"))
    chosen_task = assignment.task
    semantics = assignment.semantics
    chosen_suite = checked_interactive(assignment.suite)
    environment = chosen_suite.environment(chosen_task, semantics)
    judged_rules = _episode_task_rules(chosen_suite, chosen_task, options.get("rules"))
    assignment = replace(assignment, rules=judged_rules)
    guard_rules = options.get("guard")
    if guard_rules is not None:
        environment = _guard_environment(environment, guard_rules, chosen_task)
    rules = chosen_suite.episode_rules(chosen_task, semantics).prompted(options.get("prompt", ()))
    # This follows the changes of the prompt, which may turn it into a published one.
    rules, judged_rules = _tell_rules(rules, judged_rules)
    turns = _turn_options(options, rules, feedback)
    if isinstance(agent, str):
        agent = NamedAgent(agent, AgentOptions(seed=options.get("seed", 0)))
    setting = EpisodeSetting(assignment, environment, rules)
    episode, log = _act(agent, setting, turns)
    result = evaluate_episode(episode, rules)
    if judged_rules.formulas and result.status == "evaluated":
        # An episode holds observations and no states, so its actions are repeated in a fresh
        # environment.
        fresh = chosen_suite.environment(chosen_task, semantics)
        verdicts = judged_rules.verdicts(episode_trajectory(chosen_task, fresh, episode))
        result = replace(result, rules=verdicts, notes=(*result.notes, *judged_rules.notes))
    result = without_trivial(result, chosen_suite, INTERACTION, chosen_task, semantics)
    max_actions = turns["actions"]
    if max_actions is None:
        max_actions = rules.actions
    return Interaction(
        suite=chosen_suite.name,
        version=version_of(chosen_suite, INTERACTION),
        task=chosen_task.id,
        name=chosen_task.name,
        semantics=str(semantics),
        feedback=feedback,
        view=options.get("view", ""),
        carried=turns["carried"],
        episode=episode,
        result=result,
        actions=max_actions,
        prompt=rules.prompt,
        log=log,
    )


def _act(
    agent: NamedAgent | Agent | Sequence[str], setting: EpisodeSetting, turns: TurnOptions
) -> tuple[Episode, Sequence[Mapping[str, object]]]:
    """Run an episode, and return it with the agent's log.

    Args:
        agent: The name of an agent, a function of messages, or a list of answers.
        setting: The task, its environment and the rules of the episode.
        turns: The observations and messages of each turn.

    Raises:
        InputError: If the agent is of another type.
    """
    environment = setting.environment
    rules = setting.rules
    task = setting.assignment.task
    if rules.excluded:  # an episode without turns; its result has the reason of the exclusion
        return replay(environment, (), rules=rules, task=task.id), ()
    if isinstance(agent, NamedAgent):
        agent = ask = make_agent(agent, setting)
    elif callable(agent):
        # A user's function may raise any error, which ends the episode.
        ask = partial(ask_agent, agent)
    elif isinstance(agent, Iterable):
        episode = replay(
            environment,
            agent,
            rules=rules,
            task=task.id,
            views=turns["views"],
            actions=turns["actions"],
            drop_rest=turns["drop_rest"],
        )
        return episode, ()
    else:
        names = ", ".join(agent_names())
        raise InputError(
            f"{type(agent).__name__} is not an agent",
            expected=f"one of {names}, a function of messages, or a list of answers",
        )
    if isinstance(agent, EpisodicAgent):
        agent.begin(environment.actions, task.start.layout.domain)
        episode = run_episode(environment, agent, rules=rules, task=task.id, **turns)
        return episode, agent.record
    return run_episode(environment, ask, rules=rules, task=task.id, **turns), ()
