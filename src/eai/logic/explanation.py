"""Explanations of verdicts, in data and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from eai.errors import InputError
from eai.logic.formula import Formula, has_linear
from eai.logic.printer import format_formula
from eai.logic.proofs.nodes import Blame, Proof
from eai.logic.proofs.prover import prove
from eai.logic.proofs.text import outline, proof_data
from eai.logic.reasons.failures import Reason, Reasons
from eai.logic.reasons.moments import Moments
from eai.logic.reasons.witnesses import Witnesses
from eai.logic.trace import Trajectory

__all__ = ["Case", "Explanation", "explain"]


class Case:
    """A formula on a trajectory, with the proof of its verdict once somebody asks for it.

    Args:
        formula: The formula.
        trajectory: The trajectory.
        moments: Names its positions.
        at: The position at which it is judged; None for the reading of its notation.
    """

    def __init__(
        self, formula: Formula, trajectory: Trajectory, moments: Moments, *, at: int | None = None
    ) -> None:
        self.formula = formula
        self.trajectory = trajectory
        self.moments = moments
        self.at = at

    @cached_property
    def proof(self) -> Proof:
        """The smallest proof of the verdict."""
        return prove(self.formula, self.trajectory, at=self.at)

    @property
    def is_linear(self) -> bool:
        """Whether the formula is judged at a position, or has operators that are."""
        return self.at is not None or has_linear(self.formula)


@dataclass(frozen=True, slots=True)
class Explanation(Reason):
    """The reason of a verdict, with its proof.

    Args:
        case: What is explained.
    """

    case: Case = field(kw_only=True, repr=False, compare=False)

    @property
    def proof(self) -> Proof:
        """The smallest proof of the verdict; worked out when first asked for.

        Raises:
            InputError: See :func:`~eai.logic.proofs.prover.prove`.
        """
        return self.case.proof

    @property
    def blamed(self) -> tuple[Blame, ...]:
        """The propositions, with their positions and bindings, that the proof rests on.

        If the formula holds, they are its witnesses.
        """
        return self.proof.blamed()

    def outline(self, *, most: int = 40) -> str:
        """Return the sentence, and below it the proof as an indented list.

        Args:
            most: Largest number of lines of the proof.
        """
        return f"{self.text}\n{outline(self.proof, self.case.moments, most=most)}"

    def to_dict(self, *, most: int = 10_000) -> dict[str, Any]:
        """Return everything as plain data, formulas as text.

        Args:
            most: Largest number of judgements of the proof.
        """
        return {
            "holds": self.holds,
            "text": self.text,
            "formula": format_formula(self.case.formula),
            "part": format_formula(self.part),
            "position": self.position,
            "step": self.step,
            "action": self.action,
            "binding": dict(self.binding),
            "missing": [format_formula(each) for each in self.missing],
            "link": self.link,
            "reached": list(self.reached),
            "fails_at": self.fails_at,
            "blamed": [
                {
                    "atom": format_formula(blame.atom),
                    "position": blame.position,
                    "holds": blame.holds,
                    "binding": dict(blame.binding),
                }
                for blame in self.blamed[:most]
            ],
            "proof": proof_data(self.proof, self.case.moments, most=most),
        }


def explain(
    formula: Formula,
    trajectory: Trajectory,
    *,
    plan: Sequence[object] = (),
    numbers: Sequence[int] = (),
    at: int | None = None,
) -> Explanation:
    """Say why a formula holds on a trajectory, or why not.

    Args:
        formula: A closed formula.
        trajectory: The trajectory.
        plan: The actions of the trajectory in order; if given, sentences name them.
        numbers: The number of each action in the plan as its reader knows it, if that is not
            1, 2, 3 (because steps were left out).
        at: The position at which the formula is judged (-1 for a final goal). None for the
            reading that :func:`~eai.logic.semantics.evaluate` takes from the notation.

    Raises:
        UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        SchemaError: If a part of the formula has no notation
            (see :func:`~eai.logic.printer.format_formula`), or ``numbers`` has another length
            than the trajectory has actions.
        InputError: If a variable is not bound, or the formula is nested too deeply to be walked.
    """
    case = Case(formula, trajectory, Moments(trajectory.length, plan, numbers), at=at)
    found = _reason(case)
    kept = {each.name: getattr(found, each.name) for each in fields(found)}
    kept["text"] = f"{found.text[:1].upper()}{found.text[1:]}."
    return Explanation(**kept, case=case)


def _reason(case: Case) -> Reason:
    try:
        return _found(case)
    except RecursionError:
        raise InputError("the formula is nested too deeply to be explained") from None


def _found(case: Case) -> Reason:
    if case.is_linear:
        from eai.logic.proofs.reasons import reason_of

        return reason_of(case.proof, case.trajectory, case.moments)
    reasons = Reasons(case.trajectory, case.moments)
    if reasons.holds(case.formula, 0):
        return Witnesses(reasons).witness(case.formula, 0)
    return reasons.reason(case.formula, 0)
