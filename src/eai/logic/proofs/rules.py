"""The rules of operators of time, as a check of proofs needs them."""

from __future__ import annotations

from collections.abc import Sequence

from eai.logic.formula import (
    Always,
    Eventually,
    Formula,
    Historically,
    Next,
    Once,
    Previous,
    Release,
    Since,
    StrongRelease,
    Trigger,
    Until,
    WeakNext,
    WeakPrevious,
    WeakUntil,
)

__all__ = ["TIME", "Claim", "suffices"]

Claim = tuple[Formula, bool, int]
"""A formula, whether it is true, and how far away from the position that is spoken of."""

_AHEAD = (Next, WeakNext, Eventually, Always, Until, Release, WeakUntil, StrongRelease)

TIME: dict[type[Formula], tuple[type[Formula], bool]] = {
    **{kind: (kind, False) for kind in _AHEAD},
    Previous: (Next, True),
    WeakPrevious: (WeakNext, True),
    Once: (Eventually, True),
    Historically: (Always, True),
    Since: (Until, True),
    Trigger: (Release, True),
}
"""Each operator, as one that looks ahead, and whether time is turned round for it."""


def suffices(
    kind: type[Formula],
    operands: Sequence[Formula],
    claims: Sequence[Claim],
    *,
    holds: bool,
    rest: int,
) -> bool:
    """Say whether claims prove an operator of time true, or false.

    Args:
        kind: The operator, one that looks ahead.
        operands: Its operands.
        claims: What is claimed of them, in order.
        holds: Whether the operator is to be true.
        rest: How many positions come after the one that is spoken of.
    """
    count = len(claims)
    if kind in (Next, WeakNext):
        there = [(operands[0], holds, 1)]
        return list(claims) == there if rest else not count and holds == (kind is WeakNext)
    if kind in (Eventually, Always):
        if (kind is Always) == holds:
            return list(claims) == [(operands[0], holds, i) for i in range(rest + 1)]
        return count == 1 and claims[0] in [(operands[0], holds, i) for i in range(rest + 1)]
    if count > rest + 2:
        return False
    first, second = operands
    along = (kind in (Until, WeakUntil)) == holds
    passed = first if along else second
    way = [(passed, holds, i) for i in range(count)]
    to_end = (kind in (WeakUntil, Release)) == holds and count == rest + 1
    if to_end and list(claims) == way:
        return True
    if along:
        return 1 <= count <= rest + 1 and list(claims) == [*way[:-1], (second, holds, count - 1)]
    return count >= 2 and list(claims) == [*way[:-1], (first, holds, count - 2)]
