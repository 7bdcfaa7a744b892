"""Explanations of verdicts, in data and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eai.errors import SchemaError
from eai.logic.formula import Formula
from eai.logic.reasons import Explanation, Reasons
from eai.logic.trace import Trajectory
from eai.logic.witnesses import Witnesses

__all__ = ["Explanation", "explain"]


def explain(
    formula: Formula,
    trajectory: Trajectory,
    *,
    plan: Sequence[object] = (),
    numbers: Sequence[int] = (),
) -> Explanation:
    """Say why a formula holds on a trajectory, or why not.

    Args:
        formula: A closed formula.
        trajectory: The trajectory.
        plan: The actions of the trajectory in order; if given, sentences name them.
        numbers: The number of each action in the plan as its reader knows it, if that is not
            1, 2, 3 (because steps were left out).

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        SchemaError: If a part of the formula has no notation
            (see :func:`~eai.logic.printer.format_formula`), or ``numbers`` has another length
            than the trajectory has actions.
        InputError: If a variable is not bound, or the formula is nested too deeply to be walked.
    """
    if numbers and len(numbers) != trajectory.length - 1:
        raise SchemaError(
            f"{len(numbers)} step numbers were given",
            expected=f"{trajectory.length - 1}, one a step",
        )
    reasons = Reasons(trajectory, plan, numbers)
    if reasons.holds(formula, 0):
        found = Witnesses(reasons).witness(formula, 0)
    else:
        found = reasons.reason(formula, 0)
    return replace(found, text=f"{found.text[:1].upper()}{found.text[1:]}.")
