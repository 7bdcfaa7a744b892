"""Counting what predicted and annotated operators share, under any set of quirks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Union

from eai import abilities
from eai.abilities import PARTS, OperatorText, Overlap
from eai.diagnosis import ErrorKind, Finding, Match
from eai.semantics import Semantics
from eai.suites.transition.counting import EMPTY, Form, compare_forms, literals, read_form

if TYPE_CHECKING:
    from eai.pddl import Operator

UNKNOWN = "unknown"
"""Kind of match of predicates that have no category, because the domain does not have them."""

_Shares = tuple[Mapping[str, int], Mapping[str, int], Mapping[str, int]]
"""Predicates that are shared, extra and missing, with how often they count."""

_Compared = Union[OperatorText, "Operator", None]


class Counts:
    """Counts the predicates that operators share with the annotated ones.

    Answers repeat operators, so what was counted once is kept.
    """

    def __init__(self, categories: Mapping[str, str], semantics: Semantics) -> None:
        """Look up which quirks apply, and prepare caches of comparisons."""
        self._categories = categories
        self._unknown_count = "unknown_predicates_ignored" not in semantics
        self._unreadable_count = "unreadable_parts_vanish" not in semantics
        self._unasked_count = "unasked_operators_ignored" not in semantics
        self._missing_count = "missing_operators_ignored" not in semantics
        self._names_count_once = "names_of_predicates" in semantics
        # The quirks about matching clauses, as keyword arguments of `compare_forms`.
        matching_quirks = ("mixed_indices", "overlapping_credit")
        self._comparing = {quirk: quirk in semantics for quirk in matching_quirks}
        self._counted = lru_cache(maxsize=1 << 10)(self._count)
        self._shares_of = lru_cache(maxsize=1 << 12)(self._shares)

    def count(
        self,
        predicted: Mapping[str, _Compared],
        gold: Mapping[str, _Compared],
        asked: Collection[str],
    ) -> tuple[tuple[Match, ...], tuple[Finding, ...]]:
        """Return the matches by category, and findings where the published evaluator crashes.

        Args:
            predicted: Name to predicted operator; None for an operator that cannot be read.
            gold: Name to annotated operator.
            asked: Names of the operators that the task asks for.
        """
        totals: dict[str, list[int]] = {}
        crashes: list[Finding] = []
        for operator, annotated in self._pairs(predicted, gold, asked):
            counted = self._counted(operator, annotated)
            crashes += counted.stops
            for category, (n_shared, n_extra, n_missing) in counted.kinds.items():
                total = totals.setdefault(category, [0, 0, 0])
                total[0] += n_shared
                total[1] += n_extra
                total[2] += n_missing
        if not self._unknown_count:
            # Unknown predicates are ignored, so reports have no row for them.
            totals.pop(UNKNOWN, None)
        matches = [Match(category, *totals[category]) for category in sorted(totals)]
        return tuple(matches), tuple(crashes)

    def _pairs(
        self,
        predicted: Mapping[str, _Compared],
        gold: Mapping[str, _Compared],
        asked: Collection[str],
    ) -> Iterator[tuple[_Compared, _Compared]]:
        """Yield the pairs of predicted and annotated operators that are compared.

        Args:
            predicted: Name to predicted operator; None for an operator that cannot be read.
            gold: Name to annotated operator.
            asked: Names of the operators that the task asks for.
        """
        for name, operator in predicted.items():
            if name in asked:
                if operator is not None or self._unreadable_count:
                    yield operator, gold[name]
            elif operator is not None and self._unasked_count:
                yield operator, None
        if not self._missing_count:
            return
        for name in asked:
            if name not in predicted:
                yield None, gold[name]

    def overlaps(self, predicted: _Compared, gold: _Compared) -> tuple[Overlap, Overlap]:
        """Return the overlaps of two operators, one for preconditions and one for effects.

        Texts are compared as they are written (``clauses_as_written``), operators clause by
        clause (section D.4).
        """
        present = gold or predicted
        if present is not None and not isinstance(present, OperatorText):
            if predicted is None or gold is None:
                return abilities.unmatched(present, predicted=gold is None)
            return abilities.match_operators(predicted, gold)
        name = present.name if present else ""
        overlaps = []
        for part in PARTS:
            shares = self._shares_of(getattr(predicted, part, None), getattr(gold, part, None))
            overlaps.append(Overlap(name, part, *shares))
        precondition, effect = overlaps
        return precondition, effect

    def _count(self, predicted: _Compared, gold: _Compared) -> _Counted:
        """Count the shared, extra and missing predicates of two operators by category."""
        counts_by_category: dict[str, list[int]] = {}
        crashes: list[Finding] = []
        # The overlaps of the preconditions and of the effects; each count has three columns.
        for overlap in self.overlaps(predicted, gold):
            for column, predicates in enumerate((overlap.shared, overlap.extra, overlap.missing)):
                for predicate, count in predicates.items():
                    category = self._categories.get(predicate, UNKNOWN)
                    counts_by_category.setdefault(category, [0, 0, 0])[column] += count
            if not self._unknown_count:
                crashes += self._stops_at_unknown(overlap)
        return _Counted(counts_by_category, tuple(crashes))

    def _stops_at_unknown(self, overlap: Overlap) -> Iterator[Finding]:
        """Yield an error for each shared predicate at which the published evaluator stops.

        It looks up the category of these predicates, and some have none.
        """
        for predicate in overlap.shared:
            if predicate not in self._categories:
                message = f"{predicate} has no category (a KeyError)"
                where = f"{overlap.operator}, {overlap.part}"
                yield Finding(ErrorKind.UNSCORABLE, f"{where}: {message}")

    def _shares(self, predicted: str | None, gold: str | None) -> _Shares:
        """Return the shared, additional and missing predicates of one part of two operators."""
        if predicted is None or gold is None:
            return {}, self._predicates(_clauses(predicted)), self._predicates(_clauses(gold))
        comparison = compare_forms(predicted, gold, **self._comparing)
        missing = comparison.missing
        if self._unreadable_count and not comparison.readable:
            # Under the quirk unreadable_parts_vanish nothing is missing of such a part.
            missing = _clauses(gold)
        return (
            self._predicates(comparison.shared),
            self._predicates(comparison.extra),
            self._predicates(missing),
        )

    def _predicates(self, clauses: Sequence[Form]) -> dict[str, int]:
        """Return how often each predicate counts in some clauses."""
        if not clauses:
            return {}
        times: dict[str, int] = {}
        for clause in clauses:
            for name in _predicates(clause):
                times[name] = times.get(name, 0) + 1
        times.pop(EMPTY, None)
        if self._names_count_once:
            return dict.fromkeys(times, 1)
        return times


class _Counted(NamedTuple):
    kinds: Mapping[str, Sequence[int]]  # true and false positives, false negatives by category
    stops: tuple[Finding, ...]


@lru_cache(maxsize=1 << 12)
def _predicates(clause: Form) -> list[str]:
    """Return the first word of each literal of a clause."""
    # "next_to ?x ?y" -> "next_to"
    return [literal.partition(" ")[0] for literal in literals(clause)]


def _clauses(text: str | None) -> tuple[Form, ...]:
    """Return a part's formula as its only clause, or none if it is absent or malformed."""
    if text is None:
        return ()
    try:
        return (read_form(text),)
    except ValueError:
        return ()
