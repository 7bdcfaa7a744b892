"""Why a formula holds: where it was fulfilled, link by link, and by which objects."""

from __future__ import annotations

from dataclasses import replace

from eai.logic.formula import Exists, Formula, Not, Or, Then
from eai.logic.reasons.failures import Reason, Reasons
from eai.logic.reasons.moments import only_actions, quoted
from eai.logic.timeline import lowest
from eai.logic.traits import is_lasting

__all__ = ["Witnesses"]


class Witnesses:
    """Says why formulas hold on one trajectory.

    Args:
        reasons: The same for formulas that fail; it knows the trajectory.
    """

    def __init__(self, reasons: Reasons) -> None:
        self.reasons = reasons
        self.evaluation = reasons.evaluation

    def witness(self, formula: Formula, start: int) -> Reason:
        """Say why the formula holds on the part from ``start`` to the end, if it does."""
        if not self.evaluation.is_temporal(formula):
            return self._of_state(formula, lowest(self.reasons.since(formula, start)))
        if isinstance(formula, Then):
            return self._of_then(formula, start)
        if isinstance(formula, Or):
            return self.witness(
                next(each for each in formula.operands if self.reasons.holds(each, start)), start
            )
        if isinstance(formula, Exists) and formula.variables:
            return self._of_exists(formula, start)
        return self._of_other(formula, start)

    def _of_state(self, formula: Formula, position: int) -> Reason:
        """Go down to the alternative and the objects that are true at the position."""
        if isinstance(formula, Or):
            true = (each for each in formula.operands if self._is_true(each, position))
            return self._of_state(next(true), position)
        if isinstance(formula, Exists) and formula.variables:
            for name, body in self.reasons.instances(formula):
                if self._is_true(body, position):
                    return _bind(self._of_state(body, position), formula, name)
        verb = "happened" if only_actions(formula) else "held"
        text = f"{quoted(formula)} {verb} {self.reasons.moments.when(position, formula)}"
        return Reason(holds=True, text=text, part=formula, position=position)

    def _is_true(self, formula: Formula, position: int) -> bool:
        return bool(self.evaluation.truth(formula) >> position & 1)

    def _of_then(self, formula: Then, start: int) -> Reason:
        if not is_lasting(formula):
            return self._of_cut(formula, start)
        cuts = 1 << start
        links: list[Reason] = []
        reached: list[int] = []
        for link in formula.operands:
            links.append(self.witness(link, lowest(cuts)))
            cuts = self.evaluation.link(link, cuts)
            reached.append(lowest(cuts) - 1)
        return Reason(
            holds=True,
            text=", then ".join(link.text for link in links),
            part=formula,
            position=reached[-1],
            binding=tuple(pair for link in links for pair in link.binding),
            reached=tuple(reached),
        )

    def _of_cut(self, formula: Then, start: int) -> Reason:
        """One cut will do; it is found backwards, from the end."""
        cuts = [1 << start]
        for link in formula.operands:
            cuts.append(self.evaluation.link(link, cuts[-1]))
        ends = [self.reasons.end]
        for link, begins in zip(reversed(formula.operands), reversed(cuts[:-1]), strict=True):
            ends.append(self._begin(link, begins, ends[-1]))
        reached = [end - 1 for end in reversed(ends[:-1])]
        places = [
            self.reasons.moments.when(place) if place >= 0 else "before the start"
            for place in reached
        ]
        text = f"its links hold on the parts that end {', '.join(places) or 'before the start'}"
        return Reason(holds=True, text=text, part=formula, reached=tuple(reached))

    def _begin(self, link: Formula, begins: int, end: int) -> int:
        """The first of the positions from which the link holds up to the end."""
        while not self.evaluation.ends(link, lowest(begins)) >> end & 1:
            begins &= begins - 1
        return lowest(begins)

    def _of_exists(self, formula: Exists, start: int) -> Reason:
        name, body = next(
            (name, body)
            for name, body in self.reasons.instances(formula)
            if self.reasons.holds(body, start)
        )
        return _bind(self.witness(body, start), formula, name)

    def _of_other(self, formula: Formula, start: int) -> Reason:
        if isinstance(formula, Not):
            text = self.reasons.reason(formula.operand, start).text
            return Reason(holds=True, text=text, part=formula)
        position = None
        if is_lasting(formula):
            position = max(lowest(self.evaluation.ends(formula, start)) - 1, 0)
        text = (
            "all of it is met"
            if position is None
            else f"all of it was met {self.reasons.moments.when(position)}"
        )
        return Reason(holds=True, text=text, part=formula, position=position)


def _bind(found: Reason, formula: Exists, name: str) -> Reason:
    return replace(found, binding=((formula.variables[0].name, name), *found.binding))
