"""Sizes of smallest proofs about parts of a trajectory, as goals are read (``docs/ltl.md``).

What stands above a ``then`` speaks of the same part; what has no ``then`` in it comes down to
positions. Every part that is asked for is judged once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from eai.logic.formula import (
    LINEAR,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Then,
    bound_variables,
    children,
    free_variables,
    has_linear,
    has_then,
)
from eai.logic.proofs.arrays import ROOM, Array, Sizes
from eai.logic.proofs.chains import Chain, Links, links_of
from eai.logic.proofs.choices import Judged, chosen, kept
from eai.logic.proofs.leaves import Scope
from eai.logic.proofs.tables import Site, Table
from eai.logic.trace import Trajectory

__all__ = ["Parts"]


class Parts:
    """Judges formulas on parts of one trajectory.

    Formulas are recognised by identity: they must stay alive as long as this object.

    Args:
        trajectory: The trajectory.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.length = trajectory.length
        self._tables: dict[tuple[int, int], Table] = {}
        self._judged: dict[tuple[object, ...], Judged] = {}
        self._chains: dict[tuple[object, ...], Chain] = {}
        self._links: dict[int, Links] = {}

    def table(self, start: int, end: int) -> Table:
        """Return the table of a part that is not empty."""
        found = self._tables.get((start, end))
        if found is None:
            whole = None if (start, end) == (0, self.length) else self.table(0, self.length)
            found = Table(self.trajectory, start, end, then=self._suffixes, whole=whole)
            self._tables[start, end] = found
        return found

    def row(self, site: Site, start: int, end: int) -> tuple[Array, Array]:
        """Return truth and sizes of a formula at the positions of a part, as a trace of its own."""
        sizes = self.table(start, end).sizes(site.node, site.scope)
        place = tuple(
            index if extent > 1 else 0
            for index, extent in zip(site.place, sizes.truth.shape, strict=False)
        )
        return sizes.truth[place], sizes.size[place]

    def states(self, site: Site, start: int, end: int) -> tuple[Array, Array]:
        """Return the same of a state formula, which does not depend on where the part is cut."""
        truth, size = self.row(site, 0, self.length)
        return truth[start:end], size[start:end]

    def instances(self, site: Site) -> list[Site]:
        """Return the operands of a connective, or a quantifier's body for every binding."""
        node = site.node
        bound = bound_variables(node)
        parts = children(node)
        if not bound:
            return [Site(part, site.scope, site.place) for part in parts]
        table = self.table(0, self.length)
        ranges = [range(len(table.objects(variable))) for variable in bound]
        scope = (*site.scope, *bound)
        return [Site(parts[0], scope, (*site.place, *choice)) for choice in product(*ranges)]

    def instances_at(self, site: Site, position: int, start: int, end: int) -> list[Site]:
        """Return the instances of a ``forall`` or ``exists`` that prove it at a position.

        They are found without looking at the others one by one.
        """
        node = site.node
        assert isinstance(node, (Forall, Exists))  # noqa: S101 - the caller has asked
        table = self.table(start, end)
        counts = [len(table.objects(variable)) for variable in node.variables]
        scope = (*site.scope, *node.variables)
        sizes = table.sizes(node.body, scope)
        outer = tuple(
            index if extent > 1 else 0
            for index, extent in zip(site.place, sizes.truth.shape, strict=False)
        )
        truth = np.broadcast_to(sizes.truth[outer][..., position - start], counts).ravel()
        size = np.broadcast_to(sizes.size[outer][..., position - start], counts).ravel()
        _, places = kept(truth, size, every=isinstance(node, Forall))
        choices = np.unravel_index(np.array(places, np.intp), counts) if counts else ()
        chosen_places = zip(*(axis.tolist() for axis in choices), strict=True) if counts else [()]
        return [Site(node.body, scope, (*site.place, *choice)) for choice in chosen_places]

    def judge(self, site: Site, start: int, end: int) -> Judged:
        """Return whether a formula holds on a part, and the size of the smallest proof."""
        key = (id(site.node), site.scope, site.place, start, end)
        found = self._judged.get(key)
        if found is None:
            found = self._judged[key] = self._judge(site, start, end)
        return found

    def _judge(self, site: Site, start: int, end: int) -> Judged:
        node = site.node
        if isinstance(node, LINEAR) or not has_then(node):
            return self._without_then(site, start, end)
        if isinstance(node, Then):
            return self.chain(site, start, end).judged
        operands = [self.judge(each, start, end) for each in self.instances(site)]
        truth, places = self.chosen(node, operands)
        return Judged(truth, 1 + sum(operands[place].size for place in places))

    def chosen(self, node: Formula, operands: Sequence[Judged]) -> tuple[bool, Sequence[int]]:
        """Say whether a connective or quantifier is true, and which operands prove it.

        Args:
            node: The connective or quantifier.
            operands: What is known of its operands or instances, in order.
        """
        if not isinstance(node, ForPairs):
            return chosen(node, operands)
        pairs = self.table(0, self.length).pairs(node)
        sizes = np.array([each.size for each in operands], object)
        return pairs.chosen(np.array([each.truth for each in operands], bool), sizes)

    def _without_then(self, site: Site, start: int, end: int) -> Judged:
        if start == end:
            return Judged(truth=False, size=1)
        if has_linear(site.node):
            truth, size = self.row(site, start, end)
            return Judged(bool(truth[0]), 1 + int(size[0]))
        truth, size = self.states(site, start, end)
        holds, places = kept(truth, size, every=False)
        needed = size if not holds else size[list(places)]
        return Judged(holds, 1 + int(needed.sum()))

    def links(self, node: Then) -> Links:
        """Return the links of a chain, those of chains inside it included."""
        found = self._links.get(id(node))
        if found is None:
            found = self._links[id(node)] = links_of(node)
        return found

    def chain(self, site: Site, start: int, end: int) -> Chain:
        """Return how a chain is cut on a part, or why it cannot be."""
        assert isinstance(site.node, Then)  # noqa: S101 - the callers have asked
        key = (id(site.node), site.scope, site.place, start, end)
        found = self._chains.get(key)
        if found is None:
            links = self.links(site.node)
            found = self._chains[key] = Chain(self, links, site, start, end)
        return found

    def _suffixes(self, node: Then, scope: Scope, table: Table) -> Sizes:
        """A ``then`` at a position speaks of the part from there to the end of the trace."""
        free = {variable.name for variable in free_variables(node)}
        shape = [len(table.objects(each)) if each.name in free else 1 for each in scope]
        length = table.end - table.start
        truth = np.zeros((*shape, length), bool)
        size = np.ones((*shape, length), object)
        for place in product(*map(range, shape)):
            for position in range(length):
                judged = self.judge(Site(node, scope, place), table.start + position, table.end)
                cell = (*place, position)
                truth[cell], size[cell] = judged.truth, judged.size + 1
        bound = int(size.max(initial=1))
        return Sizes(truth, size if bound >= ROOM else size.astype(np.int64), bound)
