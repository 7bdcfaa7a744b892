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
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from eai.errors import InputError
from eai.logic.expansion import Binding, Expansion, Objects, ranges
from eai.logic.formula import Proposition, Quantifier, Then
from eai.logic.progression.diagrams import FALSE, TRUE
from eai.logic.progression.machine import Machine, explore, includes, minimal
from eai.logic.progression.obligations import Obligations, State
from eai.logic.tree import Chain, Formula, Reading

_WORK = 100_000
"""Elementary operations that may be done for any automaton,"""

_WORK_BY_STATE = 100
"""and these for each state that it may have."""


class Meaning(NamedTuple):
    """The meaning of a formula on the rest of a trajectory.

    ``now`` is a function of the next letter and of obligations, for when there is one; ``empty`` a
    function without variables, for when there are no more positions.
    """

    now: int
    empty: int


def _before(obligations: Obligations, link: Machine, rest: Meaning, *, extensible: bool) -> Meaning:
    """Put a link in front of the rest of the chain.

    It is extensible if more positions at the front never make it fail.
    """
    at_end = [accepts and rest.empty == TRUE for accepts in link.accepting]
    pending: dict[int, int] = {}
    for state, accepts in enumerate(link.accepting):
        if link.roots[state] != obligations.leaf(state) or (
            accepts and not extensible and rest.now != FALSE
        ):
            pending[state] = obligations.reserve(kept=at_end[state])
    # A trap that accepts and is followed by what may begin late: waiting gains nothing.
    rest_later = obligations.next(rest.now, weak=rest.empty == TRUE)
    trap = TRUE if rest == (FALSE, TRUE) else rest_later

    def follow(leaf: int) -> int:
        state = cast("int", obligations.value(leaf))
        return pending.get(state, trap if link.accepting[state] else FALSE)

    memo: dict[int, int] = {}
    now = []
    for state, accepts in enumerate(link.accepting):
        stay = obligations.convert(link.roots[state], follow, memo)
        now.append(obligations.either(stay, rest.now) if accepts else stay)
    for state, obligation in pending.items():
        obligations.settle(obligation, now[state])
    return Meaning(now[0], int(at_end[0]))


class Progression(Expansion[int]):
    """Reads formulas, at positions and on parts, into one table of obligations."""

    def __init__(self, objects: Objects = None, *, limit: int) -> None:
        if limit < 1:
            raise InputError(f"limit is {limit}", expected="a positive number of states")
        self._limit = limit
        self._numbers: dict[Proposition, int] = {}
        self._machines: dict[Meaning, Machine] = {}
        self._parts: dict[tuple[object, ...], Meaning] = {}
        self._compacted: dict[Meaning, Meaning] = {}
        self._promised: dict[tuple[object, ...], int] = {}
        self.obligations = Obligations(_WORK + _WORK_BY_STATE * limit)
        super().__init__(self.obligations, ranges(objects), self._letter, self.obligations.spend)

    @property
    def letters(self) -> tuple[Proposition, ...]:
        """The ground propositions met so far; their numbers are levels of obligations."""
        return tuple(self._numbers)

    def _letter(self, proposition: Proposition) -> int:
        number = self._numbers.setdefault(proposition, len(self._numbers))
        return self.obligations.variable(number)

    def meaning(self, formula: Formula, *, reading: Reading | None = None) -> Meaning:
        """Return what a closed formula demands of a whole trajectory."""
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
        """Return the state before anything was read, for walking along one trajectory.

        Connectives and quantifiers above a ``then`` join obligations, one for each ``then``. So
        what has to be known before the first letter grows with the sum of the parts, while
        :meth:`meaning`, which says what all of them together demand of every letter, grows with
        the product of their states.
        """
        formula.check_closed()
        if formula.reading(reading) == "eai" and formula.has_then:
            return self.obligations.start(self._promises_of(formula, {}))
        return self.start(self.meaning(formula, reading=reading))

    def _promises_of(self, formula: Formula, binding: Binding) -> int:
        key = formula.under(binding)
        found = self._promised.get(key)
        if found is not None:
            return found
        if isinstance(formula, Then) or formula.is_linear or not formula.has_then:
            found = self._promise(self.part(formula, binding))
        elif formula.variables:
            values = {}
            for inner in self.bindings(formula, binding):
                names = tuple([inner[variable.name] for variable in formula.variables])
                values[names] = self._promises_of(formula.operands[0], inner)
            found = self.quantified(formula, values)
        else:
            operands = []
            for operand in formula.operands:
                operands.append(self._promises_of(operand, binding))  # noqa: PERF401 - one frame less
            found = formula.combine(self.obligations, operands)
        self._promised[key] = found
        return found

    def machine(self, meaning: Meaning) -> Machine:
        """Return the minimal machine of a meaning, which also evaluates the empty trajectory."""
        found = self._machines.get(meaning)
        if found is None:
            start = self.start(meaning)
            found = minimal(explore(self.obligations, start, limit=self._limit))
            self._machines[meaning] = found
        return found

    def then(self, formula: Then, binding: Binding) -> int:
        """At a position, it speaks of the part from there to the end."""
        return self.part(formula, binding).now

    def part(self, formula: Formula, binding: Binding) -> Meaning:
        """Return when the formula holds on the part that begins with the letter that is read."""
        if not formula.has_then or formula.is_linear:
            now = self.value(formula, binding)
            if not formula.is_temporal:
                now = self.obligations.lasting(TRUE, now, weak=False)
            return Meaning(now, FALSE)
        key = formula.under(binding)
        known = self._parts.get(key)
        if known is None:
            self.spend(1)
            if isinstance(formula, Then):
                known = self._chained([self.part(link, binding) for link in formula.links])
            elif formula.variables:
                known = self._over_objects(formula, binding)
            else:
                operands = []
                for operand in formula.operands:
                    operands.append(self.part(operand, binding))  # noqa: PERF401 - one frame less
                known = self._joined(formula, operands)
            self._parts[key] = known
        return known

    def _over_objects(self, formula: Formula, binding: Binding) -> Meaning:
        values = {}
        for inner in self.bindings(formula, binding):
            names = tuple([inner[variable.name] for variable in formula.variables])
            values[names] = self.part(formula.operands[0], inner)
        if isinstance(formula, Quantifier):
            return self._joined(formula, list(values.values()))
        return Meaning(
            self.quantified(formula, {names: each.now for names, each in values.items()}),
            self.quantified(formula, {names: each.empty for names, each in values.items()}),
        )

    def _joined(self, formula: Formula, parts: Sequence[Meaning]) -> Meaning:
        """Apply a connective to what the operands say of a next letter, and of none."""
        if isinstance(formula, (Chain, Quantifier)) and len(parts) > 1:
            # Two by two, and each pair made compact, as all at once may have many states.
            while len(parts) > 1:
                pairs = [parts[i : i + 2] for i in range(0, len(parts), 2)]
                parts = [self._compact(self._combined(formula, pair)) for pair in pairs]
            return parts[0]
        return self._combined(formula, parts)

    def _combined(self, formula: Formula, parts: Sequence[Meaning]) -> Meaning:
        return Meaning(
            formula.combine(self.algebra, [each.now for each in parts]),
            formula.combine(self.algebra, [each.empty for each in parts]),
        )

    def _chained(self, links: Sequence[Meaning]) -> Meaning:
        """The rest can be cut so that each link accepts its piece."""
        rest, extensible = Meaning(FALSE, TRUE), False
        for link in reversed([self.machine(each) for each in links]):
            rest = _before(self.obligations, link, rest, extensible=extensible)
            # Whether a word that is accepted stays so with anything put in front of it.
            extensible = all(includes(link, state, 0) for state in link.successors(0))
        return rest

    def _compact(self, meaning: Meaning) -> Meaning:
        found = self._compacted.get(meaning)
        if found is None:
            found = self._compacted[meaning] = self._chained([meaning])
        return found
