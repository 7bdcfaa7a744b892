"""Suites as data sets of reasoning-gym (written for 0.1.25). Importing this module registers them.

``reasoning_gym.create_dataset("eai", suite="household", size=100, seed=1)`` draws tasks with
prompts of this library, and ``score_answer`` is a reward of :class:`eai.Reward`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from reasoning_gym.dataset import ProceduralDataset
from reasoning_gym.factory import DATASETS, register_dataset

from eai.agents.prompts import prompts
from eai.contract.registry import suite as find_suite
from eai.integrations.training import scorer

NAME = "eai"
"""Name of the data set, and ``source_dataset`` of its rows."""


@dataclass
class SuiteConfig:
    """The tasks to use, and the options for scoring.

    Args:
        suite: The name of a suite; it has to be given.
        ability: The ability that is asked for; by default plans.
        kind: ``"graded"``, ``"repair"`` or ``"binary"``.
        semantics: When a task counts as solved.
        rules: A file of rules that answers have to keep on the way.
        seed: Seed of the order of the tasks.
        size: Number of rows; the tasks are repeated if there are fewer.
    """

    suite: str = ""
    ability: str | None = None
    kind: str = "graded"
    semantics: str = "strict"
    rules: str | None = None
    seed: int | None = None
    size: int = 500


class SuiteDataset(ProceduralDataset):
    """Tasks of a suite that can be rewarded, in random order."""

    def __init__(self, config: SuiteConfig) -> None:
        """Prepare the scorer, and shuffle the prompts by the seed."""
        super().__init__(config=config, seed=config.seed, size=config.size)
        self._scorer = scorer(
            config.suite,
            config.ability,
            kind=config.kind,
            semantics=config.semantics,
            rules=config.rules,
        )
        reward = self._scorer.reward
        suite = find_suite(config.suite)
        # Only tasks that can be rewarded: a row of another one would be worth 0 for any answer.
        self._prompts = list(prompts(suite, reward.ability, tasks=reward.tasks()))
        Random(self.seed).shuffle(self._prompts)  # noqa: S311  # an order, no secret

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Return a row; ``answer`` is empty, since many answers are right."""
        prompt = self._prompts[idx % len(self._prompts)]
        metadata = {"source_dataset": NAME, "source_index": idx, "task": prompt.id}
        return {"question": prompt.prompt, "answer": "", "metadata": metadata}

    def score_answer(self, answer: str | None, entry: Mapping[str, Any]) -> float:
        """Return the reward of an answer, or 0 for a row of another data set."""
        score = self._scorer.score(entry["metadata"].get("task"), answer)
        if score is None:
            return 0.0
        return score.value


if NAME not in DATASETS:  # reasoning-gym refuses a name that it knows
    register_dataset(NAME, SuiteDataset, SuiteConfig)
