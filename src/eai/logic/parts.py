"""On which parts of a trajectory a formula holds.

A formula holds or fails on a *part*: the positions from ``start`` up to, not including, ``end``.
For one start, the ends of all parts on which a formula holds are one integer (bit ``end``). The
meaning is that of :mod:`eai.logic.semantics`.

A formula is *lasting* if it cannot be lost by making the part longer at either side, which is so
without negation, equivalence, counting or operators of linear temporal logic above or below a
``then``. A lasting link of a ``then`` needs to be tried after the earliest possible cut only, and
the work is linear in the links.

The rules are generators: a rule yields what it wants to know and is sent the answer, so that the
depth of a formula is no limit.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import ClassVar

from eai.logic.formula import (
    LINEAR,
    And,
    Count,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Iff,
    Implies,
    Not,
    Or,
    Then,
    Variable,
    Xor,
    has_linear,
    has_then,
    is_temporal,
)
from eai.logic.positions import Binding, Positions
from eai.logic.timeline import Timeline, counted, lowest, mirror
from eai.logic.trace import Part, Trajectory
from eai.logic.traits import is_lasting

__all__ = ["Parts"]

_STATE = (False, False)
_Request = tuple[Formula, int, Binding]
_Rule = Generator[_Request, int, int]


class Parts:
    """Knows on which parts of one trajectory formulas hold, and remembers shared work.

    Formulas are recognised by identity: they must stay alive as long as this object.

    Args:
        trajectory: The trajectory; it must not change meanwhile.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self._positions: Positions | None = None
        self._lines: dict[tuple[int, int], Positions] = {}
        self._kinds: dict[int, tuple[bool, bool]] = {}
        self._memo: dict[tuple[object, ...], int] = {}

    @property
    def positions(self) -> Positions:
        """The truth of state formulas at positions."""
        if self._positions is None:
            self._positions = Positions(self.trajectory)
        return self._positions

    def truth_at(self, formula: Formula, binding: Binding) -> int:
        """Return the positions at which a formula is true: bit i is position i."""
        if is_temporal(formula):
            vector = self._line(0, self.trajectory.length).truth(formula, binding)
            return mirror(vector, self.trajectory.length)
        return self.positions.truth(formula, binding)

    def _line(self, start: int, end: int) -> Positions:
        """A part as a trace of its own, for linear temporal logic."""
        found = self._lines.get((start, end))
        if found is None:
            whole = end - start == self.trajectory.length
            found = self._lines[start, end] = Positions(
                self.trajectory if whole else Part(self.trajectory, start, end),
                timeline=Timeline(end - start),
                then=lambda formula, binding: self._suffixes(formula, start, end, binding),
            )
        return found

    def _suffixes(self, formula: Then, start: int, end: int, binding: Binding) -> int:
        """Where the parts begin, from ``start`` on, that end here and satisfy the formula."""
        found = 0
        for begin in range(start, end):
            found |= (self.ends_of(formula, begin, binding) >> end & 1) << end - 1 - begin
        return found

    def ends_of(self, formula: Formula, start: int, binding: Binding) -> int:
        """Return the ends of the parts from ``start`` on which a formula holds.

        The rules are run in turn; each of them waits for the answers to what it asked.
        """
        rules: list[tuple[tuple[object, ...], _Rule]] = []
        request: _Request = (formula, start, binding)
        while True:
            answer = self._known(*request)
            if answer is None:
                rules.append((_key(*request), self._rules[type(request[0])](self, *request)))
            while rules:
                key, rule = rules[-1]
                try:
                    request = next(rule) if answer is None else rule.send(answer)
                    break
                except StopIteration as stop:
                    answer = self._memo[key] = stop.value
                    rules.pop()
            else:
                assert answer is not None  # noqa: S101 - the last rule has returned it
                return answer

    def _known(self, formula: Formula, start: int, binding: Binding) -> int | None:
        """The ends of a formula without ``then``, or what was found before."""
        kind = self._kinds.get(id(formula))
        if kind is None:
            kind = self._kinds[id(formula)] = (has_then(formula), has_linear(formula))
        if kind == _STATE:
            return self._ends_of_state(formula, start, binding)
        key = _key(formula, start, binding)
        known = self._memo.get(key)
        if known is None and not kind[0]:
            known = self._memo[key] = self._ends_of_linear(formula, start, binding)
        return known

    def _from(self, end: int) -> int:
        """The mask of all ends that are not before ``end``."""
        return (2 << self.trajectory.length) - (1 << end)

    def _ends_of_state(self, formula: Formula, start: int, binding: Binding) -> int:
        key = (id(formula), "truth", *binding.items())
        where = self._memo.get(key)
        if where is None:
            where = self._memo[key] = self.positions.truth(formula, binding)
        later = where >> start
        return self._from(start + lowest(later) + 1) if later else 0

    def _ends_of_linear(self, formula: Formula, start: int, binding: Binding) -> int:
        """Judge every part by itself: it is a trace of its own."""
        found = 0
        for end in range(start + 1, self.trajectory.length + 1):
            found |= self.first(formula, start, end, binding) << end
        return found

    def first(self, formula: Formula, start: int, end: int, binding: Binding) -> int:
        """Return 1 if a formula is true at the first position of a part, else 0."""
        return self._line(start, end).truth(formula, binding) >> end - start - 1

    def starts(self, link: Formula, cuts: int) -> Sequence[int]:
        """Where a link has to be tried; a lasting one only after the earliest cut."""
        if not cuts or is_lasting(link):
            return [lowest(cuts)] if cuts else []
        return [place for place in range(cuts.bit_length()) if cuts >> place & 1]

    def _ends_of_then(self, formula: Then, start: int, binding: Binding) -> _Rule:
        cuts = 1 << start
        for operand in formula.operands:
            found = 0
            for begin in self.starts(operand, cuts):
                # To ask is dear: most links are state formulas, and known without.
                ends = self._known(operand, begin, binding)
                found |= (yield operand, begin, binding) if ends is None else ends
            cuts = found
            if not cuts:
                break
        return cuts

    def _ends_of_not(self, formula: Not, start: int, binding: Binding) -> _Rule:
        return self._from(start) ^ (yield formula.operand, start, binding)

    def _ends_of_and(self, formula: And, start: int, binding: Binding) -> _Rule:
        found = self._from(start)
        for operand in formula.operands:
            found &= yield operand, start, binding
        return found

    def _ends_of_or(self, formula: Or, start: int, binding: Binding) -> _Rule:
        found = 0
        for operand in formula.operands:
            found |= yield operand, start, binding
        return found

    def _ends_of_implies(self, formula: Implies, start: int, binding: Binding) -> _Rule:
        left = self._from(start) ^ (yield formula.left, start, binding)
        return left | (yield formula.right, start, binding)

    def _ends_of_iff(self, formula: Iff, start: int, binding: Binding) -> _Rule:
        left = self._from(start) ^ (yield formula.left, start, binding)
        return left ^ (yield formula.right, start, binding)

    def _ends_of_xor(self, formula: Xor, start: int, binding: Binding) -> _Rule:
        left = yield formula.left, start, binding
        return left ^ (yield formula.right, start, binding)

    def _ends_of_forall(self, formula: Forall, start: int, binding: Binding) -> _Rule:
        everywhere = self._from(start)
        found = everywhere
        for inner in self._bindings(formula.variables, formula.body, binding, every=True):
            found &= yield formula.body, start, inner
            if not found:
                break
        return found

    def _ends_of_exists(self, formula: Exists, start: int, binding: Binding) -> _Rule:
        everywhere = self._from(start)
        found = 0
        for inner in self._bindings(formula.variables, formula.body, binding, every=False):
            found |= yield formula.body, start, inner
            if found == everywhere:
                break
        return found

    def _bindings(
        self, variables: Sequence[Variable], body: Formula, binding: Binding, *, every: bool
    ) -> Iterator[Binding]:
        """All bindings of some variables that can matter; each is a dictionary of its own."""
        outer = binding.without(variable.name for variable in variables)
        if not variables:
            yield outer
            return
        first, *rest = variables
        for name in self._objects(first, body, outer, every=every):
            inner = Binding(outer)
            inner[first.name] = name
            if rest:
                yield from self._bindings(rest, body, inner, every=every)
            else:
                yield inner

    def _objects(
        self, variable: Variable, body: Formula, binding: Binding, *, every: bool
    ) -> Iterable[str]:
        if every:
            return self.positions.range(variable)
        return self.positions.pool(variable, ((body, True),), binding)

    def _ends_of_count(self, formula: Count, start: int, binding: Binding) -> _Rule:
        vectors = []
        for inner in self._bindings((formula.variable,), formula.body, binding, every=False):
            vectors.append((yield formula.body, start, inner))  # noqa: PERF401 - a generator waits
        return counted(formula.number, formula.comparison, vectors, self._from(start))

    def _ends_of_pairs(self, formula: ForPairs, start: int, binding: Binding) -> _Rule:
        outer = binding.without((formula.first.name, formula.second.name))
        vectors = {}
        for pair in self.positions.pairs(formula, outer):
            inner = Binding(outer)
            inner[formula.first.name], inner[formula.second.name] = pair
            vectors[pair] = yield formula.body, start, inner
        # Ends before the start count as positions too, and are taken out.
        full = (2 << self.trajectory.length) - 1
        return self.positions.paired(formula, vectors, full) & self._from(start)

    def _ends_of_moment(self, formula: Formula, start: int, binding: Binding) -> _Rule:
        """An operator of linear temporal logic above a ``then``: every part is a trace."""
        yield from ()
        return self._ends_of_linear(formula, start, binding)

    _rules: ClassVar[dict[type[Formula], Callable[..., _Rule]]] = {
        **dict.fromkeys(LINEAR, _ends_of_moment),
        Not: _ends_of_not,
        And: _ends_of_and,
        Or: _ends_of_or,
        Implies: _ends_of_implies,
        Iff: _ends_of_iff,
        Xor: _ends_of_xor,
        Forall: _ends_of_forall,
        Exists: _ends_of_exists,
        Count: _ends_of_count,
        ForPairs: _ends_of_pairs,
        Then: _ends_of_then,
    }


def _key(formula: Formula, start: int, binding: Binding) -> tuple[object, ...]:
    return (id(formula), -1 - start, *binding.items())
