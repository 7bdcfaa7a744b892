"""A Gymnasium wrapper that asks a guard before every step. Needs the extra ``gym``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium

from eai.guard import Guard


class GuardedEnv(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A wrapper that refuses actions which break a rule.

    After a refusal, the environment does not step, and the reward is a fixed one.

    ``info["refused"]`` has the decision in words.

    Args:
        env: Any environment.
        guard: The guard.
        call_of: Function from an action to the call that rules speak of; by default the action
            itself, or the entry of the environment's ``actions`` with its number.
        refused_reward: Reward of a refused action.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        guard: Guard,
        *,
        call_of: Callable[[Any], object] | None = None,
        refused_reward: float = 0.0,
    ) -> None:
        """Wrap an environment; there is no observation before the first reset."""
        super().__init__(env)
        self._guard = guard
        self._call_of = call_of or self._default_call
        self._refused_reward = refused_reward
        self._last_observation: Any = None

    def _default_call(self, action: Any) -> object:  # noqa: ANN401 - of any environment
        """Return the action, or the listed action with its number."""
        actions = getattr(self.env.unwrapped, "actions", None)
        if not actions:
            return action
        return actions[int(action)]

    def reset(self, **options: Any) -> tuple[Any, dict[str, Any]]:  # noqa: ANN401
        """Begin an episode, and the guard with it."""
        self._guard.reset()
        self._last_observation, info = self.env.reset(**options)
        return self._last_observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:  # noqa: ANN401
        """Take a step unless the guard refuses the action."""
        call = self._call_of(action)
        decision = self._guard.check(call)
        if not decision.allowed:
            # The episode continues, so the agent may choose another action.
            info = {"refused": str(decision)}
            return self._last_observation, self._refused_reward, False, False, info
        self._last_observation, reward, terminated, truncated, info = self.env.step(action)
        # No environment says whether an action succeeded, so it counts as done.
        self._guard.observe(call)
        return self._last_observation, float(reward), terminated, truncated, info
