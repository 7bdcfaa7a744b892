from __future__ import annotations

from eai.world import mask_of, union
from eai.world.bits import bits


def test_bits_are_the_members_in_ascending_order() -> None:
    assert list(bits(0)) == []
    assert list(bits(0b1011)) == [0, 1, 3]
    assert list(bits(1 << 300 | 1)) == [0, 300]


def test_a_mask_has_the_given_members_once() -> None:
    assert mask_of([]) == 0
    assert mask_of([3, 0, 3]) == 0b1001


def test_the_union_has_the_members_of_all_masks() -> None:
    assert union([]) == 0
    assert union([0b1, 0b100, 0b101]) == 0b101
