"""Ground conditions in negation normal form, as masks over literals.

The literals of atom ``i`` are bit ``2i`` (it holds) and bit ``2i + 1`` (it does not). A state is
the mask of the literals that are true in it. Every condition is then monotone in the mask: the
same test decides it in a state and in the set of literals that a relaxation has reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from eai.world import union

_Alternatives = tuple["Condition", ...]
"""Conditions, one of which has to hold."""


class Condition(NamedTuple):
    """A condition in negation normal form.

    Args:
        every: Literals that must all be true.
        clauses: Masks of literals, one of which must be true, each.
        choices: Alternatives of which one must hold, each.
    """

    every: int
    clauses: tuple[int, ...] = ()
    choices: tuple[tuple[Condition, ...], ...] = ()


class _Choice(tuple[Condition, ...]):
    """A disjunction. Many conditions share it, so its hash is computed only once."""

    _hash: int | None = None

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = super().__hash__()
        return self._hash


NOTHING = Condition(0)
"""The condition that always holds."""

IMPOSSIBLE = Condition(0, (0,))
"""The condition that never holds."""


def even(atoms: int) -> int:
    """Return the mask of the positive literals of a number of atoms.

    Example:
        >>> bin(even(3))  # a mask of all six literals, divided by 0b11, leaves every other bit
        '0b10101'
    """
    return ((1 << 2 * atoms) - 1) // 3


def complement(literals: int, positive: int) -> int:
    """Return the mask of the opposite literals. ``positive`` is the mask of all positive ones.

    Positive literals move up by one bit, negative ones down.
    """
    return (literals & positive) << 1 | (literals >> 1) & positive


def holds(condition: Condition, state: int) -> bool:
    """Return whether a condition holds if exactly the literals of a mask are true.

    Example:
        >>> first, second = 1 << 0, 1 << 2  # the atoms 0 and 1 hold
        >>> holds(Condition(first, clauses=(second | second << 1,)), first | second)
        True
    """
    # Loops are quicker than any() and all() here, and searches spend most of their time here.
    every, clauses, choices = condition
    if every & ~state:
        return False
    for clause in clauses:
        if not clause & state:
            return False
    for choice in choices:
        for option in choice:
            if holds(option, state):
                break
        else:
            return False
    return True


def unmet(condition: Condition, state: int) -> int:
    """Count the conjuncts of a condition that do not hold in a state.

    Literals count each; a clause counts once if none of its literals holds, a choice once if none
    of its options does. Searches take states with fewer unmet conjuncts first.
    """
    count = (condition.every & ~state).bit_count()
    for clause in condition.clauses:
        if not clause & state:
            count += 1
    for choice in condition.choices:
        if not any(holds(option, state) for option in choice):
            count += 1
    return count


def size_of(condition: Condition) -> int:
    """Return the number of parts of a condition that a test may have to look at."""
    size = 1 + len(condition.clauses)
    for choice in condition.choices:
        for option in choice:
            size += size_of(option)
    return size


def literals_of(condition: Condition) -> int:
    """Return a mask of every literal that a condition mentions."""
    literals = condition.every
    for clause in condition.clauses:
        literals |= clause
    for choice in condition.choices:
        for option in choice:
            literals |= literals_of(option)
    return literals


def conjoin(parts: Iterable[Condition]) -> Condition:
    """Return the conjunction of conditions, without clauses that its literals imply.

    ``a``, ``(a or b)`` and ``(c or d)`` become ``a and (c or d)``. A clause without literals is
    false, and makes the whole condition impossible.
    """
    every = 0
    clauses: list[int] = []
    choices: list[tuple[Condition, ...]] = []
    for part_every, part_clauses, part_choices in parts:
        every |= part_every
        # Most parts are literals only: an empty tuple is not added, which is quicker.
        if part_clauses:
            clauses += part_clauses
        if part_choices:
            choices += part_choices
    if not clauses and not choices:
        return Condition(every)
    if 0 in clauses:
        return IMPOSSIBLE
    # A clause with a literal that is required anyway is satisfied by it.
    unsatisfied = [clause for clause in clauses if not clause & every]
    return Condition(
        every,
        tuple(dict.fromkeys(unsatisfied) if len(unsatisfied) > 1 else unsatisfied),
        tuple(dict.fromkeys(choices) if len(choices) > 1 else choices),
    )


def disjoin(parts: Iterable[Condition]) -> Condition:
    """Return the disjunction of conditions.

    A true part makes it true, false ones are left out. Literals that all parts have in common come
    before the alternatives: ``(a and b) or (a and c)`` is ``a and (b or c)``.
    """
    options: dict[Condition, None] = {}
    for part in parts:
        if part == NOTHING:
            return NOTHING
        if 0 not in part.clauses:
            options[part] = None
    if not options:
        return IMPOSSIBLE
    if len(options) == 1:
        [only_option] = options
        return only_option
    shared_literals = -1  # all bits are set
    for option in options:
        shared_literals &= option.every
    if shared_literals:
        # Literals of all alternatives are taken out, so that they are indexed and counted.
        remaining_options = [
            option._replace(every=option.every & ~shared_literals) for option in options
        ]
        return conjoin((Condition(shared_literals), disjoin(remaining_options)))
    return _disjunction_of(tuple(options))


def _disjunction_of(options: Sequence[Condition]) -> Condition:
    """Return the disjunction of some options.

    Options of one literal become one clause, as a clause is tested by a single bit operation.
    """
    # "a or b or (c and d)": the single literals are one clause, the rest are alternatives.
    clause = 0
    other_options: list[Condition] = []
    for option in options:
        every, clauses, choices = option
        # "every & (every - 1)" removes the lowest bit, so it is 0 for at most one literal.
        if not clauses and not choices and not every & (every - 1):
            clause |= every
        elif not every and not choices and len(clauses) == 1:
            clause |= clauses[0]
        else:
            other_options.append(option)
    if not other_options:
        return Condition(0, (clause,))
    if clause:
        other_options.append(_one_literal_of(clause))
    return Condition(0, (), (_Choice(other_options),))


class Simplifier:
    """Simplifies conditions, and remembers the result for shared disjunctions.

    Args:
        always: Literals that are always true.
        never: Literals that are never true.
    """

    def __init__(self, always: int, never: int) -> None:
        self._always = always
        self._never = never
        self._simplified: dict[_Alternatives, tuple[int, Condition]] = {}

    def simplify(self, condition: Condition) -> Condition:
        """Return an equivalent condition, given literals that always or never hold.

        ``a and (b or c)`` becomes ``b or c`` if ``a`` always holds, and ``a and c`` if ``b`` never
        does.
        """
        always_true = self._always
        always_false = self._never
        every, clauses, choices = condition
        simpler_choices = [self._simplify_choice(choice) for choice in choices]
        # Most conditions have none of these literals and are returned as they are.
        mentioned_literals = every
        for clause in clauses:
            mentioned_literals |= clause
        for literals, _ in simpler_choices:
            mentioned_literals |= literals
        if not mentioned_literals & (always_true | always_false):
            return condition
        if every & always_false:
            return IMPOSSIBLE
        remaining_parts = [Condition(every & ~always_true)]
        remaining_parts += [
            _one_literal_of(clause & ~always_false)
            for clause in clauses
            if not clause & always_true
        ]
        remaining_parts += [simpler for _, simpler in simpler_choices]
        return conjoin(remaining_parts)

    def _simplify_choice(self, choice: _Alternatives) -> tuple[int, Condition]:
        """Return the literals of a disjunction's parts, and the simplified condition."""
        simplified = self._simplified.get(choice)
        if simplified is None:
            literals = union([literals_of(option) for option in choice])
            condition = disjoin([self.simplify(option) for option in choice])
            simplified = self._simplified[choice] = literals, condition
        return simplified


def _one_literal_of(literals: int) -> Condition:
    """Return the condition that one of these literals is true."""
    if literals.bit_count() == 1:
        return Condition(literals)
    return Condition(0, (literals,))
