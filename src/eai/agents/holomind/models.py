"""Modules driven by a language model: one message and one short contract for each.

What a model answers is read by :mod:`eai.answers`; where nothing can be read out of it, or it
cannot be asked, the symbolic module answers instead, and that is counted.
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
from eai.agents.holomind.goals import ANYTHING, MAX_GOALS, Edge, Goal, Reference
from eai.agents.holomind.highplanner import linked, reference
from eai.agents.holomind.percepts import knowledge, plain
from eai.answers import read_plan, shorten
from eai.errors import ModelError
from eai.world import Action

KINDS = ("put", "on", "off", "open", "close", "slice", "cook", "fill", "clean", "hold")
"""Goals that a model may name."""

_LONGEST = 20_000  # characters of an answer that are read
_SHOWN = 80  # objects that a model is told of
_DIRECTIVE = re.compile(r"^[^\w\n]*(pass|refine|replan)\b\W*(.*)$", re.IGNORECASE | re.MULTILINE)
_YES = re.compile(r"\b(yes|no)\b", re.IGNORECASE)


@dataclass(slots=True)
class Usage:
    """Calls of models by module, how often the symbolic one had to answer instead, and tokens."""

    calls: Counter[str] = field(default_factory=Counter)
    fallbacks: Counter[str] = field(default_factory=Counter)
    tokens: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0


def driven(
    model: Agent | Mapping[str, Agent],
    chosen: Sequence[str] | Mapping[str, Agent],
    symbolic: Mapping[str, Callable[..., Any]],
    usage: Usage,
    note: Callable[..., None],
    before_call: Callable[[], None],
) -> dict[str, Callable[..., Any]]:
    """Return modules that a model drives; where it says nothing, the symbolic ones answer.

    ``before_call`` is called before a model is asked, and may raise to end the episode.
    """
    models = model if isinstance(model, Mapping) else dict.fromkeys(chosen, model)
    symbolic = dict(symbolic)  # what is returned may take their places

    def ask(name: str, *given: Any) -> object:  # noqa: ANN401
        before_call()
        usage.calls[name] += 1
        begun = time.perf_counter()
        try:
            text = f"{knowledge()['contracts'][name]}\n\n{_ask(name, *given)}"
            answer: object = ask_agent(models[name], [{"role": "user", "content": text}])
            reason = "nothing could be read"
        except ModelError as error:
            answer, reason = "", error.what
        usage.seconds += time.perf_counter() - begun
        if isinstance(answer, Answer):
            add_usage(usage.tokens, answer.usage)
        found = _READERS[name](str(answer)[:_LONGEST], *given)
        if found is None:
            usage.fallbacks[name] += 1
            note("fallback", module=name, reason=shorten(reason))
            return symbolic[name](*given)
        return found

    return {name: partial(ask, name) for name in chosen if name in models}


# ---------------------------------------------------------------------- what is asked, and read


def _steps(answer: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for step in read_plan(answer).steps:
        yield step.name.lower(), tuple(step.arguments)


def _said(name: str, context: Context) -> Reference:
    """What a model means by a name: an object that is known, or any of a type."""
    record = context.memory.named(name)
    return reference(name) if record is None else Reference(name=record.name)


def _read_high(answer: str, _task: str, context: Context) -> list[Goal] | None:
    goals: list[Goal] = []
    edges = []
    for name, words in _steps(answer):
        if name == "after" and len(words) == 2 and all(w.isdecimal() for w in words):
            edges.append((int(words[0]), int(words[1])))
        elif len(goals) > MAX_GOALS:
            continue  # one more than are pursued, so that it is seen that there are more
        elif name in KINDS and words and (name != "put" or len(words) == 2):
            to = _said(words[1], context) if name == "put" else None
            goals.append(Goal(len(goals) + 1, name, _said(words[0], context), to))
    by_number = {goal.number: goal for goal in goals}
    for later, first in edges:
        if later in by_number and first in by_number:
            by_number[later].after[first] = Edge.TEMPORAL
    return linked(goals) or None


def _read_subgoals(answer: str, context: Context) -> list[SubGoal]:
    found = []
    for name, words in _steps(answer):
        skill = context.skills.of(name)
        if skill is not None and (words or not skill.arity):
            given = [_said(word, context) for word in words[:2]]
            found.append(SubGoal(name, [*given, ANYTHING][0], [*given, None, None][1]))
    return found


def _read_executor(answer: str, _goal: SubGoal, context: Context) -> list[Action] | None:
    actions = {name.lower(): name for name in context.skills.actions}
    found = []
    for name, words in _steps(answer):
        own = actions.get(name)
        known = all(context.memory.named(word) for word in words)
        if own is not None and known and len(words) == context.skills.actions[own]:
            found.append(Action(own, words))
    return found or None


def _read_critic(answer: str, goal: SubGoal, context: Context) -> Directive | None:
    found = _DIRECTIVE.search(answer)
    if found is None:
        return None
    text = shorten(found[2])
    fixes = _read_subgoals(answer[found.end() :], context)
    if found[1].lower() == "refine" and fixes:
        # A fix that the symbolic Critic knows, too, can become a rule.
        known = ((cause, fix_of(cause, goal, context)) for cause, _ in CAUSES)
        causes = (cause for cause, fix in known if fix and fix.role == fixes[0].role)
        return Directive("Refine", text, next(causes, ""), tuple(fixes))
    return Directive("Pass" if found[1].lower() == "pass" else "Replan", text)


def _ask(name: str, about: object, given: Any) -> str:  # noqa: ANN401
    """What a module is asked about, in the words behind its contract."""
    if name == "memory":
        around, room = given.origin
        return (
            f"Meant: {about}\nObject: {given.name} ({given.type}), first seen in {around}, {room}"
        )
    head = {"highplanner": "Task", "lowplanner": "Goal", "executor": "Do", "critic": "Failed"}[name]
    text = f"{head}: {about}"
    if name == "executor":
        counts = given.skills.actions.items()
        text += f"\nActions: {', '.join(f'{action}/{count}' for action, count in counts)}"
    if name == "critic":
        text += f" ({given.percept.reason})" * bool(given.percept.reason)
        text += f"\nLast action: {given.percept.last}"
    text += "\nKnown:\n"
    for record in list(given.memory.records.values())[:_SHOWN]:
        words = [word if value else f"not {word}" for word, value in record.words.items()]
        where = f" in {record.place}" if record.place else ""
        text += f"- {record.name} ({record.type}){where}: {', '.join(words)}\n"
    return f"{text}Held: {', '.join(given.percept.held) or 'nothing'}"


_READERS: Mapping[str, Callable[..., Any]] = {
    "highplanner": _read_high,
    "lowplanner": lambda answer, _goal, context: _read_subgoals(answer, context) or None,
    "executor": _read_executor,
    "critic": _read_critic,
    "memory": lambda answer, _query, _record: (
        plain(found[1]) == "yes" if (found := _YES.search(answer)) else None
    ),
}
