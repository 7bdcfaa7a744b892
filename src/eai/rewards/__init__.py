"""Rewards for training: numbers in [0, 1] for answers, made to be computed millions of times."""

from __future__ import annotations

from eai.rewards.reward import Reward, reward
from eai.rewards.weights import Attempt, Weights

__all__ = ["Attempt", "Reward", "Weights", "reward"]
