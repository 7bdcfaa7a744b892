"""The structure of a task: what is left of it when names are taken away.

It is the goal with every object replaced by its colour in the initial state (colour refinement,
Weisfeiler & Leman 1968), and by which places of the goal name the same object. Tasks that are equal
up to names have equal structures.

A colour is a whole number of 64 bits. Of the facts about an object a multiset is needed, which does
not depend on their order: the sum of one number for each fact, as numpy adds them, for all facts of
a predicate at once (Zobrist 1970). Everything is arithmetic modulo 2**64, the same on all machines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from eai.suites.generated.moves import Fact
from eai.world import State
from eai.world.bits import bits

_ROUNDS = 3
"""Rounds of colour refinement."""

_Numbers = npt.NDArray[np.uint64]
_Table = npt.NDArray[np.intp]
"""The facts of a predicate: a row for each argument, with the object numbers of all facts."""


class Structures:
    """Hashes of goals that are equal for goals of the same structure in one initial state."""

    def __init__(self, start: State) -> None:
        colours = _refine_colours(start)
        self._colours: list[int] = colours.tolist()
        self._scene = sha256(np.sort(colours).astype("<u8").tobytes()).hexdigest()

    def of(self, goal: Sequence[Fact]) -> str:
        """Return the structure of a goal as a hash.

        Two goals have the same structure if their literals look the same, with colours in place of
        objects, and share objects at the same arguments.
        """
        literals = []  # each literal with colours in place of objects, and its object numbers
        for predicate, object_numbers, value in goal:
            colours = tuple([self._colours[number] for number in object_numbers])
            literals.append(((predicate, value, colours), object_numbers))
        literals.sort(key=lambda literal: literal[0])
        coloured_literals = [coloured_literal for coloured_literal, _ in literals]
        # The (literal, argument) positions of each object.
        occurrences: dict[int, list[tuple[int, int]]] = {}
        for coloured_literal, object_numbers in literals:
            # Equal literals share the index of the first, so that their order does not matter.
            literal_index = coloured_literals.index(coloured_literal)
            for argument_index, number in enumerate(object_numbers):
                occurrences.setdefault(number, []).append((literal_index, argument_index))
        sorted_occurrences = sorted(map(sorted, occurrences.values()))
        structure = repr((self._scene, coloured_literals, sorted_occurrences))
        return sha256(structure.encode()).hexdigest()[:32]


def _refine_colours(start: State) -> _Numbers:
    """Return the colour of each object, a hash of its type and its facts but not of its name.

    In each round the colour of an object takes in the colours of all objects with which it shares
    a fact (colour refinement).
    """
    tables = list(_fact_tables(start))
    colours = np.array([_hash(kind) for kind in start.universe.types], dtype=np.uint64)
    for _ in range(_ROUNDS):
        sums_of_facts = np.zeros_like(colours)
        for predicate_hashes, arguments in tables:
            fact_hashes = predicate_hashes
            for object_numbers in arguments:
                fact_hashes = _mix_bits(fact_hashes ^ colours[object_numbers])
            for argument_index, object_numbers in enumerate(arguments):
                # The same fact counts differently for its first and its second object.
                hashes_at_argument = _mix_bits(fact_hashes + np.uint64(argument_index))
                np.add.at(sums_of_facts, object_numbers, hashes_at_argument)
        colours = _mix_bits(_mix_bits(colours) + sums_of_facts)
    return colours


def _fact_tables(state: State) -> Iterator[tuple[_Numbers, _Table]]:
    """Yield a table of all facts of each arity, with the hash of the predicate of each fact.

    A table for each predicate would mean ten times as many calls of numpy for the same sums.
    """
    layout = state.layout
    hashes = np.array([_hash(predicate) for predicate in layout.names], dtype=np.uint64)
    # Facts with one argument.
    properties = [predicate for predicate, arity in enumerate(layout.arity) if arity == 1]
    members = [state.unary[predicate] for predicate in properties]
    property_indices, objects = _pairs(members, len(state.universe))
    yield hashes[properties][property_indices], objects[np.newaxis]
    # Facts with several arguments.
    tables_by_arity: dict[int, list[tuple[int, _Table]]] = {}
    for predicate, arity in enumerate(layout.arity):
        table = None
        if arity == 2 and any(state.rows[predicate]):
            table = _pairs(state.rows[predicate], len(state.universe))
        elif state.wide[predicate]:
            table = _wide_facts(state.wide[predicate])
        if table is not None:
            tables_by_arity.setdefault(len(table), []).append((predicate, table))
    for tables in tables_by_arity.values():
        predicate_hashes = [
            np.full(table.shape[1], hashes[predicate]) for predicate, table in tables
        ]
        facts = np.concatenate([table for _, table in tables], axis=1)
        yield np.concatenate(predicate_hashes), facts


def _wide_facts(masks: Mapping[tuple[int, ...], int]) -> _Table | None:
    """Return the facts of a predicate of more than two arguments, or None if there are none."""
    facts = [(*first, last) for first, mask in masks.items() for last in bits(mask)]
    if not facts:
        return None
    table: _Table = np.array(facts, dtype=np.intp).T
    return table


def _pairs(masks: Sequence[int], objects: int) -> _Table:
    """Return all (index, member) pairs of a list of bit masks as two columns.

    Args:
        masks: The masks.
        objects: Number of objects in the scene; a mask has one bit for each.
    """
    n_bytes = -(-objects // 8)  # of a mask, rounded up
    mask_bytes = b"".join([mask.to_bytes(n_bytes, "little") for mask in masks])
    bits_of_masks = np.unpackbits(np.frombuffer(mask_bytes, dtype=np.uint8), bitorder="little")
    # numpy finds true values much faster than ones.
    positions = np.flatnonzero(bits_of_masks.view(np.bool_))
    return np.array(np.divmod(positions, max(1, 8 * n_bytes)))


def _mix_bits(numbers: _Numbers) -> _Numbers:
    """Return numbers in which every bit depends on all bits (SplitMix64, Steele et al. 2014)."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    mixed: _Numbers = numbers ^ numbers >> np.uint64(31)
    return mixed


@lru_cache(maxsize=1 << 10)
def _hash(text: str) -> int:
    """Return a number for a text, the same in every process."""
    return int.from_bytes(sha256(text.encode()).digest()[:8], "little")
