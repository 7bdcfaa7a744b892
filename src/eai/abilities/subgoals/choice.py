"""Choosing among several results on one answer: the best way through its subgoals counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, product

from eai.diagnosis import Result

MOST_CHOICES = 64
"""So many combinations of alternatives are looked at."""


def best_result(results: Iterable[Result]) -> Result:
    """The first success, else the result with the most conditions met (paper, section 2.4).

    Args:
        results: At least one; no more of them are asked for after a success.
    """
    best: Result | None = None
    for result in results:
        if best is None or _rank(result) > _rank(best):
            best = result
        if best.success:
            break
    assert best is not None  # noqa: S101 - see above
    return best


def _rank(result: Result) -> tuple[bool, bool, int]:
    met = sum(goal.met for goal in result.goals)
    return result.success, result.executable, met


def pieces(entries: Sequence[str], *, first_only: bool) -> list[tuple[str, ...]]:
    """Cut entries at every ``or``, whatever the parentheses, and combine the pieces.

    Args:
        entries: The subgoals, one text each.
        first_only: Whether only the first piece of each is taken.
    """
    cut = [entry.split(" or ") for entry in entries]
    if first_only:
        cut = [each[:1] for each in cut]
    return list(islice(product(*cut), MOST_CHOICES))
