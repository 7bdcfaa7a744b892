"""Smallest proofs about ``then``: a cut that will do, or why there is none.

The rules, for links f1, ..., fk on the positions ``start`` to ``end``:

- it *holds*: consecutive pieces, on which the links hold in order;
- it *fails*, and all links are lasting (they cannot be lost by making a piece longer): some of the
  links in order, each of which fails on a piece; the first piece begins at ``start``, every other
  one after a position that is left out after the piece before, and the last one ends at ``end``. A
  link that fails on its piece cannot be reached before the position that is left out, and what
  comes later not earlier;
- it *fails*, otherwise: for every cut, that the first link fails before it, or the rest after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from eai.logic.formula import (
    Formula,
    Then,
    has_then,
    is_temporal,
)
from eai.logic.proofs.arrays import Array
from eai.logic.proofs.choices import Judged
from eai.logic.proofs.tables import Site
from eai.logic.traits import is_lasting

__all__ = ["Chain", "Judge", "Links", "links_of"]

_NEVER = float("inf")
_Costs = list[Any]
_Premise = tuple[Formula, int, int]


class Judge(Protocol):
    """What judges the links of a chain."""

    def judge(self, site: Site, start: int, end: int) -> Judged:
        """Return whether a formula holds on a part, and the size of the smallest proof."""
        ...

    def states(self, site: Site, start: int, end: int) -> tuple[Array, Array]:
        """Return truth and sizes of a state formula at the positions of a part."""
        ...


@dataclass(frozen=True, slots=True)
class Links:
    """The links of a chain.

    Args:
        parts: The links, none of which is a chain.
        lasting: Whether all of them are lasting.
        rest: The chain without its first link (the last link itself, if one is left).
    """

    parts: tuple[Formula, ...]
    lasting: bool
    rest: Formula | None


def links_of(chain: Then) -> Links:
    """Return the links of a chain; chains inside it are flattened, which means the same."""
    parts: list[Formula] = []
    pending: list[Formula] = [chain]
    while pending:
        node = pending.pop()
        if isinstance(node, Then):
            pending += reversed(node.operands)
        else:
            parts.append(node)
    rest = None
    if len(parts) > 1:
        rest = parts[1] if len(parts) == 2 else Then(tuple(parts[1:]))
    return Links(tuple(parts), all(map(is_lasting, parts)), rest)


class Chain:
    """A chain on one part.

    Args:
        parts: Judges the links.
        links: The links.
        site: Where the chain stands.
        start: First position of the part.
        end: Position after the last one.
    """

    def __init__(self, parts: Judge, links: Links, site: Site, start: int, end: int) -> None:
        self._parts = parts
        self._sites = [site._replace(node=link) for link in links.parts]
        self.links = links
        self.start, self.end = start, end
        self.premises: list[_Premise]
        stages = self._cut()
        self.holds = stages[-1][-1] != _NEVER
        if self.holds:
            self.premises = self._pieces(stages)
            cost = int(stages[-1][-1])
        elif links.lasting and links.parts:
            cost = self._segments()
        else:
            cost = self._every_cut(site)
        self.judged = Judged(self.holds, 1 + cost)

    def _cut(self) -> list[_Costs]:
        """For every link and every end, the cost of the cheapest way to get there."""
        before: _Costs = [_NEVER] * (self.end - self.start + 1)
        before[0] = 0
        stages = [before]
        for site in self._sites:
            before = self._forward(site, before)
            stages.append(before)
        return stages

    def _forward(self, site: Site, before: _Costs) -> _Costs:
        if is_temporal(site.node):
            return [
                min(
                    (
                        cost + judged.size
                        for begin, cost in enumerate(before[: stop + 1])
                        if cost != _NEVER and (judged := self._judge(site, begin, stop)).truth
                    ),
                    default=_NEVER,
                )
                for stop in range(len(before))
            ]
        found: _Costs = [_NEVER]
        cheapest = best = _NEVER
        for cost, (true, size) in zip(before, self._states(site), strict=False):
            cheapest = min(cheapest, cost)
            if true:
                best = min(best, cheapest + size + 1)
            found.append(best)
        return found

    def _pieces(self, stages: list[_Costs]) -> list[_Premise]:
        found = []
        stop = self.end - self.start
        for number in reversed(range(len(self._sites))):
            begin = self._begin(number, stages, stop, stop)
            found.append((self._sites[number].node, self.start + begin, self.start + stop))
            stop = begin
        return found[::-1]

    def _begin(self, number: int, stages: list[_Costs], entry: int, stop: int) -> int:
        """The first position from which a link leads to an entry of its stage at its cost."""
        before, cost = stages[number], stages[number + 1][entry]
        return min(
            begin
            for begin, size in self._backward(self._sites[number], stop)
            if before[begin] + size == cost
        )

    def _backward(self, site: Site, stop: int) -> Iterator[tuple[int, int]]:
        """Yield where pieces up to ``stop`` may begin, and the size of what is proved on them."""
        if is_temporal(site.node):
            for begin in range(stop + 1):
                judged = self._judge(site, begin, stop)
                if judged.truth == self.holds:
                    yield begin, judged.size
            return
        if not self.holds:
            yield stop, 1
        size = 0
        for begin, (true, cost) in reversed(list(enumerate(self._states(site)[:stop]))):
            if self.holds:
                size = min(size or cost, cost) if true else size
            elif true:
                return
            else:
                size += cost
            if size:
                yield begin, size + 1

    def _segments(self) -> int:
        """The cheapest links that fail on pieces with one position left out between them.

        Entry v of a stage is the cost of a proof that the links so far cannot end at
        ``start + v - 1`` or before.
        """
        before: _Costs = [_NEVER] * (self.end - self.start + 2)
        before[0] = 0
        stages = [before]
        for site in self._sites:
            before = self._failing(site, before)
            stages.append(before)
        self.premises = self._failures(stages)
        return int(before[-1])

    def _failing(self, site: Site, before: _Costs) -> _Costs:
        found = before[:1]
        if has_then(site.node):
            for stop in range(len(before) - 1):
                options = [
                    before[begin] + judged.size
                    for begin in range(stop + 1)
                    if before[begin] != _NEVER
                    and not (judged := self._judge(site, begin, stop)).truth
                ]
                found.append(min([before[stop + 1], *options]))
            return found
        best = before[0]
        found.append(min(before[1], best + 1))
        for place, (true, size) in enumerate(self._states(site), 1):
            best = min(_NEVER if true else best + size, before[place])
            found.append(min(before[place + 1], best + 1))
        return found

    def _failures(self, stages: list[_Costs]) -> list[_Premise]:
        found = []
        entry = len(stages[0]) - 1
        for number in reversed(range(len(self._sites))):
            if stages[number][entry] == stages[number + 1][entry]:
                continue
            begin = self._begin(number, stages, entry, entry - 1)
            found.append((self._sites[number].node, self.start + begin, self.start + entry - 1))
            entry = begin
        return found[::-1]

    def _every_cut(self, site: Site) -> int:
        """For every cut the cheaper failure, before it or after it."""
        self.premises = []
        if not self.links.parts:
            return 0
        if self.links.rest is None:
            self.premises.append((self.links.parts[0], self.start, self.end))
            return self._parts.judge(self._sites[0], self.start, self.end).size
        rest = site._replace(node=self.links.rest)
        cost = 0
        for cut in range(self.start, self.end + 1):
            options = [
                (judged.size, (part.node, start, end))
                for part, start, end in (
                    (self._sites[0], self.start, cut),
                    (rest, cut, self.end),
                )
                if not (judged := self._parts.judge(part, start, end)).truth
            ]
            size, premise = min(options, key=lambda option: option[0])
            cost += size
            self.premises.append(premise)
        return cost

    def _judge(self, site: Site, begin: int, stop: int) -> Judged:
        return self._parts.judge(site, self.start + begin, self.start + stop)

    def _states(self, site: Site) -> list[tuple[bool, int]]:
        """Truth and size of a state formula at the positions of the part."""
        truth, size = self._parts.states(site, self.start, self.end)
        return list(zip(truth.tolist(), size.tolist(), strict=True))
