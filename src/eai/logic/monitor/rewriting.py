"""Watching a formula by rewriting it at every position.

What it says about the present is replaced by its value, and what it says about later stays as a
demand on the next position (progression; Bacchus & Kabanza 1998;
:mod:`eai.logic.monitor.residuals`). Operators that look back are kept as what they were worth at
the position before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from eai.errors import InputError
from eai.logic.formula import (
    FALSE,
    TRUE,
    Always,
    And,
    Eventually,
    First,
    Formula,
    Historically,
    Iff,
    Implies,
    Last,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Trigger,
    Truth,
    Until,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
    children,
    has_linear,
)
from eai.logic.monitor.residuals import all_of, any_of, at_the_end, negated, replaced
from eai.logic.monitor.unfolding import Objects, unfolded
from eai.logic.positions import Binding, Positions

__all__ = ["Action", "Holds", "Rewriting"]

Holds = Callable[[str, tuple[str, ...]], bool]
Action = tuple[str, tuple[str, ...]]


class Rewriting:
    """What is left of a formula of linear temporal logic.

    Args:
        formula: A closed formula without ``then``, judged at the first position.
        objects: What the quantifiers range over.

    Raises:
        InputError: If there are no objects for a quantifier over time, too many of them, or
            quantifiers over pairs with operators of time inside.
    """

    def __init__(self, formula: Formula, objects: Objects | None) -> None:
        self._objects = objects
        self._nodes = unfolded(formula, objects)
        self._residual: Formula = Next(self._nodes[-1])
        self._started = False
        self._before: dict[int, Formula] = {}
        self._now: dict[int, Formula] = {}

    @property
    def decided(self) -> bool | None:
        """What the verdict will be whatever comes; None while that is open."""
        return self._residual.value if isinstance(self._residual, Truth) else None

    @property
    def holds(self) -> bool:
        """Whether the formula holds if the trajectory ends here."""
        return at_the_end(self._residual)

    def advance(self, holds: Holds, action: Action | None) -> None:
        """Read a position.

        Args:
            holds: Whether a ground atom is true there.
            action: The action that is taken from there.
        """
        present = Positions(_Present(holds, action, self._objects))
        self._now = {}
        for node in self._nodes:
            self._now[id(node)] = self._value(node, present)
        self._residual = self._progressed(self._residual)
        self._before = self._now
        self._started = True

    def _progressed(self, residual: Formula) -> Formula:
        # A constant is not one of the nodes.
        return replaced(residual, lambda formula: self._now.get(id(formula), formula))

    def _value(self, node: Formula, present: Positions) -> Formula:
        rule = self._rules.get(type(node))
        if rule is None or not has_linear(node):
            return TRUE if present.truth(node, Binding()) else FALSE
        return rule(self, node, *[self._now[id(part)] for part in children(node)])

    def _was(self, node: Formula, *, weak: bool) -> Formula:
        """What a formula was worth at the position before, seen from this one."""
        if not self._started:
            return TRUE if weak else FALSE
        return self._progressed(self._before[id(node)])

    def _not(self, _node: Not, operand: Formula) -> Formula:
        return negated(operand)

    def _and(self, _node: And, *parts: Formula) -> Formula:
        return all_of(parts)

    def _or(self, _node: Or, *parts: Formula) -> Formula:
        return any_of(parts)

    def _implies(self, _node: Implies, left: Formula, right: Formula) -> Formula:
        return any_of((negated(left), right))

    def _iff(self, _node: Iff, left: Formula, right: Formula) -> Formula:
        return any_of((all_of((left, right)), all_of((negated(left), negated(right)))))

    def _xor(self, _node: Xor, left: Formula, right: Formula) -> Formula:
        return any_of((all_of((left, negated(right))), all_of((negated(left), right))))

    def _next(self, node: Next | WeakNext, _operand: Formula) -> Formula:
        return node

    def _eventually(self, node: Eventually, operand: Formula) -> Formula:
        return any_of((operand, Next(node)))

    def _always(self, node: Always, operand: Formula) -> Formula:
        return all_of((operand, WeakNext(node)))

    def _until(self, node: Until | WeakUntil, left: Formula, right: Formula) -> Formula:
        later = Next(node) if isinstance(node, Until) else WeakNext(node)
        return any_of((right, all_of((left, later))))

    def _release(self, node: Release | StrongRelease, left: Formula, right: Formula) -> Formula:
        later = Next(node) if isinstance(node, StrongRelease) else WeakNext(node)
        return all_of((right, any_of((left, later))))

    def _last(self, _node: Last) -> Formula:
        return WeakNext(FALSE)

    def _first(self, _node: First) -> Formula:
        return FALSE if self._started else TRUE

    def _previous(self, node: Previous | WeakPrevious, _operand: Formula) -> Formula:
        return self._was(node.operand, weak=isinstance(node, WeakPrevious))

    def _once(self, node: Once, operand: Formula) -> Formula:
        return any_of((operand, self._was(node, weak=False)))

    def _historically(self, node: Historically, operand: Formula) -> Formula:
        return all_of((operand, self._was(node, weak=True)))

    def _since(self, node: Since, left: Formula, right: Formula) -> Formula:
        return any_of((right, all_of((left, self._was(node, weak=False)))))

    def _trigger(self, node: Trigger, left: Formula, right: Formula) -> Formula:
        return all_of((right, any_of((left, self._was(node, weak=True)))))

    _rules: ClassVar[dict[type[Formula], Callable[..., Formula]]] = {
        Not: _not,
        And: _and,
        Or: _or,
        Implies: _implies,
        Iff: _iff,
        Xor: _xor,
        Next: _next,
        WeakNext: _next,
        Eventually: _eventually,
        Always: _always,
        Until: _until,
        WeakUntil: _until,
        Release: _release,
        StrongRelease: _release,
        Last: _last,
        First: _first,
        Previous: _previous,
        WeakPrevious: _previous,
        Once: _once,
        Historically: _historically,
        Since: _since,
        Trigger: _trigger,
    }


class _Present:
    """One position, as a trajectory."""

    length = 1

    def __init__(
        self,
        holds: Holds,
        action: Action | None,
        objects: Objects | None,
    ) -> None:
        self._holds = holds
        self._action = action
        self._objects = objects

    def objects(self, types: tuple[str, ...]) -> Sequence[str]:
        if self._objects is None:
            raise InputError("a quantifier has no objects", mend="give objects=trajectory.objects")
        return self._objects(types)

    def history(self, predicate: str, arguments: tuple[str, ...]) -> int:
        return 1 if self._holds(predicate, arguments) else 0

    def occurrences(self, action: str, arguments: tuple[str, ...]) -> int:
        return int((action, arguments) == self._action)

    def taken(self, action: str) -> Sequence[tuple[int, tuple[str, ...]]]:
        if self._action is None or self._action[0] != action:
            return []
        return [(0, self._action[1])]
