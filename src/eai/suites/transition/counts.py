"""Counting what predicted and annotated operators share, under any set of quirks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import chain
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

_Own = Union[OperatorText, "Operator", None]


class Counts:
    """Counts what operators have in common with the annotated ones of one environment.

    Answers repeat operators, so what was counted once is kept.
    """

    def __init__(self, categories: Mapping[str, str], semantics: Semantics) -> None:
        self._categories = categories
        self._semantics = semantics
        self._unknown_count = "unknown_predicates_ignored" not in semantics
        self._unreadable_count = "unreadable_parts_vanish" not in semantics
        self._comparing = {q: q in semantics for q in ("mixed_indices", "overlapping_credit")}
        self._counted = lru_cache(maxsize=1 << 10)(self._count)
        self._shares_of = lru_cache(maxsize=1 << 12)(self._shares)

    def count(
        self, predicted: Mapping[str, _Own], gold: Mapping[str, _Own], asked: Collection[str]
    ) -> tuple[tuple[Match, ...], tuple[Finding, ...]]:
        """Return the matches by category, and where the published evaluator stops."""
        found: list[_Counted] = []
        for name, own in predicted.items():
            wanted = gold[name] if name in asked else None
            if own is None:
                if wanted is not None and self._unreadable_count:
                    found.append(self._counted(None, wanted))
            elif wanted is not None or "unasked_operators_ignored" not in self._semantics:
                found.append(self._counted(own, wanted))
        if "missing_operators_ignored" not in self._semantics:
            missing = [name for name in asked if name not in predicted]
            found += [self._counted(None, gold[name]) for name in missing]
        totals: dict[str, list[int]] = {}
        for counted in found:
            for kind, numbers in counted.kinds.items():
                total = totals.setdefault(kind, [0, 0, 0])
                total[:] = map(int.__add__, total, numbers)
        kinds = [kind for kind in sorted(totals) if self._unknown_count or kind != UNKNOWN]
        matches = tuple([Match(kind, *totals[kind]) for kind in kinds])
        return matches, tuple([stop for counted in found for stop in counted.stops])

    def overlaps(self, own: _Own, gold: _Own) -> tuple[Overlap, Overlap]:
        """Compare two operators, of which one may be missing; returns precondition, then effect.

        Texts are compared as they are written (``clauses_as_written``), operators clause by
        clause (section D.4).
        """
        known = gold or own
        if known is not None and not isinstance(known, OperatorText):
            if own is None or gold is None:
                return abilities.unmatched(known, predicted=gold is None)
            return abilities.match_operators(own, gold)
        before, after = (
            Overlap(
                known.name if known else "",
                part,
                *self._shares_of(getattr(own, part, None), getattr(gold, part, None)),
            )
            for part in PARTS
        )
        return before, after

    def _count(self, own: _Own, gold: _Own) -> _Counted:
        """Count the predicates that two operators share, by category, and where counting stops."""
        kinds: dict[str, list[int]] = {}
        stops: list[Finding] = []
        for overlap in self.overlaps(own, gold):
            for place, predicates in enumerate((overlap.shared, overlap.extra, overlap.missing)):
                for predicate, times in predicates.items():
                    category = self._categories.get(predicate, UNKNOWN)
                    kinds.setdefault(category, [0, 0, 0])[place] += times
            # The published evaluator looks these predicates up, and has no category for them.
            for predicate in () if self._unknown_count else overlap.shared:
                if predicate not in self._categories:
                    message = f"{predicate} has no category (a KeyError)"
                    where = f"{overlap.operator}, {overlap.part}"
                    stops.append(Finding(ErrorKind.UNSCORABLE, f"{where}: {message}"))
        return _Counted(kinds, tuple(stops))

    def _shares(self, own: str | None, gold: str | None) -> _Shares:
        """The predicates of one part as it is written: shared, extra and missing ones."""
        if own is None or gold is None:
            return {}, self._predicates(_clauses(own)), self._predicates(_clauses(gold))
        found = compare_forms(own, gold, **self._comparing)
        vanished = self._unreadable_count and not found.readable
        missing = _clauses(gold) if vanished else found.missing
        shared, extra, missed = map(self._predicates, (found.shared, found.extra, missing))
        return shared, extra, missed

    def _predicates(self, clauses: Sequence[Form]) -> dict[str, int]:
        names = Counter(chain.from_iterable(map(_predicates, clauses)))
        del names[EMPTY]
        return dict.fromkeys(names, 1) if "names_of_predicates" in self._semantics else dict(names)


class _Counted(NamedTuple):
    kinds: Mapping[str, Sequence[int]]  # true and false positives, false negatives by category
    stops: tuple[Finding, ...]


@lru_cache(maxsize=1 << 12)
def _predicates(clause: Form) -> list[str]:
    return [literal.partition(" ")[0] for literal in literals(clause)]


def _clauses(text: str | None) -> tuple[Form, ...]:
    try:
        return () if text is None else (read_form(text),)
    except ValueError:
        return ()
