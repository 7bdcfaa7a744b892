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
    """Names of the predicates that hold of every object of a class (``"desk"``: openable)."""
    return name_predicates("virtualhome", class_name)


class VirtualHomeSimulator(VariedSimulator):
    """Runs plans in the symbolic VirtualHome world."""

    variations = VARIATIONS
    domain = staticmethod(virtualhome_domain)

    @staticmethod
    def computed(domain: Domain, variations: frozenset[str]) -> Mapping[str, Computed]:
        """The choice among several neighbours or rooms."""
        index = {name: i for i, name in enumerate(domain.predicates)}
        chosen: dict[str, Computed] = {}
        if "first_neighbour" in variations:
            relations = [index[relation] for relation in ("ontop", "inside", "next_to")]
            for at, name in enumerate(("place_on", "place_inside", "place_close"), start=1):
                chosen[name] = partial(_first_place, relations[:at])
        if "first_room" in variations:
            chosen["in_room"] = partial(_first_room, index["inside"])
        return chosen


def _first_place(relations: Sequence[int], state: State, x: int) -> int:
    """The first object that is not a room in the last relation, if there is none in the others."""
    rooms = state.universe.type_masks["room"]
    *before, last = relations
    if any(state.rows[p][x] & ~rooms for p in before):
        return 0
    return _first(state, last, x, ~rooms)


def _first_room(inside: int, state: State, x: int) -> int:
    """The room of an object, as the published simulator looks it up."""
    rooms = state.universe.type_masks["room"]
    if rooms >> x & 1:
        return 1 << x
    around = state.rows[inside][x]
    if around & (around - 1):
        return _first(state, inside, x, rooms)
    seen = 0
    while around:
        first = _first(state, inside, x, -1)
        if first & rooms:
            return first
        if first & seen:
            return 0
        seen |= first
        x = first.bit_length() - 1
        around = state.rows[inside][x]
    return 0


def _first(state: State, relation: int, x: int, wanted: int) -> int:
    """The first wanted object that ``x`` is related to, as a mask; 0 if there is none.

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
    number = {_id(names[i]): i for i in bits(now | before)}
    order = {key for key, i in number.items() if not before >> i & 1}
    order.update(key for key, i in number.items() if before >> i & 1)
    order.difference_update([key for key, i in number.items() if not now >> i & 1])
    return next((1 << number[key] for key in order if wanted >> number[key] & 1), 0)


def _id(name: str) -> int:
    try:
        return int(name.rpartition(".")[2])
    except ValueError:
        raise InputError(
            f"the object {name!r} has no id, and the active variation needs ids",
            expected="names such as 'desk.12'",
        ) from None
