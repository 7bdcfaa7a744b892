"""Conditions of which one excludes the other for ever, such as two things in one hand.

That an object never gets a second partner in a relation is an invariant of a domain if every
effect that adds a partner asks that there is none yet (Helmert 2009, section 5, for invariants of
one atom).
"""

from __future__ import annotations

from functools import lru_cache

from eai.abilities.subgoals.effects import Achiever, achievers
from eai.logic.formula import And, Atom, Exists, Formula, Not, conjuncts
from eai.world.state import State
from eai.world.transition import World

__all__ = ["exclusive"]


def exclusive(world: World, state: State, condition: Formula) -> tuple[Formula, ...]:
    """Find two conjuncts that never hold together.

    Args:
        world: The world.
        state: A state; nothing is said about what others lead to.
        condition: A closed condition.

    Returns:
        The conjunction of the two; empty if none was found.
    """
    partners: dict[object, Atom] = {}
    for part in conjuncts(condition):
        if isinstance(part, Atom) and len(part.terms) == 2 and _is_function(world, part.predicate):
            other = partners.setdefault((part.predicate, part.terms[0]), part)
            if other.terms != part.terms and _partners(state, part) < 2:
                return (And((other, part)),)
    return ()


def _partners(state: State, atom: Atom) -> int:
    """How many objects the first argument of an atom is related to."""
    row = state.rows[state.layout.index[atom.predicate]]
    return row[state.universe.number(str(atom.terms[0]))].bit_count()


@lru_cache(maxsize=1024)
def _is_function(world: World, predicate: str) -> bool:
    """Whether no action gives an object a second partner in a relation."""
    if predicate in world.derived:
        return False
    effects = [
        achievers(world, predicate, wanted=True, names=(name,)) for name in world.domain.operators
    ]
    return all(len(each) < 2 for each in effects) and all(
        _adds_one(effect) and _asks_for_none(world, effect) for each in effects for effect in each
    )


def _adds_one(effect: Achiever) -> bool:
    """Whether an effect is about parameters only, and so about one atom."""
    names = {parameter.name for parameter in effect.operator.parameters}
    return all(isinstance(term, str) or term.name in names for term in effect.atom.terms)


def _asks_for_none(world: World, effect: Achiever) -> bool:
    """Whether a condition of an effect is that the first argument has no partner yet."""
    first, predicate = effect.atom.terms[0], effect.atom.predicate
    return any(
        isinstance(each, Not) and _says_some(world, each.operand, predicate, first)
        for each in effect.conditions
    )


def _says_some(world: World, condition: Formula, predicate: str, first: object) -> bool:
    """Whether a condition holds if something has a partner, as a rule may say."""
    if not isinstance(condition, Atom):
        return _is_some(condition, predicate, first)
    rules = [rule for rule in world.domain.axioms if rule.head.predicate == condition.predicate]
    return condition.terms == (first,) and any(
        getattr(rule.head.terms[0], "types", None) == ("object",)
        and _is_some(rule.body, predicate, rule.head.terms[0])
        for rule in rules
    )


def _is_some(condition: Formula, predicate: str, first: object) -> bool:
    if not isinstance(condition, Exists) or len(condition.variables) != 1:
        return False
    (variable,), body = condition.variables, condition.body
    return (
        variable.types == ("object",)
        and isinstance(body, Atom)
        and body.predicate == predicate
        and body.terms == (first, variable)
        and first != variable
    )
