"""What a formula means on a trajectory.

**Goals** of the Embodied Agent Interface (sections 2.2 and C.3). A *state formula* is one without
operators of time; it is true or false at a position. On a *part* of the trajectory (some
consecutive positions, perhaps none) every formula holds or fails:

- a state formula holds if it is true at one of the positions, so never on an empty part;
- ``f then g`` holds if the part can be cut in two so that f holds on the first piece and g on
  the rest;
- ``and``, ``or``, ``not`` and other connectives and quantifiers above a ``then`` speak about the
  same part.

**Linear temporal logic** on finite traces (De Giacomo & Vardi 2013) evaluates a formula at the
first position of the whole trajectory; operators that look ahead end with the last position,
operators that look back (De Giacomo et al. 2020) with the first. Every operator but next and
previous counts the present position.

**Both in one formula**: a part is a trace of its own. A formula of linear temporal logic without
``then`` holds on a part if it is true at the part's first position, so never on an empty part.
A ``then`` below such an operator speaks, at a position, about the rest of the part from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from eai.errors import InputError
from eai.logic.algebra import Timeline, lowest
from eai.logic.nodes import Binding
from eai.logic.parts import Parts
from eai.logic.positions import Positions
from eai.logic.trace import Trajectory
from eai.logic.tree import Formula, Reading

if TYPE_CHECKING:
    from eai.logic.automata import Automaton


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


def evaluate(
    formula: Formula, trajectory: Trajectory, *, reading: Reading | None = None
) -> Verdict:
    """Say whether a formula holds on a trajectory.

    Args:
        formula: A closed formula.
        trajectory: The trajectory.
        reading: ``"eai"`` for goals: without ``then``, the formula has to be true at one of the
            positions. ``"ltlf"`` for linear temporal logic: it has to be true at the first
            position. None takes it from the notation: ``"ltlf"`` if there are operators of
            linear temporal logic and no ``then``. The verdict says which was used.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        InputError: If a variable is not bound, the trajectory has no position, or there is no
            such reading.
    """
    return Evaluation(trajectory).verdict(formula, reading=reading)


def truth(formula: Formula, trajectory: Trajectory) -> int:
    """Return the positions at which a formula is true: bit i is position i.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        InputError: If the formula contains ``then``, or as for :func:`evaluate`.
    """
    if formula.has_then:
        raise InputError(
            "a formula with 'then' is not true or false at a position",
            expected="a formula without 'then'",
            mend="use evaluate",
        )
    return Evaluation(trajectory).truth(formula)


def final(formula: Formula, trajectory: Trajectory) -> bool:
    """Say whether a formula is true at the last position.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        InputError: If the formula contains ``then``, or as for :func:`evaluate`.
    """
    return bool(truth(formula, trajectory) >> (trajectory.length - 1) & 1)


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

    @property
    def _parts(self) -> Parts:
        if self._known_parts is None:
            self._known_parts = Parts(self.trajectory)
        return self._known_parts

    @property
    def positions(self) -> Positions:
        """The truth of state formulas at positions."""
        return self._parts.positions

    def verdict(self, formula: Formula, *, reading: Reading | None = None) -> Verdict:
        """Say whether a formula holds on the whole trajectory.

        Args:
            formula: A closed formula.
            reading: Which semantics to use; None takes it from the notation.

        Raises:
            InputError: If there is no such reading.
        """
        formula.check_closed()
        length = self.trajectory.length
        if formula.reading(reading) == "ltlf":
            if formula.has_then:
                return _LTLF[self._parts.first(formula, 0, length, Binding())]
            if self._trace is None:
                self._trace = Positions(self.trajectory, timeline=Timeline(length))
            return _LTLF[self._trace.truth(formula, Binding()) >> length - 1]
        if not formula.has_then and formula.has_linear:
            return Verdict(self.truth(formula) != 0)
        if length >= _LONG and formula.has_linear:
            found = _automaton_of(formula)
            if found is not None:
                return Verdict(found.accepts(found.word(self.trajectory)))
        ends = self.ends(formula, 0)
        holds = bool(ends >> length & 1)
        if not (holds and formula.is_lasting):
            return Verdict(holds)
        return Verdict(holds, max(lowest(ends) - 1, 0))

    def truth(self, formula: Formula, binding: Mapping[str, str] = _NOTHING) -> int:
        """Return the positions at which a formula is true: bit i is position i.

        Args:
            formula: Any formula. A ``then`` is true at a position if it holds on the part
                from there to the end.
            binding: Objects for its free variables.
        """
        formula.check_closed(binding)
        return self._parts.truth_at(formula, Binding(binding))

    def ends(self, formula: Formula, start: int, binding: Mapping[str, str] = _NOTHING) -> int:
        """Return where the parts end that begin at ``start`` and satisfy the formula.

        Args:
            formula: Any formula.
            start: First position of the parts, 0 up to and including the trajectory's length.
            binding: Objects for its free variables.

        Returns:
            Bit ``end`` is set if the formula holds on the positions ``start`` <= i < ``end``.
        """
        formula.check_closed(binding)
        return self._parts.ends(formula, start, Binding(binding))

    def link(self, operand: Formula, cuts: int, binding: Mapping[str, str] = _NOTHING) -> int:
        """Return where one link of a ``then`` can end, given where it can begin.

        Args:
            operand: The link.
            cuts: Bit k is set if the link may begin at position k.
            binding: Objects for its free variables.
        """
        return self._parts.after(operand, cuts, Binding(binding))


_LONG = 60
"""From so many positions on, a small automaton is faster for a ``then`` with links of LTL: without
one, every part is a trace of its own."""

_SMALL = 200


@lru_cache(maxsize=256)
def _automaton_of(formula: Formula) -> Automaton | None:
    """The automaton of a ``then`` with linear temporal logic; None if it is large."""
    if any(node.variables for node in formula.walk()):
        return None  # written out over all objects it would not be small
    from eai.logic.automata import automaton

    try:
        return automaton(formula, limit=_SMALL)
    except InputError:
        return None
