"""A second engine for domains: sets of tuples, and recursion straight from the definitions.

It is slow and shares nothing with the engine that is tested but the trees.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from eai.logic import (
    And,
    Atom,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Term,
    Truth,
    Variable,
    Xor,
)
from eai.pddl import (
    AddEffect,
    AndEffect,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    Operator,
    WhenEffect,
)

__all__ = ["Fact", "Reference"]

Fact = tuple[str, tuple[str, ...]]
Facts = frozenset[Fact]
Binding = Mapping[str, str]


class Reference:
    """The definitions of PDDL, executed."""

    def __init__(self, domain: Domain, objects: Mapping[str, str]) -> None:
        self.domain = domain
        self.objects = {**domain.constants, **objects}
        self.levels = _levels(domain)

    def of_types(self, types: tuple[str, ...]) -> list[str]:
        fits = self.domain.is_subtype
        return [n for n, own in self.objects.items() if any(fits(own, other) for other in types)]

    def bindings(self, variables: tuple[Variable, ...]) -> Iterator[dict[str, str]]:
        ranges = [self.of_types(variable.types) for variable in variables]
        for names in itertools.product(*ranges):
            yield dict(zip((v.name for v in variables), names, strict=True))

    def closed(self, facts: Facts) -> Facts:
        """The facts and everything that the rules derive from them, level by level."""
        known = set(facts)
        for level in sorted(set(self.levels.values())):
            while True:
                new = set(self._derived(level, frozenset(known))) - known
                if not new:
                    break
                known |= new
        return frozenset(known)

    def _derived(self, level: int, known: Facts) -> Iterator[Fact]:
        for axiom in self.domain.axioms:
            if self.levels[axiom.head.predicate] != level:
                continue
            head = tuple(term for term in axiom.head.terms if isinstance(term, Variable))
            for binding in self.bindings(head):
                if self.true(axiom.body, known, binding):
                    yield _ground(axiom.head, binding)

    def holds(self, formula: Formula, facts: Facts, binding: Binding) -> bool:
        """Truth of a condition in the state with these stored facts."""
        return self.true(formula, self.closed(facts), binding)

    def true(self, formula: Formula, known: Facts, binding: Binding) -> bool:
        """Truth of a condition if exactly these facts, stored or derived, are true."""
        if isinstance(formula, Truth):
            return formula.value
        if isinstance(formula, Atom):
            return _ground(formula, binding) in known
        if isinstance(formula, Equal):
            return _name(formula.left, binding) == _name(formula.right, binding)
        if isinstance(formula, Count):
            number = self._number(formula, known, binding)
            if formula.comparison == "exactly":
                return number == formula.number
            at_least = formula.comparison == "at least"
            return number >= formula.number if at_least else number <= formula.number
        if not isinstance(formula, (Exists, Forall)):
            return self._joined(formula, known, binding)
        every = isinstance(formula, Forall)
        found = (
            self.true(formula.body, known, {**binding, **inner})
            for inner in self.bindings(formula.variables)
        )
        return all(found) if every else any(found)

    def _joined(self, formula: Formula, known: Facts, binding: Binding) -> bool:
        if isinstance(formula, Not):
            return not self.true(formula.operand, known, binding)
        if isinstance(formula, And):
            return all(self.true(part, known, binding) for part in formula.operands)
        if isinstance(formula, Or):
            return any(self.true(part, known, binding) for part in formula.operands)
        if isinstance(formula, Implies):
            return self.true(formula.right, known, binding) or not self.true(
                formula.left, known, binding
            )
        assert isinstance(formula, (Iff, Xor))
        left = self.true(formula.left, known, binding)
        return (left == self.true(formula.right, known, binding)) == isinstance(formula, Iff)

    def _number(self, formula: Count, known: Facts, binding: Binding) -> int:
        inner = self.bindings((formula.variable,))
        return sum(self.true(formula.body, known, {**binding, **more}) for more in inner)

    def successor(self, operator: Operator, facts: Facts, binding: Binding) -> Facts:
        """The state after the action: what is deleted goes, what is added is there."""
        known = self.closed(facts)
        literals = list(self._literals(operator.effect, known, binding))
        gone = {fact for added, fact in literals if not added}
        come = {fact for added, fact in literals if added}
        return (facts - gone) | come

    def _literals(
        self, effect: Effect, known: Facts, binding: Binding
    ) -> Iterator[tuple[bool, Fact]]:
        if isinstance(effect, (AddEffect, DeleteEffect)):
            yield isinstance(effect, AddEffect), _ground(effect.atom, binding)
        elif isinstance(effect, AndEffect):
            for part in effect.parts:
                yield from self._literals(part, known, binding)
        elif isinstance(effect, ForallEffect):
            for inner in self.bindings(effect.variables):
                yield from self._literals(effect.effect, known, {**binding, **inner})
        elif isinstance(effect, WhenEffect) and self.true(effect.condition, known, binding):
            yield from self._literals(effect.effect, known, binding)


def _name(term: Term, binding: Binding) -> str:
    return binding[term.name] if isinstance(term, Variable) else term


def _ground(atom: Atom, binding: Binding) -> Fact:
    return atom.predicate, tuple(_name(term, binding) for term in atom.terms)


def _levels(domain: Domain) -> dict[str, int]:
    """Least levels such that a rule uses its own level or below, negated ones only below."""
    levels = {axiom.head.predicate: 0 for axiom in domain.axioms}
    for _ in range(len(levels) ** 2 + 1):
        for axiom in domain.axioms:
            for used, positive in _uses(axiom.body, True):
                if used in levels:
                    least = levels[used] + (not positive)
                    levels[axiom.head.predicate] = max(levels[axiom.head.predicate], least)
    return levels


def _uses(formula: Formula, positive: bool) -> Iterator[tuple[str, bool]]:
    if isinstance(formula, Atom):
        yield formula.predicate, positive
    elif isinstance(formula, Not):
        yield from _uses(formula.operand, not positive)
    elif isinstance(formula, Implies):
        yield from _uses(formula.left, not positive)
        yield from _uses(formula.right, positive)
    elif isinstance(formula, (Count, Iff, Xor)):
        for part in formula.operands:
            yield from _uses(part, True)
            yield from _uses(part, False)
    elif isinstance(formula, (Exists, Forall)):
        yield from _uses(formula.body, positive)
    elif isinstance(formula, (And, Or)):
        for part in formula.operands:
            yield from _uses(part, positive)
