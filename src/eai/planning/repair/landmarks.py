"""Landmarks of an execution that fails: what an edit has to bring about, by position in the plan.

Idea: where a plan fails, a condition does not hold. As long as every literal stays on which it
rests that it does not hold, it does not hold; so one of these literals has to change: they are a
*disjunctive landmark* (Porteous & Cresswell 2002). :class:`Disjunctions` finds such a set of
literals by the walk of :mod:`eai.planning.reasons`. :class:`LandmarkFinder` regresses the set
through the steps before the failure (Waldinger 1977), which gives a set for each earlier position.

Invariant: an edit that puts in one action before the failure, or takes one step out, can only mend
the plan if it makes a literal of the set at its position true. Sets may be too large, never too
small; where a set would be too costly to find, all literals of the predicates stand for it.

Cost: one walk over the condition, and for each step before the failure one over its effects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod
from operator import itemgetter
from typing import NamedTuple

from eai.logic import TRUE, ActionAtom, And, Atom, Exists, Formula, ForPairs, Quantifier, Variable
from eai.planning.achievers import Achiever, Sign, effects_of, opposite
from eai.planning.reasons import NOTHING, Env, Part, Reasons
from eai.planning.repair.task import PlanRun, RepairTask, Slot, depth_of
from eai.world import Action, Literal, State, changed_literals
from eai.world.bits import bits

_Literals = frozenset[Literal]

_MAX_INSTANCES = 4000
"""Of a quantifier with more instances than this the literals are taken all together."""

_MAX_UNFOLDED = 1000
"""Maximum number of derived atoms taken apart for one condition: recursive axioms lead along every
path, and there may be exponentially many. Predicates that lead to more are not taken apart again.
"""

_MAX_REFUSED = 20
"""Maximum number of inapplicable actions for which literals are sought that permit them."""


class Disjunctions(Reasons[Literal]):
    """Finds disjunctive landmarks of conditions: literals, one of which must become true.

    Args:
        task: The repair task.
    """

    def __init__(self, task: RepairTask) -> None:
        super().__init__(task.world, task.start)
        self._task = task
        # Derived atoms that are being taken apart, and how many were for the outermost of them.
        self._open: set[tuple[str, tuple[int, ...], bool]] = set()
        self._unfolded = 0
        self._outermost = ""
        self._tangled: set[str] = set()
        self._tests: dict[tuple[Formula, tuple[str, ...]], Callable[..., bool]] = {}

    def landmark(self, formula: Formula, env: Env, state: State, want: bool = True) -> _Literals:
        """Return literals, one of which must become true for a condition to be as wanted.

        There are none if the condition is as wanted in the state, or if the agent cannot change it.
        """
        self.state = state
        return self.of(formula, env, not want) or NOTHING

    def literal(self, literal: Literal) -> _Literals:
        """Return the opposite of a literal, if some action can make it true."""
        other = opposite(literal)
        if not self._task.weight(other):
            return NOTHING
        return frozenset((other,))

    def choice(self, parts: Iterable[Part]) -> _Literals | None:
        """Return the literals of the part that is cheapest to examine, then to repair.

        Every part gives a landmark. Parts with nested quantifiers are examined only if no simpler
        part has its wanted value.
        """
        candidates: list[_Literals] = []
        depth_of_candidates = 0
        parts_by_depth = [(depth_of(self.world, part[0]), part) for part in parts]
        parts_by_depth.sort(key=itemgetter(0))
        for depth, part in parts_by_depth:
            if candidates and depth > depth_of_candidates:
                break
            literals = self.of(*part)
            if literals is not None:
                candidates.append(literals)
                depth_of_candidates = depth
        return min(candidates, key=self._total_weight, default=None)

    def _total_weight(self, reads: _Literals) -> int:
        """Return how hard it is to find actions for some literals, all together."""
        return sum(map(self._task.weight, reads))

    def _literals_of_first(self, parts: Iterable[Part]) -> _Literals | None:
        """Return the literals of the first part that has its value."""
        for part in parts:
            reads = self.of(*part)
            if reads is not None:
                return reads
        return None

    def atom(self, atom: Atom, env: Env, value: bool) -> _Literals | None:
        """See :meth:`of`; atoms are counted by the meter."""
        self._task.meter.count_instances(1)
        return super().atom(atom, env, value)

    def derived(self, atom: Atom, env: Env, value: bool) -> _Literals | None:
        """Return literals, one of which must change for a derived atom to change its value.

        Args:
            atom: The atom.
            env: Objects of its variables.
            value: The value that the atom has now.

        Returns:
            The literals with the values that they must get; None if the atom has the other value
            already. If its derivations are recursive or too many, all literals on which it depends.
        """
        if self._holds_in_state(atom, env) is not value:
            return None
        key = atom.predicate, self.numbers(atom.terms, env), value
        if atom.predicate not in self.rules:
            # A function of the simulator derives it, and functions cannot be analysed.
            return self._all_literals(atom)
        if key in self._open:
            # A shortest derivation does not use the derived atom itself, but its negation may.
            if value:
                return self._all_literals(atom)
            return NOTHING
        if not self._open:
            self._outermost = atom.predicate
            self._unfolded = 0
        self._unfolded += 1
        if self._unfolded > _MAX_UNFOLDED:
            self._tangled.add(self._outermost)
        if self._outermost in self._tangled:
            return self._all_literals(atom)
        self._open.add(key)
        # For a derived atom to become false, every derivation has to fail, so the literals of the
        # first successful one are enough. For it to become true, any derivation may succeed.
        bodies = self.bodies(*key)
        if value:
            literals = self._literals_of_first(bodies)
        else:
            literals = self.together(bodies)
        self._open.discard(key)
        return literals

    def other(self, formula: Formula, env: Env, value: bool) -> _Literals | None:
        """Return the literals for a quantifier, count or comparison; see :meth:`of`.

        A count or comparison can change with every part, in both directions.
        """
        if self._holds_in_state(formula, env) is not value:
            return None
        object_numbers = [list(bits(self.universe.mask(v.types))) for v in formula.variables]
        if prod(map(len, object_numbers)) > _MAX_INSTANCES:
            return self._all_literals(formula)
        instances = _extend_binding(env, formula.variables, object_numbers)
        if isinstance(formula, Quantifier):
            parts = ((formula.body, instance_env, value) for instance_env in instances)
            if formula.wants is value:  # one instance decides it, and any will do
                return self._literals_of_first(parts)
            return self.together(parts)
        operand_values: tuple[bool, ...] = (False, True)
        if isinstance(formula, ForPairs):
            # The number of pairs has to change, so only operands with the present value count.
            operand_values = (value,)
        literals = set[Literal]()
        for instance_env in instances:
            for operand in formula.operands:
                for operand_value in operand_values:
                    literals |= self.of(operand, instance_env, operand_value) or NOTHING
        return frozenset(literals)

    def _holds_in_state(self, formula: Formula, env: Env) -> bool:
        """Return whether a condition holds in the state."""
        # One compiled test for all bindings of the same variables.
        names = tuple(env)
        test = self._tests.get((formula, names))
        if test is None:
            variables = {v.name: v for v in formula.free}
            parameters = tuple([variables.get(name, Variable(name)) for name in names])
            test = self._tests[formula, names] = self.world.function_of(formula, parameters)
        self._task.meter.count_instances(1)
        return bool(test(self.state, *env.values()))

    def _all_literals(self, formula: Formula) -> _Literals:
        """Return all changeable literals of the predicates that a condition depends on.

        This is always correct but weak. It is used where nothing better is known.
        """
        world = self.world
        task = self._task
        predicates = world.reads(formula)
        if predicates is None:  # a function decides, and it may read anything
            names = enumerate(world.layout.names)
            predicates = frozenset(
                predicate for predicate, name in names if name not in world.derived
            )
        literals = set[Literal]()
        for predicate in sorted(predicates):
            if not (task.achievers((predicate, True)) or task.achievers((predicate, False))):
                continue
            for arguments in product(
                range(len(self.universe)), repeat=world.layout.arity[predicate]
            ):
                literal = (predicate, arguments, not self.state.test(predicate, arguments))
                if task.weight(literal):
                    literals.add(literal)
        task.meter.count_instances(len(literals))
        return frozenset(literals)


def _extend_binding(
    env: Env, variables: Sequence[Variable], ranges: Sequence[Sequence[int]]
) -> Iterator[Env]:
    """Yield a binding extended by every combination of objects for some variables."""
    names = [variable.name for variable in variables]
    for numbers in product(*ranges):
        yield {**env, **dict(zip(names, numbers, strict=True))}


Prefix = tuple[int, ...]
"""All arguments of a literal but the last, as numbers of objects."""


class LiteralSet:
    """A set of literals, by predicate and sign, then by all arguments but the last.

    The last arguments are a mask, in which bit n is set if object n is one of them (1 for a
    predicate without arguments). So it takes one ``&`` to see which literals of a line hold in a
    state.

    Args:
        literals: The literals.

    Example:
        >>> literals = LiteralSet([(0, (1, 2), True), (0, (1, 3), True)])
        >>> literals.tables
        {(0, True): {(1,): 12}}
        >>> list(literals.matching((0, True), [None, 3]))
        [(0, (1, 3), True)]
    """

    def __init__(self, literals: Iterable[Literal] = ()) -> None:
        self.tables: dict[Sign, dict[Prefix, int]] = {}
        self.add(literals)

    def __bool__(self) -> bool:
        return any(self.tables.values())

    def __contains__(self, literal: Literal) -> bool:
        p, numbers, value = literal
        table = self.tables.get((p, value))
        if not table:
            return False
        return bool(table.get(numbers[:-1], 0) & _last_bit(numbers))

    def copy(self) -> LiteralSet:
        """Return a copy that can be changed on its own."""
        new = LiteralSet()
        new.tables = {sign: dict(table) for sign, table in self.tables.items()}
        return new

    def add(self, literals: Iterable[Literal]) -> None:
        """Add literals."""
        for p, numbers, value in literals:
            table = self.tables.setdefault((p, value), {})
            table[numbers[:-1]] = table.get(numbers[:-1], 0) | _last_bit(numbers)

    def remove(self, literals: Iterable[Literal]) -> None:
        """Take literals out that are in the set."""
        for p, numbers, value in literals:
            self.tables[p, value][numbers[:-1]] &= ~_last_bit(numbers)

    def matching(self, sign: Sign, pattern: Sequence[int | None]) -> Iterator[Literal]:
        """Yield the literals of a sign that match a pattern.

        Args:
            sign: Predicate and value.
            pattern: An object for each argument; None for any object.
        """
        table = self.tables.get(sign)
        if not table:
            return
        predicate, value = sign
        if not pattern:
            # Without arguments there is only one literal, with an empty prefix and the mask 1.
            if table.get((), 0):
                yield predicate, (), value
            return
        *prefix_pattern, last = pattern
        allowed_objects = ~0  # every bit is set: any object may be the last argument
        if last is not None:
            allowed_objects = 1 << last
        for prefix in _matching_prefixes(table, prefix_pattern):
            for object_number in bits(table[prefix] & allowed_objects):
                yield predicate, (*prefix, object_number), value

    def open(self, sign: Sign, state: State) -> Iterator[tuple[Prefix, int]]:
        """Yield the literals of a sign that do not hold in a state.

        Args:
            sign: Predicate and value.
            state: The state.

        Yields:
            All arguments but the last, and a mask of the objects that the last may be.
        """
        predicate, value = sign
        for prefix, object_mask in self.tables[sign].items():
            if not prefix:
                true_objects = state.unary[predicate]
            elif len(prefix) == 1:
                true_objects = state.rows[predicate][prefix[0]]
            else:
                true_objects = state.wide[predicate].get(prefix, 0)
            # A positive literal is open if its atom is false, a negative one if its atom is true.
            if value:
                open_objects = object_mask & ~true_objects
            else:
                open_objects = object_mask & true_objects
            if open_objects:
                yield prefix, open_objects


def _last_bit(numbers: Sequence[int]) -> int:
    """Return the mask of the last argument; 1 without arguments."""
    if not numbers:
        return 1
    return 1 << numbers[-1]


def _matching_prefixes(
    table: Mapping[Prefix, int], pattern: Sequence[int | None]
) -> Sequence[Prefix]:
    """Return the prefixes of a table that match a pattern.

    Args:
        table: A table by arguments.
        pattern: A number for each argument; None for any number.
    """
    if None not in pattern:
        # Every argument is given, so there is only one prefix to look up.
        fixed_arguments = tuple([number for number in pattern if number is not None])
        return [fixed_arguments] if fixed_arguments in table else []
    return [prefix for prefix in table if _fits_pattern(pattern, prefix)]


def _fits_pattern(pattern: Sequence[int | None], numbers: Sequence[int]) -> bool:
    """Return whether numbers match a pattern, in which None stands for any number."""
    pairs = zip(pattern, numbers, strict=True)
    return all(wanted is None or wanted == number for wanted, number in pairs)


class RepairLandmarks(NamedTuple):
    """For each position, literals, one of which an edit up to the failure must make true.

    Args:
        literals: The literals at each position.
        names: Operators that the goal demands, which are of use as well.
        pauses: Positions at which any action is of use: the goal speaks of time, and an action
            takes time.
        timed: Whether the goal speaks of time, so that taking any step out may be of use.
    """

    literals: tuple[LiteralSet, ...]
    names: frozenset[str] = frozenset()
    pauses: frozenset[int] = frozenset()
    timed: bool = False

    @property
    def is_hopeless(self) -> bool:
        """Whether nothing that is done before can help."""
        return not (self.names or self.pauses or self.timed or any(self.literals))


class _Cause(NamedTuple):
    """The landmark at the failure itself; see :class:`RepairLandmarks`.

    Args:
        literals: Literals, one of which an edit has to make true.
        names: Operators that the goal demands.
        timed: Whether the goal speaks of time, so that taking any step out may be of use.
    """

    literals: LiteralSet
    names: frozenset[str] = frozenset()
    timed: bool = False


class LandmarkFinder:
    """Finds the landmarks of executions.

    Args:
        task: The repair task.
    """

    def __init__(self, task: RepairTask) -> None:
        self._task = task
        self._disjunctions = Disjunctions(task)

    def of(self, execution: PlanRun, begin: int = 0) -> RepairLandmarks:
        """Return the landmarks of an execution that fails.

        A landmark is a set of literals: every repair up to a position makes one of them true there.

        Args:
            execution: The execution.
            begin: First position for which landmarks are computed.
        """
        failure_position = execution.at
        cause = self._cause_of_failure(execution)
        if cause is None:
            return RepairLandmarks((LiteralSet(),) * (failure_position + 1))
        # From the failure backwards: literals[-1] is the landmark after the step at "position".
        literals = [cause.literals]
        for position in range(failure_position - 1, begin - 1, -1):
            slot = execution.slots[position]
            state = execution.states[position]
            literals_before = self._regress(literals[-1], slot, state)
            if cause.timed:
                literals_before.add(self._literals_of_formula(state))
            elif execution.changes[position] is None and slot.action.name in cause.names:
                # A demanded action was skipped. It would count if it were applicable.
                literals_before.add(self._literals_for_precondition(slot, state))
            literals.append(literals_before)
        # Positions before "begin" get empty landmarks, so that indices stay positions.
        literals += [LiteralSet()] * begin
        literals.reverse()
        pauses = frozenset[int]()
        if cause.timed:
            pauses = frozenset(
                position
                for position in range(failure_position + 1)
                if self._helps_to_wait(execution, position)
            )
        return RepairLandmarks(tuple(literals), cause.names, pauses, cause.timed)

    def permitting(self, refused: Iterable[Slot], state: State) -> LiteralSet:
        """Return the literals that make one of some refused actions applicable."""
        literals = LiteralSet()
        for slot in islice(refused, _MAX_REFUSED):
            literals.add(self._literals_for_precondition(slot, state))
        return literals

    def permitting_some(self, wanted: LiteralSet, state: State) -> LiteralSet:
        """Return the literals that make an action applicable which achieves a wanted literal.

        Only actions with arguments that the literal does not determine are included: the literal
        "the hands are clean" leaves open at which sink they are washed.
        """
        literals = LiteralSet()
        for sign in wanted.tables:
            for arguments in islice(
                self._arguments_of_open_literals(wanted, sign, state), _MAX_REFUSED
            ):
                for effect in self._task.achievers(sign):
                    literals.add(self._literals_permitting_effect(effect, arguments, state))
        return literals

    def _arguments_of_open_literals(
        self, wanted: LiteralSet, sign: Sign, state: State
    ) -> Iterator[tuple[int, ...]]:
        """Yield the arguments of the wanted literals that do not hold in a state."""
        has_arguments = self._task.world.layout.arity[sign[0]] > 0
        for prefix, mask in wanted.open(sign, state):
            for last in bits(mask):
                yield (*prefix, last) if has_arguments else prefix

    def _literals_permitting_effect(
        self, effect: Achiever, arguments: tuple[int, ...], state: State
    ) -> Iterable[Literal]:
        """Return the literals that permit an action to have an effect.

        Args:
            effect: The effect.
            arguments: Objects of the arguments of its atom.
            state: The state in which the action must be applicable.

        Returns:
            The literals; none if the atom determines all arguments of the action.
        """
        env = effect.binding(arguments, self._task.universe, self._task.acting(effect))
        if env is None or all(v.name in env for v in effect.operator.parameters):
            return ()
        tests = self._task.world.operator(effect.operator.name).tests
        condition: Formula = And((*tests, effect.condition))
        free_variables = tuple(
            v for v in effect.variables if v.name not in env and v in condition.free
        )
        if free_variables:
            condition = Exists(free_variables, condition)
        return self._disjunctions.landmark(condition, env, state)

    # ------------------------------------------------------------------ where it fails
    def _cause_of_failure(self, execution: PlanRun) -> _Cause | None:
        """Return the landmark at the failure: literals or actions, one of which is missing.

        The failure is a violated formula, a step that is not applicable, or a goal that is not
        reached at the end.

        Returns:
            The landmark; None if no literal can mend the step that fails.
        """
        task = self._task
        state = execution.states[-1]
        if execution.violating is not None:
            literals = self._literals_keeping_formula(execution, execution.violating)
            return _Cause(literals, self._actions_of_formula(), timed=True)
        if execution.at < len(execution.slots):
            needed_literals = self._literals_for_step(execution.slots[execution.at], state)
            if not needed_literals:
                return None
            return _Cause(LiteralSet(needed_literals))
        unmet = task.unmet(state)
        if all(unmet):  # every alternative of the goal has a condition that does not hold
            literals = LiteralSet()
            for conditions in unmet:
                literals.add(self._disjunctions.landmark(And(tuple(conditions)), {}, state))
            return _Cause(literals)
        literals = LiteralSet(self._literals_of_formula(state))
        demanded_actions = task.target.actions
        number_of_done, _ = execution.progress[-1]
        if number_of_done < len(demanded_actions):  # a demanded action is missing
            return _Cause(literals, frozenset(name for names in demanded_actions for name in names))
        return _Cause(literals, self._actions_of_formula(), timed=True)

    def _literals_for_step(self, slot: Slot, state: State) -> frozenset[Literal]:
        """Return literals, one of which must become true for a step to be executed or skipped.

        Args:
            slot: The step.
            state: The state in which it fails.
        """
        task = self._task
        name = slot.action.name
        if slot.numbers is None or task.is_hopeless(slot):
            return frozenset()
        literals = self._literals_for_precondition(slot, state)
        if not task.skip or not task.world.operator(name).always_acts:
            return literals
        # A step is skipped if its effects hold already. So the first effect that does not hold
        # must become true, or must not happen.
        _, changes = task.state_after(state, name, slot.numbers)
        literal = next(changed_literals(changes, state.layout))
        if task.weight(literal):
            literals |= {literal}
        predicate, arguments, value = literal
        for effect in effects_of(task.world, name):
            if effect.sign != (predicate, value):
                continue
            env = effect.binding(arguments, task.universe, _arguments(effect, slot.numbers))
            if env is not None:
                literals |= self._literals_for_effect(effect, env, state, want=False)
        return literals

    def _literals_for_precondition(self, slot: Slot, state: State) -> frozenset[Literal]:
        """Return literals, one of which must change for a precondition to hold."""
        assert slot.numbers is not None  # noqa: S101 - the world knows the step
        compiled = self._task.world.operator(slot.action.name)
        pairs = zip(compiled.operator.parameters, slot.numbers, strict=True)
        env = {variable.name: number for variable, number in pairs}
        return self._disjunctions.landmark(And(compiled.tests), env, state)

    def _literals_for_effect(
        self, effect: Achiever, env: Mapping[str, int], state: State, *, want: bool
    ) -> frozenset[Literal]:
        """Return literals, one of which must change for an effect to happen (or not).

        Args:
            effect: The effect.
            env: Objects of its variables, as far as they are bound.
            state: The state.
            want: Whether the effect has to happen.
        """
        condition = effect.condition
        free_variables = tuple(v for v in effect.variables if v.name not in env)
        if free_variables:
            condition = Exists(free_variables, condition)
        return self._disjunctions.landmark(condition, env, state, want)

    def _literals_keeping_formula(self, execution: PlanRun, violating: State) -> LiteralSet:
        """Return the literals that may keep the formula satisfiable after a step."""
        state = execution.states[-1]
        slot = execution.slots[execution.at]
        literals_after = LiteralSet(self._literals_of_formula(violating))
        literals_before = self._regress(literals_after, slot, state)
        literals_before.add(self._literals_of_formula(state))
        return literals_before

    def _actions_of_formula(self) -> frozenset[str]:
        """Return the names of the actions that the formula speaks of."""
        letters = self._task.letters
        return frozenset(letter.action for letter in letters if isinstance(letter, ActionAtom))

    def _literals_of_formula(self, state: State) -> Iterator[Literal]:
        """Yield literals that would change the value of an atom in the formula."""
        for letter in self._task.letters:
            if isinstance(letter, Atom):
                for want in (True, False):
                    yield from self._disjunctions.landmark(letter, {}, state, want)

    def _helps_to_wait(self, execution: PlanRun, position: int) -> bool:
        """Return whether an action without effect would repair the plan by taking time.

        A formula that counts positions, such as "next", may be met one step later.

        Args:
            execution: Run of the plan.
            position: Where the pause would be.
        """
        # No operator can have this name, since names have no brackets.
        pause = Action("(pause)")
        advance = self._task.advance
        progress = advance(execution.progress[position], execution.states[position], pause)
        # The steps after the pause are repeated, one position later.
        for position_after, changes in enumerate(execution.changes[position:], start=position):
            if changes is not None:
                progress = advance(
                    progress,
                    execution.states[position_after],
                    execution.slots[position_after].action,
                )
        if execution.violating is None:
            return self._task.is_reached(progress, execution.states[-1])
        progress = advance(progress, execution.states[-1], execution.slots[execution.at].action)
        return not self._task.is_violated(progress, execution.violating)

    # ------------------------------------------------------------------ before the failure
    def _regress(self, literals_after: LiteralSet, slot: Slot, state: State) -> LiteralSet:
        """Regress a set of literals through a step.

        A literal holds after a step in three cases: it holds before the step and no effect makes it
        false; a conditional effect that makes it true happens; or a conditional effect that makes
        it false does not happen.

        Args:
            literals_after: Literals, one of which has to hold after the step.
            slot: The step, which was executed.
            state: The state before it.

        Returns:
            Literals, one of which has to hold before the step.
        """
        task = self._task
        arguments = slot.numbers
        assert arguments is not None  # noqa: S101 - the step was done
        literals_before = literals_after.copy()
        added_literals = set[Literal]()
        for effect in effects_of(task.world, slot.action.name):
            predicate, value = effect.sign
            env = _arguments(effect, arguments)
            pattern = self._pattern_of_effect(effect, env)
            if effect.condition == TRUE:
                # The effect always happens: the opposite literal never survives the step.
                for literal in literals_after.matching((predicate, not value), pattern):
                    if effect.binding(literal[1], task.universe, env) is not None:
                        literals_before.remove([literal])
                continue
            for must_happen in (True, False):
                for literal in literals_after.matching((predicate, value is must_happen), pattern):
                    binding = effect.binding(literal[1], task.universe, env)
                    if binding is not None:
                        added_literals |= self._literals_for_effect(
                            effect, binding, state, want=must_happen
                        )
        # This comes last: a literal that was removed above may be the condition of another effect.
        literals_before.add(added_literals)
        return literals_before

    def _pattern_of_effect(self, effect: Achiever, env: Env) -> list[int | None]:
        """Return the arguments of an effect's atom, with None for its own variables."""
        pattern: list[int | None] = []
        for term in effect.atom.terms:
            if isinstance(term, Variable):
                pattern.append(env.get(term.name))
            else:
                pattern.append(self._task.universe.number(term))
        return pattern


def _arguments(effect: Achiever, numbers: Sequence[int]) -> dict[str, int]:
    """Return the binding of an effect's parameters to the arguments of an action.

    ``(open ?agent ?door)`` done with the numbers ``(0, 7)`` gives ``{"agent": 0, "door": 7}``.
    """
    parameters = effect.operator.parameters
    return {v.name: number for v, number in zip(parameters, numbers, strict=True)}
