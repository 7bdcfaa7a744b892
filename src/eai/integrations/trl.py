"""Rewards and environments for TRL, whose trainers call them as they are (written for 1.16).

Nothing of TRL is imported. A row of another task gets None, which is TRL's own rule; so does a row
that cannot be scored, for None is left out of its group where 0 would count as a bad answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from eai.contract import INTERACTION, Suite, given_suite
from eai.errors import InputError
from eai.integrations.conversation import OVER, Conversation, conversation_of_row
from eai.integrations.training import RowScorer, known_rewards, mean_parts, named_parts


class RewardFunction:
    """A reward function for ``GRPOTrainer(reward_funcs=...)``; see :func:`reward_function`."""

    def __init__(self, scorer: RowScorer, column: str) -> None:
        self._scorer = scorer
        self._column = column
        self.__name__ = scorer.__name__  # TRL logs it under its name

    def __call__(
        self,
        completions: Iterable[object],
        log_metric: Callable[[str, float], None] | None = None,
        log_extra: Callable[[str, list[Any]], None] | None = None,
        **columns: Any,  # noqa: ANN401  # the columns of any data set
    ) -> list[float | None]:
        """Return the rewards of a batch.

        Raises:
            InputError: If the data set has no column with the tasks.
        """
        tasks = columns.get(self._column)
        if tasks is None:
            raise InputError(
                f"the data set has no column {self._column!r}",
                expected="a column with the identifiers of tasks, None in rows of another task",
                mend="name it: reward_function(..., column=...)",
            )
        scores = [self._scorer.score(*row) for row in zip(tasks, completions, strict=True)]
        # A batch without a row of the suite has no means to log.
        if log_metric is not None and any(scores):
            for name, mean in named_parts(self.__name__, mean_parts(scores)).items():
                log_metric(name, mean)
        if log_extra is not None:
            log_extra(f"{self.__name__}_problem", [score and score.reason for score in scores])
        return known_rewards(scores)


def reward_function(
    suite: str | Suite,
    ability: str | None = None,
    *,
    column: str = "task",
    **options: Any,  # noqa: ANN401  # those of Scorer
) -> RewardFunction:
    """Return a reward function for the trainers of TRL.

    Args:
        suite: The name of a suite, or the suite.
        ability: The ability that is trained; by default plans.
        column: The data set's column with the identifiers of tasks.
        **options: ``kind``, ``semantics``, ``weights`` and ``rules``, as for :class:`eai.Reward`.
    """
    return RewardFunction(RowScorer(suite, ability, **options), column)


class ToolEpisode:
    """An episode in which the model acts by calling a tool; see :func:`environment_factory`."""

    def __init__(self, suite: str | Suite, column: str, options: Mapping[str, Any]) -> None:
        self._suite = given_suite(suite)
        self._options = options
        self._column = column
        self._conversation: Conversation | None = None

    def reset(self, **row: object) -> str | None:
        """Begin the episode of a row, or return None for a row of another suite."""
        task = row.get(self._column)
        self._conversation = conversation_of_row(self._suite, task, **self._options)
        if self._conversation is None:
            return None
        return f"\n\n{self._conversation.opening}"  # TRL joins it to the prompt as it is

    def act(self, action: str) -> str:
        """Take one action and see what happened.

        Args:
            action: The action as NAME ARGUMENTS, such as WALK light.34

        Returns:
            How the action went, and what changed.
        """
        if self._conversation is None:
            return OVER
        # A model may also write a number or a list, which is an action that fails.
        return self._conversation.take(str(action)).text

    def get_reward(self) -> float | None:
        """Return the share of the goal that was gained; None if there is nothing to reward."""
        if self._conversation is None or self._conversation.broken:
            return None
        return self._conversation.total


def environment_factory(
    suite: str | Suite,
    *,
    column: str = "task",
    **options: Any,  # noqa: ANN401  # those of Conversation
) -> Callable[[], ToolEpisode]:
    """Return an ``environment_factory`` for TRL. The options are those of a conversation."""
    RowScorer(suite, INTERACTION)  # a suite that cannot be acted in is refused before training
    return partial(ToolEpisode, suite, column, options)
