"""Agents that act by the state, which other agents do not see."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eai.errors import ModelError
from eai.interaction.messages import Message
from eai.interaction.protocol import Environment
from eai.interaction.replies import format_action
from eai.world.action import Action
from eai.world.state import State

__all__ = ["Policy", "PolicyAgent"]

Policy = Callable[[State], "Action | None"]
"""Says what to do in a state; None if there is nothing to do."""


class PolicyAgent:
    """Does what a policy says about the state of an environment.

    Args:
        policy: The policy.
        environment: The environment that it acts in.
    """

    def __init__(self, policy: Policy, environment: Environment) -> None:
        self._policy = policy
        self._environment = environment

    def __call__(self, _messages: Sequence[Message]) -> str:
        """Answer; the messages are not looked at.

        Raises:
            ModelError: If the policy does not know what to do.
        """
        action = self._policy(self._environment.state())
        if action is None:
            raise ModelError("the policy does not know what to do in this state")
        return format_action(action)
