"""Agents that a user names: a live model, one that is shipped, or ``module:attribute``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import typer

from eai.acting import read_answers
from eai.agents import (
    AGENTS,
    REFERENCE_AGENTS,
    Agent,
    AgentChoice,
    Asked,
    Assignment,
    HoloMind,
    Message,
    OracleAgent,
    reference_agent,
)
from eai.cli.output import warn
from eai.cli.reading import answers_by_task, find_modules_here, names_module
from eai.contract import Suite
from eai.contract.registry import Registry, blaming
from eai.errors import InputError, ModelError, UnknownNameError
from eai.plugins import place_of, said_by
from eai.semantics import Semantics
from eai.text import counted

_SCRIPTED = "scripted:"


class _OwnAgent:
    """An agent of somebody else; what goes wrong in it is told with its file and line."""

    def __init__(self, name: str, agent: Agent) -> None:
        self.name = name
        self.crashed = False
        self._agent = agent

    def __call__(self, messages: Sequence[Message]) -> str:
        try:
            answer: object = self._agent(messages)
        except ModelError:
            raise
        except (Exception, SystemExit) as error:
            self.crashed = True
            place = place_of(error)
            where = "" if place is None else f"{place}: "
            raise ModelError(f"{where}the agent {self.name!r} raised {said_by(error)}") from error
        if isinstance(answer, str):
            return answer
        self.crashed = True
        kind = type(answer).__name__
        raise ModelError(f"the agent {self.name!r} returned {kind}, not text (str)")


def _own_agent(name: str, others: Iterable[str]) -> _OwnAgent:
    """Return an agent that a package announces, or ``module:attribute``; a class is called."""
    find_modules_here(name)
    try:
        found = Registry("agent", "eai.agents", {}).load(name)
    except UnknownNameError as error:
        known = [*others, *error.known, "module:attribute"]
        unknown = UnknownNameError("agent", name, known)
        if names_module(name):
            own = name.removesuffix(".py")
            unknown.mend = f"add the name of the function: {own}:FUNCTION"
        elif not unknown.suggestions:
            unknown.mend = f"name a model behind an endpoint with --model {name}"
        raise unknown from None
    if isinstance(found, type):
        with blaming("agent", name):
            found = found()
    if not callable(found):
        raise InputError(
            f"the agent {name!r} is a {type(found).__name__}, which cannot be called",
            expected="a function that takes a list of messages (role, content) and returns text",
            mend="name the function in it: module:function",
        )
    return _OwnAgent(name, found)


def is_holomind(name: str) -> bool:
    """Whether a name is one of HoloMind, whole or without parts."""
    return name.partition(":")[0] == "holomind"


def acting_agent(
    suite: Suite,
    name: str,
    *,
    live: Agent | Mapping[str, Agent] | None,
    semantics: Semantics,
    modules: Sequence[str] = (),
    max_calls: int | None = None,
) -> Callable[[str], AgentChoice]:
    """Return what names the agent that acts in a task; HoloMind may have a model by module."""
    if is_holomind(name):
        return lambda _: HoloMind.named(name, live, modules, max_calls=max_calls)
    if max_calls is not None:
        raise InputError(
            f"the calls of the agent {name!r} are not limited: it asks once a turn",
            mend="choose --agent holomind, or leave --max-calls out",
        )
    if isinstance(live, Mapping) or modules:
        raise InputError(
            f"the agent {name!r} has no modules", mend="choose --agent holomind, or one model"
        )
    if live is not None:
        way = "plain" if name in AGENTS else name
        return lambda task: reference_agent(way, live, Assignment.of(task, suite, semantics))
    if name in REFERENCE_AGENTS:
        raise InputError(
            f"the agent {name!r} needs a model, and none is named",
            expected="a model: --model NAME, and --base-url where it is",
        )
    if name.startswith(_SCRIPTED):
        texts = answers_by_task(Path(name.removeprefix(_SCRIPTED)), suite)
        return lambda task: read_answers(texts[task]) if task in texts else ()
    choice = name if name in AGENTS else _own_agent(name, [*AGENTS, "scripted:FILE"])
    return lambda _: choice


def planning_agent(
    suite: Suite, name: str, *, live: Agent | None, semantics: str | None
) -> Callable[[str], Agent]:
    """Return what names the agent that plans for a task."""
    if live is None and name == "oracle":
        return lambda task: OracleAgent(task, suite=suite, semantics=semantics)
    found = live or _own_agent(name, ["oracle"])
    return lambda _: found


def stop_after(found: Asked, choose: Callable[[str], object]) -> None:
    """Name the tasks for which there was no answer, and end the process if there are any.

    The exit code is 3 if an agent of the user's own failed, else 1.
    """
    for task, reason in found.failures.items():
        warn(f"{task}: {reason}")
    if found.failures:
        if found.left:
            warn(f"{counted(len(found.failures), 'task')} failed; {found.left} were not begun")
        agent = choose(next(iter(found.failures)))
        raise typer.Exit(3 if isinstance(agent, _OwnAgent) and agent.crashed else 1)
