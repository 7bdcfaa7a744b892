"""The operators of linear temporal logic on truth vectors with time reversed.

A truth vector is one integer: bit 0 is the *last* position, so that time runs from high bits to
low ones. Then ``f until g`` is a carry chain: bit k of the sum of ``f | g`` and ``g`` receives a
carry exactly if the until holds one position later, because a carry is made where ``g`` is true
and passed on where ``f`` is. Operators that look back do the same on mirrored vectors. Every
operator costs a few passes over the integer, whatever the formula says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from eai.errors import InputError
from eai.logic.nodes import Comparison

__all__ = ["Timeline", "Timelines", "bits_at", "counted", "lowest", "mirror"]

_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def mirror(vector: int, size: int) -> int:
    """Return a vector with its bits in the opposite order.

    Args:
        vector: A vector of ``size`` bits.
        size: Number of bits; bit i changes places with bit ``size - 1 - i``.
    """
    width = size + 7 >> 3
    turned = vector.to_bytes(width, "little").translate(_MIRRORED)
    return int.from_bytes(turned, "big") >> (width << 3) - size


class Timeline:
    """The positions of one trajectory.

    Args:
        size: Number of positions, at least 1.

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
        self.full = (1 << size) - 1
        self.first = 1 << size - 1
        self.last = 1

    def iff(self, left: int, right: int) -> int:
        """Where both have the same value."""
        return self.full ^ left ^ right

    def xor(self, left: int, right: int) -> int:
        """Where they have different values."""
        return left ^ right

    def implies(self, left: int, right: int) -> int:
        """Where the right one is true or the left one is not."""
        return self.full ^ left | right

    def next(self, operand: int) -> int:
        """Strong next: false at the last position."""
        return operand << 1 & self.full

    def weak_next(self, operand: int) -> int:
        """Weak next: true at the last position."""
        return (operand << 1 | 1) & self.full

    def eventually(self, operand: int) -> int:
        """Now or later."""
        return self.full ^ (operand & -operand) - 1 if operand else 0

    def always(self, operand: int) -> int:
        """Now and later."""
        wrong = self.full ^ operand
        return (wrong & -wrong) - 1 if wrong else operand

    def until(self, left: int, right: int) -> int:
        """Strong until."""
        either = left | right
        return (either + right ^ either ^ right) >> 1

    def weak_until(self, left: int, right: int) -> int:
        """Until, or the left side to the end: the chain begins with a carry."""
        either = left | right
        return (either + right + 1 ^ either ^ right) >> 1

    def release(self, left: int, right: int) -> int:
        """The right side up to and including the left, or to the end."""
        both = left & right
        return (right + both + 1 ^ right ^ both) >> 1

    def strong_release(self, left: int, right: int) -> int:
        """The right side up to and including the left."""
        both = left & right
        return (right + both ^ right ^ both) >> 1

    def previous(self, operand: int) -> int:
        """Strong previous: false at the first position."""
        return operand >> 1

    def weak_previous(self, operand: int) -> int:
        """Weak previous: true at the first position."""
        return operand >> 1 | self.first

    def once(self, operand: int) -> int:
        """Now or earlier."""
        return (1 << operand.bit_length()) - 1

    def historically(self, operand: int) -> int:
        """Now and earlier."""
        wrong = self.full ^ operand
        return self.full >> wrong.bit_length() << wrong.bit_length()

    def since(self, left: int, right: int) -> int:
        """The right side now or earlier, and the left side ever since."""
        back = self.mirrored()
        found = back.until(mirror(left, self.size), mirror(right, self.size))
        return mirror(found, self.size)

    def trigger(self, left: int, right: int) -> int:
        """The right side back to and including the left, or to the first position."""
        back = self.mirrored()
        found = back.release(mirror(left, self.size), mirror(right, self.size))
        return mirror(found, self.size)

    def mirrored(self) -> Timeline:
        """Return the same positions in the opposite order of time."""
        return self


class Timelines(Timeline):
    """The positions of several trajectories in a row, the first one in the highest bits.

    Args:
        sizes: Number of positions of each trajectory, at least 1.

    Raises:
        InputError: If a trajectory has no position, or there is none.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        if not all(size >= 1 for size in sizes):
            raise InputError("a trajectory without positions cannot be part of a batch")
        super().__init__(sum(sizes))
        self.sizes = tuple(sizes)
        offsets = list(accumulate(reversed(sizes), initial=0))
        self.last = bits_at(offsets[:-1], self.size)
        self.first = bits_at([offset - 1 for offset in offsets[1:]], self.size)
        self._not_last = self.full ^ self.last
        self._not_first = self.full ^ self.first
        self._back: Timelines | None = None

    def next(self, operand: int) -> int:
        """Strong next: false at last positions."""
        return operand << 1 & self._not_last

    def weak_next(self, operand: int) -> int:
        """Weak next: true at last positions."""
        return operand << 1 & self._not_last | self.last

    def eventually(self, operand: int) -> int:
        """Now or later in the same trajectory."""
        return self.until(self.full, operand)

    def always(self, operand: int) -> int:
        """Now and later in the same trajectory."""
        return self.weak_until(operand, 0)

    def until(self, left: int, right: int) -> int:
        """Strong until: no carry leaves a trajectory."""
        either = left & self._not_last | right
        return (either + right ^ either ^ right) >> 1

    def weak_until(self, left: int, right: int) -> int:
        """Until, or the left side to the end of the trajectory."""
        return self.until(left, right | left & self.last)

    def release(self, left: int, right: int) -> int:
        """The right side up to and including the left, or to the end of the trajectory."""
        return self.until(right, right & (left | self.last))

    def strong_release(self, left: int, right: int) -> int:
        """The right side up to and including the left."""
        return self.until(right, right & left)

    def previous(self, operand: int) -> int:
        """Strong previous: false at first positions."""
        return operand >> 1 & self._not_first

    def weak_previous(self, operand: int) -> int:
        """Weak previous: true at first positions."""
        return operand >> 1 & self._not_first | self.first

    def once(self, operand: int) -> int:
        """Now or earlier in the same trajectory."""
        return self.since(self.full, operand)

    def historically(self, operand: int) -> int:
        """Now and earlier in the same trajectory."""
        return self.trigger(0, operand)

    def mirrored(self) -> Timelines:
        """Return the same positions in the opposite order of time."""
        if self._back is None:
            self._back = Timelines(self.sizes[::-1])
        return self._back


def bits_at(places: Iterable[int], size: int) -> int:
    """Return the integer of ``size`` bits with ones at the given places."""
    found = bytearray((size + 7) // 8)
    for place in places:
        found[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(found, "little")


def lowest(bits: int) -> int:
    """Return the number of the lowest bit that is set; -1 if none is."""
    return (bits & -bits).bit_length() - 1


def counted(number: int, comparison: Comparison, vectors: Iterable[int], full: int) -> int:
    """Return the positions at which so many of the vectors have a one.

    The vectors are added up digit by digit: digit i of the sums at all positions is one integer.

    Args:
        number: How many.
        comparison: Whether exactly, at least or at most so many.
        vectors: Truth vectors.
        full: The vector of all positions.
    """
    digits = _sums(vectors)
    if comparison == "at least":
        return _at_least(number, digits, full)
    if comparison == "at most":
        return full ^ _at_least(number + 1, digits, full)
    if not 0 <= number < 1 << len(digits):
        return 0
    found = full
    for i, digit in enumerate(digits):
        found &= digit if number >> i & 1 else ~digit
    return found


def _sums(vectors: Iterable[int]) -> list[int]:
    digits: list[int] = []
    for carry in vectors:
        for i, digit in enumerate(digits):
            if not carry:
                break
            digits[i], carry = digit ^ carry, digit & carry  # noqa: PLW2901
        if carry:
            digits.append(carry)
    return digits


def _at_least(number: int, digits: Sequence[int], full: int) -> int:
    if number <= 0:
        return full
    if number >= 1 << len(digits):
        return 0
    more, same = 0, full
    for i in reversed(range(len(digits))):
        if number >> i & 1:
            same &= digits[i]
        else:
            more |= same & digits[i]
            same &= ~digits[i]
    return more | same
