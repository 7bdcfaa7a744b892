"""What is known of the states around the start of a task, by what it depends on.

Searches for subgoals look at many states that differ in few atoms. What a condition or an effect
comes to depends on the few lines of the state's tables that it reads: so it is worked out once for
all states that agree in these lines. What a function reads is not derived from its text but
recorded while it runs: a table of a state is replaced by one that notes which lines are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from operator import and_, itemgetter
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
_Line = tuple[int, int, int]
"""Number of a predicate, a part of its table (a row, a column, all of it), and which one."""
_ROW, _COLUMN, _ALL, _DERIVED = range(4)

_Test = Callable[..., bool]
_Members = Callable[[State, int, int], int]
Condition = tuple[object, _Members, int]
"""What is the same for equal conditions on one argument, its members, and what it reads."""

_Picker = Callable[[tuple[int, ...]], object]
_Effect = Callable[..., tuple[Updates, Updates]]

_AGENT, _ARGUMENT = Variable("?agent"), Variable("?argument")


_MOST_KEPT = 100_000
"""So many values are kept for one start; the lines of a table count one by one."""
_MOST_LISTED = 50_000
"""So many actions that can be taken in states are kept for later searches of an answer."""


def space_of(world: World, state: State, agent: int) -> Space:
    """What is known of the states around the start of the execution that led to a state."""
    last: Space | None = getattr(_LAST, "space", None)
    if state.began is None:
        return Space(world, state, agent)
    if last is None or not last.starts(world, state.began, agent) or last.kept > _MOST_KEPT:
        if last is not None:
            last.forget()
        last = _LAST.space = Space(world, state.began, agent)
    return last


_LAST = local()
"""The last space of each thread: answers to a task often come one after the other."""


class Space:
    """What was worked out of states, which are known by the atoms they differ from an origin in.

    All searches of an answer begin with states near the start of its task, and so do those of
    other answers to it: most of what they ask was asked before.
    """

    def __init__(self, world: World, origin: State, agent: int) -> None:
        self._world = world
        self._origin = origin
        self.agent = agent
        self.kept = 0
        self._numbers: dict[_Cell, int] = {}
        # Number of an atom to its predicate, its arguments, and its value where it differs.
        self._cells: list[tuple[int, tuple[int, ...], bool]] = []
        # The numbers of the atoms of each predicate, and of each line of its table, as masks.
        self._of = [0] * len(origin.layout.names)
        self._inside: dict[_Line, int] = {}
        self._masks: dict[int, int] = {}
        self._lines: dict[tuple[int, int, object, int], int] = {}
        self._schemas: dict[str, Schema] = {}
        # What was worked out of states, by the part of them that it depends on.
        self._passed: dict[tuple[object, int], list[int]] = {}
        self._extensions: dict[int, dict[int, Extension]] = {}
        self._reads: dict[frozenset[_Line], _Reads] = {}
        self._readers: dict[_Line, list[_Reads]] = {}
        self._tests: dict[Formula, Learnt] = {}
        # What searches keep of states, each in its own way, and how many actions are in that.
        self._around: dict[object, object] = {}
        self.listed = 0

    def starts(self, world: World, origin: State, agent: int) -> bool:
        """Whether it is the space of an execution."""
        return self._world is world and self._origin is origin and self.agent == agent

    def forget(self) -> None:
        """Let go of all that refers back to the space, so that it ends with its last search."""
        self._around.clear()
        self._schemas.clear()

    def around(self, key: object, make: Callable[[], _T]) -> _T:
        """What searches over the same operators and objects keep, made for the first of them."""
        if self.listed > _MOST_LISTED:
            self._around.clear()
            self.listed = 0
        found = self._around.get(key)
        if found is None:
            found = self._around[key] = make()
        return cast("_T", found)

    def schema(self, name: str) -> Schema:
        """An operator, with what was found out about its actions."""
        found = self._schemas.get(name)
        if found is None:
            found = self._schemas[name] = Schema(self._world, self._origin, name, self.agent)
        return found

    def difference(self, state: State) -> int:
        """The atoms in which a state differs from the origin, as a mask of their numbers."""
        changes = self._origin.changes_to(state) if state is not self._origin else ()
        return union([self._line((p, column, key, mask)) for p, column, key, mask, _ in changes])

    def state(self, near: State, at: int, differing: int) -> State:
        """The state that differs from a state at some place in some atoms."""
        state, cells = near.copy(), self._cells
        at ^= differing
        for number in bits(differing):
            p, arguments, value = cells[number]
            state.put(p, arguments, value if at >> number & 1 else not value)
        # A derived predicate keeps its extension where nothing that it depends on differs.
        for p, known in self._extensions.items():
            extension = known.get(self.part(self._world.depends(p), at))
            if extension is not None:
                state.memo[p] = extension
        return state

    def keep(self, memo: Mapping[int, Extension], at: int) -> None:
        """Keep the extensions of derived predicates that were found in a state."""
        for p, extension in memo.items():
            part, known = self.part(self._world.depends(p), at), self._extensions.setdefault(p, {})
            if part not in known:
                known[part] = extension
                self.kept += 1 + len(extension[1]) // 8

    def atoms(self, predicates: int) -> int:
        """The atoms of some predicates as a mask of their numbers; all if it is negative."""
        mask = self._masks.get(predicates)
        if mask is None:
            numbers = -1 if predicates < 0 else union([self._of[p] for p in bits(predicates)])
            mask = self._masks[predicates] = numbers
        return mask

    def part(self, reads: int, at: int) -> int:
        """What a state differs in, in some predicates: all that a condition on these depends on."""
        return at & self.atoms(reads)

    def value(self, learnt: Learnt, at: int, state: State) -> int:
        """Work out the value of a function for a state, and keep it for all that are alike."""
        recorder = _Recorder(state)
        value = learnt.function(cast("State", recorder))
        self.keep(recorder.memo, at)
        lines = list(recorder.lines)
        reads = self._reading(lines)
        if not learnt.cases:
            # what is read first of what can change
            first = (self._reading([line]) for line in lines)
            learnt.first = next((reads for reads in first if reads.lines), _NOTHING)
        cases = learnt.cases.setdefault(at & learnt.first.mask, [])
        values = next((values for known, values in cases if known is reads), None)
        if values is None:
            values = {}
            cases.append((reads, values))
        values[at & reads.mask] = value
        self.kept += 1
        return value

    def _reading(self, lines: Sequence[_Line]) -> _Reads:
        """What is read with some lines; the table of a derived predicate reads all below it."""
        fluent, depends = self._world.fluents, self._world.depends
        whole = fluent & union([depends(p) for p, part, _ in lines if part == _DERIVED])
        parts = fluent & ~whole
        stored = [line for line in lines if parts >> line[0] & 1 and line[1] != _DERIVED]
        key = frozenset(stored + [(p, _ALL, 0) for p in bits(whole)])
        reads = self._reads.get(key)
        if reads is None:
            mask = union([self._inside.get(line, 0) for line in key])
            reads = self._reads[key] = _Reads(mask, key)
            for line in key:
                self._readers.setdefault(line, []).append(reads)
        return reads

    def action(self, schema: Schema, others: tuple[int, ...]) -> Known:
        """An action with an operator, with what the parts of its effect change."""
        known = schema.actions.get(others)
        if known is not None:
            return known
        numbers = (self.agent, *others)
        parts = []
        for number, (about, effect) in enumerate(schema.effects):
            key = number, about(numbers)
            learnt = schema.learnt.get(key)
            if learnt is None:
                function = partial(self._changed, effect, numbers)
                learnt = schema.learnt[key] = Learnt(function)
            parts.append(learnt)
        found = schema.actions[others] = (schema.name, numbers), parts
        return found

    def test(self, condition: Formula) -> Learnt:
        """The test of a closed condition, with what is known of it."""
        learnt = self._tests.get(condition)
        if learnt is None:
            test = self._world.test_of(condition, self._origin.universe)
            learnt = self._tests[condition] = Learnt(test)
        return learnt

    def ranges(self, schema: Schema, mask: int) -> list[int]:
        """The arguments that may pass, as masks, as far as no action changes that."""
        found = []
        for left, tests in zip(schema.ranges, schema.static, strict=True):
            passing = (self.passing(test, mask, 0, lambda: self._origin) for test in tests)
            found.append(reduce(and_, passing, left & mask))
        return found

    def passing(
        self, condition: Condition, mask: int, part: int, state: Callable[[], State]
    ) -> int:
        """The objects of a mask, and more, that satisfy a condition, which depends on a part."""
        passed = self._passed.setdefault((condition[0], part), [0, 0])
        if new := mask & ~passed[0]:
            self.kept += 1
            passed[0] |= new
            passed[1] |= condition[1](state(), self.agent, new)
        return passed[1]

    def _changed(self, effect: _Effect, numbers: tuple[int, ...], state: State) -> int:
        """What becomes true, and what becomes false; only atoms that hold are deleted."""
        lines = self._lines
        adds, dels = effect(state, *numbers)
        made = removed = 0
        for line in dels:
            known = lines.get(line)
            removed |= self._line(line) if known is None else known
        for line in adds:
            p, column, key, mask = line
            if removed:  # what is deleted and added stays
                known = lines.get(line)
                removed &= ~(self._line(line) if known is None else known)
            if key is None:
                new = mask & ~state.unary[p]
            elif isinstance(key, int):
                new = mask & ~(state.cols if column else state.rows)[p][key]
            else:
                new = mask & ~state.wide[p].get(key, 0)  # type: ignore[call-overload]
            if new:
                known = lines.get((p, column, key, new))
                made |= self._line((p, column, key, new)) if known is None else known
        return made | removed

    def _line(self, line: tuple[int, int, object, int]) -> int:
        """The atoms of one row or column as a mask of their numbers."""
        p, column, key, mask = line
        found = 0
        for number in bits(mask):
            cell = cast("_Cell", (p, number, key) if column else (p, key, number))
            at = self._numbers.get(cell)
            found |= 1 << (self._number(cell) if at is None else at)
        self._lines[line] = found
        self.kept += 1
        return found

    def _number(self, cell: _Cell) -> int:
        """Number an atom that comes up for the first time."""
        number = self._numbers[cell] = len(self._cells)
        p, key, last = cell
        arguments = (last,) if self._origin.layout.arity[p] == 1 else ()
        if key is not None:
            arguments = (*key, last) if isinstance(key, tuple) else (key, last)
        self._cells.append((p, arguments, not self._origin.test(p, arguments)))
        self._of[p] |= 1 << number
        self._masks.clear()
        lines = [(p, _ALL, 0)]
        if isinstance(key, int):
            lines += [(p, _ROW, key), (p, _COLUMN, last)]
        for line in lines:
            self._inside[line] = self._inside.get(line, 0) | 1 << number
            for reads in self._readers.get(line, ()):
                reads.mask |= 1 << number
        return number


@dataclass(slots=True, eq=False)
class _Reads:
    """What is read of states: the atoms as a mask, which grows as atoms are numbered.

    An atom without a number differs in no state that was seen, so what was kept stays right.
    """

    mask: int
    lines: frozenset[_Line] = frozenset()


_NOTHING = _Reads(0)


class Learnt:
    """A function of states, and its values by what it reads of them.

    What it reads of two states is the same as long as it reads the same values, so a state that
    has them has the same value of the function.
    """

    __slots__ = ("cases", "first", "function")

    def __init__(self, function: Callable[[State], int]) -> None:
        self.function = function
        # What it reads first is always the same, and what that says mostly settles the rest.
        self.first = _NOTHING
        self.cases: dict[int, list[tuple[_Reads, dict[int, int]]]] = {}

    def known(self, at: int) -> int | None:
        """The value for a state, if it is known."""
        for reads, values in self.cases.get(at & self.first.mask, ()):
            value = values.get(at & reads.mask)
            if value is not None:
                return value
        return None


Known = tuple[Step, list[Learnt]]
"""An action, and what the parts of its effect change."""


class _Recorder:
    """A state that says which lines of its tables were read."""

    def __init__(self, state: State) -> None:
        self.lines: dict[_Line, None] = {}
        self.layout, self.universe = state.layout, state.universe
        self.initial = self if state.began is None else state.began
        self.memo = _Memo(state.memo, self.lines)
        self.unary = _Whole(state.unary, self.lines)
        self.wide = _Whole(state.wide, self.lines)
        self.rows = _Tables(state.rows, _ROW, self.lines)
        self.cols = _Tables(state.cols, _COLUMN, self.lines)


class _Memo(dict[int, Extension]):
    """The extensions of derived predicates."""

    def __init__(self, known: Mapping[int, Extension], lines: dict[_Line, None]) -> None:
        super().__init__(known)
        self._lines = lines

    def get(self, p: int, _default: object = None) -> Extension | None:  # type: ignore[override]
        self._lines[p, _DERIVED, 0] = None
        return super().get(p)


@dataclass(slots=True)
class _Whole:
    _tables: Sequence[object]
    _lines: dict[_Line, None]

    def __getitem__(self, p: int) -> object:
        self._lines[p, _ALL, 0] = None
        return self._tables[p]


@dataclass(slots=True)
class _Tables:
    _tables: Sequence[Sequence[int]]
    _kind: int
    _lines: dict[_Line, None]

    def __getitem__(self, p: int) -> _Rows:
        return _Rows(self._tables[p], p, self._kind, self._lines)


@dataclass(slots=True)
class _Rows:
    _masks: Sequence[int]
    _p: int
    _kind: int
    _lines: dict[_Line, None]

    def __getitem__(self, number: int) -> int:
        self._lines[self._p, self._kind, number] = None
        return self._masks[number]


class _Tests(NamedTuple):
    """Tests by what they ask about: the agent alone, one more argument each, or several.

    Beside them stand the predicates that they depend on, as a mask. The tests about one argument
    stand beside an object that is the same for equal conditions on an argument, whatever its
    operator and place.
    """

    agent: tuple[list[_Test], int]
    one: list[list[Condition]]
    more: list[_Test]


@lru_cache(maxsize=4096)
def _tests(world: World, name: str) -> tuple[_Tests, _Tests]:
    """The tests of an operator that no action can change the outcome of, and the others."""
    compiled = world.operator(name)
    names = [variable.name for variable in compiled.operator.parameters]
    found = [_Tests(([], 0), [[] for _ in names[1:]], []) for _ in range(2)]
    for test, function in zip(compiled.tests, compiled.test_functions, strict=True):
        fluent = not world.domain.is_static(test)
        group, about = found[fluent], {names.index(v.name) for v in test.free} - {0}
        if len(about) > 1:
            group.more.append(function)
        elif about:
            (at,) = about
            lifted = test.substitute({names[0]: _AGENT, names[at]: _ARGUMENT})
            members = _about_one(function, at, len(names))
            group.one[at - 1].append((lifted, members, _reads(world, [test])))
        else:
            group.agent[0].append(_about_agent(function, len(names)))
            reads = group.agent[1] | _reads(world, [test])
            found[fluent] = group._replace(agent=(group.agent[0], reads))
    return found[0], found[1]


def _reads(world: World, conditions: Iterable[Formula]) -> int:
    """The stored predicates that conditions depend on, as a mask; negative: any."""
    names = {a.predicate for each in conditions for a in atoms(each) if isinstance(a, Atom)}
    return union([world.depends(world.layout.index[name]) for name in names])


@lru_cache(maxsize=65536)
def members_of(mask: int) -> tuple[int, ...]:
    """The members of a mask, smallest first."""
    return tuple(bits(mask))


def _about_agent(function: _Test, count: int) -> _Test:
    return lambda state, agent: function(state, *(agent,) * count)


def _about_one(function: _Test, at: int, count: int) -> _Members:
    """The objects that pass a test about one argument; what stands for the others is the same.

    Objects are tested one by one, because a test ends at the first witness of a quantifier: rules
    of derived predicates nest four of them, and the set of all that satisfy such a condition takes
    a thousand times as long.
    """
    behind = count - at - 1

    def members(state: State, agent: int, mask: int) -> int:
        before, after = (agent,) * at, (agent,) * behind
        return mask_of([n for n in members_of(mask) if function(state, *before, n, *after)])

    return members


@lru_cache(maxsize=4096)
def _size_and_reads(world: World, name: str) -> tuple[int, int]:
    """The number of an operator's effects, and what these and tests of several arguments read."""
    operator = world.domain.operators[name]
    names = [each.name for each in operator.parameters]
    effects = list(clauses(operator.effect, names))
    several = [
        each
        for each in conjuncts(operator.precondition)
        if len({variable.name for variable in each.free} - {names[0]}) > 1
    ]
    looked_at = [each for clause in effects for each in (clause.condition, clause.atom)]
    return 1 + len(effects), _reads(world, [*several, *looked_at])


class Schema:
    """The actions with one operator."""

    def __init__(self, world: World, state: State, name: str, agent: int) -> None:
        compiled, universe = world.operator(name), state.universe
        static, self.tests = _tests(world, name)
        self.name = name
        self.more = static.more + self.tests.more
        self.static = static.one
        self.size, self.reads = _size_and_reads(world, name)
        first, *rest = compiled.operator.parameters
        # Parts of the effect pay where each is about few of several arguments.
        whole = ((tuple(range(1 + len(rest))), compiled.effect),)
        effects = compiled.effects if len(rest) > 1 else whole
        # What an effect is about beside the agent, which is always the same.
        about = [[at for at in locations if at] or [0] for locations, _ in effects]
        self.effects: list[tuple[_Picker, _Effect]] = [
            (itemgetter(*some), effect) for some, (_, effect) in zip(about, effects, strict=True)
        ]
        self.ranges = [universe.mask(variable.types) for variable in rest]
        acts = universe.mask(first.types) >> agent & 1
        self.acts = bool(acts and all(test(state, agent) for test in static.agent[0]))
        # What was found out, by what it depends on.
        self.acting: dict[int, bool] = {}
        self.learnt: dict[tuple[int, object], Learnt] = {}
        self.actions: dict[tuple[int, ...], Known] = {}

    def test_agent(self, part: int, state: State, agent: int) -> bool:
        """Whether the tests that are about the agent alone are passed, for a part of a state."""
        found = self.acting[part] = all(test(state, agent) for test in self.tests.agent[0])
        return found
