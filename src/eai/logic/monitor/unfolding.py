"""Quantifiers written out over objects, where they have operators of time inside."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from eai.errors import InputError
from eai.logic.formula import (
    FALSE,
    TRUE,
    And,
    Count,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Not,
    Or,
    bound_variables,
    children,
    has_linear,
    substitute,
    with_children,
)

__all__ = ["LARGEST_UNFOLDING", "Objects", "unfolded"]

LARGEST_UNFOLDING = 50_000
"""Most operators and atoms that quantifiers are written out to."""

Objects = Callable[[tuple[str, ...]], Sequence[str]]
"""Names of the objects of any of some types."""


def unfolded(formula: Formula, objects: Objects | None) -> list[Formula]:
    """Return the nodes of a formula without quantifiers over time, each after its parts.

    Args:
        formula: A closed formula without ``then``. Subformulas that speak about one position
            only stay as they are and are one node.
        objects: What the quantifiers range over.

    Returns:
        Distinct nodes; the last one is the formula.

    Raises:
        InputError: If there are no objects for a quantifier, too many of them, or pairs.
    """
    writer = _Writer(objects)
    whole = writer.formula(formula)
    found: list[Formula] = []
    pending = [(whole, False)]
    done: set[int] = set()
    while pending:
        node, ready = pending.pop()
        if ready:
            found.append(node)
        elif id(node) not in done:
            done.add(id(node))
            pending.append((node, True))
            if has_linear(node):
                pending += [(part, False) for part in reversed(children(node))]
    return found


class _Writer:
    def __init__(self, objects: Objects | None) -> None:
        self.objects = objects
        self._work = 0

    def formula(self, formula: Formula) -> Formula:
        done: list[Formula] = []
        pending: list[tuple[Formula, tuple[Formula, ...] | None]] = [(formula, None)]
        while pending:
            node, parts = pending.pop()
            if parts is not None:
                made = tuple(done[len(done) - len(parts) :])
                done[len(done) - len(parts) :] = [self.joined(node, made)]
            elif has_linear(node):
                parts = self.parts(node)
                self.spend(1 + len(parts))
                pending.append((node, parts))
                pending += [(part, None) for part in reversed(parts)]
            else:
                self.spend(1)
                done.append(node)
        return done[0]

    def spend(self, work: int) -> None:
        self._work += work
        if self._work > LARGEST_UNFOLDING:
            raise InputError(
                "the formula is too large with its quantifiers written out",
                expected=f"at most {LARGEST_UNFOLDING:,} operators and atoms",
            )

    def parts(self, node: Formula) -> tuple[Formula, ...]:
        bound = bound_variables(node)
        if not bound:
            return children(node)
        if self.objects is None:
            raise InputError("a quantifier has no objects", mend="give objects=trajectory.objects")
        ranges = [self.objects(variable.types) for variable in bound]
        names = [variable.name for variable in bound]
        (body,) = children(node)
        found = []
        for choice in itertools.product(*ranges):
            self.spend(1)
            found.append(substitute(body, dict(zip(names, choice, strict=True))))
        return tuple(found)

    def joined(self, node: Formula, parts: tuple[Formula, ...]) -> Formula:
        if isinstance(node, Forall):
            return And(parts)
        if isinstance(node, Exists):
            return Or(parts)
        if isinstance(node, Count):
            return self.counted(node, parts)
        if isinstance(node, ForPairs):
            raise InputError("pairs with operators of time inside cannot be watched")
        return with_children(node, parts)

    def counted(self, node: Count, parts: Sequence[Formula]) -> Formula:
        at_least, more = self.at_least(node.number, parts), node.number + 1
        if node.comparison == "at least":
            return at_least
        at_most = Not(self.at_least(more, parts))
        return at_most if node.comparison == "at most" else And((at_least, at_most))

    def at_least(self, number: int, parts: Sequence[Formula]) -> Formula:
        """So many of the parts are true: a table of how many of the first parts are."""
        if number <= 0:
            return TRUE
        if number > len(parts):
            return FALSE
        row: list[Formula] = [TRUE, *[FALSE] * number]
        for part in parts:
            self.spend(number)
            row = [
                TRUE,
                *[Or((row[i], And((row[i - 1], part)))) for i in range(1, number + 1)],
            ]
        return row[number]
