"""Families of goal options for counting quantifiers and for pairings.

Which objects are counted, or which objects are paired, is a choice of its own.

* Options of a *choice* of objects are counted by polynomials: object i contributes
  ``outside[i] + inside[i] * z``, and the coefficient of ``z**n`` in the product counts the options
  with n objects. The best one is found by sorting the objects by what they gain.
* Options of a *pairing* are counted as matchings (:func:`matchings`); the best one is an assignment
  problem (Kuhn 1955; solved by scipy).

Cost: quadratic in the objects for a choice. Counting matchings is #P-complete (Valiant 1979); here
nearly all entries are equal, and the work is exponential only in the columns of those that are not.

Examples:
    >>> matchings([[1, 1, 1], [1, 1, 1]], 2)
    6
    >>> matchings([[1, 0], [1, 1]], 2)
    1
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from math import comb, factorial

from eai.logic.options.families import (
    NO_OPTION,
    Best,
    Factored,
    Family,
    Option,
    Scorer,
    join_best,
    unions,
)
from eai.logic.tree import Formula

_MAX_COLUMNS = 14
"""Maximum number of columns of the entries that differ, in one connected part."""


def partners(rows: Sequence[Sequence[object]]) -> Iterator[tuple[int, ...]]:
    """Yield all choices of an entry from each row with distinct columns, in order.

    Args:
        rows: A matrix; None stands for a pair that cannot be formed.

    Yields:
        For each row the index of the column.
    """
    if not rows:
        yield ()
        return
    # Every choice for the rows before is extended by each entry in a column that is still free.
    *previous_rows, row = rows
    for chosen_columns in partners(previous_rows):
        for column, entry in enumerate(row):
            if entry is not None and column not in chosen_columns:
                yield (*chosen_columns, column)


def matchings(counts: list[list[int]], matching_size: int) -> int | None:
    """Return the weighted number of matchings of a given size in a bipartite graph.

    A matching chooses entries of a matrix, no two in one row or column; its weight is the product
    of these entries. The result is the sum of the weights of all matchings.

    Idea: most entries are equal, and each other one is the common entry plus a difference. A choice
    of differences is completed by common entries in closed form (inclusion and exclusion on rook
    polynomials; Riordan 1958, chapter 7).

    Args:
        counts: The matrix, row by row.
        matching_size: Number of entries to choose.

    Returns:
        The sum; None if the differing entries are too many in one connected part.
    """
    if len(counts) < len(counts[0]):
        # The cost is exponential in the number of columns, so the shorter side becomes columns.
        counts = [list(column) for column in zip(*counts, strict=True)]
    height, width = len(counts), len(counts[0])
    entry_counts = Counter(itertools.chain.from_iterable(counts))
    [(common, _)] = entry_counts.most_common(1)
    # Coefficient k: the sum over choices of k differences, no two in a row or column.
    polynomial = [1]
    for board in _disjoint_boards(counts, common):
        rook_numbers = _rook_numbers(board)
        if rook_numbers is None:
            return None
        polynomial = _polynomial_product(polynomial, rook_numbers)
    total = 0
    for rook_count, coefficient in enumerate(polynomial[: matching_size + 1]):
        # The remaining entries are common ones, in any of the free rows and columns.
        remaining = matching_size - rook_count
        row_choices = comb(height - rook_count, remaining)
        column_choices = comb(width - rook_count, remaining)
        common_matchings = row_choices * column_choices * factorial(remaining)
        total += coefficient * int(common**remaining) * common_matchings
    return total


def _disjoint_boards(counts: list[list[int]], common: int) -> list[list[dict[int, int]]]:
    """Return the entries that differ from the common one, in column-disjoint parts.

    Matchings of such a part can be counted alone, as rook placements on a board.

    Args:
        counts: A matrix of numbers.
        common: The number that most of its entries are.

    Returns:
        For each part its rows: the difference from the common number, by column.
    """
    boards: list[tuple[set[int], list[dict[int, int]]]] = []
    for row in counts:
        differences: dict[int, int] = {}
        for column, count in enumerate(row):
            if count != common:
                differences[column] = count - common
        if not differences:  # a row of common entries is no part of any board
            continue
        # All boards with which the row shares a column become one board with it.
        board_columns = set(differences)
        board_rows = [differences]
        separate_boards = []
        for other_columns, other_rows in boards:
            if board_columns.isdisjoint(other_columns):
                separate_boards.append((other_columns, other_rows))
            else:
                board_columns = board_columns | other_columns
                board_rows = other_rows + board_rows
        boards = [*separate_boards, (board_columns, board_rows)]
    return [board_rows for _, board_rows in boards]


def _rook_numbers(rows: list[dict[int, int]]) -> list[int] | None:
    """Return for each k the sum of the products over all choices of k entries, or None.

    No two entries of a choice are in one row or column, as rooks on a board that attack nobody.

    Invariant: ``sums`` has, for each set of used columns, the sum over the choices of entries in
    the rows so far that use exactly these columns (dynamic programming over rows).

    Args:
        rows: For each row of the board its entries, by column.

    Returns:
        The sums for k = 0, 1, ...; None if there are too many columns.
    """
    column_index = {column: i for i, column in enumerate(sorted(set().union(*rows)))}
    if len(column_index) > _MAX_COLUMNS:
        return None
    sums = {0: 1}
    for row in rows:
        # A copy: a row may be used once only.
        for used_columns, partial_sum in list(sums.items()):
            for column, difference in row.items():
                column_bit = 1 << column_index[column]
                if used_columns & column_bit:
                    continue
                extended = used_columns | column_bit
                sums[extended] = sums.get(extended, 0) + partial_sum * difference
    by_size = [0] * (len(column_index) + 1)
    for used_columns, total in sums.items():
        by_size[used_columns.bit_count()] += total
    return by_size


def _polynomial_product(first: list[int], second: list[int]) -> list[int]:
    """Return the product of two polynomials, given by their coefficients."""
    product = [0] * (len(first) + len(second) - 1)
    for first_power, first_coefficient in enumerate(first):
        for second_power, second_coefficient in enumerate(second):
            product[first_power + second_power] += first_coefficient * second_coefficient
    return product


def assignment(values: list[list[int | None]], entry_count: int) -> list[tuple[int, int]] | None:
    """Return ``entry_count`` entries in distinct rows and columns with the greatest sum, or None.

    Every row and column that is not chosen is assigned to a stand-in; a stand-in of a row
    cannot meet one of a column, so exactly ``entry_count`` true entries are left. The totals are
    whole numbers far below 2**53, so the solver's floating point is exact.

    Args:
        values: The entries, row by row; None where there is none to choose.
        entry_count: Number of entries to choose.

    Returns:
        The entries in order of rows; None if there are not that many that can be chosen.

    Examples:
        >>> assignment([[5, 1], [4, None]], 2)
        [(0, 1), (1, 0)]
    """
    if not entry_count:
        return []
    from scipy.optimize import linear_sum_assignment

    forbidden = float("-inf")
    height, width = len(values), len(values[0])
    if entry_count > min(height, width):
        return None
    # The table gets a column for each row that is left over, and a row for each column that is left
    # over. Where these meet, nothing may be chosen.
    row_stand_ins = [0.0] * (height - entry_count)
    padded_rows = []
    for row in values:
        entries = [forbidden if value is None else float(value) for value in row]
        padded_rows.append(entries + row_stand_ins)
    stand_in_row = [0.0] * width + [forbidden] * (height - entry_count)
    padded_rows += [stand_in_row] * (width - entry_count)
    try:
        rows, columns = linear_sum_assignment(padded_rows, maximize=True)
    except ValueError:  # there is no assignment without a forbidden entry
        return None
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return [
        (row_index, column_index)
        for row_index, column_index in pairs
        if row_index < height and column_index < width
    ]


class ObjectChoice(Family):
    """The options in which some of the objects satisfy a condition.

    Args:
        numbers: The numbers of objects that may be chosen.
        inside: For each object, the options if it is chosen.
        outside: For each object, the options if it is not chosen; None: nothing is asked then.
    """

    def __init__(
        self,
        numbers: Collection[int],
        inside: Sequence[Family],
        outside: Sequence[Family] | None = None,
    ) -> None:
        """Store the options of each object, and collect the literals that occur in them."""
        # No more objects can be chosen than there are.
        self.numbers = sorted(number for number in set(numbers) if 0 <= number <= len(inside))
        self.inside = inside
        self.outside = outside
        families = [*inside, *(outside or ())]
        self.literals = frozenset[Formula]().union(*(part.literals for part in families))
        # Any object may be left out, so no literal is in all options.
        self.forced = frozenset()

    def steps(self) -> Iterator[Option | None]:
        """Yield the options, fewer chosen objects first, then earlier objects.

        For each choice of objects, one option of each chosen object is united with the others, and
        with one of each object that is not chosen if that matters (``outside``).
        """
        object_indices = range(len(self.inside))
        for object_count in self.numbers:
            for chosen_objects in combinations(object_indices, object_count):
                if self.outside is None:
                    # "At least n": the other objects are unconstrained.
                    families = [self.inside[object_index] for object_index in chosen_objects]
                else:
                    families = list(self.outside)
                    for object_index in chosen_objects:
                        families[object_index] = self.inside[object_index]
                yield from unions(families)

    def _is_separable(self) -> bool:
        """Return whether the options of different objects never share an atom."""
        atoms_by_object = [family.atoms for family in self.inside]
        if self.outside is not None:
            pairs = zip(atoms_by_object, self.outside, strict=True)
            atoms_by_object = [atoms | outside.atoms for atoms, outside in pairs]
        all_atoms = frozenset[Formula]().union(*atoms_by_object)
        return sum(map(len, atoms_by_object)) == len(all_atoms)

    def factored_count(self) -> int | None:
        """Return the count, from the product of the objects' ``outside + inside * z``.

        An object that is chosen and one that is not must be told apart by what is asked of
        them. With both asked for they contradict each other; with nothing asked of the others,
        no chosen object may be satisfied by nothing.
        """
        if not self._is_separable():
            return None
        if self.outside is None and any(part.has_empty() for part in self.inside):
            return None
        outside_counts = [1] * len(self.inside)
        if self.outside:
            outside_counts = [part.count for part in self.outside]
        # The coefficient of z**n is the number of ways to choose n objects.
        polynomial = [1]
        for part, outside_count in zip(self.inside, outside_counts, strict=True):
            polynomial = _polynomial_product(polynomial, [outside_count, part.count])
        return sum(polynomial[object_count] for object_count in self.numbers)

    def factored_best(self, scorer: Scorer) -> Factored | None:
        """Return the best option without listing all: objects with the greatest gain are chosen.

        Args:
            scorer: Gives the value of an option.

        Returns:
            The best option, or ``NO_OPTION``; None if objects share literals, since the gain of one
            then depends on the others.
        """
        if not self._is_separable():
            return None
        best_if_chosen = [part.best(scorer) for part in self.inside]
        best_if_left_out: list[Best | None] = [_NOTHING] * len(best_if_chosen)
        if self.outside:
            best_if_left_out = [part.best(scorer) for part in self.outside]
        # Objects that cannot be left out are always chosen, then those that gain most.
        forced_objects: list[int] = []
        for object_index, best_without in enumerate(best_if_left_out):
            if best_without is not None:
                continue
            if best_if_chosen[object_index] is None:
                return NO_OPTION  # an object can be neither chosen nor left out
            forced_objects.append(object_index)
        free_objects = _free_objects_by_gain(best_if_chosen, best_if_left_out)
        best_choice: Best | None = None
        for object_count in self.numbers:
            free_count = object_count - len(forced_objects)
            if not 0 <= free_count <= len(free_objects):
                continue
            chosen_objects = [*forced_objects, *free_objects[:free_count]]
            candidate = _join_choice(best_if_chosen, best_if_left_out, chosen_objects)
            if best_choice is None or candidate.value > best_choice.value:
                best_choice = candidate
        return Factored(best_choice)


def _join_choice(
    best_if_chosen: Sequence[Best | None],
    best_if_left_out: Sequence[Best | None],
    chosen_objects: Iterable[int],
) -> Best:
    """Return the best option for a given choice of objects.

    Args:
        best_if_chosen: For each object its best option if it is chosen.
        best_if_left_out: For each object its best option if it is left out.
        chosen_objects: Numbers of the chosen objects.
    """
    parts = list(best_if_left_out)
    for object_index in chosen_objects:
        parts[object_index] = best_if_chosen[object_index]
    return join_best(best for best in parts if best is not None)


def _free_objects_by_gain(
    inside: Sequence[Best | None], outside: Sequence[Best | None]
) -> list[int]:
    """Return the freely choosable objects, sorted by their gain."""
    losses: dict[int, int] = {}
    for object_index, (if_inside, if_outside) in enumerate(zip(inside, outside, strict=True)):
        if if_inside is not None and if_outside is not None:
            losses[object_index] = if_outside.value - if_inside.value
    return sorted(losses, key=losses.__getitem__)


_NOTHING = Best(0, frozenset(), exact=True)
"""The best option of an object of which nothing is asked."""


class Pairing(Family):
    """The options in which objects of two kinds are matched one to one.

    Args:
        number: Number of pairs.
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

    def _is_separable(self) -> bool:
        """Return whether pairs without a common object never share an atom.

        Pairs that share an object are never chosen together.
        """
        objects_of_atom: dict[Formula, tuple[set[int], set[int]]] = {}
        for row_index, column_index, pair in self._pairs():
            for atom in pair.atoms:
                row_indices, column_indices = objects_of_atom.setdefault(atom, (set(), set()))
                row_indices.add(row_index)
                column_indices.add(column_index)
        return all(
            len(row_indices) == 1 or len(column_indices) == 1
            for row_indices, column_indices in objects_of_atom.values()
        )

    def _has_distinguishable_pairs(self) -> bool:
        """Return whether every option of a pair has a literal of no other pair.

        Then different matchings have different options, and can be counted in their place.
        """
        literal_uses: Counter[Formula] = Counter()
        for _, _, pair in self._pairs():
            literal_uses.update(pair.literals)
        unique_literals = {literal for literal, use_count in literal_uses.items() if use_count == 1}
        for _, _, pair in self._pairs():
            # A forced literal of its own is in every option of the pair.
            if not unique_literals.isdisjoint(pair.forced):
                continue
            if pair.has_empty() or not pair.literals <= unique_literals:
                return False
        return True

    def _pairs(self) -> Iterator[tuple[int, int, Family]]:
        """Yield each pair as the numbers of its objects and its options."""
        for i, row in enumerate(self.rows):
            for j, pair in enumerate(row):
                if pair is not None:
                    yield i, j, pair

    def factored_count(self) -> int | None:
        """Return the number of options without listing them, or None if that is impossible.

        Each matching of firsts with seconds has as many options as the product of the numbers of
        options of its pairs. That needs pairs that share no literal and are told apart.
        """
        if not self.number:
            return 1
        if not self._is_separable() or not self._has_distinguishable_pairs():
            return None
        counts = [[0] * len(row) for row in self.rows]
        for row_index, column_index, pair in self._pairs():
            counts[row_index][column_index] = pair.count
        return matchings(counts, self.number)

    def factored_best(self, scorer: Scorer) -> Factored | None:
        """Return the best option without listing all of them.

        If pairs share no literal, the best option is the assignment of the greatest total value,
        which is found in polynomial time.

        Args:
            scorer: Gives the value of an option.

        Returns:
            The best option, or ``NO_OPTION``; None if pairs share literals.
        """
        if not self._is_separable():
            return None
        best_of_cell: dict[tuple[int, int], Best] = {}
        values: list[list[int | None]] = [[None] * len(row) for row in self.rows]
        for row_index, column_index, pair in self._pairs():
            best_of_pair = pair.best(scorer)
            if best_of_pair is not None:
                best_of_cell[row_index, column_index] = best_of_pair
                values[row_index][column_index] = best_of_pair.value
        chosen_cells = assignment(values, self.number)
        if chosen_cells is None:
            return NO_OPTION
        return Factored(join_best(best_of_cell[cell] for cell in chosen_cells))
