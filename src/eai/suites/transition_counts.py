"""Counting what predicted and annotated operators share, under any set of quirks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from eai.abilities.operator_texts import PARTS, OperatorText, Overlap
from eai.diagnosis.judgement import Finding, Match
from eai.diagnosis.taxonomy import ErrorKind
from eai.semantics import Semantics
from eai.suites.transition_counting import Comparison, compare_forms
from eai.suites.transition_forms import EMPTY, Form, literals, read_form

__all__ = ["UNKNOWN", "TextCounts", "count_clauses", "count_matches", "overlaps_of_texts"]

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
    return _matches([_by_category(overlaps, categories)], unknown=unknown)


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
        self._counted: dict[tuple[OperatorText | None, OperatorText | None], _Counted] = {}

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
        matches = _matches([found.kinds for found in counted], unknown=self._unknown)
        if self._unknown:
            return matches, ()
        return matches, tuple([stop for found in counted for stop in found.stops])

    def _pair(self, own: OperatorText | None, gold: OperatorText | None) -> _Counted:
        found = self._counted.get((own, gold))
        if found is None:
            overlaps = self._counting.overlaps(own, gold)
            kinds = _by_category(overlaps, self._categories)
            found = _Counted(kinds, _stops(overlaps, self._categories))
            self._counted[own, gold] = found
        return found


class _Counted(NamedTuple):
    """What two operators have in common, by category, and where counting it stops."""

    kinds: Mapping[str, Sequence[int]]
    stops: tuple[Finding, ...]


def _by_category(
    overlaps: Iterable[Overlap], categories: Mapping[str, str]
) -> dict[str, list[int]]:
    """Category to true positives, false positives and false negatives."""
    found: dict[str, list[int]] = {}
    for overlap in overlaps:
        for place, part in enumerate((overlap.shared, overlap.extra, overlap.missing)):
            for predicate, times in part.items():
                category = categories.get(predicate, UNKNOWN)
                found.setdefault(category, [0, 0, 0])[place] += times
    return found


def _matches(counted: Iterable[Mapping[str, Sequence[int]]], *, unknown: bool) -> tuple[Match, ...]:
    totals: dict[str, Sequence[int]] = {}
    for kinds in counted:
        for kind, (tp, fp, fn) in kinds.items():
            before = totals.get(kind, (0, 0, 0))
            totals[kind] = (before[0] + tp, before[1] + fp, before[2] + fn)
    if not unknown:
        totals.pop(UNKNOWN, None)
    return tuple([_match(kind, *totals[kind]) for kind in sorted(totals)])


@lru_cache(maxsize=1 << 12)
def _match(kind: str, tp: int, fp: int, fn: int) -> Match:
    return Match(kind, tp, fp, fn)


def _stops(overlaps: Iterable[Overlap], categories: Mapping[str, str]) -> tuple[Finding, ...]:
    """Where the published evaluator looks up a predicate that has no category."""
    return tuple(
        Finding(
            ErrorKind.UNSCORABLE,
            f"{overlap.operator}, {overlap.part}: {predicate} has no category (a KeyError)",
        )
        for overlap in overlaps
        for predicate in overlap.shared
        if predicate not in categories
    )


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
        found = self._compared(getattr(predicted, part, None), getattr(gold, part, None))
        known = gold or predicted
        return Overlap(
            known.name if known else "",
            part,
            self._count(found.shared),
            self._count(found.extra),
            self._count(found.missing),
        )

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
        if not clauses:
            return counts
        for clause in clauses:
            for name in _predicates(clause):
                counts[name] = 1 if self.names_only else counts.get(name, 0) + 1
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
