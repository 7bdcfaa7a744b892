"""Which tasks a run is about, which answers belong to them, and what is said of the others."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from eai.answers import NameIndex, read_plan, shorten
from eai.contract import INTERACTION, PLANS
from eai.diagnosis import ErrorKind
from eai.errors import InputError, UnknownNameError, nearest
from eai.files import holds_run
from eai.predictions import EXAMPLE, NOBODY, PredictionProblem, Predictions
from eai.text import short

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.report import Record, Report


class Choice(NamedTuple):
    """The tasks of a run.

    Args:
        ids: Identifiers, in the suite's order.
        name: What a report prints behind the semantics; empty if all tasks count.
        answered: Whether only those count to which at least one model has an answer.
    """

    ids: Sequence[str]
    name: str = ""
    answered: bool = False

    def locations(self, all_ids: Sequence[str], answered: Collection[int]) -> list[int]:
        """Return the numbers of the chosen tasks.

        Args:
            all_ids: Identifiers of all tasks of the suite.
            answered: Numbers of the tasks with an answer.

        Raises:
            InputError: If only answered tasks count, and there is none.
        """
        if not self.answered:
            wanted = frozenset(self.ids)
            return [place for place, task in enumerate(all_ids) if task in wanted]
        if not answered:
            raise InputError(
                "no task has an answer, so there is none to evaluate",
                expected="an answer to at least one task of the suite",
                mend="look at the predictions, or evaluate all tasks (tasks='all')",
            )
        return sorted(answered)


def chosen_tasks(suite: Suite, tasks: str | Iterable[str]) -> Choice:
    """Return which tasks are meant.

    Args:
        suite: The suite.
        tasks: ``"all"``, ``"answered"``, an identifier, or several.

    Raises:
        UnknownNameError: If the suite has no such task.
        InputError: If no task is named, or if that is none.
    """
    known = suite.task_ids()
    if tasks == "all":
        return Choice(known)
    if tasks == "answered":
        return Choice(known, "answered tasks", answered=True)
    names = several(tasks)
    if not names or not all(isinstance(name, str) for name in names):
        raise InputError(
            "no task is chosen"
            if names in ([], [None])
            else f"{names[0]!r:.60} is no identifier of a task",
            where="tasks",
            expected="'all', 'answered', or identifiers of tasks",
            mend="list what there is: eai.suite(...).task_ids()",
        )
    wanted = frozenset(map(suite.canonical_id, names))
    for name in sorted(wanted.difference(known)):
        raise UnknownNameError("task", name, known, where=f"suite {suite.name}")
    tasks_word = "task" if len(wanted) == 1 else "tasks"
    found = [task for task in known if task in wanted]
    return Choice(found, f"{len(wanted)} chosen {tasks_word}")


def several(given: object) -> list[Any]:
    """Return what a caller gave as a list: several things, or one (a text is one)."""
    if isinstance(given, Iterable) and not isinstance(given, str):
        return list(given)
    return [given]


_FEW = 5
"""So many identifiers are looked at for what may be meant."""

_MOST_KNOWN = 5_000
_LONGEST = 200

_ENDING = re.compile(r"\.[A-Za-z]\w{1,6}\Z")
"""A path ends so, and a plan does not."""


_Answer = TypeVar("_Answer")


class Fit(NamedTuple):
    """How the answers of one model fit the tasks of a suite.

    Args:
        answered: Number of tasks that have an answer.
        second: Tasks of answers that are left out because there was one before.
        strange: Identifiers of answers to no task.
        former: Identifiers of answers that count for the task that took the place of theirs.
    """

    answered: int
    second: Collection[str]
    strange: Collection[str]
    former: Collection[str] = ()


def fit(
    suite: Suite,
    answers: Iterable[tuple[str, _Answer]],
    tasks: Container[str],
    former: Mapping[str, str] = MappingProxyType({}),
) -> tuple[dict[str, _Answer], Fit]:
    """Return task to answer, and how the answers fit; the first answer to a task counts.

    Args:
        suite: The suite, which knows how else its tasks are called.
        answers: Each identifier, as it was given, and its answer (or what stands for it).
        tasks: Identifiers of the tasks that are evaluated.
        former: See :class:`eai.contract.Ability`.
    """
    known: dict[str, _Answer] = {}
    second: list[str] = []
    strange: list[str] = []
    moved: dict[str, _Answer] = {}
    for raw, text in answers:
        task = suite.canonical_id(raw)
        if task not in tasks and former.get(task) in tasks:
            moved.setdefault(task, text)
        elif task not in tasks:
            strange.append(raw)
        elif task in known:
            second.append(task)
        else:
            known[task] = text
    # An answer to the task itself comes first, wherever it stands.
    counted = {old: former[old] for old in moved if former[old] not in known}
    strange += [old for old in moved if old not in counted]
    known |= {task: moved[old] for old, task in counted.items()}
    return known, Fit(len(known), second, strange, counted)


def refuse_others(
    predictions: object, suite: Suite, output: str | os.PathLike[str] | None = None
) -> None:
    """Say so if what is to be evaluated is a run, or a plan instead of a file.

    Args:
        predictions: What the caller gave.
        suite: The suite.
        output: Where the run is written; answers may lie there, too.

    Raises:
        InputError: If it is.
    """
    given = predictions if isinstance(predictions, (list, tuple)) else [predictions]
    for each in given:
        if not isinstance(each, (str, os.PathLike)):
            return
        text = os.fspath(each)
        if holds_run(text) and (output is None or Path(output) != Path(text)):
            raise InputError(
                "this is a run, its answers are evaluated already",
                where=text,
                expected="files with answers",
                mend=f"eai.Report(eai.read_records({text!r})) is its report",
            )
        # Whatever is no path, and reads as a plan, was not meant as a file.
        if not isinstance(each, str) or _ENDING.search(text) or os.path.lexists(text):
            continue
        reading = read_plan(text)
        if reading.steps and not reading.problems:
            task = next(iter(suite.task_ids()), "the task")
            raise InputError(
                f"{shorten(each)} is a plan, not the path of a file",
                expected="the task of each plan",
                mend=f"eai.evaluate({suite.name!r}, {{{task!r}: plan}})",
            )


def remarks(suite: Suite, predictions: Sequence[Predictions], fits: Sequence[Fit]) -> list[str]:
    """Say what was wrong with the sources, and what of them was left out.

    Args:
        suite: The suite.
        predictions: The answers of each model.
        fits: How they fit its tasks.

    Raises:
        InputError: If there are answers, and none is for a task of the suite.
    """
    # Models of one file share its problems, which are told once.
    problems: dict[PredictionProblem, list[str]] = {}
    for of_model in predictions:
        for problem in of_model.problems:
            problems.setdefault(problem, []).append(of_model.model)
    notes = []
    for problem, models in problems.items():
        # A report is the same wherever its files lie, and does not tell where that is.
        note = f"{Path(problem.where).name}: {problem.message}"
        one = len(models) == 1 and problem.model != NOBODY
        notes.append(f"{models[0]}: {note}" if one else note)
    for of_model, found in zip(predictions, fits, strict=True):
        if found.second:
            left_out = _listed(found.second)
            notes.append(f"{of_model.model}: {left_out} left out: second answers to their tasks")
        if found.former:
            former = f"{_listed(found.former)} read as answers to the tasks that replaced theirs"
            notes.append(f"{of_model.model}: {former}")
        if found.strange:
            meant = f"; {_meant(found.strange, suite.task_ids())}".rstrip("; ")
            strange = f"{_listed(found.strange)} left out: no such task{meant}"
            notes.append(f"{of_model.model}: {strange}")
    if any(found.strange for found in fits) and not any(found.answered for found in fits):
        raise _refusal(suite, predictions)
    return notes


def _refusal(suite: Suite, predictions: Sequence[Predictions]) -> InputError:
    given = [name for of_model in predictions for name in of_model.items]
    known = list(suite.task_ids())
    if not known:
        return InputError(f"the suite {suite.name!r} has no tasks", expected="at least one task")
    texts = [text for of_model in predictions for text in islice(of_model.items.values(), _FEW)]
    paths = [text for text in texts if _ENDING.search(text) and len(text) < _LONGEST]
    if not set(known).isdisjoint(texts[:_FEW]):
        mend = f"this is one item; its keys are called so: {EXAMPLE}"
    elif paths:
        mend = f"there is no file {paths[0]!r}: by model stand paths of files that there are"
    else:
        mend = (
            f"{_meant(given, known)}choose the suite that the answers are for (eai suites); "
            f"answers of several models are given by model: {{'model': {{{known[0]!r}: 'plan'}}}}"
        )
    none = (
        "the prediction is not" if len(given) == 1 else f"none of the {len(given)} predictions is"
    )
    return InputError(
        f"{none} for a task of the suite {suite.name!r}",
        where=f"{', '.join(short(of_model.model, 60) for of_model in predictions[:5])}",
        expected=f"identifiers such as {', '.join(known[:5])}; found: {_examples(given)}",
        mend=mend,
    )


def _meant(strange: Collection[str], known: Sequence[str]) -> str:
    """What may be meant by identifiers of no task, if that is found soon."""
    if len(known) > _MOST_KNOWN:
        return ""
    close = (nearest(name[:_LONGEST], known, most=1) for name in islice(strange, _FEW))
    found = dict.fromkeys(name for names in close for name in names)
    return f"did you mean {' or '.join(map(repr, found))}? " if found else ""


def _listed(ids: Collection[str]) -> str:
    return f"{len(ids)} prediction{'s' if len(ids) > 1 else ''} ({_examples(ids)})"


def _examples(ids: Collection[str]) -> str:
    shown = ", ".join(short(name, 60) for name in islice(ids, 5))
    return shown + (", ..." if len(ids) > 5 else "")


_FEWEST = 3
"""So many answers have to be unreadable before that is more than a slip."""

_NEARLY_ALL = 0.9

_UNANSWERED = "more than half of the tasks have no answer and count as failed"
_ANSWERED = (
    ", as published; tasks='answered' (--tasks answered) leaves out those that no model answered"
)
_PLANS = (
    "{model}: these look like plans, and none is right as an answer to {ability}: "
    f"ability={PLANS!r} (--ability {PLANS}) evaluates plans"
)
_LOOKED_AT = 30
"""So many answers of a model are looked at for plans."""
_COMMON = "; report.compare(answered=True) compares models over the tasks that both answered"


def add_hints(report: Report, suite: Suite, *, answered: bool) -> None:
    """Say of models that they have few answers, or answers that cannot be read.

    The hints stand before the other notes of the report.

    Args:
        report: All records.
        suite: The suite that evaluated them.
        answered: Whether tasks that no model answered were left out.
    """
    hints = []
    counts = {model: report.tally(model) for model in report.models}
    few = [short(model, 60) for model, of in counts.items() if 2 * of.missing > of.tasks]
    if few:
        named = ", ".join(few[:5]) + (", ..." if len(few) > 5 else "")
        hints.append(f"{named}: {_UNANSWERED}{_COMMON if answered else _ANSWERED}")
    for model, of_model in counts.items():
        there, unread = of_model.tasks - of_model.missing, of_model.items.get("parsing", 0)
        if _are_plans(report, model, suite):
            hints.append(_PLANS.format(model=short(model, 60), ability=report.setting.ability))
        elif unread >= max(_FEWEST, _NEARLY_ALL * there) and not of_model.success:
            hints.append(_unreadable(model, unread, there, suite, report))
    report.hints = tuple(hints)
    report.notes = (*report.hints, *report.notes)


def _answered(report: Report, model: str, most: int) -> list[Record]:
    """The first records of answers that were evaluated."""
    records = (record for record in report.of(model) if record.result.status == "evaluated")
    return list(islice(records, most))


def _are_plans(report: Report, model: str, suite: Suite) -> bool:
    """Whether answers to another ability, none of them right, are plans of the tasks' actions."""
    counts = report.tally(model)
    if counts.success or any(counts.tp.values()) or counts.tasks - counts.missing < _FEWEST:
        return False
    # The actions of an episode look like a plan, too.
    if report.setting.ability in (PLANS, INTERACTION) or PLANS not in suite.abilities:
        return False
    plans, records = 0, _answered(report, model, _LOOKED_AT)
    for record in records:
        steps = read_plan(record.output).steps
        names = NameIndex(suite.task(record.task).vocabulary)
        plans += bool(steps) and all(names.action(step.name)[0] for step in steps)
    return plans >= max(_FEWEST, _NEARLY_ALL * len(records))


def _unreadable(model: str, unread: int, answered: int, suite: Suite, report: Report) -> str:
    """What is said of answers of which nearly none could be read."""
    ability = report.setting.ability
    reported = (
        f"{short(model, 60)}: {unread} of {answered} answers could not be read "
        f"as answers to {ability}"
    )
    some = _answered(report, model, _FEWEST)
    official = report.setting.semantics.partition(" (")[0] == "official"
    for quirk in sorted(suite.semantics("official").quirks) if official else ():
        semantics = suite.semantics("official", without=[quirk])
        results = [
            suite.evaluate(ability, suite.task(each.task), each.output, semantics) for each in some
        ]
        if not any(result.number_of(ErrorKind.PARSING) for result in results):
            return (
                f"{reported}, as published; without the quirk {quirk} they can "
                f"(without={quirk!r}, --without-quirk {quirk})"
            )
    others = [name for name in suite.abilities if name != ability]
    asked = f" ({', '.join(others)})" if others else ""
    return f"{reported}: are they answers to another ability{asked}?"
