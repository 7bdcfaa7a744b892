"""Scripted, random and policy agents, and the messages of attempts and feedback."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from eai.acting import Agent, Message, format_action
from eai.errors import InputError, ModelError, reported
from eai.simulators import Environment
from eai.world import Action, State

__all__ = [
    "FORMS",
    "Agent",
    "Form",
    "Message",
    "Policy",
    "PolicyAgent",
    "RandomAgent",
    "ScriptedAgent",
    "agent_of",
    "chat_messages",
    "paper_messages",
]

Form = Literal["chat", "paper"]
"""Form of the messages with attempts and feedback."""

FORMS: tuple[Form, ...] = ("chat", "paper")
"""All forms."""


def chat_messages(prompt: str, reported: Iterable[tuple[str, str]]) -> list[Message]:
    """Return a prompt, previous attempts and feedback as a conversation."""
    messages = [_message("user", prompt)]
    for answer, feedback in reported:
        messages += [_message("assistant", answer), _message("user", feedback)]
    return messages


def paper_messages(prompt: str, reported: Iterable[tuple[str, str]]) -> list[Message]:
    """Return a prompt, previous attempts and feedback as a single message."""
    parts = [prompt]
    for number, (plan, feedback) in enumerate(reported, start=1):
        parts.append(f"Attempt {number}. The predicted action sequence was {plan}.\n{feedback}")
    return [_message("user", "\n\n".join(parts))]


def _message(role: str, content: str) -> Message:
    """Return a message."""
    return {"role": role, "content": content}


def agent_of(agent: Agent | Sequence[str]) -> Agent:
    """Return an agent unchanged, or an agent that replays a list of answers.

    Raises:
        InputError: If it is neither.
    """
    if callable(agent):
        return agent
    if isinstance(agent, str) or not isinstance(agent, Iterable):
        raise InputError(
            f"{reported(agent)} is not an agent",
            expected="a function of messages that returns text, or a list of answers",
            mend="give [answer] for a single fixed answer; to ask a model, use"
            " eai.integrations.openai_chat.ChatAgent(model)",
        )
    return ScriptedAgent(agent)


class ScriptedAgent:
    """An agent that replays given answers, without reading the messages.

    Args:
        answers: The answers.
        then: Agent that answers when they are used up; by default the last one is repeated.

    Raises:
        InputError: If there is no answer and no other agent.
    """

    def __init__(self, answers: Iterable[str], *, then: Agent | None = None) -> None:
        self.answers = tuple(answers)
        if not self.answers and then is None:
            raise InputError("the script has no answers", expected="at least one answer")
        self._then = then
        self._given = 0

    def __call__(self, messages: Sequence[Message]) -> str:
        """Return the next answer."""
        index = self._given
        self._given += 1
        if index >= len(self.answers) and self._then is not None:
            return self._then(messages)
        # After the end, the last answer is repeated, so one plan serves for several attempts.
        return self.answers[min(index, len(self.answers) - 1)]


class RandomAgent:
    """An agent that draws actions and objects uniformly at random.

    Args:
        actions: Name of an action to the number of its arguments.
        objects: Names that an argument may be.
        seed: Seed of the draws.

    Raises:
        InputError: If there is no action that it could take.
    """

    def __init__(
        self, actions: Mapping[str, int], objects: Sequence[str], *, seed: int | str = 0
    ) -> None:
        """Prepare the actions and objects to draw from."""
        # Without objects, only actions without arguments can be taken.
        self._actions = {name: n for name, n in actions.items() if objects or not n}
        if not self._actions:
            raise InputError("there is no action to take", expected="actions and objects")
        # Sorted, so that draws do not depend on the order in which a world lists its names.
        self._names = sorted(self._actions)
        self._objects = sorted(objects)
        # A text as seed gives the same numbers on every platform.
        self._dice = random.Random(str(seed))  # noqa: S311

    def __call__(self, _messages: Sequence[Message]) -> str:
        """Return a random action, without reading the messages."""
        name = self._dice.choice(self._names)
        count = self._actions[name]
        return format_action(Action(name, tuple(self._dice.choices(self._objects, k=count))))


Policy = Callable[[State], "Action | None"]
"""Function from a state to the next action; None if there is none."""


class PolicyAgent:
    """An agent that follows a policy on an environment's state."""

    def __init__(self, policy: Policy, environment: Environment) -> None:
        self._policy = policy
        self._environment = environment

    def __call__(self, _messages: Sequence[Message]) -> str:
        """Return the policy's action, without reading the messages.

        Raises:
            ModelError: If the policy has no action for the state.
        """
        action = self._policy(self._environment.state())
        if action is None:
            raise ModelError("the policy does not know what to do in this state")
        return format_action(action)
