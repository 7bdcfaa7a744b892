"""Positions and facts of a trajectory in the words of the reader of a plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from eai.errors import SchemaError
from eai.logic.evidence import Blame
from eai.logic.formula import ActionAtom, Then, atoms
from eai.logic.printer import format_formula
from eai.logic.tree import TRUE, Formula


class StepNames:
    """Names positions by the steps of a plan.

    Args:
        length: Number of positions.
        plan: The actions of the trajectory in order, for sentences; may be empty.
        numbers: The number of each action in the plan as its reader knows it, if that is not
            1, 2, 3 (because steps were left out).

    Raises:
        SchemaError: If there are numbers, but not one for each action.
    """

    def __init__(
        self, length: int, plan: Sequence[object] = (), numbers: Sequence[int] = ()
    ) -> None:
        if numbers and len(numbers) != length - 1:
            raise SchemaError(
                f"{len(numbers)} step numbers were given", expected=f"{length - 1}, one a step"
            )
        self.length = length
        self.plan = plan
        self.numbers = numbers or range(1, length)

    def when(self, position: int, formula: Formula = TRUE) -> str:
        """Return the position of something in words: a state, or the action taken from there.

        What is fulfilled by no position at all (-1) is so before the start.
        """
        if position < 0:
            return "before the start"
        if only_actions(formula):
            return f"in {self.step(position)}"
        return f"after {self.step(position - 1)}" if position > 0 else "at the start"

    def span(self, first: int, last: int, formula: Formula = TRUE) -> str:
        """Return several positions in words."""
        if first == last:
            return self.when(first, formula)
        if only_actions(formula):
            return f"in {self.step(first)} to {self.step(last)}"
        begin = f"after {self.step(first - 1)}" if first else "the start"
        return f"from {begin} to after {self.step(last - 1)}"

    def step(self, position: int) -> str:
        """The step that is taken from a position, in words; the last position has none."""
        if position < len(self.numbers):
            return f"step {self.numbers[position]}"
        return f"step {self.numbers[-1] + 1 if self.numbers else 1}"

    def number(self, position: int) -> int | None:
        """The number of the step that is taken from a position; None for the last one."""
        return self.numbers[position] if position < len(self.numbers) else None

    def action(self, position: int) -> str:
        """The action that is taken from a position, if the plan is known."""
        return str(self.plan[position]) if position < len(self.plan) else ""

    def label(self, position: int) -> str:
        """The number of the step that led to a position; 0 for the first one."""
        return str(self.numbers[position - 1]) if position else "0"


def quoted(formula: Formula) -> str:
    """Return the formula's text in quotes, for a sentence; its tree if no text says it."""
    if isinstance(formula, Then) and not formula.operands:
        return "a 'then' without parts"
    try:
        return f"'{format_formula(formula)}'"
    except SchemaError:
        return f"'{formula!r}'"


def only_actions(formula: Formula) -> bool:
    """Whether the formula speaks of actions only, and so happens rather than holds."""
    propositions = list(atoms(formula))
    return bool(propositions) and all(isinstance(each, ActionAtom) for each in propositions)


def listing(parts: Sequence[str]) -> str:
    """Return some parts of a sentence as a list; of many, the first few."""
    shown = [*parts[:4], f"{len(parts) - 4} more"] if len(parts) > 5 else list(parts)
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


_VERBS = {True: ("happened", "did not happen"), False: ("held", "did not hold")}


def facts(blamed: Iterable[Blame], names: StepNames) -> list[str]:
    """Return what a verdict rests on in words, consecutive positions put together."""
    by_atom: dict[tuple[Formula, bool], list[int]] = {}
    for blame in sorted(blamed, key=lambda blame: blame.position):
        by_atom.setdefault((blame.atom, blame.holds), []).append(blame.position)
    found = []
    for (atom, holds), positions in by_atom.items():
        verb = _VERBS[only_actions(atom)][0 if holds else 1]
        for _, group in groupby(enumerate(positions), lambda pair: pair[1] - pair[0]):
            run = [position for _, position in group]
            found.append(f"{quoted(atom)} {verb} {names.span(run[0], run[-1], atom)}")
    return found
