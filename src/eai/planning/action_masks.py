"""Ground actions as masks over facts, each made when a plan first names it.

Idea: a state is one integer with a bit for each fact that an action can change. If the precondition
and the effect of an action are literals, four masks are all there is to it: it is applicable if
``state & reads == wants``, and it leads to ``state & keeps | makes``. Every other action (with
alternatives, quantifiers, conditional effects, derived predicates, or numbers that change) is
executed by the engine, and where it leads is remembered by the state.

Invariant: a fact without a bit is false in every state. The facts of an initial state have bits
before anything is executed there; all others get one when an action mentions or adds them. So
masks, and what is remembered by them, stay right when more facts get bits.

Cost: of an action of literals some operations on integers; of another one a look-up if the state
was met before, else what the engine takes, and a little for each fact in which the state differs
from the one that was executed last.

Memory: at most :data:`MAX_REMEMBERED` entries in a process; then all are forgotten and made again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from threading import Lock, RLock
from typing import Final, NamedTuple, TypeVar
from weakref import WeakSet

from eai.errors import InputError
from eai.logic import TRUE, Atom, Formula, Not, Rational, Variable, conjuncts
from eai.pddl import clauses, numeric_clauses
from eai.world import Action, State, Values, World, changed_literals
from eai.world.bits import bits

MAX_REMEMBERED = 100_000
"""Maximum number of entries that a process remembers: actions, their outcomes in states, and facts
of problems. An entry takes 80 to 450 bytes in problems of tens of objects, so all of them some 40
MB; with thousands of facts that change a few kilobytes."""

_T = TypeVar("_T")

Fact = tuple[str, ...]
"""A predicate and its arguments, by name."""

_Numbered = tuple[int, tuple[int, ...]]
"""The numbers of a predicate and of its arguments."""


class Numbers:
    """The values of function terms in a state. It is hashed by identity, unlike the values.

    Args:
        values: The values.
    """

    __slots__ = ("values",)

    def __init__(self, values: Values) -> None:
        self.values = values


Outcome = int | tuple[int, Numbers | None]
"""Of an action the first test that fails, or the facts and numbers after it; of a goal whether it
holds."""


class TableMemory:
    """The bound on what all tables of a process remember together."""

    def __init__(self) -> None:
        self.entries = 0
        self._tables: WeakSet[ActionTable] = WeakSet()
        self._shared: dict[object, object] = {}
        self._lock = Lock()

    def add(self, table: ActionTable) -> None:
        """Empty a table, too, when everything is forgotten."""
        with self._lock:
            self._tables.add(table)

    def count(self, entries: int = 1) -> None:
        """Count entries that are going to be remembered; forget all others if they are too many."""
        if self.entries + entries > MAX_REMEMBERED:
            self.forget()
        self.entries += entries

    def forget(self) -> None:
        """Forget everything; whoever still uses a table makes its actions again."""
        with self._lock:
            self.entries = 0
            self._shared = {}
            for table in self._tables:
                table.forget()

    def shared(self, key: object) -> object | None:
        """Return what was shared under a key, or None."""
        return self._shared.get(key)

    def share(self, key: object, value: object, entries: int) -> None:
        """Remember a value, which takes as much room as some number of entries."""
        # Nothing may take all room: a problem with more facts would be forgotten at each action.
        self.count(min(entries, MAX_REMEMBERED // 2))
        self._shared[key] = value


MEMORY: Final = TableMemory()


# ---------------------------------------------------------------------- operators
class _LiteralSchema(NamedTuple):
    """A literal over the arguments of an action.

    Args:
        predicate: Its predicate.
        indices: Of each of its terms, the index among the arguments of the action and the
            constants of its operator.
        value: Whether it is positive.
        is_static: Whether no action changes facts of the predicate.
    """

    predicate: str
    indices: tuple[int, ...]
    value: bool
    is_static: bool

    def fact(self, names: Sequence[str]) -> Fact:
        """Return the fact that the literal is about."""
        return (self.predicate, *[names[index] for index in self.indices])


_StaticTest = Callable[..., bool]
"""A condition that no action changes, as a function of a state and the numbers of arguments."""


class _OperatorSchema(NamedTuple):
    """An operator whose precondition and effect are literals.

    Args:
        constants: The objects that it mentions.
        tests: The conjuncts of its precondition, in the order of the text.
        effects: The literals that become true.
    """

    constants: tuple[str, ...]
    tests: tuple[_LiteralSchema | _StaticTest, ...]
    effects: tuple[_LiteralSchema, ...]


@lru_cache(maxsize=1024)
def _schema_of(world: World, name: str, adds_costs: bool) -> _OperatorSchema | None:
    """Return an operator as literals, or None if it has other conditions or effects.

    Args:
        world: The world.
        name: Name of the operator.
        adds_costs: Whether the only numbers that change are costs, which no condition reads.
    """
    compiled = world.operator(name)
    terms = _OperatorTerms(world, [parameter.name for parameter in compiled.operator.parameters])
    tests: list[_LiteralSchema | _StaticTest] = []
    for index, test in enumerate(compiled.tests):
        literal = terms.literal(test)
        if literal is not None:
            tests.append(literal)
        # No action changes it, so it is decided when the action is made.
        elif world.domain.is_static(test):
            tests.append(compiled.test_functions[index])
        else:
            return None
    effects = []
    for clause in clauses(compiled.operator.effect, terms.parameters):
        literal = terms.literal(clause.atom)
        if literal is None or clause.variables or clause.condition != TRUE:
            return None
        effects.append(literal._replace(value=clause.added))
    for change in numeric_clauses(compiled.operator.effect, terms.parameters):
        if compiled.changes_numbers and not adds_costs:
            return None
        if change.variables or change.condition != TRUE:
            return None
    return _OperatorSchema(tuple(terms.constants), tuple(tests), tuple(effects))


class _OperatorTerms:
    """The terms of an operator: its parameters, and the constants that it mentions.

    Args:
        world: The world.
        parameters: Names of the parameters.
    """

    def __init__(self, world: World, parameters: Sequence[str]) -> None:
        self._world = world
        self.parameters = parameters
        self.constants: list[str] = []

    def literal(self, formula: Formula) -> _LiteralSchema | None:
        """Return a literal of a stored predicate over these terms; None for other formulas."""
        atom = formula.operand if isinstance(formula, Not) else formula
        if not isinstance(atom, Atom) or not _is_stored(self._world, atom):
            return None
        indices = []
        for term in atom.terms:
            index = self._index(term)
            if index is None:
                return None
            indices.append(index)
        is_static = atom.predicate not in self._world.domain.fluents
        return _LiteralSchema(atom.predicate, tuple(indices), atom is formula, is_static)

    def _index(self, term: Variable | str) -> int | None:
        """Return the index of a term; None if it is neither a parameter nor a constant."""
        if isinstance(term, Variable):
            if term.name not in self.parameters:
                return None
            return self.parameters.index(term.name)
        if term not in self._world.domain.constants:
            return None
        if term not in self.constants:
            self.constants.append(term)
        return len(self.parameters) + self.constants.index(term)


def _is_stored(world: World, atom: Atom) -> bool:
    """Return whether states store the facts of an atom's predicate, with as many arguments."""
    predicate_id = world.layout.index.get(atom.predicate)
    if predicate_id is None or atom.predicate in world.derived:
        return False
    return world.layout.arity[predicate_id] == len(atom.terms)


# ---------------------------------------------------------------------- actions
_NEVER: Final = 0, 1
"""Read and wanted bits of an action that is never applicable: no state has bit 0 of the mask 0."""


class MaskedAction:
    """A ground action.

    Attributes:
        action: The action.
        reads: The facts on which it depends.
        wants: Those of them that have to hold; the others must not.
        keeps: The facts that stay as they are.
        makes: The facts that hold afterwards.
        tests: What each conjunct of the precondition reads and wants.
        cost: The cost that it adds to the total.
        is_literals: Whether the masks say all about it.
        numbers: The numbers of its arguments.
        error: Why it is no action of the task; empty if it is one.
        reasons: For a conjunct that fails the reason, if it is the same in all states.
    """

    __slots__ = (
        "action",
        "cost",
        "error",
        "is_literals",
        "keeps",
        "makes",
        "numbers",
        "reads",
        "reasons",
        "tests",
        "wants",
    )

    def __init__(self, action: Action, numbers: tuple[int, ...] = (), error: str = "") -> None:
        """Begin as an action that the engine has to execute."""
        self.action = action
        self.numbers = numbers
        self.error = error
        self.is_literals = False
        self.reads, self.wants = _NEVER
        self.keeps = -1
        self.makes = 0
        self.cost: Rational = 0
        self.tests: tuple[tuple[int, int], ...] = ()
        self.reasons: dict[int, str] = {}

    def first_failure(self, state: int) -> int:
        """Return the number of the first conjunct that does not hold in a state."""
        for index, (reads, wants) in enumerate(self.tests):
            if state & reads != wants:
                return index
        return -1


class ActionTable:
    """The actions of all problems that have the same objects and static facts.

    It may be used by several threads.

    Args:
        world: The world.
        objects: Object name to type.
        static: The facts that no action changes.
        values: Function terms with their values, where states have numbers. The table is then for
            problems with these values only.
        adds_costs: Whether the only numbers that change are costs, which no condition reads.

    Raises:
        InputError: If a fact or value is none of the domain, or an object has an unknown type.
    """

    def __init__(
        self,
        world: World,
        objects: Mapping[str, str],
        static: Iterable[Atom],
        values: Mapping[Atom, float | Rational] | None = None,
        *,
        adds_costs: bool = False,
    ) -> None:
        """Begin with no action and with no fact that can change."""
        self.world = world
        self.adds_costs = adds_costs
        # The state of the engine, which is moved to where an action has to be executed.
        self._state = world.state(objects, static, values)
        self._facts_of_state = 0
        self.universe = self._state.universe
        self.numbers: Numbers | None = None
        if self._state.numbers is not None:
            self.numbers = Numbers(self._state.numbers)
        self._static = {(atom.predicate, *map(str, atom.terms)) for atom in static}
        self._bits: dict[Fact, int] = {}
        self._numbered: list[_Numbered] = []
        self._lock = RLock()
        self.forget()
        MEMORY.add(self)

    def forget(self) -> None:
        """Forget all actions and outcomes; bits of facts stay."""
        self.actions: dict[tuple[str, ...], MaskedAction] = {}
        # By an action or a goal, and by the facts and numbers of a state.
        self.outcomes: dict[tuple[object, int, Numbers | None], Outcome] = {}

    def mask_of(self, facts: Iterable[Atom]) -> int:
        """Return the mask of facts that actions can change.

        Raises:
            InputError: If one is no fact of the domain.
        """
        known = self._bits
        mask = 0
        for atom in facts:
            fact = (atom.predicate, *atom.terms)
            bit = known.get(fact)  # type: ignore[arg-type]
            if bit is None:
                bit = self._bit((atom.predicate, *map(str, atom.terms)))
            mask |= bit
        return mask

    def _bit(self, fact: Fact) -> int:
        """Return the bit of a fact; a new fact gets the next one."""
        bit = self._bits.get(fact)
        if bit is None:
            with self._lock:
                numbered = self._state.numbered(fact[0], fact[1:])
                bit = self._bits.get(fact)
                if bit is None:
                    bit = 1 << len(self._numbered)
                    self._numbered.append(numbered)
                    self._bits[fact] = bit
        return bit

    def condition(self, formula: Formula) -> tuple[int, int] | None:
        """Return what a closed conjunction of literals reads and wants; None for other formulas."""
        tests = []
        for conjunct in conjuncts(formula):
            atom = conjunct.operand if isinstance(conjunct, Not) else conjunct
            if not isinstance(atom, Atom) or not _is_stored(self.world, atom):
                return None
            if any(term not in self.universe.index for term in atom.terms):
                return None
            is_static = atom.predicate not in self.world.domain.fluents
            indices = tuple(range(len(atom.terms)))
            literal = _LiteralSchema(atom.predicate, indices, atom is conjunct, is_static)
            tests.append(self._test(literal, (), tuple(map(str, atom.terms))))
        return _joined(tests)

    # ------------------------------------------------------------------ actions
    def add(self, action: Action) -> MaskedAction:
        """Return an action as masks, and remember it.

        Raises:
            InputError: If the domain cannot be run.
        """
        MEMORY.count()
        with self._lock:
            masked = self._mask(action)
        key = (action.name, *action.arguments)
        self.actions[key] = masked
        return masked

    def _mask(self, action: Action) -> MaskedAction:
        """Return an action as masks."""
        # An unknown action is a mistake of the answer like any other.
        try:
            numbers = self.world.numbers(self._state, action.name, action.arguments)
        except InputError as error:
            return MaskedAction(action, error=error.what)
        masked = MaskedAction(action, numbers)
        schema = _schema_of(self.world, action.name, self.adds_costs)
        if schema is None:
            return masked
        names = (*action.arguments, *schema.constants)
        masked.is_literals = True
        masked.tests = tuple([self._test(test, numbers, names) for test in schema.tests])
        masked.reads, masked.wants = _joined(masked.tests)
        if (masked.reads, masked.wants) == _NEVER:
            return masked
        changed = 0
        for literal in schema.effects:
            bit = self._bit(literal.fact(names))
            changed |= bit
            # Adding wins over deleting.
            if literal.value:
                masked.makes |= bit
        masked.keeps = ~changed
        operator = self.world.operator(action.name)
        if operator.changes_numbers:
            for _, _, amount in operator.numeric_effect(self._state, *numbers):
                masked.cost += amount
        return masked

    def _test(
        self,
        test: _LiteralSchema | _StaticTest,
        numbers: tuple[int, ...],
        names: Sequence[str],
    ) -> tuple[int, int]:
        """Return what a test reads and wants.

        Args:
            test: The test.
            numbers: The numbers of the arguments.
            names: The names of the arguments and of the constants.
        """
        if not isinstance(test, _LiteralSchema):
            holds = test(self._state, *numbers)
        elif test.is_static:
            holds = (test.fact(names) in self._static) is test.value
        else:
            bit = self._bit(test.fact(names))
            return bit, bit if test.value else 0
        return (0, 0) if holds else _NEVER

    def execute(self, masked: MaskedAction, facts: int, numbers: Numbers | None) -> Outcome:
        """Execute an action in the engine, and remember where it leads.

        Args:
            masked: The action.
            facts: The facts that hold before it, as a mask.
            numbers: The values of function terms before it; None where states have none.
        """
        MEMORY.count()
        with self._lock:
            outcome = self._execute(masked, facts, numbers)
        self.outcomes[masked, facts, numbers] = outcome
        return outcome

    def holds(self, goal: Formula, facts: int, numbers: Numbers | None) -> bool:
        """Return whether a goal holds in a state, and remember it."""
        holds = self.outcomes.get((goal, facts, numbers))
        if holds is None:
            MEMORY.count()
            holds = self.ask(lambda state: self.world.holds(state, goal), facts, numbers)
            self.outcomes[goal, facts, numbers] = holds
        return bool(holds)

    def _execute(self, masked: MaskedAction, facts: int, numbers: Numbers | None) -> Outcome:
        """Execute an action in the state of the engine."""
        state = self._move_to(facts, numbers)
        name = masked.action.name
        failing = self.world.first_failure(state, name, masked.numbers)
        if failing >= 0:
            return failing
        changes = self.world.apply(state, name, masked.numbers)
        predicates, objects = self.world.layout.names, self.universe.names
        for predicate, arguments, _ in changed_literals(changes, self.world.layout):
            names = [objects[argument] for argument in arguments]
            facts ^= self._bit((predicates[predicate], *names))
        self._facts_of_state = facts
        if numbers is not None and state.numbers is not numbers.values:
            assert state.numbers is not None  # noqa: S101 - a state keeps its numbers
            numbers = Numbers(state.numbers)
        return facts, numbers

    def _move_to(self, facts: int, numbers: Numbers | None) -> State:
        """Return the state of the engine, with these facts and numbers."""
        state = self._state
        for index in bits(facts ^ self._facts_of_state):
            predicate, arguments = self._numbered[index]
            state.put(predicate, arguments, bool(facts >> index & 1))
        self._facts_of_state = facts
        if numbers is not None and state.numbers is not numbers.values:
            state.numbers = numbers.values
            state.memo = {}
        return state

    def ask(self, function: Callable[[State], _T], facts: int, numbers: Numbers | None) -> _T:
        """Return the value of a function of states, which must not change or keep the state."""
        with self._lock:
            return function(self._move_to(facts, numbers))


def _joined(tests: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Return what a conjunction of tests reads and wants."""
    all_reads = all_wants = 0
    for reads, wants in tests:
        is_contradicted = (all_reads & reads) & (all_wants ^ wants)
        if is_contradicted or (reads, wants) == _NEVER:
            return _NEVER
        all_reads |= reads
        all_wants |= wants
    return all_reads, all_wants
