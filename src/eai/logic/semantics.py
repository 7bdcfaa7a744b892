"""What a formula means on a trajectory.

**Goals** of the Embodied Agent Interface (sections 2.2 and C.3). A *state formula* is one without
operators of time; it is true or false at a position. On a *part* of the trajectory (some
consecutive positions, perhaps none) every formula holds or fails:

- a state formula holds if it is true at one of the positions, so never on an empty part;
- ``f then g`` holds if the part can be cut in two so that f holds on the first piece and g on
  the rest;
- ``and``, ``or``, ``not`` and other connectives and quantifiers above a ``then`` speak about the
  same part.

**Linear temporal logic** on finite traces (De Giacomo & Vardi 2013) judges a formula at the first
position of the whole trajectory; operators that look ahead end with the last position, operators
that look back (De Giacomo et al. 2020) with the first. Every operator but next and previous
counts the present position.

**Both in one formula**: a part is a trace of its own. A formula of linear temporal logic without
``then`` holds on a part if it is true at the part's first position, so never on an empty part.
A ``then`` below such an operator speaks, at a position, about the rest of the part from there.
"""

from __future__ import annotations

from eai.errors import InputError
from eai.logic.evaluation import Evaluation, Verdict
from eai.logic.formula import Formula, has_then
from eai.logic.trace import Trajectory
from eai.logic.traits import Reading

__all__ = ["evaluate", "final", "truth"]


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
        InputError: If a variable is not bound, the trajectory has no position, there is no such
            reading, or the formula nests quantifiers that depend on each other too deeply.
    """
    return Evaluation(trajectory).verdict(formula, reading=reading)


def truth(formula: Formula, trajectory: Trajectory) -> int:
    """Return the positions at which a formula is true: bit i is position i.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        InputError: If the formula contains ``then``, or as for :func:`evaluate`.
    """
    if has_then(formula):
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
