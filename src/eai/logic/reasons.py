"""Why a formula fails: the smallest part of it that already does.

The walk goes down from the formula: through a conjunction to a conjunct that never holds, or to
conditions that never hold together; through ``forall`` to an object; through ``then`` to the first
link that cannot be reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from eai.logic.evaluation import Evaluation, lowest
from eai.logic.formula import (
    TRUE,
    ActionAtom,
    And,
    Exists,
    Forall,
    Formula,
    Not,
    Or,
    Then,
    atoms,
    conjuncts,
    substitute,
)
from eai.logic.printer import format_formula
from eai.logic.trace import Trajectory

__all__ = ["Explanation", "Reasons", "instance", "only_actions", "quoted"]

_Bound = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Explanation:
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


def quoted(formula: Formula) -> str:
    """Return the formula's text in quotes, for a sentence."""
    return f"'{format_formula(formula)}'"


def only_actions(formula: Formula) -> bool:
    """Whether the formula speaks of actions only, and so happens rather than holds."""
    propositions = list(atoms(formula))
    return bool(propositions) and all(isinstance(each, ActionAtom) for each in propositions)


def instance(formula: Forall | Exists, name: str) -> Formula:
    """Return the body of a quantifier with its first variable bound to an object."""
    first, *rest = formula.variables
    body = type(formula)(tuple(rest), formula.body) if rest else formula.body
    return substitute(body, {first.name: name})


class Reasons:
    """Says why formulas fail on one trajectory.

    Args:
        trajectory: The trajectory.
        plan: Its actions, for sentences; may be empty.
        numbers: The number of each action in the plan as its reader knows it; may be empty.
    """

    def __init__(
        self, trajectory: Trajectory, plan: Sequence[object], numbers: Sequence[int]
    ) -> None:
        self.evaluation = Evaluation(trajectory)
        self.end = trajectory.length
        self.plan = plan
        self.numbers = numbers or range(1, trajectory.length)

    def holds(self, formula: Formula, start: int) -> bool:
        """Whether the formula holds on the part from ``start`` to the end."""
        return bool(self.evaluation.ends(formula, start) >> self.end & 1)

    def since(self, formula: Formula, start: int) -> int:
        """Return where a state formula is true, from a position on."""
        return self.evaluation.truth(formula) >> start << start

    def when(self, position: int, formula: Formula = TRUE) -> str:
        """Return the position of something in words: a state, or the action taken from there."""
        if only_actions(formula):
            return f"in {self._step(position)}"
        return f"after {self._step(position - 1)}" if position > 0 else "at the start"

    def _step(self, position: int) -> str:
        """The step that is taken from a position, in words; the last position has none."""
        if position < len(self.numbers):
            return f"step {self.numbers[position]}"
        return f"step {self.numbers[-1] + 1 if self.numbers else 1}"

    def reason(self, formula: Formula, start: int) -> Explanation:
        """Say why the formula fails on the part from ``start`` to the end, if it does."""
        temporal = self.evaluation.is_temporal(formula)
        if not temporal and start >= self.end:
            text = f"no position is left for {quoted(formula)}"
            return Explanation(holds=False, text=text, part=formula, missing=(formula,))
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

    def _of_all(self, parts: Sequence[tuple[Formula, _Bound]], start: int) -> Explanation:
        """Why several formulas do not all hold: one fails, or they never hold together."""
        failing = [(part, bound) for part, bound in parts if not self.holds(part, start)]
        if not failing:
            return self._never_together([part for part, _ in parts], start)
        (first, bound), *others = failing
        found = self.reason(first, start)
        more = {0: "", 1: "; 1 other condition fails too"}.get(
            len(others), f"; {len(others)} other conditions fail too"
        )
        return replace(
            found,
            text=found.text + more,
            binding=bound + found.binding,
            missing=found.missing + tuple(part for part, _ in others),
        )

    def _never_together(self, parts: Sequence[Formula], start: int) -> Explanation:
        vectors = self._clashing({part: self.since(part, start) for part in parts}, start)
        position = max(
            range(start, self.end), key=lambda i: (sum(v >> i & 1 for v in vectors.values()), i)
        )
        missing = [part for part, vector in vectors.items() if not vector >> position & 1]
        held = [quoted(part) for part in vectors if part not in missing]
        lost = max(missing, key=lambda part: self._before(part, position))
        found = self._last(lost, position)
        text = (
            f"{_listing([quoted(part) for part in vectors])} never held together; "
            f"{self.when(position)} {_listing(held)} held, but not "
            f"{_listing([quoted(part) for part in missing])}{found.text}"
        )
        return replace(found, text=text, part=And(tuple(vectors)), missing=tuple(missing))

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

    def _of_then(self, formula: Then, start: int) -> Explanation:
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
            place = self.when(reached[-1], formula.operands[number - 2])
            before = f", after link {number - 1} was reached {place}"
        return replace(
            found,
            text=f"link {number} of {len(formula.operands)} fails{before}: {found.text}",
            link=number,
            reached=tuple(reached),
        )

    def _temporal(self, formula: Formula, start: int) -> Explanation:
        """Other connectives above a ``then``; what would mend them is not searched."""
        if isinstance(formula, Not):
            text = f"{quoted(formula.operand)} holds"
        elif isinstance(formula, Or) and formula.operands:
            first = self.reason(formula.operands[0], start)
            text = f"no alternative holds; the first one because {first.text}"
        else:
            text = f"{quoted(formula)} is not met{self._later(start)}"
        return Explanation(holds=False, text=text, part=formula, missing=(formula,))

    def _never(self, formula: Formula, start: int) -> Explanation:
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

    def _last(self, formula: Formula, position: int) -> Explanation:
        """Where a state formula last held before a position, and the step taken from there."""
        last = self._before(formula, position)
        found = Explanation(holds=False, text="", part=formula, missing=(formula,))
        if last < 0:
            return found
        action = str(self.plan[last]) if last < len(self.plan) else ""
        step = self._step(last) + (f" ({action})" if action else "")
        if only_actions(formula):
            text = f"; it last happened in {step}"
        else:
            text = f"; it last held {self.when(last)}, until {step}"
        return replace(found, text=text, position=last, step=self.numbers[last], action=action)

    def _later(self, start: int, formula: Formula = TRUE) -> str:
        return f" {self.when(start, formula)} or later" if start else ""


def _listing(parts: Sequence[str]) -> str:
    shown = [*parts[:4], f"{len(parts) - 4} more"] if len(parts) > 5 else list(parts)
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
