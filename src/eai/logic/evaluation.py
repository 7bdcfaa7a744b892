"""Truth of any formula: on every part of a trajectory.

A formula holds or fails on a *part*: the positions from ``start`` up to, not including, ``end``.
For one start, the ends of all parts on which a formula holds are one integer (bit ``end``). The
meaning is that of :mod:`eai.logic.semantics`.

A formula is *lasting* if it cannot be lost by making the part longer at either side, which is so
without negation, implication or counting above a ``then``. A lasting link of a ``then`` needs to
be tried after the earliest possible cut only, and the work is linear in the links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from eai.errors import InputError
from eai.logic.formula import (
    And,
    Count,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Then,
    Variable,
    children,
    free_variables,
    has_then,
)
from eai.logic.positions import Binding, Positions, exactly
from eai.logic.trace import Trajectory

__all__ = ["Evaluation", "Verdict", "lowest"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a formula holds on a trajectory.

    Args:
        holds: The answer; a verdict is also true or false itself.
        position: The position at which the formula was first fulfilled, if it holds and is
            lasting (the trajectory up to and including this position satisfies it); else None.
        reading: Which semantics was used: ``"eai"``, that of the Embodied Agent Interface.
    """

    holds: bool
    position: int | None = None
    reading: str = "eai"

    def __bool__(self) -> bool:
        return self.holds


_NOTHING: Mapping[str, str] = {}


class Evaluation:
    """Evaluates any number of formulas on one trajectory and remembers shared work.

    Args:
        trajectory: The trajectory; it must not change meanwhile.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.positions = Positions(trajectory)
        # What follows is found by the identity of a formula: keeping the formulas alive
        # keeps their identities from being given to others.
        self._kept: list[Formula] = []
        self._temporal: dict[int, bool] = {}
        self._lasting: dict[int, bool] = {}
        self._memo: dict[tuple[object, ...], int] = {}

    def verdict(self, formula: Formula) -> Verdict:
        """Say whether a formula holds on the whole trajectory."""
        end = self.trajectory.length
        ends = self.ends(formula, 0)
        holds = bool(ends >> end & 1)
        if not (holds and self.is_lasting(formula)):
            return Verdict(holds)
        return Verdict(holds, max(lowest(ends) - 1, 0))

    def truth(self, formula: Formula, binding: Mapping[str, str] = _NOTHING) -> int:
        """Return the positions at which a state formula is true."""
        return self._guarded(formula, binding, lambda b: self.positions.truth(formula, b))

    def ends(self, formula: Formula, start: int, binding: Mapping[str, str] = _NOTHING) -> int:
        """Return where the parts end that begin at ``start`` and satisfy the formula.

        Args:
            formula: Any formula.
            start: First position of the parts, 0 up to and including the trajectory's length.
            binding: Objects for its free variables.

        Returns:
            Bit ``end`` is set if the formula holds on the positions ``start`` <= i < ``end``.
        """
        return self._guarded(formula, binding, lambda b: self._ends(formula, start, b))

    def _guarded(
        self, formula: Formula, binding: Mapping[str, str], judge: Callable[[Binding], int]
    ) -> int:
        """Judge a formula if its variables are bound and the machine can walk its depth."""
        self._kept.append(formula)
        try:
            unbound = {variable.name for variable in free_variables(formula)} - binding.keys()
            if not unbound:
                return judge(Binding(binding))
        except RecursionError:
            raise InputError("the formula is nested too deeply to be evaluated") from None
        raise InputError(
            f"variable {min(unbound)!r} is not bound", mend="put a quantifier around the formula"
        )

    def is_lasting(self, formula: Formula) -> bool:
        """Whether the formula, once it holds on a part, holds on every part around it."""
        known = self._lasting.get(id(formula))
        if known is None:
            # A chain without links holds on empty parts only.
            fickle = isinstance(formula, (Not, Implies, Count)) or (
                isinstance(formula, Then) and not formula.operands
            )
            known = not self.is_temporal(formula) or (
                not fickle and all(map(self.is_lasting, children(formula)))
            )
            self._kept.append(formula)
            self._lasting[id(formula)] = known
        return known

    def is_temporal(self, formula: Formula) -> bool:
        """Whether a ``then`` occurs in the formula."""
        known = self._temporal.get(id(formula))
        if known is None:
            self._kept.append(formula)
            known = self._temporal[id(formula)] = has_then(formula)
        return known

    def _ends(self, formula: Formula, start: int, binding: Binding) -> int:
        key = (id(formula), -1 - start, *binding.items())
        known = self._memo.get(key)
        if known is None:
            known = self._memo[key] = (
                self._rules[type(formula)](self, formula, start, binding)
                if self.is_temporal(formula)
                else self._ends_of_state(formula, start, binding)
            )
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

    def _ends_of_then(self, formula: Then, start: int, binding: Binding) -> int:
        cuts = 1 << start
        for operand in formula.operands:
            cuts = self.link(operand, cuts, binding)
            if not cuts:
                break
        return cuts

    def link(self, operand: Formula, cuts: int, binding: Mapping[str, str] = _NOTHING) -> int:
        """Return where one link of a ``then`` can end, given where it can begin.

        Args:
            operand: The link.
            cuts: Bit k is set if the link may begin at position k.
            binding: Objects for its free variables.
        """
        inner = binding if isinstance(binding, Binding) else Binding(binding)
        if not cuts or self.is_lasting(operand):
            return self._ends(operand, lowest(cuts), inner) if cuts else 0
        found = 0
        while cuts:
            found |= self._ends(operand, lowest(cuts), inner)
            cuts &= cuts - 1
        return found

    def _ends_of_not(self, formula: Not, start: int, binding: Binding) -> int:
        return self._from(start) ^ self._ends(formula.operand, start, binding)

    def _ends_of_and(self, formula: And, start: int, binding: Binding) -> int:
        found = self._from(start)
        for operand in formula.operands:
            found &= self._ends(operand, start, binding)
        return found

    def _ends_of_or(self, formula: Or, start: int, binding: Binding) -> int:
        found = 0
        for operand in formula.operands:
            found |= self._ends(operand, start, binding)
        return found

    def _ends_of_implies(self, formula: Implies, start: int, binding: Binding) -> int:
        left = self._from(start) ^ self._ends(formula.left, start, binding)
        return left | self._ends(formula.right, start, binding)

    def _ends_of_forall(self, formula: Forall, start: int, binding: Binding) -> int:
        return self._ends_over(formula.variables, formula.body, start, binding, every=True)

    def _ends_of_exists(self, formula: Exists, start: int, binding: Binding) -> int:
        return self._ends_over(formula.variables, formula.body, start, binding, every=False)

    def _ends_over(
        self,
        variables: tuple[Variable, ...],
        body: Formula,
        start: int,
        binding: Binding,
        *,
        every: bool,
    ) -> int:
        if not variables:
            return self._ends(body, start, binding)
        everywhere = self._from(start)
        found = everywhere if every else 0
        inner = binding.without(variable.name for variable in variables)
        for name in self._objects(variables[0], body, inner, every=every):
            inner[variables[0].name] = name
            ends = self._ends_over(variables[1:], body, start, inner, every=every)
            found = found & ends if every else found | ends
            if found == (0 if every else everywhere):
                break
        return found

    def _objects(
        self, variable: Variable, body: Formula, binding: Binding, *, every: bool
    ) -> Iterable[str]:
        if every:
            return self.positions.range(variable)
        return self.positions.pool(variable, ((body, True),), binding)

    def _ends_of_count(self, formula: Count, start: int, binding: Binding) -> int:
        variable = formula.variable
        inner = binding.without((variable.name,))
        vectors = []
        for name in self._objects(variable, formula.body, inner, every=False):
            inner[variable.name] = name
            vectors.append(self._ends(formula.body, start, inner))
        return exactly(formula.number, vectors, self._from(start))

    _rules: ClassVar[dict[type[Formula], Callable[..., int]]] = {
        Not: _ends_of_not,
        And: _ends_of_and,
        Or: _ends_of_or,
        Implies: _ends_of_implies,
        Forall: _ends_of_forall,
        Exists: _ends_of_exists,
        Count: _ends_of_count,
        Then: _ends_of_then,
    }


def lowest(bits: int) -> int:
    """Number of the lowest bit that is set."""
    return (bits & -bits).bit_length() - 1
