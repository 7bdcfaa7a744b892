"""Agents that a user names: a live model, one that is shipped, or ``module:attribute``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import typer

from eai.acting import read_answers
from eai.agents import (
    REFERENCE_AGENTS,
    Agent,
    AgentChoice,
    AgentOptions,
    Asked,
    Assignment,
    Message,
    NamedAgent,
    OracleAgent,
    agent_names,
    named_agent,
    reference_agent,
    registered_agent,
)
from eai.cli.output import warn
from eai.cli.reading import answers_by_task, find_modules_here, names_module
from eai.contract import Suite
from eai.errors import InputError, ModelError, UnknownNameError
from eai.plugins import place_of, said_by
from eai.semantics import Semantics
from eai.text import counted

_SCRIPTED = "scripted:"


class _OwnAgent:
    """A user's agent, whose errors are reported with file and line."""

    def __init__(self, name: str, agent: Agent) -> None:
        """Wrap an agent; ``crashed`` says later whether it raised an error or returned no text."""
        self.name = name
        self.crashed = False
        self._agent = agent

    def __call__(self, messages: Sequence[Message]) -> str:
        """Return the agent's answer.

        Raises:
            ModelError: If it cannot reach its model, raises anything, or returns no text.
        """
        try:
            answer: object = self._agent(messages)
        except ModelError:
            raise
        # An agent of somebody else may raise anything: the task fails, and the others go on.
        except (Exception, SystemExit) as error:
            self.crashed = True
            problem = f"the agent {self.name!r} raised {said_by(error)}"
            location = place_of(error)
            if location is not None:
                problem = f"{location}: {problem}"
            raise ModelError(problem) from error
        if isinstance(answer, str):
            return answer
        self.crashed = True
        type_name = type(answer).__name__
        raise ModelError(f"the agent {self.name!r} returned {type_name}, not text (str)")


def _own_agent(name: str, other_names: Iterable[str]) -> _OwnAgent:
    """Return a registered agent or ``module:attribute``. A class is instantiated.

    Args:
        name: Its name.
        other_names: Names that an error lists besides those of registered agents.
    """
    find_modules_here(name)
    try:
        agent = named_agent(name)
    except UnknownNameError as error:
        agents_of_packages = [known for known in error.known if known not in agent_names()]
        known_names = [*other_names, *agents_of_packages, "module:attribute"]
        extended_error = UnknownNameError("agent", name, known_names)
        if names_module(name):
            # "planner.py" and "planner" both lead to planner:FUNCTION.
            module = name.removesuffix(".py")
            extended_error.mend = f"add the name of the function: {module}:FUNCTION"
        elif not extended_error.suggestions:
            extended_error.mend = f"name a model behind an endpoint with --model {name}"
        raise extended_error from None
    return _OwnAgent(name, agent)


def has_modules(name: str) -> bool:
    """Return whether a name is one of an agent whose modules models can drive."""
    registered = registered_agent(name)
    return registered is not None and bool(registered.modules)


def acting_agent(
    suite: Suite, name: str, options: AgentOptions, semantics: Semantics
) -> Callable[[str], AgentChoice]:
    """Return a function from a task to the agent that acts in it.

    Args:
        suite: The suite of the tasks.
        name: The name of the agent.
        options: The models that drive it, and how.
        semantics: Under which semantics the tasks are acted in.
    """
    if has_modules(name):
        return _same_for_all(NamedAgent(name, options))
    model = _only_model(name, options)
    # "random:Agent" is an attribute of a module of that name, not our agent.
    is_registered = registered_agent(name) is not None and ":" not in name
    if model is not None:
        # The default, "oracle", does not say how to ask a model. A model is asked for the next
        # action.
        agent_name = "plain" if is_registered else name
        return lambda task: reference_agent(
            agent_name, model, Assignment.of(suite, task, semantics)
        )
    if name in REFERENCE_AGENTS:
        raise InputError(
            f"the agent {name!r} needs a model, and none is named",
            expected="a model: --model NAME, and --base-url where it is",
        )
    if name.startswith(_SCRIPTED):
        texts = answers_by_task(Path(name.removeprefix(_SCRIPTED)), suite)
        return partial(_scripted_answers, texts)
    if is_registered:
        return _same_for_all(NamedAgent(name, options))
    return _same_for_all(_own_agent(name, [*agent_names(), "scripted:FILE"]))


def _same_for_all(agent: AgentChoice) -> Callable[[str], AgentChoice]:
    """Return the function that chooses the same agent for every task."""
    return lambda _task: agent


def _only_model(name: str, options: AgentOptions) -> Agent | None:
    """Return the model for an agent that takes a single one, or None.

    Raises:
        InputError: If there are options that only an agent with modules takes.
    """
    modular = next(filter(has_modules, agent_names()))
    if options.max_calls is not None:
        raise InputError(
            f"the calls of the agent {name!r} are not limited: it asks once a turn",
            mend=f"choose --agent {modular}, or leave --max-calls out",
        )
    if isinstance(options.models, Mapping) or options.modules:
        raise InputError(
            f"the agent {name!r} has no modules", mend=f"choose --agent {modular}, or one model"
        )
    return options.models


def _scripted_answers(texts: Mapping[str, str], task: str) -> AgentChoice:
    """Return the answers that a file has for a task; none if it has none."""
    if task not in texts:
        return ()
    return read_answers(texts[task])


def planning_agent(
    suite: Suite,
    name: str,
    *,
    live: Agent | None,
    semantics: str | None,
    rules: Callable[[str], object],
) -> Callable[[str], Agent]:
    """Return a function from a task to the agent that plans for it.

    Args:
        suite: The suite.
        name: Name of the agent.
        live: The agent, if it is a model.
        semantics: The semantics of the evaluation.
        rules: Returns the rules that plans of a task have to keep.
    """
    if live is None and name == "oracle":
        return lambda task: OracleAgent(suite, task, semantics=semantics, rules=rules(task))
    agent = live or _own_agent(name, ["oracle"])
    return lambda _: agent


def stop_after(asked: Asked, choose: Callable[[str], object]) -> None:
    """Report the tasks without an answer, and exit if there are any.

    The exit code is 3 if an agent of the user's own failed, else 1.
    """
    for task, reason in asked.failures.items():
        warn(f"{task}: {reason}")
    if not asked.failures:
        return
    # After several failures in a row the rest is not begun: most likely the endpoint is down.
    if asked.left:
        warn(f"{counted(len(asked.failures), 'task')} failed; {asked.left} were not begun")
    agent = choose(next(iter(asked.failures)))
    if isinstance(agent, _OwnAgent) and agent.crashed:
        raise typer.Exit(3)
    raise typer.Exit(1)
