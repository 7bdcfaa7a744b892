"""Choosing among several judgements on one answer: the best way through its subgoals counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, product

from eai.diagnosis.judgement import Judgement

__all__ = ["MOST_CHOICES", "best_judgement", "pieces"]

MOST_CHOICES = 64
"""So many combinations of alternatives are looked at."""


def best_judgement(judgements: Iterable[Judgement]) -> Judgement:
    """The first success, else the judgement with the most conditions met (paper, section 2.4).

    Args:
        judgements: At least one; no more of them are asked for after a success.
    """
    best: Judgement | None = None
    for judgement in judgements:
        if best is None or _rank(judgement) > _rank(best):
            best = judgement
        if best.success:
            break
    assert best is not None  # noqa: S101 - see above
    return best


def _rank(judgement: Judgement) -> tuple[bool, bool, int]:
    met = sum(goal.met for goal in judgement.goals)
    return judgement.success, judgement.executable, met


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
