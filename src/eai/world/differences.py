"""States by what differs from one of them: one integer with a bit for each atom that changed.

Two ways to the same state then meet, and a state that is not kept can be made again.

Bits are given to rows and columns of relations (:mod:`eai.world.state`) when they first change, one
for each object. An atom that was changed by its row and then by its column has two bits. So the
same state may have two differences; never have two states the same difference, but for numbers,
which it says nothing about.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from eai.world.state import Change, State

_Line = tuple[int, int, object]
"""A row or column of a relation: predicate, direction and the fixed argument, as in a change."""


class Differences:
    """Represents states by their differences from an initial one, as masks.

    It may be used by several threads.

    Args:
        initial: The initial state; it must not be changed later.
    """

    def __init__(self, initial: State) -> None:
        """Begin without bits; a line of a table gets its bits when it first changes."""
        self.initial = initial
        self._lines: list[_Line] = []
        self._first_bits: dict[_Line, int] = {}
        # An atom without arguments takes one bit, even if there are no objects.
        self._bits_per_line = max(1, len(initial.universe))
        self._numbering = Lock()  # two lines must not get the same bits

    def after(self, difference: int, changes: Sequence[Change]) -> int:
        """Return the difference of a state after some changes.

        Args:
            difference: That of the state before them.
            changes: The changes; each changed all of its atoms.
        """
        for predicate, column, fixed, mask, _ in changes:
            line = (predicate, column, fixed)
            first_bit = self._first_bits.get(line)
            if first_bit is None:
                first_bit = self._give_bits(line)
            difference ^= mask << first_bit
        return difference

    @property
    def line_count(self) -> int:
        """Number of lines that have bits; it only grows."""
        return len(self._lines)

    def bits_of(self, predicates: int, first_line: int = 0) -> int:
        """Return the bits that the facts of some predicates have so far.

        Args:
            predicates: The predicates, as a mask.
            first_line: Number of the first line that counts, in the order in which they got bits.
        """
        line_bits = (1 << self._bits_per_line) - 1
        bits_of_predicates = 0
        for line_index in range(first_line, len(self._lines)):
            if predicates >> self._lines[line_index][0] & 1:
                bits_of_predicates |= line_bits << line_index * self._bits_per_line
        return bits_of_predicates

    def _give_bits(self, line: _Line) -> int:
        """Return the first bit of a line, assigning new bits if needed."""
        with self._numbering:
            if line not in self._first_bits:
                self._first_bits[line] = len(self._lines) * self._bits_per_line
                self._lines.append(line)
            return self._first_bits[line]

    def state(self, difference: int) -> State:
        """Return a new state with a difference, and with the initial numbers.

        Args:
            difference: One integer whose bits are the atoms that differ from the initial state, a
                stretch of bits for each line of the state's tables.
        """
        state = self.initial.copy()
        width = self._bits_per_line
        while difference:
            lowest_bit = (difference & -difference).bit_length() - 1
            line_index = lowest_bit // width
            shift = line_index * width
            mask = difference >> shift & (1 << width) - 1
            difference ^= mask << shift
            predicate, column, fixed = self._lines[line_index]
            # Each atom of the mask is flipped: those that were true already become false.
            made_true = state.write(predicate, column, fixed, mask, True)
            state.write(predicate, column, fixed, mask & ~made_true, False)
        return state
