"""A reward worker of ROLL's RLVR pipeline (written for commit 8eb27cc2).

A subclass names the suite::

    class Household(SuiteRewardWorker):
        suite = "household"

ROLL passes token ids of the response alone; they are decoded here with special tokens, which tell
where the answer ends.
"""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from roll.distributed.executor.worker import Worker
from roll.distributed.scheduler.decorator import Dispatch, register
from roll.distributed.scheduler.protocol import DataProto
from roll.models.model_providers import default_tokenizer_provider

from eai.integrations.training import RowScore, mean_parts, scorer


class SuiteRewardWorker(Worker):
    """The rewards of a suite; the column ``ground_truth`` has the identifiers of its tasks."""

    suite: ClassVar[str]
    ability: ClassVar[str | None] = None
    options: ClassVar[dict[str, Any]] = {}
    """``kind`` and ``semantics``, as for :class:`eai.Reward`."""

    def __init__(self, worker_config: Any) -> None:  # noqa: ANN401  # ROLL's own class
        """Load the tokenizer and the scorer; each worker is a rank of its own."""
        super().__init__(worker_config=worker_config)
        self.rank_info.dp_rank = self.rank_info.rank
        self.rank_info.dp_size = self.rank_info.world_size
        self.tokenizer = default_tokenizer_provider(model_args=worker_config.model_args)
        self._scorer = scorer(self.suite, self.ability, **self.options)

    @register(dispatch_mode=Dispatch.ONE_TO_ALL)
    def initialize(self, pipeline_config: object) -> None:
        """Do nothing: all is prepared."""

    @register(dispatch_mode=Dispatch.DP_MP_COMPUTE, clear_cache=False)
    def compute_rewards(self, data: DataProto) -> DataProto:
        """Return the rewards of a batch. Rows of other suites score 0 and are counted."""
        responses = data.batch["responses"]
        answers = self.tokenizer.batch_decode(responses, skip_special_tokens=False)
        tasks = data.non_tensor_batch["ground_truth"]
        scores = [
            self._scorer.score(*row) or RowScore() for row in zip(tasks, answers, strict=True)
        ]
        # 32 bits: with the 16 of ROLL's own workers close rewards become equal.
        values = torch.tensor([score.value for score in scores], dtype=torch.float32)
        rewards = DataProto.from_dict(
            tensors={
                "token_level_rewards": torch.zeros_like(responses, dtype=torch.float32),
                "response_level_rewards": values,
                "scores": values.clone(),
            }
        )
        means = mean_parts(scores)
        rewards.meta_info["metrics"] = {f"eai/{self.suite}/{name}": means[name] for name in means}
        return rewards
