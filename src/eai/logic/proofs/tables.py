"""Tables of proof sizes: every subformula, every binding, every position of a part.

A table is filled from the leaves up, without recursion, once for every node and every list of
variables around it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, NamedTuple

import numpy as np

from eai.errors import InputError
from eai.logic.formula import (
    ActionAtom,
    Always,
    And,
    Atom,
    Count,
    Eventually,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Historically,
    Iff,
    Implies,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Then,
    Trigger,
    Until,
    Variable,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
    bound_variables,
    children,
)
from eai.logic.proofs.arrays import (
    Sizes,
    changed,
    count,
    hold,
    junction,
    leaf,
    passed,
    quantified,
    reach,
    reversed_time,
    same,
    spread,
    suffixes,
)
from eai.logic.proofs.leaves import Leaves, Scope
from eai.logic.proofs.pairs import Pairs
from eai.logic.trace import Trajectory

__all__ = ["Site", "Table"]


class Site(NamedTuple):
    """A formula inside quantifiers.

    Args:
        node: The formula.
        scope: The variables of the quantifiers around it, outermost first.
        place: For each of them, the number of its object.
    """

    node: Formula
    scope: Scope = ()
    place: tuple[int, ...] = ()


class Table:
    """Sizes of the smallest proofs about one part of a trajectory.

    Formulas are recognised by identity: they must stay alive as long as this object.

    Args:
        trajectory: The trajectory.
        start: First position of the part.
        end: Position after the last one of the part.
        then: What to do with a ``then`` below operators of linear temporal logic.
        whole: The table of the whole trajectory, if this is another one.
    """

    def __init__(
        self,
        trajectory: Trajectory,
        start: int,
        end: int,
        *,
        then: Callable[[Then, Scope, Table], Sizes],
        whole: Table | None = None,
    ) -> None:
        self.trajectory = trajectory
        self.start, self.end = start, end
        self._then = then
        self._whole = whole
        self._memo: dict[tuple[int, Scope], Sizes] = {}
        self._leaves = Leaves(trajectory, end - start)

    def objects(self, variable: Variable) -> tuple[str, ...]:
        """Return the objects that a variable ranges over."""
        return self._leaves.objects(variable)

    def sizes(self, formula: Formula, scope: Scope = ()) -> Sizes:
        """Return the sizes of a formula inside quantifiers, for every binding and position.

        Raises:
            InputError: If a variable is not bound, a node has no proofs, or there are more
                bindings than :data:`~eai.logic.proofs.leaves.MOST_CELLS` allows.
        """
        pending = [(formula, scope, False)]
        while pending:
            node, around, ready = pending.pop()
            if (id(node), around) in self._memo:
                continue
            inner = (*around, *bound_variables(node))
            parts = () if isinstance(node, Then) else children(node)
            if ready or not parts:
                made = self._made(node, around, [self._memo[id(part), inner] for part in parts])
                self._memo[id(node), around] = made
            else:
                pending.append((node, around, True))
                pending += [(part, inner, False) for part in parts]
        return self._memo[id(formula), scope]

    def _made(self, node: Formula, scope: Scope, parts: list[Sizes]) -> Sizes:
        if self._whole is not None and isinstance(node, (Atom, ActionAtom)):
            return self._cut(self._whole.sizes(node, scope))
        found = self._leaves.sizes(node, scope)
        if found is not None:
            return found
        bound = bound_variables(node)
        if len(parts) > 1 or bound:
            shape = list(np.broadcast_shapes(*(part.size.shape for part in parts)))
            shape[len(scope) : -1] = [len(self.objects(variable)) for variable in bound]
            self._leaves.afford(shape, (*scope, *bound))
        rule = self._rules.get(type(node))
        if rule is not None:
            return rule(self, node, scope, parts)
        operator = _OPERATORS.get(type(node))
        if operator is not None:
            return operator(*parts)
        operator = _BACK.get(type(node))
        if operator is None:
            raise InputError(f"there are no proofs about {type(node).__name__}")
        return reversed_time(operator(*map(reversed_time, parts)))

    def _cut(self, whole: Sizes) -> Sizes:
        part = slice(self.start, self.end)
        return Sizes(whole.truth[..., part], whole.size[..., part], whole.bound)

    def _and(self, node: And, scope: Scope, parts: list[Sizes]) -> Sizes:
        return junction(parts, every=True) if parts else self._empty(node, scope)

    def _or(self, node: Or, scope: Scope, parts: list[Sizes]) -> Sizes:
        return junction(parts, every=False) if parts else self._empty(node, scope)

    def _empty(self, node: And | Or, scope: Scope) -> Sizes:
        return leaf(self._leaves.filled((), scope, value=isinstance(node, And)))

    def _quantifier(self, node: Forall | Exists, _scope: Scope, parts: list[Sizes]) -> Sizes:
        counts = self._counts(node)
        return quantified(parts[0], len(counts), counts, every=isinstance(node, Forall))

    def _count(self, node: Count, _scope: Scope, parts: list[Sizes]) -> Sizes:
        return count(parts[0], node.number, node.comparison, len(self.objects(node.variable)))

    def _pairs(self, node: ForPairs, _scope: Scope, parts: list[Sizes]) -> Sizes:
        return self.pairs(node).sizes(spread(parts[0], self._counts(node)))

    def pairs(self, node: ForPairs) -> Pairs:
        """Return the sides of a quantifier over pairs."""
        return Pairs(self.objects(node.first), self.objects(node.second), node.number)

    def _counts(self, node: Formula) -> list[int]:
        return [len(self.objects(variable)) for variable in bound_variables(node)]

    def _sequence(self, node: Then, scope: Scope, _parts: list[Sizes]) -> Sizes:
        return self._then(node, scope, self)

    _rules: ClassVar[dict[type[Formula], Callable[..., Sizes]]] = {
        And: _and,
        Or: _or,
        Forall: _quantifier,
        Exists: _quantifier,
        Count: _count,
        ForPairs: _pairs,
        Then: _sequence,
    }


def _implies(left: Sizes, right: Sizes) -> Sizes:
    """Implication: a disjunction, whose first part is negated without a node of its own."""
    return junction([Sizes(~left.truth, left.size, left.bound), right], every=False)


_OPERATORS: dict[type[Formula], Callable[..., Sizes]] = {
    Not: changed,
    Implies: _implies,
    Iff: lambda left, right: same(left, right, wanted=True),
    Xor: lambda left, right: same(left, right, wanted=False),
    Next: lambda operand: passed(operand, weak=False),
    WeakNext: lambda operand: passed(operand, weak=True),
    Eventually: lambda operand: suffixes(operand, every=False),
    Always: lambda operand: suffixes(operand, every=True),
    Until: lambda left, right: reach(left, right, end=False),
    WeakUntil: lambda left, right: reach(left, right, end=True),
    Release: lambda left, right: hold(right, left, end=True),
    StrongRelease: lambda left, right: hold(right, left, end=False),
}
_BACK: dict[type[Formula], Callable[..., Sizes]] = {
    Previous: _OPERATORS[Next],
    WeakPrevious: _OPERATORS[WeakNext],
    Once: _OPERATORS[Eventually],
    Historically: _OPERATORS[Always],
    Since: _OPERATORS[Until],
    Trigger: _OPERATORS[Release],
}
