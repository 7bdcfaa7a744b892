"""Truth of any formula on one trajectory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from eai.errors import InputError
from eai.logic.formula import Formula, check_closed, has_then
from eai.logic.parts import Parts
from eai.logic.positions import Binding, Positions
from eai.logic.timeline import Timeline, lowest
from eai.logic.trace import Trajectory
from eai.logic.traits import Reading, reading_of, traits_of

__all__ = ["Evaluation", "Verdict"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a formula holds on a trajectory.

    Args:
        holds: The answer; a verdict is also true or false itself.
        position: The position at which the formula was first fulfilled, if it holds and is
            lasting (the trajectory up to and including this position satisfies it); else None.
        reading: Which semantics was used: ``"eai"``, that of the Embodied Agent Interface, or
            ``"ltlf"``, linear temporal logic on finite traces at the first position.
    """

    holds: bool
    position: int | None = None
    reading: Reading = "eai"

    def __bool__(self) -> bool:
        return self.holds


_NOTHING: Mapping[str, str] = {}
_LTLF = tuple(Verdict(holds, reading="ltlf") for holds in (False, True))


class Evaluation:
    """Evaluates any number of formulas on one trajectory and remembers shared work.

    Args:
        trajectory: The trajectory; it must not change meanwhile.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self._known_parts: Parts | None = None
        self._trace: Positions | None = None
        # Formulas are recognised by identity: keeping them alive keeps it from being reused.
        self._kept: list[Formula] = []

    def verdict(self, formula: Formula, *, reading: Reading | None = None) -> Verdict:
        """Say whether a formula holds on the whole trajectory.

        Args:
            formula: A closed formula.
            reading: Which semantics to use; None takes it from the notation.

        Raises:
            InputError: If there is no such reading.
        """
        traits = traits_of(formula)
        if reading_of(formula, reading) == "ltlf":
            judge = self._first_of_then if traits.then else self._first
            return _LTLF[self._guarded(formula, _NOTHING, judge)]
        if traits.linear and not traits.then:
            return Verdict(self.truth(formula) != 0)
        end = self.trajectory.length
        ends = self.ends(formula, 0)
        holds = bool(ends >> end & 1)
        if not (holds and traits.lasting):
            return Verdict(holds)
        return Verdict(holds, max(lowest(ends) - 1, 0))

    def _first(self, formula: Formula, binding: Binding) -> int:
        if self._trace is None:
            timeline = Timeline(self.trajectory.length)
            self._trace = Positions(self.trajectory, timeline=timeline)
        return self._trace.truth(formula, binding) >> self._trace.timeline.size - 1

    @property
    def _parts(self) -> Parts:
        if self._known_parts is None:
            self._known_parts = Parts(self.trajectory)
        return self._known_parts

    def _first_of_then(self, formula: Formula, binding: Binding) -> int:
        return self._parts.first(formula, 0, self.trajectory.length, binding)

    @property
    def positions(self) -> Positions:
        """The truth of state formulas at positions."""
        return self._parts.positions

    def truth(self, formula: Formula, binding: Mapping[str, str] = _NOTHING) -> int:
        """Return the positions at which a formula is true: bit i is position i.

        Args:
            formula: Any formula. A ``then`` is true at a position if it holds on the part
                from there to the end.
            binding: Objects for its free variables.
        """
        return self._guarded(formula, binding, self._parts.truth_at)

    def ends(self, formula: Formula, start: int, binding: Mapping[str, str] = _NOTHING) -> int:
        """Return where the parts end that begin at ``start`` and satisfy the formula.

        Args:
            formula: Any formula.
            start: First position of the parts, 0 up to and including the trajectory's length.
            binding: Objects for its free variables.

        Returns:
            Bit ``end`` is set if the formula holds on the positions ``start`` <= i < ``end``.
        """
        return self._guarded(formula, binding, lambda f, b: self._parts.ends_of(f, start, b))

    def _guarded(
        self,
        formula: Formula,
        binding: Mapping[str, str],
        judge: Callable[[Formula, Binding], int],
    ) -> int:
        """Judge a formula if its variables are bound and the machine can walk its depth."""
        self._kept.append(formula)
        try:
            check_closed(formula, binding)
            return judge(formula, Binding(binding))
        except RecursionError:
            raise InputError(
                "the formula is nested too deeply to be evaluated",
                expected="at most some hundred quantifiers inside each other that depend on "
                "each other, and as many changes between 'then' and linear temporal logic",
            ) from None

    def is_temporal(self, formula: Formula) -> bool:
        """Whether a ``then`` occurs in the formula."""
        return has_then(formula)

    def link(self, operand: Formula, cuts: int, binding: Mapping[str, str] = _NOTHING) -> int:
        """Return where one link of a ``then`` can end, given where it can begin.

        Args:
            operand: The link.
            cuts: Bit k is set if the link may begin at position k.
            binding: Objects for its free variables.
        """
        inner = binding if isinstance(binding, Binding) else Binding(binding)
        self._kept.append(operand)
        found = 0
        for start in self._parts.starts(operand, cuts):
            found |= self._parts.ends_of(operand, start, inner)
        return found
