"""Who can make an atom true, or false, and which operators a goal can depend on at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from eai.errors import look_up
from eai.logic import Atom, Formula, Variable
from eai.pddl import Domain, Operator, clauses, polarities
from eai.world import Literal, Universe, World

Sign = tuple[int, bool]
"""Number of a predicate, and whether its atoms are to be true or false."""


class Achiever(NamedTuple):
    """One effect of an operator, which makes an atom true or false.

    Args:
        operator: The operator.
        sign: Number of the atom's predicate, and whether the effect makes it true.
        atom: The atom.
        condition: When the effect happens, if the operator is applied.
        variables: The operator's parameters, then what quantifiers of the effect range over. No
            two share a name.
        typed: Those that not every object can stand for: names and types.
    """

    operator: Operator
    sign: Sign
    atom: Atom
    condition: Formula
    variables: tuple[Variable, ...]
    typed: tuple[tuple[str, tuple[str, ...]], ...]

    def binding(
        self, numbers: tuple[int, ...], universe: Universe, given: Mapping[str, int]
    ) -> dict[str, int] | None:
        """Bind the variables, of which some are given, so that the effect is about certain objects.

        Returns:
            Variable to number, for those that are bound (fewer objects than there are arguments
            are the first ones); None if the effect cannot be about these objects.
        """
        found = {**given}
        for term, number in zip(self.atom.terms, numbers, strict=False):
            if isinstance(term, Variable):
                if found.setdefault(term.name, number) != number:
                    return None
            elif universe.number(term) != number:
                return None
        for name, types in self.typed:
            if name in found and not universe.mask(types) >> found[name] & 1:
                return None
        return found


@lru_cache(maxsize=4096)
def effects_of(world: World, name: str) -> tuple[Achiever, ...]:
    """Return the effects of an operator, in reading order."""
    operator = world.domain.operators[name]
    names, found = [each.name for each in operator.parameters], []
    for quantified, condition, added, atom in clauses(operator.effect, names):
        variables = (*operator.parameters, *quantified)
        typed = tuple((v.name, v.types) for v in variables if "object" not in v.types)
        sign = (world.layout.index[atom.predicate], added)
        found.append(Achiever(operator, sign, atom, condition, variables, typed))
    return tuple(found)


@lru_cache(maxsize=4096)
def achievers(world: World, sign: Sign, names: tuple[str, ...]) -> tuple[Achiever, ...]:
    """Return the effects that make atoms of a predicate true, or false."""
    return tuple(each for name in names for each in effects_of(world, name) if each.sign == sign)


def without_doubles(domain: Domain, names: Iterable[str]) -> tuple[str, ...]:
    """Leave out operators that differ from an earlier one in nothing but their name."""
    first: dict[object, str] = {}
    for name in names:
        one = domain.operators[name]
        first.setdefault((one.parameters, one.precondition, one.effect), name)
    return tuple(first.values())


def opposite(literal: Literal) -> Literal:
    """Return the negation of a literal."""
    p, numbers, value = literal
    return p, numbers, not value


_Named = tuple[str, bool]
"""A predicate, and whether it is wanted true or false."""

_Schema = tuple[set[_Named], list[tuple[_Named, set[_Named]]]]
"""What an operator asks for, and what it changes under conditions that ask for something."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """What a goal can depend on.

    Args:
        operators: Names of the operators that may help, in order. All others can be left out of
            every plan.
        predicates: Names of the predicates on which applicability, effects that matter and the
            goal depend. States that differ in others only are as good as each other.
    """

    operators: tuple[str, ...]
    predicates: frozenset[str]


def relevance(
    domain: Domain, goals: Iterable[Formula], *, operators: Iterable[str] | None = None
) -> Relevance:
    """Find what goals can depend on.

    An operator helps if it changes a predicate in a direction that a goal, or a condition of
    another operator that helps, asks for.

    Args:
        domain: The domain.
        goals: Conditions.
        operators: Names of the operators that may be used; all of them if None.

    Raises:
        UnknownNameError: If there is no such operator.
    """
    return _relevance(domain, {sign for goal in goals for sign in _asked(goal)}, operators)


@lru_cache(maxsize=4096)
def relevant(world: World, goal: Formula, operators: tuple[str, ...] | None = None) -> Relevance:
    """Find what a goal can depend on in a world; see :func:`relevance`."""
    return _relevant(world, frozenset(_asked(goal)), operators)


@lru_cache(maxsize=4096)
def _relevant(
    world: World, asked: frozenset[_Named], operators: tuple[str, ...] | None
) -> Relevance:
    """Many goals ask for the same predicates of other objects."""
    return _relevance(world.domain, set(asked), operators)


def _relevance(domain: Domain, needed: set[_Named], operators: Iterable[str] | None) -> Relevance:
    axioms = [((axiom.head.predicate, True), set(_asked(axiom.body))) for axiom in domain.axioms]
    schemas: dict[str, _Schema] = {}
    for name in domain.operators if operators is None else operators:
        schemas[name] = _schema(look_up("operator", name, domain.operators))
    before = -1
    while before != len(needed):
        before = len(needed)
        changes = list(axioms)
        for precondition, made in schemas.values():
            if any(change in needed for change, _ in made):
                needed |= precondition
                changes += made
        # What is needed has to happen, or not to happen if it does harm.
        needed |= {
            (other, sign is wanted)
            for (name, value), asked in changes
            for wanted in (True, False)
            if (name, value is wanted) in needed
            for other, sign in asked
        }
    return Relevance(
        tuple(n for n, (_, made) in schemas.items() if any(c in needed for c, _ in made)),
        frozenset(name for name, _ in needed),
    )


@lru_cache(maxsize=512)
def _schema(operator: Operator) -> _Schema:
    changes = [
        ((atom.predicate, added), set(_asked(condition)))
        for _, condition, added, atom in clauses(operator.effect)
    ]
    return set(_asked(operator.precondition)), changes


def _asked(formula: Formula) -> Iterator[_Named]:
    return ((atom.predicate, positive) for atom, positive in polarities(formula))
