"""Why a formula fails: the smallest part of it that already does.

The walk goes down from the formula: through a conjunction to a conjunct that never holds, or to
conditions that never hold together; through ``forall`` to an object; through ``then`` to the first
link that cannot be reached.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from eai.logic.evaluation import Evaluation
from eai.logic.formula import (
    TRUE,
    And,
    Exists,
    Forall,
    Formula,
    Not,
    Or,
    Then,
    conjuncts,
    substitute,
)
from eai.logic.reasons.moments import Moments, listing, only_actions, quoted
from eai.logic.timeline import lowest
from eai.logic.trace import Trajectory

__all__ = ["Reason", "Reasons", "instance"]

_Bound = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason of a verdict.

    Args:
        holds: The verdict.
        text: One sentence.
        part: If the formula fails, the smallest part of it that fails; if it holds, the part
            that made it true. Variables that were decided are replaced by their objects.
        position: If it holds, the first position at which the part was fulfilled. If it fails,
            the position at which the part (or its first missing condition) last held.
        step: Number of the step that is taken from ``position``: the one that ended it, or, of
            an action, the one that is it.
        action: That action, if the plan was given.
        binding: Variables that were decided on the way, with their objects.
        missing: The conditions that are to blame. One or more of them never held; or, if all
            conditions of the part held at some time, those that did not hold when most did.
        link: 1-based link of a ``then`` that fails; None if it is not about a ``then``.
        reached: Positions at which the links of a ``then`` were reached, as far as they were.
        fails_at: Position at which the part is false, if it is about one position.
    """

    holds: bool
    text: str
    part: Formula
    position: int | None = None
    step: int | None = None
    action: str = ""
    binding: tuple[tuple[str, str], ...] = ()
    missing: tuple[Formula, ...] = ()
    link: int | None = None
    reached: tuple[int, ...] = ()
    fails_at: int | None = None


def instance(formula: Forall | Exists, name: str) -> Formula:
    """Return the body of a quantifier with its first variable bound to an object."""
    first, *rest = formula.variables
    body = type(formula)(tuple(rest), formula.body) if rest else formula.body
    return substitute(body, {first.name: name})


_OTHERS = re.compile(r"; (\d+) other conditions? fails? too$")


def _with_others(text: str, others: int) -> str:
    """A sentence with how many more conditions fail, those that it counts already among them."""
    counted = _OTHERS.search(text)
    if counted:
        others += int(counted[1])
        text = text[: counted.start()]
    if others:
        text += f"; {others} other condition{' fails' if others == 1 else 's fail'} too"
    return text


class Reasons:
    """Says why formulas fail on one trajectory.

    Args:
        trajectory: The trajectory.
        moments: Names its positions.
    """

    def __init__(self, trajectory: Trajectory, moments: Moments) -> None:
        self.evaluation = Evaluation(trajectory)
        self.end = trajectory.length
        self.moments = moments

    def holds(self, formula: Formula, start: int) -> bool:
        """Whether the formula holds on the part from ``start`` to the end."""
        return bool(self.evaluation.ends(formula, start) >> self.end & 1)

    def since(self, formula: Formula, start: int) -> int:
        """Return where a state formula is true, from a position on."""
        return self.evaluation.truth(formula) >> start << start

    def reason(self, formula: Formula, start: int) -> Reason:
        """Say why the formula fails on the part from ``start`` to the end, if it does."""
        temporal = self.evaluation.is_temporal(formula)
        if not temporal and start >= self.end:
            text = f"no position is left for {quoted(formula)}"
            return Reason(holds=False, text=text, part=formula, missing=(formula,))
        if isinstance(formula, And):
            parts = formula.operands if temporal else conjuncts(formula)
            return self._of_all([(part, ()) for part in parts], start)
        if isinstance(formula, Forall) and formula.variables:
            variable = formula.variables[0].name
            instances = [(body, ((variable, name),)) for name, body in self.instances(formula)]
            return self._of_all(instances, start)
        if isinstance(formula, Then) and formula.operands:
            return self._of_then(formula, start)
        return self._temporal(formula, start) if temporal else self._never(formula, start)

    def instances(self, formula: Forall | Exists) -> list[tuple[str, Formula]]:
        """Return the body for every object of the first variable, with the object."""
        names = self.evaluation.positions.range(formula.variables[0])
        return [(name, instance(formula, name)) for name in names]

    def _of_all(self, parts: Sequence[tuple[Formula, _Bound]], start: int) -> Reason:
        """Why several formulas do not all hold: one fails, or they never hold together."""
        failing = [(part, bound) for part, bound in parts if not self.holds(part, start)]
        if not failing:
            return self._never_together([part for part, _ in parts], start)
        (first, bound), *others = failing
        found = self.reason(first, start)
        return replace(
            found,
            text=_with_others(found.text, len(others)),
            binding=bound + found.binding,
            missing=found.missing + tuple(part for part, _ in others),
        )

    def _never_together(self, parts: Sequence[Formula], start: int) -> Reason:
        vectors = self._clashing({part: self.since(part, start) for part in parts}, start)
        position = max(
            range(start, self.end), key=lambda i: (sum(v >> i & 1 for v in vectors.values()), i)
        )
        missing = [part for part, vector in vectors.items() if not vector >> position & 1]
        held = [quoted(part) for part in vectors if part not in missing]
        lost = max(missing, key=lambda part: self._before(part, position))
        found = self._last(lost, position)
        text = (
            f"{listing([quoted(part) for part in vectors])} never held together; "
            f"{self.moments.when(position)} {listing(held)} held, but not "
            f"{listing([quoted(part) for part in missing])}{found.text}"
        )
        return replace(
            found,
            text=text,
            part=And(tuple(vectors)),
            missing=tuple(missing),
            fails_at=position,
        )

    def _clashing(self, vectors: dict[Formula, int], start: int) -> dict[Formula, int]:
        """Drop what can be dropped while the rest still is never true together."""
        everywhere = (1 << self.end) - (1 << start)
        for part in list(vectors):
            rest = everywhere
            for other, vector in vectors.items():
                rest &= vector if other != part else everywhere
            if not rest:
                del vectors[part]
        return vectors

    def _of_then(self, formula: Then, start: int) -> Reason:
        """The first link that cannot be reached, and how far the links before it got."""
        cuts = 1 << start
        reached: list[int] = []
        for number, link in enumerate(formula.operands, 1):
            ends = self.evaluation.link(link, cuts)
            is_last = number == len(formula.operands)
            if not (ends >> self.end & 1 if is_last else ends):
                break
            cuts = ends
            reached.append(lowest(ends) - 1)
        found = self.reason(link, lowest(cuts))
        before = ""
        if reached:
            place = self.moments.when(reached[-1], formula.operands[number - 2])
            before = f", after link {number - 1} was reached {place}"
        return replace(
            found,
            text=f"link {number} of {len(formula.operands)} fails{before}: {found.text}",
            link=number,
            reached=tuple(reached),
        )

    def _temporal(self, formula: Formula, start: int) -> Reason:
        """Other connectives above a ``then``; what would mend them is not searched."""
        if isinstance(formula, Not):
            text = f"{quoted(formula.operand)} holds"
        elif isinstance(formula, Or) and formula.operands:
            first = self.reason(formula.operands[0], start)
            text = f"no alternative holds; the first one because {first.text}"
        else:
            text = f"{quoted(formula)} is not met{self._later(start)}"
        return Reason(holds=False, text=text, part=formula, missing=(formula,))

    def _never(self, formula: Formula, start: int) -> Reason:
        """A state formula that is true at no position from ``start`` on."""
        found = self._last(formula, start)
        if isinstance(formula, Not):
            text = f"{quoted(formula.operand)} held all the time{self._later(start, formula)}"
            return replace(found, text=text)
        verb = "happened" if only_actions(formula) else "held"
        text = f"{quoted(formula)} never {verb}{self._later(start, formula)}{found.text}"
        return replace(found, text=text)

    def _before(self, formula: Formula, position: int) -> int:
        """The last position before the given one at which a state formula is true, or -1."""
        earlier = self.evaluation.truth(formula) & ((1 << position) - 1)
        return earlier.bit_length() - 1

    def _last(self, formula: Formula, position: int) -> Reason:
        """Where a state formula last held before a position, and the step taken from there."""
        last = self._before(formula, position)
        found = Reason(holds=False, text="", part=formula, missing=(formula,))
        if last < 0:
            return found
        number, action = self.moments.number(last), self.moments.action(last)
        step = self.moments.step(last) + (f" ({action})" if action else "")
        if only_actions(formula):
            text = f"; it last happened in {step}"
        else:
            text = f"; it last held {self.moments.when(last)}, until {step}"
        return replace(found, text=text, position=last, step=number, action=action)

    def _later(self, start: int, formula: Formula = TRUE) -> str:
        return f" {self.moments.when(start, formula)} or later" if start else ""
