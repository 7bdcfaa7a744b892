"""From a formula to what it demands of a trajectory, one position at a time.

A formula is read in one of two ways. *At a position* it is true or false as linear temporal
logic defines it, and ``then`` speaks of the part from there to the end: that is its value over
the algebra of :class:`~eai.logic.progression.obligations.Obligations`. *On a part* it is read as
goals are (``docs/ltl.md``): without ``then`` and without operators of linear temporal logic it
holds if it is true somewhere on the part; with such operators if it is true at the part's first
position; and what stands above a ``then`` speaks of the same part. The two meet in a
:class:`Meaning`.

A ``then`` is a concatenation. Every state of a link's machine becomes an obligation, "the rest is
accepted from here, followed by the other links". More than one of them may be pending, as the
cut is not known yet.

Sources: Bacchus & Kabanza 1998 (progression), De Giacomo & Vardi 2013 (finite traces).

Examples:
    >>> from eai.logic import parse_formula
    >>> progression = Progression(limit=100)
    >>> state = progression.start(progression.meaning(parse_formula("F p()")))
    >>> progression.obligations.accepts(state)
    False
    >>> state = progression.obligations.read(state, {0}.__contains__)  # letter 0 is p()
    >>> progression.obligations.accepts(state)
    True
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from eai.errors import InputError
from eai.logic.expansion import Binding, Expansion, Objects, ranges
from eai.logic.formula import Proposition, Quantifier, Then
from eai.logic.progression.diagrams import FALSE, TRUE
from eai.logic.progression.machine import Machine, explore, includes, minimal
from eai.logic.progression.obligations import Obligations, State
from eai.logic.tree import Chain, Formula, Reading

_OPERATIONS = 100_000
"""Maximum number of elementary operations for any automaton,"""

_OPERATIONS_PER_STATE = 100
"""and additional ones for each state that it may have."""


class Meaning(NamedTuple):
    """The condition that a formula puts on the rest of a trajectory.

    ``now`` is a function of the next letter and of obligations, for when there is one; ``empty`` a
    function without variables, for when there are no more positions.
    """

    now: int
    empty: int


def _prepend_link(
    obligations: Obligations, link: Machine, rest_meaning: Meaning, *, extensible: bool
) -> Meaning:
    """Return the meaning of a ``then`` chain with one more operand in front.

    Idea: a state of the operand's automaton becomes the function "the operand accepts from here,
    and the rest follows". In an accepting state, the rest may begin at once.

    Args:
        obligations: The table of obligations.
        link: The automaton of the operand.
        rest_meaning: The meaning of the operands after it.
        extensible: Whether more positions at the front never make the rest fail.
    """
    accepts_at_end = [accepts and rest_meaning.empty == TRUE for accepts in link.accepting]
    obligation_of_state: dict[int, int] = {}
    for state, accepts in enumerate(link.accepting):
        is_trap = link.roots[state] == obligations.leaf(state)
        # In an accepting trap, the rest may begin at any time. An obligation is only needed if a
        # later beginning may be worse than one now.
        may_lose = accepts and not extensible and rest_meaning.now != FALSE
        if not is_trap or may_lose:
            obligation_of_state[state] = obligations.reserve(kept=accepts_at_end[state])
    # In any other accepting trap, only the rest is still to come.
    accepting_trap = obligations.next(rest_meaning.now, weak=rest_meaning.empty == TRUE)
    if rest_meaning == (FALSE, TRUE):  # there is no rest, so the chain is accepted in any case
        accepting_trap = TRUE

    chain_functions = _chain_functions(link, obligation_of_state, accepting_trap)

    def chain_function_of(leaf: int) -> int:
        """Return the chain's function for the automaton's state that a leaf leads to."""
        return chain_functions[cast("int", obligations.value(leaf))]

    memo: dict[int, int] = {}
    functions = []
    for state, accepts in enumerate(link.accepting):
        function = obligations.convert(link.roots[state], chain_function_of, memo)
        if accepts:
            function = obligations.either(function, rest_meaning.now)
        functions.append(function)
    # States lead to each other, so all are reserved before any of them is settled.
    for state, obligation in obligation_of_state.items():
        obligations.settle(obligation, functions[state])
    return Meaning(functions[0], int(accepts_at_end[0]))


def _chain_functions(
    link: Machine, obligation_of_state: Mapping[int, int], accepting_trap: int
) -> list[int]:
    """Return for each state of an automaton the function that stands for it in a chain.

    Args:
        link: The automaton of the chain's first operand.
        obligation_of_state: The obligations of the states that have one.
        accepting_trap: The function of all accepting states without an obligation.

    Returns:
        The functions in the order of the states; that of any other state is false.
    """
    functions = []
    for state, accepts in enumerate(link.accepting):
        if state in obligation_of_state:
            functions.append(obligation_of_state[state])
        elif accepts:
            functions.append(accepting_trap)
        else:
            functions.append(FALSE)
    return functions


class Progression(Expansion[int]):
    """Translates formulas into obligations of one table."""

    def __init__(self, objects: Objects = None, *, limit: int) -> None:
        """Create the table of obligations, and begin with empty caches."""
        if limit < 1:
            raise InputError(f"limit is {limit}", expected="a positive number of states")
        self._limit = limit
        # Propositions are numbered as they are met; the others are results of methods.
        self._numbers: dict[Proposition, int] = {}
        # Caches: automata by meaning, meanings of parts and their compact forms, and promises.
        self._machines: dict[Meaning, Machine] = {}
        self._parts: dict[tuple[object, ...], Meaning] = {}
        self._compacted: dict[Meaning, Meaning] = {}
        self._promised: dict[tuple[object, ...], int] = {}
        self.obligations = Obligations(_OPERATIONS + _OPERATIONS_PER_STATE * limit)
        super().__init__(
            self.obligations, ranges(objects), self._function_of_letter, self.obligations.spend
        )

    @property
    def letters(self) -> tuple[Proposition, ...]:
        """The ground propositions met so far; their numbers are levels of obligations."""
        return tuple(self._numbers)

    def _function_of_letter(self, proposition: Proposition) -> int:
        """Return the function that is a proposition, which gets the next number when it is new."""
        number = self._numbers.setdefault(proposition, len(self._numbers))
        return self.obligations.variable(number)

    def meaning(self, formula: Formula, *, reading: Reading | None = None) -> Meaning:
        """Return the condition that a closed formula puts on a whole trajectory.

        Args:
            formula: The formula.
            reading: How it is read; by default its own notation says so.
        """
        formula.check_closed()
        if reading is None or (reading == "eai" and formula.has_then):
            return self.part(formula, {})
        now = self.value(formula, {})
        if formula.reading(reading) == "eai":
            now = self.obligations.lasting(TRUE, now, weak=False)
        return Meaning(now, FALSE)

    def start(self, meaning: Meaning) -> State:
        """Return the state before anything was read."""
        return self.obligations.start(self._promise(meaning))

    def _promise(self, meaning: Meaning) -> int:
        """Return the obligation that the trajectory from the next letter on has a meaning."""
        return self.obligations.next(meaning.now, weak=meaning.empty == TRUE)

    def start_by_parts(self, formula: Formula, *, reading: Reading | None = None) -> State:
        """Return the initial state for progression along one trajectory.

        A formula with several ``then`` is not made one automaton, as :meth:`meaning` does: its size
        would be the product of their sizes. Here each ``then`` is one obligation, and connectives
        above them join these obligations.
        """
        formula.check_closed()
        if formula.reading(reading) == "eai" and formula.has_then:
            return self.obligations.start(self._promises_of(formula, {}))
        return self.start(self.meaning(formula, reading=reading))

    def _promises_of(self, formula: Formula, binding: Binding) -> int:
        """Return a function with a placeholder for each ``then`` of a formula.

        The placeholder represents the rest of a ``then``. Connectives and quantifiers above it are
        applied to placeholders as to letters.

        Args:
            formula: The formula.
            binding: Objects of its free variables.
        """
        key = formula.under(binding)
        function = self._promised.get(key)
        if function is not None:
            return function
        # A formula without ``then`` inside is one promise: its parts need not be told apart.
        if isinstance(formula, Then) or formula.is_linear or not formula.has_then:
            function = self._promise(self.part(formula, binding))
        elif formula.variables:
            (body,) = formula.operands
            values = {}
            for names, inner in self._named_bindings(formula, binding):
                values[names] = self._promises_of(body, inner)
            function = self.quantified(formula, values)
        else:
            operands = []
            for operand in formula.operands:
                operands.append(self._promises_of(operand, binding))
            function = formula.combine(self.obligations, operands)
        self._promised[key] = function
        return function

    def _named_bindings(
        self, formula: Formula, binding: Binding
    ) -> Iterator[tuple[tuple[str, ...], Binding]]:
        """Yield (objects, binding) for each binding of a quantifier."""
        for inner in self.bindings(formula, binding):
            yield tuple([inner[variable.name] for variable in formula.variables]), inner

    def machine(self, meaning: Meaning) -> Machine:
        """Return the minimal automaton of a meaning, which accepts the empty word if it should."""
        machine = self._machines.get(meaning)
        if machine is None:
            start = self.start(meaning)
            machine = minimal(explore(self.obligations, start, limit=self._limit))
            self._machines[meaning] = machine
        return machine

    def then(self, formula: Then, binding: Binding) -> int:
        """Return the value of a ``then`` at a position: on the part from there to the end."""
        return self.part(formula, binding).now

    def part(self, formula: Formula, binding: Binding) -> Meaning:
        """Return the meaning of a formula on a part that begins with the next letter.

        A part is a stretch of the trajectory whose end is not known yet; parts are what ``then``
        divides the trajectory into.

        Args:
            formula: The formula.
            binding: Objects of its free variables.

        Returns:
            The obligation of the formula from this letter on, and its value on the empty part.
        """
        if not formula.has_then or formula.is_linear:
            obligation = self.value(formula, binding)
            if not formula.is_temporal:
                # A state formula has to be true at some position of the part.
                obligation = self.obligations.lasting(TRUE, obligation, weak=False)
            return Meaning(obligation, FALSE)
        key = formula.under(binding)
        meaning = self._parts.get(key)
        if meaning is None:
            # Cached meanings are free, so that the work does not depend on how often a part is
            # shared.
            self.spend(1)
            meaning = self._parts[key] = self._meaning_with_then(formula, binding)
        return meaning

    def _meaning_with_then(self, formula: Formula, binding: Binding) -> Meaning:
        """Return the meaning of a formula with a ``then`` from those of its operands."""
        if isinstance(formula, Then):
            return self._meaning_of_chain([self.part(link, binding) for link in formula.links])
        if formula.variables:
            return self._meaning_of_quantifier(formula, binding)
        operands = []
        for operand in formula.operands:
            operands.append(self.part(operand, binding))
        return self._apply_connective(formula, operands)

    def _meaning_of_quantifier(self, formula: Formula, binding: Binding) -> Meaning:
        """Return the meaning of a quantifier above a ``then``.

        The meaning of its body is worked out for each object, now and on the empty trajectory.
        """
        (body,) = formula.operands
        meanings = {}
        for names, inner in self._named_bindings(formula, binding):
            meanings[names] = self.part(body, inner)
        if isinstance(formula, Quantifier):
            return self._apply_connective(formula, list(meanings.values()))
        now = {names: meaning.now for names, meaning in meanings.items()}
        empty = {names: meaning.empty for names, meaning in meanings.items()}
        return Meaning(self.quantified(formula, now), self.quantified(formula, empty))

    def _apply_connective(self, formula: Formula, meanings: Sequence[Meaning]) -> Meaning:
        """Return the meaning of a connective, from the meanings of its operands."""
        if isinstance(formula, (Chain, Quantifier)) and len(meanings) > 1:
            # Two by two, and each pair made compact, as all at once may have many states.
            while len(meanings) > 1:
                pairs = [meanings[i : i + 2] for i in range(0, len(meanings), 2)]
                meanings = [self._compact(self._combine_meanings(formula, pair)) for pair in pairs]
            return meanings[0]
        return self._combine_meanings(formula, meanings)

    def _combine_meanings(self, formula: Formula, meanings: Sequence[Meaning]) -> Meaning:
        """Apply a connective to the values on non-empty and on empty trajectories."""
        return Meaning(
            formula.combine(self.algebra, [meaning.now for meaning in meanings]),
            formula.combine(self.algebra, [meaning.empty for meaning in meanings]),
        )

    def _meaning_of_chain(self, links: Sequence[Meaning]) -> Meaning:
        """Return the meaning of a ``then``: the rest can be cut so that each operand holds.

        Args:
            links: The meanings of the links, in order.
        """
        # From the last link to the first; behind the last one only the empty part is accepted.
        rest = Meaning(FALSE, TRUE)
        is_extensible = False
        for machine in reversed([self.machine(link) for link in links]):
            rest = _prepend_link(self.obligations, machine, rest, extensible=is_extensible)
            # Whether a word that is accepted stays so with anything put in front of it: after any
            # first letter, all words are accepted that are accepted at the start.
            successors = machine.successors(0)
            is_extensible = all(includes(machine, state, 0) for state in successors)
        return rest

    def _compact(self, meaning: Meaning) -> Meaning:
        """Return an equal meaning that uses the states of its minimal automaton."""
        compact = self._compacted.get(meaning)
        if compact is None:
            compact = self._compacted[meaning] = self._meaning_of_chain([meaning])
        return compact
