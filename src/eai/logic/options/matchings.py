"""Matchings between two kinds of objects: listed, counted, and the most valuable one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import comb, factorial

_MOST_COLUMNS = 14


def partners(rows: Sequence[Sequence[object]]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to choose an entry of each row, no two in one column, in order."""
    if not rows:
        yield ()
        return
    chosen: list[int] = []
    column = 0
    while True:
        row = rows[len(chosen)]
        while column < len(row) and (row[column] is None or column in chosen):
            column += 1
        if column < len(row) and len(chosen) + 1 < len(rows):
            chosen.append(column)
            column = 0
        elif column < len(row):
            yield (*chosen, column)
            column += 1
        elif chosen:
            column = chosen.pop() + 1
        else:
            return


def matchings(counts: list[list[int]], number: int) -> int | None:
    """Sum of the products over all choices of ``number`` entries, no two in a row or column.

    Most entries are alike. The others are taken as the common entry plus a difference, and the
    sum over choices of differences is completed by common entries in a closed form (inclusion
    and exclusion on rook polynomials; Riordan 1958, chapter 7).

    Returns:
        The sum; None if the differing entries are too many in one connected part.
    """
    if len(counts) < len(counts[0]):
        counts = [list(column) for column in zip(*counts, strict=True)]
    height, width = len(counts), len(counts[0])
    (common, _), *_ = Counter(count for row in counts for count in row).most_common(1)
    total = [1]
    for part in _boards(counts, common):
        rooks = _rooks(part)
        if rooks is None:
            return None
        total = _times(total, rooks)
    return sum(
        rooks
        * int(common ** (number - placed))
        * comb(height - placed, number - placed)
        * comb(width - placed, number - placed)
        * factorial(number - placed)
        for placed, rooks in enumerate(total[: number + 1])
    )


def _boards(counts: list[list[int]], common: int) -> list[list[dict[int, int]]]:
    """The differences from the common entry, row by row, in parts that share no column."""
    boards: list[tuple[set[int], list[dict[int, int]]]] = []
    for row in counts:
        differences = {j: count - common for j, count in enumerate(row) if count != common}
        if not differences:
            continue
        columns, rows = set(differences), [differences]
        for board in [board for board in boards if not columns.isdisjoint(board[0])]:
            boards.remove(board)
            columns, rows = columns | board[0], board[1] + rows
        boards.append((columns, rows))
    return [rows for _, rows in boards]


def _rooks(rows: list[dict[int, int]]) -> list[int] | None:
    """For each k, the sum of the products over all choices of k entries, row by row."""
    number = {j: n for n, j in enumerate(sorted(set().union(*rows)))}
    if len(number) > _MOST_COLUMNS:
        return None
    ways = {0: 1}
    for row in rows:
        for used, so_far in list(ways.items()):
            for j, difference in row.items():
                if not used >> number[j] & 1:
                    now = used | 1 << number[j]
                    ways[now] = ways.get(now, 0) + so_far * difference
    found = [0] * (len(number) + 1)
    for used, total in ways.items():
        found[used.bit_count()] += total
    return found


def _times(first: list[int], second: list[int]) -> list[int]:
    """Multiply two polynomials."""
    found = [0] * (len(first) + len(second) - 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            found[i + j] += a * b
    return found


def assignment(values: list[list[int | None]], number: int) -> list[tuple[int, int]] | None:
    """Choose ``number`` entries, no two in a row or column, of the greatest total.

    Every row and column that is not chosen is assigned to a stand-in; a stand-in of a row
    cannot meet one of a column, so exactly ``number`` true entries are left. The totals are
    whole numbers far below 2**53, so the solver's floating point is exact.

    Returns:
        The entries in order of rows; None if there are not that many that can be chosen.
    """
    from scipy.optimize import linear_sum_assignment

    if not number:
        return []
    never = float("-inf")
    height, width = len(values), len(values[0])
    if number > min(height, width):
        return None
    table = [
        [never if v is None else float(v) for v in row] + [0.0] * (height - number)
        for row in values
    ]
    table += [[0.0] * width + [never] * (height - number) for _ in range(width - number)]
    try:
        rows, columns = linear_sum_assignment(table, maximize=True)
    except ValueError:  # there is no assignment without a forbidden entry
        return None
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return [(i, j) for i, j in pairs if i < height and j < width]
