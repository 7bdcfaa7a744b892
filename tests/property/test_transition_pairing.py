"""The matching of clauses is the one that scipy finds, vertex by vertex."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from eai.logic import largest_matching


@st.composite
def tables(draw: st.DrawFn) -> list[list[bool]]:
    columns = draw(st.integers(1, 7))
    row = st.lists(st.booleans(), min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=1, max_size=7))


@given(tables())
@settings(max_examples=300)
def test_it_takes_the_matching_that_scipy_takes(table: list[list[bool]]) -> None:
    rows = [[column for column, alike in enumerate(row) if alike] for row in table]
    graph = csr_matrix(np.array(table, dtype=int))
    expected = maximum_bipartite_matching(graph, perm_type="column")
    assert largest_matching(rows, len(table[0])) == expected.tolist()
