"""From sizes to proofs: the premises of a judgement are those of the smallest proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from eai.logic.formula import (
    LINEAR,
    Always,
    Eventually,
    Exists,
    Forall,
    Formula,
    Historically,
    Next,
    Once,
    Previous,
    Release,
    Since,
    StrongRelease,
    Then,
    Trigger,
    Until,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    children,
    has_linear,
    has_then,
)
from eai.logic.proofs.arrays import Array
from eai.logic.proofs.choices import Judged, kept, path
from eai.logic.proofs.nodes import Bound, Proof
from eai.logic.proofs.parts import Parts
from eai.logic.proofs.tables import Site
from eai.logic.trace import Trajectory

__all__ = ["ProofSearch"]

_Row = tuple[Array, Array]
_Window = tuple[int, int]
_Step = tuple[int, int]
"""Number of an operand, and how many positions on from here."""


class ProofSearch:
    """Makes smallest proofs about one trajectory.

    Args:
        trajectory: The trajectory; it must not change meanwhile.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self.parts = Parts(trajectory)
        self._proofs: dict[tuple[object, ...], Proof] = {}

    def at(self, formula: Formula, position: int) -> Proof:
        """Prove a formula true or false at a position of the trajectory."""
        return self._at(Site(formula), (0, self.parts.length), position)

    def whole(self, formula: Formula) -> Proof:
        """Prove that a formula holds on the whole trajectory, or fails, as goals are read."""
        return self._part(Site(formula), (0, self.parts.length))

    def _at(self, site: Site, window: _Window, position: int) -> Proof:
        truth, size = self.parts.row(site, *window)
        place = position - window[0]
        judged = Judged(bool(truth[place]), int(size[place]))
        return self._proof(site, window, position, judged, self._premises_at)

    def _part(self, site: Site, window: _Window) -> Proof:
        judged = self.parts.judge(site, *window)
        return self._proof(site, window, None, judged, self._premises_on)

    def _proof(
        self,
        site: Site,
        window: _Window,
        position: int | None,
        judged: Judged,
        premises: Callable[..., Sequence[Proof]],
    ) -> Proof:
        key = (id(site.node), site.scope, site.place, window, position)
        found = self._proofs.get(key)
        if found is None:
            found = self._proofs[key] = Proof(
                site.node,
                judged.truth,
                start=window[0],
                end=window[1],
                position=position,
                binding=self._bound(site),
                size=judged.size,
                premises=lambda: tuple(premises(site, window, position)),
            )
        return found

    def _bound(self, site: Site) -> Bound:
        objects = self.parts.table(0, self.parts.length).objects
        return tuple(
            (variable.name, objects(variable)[number])
            for variable, number in zip(site.scope, site.place, strict=True)
        )

    def _premises_at(self, site: Site, window: _Window, position: int) -> Sequence[Proof]:
        node = site.node
        if isinstance(node, Then):
            return [self._part(site, (position, window[1]))]
        if isinstance(node, LINEAR):
            operands = [Site(child, site.scope, site.place) for child in children(node)]
            return [
                self._at(operands[number], window, position + distance)
                for number, distance in self._steps(node, operands, window, position)
            ]
        if isinstance(node, (Forall, Exists)):
            decided = self.parts.instances_at(site, position, *window)
            return [self._at(each, window, position) for each in decided]
        instances = self.parts.instances(site)
        judged = []
        for each in instances:
            truth, size = self.parts.row(each, *window)
            judged.append(Judged(bool(truth[position - window[0]]), size[position - window[0]]))
        return [self._at(instances[i], window, position) for i in self._chosen(node, judged)]

    def _steps(
        self, node: Formula, operands: Sequence[Site], window: _Window, position: int
    ) -> list[_Step]:
        """Which operands are needed where, for an operator of linear temporal logic."""
        here = position - window[0]
        rows = [self.parts.row(each, *window) for each in operands]
        back = isinstance(node, tuple(_MIRRORED))
        kind = _MIRRORED[type(node)] if back else type(node)
        turn = slice(here, None, -1) if back else slice(here, None)
        steps = _STEPS[kind]([(truth[turn], size[turn]) for truth, size in rows]) if rows else []
        return [(number, -distance if back else distance) for number, distance in steps]

    def _premises_on(self, site: Site, window: _Window, _position: None) -> Sequence[Proof]:
        node = site.node
        if isinstance(node, LINEAR) or not has_then(node):
            return self._premises_without_then(site, window)
        if isinstance(node, Then):
            chain = self.parts.chain(site, *window)
            return [
                self._part(site._replace(node=link), (start, end))
                for link, start, end in chain.premises
            ]
        instances = self.parts.instances(site)
        judged = [self.parts.judge(each, *window) for each in instances]
        return [self._part(instances[i], window) for i in self._chosen(node, judged)]

    def _chosen(self, node: Formula, judged: Sequence[Judged]) -> Sequence[int]:
        return self.parts.chosen(node, judged)[1] if children(node) else ()

    def _premises_without_then(self, site: Site, window: _Window) -> Sequence[Proof]:
        start, end = window
        if start == end:
            return []
        if has_linear(site.node):
            return [self._at(site, window, start)]
        _, places = kept(*self.parts.states(site, start, end), every=False)
        return [self._at(site, (0, self.parts.length), start + place) for place in places]


def _all_or_one(rows: Sequence[_Row], *, every: bool) -> list[_Step]:
    return [(0, place) for place in kept(*rows[0], every=every)[1]]


def _beside(rows: Sequence[_Row]) -> list[_Step]:
    return [(0, 1)] if len(rows[0][0]) > 1 else []


def _until(rows: Sequence[_Row], *, end: bool) -> list[_Step]:
    """Along the way to the goal; or to a position where there is neither, if there is no way."""
    (way, passing), (goal, stopping) = rows
    found = path(way, passing, goal, stopping, end=end)
    if found is not None:
        reached = [(1, found)] if found < len(way) else []
        return [*((0, place) for place in range(found)), *reached]
    return _kept_until(~goal, stopping, ~way, passing, end=not end, numbers=(1, 0))


def _release(rows: Sequence[_Row], *, end: bool) -> list[_Step]:
    (freed, freeing), (held, holding) = rows
    if _is_kept(held, freed, end=end):
        return _kept_until(held, holding, freed, freeing, end=end, numbers=(1, 0))
    found = path(~freed, freeing, ~held, holding, end=not end)
    assert found is not None  # noqa: S101 - one of the two is the case
    lost = [(1, found)] if found < len(held) else []
    return [*((0, place) for place in range(found)), *lost]


def _is_kept(held: Array, freed: Array, *, end: bool) -> bool:
    lost = np.flatnonzero(~held)
    length = int(lost[0]) if len(lost) else len(held)
    return bool(freed[:length].any()) or (end and not len(lost))


def _kept_until(
    held: Array,
    holding: Array,
    freed: Array,
    freeing: Array,
    *,
    end: bool,
    numbers: tuple[int, int],
) -> list[_Step]:
    """One operand up to and including where the other one frees it, or to the end."""
    found = path(held, holding, held & freed, holding + freeing, end=end)
    assert found is not None  # noqa: S101 - the callers have asked
    if found == len(held):
        return [(numbers[0], place) for place in range(found)]
    return [*((numbers[0], place) for place in range(found + 1)), (numbers[1], found)]


_STEPS: dict[type[Formula], Callable[[Sequence[_Row]], list[_Step]]] = {
    Next: _beside,
    WeakNext: _beside,
    Eventually: lambda rows: _all_or_one(rows, every=False),
    Always: lambda rows: _all_or_one(rows, every=True),
    Until: lambda rows: _until(rows, end=False),
    WeakUntil: lambda rows: _until(rows, end=True),
    Release: lambda rows: _release(rows, end=True),
    StrongRelease: lambda rows: _release(rows, end=False),
}
_MIRRORED: dict[type[Formula], type[Formula]] = {
    Previous: Next,
    WeakPrevious: WeakNext,
    Once: Eventually,
    Historically: Always,
    Since: Until,
    Trigger: Release,
}
