"""Matchings of rows with columns, compared with all that there are."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from eai.logic import largest_matching


def size_of_largest(rows: list[list[int]]) -> int:
    best = 0
    for choice in product(*([-1, *row] for row in rows)):
        taken = [column for column in choice if column >= 0]
        if len(taken) == len(set(taken)):
            best = max(best, len(taken))
    return best


@pytest.mark.parametrize("seed", range(40))
def test_a_matching_is_as_large_as_any(seed: int) -> None:
    random = Random(seed)
    columns = random.randint(1, 4)
    most = random.choice((1, columns))
    rows = [
        random.sample(range(columns), random.randint(0, most)) for _ in range(random.randint(1, 4))
    ]
    found = largest_matching(rows, columns)
    taken = [column for column in found if column >= 0]
    assert len(found) == len(rows)
    assert len(taken) == len(set(taken)) == size_of_largest(rows)
    assert all(column in row for row, column in zip(rows, found, strict=True) if column >= 0)


@pytest.mark.parametrize(
    ("rows", "columns", "found"),
    [
        ([], 0, []),
        ([[]], 1, [-1]),
        ([[2], [0], []], 3, [2, 0, -1]),
        ([[0], [0], []], 1, [0, -1, -1]),
        ([[2], [0], [2], [], [0], [1]], 3, [2, 0, -1, -1, -1, 1]),
        ([[0, 1], [0]], 2, [1, 0]),
        ([[0, 1], [0, 1], [1, 2]], 3, [0, 1, 2]),
    ],
)
def test_of_several_matchings_it_is_always_the_same(
    rows: list[list[int]], columns: int, found: list[int]
) -> None:
    assert largest_matching(rows, columns) == found


@pytest.mark.parametrize("seed", range(40))
def test_rows_with_one_column_are_matched_as_scipy_does(seed: int) -> None:
    random = Random(seed)
    columns = random.randint(1, 8)
    rows = [
        random.sample(range(columns), random.randint(0, 1)) for _ in range(random.randint(1, 14))
    ]
    table = [[int(column in row) for column in range(columns)] for row in rows]
    matching = maximum_bipartite_matching(csr_array(table), perm_type="column")
    assert largest_matching(rows, columns) == matching.tolist()
