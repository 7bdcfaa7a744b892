"""Smallest proofs of verdicts, and a check of them."""

from __future__ import annotations

from eai.errors import InputError
from eai.logic.formula import Formula, quantifier_depth, reading_of
from eai.logic.proofs.nodes import Blame, Proof
from eai.logic.trace import Trajectory

__all__ = ["Blame", "Proof", "prove"]


def prove(formula: Formula, trajectory: Trajectory, *, at: int | None = None) -> Proof:
    """Prove with as few judgements as possible that a formula holds on a trajectory, or fails.

    The proof system is that of Basin, Bhatt & Traytel, "Optimal Proofs for Linear Temporal Logic
    on Lasso Words" (ATVA 2018), on finite traces, with rules for quantifiers, counting and ``then``
    (``docs/explanations.md``). Sizes of all subformulas at all positions are computed first, in
    time linear in both; premises are made when they are asked for.

    Args:
        formula: A closed formula.
        trajectory: The trajectory.
        at: The position at which the formula is judged; negative ones count from the end. None
            for the reading that :func:`~eai.logic.semantics.evaluate` takes from the notation.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        InputError: If a variable is not bound, there is no such position, quantifiers have too many
            bindings to look at them all, there are too many objects to be paired off, or
            connectives above a ``then`` are nested too deeply.
    """
    from eai.logic.proofs.leaves import MOST_AXES
    from eai.logic.proofs.search import ProofSearch

    length = trajectory.length
    if length < 1 or (at is not None and not -length <= at < length):
        raise InputError(f"position {at or 0} is not one of the trajectory's {length}")
    if at is None and reading_of(formula) == "ltlf":
        at = 0
    depth = quantifier_depth(formula)
    if depth >= MOST_AXES:
        raise InputError(
            f"{depth:,} quantifiers are inside each other", expected=f"at most {MOST_AXES - 1}"
        )
    search = ProofSearch(trajectory)
    try:
        return search.whole(formula) if at is None else search.at(formula, at % length)
    except RecursionError:
        raise InputError("the formula is nested too deeply to be proved") from None
