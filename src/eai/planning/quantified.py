"""Objects for quantified variables, one combination after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from eai.logic.formula import And, Equal, Exists, Forall, Formula, Not, Or

__all__ = ["bindings", "combinations_of", "interchangeable"]


def bindings(
    binding: list[str],
    places: Sequence[int],
    ranges: Sequence[Sequence[str]],
    tick: Callable[[], None],
) -> Iterator[None]:
    """Put every combination of objects into the places, one after the other."""
    if not places:
        yield
        return
    tick()
    place = places[0]
    for name in ranges[0]:
        binding[place] = name
        yield from bindings(binding, places[1:], ranges[1:], tick)


def combinations_of(
    binding: list[str],
    places: Sequence[int],
    ranges: Sequence[Sequence[str]],
    tick: Callable[[], None],
) -> Iterator[None]:
    """As :func:`bindings` for places that have the same objects, each selection in one order."""
    if not places:
        yield
        return
    tick()
    names = ranges[0]
    for number, name in enumerate(names):
        binding[places[0]] = name
        left = [names[number:]] * (len(places) - 1)
        yield from combinations_of(binding, places[1:], left, tick)


def interchangeable(formula: Forall | Exists) -> bool:
    """Whether it makes no difference which of the variables stands for which object.

    Args:
        formula: A quantified condition; with one variable there is nothing to exchange.
    """
    variables = formula.variables
    if len(variables) < 2 or any(v.types != variables[0].types for v in variables):
        return False
    shape = _shape(formula.body)
    return all(
        _shape(formula.body.substitute({one.name: other, other.name: one})) == shape
        for one, other in pairwise(variables)
    )


def _shape(formula: Formula) -> object:
    """What two conditions have in common that differ in the order of their parts only."""
    if isinstance(formula, Not):
        return Not, _shape(formula.operand)
    if isinstance(formula, (And, Or)):
        return type(formula), frozenset(map(_shape, formula.operands))
    if isinstance(formula, Equal):
        return Equal, frozenset((formula.left, formula.right))
    return formula
