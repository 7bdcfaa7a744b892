"""Smallest proofs that objects can, or cannot, be paired off.

So many pairs are shown by as many true instances without a common object: a matching of least
weight in any graph (Edmonds 1965). That there are not so many is shown by a *cover*: fewer objects
than pairs are wanted, such that every pair without them is false. If no object is on both sides
there is a cover whenever there are too few pairs (König 1931); if some are, and there is
none, all false pairs are shown. A cheapest cover is found by looking at all, as the problem is
NP-hard (Zenklusen et al. 2009).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations, product
from math import comb

import numpy as np

from eai.errors import InputError
from eai.logic.proofs.arrays import ROOM, Array, Sizes

__all__ = ["MOST_COVERS", "Pairs"]

MOST_COVERS = 20_000
"""So many sets of objects are tried as covers."""


class Pairs:
    """Two sides whose objects are to be paired off.

    Args:
        firsts: The objects of one side.
        seconds: The objects of the other side; one may be on both.
        number: How many pairs are wanted; None for as many as the smaller side has objects.
    """

    def __init__(
        self, firsts: Sequence[str], seconds: Sequence[str], number: int | None = None
    ) -> None:
        self.needed = max(min(len(firsts), len(seconds)) if number is None else number, 0)
        names = list(dict.fromkeys([*firsts, *seconds]))
        numbers = {name: index for index, name in enumerate(names)}
        ends = [(numbers[a], numbers[b]) for a, b in product(firsts, seconds)]
        self._allowed = np.array([a != b for a, b in ends], bool)
        self._ends = ends
        self._objects = len(names)

    @cached_property
    def _shown(self) -> Array:
        """Which pairs are without the objects of each cover."""
        left_out = min(self.needed - 1, self._objects)
        number = comb(self._objects, left_out)
        if number > MOST_COVERS:
            raise InputError(
                f"a proof that {self._objects} objects cannot be paired off would have to try "
                f"{number:,} sets of objects",
                expected=f"at most {MOST_COVERS:,}",
                mend="give the variables types with fewer objects",
            )
        found = [
            [a not in cover and b not in cover for a, b in self._ends]
            for cover in map(set, combinations(range(self._objects), left_out))
        ]
        shown: Array = np.array(found, bool).reshape(number, len(self._ends))
        shown &= self._allowed
        return shown

    def chosen(self, truth: Array, size: Array) -> tuple[bool, Sequence[int]]:
        """Say whether there are enough pairs, and which instances prove it.

        Args:
            truth: Whether the body is true, for all pairs of one object of each side, those of
                an object with itself included, which do not count.
            size: The size of the smallest proof of that.

        Returns:
            The truth value, and the places of the instances of the smallest proof, in order.

        Raises:
            InputError: If too many sets of objects would have to be tried as covers.
        """
        matching = self._matching(np.flatnonzero(truth & self._allowed), size)
        if matching is not None:
            return True, matching
        open_covers = ~(self._shown & truth).any(axis=1)
        covers = self._shown[open_covers] if open_covers.any() else (self._allowed & ~truth)[None]
        costs = covers.astype(size.dtype) @ size
        return False, np.flatnonzero(covers[int(np.argmin(costs))]).tolist()

    def _matching(self, places: Array, size: Array) -> list[int] | None:
        """A cheapest matching of so many pairs: a perfect one if the others have a stand-in."""
        from networkx import Graph, max_weight_matching

        best: dict[frozenset[int], int] = {}
        for place in places.tolist():
            pair = frozenset(self._ends[place])
            if pair not in best or size[place] < size[best[pair]]:
                best[pair] = place
        alone = self._objects - 2 * self.needed
        if alone < 0 or len(best) < self.needed:
            return None
        graph = Graph()
        graph.add_nodes_from(range(self._objects + alone))
        for pair, place in best.items():
            graph.add_edge(*pair, weight=-int(size[place]))
        stand_ins = range(self._objects, self._objects + alone)
        graph.add_edges_from(product(range(self._objects), stand_ins), weight=0)
        found = max_weight_matching(graph, maxcardinality=True)
        if 2 * len(found) < len(graph):
            return None
        return sorted(best[pair] for pair in map(frozenset, found) if pair in best)

    def sizes(self, body: Sizes) -> Sizes:
        """Return the sizes of the quantifier from those of its body, over the last axes but one.

        Args:
            body: The body, for each object of either side (the last two axes before time).
        """
        body = body.fitting(len(self._ends) + 2)
        shape = (*body.size.shape[:-3], len(self._ends), body.size.shape[-1])
        truth = np.moveaxis(body.truth.reshape(shape), -2, -1)
        size = np.moveaxis(body.size.reshape(shape), -2, -1)
        holds = np.zeros(truth.shape[:-1], bool)
        total = np.ones(truth.shape[:-1], size.dtype)
        known: dict[tuple[object, ...], tuple[bool, int]] = {}
        for place in np.ndindex(*holds.shape):
            key = (truth[place].tobytes(), *size[place].tolist())
            if key not in known:
                value, chosen = self.chosen(truth[place], size[place])
                known[key] = value, int(size[place][list(chosen)].sum()) + 1
            holds[place], total[place] = known[key]
        bound = body.bound * len(self._ends) + 1
        return Sizes(holds, total if bound < ROOM else total.astype(object), bound)
