"""Matching in bipartite graphs: as many pairs as possible, none of them sharing a partner.

scipy finds the matching by augmenting paths (Hopcroft and Karp 1973) in O(E sqrt(V)) for E edges
between V nodes. Of several largest matchings it always returns the same one, which scores depend
on: the published evaluators of transition models use this function, too.
"""

from __future__ import annotations

from collections.abc import Sequence


def largest_matching(rows: Sequence[Sequence[int]], columns: int) -> list[int]:
    """Return a maximum matching of rows with columns.

    Args:
        rows: For each row the columns that it can be matched with.
        columns: Number of columns.

    Returns:
        For each row the column that it is matched with, or -1.

    Examples:
        >>> largest_matching([[0, 1], [0]], 2)
        [1, 0]
        >>> largest_matching([[0], [0], []], 1)
        [0, -1, -1]
    """
    if max(map(len, rows), default=0) < 2:
        return _first_takers(rows)
    from scipy.sparse import csr_array  # takes long, and is hardly ever needed
    from scipy.sparse.csgraph import maximum_bipartite_matching

    table = [[int(column in row) for column in range(columns)] for row in rows]
    partners: list[int] = maximum_bipartite_matching(csr_array(table), perm_type="column").tolist()
    return partners


def _first_takers(rows: Sequence[Sequence[int]]) -> list[int]:
    """Return the matching if each row has at most one column: the first row gets it.

    No row has an alternative, so this is a maximum matching, and the same one that scipy finds.
    """
    used_columns: set[int] = set()
    matching: list[int] = []
    for row in rows:
        if not row or row[0] in used_columns:
            matching.append(-1)
            continue
        used_columns.add(row[0])
        matching.append(row[0])
    return matching
