"""Watching a formula while a trajectory grows: already true, already false, or open.

The formula is rewritten at every position (progression; Bacchus & Kabanza 1998): what it says
about the present is replaced by its value, and what it says about later stays as a demand on the
next position (:mod:`eai.logic.monitor.residuals`). A goal with ``then`` is first translated to
linear temporal logic, so that the earliest ends of its links decide it. Operators that look back
are kept as what they were worth at the position before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import ClassVar, Literal, Union

from eai.errors import InputError
from eai.logic.evaluation import Reading
from eai.logic.formula import (
    FALSE,
    TRUE,
    ActionAtom,
    Always,
    And,
    Atom,
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
    Until,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
    children,
    free_variables,
    has_linear,
    has_then,
)
from eai.logic.monitor.residuals import all_of, any_of, at_the_end, negated, replaced
from eai.logic.monitor.unfolding import Objects, unfolded
from eai.logic.positions import Binding, Positions
from eai.logic.translation import to_linear

__all__ = ["Monitor", "Status"]

Status = Literal["true", "false", "open"]
"""``"true"`` and ``"false"``: so it is, whatever comes. ``"open"``: that is not known (yet)."""

Fact = Union[Atom, ActionAtom]
Holds = Callable[[str, tuple[str, ...]], bool]


class Monitor:
    """Watches one formula on one growing trajectory.

    ``status`` is never wrong, but need not be as early as can be: ``F p and G not p`` stays open
    until the end, because nothing compares the two. For goals without negation it is as early
    as can be.

    Args:
        formula: A closed formula.
        objects: Names of the objects of any of some types, such as a trajectory's ``objects``;
            may be left out if no quantifier has an operator of time inside.
        reading: As for :func:`~eai.logic.semantics.evaluate`.

    Raises:
        InputError: If a variable is not bound; the formula is too large to be watched, with the
            quantifiers over time written out; or a ``then`` cannot be translated
            (:func:`~eai.logic.translation.to_linear`).
    """

    def __init__(
        self,
        formula: Formula,
        *,
        objects: Objects | None = None,
        reading: Reading | None = None,
    ) -> None:
        self.formula = formula
        self.objects = objects
        self.positions = 0
        self._nodes = unfolded(_as_read(formula, reading), objects)
        self._residual: Formula = Next(self._nodes[-1])
        self._before: dict[int, Formula] = {}
        self._now: dict[int, Formula] = {}

    @property
    def status(self) -> Status:
        """Whether the formula is true or false whatever comes, or open."""
        if self._residual == TRUE:
            return "true"
        return "false" if self._residual == FALSE else "open"

    @property
    def holds(self) -> bool:
        """Whether the formula holds if the trajectory ends here.

        Raises:
            InputError: If nothing was pushed yet.
        """
        if not self.positions:
            raise InputError("no position was pushed yet", mend="push the initial state")
        return at_the_end(self._residual)

    def push(self, holds: Holds, action: tuple[str, tuple[str, ...]] | None = None) -> Status:
        """Add a position.

        Args:
            holds: Whether a ground atom is true at the position, such as a state's ``holds``.
            action: Name and arguments of the action that is taken *from* the position; None if
                it is the last one.

        Returns:
            The status with the new position.
        """
        if self.status == "open":
            self._advance(Positions(_Present(holds, action, self.objects)))
        self.positions += 1
        return self.status

    def push_facts(self, facts: Collection[Fact]) -> Status:
        """Add a position at which exactly these atoms are true and this action is taken."""
        known = frozenset(facts)
        action = next((f for f in known if isinstance(f, ActionAtom)), None)
        step = None if action is None else (action.action, tuple(map(str, action.terms)))
        return self.push(lambda name, arguments: Atom(name, arguments) in known, step)

    def _advance(self, present: Positions) -> None:
        self._now = {}
        for node in self._nodes:
            self._now[id(node)] = self._value(node, present)
        self._residual = self._progressed(self._residual)
        self._before = self._now

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
        if not self.positions:
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
        return FALSE if self.positions else TRUE

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
        action: tuple[str, tuple[str, ...]] | None,
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


def _as_read(formula: Formula, reading: Reading | None) -> Formula:
    unbound = {variable.name for variable in free_variables(formula)}
    if unbound:
        raise InputError(
            f"variable {min(unbound)!r} is not bound", mend="put a quantifier around the formula"
        )
    if has_then(formula):
        return to_linear(formula)
    linear = has_linear(formula) if reading is None else reading == "ltlf"
    return formula if linear else Eventually(formula)
