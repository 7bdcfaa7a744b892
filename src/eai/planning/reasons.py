"""The literals on which the value of a condition rests: one signed walk over conditions.

Idea: a node says what a value of it takes (:meth:`~eai.logic.tree.Formula.split`): all of its
parts, or one of them. Where all are needed, a value rests on what the parts rest on together; where
one will do, one is chosen. Two dual questions are answered in this way:

- *Why does a condition hold, or fail?* The literals are the causal links of a plan
  (:class:`~eai.planning.ordering.supports.Support`).
- *How can it be made to hold?* As long as every literal stays on which it rests that it fails, it
  fails; so one of them has to change: a disjunctive landmark
  (:class:`~eai.planning.repair.landmarks.Disjunctions`).

Invariant: a set of literals that is returned suffices. As long as these literals hold, the
condition has the same value for any values of the other atoms. Cost: a walk visits each node once
for each binding of the variables above it; subclasses say which bindings are examined.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Generic, NamedTuple, NoReturn, TypeVar, Union

from eai.logic import (
    Atom,
    ComparisonSign,
    Equal,
    Formula,
    Rational,
    Term,
    Variable,
    atoms,
)
from eai.world import Key, Literal, State, World

Env = Mapping[str, int]
"""Variable name to the number of an object."""

Part = tuple[Formula, Env, bool]
"""A condition, the objects of its variables, and the value that it must have."""


class Bound(NamedTuple):
    """A bound on the value of a function term.

    Args:
        term: The function term.
        sign: How its value is compared with the bound.
        value: The bound; None (with ``"="``) if the term is to have no value.
    """

    term: Key
    sign: ComparisonSign
    value: Rational | None


Requirement = Union[Literal, Bound]
"""A literal that has to hold, or a bound within which a number has to be."""

Reads = frozenset[Requirement]
"""The literals, and bounds on numbers, on which something rests."""

R = TypeVar("R")

NOTHING: frozenset[NoReturn] = frozenset()

AxiomRule = tuple[tuple[Variable, ...], Formula]
"""Head and body of an axiom."""


@lru_cache(maxsize=16)
def rules_of(world: World) -> Mapping[str, list[AxiomRule]]:
    """Return the axioms that define a derived predicate, by predicate.

    Computed predicates are left out, since their functions need not agree with the axioms.
    Recursive ones are kept, as they are computed only for speed.
    """
    rules: dict[str, list[AxiomRule]] = {}
    for axiom in world.domain.axioms:
        rules.setdefault(axiom.head.predicate, []).append((axiom.parameters, axiom.body))
    for name in world.computed.intersection(rules):
        # A function may decide by other facts than the axioms read, so these would give wrong ones.
        if not _is_recursive(name, rules[name]):
            del rules[name]
    return rules


def _is_recursive(predicate: str, rules: Sequence[AxiomRule]) -> bool:
    """Return whether a rule for a predicate uses the predicate itself."""
    for _, body in rules:
        for atom in atoms(body):
            if isinstance(atom, Atom) and atom.predicate == predicate:
                return True
    return False


class Reasons(ABC, Generic[R]):
    """Finds the literals on which the values of conditions depend in a ``state``.

    Args:
        world: The world.
        start: The initial state.
    """

    def __init__(self, world: World, start: State) -> None:
        self.world = world
        self.start = self.state = start
        self.universe = start.universe
        self.rules = rules_of(world)

    def of(self, formula: Formula, env: Env, value: bool = True) -> frozenset[R] | None:
        """Return the literals on which a condition's value depends, or None if it differs.

        A true conjunction depends on all its parts, and a false one on any false part. Equality
        depends on nothing, and :meth:`other` handles everything but connectives.

        Args:
            formula: The condition.
            env: Objects of its variables.
            value: The value that it must have.
        """
        if isinstance(formula, Atom):
            return self.atom(formula, env, value)
        signed = formula.split(value)
        if signed is not None:
            # A generator, because a choice may be made before all parts were examined.
            parts = ((part, env, part_value) for part, part_value in signed.parts)
            if signed.every:
                return self.together(parts)
            return self.choice(parts)
        if isinstance(formula, Equal):
            # Whether two objects are equal does not depend on the state.
            left, right = self.numbers(formula.terms, env)
            if (left == right) is not value:
                return None
            return NOTHING
        return self.other(formula, env, value)

    def numbers(self, terms: Iterable[Term], env: Env) -> tuple[int, ...]:
        """Return the numbers of the objects that terms stand for."""
        number = self.universe.number
        return tuple([env[t.name] if isinstance(t, Variable) else number(t) for t in terms])

    def atom(self, atom: Atom, env: Env, value: bool) -> frozenset[R] | None:
        """Return the literals on which the value of an atom depends; see :meth:`of`.

        A stored atom depends on itself, and a derived one on the atoms in its rules.
        """
        if atom.predicate in self.world.derived:
            return self.derived(atom, env, value)
        predicate = self.world.layout.index[atom.predicate]
        arguments = self.numbers(atom.terms, env)
        if self.state.test(predicate, arguments) is not value:
            return None
        return self.literal((predicate, arguments, value))

    def together(self, parts: Iterable[Part]) -> frozenset[R] | None:
        """Return the literals of all parts, or None if one does not have its value."""
        joined = set[R]()
        # The first part without its value decides; what the others rest on is then of no use.
        for part in parts:
            reads = self.of(*part)
            if reads is None:
                return None
            joined |= reads
        return frozenset(joined)

    def bodies(
        self, predicate: str, object_numbers: tuple[int, ...], value: bool
    ) -> Iterator[Part]:
        """Yield the rule bodies for a derived atom, if its objects have the right types.

        Args:
            predicate: Predicate of the atom.
            object_numbers: Numbers of its objects.
            value: Truth value that is yielded with each body.

        Yields:
            A body, the objects of the variables of its head, and the value.
        """
        mask_of_types = self.universe.mask
        for head, body in self.rules.get(predicate, ()):
            env = {}
            has_types = True
            # The types of a head restrict its rule, for example to cups.
            for variable, object_number in zip(head, object_numbers, strict=True):
                env[variable.name] = object_number
                has_types = has_types and bool(mask_of_types(variable.types) >> object_number & 1)
            if has_types:
                yield body, env, value

    @abstractmethod
    def literal(self, literal: Literal) -> frozenset[R]:
        """Return the literal that holds here, or nothing if it holds whatever happens."""

    @abstractmethod
    def choice(self, parts: Iterable[Part]) -> frozenset[R] | None:
        """Return the literals that one part rests on; None if no part has its value."""

    @abstractmethod
    def derived(self, atom: Atom, env: Env, value: bool) -> frozenset[R] | None:
        """See :meth:`of`, for an atom that axioms define."""

    @abstractmethod
    def other(self, formula: Formula, env: Env, value: bool) -> frozenset[R] | None:
        """See :meth:`of`, for what quantifies, compares, counts or pairs off, and for actions."""
