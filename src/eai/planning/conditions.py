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


class Condition(NamedTuple):
    """A condition in negation normal form.

    Args:
        every: Literals that must all be true.
        clauses: Masks of literals of which one must be true, each.
        choices: Alternatives of which one must hold, each.
    """

    every: int
    clauses: tuple[int, ...] = ()
    choices: tuple[tuple[Condition, ...], ...] = ()


class _Choice(tuple[Condition, ...]):
    """Alternatives. Many conditions share them, so their hash is worked out once."""

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
    """Return the mask of the positive literals of so many atoms."""
    return ((1 << 2 * atoms) - 1) // 3


def complement(literals: int, positive: int) -> int:
    """Return the opposite literals; ``positive`` is the mask of all positive ones."""
    return (literals & positive) << 1 | (literals >> 1) & positive


def holds(condition: Condition, state: int) -> bool:
    """Whether the condition holds where exactly these literals are true (or reached)."""
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
    """Count the conjuncts of a condition that do not hold."""
    return (
        (condition.every & ~state).bit_count()
        + sum(1 for clause in condition.clauses if not clause & state)
        + sum(
            1 for choice in condition.choices if not any(holds(option, state) for option in choice)
        )
    )


def size_of(condition: Condition) -> int:
    """Return how many parts a condition has that must be looked at to test it."""
    _, clauses, choices = condition
    if not choices:
        return 1 + len(clauses)
    return 1 + len(clauses) + sum(size_of(option) for choice in choices for option in choice)


def literals_of(condition: Condition) -> int:
    """Return every literal that a condition mentions."""
    found = condition.every
    for clause in condition.clauses:
        found |= clause
    for choice in condition.choices:
        for option in choice:
            found |= literals_of(option)
    return found


def conjoin(parts: Iterable[Condition]) -> Condition:
    """Return the condition that all parts hold."""
    every, clauses, choices = 0, list[int](), list[tuple[Condition, ...]]()
    for more, some, options in parts:
        every |= more
        if some:
            clauses += some
        if options:
            choices += options
    if not clauses and not choices:
        return Condition(every)
    if 0 in clauses:
        return IMPOSSIBLE
    left = [clause for clause in clauses if not clause & every]
    return Condition(
        every,
        tuple(dict.fromkeys(left) if len(left) > 1 else left),
        tuple(dict.fromkeys(choices) if len(choices) > 1 else choices),
    )


def disjoin(parts: Iterable[Condition]) -> Condition:
    """Return the condition that some part holds."""
    options: dict[Condition, None] = {}
    for part in parts:
        if part == NOTHING:
            return NOTHING
        if 0 not in part.clauses:
            options[part] = None
    if len(options) < 2:
        return next(iter(options), IMPOSSIBLE)
    shared = -1
    for option in options:
        shared &= option.every
    if shared:
        # What all alternatives ask for stands outside, where it is indexed and counted.
        rest = [Condition(o.every & ~shared, o.clauses, o.choices) for o in options]
        return conjoin((Condition(shared), disjoin(rest)))
    return _choice(tuple(options))


def _choice(options: Sequence[Condition]) -> Condition:
    clause, others = 0, list[Condition]()
    for option in options:
        every, clauses, choices = option
        if not clauses and not choices and not every & (every - 1):
            clause |= every
        elif not every and not choices and len(clauses) == 1:
            clause |= clauses[0]
        else:
            others.append(option)
    if not others:
        return Condition(0, (clause,))
    if clause:
        others.append(_clause(clause))
    return Condition(0, (), (_Choice(others),))


class Simplifier:
    """Finds what is left of conditions; alternatives that they share are looked at once."""

    def __init__(self, always: int, never: int) -> None:
        self._always = always
        self._never = never
        self._known: dict[_Alternatives, tuple[int, Condition]] = {}

    def simplify(self, condition: Condition) -> Condition:
        """Return what is left of a condition."""
        always, never = self._always, self._never
        every, clauses, choices = condition
        left = [self._choice(choice) for choice in choices] if choices else []
        mentioned = every
        for clause in clauses:
            mentioned |= clause
        for literals, _ in left:
            mentioned |= literals
        if not mentioned & (always | never):
            return condition
        if every & never:
            return IMPOSSIBLE
        parts = [Condition(every & ~always)]
        parts += [_clause(clause & ~never) for clause in clauses if not clause & always]
        return conjoin([*parts, *[found for _, found in left]])

    def _choice(self, choice: _Alternatives) -> tuple[int, Condition]:
        """The literals of alternatives, and the condition that is left of them."""
        found = self._known.get(choice)
        if found is None:
            literals = union([literals_of(option) for option in choice])
            left = disjoin([self.simplify(option) for option in choice])
            found = self._known[choice] = literals, left
        return found


def _clause(literals: int) -> Condition:
    """The condition that one of these literals is true."""
    one = literals and not literals & (literals - 1)
    return Condition(literals) if one else Condition(0, (literals,))
