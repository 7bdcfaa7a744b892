"""Counting what predicted and annotated operators share, under any set of quirks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from eai.abilities.transition_modeling.matching import PARTS, OperatorText, Overlap
from eai.diagnosis.result import Finding, Match
from eai.diagnosis.taxonomy import ErrorKind
from eai.semantics import Semantics
from eai.suites.transition.counting import (
    EMPTY,
    Comparison,
    Form,
    compare_forms,
    literals,
    read_form,
)

__all__ = ["UNKNOWN", "TextCounts", "count_clauses", "count_matches", "overlaps_of_texts"]

UNKNOWN = "unknown"
"""Kind of match of predicates that have no category, because the domain does not have them."""

_Kinds = dict[str, list[int]]
"""Category to true positives, false positives and false negatives."""

_Counts = tuple[Mapping[str, int], Mapping[str, int], Mapping[str, int]]
"""Predicates that are shared, extra and missing, with how often they count."""


def count_matches(
    overlaps: Iterable[Overlap], categories: Mapping[str, str], *, unknown: bool = True
) -> tuple[Match, ...]:
    """Add up by category of predicates.

    Args:
        overlaps: What the parts of operators have in common.
        categories: Predicate to category; all others are :data:`UNKNOWN`.
        unknown: Whether these count.
    """
    counted = [
        _by_category((overlap.shared, overlap.extra, overlap.missing), categories)
        for overlap in overlaps
    ]
    return _matches(_added(counted), unknown=unknown)


def count_clauses(
    overlaps: Sequence[Overlap], categories: Mapping[str, str], semantics: Semantics
) -> tuple[tuple[Match, ...], tuple[Finding, ...]]:
    """Return the matches by category, and where the published evaluator stops.

    Args:
        overlaps: What the parts of operators have in common.
        categories: Predicate to category.
        semantics: The quirks.
    """
    unknown = "unknown_predicates_ignored" not in semantics
    stops = () if unknown else _stops(overlaps, categories)
    return count_matches(overlaps, categories, unknown=unknown), stops


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
    counting = _counting(semantics)
    names = [*predicted, *(name for name in gold if name not in predicted)]
    if "missing_operators_ignored" in semantics:
        names = [*predicted]
    if "unasked_operators_ignored" in semantics:
        names = [name for name in names if name in gold]
    return tuple(
        overlap
        for name in names
        for overlap in counting.overlaps(predicted.get(name), gold.get(name))
    )


class TextCounts:
    """Counts what operators as they are written have in common with those of one environment.

    Answers repeat operators, so what was counted once is kept.

    Args:
        operators: Name to annotated operator.
        categories: Predicate to category.
        semantics: The quirks.
    """

    def __init__(
        self,
        operators: Mapping[str, OperatorText],
        categories: Mapping[str, str],
        semantics: Semantics,
    ) -> None:
        self._operators = operators
        self._categories = categories
        self._missing_count = "missing_operators_ignored" not in semantics
        self._unasked_count = "unasked_operators_ignored" not in semantics
        self._counting = _counting(semantics)
        self._unknown = "unknown_predicates_ignored" not in semantics
        self._pair = lru_cache(maxsize=1 << 12)(self._counted)
        self._part = lru_cache(maxsize=1 << 12)(self._counted_part)

    def count(
        self, predicted: Mapping[str, OperatorText], asked: Collection[str]
    ) -> tuple[tuple[Match, ...], tuple[Finding, ...]]:
        """Return the matches, and where the published evaluator stops.

        Args:
            predicted: Operators of the answer by name.
            asked: Names of the operators that were asked for.
        """
        operators = self._operators
        counted = [
            self._pair(own, operators[name] if name in asked else None)
            for name, own in predicted.items()
            if name in asked or self._unasked_count
        ]
        if self._missing_count:
            missing = [name for name in asked if name not in predicted]
            counted += [self._pair(None, operators[name]) for name in missing]
        matches = _matches(_added([found.kinds for found in counted]), unknown=self._unknown)
        if self._unknown:
            return matches, ()
        return matches, tuple([stop for found in counted for stop in found.stops])

    def _counted(self, own: OperatorText | None, gold: OperatorText | None) -> _Counted:
        known = gold or own
        name = known.name if known else ""
        kinds: list[_Kinds] = []
        stops: list[Finding] = []
        for part in PARTS:
            found, strange = self._part(getattr(own, part, None), getattr(gold, part, None))
            kinds.append(found)
            stops += [_stop(name, part, predicate) for predicate in strange]
        return _Counted(_added(kinds), tuple(stops))

    def _counted_part(self, own: str | None, gold: str | None) -> tuple[_Kinds, list[str]]:
        """What two parts have in common, by category, and what of it has no category."""
        counts = self._counting.counts(own, gold)
        strange = [name for name in counts[0] if name not in self._categories]
        return _by_category(counts, self._categories), strange


class _Counted(NamedTuple):
    """What two operators have in common, by category, and where counting it stops."""

    kinds: _Kinds
    stops: tuple[Finding, ...]


def _by_category(counts: _Counts, categories: Mapping[str, str]) -> _Kinds:
    found: _Kinds = {}
    for place, predicates in enumerate(counts):
        for predicate, times in predicates.items():
            category = categories.get(predicate, UNKNOWN)
            if category not in found:
                found[category] = [0, 0, 0]
            found[category][place] += times
    return found


def _added(counted: Iterable[_Kinds]) -> _Kinds:
    totals: _Kinds = {}
    for kinds in counted:
        for kind, (tp, fp, fn) in kinds.items():
            if kind not in totals:
                totals[kind] = [tp, fp, fn]
                continue
            total = totals[kind]
            total[0] += tp
            total[1] += fp
            total[2] += fn
    return totals


def _matches(totals: _Kinds, *, unknown: bool) -> tuple[Match, ...]:
    kinds = [kind for kind in sorted(totals) if unknown or kind != UNKNOWN]
    return tuple([_match(kind, *totals[kind]) for kind in kinds])


@lru_cache(maxsize=1 << 12)
def _match(kind: str, tp: int, fp: int, fn: int) -> Match:
    return Match(kind, tp, fp, fn)


def _stops(overlaps: Iterable[Overlap], categories: Mapping[str, str]) -> tuple[Finding, ...]:
    return tuple(
        _stop(overlap.operator, overlap.part, predicate)
        for overlap in overlaps
        for predicate in overlap.shared
        if predicate not in categories
    )


def _stop(operator: str, part: str, predicate: str) -> Finding:
    """Where the published evaluator looks up a predicate that has no category."""
    message = f"{operator}, {part}: {predicate} has no category (a KeyError)"
    return Finding(ErrorKind.UNSCORABLE, message)


def _counting(semantics: Semantics) -> _Counting:
    return _Counting(
        vanish="unreadable_parts_vanish" in semantics,
        names_only="names_of_predicates" in semantics,
        mixed="mixed_indices" in semantics,
        overlapping="overlapping_credit" in semantics,
    )


class _Counting(NamedTuple):
    """How clauses count."""

    vanish: bool
    names_only: bool
    mixed: bool
    overlapping: bool

    def overlaps(
        self, predicted: OperatorText | None, gold: OperatorText | None
    ) -> tuple[Overlap, ...]:
        """Compare two operators, of which one may be missing."""
        return tuple([self._overlap(part, predicted, gold) for part in PARTS])

    def _overlap(
        self, part: str, predicted: OperatorText | None, gold: OperatorText | None
    ) -> Overlap:
        known = gold or predicted
        counts = self.counts(getattr(predicted, part, None), getattr(gold, part, None))
        return Overlap(known.name if known else "", part, *counts)

    def counts(self, own: str | None, annotated: str | None) -> _Counts:
        """Count the predicates of one part: shared, extra and missing ones."""
        found = self._compared(own, annotated)
        return self._count(found.shared), self._count(found.extra), self._count(found.missing)

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
        if not clauses:
            return {}
        names = chain.from_iterable(map(_predicates, clauses))
        counts = dict.fromkeys(names, 1) if self.names_only else dict(Counter(names))
        counts.pop(EMPTY, None)
        return counts


@lru_cache(maxsize=1 << 12)
def _predicates(clause: Form) -> list[str]:
    return [literal.partition(" ")[0] for literal in literals(clause)]


def _clauses(text: str | None) -> tuple[Form, ...]:
    if text is None:
        return ()
    try:
        return (read_form(text),)
    except ValueError:
        return ()
