"""A fault of a recorded run, and what all checks ask of a log."""

from __future__ import annotations

import math
from typing import NamedTuple

from eai.suites.embodiedbench.recorded import EpisodeLog


class LogFault(NamedTuple):
    """A fault in a recorded episode.

    Args:
        kind: What kind of fault it is.
        text: What is the case.
        row: Number of the row that it is about (from 0); -1 if of none.
    """

    kind: str
    text: str
    row: int = -1


def is_whole(log: EpisodeLog) -> bool:
    """Whether all rows of a log could be read."""
    about = log.record.metadata
    return not about.get("cut_line") and not about.get("notes")


def has_results(log: EpisodeLog) -> bool:
    """Whether the evaluator wrote the results, which it does when an episode has ended."""
    return bool(log.final)


def last_step(log: EpisodeLog) -> float | None:
    """Return the number of the last environment step in a log; None if no row has one."""
    numbers = [row["env_step"] for row in log.rows if "env_step" in row]
    done = log.record.metadata.get("done_step", 0)
    return max([*numbers, done]) if numbers else None


def ends_without_action(log: EpisodeLog) -> bool:
    """Whether an answer without an action ended the episode: its results are zeros then."""
    return bool(log.record.steps) and not log.record.steps[-1].action


def has_gaps(log: EpisodeLog) -> bool:
    """Whether the numbers of environment steps leave one out, or have one twice."""
    numbers = [row["env_step"] for row in log.rows if "env_step" in row]
    return bool(numbers) and max(numbers) - min(numbers) + 1 != len(numbers)


def whole_number(value: object) -> int | None:
    """Return the whole part of a number; None if a value is none, or not finite."""
    if isinstance(value, (int, float)) and math.isfinite(value):
        return int(value)
    return None
