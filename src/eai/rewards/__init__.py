"""Rewards for training: numbers in [0, 1] for answers, made to be computed millions of times."""

from __future__ import annotations

from eai.rewards.attempts import Attempt, Weights
from eai.rewards.reward import Reward, reward
from eai.rewards.steps import StepJudge, StepReward, StepRewards, step_rewards
from eai.rewards.turns import TurnReward, potential

__all__ = [
    "Attempt",
    "Reward",
    "StepJudge",
    "StepReward",
    "StepRewards",
    "TurnReward",
    "Weights",
    "potential",
    "reward",
    "step_rewards",
]
