"""The reward function that slime loads by its path (written for 0.3.1, commit 624b824a).

slime awaits the function in the event loop that generates, so scoring is left to a thread. It keeps
special tokens in the response, and passes a list of samples in its group mode.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from eai.contract import Suite
from eai.integrations.training import RowScore, RowScorer


class Sample(Protocol):
    """The used part of the interface of slime's samples."""

    response: str
    label: str | None


Function = Callable[..., Awaitable[Any]]
"""The function that slime awaits: ``f(args, sample)``, or a list of samples."""


class SlimeReward:
    """A reward function of slime; see :func:`reward_function`."""

    def __init__(self, scorer: RowScorer, other: Function | None) -> None:
        """Keep the scorer, and the function for samples of other tasks, if there is one."""
        self._scorer = scorer
        self._other_reward = other

    async def __call__(
        self,
        args: object,
        sample: Sample | list[Sample],
        **others: Any,  # noqa: ANN401  # what slime adds
    ) -> dict[str, float] | list[dict[str, float]]:
        """Return the score of a sample with its parts, or those of several samples."""
        if isinstance(sample, list):
            return [await self._score_sample(args, member, others) for member in sample]
        return await self._score_sample(args, sample, others)

    async def _score_sample(
        self, args: object, sample: Sample, extra_arguments: dict[str, Any]
    ) -> dict[str, float]:
        """Return the score of one sample and its parts.

        Scoring runs in a thread, so that other samples are generated at the same time.

        Args:
            args: The arguments of slime.
            sample: The sample.
            extra_arguments: Further keyword arguments of slime, for the other reward function.
        """
        score = await asyncio.to_thread(self._scorer.score, sample.label, sample.response)
        if score is None and self._other_reward is not None:
            other_score = await self._other_reward(args, sample, **extra_arguments)
            if isinstance(other_score, dict):
                return other_score
            return {"score": float(other_score)}
        if score is None:
            score = RowScore()  # worth 0
        return {"score": score.value, **score.parts}


def reward_function(
    suite: str | Suite,
    ability: str | None = None,
    *,
    other: Function | None = None,
    **options: Any,  # noqa: ANN401  # those of Scorer
) -> SlimeReward:
    """Return a reward function for slime, which needs ``--reward-key score`` beside it.

    Args:
        suite: The name of a suite, or the suite. The labels are identifiers of its tasks.
        ability: The ability that is trained; by default plans.
        other: The reward function for samples of other tasks, which are worth 0 without it.
        **options: ``kind``, ``semantics``, ``weights`` and ``rules``, as for :class:`eai.Reward`.
    """
    return SlimeReward(RowScorer(suite, ability, **options), other)
