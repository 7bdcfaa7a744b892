"""The trajectory protocol of the logic.

Formulas are evaluated on anything that can answer these questions; :mod:`eai.world.trajectory`
is what simulators make. Positions are numbered 0..n for n actions. Position i pairs state i with
the action taken *from* it, so the last position has no action and the empty plan is a trajectory
of one position.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol

from eai.errors import InputError
from eai.logic.algebra import bits_at
from eai.logic.expansion import Objects, ranges
from eai.logic.formula import ActionAtom, Atom, Proposition
from eai.logic.numeric import NumericCondition
from eai.logic.tree import Formula


class Trajectory(Protocol):
    """A finite state-action trajectory over a fixed set of typed objects.

    One that can answer :meth:`Trace.ever` in addition spares quantifiers the objects in vain.
    """

    @property
    def length(self) -> int:
        """Number of positions: one more than there are actions."""
        ...

    def objects(self, types: tuple[str, ...]) -> Sequence[str]:
        """Return the names of the objects of any of the types, or of a subtype, in fixed order."""
        ...

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Return the truth of a ground atom at every position: bit i is position i.

        Raises:
            UnknownNameError: If the predicate or an object is unknown.
        """
        ...

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        """Return the positions from which the ground action is taken, as a bit vector."""
        ...

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """Return the position and arguments of every occurrence of the action, in order."""
        ...


def history_of(proposition: Proposition | NumericCondition, trajectory: Trajectory) -> int:
    """Return where a ground proposition or numeric condition is true on a trajectory."""
    if isinstance(proposition, NumericCondition):
        return numeric_history(proposition, trajectory)
    names = tuple(map(str, proposition.terms))
    if isinstance(proposition, Atom):
        return trajectory.history(proposition.name, names)
    return trajectory.occurrences(proposition.name, names)


def numeric_history(condition: Formula, trajectory: Trajectory) -> int:
    """Return where a ground numeric condition is true on a trajectory.

    Raises:
        InputError: If the trajectory keeps no numbers.
    """
    history: Callable[[Formula], int] | None = getattr(trajectory, "numeric_history", None)
    if history is None:
        raise InputError(
            f"{condition} compares numbers, and the trajectory has none",
            expected="a trajectory of a PDDL task with numeric fluents",
        )
    return history(condition)


class TrajectoryPart:
    """Consecutive positions of a trajectory, as a trajectory of their own."""

    def __init__(self, whole: Trajectory, start: int, end: int) -> None:
        self.whole = whole
        self.start = start
        self.length = end - start
        # Positions behind the part are cut off; those before it are shifted out.
        self._mask = (1 << self.length) - 1

    def objects(self, types: tuple[str, ...]) -> Sequence[str]:
        """Return the names of the objects, which are those of the whole."""
        return self.whole.objects(types)

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Return the truth of a ground atom at the positions of the part."""
        return self.whole.history(predicate, arguments) >> self.start & self._mask

    def numeric_history(self, condition: Formula) -> int:
        """Return the truth of a ground numeric condition at the positions of the part."""
        return numeric_history(condition, self.whole) >> self.start & self._mask

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        """Return the positions of the part from which the ground action is taken."""
        return self.whole.occurrences(action, arguments) >> self.start & self._mask

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """Return (position in the part, arguments) of every occurrence of an action."""
        taken = []
        for position, arguments in self.whole.taken(action):
            if 0 <= position - self.start < self.length:
                taken.append((position - self.start, arguments))
        return taken


class Trace:
    """A trajectory of recorded facts, independent of any world.

    Facts that were never recorded are false everywhere, so every name is known. Make one by
    :meth:`of_states` or :meth:`of_changes`.

    Args:
        length: Number of positions.
        histories: For each atom, the positions at which it is true.
        actions: The actions taken, one fewer than there are positions; or none, if none are known.
        objects: The objects that quantifiers range over: names, or names with their types.

    Raises:
        InputError: If the number of actions does not fit the number of positions.
    """

    def __init__(
        self,
        length: int,
        histories: Mapping[Atom, Iterable[int]],
        actions: Sequence[ActionAtom] = (),
        *,
        objects: Objects = (),
    ) -> None:
        """Store the history of each atom as a bit mask over the positions."""
        if length < 1:
            raise InputError("there is no state", expected="at least the first one")
        if actions and len(actions) != length - 1:
            raise InputError(
                f"there are {len(actions)} actions and {length} states",
                expected="one action fewer than states, or none",
            )
        self.length = length
        self.objects = ranges(objects)
        self._histories: dict[Atom, int] = {}
        for atom, positions in histories.items():
            self._histories[atom] = bits_at(positions, length)
        self._actions = tuple(actions)
        # Cached results of `ever`.
        self._extents: dict[tuple[object, ...], frozenset[str]] = {}

    @classmethod
    def of_states(
        cls,
        states: Sequence[Collection[Atom]],
        actions: Sequence[ActionAtom] = (),
        *,
        objects: Objects = (),
    ) -> Trace:
        """Return the trajectory of a sequence of states.

        Args:
            states: The atoms that are true in each state.
            actions: The actions taken between them, if they are known.
            objects: The objects that quantifiers range over: names, or names with their types.
        """
        # By atom, because formulas ask for the whole history of an atom at once.
        histories: dict[Atom, list[int]] = {}
        for position, state in enumerate(states):
            for atom in state:
                histories.setdefault(atom, []).append(position)
        return cls(len(states), histories, actions, objects=objects)

    @classmethod
    def of_changes(
        cls,
        start: Collection[Atom],
        changes: Sequence[tuple[Collection[Atom], Collection[Atom]]],
        actions: Sequence[ActionAtom] = (),
        *,
        objects: Objects = (),
    ) -> Trace:
        """Return the trajectory of an initial state and the changes after it.

        Args:
            start: The atoms that are true in the first state.
            changes: For each later state, the atoms that became true and those that became false.
            actions: The actions taken between the states, if they are known.
            objects: The objects that quantifiers range over: names, or names with their types.
        """
        # The atoms that are true, each with the position from which on it is.
        true_since = dict.fromkeys(start, 0)
        histories: dict[Atom, list[int]] = {}
        for position, (added, removed) in enumerate(changes, 1):
            # Deletions first, so that an atom in both lists begins again and stays true.
            for atom in removed:
                if atom in true_since:
                    histories.setdefault(atom, []).extend(range(true_since.pop(atom), position))
            for atom in added:
                true_since.setdefault(atom, position)
        for atom, first_position in true_since.items():
            histories.setdefault(atom, []).extend(range(first_position, len(changes) + 1))
        return cls(len(changes) + 1, histories, actions, objects=objects)

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Return the truth of a ground atom at every position."""
        return self._histories.get(Atom(predicate, arguments), 0)

    def ever(self, predicate: str, arguments: tuple[str | None, ...], place: int) -> frozenset[str]:
        """Return the objects that make an atom true at some position.

        Args:
            predicate: The predicate.
            arguments: The arguments as far as they are bound; None for any object.
            place: The 0-based number of the argument that is asked for; None stands there.

        Returns:
            A set that contains every object o for which some atom of the predicate with these
            arguments, and o at the place, is ever true.
        """
        # Quantifiers ask again at every position and for every outer object.
        key = (predicate, arguments, place)
        if key not in self._extents:
            objects = set()
            for atom, history in self._histories.items():
                if history and atom.predicate == predicate and _has_arguments(atom, arguments):
                    objects.add(str(atom.terms[place]))
            self._extents[key] = frozenset(objects)
        return self._extents[key]

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        """Return the positions from which the ground action is taken."""
        # Equal formulas are the same object, so identity is enough.
        wanted = ActionAtom(action, arguments)
        positions = [i for i, taken in enumerate(self._actions) if taken is wanted]
        return bits_at(positions, self.length)

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """Return (position, arguments) of every occurrence of an action, in order."""
        taken = []
        for position, action_atom in enumerate(self._actions):
            if action_atom.action == action:
                taken.append((position, tuple(map(str, action_atom.terms))))
        return taken


def _has_arguments(atom: Atom, arguments: Sequence[str | None]) -> bool:
    """Return whether an atom has these arguments; None stands for any."""
    if len(atom.terms) != len(arguments):
        return False
    for argument, term in zip(arguments, atom.terms, strict=True):
        if argument is not None and argument != term:
            return False
    return True
