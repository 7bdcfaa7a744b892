"""The effects of operators one by one: what each makes true or false, and when."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from eai.logic.formula import Atom, Formula, Variable, conjuncts, substitute
from eai.pddl.model import (
    AddEffect,
    AndEffect,
    DeleteEffect,
    Effect,
    ForallEffect,
    Operator,
    WhenEffect,
)
from eai.world.transition import World

__all__ = ["Achiever", "achievers"]


class Achiever(NamedTuple):
    """An effect that makes an atom true, or false, and the conditions for it.

    Variables that are no parameters of the operator stand for any object, and no two
    quantifiers and parameters share one.
    """

    operator: Operator
    atom: Atom
    conditions: tuple[Formula, ...]


@lru_cache(maxsize=1024)
def achievers(
    world: World, predicate: str, wanted: bool, names: tuple[str, ...]
) -> tuple[Achiever, ...]:
    """List the effects that make atoms of a predicate true, or false.

    Args:
        world: The world.
        predicate: Name of the predicate.
        wanted: Whether they are to become true.
        names: Names of the operators that may be used.
    """
    kind = AddEffect if wanted else DeleteEffect
    return tuple(
        Achiever(operator, effect.atom, (*conjuncts(operator.precondition), *conditions))
        for operator in map(world.domain.operators.__getitem__, names)
        for effect, conditions in _clauses(operator.effect)
        if isinstance(effect, kind) and effect.atom.predicate == predicate
    )


def _clauses(effect: Effect) -> Iterator[tuple[AddEffect | DeleteEffect, tuple[Formula, ...]]]:
    """The literals of an effect, each with the conditions under which it comes about."""
    if isinstance(effect, (AddEffect, DeleteEffect)):
        yield effect, ()
    elif isinstance(effect, AndEffect):
        for part in effect.parts:
            yield from _clauses(part)
    elif isinstance(effect, WhenEffect):
        for literal, conditions in _clauses(effect.effect):
            yield literal, (*conjuncts(effect.condition), *conditions)
    elif isinstance(effect, ForallEffect):
        # A quantified variable may have the name of a parameter.
        own = {each.name: Variable(f"{each.name}'", each.types) for each in effect.variables}
        for literal, conditions in _clauses(effect.effect):
            atom = substitute(literal.atom, own)
            assert isinstance(atom, Atom)  # noqa: S101 - it was one before
            yield type(literal)(atom), tuple(substitute(each, own) for each in conditions)
