"""Decision diagrams: canonical functions of truth variables.

A diagram is a number in a :class:`Diagrams` table: 0 is false, 1 is true, any other is a leaf
with a value of the caller's, or a choice on one variable between two other diagrams.

Invariants: variables are numbers (*levels*) and are asked in increasing order; a choice has two
different sides; equal diagrams have equal numbers (Bryant 1986). So two functions are the same if
and only if their numbers are.

Cost: a connective of two functions takes time in the product of their sizes, and remembers every
choice that it made. Work is counted (:meth:`Diagrams.spend`), because sizes may be exponential in
the number of variables.

Examples:
    >>> diagrams = Diagrams(limit=100)
    >>> p, q = diagrams.variable(0), diagrams.variable(1)
    >>> both = diagrams.negation(diagrams.either(diagrams.negation(p), diagrams.negation(q)))
    >>> both == diagrams.both(p, q)
    True
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

from eai.errors import LimitError
from eai.logic.algebra import Algebra, Counting
from eai.nesting import Steps, recursively

FALSE = 0
"""The diagram of what is never true."""
TRUE = 1
"""The diagram of what is always true."""
LEAF = 1 << 40
"""The level of everything that is not a choice."""


class Diagrams(Algebra[int]):
    """A table of multi-terminal decision diagrams.

    Functions are comparable if they are in the same table.
    """

    true = TRUE
    false = FALSE

    def __init__(self, limit: int) -> None:
        """Create a table that has the two constants only."""
        self.level: list[int] = [LEAF, LEAF]
        # For each diagram, where its variable is true and where it is false.
        self._sides: list[tuple[int, int]] = [(FALSE, FALSE), (TRUE, TRUE)]
        self._left = limit
        self._limit = limit
        # The diagram of each (level, low, high): there is one only (hash consing).
        self._unique: dict[tuple[int, int, int], int] = {}
        # The leaf of each value, and the value of each leaf.
        self._leaves: dict[Hashable, int] = {}
        self._values: dict[int, Hashable] = {FALSE: False, TRUE: True}
        # The results of `choose` for (test, high, low).
        self._choices: dict[tuple[int, int, int], int] = {}

    def spend(self, operations: int = 1) -> None:
        """Count work, and raise an error beyond the limit."""
        self._left -= operations
        if self._left < 0:
            raise LimitError(
                f"the automaton takes more than {self._limit} operations to build",
                mend="make the formula smaller, give fewer objects, or raise limit",
            )

    def lift_limit(self) -> None:
        """Allow any amount of work from now on."""
        self._left = self._limit = 1 << 62

    def node(self, level: int, low: int, high: int) -> int:
        """Return the diagram that decides between two diagrams by the value of a variable.

        Equal diagrams are one object, so this one is only made if it does not exist.

        Args:
            level: Level of the variable, which is above those of both diagrams.
            low: The diagram if the variable is false.
            high: The diagram if it is true.
        """
        if low == high:
            return low
        key = (level, low, high)
        diagram = self._unique.get(key)
        if diagram is None:
            diagram = self._unique[key] = self._add_diagram(level, low, high)
        return diagram

    def variable(self, level: int) -> int:
        """Return the function that is the variable itself."""
        return self.node(level, FALSE, TRUE)

    def leaf(self, value: Hashable) -> int:
        """Return the leaf with a value; equal values have the same leaf."""
        # Like choices, leaves are made once, so that equal functions have one number.
        leaf = self._leaves.get(value)
        if leaf is None:
            leaf = self._leaves[value] = self._add_diagram(LEAF, 0, 0)
            self._values[leaf] = value
        return leaf

    def value(self, leaf: int) -> Hashable:
        """Return the value of a leaf."""
        return self._values[leaf]

    def _add_diagram(self, level: int, low: int, high: int) -> int:
        """Add a diagram to the table, and return its number."""
        self.level.append(level)
        self._sides.append((high, low))
        return len(self.level) - 1

    def choose(self, test: int, high: int, low: int) -> int:
        """Return ``high`` where ``test`` is true and ``low`` where it is false."""
        result = self._simple_choice(test, high, low)
        if result is None:
            result = self._compute_choice((test, high, low))
        return result

    def _simple_choice(self, test: int, high: int, low: int) -> int | None:
        """Return the diagram of "if test then high else low" if it is known without any work.

        Returns:
            The diagram; None if it is not cached and has to be made.
        """
        if test == TRUE:
            return high
        if test == FALSE:
            return low
        if high == low:
            return high
        if high == TRUE and low == FALSE:
            return test
        return self._choices.get((test, high, low))

    def _compute_choice(self, choice: tuple[int, int, int]) -> int:
        """Return the diagram of "if test then high else low" for a triple of diagrams.

        The first variable of the three diagrams is given both values (Shannon expansion), and the
        two smaller choices are joined again. A stack takes the place of recursion.

        This is the innermost loop of progression, so it reads the tables without a call.
        """
        sides = self._sides
        level = self.level
        pending = [choice]
        while pending:
            test, high, low = pending[-1]
            test_level = level[test]
            high_level = level[high]
            low_level = level[low]
            top_level = min(test_level, high_level, low_level)
            test_1, test_0 = sides[test] if test_level == top_level else (test, test)
            high_1, high_0 = sides[high] if high_level == top_level else (high, high)
            low_1, low_0 = sides[low] if low_level == top_level else (low, low)
            if_true = self._simple_choice(test_1, high_1, low_1)
            if_false = self._simple_choice(test_0, high_0, low_0)
            # A choice stays on the stack until both of its sides are known.
            if if_true is not None and if_false is not None:
                self.spend()
                self._choices[pending.pop()] = self.node(top_level, if_false, if_true)
            if if_true is None:
                pending.append((test_1, high_1, low_1))
            if if_false is None:
                pending.append((test_0, high_0, low_0))
        return self._choices[choice]

    def cofactors(self, diagram: int, level: int) -> tuple[int, int]:
        """Return the diagrams that it is where a variable is true, and where it is false."""
        if self.level[diagram] != level:
            return diagram, diagram  # it does not depend on the variable
        return self._sides[diagram]

    def negation(self, value: int) -> int:
        return self.choose(value, FALSE, TRUE)

    def both(self, left: int, right: int) -> int:
        """Return the conjunction of two functions."""
        return self.choose(left, right, FALSE)

    def either(self, left: int, right: int) -> int:
        """Return the disjunction of two functions."""
        return self.choose(left, TRUE, right)

    def differ(self, left: int, right: int) -> int:
        return self.choose(left, self.negation(right), right)

    def all_of(self, values: Iterable[int]) -> int:
        return self._join_pairwise(self.both, values, TRUE)

    def any_of(self, values: Iterable[int]) -> int:
        return self._join_pairwise(self.either, values, FALSE)

    @staticmethod
    def _join_pairwise(
        join: Callable[[int, int], int], operands: Iterable[int], neutral: int
    ) -> int:
        """Join any number of functions.

        Args:
            join: Joins two functions.
            operands: The functions.
            neutral: The result for no functions.
        """
        # Neighbours are joined first. Joining all to one result would walk it again and again.
        functions = list(operands) or [neutral]
        while len(functions) > 1:
            joined = []
            for left, right in zip(functions[::2], functions[1::2], strict=False):
                joined.append(join(left, right))
            if len(functions) % 2:
                joined.append(functions[-1])
            functions = joined
        return functions[0]

    def count(self, threshold: int, comparison: Counting, values: Sequence[int]) -> int:
        """Return the function "the number of true values compares as required".

        Args:
            threshold: The number that the count is compared with.
            comparison: Whether exactly, at least or at most so many are wanted.
            values: The functions that are counted.
        """
        if comparison == "at least":
            # At least n are true unless exactly 0, 1, ... or n - 1 are.
            functions_of_fewer: list[int] = []
            if threshold > 0:
                functions_of_fewer = self._exact_count_functions(
                    values, min(threshold - 1, len(values))
                )
            return self.negation(self.any_of(functions_of_fewer))
        if threshold < 0 or (comparison == "exactly" and threshold > len(values)):
            return FALSE
        exact_functions = self._exact_count_functions(values, min(threshold, len(values)))
        if comparison == "exactly":
            return exact_functions[-1]
        return self.any_of(exact_functions)

    def paired(self, values: Mapping[tuple[str, str], int], pair_count: int) -> int:
        """Return the function "at least ``pair_count`` disjoint pairs are true".

        One object after the other is left out or paired with a later one. The pairs that are
        possible then depend on the objects that are left, so the work grows with their sets.
        """
        edges: dict[frozenset[str], int] = {}
        for pair, function in values.items():
            if function != FALSE:
                edge = frozenset(pair)
                edges[edge] = self.either(edges.get(edge, FALSE), function)
        cached_results: dict[tuple[tuple[str, ...], int], int] = {}

        @recursively  # as deep as there are objects
        def pairs_among(objects: tuple[str, ...], wanted: int) -> Steps[int]:
            """Return the function "so many pairs are there among these objects"."""
            if wanted <= 0:
                return TRUE
            if len(objects) < 2 * wanted:
                return FALSE
            key = (objects, wanted)
            if key not in cached_results:
                self.spend()
                # Either the first object is in no pair, or it is paired with one of the others.
                first, *others = objects
                alternatives = [(yield (tuple(others), wanted))]
                for partner in others:
                    edge = edges.get(frozenset((first, partner)))
                    if edge is not None:
                        other_partners = tuple(name for name in others if name != partner)
                        alternatives.append(self.both(edge, (yield (other_partners, wanted - 1))))
                cached_results[key] = self.any_of(alternatives)
            return cached_results[key]

        objects = {name for edge in edges for name in edge}
        return pairs_among(tuple(sorted(objects)), pair_count)

    def _exact_count_functions(self, operands: Iterable[int], max_count: int) -> list[int]:
        """Return the functions "exactly k operands are true" for k from 0 to ``max_count``.

        Invariant: ``exact[k]`` is the function for the operands so far (dynamic programming).
        """
        exact_functions = [TRUE] + [FALSE] * max_count
        for operand in operands:
            # k are true if the operand is and k - 1 before it, or if it is not and k before it.
            one_fewer = [FALSE, *exact_functions]
            exact_functions = [
                self.choose(operand, one_fewer[true_count], exact_functions[true_count])
                for true_count in range(max_count + 1)
            ]
        return exact_functions

    def compose(self, diagram: int, replace: Mapping[int, int], memo: dict[int, int]) -> int:
        """Return a diagram with its variables replaced by functions.

        Args:
            diagram: The diagram.
            replace: Functions by the level of the variable.
            memo: Values of other diagrams for the same functions (see :meth:`fold`).
        """
        if not replace:
            return diagram

        def join(level: int, low: int, high: int) -> int:
            """Return a choice by what takes the place of its variable."""
            test = replace.get(level)
            if test is None:
                test = self.variable(level)
            return self.choose(test, high, low)

        return self.fold(diagram, lambda leaf: leaf, join, memo)

    def convert(self, diagram: int, change: Callable[[int], int], memo: dict[int, int]) -> int:
        """Replace leaves by other diagrams without choices; the memo is of the same change."""
        return self.fold(diagram, change, self.node, memo)

    def fold(
        self,
        diagram: int,
        change: Callable[[int], int],
        join: Callable[[int, int, int], int],
        memo: dict[int, int],
    ) -> int:
        """Return a value computed from a diagram's leaves upward.

        A stack takes the place of recursion, since diagrams may be thousands of levels deep.

        Args:
            diagram: The diagram.
            change: Function from a leaf to its value.
            join: Function from a level, and the values of the false and the true side, to the
                value of a choice.
            memo: The values that are known; those of the diagram and of all in it are added.
        """
        pending = [diagram]
        while pending:
            current = pending[-1]
            if current in memo:
                pending.pop()
                continue
            high, low = self._sides[current]
            if self.level[current] == LEAF:
                self.spend()
                memo[current] = change(current)
            elif high in memo and low in memo:
                self.spend()
                memo[current] = join(self.level[current], memo[low], memo[high])
            else:
                # The diagram stays on the stack until both of its sides have a value.
                pending += (high, low)
        return memo[diagram]

    def follow(self, diagram: int, values: Callable[[int], bool]) -> int:
        """Return the leaf for an assignment of all variables."""
        while self.level[diagram] != LEAF:
            high, low = self._sides[diagram]
            if values(self.level[diagram]):
                diagram = high
            else:
                diagram = low
        return diagram

    def reachable(self, diagram: int, visited: set[int] | None = None) -> Iterator[int]:
        """Yield a diagram and all its subdiagrams, each once.

        Args:
            diagram: The diagram.
            visited: Diagrams that are passed over; those that are yielded are added.
        """
        if visited is None:
            visited = set()
        pending = [diagram]
        while pending:
            current = pending.pop()
            if current not in visited:
                visited.add(current)
                yield current
                if self.level[current] != LEAF:
                    pending += self._sides[current]

    def leaves(self, diagram: int, visited: set[int] | None = None) -> list[Hashable]:
        """Return the values of the leaves of a diagram, those where letters are false first."""
        reached = self.reachable(diagram, visited)
        return [self._values[other] for other in reached if self.level[other] == LEAF]
