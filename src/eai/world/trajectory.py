"""Trajectories: an initial state, the steps taken, and what each of them changed.

A trajectory keeps changes, not states. The history of an atom or of a condition (its truth at every
position) is one integer with a bit per position, made when it is first asked for:

* of an atom, from the changes of its predicate alone: each one that touches the atom sets or clears
  all bits from its position on;
* of a condition, by making the changes again on which it depends, and testing it after each step.
  :class:`ConditionHistories` does so for an execution that goes on: no step is made twice.

Positions are numbered 0..n for n actions that were done; position i pairs state i with the action
taken from it (the pairing of the published evaluator, Li et al. 2024, C.3).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from eai.errors import InputError, UnknownNameError
from eai.logic import Atom, Formula, Rational, atoms, numeric_terms
from eai.world.action import Action
from eai.world.bits import bits, mask_of
from eai.world.numbers import Key, NumberChange, NumericChanges, numbers_of
from eai.world.state import Change, State, changed_literals
from eai.world.transition import World

_MAX_REMEMBERED = 1000
"""Maximum number of different states in which the truth of derived conditions is remembered."""

_Line = tuple[int, int, object]
"""Predicate number, direction and fixed argument of the atoms that a change is about."""


@dataclass(frozen=True, slots=True)
class Step:
    """One executed action.

    Args:
        action: The action as the plan gives it.
        number: 1-based number of the step in the plan (skipped steps leave gaps).
        changes: The changes that it made, as the state reports them.
    """

    action: Action
    number: int
    changes: list[Change]


class Trajectory:
    """The states and actions of a plan's execution.

    Args:
        world: The world it was run in.
        start: The initial state; it must not be changed any more.
        steps: The actions that were done, in order.
        final: The state after the last of them; if it is not given, the changes are made again
            when it is asked for.
        histories: The histories of conditions of the execution whose steps these are; they serve
            all trajectories of an execution that goes on. Without them a history is made when it is
            asked for, from the start on.
    """

    __slots__ = (
        "_conditions",
        "_final",
        "_growing",
        "_histories",
        "_index",
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
        histories: ConditionHistories | None = None,
    ) -> None:
        """Store the steps; histories and the final state are computed on demand."""
        self.world = world
        self.start = start
        self.steps = steps
        self._final = final
        self._index = _ChangeIndex(steps) if histories is None else histories.index
        # Caches: truth vectors of conditions, and of atoms.
        self._conditions: dict[Formula, int] = {}
        self._growing = histories
        self._histories: dict[tuple[str, tuple[str, ...]], int] = {}

    @property
    def final(self) -> State:
        """The state after the last step."""
        if self._final is None:
            # All states are one object, which is the last one in the end.
            *_, self._final = self.states()
        return self._final

    @property
    def length(self) -> int:
        """Number of positions: one more than there are actions."""
        return len(self.steps) + 1

    def objects(self, types: tuple[str, ...]) -> Sequence[str]:
        """Return the names of the objects of any of the types, in order."""
        return self.start.universe.of_types(types)

    def states(self) -> Iterator[State]:
        """Yield the state at every position. It is one object that changes: copy to keep it."""
        state = self.start.begin()
        yield state
        for step in self.steps:
            state.apply(step.changes)
            yield state

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        """Return the truth of a ground atom at every position (bit i is position i).

        Raises:
            UnknownNameError: If the predicate or an object is unknown.
            InputError: If the number of arguments is wrong.
        """
        if predicate in self.world.derived:
            return self.condition(Atom(predicate, arguments))
        truth = self._histories.get((predicate, arguments))
        if truth is not None:
            return truth
        # At first as if nothing changed; then each change of the atom is entered.
        every_position = (1 << self.length) - 1
        truth = every_position if self.start.holds(predicate, arguments) else 0
        predicate_id = self.start.layout.index[predicate]
        object_ids = tuple([self.start.universe.number(name) for name in arguments])
        for position, (_, column, key, mask, added) in self._index.changes_of(predicate_id):
            if not _change_includes(column, key, mask, object_ids):
                continue
            # Later changes overwrite the bits from their own position on.
            from_here = every_position >> position << position
            truth = truth | from_here if added else truth & ~from_here
        self._histories[predicate, arguments] = truth
        return truth

    def ever(
        self, predicate: str, arguments: tuple[str | None, ...], place: int
    ) -> frozenset[str] | None:
        """Return the objects that make an atom true at some position of the trajectory.

        With the arguments ``(None, "table")`` and place 0 of ``on``, these are all objects that
        were ever on the table.

        Args:
            predicate: Name of the predicate.
            arguments: Names of the objects; None where any object will do.
            place: Index of the argument whose objects are returned.

        Returns:
            The objects, perhaps too many of them; None if the predicate is derived, or takes
            more than two arguments, or another number of them.

        Raises:
            UnknownNameError: If the predicate or an object is unknown.
        """
        layout = self.start.layout
        universe = self.start.universe
        if predicate in self.world.derived or len(arguments) > 2:
            return None
        predicate_id = layout.index.get(predicate)
        if predicate_id is None:
            raise UnknownNameError("predicate", predicate, layout.names)
        if layout.arity[predicate_id] != len(arguments):
            return None
        # Of a predicate with two arguments, a change lists either a row or a column of its table.
        other_object: int | None = None
        if len(arguments) == 2:
            other_name = arguments[1 - place]
            other_object = None if other_name is None else universe.number(other_name)
        object_mask = self._initial_objects(predicate_id, place, other_object)
        for _, change in self._index.changes_of(predicate_id):
            object_mask |= _objects_added_by(change, place, other_object)
        return frozenset(universe.names[object_id] for object_id in bits(object_mask))

    def _initial_objects(
        self, predicate_id: int, argument_index: int, other_object: int | None
    ) -> int:
        """Return the objects in one argument of a predicate's initial atoms, as a mask.

        If ``on(a, t)`` and ``on(b, t)`` hold initially, the objects at argument 0 are a and b.

        Args:
            predicate_id: Index of a predicate with one or two arguments.
            argument_index: Position of the argument, 0 or 1.
            other_object: Index of the object in the other argument; None if any will do, or if
                there is no other argument.
        """
        start = self.start
        if start.layout.arity[predicate_id] == 1:
            return start.unary[predicate_id]
        if other_object is not None:
            # The second arguments of an object are its row, the first ones its column.
            lines_of_other = (
                start.rows[predicate_id] if argument_index else start.cols[predicate_id]
            )
            return lines_of_other[other_object]
        # Any object will do for the other argument: a line that is not empty has some.
        lines = start.cols[predicate_id] if argument_index else start.rows[predicate_id]
        return mask_of(object_id for object_id, line in enumerate(lines) if line)

    def condition(self, formula: Formula) -> int:
        """Return the truth of a closed condition at every position, as a bit vector.

        Derived predicates may be in it.
        """
        truth = self._conditions.get(formula)
        if truth is not None:
            return truth
        if self._growing is not None:
            truth = self._growing.truth(formula)
        else:
            quota = _Quota(_MAX_REMEMBERED)
            history = _History(self.world, self.start, formula, quota)
            history.follow(self._index)
            truth = history.truth
        self._conditions[formula] = truth
        return truth

    def numeric_history(self, condition: Formula) -> int:
        """Return the truth of a ground numeric condition at every position, as a bit vector."""
        return self.condition(condition)

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        """Return the positions from which the ground action is taken, as a bit vector.

        Raises:
            UnknownNameError: If the action is unknown.
        """
        positions = []
        for position, taken_arguments in self.taken(action):
            if taken_arguments == arguments:
                positions.append(position)
        return mask_of(positions)

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        """Return (position, arguments) of every occurrence of an action, in order.

        Raises:
            UnknownNameError: If the action is unknown.
        """
        if action not in self.world.domain.operators:
            raise UnknownNameError("action", action, self.world.domain.operators)
        occurrences = []
        for position, step in enumerate(self.steps):
            if step.action.name == action:
                occurrences.append((position, step.action.arguments))
        return occurrences

    def _repr_html_(self) -> str:
        """Return an HTML table of the steps with their changes, for notebooks."""
        from eai.display import table

        rows = []
        for position, step in enumerate(self.steps, start=1):
            added, deleted = self.changed(position)
            became_true = ", ".join(map(str, added))
            became_false = ", ".join(map(str, deleted))
            rows.append((step.number, step.action, became_true, became_false))
        return table(("Step", "Action", "Became true", "Became false"), rows) or "<p>No step.</p>"

    def added(self, position: int) -> Iterator[Atom]:
        """Yield the atoms that the step into a position (1..n) made true.

        Raises:
            InputError: If no step leads into that position.
        """
        return iter(self.changed(position)[0])

    def deleted(self, position: int) -> Iterator[Atom]:
        """Yield the atoms that the step into a position (1..n) made false.

        Raises:
            InputError: If no step leads into that position.
        """
        return iter(self.changed(position)[1])

    def changed(self, position: int) -> tuple[list[Atom], list[Atom]]:
        """Return the atoms added and the atoms deleted by the step into a position.

        Raises:
            InputError: If no step leads into that position.
        """
        if not 1 <= position <= len(self.steps):
            raise InputError(
                f"no step leads into position {position}", expected=f"1 to {len(self.steps)}"
            )
        values: dict[tuple[int, tuple[int, ...]], list[bool]] = {}
        changes = self.steps[position - 1].changes
        for predicate_id, object_ids, value in changed_literals(changes, self.start.layout):
            values.setdefault((predicate_id, object_ids), []).append(value)
        names = self.start.universe.names
        predicates = self.start.layout.names
        added: list[Atom] = []
        deleted: list[Atom] = []
        for (predicate_id, object_ids), atom_values in sorted(values.items()):
            # An atom that was deleted and added again by the same step did not change.
            if len(atom_values) % 2 == 0:
                continue
            atom = Atom(
                predicates[predicate_id], tuple([names[object_id] for object_id in object_ids])
            )
            # Each change flips the atom, so the last value is its value after the step.
            if atom_values[-1]:
                added.append(atom)
            else:
                deleted.append(atom)
        return added, deleted

    def changed_numbers(self, position: int) -> list[tuple[Atom, Rational | None, Rational]]:
        """Return (term, old value, new value) for each number changed by a step.

        A term that had no value has None as its old one.
        """
        changes = numbers_of(self.steps[position - 1].changes)
        return [(self.start.term_of(key), old, new) for key, old, new in changes]


class ConditionHistories:
    """The truth of conditions along an execution that may grow between queries.

    Each condition follows the execution when it is asked for. Steps that change nothing on which it
    depends are passed over, so every other step is made and tested once for each condition, however
    often it is asked for.

    Args:
        world: The world.
        start: The initial state; it must not be changed any more.
        steps: The steps; more may be added at the end.

    Attributes:
        index: The changes that the steps make.
    """

    __slots__ = ("_histories", "_quota", "index", "start", "world")

    def __init__(self, world: World, start: State, steps: Sequence[Step]) -> None:
        self.world = world
        self.start = start
        self.index = _ChangeIndex(steps)
        self._histories: dict[Formula, _History] = {}
        self._quota = _Quota(_MAX_REMEMBERED)

    def truth(self, formula: Formula) -> int:
        """Return the truth of a closed condition after each step so far, as a bit vector."""
        history = self._histories.get(formula)
        if history is None:
            history = _History(self.world, self.start, formula, self._quota)
            self._histories[formula] = history
        history.follow(self.index)
        return history.truth


class _ChangeIndex:
    """The changes along an execution, indexed by predicate and function term.

    Args:
        steps: The steps; more may be added at the end.
    """

    __slots__ = ("_atoms", "_indexed", "_numbers", "steps")

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = steps
        self._indexed = 0
        # Each change has the position that it leads into, and each list is in their order.
        self._atoms: dict[int, list[tuple[int, Change]]] = {}
        self._numbers: dict[Key, list[tuple[int, NumberChange]]] = {}

    def changes_of(self, predicate: int) -> Sequence[tuple[int, Change]]:
        """Return the changes of a predicate, each with the position that it leads into."""
        self._update()
        return self._atoms.get(predicate, ())

    def relevant(self, reads: _Reads, first: int) -> Iterator[tuple[int, list[Change]]]:
        """Yield the changes that may change the truth of a condition, in the order of positions.

        Args:
            reads: The predicates and function terms that the condition reads.
            first: The first position to look at.

        Yields:
            A position, and the changes by the step that leads into it.
        """
        self._update()
        atom_changes: dict[int, list[Change]] = {}
        for predicate in reads.predicates:
            for position, change in _entries_from(self._atoms.get(predicate, ()), first):
                atom_changes.setdefault(position, []).append(change)
        number_changes: dict[int, list[NumberChange]] = {}
        for term in reads.terms_among(self._numbers):
            for position, number_change in _entries_from(self._numbers.get(term, ()), first):
                number_changes.setdefault(position, []).append(number_change)
        # Most conditions compare no numbers, and their changes are handed on as they are.
        if not number_changes:
            yield from sorted(atom_changes.items(), key=_position)
            return
        for position in sorted({*atom_changes, *number_changes}):
            changes = atom_changes.get(position, [])
            yield position, NumericChanges(changes, number_changes.get(position, ()))

    def _update(self) -> None:
        """Add the steps that were done since the last call.

        The changes of each step are filed by predicate, those of numbers by function term, so that
        the history of one condition does not have to go through all of them.
        """
        steps = self.steps
        while self._indexed < len(steps):
            changes = steps[self._indexed].changes
            self._indexed += 1
            for change in changes:
                self._atoms.setdefault(change[0], []).append((self._indexed, change))
            for number_change in numbers_of(changes):
                entry = (self._indexed, number_change)
                self._numbers.setdefault(number_change.key, []).append(entry)


def _position(entry: tuple[int, object]) -> int:
    """Return the position that a change leads into."""
    return entry[0]


_Entry = TypeVar("_Entry", bound=tuple[int, object])


def _entries_from(entries: Sequence[_Entry], first: int) -> Sequence[_Entry]:
    """Return the entries of a position or of later ones; they are in the order of positions."""
    # Most conditions are new, so they need all entries.
    return entries[bisect_left(entries, first, key=_position) :] if first > 1 else entries


@dataclass(frozen=True, slots=True)
class _Reads:
    """The parts of a state on which a condition depends.

    Args:
        predicates: Numbers of stored predicates.
        functions: Numbers of functions of which any term may be read.
        terms: The function terms that are read beside them.
    """

    predicates: frozenset[int]
    functions: frozenset[int]
    terms: frozenset[Key]

    @classmethod
    def of(cls, world: World, state: State, formula: Formula) -> _Reads | None:
        """Return the parts of a state that a condition reads, or None if it may read any.

        A function term with variables, such as ``(fuel ?truck)``, may read any value of its
        function. Other function terms are listed one by one.
        """
        predicates = world.predicates_read(formula)
        if predicates is None:
            return None
        functions = set[int]()
        terms = set[Key]()
        for term in numeric_terms(formula):
            if term.free_names:
                functions.add(state.layout.functions[term.predicate])
            else:
                terms.add(state.key_of(term))
        return cls(predicates, frozenset(functions), frozenset(terms))

    def terms_among(self, changed: Iterable[Key]) -> Iterable[Key]:
        """Return the function terms that are read, some perhaps not changed at all."""
        if not self.functions:
            return self.terms
        of_functions = [key for key in changed if key[0] in self.functions]
        return self.terms.union(of_functions)


class _History:
    """The truth of one condition along an execution, up to now.

    Invariant: in its own state all changes up to the last position are made that the condition
    reads; others are never made.

    Args:
        world: The world.
        start: The state at the first position.
        formula: The condition.
        quota: How many values of derived conditions may still be remembered.

    Attributes:
        truth: A bit for each position.
    """

    __slots__ = ("_length", "_reads", "_state", "_test", "_value", "_values", "truth")

    def __init__(self, world: World, start: State, formula: Formula, quota: _Quota) -> None:
        """Evaluate the condition in the initial state."""
        self._state = start.begin()
        self._test = world.test_of(formula, start.universe)
        self._reads = _Reads.of(world, start, formula)
        self._value = self._test(self._state)
        self._values: _Remembered | None = None
        # States with numbers are not told apart by their atoms.
        if start.numbers is None and _has_derived(world, formula):
            self._values = _Remembered(self._value, quota)
        # Number of positions so far, and a bit for each at which the condition holds.
        self._length = 1
        self.truth = int(self._value)

    def follow(self, index: _ChangeIndex) -> None:
        """Compute the truth at all positions added since the last call.

        The condition is evaluated again only at positions where something that it reads has
        changed; in between it keeps its value.
        """
        length = len(index.steps) + 1
        if self._length == length:
            return
        if self._reads is None:
            for position in range(self._length, length):
                self._change(position, index.steps[position - 1].changes)
        else:
            for position, changes in index.relevant(self._reads, self._length):
                self._change(position, changes)
        self._keep_until(length)

    def _change(self, position: int, changes: list[Change]) -> None:
        """Fill in the truth up to a position, apply its changes, and test again.

        Args:
            position: The position after the changes.
            changes: The changes; without any the value stays.
        """
        if not changes:
            return
        self._keep_until(position)
        self._state.apply(changes)
        if self._values is not None:
            self._value = self._values.test(self._test, self._state, changes)
        else:
            self._value = self._test(self._state)

    def _keep_until(self, position: int) -> None:
        """Repeat the last truth value up to a position."""
        if self._value:
            # The bits from the length on, up to the one before the position: 1000 - 10 = 110.
            self.truth |= (1 << position) - (1 << self._length)
        self._length = position


def _has_derived(world: World, formula: Formula) -> bool:
    """Return whether a condition contains a derived predicate."""
    for atom in atoms(formula):
        if isinstance(atom, Atom) and atom.predicate in world.derived:
            return True
    return False


@dataclass(slots=True)
class _Quota:
    """The number of values that several conditions together may still cache."""

    left: int


class _Remembered:
    """Cached values of a condition in the states that were tested.

    Derived predicates take long, and a plan that goes round in circles comes to the same states
    again. States are told apart by their difference from the first one: for each line of atoms that
    changed, the mask of those that are not as they were.

    Args:
        value_at_start: The value in the first state.
        quota: How many more may be remembered.
    """

    def __init__(self, value_at_start: bool, quota: _Quota) -> None:
        self._quota = quota
        self._difference: dict[_Line, int] = {}
        self._values: dict[frozenset[tuple[_Line, int]], bool] = {frozenset(): value_at_start}

    def test(
        self, evaluate: Callable[[State], bool], state: State, changes: Iterable[Change]
    ) -> bool:
        """Return the truth of the condition in the current state, from the cache if possible.

        The cache's key is the difference between the current and the first state, so that a state
        which is reached again is not tested again.

        Args:
            evaluate: Evaluates the condition in a state.
            state: The current state.
            changes: The changes since the last call, which led to this state.
        """
        for predicate_id, column, key, mask, _ in changes:
            # Changes list only atoms that did change, so each of them flips its bit.
            line_key = (predicate_id, column, key)
            differing_mask = self._difference.pop(line_key, 0) ^ mask
            if differing_mask:
                self._difference[line_key] = differing_mask
        difference = frozenset(self._difference.items())
        value = self._values.get(difference)
        if value is None:
            value = evaluate(state)
            if self._quota.left > 0:
                self._quota.left -= 1
                self._values[difference] = value
        return value


def _objects_added_by(change: Change, argument_index: int, other_object: int | None) -> int:
    """Return the objects in one argument of the atoms that a change makes true, as a mask.

    Args:
        change: A change of a predicate with one or two arguments.
        argument_index: Position of the argument, 0 or 1.
        other_object: Index of the object that the other argument has to be; None if any will do.
    """
    _, column, key, mask, added = change
    if not added:
        return 0
    if key is None:
        return mask
    if argument_index != column:
        # The mask lists objects at this place, for one object at the other place.
        is_wanted = other_object is None or other_object == key
        return mask if is_wanted else 0
    # The mask lists objects at the other place, for one object at this place.
    is_wanted = other_object is None or bool(mask >> other_object & 1)
    return 1 << key if isinstance(key, int) and is_wanted else 0


def _change_includes(column: int, key: object, mask: int, object_ids: tuple[int, ...]) -> bool:
    """Return whether a change of a predicate's table includes a certain atom.

    A change covers the atoms of one line of the table: they share all arguments but one.

    Args:
        column: 1 if the line is a column, whose atoms share the second argument; else 0.
        key: The shared argument; None for at most one argument, a tuple for more than two.
        mask: The objects in the argument that is not shared.
        object_ids: The arguments of the atom.
    """
    if key is None:
        # Without arguments, the mask has one bit.
        object_bit = object_ids[0] if object_ids else 0
        return bool(mask >> object_bit & 1)
    if isinstance(key, tuple):
        return key == object_ids[:-1] and bool(mask >> object_ids[-1] & 1)
    # A row has the first argument fixed, a column the second one.
    first, second = object_ids
    if column:
        return key == second and bool(mask >> first & 1)
    return key == first and bool(mask >> second & 1)
