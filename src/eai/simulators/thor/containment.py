"""What is inside of what, worked out at once for all objects of a state."""

from __future__ import annotations

from eai.world.bits import bits
from eai.world.state import State

__all__ = ["work_out_containment"]


def work_out_containment(state: State) -> None:
    """Let a state know the extension of ``inside``, unless it does already.

    It is what the domain's recursive rule says, and the state forgets it as soon as something
    changes. Going up from every object takes a tenth of the time of a general fixed point.
    """
    inside = state.layout.index["inside"]
    if inside in state.memo:
        return
    direct = state.rows[state.layout.index["in"]]
    rows, cols = [0] * len(direct), [0] * len(direct)
    for x in range(len(direct)):
        around = direct[x]
        while around:
            rows[x] |= around
            above = 0
            for y in bits(around):
                cols[y] |= 1 << x
                above |= direct[y]
            around = above & ~rows[x]
    state.memo[inside] = (0, rows, cols, {})
