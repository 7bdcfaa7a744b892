"""Which premises the smallest proof of a judgement has.

For connectives and quantifiers all premises are about the same position or part, and what decides
is which operands; for operators of time it is which positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from eai.logic.formula import (
    And,
    Count,
    Forall,
    Formula,
    Iff,
    Implies,
    Not,
    Xor,
)
from eai.logic.proofs.arrays import Array

__all__ = ["Judged", "chosen", "kept", "path"]


class Judged(NamedTuple):
    """Truth of something, and the size of the smallest proof of it."""

    truth: bool
    size: int


def chosen(node: Formula, operands: Sequence[Judged]) -> tuple[bool, Sequence[int]]:
    """Say whether a connective or quantifier is true, and which operands prove it.

    Args:
        node: The connective or quantifier.
        operands: Its operands, or the instances of its body, in order.

    Returns:
        The truth value, and the places of the operands of the smallest proof.
    """
    everything = range(len(operands))
    if isinstance(node, Not):
        return not operands[0].truth, everything
    if isinstance(node, (Iff, Xor)):
        equal = operands[0].truth == operands[1].truth
        return equal == isinstance(node, Iff), everything
    if isinstance(node, Count):
        return _counted(node, operands)
    if isinstance(node, Implies):
        operands = [Judged(not operands[0].truth, operands[0].size), operands[1]]
    every = isinstance(node, (And, Forall))
    deciding = [place for place in everything if operands[place].truth != every]
    if not deciding:
        return every, everything
    return not every, [min(deciding, key=lambda place: operands[place].size)]


def _counted(node: Count, operands: Sequence[Judged]) -> tuple[bool, Sequence[int]]:
    number, found = node.number, sum(each.truth for each in operands)
    rest = len(operands) - number
    if node.comparison == "exactly" and found == number:
        return True, range(len(operands))
    if node.comparison == "at most" and found <= number:
        return True, _cheapest(operands, rest, wanted=False)
    if node.comparison == "at least" and found >= number:
        return True, _cheapest(operands, number, wanted=True)
    if found < number:
        return False, _cheapest(operands, rest + 1, wanted=False)
    return False, _cheapest(operands, number + 1, wanted=True)


def _cheapest(operands: Sequence[Judged], number: int, *, wanted: bool) -> Sequence[int]:
    places = [place for place, each in enumerate(operands) if each.truth == wanted]
    places.sort(key=lambda place: operands[place].size)
    return sorted(places[: max(number, 0)])


def kept(truth: Array, size: Array, *, every: bool) -> tuple[bool, Sequence[int]]:
    """Say the same of a conjunction (``every``) or disjunction of positions.

    Returns:
        Whether it is true, and the places of the positions of the smallest proof.
    """
    deciding = np.flatnonzero(truth != every)
    if not len(deciding):
        return every, range(len(truth))
    return not every, [int(deciding[np.argmin(size[deciding])])]


def path(way: Array, cost: Array, goal: Array, stop: Array, *, end: bool) -> int | None:
    """Return how many positions the cheapest way to a goal passes, or None if there is no way.

    Args:
        way: Where the way is open.
        cost: What it costs to pass a position.
        goal: Where there is a goal.
        stop: What it costs to stop there.
        end: Whether the end is a goal, too, at no cost.

    Returns:
        The place of the goal; the number of positions if it is the end.
    """
    closed = np.flatnonzero(~way)
    length = int(closed[0]) + 1 if len(closed) else len(way)
    sums = np.concatenate(([0], np.cumsum(cost[:length])))
    places = np.flatnonzero(goal[:length])
    options = [(int(sums[place] + stop[place]), int(place)) for place in places]
    if end and not len(closed):
        options.append((int(sums[length]), length))
    return min(options)[1] if options else None
