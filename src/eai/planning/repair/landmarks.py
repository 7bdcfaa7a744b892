"""Landmarks: sets of literals of which an edit has to bring about one, by place in the plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import islice
from typing import NamedTuple

from eai.logic.formula import ActionAtom, And, Atom, Exists, Variable
from eai.planning.repair.disjunctions import Blockers
from eai.planning.repair.edits import Slot
from eai.planning.repair.problem import Literal, Producer, Stage
from eai.planning.repair.target import Course, Tracker
from eai.world.action import Action
from eai.world.bits import bits
from eai.world.state import Change, State

__all__ = ["Landmarks", "Mapped", "Need"]

Prefix = tuple[int, ...]
Sign = tuple[int, bool]


class Need:
    """Literals of which an edit has to make one true, if it is to be of any use.

    They are kept by predicate and sign, then by all arguments but the last, as a mask of the last
    one (1 for a predicate without arguments).

    Args:
        literals: The literals.
    """

    def __init__(self, literals: Iterable[Literal] = ()) -> None:
        self.tables: dict[Sign, dict[Prefix, int]] = {}
        self.add(literals)

    def __bool__(self) -> bool:
        return any(self.tables.values())

    def copy(self) -> Need:
        """Return a copy that can be changed on its own."""
        new = Need()
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
            table = self.tables[p, value]
            table[numbers[:-1]] &= ~(1 << numbers[-1] if numbers else 1)

    def matching(self, sign: Sign, pattern: Sequence[int | None]) -> Iterator[Literal]:
        """Yield the literals of a sign whose arguments are as given, where they are given."""
        table = self.tables.get(sign)
        if not table:
            return
        p, value = sign
        if not pattern:
            if table.get(()):
                yield p, (), value
            return
        *head, last = pattern
        only = -1 if last is None else 1 << last
        for prefix in self._prefixes(table, head):
            for number in bits(table[prefix] & only):
                yield p, (*prefix, number), value

    @staticmethod
    def _prefixes(table: dict[Prefix, int], head: list[int | None]) -> list[Prefix]:
        if None not in head:
            prefix = tuple([number for number in head if number is not None])
            return [prefix] if prefix in table else []
        return [
            prefix
            for prefix in table
            if all(a is None or a == b for a, b in zip(head, prefix, strict=True))
        ]

    def open(self, sign: Sign, state: State) -> Iterator[tuple[Prefix, int]]:
        """Yield the literals of a sign that are not so in a state, by prefix."""
        p, value = sign
        for prefix, mask in self.tables[sign].items():
            line = _line(state, p, prefix)
            left = mask & ~line if value else mask & line
            if left:
                yield prefix, left

    def met_by(self, changes: Iterable[Change]) -> bool:
        """Whether one of the literals is what changes bring about."""
        return any(self._hit(*change) for change in changes)

    def lost_by(self, changes: Iterable[Change]) -> bool:
        """Whether one of the literals is the opposite of what changes bring about."""
        return any(self._hit(p, c, key, mask, not value) for p, c, key, mask, value in changes)

    def _hit(self, p: int, column: int, key: object, mask: int, value: bool) -> bool:
        table = self.tables.get((p, value))
        if not table:
            return False
        if column:
            assert isinstance(key, int)  # noqa: S101 - a column belongs to one object
            return any(table.get((number,), 0) >> key & 1 for number in bits(mask))
        prefix = () if key is None else (key,) if isinstance(key, int) else key
        return bool(table.get(prefix, 0) & mask)  # type: ignore[call-overload]


def _line(state: State, p: int, prefix: Prefix) -> int:
    """The last arguments with which the atoms of a predicate hold."""
    if not prefix:
        return state.unary[p]
    return state.rows[p][prefix[0]] if len(prefix) == 1 else state.wide[p].get(prefix, 0)


_REFUSED = 20
"""Of so many actions it is asked what they need."""


class _Case(Enum):
    """Why a course does not reach the target: the first of these that is so."""

    STEP = "a step fails"
    STATE = "a condition does not hold at the end"
    ACTIONS = "an action is missing"
    FORMULA = "the formula does not hold"


class Mapped(NamedTuple):
    """What an edit has to bring about.

    Args:
        needs: For each place up to where the plan fails, literals of which one has to be made so
            there.
        names: Operators that the goal demands; using one of them is of use as well.
        anything: Places where any action may be of use, since it takes time.
        everywhere: Whether taking any step out may be of use.
    """

    needs: tuple[Need, ...]
    names: frozenset[str]
    anything: frozenset[int]
    everywhere: bool

    @property
    def is_hopeless(self) -> bool:
        """Whether nothing that is done before can help."""
        return not (self.names or self.anything or self.everywhere or any(self.needs))


class Landmarks:
    """Finds landmarks.

    Args:
        stage: The world and what the agent can do.
        tracker: What has to be reached.
    """

    def __init__(self, stage: Stage, tracker: Tracker) -> None:
        self._stage = stage
        self._tracker = tracker
        self._blockers = Blockers(stage)

    def of(self, course: Course, begin: int = 0) -> Mapped:
        """Find what would mend a course.

        Args:
            course: A course that does not reach the target.
            begin: The first place of interest.

        Raises:
            OutOfEffortError: If as much was tried as is allowed.
        """
        case = self._case(course)
        need = Need(self._unmet(course) if case is _Case.STATE else self._failing(course))
        if case is _Case.STEP and not need:
            return Mapped((need,) * (course.at + 1), frozenset(), frozenset(), everywhere=False)
        names = self._names(case)
        needs = [need]
        for place in range(course.at - 1, begin - 1, -1):
            need = self._before(need, course.slots[place], course.states[place])
            if case is _Case.FORMULA:
                need.add(self._letters(course.states[place]))
            elif course.changes[place] is None and course.slots[place].action.name in names:
                need.add(self._refused(course.slots[place], course.states[place]))
            needs.append(need)
        needs += [Need()] * begin
        timed = case is _Case.FORMULA
        anything = self._pauses(course) if timed else frozenset[int]()
        return Mapped(tuple(reversed(needs)), names, anything, everywhere=timed)

    def permitting(self, refused: Iterable[Slot], state: State) -> Need:
        """Return what has to change so that one of the first actions can be done in a state."""
        found = [self._refused(slot, state) for slot in islice(refused, _REFUSED)]
        return Need(literal for each in found for literal in each)

    # ------------------------------------------------------------------ where it fails
    def _case(self, course: Course) -> _Case:
        if course.at < len(course.slots):
            return _Case.STEP
        target = self._tracker.target
        if all(self._tracker.unmet(course.states[-1])):
            return _Case.STATE
        return _Case.ACTIONS if course.progress[-1][0] < len(target.actions) else _Case.FORMULA

    def _names(self, case: _Case) -> frozenset[str]:
        if case is _Case.ACTIONS:
            return frozenset(name for each in self._tracker.target.actions for name in each)
        letters = self._tracker.letters if case is _Case.FORMULA else ()
        return frozenset(each.action for each in letters if isinstance(each, ActionAtom))

    def _failing(self, course: Course) -> Iterable[Literal]:
        if course.at == len(course.slots):
            return self._letters(course.states[-1]) if self._tracker.letters else ()
        slot, state = course.slots[course.at], course.states[-1]
        if slot.numbers is None or self._stage.is_hopeless(slot):
            return ()
        best = self._refused(slot, state)
        if self._stage.world.operator(slot.action.name).always_acts:
            return best | self._undone(slot, slot.numbers, state)
        return best

    def _refused(self, slot: Slot, state: State) -> frozenset[Literal]:
        """What stands in the way of a step."""
        assert slot.numbers is not None  # noqa: S101 - the world knows the step
        compiled = self._stage.world.operator(slot.action.name)
        names = [variable.name for variable in compiled.operator.parameters]
        env = dict(zip(names, slot.numbers, strict=True))
        return self._blockers.of(And(compiled.tests), env, state) or frozenset()

    def _undone(self, slot: Slot, numbers: tuple[int, ...], state: State) -> frozenset[Literal]:
        """What has to change so that the effects of a step hold already: it is passed over then."""
        literal = _first(self._stage.done(state, slot.action.name, numbers)[1])
        found = frozenset((literal,) if self._stage.weight(literal) else ())
        p, objects, value = literal
        for effect in self._stage.effects_of(slot.action.name):
            if effect.sign == (p, value):
                env = effect.binding(objects, self._stage.universe, numbers)
                if env is not None:
                    found |= self._condition(effect, env, state, want=False) or frozenset()
        return found

    def _condition(
        self, effect: Producer, env: Mapping[str, int], state: State, *, want: bool
    ) -> frozenset[Literal] | None:
        """What has to change so that an effect happens, or does not."""
        free = tuple(v for v in effect.variables if v.name not in env)
        condition = Exists(free, effect.condition) if free else effect.condition
        return self._blockers.of(condition, env, state, want)

    def _unmet(self, course: Course) -> frozenset[Literal]:
        """What stands in the way of the target at the end, whichever alternative is meant."""
        state = course.states[-1]
        options = self._tracker.unmet(state)
        found = [self._blockers.of(And(tuple(option)), {}, state) for option in options]
        return frozenset().union(*(each for each in found if each is not None))

    def _letters(self, state: State) -> Iterator[Literal]:
        """The changes after which a letter of the formula is another one."""
        for letter in self._tracker.letters:
            if isinstance(letter, Atom):
                for want in (True, False):
                    yield from self._blockers.of(letter, {}, state, want) or ()

    def _pauses(self, course: Course) -> frozenset[int]:
        """Where an action that changes nothing would do: it takes time."""
        return frozenset(p for p in range(course.at + 1) if self._would_do(course, p))

    def _would_do(self, course: Course, place: int) -> bool:
        progress = self._tracker.advance(
            course.progress[place], course.states[place], Action("(pause)")
        )
        for slot, state, changes in zip(
            course.slots[place:], course.states[place:], course.changes[place:], strict=False
        ):
            if changes is not None:
                progress = self._tracker.advance(progress, state, slot.action)
        return self._tracker.is_reached(progress, course.states[-1])

    # ------------------------------------------------------------------ on the way
    def _before(self, need: Need, slot: Slot, state: State) -> Need:
        """What has to be so before a step so that something needed is so after it."""
        numbers = slot.numbers
        assert numbers is not None  # noqa: S101 - the step was done
        before, added = need.copy(), set[Literal]()
        for effect in self._stage.effects_of(slot.action.name):
            p, value = effect.sign
            pattern = self._pattern(effect, numbers)
            if effect.test is not None:
                for _, env in self._bound(effect, need.matching((p, value), pattern), numbers):
                    added |= self._condition(effect, env, state, want=True) or frozenset()
            opposite = self._bound(effect, need.matching((p, not value), pattern), numbers)
            for literal, env in opposite:
                if effect.test is None:
                    before.remove([literal])
                else:
                    added |= self._condition(effect, env, state, want=False) or frozenset()
        # What the step sets in any case may be what one of its effects depends on.
        before.add(added)
        return before

    def _bound(
        self, effect: Producer, literals: Iterable[Literal], given: tuple[int, ...]
    ) -> Iterator[tuple[Literal, Mapping[str, int]]]:
        for literal in literals:
            env = effect.binding(literal[1], self._stage.universe, given)
            if env is not None:
                yield literal, env

    def _pattern(self, effect: Producer, numbers: tuple[int, ...]) -> list[int | None]:
        known = dict(zip((v.name for v in effect.variables), numbers, strict=False))
        return [
            known.get(term.name)
            if isinstance(term, Variable)
            else self._stage.universe.number(term)
            for term in effect.terms
        ]


def _first(changes: Sequence[Change]) -> Literal:
    """One of the atoms that changes are about, as it becomes."""
    p, column, key, mask, value = changes[0]
    number = next(bits(mask))
    if key is None:
        return p, (number,), value
    if isinstance(key, int):
        return p, (number, key) if column else (key, number), value
    assert isinstance(key, tuple)  # noqa: S101 - all arguments but the last
    return p, (*key, number), value
