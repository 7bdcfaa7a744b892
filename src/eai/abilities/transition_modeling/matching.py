"""What a predicted operator and the annotated one have in common (paper, section D.4).

The clauses of the preconditions are matched with each other, and those of the effects. A clause
matches an identical one only ("if a sub-clause does not match, the entire clause is considered a
non-match"), and clauses are sets, so the maximum bipartite matching is their intersection. Two
disjunctions are matched disjunct by disjunct.

What the parameters are called makes no difference: each parameter of the prediction stands for
one of the annotation, and of all such assignments the one with the most matched literals counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple, Union

from eai.abilities.transition_modeling.clauses import (
    Change,
    Clause,
    changes,
    condition,
    parts,
    predicates,
)
from eai.abilities.transition_modeling.texts import PARTS, Overlap
from eai.pddl.model import Operator

__all__ = ["MAX_PARAMETERS", "match_operators", "unmatched"]

MAX_PARAMETERS = 5
"""Up to so many parameters all assignments are tried; beyond, those by name and by place."""


class _Clauses(NamedTuple):
    precondition: Clause
    effect: frozenset[Change]


_Set = frozenset[Union[Clause, Change]]
_NONE: _Set = frozenset()


@lru_cache(maxsize=1 << 12)
def match_operators(predicted: Operator, gold: Operator) -> tuple[Overlap, Overlap]:
    """Match the clauses of two operators; returns precondition, then effect.

    Args:
        predicted: The operator that a model wrote.
        gold: The annotated operator.
    """
    annotated = _clauses(gold, _placed(gold))
    best, most = _paired(_clauses(predicted, {}), annotated), -1
    for names in _assignments(predicted, gold):
        pairs = _paired(_clauses(predicted, names), annotated)
        count = sum(_count(one & other).total() for one, other in pairs)
        if count > most:
            best, most = pairs, count
        if most == sum((_count(one) & _count(other)).total() for one, other in pairs):
            break  # every assignment has these predicates, so none can have more in common
    before, after = (
        _overlap(gold.name, part, *pair) for part, pair in zip(PARTS, best, strict=True)
    )
    return before, after


def unmatched(operator: Operator, *, predicted: bool) -> tuple[Overlap, Overlap]:
    """Return the clauses of an operator that has no counterpart.

    Args:
        operator: The operator.
        predicted: Whether it is a prediction: its clauses are extra, else missing.
    """
    clauses = _clauses(operator, _placed(operator))
    before, after = (
        _overlap(operator.name, part, *((own, _NONE) if predicted else (_NONE, own)))
        for part, own in zip(PARTS, (_top(clauses.precondition), clauses.effect), strict=True)
    )
    return before, after


def _clauses(operator: Operator, names: Mapping[str, str]) -> _Clauses:
    return _Clauses(condition(operator.precondition, names), changes(operator.effect, names))


def _placed(operator: Operator) -> dict[str, str]:
    return {variable.name: f"@{i}" for i, variable in enumerate(operator.parameters)}


def _assignments(predicted: Operator, gold: Operator) -> Iterator[dict[str, str]]:
    """Names of the prediction's parameters to places of the annotation's, likely ones first."""
    own, places = [v.name for v in predicted.parameters], _placed(gold)
    free = [f"@{len(places) + i}" for i in range(len(own))]
    spare = iter(free)
    yield {name: places[name] if name in places else next(spare) for name in own}
    targets = [*places.values(), *free[: max(0, len(own) - len(places))]]
    if len(targets) > MAX_PARAMETERS:
        yield dict(zip(own, targets, strict=False))
        return
    for chosen in permutations(targets, len(own)):
        yield dict(zip(own, chosen, strict=True))


def _top(clause: Clause) -> frozenset[Clause]:
    return parts(clause, "and")


def _paired(predicted: _Clauses, gold: _Clauses) -> tuple[tuple[_Set, _Set], tuple[_Set, _Set]]:
    effects: tuple[_Set, _Set] = (frozenset(predicted.effect), frozenset(gold.effect))
    one, other = (parts(clause, "or") for clause in (predicted.precondition, gold.precondition))
    if len(one) == 1 or len(other) == 1:
        one, other = _top(predicted.precondition), _top(gold.precondition)
    return (frozenset(one), frozenset(other)), effects


def _count(clauses: Iterable[Clause | Change]) -> Counter[str]:
    return sum(map(predicates, clauses), Counter[str]())


def _overlap(operator: str, part: str, predicted: _Set, gold: _Set) -> Overlap:
    return Overlap(
        operator,
        part,
        _sorted(predicted & gold),
        _sorted(predicted - gold),
        _sorted(gold - predicted),
    )


def _sorted(clauses: _Set) -> dict[str, int]:
    return dict(sorted(_count(clauses).items()))
