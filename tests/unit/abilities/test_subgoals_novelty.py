"""What a search has not seen yet: states, atoms, or pairs of atoms."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random

import pytest

from eai.abilities.subgoals.width import _Novelty
from eai.world.bits import bits


@pytest.mark.parametrize("width", [0, 1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_a_state_is_new_if_something_in_it_was_never_seen(width: int, seed: int) -> None:
    dice = Random(seed)
    novelty = _Novelty(width)
    seen: set[object] = {(kind, 0) for kind in range(2)} if not width else set()
    for _ in range(40):
        # States of different kinds have nothing in common; width 0 knows no kinds.
        kind, atoms = dice.randrange(2) if width else 0, dice.randrange(1, 1 << 4)
        there: set[object] = {(kind, atoms)}
        if width:
            there = {(kind, *some) for some in combinations_with_replacement(bits(atoms), width)}
        assert novelty.record(kind, atoms, atoms) is bool(there - seen)
        seen |= there
