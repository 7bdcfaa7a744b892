"""Comparing two formulas as the published evaluator does (``eai-eval`` 1.0.5, paper, D.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from eai.suites.transition.forms import Form, aligned, read_form
from eai.suites.transition.pairing import matched_columns

__all__ = ["Comparison", "compare_forms"]


class Comparison(NamedTuple):
    """What a predicted and an annotated formula have in common.

    Args:
        score: Share of the clauses that are matched, between 0 and 1.
        shared: Clauses of the prediction that count as matched.
        extra: Clauses of the prediction that count as unmatched.
        missing: Clauses of the annotation that count as unmatched.
        readable: Whether both could be read; nothing is matched or unmatched if not.
    """

    score: float
    shared: tuple[Form, ...] = ()
    extra: tuple[Form, ...] = ()
    missing: tuple[Form, ...] = ()
    readable: bool = True


def compare_forms(
    predicted: str, gold: str, *, mixed_indices: bool = True, overlapping_credit: bool = True
) -> Comparison:
    """Compare two formulas.

    Args:
        predicted: Text of the prediction.
        gold: Text of the annotation.
        mixed_indices: Whether a clause of the prediction is unmatched, too, if its number is
            not among the numbers of the matched clauses of the annotation.
        overlapping_credit: Whether clauses that are alike count as matched even if the matching
            pairs them with others.
    """
    try:
        pair = aligned(read_form(predicted), read_form(gold))
        return _Comparer(mixed_indices, overlapping_credit).compare(*pair)
    except (ValueError, RecursionError):
        return Comparison(0.0, readable=False)


class _Comparer(NamedTuple):
    mixed_indices: bool
    overlapping_credit: bool

    def compare(self, one: Form, other: Form) -> Comparison:
        if isinstance(one, str) or isinstance(other, str) or one[0] != other[0]:
            return _whole(one, other, 1.0 if one == other else 0.0)
        if one[0] in ("and", "or"):
            return self._junction(one[1:], other[1:])
        if one[0] == "not":
            score = self.compare(one[1], other[1]).score
        elif one[0] == "when":
            alike = all(self.compare(*pair).score == 1 for pair in zip(one, other, strict=True))
            score = 1.0 if alike else 0.0
        else:
            score = self.compare(one[2], other[2]).score if one[1] == other[1] else 0.0
        return _whole(one, other, score)

    def _junction(self, ones: Sequence[Form], others: Sequence[Form]) -> Comparison:
        found = self._alike(ones, others)
        columns = matched_columns([*map(list, found)], len(others))
        taken = set(columns)
        shared = [
            clauses
            for row, column in zip(found, columns, strict=True)
            for j, clauses in row.items()
            if self.overlapping_credit or j == column
        ]
        unmatched = [
            i for i, j in enumerate(columns) if j < 0 or (self.mixed_indices and i not in taken)
        ]
        size = min(len(ones), len(others))
        return Comparison(
            (len(columns) - columns.count(-1)) / size if size else 0.0,
            tuple([part for clauses in shared for part in clauses]),
            tuple([ones[i] for i in unmatched]),
            tuple([other for j, other in enumerate(others) if j not in taken]),
        )

    def _alike(
        self, ones: Sequence[Form], others: Sequence[Form]
    ) -> list[dict[int, tuple[Form, ...]]]:
        """For each clause the numbers of those that it is like, with what they share.

        Only whole matches count, a clause that is half right is wrong.
        """
        places: dict[Form, dict[int, tuple[Form, ...]]] = {}
        nested: list[tuple[int, Form]] = []
        for j, other in enumerate(others):
            if _is_literal(other):
                places.setdefault(other, {})[j] = (other,)
            else:
                nested.append((j, other))
        found: list[dict[int, tuple[Form, ...]]] = []
        for one in ones:
            if _is_literal(one):
                found.append(places.get(one, {}))
            else:
                compared = [(j, self.compare(one, other)) for j, other in nested]
                found.append({j: c.shared for j, c in compared if c.score >= 1})
        return found


def _is_literal(form: Form) -> bool:
    return isinstance(form, str) or (form[0] == "not" and isinstance(form[1], str))


def _whole(one: Form, other: Form, score: float) -> Comparison:
    """A formula that counts as one clause."""
    if score > 0:
        return Comparison(score, (one,))
    return Comparison(score, (), (one,), (other,))
