"""Conditions as functions of a state, also where quantifiers range over a problem's own types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from eai.errors import InputError
from eai.logic.algebra import Bits
from eai.logic.formula import (
    And,
    Count,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Iff,
    Implies,
    Not,
    Or,
    Variable,
    Xor,
)
from eai.world.state import State
from eai.world.transition import World
from eai.world.universe import Universe

__all__ = ["Test", "test_of"]

Test = Callable[[State], bool]

_COMPARED = {"exactly": int.__eq__, "at least": int.__ge__, "at most": int.__le__}


def test_of(condition: Formula, world: World, universe: Universe) -> Test:
    """Return a closed condition as a function of a state.

    Args:
        condition: The condition; its quantifiers may range over types that only the problem knows.
        world: The world.
        universe: The objects.

    Raises:
        InputError: If the condition has free or unknown names.
    """
    try:
        return world.test_of(condition, universe)
    except InputError:
        if isinstance(condition, ForPairs):
            return _pairs(condition, world, universe)
        if isinstance(condition, (Exists, Forall, Count)):
            return _quantified(condition, world, universe)
        if isinstance(condition, (Not, And, Or, Implies, Iff, Xor)):
            parts = [test_of(part, world, universe) for part in condition.operands]
            return _joined(condition, parts)
        raise


def _joined(condition: Formula, parts: Sequence[Test]) -> Test:
    if isinstance(condition, And):
        return lambda state: all(part(state) for part in parts)
    if isinstance(condition, Or):
        return lambda state: any(part(state) for part in parts)
    first, last = parts[0], parts[-1]
    if isinstance(condition, Not):
        return lambda state: not first(state)
    if isinstance(condition, Implies):
        return lambda state: not first(state) or last(state)
    same = isinstance(condition, Iff)
    return lambda state: (first(state) is last(state)) is same


def _instances(
    variables: Sequence[Variable], body: Formula, world: World, universe: Universe
) -> Iterator[tuple[tuple[str, ...], Test]]:
    """The objects of bound variables, and the test of the body for them."""
    names = [variable.name for variable in variables]
    for objects in product(*[universe.of_types(variable.types) for variable in variables]):
        closed = body.substitute(dict(zip(names, objects, strict=True)))
        yield objects, test_of(closed, world, universe)


def _quantified(condition: Exists | Forall | Count, world: World, universe: Universe) -> Test:
    bound = (condition.variable,) if isinstance(condition, Count) else condition.variables
    parts = [test for _, test in _instances(bound, condition.body, world, universe)]
    if isinstance(condition, Count):
        compared, number = _COMPARED[condition.comparison], condition.number
        return lambda state: compared(sum(part(state) for part in parts), number)
    return _joined(And(()) if isinstance(condition, Forall) else Or(()), parts)


def _pairs(condition: ForPairs, world: World, universe: Universe) -> Test:
    bound = condition.first, condition.second
    sides = universe.of_types(bound[0].types), universe.of_types(bound[1].types)
    tests = [
        ((first, second), test)
        for (first, second), test in _instances(bound, condition.body, world, universe)
        if first != second
    ]
    return lambda state: bool(
        condition.paired(Bits(1), {pair: int(test(state)) for pair, test in tests}, sides)
    )
