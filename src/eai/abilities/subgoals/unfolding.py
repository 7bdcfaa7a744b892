"""What a subgoal comes to in a state, and which objects may help with it, by a domain's rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from eai.budget import Meter
from eai.logic.formula import (
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Variable,
    atoms,
    conjuncts,
)
from eai.world.bits import bits
from eai.world.state import State
from eai.world.transition import World

__all__ = ["helpers", "unfolded"]

_FEW = 3
"""So many objects of each property are taken to be of help."""
_MOST_INSTANCES = 20
""""For all" is taken apart if it is open for no more objects."""


def helpers(world: World, state: State) -> tuple[str, ...]:
    """Objects with a property that some condition asks of an object that it does not name.

    Such as a knife, where to cut something takes one: a subgoal seldom mentions them. Of every
    property the first few objects that have it are taken.
    """
    names, index = state.universe.names, state.layout.index
    found: dict[str, None] = {}
    for predicate in _asked_of_unnamed(world):
        owners = [names[i] for i in bits(state.unary[index[predicate]])]
        found.update(dict.fromkeys(owners[:_FEW]))
    return tuple(found)


@lru_cache(maxsize=64)
def _asked_of_unnamed(world: World) -> tuple[str, ...]:
    """Static predicates of one object that stand below ``exists`` in a condition."""
    domain = world.domain
    conditions = [operator.precondition for operator in domain.operators.values()]
    conditions += [axiom.body for axiom in domain.axioms]
    return tuple(dict.fromkeys(name for each in conditions for name in _properties(each, world)))


def _properties(condition: Formula, world: World) -> Iterator[str]:
    for node in condition.walk():
        if isinstance(node, Exists):
            bound = {variable.name for variable in node.variables}
            for atom in atoms(node):
                if isinstance(atom, Atom) and len(atom.terms) == 1 and _static(atom, world):
                    (term,) = atom.terms
                    if isinstance(term, Variable) and term.name in bound:
                        yield atom.predicate


def unfolded(world: World, state: State, goal: Formula, *, meter: Meter) -> Formula:
    """Replace conjuncts that come to a condition on several objects by that condition.

    These are ``forall``, and derived atoms whose rule has it: something that was cut up is where
    its parts are. Then there is a conjunct for each object, and they can be reached one by one.
    """
    parts: list[Formula] = []
    for part in conjuncts(goal):
        several = _several(world, state, part) if isinstance(part, Atom) else ()
        if isinstance(part, Forall) and len(part.variables) == 1:
            meter.count_instances(world.instances(part, state.universe))
            several = _open_instances(world, state, part)
        parts += several or (part,)
    return goal if parts == list(conjuncts(goal)) else And(tuple(parts))


def _open_instances(world: World, state: State, part: Forall) -> tuple[Formula, ...]:
    """What has to be made true for the objects for which a ``forall`` does not hold."""
    (variable,) = part.variables
    found: list[Formula] = []
    for name in state.universe.of_types(variable.types):
        instance = part.body.substitute({variable.name: name})
        if isinstance(instance, Implies) and world.holds(state, instance.left):
            instance = instance.right
        if not world.holds(state, instance):
            found.append(instance)
            if len(found) > _MOST_INSTANCES:
                return ()
    return tuple(found)


def _several(world: World, state: State, atom: Atom) -> tuple[Formula, ...]:
    if atom.predicate not in world.derived or world.holds(state, atom):
        return ()
    for axiom in world.domain.axioms:
        if axiom.head.predicate != atom.predicate:
            continue
        places = (term.name for term in axiom.head.terms if isinstance(term, Variable))
        body = axiom.body.substitute(dict(zip(places, atom.terms, strict=True)))
        for case in body.operands if isinstance(body, Or) else (body,):
            found = _instances(world, state, conjuncts(case))
            if found:
                return found
    return ()


def _instances(world: World, state: State, parts: tuple[Formula, ...]) -> tuple[Formula, ...]:
    """What is left to do of conjuncts with a ``forall``, if the others hold."""
    found: list[Formula] = []
    for part in parts:
        if isinstance(part, Forall) and len(part.variables) == 1:
            (variable,) = part.variables
            for name in state.universe.of_types(variable.types):
                found += _left(world, state, part.body.substitute({variable.name: name}))
        elif part.free or not world.holds(state, part):
            return ()
    return tuple(found)


def _left(world: World, state: State, condition: Formula) -> list[Formula]:
    """The condition without what static facts decide; nothing if they make it true."""
    cases = condition.operands if isinstance(condition, Or) else (condition,)
    if any(_static(case, world) and world.holds(state, case) for case in cases):
        return []
    rest = tuple(case for case in cases if not _static(case, world))
    return [rest[0] if len(rest) == 1 else Or(rest)]


def _static(formula: Formula, world: World) -> bool:
    inner = formula.operand if isinstance(formula, Not) else formula
    names = {each.predicate for each in atoms(inner) if isinstance(each, Atom)}
    return names.isdisjoint(world.domain.fluents)
