"""What is left to be shown of a formula after part of a trajectory was read.

A state of the progression is a function over *obligations*. An obligation is a promise about
the positions that were not read yet: it says what is left of it after one more position (a
function over the letters of that position, and again obligations), and whether it is kept if
nothing follows. States are decision diagrams, so states that agree as functions are one
(Bacchus & Kabanza 1998 progress formulas; the diagrams make them canonical).

Operators that look back have *registers*: what the operator needs to know of the previous
position. It may depend on the future (``once next p``), so a register holds a function over
obligations as well, which is progressed like the state itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

from eai.logic.algebra import Algebra
from eai.logic.formula import Comparison
from eai.logic.progression.diagrams import FALSE, LEAF, TRUE, Diagrams

__all__ = ["Obligations", "State"]

State = tuple[int, ...]
"""A function over obligations, and the contents of the registers."""

_REGISTERS = 1 << 20
_OBLIGATIONS = 1 << 21


class Obligations(Algebra[int]):
    """The algebra of functions of the next letter and of what comes after it.

    Letters are variables with small levels, below those of registers and obligations.
    """

    true = TRUE
    false = FALSE

    def __init__(self, diagrams: Diagrams) -> None:
        self.diagrams = diagrams
        self._known: dict[Hashable, int] = {}
        self._after: dict[int, int] = {}
        self._kept: dict[int, bool] = {}
        self._first: list[bool] = []
        self._carried: list[int] = []
        self._relevant: dict[int, frozenset[int]] = {}
        self._relevant_to: dict[int, frozenset[int]] = {}
        self._composed: dict[tuple[tuple[int, int], ...], dict[int, int]] = {}
        self._splits: dict[State, int] = {}

    def negation(self, value: int) -> int:
        """The function that is true where another is false."""
        return self.diagrams.negation(value)

    def all_of(self, values: Iterable[int]) -> int:
        """The conjunction."""
        return self.diagrams.all_of(values)

    def any_of(self, values: Iterable[int]) -> int:
        """The disjunction."""
        return self.diagrams.any_of(values)

    def differ(self, left: int, right: int) -> int:
        """The function that is true where the two differ."""
        return self.diagrams.differ(left, right)

    def count(self, number: int, comparison: Comparison, values: Sequence[int]) -> int:
        """The function "so many of the values are true"."""
        most = len(values)
        if comparison == "at least":
            fewer = self.diagrams.count(values, min(number - 1, most)) if number > 0 else []
            return self.negation(self.any_of(fewer))
        if number < 0 or (comparison == "exactly" and number > most):
            return FALSE
        exact = self.diagrams.count(values, min(number, most))
        return exact[-1] if comparison == "exactly" else self.any_of(exact)

    def paired(self, values: Mapping[tuple[str, str], int], number: int) -> int:
        """The function "so many pairs without a common object are there".

        One object after the other is left out or paired with a later one. What is possible then
        depends on the objects that are left, so the work grows with their sets.
        """
        edges: dict[frozenset[str], int] = {}
        for pair, here in values.items():
            if here != FALSE:
                edge = frozenset(pair)
                edges[edge] = self.diagrams.either(edges.get(edge, FALSE), here)
        known: dict[tuple[tuple[str, ...], int], int] = {}

        def found(left: tuple[str, ...], wanted: int) -> int:
            if wanted <= 0:
                return TRUE
            if len(left) < 2 * wanted:
                return FALSE
            key = (left, wanted)
            if key not in known:
                self.diagrams.spend()
                first, *others = left
                options = [found(tuple(others), wanted)]
                for other in others:
                    here = edges.get(frozenset((first, other)))
                    if here is not None:
                        rest = tuple(name for name in others if name != other)
                        options.append(self.diagrams.both(here, found(rest, wanted - 1)))
                known[key] = self.any_of(options)
            return known[key]

        return found(tuple(sorted({name for edge in edges for name in edge})), number)

    def next(self, value: int, *, weak: bool) -> int:
        """The obligation that is ``value`` at the next position; kept without one if ``weak``."""
        known = self._known.get((value, weak))
        if known is None:
            known = self.reserve(kept=weak)
            self.settle(known, value)
        return known

    def reserve(self, *, kept: bool) -> int:
        """Return a new obligation for which :meth:`settle` must be called."""
        level = _OBLIGATIONS + len(self._kept)
        self._kept[level] = kept
        return self.diagrams.variable(level)

    def settle(self, obligation: int, after: int) -> None:
        """Say what is left of a reserved obligation when the next position is read."""
        level = self.diagrams.level[obligation]
        self._after[level] = after
        self._known.setdefault((after, self._kept[level]), obligation)

    def lasting(self, keep: int, meet: int, *, weak: bool) -> int:
        """The function "``meet``, or ``keep`` and the same again at the next position"."""
        key = ("lasting", keep, meet, weak)
        known = self._known.get(key)
        if known is None:
            again = self.reserve(kept=weak)
            known = self.diagrams.choose(meet, TRUE, self.diagrams.both(keep, again))
            self.settle(again, known)
            self._known[key] = known
        return known

    def previous(self, value: int, *, weak: bool) -> int:
        """The function that was ``value`` at the previous position, in a register."""
        key = ("previous", value, weak)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._register(weak)
            self._carried[-1] = value
        return known

    def looking_back(self, keep: int, meet: int, *, weak: bool) -> int:
        """The function "``meet``, or ``keep`` and the same at the previous position"."""
        key = ("looking back", keep, meet, weak)
        known = self._known.get(key)
        if known is None:
            before = self._register(weak)
            known = self.diagrams.choose(meet, TRUE, self.diagrams.both(keep, before))
            self._carried[-1] = known
            self._known[key] = known
        return known

    def _register(self, first: bool) -> int:
        self._first.append(first)
        self._carried.append(FALSE)
        return self.diagrams.variable(_REGISTERS + len(self._first) - 1)

    def start(self, now: int, *, empty: bool) -> State:
        """Return the state before anything was read."""
        return self._trimmed((self.next(now, weak=empty), *map(int, self._first)))

    def accepts(self, state: State) -> bool:
        """Whether the trajectory may end here."""
        return bool(self.diagrams.follow(state[0], self._kept.__getitem__))

    def read(self, state: State, values: Callable[[int], bool]) -> State:
        """Return the state after one more letter."""
        diagrams = self.diagrams
        memo: dict[int, int] = {}

        def restricted(function: int) -> int:
            # Letters have the lowest levels, so they are asked first.
            known = memo.get(function)
            if known is None:
                rest = function
                while diagrams.level[rest] < _REGISTERS:
                    high, low = diagrams.cofactors(rest, diagrams.level[rest])
                    rest = high if values(diagrams.level[rest]) else low
                known = memo[function] = rest
            return known

        past: dict[int, int] = {}

        def after(function: int) -> int:
            left = {}
            for level in self._support(function):
                meaning = restricted(self._meaning(level))
                left[level] = diagrams.compose(meaning, past, {}) if past else meaning
            return diagrams.compose(function, left, {}) if left else function

        for number in sorted(self._needed(state[0])) if len(state) > 1 else ():
            past[_REGISTERS + number] = after(state[number + 1])
        functions = [after(state[0])]
        for number, carried in enumerate(self._carried[: len(state) - 1]):
            needed = _REGISTERS + number in past
            functions.append(diagrams.compose(restricted(carried), past, {}) if needed else FALSE)
        return self._trimmed(tuple(functions))

    def step(self, state: State) -> int:
        """Return the diagram that asks for the letters and whose leaves are the next states."""
        past: dict[int, int] = {}
        for number in sorted(self._needed(state[0])) if len(state) > 1 else ():
            past[_REGISTERS + number] = self._progressed(state[number + 1], past)
        functions = [self._progressed(state[0], past)]
        for number, carried in enumerate(self._carried[: len(state) - 1]):
            needed = _REGISTERS + number in past
            functions.append(self._with(past, carried) if needed else FALSE)
        return self._split(tuple(functions))

    def _progressed(self, function: int, past: dict[int, int]) -> int:
        """Read one letter: every obligation becomes what is left of it."""
        if function <= TRUE:
            return function
        after = self._after
        if past:
            after = {each: self._with(past, after[each]) for each in self._support(function)}
        memo = self._composed.setdefault((*past.items(), (-1, -1)), {})
        return self.diagrams.compose(function, after, memo)

    def _with(self, past: dict[int, int], function: int) -> int:
        """Put the contents of the registers into a function."""
        if not past:
            return function
        memo = self._composed.setdefault(tuple(past.items()), {})
        return self.diagrams.compose(function, past, memo)

    def _split(self, functions: State) -> int:
        """Return one diagram over the letters whose leaves are states."""
        diagrams, splits = self.diagrams, self._splits
        pending = [functions]
        while pending:
            each = pending[-1]
            top = min(diagrams.level[function] for function in each)
            if top >= _REGISTERS:
                splits[each] = diagrams.leaf(self._trimmed(each))
            if each in splits:
                pending.pop()
                continue
            high, low = zip(*[diagrams.cofactors(f, top) for f in each], strict=True)
            if high in splits and low in splits:
                diagrams.spend()
                splits[each] = diagrams.node(top, splits[low], splits[high])
            else:
                pending += (high, low)
        return splits[functions]

    def _trimmed(self, state: State) -> State:
        """Forget the registers that can never matter again."""
        if len(state) == 1:
            return state
        needed = self._needed(state[0])
        return (state[0], *(r if i in needed else FALSE for i, r in enumerate(state[1:])))

    def _needed(self, function: int) -> frozenset[int]:
        """The numbers of the registers that can matter for a function."""
        known = self._relevant.get(function)
        if known is None:
            known = frozenset().union(*map(self._needed_by, self._support(function)))
            self._relevant[function] = known
        return known

    def _needed_by(self, level: int) -> frozenset[int]:
        """The numbers of the registers that can matter for a register or an obligation."""
        known = self._relevant_to.get(level)
        if known is None:
            seen = {level}
            pending = [level]
            while pending:
                fresh = set(self._support(self._meaning(pending.pop()))) - seen
                seen |= fresh
                pending += sorted(fresh)
            known = frozenset(each - _REGISTERS for each in seen if each < _OBLIGATIONS)
            self._relevant_to[level] = known
        return known

    def _meaning(self, level: int) -> int:
        if level >= _OBLIGATIONS:
            return self._after[level]
        return self._carried[level - _REGISTERS]

    def _support(self, function: int) -> Iterator[int]:
        """The levels of the registers and obligations in a function."""
        for each in self.diagrams.reachable(function):
            if _REGISTERS <= self.diagrams.level[each] < LEAF:
                yield self.diagrams.level[each]
