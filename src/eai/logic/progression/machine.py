"""Deterministic machines: the states of a progression that can be reached, and no more of them.

A machine's transitions are decision diagrams over letters whose leaves are numbers of states.

Minimisation (Moore 1956): states are in one class as long as nothing tells them apart. At first
that is acceptance alone; then every round splits classes whose states have different diagrams over
classes, until no round does. As diagrams are canonical, two states are compared by two numbers. A
round costs the size of all diagrams, and there are at most as many rounds as states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from eai.errors import LimitError
from eai.logic.progression.diagrams import LEAF, Diagrams
from eai.logic.progression.obligations import Obligations, State


@dataclass(frozen=True, slots=True)
class Machine:
    """A complete deterministic automaton whose initial state is 0.

    Args:
        diagrams: The diagrams of the transitions.
        accepting: Whether a trajectory may end in it, for each state.
        roots: For each state its diagram, whose leaves are the next states.
    """

    diagrams: Diagrams
    accepting: tuple[bool, ...]
    roots: tuple[int, ...]

    def successors(self, state: int) -> list[int]:
        """Return the states that one letter leads to, in a fixed order."""
        return cast("list[int]", self.diagrams.leaves(self.roots[state]))


def explore(obligations: Obligations, start: State, *, limit: int) -> Machine:
    """Return the automaton of all reachable states, in breadth-first order.

    Args:
        obligations: The functions of the progression.
        start: The state before anything was read.
        limit: Maximum number of states.

    Raises:
        LimitError: If there are more.
    """
    state_numbers = {start: 0}
    queue = [start]
    memo: dict[int, int] = {}

    def numbered_leaf(leaf: int) -> int:
        """Return a leaf with the number of a state, which is queued if it is new."""
        state = cast("State", obligations.value(leaf))
        if state not in state_numbers:
            check_states(len(state_numbers), limit)
            state_numbers[state] = len(state_numbers)
            queue.append(state)
        return obligations.leaf(state_numbers[state])

    # The queue grows while it is walked.
    roots = [obligations.convert(obligations.step(state), numbered_leaf, memo) for state in queue]
    return Machine(obligations, tuple(map(obligations.accepts, queue)), tuple(roots))


def check_states(states: int, limit: int) -> None:
    """Raise an error if there would be more states than are allowed."""
    if states >= limit:
        raise LimitError(
            f"there are more than {limit} states before minimisation",
            mend="make the formula smaller, or raise limit",
        )


def minimal(machine: Machine) -> Machine:
    """Return the minimal automaton for the same words.

    States are numbered in the order of a breadth-first search that follows false letters
    first, so machines for the same words over the same letters are equal.
    """
    # For each state, the number of its class. In the end a class has the states that accept the
    # same words.
    classes = [int(accepts) for accepts in machine.accepting]
    class_count = len(set(classes))
    while True:
        roots = _renumber_targets(machine.diagrams, machine.roots, classes)
        class_numbers: dict[tuple[int, int], int] = {}
        class_and_diagram = zip(classes, roots, strict=True)
        classes = [class_numbers.setdefault(pair, len(class_numbers)) for pair in class_and_diagram]
        # Classes are only ever split, so an equal number of classes means equal classes.
        if len(class_numbers) == class_count:
            break
        class_count = len(class_numbers)
    # The first state of each class stands for it. Classes were numbered in the order of these.
    representatives: list[int] = []
    for state, class_number in enumerate(classes):
        if class_number == len(representatives):
            representatives.append(state)
    roots = _renumber_targets(
        machine.diagrams, [machine.roots[state] for state in representatives], classes
    )
    accepting = tuple([machine.accepting[state] for state in representatives])
    # States are numbered from 0 on, so that of state 0 is class 0.
    return _with_initial_state(Machine(machine.diagrams, accepting, roots), 0)


def _renumber_targets(
    diagrams: Diagrams, roots: Sequence[int], new_numbers: Mapping[int, int] | Sequence[int]
) -> tuple[int, ...]:
    """Return transitions with renumbered target states.

    Args:
        diagrams: The diagrams that the transitions are made of.
        roots: The diagram of each state.
        new_numbers: New number of each state, by its old one.
    """
    memo: dict[int, int] = {}

    def renumbered_leaf(leaf: int) -> int:
        """Return a leaf with the other number of its state."""
        return diagrams.leaf(new_numbers[cast("int", diagrams.value(leaf))])

    return tuple([diagrams.convert(root, renumbered_leaf, memo) for root in roots])


def _with_initial_state(machine: Machine, initial: int) -> Machine:
    """Return the automaton with another initial state, renumbered breadth first.

    Equal automata then have equal state numbers.
    """
    states_in_order = [initial]
    new_number = {initial: 0}
    visited: set[int] = set()
    for state in states_in_order:  # it grows meanwhile
        for target in cast("list[int]", machine.diagrams.leaves(machine.roots[state], visited)):
            if target not in new_number:
                new_number[target] = len(states_in_order)
                states_in_order.append(target)
    roots = _renumber_targets(
        machine.diagrams, [machine.roots[state] for state in states_in_order], new_number
    )
    accepting = tuple([machine.accepting[state] for state in states_in_order])
    return Machine(machine.diagrams, accepting, roots)


def without_empty(machine: Machine) -> Machine:
    """Return a minimal automaton for the same non-empty words.

    Whether the initial state accepts does not matter for non-empty words if no letter leads back to
    it. Then another state with the same transitions can replace it.
    """
    roots = machine.roots
    equivalent_states = [state for state in range(1, len(roots)) if roots[state] == roots[0]]
    if not equivalent_states:
        return machine
    if any(0 in machine.successors(state) for state in range(len(roots))):
        return machine
    return _with_initial_state(machine, equivalent_states[0])


def includes(machine: Machine, larger: int, smaller: int) -> bool:
    """Return whether one state accepts every word that another state accepts.

    All pairs of states that the same word reaches from the two are examined. In none of them may
    the second state accept and the first one not.

    Args:
        machine: The automaton.
        larger: The state that should accept all these words.
        smaller: The other state.
    """
    visited = {(larger, smaller)}
    pending = [(larger, smaller)]
    while pending:
        left, right = pending.pop()
        if machine.accepting[right] and not machine.accepting[left]:
            return False
        unseen = _successor_pairs(machine, machine.roots[left], machine.roots[right]) - visited
        visited |= unseen
        pending += unseen
    return True


def _successor_pairs(machine: Machine, left: int, right: int) -> set[tuple[int, int]]:
    """Return the pairs of successors of two states for the same letter.

    Args:
        machine: The machine.
        left: Diagram of the first state.
        right: Diagram of the second state.
    """
    diagrams = machine.diagrams
    pairs: set[tuple[int, int]] = set()
    visited = {(left, right)}
    pending = [(left, right)]
    while pending:
        left, right = pending.pop()
        # Both are leaves once the higher of the two is one.
        top = min(diagrams.level[left], diagrams.level[right])
        if top == LEAF:
            pairs.add(cast("tuple[int, int]", (diagrams.value(left), diagrams.value(right))))
            continue
        left_1, left_0 = diagrams.cofactors(left, top)
        right_1, right_0 = diagrams.cofactors(right, top)
        unseen = {(left_1, right_1), (left_0, right_0)} - visited
        diagrams.spend(len(unseen))
        visited |= unseen
        pending += unseen
    return pairs
