"""Agents that a user names: ``module:attribute``, and what becomes of one that fails."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from eai.cli.here import find_modules_here, names_module
from eai.cli.output import warn
from eai.errors import InputError, ModelError, UnknownNameError
from eai.plugins import place_of, said_by
from eai.registry import Registry, blaming

if TYPE_CHECKING:
    from eai.agents import Agent, Message

__all__ = ["OwnAgent", "named_agent", "tell_failures"]


class OwnAgent:
    """An agent of somebody else; what goes wrong in it is told with its file and line.

    Args:
        name: Its name.
        agent: The agent.

    Attributes:
        crashed: Whether it raised something, or returned what is no text.
    """

    def __init__(self, name: str, agent: Agent) -> None:
        self.name = name
        self.crashed = False
        self._agent = agent

    def __call__(self, messages: Sequence[Message]) -> str:
        """Pass on its answer.

        Raises:
            ModelError: If there is none.
        """
        try:
            answer: object = self._agent(messages)
        except ModelError:
            raise
        except (Exception, SystemExit) as error:
            place = place_of(error)
            where = "" if place is None else f"{place}: "
            raise self._failure(
                f"{where}the agent {self.name!r} raised {said_by(error)}"
            ) from error
        if isinstance(answer, str):
            return answer
        kind = type(answer).__name__
        raise self._failure(f"the agent {self.name!r} returned {kind}, not text (str)")

    def _failure(self, what: str) -> ModelError:
        self.crashed = True
        return ModelError(what)


def named_agent(name: str, own: Iterable[str]) -> OwnAgent:
    """Return an agent that a package announces, or ``module:attribute``.

    Args:
        name: Its name. A class is called without arguments.
        own: What else the command would have taken, for the message.

    Raises:
        UnknownNameError: If there is no such agent.
        InputError: If it cannot be loaded, or cannot be called.
    """
    find_modules_here(name)
    try:
        found = Registry("agent", "eai.agents", {}).load(name)
    except UnknownNameError as error:
        raise _unknown(name, [*own, *error.known]) from None
    if isinstance(found, type):
        with blaming("agent", name):
            found = found()
    if not callable(found):
        raise InputError(
            f"the agent {name!r} is a {type(found).__name__}, which cannot be called",
            expected="a function that takes a list of messages (role, content) and returns text",
            mend="name the function in it: module:function",
        )
    return OwnAgent(name, found)


def _unknown(name: str, known: Iterable[str]) -> UnknownNameError:
    error = UnknownNameError("agent", name, [*known, "module:attribute"])
    if names_module(name):
        error.mend = f"of a module name the function, too: {name.removesuffix('.py')}:FUNCTION"
    elif not error.suggestions:
        error.mend = f"a model behind an endpoint is named by --model {name}"
    return error


def tell_failures(failures: Mapping[str, str], agent: object, *, left: int) -> None:
    """Name the tasks for which there was no answer, and end the process if there are any.

    Args:
        failures: Identifier of the task to the reason.
        agent: Who was asked.
        left: How many tasks were not begun.

    Raises:
        SystemExit: If there are any: with 3 if an agent of the user's own failed, else with 1.
    """
    for task, reason in failures.items():
        warn(f"{task}: {reason}")
    if not failures:
        return
    if left:
        warn(f"that was {len(failures)} tasks; {left} others were not begun")
    sys.exit(3 if isinstance(agent, OwnAgent) and agent.crashed else 1)
