"""The maximum bipartite matching that the published evaluator takes where there are several.

``eai-eval`` 1.0.5 calls ``scipy.sparse.csgraph.maximum_bipartite_matching``. Which of several
maximum matchings comes out decides which clauses count as unmatched, so the search is repeated
here, vertex by vertex: Hopcroft and Karp (1973), with an explicit stack.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["matched_columns"]

_FAR = 1 << 30


def matched_columns(rows: Sequence[Sequence[int]], columns: int) -> list[int]:
    """Match rows with columns.

    Args:
        rows: For each row the columns that it may be matched with, ascending.
        columns: How many columns there are.

    Returns:
        For each row the column that it is matched with, or -1.
    """
    only = [row[0] if row else -1 for row in rows]
    wanted = [column for column in only if column >= 0]
    if max(map(len, rows), default=0) < 2 and len(set(wanted)) == len(wanted):
        return only  # nothing to choose
    of_row, of_column = [-1] * len(rows), [-1] * columns
    while True:
        layers = _layers(rows, of_row, of_column)
        if layers[-1] == _FAR:
            return of_row
        for row in range(len(rows)):
            if of_row[row] < 0:
                _augment(row, rows, layers, of_row, of_column)


def _layers(rows: Sequence[Sequence[int]], of_row: list[int], of_column: list[int]) -> list[int]:
    """Distance of every row from an unmatched one; the last entry is that of a free column."""
    queue = [row for row, column in enumerate(of_row) if column < 0]
    layers = [_FAR if column >= 0 else 0 for column in of_row]
    layers.append(_FAR)
    for row in queue:
        for column in rows[row]:
            beyond = of_column[column]
            if layers[beyond] == _FAR:
                layers[beyond] = layers[row] + 1
                if beyond >= 0:
                    queue.append(beyond)
    return layers


def _augment(
    start: int,
    rows: Sequence[Sequence[int]],
    layers: list[int],
    of_row: list[int],
    of_column: list[int],
) -> None:
    stack, before = [start], dict[int, int]()
    while stack:
        row = stack.pop()
        for column in rows[row]:
            beyond = of_column[column]
            if layers[beyond] != layers[row] + 1:
                continue
            if beyond < 0:
                _turn_round(row, column, before, of_row, of_column)
                return
            before[beyond] = row
            stack.append(beyond)


def _turn_round(
    row: int, column: int, before: dict[int, int], of_row: list[int], of_column: list[int]
) -> None:
    """Give every row on the path back to the start the column that its successor leaves."""
    while column >= 0:
        of_column[column], of_row[row], column = row, column, of_row[row]
        row = before.get(row, row)
