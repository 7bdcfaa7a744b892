"""Agents by name: those that come with ``eai``, and those that other packages announce.

An entry point of the group ``eai.agents`` names a function of messages, or a class of such that is
called without arguments. An agent that needs to know more than messages (the task, its
environment, the model that drives it) is announced as a :class:`RegisteredAgent`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

from eai.acting import Agent, EpisodeRules, Message, ask_agent
from eai.agents.agents import RandomAgent
from eai.agents.oracle import ActingOracle, Assignment
from eai.agents.reference import HumanAgent
from eai.contract import own_oracle
from eai.contract.registry import Registry, blaming
from eai.errors import InputError, UnknownNameError
from eai.pddl import Domain
from eai.plugins import shipped
from eai.simulators import Environment

_REGISTRY = Registry("agent", "eai.agents")


@dataclass(frozen=True)
class AgentOptions:
    """Options for creating an agent by name.

    Args:
        words: The words behind the colon of its name: ``no-critic`` in ``holomind:no-critic``.
        models: The model that drives it, or one for each of its modules; None if none does.
        modules: The modules that the model drives; the agent's own choice if empty.
        max_calls: Maximum number of calls of models in one episode; by default the agent's own.
        seed: Seed of its chance.
    """

    words: str = ""
    models: Agent | Mapping[str, Agent] | None = None
    modules: Sequence[str] = ()
    max_calls: int | None = None
    seed: int = 0


@dataclass(frozen=True)
class EpisodeSetting:
    """The episode that an agent is made for."""

    assignment: Assignment
    environment: Environment
    rules: EpisodeRules


class RegisteredAgent(ABC):
    """Creates agents of a registered name."""

    modules: ClassVar[tuple[str, ...]] = ()
    """Modules that models can drive; none if no model drives it."""

    @abstractmethod
    def make(self, setting: EpisodeSetting, options: AgentOptions) -> Agent:
        """Return the agent.

        Raises:
            UnknownNameError: If a word of its options is unknown.
            InputError: If it cannot act in this episode.
        """


class EpisodicAgent(ABC):
    """An agent that is notified of each new episode, and keeps a log of its decisions."""

    @property
    @abstractmethod
    def record(self) -> Sequence[Mapping[str, Any]]:
        """The log of the episode so far."""

    @abstractmethod
    def begin(self, actions: Mapping[str, int], domain: Domain | None = None) -> None:
        """Prepare for an episode with the given actions and their effects."""

    @abstractmethod
    def __call__(self, messages: Sequence[Message]) -> str:
        """Answer messages."""


@dataclass(frozen=True)
class NamedAgent:
    """An agent given by name, with options (an :data:`~eai.agents.interaction.AgentChoice`)."""

    name: str
    options: AgentOptions = field(default_factory=AgentOptions)


@dataclass(frozen=True)
class _Simple(RegisteredAgent):
    """A registered agent that needs neither a model nor words after its name."""

    build: Callable[[EpisodeSetting, AgentOptions], Agent]

    def make(self, setting: EpisodeSetting, options: AgentOptions) -> Agent:
        return self.build(setting, options)


def _oracle(setting: EpisodeSetting, _options: AgentOptions) -> Agent:
    assignment = setting.assignment
    own = own_oracle(assignment.suite, assignment.task, assignment.semantics, setting.environment)
    return ActingOracle(assignment) if own is None else own


def _random(setting: EpisodeSetting, options: AgentOptions) -> Agent:
    # Of its own for each task: with one seed, all episodes would begin alike.
    seed = f"{options.seed}/{setting.assignment.task.id}"
    return RandomAgent(setting.environment.actions, setting.rules.objects, seed=seed)


ORACLE = _Simple(_oracle)
RANDOM = _Simple(_random)
HUMAN = _Simple(lambda _setting, _options: HumanAgent())


def agent_names() -> tuple[str, ...]:
    """Return the names of the agents that come with ``eai``."""
    return tuple(shipped(_REGISTRY.group))


def registered_agent(name: str) -> RegisteredAgent | None:
    """Return the registered agent of a name, or None if there is none.

    Args:
        name: The name; words after a colon are ignored.
    """
    base, _, _ = name.partition(":")
    if not _REGISTRY.announces(base):
        return None
    registered = _REGISTRY.load(base)
    # A package may announce a plain function of messages as well (see `named_agent`).
    if not isinstance(registered, RegisteredAgent):
        return None
    return registered


def named_agent(name: str) -> Agent:
    """Return an external agent: a registered one, or ``module:attribute``.

    A class is called without arguments.

    Raises:
        UnknownNameError: If nothing has this name, or only an agent that is made for an episode.
        InputError: If it cannot be imported, made or called.
    """
    registered = _REGISTRY.load(name)
    # Such an agent is made by `make_agent`, which knows the episode.
    if isinstance(registered, RegisteredAgent):
        other_names = [origin.name for origin in _REGISTRY.origins() if origin.name != name]
        raise UnknownNameError("agent", name, other_names)
    if isinstance(registered, type):
        with blaming("agent", name):
            registered = registered()
    if not callable(registered):
        raise InputError(
            f"the agent {name!r} is a {type(registered).__name__}, which cannot be called",
            expected="a function that takes a list of messages (role, content) and returns text",
            mend="name the function in it: module:function",
        )
    agent: Agent = registered
    return agent


def make_agent(agent: NamedAgent, setting: EpisodeSetting) -> Agent:
    """Return a registered agent for an episode.

    Raises:
        UnknownNameError: If there is no agent of this name, or an option after the colon is
            unknown.
        InputError: If the agent cannot act in this episode.
    """
    # "holomind:no-critic" is the agent "holomind" with the words "no-critic".
    base, _, words = agent.name.partition(":")
    registered = registered_agent(base)
    if registered is None and agent.name == base and _REGISTRY.announces(base):
        # This is a function of messages. Any exception counts as a failure to ask it.
        return partial(ask_agent, named_agent(base))
    if registered is None or (words and not registered.modules):
        error = UnknownNameError("agent", agent.name, agent_names())
        if not error.suggestions:
            error.mend = f"of a model: eai.integrations.openai_chat.ChatAgent({agent.name!r})"
        raise error
    return registered.make(setting, replace(agent.options, words=words))
