"""Suites as environments of SkyRL (written for skyrl-gym 0.4.0).

:func:`register` announces two: a plan in one answer, and acting turn by turn. SkyRL makes a new
environment for each trajectory and may step it from several threads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
from skyrl_gym.envs.registration import register as register_environment, registry

from eai.contract.registry import suite as find_suite
from eai.integrations.conversation import Conversation
from eai.integrations.training import scorer


class PlanEnv(BaseTextEnv):
    """One question with one answer."""

    def __init__(
        self,
        env_config: object = None,
        extras: Mapping[str, Any] | None = None,
        **options: Any,  # noqa: ANN401  # those of register()
    ) -> None:
        """Take the task from a row of the data set.

        Args:
            env_config: Ignored: the arguments of :func:`register` say everything.
            extras: The other columns of the row.
            **options: The arguments of :func:`register`.
        """
        super().__init__()
        del env_config
        self._task = _task_in_row(extras)
        self._scorer = scorer(**options)
        self._parts: dict[str, float] = {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Score the answer. A row of another suite scores 0 and is not logged."""
        self._parts = {}
        value = 0.0
        score = self._scorer.score(self._task, action)
        if score is not None:
            self._parts = score.parts
            value = score.value
        return BaseTextEnvStepOutput(observations=[], reward=value, done=True, metadata={})

    def get_metrics(self) -> dict[str, float]:
        """Return the parts of the reward."""
        return _prefix_names(self._scorer.reward.__name__, self._parts)


class ActingEnv(BaseTextEnv):
    """An episode: every answer is an action."""

    def __init__(
        self,
        env_config: object = None,
        extras: Mapping[str, Any] | None = None,
        *,
        suite: str,
    ) -> None:
        """Begin an episode in the task of a row; a row of another suite has none.

        Args:
            env_config: Ignored: the arguments of :func:`register` say everything.
            extras: The other columns of the row.
            suite: The name of the suite.
        """
        super().__init__()
        del env_config
        self.max_turns = int((extras or {}).get("max_turns", 0))  # 0: the suite's own limits
        task = _task_in_row(extras)
        self._name = suite
        self._conversation: Conversation | None = None
        if isinstance(task, str) and task in find_suite(suite).task_ids():
            self._conversation = Conversation(suite, task)

    def init(self, prompt: list[dict[str, str]]) -> tuple[list[dict[str, str]], dict[str, Any]]:
        """Return the prompt with the first observation."""
        if self._conversation is None:
            return prompt, {}
        return [*prompt, {"role": "user", "content": self._conversation.opening}], {}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Take the action."""
        self.turns += 1
        if self._conversation is None:
            return BaseTextEnvStepOutput(observations=[], reward=0.0, done=True, metadata={})
        outcome = self._conversation.take(action)
        is_done = outcome.done or self.turns == self.max_turns
        # After the end the model is not asked again, so nothing is to be observed.
        observations = []
        if not is_done:
            observations.append({"role": "user", "content": outcome.text})
        return BaseTextEnvStepOutput(
            observations=observations, reward=outcome.reward, done=is_done, metadata={}
        )

    def get_metrics(self) -> dict[str, float]:
        """Return the values to log of the episode."""
        parts = {} if self._conversation is None else self._conversation.parts
        return _prefix_names(f"{self._name}_acting", parts)


def register(suite: str, ability: str | None = None, **options: Any) -> None:  # noqa: ANN401
    """Register ``eai-SUITE`` and ``eai-SUITE-acting`` in SkyRL.

    Args:
        suite: The name of the suite.
        ability: The ability of the former; by default plans.
        **options: ``kind``, ``semantics``, ``weights`` and ``rules``, as for :class:`eai.Reward`.
    """
    scorer_arguments = {"suite": suite, "ability": ability, **options}
    scorer(**scorer_arguments)  # wrong arguments raise their errors here, before training
    for name, environment, arguments in (
        (f"eai-{suite}", PlanEnv, scorer_arguments),
        (f"eai-{suite}-acting", ActingEnv, {"suite": suite}),
    ):
        registry.pop(name, None)  # SkyRL refuses a name that it knows
        # SkyRL copies the arguments deeply for each environment, so they are plain values.
        register_environment(id=name, entry_point=environment, kwargs=arguments)


def _task_in_row(extras: Mapping[str, Any] | None) -> object:
    """Return the task of a row, stored where SkyRL's environments store the right answer."""
    spec = (extras or {}).get("reward_spec")
    if not isinstance(spec, Mapping):
        return None
    return spec.get("ground_truth")


def _prefix_names(prefix: str, parts: Mapping[str, float]) -> dict[str, float]:
    """Return the values with a prefix to their names: SkyRL averages values of equal names."""
    return {f"{prefix}/{name}": value for name, value in parts.items()}
