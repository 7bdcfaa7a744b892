"""Modules driven by a language model: one message and one short contract for each.

Answers are read by :mod:`eai.answers`; if nothing can be read, or the model cannot be asked, the
symbolic module answers instead, and that is counted.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from eai.acting import Agent, Answer, add_usage, ask_agent
from eai.agents.holomind.critic import CAUSES, Directive, fix_of
from eai.agents.holomind.executor import Context, SubGoal
from eai.agents.holomind.goals import MAX_GOALS, Edge, GoalNode, ObjectReference, object_and_target
from eai.agents.holomind.highplanner import add_edges, reference
from eai.agents.holomind.percepts import knowledge, plain
from eai.agents.holomind.spatial import ObjectRecord
from eai.answers import read_plan, shorten
from eai.errors import ModelError
from eai.world import Action

KINDS = ("put", "on", "off", "open", "close", "slice", "cook", "fill", "clean", "hold")
"""Goals that a model may name."""

_MAX_CHARACTERS = 20_000
"""Maximum number of characters of an answer that are read."""

_HEADS = {"highplanner": "Task", "lowplanner": "Goal", "executor": "Do", "critic": "Failed"}
"""Module to the first word of its question."""

_MAX_TOLD = 80
"""Maximum number of objects that a model is told of."""
_DIRECTIVE = re.compile(r"^[^\w\n]*(pass|refine|replan)\b\W*(.*)$", re.IGNORECASE | re.MULTILINE)
"""Line of a model that drives the critic: ``Refine: the drawer is closed``."""
_YES_OR_NO = re.compile(r"\b(yes|no)\b", re.IGNORECASE)
"""First word of an answer that decides: ``No, that is another mug``."""


@dataclass(slots=True)
class Usage:
    """Token usage of models.

    Args:
        calls: Number of calls, by module.
        fallbacks: Number of calls that the symbolic module answered instead, by module.
        tokens: Sums of tokens, by the endpoint's names.
        seconds: Time that the calls took.
    """

    calls: Counter[str] = field(default_factory=Counter)
    fallbacks: Counter[str] = field(default_factory=Counter)
    tokens: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0


def drive_modules(
    model: Agent | Mapping[str, Agent],
    chosen: Sequence[str] | Mapping[str, Agent],
    symbolic: Mapping[str, Callable[..., Any]],
    usage: Usage,
    note: Callable[..., None],
    before_call: Callable[[], None],
) -> dict[str, Callable[..., Any]]:
    """Return modules driven by models, with symbolic ones for unreadable answers.

    Args:
        model: The model, or the name of a module to its model.
        chosen: Names of the modules.
        symbolic: Name of a module to the symbolic one.
        usage: Counts the calls.
        note: Adds an entry to the log of the agent.
        before_call: Called before a model is asked; it may raise to end the episode.
    """
    models: Mapping[str, Agent]
    if isinstance(model, Mapping):
        models = model
    else:
        models = dict.fromkeys(chosen, model)
    # A copy: the caller may put the modules that are returned into its own mapping.
    driver = _Driver(models, dict(symbolic), usage, note, before_call)
    return {name: partial(driver.decide, name) for name in chosen if name in models}


@dataclass(frozen=True)
class _Driver:
    """The models of some modules, with the symbolic modules as fallback.

    Args:
        models: Name of a module to its model.
        symbolic: Name of a module to the symbolic one.
        usage: Counts the calls.
        note: Adds an entry to the log of the agent.
        before_call: Called before a model is asked; it may raise to end the episode.
    """

    models: Mapping[str, Agent]
    symbolic: Mapping[str, Callable[..., Any]]
    usage: Usage
    note: Callable[..., None]
    before_call: Callable[[], None]

    # A module takes its input (a task, a goal, ...) and its knowledge, usually the agent's context.
    # The functions that ask a model and read its answer take the same arguments.
    def decide(self, name: str, *inputs: Any) -> object:  # noqa: ANN401
        """Return the decision of a module's model, or else of the symbolic module."""
        self.before_call()
        usage = self.usage
        usage.calls[name] += 1
        start_time = time.perf_counter()
        try:
            question = f"{knowledge()['contracts'][name]}\n\n{_question_to(name, *inputs)}"
            answer: object = ask_agent(self.models[name], [{"role": "user", "content": question}])
            reason = "nothing could be read"
        except ModelError as error:
            answer = ""
            reason = error.what
        usage.seconds += time.perf_counter() - start_time
        if isinstance(answer, Answer):
            add_usage(usage.tokens, answer.usage)
        # The reader gets the inputs of the question, since an answer may only name known objects.
        decision = _READERS[name](str(answer)[:_MAX_CHARACTERS], *inputs)
        if decision is None:
            usage.fallbacks[name] += 1
            self.note("fallback", module=name, reason=shorten(reason))
            return self.symbolic[name](*inputs)
        return decision


# ---------------------------------------------------------------------- what is asked, and read


def _steps_of_answer(answer: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the steps of an answer: the name in lower case, and the arguments."""
    for step in read_plan(answer).steps:
        yield step.name.lower(), tuple(step.arguments)


def _reference_to(name: str, context: Context) -> ObjectReference:
    """Return a reference to the known object with a name, or to any object of a type."""
    record = context.memory.named(name)
    if record is None:
        return reference(name)
    return ObjectReference(name=record.name)


def _read_high(answer: str, _task: str, context: Context) -> list[GoalNode] | None:
    """Return the goals in an answer, or None if there are none.

    ``AFTER(2, 1)`` says that goal 2 comes after goal 1.
    """
    goals: list[GoalNode] = []
    order_of_goals = []
    for name, words in _steps_of_answer(answer):
        if name == "after" and len(words) == 2 and all(map(str.isdecimal, words)):
            order_of_goals.append((int(words[0]), int(words[1])))
            continue
        # One goal above the limit is read, so that the excess can be reported.
        if len(goals) > MAX_GOALS:
            continue
        goal = _read_goal(name, words, len(goals) + 1, context)
        if goal is not None:
            goals.append(goal)
    goal_by_number = {goal.number: goal for goal in goals}
    for later, earlier in order_of_goals:
        if later in goal_by_number and earlier in goal_by_number:
            goal_by_number[later].after[earlier] = Edge.TEMPORAL
    return add_edges(goals) or None


def _read_goal(name: str, words: tuple[str, ...], number: int, context: Context) -> GoalNode | None:
    """Return the goal in a step of an answer, or None if the step is not a goal.

    Args:
        name: Name of the step, in lower case.
        words: Its arguments.
        number: Number of the goal.
        context: The state of the agent, which knows the objects.
    """
    if name not in KINDS or not words:
        return None
    if name == "put" and len(words) != 2:
        return None
    goal = GoalNode(number, name, _reference_to(words[0], context))
    if name == "put":
        goal.to = _reference_to(words[1], context)
    return goal


def _read_subgoals(answer: str, context: Context) -> list[SubGoal]:
    """Return the sub-goals in an answer that an action of the suite can reach."""
    steps = []
    for name, words in _steps_of_answer(answer):
        skill = context.skills.of(name)
        if skill is None or (skill.arity and not words):
            continue
        objects = [_reference_to(word, context) for word in words[:2]]
        steps.append(SubGoal(name, *object_and_target(objects)))
    return steps


def _read_executor(answer: str, _goal: SubGoal, context: Context) -> list[Action] | None:
    """Return the known actions on known objects in an answer, or None if there are none."""
    names = {name.lower(): name for name in context.skills.actions}
    actions = []
    for name, words in _steps_of_answer(answer):
        action_name = names.get(name)
        if action_name is None or len(words) != context.skills.actions[action_name]:
            continue
        if all(context.memory.named(word) for word in words):
            actions.append(Action(action_name, words))
    return actions or None


def _read_critic(answer: str, goal: SubGoal, context: Context) -> Directive | None:
    """Return the directive in an answer, or None.

    Args:
        answer: Text of a model: ``refine: the hand is full``, and below it steps to do first.
        goal: The sub-goal that failed.
        context: The state of the agent.
    """
    match = _DIRECTIVE.search(answer)
    if match is None:
        return None
    directive_kind = match[1].lower()
    text = shorten(match[2])
    if directive_kind == "pass":
        return Directive("Pass", text)
    fixes = _read_subgoals(answer[match.end() :], context)
    # A refinement needs at least one step.
    if directive_kind != "refine" or not fixes:
        return Directive("Replan", text)
    # A fix that the symbolic Critic knows, too, can become a rule.
    for cause, _ in CAUSES:
        fix = fix_of(cause, goal, context)
        if fix is not None and fix.role == fixes[0].role:
            return Directive("Refine", text, cause, tuple(fixes))
    return Directive("Refine", text, "", tuple(fixes))


def _read_memory(answer: str, _query: ObjectReference, _record: object) -> bool | None:
    """Return whether an answer says yes; None if it says neither yes nor no."""
    match = _YES_OR_NO.search(answer)
    return None if match is None else plain(match[1]) == "yes"


def _question_to(name: str, about: object, known: Any) -> str:  # noqa: ANN401
    """Return the prompt for a module, by its contract.

    Args:
        name: Name of the module.
        about: The task, goal, sub-goal or reference.
        known: The context; of the memory the record of an object.
    """
    if name == "memory":
        place, room = known.origin
        return f"Meant: {about}\nObject: {known.name} ({known.type}), first seen in {place}, {room}"
    text = f"{_HEADS[name]}: {about}"
    if name == "executor":
        actions = [f"{action}/{count}" for action, count in known.skills.actions.items()]
        text += f"\nActions: {', '.join(actions)}"
    if name == "critic":
        if known.percept.reason:
            text += f" ({known.percept.reason})"
        text += f"\nLast action: {known.percept.last}"
    return f"{text}\n{_known_world(known)}"


def _known_world(context: Any) -> str:  # noqa: ANN401
    """Return the objects that the agent remembers, and those in its hands, as lines."""
    # A whole house would exceed the model's context, so only some objects are described.
    records = list(context.memory.records.values())[:_MAX_TOLD]
    lines = ["Known:", *map(_line_about, records)]
    lines.append(f"Held: {', '.join(context.percept.held) or 'nothing'}")
    return "\n".join(lines)


def _line_about(record: ObjectRecord) -> str:
    """Return a line about an object: ``- fridge.4 (fridge) in kitchen.1: open, not on``."""
    text = f"- {record.name} ({record.type})"
    if record.place:
        text += f" in {record.place}"
    states = []
    for state, is_so in record.words.items():
        states.append(state if is_so else f"not {state}")
    return f"{text}: {', '.join(states)}"


_READERS: Mapping[str, Callable[..., Any]] = {
    "highplanner": _read_high,
    "lowplanner": lambda answer, _goal, context: _read_subgoals(answer, context) or None,
    "executor": _read_executor,
    "critic": _read_critic,
    "memory": _read_memory,
}
"""Module to the function that reads its answers; None means that nothing could be read."""
