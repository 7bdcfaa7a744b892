"""Why a formula is true or false at a position, read off its smallest proof.

The walk goes down the proof of a failure as long as one part is to blame: to the conjunct, the
object, the position, the right side of an implication whose left side is true.
"""

from __future__ import annotations

from dataclasses import replace

from eai.logic.evaluation import Evaluation
from eai.logic.formula import (
    TRUE,
    Always,
    And,
    Eventually,
    Forall,
    Formula,
    Historically,
    Implies,
    Next,
    Once,
    Or,
    Previous,
    Then,
    WeakNext,
    WeakPrevious,
    has_then,
)
from eai.logic.proofs.nodes import Blame, Proof
from eai.logic.proofs.text import facts
from eai.logic.reasons.failures import Reason
from eai.logic.reasons.moments import Moments, listing, only_actions, quoted
from eai.logic.trace import Trajectory

__all__ = ["reason_of"]

_THROUGH = (
    Always,
    And,
    Forall,
    Historically,
    Next,
    Or,
    Previous,
    Then,
    WeakNext,
    WeakPrevious,
)
"""What fails because a single part of it fails."""


def reason_of(proof: Proof, trajectory: Trajectory, moments: Moments) -> Reason:
    """Say why the formula of a proof holds or fails.

    Args:
        proof: The proof.
        trajectory: The trajectory that it is about.
        moments: Names the positions.
    """
    if proof.holds:
        return _witness(proof, moments)
    part, given = _blamed(proof)
    formula = part.ground
    also = "".join(f", and {fact}" for fact in facts(_all_blamed(given), moments)[:3])
    found = Reason(
        holds=False,
        text=f"{_failure(part, formula, moments)}{also}",
        part=formula,
        binding=part.binding,
        missing=(formula,),
        fails_at=part.position,
    )
    return found if has_then(formula) else _last(found, part, trajectory, moments)


def _all_blamed(proofs: list[Proof]) -> list[Blame]:
    return [blame for proof in proofs for blame in proof.blamed()]


def _blamed(proof: Proof) -> tuple[Proof, list[Proof]]:
    """The smallest part that fails, and what was true on the way to it."""
    given: list[Proof] = []
    while True:
        premises = proof.premises
        if isinstance(proof.formula, Implies) and len(premises) == 2:
            given.append(premises[0])
            proof = premises[1]
        elif len(premises) == 1 and (isinstance(proof.formula, _THROUGH) or _same(proof)):
            proof = premises[0]
        else:
            return proof, given


def _same(proof: Proof) -> bool:
    """Whether the premise says the same formula of a position instead of a part."""
    return proof.position is None and proof.premises[0].formula is proof.formula


def _failure(part: Proof, formula: Formula, moments: Moments) -> str:
    place = part.position
    if place is None:
        return f"{quoted(formula)} fails"
    if not part.premises and isinstance(part.formula, (Next, Previous)):
        return f"{quoted(formula)} is false {moments.when(place)}, as there is no such position"
    if isinstance(formula, Eventually):
        verb = "happened" if only_actions(formula.operand) else "held"
        later = f" {moments.when(place, formula)} or later" if place else ""
        return f"{quoted(formula.operand)} never {verb}{later}"
    if isinstance(formula, Once):
        verb = "happened" if only_actions(formula.operand) else "held"
        return f"{quoted(formula.operand)} never {verb} {moments.when(place, formula)} or before"
    seen = not part.premises
    verb = "did not happen" if seen and only_actions(formula) else "is false"
    text = f"{quoted(formula)} {verb} {moments.when(place, formula if seen else TRUE)}"
    # What is false whatever happens rests on no facts.
    rests_on = facts(part.blamed(), moments) if len(part.premises) > 1 else []
    return f"{text}: {listing(rests_on)}" if rests_on else text


def _last(found: Reason, part: Proof, trajectory: Trajectory, moments: Moments) -> Reason:
    """Add when what fails (or what was waited for) last was true before, and what ended it."""
    formula = found.part
    wanted = formula.operand if isinstance(formula, (Eventually, Once)) else formula
    place = part.position or 0
    if isinstance(formula, Once):
        return found
    before = Evaluation(trajectory).truth(wanted) & ((1 << place) - 1)
    last = before.bit_length() - 1
    if last < 0:
        return found
    action = moments.action(last)
    step = moments.step(last) + (f" ({action})" if action else "")
    if only_actions(wanted):
        text = f"; it last happened in {step}"
    else:
        what = "it" if wanted is formula else quoted(wanted)
        text = f"; {what} last held {moments.when(last)}, until {step}"
    return replace(
        found, text=found.text + text, position=last, step=moments.number(last), action=action
    )


def _witness(proof: Proof, moments: Moments) -> Reason:
    seen = facts(proof.blamed(), moments)
    node = proof
    while len(node.premises) == 1 and node.premises[0].holds:
        node = node.premises[0]
    text = listing(seen) if seen else f"{quoted(proof.ground)} holds whatever happens"
    return Reason(
        holds=True,
        text=text,
        part=node.ground,
        position=node.position,
        step=None if node.position is None else moments.number(node.position),
        action="" if node.position is None else moments.action(node.position),
        binding=node.binding,
    )
