"""Worlds of domains, kept for the next who asks."""

from __future__ import annotations

from eai.pddl.model import Domain
from eai.world.transition import World

__all__ = ["world_of"]

_MOST = 8
_KEPT: list[tuple[Domain, World]] = []


def world_of(domain: Domain) -> World:
    """Return the world of a domain, in which nothing is computed but what its axioms say.

    The last few are kept, because compiling takes longer than running.

    Args:
        domain: The domain.

    Raises:
        InputError: If a derived predicate depends on its own negation.
    """
    for known, world in _KEPT:
        if known is domain:
            return world
    world = World(domain)
    _KEPT.insert(0, (domain, world))
    del _KEPT[_MOST:]
    return world
