"""A cache of what conditions and effects are worth in the states around the start of a task.

Idea: searches for subgoals look at many states that differ in a few atoms, and most conditions and
effects read only a few lines of a state's tables (the row ``on(cup, _)``, the column
``on(_, table)``). So the value of a condition or an effect is computed once for all states that
agree in the lines that it reads. Which lines these are is not derived from the text of the
condition but recorded while it runs: a :class:`_RecordingState` stands in for the state and notes
every line that is examined.

Names for states: a state is known by its *difference* from an origin, which is a mask of numbered
atoms. An atom gets its number when it differs for the first time.

Invariant: an atom without a number has, in all states seen so far, the value that it has in the
origin. So a cached value stays right when atoms are numbered later: every state that was cached
under it agrees with the origin in the new atom (see :class:`_ReadSet`).

Cost: a cached value is found with two ``&`` of integers and two look-ups. Memory is bounded by
:data:`_MAX_VALUES` for one origin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import itemgetter
from threading import local
from typing import NamedTuple, TypeVar, cast

from eai.logic import Atom, Formula, Variable, atoms, conjuncts
from eai.pddl import clauses
from eai.world import Extension, State, Updates, World, mask_of
from eai.world.bits import bits, union

_T = TypeVar("_T")

Step = tuple[str, tuple[int, ...]]
"""Name of an operator, and the numbers of its arguments, the agent first."""

_Cell = tuple[int, object, int]
"""An atom in a table: predicate, all arguments but the last (the row), and the last one."""

_Update = tuple[int, int, object, int]
"""Several atoms of one line: predicate, whether the line is a column, the line, and a mask."""

_Line = tuple[int, int, int]
"""Number of a predicate, which part of its table is read (see below), and the row or column."""
_ROW, _COLUMN, _ALL, _DERIVED = range(4)
"""Parts of a table that a line names: a row, a column, all of it, or
the facts that its rules derive."""

_Test = Callable[..., bool]
"""Returns whether a condition holds, from a state and arguments."""
_Members = Callable[[State, int, int], int]
"""Returns the objects that satisfy a condition, from a state, the agent, and a mask of objects."""
Condition = tuple[object, _Members, int]
"""A condition on one argument: its key (equal for equal conditions), its members, what it reads."""

_Picker = Callable[[tuple[int, ...]], object]
"""Gets those arguments of an action that a part of its effect is about."""
_Effect = Callable[..., tuple[Updates, Updates]]
"""Returns the atoms that an effect adds and those that it deletes, from a state and arguments."""

_AGENT, _ARGUMENT = Variable("?agent"), Variable("?argument")
"""Variables of conditions on one argument: who acts, and the argument."""

_MAX_VALUES = 100_000
"""Maximum number of values cached for one origin; the lines of a table count one by one."""

_MAX_LISTED_ACTIONS = 50_000
"""Maximum number of applicable actions that are kept for later searches of an answer."""

_THREAD = local()
"""The last cache of each thread: answers to one task often come one after the other."""


def state_cache_of(world: World, state: State, agent: int) -> StateCache:
    """Return the cache shared by all searches that start from the same execution.

    A thread keeps only its last cache: answers to one task mostly come one after the other, and
    the values of several tasks would soon fill the memory.
    """
    if state.began is None:
        # Nothing was executed, so no other search begins in the same execution.
        return StateCache(world, state, agent)
    last: StateCache | None = getattr(_THREAD, "cache", None)
    if last is not None:
        if last.begins_at(world, state.began, agent) and last.kept <= _MAX_VALUES:
            return last
        last.forget()
    _THREAD.cache = StateCache(world, state.began, agent)
    return cast("StateCache", _THREAD.cache)


class StateCache:
    """Values of conditions and effects in the states around an origin.

    All searches of an answer begin with states near the start of its task, and so do those of
    other answers to it: most of what they ask was asked before.

    Args:
        world: The world.
        origin: The state from which differences are counted.
        agent: Number of the agent, the first argument of every action.
    """

    def __init__(self, world: World, origin: State, agent: int) -> None:
        """Begin without any cached value."""
        self._world = world
        self._origin = origin
        self.agent = agent
        self.kept = 0
        # Number of each atom that was read so far, in the order of first reading.
        self._numbers: dict[_Cell, int] = {}
        # Number of an atom to its predicate, its arguments, and its value where it differs.
        self._cells: list[tuple[int, tuple[int, ...], bool]] = []
        # The numbers of the atoms of each predicate, and of each line of its table, as masks.
        self._of_predicate = [0] * len(origin.layout.names)
        self._of_line: dict[_Line, int] = {}
        self._of_predicates: dict[int, int] = {}
        # Masks of parts of lines, by part; operators by name.
        self._of_update: dict[_Update, int] = {}
        self._schemas: dict[str, Schema] = {}
        # Cached values, keyed by the part of the difference that they depend on.
        self._passed: dict[tuple[object, int], list[int]] = {}
        self._extensions: dict[int, dict[int, Extension]] = {}
        # The sets of lines that cached functions read, and those in which a line is.
        self._read_sets: dict[frozenset[_Line], _ReadSet] = {}
        self._read_sets_with: dict[_Line, list[_ReadSet]] = {}
        self._tests: dict[Formula, CachedFunction] = {}
        # Data that searches share, and the number of actions in it.
        self._shared: dict[object, object] = {}
        self.listed = 0

    def begins_at(self, world: World, origin: State, agent: int) -> bool:
        """Return whether the cache belongs to an execution from this origin."""
        return self._world is world and self._origin is origin and self.agent == agent

    def forget(self) -> None:
        """Drop all that refers back to the cache, so that it is freed with its last search."""
        self._shared.clear()
        self._schemas.clear()

    def shared(self, key: object, make: Callable[[], _T]) -> _T:
        """Return a value for a key, which the first search creates and others reuse."""
        if self.listed > _MAX_LISTED_ACTIONS:
            self._shared.clear()
            self.listed = 0
        # All lists are dropped at once and made again when they are needed.
        shared = self._shared.get(key)
        if shared is None:
            shared = self._shared[key] = make()
        return cast("_T", shared)

    def schema(self, name: str) -> Schema:
        """Return an operator with the cached values of its actions."""
        schema = self._schemas.get(name)
        if schema is None:
            schema = self._schemas[name] = Schema(self._world, self._origin, name, self.agent)
        return schema

    # ------------------------------------------------------------------ states and differences
    def difference(self, state: State) -> int:
        """Return the atoms in which a state differs from the origin, as a mask of numbers."""
        if state is self._origin:
            return 0
        changes = self._origin.changes_to(state)
        return union([self._mask_of_update(change[:4]) for change in changes])

    def state(self, known_state: State, difference: int, differing: int) -> State:
        """Return the state that differs from another one in some atoms.

        Args:
            known_state: The other state.
            difference: Its difference from the origin.
            differing: The atoms in which the two states differ.
        """
        state = known_state.copy()
        difference ^= differing
        for atom_number in bits(differing):
            predicate, arguments, value = self._cells[atom_number]
            # "value" is the value of the atom in states that differ from the origin in it.
            is_changed = bool(difference >> atom_number & 1)
            state.put(predicate, arguments, value is is_changed)
        # The extension of a derived predicate is reused if everything it depends on is equal.
        state.memo = _ExtensionsAtHand(self, difference)
        return state

    def extension(self, predicate: int, difference: int) -> Extension | None:
        """Return the cached extension of a derived predicate in a state, or None."""
        extensions = self._extensions.get(predicate)
        if extensions is None:
            return None
        return extensions.get(self.part(self._world.depends(predicate), difference))

    def keep(self, memo: Mapping[int, Extension], difference: int) -> None:
        """Cache the extensions of derived predicates that were computed in a state."""
        for predicate, extension in memo.items():
            part = self.part(self._world.depends(predicate), difference)
            extensions = self._extensions.setdefault(predicate, {})
            if part not in extensions:
                extensions[part] = extension
                self.kept += 1 + len(extension[1]) // 8

    def atoms(self, predicates: int) -> int:
        """Return the numbered atoms of some predicates as a mask, or of all if it is negative."""
        if predicates < 0:
            return -1
        # The masks grow with every atom that is numbered, which empties this table.
        mask = self._of_predicates.get(predicates)
        if mask is None:
            mask = union([self._of_predicate[predicate] for predicate in bits(predicates)])
            self._of_predicates[predicates] = mask
        return mask

    def part(self, predicates: int, difference: int) -> int:
        """Project a difference onto predicates: all that a condition on these depends on."""
        return difference & self.atoms(predicates)

    # ------------------------------------------------------------------ values
    def value(self, function: CachedFunction, difference: int, state: State) -> int:
        """Return a function's value in a state, cached for all states that agree on what it reads.

        Args:
            function: The function.
            difference: The difference of the state from the origin.
            state: The state; what the function reads of it is recorded.
        """
        recorder = _RecordingState(state)
        value = function.function(cast("State", recorder))
        self.keep(recorder.memo, difference)
        # The order of the lines says which was read first, so they are kept as a list.
        lines = list(recorder.lines)
        read_set = self._read_set(lines)
        if not function.cases:
            function.first = self._first_fluent(lines)
        cases = function.cases.setdefault(difference & function.first.mask, [])
        values = _values_of_case(read_set, cases)
        values[difference & read_set.mask] = value
        self.kept += 1
        return value

    def _first_fluent(self, lines: Iterable[_Line]) -> _ReadSet:
        """Return a set with the first line read that actions can change."""
        for line in lines:
            read_set = self._read_set([line])
            if read_set.lines:
                return read_set
        return _NOTHING

    def _read_set(self, lines: Sequence[_Line]) -> _ReadSet:
        """Return the set of atoms on some table lines.

        A line is a row, a column or the whole of a predicate's table. The extension of a derived
        predicate depends on all predicates in its rules, so all of these are in the set.
        """
        # Static facts never differ, so only lines of fluents count.
        fluents = self._world.fluents
        whole_predicates = 0
        for predicate, kind, _ in lines:
            if kind == _DERIVED:
                whole_predicates |= fluents & self._world.depends(predicate)
        key_lines: set[_Line] = {(predicate, _ALL, 0) for predicate in bits(whole_predicates)}
        # A line of another predicate is in the set by itself.
        other_predicates = fluents & ~whole_predicates
        for line in lines:
            predicate, kind, _ = line
            if kind != _DERIVED and other_predicates >> predicate & 1:
                key_lines.add(line)
        key = frozenset(key_lines)
        read_set = self._read_sets.get(key)
        if read_set is None:
            mask = union([self._of_line.get(line, 0) for line in key])
            read_set = self._read_sets[key] = _ReadSet(mask, key)
            for line in key:
                self._read_sets_with.setdefault(line, []).append(read_set)
        return read_set

    def action(self, schema: Schema, other_arguments: tuple[int, ...]) -> ActionChanges:
        """Return an action with cached functions for its changes.

        Args:
            schema: Its operator.
            other_arguments: Its arguments without the agent.
        """
        action = schema.actions.get(other_arguments)
        if action is not None:
            return action
        arguments = (self.agent, *other_arguments)
        functions = []
        for index, (pick_arguments, effect) in enumerate(schema.effects):
            # Actions that agree in the arguments of a part of the effect share its function.
            key = index, pick_arguments(arguments)
            function = schema.changes.get(key)
            if function is None:
                changed = partial(self._changed_atoms, effect, arguments)
                function = schema.changes[key] = CachedFunction(changed)
            functions.append(function)
        action = schema.actions[other_arguments] = (schema.name, arguments), functions
        return action

    def test(self, condition: Formula) -> CachedFunction:
        """Return the cached test of a closed condition."""
        function = self._tests.get(condition)
        if function is None:
            test = self._world.test_of(condition, self._origin.universe)
            function = self._tests[condition] = CachedFunction(test)
        return function

    def ranges(self, schema: Schema, mask: int) -> list[int]:
        """Return the objects that each argument may be by static conditions, as masks."""
        ranges = []
        for typed, conditions in zip(schema.ranges, schema.static, strict=True):
            allowed = typed & mask
            for condition in conditions:
                allowed &= self.passing(condition, mask, 0, lambda: self._origin)
            ranges.append(allowed)
        return ranges

    def passing(
        self, condition: Condition, mask: int, part: int, state: Callable[[], State]
    ) -> int:
        """Return the objects of a mask that satisfy a condition, and maybe others.

        Args:
            condition: A condition on one argument.
            mask: The objects to test; those tested before are not tested again.
            part: The part of the difference that the condition depends on.
            state: Makes the state, where it is needed.
        """
        key, test, _ = condition
        # A list of two masks, which is changed in place: objects tested, and those that passed.
        tested_and_passed = self._passed.setdefault((key, part), [0, 0])
        untested = mask & ~tested_and_passed[0]
        if untested:
            self.kept += 1
            tested_and_passed[0] |= untested
            tested_and_passed[1] |= test(state(), self.agent, untested)
        return tested_and_passed[1]

    def _changed_atoms(self, effect: _Effect, arguments: tuple[int, ...], state: State) -> int:
        """Return the atoms that an effect changes in a state, as a mask.

        An effect deletes only atoms that hold, but it may add atoms that hold already.
        """
        # The innermost loop of a search: known updates are looked up here, without a call.
        masks = self._of_update
        additions, deletions = effect(state, *arguments)
        newly_true_atoms = newly_false_atoms = 0
        for deleted in deletions:
            mask = masks.get(deleted)
            newly_false_atoms |= self._mask_of_update(deleted) if mask is None else mask
        for added in additions:
            predicate, is_column, line, objects = added
            if newly_false_atoms:  # an atom that is deleted and added stays
                mask = masks.get(added)
                newly_false_atoms &= ~(self._mask_of_update(added) if mask is None else mask)
            # The type of a line tells the number of arguments: one, two, or more.
            if line is None:
                newly_true = objects & ~state.unary[predicate]
            elif isinstance(line, int):
                table = state.cols if is_column else state.rows
                newly_true = objects & ~table[predicate][line]
            else:
                newly_true = objects & ~state.wide[predicate].get(line, 0)  # type: ignore[call-overload]
            if newly_true:
                update = (predicate, is_column, line, newly_true)
                mask = masks.get(update)
                newly_true_atoms |= self._mask_of_update(update) if mask is None else mask
        return newly_true_atoms | newly_false_atoms

    # ------------------------------------------------------------------ numbers of atoms
    def _mask_of_update(self, update: _Update) -> int:
        """Return the changed part of a row or column as a mask of atom numbers.

        Atoms get numbers when they are first needed. The result is cached by the part.
        """
        predicate, is_column, line, objects = update
        mask = 0
        for object_number in bits(objects):
            cell: _Cell = (predicate, line, object_number)
            if is_column:  # its objects are the first arguments, and the line is the last one
                cell = (predicate, object_number, cast("int", line))
            atom_number = self._numbers.get(cell)
            if atom_number is None:
                atom_number = self._number_atom(cell)
            mask |= 1 << atom_number
        self._of_update[update] = mask
        self.kept += 1
        return mask

    def _number_atom(self, cell: _Cell) -> int:
        """Number an atom that differs for the first time, and add it to all masks.

        Args:
            cell: The atom; the row is None for at most one argument, an object for two, a tuple for
                more.
        """
        atom_number = self._numbers[cell] = len(self._cells)
        bit = 1 << atom_number
        predicate, row, last = cell
        arguments: tuple[int, ...] = (last,)
        if self._origin.layout.arity[predicate] == 0:
            arguments = ()
        if row is not None:
            arguments = (*row, last) if isinstance(row, tuple) else (cast("int", row), last)
        self._cells.append((predicate, arguments, not self._origin.test(predicate, arguments)))
        self._of_predicate[predicate] |= bit
        self._of_predicates.clear()
        lines = [(predicate, _ALL, 0)]
        if isinstance(row, int):
            lines += [(predicate, _ROW, row), (predicate, _COLUMN, last)]
        # The invariant of the module: whatever reads one of these lines reads the new atom.
        for line in lines:
            self._of_line[line] = self._of_line.get(line, 0) | bit
            for read_set in self._read_sets_with.get(line, ()):
                read_set.mask |= bit
        return atom_number


@dataclass(slots=True, eq=False)
class _ReadSet:
    """The atoms that a function reads, as a mask that grows as atoms are numbered.

    An atom without a number differs in no state that was seen, so cached values stay right.
    """

    mask: int
    lines: frozenset[_Line] = frozenset()


_NOTHING = _ReadSet(0)

_Case = tuple[_ReadSet, dict[int, int]]
"""The atoms that a function reads, and its values by the part of a difference that it reads."""


def _values_of_case(read_set: _ReadSet, cases: list[_Case]) -> dict[int, int]:
    """Return the values cached for a set of read atoms, adding a new case if needed."""
    for earlier, values in cases:
        if earlier is read_set:
            return values
    values = {}
    cases.append((read_set, values))
    return values


class CachedFunction:
    """A function of states, with its values keyed by the atoms that it reads.

    A function is deterministic: as long as it reads the same values, it reads the same lines and
    returns the same. So a state that agrees with an earlier one in all that was read there has the
    same value.

    Args:
        function: The function.
    """

    __slots__ = ("cases", "first", "function")

    def __init__(self, function: Callable[[State], int]) -> None:
        self.function = function
        # A function always reads the same line first, and its value mostly settles what follows:
        # so cases are kept by it, which leaves one or two to look at.
        self.first = _NOTHING
        self.cases: dict[int, list[_Case]] = {}

    def cached_value(self, difference: int) -> int | None:
        """Return the cached value for a state, or None."""
        for read_set, values in self.cases.get(difference & self.first.mask, ()):
            value = values.get(difference & read_set.mask)
            if value is not None:
                return value
        return None


ActionChanges = tuple[Step, list[CachedFunction]]
"""An action, and the functions that return the atoms that the parts of its effect change."""


# ---------------------------------------------------------------------- states that record reads
class _RecordingState:
    """A stand-in for a state that records which lines of its tables are read."""

    def __init__(self, state: State) -> None:
        """Wrap the tables of a state, so that each access is recorded."""
        # A dictionary is an ordered set here: the order of reading matters (see CachedFunction).
        self.lines: dict[_Line, None] = {}
        # It has the attributes of a state, but its tables record which lines are read.
        self.layout = state.layout
        self.universe = state.universe
        self.initial = self if state.began is None else state.began
        self.memo = _RecordingExtensions(state.memo, self.lines)
        self.unary = _RecordingTables(state.unary, self.lines)
        self.wide = _RecordingTables(state.wide, self.lines)
        self.rows = _RecordingRelations(state.rows, _ROW, self.lines)
        self.cols = _RecordingRelations(state.cols, _COLUMN, self.lines)


class _ExtensionsAtHand(dict[int, Extension]):
    """The extensions of derived predicates in a state, looked up when they are first asked for.

    A state has dozens of them, and few of them are asked for before the next state is made.
    """

    def __init__(self, cache: StateCache, difference: int) -> None:
        super().__init__()
        self._cache = cache
        self._difference = difference

    def __bool__(self) -> bool:
        """Whether there may be extensions, which a change of the state takes away."""
        return True

    def get(self, p: int, _default: object = None) -> Extension | None:  # type: ignore[override]
        """Return an extension that is computed already, or None."""
        found = super().get(p)
        if found is None:
            found = self._cache.extension(p, self._difference)
            if found is not None:
                self[p] = found
        return found


class _RecordingExtensions(dict[int, Extension]):
    """The extensions of derived predicates, with every access recorded."""

    def __init__(self, extensions: Mapping[int, Extension], lines: dict[_Line, None]) -> None:
        super().__init__()
        self._extensions = extensions
        self._lines = lines

    def get(self, p: int, _default: object = None) -> Extension | None:  # type: ignore[override]
        """Return an extension that is computed already, and note that it is read."""
        self._lines[p, _DERIVED, 0] = None
        return super().get(p) or self._extensions.get(p)


# A line that is read again is neither recorded again nor looked up here: a dictionary that has it
# answers at once.
class _RecordingTables(dict[int, object]):
    """Tables by predicate that are read as a whole, such as those of one argument."""

    def __init__(self, tables: Sequence[object], lines: dict[_Line, None]) -> None:
        super().__init__()
        self._tables = tables
        self._lines = lines

    def __missing__(self, p: int) -> object:
        self._lines[p, _ALL, 0] = None
        table = self[p] = self._tables[p]
        return table


class _RecordingRelations(dict[int, "_RecordingRows"]):
    """Tables by predicate that are read row by row or column by column."""

    def __init__(
        self, tables: Sequence[Sequence[int]], kind: int, lines: dict[_Line, None]
    ) -> None:
        super().__init__()
        self._tables = tables
        self._kind = kind
        self._lines = lines

    def __missing__(self, p: int) -> _RecordingRows:
        rows = self[p] = _RecordingRows(self._tables[p], p, self._kind, self._lines)
        return rows


class _RecordingRows(dict[int, int]):
    """The rows (or columns) of one table."""

    def __init__(self, masks: Sequence[int], p: int, kind: int, lines: dict[_Line, None]) -> None:
        super().__init__()
        self._masks = masks
        self._line = p, kind
        self._lines = lines

    def __missing__(self, number: int) -> int:
        p, kind = self._line
        self._lines[p, kind, number] = None
        mask = self[number] = self._masks[number]
        return mask


# ---------------------------------------------------------------------- operators
class _AgentTests(NamedTuple):
    """Tests of the agent alone, with the predicates that they depend on as a mask."""

    tests: list[_Test]
    reads: int


class _OperatorTests(NamedTuple):
    """The tests of an operator, grouped by the arguments that they are about.

    The first argument is the agent. It counts in none of the groups but the first: a test may read
    the agent beside other arguments.

    Args:
        agent: Tests about the agent alone.
        by_argument: For each argument after the agent the conditions on it alone.
        joint_tests: Tests about several arguments after the agent.
    """

    agent: _AgentTests
    by_argument: list[list[Condition]]
    joint_tests: list[_Test]


@lru_cache(maxsize=4096)
def _tests_of_operator(world: World, name: str) -> tuple[_OperatorTests, _OperatorTests]:
    """Return the static tests of an operator, and the others, which actions can change."""
    return _tests_of_kind(world, name, static=True), _tests_of_kind(world, name, static=False)


def _tests_of_kind(world: World, name: str, *, static: bool) -> _OperatorTests:
    """Return either the static or the changeable tests of an operator.

    Args:
        world: Compiles the operator, and says which predicates its tests depend on.
        name: Name of the operator.
        static: True for the tests whose outcome no action can change, False for the others.
    """
    compiled = world.operator(name)
    parameters = [variable.name for variable in compiled.operator.parameters]
    agent_tests: list[_Test] = []
    agent_reads = 0
    conditions_by_argument: list[list[Condition]] = [[] for _ in parameters[1:]]
    joint_tests: list[_Test] = []
    for test, function in zip(compiled.tests, compiled.test_functions, strict=True):
        if world.domain.is_static(test) is not static:
            continue
        tested_positions = {parameters.index(variable.name) for variable in test.free}
        tested_positions.discard(0)  # the agent
        if not tested_positions:
            agent_tests.append(_make_agent_test(function, len(parameters)))
            agent_reads |= _predicates_read(world, [test])
        elif len(tested_positions) == 1:
            (argument,) = tested_positions
            condition = _condition_on(world, test, function, parameters, argument)
            conditions_by_argument[argument - 1].append(condition)
        else:
            joint_tests.append(function)
    return _OperatorTests(
        _AgentTests(agent_tests, agent_reads), conditions_by_argument, joint_tests
    )


def _condition_on(
    world: World, test: Formula, function: _Test, parameters: Sequence[str], argument: int
) -> Condition:
    """Return a test about one argument as a condition on this argument.

    Args:
        world: Says which predicates the test depends on.
        test: The test.
        function: The same, compiled.
        parameters: Names of the operator's parameters, the agent first.
        argument: The number of the parameter that the test is about.
    """
    # Equal conditions share a key, whatever operator and argument they come from.
    key = test.substitute({parameters[0]: _AGENT, parameters[argument]: _ARGUMENT})
    members = _make_members(function, argument, len(parameters))
    return key, members, _predicates_read(world, [test])


def _predicates_read(world: World, conditions: Iterable[Formula]) -> int:
    """Return the stored predicates that conditions depend on as a mask (negative: any)."""
    predicates = set()
    for condition in conditions:
        for atom in atoms(condition):
            if isinstance(atom, Atom):
                predicates.add(world.layout.index[atom.predicate])
    return union([world.depends(predicate) for predicate in predicates])


@lru_cache(maxsize=65536)
def members_of(mask: int) -> tuple[int, ...]:
    """Return the members of a mask, smallest first."""
    return tuple(bits(mask))


def _make_agent_test(function: _Test, count: int) -> _Test:
    """Return a test of the agent alone; it reads none of the other arguments."""
    return lambda state, agent: function(state, *(agent,) * count)


def _make_members(function: _Test, argument: int, count: int) -> _Members:
    """Return a function that filters objects by a test about one argument.

    The agent is inserted for all other arguments, which the test does not read. Objects are tested
    one by one, because a test ends at the first witness of a quantifier. Rules of derived
    predicates nest four of them, and computing the mask of all satisfying objects takes a thousand
    times as long.
    """
    count_after = count - argument - 1

    def members(state: State, agent: int, mask: int) -> int:
        """Return which objects of a mask satisfy the condition."""
        before = (agent,) * argument
        after = (agent,) * count_after
        return mask_of([n for n in members_of(mask) if function(state, *before, n, *after)])

    return members


@lru_cache(maxsize=4096)
def _size_and_reads(world: World, name: str) -> tuple[int, int]:
    """Return the number of an operator's effects, and the predicates that they read.

    A joint test reads several arguments apart from the agent. Other tests are made for each
    argument alone.

    Returns:
        One more than the number of effects, and a mask of predicates.
    """
    operator = world.domain.operators[name]
    names = [parameter.name for parameter in operator.parameters]
    agent = names[0]
    formulas_read: list[Formula] = []
    for condition in conjuncts(operator.precondition):
        arguments = {variable.name for variable in condition.free}
        arguments.discard(agent)
        if len(arguments) > 1:
            formulas_read.append(condition)
    effects = list(clauses(operator.effect, names))
    for clause in effects:
        formulas_read += (clause.condition, clause.atom)
    return 1 + len(effects), _predicates_read(world, formulas_read)


class Schema:
    """The actions of one operator in the states around an origin.

    Args:
        world: The world.
        state: The origin.
        name: Name of the operator.
        agent: Number of the agent.

    Attributes:
        tests: The tests whose outcome an action can change.
        static: For each argument but the agent, the conditions on it alone that never change.
        joint_tests: All tests about several arguments.
        effects: The parts of the effect, each with what gets the arguments that it is about.
        ranges: For each argument but the agent, the objects of its types, as a mask.
        can_act: Whether the agent can be the first argument at all.
        acting: Whether it passes its tests, by the part of a state that these depend on.
        changes: Functions of parts of the effect, by number of the part and its arguments.
        actions: Actions by their arguments without the agent.
    """

    def __init__(self, world: World, state: State, name: str, agent: int) -> None:
        """Decide the static tests of an operator, and prepare the others."""
        compiled = world.operator(name)
        universe = state.universe
        # Static tests are decided now, in the origin. The others are evaluated in each state.
        static_tests, self.tests = _tests_of_operator(world, name)
        self.name = name
        self.joint_tests = static_tests.joint_tests + self.tests.joint_tests
        self.static = static_tests.by_argument
        # Number of effects, and the predicates that effects and joint tests read.
        self.size, self.reads = _size_and_reads(world, name)
        agent_parameter, *other_parameters = compiled.operator.parameters
        # With several arguments, an effect is cached in parts that depend on few of them.
        effects = compiled.effects
        if len(other_parameters) <= 1:
            effects = ((tuple(range(1 + len(other_parameters))), compiled.effect),)
        self.effects: list[tuple[_Picker, _Effect]] = []
        for arguments, effect in effects:
            # The agent, argument 0, is always the same. It is the key only if there is no other.
            key_arguments = [argument for argument in arguments if argument != 0] or [0]
            self.effects.append((itemgetter(*key_arguments), effect))
        self.ranges = [universe.mask(variable.types) for variable in other_parameters]
        is_agent = universe.mask(agent_parameter.types) >> agent & 1
        self.can_act = bool(
            is_agent and all(test(state, agent) for test in static_tests.agent.tests)
        )
        # Cached values, by the part of a state that they depend on.
        self.acting: dict[int, bool] = {}
        self.changes: dict[tuple[int, object], CachedFunction] = {}
        self.actions: dict[tuple[int, ...], ActionChanges] = {}

    def test_agent(self, part: int, state: State, agent: int) -> bool:
        """Return whether the tests about the agent alone pass, and cache it for a part."""
        passes = all(test(state, agent) for test in self.tests.agent.tests)
        self.acting[part] = passes
        return passes
