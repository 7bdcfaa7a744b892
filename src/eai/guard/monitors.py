"""Rules on a growing sequence of calls, by their automata.

Idea: a rule is a conjunction of parts ``forall x. (body)``. One automaton is made of each body,
with a marker in the place of each variable, and one *instance* of it is run for each value that a
variable has. In a world the values are its objects. Without one they are whatever occurs in calls,
so there is no list of them: an instance is made when its value occurs first, from the state that
all values are in that never occurred (parametric trace slicing, Chen & Rosu 2009).

Invariant: instances in the same state stay together as long as their values do not occur, so they
are moved as a class. A call costs a step for each class and for each value that it holds.
Instances in the state of the values that never occurred are forgotten, so what is kept are the
values about which a rule has something to remember.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import cached_property, lru_cache
from typing import Any

from eai.errors import InputError
from eai.logic import (
    ActionAtom,
    Atom,
    Automaton,
    Equal,
    Forall,
    Formula,
    Proposition,
    Quantifier,
    Then,
    Variable,
    automaton,
    bindings,
    conjuncts,
)

MAX_INSTANCES = 2_000
"""Maximum number of bindings of a rule's variables over the objects of a world."""

_MARK = "\x00"
Objects = Callable[[tuple[str, ...]], Sequence[str]]


def value_text(value: object) -> str:
    """Return a value of a call as rules compare it: texts as they are, others as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        return json.dumps(value, sort_keys=True, ensure_ascii=False, default=repr)
    except (TypeError, ValueError, RecursionError):
        # Keys of several kinds, an integer of thousands of digits, or too deep: no rule has a
        # constant that stands for such a value.
        return f"<{type(value).__name__}>"


@lru_cache(maxsize=4096)
def _matcher(pattern: str) -> Callable[[str], bool]:
    """Return the test of a value that a constant in a rule stands for."""
    compared = re.fullmatch(r"(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)", pattern)
    if compared:
        bound, sign = float(compared[2]), compared[1]
        return lambda value: _compares(value, sign, bound)
    if "*" in pattern or "?" in pattern:
        fits = re.compile(translate(pattern)).match
        return lambda value: fits(value) is not None
    return lambda value: value == pattern


def _compares(value: str, sign: str, bound: float) -> bool:
    """Return whether a value is a number on the asked side of a bound."""
    try:
        number = float(value)
    except ValueError:
        return False
    tests = {"<": number < bound, "<=": number <= bound, ">": number > bound}
    return tests.get(sign, number >= bound)


def matches(pattern: str, value: str) -> bool:
    """Return whether a value is what a constant of a rule stands for.

    ``*`` and ``?`` stand for any characters and any one, ``">100"`` for any number above 100.
    """
    return _matcher(pattern)(value)


@dataclass(frozen=True)
class Event:
    """One position: a call and the facts that are known before it.

    Args:
        name: Name of the action or tool; empty if the sequence ends here.
        arguments: Its values in the order of the tool's parameters, as text.
        facts: For each predicate, the arguments for which it holds.
    """

    name: str
    arguments: tuple[str, ...] = ()
    facts: Mapping[str, Collection[tuple[str, ...]]] | None = None


class Machine:
    """The automaton of one part of a rule, and which of its states are lost.

    Args:
        body: The formula, with a marker in the place of each variable.
        variables: The variables, in the order of the markers.
        objects: The objects that quantifiers inside range over; None if there are none.
    """

    def __init__(
        self,
        body: Formula,
        variables: Sequence[Variable],
        objects: Objects | None,
        *,
        is_eai: bool,
    ) -> None:
        self.variables = tuple(variables)
        self.automaton: Automaton = automaton(
            body, objects=objects, reading="eai" if is_eai else "ltlf"
        )
        self.number_of = {_MARK + each.name: i for i, each in enumerate(variables)}
        # By name: the bit of a letter, and its terms; an integer stands for a variable.
        self.by_name: dict[str, list[tuple[int, tuple[str | int, ...], bool]]] = {}
        for number, letter in enumerate(self.automaton.letters):
            terms = tuple(self._term(str(term)) for term in letter.terms)
            is_action = isinstance(letter, ActionAtom)
            self.by_name.setdefault(letter.name, []).append((1 << number, terms, is_action))

    def _term(self, text: str) -> str | int:
        return self.number_of.get(text, text)

    @cached_property
    def alive(self) -> frozenset[int]:
        """The states from which some continuation is accepted.

        A continuation has at least one position. Every position has at most one action, the last
        one none: so this finds more lost states than the automaton's own trap.
        """
        machine = self.automaton
        alive = set()
        for state in machine.states:
            ends = self._targets(machine.roots[state], may_act=False)
            if ends & machine.accepting:
                alive.add(state)
        onward = [self._targets(root, may_act=True) for root in machine.roots]
        is_growing = True
        while is_growing:
            lost = [s for s in machine.states if s not in alive and onward[s] & alive]
            alive.update(lost)
            is_growing = bool(lost)
        return frozenset(alive)

    def _targets(
        self, root: int, *, may_act: bool, facts: Callable[[int], bool] | None = None
    ) -> set[int]:
        """Return the states that a diagram leads to by letters of at most one action.

        Args:
            root: The diagram.
            may_act: Whether any action may be done.
            facts: Truth of the letters that are facts, by number; None if all are possible.
        """
        targets = set()
        seen = set()
        waiting: list[tuple[int, str]] = [(root, "")]
        while waiting:
            choice, acted = waiting.pop()
            if (choice, acted) in seen:
                continue
            seen.add((choice, acted))
            if choice < 0:
                targets.add(~choice)
                continue
            number, low, high = self.automaton.choices[choice]
            letter = self.automaton.letters[number]
            if isinstance(letter, ActionAtom):
                waiting.append((low, acted))
                if may_act and acted in ("", letter.name):
                    waiting.append((high, letter.name))
            elif facts is None:
                waiting += [(low, acted), (high, acted)]
            else:
                waiting.append((high if facts(number) else low, acted))
        return targets

    def can_go_on(self, state: int, facts: Callable[[int], bool]) -> bool:
        """Return whether some continuation is accepted that begins with known facts."""
        return self.accepts_end(state, facts) or bool(
            self._targets(self.automaton.roots[state], may_act=True, facts=facts) & self.alive
        )

    def accepts_end(self, state: int, facts: Callable[[int], bool]) -> bool:
        """Return whether the part holds if the sequence ends with known facts."""
        ends = self._targets(self.automaton.roots[state], may_act=False, facts=facts)
        return bool(ends & self.automaton.accepting)

    def letter(self, event: Event, binding: Sequence[str] | None) -> int:
        """Return the letter of an event for values of the variables.

        Args:
            event: The event.
            binding: The values; None for values that do not occur in the event.
        """
        letter = 0
        for bit, terms, _ in self.by_name.get(event.name, ()):
            if _fits(terms, event.arguments, binding):
                letter |= bit
        for name, known in (event.facts or {}).items():
            for bit, terms, is_action in self.by_name.get(name, ()):
                if not is_action and any(_fits(terms, values, binding) for values in known):
                    letter |= bit
        return letter

    def values_in(self, event: Event) -> Iterator[str]:
        """Yield the values that the (only) variable can have in an event."""
        for _, terms, _ in self.by_name.get(event.name, ()):
            yield from _value(terms, event.arguments)
        for name, known in (event.facts or {}).items():
            for _, terms, is_action in self.by_name.get(name, ()):
                if not is_action:
                    for values in known:
                        yield from _value(terms, values)


def _fits(terms: Sequence[str | int], values: Sequence[str], binding: Sequence[str] | None) -> bool:
    """Return whether values are those of a letter; a letter without terms takes any."""
    if not terms:
        return True
    if len(terms) != len(values):
        return False
    for term, value in zip(terms, values, strict=True):
        if isinstance(term, int):
            if binding is None or binding[term] != value:
                return False
        elif not matches(term, value):
            return False
    return True


def _value(terms: Sequence[str | int], values: Sequence[str]) -> Iterator[str]:
    """Yield the value at the place of a variable, if all its places have the same one."""
    if len(terms) != len(values):
        return
    own = {value for term, value in zip(terms, values, strict=True) if isinstance(term, int)}
    if len(own) == 1:
        (value,) = own
        if _fits(terms, values, (value,)):
            yield value


def _spelled(name: str, terms: Sequence[str | int], value: str) -> str:
    """Return a letter as text, with the value of its variable."""
    shown = [value if isinstance(term, int) else term for term in terms]
    return f"{name}({', '.join(shown)})"


@dataclass
class _Class:
    """Values whose instances are in the same state."""

    state: int
    values: set[str]


class ValueMonitor:
    """One part of a rule over the values that occur in calls, without a world.

    Args:
        machine: Its automaton, with at most one variable.
        type_pattern: Pattern of the values that the variable ranges over; empty for all.
    """

    def __init__(self, machine: Machine, type_pattern: str = "") -> None:
        self.machine = machine
        self.type_pattern = type_pattern
        self.default = machine.automaton.initial
        # Whether some value occurred whose instance is in the default state.
        self.default_occurred = not machine.variables
        self._classes: dict[int, _Class] = {}
        self._class_of: dict[str, _Class] = {}

    @property
    def remembered(self) -> int:
        """Number of values that are remembered."""
        return len(self._class_of)

    def values(self, event: Event) -> list[str]:
        """Return the values of the variable that occur in an event."""
        if not self.machine.variables:
            return []
        values = dict.fromkeys(self.machine.values_in(event))
        if self.type_pattern:
            return [value for value in values if matches(self.type_pattern, value)]
        return list(values)

    def next_states(self, event: Event) -> Iterator[tuple[int, int, str]]:
        """Yield the states before and after an event of all instances, and their value.

        The value is empty for those whose value does not occur in the event.
        """
        step = self.machine.automaton.step
        letter = self.machine.letter(event, None)
        # Instances with a value that occurs in the event do not read the letter of the others.
        occurring = self.values(event)
        if self.default_occurred:
            yield self.default, step(self.default, letter), ""
        for state, same in self._classes.items():
            own = sum(self._class_of.get(value) is same for value in occurring)
            if len(same.values) > own:
                yield state, step(state, letter), ""
        for value in occurring:
            state = self._state_of(value)
            yield state, step(state, self.machine.letter(event, (value,))), value

    def remembers(self, value: str) -> bool:
        """Return whether a value has a state of its own."""
        return value in self._class_of

    def remedy(self, event: Event) -> str:
        """Return a call or a fact that would make a refused event acceptable, in words.

        One call is tried in advance, and one fact turned over.
        """
        machine = self.machine
        step, alive = machine.automaton.step, machine.alive
        for value in (*self.values(event), ""):
            binding = (value,) if value else None
            state = self._state_of(value)
            letter = machine.letter(event, binding)
            if step(state, letter) in alive or state not in alive:
                continue
            facts = machine.letter(Event("", (), event.facts), binding)
            for name, letters in machine.by_name.items():
                for bit, terms, is_action in letters:
                    spelled = _spelled(name, terms, value)
                    is_missing_fact = not is_action and name != event.name and not letter & bit
                    if is_missing_fact and step(state, letter | bit) in alive:
                        return f"first: {spelled}"
                    if step(step(state, facts | bit), letter) in alive and not facts & bit:
                        return f"first: {spelled}"
        return ""

    def _state_of(self, value: str) -> int:
        known = self._class_of.get(value)
        return self.default if known is None else known.state

    def has_room(self, event: Event, max_values: int) -> bool:
        """Return whether the values of an event can be remembered."""
        if len(self._class_of) < max_values:
            return True
        return all(value in self._class_of for value in self.values(event))

    def push(self, event: Event) -> None:
        """Take an event."""
        step = self.machine.automaton.step
        letter = self.machine.letter(event, None)
        moved = []
        for value in self.values(event):
            after = step(self._state_of(value), self.machine.letter(event, (value,)))
            moved.append((value, after))
        for value, _ in moved:
            self._leave(value)
        self.default = step(self.default, letter)
        classes = list(self._classes.values())
        self._classes = {}
        for same in classes:
            same.state = step(same.state, letter)
            self._keep(same)
        for value, after in moved:
            single = _Class(after, {value})
            self._class_of[value] = single
            self._keep(single)

    def _leave(self, value: str) -> None:
        """Take a value out of its class."""
        same = self._class_of.pop(value, None)
        if same is None:
            return
        same.values.discard(value)
        if not same.values:
            del self._classes[same.state]

    def _keep(self, same: _Class) -> None:
        """Add a class, merged with the one in its state: the smaller set into the larger."""
        if same.state == self.default:
            self.default_occurred = True
            for value in same.values:
                del self._class_of[value]
            return
        present = self._classes.get(same.state)
        if present is None:
            self._classes[same.state] = same
            return
        small, large = sorted((same, present), key=lambda each: len(each.values))
        large.values |= small.values
        for value in small.values:
            self._class_of[value] = large
        self._classes[same.state] = large

    def saved(self) -> dict[str, object]:
        """Return the state as a JSON value."""
        classes = {str(state): sorted(same.values) for state, same in self._classes.items()}
        return {
            "default": self.default,
            "occurred": self.default_occurred,
            "classes": classes,
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Take over a state that was saved."""
        self.default = saved["default"]
        self.default_occurred = saved["occurred"]
        self._classes = {}
        self._class_of = {}
        for text, values in saved["classes"].items():
            same = _Class(int(text), set(values))
            self._classes[same.state] = same
            self._class_of.update(dict.fromkeys(values, same))


class ObjectMonitor:
    """One part of a rule over the objects of a world.

    Args:
        machine: Its automaton.
        objects: The objects of each type.

    Raises:
        InputError: If there are more than 2,000 bindings of the variables.
    """

    def __init__(self, machine: Machine, objects: Objects) -> None:
        self.machine = machine
        names = [variable.name for variable in machine.variables]
        self._letters: list[list[Proposition]] = []
        for binding in bindings(machine.variables, objects, {}):
            if len(self._letters) == MAX_INSTANCES:
                raise InputError(f"the rule has more than {MAX_INSTANCES:,} bindings of objects")
            values = tuple(binding[name] for name in names)
            letters = [_grounded(each, machine, values) for each in machine.automaton.letters]
            self._letters.append(letters)
        self.states = [machine.automaton.initial] * len(self._letters)

    def letter(
        self, instance: int, holds: Callable[[Atom], bool], action: ActionAtom | None
    ) -> int:
        """Return the letter that an instance reads."""
        letter = 0
        for number, proposition in enumerate(self._letters[instance]):
            is_true = proposition == action
            if isinstance(proposition, Atom):
                is_true = holds(proposition)
            letter |= is_true << number
        return letter

    def next_states(
        self, holds: Callable[[Atom], bool], action: ActionAtom | None
    ) -> Iterator[tuple[int, int, int]]:
        """Yield the number of each instance, and its states before and after a position."""
        step = self.machine.automaton.step
        for instance, state in enumerate(self.states):
            yield instance, state, step(state, self.letter(instance, holds, action))

    def facts_of(self, instance: int, holds: Callable[[Atom], bool]) -> Callable[[int], bool]:
        """Return the truth of an instance's letters that are facts, by number."""
        letters = self._letters[instance]

        def is_true(number: int) -> bool:
            letter = letters[number]
            return isinstance(letter, Atom) and holds(letter)

        return is_true

    def push(self, holds: Callable[[Atom], bool], action: ActionAtom | None) -> None:
        """Take a position."""
        self.states = [after for _, _, after in self.next_states(holds, action)]


def _grounded(letter: Proposition, machine: Machine, values: Sequence[str]) -> Proposition:
    """Return a letter with objects in the place of the markers."""
    terms = []
    for term in letter.terms:
        number = machine.number_of.get(str(term))
        terms.append(term if number is None else values[number])
    return letter.with_terms(terms)


def parts_of(formula: Formula) -> list[tuple[Formula, tuple[Variable, ...]]]:
    """Return bodies and variables whose conjunction, for all values, is a formula."""
    if _has(formula, Then):
        return [(formula, ())]
    parts = []
    for part in conjuncts(formula):
        body, variables = part, list[Variable]()
        while isinstance(body, Forall):
            names = {variable.name for variable in variables}
            if any(variable.name in names for variable in body.variables):
                break
            variables += body.variables
            (body,) = body.operands
        # A marker is no object, so equality and the ranges of inner quantifiers have to see
        # the objects themselves.
        if _has(body, Equal) or _has(body, Quantifier):
            body, variables = part, []
        parts.append((body, tuple(variables)))
    return parts


def machine_of(
    body: Formula, variables: Sequence[Variable], objects: Objects | None, whole: Formula
) -> Machine:
    """Return the automaton of a part of a rule.

    Raises:
        InputError: If it is too large.
    """
    marked = body.substitute({variable.name: _MARK + variable.name for variable in variables})
    return Machine(marked, variables, objects, is_eai=_has(whole, Then))


def _has(formula: Formula, kind: type[Formula]) -> bool:
    """Return whether a formula has a node of a kind."""
    if isinstance(formula, kind):
        return True
    return any(_has(operand, kind) for operand in formula.operands)
