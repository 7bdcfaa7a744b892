"""Agreement of two evaluators."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from eai.report import kappa, kappa_interval

VERDICTS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


@given(VERDICTS)
def test_kappa_of_verdicts_is_cohens(pairs: list[tuple[bool, bool]]) -> None:
    ours, theirs = map(list, zip(*pairs, strict=True))
    count = len(pairs)
    seen = sum(a == b for a, b in pairs) / count
    yes = sum(ours) * sum(theirs) / count**2
    no = (count - sum(ours)) * (count - sum(theirs)) / count**2
    found = kappa(ours, theirs)
    if yes + no == 1:
        assert found is None
    else:
        assert found == pytest.approx((seen - yes - no) / (1 - yes - no))


def test_kappa_of_scores_is_weighted_by_squares() -> None:
    assert kappa([1, 2, 3], [1, 2, 3]) == 1
    assert kappa([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    low, high = kappa_interval([0, 1] * 20, [0, 1] * 18 + [1, 0] * 2) or (2, -2)
    assert -1 <= low < (kappa([0, 1] * 20, [0, 1] * 18 + [1, 0] * 2) or 2) < high <= 1


@pytest.mark.parametrize("score", [0.0, 0.1, 0.2, 0.7, 1.0])
@pytest.mark.parametrize("count", [1, 6, 10])
def test_kappa_of_scores_that_are_all_alike_is_undefined(score: float, count: int) -> None:
    alike = [score] * count
    assert kappa(alike, alike) is None
    assert kappa_interval(alike, alike) is None
    other = [score + 0.5] * count
    assert kappa(alike, other) == pytest.approx(0, abs=1e-9)
