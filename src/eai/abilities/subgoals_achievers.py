"""Whether anything in a world can make an atom true, by what no action changes.

A subgoal that nothing can ever reach is told without a search, and with its reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from eai.logic.formula import (
    And,
    Atom,
    Formula,
    Not,
    Term,
    atoms,
    free_variables,
    substitute,
)
from eai.pddl.model import AddEffect, DeleteEffect, Operator, literal_effects
from eai.world.state import State
from eai.world.transition import World

__all__ = ["obstacles"]


def obstacles(
    world: World, state: State, condition: Formula, *, agent: str, operators: Iterable[str]
) -> tuple[Formula, ...]:
    """Find what no action can change and what keeps a condition from ever being true.

    Args:
        world: The world.
        state: A state; what does not hold in it has to be made true.
        condition: A closed condition.
        agent: The object that acts.
        operators: Names of the operators that may be used.

    Returns:
        Conditions that would have to hold, for one literal of the condition that cannot be made
        true; the literal itself if no operator is about it at all. Empty if a way is not
        excluded: only literals that all have to hold are looked at.
    """
    names = tuple(operators)
    for literal in _literals(condition):
        if not world.holds(state, literal):
            reasons = _reasons(world, state, literal, agent, names)
            if reasons is not None:
                return reasons or (literal,)
    return ()


def _literals(condition: Formula) -> Iterator[Formula]:
    """The ground literals that a condition has as conjuncts."""
    pending = [condition]
    while pending:
        part = pending.pop()
        if isinstance(part, And):
            pending += reversed(part.operands)
        elif isinstance(part, Atom) or (isinstance(part, Not) and isinstance(part.operand, Atom)):
            yield part


def _reasons(
    world: World, state: State, literal: Formula, agent: str, names: tuple[str, ...]
) -> tuple[Formula, ...] | None:
    """Static conditions that keep every achiever away; None if one is not kept away."""
    atom = literal.operand if isinstance(literal, Not) else literal
    assert isinstance(atom, Atom)  # noqa: S101 - only literals are looked at
    if atom.predicate in world.derived:
        return None
    found: dict[Formula, None] = {}
    wanted = isinstance(literal, Atom)
    for operator, pattern in _achievers(world, atom.predicate, wanted, names):
        binding = _unified(operator, pattern, atom, agent)
        if binding is None:
            continue
        failing = next(_failing(world, state, operator, binding), None)
        if failing is None:
            return None
        found[failing] = None
    return tuple(found)


@lru_cache(maxsize=1024)
def _achievers(
    world: World, predicate: str, wanted: bool, names: tuple[str, ...]
) -> tuple[tuple[Operator, Atom], ...]:
    kind, domain = AddEffect if wanted else DeleteEffect, world.domain
    return tuple(
        (domain.operators[name], effect.atom)
        for name in names
        for effect in literal_effects(domain.operators[name].effect)
        if isinstance(effect, kind) and effect.atom.predicate == predicate
    )


def _unified(
    operator: Operator, pattern: Atom, atom: Atom, agent: str
) -> Mapping[str, Term] | None:
    """Parameters of an operator for which an effect is the atom; None if there are none."""
    parameters = {parameter.name for parameter in operator.parameters}
    binding: dict[str, Term] = {operator.parameters[0].name: agent} if parameters else {}
    for place, term in zip(pattern.terms, atom.terms, strict=True):
        if isinstance(place, str):
            if place != term:
                return None
        elif place.name in parameters and binding.setdefault(place.name, term) != term:
            return None
    return binding


def _failing(
    world: World, state: State, operator: Operator, binding: Mapping[str, Term]
) -> Iterator[Formula]:
    """The tests of an operator that can be decided now, for ever, and fail."""
    for test in world.operator(operator.name).tests:
        bound = substitute(test, binding)
        if not free_variables(bound) and _is_static(bound, world) and not world.holds(state, bound):
            yield bound


def _is_static(condition: Formula, world: World) -> bool:
    fluents = world.domain.fluents
    return not any(
        isinstance(each, Atom) and each.predicate in fluents for each in atoms(condition)
    )
