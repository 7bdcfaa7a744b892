"""Counting what predicted and annotated operators share, under any set of quirks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from eai.abilities.operator_texts import PARTS, OperatorText, Overlap
from eai.diagnosis.judgement import Match
from eai.semantics import Semantics
from eai.suites.transition_counting import Comparison, compare_forms
from eai.suites.transition_forms import EMPTY, Form, literals, read_form

__all__ = ["UNKNOWN", "count_matches", "overlaps_of_texts"]

UNKNOWN = "unknown"
"""Kind of match of predicates that have no category, because the domain does not have them."""


def count_matches(
    overlaps: Iterable[Overlap], categories: Mapping[str, str], *, unknown: bool = True
) -> tuple[Match, ...]:
    """Add up by category of predicates.

    Args:
        overlaps: What the parts of operators have in common.
        categories: Predicate to category; all others are :data:`UNKNOWN`.
        unknown: Whether these count.
    """
    tp, fp, fn = Counter[str](), Counter[str](), Counter[str]()
    for overlap in overlaps:
        for total, part in ((tp, overlap.shared), (fp, overlap.extra), (fn, overlap.missing)):
            for predicate, times in part.items():
                total[categories.get(predicate, UNKNOWN)] += times
    kinds = sorted({*tp, *fp, *fn} - (set() if unknown else {UNKNOWN}))
    return tuple(Match(kind, tp[kind], fp[kind], fn[kind]) for kind in kinds)


def overlaps_of_texts(
    predicted: Mapping[str, OperatorText],
    gold: Mapping[str, OperatorText],
    semantics: Semantics,
) -> tuple[Overlap, ...]:
    """Compare operators as they are written (``clauses_as_written``).

    Args:
        predicted: Operators of the answer by name.
        gold: Annotated operators by name: those that were asked for.
        semantics: The quirks.
    """
    names = [*predicted, *(name for name in gold if name not in predicted)]
    if "missing_operators_ignored" in semantics:
        names = [*predicted]
    if "unasked_operators_ignored" in semantics:
        names = [name for name in names if name in gold]
    counting = _Counting(
        vanish="unreadable_parts_vanish" in semantics,
        names_only="names_of_predicates" in semantics,
        mixed="mixed_indices" in semantics,
        overlapping="overlapping_credit" in semantics,
    )
    return tuple(
        overlap
        for name in names
        for overlap in _overlaps(counting, predicted.get(name), gold.get(name))
    )


@lru_cache(maxsize=1 << 13)
def _overlaps(
    counting: _Counting, predicted: OperatorText | None, gold: OperatorText | None
) -> tuple[Overlap, ...]:
    """Compare two operators, of which one may be missing; the same ones come again and again."""
    return tuple(counting.overlap(part, predicted, gold) for part in PARTS)


class _Counting(NamedTuple):
    """How clauses count."""

    vanish: bool
    names_only: bool
    mixed: bool
    overlapping: bool

    def overlap(
        self, part: str, predicted: OperatorText | None, gold: OperatorText | None
    ) -> Overlap:
        own, annotated = getattr(predicted, part, None), getattr(gold, part, None)
        found = self._compared(own, annotated)
        name = next(operator.name for operator in (gold, predicted) if operator is not None)
        counts = map(self._count, (found.shared, found.extra, found.missing))
        return Overlap(name, part, *counts)

    def _compared(self, own: str | None, annotated: str | None) -> Comparison:
        if own is None or annotated is None:
            return Comparison(0.0, (), _clauses(own), _clauses(annotated))
        found = compare_forms(
            own, annotated, mixed_indices=self.mixed, overlapping_credit=self.overlapping
        )
        if found.readable or self.vanish:
            return found
        return found._replace(missing=_clauses(annotated))

    def _count(self, clauses: Sequence[Form]) -> dict[str, int]:
        counts: dict[str, int] = {}
        for clause in clauses:
            for literal in literals(clause):
                name = literal.partition(" ")[0]
                counts[name] = 1 if self.names_only else counts.get(name, 0) + 1
        counts.pop(EMPTY, None)
        return counts


def _clauses(text: str | None) -> tuple[Form, ...]:
    if text is None:
        return ()
    try:
        return (read_form(text),)
    except ValueError:
        return ()
