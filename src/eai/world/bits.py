"""Sets of small whole numbers as Python integers: bit i is set when i is a member."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def bits(mask: int) -> Iterator[int]:
    """Yield the members of a non-negative mask, smallest first.

    Examples:
        >>> list(bits(0b1101))
        [0, 2, 3]
    """
    while mask:
        # The lowest bit alone: in two's complement, -mask has it and otherwise the opposite bits.
        lowest_bit = mask & -mask
        yield lowest_bit.bit_length() - 1
        mask ^= lowest_bit


def mask_of(members: Iterable[int]) -> int:
    """Return the mask with these members."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


def union(masks: Iterable[int]) -> int:
    """Return the union of some masks."""
    joined = 0
    for mask in masks:
        joined |= mask
    return joined
