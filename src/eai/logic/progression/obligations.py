"""Obligations: the remainder of a formula after part of a trajectory was read.

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

from collections.abc import Callable, Hashable, Iterator

from eai.logic.progression.diagrams import FALSE, LEAF, TRUE, Diagrams

State = tuple[int, ...]
"""A function over obligations, and the contents of the registers."""

_REGISTERS = 1 << 20
_OBLIGATIONS = 1 << 21


class Obligations(Diagrams):
    """The algebra of functions of the next letter and of what comes after it.

    Letters are variables with small levels, below those of registers and obligations.
    """

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self._promises: dict[Hashable, int] = {}
        self._after: dict[int, int] = {}
        self._kept: dict[int, bool] = {}
        self._first: list[bool] = []
        self._carried: list[int] = []
        self._relevant: dict[int, frozenset[int]] = {}
        self._relevant_to: dict[int, frozenset[int]] = {}
        self._composed: dict[tuple[tuple[int, int], ...], dict[int, int]] = {}
        self._splits: dict[State, int] = {}

    def next(self, value: int, *, weak: bool) -> int:
        """The obligation that is ``value`` at the next position; kept without one if ``weak``."""
        known = self._promises.get((value, weak))
        if known is None:
            known = self.reserve(kept=weak)
            self.settle(known, value)
        return known

    def reserve(self, *, kept: bool) -> int:
        """Return a new obligation for which :meth:`settle` must be called."""
        level = _OBLIGATIONS + len(self._kept)
        self._kept[level] = kept
        return self.variable(level)

    def settle(self, obligation: int, after: int) -> None:
        """Say what is left of a reserved obligation when the next position is read."""
        level = self.level[obligation]
        self._after[level] = after
        self._promises.setdefault((after, self._kept[level]), obligation)

    def lasting(self, keep: int, meet: int, *, weak: bool) -> int:
        """The function "``meet``, or ``keep`` and the same again at the next position"."""
        key = ("lasting", keep, meet, weak)
        known = self._promises.get(key)
        if known is None:
            again = self.reserve(kept=weak)
            known = self.choose(meet, TRUE, self.both(keep, again))
            self.settle(again, known)
            self._promises[key] = known
        return known

    def previous(self, value: int, *, weak: bool) -> int:
        """The function that was ``value`` at the previous position, in a register."""
        key = ("previous", value, weak)
        known = self._promises.get(key)
        if known is None:
            known = self._promises[key] = self._register(weak)
            self._carried[-1] = value
        return known

    def looking_back(self, keep: int, meet: int, *, weak: bool) -> int:
        """The function "``meet``, or ``keep`` and the same at the previous position"."""
        key = ("looking back", keep, meet, weak)
        known = self._promises.get(key)
        if known is None:
            before = self._register(weak)
            known = self.choose(meet, TRUE, self.both(keep, before))
            self._carried[-1] = known
            self._promises[key] = known
        return known

    def _register(self, first: bool) -> int:
        self._first.append(first)
        self._carried.append(FALSE)
        return self.variable(_REGISTERS + len(self._first) - 1)

    def start(self, promised: int) -> State:
        """Return the state before anything was read, given a function over obligations."""
        return self._trimmed((promised, *map(int, self._first)))

    def accepts(self, state: State) -> bool:
        """Return whether the trajectory may end here."""
        return bool(self.follow(state[0], self._kept.__getitem__))

    def read(self, state: State, values: Callable[[int], bool]) -> State:
        """Return the state after one more letter."""
        memo: dict[int, int] = {}

        def restricted(function: int) -> int:
            # Letters have the lowest levels, so they are asked first.
            known = memo.get(function)
            if known is None:
                rest = function
                while self.level[rest] < _REGISTERS:
                    high, low = self.cofactors(rest, self.level[rest])
                    rest = high if values(self.level[rest]) else low
                known = memo[function] = rest
            return known

        past: dict[int, int] = {}

        def after(function: int) -> int:
            left = {}
            for level in self._support(function):
                meaning = restricted(self._meaning(level))
                left[level] = self.compose(meaning, past, {}) if past else meaning
            return self.compose(function, left, {}) if left else function

        for number in sorted(self._needed(state[0])) if len(state) > 1 else ():
            past[_REGISTERS + number] = after(state[number + 1])
        functions = [after(state[0])]
        for number, carried in enumerate(self._carried[: len(state) - 1]):
            needed = _REGISTERS + number in past
            functions.append(self.compose(restricted(carried), past, {}) if needed else FALSE)
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
        return self.compose(function, after, memo)

    def _with(self, past: dict[int, int], function: int) -> int:
        """Put the contents of the registers into a function."""
        if not past:
            return function
        memo = self._composed.setdefault(tuple(past.items()), {})
        return self.compose(function, past, memo)

    def _split(self, functions: State) -> int:
        """Return one diagram over the letters whose leaves are states."""
        splits = self._splits
        pending = [functions]
        while pending:
            each = pending[-1]
            top = min(self.level[function] for function in each)
            if top >= _REGISTERS:
                splits[each] = self.leaf(self._trimmed(each))
            if each in splits:
                pending.pop()
                continue
            high, low = zip(*[self.cofactors(f, top) for f in each], strict=True)
            if high in splits and low in splits:
                self.spend()
                splits[each] = self.node(top, splits[low], splits[high])
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
        for each in self.reachable(function):
            if _REGISTERS <= self.level[each] < LEAF:
                yield self.level[each]
