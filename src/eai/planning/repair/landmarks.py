"""Landmarks of an execution that fails: what an edit has to bring about, by place in the plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from eai.logic import TRUE, ActionAtom, And, Atom, Exists, Variable
from eai.planning.achievers import Achiever, Literal, Sign, changed_literals, effects_of
from eai.planning.repair.disjunctions import Disjunctions
from eai.planning.repair.edits import Slot
from eai.planning.repair.task import Execution, RepairTask
from eai.world import Action, State
from eai.world.bits import bits

Prefix = tuple[int, ...]


class Literals:
    """A set of literals, by predicate and sign, then by all arguments but the last.

    Attributes:
        tables: The last arguments as a mask (1 for a predicate without arguments).
    """

    def __init__(self, literals: Iterable[Literal] = ()) -> None:
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
    """What an edit has to bring about.

    Args:
        literals: For each place up to where the plan fails, literals of which one has to be made
            so there.
        names: Operators that the goal demands; using one of them is of use as well.
        pauses: Places where any action may be of use, since it takes time.
        timed: Whether taking any step out may be of use.
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
        found: Iterable[Literal]
        if at < len(execution.slots):  # a step fails
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
                timed = True
                letters = (each for each in task.letters if isinstance(each, ActionAtom))
                names = frozenset(each.action for each in letters)
        literals = [Literals(found)]
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

    # ------------------------------------------------------------------ where it fails
    def _failing(self, slot: Slot, state: State) -> frozenset[Literal]:
        """What stands in the way of a step, which may also be passed over."""
        task = self._task
        if slot.numbers is None or task.is_hopeless(slot):
            return frozenset()
        found = self._refused(slot, state)
        if not task.world.operator(slot.action.name).always_acts:
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
        names = [variable.name for variable in compiled.operator.parameters]
        env = dict(zip(names, slot.numbers, strict=True))
        return self._disjunctions.landmark(And(compiled.tests), env, state)

    def _condition(
        self, effect: Achiever, env: Mapping[str, int], state: State, *, want: bool
    ) -> frozenset[Literal]:
        """What has to change so that an effect happens, or does not."""
        free = tuple(v for v in effect.variables if v.name not in env)
        condition = Exists(free, effect.condition) if free else effect.condition
        return self._disjunctions.landmark(condition, env, state, want)

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
        for slot, state, changes in zip(
            execution.slots[place:],
            execution.states[place:],
            execution.changes[place:],
            strict=False,
        ):
            if changes is not None:
                progress = advance(progress, state, slot.action)
        return self._task.is_reached(progress, execution.states[-1])

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
