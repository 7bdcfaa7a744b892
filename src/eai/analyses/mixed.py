"""Plans with annotated, predicted, and mixed operators (paper, section E.4.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from eai.analyses.operators import Answer, read_answers
from eai.contract import Suite
from eai.planning import Outcome
from eai.semantics import Semantics
from eai.suites.transition.environment import TIME_LIMIT
from eai.table import Cell, Table

__all__ = ["mixed_action_spaces"]

_UNDECIDED = 2
"""After so many mixtures of an answer that searches did not decide, others get less time: what
one operator makes hard is hard in every mixture with it."""

_LITTLE = 0.5
"""Seconds of processor time for a search then; plans are nearly always found sooner."""


@dataclass(frozen=True, slots=True)
class _Spaces:
    """Number of operators from the answer, and whether there is a plan, for each space."""

    outcomes: tuple[tuple[int, Outcome], ...]

    @property
    def size(self) -> int:
        return self.outcomes[-1][0]

    def of(self, numbers: Sequence[int]) -> list[Outcome]:
        return [outcome for number, outcome in self.outcomes if number in numbers]


def mixed_action_spaces(
    suite: Suite,
    predictions: object,
    *,
    semantics: str | Semantics | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Table:
    """Compare planning with annotated operators, with predicted ones, and with every mixture.

    For a task whose answer has k operators there are 2^k action spaces: each operator is the
    annotated or the predicted one.

    Args:
        suite: A suite with transition modeling.
        predictions: Answers, as :func:`eai.predictions.load_all` takes them.
        semantics: ``"official"`` or ``"strict"``; by default what the suite prefers.
        progress: Called after every answer.

    Returns:
        For each model rows for the annotated, the predicted and the mixed spaces, and for
        mixtures with 1, 2, ... predicted operators. Only tasks with two operators or more are
        counted, because the others have no mixture. The success rate is the mean over tasks of
        the share of spaces with a plan. Searches that end at a limit leave a space undecided;
        after a few in one answer, its other spaces get a tenth of the time.

    Raises:
        UnknownNameError: If the suite has no transition modeling.
        InputError: If the predictions cannot be read.
        DataMissingError: If the official data was not fetched.
    """
    answers = read_answers(suite, predictions, semantics=semantics)
    found: dict[str, list[_Spaces]] = defaultdict(list)
    for done, answer in enumerate(answers, start=1):
        if len(answer.compared) > 1:
            found[answer.model].append(_Spaces(tuple(_outcomes(answer))))
        if progress is not None:
            progress(done, len(answers))
    rows = [row for model, spaces in found.items() for row in _rows(model, spaces)]
    notes = [_note(model, spaces) for model, spaces in found.items()]
    return Table.by_model(f"Mixed action spaces ({suite.name})", rows, tuple(notes))


def _outcomes(answer: Answer) -> Iterator[tuple[int, Outcome]]:
    undecided = 0
    for number in range(len(answer.compared) + 1):
        for chosen in combinations(answer.compared, number):
            patient = undecided < _UNDECIDED
            outcome = answer.outcome(chosen, seconds=TIME_LIMIT if patient else _LITTLE)
            undecided += outcome is Outcome.TIME_LIMIT
            yield number, outcome


def _rows(model: str, spaces: Sequence[_Spaces]) -> Iterator[dict[str, Cell]]:
    most = max(of_task.size for of_task in spaces)
    yield _row(model, "annotated", [of.of((0,)) for of in spaces])
    yield _row(model, "predicted", [of.of((of.size,)) for of in spaces])
    yield _row(model, "mixed", [of.of(range(1, of.size)) for of in spaces])
    for number in range(1, most):
        mixed = [of.of((number,)) for of in spaces if number < of.size]
        yield _row(model, f"mixed, {number} predicted", mixed)


def _row(model: str, label: str, outcomes: Sequence[Sequence[Outcome]]) -> dict[str, Cell]:
    solved = [of_task.count(Outcome.SOLVED) for of_task in outcomes]
    shares = [Fraction(n, len(of)) for n, of in zip(solved, outcomes, strict=True)]
    return {
        "model": model,
        "operators": label,
        "tasks": len(outcomes),
        "spaces": sum(map(len, outcomes)),
        "with a plan": sum(solved),
        "success %": float(100 * sum(shares) / len(shares)),
        "undecided": sum(not _decided(outcome) for of in outcomes for outcome in of),
    }


def _decided(outcome: Outcome) -> bool:
    return outcome in (Outcome.SOLVED, Outcome.UNSOLVABLE, Outcome.REJECTED)


def _note(model: str, spaces: Sequence[_Spaces]) -> str:
    pure = [of for of in spaces if set(of.of((0, of.size))) == {Outcome.SOLVED}]
    broken = sum(set(of.of(range(1, of.size))) != {Outcome.SOLVED} for of in pure)
    return (
        f"{model}: {len(pure)} tasks have a plan with annotated operators alone and with predicted "
        f"ones alone; in {broken} of them some mixture has none"
    )
