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
    """Executes plans in the symbolic VirtualHome world."""

    variations = VARIATIONS
    domain = staticmethod(virtualhome_domain)

    @staticmethod
    def computed(domain: Domain, variations: frozenset[str]) -> Mapping[str, Computed]:
        """Return the functions that choose one of several neighbours or rooms.

        The simulator takes the first object that it finds, which no condition in PDDL can say.

        Args:
            domain: The domain.
            variations: Which of these choices are made as the simulator makes them.
        """
        index = {predicate: number for number, predicate in enumerate(domain.predicates)}
        functions: dict[str, Computed] = {}
        if "first_neighbour" in variations:
            # A relation is examined only if there is nothing in those before it.
            ontop = index["ontop"]
            inside = index["inside"]
            next_to = index["next_to"]
            functions["place_on"] = partial(_first_place, [ontop])
            functions["place_inside"] = partial(_first_place, [ontop, inside])
            functions["place_close"] = partial(_first_place, [ontop, inside, next_to])
        if "first_room" in variations:
            functions["in_room"] = partial(_first_room, index["inside"])
        return functions


def _first_place(relations: Sequence[int], state: State, object_number: int) -> int:
    """Return the first object in the last relation, if earlier relations are empty.

    Args:
        relations: Numbers of predicates, in the order in which they are examined.
        state: The state.
        object_number: Number of the object whose place is looked for.

    Returns:
        A mask with one object, or 0.
    """
    rooms = state.universe.type_masks["room"]
    *earlier, last = relations
    for relation in earlier:
        if state.rows[relation][object_number] & ~rooms:
            return 0
    return _first_related(state, last, object_number, ~rooms)


def _first_room(inside_predicate: int, state: State, object_number: int) -> int:
    """Return the room of an object, found as the published simulator does.

    Among several containers, the simulator takes the first room. If there is only one container, it
    goes up from container to container. A circle of containers ends without a room.

    Args:
        inside_predicate: Number of the predicate.
        state: The state.
        object_number: Number of the object.

    Returns:
        A mask with one room, or 0.
    """
    rooms = state.universe.type_masks["room"]
    # A room is in itself.
    if rooms >> object_number & 1:
        return 1 << object_number
    containers = state.rows[inside_predicate][object_number]
    # Without its lowest bit a mask of one object is 0.
    has_several_containers = containers & (containers - 1)
    if has_several_containers:
        return _first_related(state, inside_predicate, object_number, rooms)
    # There is one container: go up until a room is reached. A container on the way may be in
    # several others; the first one is used.
    visited = 0
    while containers:
        container = _first_related(state, inside_predicate, object_number, -1)
        if container & rooms:
            return container
        if container & visited:
            return 0
        visited |= container
        # The mask has one bit, at the number of the object.
        object_number = container.bit_length() - 1
        containers = state.rows[inside_predicate][object_number]
    return 0


def _first_related(state: State, predicate: int, object_number: int, wanted_mask: int) -> int:
    """Return the first wanted object related to ``object_number`` as a mask, or 0.

    If several objects qualify, the published simulator takes the first element of a set of ids. The
    set gets the added ids, then the initial ones, and loses the removed ones. In CPython, the order
    of such a set depends only on the ids and on the number of insertions.

    Args:
        state: The state.
        predicate: Number of the predicate.
        object_number: Number of the object.
        wanted_mask: The objects that qualify, as a mask; -1 for all.
    """
    related = state.rows[predicate][object_number]
    # The order only matters if there are several objects.
    has_several = related & (related - 1)
    if not related & wanted_mask or not has_several:
        return related & wanted_mask
    initially_related = state.initial.rows[predicate][object_number]
    number_by_id: dict[int, int] = {}
    for number in bits(related | initially_related):
        number_by_id[_id_in(state.universe.names[number])] = number
    initial_ids = []
    added_ids = []
    removed_ids = []
    for object_id, number in number_by_id.items():
        if initially_related >> number & 1:
            initial_ids.append(object_id)
        else:
            added_ids.append(object_id)
        if not related >> number & 1:
            removed_ids.append(object_id)
    # The set is filled and emptied in the same way, because its history decides its order.
    ids = set(added_ids)
    ids.update(initial_ids)
    ids.difference_update(removed_ids)
    for object_id in ids:
        if wanted_mask >> number_by_id[object_id] & 1:
            return 1 << number_by_id[object_id]
    return 0


def _id_in(name: str) -> int:
    """Return the id at the end of an object's name, such as 12 for ``desk.12``.

    Raises:
        InputError: If it has none.
    """
    try:
        return int(name.rpartition(".")[2])
    except ValueError:
        raise InputError(
            f"the object {name!r} has no id, and the active variation needs ids",
            expected="names such as 'desk.12'",
        ) from None
