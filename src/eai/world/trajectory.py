"""Trajectories: an initial state, the steps taken, and what each of them changed.

A trajectory keeps changes, not states. The history of an atom (its truth at every position) is
made when somebody asks for it. Positions are numbered 0..n for n actions that were done;
position i pairs state i with the action taken from it (the pairing of the published evaluator).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eai.errors import InputError, UnknownNameError
from eai.logic import Atom, Formula, atoms
from eai.world.action import Action
from eai.world.bits import bits, mask_of
from eai.world.state import Change, State, changed_literals
from eai.world.transition import World

_STATES = 1000
"""States of a trajectory of which the truth of a condition is remembered."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action that was done.

    Args:
        action: The action as the plan gives it.
        number: 1-based number of the step in the plan (skipped steps leave gaps).
        changes: What it changed, as the state reports it.
    """

    action: Action
    number: int
    changes: list[Change]


class Trajectory:
    """A trajectory: the states and actions of a plan's execution.

    Args:
        world: The world it was run in.
        start: The initial state; it must not be changed any more.
        steps: The actions that were done, in order.
        final: The state after the last of them; if it is not given, the changes are made again
            when it is asked for.
        before: The trajectory without its last step, if there is one: what it knows of
            conditions is not found out again. States have changed by recorded steps only.
    """

    __slots__ = (
        "_before",
        "_events",
        "_final",
        "_histories",
        "_known",
        "_made",
        "start",
        "steps",
        "world",
    )

    def __init__(
        self,
        world: World,
        start: State,
        steps: Sequence[Step],
        final: State | None = None,
        before: Trajectory | None = None,
    ) -> None:
        self.world = world
        self.start = start
        self.steps = steps
        self._final = final
        self._events: dict[int, list[tuple[int, Change]]] | None = None
        self._known: dict[Formula, int] = {}
        self._made = len(steps)
        self._before = {} if before is None else before._known  # noqa: SLF001 - of this class
        self._histories: dict[tuple[str, tuple[str, ...]], int] = {}

    @property
    def final(self) -> State:
        """The state after the last step."""
        if self._final is None:
            *_, self._final = self.states()
        return self._final

    @property
    def length(self) -> int:
        """Number of positions: one more than there are actions."""
        return len(self.steps) + 1

    def objects(self, types: tuple[str, ...]) -> Sequence[str]:
        """Names of the objects of any of the types, in order."""
        return self.start.universe.of_types(types)

    def states(self) -> Iterator[State]:
        """Yield the state at every position. It is one object that changes: copy to keep it."""
        state = self.start.begin()
        yield state
        for step in self.steps:
            state.apply(step.changes)
            yield state

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Truth of a ground atom at every position: bit i of the integer is position i.

        Raises:
            UnknownNameError: If the predicate or an object is not known.
            InputError: If the number of arguments is wrong.
        """
        if predicate in self.world.derived:
            return self.condition(Atom(predicate, arguments))
        found = self._histories.get((predicate, arguments))
        if found is None:
            value = self.start.holds(predicate, arguments)
            p = self.start.layout.index[predicate]
            numbers = tuple([self.start.universe.number(name) for name in arguments])
            full = (1 << self.length) - 1
            truth = full if value else 0
            for position, (_, column, key, mask, added) in self._by_predicate().get(p, ()):
                if not _touches(column, key, mask, numbers):
                    continue
                later = full >> position << position
                truth = truth | later if added else truth & ~later
            found = self._histories[predicate, arguments] = truth
        return found

    def _by_predicate(self) -> dict[int, list[tuple[int, Change]]]:
        if self._events is None:
            events: dict[int, list[tuple[int, Change]]] = {}
            for position, step in enumerate(self.steps, start=1):
                for change in step.changes:
                    events.setdefault(change[0], []).append((position, change))
            self._events = events
        return self._events

    def ever(
        self, predicate: str, arguments: tuple[str | None, ...], place: int
    ) -> frozenset[str] | None:
        """Objects that make an atom true at some position, as :meth:`eai.logic.Trace.ever`.

        Returns:
            The objects, perhaps too many of them; None if the predicate is derived, or takes
            more than two arguments, or another number of them.

        Raises:
            UnknownNameError: If the predicate or an object is not known.
        """
        layout, universe = self.start.layout, self.start.universe
        if predicate in self.world.derived or len(arguments) > 2:
            return None
        p = layout.index.get(predicate)
        if p is None:
            raise UnknownNameError("predicate", predicate, layout.names)
        if layout.arity[p] != len(arguments):
            return None
        other = arguments[1 - place] if len(arguments) == 2 else None
        known = None if other is None else universe.number(other)
        start = self.start
        if len(arguments) == 1:
            found = start.unary[p]
        elif known is not None:
            found = (start.rows if place else start.cols)[p][known]
        else:
            lines = (start.cols if place else start.rows)[p]
            found = mask_of(i for i, line in enumerate(lines) if line)
        for _, change in self._by_predicate().get(p, ()):
            found |= _concerned(change, place, known)
        return frozenset(universe.names[i] for i in bits(found))

    def condition(self, formula: Formula) -> int:
        """Truth of any closed condition at every position, derived predicates included."""
        found = self._known.get(formula)
        if found is None:
            test = self.world.test_of(formula, self.start.universe)
            # The steps of a run may have become more since, and its state another one.
            if formula in self._before and len(self.steps) == self._made:
                now = test(self.final)
                found = self._known[formula] = self._before[formula] | now << len(self.steps)
                return found
            read = self.world.reads(formula)
            state = self.start.begin()
            value = test(state)
            truth = int(value)
            # Derived predicates take long, and a plan that goes round in circles comes to the same
            # states again: what differs from the start tells them apart.
            derives = any(
                isinstance(atom, Atom) and atom.predicate in self.world.derived
                for atom in atoms(formula)
            )
            differs: dict[tuple[int, int, object], int] = {}
            values = {frozenset(differs.items()): value}
            for position, step in enumerate(self.steps, start=1):
                # Changes of what the condition does not depend on are not even made.
                changes = [each for each in step.changes if read is None or each[0] in read]
                if changes:
                    state.apply(changes)
                    if derives:
                        for p, column, key, mask, _ in changes:
                            rest = differs.pop((p, column, key), 0) ^ mask
                            if rest:
                                differs[p, column, key] = rest
                        here = frozenset(differs.items())
                        value = values[here] if here in values else test(state)
                        if len(values) < _STATES:
                            values[here] = value
                    else:
                        value = test(state)
                if value:
                    truth |= 1 << position
            found = self._known[formula] = truth
        return found

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        """Positions from which the ground action is taken, as a bit vector.

        Raises:
            UnknownNameError: If the action is not known.
        """
        taken = self.taken(action)
        return sum(1 << position for position, found in taken if found == arguments)

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """Position and arguments of every occurrence of the action, in order.

        Raises:
            UnknownNameError: If the action is not known.
        """
        if action not in self.world.domain.operators:
            raise UnknownNameError("action", action, self.world.domain.operators)
        return [
            (position, step.action.arguments)
            for position, step in enumerate(self.steps)
            if step.action.name == action
        ]

    def _repr_html_(self) -> str:
        from eai.display import table

        rows = (
            (step.number, step.action, *(", ".join(map(str, atoms)) for atoms in changes))
            for position, step in enumerate(self.steps, start=1)
            for changes in [(self.added(position), self.deleted(position))]
        )
        return table(("Step", "Action", "Became true", "Became false"), rows) or "<p>No step.</p>"

    def added(self, position: int) -> Iterator[Atom]:
        """Atoms that the step into a position (1..n) made true.

        Raises:
            InputError: If no step leads into that position.
        """
        return iter(self.changed(position)[0])

    def deleted(self, position: int) -> Iterator[Atom]:
        """Atoms that the step into a position (1..n) made false.

        Raises:
            InputError: If no step leads into that position.
        """
        return iter(self.changed(position)[1])

    def changed(self, position: int) -> tuple[list[Atom], list[Atom]]:
        """Atoms that the step into a position (1..n) made true, and those that it made false.

        Raises:
            InputError: If no step leads into that position.
        """
        if not 1 <= position <= len(self.steps):
            raise InputError(
                f"no step leads into position {position}", expected=f"1 to {len(self.steps)}"
            )
        names, predicates = self.start.universe.names, self.start.layout.names
        toggled: dict[tuple[int, tuple[int, ...]], int] = {}
        last: dict[tuple[int, tuple[int, ...]], bool] = {}
        changes = self.steps[position - 1].changes
        for p, numbers, added in changed_literals(changes, self.start.layout):
            toggled[p, numbers] = toggled.get((p, numbers), 0) + 1
            last[p, numbers] = added
        found: tuple[list[Atom], list[Atom]] = [], []
        for (p, numbers), times in sorted(toggled.items()):
            # An atom that was deleted and added again by the same step did not change.
            if times % 2:
                side = found[0] if last[p, numbers] else found[1]
                side.append(Atom(predicates[p], tuple([names[i] for i in numbers])))
        return found


def _concerned(change: Change, place: int, other: int | None) -> int:
    """The objects at a place of the atoms that a change makes true, given the other argument."""
    _, column, key, mask, added = change
    if not added:
        return 0
    if key is None:
        return mask
    if place == column:
        # The change lists the objects at the other place, for one object at this place.
        return 1 << key if isinstance(key, int) and (other is None or mask >> other & 1) else 0
    return mask if other is None or other == key else 0


def _touches(column: int, key: object, mask: int, numbers: tuple[int, ...]) -> bool:
    if key is None:
        return bool(mask >> (numbers[0] if numbers else 0) & 1)
    if isinstance(key, tuple):
        return key == numbers[:-1] and bool(mask >> numbers[-1] & 1)
    fixed, free = (numbers[1], numbers[0]) if column else numbers
    return key == fixed and bool(mask >> free & 1)
