"""What truth values can be: the algebra that operators are defined over, and truth vectors.

An operator says once what it is worth over any :class:`Algebra`
(:meth:`~eai.logic.tree.Formula.combine`). Truth vectors (:class:`Timeline`) evaluate formulas,
functions of what is still to come (:mod:`eai.logic.progression`) make automata and monitors, and
Python expressions (:mod:`eai.logic.code`) compile them.

A truth vector is one integer: bit 0 is the *last* position, so that time runs from high bits to
low ones. Then ``f until g`` is a carry chain: bit k of the sum of ``f | g`` and ``g`` receives a
carry exactly if the until holds one position later, because a carry is made where ``g`` is true
and passed on where ``f`` is. Operators that look back do the same on mirrored vectors. Every
operator costs a few passes over the integer, whatever the formula says.

Whether objects can be paired off: a maximum matching at every position where one is needed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, Literal, TypeVar

from eai.errors import InputError

Pair = tuple[str, str]


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


def _can_pair(edges: Sequence[Pair], number: int) -> bool:
    """Whether so many of the pairs have no object in common."""
    if min(len({first for first, _ in edges}), len({second for _, second in edges})) < number:
        return False
    # Taking pairs as they come is mostly enough, and saves loading a library for graphs.
    used: set[str] = set()
    for pair in edges:
        if used.isdisjoint(pair):
            used.update(pair)
    if len(used) >= 2 * number:
        return True
    import networkx as nx

    return len(nx.max_weight_matching(nx.Graph(edges), maxcardinality=True)) >= number


V = TypeVar("V")
Counting = Literal["exactly", "at least", "at most"]
"""How a counting quantifier compares the number of objects with its own number."""


class Algebra(ABC, Generic[V]):
    """Truth values of some kind, and what operators are made of."""

    true: V
    false: V

    @abstractmethod
    def negation(self, value: V) -> V:
        """Where a value is false."""

    @abstractmethod
    def all_of(self, values: Iterable[V]) -> V:
        """Where all values are true."""

    @abstractmethod
    def any_of(self, values: Iterable[V]) -> V:
        """Where some value is true."""

    @abstractmethod
    def differ(self, left: V, right: V) -> V:
        """Where two values differ."""

    # What has no numbers of things, or no order of time, leaves these out.

    def count(self, number: int, comparison: Counting, values: Sequence[V]) -> V:
        """Where exactly, at least or at most so many of the values are true."""
        raise InputError("objects cannot be counted here")

    def paired(self, values: Mapping[tuple[str, str], V], number: int) -> V:
        """Where so many pairs without a common object are true."""
        raise InputError("objects cannot be paired off here")

    def next(self, value: V, *, weak: bool) -> V:
        """The value at the next position; ``weak`` if there is none."""
        raise InputError("operators of linear temporal logic need a timeline")

    def lasting(self, keep: V, meet: V, *, weak: bool) -> V:
        """The fixed point "``meet``, or ``keep`` and the same at the next position".

        Args:
            keep: What has to be true until then.
            meet: What has to become true.
            weak: Whether it need not, if ``keep`` is true to the end.
        """
        return self.next(meet, weak=weak)

    def previous(self, value: V, *, weak: bool) -> V:
        """The value at the previous position; ``weak`` if there is none."""
        return self.next(value, weak=weak)

    def looking_back(self, keep: V, meet: V, *, weak: bool) -> V:
        """The fixed point "``meet``, or ``keep`` and the same at the previous position"."""
        return self.next(meet, weak=weak)


class Bits(Algebra[int]):
    """Truth at some places, one bit each."""

    false = 0

    def __init__(self, full: int) -> None:
        self.full = self.true = full

    def negation(self, value: int) -> int:
        return self.full ^ value

    def all_of(self, values: Iterable[int]) -> int:
        found = self.full
        for value in values:
            found &= value
        return found

    def any_of(self, values: Iterable[int]) -> int:
        found = 0
        for value in values:
            found |= value
        return found

    def differ(self, left: int, right: int) -> int:
        return left ^ right

    def count(self, number: int, comparison: Counting, values: Sequence[int]) -> int:
        """The values are added up digit by digit: digit i of all sums is one integer."""
        digits: list[int] = []
        for carry in values:
            for i, digit in enumerate(digits):
                if not carry:
                    break
                digits[i], carry = digit ^ carry, digit & carry  # noqa: PLW2901
            if carry:
                digits.append(carry)
        if comparison == "at least":
            return self._at_least(number, digits)
        if comparison == "at most":
            return self.full ^ self._at_least(number + 1, digits)
        if not 0 <= number < 1 << len(digits):
            return 0
        found = self.full
        for i, digit in enumerate(digits):
            found &= digit if number >> i & 1 else ~digit
        return found

    def _at_least(self, number: int, digits: Sequence[int]) -> int:
        if number <= 0:
            return self.full
        if number >= 1 << len(digits):
            return 0
        more, same = 0, self.full
        for i in reversed(range(len(digits))):
            if number >> i & 1:
                same &= digits[i]
            else:
                more |= same & digits[i]
                same &= ~digits[i]
        return more | same

    def paired(self, values: Mapping[Pair, int], number: int) -> int:
        """A maximum matching wherever one is needed."""
        if number <= 0:
            return self.full
        possible = {pair: value for pair, value in values.items() if value}
        found = 0
        for stretch in _stretches(possible.values(), self.full):
            some = stretch & -stretch
            if _can_pair([pair for pair, value in possible.items() if value & some], number):
                found |= stretch
        return found


class Timeline(Bits):
    """The positions of one trajectory.

    Raises:
        InputError: If there is no position.
    """

    def __init__(self, size: int) -> None:
        if size < 1:
            raise InputError(
                "a trajectory without positions has no truth values",
                expected="at least one position: the empty plan has one",
            )
        self.size = size
        self.first = 1 << size - 1
        super().__init__((1 << size) - 1)

    def next(self, value: int, *, weak: bool) -> int:
        return (value << 1 | weak) & self.full

    def lasting(self, keep: int, meet: int, *, weak: bool) -> int:
        """A carry chain, which begins with a carry if it is weak."""
        either = keep | meet
        return (either + meet + weak ^ either ^ meet) >> 1

    def previous(self, value: int, *, weak: bool) -> int:
        return value >> 1 | (self.first if weak else 0)

    def looking_back(self, keep: int, meet: int, *, weak: bool) -> int:
        """A carry chain on mirrored vectors; "once" and "historically" are simpler."""
        if keep == self.full and not weak:
            return (1 << meet.bit_length()) - 1
        if not meet and weak:
            wrong = (self.full ^ keep).bit_length()
            return self.full >> wrong << wrong
        size = self.size
        found = self.lasting(mirror(keep, size), mirror(meet, size), weak=weak)
        return mirror(found, size)


_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def mirror(vector: int, size: int) -> int:
    """Return a vector of so many bits in the opposite order."""
    width = size + 7 >> 3
    turned = vector.to_bytes(width, "little").translate(_MIRRORED)
    return int.from_bytes(turned, "big") >> (width << 3) - size


def bits_at(locations: Iterable[int], size: int) -> int:
    """Return the integer of ``size`` bits with ones at the given places."""
    found = bytearray((size + 7) // 8)
    for place in locations:
        found[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(found, "little")


def lowest(bits: int) -> int:
    """Return the number of the lowest bit that is set; -1 if none is."""
    return (bits & -bits).bit_length() - 1
