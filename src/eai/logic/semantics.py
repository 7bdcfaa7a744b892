"""What a formula means on a trajectory (Embodied Agent Interface, sections 2.2 and C.3).

A *state formula* is one without ``then``; it is true or false at a position. On a *part* of the
trajectory (some consecutive positions, perhaps none) every formula holds or fails:

- a state formula holds if it is true at one of the positions, so never on an empty part;
- ``f then g`` holds if the part can be cut in two so that f holds on the first piece and g on
  the rest;
- ``and``, ``or``, ``not``, ``implies`` and quantifiers above a ``then`` speak about the same part.
"""

from __future__ import annotations

from eai.logic.evaluation import Evaluation, Verdict
from eai.logic.formula import Formula
from eai.logic.trace import Trajectory

__all__ = ["evaluate", "final", "truth"]


def evaluate(formula: Formula, trajectory: Trajectory) -> Verdict:
    """Say whether a formula holds on a trajectory.

    Args:
        formula: A closed formula.
        trajectory: The trajectory; a formula without ``then`` has to be true at one of its
            positions.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        InputError: If a variable is not bound, or the formula is nested too deeply to be walked.
    """
    return Evaluation(trajectory).verdict(formula)


def truth(formula: Formula, trajectory: Trajectory) -> int:
    """Return the positions at which a state formula is true: bit i is position i.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        InputError: If the formula contains ``then``, a variable is not bound, or the formula is
            nested too deeply to be walked.
    """
    return Evaluation(trajectory).truth(formula)


def final(formula: Formula, trajectory: Trajectory) -> bool:
    """Say whether a state formula is true at the last position.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        InputError: If the formula contains ``then``, a variable is not bound, or the formula is
            nested too deeply to be walked.
    """
    return bool(truth(formula, trajectory) >> (trajectory.length - 1) & 1)
