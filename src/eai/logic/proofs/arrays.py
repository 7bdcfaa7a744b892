"""Sizes of smallest proofs, for all positions at once.

A formula is true or false at every position, and what is the case has a smallest proof there.
Both are arrays whose last axis is time; axes before it are the objects of the quantifiers around.
The functions here make the arrays of a formula from those of its parts, with a few passes over
them (sums and minima of running prefixes), so that the work is linear in the positions.

Sizes are exact: where a sum would not fit into 64 bits, Python integers take over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eai.logic.nodes import Comparison

__all__ = [
    "ROOM",
    "Array",
    "Sizes",
    "changed",
    "count",
    "hold",
    "junction",
    "leaf",
    "passed",
    "quantified",
    "reach",
    "reversed_time",
    "same",
    "spread",
    "suffixes",
]

Array = NDArray[Any]
ROOM = 1 << 62
"""Sizes below this are 64-bit integers."""
_FAR = int(np.iinfo(np.int64).max)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Truth of a formula and size of the smallest proof of it.

    Args:
        truth: Whether the formula is true, by objects (the axes before) and position (the last).
        size: Number of nodes of the smallest proof that it is true, or false, as the case may be.
        bound: No size is larger.
    """

    truth: Array
    size: Array
    bound: int

    def fitting(self, times: int) -> Sizes:
        """Return the same, with Python integers if so many sizes may not add up in 64 bits."""
        if self.bound * times < ROOM or self.size.dtype == object:
            return self
        bound = int(self.size.max(initial=0))
        if bound * times < ROOM:
            return Sizes(self.truth, self.size, bound)
        return Sizes(self.truth, self.size, bound).exact()

    def exact(self) -> Sizes:
        """Return the same with Python integers."""
        return Sizes(self.truth, self.size.astype(object), self.bound)


def leaf(truth: Array) -> Sizes:
    """A formula whose proofs are one node: what is seen at the position itself."""
    return Sizes(truth, np.ones(truth.shape, np.int64), 1)


def changed(sizes: Sizes) -> Sizes:
    """The negation of a formula."""
    return Sizes(~sizes.truth, sizes.size + 1, sizes.bound + 1)


def junction(parts: Sequence[Sizes], *, every: bool) -> Sizes:
    """A conjunction (``every``), or else a disjunction, of one part or more.

    All parts are needed for what they agree on, else the cheapest one that decides.
    """
    parts = [part.fitting(len(parts) + 2) for part in parts]
    agreed = parts[0].truth == every
    total = parts[0].size
    cheapest = _where_not(every, parts[0])
    for part in parts[1:]:
        agreed = agreed & (part.truth == every)
        total = total + part.size
        cheapest = np.minimum(cheapest, _where_not(every, part))
    bound = sum(part.bound for part in parts) + 1
    return _decided(agreed, total, cheapest, every=every, bound=bound)


def quantified(body: Sizes, axes: int, counts: Sequence[int], *, every: bool) -> Sizes:
    """A ``forall`` (``every``), or else ``exists``: a junction over the last axes before time.

    Args:
        body: The body, for each object.
        axes: How many variables are bound.
        counts: Number of objects of each of them.
        every: Whether all objects have to agree.
    """
    full = spread(body, counts)
    number = full.size.shape[-1 - axes : -1]
    full = full.fitting(int(np.prod(number, dtype=object)) + 2)
    over = tuple(range(-1 - axes, -1))
    agreed = (full.truth == every).all(axis=over)
    total = full.size.sum(axis=over)
    cheapest = _where_not(every, full).min(axis=over, initial=_largest(full.size))
    bound = full.bound * int(np.prod(number, dtype=object)) + 1
    return _decided(agreed, total, cheapest, every=every, bound=bound)


def count(body: Sizes, number: int, comparison: Comparison, objects: int) -> Sizes:
    """A counting quantifier over the last axis before time.

    That at least k objects have a value is proved by the k cheapest ones that do.
    """
    full = spread(body, (objects,)).fitting(objects + 2)
    found = full.truth.sum(axis=-2)
    many, few = found >= number, found <= number
    more = _cheapest(full, number + 1, wanted=True)
    fewer = _cheapest(full, objects - number + 1, wanted=False)
    if comparison == "at least":
        truth, size = many, np.where(many, _cheapest(full, number, wanted=True), fewer)
    elif comparison == "at most":
        truth = few
        size = np.where(few, _cheapest(full, objects - number, wanted=False), more)
    else:
        truth = many & few
        size = np.where(truth, full.size.sum(axis=-2), np.where(many, more, fewer))
    return Sizes(truth, size + 1, full.bound * objects + 1)


def same(left: Sizes, right: Sizes, *, wanted: bool) -> Sizes:
    """An equivalence (``wanted``), or else an exclusive or: both sides are always needed."""
    left, right = left.fitting(4), right.fitting(4)
    truth = (left.truth == right.truth) == wanted
    return Sizes(truth, left.size + right.size + 1, left.bound + right.bound + 1)


def passed(operand: Sizes, *, weak: bool) -> Sizes:
    """A next, strong or weak: the operand one position later, if there is one."""
    truth, size = np.empty_like(operand.truth), np.empty_like(operand.size)
    truth[..., :-1] = operand.truth[..., 1:]
    size[..., :-1] = operand.size[..., 1:] + 1
    truth[..., -1:] = weak
    size[..., -1:] = 1
    return Sizes(truth, size, operand.bound + 1)


def suffixes(operand: Sizes, *, every: bool) -> Sizes:
    """An always (``every``), or else an eventually: a junction over all later positions."""
    operand = operand.fitting(operand.size.shape[-1] + 2)
    back = operand.size[..., ::-1]
    cheapest = np.minimum.accumulate(_where_not(every, operand)[..., ::-1], axis=-1)[..., ::-1]
    total = np.cumsum(back, axis=-1)[..., ::-1]
    agreed = np.logical_and.accumulate((operand.truth == every)[..., ::-1], axis=-1)[..., ::-1]
    bound = operand.bound * operand.size.shape[-1] + 1
    return _decided(agreed, total, cheapest, every=every, bound=bound)


def reach(way: Sizes, goal: Sizes, *, end: bool) -> Sizes:
    """An until (or a weak one, if reaching the ``end`` will do): along the way to the goal."""
    way, goal = _roomy(way, goal)
    plus, best = _path(way.truth, way.size, goal.truth, goal.size, end=end, bound=_both(way, goal))
    stop = ~goal.truth & ~way.truth
    stopped = goal.size + way.size
    _, worst = _path(~goal.truth, goal.size, stop, stopped, end=not end, bound=_both(way, goal))
    return Sizes(plus, np.where(plus, best, worst) + 1, _total(way, goal))


def hold(kept: Sizes, freed: Sizes, *, end: bool) -> Sizes:
    """A release (or a strong one, if reaching the ``end`` will not do): kept until freed."""
    kept, freed = _roomy(kept, freed)
    bound = _both(kept, freed)
    stop = kept.truth & freed.truth
    plus, best = _path(kept.truth, kept.size, stop, kept.size + freed.size, end=end, bound=bound)
    _, worst = _path(~freed.truth, freed.size, ~kept.truth, kept.size, end=not end, bound=bound)
    return Sizes(plus, np.where(plus, best, worst) + 1, _total(kept, freed))


def reversed_time(sizes: Sizes) -> Sizes:
    """The same with the first position last, for operators that look back."""
    return Sizes(sizes.truth[..., ::-1], sizes.size[..., ::-1], sizes.bound)


def _path(
    way: Array, cost: Array, goal: Array, stop: Array, *, end: bool, bound: int
) -> tuple[Array, Array]:
    """The cheapest way from each position on to a later goal.

    Where the way is open, it costs what it says to pass a position. From position i the cost of the
    best goal j is ``min(S[j] + stop[j]) - S[i]`` over the reachable j, with S the running sum of
    costs. The reachable ones end at the first position that is not open. They are
    kept apart by a number that grows with every closed position, so that one running minimum from
    the end does.

    Args:
        way: As for :func:`~eai.logic.proofs.choices.path`, like the next four.
        cost: The same.
        goal: The same.
        stop: The same.
        end: The same.
        bound: No cost is larger.

    Returns:
        Whether there is a way, and its cost where there is one.
    """
    size = cost.shape[-1]
    far = (size + 1) * bound + 1
    step = 2 * far
    shape = (*np.broadcast_shapes(way.shape, goal.shape)[:-1], size + 1)
    closed = _running(~way, shape)
    exact = object if step * (int(closed.max(initial=0)) + 1) >= ROOM else cost.dtype
    closed = closed.astype(exact)
    sums = _running(np.where(way, cost, 0).astype(exact), shape)
    keys = sums + closed * step
    keys[..., :-1] += np.where(goal, stop, far)
    keys[..., -1] += 0 if end else far
    best = np.minimum.accumulate(keys[..., ::-1], axis=-1)[..., ::-1]
    found = (best - closed * step - sums)[..., :-1]
    return (found < far).astype(bool), found


def _running(values: Array, shape: tuple[int, ...]) -> Array:
    """Sums of all values before each position, and of all."""
    dtype = np.int64 if values.dtype == bool else values.dtype
    found = np.zeros(shape, dtype)
    found[..., 1:] = np.cumsum(values, axis=-1, dtype=dtype)
    return found


def _roomy(left: Sizes, right: Sizes) -> tuple[Sizes, Sizes]:
    times = 2 * left.size.shape[-1] + 4
    left, right = left.fitting(times), right.fitting(times)
    if object in (left.size.dtype, right.size.dtype):
        return left.exact(), right.exact()
    return left, right


def _both(left: Sizes, right: Sizes) -> int:
    return left.bound + right.bound


def _total(left: Sizes, right: Sizes) -> int:
    return _both(left, right) * len(left.size.T) + 1


def _largest(size: Array) -> float:
    """Something that is larger than all sizes, to be compared with them only."""
    return float("inf") if size.dtype == object else _FAR


def _where_not(every: bool, part: Sizes) -> Array:
    """The sizes where the part does not have the value, and something larger elsewhere."""
    return np.where(part.truth == every, _largest(part.size), part.size)


def _decided(agreed: Array, total: Array, cheapest: Array, *, every: bool, bound: int) -> Sizes:
    truth = agreed if every else ~agreed
    return Sizes(truth, np.where(agreed, total, cheapest) + 1, bound)


def spread(body: Sizes, counts: Sequence[int]) -> Sizes:
    """Repeat a body that does not mention a variable for all of its objects.

    Args:
        body: The body of a quantifier.
        counts: Number of objects of each of its variables, the last axes before time.
    """
    shape = (*body.size.shape[: -1 - len(counts)], *counts, body.size.shape[-1])
    if shape == body.size.shape:
        return body
    return Sizes(np.broadcast_to(body.truth, shape), np.broadcast_to(body.size, shape), body.bound)


def _cheapest(full: Sizes, number: int, *, wanted: bool) -> Array:
    """Sum of the smallest sizes of so many objects that have the value (where there are enough)."""
    few = np.sort(_where_not(not wanted, full), axis=-2)[..., : max(number, 0), :]
    found: Array = np.where(few == _largest(full.size), 0, few).sum(axis=-2)
    return found
