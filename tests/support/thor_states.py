"""States of rooms as sets of atoms, to be compared."""

from __future__ import annotations

from eai.world import State
from eai.world.bits import bits

__all__ = ["FIXED", "changing", "fluents"]

FIXED = frozenset(
    {
        *("pickupable", "moveable", "receptacle", "openable", "toggleable", "breakable"),
        *("fillable", "dirtyable", "cookable", "sliceable", "can_be_used_up", "heat_source"),
        *("cold_source", "controls", "waters", "slice_of", "accepted", "misfit", "spans"),
    }
)
"""The predicates that no action changes."""


def changing(state: State) -> frozenset[str]:
    """The stored predicates that actions change."""
    layout = state.layout
    stored = (name for name in layout.names if name not in layout.domain.derived)
    return frozenset(stored) - FIXED


def fluents(state: State) -> frozenset[tuple[str, ...]]:
    """The atoms of a state that actions change."""
    names, index = state.universe.names, state.layout.index
    found = set[tuple[str, ...]]()
    for predicate in changing(state):
        p = index[predicate]
        found |= {(predicate, names[i]) for i in bits(state.unary[p])}
        found |= {
            (predicate, names[i], names[j])
            for i, row in enumerate(state.rows[p])
            for j in bits(row)
        }
    return frozenset(found)
