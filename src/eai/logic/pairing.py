"""Whether objects can be paired off: a maximum matching at every position where one is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

Pair = tuple[str, str]


def paired(vectors: Mapping[Pair, int], *, number: int, full: int) -> int:
    """Return the positions at which so many pairs can be formed.

    Args:
        vectors: For a pair of different objects, where it is a pair.
        number: How many pairs are needed.
        full: The vector of all positions.
    """
    if number <= 0:
        return full
    possible = {pair: vector for pair, vector in vectors.items() if vector}
    found = 0
    for stretch in _stretches(possible.values(), full):
        some = stretch & -stretch
        edges = [pair for pair, vector in possible.items() if vector & some]
        if len(edges) >= number and _largest(edges) >= number:
            found |= stretch
    return found


def _stretches(vectors: Iterable[int], full: int) -> Iterator[int]:
    """Split the positions into consecutive ones at which every vector keeps its value."""
    changes = 0
    for vector in vectors:
        changes |= vector ^ vector >> 1
    rest, changes = full, changes & full >> 1
    while rest:
        # A change at bit i separates it from bit i + 1.
        cut = (changes & -changes) << 1 if changes else full + 1
        stretch = rest & (cut - 1)
        yield stretch
        rest ^= stretch
        changes &= changes - 1


def _largest(edges: Sequence[Pair]) -> int:
    """Size of a largest set of pairs that have no object in common."""
    neighbours: dict[str, list[str]] = {}
    for first, second in edges:
        neighbours.setdefault(first, []).append(second)
        neighbours.setdefault(second, []).append(first)
    matching = _Matching(neighbours)
    return sum(matching.augment(root) for root in neighbours)


class _Matching:
    """A matching in any graph, made larger by augmenting paths.

    The search is breadth first; a cycle of odd length is shrunk to its base (Edmonds 1965).

    Args:
        neighbours: The objects that each object can be paired with.
    """

    def __init__(self, neighbours: Mapping[str, Sequence[str]]) -> None:
        self.neighbours = neighbours
        self.partner: dict[str, str] = {}

    def augment(self, root: str) -> bool:
        """Pair one more object off, if a path from the root allows it."""
        if root in self.partner:
            return False
        self.base = {name: name for name in self.neighbours}
        self.parent: dict[str, str] = {}
        reached = {root}
        queue = [root]
        for here in queue:
            for there in self.neighbours[here]:
                if self.base[here] == self.base[there] or self.partner.get(here) == there:
                    continue
                if there == root or self.partner.get(there) in self.parent:
                    for name in self._shrink(here, there):
                        if name not in reached:
                            reached.add(name)
                            queue.append(name)
                elif there not in self.parent:
                    self.parent[there] = here
                    if there not in self.partner:
                        self._flip(there)
                        return True
                    reached.add(self.partner[there])
                    queue.append(self.partner[there])
        return False

    def _shrink(self, left: str, right: str) -> list[str]:
        """Give all objects of the odd cycle that an edge closes one base; return them."""
        common = self._meet(left, right)
        inside: set[str] = set()
        for end, other in ((left, right), (right, left)):
            here, child = end, other
            while self.base[here] != common:
                mate = self.partner[here]
                inside |= {self.base[here], self.base[mate]}
                self.parent[here] = child
                child, here = mate, self.parent[mate]
        names = [name for name in self.neighbours if self.base[name] in inside]
        for name in names:
            self.base[name] = common
        return names

    def _meet(self, left: str, right: str) -> str:
        """The base where the ways from two objects to the root meet."""
        seen: set[str] = set()
        here: str | None = left
        while here is not None:
            here = self.base[here]
            seen.add(here)
            mate = self.partner.get(here)
            here = None if mate is None else self.parent[mate]
        there = self.base[right]
        while there not in seen:
            there = self.base[self.parent[self.partner[there]]]
        return there

    def _flip(self, end: str) -> None:
        """Exchange what is paired and what is not along the path that was found."""
        here: str | None = end
        while here is not None:
            before = self.parent[here]
            following = self.partner.get(before)
            self.partner[here], self.partner[before] = before, here
            here = following
