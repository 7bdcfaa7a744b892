"""The algebras of truth values that operators are defined over, and truth vectors.

An operator defines its value once, for any :class:`Algebra`
(:meth:`~eai.logic.tree.Formula.combine`). Truth vectors (:class:`Timeline`) evaluate formulas,
functions of future positions (:mod:`eai.logic.progression`) make automata and monitors, and
Python expressions (:mod:`eai.logic.code`) compile them.

A truth vector is one integer: bit 0 is the *last* position, so that time runs from high bits to
low ones. Then ``f until g`` is a carry chain: bit k of the sum of ``f | g`` and ``g`` receives a
carry exactly if the until holds one position later, because a carry is made where ``g`` is true
and passed on where ``f`` is. Operators that look back do the same on reversed vectors. Every
operator takes a constant number of passes over the integer.

Objects are paired off by a maximum matching, once for each stretch of positions at which the
same pairs are possible.

Examples:
    Four positions; ``f`` is true at the first two, ``g`` at the third only. Bit 3 is the first.

    >>> line = Timeline(4)
    >>> f, g = 0b1100, 0b0010
    >>> f"{line.lasting(f, g, weak=False):04b}"  # f until g
    '1110'
    >>> f"{line.looking_back(f, g, weak=False):04b}"  # f since g
    '0010'
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, Literal, TypeVar

from eai.errors import InputError

Pair = tuple[str, str]
"""Names of two objects."""


def _constant_stretches(vectors: Iterable[int], all_positions: int) -> Iterator[int]:
    """Yield the maximal runs of positions on which every vector is constant, as masks.

    For the vectors ``0011`` and ``0111`` these are ``0011``, ``0100`` and ``1000``.

    Args:
        vectors: Truth values at positions: bit i is position i.
        all_positions: The mask of all positions.
    """
    # Bit i is set if some vector differs between the positions i and i + 1.
    change_bits = 0
    for vector in vectors:
        change_bits |= vector ^ vector >> 1
    change_bits &= all_positions >> 1  # the highest bit has no neighbour to differ from
    # Stretches are cut off from the low end, at one change after the other.
    remaining = all_positions
    while remaining:
        stretch_limit = all_positions + 1
        if change_bits:
            lowest_change = change_bits & -change_bits
            stretch_limit = lowest_change << 1
        stretch = remaining & (stretch_limit - 1)
        yield stretch
        remaining ^= stretch
        change_bits &= change_bits - 1  # without the lowest change


def _has_matching(edges: Sequence[Pair], pair_count: int) -> bool:
    """Return whether ``pair_count`` of the pairs are pairwise disjoint.

    That is, whether the graph of the pairs has a matching of this size.
    """
    left_objects = {first for first, _ in edges}
    right_objects = {second for _, second in edges}
    if len(left_objects) < pair_count or len(right_objects) < pair_count:
        return False
    # A greedy matching is mostly large enough, and saves loading a library for graphs.
    matched_objects: set[str] = set()
    for pair in edges:
        if matched_objects.isdisjoint(pair):
            matched_objects.update(pair)
    if len(matched_objects) >= 2 * pair_count:
        return True
    # A larger matching may exist where the greedy one stopped: only this decides.
    import networkx as nx

    return len(nx.max_weight_matching(nx.Graph(edges), maxcardinality=True)) >= pair_count


V = TypeVar("V")
Counting = Literal["exactly", "at least", "at most"]
"""How a counting quantifier compares the number of objects with its own number."""


class Algebra(ABC, Generic[V]):
    """Truth values of some kind, with the operations that logical operators are made of.

    Propositional operations are abstract. An algebra without numbers of objects, or without an
    order of time, leaves out the others, which then raise InputError.
    """

    true: V
    false: V

    @abstractmethod
    def negation(self, value: V) -> V:
        """Return the negation of a value."""

    @abstractmethod
    def all_of(self, values: Iterable[V]) -> V:
        """Return the conjunction of the values."""

    @abstractmethod
    def any_of(self, values: Iterable[V]) -> V:
        """Return the disjunction of the values."""

    @abstractmethod
    def differ(self, left: V, right: V) -> V:
        """Return the exclusive disjunction of two values."""

    def count(self, threshold: int, comparison: Counting, values: Sequence[V]) -> V:
        """Return where exactly, at least or at most ``threshold`` of the values are true."""
        raise InputError("objects cannot be counted here")

    def paired(self, values: Mapping[tuple[str, str], V], pair_count: int) -> V:
        """Return where ``pair_count`` pairs without a common object are true."""
        raise InputError("objects cannot be paired off here")

    def next(self, value: V, *, weak: bool) -> V:
        """Return the value at the next position; ``weak`` if there is none."""
        raise InputError("operators of linear temporal logic need a timeline")

    def lasting(self, keep: V, meet: V, *, weak: bool) -> V:
        """Return the fixed point of "``meet``, or ``keep`` and the same at the next position".

        Args:
            keep: The condition that has to be true until ``meet`` is.
            meet: The condition that has to become true.
            weak: Whether ``meet`` need not become true, if ``keep`` is true to the end.
        """
        # An algebra without a timeline refuses this and the two below by way of ``next``.
        return self.next(meet, weak=weak)

    def previous(self, value: V, *, weak: bool) -> V:
        """Return the value at the previous position; ``weak`` if there is none."""
        return self.next(value, weak=weak)

    def looking_back(self, keep: V, meet: V, *, weak: bool) -> V:
        """Return the fixed point "``meet``, or ``keep`` and the same at the previous position"."""
        return self.next(meet, weak=weak)


class Bits(Algebra[int]):
    """Sets of positions (or of cuts), one bit each, as Python integers."""

    false = 0

    def __init__(self, full: int) -> None:
        self.full = self.true = full

    def negation(self, value: int) -> int:
        return self.full ^ value

    def all_of(self, values: Iterable[int]) -> int:
        conjunction = self.full
        for value in values:
            conjunction &= value
        return conjunction

    def any_of(self, values: Iterable[int]) -> int:
        disjunction = 0
        for value in values:
            disjunction |= value
        return disjunction

    def differ(self, left: int, right: int) -> int:
        return left ^ right

    def count(self, threshold: int, comparison: Counting, values: Sequence[int]) -> int:
        """Return where the number of true values is exactly, at least or at most a threshold.

        All positions are computed at once.

        Bit p of ``digits[i]`` is binary digit i of the sum at position p.
        """
        digits: list[int] = []
        for carry in values:
            # Binary addition of one bit at every position; most carries end early.
            for digit_index, digit in enumerate(digits):
                if not carry:
                    break
                digits[digit_index], carry = digit ^ carry, digit & carry  # noqa: PLW2901
            if carry:
                digits.append(carry)
        if comparison == "at least":
            return self._at_least(threshold, digits)
        if comparison == "at most":
            return self.full ^ self._at_least(threshold + 1, digits)
        # A threshold with more digits than the largest sum has is never reached.
        if not 0 <= threshold < 1 << len(digits):
            return 0
        # "Exactly": all binary digits of the sum have to agree with the threshold.
        equal_positions = self.full
        for digit_index, digit in enumerate(digits):
            if threshold >> digit_index & 1:
                equal_positions &= digit
            else:
                equal_positions &= ~digit
        return equal_positions

    def _at_least(self, threshold: int, digits: Sequence[int]) -> int:
        """Return where a sum, given by its binary digits, is at least a threshold.

        All positions are compared at once, as in a comparator of hardware.

        Args:
            threshold: The number that the sum is compared with.
            digits: For each binary digit of the sum, lowest first, where it is 1.
        """
        if threshold <= 0:
            return self.full
        if threshold >= 1 << len(digits):
            return 0
        # Compare from the highest digit down: the sum is greater where it has a 1 and the
        # threshold a 0, as long as all higher digits are equal.
        greater_positions = 0
        equal_positions = self.full
        for digit_index in reversed(range(len(digits))):
            if threshold >> digit_index & 1:
                equal_positions &= digits[digit_index]
            else:
                greater_positions |= equal_positions & digits[digit_index]
                equal_positions &= ~digits[digit_index]
        return greater_positions | equal_positions

    def paired(self, values: Mapping[Pair, int], pair_count: int) -> int:
        """Return where a matching of ``pair_count`` pairs exists; one test for each stretch.

        Args:
            values: For each pair of objects, where it can be formed.
            pair_count: The number of pairs.
        """
        if pair_count <= 0:
            return self.full
        possible_pairs = {pair: value for pair, value in values.items() if value}
        positions = 0
        for stretch in _constant_stretches(possible_pairs.values(), self.full):
            # The same pairs are possible all along the stretch, so one position stands for it.
            sample_bit = stretch & -stretch
            edges = [pair for pair, value in possible_pairs.items() if value & sample_bit]
            if _has_matching(edges, pair_count):
                positions |= stretch
        return positions


class Timeline(Bits):
    """The positions of one trajectory.

    Raises:
        InputError: If there is no position.
    """

    def __init__(self, size: int) -> None:
        """Set the number of positions, which must be at least one."""
        if size < 1:
            raise InputError(
                "a trajectory without positions has no truth values",
                expected="at least one position: the empty plan has one",
            )
        self.size = size
        self.first = 1 << size - 1
        super().__init__((1 << size) - 1)

    def next(self, value: int, *, weak: bool) -> int:
        # Bit 0 is the last position, so values beyond it enter at the low end.
        return (value << 1 | weak) & self.full

    def lasting(self, keep: int, meet: int, *, weak: bool) -> int:
        """Return the until as a carry chain (see the module), with a carry in if it is weak."""
        either = keep | meet
        # The sum differs from the sum without carries exactly where a carry came in.
        return (either + meet + weak ^ either ^ meet) >> 1

    def previous(self, value: int, *, weak: bool) -> int:
        if weak:
            return value >> 1 | self.first
        return value >> 1

    def looking_back(self, keep: int, meet: int, *, weak: bool) -> int:
        """Return where ``meet`` was true, and ``keep`` at all positions since then.

        In a reversed vector time runs backwards, so "since" becomes "until".

        Args:
            keep: The left operand of "since", as a bit vector over the positions.
            meet: Its right operand, as a bit vector.
            weak: Whether it is enough that ``keep`` was true at all positions so far.
        """
        if keep == self.full and not weak:
            # Once: every position from the first fulfilled one on.
            return (1 << meet.bit_length()) - 1
        if not meet and weak:
            # Historically: every position before the first violated one.
            violated = (self.full ^ keep).bit_length()
            return self.full >> violated << violated
        size = self.size
        since = self.lasting(reverse_bits(keep, size), reverse_bits(meet, size), weak=weak)
        return reverse_bits(since, size)


_REVERSED_BYTES = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
"""Each byte with its bits in the opposite order."""


def reverse_bits(vector: int, size: int) -> int:
    """Return a vector of ``size`` bits in the opposite order.

    Examples:
        >>> bin(reverse_bits(0b0011, 4))
        '0b1100'
    """
    width = size + 7 >> 3
    # Bits are reversed within each byte by a table, bytes by the opposite byte order.
    reversed_bytes = vector.to_bytes(width, "little").translate(_REVERSED_BYTES)
    return int.from_bytes(reversed_bytes, "big") >> (width << 3) - size


def bits_at(positions: Iterable[int], size: int) -> int:
    """Return the integer of ``size`` bits with ones at the given positions.

    Examples:
        >>> bin(bits_at([0, 3], 4))
        '0b1001'
    """
    # Setting bits of an integer one by one would copy it each time.
    octets = bytearray((size + 7) // 8)
    for position in positions:
        octets[position >> 3] |= 1 << (position & 7)
    return int.from_bytes(octets, "little")


def lowest_bit(bits: int) -> int:
    """Return the index of the lowest bit that is set; -1 if none is."""
    return (bits & -bits).bit_length() - 1
