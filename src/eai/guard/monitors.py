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
CallLetters = frozenset[tuple[int, int]]
"""For each kind of call two bit masks of letters (the propositions of a rule): those that the call
makes true, and those that it may make true. ``(0b01, 0b10)``: letter 0 is true, letter 1 may be,
all others are false."""
_NO_CALL: CallLetters = frozenset({(0, 0)})
"""The letters of a position without a call: none is true."""


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
def _compile_pattern(pattern: str) -> Callable[[str], bool]:
    """Return a function that tests values against a constant in a rule."""
    # ">= 2.5" is a comparison; a lone ">" or "<html>" is a text like any other.
    comparison = re.fullmatch(r"(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)", pattern)
    if comparison:
        sign = comparison[1]
        bound = float(comparison[2])
        return lambda value: _is_on_side_of_bound(value, sign, bound)
    if "*" in pattern or "?" in pattern:
        match_pattern = re.compile(translate(pattern)).match
        return lambda value: match_pattern(value) is not None
    return lambda value: value == pattern


def _is_on_side_of_bound(value: str, sign: str, bound: float) -> bool:
    """Return whether a value is a number on the required side of a bound."""
    try:
        number = float(value)
    except ValueError:
        return False
    if sign == "<":
        return number < bound
    if sign == "<=":
        return number <= bound
    if sign == ">":
        return number > bound
    return number >= bound


def matches(pattern: str, value: str) -> bool:
    """Return whether a value matches a constant or pattern of a rule.

    In a pattern, ``*`` matches any text, ``?`` any character, and ``">100"`` any number above 100.
    """
    return _compile_pattern(pattern)(value)


def _is_pattern(constant: str) -> bool:
    """Return whether a constant stands for more than itself."""
    return "*" in constant or "?" in constant or constant[:1] in ("<", ">")


def _representative_arguments(
    terms_of_letters: Sequence[Sequence[str | int]], value: str
) -> Iterator[tuple[str, ...]]:
    """Yield arguments of calls, at least one list for each set of letters that a call makes true.

    Each argument is a constant that a letter has at its position, the value of the variable, or a
    value that no letter mentions.

    Args:
        terms_of_letters: The terms of each letter of a tool: constants, and indices of variables.
        value: The value of the variable.
    """
    for arity in {len(terms) for terms in terms_of_letters}:
        letters_of_arity = [terms for terms in terms_of_letters if len(terms) == arity]
        arguments_by_position: list[list[str]] = []
        for position in range(arity):
            # The value may be the fresh one itself, so there is another one that is not.
            candidates = {_FRESH, _FRESH + _FRESH, value}
            for terms in letters_of_arity:
                term = terms[position]
                if isinstance(term, str):
                    candidates.add(term)
            arguments_by_position.append(sorted(candidates))
        yield from product(*arguments_by_position)


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
        reading: Semantics of the formula: ``"ltlf"``, or ``"eai"`` for formulas with ``then``.
    """

    def __init__(
        self,
        body: Formula,
        variables: Sequence[Variable],
        objects: Objects | None,
        reading: Reading,
    ) -> None:
        """Build the automaton and index its letters by the names of actions and predicates."""
        self.variables = tuple(variables)
        self.automaton: Automaton = automaton(body, objects=objects, reading=reading)
        # A marker is a constant that stands for a variable in the formula.
        self.variable_index_of: dict[str, int] = {}
        for variable_index, variable in enumerate(variables):
            self.variable_index_of[MARK + variable.name] = variable_index
        # Results of `live_states` and `is_inert`.
        self._live_states: dict[CallLetters, frozenset[int]] = {}
        self._inert: dict[int, bool] = {}
        self.letters_by_name: dict[str, list[_Letter]] = {}
        for letter_index, proposition in enumerate(self.automaton.letters):
            terms = tuple(self._index_or_constant(str(term)) for term in proposition.terms)
            letter = _Letter(1 << letter_index, terms, isinstance(proposition, ActionAtom))
            for constant in letter.constants:
                _compile_pattern(
                    constant
                )  # compiled now, lest the first call takes ten times as long
            self.letters_by_name.setdefault(proposition.name, []).append(letter)

    def _index_or_constant(self, term: str) -> str | int:
        """Return the index of the variable that a term stands for, or the term as a constant."""
        return self.variable_index_of.get(term, term)

    @cached_property
    def constants(self) -> frozenset[str]:
        """The constants in actions, without patterns."""
        constants: set[str] = set()
        for letters in self.letters_by_name.values():
            for letter in letters:
                if letter.is_action:
                    constants.update(letter.constants)
        return frozenset(constant for constant in constants if not _is_pattern(constant))

    def call_letters(self, value: str | None) -> CallLetters:
        """Return the sets of letters that a single call can make true, as bit masks.

        Args:
            value: The value of the variable; None for a value that is no constant of the rule.
        """
        if value is None:
            value = _FRESH
        call_letters: set[tuple[int, int]] = set()
        for letters in self.letters_by_name.values():
            actions = [letter for letter in letters if letter.is_action]
            if any(letter.has_pattern for letter in actions):
                # Which patterns have a value in common is not worked out: any of them may.
                call_letters.add((0, sum(letter.bit for letter in actions)))
                continue
            terms_of_letters = [letter.terms for letter in actions]
            for arguments in _representative_arguments(terms_of_letters, value):
                call_letters.add((_mask_of_true_letters(actions, arguments, (value,)), 0))
        return frozenset(call_letters)

    def live_states(self, call_letters: CallLetters) -> frozenset[int]:
        """Return the states of the automaton from which some continuation is accepted.

        A continuation has at least one position. One call is made at each position but the last.
        That makes fewer states live than in the automaton alone, where several actions may be true
        at a position.

        Args:
            call_letters: The sets of letters that a single call can make true.
        """
        cached = self._live_states.get(call_letters)
        if cached is not None:
            return cached
        machine = self.automaton
        # Backward reachability. It begins with the states from which the last position, at which
        # no call is made, is accepted.
        live_states: set[int] = set()
        for state in machine.states:
            if self._successors(state, _NO_CALL) & machine.accepting:
                live_states.add(state)
        # Each round adds the predecessors of live states until there are no more: at most as many
        # rounds as there are states.
        successors_of = [
            self._successors(state, call_letters | _NO_CALL) for state in machine.states
        ]
        is_growing = True
        while is_growing:
            predecessors = []
            for state in machine.states:
                if state not in live_states and successors_of[state] & live_states:
                    predecessors.append(state)
            live_states.update(predecessors)
            is_growing = bool(predecessors)
        self._live_states[call_letters] = frozenset(live_states)
        return self._live_states[call_letters]

    def _successors(
        self, state: int, call_letters: CallLetters, facts: Callable[[int], bool] | None = None
    ) -> set[int]:
        """Return the successors of a state.

        The transitions of a state are a binary decision diagram: a node tests one letter and leads
        to one of two others, and a negative number ``~target`` is a leaf. Every node is visited
        once for each kind of call, so the cost is the product of both numbers.

        Args:
            state: The state.
            call_letters: The sets of letters that a single call can make true.
            facts: Returns whether the letter with an index is a fact that holds; None if any fact
                may hold or not.
        """
        successors: set[int] = set()
        for true_letters, open_letters in call_letters:
            seen: set[int] = set()
            pending = [self.automaton.roots[state]]
            while pending:
                node = pending.pop()
                if node < 0:
                    successors.add(~node)
                    continue
                if node in seen:
                    continue
                seen.add(node)
                letter_index, low_node, high_node = self.automaton.choices[node]
                # Where it is open whether the letter is true, both branches are taken.
                if isinstance(self.automaton.letters[letter_index], ActionAtom):
                    is_open = bool(open_letters >> letter_index & 1)
                    is_true = bool(true_letters >> letter_index & 1)
                else:
                    is_open = facts is None
                    is_true = facts is not None and facts(letter_index)
                if is_open or is_true:
                    pending.append(high_node)
                if is_open or not is_true:
                    pending.append(low_node)
        return successors

    def is_inert(self, state: int) -> bool:
        """Return whether an instance in a state is satisfied as long as its value does not occur.

        Such an instance need not be stored.
        """
        cached = self._inert.get(state)
        if cached is not None:
            return cached
        # The instance is inert if every state is accepting that is reachable without the value.
        is_inert = True
        visited = {state}
        pending = [state]
        while pending and is_inert:
            successors = self._successors_without_value(pending.pop())
            is_inert = successors <= self.automaton.accepting
            pending.extend(successors - visited)
            visited |= successors
        self._inert[state] = is_inert
        return is_inert

    def _successors_without_value(self, state: int) -> set[int]:
        """Return the successors of a state by letters without the variable."""
        # Letters with the variable are false, as its value does not occur. Any other letter may be
        # true or false.
        false_letters = self._letters_with_variable()
        successors: set[int] = set()
        pending = [self.automaton.roots[state]]
        while pending:
            node = pending.pop()
            if node < 0:
                successors.add(~node)
                continue
            letter_index, low_node, high_node = self.automaton.choices[node]
            pending.append(low_node)
            if letter_index not in false_letters:
                pending.append(high_node)
        return successors

    def _letters_with_variable(self) -> set[int]:
        """Return the indices of the letters that have the variable among their terms."""
        letter_indices: set[int] = set()
        for letters in self.letters_by_name.values():
            for bit, terms, _ in letters:
                if any(isinstance(term, int) for term in terms):
                    letter_indices.add(bit.bit_length() - 1)
        return letter_indices

    def can_continue(
        self, state: int, call_letters: CallLetters, facts: Callable[[int], bool]
    ) -> bool:
        """Return whether some continuation is accepted that begins with known facts."""
        if self.accepts_end(state, facts):
            return True
        successors = self._successors(state, call_letters | _NO_CALL, facts)
        return bool(successors & self.live_states(call_letters))

    def accepts_end(self, state: int, facts: Callable[[int], bool]) -> bool:
        """Return whether the part holds if the sequence ends with known facts."""
        return bool(self._successors(state, _NO_CALL, facts) & self.automaton.accepting)

    def letter_at(self, event: Event, binding: Sequence[str] | None) -> int:
        """Return a bit mask of the propositions that an event makes true for an instance.

        Args:
            event: The event.
            binding: The values of the instance's variables; None for values that do not occur in
                the event.
        """
        letter_mask = _mask_of_true_letters(
            self.letters_by_name.get(event.name, ()), event.arguments, binding
        )
        for predicate, facts in (event.facts or {}).items():
            for bit, terms, is_action in self.letters_by_name.get(predicate, ()):
                if not is_action and any(_matches_letter(terms, fact, binding) for fact in facts):
                    letter_mask |= bit
        return letter_mask

    def values_in(self, event: Event) -> Iterator[str]:
        """Yield the possible values of the only variable in an event."""
        for letter in self.letters_by_name.get(event.name, ()):
            yield from _value_of_variable(letter.terms, event.arguments)
        for predicate, facts in (event.facts or {}).items():
            for letter in self.letters_by_name.get(predicate, ()):
                if letter.is_action:
                    continue
                for fact in facts:
                    yield from _value_of_variable(letter.terms, fact)


def _matches_letter(
    terms: Sequence[str | int], values: Sequence[str], binding: Sequence[str] | None
) -> bool:
    """Return whether values match a letter's terms. A letter without terms matches all.

    Args:
        terms: The terms of the letter: constants or patterns, and indices of variables.
        values: The arguments of a call or a fact.
        binding: The values of the variables; None if they differ from all arguments.
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


def _mask_of_true_letters(
    letters: Iterable[_Letter], values: Sequence[str], binding: Sequence[str] | None
) -> int:
    """Return a bit mask of the letters that match the arguments of a call or a fact."""
    mask = 0
    for bit, terms, _ in letters:
        if _matches_letter(terms, values, binding):
            mask |= bit
    return mask


def _value_of_variable(terms: Sequence[str | int], values: Sequence[str]) -> Iterator[str]:
    """Yield the value of the variable in a letter if all its occurrences have the same value.

    The terms ``(0, "/tmp", 0)`` yield ``a`` for the values ``("a", "/tmp", "a")``, and nothing for
    ``("a", "/tmp", "b")`` or ``("a", "/etc", "a")``.
    """
    if len(terms) != len(values):
        return
    candidates = {value for term, value in zip(terms, values, strict=True) if isinstance(term, int)}
    if len(candidates) == 1:
        (value,) = candidates
        if _matches_letter(terms, values, (value,)):
            yield value


def _binding_of(value: str) -> tuple[str, ...] | None:
    """Return the binding of the instance of a value; None for the instances without one."""
    if value:
        return (value,)
    return None


def _format_letter(name: str, terms: Sequence[str | int], value: str) -> str:
    """Return a letter as text with the value of its variable: ``"read(a.txt)"``."""
    arguments = [value if isinstance(term, int) else term for term in terms]
    return f"{name}({', '.join(arguments)})"


@dataclass
class _ValueClass:
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
        """Start all instances in the initial state of the automaton."""
        self.machine = machine
        self.type_pattern = type_pattern
        # The state of all values that never occurred, or are forgotten.
        self.default_state = machine.automaton.initial
        # The other values, by state and by value.
        self._class_of_state: dict[int, _ValueClass] = {}
        self._class_of_value: dict[str, _ValueClass] = {}
        # States of values that are constants of the rule, too: other calls are possible for them.
        self._state_of_constant: dict[str, int] = {}
        # Results of `live_states` for each constant; all other values share the empty text.
        self._live_states: dict[str, frozenset[int]] = {}
        self.live_states("")  # not at the first call, which should take as long as the others

    def values_in(self, event: Event) -> list[str]:
        """Return the values of the variable that occur in an event."""
        if not self.machine.variables:
            return []
        values = dict.fromkeys(self.machine.values_in(event))
        if self.type_pattern:
            return [value for value in values if matches(self.type_pattern, value)]
        return list(values)

    def transitions(self, event: Event) -> Iterator[tuple[int, int, str]]:
        """Yield (state, next state, value) for the instances at an event.

        There is one triple for each value that occurs in the event, and one with an empty value for
        each state that other instances are in.
        """
        step = self.machine.automaton.step
        letter = self.machine.letter_at(event, None)
        # Instances with a value that occurs in the event do not read the letter of the others.
        occurring = self._individual_values(event)
        if not self.machine.variables:
            yield self.default_state, step(self.default_state, letter), ""
        for state, value_class in self._class_of_state.items():
            # If every value of a class occurs, then no instance is left that reads this letter.
            if not value_class.values.issubset(occurring):
                yield state, step(state, letter), ""
        for value in occurring:
            state = self._state_of(value)
            yield state, step(state, self.machine.letter_at(event, (value,))), value

    def _individual_values(self, event: Event) -> list[str]:
        """Return the values moved one by one: those in the event, and constants of the rule."""
        return list(dict.fromkeys([*self.values_in(event), *self._state_of_constant]))

    def remembers(self, value: str) -> bool:
        """Return whether a value has a state of its own."""
        return value in self._class_of_value or value in self._state_of_constant

    def live_states(self, value: str) -> frozenset[int]:
        """Return the states from which the instance of a value can still satisfy the part."""
        machine = self.machine
        if value not in machine.constants:
            value = ""  # all other values are alike
        if value not in self._live_states:
            self._live_states[value] = machine.live_states(machine.call_letters(value or None))
        return self._live_states[value]

    def remedy(self, event: Event) -> str:
        """Return a call or fact that would make a refused event acceptable, or "".

        Only remedies with a single call before the event, or a single fact, are tried. They are in
        words: ``"first: read(a.txt)"``.
        """
        for value in (*self.values_in(event), ""):
            if self._is_refused(event, value):
                remedy = self._find_remedy(event, value)
                if remedy:
                    return remedy
        return ""

    def _is_refused(self, event: Event, value: str) -> bool:
        """Return whether the instance of a value is live before an event and lost after it."""
        machine = self.machine
        live_states = self.live_states(value)
        state = self._state_of(value)
        new_state = machine.automaton.step(state, machine.letter_at(event, _binding_of(value)))
        return state in live_states and new_state not in live_states

    def _find_remedy(self, event: Event, value: str) -> str:
        """Return a fact or call that would make an event acceptable for a value's instance, or "".

        It is a fact that would have to hold with the event, or a call right before it, in words:
        ``"first: read(a.txt)"``.
        """
        machine = self.machine
        step = machine.automaton.step
        live_states = self.live_states(value)
        binding = _binding_of(value)
        state = self._state_of(value)
        event_letter = machine.letter_at(event, binding)
        # The letter that would be read before the event, if a call were made there.
        earlier_letter = machine.letter_at(Event("", (), event.facts), binding)
        for name, letters in machine.letters_by_name.items():
            for bit, terms, is_action in letters:
                remedy = f"first: {_format_letter(name, terms, value)}"
                # A fact that did not hold at the event, and would have made it acceptable.
                is_missing_fact = not is_action and name != event.name and not event_letter & bit
                if is_missing_fact and step(state, event_letter | bit) in live_states:
                    return remedy
                if earlier_letter & bit:
                    continue
                # A call, or a fact that holds for a while, at a position of its own before it.
                state_before_event = step(state, earlier_letter | bit)
                if step(state_before_event, event_letter) in live_states:
                    return remedy
        return ""

    def _state_of(self, value: str) -> int:
        """Return the automaton state of a value's instance."""
        if value in self._state_of_constant:
            return self._state_of_constant[value]
        value_class = self._class_of_value.get(value)
        if value_class is None:
            return self.default_state
        return value_class.state

    def can_remember_values_of(self, event: Event, max_values: int) -> bool:
        """Return whether the values of an event fit below the maximum number of values."""
        if len(self._class_of_value) < max_values:
            return True
        return all(map(self.remembers, self.values_in(event)))

    def advance(self, event: Event) -> None:
        """Advance every instance by an event.

        All values in a class are in the same automaton state, so a class is moved as a whole. A
        value that occurs in the event leaves its class before that, as its instance reads a letter
        of its own.
        """
        step = self.machine.automaton.step
        # All new states are computed from the old ones, before anything is changed.
        individual_states: dict[str, int] = {}
        for value in self._individual_values(event):
            letter = self.machine.letter_at(event, (value,))
            individual_states[value] = step(self._state_of(value), letter)
        for value in individual_states:
            self._remove_from_class(value)
        shared_letter = self.machine.letter_at(event, None)
        # The default state comes first: a class that arrives in it may be forgotten.
        self.default_state = step(self.default_state, shared_letter)
        value_classes = list(self._class_of_state.values())
        self._class_of_state = {}
        for value_class in value_classes:
            value_class.state = step(value_class.state, shared_letter)
            self._add_class(value_class)
        for value, new_state in individual_states.items():
            if value in self.machine.constants:
                # Constants never join a class: other calls are possible for them.
                self._state_of_constant[value] = new_state
                continue
            value_class = _ValueClass(new_state, {value})
            self._class_of_value[value] = value_class
            self._add_class(value_class)

    def _remove_from_class(self, value: str) -> None:
        """Remove a value from its class, and the class if no value is left in it."""
        value_class = self._class_of_value.pop(value, None)
        if value_class is None:
            return
        value_class.values.discard(value)
        if not value_class.values:
            del self._class_of_state[value_class.state]

    def _add_class(self, value_class: _ValueClass) -> None:
        """Add a class, merged with an existing one in the same state.

        The smaller class is merged into the larger one. So each merge at least doubles the class of
        a value that is moved, and merging n values moves each of them at most log2(n) times.
        """
        state = value_class.state
        if state == self.default_state and self.machine.is_inert(state):
            # Nothing sets them apart from values that never occurred: they are forgotten.
            for value in value_class.values:
                del self._class_of_value[value]
            return
        existing_class = self._class_of_state.get(state)
        if existing_class is None:
            self._class_of_state[state] = value_class
            return
        small, large = value_class, existing_class
        if len(small.values) > len(large.values):
            small, large = large, small
        large.values |= small.values
        for value in small.values:
            self._class_of_value[value] = large
        self._class_of_state[state] = large

    def as_json(self) -> dict[str, object]:
        """Return the state as a JSON value."""
        values_by_state = {}
        for state, value_class in self._class_of_state.items():
            values_by_state[str(state)] = sorted(value_class.values)
        return {
            "default": self.default_state,
            "classes": values_by_state,
            "constants": self._state_of_constant,
        }

    def restore(self, saved_state: Mapping[str, Any]) -> None:
        """Continue from a state that :meth:`as_json` returned."""
        self.default_state = saved_state["default"]
        self._state_of_constant = dict(saved_state["constants"])
        self._class_of_state = {}
        self._class_of_value = {}
        # The keys of a JSON object are texts.
        for state_text, values in saved_state["classes"].items():
            value_class = _ValueClass(int(state_text), set(values))
            self._class_of_state[value_class.state] = value_class
            self._class_of_value.update(dict.fromkeys(values, value_class))


class ObjectMonitor:
    """Monitors one part of a rule for the objects of a world.

    Args:
        machine: Its automaton.
        objects: The objects of each type.

    Raises:
        InputError: If there are more than 2,000 bindings of the variables.
    """

    def __init__(self, machine: Machine, objects: Objects) -> None:
        """Start one instance for each binding of the variables to objects."""
        self.machine = machine
        variable_names = [variable.name for variable in machine.variables]
        self._letters_of_instance: list[list[Proposition]] = []
        for binding in bindings(machine.variables, objects, {}):
            if len(self._letters_of_instance) == MAX_INSTANCES:
                raise InputError(f"the rule has more than {MAX_INSTANCES:,} bindings of objects")
            bound_objects = tuple(binding[name] for name in variable_names)
            ground_letters = []
            for letter in machine.automaton.letters:
                ground_letters.append(_ground_letter(letter, machine, bound_objects))
            self._letters_of_instance.append(ground_letters)
        self.states = [machine.automaton.initial] * len(self._letters_of_instance)
        self.call_letters = [
            _call_letters_of_instance(letters) for letters in self._letters_of_instance
        ]

    def letter_at(
        self, instance: int, holds: Callable[[Atom], bool], action: ActionAtom | None
    ) -> int:
        """Return a bit mask of the propositions that are true for an instance at a position.

        Args:
            instance: Number of the instance.
            holds: Returns whether a fact holds in the state at the position.
            action: The action that is taken there; None at the last position.
        """
        letter_mask = 0
        for letter_index, proposition in enumerate(self._letters_of_instance[instance]):
            is_true = proposition == action
            if isinstance(proposition, Atom):
                is_true = holds(proposition)
            if is_true:
                letter_mask |= 1 << letter_index
        return letter_mask

    def transitions(
        self, holds: Callable[[Atom], bool], action: ActionAtom | None
    ) -> Iterator[tuple[int, int, int]]:
        """Yield (instance, state, next state) for all instances at a position."""
        step = self.machine.automaton.step
        for instance, state in enumerate(self.states):
            yield instance, state, step(state, self.letter_at(instance, holds, action))

    def facts_of(self, instance: int, holds: Callable[[Atom], bool]) -> Callable[[int], bool]:
        """Return a function that tells whether a letter of an instance is a fact that holds.

        The function takes the index of the letter.
        """
        letters = self._letters_of_instance[instance]

        def is_true_fact(letter_index: int) -> bool:
            letter = letters[letter_index]
            return isinstance(letter, Atom) and holds(letter)

        return is_true_fact

    def advance(self, holds: Callable[[Atom], bool], action: ActionAtom | None) -> None:
        """Advance every instance by a position: a state, and the action taken in it."""
        self.states = [new_state for _, _, new_state in self.transitions(holds, action)]


def _call_letters_of_instance(letters: Sequence[Proposition]) -> CallLetters:
    """Return the letters that each ground action makes true.

    Two letters of a rule may be the same action for some binding: it makes both true at once.
    """
    masks: dict[Proposition, int] = {}
    for letter_index, letter in enumerate(letters):
        if isinstance(letter, ActionAtom):
            masks[letter] = masks.get(letter, 0) | 1 << letter_index
    return frozenset([(mask, 0) for mask in masks.values()])


def _ground_letter(letter: Proposition, machine: Machine, objects: Sequence[str]) -> Proposition:
    """Return a letter with its markers replaced by the objects of the variables."""
    terms = []
    for term in letter.terms:
        variable_index = machine.variable_index_of.get(str(term))
        if variable_index is None:
            terms.append(term)
        else:
            terms.append(objects[variable_index])
    return letter.with_terms(terms)


def build_machine(
    body: Formula, variables: Sequence[Variable], objects: Objects | None, whole: Formula
) -> Machine:
    """Return the automaton of a part of a rule.

    Args:
        body: The formula of the part.
        variables: Its variables.
        objects: The objects that quantifiers inside range over; None if there are none.
        whole: The formula of the whole rule.

    Raises:
        InputError: If it is too large.
    """
    reading: Reading = "ltlf"
    if contains(whole, Then):
        reading = "eai"
    marked_body = body.substitute({variable.name: MARK + variable.name for variable in variables})
    return Machine(marked_body, variables, objects, reading)
