"""Obligations: the remainder of a formula after part of a trajectory was read.

A state of the progression is a function over *obligations*. An obligation is a promise about
the positions that were not read yet: it says what is left of it after one more position (a
function over the letters of that position, and again obligations), and whether it is kept if
nothing follows. States are decision diagrams, so states that agree as functions are one
(Bacchus & Kabanza 1998 progress formulas; the diagrams make them canonical).

Operators that look back have *registers*: the value of a formula at the previous position. It may
depend on the future (``once next p``), so a register holds a function over obligations as well,
which is progressed like the state itself.

Invariant: levels are ordered letters < registers < obligations. So the top of a diagram asks for
the letters of the position that is read, and below them are functions of the future alone: cutting
a diagram there (:meth:`Obligations._split_by_letters`) gives the next states.

Cost: one composition of diagrams for every state and position; compositions are remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from eai.logic.progression.diagrams import FALSE, LEAF, TRUE, Diagrams

State = tuple[int, ...]
"""A function over obligations, and the contents of the registers."""

_REGISTERS = 1 << 20
"""Level of the first register."""
_OBLIGATIONS = 1 << 21
"""Level of the first obligation."""


class Obligations(Diagrams):
    """The algebra of functions of the next letter and of obligations for the rest.

    Letters are variables with small levels, below those of registers and obligations.
    """

    def __init__(self, limit: int) -> None:
        """Create a table without obligations and registers."""
        super().__init__(limit)
        # Obligations and fixed points by their definition, so that equal ones are shared.
        self._promises: dict[Hashable, int] = {}
        # By level of an obligation: its function at the next position, and whether it is met at the
        # end.
        self._after: dict[int, int] = {}
        self._kept: dict[int, bool] = {}
        # By number of a register: its value before the first position, and the function whose
        # value it takes over from each position.
        self._first: list[bool] = []
        self._carried: list[int] = []
        # Results of `_registers_needed` and `_registers_needed_by`, of compositions, and of
        # `_split_by_letters`.
        self._relevant: dict[int, frozenset[int]] = {}
        self._relevant_to: dict[int, frozenset[int]] = {}
        self._composed: dict[tuple[tuple[int, int], ...], dict[int, int]] = {}
        self._splits: dict[State, int] = {}

    def next(self, value: int, *, weak: bool) -> int:
        """Return the obligation that ``value`` holds at the next position.

        At the end of the trajectory there is no next position. There a weak obligation is met, and
        a strong one is not.
        """
        promise = self._promises.get((value, weak))
        if promise is None:
            promise = self.reserve(kept=weak)
            self.settle(promise, value)
        return promise

    def reserve(self, *, kept: bool) -> int:
        """Return a new obligation for which :meth:`settle` must be called."""
        level = _OBLIGATIONS + len(self._kept)
        self._kept[level] = kept
        return self.variable(level)

    def settle(self, obligation: int, after: int) -> None:
        """Set the function that is left of a reserved obligation after one more position."""
        level = self.level[obligation]
        self._after[level] = after
        self._promises.setdefault((after, self._kept[level]), obligation)

    def lasting(self, keep: int, meet: int, *, weak: bool) -> int:
        """Return the function "``meet``, or ``keep`` and the same again at the next position".

        This is ``until`` (and ``weak until``): its rest after one position is the function itself.
        """
        key = ("lasting", keep, meet, weak)
        promise = self._promises.get(key)
        if promise is None:
            # The function mentions itself: the obligation is made first and settled afterwards.
            rest = self.reserve(kept=weak)
            promise = self.choose(meet, TRUE, self.both(keep, rest))
            self.settle(rest, promise)
            self._promises[key] = promise
        return promise

    def previous(self, value: int, *, weak: bool) -> int:
        """Return the value of a function at the previous position, kept in a register."""
        key = ("previous", value, weak)
        promise = self._promises.get(key)
        if promise is None:
            promise = self._promises[key] = self._register(weak)
            self._carried[-1] = value
        return promise

    def looking_back(self, keep: int, meet: int, *, weak: bool) -> int:
        """Return the function "``meet``, or ``keep`` and the same at the previous position".

        This is ``since``. Its value at the previous position is kept in a register, so that a
        single bit is enough.

        Args:
            keep: The left operand, as a function.
            meet: The right operand, as a function.
            weak: Value that the register has before the first position.
        """
        key = ("looking back", keep, meet, weak)
        promise = self._promises.get(key)
        if promise is None:
            before = self._register(weak)
            promise = self.choose(meet, TRUE, self.both(keep, before))
            self._carried[-1] = promise
            self._promises[key] = promise
        return promise

    def _register(self, first: bool) -> int:
        """Return a new register with its value before the first position."""
        self._first.append(first)
        self._carried.append(FALSE)
        return self.variable(_REGISTERS + len(self._first) - 1)

    def start(self, promised: int) -> State:
        """Return the state before anything was read, given a function over obligations."""
        return self._forget_registers((promised, *map(int, self._first)))

    def accepts(self, state: State) -> bool:
        """Return whether the trajectory may end here."""
        return bool(self.follow(state[0], self._kept.__getitem__))

    def read(self, state: State, values: Callable[[int], bool]) -> State:
        """Return the state after one more letter.

        :meth:`step` has the successors for all letters in one diagram. That diagram is not needed
        along one trajectory, on which few letters occur.

        Args:
            state: The state.
            values: Function that tells whether a proposition, given by its number, is true now.
        """
        memo: dict[int, int] = {}
        register_contents: dict[int, int] = {}

        def restrict(function: int) -> int:
            """Return a function for this letter. Letters are tested first in every diagram."""
            value = memo.get(function)
            if value is None:
                value = function
                while self.level[value] < _REGISTERS:
                    level = self.level[value]
                    high, low = self.cofactors(value, level)
                    value = high if values(level) else low
                memo[function] = value
            return value

        def progress(function: int) -> int:
            """Return a function with its obligations progressed and its registers inserted."""
            replacements = {}
            for level in self._support(function):
                obligation = restrict(self._meaning(level))
                replacements[level] = self.compose(obligation, register_contents, {})
            return self.compose(function, replacements, {})

        function, *registers = state
        if registers:
            # In order, since a later register may depend on an earlier one.
            for register_index in sorted(self._registers_needed(function)):
                register_contents[_REGISTERS + register_index] = progress(registers[register_index])
        functions = [progress(function)]
        for register_index, carried in enumerate(self._carried[: len(registers)]):
            if _REGISTERS + register_index in register_contents:
                functions.append(self.compose(restrict(carried), register_contents, {}))
            else:
                functions.append(FALSE)
        return self._forget_registers(tuple(functions))

    def step(self, state: State) -> int:
        """Return the diagram of a state over letters, whose leaves are the next states.

        The state determines the values of the registers, which are inserted into the function. The
        function is then progressed by one position. Registers that can no longer matter are set to
        false, so that states which differ only in them become equal.

        Args:
            state: The remaining obligation, followed by the values of the registers.
        """
        function, *registers = state
        register_contents: dict[int, int] = {}
        if registers:
            # In order, since a later register may depend on an earlier one.
            for register_index in sorted(self._registers_needed(function)):
                content_before = self._progress(registers[register_index], register_contents)
                register_contents[_REGISTERS + register_index] = content_before
        functions = [self._progress(function, register_contents)]
        for register_index, carried in enumerate(self._carried[: len(registers)]):
            if _REGISTERS + register_index in register_contents:
                functions.append(self._with_registers(register_contents, carried))
            else:
                # Nothing reads this register any more.
                functions.append(FALSE)
        return self._split_by_letters(tuple(functions))

    def _progress(self, function: int, register_values: dict[int, int]) -> int:
        """Return a function after one more letter, with all obligations progressed.

        Args:
            function: The function.
            register_values: Values of the registers that it reads, by their levels.
        """
        if function <= TRUE:
            return function
        obligation_functions = self._after
        if register_values:
            obligation_functions = {}
            for level in self._support(function):
                obligation_functions[level] = self._with_registers(
                    register_values, self._after[level]
                )
        # A level is never negative, so the key differs from those of the registers alone.
        memo = self._composed.setdefault((*register_values.items(), (-1, -1)), {})
        return self.compose(function, obligation_functions, memo)

    def _with_registers(self, past: dict[int, int], function: int) -> int:
        """Return a function with its registers replaced by their contents."""
        if not past:
            return function
        memo = self._composed.setdefault(tuple(past.items()), {})
        return self.compose(function, past, memo)

    def _split_by_letters(self, functions: State) -> int:
        """Return one diagram over the letters whose leaves are states.

        The functions of a state are split together: at each level all of them are given the same
        value of the letter. A stack takes the place of recursion.

        Args:
            functions: The function of the future, and those of the registers.
        """
        splits = self._splits
        pending = [functions]
        while pending:
            current_state = pending[-1]
            top_level = min(self.level[function] for function in current_state)
            if top_level >= _REGISTERS:  # no letter is left to ask for
                splits[current_state] = self.leaf(self._forget_registers(current_state))
            if current_state in splits:
                pending.pop()
                continue
            high, low = zip(
                *[self.cofactors(function, top_level) for function in current_state], strict=True
            )
            if high in splits and low in splits:
                self.spend()
                splits[current_state] = self.node(top_level, splits[low], splits[high])
            else:
                pending += (high, low)
        return splits[functions]

    def _forget_registers(self, state: State) -> State:
        """Drop registers that can no longer matter, so that more states are equal."""
        if len(state) == 1:
            return state
        # The value of a register that is not read any more would keep equal states apart.
        function, *registers = state
        needed_registers = self._registers_needed(function)
        for register_index in range(len(registers)):
            if register_index not in needed_registers:
                registers[register_index] = FALSE
        return function, *registers

    def _registers_needed(self, function: int) -> frozenset[int]:
        """Return the registers on which a function may depend."""
        registers = self._relevant.get(function)
        if registers is None:
            registers = frozenset().union(*map(self._registers_needed_by, self._support(function)))
            self._relevant[function] = registers
        return registers

    def _registers_needed_by(self, level: int) -> frozenset[int]:
        """Return the registers on which a register or obligation may depend.

        Args:
            level: Level of the register or obligation in the diagrams.
        """
        registers = self._relevant_to.get(level)
        if registers is None:
            # The registers that a function mentions may mention others in turn, and so on.
            visited = {level}
            pending = [level]
            while pending:
                unseen = set(self._support(self._meaning(pending.pop()))) - visited
                visited |= unseen
                pending += sorted(unseen)
            registers = frozenset(
                visited_level - _REGISTERS
                for visited_level in visited
                if visited_level < _OBLIGATIONS
            )
            self._relevant_to[level] = registers
        return registers

    def _meaning(self, level: int) -> int:
        """Return the function that an obligation leaves, or that a register takes over."""
        if level >= _OBLIGATIONS:
            return self._after[level]
        return self._carried[level - _REGISTERS]

    def _support(self, function: int) -> Iterator[int]:
        """Yield the levels of the registers and obligations in a function."""
        for diagram in self.reachable(function):
            if _REGISTERS <= self.level[diagram] < LEAF:
                yield self.level[diagram]
