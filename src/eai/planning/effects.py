"""Effects of one action schema, grounded binding by binding.

A quantified effect stands for as many literals as there are objects, or pairs of them, and most
of them are the same for many actions. What an effect says is therefore worked out once for all
bindings that give the same objects to the variables that it mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from eai.logic.formula import TRUE, And, Formula, Term
from eai.pddl.model import (
    AddEffect,
    AndEffect,
    DeleteEffect,
    Effect,
    ForallEffect,
    WhenEffect,
    apart,
)
from eai.planning.conditions import NOTHING, Condition
from eai.planning.lifting import Binding, Builder, Ground, Lifter
from eai.planning.quantified import bindings
from eai.world.bits import mask_of

__all__ = ["Effects"]

_MANY = 16
"""An effect on so many atoms is put together in one piece."""

_LITERALS = (AddEffect, DeleteEffect)

_Made = Sequence[tuple[Condition, int]]
"""Conditions, and the literals that become true under them."""


class Effects:
    """The effects of an action schema.

    Args:
        effect: The effect.
        lifter: Knows its parameters, which have the first places of a binding.
        count: The number of parameters.
    """

    def __init__(self, effect: Effect, lifter: Lifter, *, count: int) -> None:
        self._count = lifter.vocabulary.count
        # The condition of a literal is worked out where the literal stands.
        inside = apart(effect, [name[1:] for name in lifter.slots if name.startswith("?")])
        self._clauses = list(_clauses(inside, lifter, _Scope(count)))

    def ground(self, binding: Binding) -> tuple[int, tuple[tuple[Condition, int], ...]]:
        """Return the literals that always become true, and those that do under conditions."""
        always, conditional = 0, dict[Condition, int]()
        for clause in self._clauses:
            if clause.condition is None:
                for literal in clause.literals:
                    always |= literal.mask(binding, self._count)
                continue
            for when, literals in clause.made(binding, clause.condition, self._count):
                if when == NOTHING:
                    always |= literals
                else:
                    conditional[when] = conditional.get(when, 0) | literals
        return always, tuple(conditional.items())


class _Scope(NamedTuple):
    """Where an effect stands: the quantified variables around it, and its condition."""

    parameters: int
    places: tuple[int, ...] = ()
    ranges: tuple[tuple[str, ...], ...] = ()
    condition: Formula = TRUE


@dataclass(slots=True)
class _Literal:
    """A literal for all objects in some of its places.

    Args:
        place: Finds the positive literal.
        shift: 0 if it becomes true, 1 if it becomes false.
        places: Quantified places that the condition says nothing about.
        ranges: Their objects.
        others: Gets the objects in the other places.
    """

    place: Builder
    shift: int
    places: Sequence[int]
    ranges: Sequence[tuple[str, ...]]
    others: Callable[[Binding], object]
    known: dict[object, int] = field(default_factory=dict)

    def mask(self, binding: Binding, count: Callable[[int], None]) -> int:
        place, shift = self.place, self.shift
        if not self.places:
            return 1 << place(binding) + shift
        key = self.others(binding)
        found = self.known.get(key)
        if found is None:
            every = bindings(binding, self.places, self.ranges, count)
            found = self.known[key] = _mask([place(binding) + shift for _ in every])
        return found


@dataclass(slots=True)
class _Clause:
    """Literals that become true under one condition.

    Args:
        literals: The literals.
        condition: The condition; None if they always become true.
        places: The quantified places up to the last one that the condition is about.
        ranges: Their objects.
        mentioned: Gets the objects of the parameters that are mentioned; None if all are.
    """

    literals: Sequence[_Literal]
    condition: Ground | None
    places: Sequence[int]
    ranges: Sequence[tuple[str, ...]]
    mentioned: Callable[[Binding], object] | None
    known: dict[object, _Made] = field(default_factory=dict)

    def made(self, binding: Binding, condition: Ground, count: Callable[[int], None]) -> _Made:
        """What the clause does, with what it did for the same objects remembered."""
        if self.mentioned is None:
            return self._made(binding, condition, count)
        key = self.mentioned(binding)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._made(binding, condition, count)
        return found

    def _made(self, binding: Binding, condition: Ground, count: Callable[[int], None]) -> _Made:
        numbers, masks = dict[Condition, int](), list[int]()
        tested: list[tuple[list[str], int]] = []
        first, *others = self.literals
        for _ in bindings(binding, self.places, self.ranges, count):
            when = condition(binding)
            if 0 in when.clauses:
                continue
            number = numbers.setdefault(when, len(masks))
            if number == len(masks):
                masks.append(0)
            masks[number] |= first.mask(binding, count)
            tested.append(([binding[place] for place in self.places], number))
        # Literals are found one after the other, so that their atoms are numbered in this order.
        count(len(others) * len(tested))
        for literal in others:
            for objects, number in tested:
                for place, name in zip(self.places, objects, strict=True):
                    binding[place] = name
                masks[number] |= literal.mask(binding, count)
        return list(zip(numbers, masks, strict=True))


def _clauses(effect: Effect, lifter: Lifter, scope: _Scope) -> Iterator[_Clause]:
    if isinstance(effect, _LITERALS):
        yield _clause([effect], lifter, scope)
    elif isinstance(effect, AndEffect):
        for plain, parts in groupby(effect.parts, _is_literal):
            if plain:
                yield _clause([p for p in parts if isinstance(p, _LITERALS)], lifter, scope)
            else:
                for part in parts:
                    yield from _clauses(part, lifter, scope)
    elif isinstance(effect, WhenEffect):
        condition = effect.condition
        both = condition if scope.condition == TRUE else And((scope.condition, condition))
        yield from _clauses(effect.effect, lifter, scope._replace(condition=both))
    elif isinstance(effect, ForallEffect):
        outer = dict(lifter.slots)
        places = (*scope.places, *lifter.bind(effect.variables))
        objects = [lifter.vocabulary.objects(variable.types) for variable in effect.variables]
        inner = scope._replace(places=places, ranges=(*scope.ranges, *objects))
        if all(objects):
            yield from _clauses(effect.effect, lifter, inner)
        lifter.leave(outer)


def _is_literal(effect: Effect) -> bool:
    return isinstance(effect, _LITERALS)


def _clause(literals: Iterable[AddEffect | DeleteEffect], lifter: Lifter, scope: _Scope) -> _Clause:
    condition = None if scope.condition == TRUE else lifter.condition(scope.condition)
    tested = _slots(scope.condition.free, lifter)
    split = max([i for i, place in enumerate(scope.places, 1) if place in tested], default=0)
    inner, mentioned = scope.places[split:], set(tested)
    made = []
    for effect in literals:
        slots = _slots(effect.atom.terms, lifter)
        mentioned |= slots
        made.append(
            _Literal(
                lifter.atom(effect.atom),
                0 if isinstance(effect, AddEffect) else 1,
                inner,
                scope.ranges[split:],
                _getter(slots.difference(inner)),
            )
        )
    given = {slot for slot in mentioned if slot < scope.parameters}
    getter = None if len(given) == scope.parameters else _getter(given)
    return _Clause(made, condition, scope.places[:split], scope.ranges[:split], getter)


def _slots(terms: Iterable[Term], lifter: Lifter) -> set[int]:
    return {lifter.slot(term) for term in terms}


def _getter(slots: Collection[int]) -> Callable[[Binding], object]:
    return itemgetter(*sorted(slots)) if slots else lambda _: None


def _mask(places: Sequence[int]) -> int:
    """The mask with these places, without a new number for each if there are many."""
    if len(places) < _MANY:
        return mask_of(places)
    octets = bytearray(max(places) // 8 + 1)
    for place in places:
        octets[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(octets, "little")
