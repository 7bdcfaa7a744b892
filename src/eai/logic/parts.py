"""On which parts of a trajectory a formula holds: the semantics of ``then``.

A formula holds or fails on a *part*: the positions from ``start`` up to, not including, ``end``.
For one start, the ends of all parts on which a formula holds are one integer (bit ``end``); above
a ``then``, connectives and quantifiers are operations on these. The meaning is that of
:mod:`eai.logic.evaluation`.

A formula is *lasting* if it cannot be lost by making the part longer at either side, which is so
without negation, equivalence, counting or operators of linear temporal logic above or below a
``then``. A lasting link of a ``then`` needs to be tried after the earliest possible cut only, and
the work is linear in the links.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from eai.logic.algebra import Bits, Timeline, lowest, mirror
from eai.logic.formula import Forall, ForPairs, Quantifier, Then
from eai.logic.nodes import Binding, Variable
from eai.logic.positions import Positions
from eai.logic.trace import Part, Trajectory
from eai.logic.tree import Formula


class Parts:
    """Knows on which parts of one trajectory formulas hold, and remembers shared work."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self._positions: Positions | None = None
        self._lines: dict[tuple[int, int], Positions] = {}
        self._memo: dict[tuple[object, ...], int] = {}

    @property
    def positions(self) -> Positions:
        """The truth of state formulas at positions."""
        if self._positions is None:
            self._positions = Positions(self.trajectory)
        return self._positions

    def truth_at(self, formula: Formula, binding: Binding) -> int:
        """Return the positions at which a formula is true: bit i is position i."""
        if formula.is_temporal:
            vector = self._line(0, self.trajectory.length).truth(formula, binding)
            return mirror(vector, self.trajectory.length)
        return self.positions.truth(formula, binding)

    def _line(self, start: int, end: int) -> Positions:
        """A part as a trace of its own, for linear temporal logic."""

        def suffixes(formula: Then, binding: Binding) -> int:
            # Where the parts begin that end here and satisfy the formula.
            found = 0
            for begin in range(start, end):
                found |= (self.ends(formula, begin, binding) >> end & 1) << end - 1 - begin
            return found

        found = self._lines.get((start, end))
        if found is None:
            whole = end - start == self.trajectory.length
            found = self._lines[start, end] = Positions(
                self.trajectory if whole else Part(self.trajectory, start, end),
                timeline=Timeline(end - start),
                then=suffixes,
            )
        return found

    def _from(self, end: int) -> int:
        """The mask of all ends that are not before ``end``."""
        return (2 << self.trajectory.length) - (1 << end)

    def ends(self, formula: Formula, start: int, binding: Binding) -> int:
        """Return the ends of the parts from ``start`` on which a formula holds."""
        if not formula.is_temporal:
            key: tuple[object, ...] = (formula, *binding.items())
            where = self._memo.get(key)
            if where is None:
                where = self._memo[key] = self.positions.truth(formula, binding)
            later = where >> start
            return self._from(start + lowest(later) + 1) if later else 0
        key = (formula, -1 - start, *binding.items())
        known = self._memo.get(key)
        if known is not None:
            return known
        if isinstance(formula, Then):
            found = 1 << start
            for link in formula.operands:
                found = self.after(link, found, binding)
        elif formula.is_linear or not formula.has_then:
            # Every part is evaluated by itself: it is a trace of its own.
            found = 0
            for end in range(start + 1, self.trajectory.length + 1):
                found |= self.first(formula, start, end, binding) << end
        elif formula.variables:
            found = self._quantified(formula, start, binding)
        else:
            operands = []
            for operand in formula.operands:
                operands.append(self.ends(operand, start, binding))  # noqa: PERF401 - one frame less
            found = formula.combine(Bits(self._from(start)), operands)
        self._memo[key] = found
        return found

    def after(self, link: Formula, cuts: int, binding: Binding) -> int:
        """Return where one link of a ``then`` can end that may begin at any of the cuts."""
        if not cuts:
            return 0
        if link.is_lasting:  # only the earliest cut matters
            return self.ends(link, lowest(cuts), binding)
        found = 0
        while cuts:
            found |= self.ends(link, lowest(cuts), binding)
            cuts &= cuts - 1
        return found

    def first(self, formula: Formula, start: int, end: int, binding: Binding) -> int:
        """Return 1 if a formula is true at the first position of a part, else 0."""
        return self._line(start, end).truth(formula, binding) >> end - start - 1

    def _quantified(self, formula: Formula, start: int, binding: Binding) -> int:
        everywhere = Bits(self._from(start))
        (body,) = formula.operands
        outer = binding.without(variable.name for variable in formula.variables)
        if isinstance(formula, ForPairs):
            values = {}
            for pair in self.positions.pairs(formula, outer):
                inner = Binding(outer)
                inner[formula.first.name], inner[formula.second.name] = pair
                values[pair] = self.ends(body, start, inner)
            sides = (self.positions.range(formula.first), self.positions.range(formula.second))
            # Ends before the start count as places too, and are taken out.
            whole = Bits((2 << self.trajectory.length) - 1)
            return formula.paired(whole, values, sides) & everywhere.full
        found = []
        enough = None
        if isinstance(formula, Quantifier):  # such an operand decides it
            enough = everywhere.full if formula.wants else 0
        for inner in self._bindings(formula.variables, formula, outer):
            found.append(self.ends(body, start, inner))
            if found[-1] == enough:
                break
        return formula.combine(everywhere, found)

    def _bindings(
        self, variables: Sequence[Variable], formula: Formula, binding: Binding
    ) -> Iterator[Binding]:
        """All bindings of some variables that can matter; each is a dictionary of its own."""
        if not variables:
            yield binding
            return
        first, *rest = variables
        names: Iterable[str] = self.positions.range(first)
        if not isinstance(formula, Forall):
            (body,) = formula.operands
            names = self.positions.pool(first, ((body, True),), binding)
        for name in names:
            inner = Binding(binding)
            inner[first.name] = name
            yield from self._bindings(rest, formula, inner)
