"""Suites as an environment of NeMo-RL (written for 0.6.0, commit 7ea279ab).

A row's ``extra_env_info`` names the task under ``ground_truth``, which NeMo-RL's own processors
fill. Only the last message of the assistant is read, never the prompt, which stands in the user's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import ray
import torch
from nemo_rl.distributed.ray_actor_environment_registry import ACTOR_ENVIRONMENT_REGISTRY
from nemo_rl.distributed.virtual_cluster import PY_EXECUTABLES
from nemo_rl.environments.interfaces import EnvironmentInterface, EnvironmentReturn
from nemo_rl.environments.utils import ENV_REGISTRY, register_env

from eai.integrations.training import RowScore, scorer

NAME = "eai"
"""Name of the environment in a configuration."""


class PlanEnvironment(EnvironmentInterface):
    """One question with one answer."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        """Create the scorer from ``config``: ``suite`` and arguments of :class:`eai.Reward`."""
        self._scorer = scorer(**config)

    def step(
        self, message_log_batch: Sequence[Any], metadata: Sequence[Mapping[str, Any] | None]
    ) -> EnvironmentReturn:
        """Score a batch. Rows of other suites score 0 and are counted."""
        scores = []
        for messages, info in zip(message_log_batch, metadata, strict=True):
            task = (info or {}).get("ground_truth")
            scores.append(self._scorer.score(task, list(messages)) or RowScore())
        count = len(scores)
        return EnvironmentReturn(
            # It is appended to the conversation even though that is over.
            observations=[{"role": "environment", "content": ""} for _ in scores],
            metadata=list(metadata),
            next_stop_strings=[None] * count,
            rewards=torch.tensor([score.value for score in scores], dtype=torch.float32),
            terminateds=torch.ones(count),
            answers=[None] * count,
        )

    def global_post_process_and_metrics(self, batch: Any) -> tuple[Any, dict[str, float]]:  # noqa: ANN401
        """Return the batch as it is, and how many rows were scored, broken and of other tasks."""
        return batch, {f"eai/{name}": float(count) for name, count in self._scorer.counts.items()}


SuiteEnvironment = ray.remote(max_restarts=-1, max_task_retries=-1)(PlanEnvironment)
"""The actor that NeMo-RL starts."""


def register() -> None:
    """Register the environment ``eai`` in NeMo-RL."""
    path = f"{__name__}.SuiteEnvironment"
    ACTOR_ENVIRONMENT_REGISTRY[path] = PY_EXECUTABLES.SYSTEM
    if NAME not in ENV_REGISTRY:  # NeMo-RL refuses a name that it knows
        register_env(NAME, path)
