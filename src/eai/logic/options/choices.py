"""Families of goal options for counting quantifiers and for pairings.

Which objects are counted, or which objects are paired, is a choice of its own: its options are
counted by polynomials and by matchings, and the best one is found by sorting or as an
assignment problem.

Matchings between two kinds of objects are listed, counted, and the most valuable one is found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from math import comb, factorial

from eai.logic.options.families import Best, Family, Option, Scorer, joined, unions
from eai.logic.tree import Formula

_MOST_COLUMNS = 14


def partners(rows: Sequence[Sequence[object]]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to choose an entry of each row, no two in one column, in order."""
    if not rows:
        yield ()
        return
    *before, row = rows
    for chosen in partners(before):
        for column, entry in enumerate(row):
            if entry is not None and column not in chosen:
                yield (*chosen, column)


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


class Choice(Family):
    """Some of the objects satisfy something; which ones is free.

    Args:
        numbers: How many may be chosen.
        inside: For each object, the options if it is chosen.
        outside: For each object, the options if it is not chosen; None: nothing is asked then.
    """

    def __init__(
        self,
        numbers: Collection[int],
        inside: Sequence[Family],
        outside: Sequence[Family] | None = None,
    ) -> None:
        self.numbers = sorted(number for number in set(numbers) if 0 <= number <= len(inside))
        self.inside = inside
        self.outside = outside
        families = [*inside, *(outside or ())]
        self.literals = frozenset[Formula]().union(*(part.literals for part in families))
        self.forced = frozenset()

    def steps(self) -> Iterator[Option | None]:
        """Yield the options by number and then by objects, earlier objects first."""
        for number in self.numbers:
            for chosen in combinations(range(len(self.inside)), number):
                parts = [self.inside[n] for n in chosen]
                if self.outside is not None:
                    parts = list(self.outside)
                    for n in chosen:
                        parts[n] = self.inside[n]
                yield from unions(parts)

    def _separable(self) -> bool:
        """Return whether the objects' options share no atom, whatever is chosen."""
        of_each = [family.atoms for family in self.inside]
        if self.outside is not None:
            of_each = [a | b.atoms for a, b in zip(of_each, self.outside, strict=True)]
        return sum(map(len, of_each)) == len(frozenset[Formula]().union(*of_each))

    def factored_count(self) -> int | None:
        """Coefficients of the product of the objects' ``outside + inside * z``.

        An object that is chosen and one that is not must be told apart by what is asked of
        them. With both asked for they contradict each other; with nothing asked of the others,
        no chosen object may be satisfied by nothing.
        """
        if not self._separable():
            return None
        if self.outside is None and any(part.has_empty() for part in self.inside):
            return None
        outside = [part.count for part in self.outside or ()] or [1] * len(self.inside)
        ways = [1]
        for part, other in zip(self.inside, outside, strict=True):
            inside = part.count
            ways = [a * other + b * inside for a, b in zip([*ways, 0], [0, *ways], strict=True)]
        return sum(ways[number] for number in self.numbers)

    def factored_best(self, scorer: Scorer) -> tuple[Best | None] | None:
        """Choose the objects that gain most by being chosen."""
        if not self._separable():
            return None
        inside = [part.best(scorer) for part in self.inside]
        outside = [part.best(scorer) for part in self.outside or ()] or [_NOTHING] * len(inside)
        must = [n for n, other in enumerate(outside) if other is None]
        free = [n for n in range(len(inside)) if inside[n] is not None and outside[n] is not None]
        if any(inside[n] is None for n in must):
            return (None,)
        free.sort(key=lambda n: _value(outside[n]) - _value(inside[n]))
        found: list[Best] = []
        for number in self.numbers:
            if len(must) <= number <= len(must) + len(free):
                chosen = {*must, *free[: number - len(must)]}
                pairs = enumerate(zip(inside, outside, strict=True))
                taken = (yes if n in chosen else no for n, (yes, no) in pairs)
                found.append(joined(best for best in taken if best is not None))
        return (max(found, key=_value, default=None),)


_NOTHING = Best(0, frozenset(), exact=True)


def _value(best: Best | None) -> int:
    return 0 if best is None else best.value


class Pairing(Family):
    """Objects of two kinds are paired off; who goes with whom is free.

    Args:
        number: How many pairs there are.
        rows: For each object of the first kind and each of the second, the options of the pair;
            None where the two cannot be a pair.
    """

    def __init__(self, number: int, rows: Sequence[Sequence[Family | None]]) -> None:
        self.number = number
        self.rows = rows
        pairs = [pair for row in rows for pair in row if pair is not None]
        self.literals = frozenset[Formula]().union(*(pair.literals for pair in pairs))
        self.forced = frozenset()

    def steps(self) -> Iterator[Option | None]:
        """Yield the options by the objects of the first kind, then by their partners."""
        for firsts in combinations(self.rows, self.number):
            for seconds in partners(firsts):
                pairs = [row[j] for row, j in zip(firsts, seconds, strict=True)]
                yield from unions([pair for pair in pairs if pair is not None])

    def _separable(self) -> bool:
        """Return whether two pairs never share an atom, unless they share an object.

        Pairs that share an object are never chosen together.
        """
        locations: dict[Formula, tuple[set[int], set[int]]] = {}
        for i, j, pair in self._pairs():
            for atom in pair.atoms:
                firsts, seconds = locations.setdefault(atom, (set(), set()))
                firsts.add(i)
                seconds.add(j)
        return all(len(i) == 1 or len(j) == 1 for i, j in locations.values())

    def _shown_apart(self) -> bool:
        """Return whether every option of a pair holds a literal that belongs to no other pair."""
        uses = Counter(literal for _, _, pair in self._pairs() for literal in pair.literals)
        return all(
            any(uses[literal] == 1 for literal in pair.forced)
            or (all(uses[literal] == 1 for literal in pair.literals) and not pair.has_empty())
            for _, _, pair in self._pairs()
        )

    def _pairs(self) -> Iterator[tuple[int, int, Family]]:
        for i, row in enumerate(self.rows):
            for j, pair in enumerate(row):
                if pair is not None:
                    yield i, j, pair

    def factored_count(self) -> int | None:
        """Number of matchings, each weighted by the product of its pairs' counts."""
        if not self.number:
            return 1
        if not (self._separable() and self._shown_apart()):
            return None
        counts = [[0 if pair is None else pair.count for pair in row] for row in self.rows]
        return matchings(counts, self.number)

    def factored_best(self, scorer: Scorer) -> tuple[Best | None] | None:
        if not self._separable():
            return None
        best = [[None if p is None else p.best(scorer) for p in row] for row in self.rows]
        values = [[None if b is None else b.value for b in row] for row in best]
        chosen = assignment(values, self.number)
        if chosen is None:
            return (None,)
        pairs = (best[i][j] for i, j in chosen)
        return (joined(pair for pair in pairs if pair is not None),)
