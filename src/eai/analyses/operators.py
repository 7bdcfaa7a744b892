"""What single predicted operators do to plans: sensitivity, and mixed action spaces.

Paper, sections E.4.3 and F, Figures 38 to 47.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from eai.contract import Suite, refuse_without
from eai.planning import Outcome
from eai.predictions import Predictions, load_all
from eai.report.statistics import wilson
from eai.semantics import Semantics
from eai.suites.transition.environment import Environment, environment
from eai.suites.transition.operators import Answer, written_operators
from eai.table import Cell, Table

__all__ = ["Answer", "environment_of", "mixed_action_spaces", "read_answers", "sensitivity"]

_Key = tuple[str, str, str]


def sensitivity(
    suite: Suite,
    predictions: object,
    *,
    semantics: str | Semantics | None = None,
    categories: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Table:
    """Put each predicted operator among the annotated ones, and see whether a plan is left.

    A task is *sensitive* to an operator if the planner finds a plan with the annotated operators,
    but none after this one is replaced by the predicted one.

    Args:
        suite: A suite with transition modeling.
        predictions: Answers, as :func:`eai.predictions.load_all` takes them.
        semantics: ``"official"`` or ``"strict"``; by default what the suite prefers.
        categories: Whether there are rows for each ability category as well (Figures 39 to 43
            and 45 to 47).
        progress: Called after every answer.

    Returns:
        A row for each model and operator, the lowest success rate first.

    Raises:
        UnknownNameError: If the suite has no transition modeling.
        InputError: If the predictions cannot be read.
        DataMissingError: If the official data was not fetched.
    """
    answers = read_answers(suite, predictions, semantics=semantics)
    counts: dict[_Key, Counter[Outcome]] = {}
    unsolved = 0
    for done, answer in enumerate(answers, start=1):
        if answer.outcome(()) is Outcome.SOLVED:
            _count(answer, counts, answer.demand.groups if categories else ())
        else:
            unsolved += 1
        if progress is not None:
            progress(done, len(answers))
    rows = [_sensitivity_row(*key, of_key) for key, of_key in sorted(counts.items())]
    if not categories:
        rows = [{key: row[key] for key in row if key != "category"} for row in rows]
    rows.sort(key=_rate)
    title = f"Sensitivity to predicted operators ({suite.name})"
    return Table.by_model(title, rows, _notes(answers, unsolved))


def _count(answer: Answer, counts: dict[_Key, Counter[Outcome]], groups: Iterable[str]) -> None:
    for name in answer.compared:
        outcome = answer.outcome((name,))
        for group in ("all", *groups):
            counts.setdefault((answer.model, group, name), Counter())[outcome] += 1


def _sensitivity_row(
    model: str, group: str, name: str, outcomes: Counter[Outcome]
) -> dict[str, Cell]:
    solved, failed = (
        sum(outcomes[outcome] for outcome in kind)
        for kind in ((Outcome.SOLVED,), (Outcome.UNSOLVABLE, Outcome.REJECTED))
    )
    tasks = solved + failed
    low, high = wilson(solved, tasks) if tasks else (None, None)
    return {
        "model": model,
        "category": group,
        "operator": name,
        "tasks": tasks,
        "solved": solved,
        "success %": 100 * solved / tasks if tasks else None,
        "low": low,
        "high": high,
        "undecided": outcomes.total() - tasks,
    }


def _rate(row: dict[str, Cell]) -> tuple[str, str, float]:
    rate = row["success %"]
    group = str(row.get("category", "all"))
    return (
        str(row["model"]),
        "" if group == "all" else group,
        float(rate) if isinstance(rate, float) else 100.0,
    )


def _notes(answers: Sequence[Answer], unsolved: int) -> tuple[str, ...]:
    notes = [
        f"{len(answers)} answers; operators that an answer lacks, or that nobody asked for, "
        "are left out",
        "low and high: Wilson 95 % interval; undecided: the search reached a limit",
    ]
    if unsolved:
        notes.append(f"{unsolved} answers left out: no plan with the annotated operators alone")
    return tuple(notes)


_UNDECIDED = 2
"""After so many mixtures of an answer that searches did not decide, others get less time: what
one operator makes hard is hard in every mixture with it."""

_LITTLE = 10
"""The share of the budget for a search then; plans are nearly always found sooner."""


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
    undecided, budget = 0, answer.semantics.budget
    for number in range(len(answer.compared) + 1):
        for chosen in combinations(answer.compared, number):
            patient = undecided < _UNDECIDED
            outcome = answer.outcome(chosen, budget=budget if patient else budget / _LITTLE)
            undecided += outcome is Outcome.BEYOND_BUDGET
            yield number, outcome


def _rows(model: str, spaces: Sequence[_Spaces]) -> Iterator[dict[str, Cell]]:
    most = max(of_task.size for of_task in spaces)
    yield _mixed_row(model, "annotated", [of.of((0,)) for of in spaces])
    yield _mixed_row(model, "predicted", [of.of((of.size,)) for of in spaces])
    yield _mixed_row(model, "mixed", [of.of(range(1, of.size)) for of in spaces])
    for number in range(1, most):
        mixed = [of.of((number,)) for of in spaces if number < of.size]
        yield _mixed_row(model, f"mixed, {number} predicted", mixed)


def _mixed_row(model: str, label: str, outcomes: Sequence[Sequence[Outcome]]) -> dict[str, Cell]:
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


def environment_of(suite: Suite) -> Environment:
    """Return the environment of a suite.

    Raises:
        UnknownNameError: If the suite has no transition modeling, or none of these environments.
    """
    refuse_without(suite, "transition_modeling")
    return environment(suite.name)


def read_answers(
    suite: Suite, predictions: object, *, semantics: str | Semantics | None = None
) -> list[Answer]:
    """Read the operators of all answers to tasks that ask for operators.

    Args:
        suite: The suite.
        predictions: What :func:`eai.predictions.load_all` takes.
        semantics: Which quirks are on; by default what the suite prefers.

    Raises:
        UnknownNameError: If the suite has no transition modeling, or no such semantics.
        InputError: If the predictions cannot be read.
        DataMissingError: If the official data was not fetched.
    """
    where = environment_of(suite)
    meaning = suite.semantics(semantics or suite.default_semantics)
    demands = where.model.demands
    answers: list[Answer] = []
    for of_model in load_all(predictions, is_task=lambda name: suite.canonical_id(name) in demands):
        texts = _texts(suite, of_model)
        for task, demand in demands.items():
            written = written_operators(where, texts[task], meaning) if task in texts else None
            if written is not None:
                answers.append(Answer(where, of_model.model, task, demand, written, meaning))
    return answers


def _texts(suite: Suite, predictions: Predictions) -> dict[str, str]:
    """Task to the first answer to it."""
    found: dict[str, str] = {}
    for name, text in predictions.items.items():
        found.setdefault(suite.canonical_id(name), text)
    return found
