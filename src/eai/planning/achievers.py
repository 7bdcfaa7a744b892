"""Achievers of atoms, and the operators and predicates that a goal can depend on.

An *achiever* of a literal is an effect that makes it true. :func:`relevance` is the fixed point of
going backwards from a goal over achievers and their conditions, by predicate and sign.
"""

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
"""Number of a predicate, and the truth value that its atoms must have."""


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
        self, arguments: tuple[int, ...], universe: Universe, given_binding: Mapping[str, int]
    ) -> dict[str, int] | None:
        """Return the binding of the effect's variables for which its atom has given arguments.

        Args:
            arguments: Object numbers of the atom's first arguments; later ones may be left open.
            universe: The objects.
            given_binding: Object numbers of some variables, which are kept.

        Returns:
            The object number of each bound variable, or None if the effect cannot have these
            arguments.
        """
        binding = {**given_binding}
        for term, object_number in zip(self.atom.terms, arguments, strict=False):
            if isinstance(term, Variable):
                if binding.setdefault(term.name, object_number) != object_number:
                    return None
            elif universe.number(term) != object_number:
                return None
        for name, types in self.typed:
            if name in binding and not universe.mask(types) >> binding[name] & 1:
                return None
        return binding


@lru_cache(maxsize=4096)
def effects_of(world: World, name: str) -> tuple[Achiever, ...]:
    """Return the effects of an operator, in reading order."""
    operator = world.domain.operators[name]
    parameter_names = [parameter.name for parameter in operator.parameters]
    effects = []
    for quantified, condition, added, atom in clauses(operator.effect, parameter_names):
        variables = (*operator.parameters, *quantified)
        typed_variables = tuple(
            (v.name, v.types) for v in variables if "object" not in v.types
        )  # all fit
        sign = (world.layout.index[atom.predicate], added)
        effects.append(Achiever(operator, sign, atom, condition, variables, typed_variables))
    return tuple(effects)


@lru_cache(maxsize=4096)
def achievers(world: World, sign: Sign, names: tuple[str, ...]) -> tuple[Achiever, ...]:
    """Return the effects that make atoms of a predicate true, or false."""
    effects: list[Achiever] = []
    for name in names:
        effects += [effect for effect in effects_of(world, name) if effect.sign == sign]
    return tuple(effects)


def without_doubles(domain: Domain, names: Iterable[str]) -> tuple[str, ...]:
    """Return the operators without those that differ from an earlier one only by name."""
    first: dict[object, str] = {}
    for name in names:
        operator = domain.operators[name]
        first.setdefault((operator.parameters, operator.precondition, operator.effect), name)
    return tuple(first.values())


def opposite(literal: Literal) -> Literal:
    """Return the negation of a literal."""
    p, numbers, value = literal
    return p, numbers, not value


_NamedSign = tuple[str, bool]
"""A predicate, and whether it is wanted true or false."""


class _ConditionalChange(NamedTuple):
    """A change of a predicate under a condition.

    Args:
        sign: The predicate, and whether it becomes true or false of some objects.
        asked: The predicates that the condition asks for, with the values that it needs.
    """

    sign: _NamedSign
    asked: set[_NamedSign]


class _OperatorSigns(NamedTuple):
    """The signed predicates that an operator needs and changes, without arguments.

    Args:
        asked: The predicates that its precondition asks for, with the values that it needs.
        changes: Its effects.
    """

    asked: set[_NamedSign]
    changes: list[_ConditionalChange]

    def helps(self, needed: set[_NamedSign]) -> bool:
        """Return whether an operator makes some change that is needed."""
        return any(change.sign in needed for change in self.changes)


@dataclass(frozen=True, slots=True)
class Relevance:
    """The operators and predicates that a goal can depend on.

    Args:
        operators: Names of the operators that may help, in order. All others can be left out of
            every plan.
        predicates: Names of the predicates on which applicability, effects that matter and the
            goal depend. States that differ in others only are as good as each other.
    """

    operators: tuple[str, ...]
    predicates: frozenset[str]


def relevance(
    domain: Domain,
    goals: Iterable[Formula],
    *,
    operators: Iterable[str] | None = None,
    harmful: bool = False,
) -> Relevance:
    """Return the operators and predicates on which goals can depend.

    An operator is relevant if it makes a literal true that a goal, or a condition of another
    relevant operator, needs.

    Args:
        domain: The domain.
        goals: Conditions.
        operators: Names of the operators that may be used; all of them if None.
        harmful: Whether operators count, too, that change such a predicate in the other direction.

    Raises:
        UnknownNameError: If there is no such operator.
    """
    needed: set[_NamedSign] = set()
    for goal in goals:
        needed.update(_signs_asked_by(goal))
    return _find_relevance(domain, needed, operators, harmful=harmful)


@lru_cache(maxsize=4096)
def relevant(world: World, goal: Formula, operators: tuple[str, ...] | None = None) -> Relevance:
    """Find the operators and predicates that a goal can depend on; see :func:`relevance`."""
    # Many goals ask for the same predicates of other objects: they share an entry of the cache.
    return _relevance_in_world(world, frozenset(_signs_asked_by(goal)), operators)


@lru_cache(maxsize=4096)
def _relevance_in_world(
    world: World, needed: frozenset[_NamedSign], operators: tuple[str, ...] | None
) -> Relevance:
    """Return what is relevant to signs that are needed (see :func:`relevant`)."""
    return _find_relevance(world.domain, set(needed), operators)


def _find_relevance(
    domain: Domain,
    needed: set[_NamedSign],
    operators: Iterable[str] | None,
    *,
    harmful: bool = False,
) -> Relevance:
    """Return everything that is relevant to some signed predicates, by a least fixed point.

    Args:
        domain: The domain.
        needed: The signed predicates that goals need. Further ones are added to this set.
        operators: Names of the operators that may be used; all of them if None.
        harmful: Whether the opposite of a needed predicate is needed as well.

    Returns:
        The operators that help to reach the goals, and the predicates that are needed for them.
    """
    changes_by_axioms = _changes_by_axioms(domain)
    if operators is None:
        operators = domain.operators
    signs_of_operators: dict[str, _OperatorSigns] = {}
    for name in operators:
        signs_of_operators[name] = _signs_of_operator(look_up("operator", name, domain.operators))
    previous_size = -1  # smaller than any set, so that there is a first round
    while previous_size != len(needed):
        previous_size = len(needed)
        if harmful:
            needed |= {(predicate, not value) for predicate, value in needed}
        # Axioms always apply, but operators only if they are relevant.
        applicable_changes = list(changes_by_axioms)
        for operator_signs in signs_of_operators.values():
            if operator_signs.helps(needed):
                needed |= operator_signs.asked
                applicable_changes += operator_signs.changes
        # Collected first, as the set must not grow while it is read.
        needed_by_changes: set[_NamedSign] = set()
        for change in applicable_changes:
            needed_by_changes |= _signs_asked_by_change(change, needed)
        needed |= needed_by_changes
    relevant_operators = tuple(
        name for name, operator_signs in signs_of_operators.items() if operator_signs.helps(needed)
    )
    return Relevance(relevant_operators, frozenset(predicate for predicate, _ in needed))


def _changes_by_axioms(domain: Domain) -> list[_ConditionalChange]:
    """Return for each rule of a domain that it makes its head true if its body holds."""
    changes: list[_ConditionalChange] = []
    for axiom in domain.axioms:
        needed_by_body = set(_signs_asked_by(axiom.body))
        changes.append(_ConditionalChange((axiom.head.predicate, True), needed_by_body))
    return changes


def _signs_asked_by_change(change: _ConditionalChange, needed: set[_NamedSign]) -> set[_NamedSign]:
    """Return the signed predicates that decide whether a needed conditional change happens.

    A change that makes a needed literal false must not happen, so the opposites of its conditions
    are needed.
    """
    predicate, value = change.sign
    signs: set[_NamedSign] = set()
    if (predicate, value) in needed:
        signs |= change.asked
    if (predicate, not value) in needed:
        signs |= {(other, not positive) for other, positive in change.asked}
    return signs


@lru_cache(maxsize=512)
def _signs_of_operator(operator: Operator) -> _OperatorSigns:
    """Return the signed predicates that an operator needs, and its changes."""
    changes = []
    for clause in clauses(operator.effect):
        sign = (clause.atom.predicate, clause.added)
        changes.append(_ConditionalChange(sign, set(_signs_asked_by(clause.condition))))
    return _OperatorSigns(set(_signs_asked_by(operator.precondition)), changes)


def _signs_asked_by(formula: Formula) -> Iterator[_NamedSign]:
    """Yield the predicates of a condition, each with the truth value that it must have."""
    for atom, is_positive in polarities(formula):
        yield atom.predicate, is_positive
