"""An environment in which a guard is asked before every action."""

from __future__ import annotations

from collections.abc import Mapping

from eai.guard import Guard
from eai.simulators import Capabilities, Environment, Observation, StepResult
from eai.world import Action, State

REFUSED = "REFUSED_BY_RULE"
"""Code of an action that a guard refused."""
_BY_RULES = ("breaks", "unkeepable")
"""Codes of decisions that refuse an action for the sake of a rule."""


class GuardedEnvironment:
    """Wraps an environment, and refuses actions that break a rule.

    An action that cannot be done is the environment's to refuse, in its own words.

    Args:
        environment: The environment.
        guard: A guard of the same task.
    """

    def __init__(self, environment: Environment, guard: Guard) -> None:
        self._environment = environment
        self._guard = guard
        self._seen = Observation()

    @property
    def capabilities(self) -> Capabilities:
        """Capabilities of the environment."""
        return self._environment.capabilities

    @property
    def actions(self) -> Mapping[str, int]:
        """The actions of the environment, each with its number of arguments."""
        return self._environment.actions

    def reset(self) -> Observation:
        """Go back to the start of the task."""
        self._guard.reset()
        self._seen = self._environment.reset()
        return self._seen

    def step(self, action: Action) -> StepResult:
        """Take one action unless it breaks a rule."""
        decision = self._guard.check(action)
        if decision.code in _BY_RULES:
            # Nothing was done, so what was seen last is still there.
            return StepResult(False, self._seen, REFUSED, str(decision))
        result = self._environment.step(action)
        self._seen = result.observation
        if result.success:
            # First the action, which the monitors read in the state before it; then the state after
            # it, which may differ from the one that the guard's own world predicts.
            self._guard.observe(result.resolved or action)
            self._guard.follow(self._environment.state())
        return result

    def state(self) -> State:
        """The whole state; for the evaluator, never shown to the agent."""
        return self._environment.state()
