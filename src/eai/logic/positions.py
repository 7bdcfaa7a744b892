"""Truth at positions: of a formula without ``then``, at every position at once.

All truth values of a formula along a trajectory are one Python integer, and the connectives are
operations on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from eai.errors import InputError
from eai.logic.formula import (
    ActionAtom,
    Atom,
    Count,
    Equal,
    Exists,
    First,
    Forall,
    Formula,
    ForPairs,
    Last,
    Term,
    Then,
    Truth,
    Variable,
    bottom_up,
    free_variables,
    has_linear,
    quantifier_depth,
)
from eai.logic.programs import AND, LEAF, NOT, OR, Instruction, program_of
from eai.logic.quantifiers import Binding, Quantifiers
from eai.logic.timeline import Timeline, mirror
from eai.logic.trace import Trajectory

__all__ = ["Binding", "Positions"]

_DEEP = 40
"""So many quantifiers inside each other are decided by recursion."""


class Positions(Quantifiers):
    """Truth vectors of formulas on one trajectory.

    Formulas are recognised by identity: they must stay alive as long as this object.

    Args:
        trajectory: The trajectory; it must not change meanwhile.
        timeline: Its positions, for formulas of linear temporal logic. All vectors then have
            bit 0 for the last position. Without one, bit i is position i, as in a history, and
            only state formulas can be evaluated.
        then: Where a formula ``f then g`` is true, for such formulas below operators of linear
            temporal logic.
    """

    def __init__(
        self,
        trajectory: Trajectory,
        *,
        timeline: Timeline | None = None,
        then: Callable[[Then, Binding], int] | None = None,
    ) -> None:
        self.timeline = timeline or Timeline(trajectory.length)
        super().__init__(trajectory, self.timeline.full)
        self._reversed = timeline is not None
        self._then = then
        self._prepared: set[int] = set()
        self._inside = False
        self._vectors: dict[tuple[object, ...], int] = {}

    def truth(self, formula: Formula, binding: Binding) -> int:
        """Return the positions at which a formula is true.

        Args:
            formula: A formula; without a timeline, a state formula.
            binding: Objects for its free variables, all of them.

        Raises:
            InputError: If the formula needs a timeline and there is none, or contains ``then``
                and nothing was given to judge that.
        """
        program = program_of(formula)
        if program.special and id(formula) not in self._prepared:
            self._prepare(formula)
        code = program.code()
        leaves = self._leaves
        if code is None:
            return self._run(program.instructions, binding)
        vectors = [leaves[type(node)](self, node, binding) for node in code.leaves]
        return code.run(vectors, self._all, self.timeline)

    def _prepare(self, formula: Formula) -> None:
        if has_linear(formula) and not self._reversed:
            raise InputError("operators of linear temporal logic need a timeline")
        self._prepared.add(id(formula))
        if quantifier_depth(formula) > _DEEP and not self._inside:
            self._inside = True
            try:
                self._decide_ahead(formula)
            finally:
                self._inside = False

    def _decide_ahead(self, formula: Formula) -> None:
        """Decide closed quantified subformulas from the innermost out, at intervals."""
        for node in bottom_up(formula):
            quantified = isinstance(node, (Forall, Exists, Count, ForPairs))
            if quantified and quantifier_depth(node) % _DEEP == 0 and not free_variables(node):
                self._leaves[type(node)](self, node, Binding())

    def _run(self, instructions: tuple[Instruction, ...], binding: Binding) -> int:
        everywhere, timeline, leaves = self._all, self.timeline, self._leaves
        stack: list[int] = []
        for task, operands, node in instructions:
            if task == LEAF:
                stack.append(leaves[type(node)](self, node, binding))
            elif task == AND:
                right = stack.pop()
                stack[-1] &= right
            elif task == OR:
                right = stack.pop()
                stack[-1] |= right
            elif task == NOT:
                stack[-1] ^= everywhere
            elif operands == 1:
                stack[-1] = getattr(timeline, task)(stack[-1])
            else:
                right = stack.pop()
                stack[-1] = getattr(timeline, task)(stack[-1], right)
        return stack[0]

    def _constant(self, formula: Truth, _binding: Binding) -> int:
        return self._all if formula.value else 0

    def _atom(self, formula: Atom, binding: Binding) -> int:
        arguments = _ground(formula.terms, binding)
        key = (formula.predicate, arguments)
        known = self._vectors.get(key)
        if known is None:
            known = self._vectors[key] = self._turned(
                self.trajectory.history(formula.predicate, arguments)
            )
        return known

    def _action(self, formula: ActionAtom, binding: Binding) -> int:
        arguments = _ground(formula.terms, binding)
        key = (formula.action, arguments, "taken")
        known = self._vectors.get(key)
        if known is None:
            known = self._vectors[key] = self._turned(
                self.trajectory.occurrences(formula.action, arguments)
            )
        return known

    def _turned(self, history: int) -> int:
        return mirror(history, self.trajectory.length) if self._reversed else history

    def _equal(self, formula: Equal, binding: Binding) -> int:
        left, right = _ground((formula.left, formula.right), binding)
        return self._all if left == right else 0

    def _last(self, _formula: Last, _binding: Binding) -> int:
        return self.timeline.last

    def _first(self, _formula: First, _binding: Binding) -> int:
        return self.timeline.first

    def _sequence(self, formula: Then, binding: Binding) -> int:
        if self._then is None:
            raise InputError(
                "a formula with 'then' is not true or false at a position",
                expected="a formula without 'then'",
                mend="use evaluate",
            )
        return self._then(formula, binding)

    _leaves: ClassVar[dict[type[Formula], Callable[..., int]]] = {
        Truth: _constant,
        Atom: _atom,
        ActionAtom: _action,
        Equal: _equal,
        Last: _last,
        First: _first,
        Forall: Quantifiers.forall,
        Exists: Quantifiers.exists,
        Count: Quantifiers.count,
        ForPairs: Quantifiers.for_pairs,
        Then: _sequence,
    }


def _ground(terms: Iterable[Term], binding: Binding) -> tuple[str, ...]:
    return tuple([binding[term.name] if isinstance(term, Variable) else term for term in terms])
