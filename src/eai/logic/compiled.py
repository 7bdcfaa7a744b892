"""Formulas as straight-line Python code, for those that are evaluated often.

Quantifiers are written out over the objects. The code works on truth vectors with time reversed
(:mod:`eai.logic.timeline`), of one trajectory or of a batch, one line for each operator. Fetching
the vectors of a trajectory and running the code are two steps, so that their costs can be told
apart and vectors can be kept.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Union, cast

from eai.errors import InputError
from eai.logic.code import write_code
from eai.logic.formula import (
    ActionAtom,
    Atom,
    Formula,
    ForPairs,
    bound_variables,
    check_closed,
    children,
    substitute,
)
from eai.logic.timeline import Timeline, mirror
from eai.logic.trace import Trajectory
from eai.logic.translation import to_linear

__all__ = ["LARGEST_CODE", "CompiledFormula", "compile_formula"]

LARGEST_CODE = 50_000
"""Most operators and atoms that are compiled, after quantifiers are written out."""

Objects = Callable[[tuple[str, ...]], Sequence[str]]
Proposition = Union[Atom, ActionAtom]


class CompiledFormula:
    """A formula and the code that judges it.

    Args:
        formula: A closed formula.
        objects: Names of the objects of any of some types; may be left out if the formula has
            no quantifier.

    Raises:
        InputError: As for :func:`compile_formula`.
    """

    def __init__(self, formula: Formula, objects: Objects) -> None:
        code = write_code(to_linear(formula), _Expansion(objects).parts)
        self.formula = formula
        self.source = code.source
        self.propositions = cast("tuple[Proposition, ...]", code.leaves)
        self._run = code.run

    def vectors(self, trajectory: Trajectory) -> list[int]:
        """Fetch what the code needs of a trajectory: a reversed vector a proposition.

        Raises:
            UnknownNameError: If the trajectory does not know a predicate, an action or an object.
        """
        return [
            mirror(_history(proposition, trajectory), trajectory.length)
            for proposition in self.propositions
        ]

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


def compile_formula(formula: Formula, *, objects: Objects | None = None) -> CompiledFormula:
    """Compile a formula for evaluation on many trajectories over the same objects.

    Args:
        formula: A closed formula. It is read as :func:`~eai.logic.semantics.evaluate` reads it.
        objects: Names of the objects of any of some types, such as a trajectory's ``objects``;
            may be left out if the formula has no quantifier.

    Raises:
        InputError: If a variable is not bound, a quantifier has no objects, the code would be
            too large, there are quantifiers over pairs, or a ``then`` cannot be translated
            (:func:`~eai.logic.translation.to_linear`).
    """
    check_closed(formula)
    return CompiledFormula(formula, objects or _no_objects)


def _no_objects(types: tuple[str, ...]) -> Sequence[str]:
    raise InputError(
        f"a quantifier over {' or '.join(types)} cannot be written out",
        mend="give objects=trajectory.objects",
    )


def _history(proposition: Proposition, trajectory: Trajectory) -> int:
    arguments = tuple(str(term) for term in proposition.terms)
    if isinstance(proposition, Atom):
        return trajectory.history(proposition.predicate, arguments)
    return trajectory.occurrences(proposition.action, arguments)


class _Expansion:
    """Writes quantifiers out, as long as the code does not get too large."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects
        self._work = 0

    def spend(self, work: int) -> None:
        self._work += work
        if self._work > LARGEST_CODE:
            raise InputError(
                "the formula is too large to be compiled, with its quantifiers written out",
                expected=f"at most {LARGEST_CODE:,} operators and atoms",
                mend="use evaluate",
            )

    def parts(self, node: Formula) -> Sequence[Formula] | None:
        """The operands of a node, those of a quantifier written out."""
        if isinstance(node, ForPairs):
            raise InputError("quantifiers over pairs cannot be compiled", mend="use evaluate")
        found = list(self.instances(node)) if bound_variables(node) else children(node)
        self.spend(1 + len(found))
        return None if isinstance(node, (Atom, ActionAtom)) else found

    def instances(self, node: Formula) -> Iterator[Formula]:
        bound = bound_variables(node)
        ranges = [self.objects(variable.types) for variable in bound]
        names = [variable.name for variable in bound]
        (body,) = children(node)
        for choice in itertools.product(*ranges):
            self.spend(1)
            yield substitute(body, dict(zip(names, choice, strict=True)))
