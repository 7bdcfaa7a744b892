"""What is seen at a position itself: propositions, equality and the ends of a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import ClassVar

import numpy as np

from eai.errors import InputError
from eai.logic.formula import (
    ActionAtom,
    Atom,
    Equal,
    First,
    Formula,
    Last,
    Term,
    Truth,
    Variable,
)
from eai.logic.proofs.arrays import Array, Sizes, leaf
from eai.logic.trace import Trajectory

__all__ = ["MOST_AXES", "MOST_CELLS", "Leaves", "Scope"]

Scope = tuple[Variable, ...]
"""The variables of the quantifiers around a formula, outermost first."""

MOST_CELLS = 1 << 23
"""Most numbers in one array: bindings times positions."""

MOST_AXES = 30
"""Most axes of one array: variables around a part, and time."""


class Leaves:
    """The formulas without parts, on one part of a trajectory.

    Args:
        trajectory: The trajectory.
        length: Number of positions of the part.
    """

    def __init__(self, trajectory: Trajectory, length: int) -> None:
        self.trajectory = trajectory
        self.length = length
        self._objects: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._numbers: dict[tuple[str, ...], dict[str, int]] = {}

    def sizes(self, node: Formula, scope: Scope) -> Sizes | None:
        """Return the sizes of a formula; None if it is no leaf."""
        rule = self._rules.get(type(node))
        return None if rule is None else rule(self, node, scope)

    def objects(self, variable: Variable) -> tuple[str, ...]:
        """Return the objects that a variable ranges over."""
        found = self._objects.get(variable.types)
        if found is None:
            found = self._objects[variable.types] = tuple(self.trajectory.objects(variable.types))
        return found

    def _constant(self, node: Truth, scope: Scope) -> Sizes:
        return leaf(self.filled((), scope, value=node.value))

    def _atom(self, node: Atom, scope: Scope) -> Sizes:
        history = self.trajectory.history
        return self._seen(node.terms, scope, lambda names: history(node.predicate, names))

    def _action(self, node: ActionAtom, scope: Scope) -> Sizes:
        axes = _axes(node.terms, scope)
        found = self.filled(axes, scope, value=False)
        if not found.size:
            return leaf(found)
        first = {scope[axis].name: self.objects(scope[axis])[0] for axis in axes}
        # One question makes sure that the names are known; the rest is in the list of steps.
        self.trajectory.occurrences(node.action, _ground(node.terms, first))
        for position, names in self.trajectory.taken(node.action):
            place = self._matched(node.terms, names, scope, len(found.shape) - 1)
            if place is not None:
                place.append(position)
                found[tuple(place)] = True
        return leaf(found)

    def _matched(
        self, terms: tuple[Term, ...], names: Sequence[str], scope: Scope, axes: int
    ) -> list[int] | None:
        """The place in an array of the binding that makes terms these names, if there is one."""
        if len(terms) != len(names):
            return None
        place = [0] * axes
        bound: dict[str, str] = {}
        for term, name in zip(terms, names, strict=True):
            if not isinstance(term, Variable):
                if term != name:
                    return None
            elif bound.setdefault(term.name, name) != name:
                return None
        for axis in _axes(terms, scope):
            number = self._number(scope[axis], bound[scope[axis].name])
            if number is None:
                return None
            place[axis] = number
        return place

    def _number(self, variable: Variable, name: str) -> int | None:
        """The number of an object in the range of a variable, if it is in it."""
        known = self._numbers.get(variable.types)
        if known is None:
            known = {each: number for number, each in enumerate(self.objects(variable))}
            self._numbers[variable.types] = known
        return known.get(name)

    def _seen(
        self, terms: tuple[Term, ...], scope: Scope, ask: Callable[[tuple[str, ...]], int]
    ) -> Sizes:
        """Ask for the truth of a proposition under every binding of its variables."""
        axes = _axes(terms, scope)
        found = self.filled(axes, scope, value=False)
        for place in product(*map(range, found.shape[:-1])):
            names = {scope[axis].name: self.objects(scope[axis])[place[axis]] for axis in axes}
            bits = ask(_ground(terms, names))
            if bits:
                found[place] = _unpacked(bits, self.length)
        return leaf(found)

    def _equal(self, node: Equal, scope: Scope) -> Sizes:
        axes = _axes((node.left, node.right), scope)
        found = self.filled(axes, scope, value=False)
        for place in product(*map(range, found.shape[:-1])):
            names = {scope[axis].name: self.objects(scope[axis])[place[axis]] for axis in axes}
            left, right = _ground((node.left, node.right), names)
            found[place] = left == right
        return leaf(found)

    def _last(self, _node: Last, scope: Scope) -> Sizes:
        found = self.filled((), scope, value=False)
        found[..., -1:] = True
        return leaf(found)

    def _first(self, _node: First, scope: Scope) -> Sizes:
        found = self.filled((), scope, value=False)
        found[..., :1] = True
        return leaf(found)

    def filled(self, axes: Iterable[int], scope: Scope, *, value: bool) -> Array:
        """Return an array with an axis of objects for some of the variables, else of length 1."""
        shape = [1] * len(scope)
        for axis in axes:
            shape[axis] = len(self.objects(scope[axis]))
        self.afford((*shape, self.length), scope)
        return np.full((*shape, self.length), value)

    def afford(self, shape: Sequence[int], scope: Scope) -> None:
        """Refuse arrays that are too large before they are made."""
        cells = int(np.prod(shape, dtype=object))
        if cells > MOST_CELLS or len(shape) > MOST_AXES:
            raise InputError(
                f"a proof would have to look at {cells:,} cases of one part of the formula",
                where=f"quantifiers over {', '.join(variable.name for variable in scope)}",
                expected=f"at most {MOST_CELLS:,} (bindings times positions), and at most "
                f"{MOST_AXES - 1} variables around a part",
                mend="give the variables types",
            )

    _rules: ClassVar[dict[type[Formula], Callable[..., Sizes]]] = {
        Truth: _constant,
        Atom: _atom,
        ActionAtom: _action,
        Equal: _equal,
        Last: _last,
        First: _first,
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


def _ground(terms: Iterable[Term], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(names[term.name] if isinstance(term, Variable) else term for term in terms)


def _unpacked(bits: int, length: int) -> Array:
    data = np.frombuffer(bits.to_bytes(length + 7 >> 3, "little"), np.uint8)
    return np.unpackbits(data, count=length, bitorder="little").astype(bool)
