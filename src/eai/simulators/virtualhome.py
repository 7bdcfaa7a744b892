"""The symbolic VirtualHome world: the PDDL domain, and the oddities of the published executors.

The domain (``domains/virtualhome/domain.pddl``) is the sensible reading. A *variation* redefines
derived predicates of it so that the world behaves like the published simulator where that does
something else. The choice among several neighbours or rooms, which PDDL cannot say, is computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from eai.data import read_json
from eai.errors import InputError
from eai.pddl import Domain
from eai.simulators.variations import (
    VariedSimulator,
    name_predicates,
    shipped_domain,
)
from eai.world import Computed, State
from eai.world.bits import bits

VARIATIONS: Mapping[str, Mapping[str, str]] = read_json("domains/virtualhome/variations.json")
"""Name of a variation to the derived predicates that it redefines (in PDDL)."""


def virtualhome_domain() -> Domain:
    """Read the domain (once)."""
    return shipped_domain("virtualhome")


def class_predicates(class_name: str) -> tuple[str, ...]:
    """Return the predicates that hold of every object of a class (``"desk"``: openable)."""
    return name_predicates("virtualhome", class_name)


class VirtualHomeSimulator(VariedSimulator):
    """Runs plans in the symbolic VirtualHome world."""

    variations = VARIATIONS
    domain = staticmethod(virtualhome_domain)

    @staticmethod
    def computed(domain: Domain, variations: frozenset[str]) -> Mapping[str, Computed]:
        """Return the functions that choose among several neighbours or rooms."""
        index = {name: i for i, name in enumerate(domain.predicates)}
        chosen: dict[str, Computed] = {}
        if "first_neighbour" in variations:
            # A relation is looked at only if there is nothing in those before it.
            ontop, inside, next_to = (index[name] for name in ("ontop", "inside", "next_to"))
            chosen["place_on"] = partial(_first_place, [ontop])
            chosen["place_inside"] = partial(_first_place, [ontop, inside])
            chosen["place_close"] = partial(_first_place, [ontop, inside, next_to])
        if "first_room" in variations:
            chosen["in_room"] = partial(_first_room, index["inside"])
        return chosen


def _first_place(relations: Sequence[int], state: State, x: int) -> int:
    """Return the first object (no room) in the last relation, if none is in those before."""
    rooms = state.universe.type_masks["room"]
    *before, last = relations
    if any(state.rows[p][x] & ~rooms for p in before):
        return 0
    return _first(state, last, x, ~rooms)


def _first_room(inside: int, state: State, x: int) -> int:
    """Return the room of an object, as the published simulator looks it up.

    It takes a room among several containers, and goes up from container to container only if there
    is one at first. A circle of containers ends without a room.
    """
    rooms = state.universe.type_masks["room"]
    if rooms >> x & 1:
        return 1 << x
    containers = state.rows[inside][x]
    if containers & (containers - 1):
        return _first(state, inside, x, rooms)
    seen = 0
    while containers:
        first = _first(state, inside, x, -1)
        if first & rooms:
            return first
        if first & seen:
            return 0
        seen |= first
        x = first.bit_length() - 1
        containers = state.rows[inside][x]
    return 0


def _first(state: State, relation: int, x: int, wanted: int) -> int:
    """Return the first wanted object that ``x`` is related to, as a mask; 0 if there is none.

    The published simulator takes the first element of a set of ids wherever several objects
    qualify: the initial ones are put into the set, in addition to new ones, and those that are
    gone are taken out again. CPython iterates over such a set in an order that depends on the
    ids and on how many were put in, and on nothing else.
    """
    now = state.rows[relation][x]
    if not now & wanted or not now & (now - 1):
        return now & wanted
    before = state.initial.rows[relation][x]
    names = state.universe.names
    number_of = {_id(names[number]): number for number in bits(now | before)}
    # The set is filled and emptied exactly as there, because its history decides its order.
    ids = {id_ for id_, number in number_of.items() if not before >> number & 1}
    ids.update(id_ for id_, number in number_of.items() if before >> number & 1)
    ids.difference_update([id_ for id_, number in number_of.items() if not now >> number & 1])
    for id_ in ids:
        if wanted >> number_of[id_] & 1:
            return 1 << number_of[id_]
    return 0


def _id(name: str) -> int:
    """Return the id at the end of an object's name."""
    try:
        return int(name.rpartition(".")[2])
    except ValueError:
        raise InputError(
            f"the object {name!r} has no id, and the active variation needs ids",
            expected="names such as 'desk.12'",
        ) from None
