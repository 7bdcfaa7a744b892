"""The effects of operators one by one: what each makes true or false, and when."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from eai.logic.formula import Atom, Formula, conjuncts
from eai.pddl.model import Operator, clauses
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
    return tuple(
        Achiever(
            operator,
            clause.atom,
            (*conjuncts(operator.precondition), *conjuncts(clause.condition)),
        )
        for operator in map(world.domain.operators.__getitem__, names)
        for clause in clauses(operator.effect, [each.name for each in operator.parameters])
        if clause.added == wanted and clause.atom.predicate == predicate
    )
