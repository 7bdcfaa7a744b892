"""Rules on a growing sequence of calls, by their automata.

Idea: a rule is a conjunction of parts ``forall x. (body)``. One automaton is made of each body,
with a marker in the place of each variable, and one *instance* of it is run for each value that a
variable has. In a world the values are its objects. Without one they are whatever occurs in calls,
so there is no list of them: an instance is made when its value occurs first, from the state that
all values are in that never occurred (parametric trace slicing, Chen & Rosu 2009).

Invariant: instances in the same state stay together as long as their values do not occur, so they
are moved as a class. A call costs a step for each class and for each value that it holds.
Instances in the state of the values that never occurred are forgotten if nothing but their value
can make them break the rule; so what is kept are the values about which a rule has something to
remember.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, NamedTuple

from eai.errors import InputError
from eai.logic import (
    MARK,
    ActionAtom,
    Atom,
    Automaton,
    Formula,
    Proposition,
    Reading,
    Then,
    Variable,
    automaton,
    bindings,
    contains,
)
from eai.nesting import check_value, on_own_stack

MAX_INSTANCES = 2_000
"""Maximum number of bindings of a rule's variables over the objects of a world."""

_FRESH = "\x01"
"""A value that no rule mentions."""
Objects = Callable[[tuple[str, ...]], Sequence[str]]
Acts = frozenset[tuple[int, int]]
"""For each kind of call two bit masks of letters: those that it makes true, and those that it may
make true. ``(0b01, 0b10)``: letter 0 is true, letter 1 may be, all others are false."""
_NO_ACT: Acts = frozenset({(0, 0)})
"""The acts of a call that makes no letter true."""


@on_own_stack
def value_text(value: object) -> str:
    """Return a value of a call in the form that rules compare: text, or else JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        check_value(value)
        return json.dumps(value, sort_keys=True, ensure_ascii=False, default=repr)
    except (TypeError, ValueError):
        # Keys of several types, an integer of thousands of digits, or too deep: no rule has a
        # constant that stands for such a value.
        return f"<{type(value).__name__}>"


@lru_cache(maxsize=4096)
def _matcher(pattern: str) -> Callable[[str], bool]:
    """Return a function that tests values against a constant in a rule."""
    # ">= 2.5" is a comparison; a lone ">" or "<html>" is a text like any other.
    comparison = re.fullmatch(r"(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)", pattern)
    if comparison:
        sign, bound = comparison[1], float(comparison[2])
        return lambda value: _is_on_side_of_bound(value, sign, bound)
    if "*" in pattern or "?" in pattern:
        fits = re.compile(translate(pattern)).match
        return lambda value: fits(value) is not None
    return lambda value: value == pattern


def _is_on_side_of_bound(value: str, sign: str, bound: float) -> bool:
    """Return whether a value is a number on the required side of a bound."""
    try:
        number = float(value)
    except ValueError:
        return False
    tests = {"<": number < bound, "<=": number <= bound, ">": number > bound}
    return tests.get(sign, number >= bound)


def matches(pattern: str, value: str) -> bool:
    """Return whether a value matches a constant or pattern of a rule.

    In a pattern, ``*`` matches any text, ``?`` any character, and ``">100"`` any number above 100.
    """
    return _matcher(pattern)(value)


def _is_pattern(constant: str) -> bool:
    """Return whether a constant stands for more than itself."""
    return "*" in constant or "?" in constant or constant[:1] in ("<", ">")


def _distinguishable_calls(
    terms_of: Sequence[Sequence[str | int]], value: str
) -> Iterator[tuple[str, ...]]:
    """Yield one call of each kind that the letters of a tool distinguish.

    Args:
        terms_of: The terms of each letter; a number stands for a variable.
        value: The value of the variable.

    Yields:
        Arguments: for each position every constant that a letter has there, the value, and values
        that no letter mentions.
    """
    for length in {len(terms) for terms in terms_of}:
        same_length = [terms for terms in terms_of if len(terms) == length]
        choices: list[list[str]] = []
        for position in range(length):
            # The value may be the fresh one itself, so there is another one that is not.
            values = {_FRESH, _FRESH + _FRESH, value}
            for terms in same_length:
                term = terms[position]
                if isinstance(term, str):
                    values.add(term)
            choices.append(sorted(values))
        yield from product(*choices)


class _Letter(NamedTuple):
    """A proposition in a part of a rule, prepared for comparison with calls and facts.

    Args:
        bit: Its bit in the letters that the automaton reads.
        terms: Constants or patterns, and numbers of variables.
        is_action: Whether it is an action, not a fact.
    """

    bit: int
    terms: tuple[str | int, ...]
    is_action: bool

    @property
    def constants(self) -> list[str]:
        """Its constants, patterns included."""
        return [term for term in self.terms if isinstance(term, str)]

    @property
    def has_pattern(self) -> bool:
        """Whether one of its constants stands for more than itself."""
        return any(_is_pattern(constant) for constant in self.constants)


@dataclass(frozen=True)
class Event:
    """A call, with the facts that are known before it.

    Args:
        name: Name of the action or tool; empty if the sequence ends here.
        arguments: Its values in the order of the tool's parameters, as text.
        facts: For each predicate, the arguments for which it holds.
    """

    name: str
    arguments: tuple[str, ...] = ()
    facts: Mapping[str, Collection[tuple[str, ...]]] | None = None


class Machine:
    """The automaton of a part of a rule, with its losing states.

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
        reading: Reading = "eai" if is_eai else "ltlf"
        self.automaton: Automaton = automaton(body, objects=objects, reading=reading)
        # Each marker to the number of its variable.
        self.number_of = {MARK + variable.name: i for i, variable in enumerate(variables)}
        # Results of `alive` and `is_inert`.
        self._alive: dict[Acts, frozenset[int]] = {}
        self._inert: dict[int, bool] = {}
        self.by_name: dict[str, list[_Letter]] = {}
        for number, proposition in enumerate(self.automaton.letters):
            terms = tuple(self._term(str(term)) for term in proposition.terms)
            letter = _Letter(1 << number, terms, isinstance(proposition, ActionAtom))
            for constant in letter.constants:
                _matcher(constant)  # compiled now, lest the first call takes ten times as long
            self.by_name.setdefault(proposition.name, []).append(letter)

    def _term(self, text: str) -> str | int:
        """Return the number of the variable that a marker stands for, or the constant."""
        return self.number_of.get(text, text)

    @cached_property
    def constants(self) -> frozenset[str]:
        """The constants in actions, without patterns."""
        constants: set[str] = set()
        for letters in self.by_name.values():
            for letter in letters:
                if letter.is_action:
                    constants.update(letter.constants)
        return frozenset(constant for constant in constants if not _is_pattern(constant))

    def acts(self, value: str | None) -> Acts:
        """Return the combinations of letters that one call can make true.

        Args:
            value: The value; None for one that is no constant of the rule.
        """
        if value is None:
            value = _FRESH
        acts: set[tuple[int, int]] = set()
        for letters in self.by_name.values():
            actions = [letter for letter in letters if letter.is_action]
            if any(letter.has_pattern for letter in actions):
                # Which patterns have a value in common is not worked out: any of them may.
                acts.add((0, sum(letter.bit for letter in actions)))
                continue
            for call in _distinguishable_calls([letter.terms for letter in actions], value):
                acts.add((_true_letters(actions, call, (value,)), 0))
        return frozenset(acts)

    def alive(self, acts: Acts) -> frozenset[int]:
        """Return the states from which some continuation is accepted.

        A continuation has at least one position. At each of them one call is made, at the last
        none: so this finds more lost states than the automaton's own trap.

        Args:
            acts: The letters that one call can make true, with those that it may make true.
        """
        cached = self._alive.get(acts)
        if cached is not None:
            return cached
        machine = self.automaton
        # Backward reachability. It begins with the states from which the last position, at which
        # no call is made, is accepted.
        alive = set()
        for state in machine.states:
            if self._targets(state, _NO_ACT) & machine.accepting:
                alive.add(state)
        # Each round adds the predecessors of alive states until there are no more, which takes at
        # most as many rounds as there are states.
        onward = [self._targets(state, acts | _NO_ACT) for state in machine.states]
        is_growing = True
        while is_growing:
            added = [s for s in machine.states if s not in alive and onward[s] & alive]
            alive.update(added)
            is_growing = bool(added)
        self._alive[acts] = frozenset(alive)
        return self._alive[acts]

    def _targets(
        self, state: int, acts: Acts, facts: Callable[[int], bool] | None = None
    ) -> set[int]:
        """Return the successors of a state.

        The transitions of a state are a binary decision diagram: a node tests one letter and leads
        to one of two others, and a negative number ``~target`` is a leaf. Every node is visited
        once for each kind of call, so the cost is the product of both numbers.

        Args:
            state: The state.
            acts: The letters that one call can make true.
            facts: Truth of the letters that are facts, by number; None if all are possible.
        """
        targets: set[int] = set()
        for true_letters, open_letters in acts:
            seen: set[int] = set()
            waiting = [self.automaton.roots[state]]
            while waiting:
                choice = waiting.pop()
                if choice < 0:
                    targets.add(~choice)
                    continue
                if choice in seen:
                    continue
                seen.add(choice)
                number, low, high = self.automaton.choices[choice]
                # Where it is open whether the letter is true, both branches are taken.
                if isinstance(self.automaton.letters[number], ActionAtom):
                    is_open = bool(open_letters >> number & 1)
                    is_true = bool(true_letters >> number & 1)
                else:
                    is_open = facts is None
                    is_true = facts is not None and facts(number)
                if is_open or is_true:
                    waiting.append(high)
                if is_open or not is_true:
                    waiting.append(low)
        return targets

    def is_inert(self, state: int) -> bool:
        """Return whether an instance can only break the part if its own value occurs.

        Such an instance need not be stored, as it is satisfied whatever else happens.
        """
        cached = self._inert.get(state)
        if cached is not None:
            return cached
        # The instance is inert if every state is accepting that is reachable without the value.
        is_inert = True
        visited = {state}
        pending = [state]
        while pending and is_inert:
            successors = self._targets_without_value(pending.pop())
            is_inert = successors <= self.automaton.accepting
            pending.extend(successors - visited)
            visited |= successors
        self._inert[state] = is_inert
        return is_inert

    def _targets_without_value(self, state: int) -> set[int]:
        """Return the successors of a state by letters without the variable."""
        # Letters with the variable are false, as its value does not occur. Any other letter may be
        # true or false.
        false_letters = self._letters_with_value()
        targets: set[int] = set()
        waiting = [self.automaton.roots[state]]
        while waiting:
            choice = waiting.pop()
            if choice < 0:
                targets.add(~choice)
                continue
            number, low, high = self.automaton.choices[choice]
            waiting.append(low)
            if number not in false_letters:
                waiting.append(high)
        return targets

    def _letters_with_value(self) -> set[int]:
        """Return the numbers of the letters that have the variable."""
        numbers: set[int] = set()
        for letters in self.by_name.values():
            for bit, terms, _ in letters:
                if any(isinstance(term, int) for term in terms):
                    numbers.add(bit.bit_length() - 1)
        return numbers

    def can_go_on(self, state: int, acts: Acts, facts: Callable[[int], bool]) -> bool:
        """Return whether some continuation after known facts is accepted."""
        if self.accepts_end(state, facts):
            return True
        onward = self._targets(state, acts | _NO_ACT, facts)
        return bool(onward & self.alive(acts))

    def accepts_end(self, state: int, facts: Callable[[int], bool]) -> bool:
        """Return whether the part holds if the sequence ends with known facts."""
        return bool(self._targets(state, _NO_ACT, facts) & self.automaton.accepting)

    def letter(self, event: Event, binding: Sequence[str] | None) -> int:
        """Return the letter of an instance at an event, one bit per true proposition.

        Args:
            event: The event.
            binding: The values; None for values that do not occur in the event.
        """
        letter = _true_letters(self.by_name.get(event.name, ()), event.arguments, binding)
        for name, known in (event.facts or {}).items():
            for bit, terms, is_action in self.by_name.get(name, ()):
                if not is_action and any(_fits_letter(terms, values, binding) for values in known):
                    letter |= bit
        return letter

    def values_in(self, event: Event) -> Iterator[str]:
        """Yield the possible values of the only variable in an event."""
        for letter in self.by_name.get(event.name, ()):
            yield from _value_of_variable(letter.terms, event.arguments)
        for name, known in (event.facts or {}).items():
            facts = [letter for letter in self.by_name.get(name, ()) if not letter.is_action]
            for letter in facts:
                for values in known:
                    yield from _value_of_variable(letter.terms, values)


def _fits_letter(
    terms: Sequence[str | int], values: Sequence[str], binding: Sequence[str] | None
) -> bool:
    """Return whether values match a letter's terms. A letter without terms matches all.

    Args:
        terms: The terms of the letter: constants or patterns, and numbers of variables.
        values: The arguments of a call or a fact.
        binding: The values of the variables; None if they are not those of any value here.
    """
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


def _true_letters(
    letters: Iterable[_Letter], values: Sequence[str], binding: Sequence[str] | None
) -> int:
    """Return the bits of the letters that match some values."""
    mask = 0
    for bit, terms, _ in letters:
        if _fits_letter(terms, values, binding):
            mask |= bit
    return mask


def _value_of_variable(terms: Sequence[str | int], values: Sequence[str]) -> Iterator[str]:
    """Yield the value of a variable if it is the same at all its places.

    The terms ``(0, "/tmp", 0)`` yield ``a`` for the values ``("a", "/tmp", "a")``, and nothing for
    ``("a", "/tmp", "b")`` or ``("a", "/etc", "a")``.
    """
    if len(terms) != len(values):
        return
    candidates = {value for term, value in zip(terms, values, strict=True) if isinstance(term, int)}
    if len(candidates) == 1:
        (value,) = candidates
        if _fits_letter(terms, values, (value,)):
            yield value


def _binding_of(value: str) -> tuple[str, ...] | None:
    """Return the binding of the instance of a value; None for the instances without one."""
    if value:
        return (value,)
    return None


def _letter_text(name: str, terms: Sequence[str | int], value: str) -> str:
    """Return a letter as text, with the value of its variable."""
    arguments = [value if isinstance(term, int) else term for term in terms]
    return f"{name}({', '.join(arguments)})"


@dataclass
class _Class:
    """Values whose instances are in the same automaton state."""

    state: int
    values: set[str]


class ValueMonitor:
    """Monitors one part of a rule for the values in calls, without a world.

    Args:
        machine: Its automaton, with at most one variable.
        type_pattern: Pattern of the values that the variable ranges over; empty for all.
    """

    def __init__(self, machine: Machine, type_pattern: str = "") -> None:
        self.machine = machine
        self.type_pattern = type_pattern
        # The state of all values that never occurred, or are forgotten.
        self.default = machine.automaton.initial
        # The other values, by state and by value.
        self._classes: dict[int, _Class] = {}
        self._class_of: dict[str, _Class] = {}
        # States of values that are constants of the rule, too: other calls are possible for them.
        self._constants: dict[str, int] = {}
        # Results of `alive`: for each constant, and for all other values under the empty text.
        self._alive: dict[str, frozenset[int]] = {}
        self.alive("")  # not at the first call, which should take as long as the others

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
        """Yield (state, next state, value) for all instances at an event.

        The value is empty for those whose value does not occur in the event.
        """
        step = self.machine.automaton.step
        letter = self.machine.letter(event, None)
        # Instances with a value that occurs in the event do not read the letter of the others.
        occurring = self._values_moved_alone(event)
        if not self.machine.variables:
            yield self.default, step(self.default, letter), ""
        for state, same in self._classes.items():
            # A class of which every value occurs has no instance left that reads this letter.
            number_occurring = sum(self._class_of.get(value) is same for value in occurring)
            if len(same.values) > number_occurring:
                yield state, step(state, letter), ""
        for value in occurring:
            state = self._state_of(value)
            yield state, step(state, self.machine.letter(event, (value,))), value

    def _values_moved_alone(self, event: Event) -> list[str]:
        """Return the values whose instances are moved one by one."""
        return list(dict.fromkeys([*self.values(event), *self._constants]))

    def remembers(self, value: str) -> bool:
        """Return whether a value has a state of its own."""
        return value in self._class_of or value in self._constants

    def alive(self, value: str) -> frozenset[int]:
        """Return the states from which the part can still be kept for a value."""
        machine = self.machine
        if value not in machine.constants:
            value = ""  # all other values are alike
        if value not in self._alive:
            self._alive[value] = machine.alive(machine.acts(value or None))
        return self._alive[value]

    def remedy(self, event: Event) -> str:
        """Return in words a call or fact that would make a refused event acceptable.

        Empty if none is found: one call is tried in advance, and one fact turned over.
        """
        for value in (*self.values(event), ""):
            if self._is_refused(event, value):
                remedy = self._remedy_of_instance(event, value)
                if remedy:
                    return remedy
        return ""

    def _is_refused(self, event: Event, value: str) -> bool:
        """Return whether an event is what makes the instance of a value fail."""
        machine = self.machine
        alive = self.alive(value)
        state = self._state_of(value)
        letter = machine.letter(event, _binding_of(value))
        return state in alive and machine.automaton.step(state, letter) not in alive

    def _remedy_of_instance(self, event: Event, value: str) -> str:
        """Return in words a remedy for the instance of a value.

        It is a fact that would have to hold with the event, or a call right before it:
        ``"first: read(a.txt)"``.
        """
        machine = self.machine
        step = machine.automaton.step
        alive = self.alive(value)
        binding = _binding_of(value)
        state = self._state_of(value)
        letter = machine.letter(event, binding)
        # The letter that would be read before the event, if a call were made there.
        facts = machine.letter(Event("", (), event.facts), binding)
        for name, letters in machine.by_name.items():
            for bit, terms, is_action in letters:
                spelled = _letter_text(name, terms, value)
                # A fact that did not hold at the event, and would have made it acceptable.
                is_missing_fact = not is_action and name != event.name and not letter & bit
                if is_missing_fact and step(state, letter | bit) in alive:
                    return f"first: {spelled}"
                # A call, or a fact that holds for a while, at a position of its own before it.
                if step(step(state, facts | bit), letter) in alive and not facts & bit:
                    return f"first: {spelled}"
        return ""

    def _state_of(self, value: str) -> int:
        """Return the automaton state of a value's instance."""
        if value in self._constants:
            return self._constants[value]
        same = self._class_of.get(value)
        if same is None:
            return self.default
        return same.state

    def has_room(self, event: Event, max_values: int) -> bool:
        """Return whether the values of an event can be remembered."""
        if len(self._class_of) < max_values:
            return True
        return all(map(self.remembers, self.values(event)))

    def push(self, event: Event) -> None:
        """Advance every instance by an event.

        The classes are moved as a whole, so values that read a letter of their own leave their
        class before that.
        """
        step = self.machine.automaton.step
        letter = self.machine.letter(event, None)
        moved = []
        for value in self._values_moved_alone(event):
            after = step(self._state_of(value), self.machine.letter(event, (value,)))
            moved.append((value, after))
        for value, _ in moved:
            self._remove_from_class(value)
        # The new default comes first: a class that arrives in it may be forgotten.
        self.default = step(self.default, letter)
        classes = list(self._classes.values())
        self._classes = {}
        for same in classes:
            same.state = step(same.state, letter)
            self._add_class(same)
        for value, after in moved:
            if value in self.machine.constants:
                # Constants never join a class: other calls are possible for them.
                self._constants[value] = after
                continue
            single = _Class(after, {value})
            self._class_of[value] = single
            self._add_class(single)

    def _remove_from_class(self, value: str) -> None:
        """Remove a value from its class."""
        same = self._class_of.pop(value, None)
        if same is None:
            return
        same.values.discard(value)
        if not same.values:
            del self._classes[same.state]

    def _add_class(self, same: _Class) -> None:
        """Add a class, merged with an existing one in the same state.

        So the class of a value that moves at least doubles, and merging n values moves each of
        them at most log2(n) times.
        """
        if same.state == self.default and self.machine.is_inert(same.state):
            # Nothing sets them apart from values that never occurred: they are forgotten.
            for value in same.values:
                del self._class_of[value]
            return
        present = self._classes.get(same.state)
        if present is None:
            self._classes[same.state] = same
            return
        small, large = sorted((same, present), key=lambda members: len(members.values))
        large.values |= small.values
        for value in small.values:
            self._class_of[value] = large
        self._classes[same.state] = large

    def saved(self) -> dict[str, object]:
        """Return the state as a JSON value."""
        classes = {str(state): sorted(same.values) for state, same in self._classes.items()}
        return {
            "default": self.default,
            "classes": classes,
            "constants": self._constants,
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore a saved state."""
        self.default = saved["default"]
        self._constants = dict(saved["constants"])
        self._classes = {}
        self._class_of = {}
        for text, values in saved["classes"].items():
            same = _Class(int(text), set(values))
            self._classes[same.state] = same
            self._class_of.update(dict.fromkeys(values, same))


class ObjectMonitor:
    """Monitors one part of a rule for the objects of a world.

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
            letters = []
            for letter in machine.automaton.letters:
                letters.append(_ground_letter(letter, machine, values))
            self._letters.append(letters)
        self.states = [machine.automaton.initial] * len(self._letters)
        self.acts = [_acts_of_instance(letters) for letters in self._letters]

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
        """Yield (instance, state, next state) for all instances at a position."""
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


def _acts_of_instance(letters: Sequence[Proposition]) -> Acts:
    """Return the letters that each ground action makes true.

    Two letters of a rule may be the same action for some binding: it makes both true at once.
    """
    masks: dict[Proposition, int] = {}
    for number, letter in enumerate(letters):
        if isinstance(letter, ActionAtom):
            masks[letter] = masks.get(letter, 0) | 1 << number
    return frozenset([(mask, 0) for mask in masks.values()])


def _ground_letter(letter: Proposition, machine: Machine, values: Sequence[str]) -> Proposition:
    """Return a letter with its markers replaced by objects."""
    terms = []
    for term in letter.terms:
        number = machine.number_of.get(str(term))
        if number is None:
            terms.append(term)
        else:
            terms.append(values[number])
    return letter.with_terms(terms)


def machine_of(
    body: Formula, variables: Sequence[Variable], objects: Objects | None, whole: Formula
) -> Machine:
    """Return the automaton of a part of a rule.

    Raises:
        InputError: If it is too large.
    """
    marked = body.substitute({variable.name: MARK + variable.name for variable in variables})
    return Machine(marked, variables, objects, is_eai=contains(whole, Then))
