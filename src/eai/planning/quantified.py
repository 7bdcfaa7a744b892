"""Objects for quantified variables, one combination after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, pairwise, product
from math import comb, prod

from eai.logic.formula import And, Equal, Exists, Forall, Formula, Not, Or

__all__ = ["bindings", "combinations_of", "interchangeable"]


def bindings(
    binding: list[str],
    places: Sequence[int],
    ranges: Sequence[Sequence[str]],
    count: Callable[[int], None],
) -> Iterator[None]:
    """Put every combination of objects into the places, one after the other.

    Args:
        binding: Where they are put.
        places: The places.
        ranges: The objects of each place.
        count: Called with the number of combinations before the first is made, and now and then;
            what it raises ends the work.
    """
    return _put(binding, places, product(*ranges), prod(map(len, ranges)), count)


def combinations_of(
    binding: list[str],
    places: Sequence[int],
    ranges: Sequence[Sequence[str]],
    count: Callable[[int], None],
) -> Iterator[None]:
    """As :func:`bindings` for places that have the same objects, each selection in one order."""
    names, size = ranges[0], len(places)
    every = combinations_with_replacement(names, size)
    return _put(binding, places, every, comb(len(names) + size - 1, size), count)


def _put(
    binding: list[str],
    places: Sequence[int],
    combinations: Iterable[tuple[str, ...]],
    number: int,
    count: Callable[[int], None],
) -> Iterator[None]:
    count(number * max(1, len(places)))
    for done, names in enumerate(combinations, start=1):
        for place, name in zip(places, names, strict=True):
            binding[place] = name
        yield
        if not done & 1023:
            count(0)  # a look at the clock


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
