"""Formulas compiled for many trajectories over the same objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from eai.errors import InputError
from eai.logic.algebra import Timeline, mirror
from eai.logic.code import Writer
from eai.logic.evaluation import evaluate
from eai.logic.expansion import Expansion, Objects, ranges
from eai.logic.formula import Proposition
from eai.logic.trace import Trajectory, history_of
from eai.logic.translation import to_linear
from eai.logic.tree import Formula, Reading

LARGEST_CODE = 50_000
"""Most operators and atoms that are compiled, after quantifiers are written out."""


class CompiledFormula:
    """A formula and the code that evaluates it.

    Args:
        formula: A closed formula.
        objects: What its quantifiers range over.
        reading: How it is read.

    Raises:
        InputError: As for :func:`compile_formula`.
    """

    def __init__(
        self, formula: Formula, objects: Objects = None, *, reading: Reading | None = None
    ) -> None:
        self.formula = formula
        writer = Writer()
        expansion = Expansion(writer, ranges(objects), writer.leaf, self._spend)
        self._work = 0
        if formula.has_then:
            formula, reading = to_linear(formula, reading=reading), "ltlf"
        result = expansion.value(formula, {})
        if formula.reading(reading) == "eai":
            result = writer.lasting(writer.true, result, weak=False)
        code = writer.code(result)
        self.source = code.source
        self.propositions = cast("tuple[Proposition, ...]", code.leaves)
        self._run = code.run

    def _spend(self) -> None:
        self._work += 1
        if self._work > LARGEST_CODE:
            raise InputError(
                "the formula is too large to be compiled, with its quantifiers written out",
                expected=f"at most {LARGEST_CODE:,} operators and atoms",
                mend="use evaluate",
            )

    def vectors(self, trajectory: Trajectory) -> list[int]:
        """Fetch what the code needs of a trajectory: a reversed vector a proposition.

        Raises:
            UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        """
        length = trajectory.length
        return [mirror(history_of(each, trajectory), length) for each in self.propositions]

    def truth(self, vectors: Sequence[int], timeline: Timeline) -> int:
        """Return where the formula is true, bit 0 for the last position.

        A goal is true where it holds on the rest of the trajectory from there.

        Args:
            vectors: The vectors of :attr:`propositions`, in their order.
            timeline: The positions that the vectors are about.
        """
        return self._run(vectors, timeline.full, timeline)

    def __call__(self, trajectory: Trajectory) -> bool:
        """Say whether the formula holds on a trajectory, as :func:`~eai.logic.evaluate` does."""
        timeline = Timeline(trajectory.length)
        return bool(self.truth(self.vectors(trajectory), timeline) >> trajectory.length - 1)


def compile_formula(
    formula: Formula, *, objects: Objects = None, reading: Reading | None = None
) -> CompiledFormula:
    """Compile a formula for evaluation on many trajectories over the same objects.

    Args:
        formula: A closed formula.
        objects: What the quantifiers range over, such as a trajectory's ``objects``; may be left
            out if the formula has no quantifier.
        reading: As for :func:`~eai.logic.evaluate`.

    Raises:
        InputError: If a variable is not bound, a quantifier has no objects, the code would be
            too large, there are quantifiers over pairs, or a ``then`` cannot be translated
            (:func:`~eai.logic.to_linear`).
    """
    formula.check_closed()
    return CompiledFormula(formula, objects, reading=reading)


def evaluate_all(
    formula: Formula, trajectories: Sequence[Trajectory], *, reading: Reading | None = None
) -> list[bool]:
    """Say of every trajectory whether a formula holds on it.

    Args:
        formula: A closed formula.
        trajectories: The trajectories; none gives none. They may be about different objects.
        reading: As for :func:`~eai.logic.evaluate`.

    Raises:
        UnknownNameError: If a trajectory does not know a predicate, an action or an object.
        InputError: As for :func:`~eai.logic.evaluate`.
    """
    formula.check_closed()
    try:
        # Objects may differ, so quantifiers are left to the evaluation of each trajectory.
        holds = compile_formula(formula, reading=reading)
    except InputError:
        return [evaluate(formula, each, reading=reading).holds for each in trajectories]
    return [holds(each) for each in trajectories]
