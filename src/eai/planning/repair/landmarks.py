"""Landmarks of an execution that fails: what an edit has to bring about, by place in the plan.

Disjunctive landmarks of conditions: literals of which one at least has to change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod
from operator import itemgetter
from typing import NamedTuple

from eai.logic import TRUE, ActionAtom, And, Atom, Exists, Formula, ForPairs, Quantifier, Variable
from eai.planning.achievers import Achiever, Sign, effects_of, opposite
from eai.planning.reasons import NOTHING, Env, Part, Reads, Reasons
from eai.planning.repair.task import Execution, RepairTask, Slot, depth_of
from eai.world import Action, Literal, State, changed_literals
from eai.world.bits import bits

_INSTANCES = 4000
"""Of a quantifier with more instances than this the literals are taken all together."""

_UNFOLDED = 1000
"""So many derived atoms are taken apart for one condition: recursive axioms lead along every path,
and there may be exponentially many. Predicates that lead to more are not taken apart again."""


class Disjunctions(Reasons):
    """Finds what stands in the way of conditions.

    A condition fails as long as every literal stays on which it rests that it fails. Literals are
    returned as they have to become.
    """

    def __init__(self, task: RepairTask) -> None:
        super().__init__(task.world, task.start)
        self._task = task
        self._open: set[tuple[str, tuple[int, ...], bool]] = set()
        self._unfolded = 0
        self._outermost = ""
        self._tangled: set[str] = set()
        self._tests: dict[tuple[Formula, tuple[str, ...]], Callable[..., bool]] = {}

    def landmark(self, formula: Formula, env: Env, state: State, want: bool = True) -> Reads:
        """Return literals of which one has to become so for a condition to be as wanted.

        There are none if it is as wanted in the state, or nothing that the agent does can help.
        """
        self.state = state
        return self.of(formula, env, not want) or NOTHING

    def literal(self, literal: Literal) -> Reads:
        """Its opposite, if that can be brought about."""
        other = opposite(literal)
        return frozenset((other,)) if self._task.weight(other) else NOTHING

    def choice(self, parts: Iterable[Part]) -> Reads | None:
        """The part that is easiest to look at, then to mend."""
        found: list[Reads] = []
        last = 0
        ordered = [(depth_of(self.world, part[0]), part) for part in parts]
        for depth, part in sorted(ordered, key=itemgetter(0)):
            if found and depth > last:
                break
            reads = self.of(*part)
            if reads is not None:
                found.append(reads)
                last = depth
        return min(found, key=lambda each: sum(map(self._task.weight, each)), default=None)

    def _any(self, parts: Iterable[Part]) -> Reads | None:
        return next((reads for part in parts if (reads := self.of(*part)) is not None), None)

    def atom(self, atom: Atom, env: Env, value: bool) -> Reads | None:
        """It is counted."""
        self._task.meter.count_instances(1)
        return super().atom(atom, env, value)

    def derived(self, atom: Atom, env: Env, value: bool) -> Reads | None:
        """What all derivations rest on that fail, or one that succeeds."""
        if self._holds(atom, env) is not value:
            return None
        key = atom.predicate, self.numbers(atom.terms, env), value
        if atom.predicate not in self.rules:
            return self._anything(atom)
        if key in self._open:
            # A shortest derivation does not use what it derives; a denial may.
            return self._anything(atom) if value else NOTHING
        if not self._open:
            self._outermost, self._unfolded = atom.predicate, 0
        self._unfolded += 1
        if self._unfolded > _UNFOLDED:
            self._tangled.add(self._outermost)
        if self._outermost in self._tangled:
            return self._anything(atom)
        self._open.add(key)
        bodies = self.bodies(*key)
        found = self._any(bodies) if value else self.together(bodies)
        self._open.discard(key)
        return found

    def other(self, formula: Formula, env: Env, value: bool) -> Reads | None:
        """What counts or compares can change with every part, in both directions."""
        if self._holds(formula, env) is not value:
            return None
        ranges = [list(bits(self.universe.mask(v.types))) for v in formula.variables]
        if prod(map(len, ranges)) > _INSTANCES:
            return self._anything(formula)
        names = [variable.name for variable in formula.variables]
        instances = ({**env, **dict(zip(names, each, strict=True))} for each in product(*ranges))
        if isinstance(formula, Quantifier):  # where one instance decides it, any will do
            parts = ((formula.body, inner, value) for inner in instances)
            return self._any(parts) if formula.wants is value else self.together(parts)
        # More pairs, or fewer: of those that are not as wanted.
        values = (value,) if isinstance(formula, ForPairs) else (False, True)
        found = (
            self.of(part, inner, each)
            for inner in instances
            for part in formula.operands
            for each in values
        )
        return NOTHING.union(*(reads for reads in found if reads is not None))

    def _holds(self, formula: Formula, env: Env) -> bool:
        names = tuple(env)
        test = self._tests.get((formula, names))
        if test is None:
            variables = {v.name: v for v in formula.free}
            given = tuple([variables.get(name, Variable(name)) for name in names])
            test = self._tests[formula, names] = self.world.function_of(formula, given)
        self._task.meter.count_instances(1)
        return bool(test(self.state, *env.values()))

    def _anything(self, formula: Formula) -> Reads:
        """All literals of the predicates that a condition depends on, as they are not now."""
        task, layout = self._task, self.world.layout
        reads = self.world.reads(formula)
        if reads is None:
            reads = frozenset(p for p, n in enumerate(layout.names) if n not in self.world.derived)
        found = (
            (p, numbers, not self.state.test(p, numbers))
            for p in sorted(reads)
            if task.achievers((p, True)) or task.achievers((p, False))
            for numbers in product(range(len(self.universe)), repeat=layout.arity[p])
        )
        some = frozenset(literal for literal in found if task.weight(literal))
        task.meter.count_instances(len(some))
        return some


Prefix = tuple[int, ...]


class Literals:
    """A set of literals, by predicate and sign, then by all arguments but the last."""

    def __init__(self, literals: Iterable[Literal] = ()) -> None:
        # The last arguments are a mask (1 for a predicate without arguments).
        self.tables: dict[Sign, dict[Prefix, int]] = {}
        self.add(literals)

    def __bool__(self) -> bool:
        return any(self.tables.values())

    def __contains__(self, literal: Literal) -> bool:
        p, numbers, value = literal
        table = self.tables.get((p, value))
        return bool(table and table.get(numbers[:-1], 0) & (1 << numbers[-1] if numbers else 1))

    def copy(self) -> Literals:
        """Return a copy that can be changed on its own."""
        new = Literals()
        new.tables = {sign: dict(table) for sign, table in self.tables.items()}
        return new

    def add(self, literals: Iterable[Literal]) -> None:
        """Add literals."""
        for p, numbers, value in literals:
            table = self.tables.setdefault((p, value), {})
            bit = 1 << numbers[-1] if numbers else 1
            table[numbers[:-1]] = table.get(numbers[:-1], 0) | bit

    def remove(self, literals: Iterable[Literal]) -> None:
        """Take literals out that are in."""
        for p, numbers, value in literals:
            self.tables[p, value][numbers[:-1]] &= ~(1 << numbers[-1] if numbers else 1)

    def matching(self, sign: Sign, pattern: Sequence[int | None]) -> Iterator[Literal]:
        """Yield the literals of a sign whose arguments are as given, where they are given."""
        table = self.tables.get(sign)
        if not table:
            return
        p, value = sign
        *head, last = pattern or [0]
        only = -1 if last is None else 1 << last
        known = tuple([number for number in head if number is not None])
        for prefix in [known] if len(known) == len(head) else list(table):
            if all(a is None or a == b for a, b in zip(head, prefix, strict=True)):
                for number in bits(table.get(prefix, 0) & only):
                    yield p, (*prefix, number) if pattern else (), value

    def open(self, sign: Sign, state: State) -> Iterator[tuple[Prefix, int]]:
        """Yield the literals of a sign that are not so in a state, by prefix."""
        p, value = sign
        for prefix, mask in self.tables[sign].items():
            if len(prefix) < 2:
                line = state.rows[p][prefix[0]] if prefix else state.unary[p]
            else:
                line = state.wide[p].get(prefix, 0)
            left = mask & ~line if value else mask & line
            if left:
                yield prefix, left


class Landmarks(NamedTuple):
    """What an edit has to bring about: one of some literals, at each place up to the failure.

    Operators that the goal demands are of use as well. Where the goal speaks of time, any action
    may be of use at some places, since it takes time, and so may taking any step out.
    """

    literals: tuple[Literals, ...]
    names: frozenset[str] = frozenset()
    pauses: frozenset[int] = frozenset()
    timed: bool = False

    @property
    def is_hopeless(self) -> bool:
        """Whether nothing that is done before can help."""
        return not (self.names or self.pauses or self.timed or any(self.literals))


_REFUSED = 20
"""Of so many actions it is asked what they need."""


class LandmarkFinder:
    """Finds landmarks."""

    def __init__(self, task: RepairTask) -> None:
        self._task = task
        self._disjunctions = Disjunctions(task)

    def of(self, execution: Execution, begin: int = 0) -> Landmarks:
        """Find what would mend an execution."""
        task, state, at = self._task, execution.states[-1], execution.at
        names, timed = frozenset[str](), False
        found: Iterable[Literal] = ()
        if execution.violating is not None:  # after a step the formula cannot be true any more
            names, timed = self._acting_letters(), True
        elif at < len(execution.slots):  # a step fails
            found = self._failing(execution.slots[at], state)
            if not found:
                return Landmarks((Literals(),) * (at + 1))
        elif all(unmet := task.unmet(state)):  # a condition does not hold at the end
            landmark = self._disjunctions.landmark
            found = frozenset().union(*(landmark(And(each), {}, state) for each in unmet))
        else:
            found = self._letters(state)
            if execution.progress[-1][0] < len(task.target.actions):  # an action is missing
                names = frozenset(name for each in task.target.actions for name in each)
            else:  # the formula does not hold
                names, timed = self._acting_letters(), True
        violating = execution.violating
        literals = [Literals(found) if violating is None else self._violated(execution, violating)]
        for place in range(at - 1, begin - 1, -1):
            slot, state = execution.slots[place], execution.states[place]
            before = self._before(literals[-1], slot, state)
            if timed:
                before.add(self._letters(state))
            elif execution.changes[place] is None and slot.action.name in names:
                before.add(self._refused(slot, state))
            literals.append(before)
        literals += [Literals()] * begin
        pauses = [p for p in range(at + 1) if self._would_do(execution, p)] if timed else ()
        return Landmarks(tuple(reversed(literals)), names, frozenset(pauses), timed)

    def permitting(self, refused: Iterable[Slot], state: State) -> Literals:
        """Return what has to change so that one of the first actions can be done in a state."""
        found = [self._refused(slot, state) for slot in islice(refused, _REFUSED)]
        return Literals(literal for each in found for literal in each)

    def permitting_some(self, wanted: Literals, state: State) -> Literals:
        """Return what has to change so that some action can make one of some literals true.

        It is about actions that have arguments of which the literal says nothing: where to wash
        one's hands, for them to be clean.
        """
        found, task = Literals(), self._task
        for sign in wanted.tables:
            is_fact = task.world.layout.arity[sign[0]] == 0
            literals = (
                prefix if is_fact else (*prefix, last)
                for prefix, mask in wanted.open(sign, state)
                for last in bits(mask)
            )
            for numbers in islice(literals, _REFUSED):
                for effect in task.achievers(sign):
                    found.add(self._permitting_effect(effect, numbers, state))
        return found

    def _permitting_effect(
        self, effect: Achiever, numbers: tuple[int, ...], state: State
    ) -> Iterable[Literal]:
        """What has to change so that an action about some more objects can be done."""
        env = effect.binding(numbers, self._task.universe, self._task.acting(effect))
        if env is None or all(v.name in env for v in effect.operator.parameters):
            return ()
        tests = self._task.world.operator(effect.operator.name).tests
        condition = And((*tests, effect.condition))
        free = tuple(v for v in effect.variables if v.name not in env and v in condition.free)
        return self._disjunctions.landmark(
            Exists(free, condition) if free else condition, env, state
        )

    # ------------------------------------------------------------------ where it fails
    def _failing(self, slot: Slot, state: State) -> frozenset[Literal]:
        """What stands in the way of a step, which may also be passed over."""
        task = self._task
        if slot.numbers is None or task.is_hopeless(slot):
            return frozenset()
        found = self._refused(slot, state)
        if not task.skip or not task.world.operator(slot.action.name).always_acts:
            return found
        # Or its effects have to hold already: one of them that does not.
        changes = task.done(state, slot.action.name, slot.numbers)[1]
        literal = next(changed_literals(changes, state.layout))
        if task.weight(literal):
            found |= {literal}
        for effect in effects_of(task.world, slot.action.name):
            if effect.sign == (literal[0], literal[2]):
                pairs = zip(effect.operator.parameters, slot.numbers, strict=True)
                known = {variable.name: number for variable, number in pairs}
                env = effect.binding(literal[1], task.universe, known)
                if env is not None:
                    found |= self._condition(effect, env, state, want=False)
        return found

    def _refused(self, slot: Slot, state: State) -> frozenset[Literal]:
        """What stands in the way of a precondition."""
        assert slot.numbers is not None  # noqa: S101 - the world knows the step
        compiled = self._task.world.operator(slot.action.name)
        pairs = zip(compiled.operator.parameters, slot.numbers, strict=True)
        env = {variable.name: number for variable, number in pairs}
        return self._disjunctions.landmark(And(compiled.tests), env, state)

    def _condition(
        self, effect: Achiever, env: Mapping[str, int], state: State, *, want: bool
    ) -> frozenset[Literal]:
        """What has to change so that an effect happens, or does not."""
        free = tuple(v for v in effect.variables if v.name not in env)
        condition = Exists(free, effect.condition) if free else effect.condition
        return self._disjunctions.landmark(condition, env, state, want)

    def _violated(self, execution: Execution, violating: State) -> Literals:
        """What has to be so before a step so that the formula can still be true after it."""
        state, slot = execution.states[-1], execution.slots[execution.at]
        before = self._before(Literals(self._letters(violating)), slot, state)
        before.add(self._letters(state))
        return before

    def _acting_letters(self) -> frozenset[str]:
        """The names of the actions that the formula speaks of."""
        letters = (each for each in self._task.letters if isinstance(each, ActionAtom))
        return frozenset(each.action for each in letters)

    def _letters(self, state: State) -> Iterator[Literal]:
        """The changes after which an atom of the formula has another value."""
        for letter in self._task.letters:
            if isinstance(letter, Atom):
                for want in (True, False):
                    yield from self._disjunctions.landmark(letter, {}, state, want)

    def _would_do(self, execution: Execution, place: int) -> bool:
        """Whether an action that changes nothing would do at a place: it takes time."""
        pause, advance = Action("(pause)"), self._task.advance
        progress = advance(execution.progress[place], execution.states[place], pause)
        for at, changes in enumerate(execution.changes[place:], start=place):
            if changes is not None:
                progress = advance(progress, execution.states[at], execution.slots[at].action)
        if execution.violating is None:
            return self._task.is_reached(progress, execution.states[-1])
        progress = advance(progress, execution.states[-1], execution.slots[execution.at].action)
        return not self._task.is_violated(progress, execution.violating)

    # ------------------------------------------------------------------ on the way
    def _before(self, after: Literals, slot: Slot, state: State) -> Literals:
        """What has to be so before a step so that one of some literals is so after it."""
        task, given = self._task, slot.numbers
        assert given is not None  # noqa: S101 - the step was done
        before, added = after.copy(), set[Literal]()
        for effect in effects_of(task.world, slot.action.name):
            p, value = effect.sign
            known = {v.name: number for v, number in zip(effect.variables, given, strict=False)}
            pattern = [
                known.get(term.name) if isinstance(term, Variable) else task.universe.number(term)
                for term in effect.atom.terms
            ]
            always = effect.condition == TRUE
            for want in (False,) if always else (True, False):
                for literal in after.matching((p, value is want), pattern):
                    env = effect.binding(literal[1], task.universe, known)
                    if env is None:
                        continue
                    if always:
                        before.remove([literal])
                    else:
                        added |= self._condition(effect, env, state, want=want)
        # What the step sets in any case may be what one of its effects depends on.
        before.add(added)
        return before
