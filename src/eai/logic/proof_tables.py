"""Tables of proof sizes: every subformula, every binding, every position of a part.

A table is filled from the leaves up, without recursion, once for every node and every list of
variables around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import ClassVar, NamedTuple

import numpy as np

from eai.errors import InputError
from eai.logic.formula import (
    ActionAtom,
    Always,
    And,
    Atom,
    Count,
    Equal,
    Eventually,
    Exists,
    First,
    Forall,
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
    Term,
    Then,
    Trigger,
    Truth,
    Until,
    Variable,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
    bound_variables,
    children,
)
from eai.logic.proof_arrays import (
    Array,
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
    suffixes,
)
from eai.logic.trace import Trajectory

__all__ = ["MOST_CELLS", "Scope", "Site", "Table"]

Scope = tuple[Variable, ...]
"""The variables of the quantifiers around a formula, outermost first."""


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


MOST_CELLS = 1 << 23
"""Most numbers in one array: bindings times positions."""

_MOST_AXES = 30


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
        self._objects: dict[tuple[str, ...], tuple[str, ...]] = {}

    def objects(self, variable: Variable) -> tuple[str, ...]:
        """Return the objects that a variable ranges over."""
        found = self._objects.get(variable.types)
        if found is None:
            found = self._objects[variable.types] = tuple(self.trajectory.objects(variable.types))
        return found

    def sizes(self, formula: Formula, scope: Scope = ()) -> Sizes:
        """Return the sizes of a formula inside quantifiers, for every binding and position.

        Raises:
            InputError: If a variable is not bound, a node has no proofs, or there are more
                bindings than :data:`MOST_CELLS` allows.
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
        bound = bound_variables(node)
        if len(parts) > 1 or bound:
            shape = list(np.broadcast_shapes(*(part.size.shape for part in parts)))
            shape[len(scope) : -1] = [len(self.objects(variable)) for variable in bound]
            self._afford(shape, (*scope, *bound))
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

    def _constant(self, node: Truth, scope: Scope, _parts: list[Sizes]) -> Sizes:
        return leaf(self._filled((), scope, value=node.value))

    def _atom(self, node: Atom, scope: Scope, _parts: list[Sizes]) -> Sizes:
        if self._whole is not None:
            return self._cut(self._whole.sizes(node, scope))
        history = self.trajectory.history
        return self._seen(node.terms, scope, lambda names: history(node.predicate, names))

    def _action(self, node: ActionAtom, scope: Scope, _parts: list[Sizes]) -> Sizes:
        if self._whole is not None:
            return self._cut(self._whole.sizes(node, scope))
        occurrences = self.trajectory.occurrences
        return self._seen(node.terms, scope, lambda names: occurrences(node.action, names))

    def _cut(self, whole: Sizes) -> Sizes:
        part = slice(self.start, self.end)
        return Sizes(whole.truth[..., part], whole.size[..., part], whole.bound)

    def _seen(
        self, terms: tuple[Term, ...], scope: Scope, ask: Callable[[tuple[str, ...]], int]
    ) -> Sizes:
        """Ask for the truth of a proposition under every binding of its variables."""
        axes = _axes(terms, scope)
        found = self._filled(axes, scope, value=False)
        length = self.end - self.start
        for place in product(*map(range, found.shape[:-1])):
            names = {scope[axis].name: self.objects(scope[axis])[place[axis]] for axis in axes}
            bits = ask(_ground(terms, names))
            if bits:
                found[place] = _unpacked(bits, length)
        return leaf(found)

    def _equal(self, node: Equal, scope: Scope, _parts: list[Sizes]) -> Sizes:
        axes = _axes((node.left, node.right), scope)
        found = self._filled(axes, scope, value=False)
        for place in product(*map(range, found.shape[:-1])):
            names = {scope[axis].name: self.objects(scope[axis])[place[axis]] for axis in axes}
            left, right = _ground((node.left, node.right), names)
            found[place] = left == right
        return leaf(found)

    def _last(self, _node: Last, scope: Scope, _parts: list[Sizes]) -> Sizes:
        found = self._filled((), scope, value=False)
        found[..., -1:] = True
        return leaf(found)

    def _first(self, _node: First, scope: Scope, _parts: list[Sizes]) -> Sizes:
        found = self._filled((), scope, value=False)
        found[..., :1] = True
        return leaf(found)

    def _and(self, node: And, scope: Scope, parts: list[Sizes]) -> Sizes:
        return junction(parts, every=True) if parts else self._empty(node, scope)

    def _or(self, node: Or, scope: Scope, parts: list[Sizes]) -> Sizes:
        return junction(parts, every=False) if parts else self._empty(node, scope)

    def _empty(self, node: And | Or, scope: Scope) -> Sizes:
        return leaf(self._filled((), scope, value=isinstance(node, And)))

    def _quantifier(self, node: Forall | Exists, _scope: Scope, parts: list[Sizes]) -> Sizes:
        counts = [len(self.objects(variable)) for variable in node.variables]
        return quantified(parts[0], len(counts), counts, every=isinstance(node, Forall))

    def _count(self, node: Count, _scope: Scope, parts: list[Sizes]) -> Sizes:
        return count(parts[0], node.number, node.comparison, len(self.objects(node.variable)))

    def _sequence(self, node: Then, scope: Scope, _parts: list[Sizes]) -> Sizes:
        return self._then(node, scope, self)

    def _filled(self, axes: Iterable[int], scope: Scope, *, value: bool) -> Array:
        """An array with an axis of objects for some of the variables, else of length 1."""
        shape = [1] * len(scope)
        for axis in axes:
            shape[axis] = len(self.objects(scope[axis]))
        self._afford((*shape, self.end - self.start), scope)
        return np.full((*shape, self.end - self.start), value)

    def _afford(self, shape: Sequence[int], scope: Scope) -> None:
        """Refuse arrays that are too large before they are made."""
        cells = int(np.prod(shape, dtype=object))
        if cells > MOST_CELLS or len(shape) > _MOST_AXES:
            raise InputError(
                f"a proof would have to look at {cells:,} cases of one part of the formula",
                where=f"quantifiers over {', '.join(variable.name for variable in scope)}",
                expected=f"at most {MOST_CELLS:,} (bindings times positions), and at most "
                f"{_MOST_AXES - 1} variables around a part",
                mend="give the variables types",
            )

    _rules: ClassVar[dict[type[Formula], Callable[..., Sizes]]] = {
        Truth: _constant,
        Atom: _atom,
        ActionAtom: _action,
        Equal: _equal,
        Last: _last,
        First: _first,
        And: _and,
        Or: _or,
        Forall: _quantifier,
        Exists: _quantifier,
        Count: _count,
        Then: _sequence,
    }


def _axes(terms: Iterable[Term], scope: Scope) -> list[int]:
    """The places in the scope of the variables among some terms; the innermost of a name counts."""
    places = {variable.name: axis for axis, variable in enumerate(scope)}
    names = {term.name for term in terms if isinstance(term, Variable)}
    unbound = names - places.keys()
    if unbound:
        raise InputError(
            f"variable {min(unbound)!r} is not bound", mend="put a quantifier around the formula"
        )
    return sorted(places[name] for name in names)


def _ground(terms: Iterable[Term], names: dict[str, str]) -> tuple[str, ...]:
    return tuple(names[term.name] if isinstance(term, Variable) else term for term in terms)


def _unpacked(bits: int, length: int) -> Array:
    data = np.frombuffer(bits.to_bytes(length + 7 >> 3, "little"), np.uint8)
    return np.unpackbits(data, count=length, bitorder="little").astype(bool)


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
