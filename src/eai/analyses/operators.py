"""Mixed action spaces: plans with annotated and predicted operators (paper, section E.4.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations
from typing import Any, Protocol

from eai.budget import Budget
from eai.contract import Suite, operators_of, refuse_without
from eai.errors import InputError
from eai.planning import Outcome
from eai.predictions import load_all
from eai.semantics import Semantics
from eai.table import Cell, Table

_TRANSITIONS = "transition_modeling"
_DECIDED = (Outcome.SOLVED, Outcome.UNSOLVABLE, Outcome.REJECTED)


class OperatorAnswer(Protocol):
    """An answer whose operators can replace annotated ones."""

    model: str
    task: str
    semantics: Semantics
    demand: Any
    written: Mapping[str, Any]

    @property
    def compared(self) -> tuple[str, ...]:
        """Names of the operators that can take the place of annotated ones."""
        ...

    def outcome(self, predicted: Iterable[str], *, budget: Budget | None = None) -> Outcome:
        """Plan with annotated operators, but for some that are the answer's."""
        ...


_UNDECIDED = 2
"""After so many mixtures of an answer that searches did not decide, others get less time: what
one operator makes hard is hard in every mixture with it."""

_LITTLE = 10
"""The share of the budget for a search then; plans are nearly always found sooner."""

_Spaces = list[list[Outcome]]
"""The outcomes of the spaces of one answer, by the number of operators that are predicted."""


def mixed_action_spaces(
    suite: Suite,
    predictions: object,
    *,
    semantics: str | Semantics | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Table:
    """Compare planning with annotated, predicted, and mixed operators.

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
    spaces_by_model: dict[str, list[_Spaces]] = defaultdict(list)
    for answers_done, answer in enumerate(answers, start=1):
        # One operator has no mixture: its two spaces are the annotated and the predicted one.
        if len(answer.compared) > 1:
            spaces_by_model[answer.model].append(_search_spaces(answer))
        if progress is not None:
            progress(answers_done, len(answers))
    rows: list[dict[str, Cell]] = []
    notes: list[str] = []
    for model, tasks in spaces_by_model.items():
        for label, outcomes in _searches_by_kind(tasks).items():
            rows.append({"model": model, "operators": label, **_success_cells(outcomes)})
        notes.append(f"{model}: {_broken_by_mixing(tasks)}")
    return Table.by_model(f"Mixed action spaces ({suite.name})", rows, tuple(notes))


def _searches_by_kind(tasks: Sequence[_Spaces]) -> dict[str, list[list[Outcome]]]:
    """Return the searches of each task, grouped by the kind of action space.

    Args:
        tasks: The spaces of each task: element k has those in which k operators are predicted, so
            the first is all annotated and the last all predicted.
    """
    mixtures = {
        "annotated": [spaces[0] for spaces in tasks],
        "predicted": [spaces[-1] for spaces in tasks],
        "mixed": list(map(_mixed_outcomes, tasks)),
    }
    for predicted_count in range(1, max(map(len, tasks)) - 1):
        # A task with as many operators or fewer has no mixture with this many predicted ones.
        searches = [
            spaces[predicted_count] for spaces in tasks if predicted_count < len(spaces) - 1
        ]
        mixtures[f"mixed, {predicted_count} predicted"] = searches
    return mixtures


def _mixed_outcomes(spaces: _Spaces) -> list[Outcome]:
    """Return the searches of a task in all spaces with operators of both kinds."""
    return list(chain.from_iterable(spaces[1:-1]))


def _success_cells(outcomes: Sequence[Sequence[Outcome]]) -> dict[str, Cell]:
    """Return the share of planning spaces with a plan as table cells.

    The share is a mean over tasks, so that a task with many spaces does not weigh more.

    Args:
        outcomes: For each task the outcome of planning in each of its spaces.
    """
    spaces = 0
    solved = 0
    undecided = 0
    shares = Fraction(0)  # exact, so that the order of the tasks does not matter
    for task_outcomes in outcomes:
        spaces += len(task_outcomes)
        solved_in_task = task_outcomes.count(Outcome.SOLVED)
        solved += solved_in_task
        shares += Fraction(solved_in_task, len(task_outcomes))
        undecided += sum(outcome not in _DECIDED for outcome in task_outcomes)
    return {
        "tasks": len(outcomes),
        "spaces": spaces,
        "with a plan": solved,
        "success %": float(100 * shares / len(outcomes)),
        "undecided": undecided,
    }


def _broken_by_mixing(tasks: Sequence[_Spaces]) -> str:
    """Return in how many tasks only a mixture of operators has no plan.

    Args:
        tasks: For each task the outcomes of its spaces, from all operators annotated to all
            predicted.
    """
    solved_purely = 0
    broken = 0
    for spaces in tasks:
        # Both ends are one space each: all operators annotated, and all predicted.
        if {*spaces[0], *spaces[-1]} == {Outcome.SOLVED}:
            solved_purely += 1
            broken += set(_mixed_outcomes(spaces)) != {Outcome.SOLVED}
    return (
        f"{solved_purely} tasks have a plan with annotated operators alone and with "
        f"predicted ones alone; in {broken} of them some mixture has none"
    )


def _search_spaces(answer: OperatorAnswer) -> _Spaces:
    """Return the outcomes of searching all action spaces of an answer.

    For ``compared == ("open", "grasp")`` these are ``[[annotated], [open, grasp], [both]]``. List k
    has a search for each choice of k predicted operators.
    """
    budget = answer.semantics.budget
    beyond_budget = 0
    spaces: _Spaces = []
    for predicted_count in range(len(answer.compared) + 1):
        outcomes = []
        for predicted in combinations(answer.compared, predicted_count):
            outcome = answer.outcome(predicted, budget=budget)
            outcomes.append(outcome)
            if outcome is not Outcome.BEYOND_BUDGET:
                continue
            beyond_budget += 1
            # There are 2^k spaces. If a few searches of an answer end at the budget, most of its
            # other searches would, too, so they get less.
            if beyond_budget == _UNDECIDED:
                budget /= _LITTLE
        spaces.append(outcomes)
    return spaces


def annotated_operators(suite: Suite) -> Any:  # noqa: ANN401
    """Return the annotated operators of a suite (see :class:`eai.contract.suite.Ability`).

    Raises:
        UnknownNameError: If the suite has no transition modeling.
        InputError: If its annotated operators are unknown.
    """
    refuse_without(suite, _TRANSITIONS)
    operators = operators_of(suite, _TRANSITIONS)
    if operators is None:
        raise InputError(
            f"the suite {suite.name!r} does not say what its annotated operators are",
            expected=f"an ability {_TRANSITIONS} with operators",
        )
    return operators


def read_answers(
    suite: Suite, predictions: object, *, semantics: str | Semantics | None = None
) -> list[OperatorAnswer]:
    """Read the operators of all answers to tasks that ask for operators.

    An answer in which no operators can be read is left out.
    """
    annotated = annotated_operators(suite)
    profile = suite.semantics(semantics or suite.default_semantics)
    demands = annotated.model.demands
    answers: list[OperatorAnswer] = []
    for model_predictions in load_all(
        predictions, is_task=lambda name: suite.canonical_id(name) in demands
    ):
        texts: dict[str, str] = {}
        for name, text in model_predictions.items.items():
            texts.setdefault(suite.canonical_id(name), text)  # the first answer counts
        for task in demands:
            if task not in texts:
                continue
            answer = annotated.read(model_predictions.model, task, texts[task], profile)
            if answer is not None:
                answers.append(answer)
    return answers
