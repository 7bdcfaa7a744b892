"""Ends of a link of a ``then``, given where it can begin, by the automaton of the link.

A link may begin at any of several cuts. The automaton starts at every cut anew, and the runs that
are in the same state at the same position are one from there on (the subset construction, done
while the trajectory is read). So the work grows with the length of the trajectory and with the
number of states, not with the number of cuts.

The letters of the automaton are the largest state formulas in the link, whatever they say: a
state formula with variables is a letter, too. So a link of a quantified ``then`` has one automaton,
which is run for each binding with other truth vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from eai.errors import InputError
from eai.logic.algebra import bits_at, lowest_bit
from eai.logic.automata import Automaton, automaton
from eai.logic.formula import Atom
from eai.logic.progression import Progression
from eai.logic.progression.diagrams import TRUE
from eai.logic.tree import Formula

_MAX_STATES = 200
"""Maximum number of states of the automaton of a link."""
_MAX_REMEMBERED = 1 << 16
"""Maximum number of steps that are remembered for each automaton."""
_Letter = tuple[str, ...]
"""The truth of each leaf at a position, as digits, and whether a run begins there."""


class _Machine(NamedTuple):
    """The automaton of all links of one shape, which differ in their leaves only.

    Args:
        automaton: The automaton; its letters are atoms that stand for the leaves.
        holds_on_empty: Whether the links hold on a part without positions.
        steps: The steps that are remembered, from and to the states of all runs.
    """

    automaton: Automaton
    holds_on_empty: bool
    steps: dict[tuple[int, _Letter], tuple[int, bool]]


class LinkAutomaton:
    """The automaton of one operand of a ``then``, over the truth of its leaves.

    Args:
        leaves: The largest state formulas in the link.
        machine: The automaton of its shape.
    """

    def __init__(self, leaves: Sequence[Formula], machine: _Machine) -> None:
        """Store the leaves; the steps are shared with links of the same shape."""
        self.leaves = tuple(leaves)
        self._automaton, self._holds_on_empty, self._steps = machine

    def ends(self, vectors: Sequence[int], cuts: int, length: int) -> int:
        """Return where the operand may end, as a mask of cuts.

        Args:
            vectors: For each leaf, the positions at which it is true: bit i is position i.
            cuts: Bit k is set if the link may begin at position k; at least one is.
            length: Number of positions of the trajectory.
        """
        # Before the first cut no run has begun.
        start = lowest_bit(cuts)
        digit_rows = [_bit_digits(row, length)[start:] for row in (*vectors, cuts)]
        run_states = 0  # bit s is set if some run is in state s
        end_positions = []
        for end, letter in enumerate(zip(*digit_rows, strict=True), start + 1):
            # The subset construction, made as far as trajectories need it.
            key = (run_states, letter)
            transition = self._steps.get(key)
            if transition is None:
                if len(self._steps) >= _MAX_REMEMBERED:
                    self._steps.clear()
                transition = self._steps[key] = self._read_position(run_states, letter)
            run_states, accepts = transition
            if accepts:
                end_positions.append(end)
        ends_of_runs = bits_at(end_positions, length + 1)
        if self._holds_on_empty:
            ends_of_runs |= cuts  # it may end where it begins
        return ends_of_runs

    def _read_position(self, run_states: int, letter: _Letter) -> tuple[int, bool]:
        """Return the automaton's runs after one more position, and whether one accepts.

        Args:
            run_states: The states in which the runs are, as a mask: bit ``n`` is state ``n``.
            letter: A digit for each atom, "1" where it holds, and one more that says whether a new
                run begins at this position.
        """
        *digits, is_cut = letter
        true_atoms = [
            _atom_of_leaf(leaf_index) for leaf_index, digit in enumerate(digits) if digit == "1"
        ]
        letter_bits = self._automaton.letter(true_atoms)
        if is_cut == "1":
            run_states |= 1 << self._automaton.initial
        next_states = 0
        accepts = False
        for state in self._automaton.states:
            if not run_states >> state & 1:
                continue
            target = self._automaton.step(state, letter_bits)
            if target in self._automaton.accepting:
                accepts = True
            # A run that can never accept any more is forgotten.
            if self._automaton.verdict(target) is not False:
                next_states |= 1 << target
        return next_states, accepts


def _bit_digits(bits: int, length: int) -> str:
    """Return the lowest bits as digits, the lowest one first."""
    return f"{bits & (1 << length) - 1:0{length}b}"[::-1]


@lru_cache(maxsize=256)
def automaton_of_link(link: Formula) -> LinkAutomaton | None:
    """Return an operand's automaton, or None if it is too large or needs objects.

    State formulas inside the operand are its letters: the automaton of ``always (on(a) or on(b))``
    is that of ``always p``. So a few automata serve many goals.
    """
    leaves: dict[Formula, Formula] = {}
    shape = _replace_leaves(link, leaves)
    if shape is None:
        return None
    machine = _machine_of_shape(shape)
    if machine is None:
        return None
    return LinkAutomaton(tuple(leaves), machine)


@lru_cache(maxsize=256)
def _machine_of_shape(shape: Formula) -> _Machine | None:
    """Return the automaton of a link whose leaves are replaced, or None if it is too large.

    To make it takes several times as long as to read a trajectory of 100 positions with it.
    """
    try:
        machine = automaton(shape, limit=_MAX_STATES)
    except InputError:
        return None
    empty = Progression(limit=_MAX_STATES).part(shape, {}).empty
    return _Machine(machine, empty == TRUE, {})


def _replace_leaves(formula: Formula, leaves: dict[Formula, Formula]) -> Formula | None:
    """Return a formula with its leaves replaced by atoms, or None below a quantifier.

    Leaves are the largest parts without temporal operators. ``(a and b) until c`` becomes ``leaf(0)
    until leaf(1)``.

    Args:
        formula: The formula.
        leaves: The atoms so far, by leaf; new ones are added.
    """
    if not formula.is_temporal:
        return leaves.setdefault(formula, _atom_of_leaf(len(leaves)))
    if formula.variables:
        return None
    operands = []
    for operand in formula.operands:
        shape = _replace_leaves(operand, leaves)
        if shape is None:
            return None
        operands.append(shape)
    return formula.rebuild(operands)


def _atom_of_leaf(number: int) -> Atom:
    """Return the atom that stands for a leaf."""
    return Atom("leaf", (str(number),))
