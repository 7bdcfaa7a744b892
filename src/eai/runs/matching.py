"""Matching answers to the tasks of a run, with notes and hints about answers that do not fit."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from eai.budget import BeyondBudgetError
from eai.contract import INTERACTION, PLANS, RECORDED, answer_formats, extension
from eai.diagnosis import GRAMMAR, ErrorKind, Result
from eai.errors import InputError, UnknownNameError, did_you_mean, nearest
from eai.files import holds_run
from eai.predictions import EXAMPLE, Predictions
from eai.runs.omissions import examples_of, left_out_notes, listed_ids, problem_notes
from eai.semantics import Semantics
from eai.table import UNREAD
from eai.text import lazy_pattern, short

if TYPE_CHECKING:
    from eai.contract import Suite
    from eai.report import Record, Report
    from eai.task import Task


class Choice(NamedTuple):
    """The tasks of a run.

    Args:
        ids: Identifiers, in the suite's order.
        name: Text that a report prints behind the semantics; empty if all tasks count.
        answered: Whether only tasks count to which at least one model has an answer.
    """

    ids: Sequence[str]
    name: str = ""
    answered: bool = False

    def task_indices(self, all_ids: Sequence[str], answered_indices: Collection[int]) -> list[int]:
        """Return the indices of the chosen tasks, in order.

        Args:
            all_ids: Identifiers of all tasks.
            answered_indices: Indices of the tasks that have an answer.

        Raises:
            InputError: If only answered tasks count, and there is none.
        """
        if not self.answered:
            chosen_ids = frozenset(self.ids)
            return [index for index, task in enumerate(all_ids) if task in chosen_ids]
        if not answered_indices:
            raise InputError(
                "no task has an answer, so there is none to evaluate",
                expected="an answer to at least one task of the suite",
                mend="look at the predictions, or evaluate all tasks (tasks='all')",
            )
        return sorted(answered_indices)


def chosen_tasks(suite: Suite, tasks: str | Iterable[str]) -> Choice:
    """Return the tasks that the caller chose.

    Args:
        suite: The suite.
        tasks: ``"all"``, ``"answered"``, an identifier, or several.

    Raises:
        UnknownNameError: If the suite has no such task.
        InputError: If no task is named, or if a name is not a text.
    """
    all_ids = suite.task_ids()
    if tasks == "all":
        return Choice(all_ids)
    if tasks == "answered":
        return Choice(all_ids, "answered tasks", answered=True)
    names = as_list(tasks)
    if not names or not all(isinstance(name, str) for name in names):
        problem = "no task is chosen"
        if names not in ([], [None]):
            problem = f"{names[0]!r:.60} is not an identifier of a task"
        raise InputError(
            problem,
            where="tasks",
            expected="'all', 'answered', or identifiers of tasks",
            mend="list them: eai.suite(...).task_ids()",
        )
    # Suites may accept several spellings of an identifier; two of them name one task.
    named_ids = frozenset(map(suite.canonical_id, names))
    unknown_ids = sorted(named_ids.difference(all_ids))
    if unknown_ids:
        raise UnknownNameError("task", unknown_ids[0], all_ids, where=f"suite {suite.name}")
    chosen_ids = [task for task in all_ids if task in named_ids]
    noun = "task" if len(named_ids) == 1 else "tasks"
    return Choice(chosen_ids, f"{len(named_ids)} chosen {noun}")


def knows_task(suite: Suite) -> Callable[[str], bool]:
    """Return a function that tells whether a text is an identifier of a task, in any spelling."""
    task_ids = frozenset(suite.task_ids())
    return lambda name: suite.canonical_id(name) in task_ids


def as_list(value: object) -> list[Any]:
    """Return the items of an iterable as a list, or a list of the value itself.

    A text is a value: ``"task-1"`` gives ``["task-1"]``.
    """
    if isinstance(value, Iterable) and not isinstance(value, str):
        return list(value)
    return [value]


_MAX_COMPARED_NAMES = 5
"""Maximum number of unknown identifiers for which similar ones are searched."""

_MAX_COMPARED_TASKS = 5_000
"""Maximum number of tasks among which similar identifiers are searched."""

_MAX_COMPARED_LENGTH = 200
"""Maximum number of characters of an identifier, or of a path, that are looked at."""

_FILE_ENDING = lazy_pattern(r"\.[A-Za-z]\w{1,6}\Z")
"""The ending of a path; plans have none."""


_Answer = TypeVar("_Answer")


class AnswerFit(NamedTuple):
    """Statistics on how the answers of one model match the tasks of a suite.

    Args:
        answered: Number of tasks that have an answer.
        repeated: Tasks with a second answer, which is left out.
        unknown: Identifiers of answers to no task.
        replaced: Identifiers of answers to a task of an earlier version of the benchmark. They
            count for the task that replaced it.
    """

    answered: int
    repeated: Collection[str]
    unknown: Collection[str]
    replaced: Collection[str] = ()


def match_answers(
    suite: Suite,
    answers: Iterable[tuple[str, _Answer]],
    tasks: Container[str],
    former: Mapping[str, str] = MappingProxyType({}),
) -> tuple[dict[str, _Answer], AnswerFit]:
    """Match answers with tasks, and return them by task with statistics.

    Of several answers to a task the first counts. An answer to the task itself counts rather than
    one to a task that it replaced, whichever comes first.

    Args:
        suite: The suite, which knows other spellings of its tasks' identifiers.
        answers: Pairs of an identifier, as it was given, and an answer (or its number).
        tasks: Identifiers of the tasks that are evaluated.
        former: Task of an earlier version of the benchmark to the task that replaced it.
    """
    answer_by_task: dict[str, _Answer] = {}
    repeated: list[str] = []
    unknown: list[str] = []
    # Answers to tasks of an earlier version of the benchmark, which others replaced.
    answer_by_former_task: dict[str, _Answer] = {}
    for raw_id, answer in answers:
        task = suite.canonical_id(raw_id)
        if task in answer_by_task:
            # The first answer counts, as in the files of most benchmarks.
            repeated.append(task)
        elif task in tasks:
            answer_by_task[task] = answer
        elif former.get(task) in tasks:
            answer_by_former_task.setdefault(task, answer)
        else:
            unknown.append(raw_id)
    # These come last, when all answers to the tasks themselves are known.
    replaced: dict[str, str] = {}
    for former_task in answer_by_former_task:
        if former[former_task] not in answer_by_task:
            replaced[former_task] = former[former_task]
    for former_task, answer in answer_by_former_task.items():
        if former_task in replaced:
            answer_by_task[replaced[former_task]] = answer
        else:
            unknown.append(former_task)
    return answer_by_task, AnswerFit(len(answer_by_task), repeated, unknown, replaced)


def refuse_others(
    predictions: object, suite: Suite, output: str | os.PathLike[str] | None = None
) -> None:
    """Refuse a run's folder, or the text of a plan, in place of files of answers.

    Args:
        predictions: Predictions as the caller gave them.
        suite: The suite.
        output: Folder where the run is written; answers may lie there, too.

    Raises:
        InputError: If there is one among the predictions.
    """
    sources = predictions if isinstance(predictions, (list, tuple)) else [predictions]
    for source in sources:
        # Answers that are given as values name no file.
        if not isinstance(source, (str, os.PathLike)):
            return
        path = os.fspath(source)
        is_own_output = output is not None and Path(output) == Path(path)
        if holds_run(path) and not is_own_output:
            raise InputError(
                "this is a run, its answers are evaluated already",
                where=path,
                expected="files with answers",
                mend=f"eai.Report(eai.read_records({path!r})) is its report",
            )
        if isinstance(source, str):
            _refuse_plan(source, suite)


def _refuse_plan(text: str, suite: Suite) -> None:
    """Refuse a text that is a plan and not a path."""
    if _FILE_ENDING.search(text) or os.path.lexists(text):
        return
    from eai.answers import read_plan, shorten

    reading = read_plan(text)
    if not reading.steps or reading.problems:
        return
    task = next(iter(suite.task_ids()), "the task")
    raise InputError(
        f"{shorten(text)} is a plan, not the path of a file",
        expected="the task of each plan",
        mend=f"eai.evaluate({suite.name!r}, {{{task!r}: plan}})",
    )


def notes_on_answers(
    suite: Suite, predictions: Sequence[Predictions], fits: Sequence[AnswerFit]
) -> list[str]:
    """Return notes on problems of the sources and on omitted answers.

    Args:
        suite: The suite.
        predictions: The answers of each model.
        fits: How they fit the tasks of the suite.

    Raises:
        InputError: If there are answers, and none is for a task of the suite.
    """
    notes = [*left_out_notes(predictions, fits), *problem_notes(predictions)]
    for model_predictions, answer_fit in zip(predictions, fits, strict=True):
        for note in _notes_on_model(model_predictions, answer_fit, suite):
            notes.append(f"{model_predictions.model}: {note}")
    has_answers = any(answer_fit.answered for answer_fit in fits)
    if not has_answers and any(answer_fit.unknown for answer_fit in fits):
        raise _no_answer_fits(suite, predictions)
    return notes


def _notes_on_model(predictions: Predictions, answer_fit: AnswerFit, suite: Suite) -> Iterator[str]:
    """Yield notes on a model's answers that were omitted or matched differently."""
    if answer_fit.repeated:
        yield f"{listed_ids(answer_fit.repeated)} left out: their tasks have an answer already"
    if answer_fit.replaced:
        yield f"{listed_ids(answer_fit.replaced)} read as answers to the tasks that replaced theirs"
    for ending, task_ids in predictions.endings.items():
        yield f"{listed_ids(task_ids)} {ending.words}"
    if answer_fit.unknown:
        note = f"{listed_ids(answer_fit.unknown)} left out: no such task"
        question = _similar_tasks(answer_fit.unknown, suite.task_ids())
        if question:
            note += f"; {question}"
        yield note


def _no_answer_fits(suite: Suite, predictions: Sequence[Predictions]) -> InputError:
    """Return the error for answers that match no task of the suite."""
    names: list[str] = []
    for model_predictions in predictions:
        names += model_predictions.items
    all_ids = list(suite.task_ids())
    if not all_ids:
        return InputError(f"the suite {suite.name!r} has no tasks", expected="at least one task")
    subject = f"none of the {len(names)} predictions is"
    if len(names) == 1:
        subject = "the prediction is not"
    return InputError(
        f"{subject} for a task of the suite {suite.name!r}",
        where=", ".join(
            short(model_predictions.model, 60) for model_predictions in predictions[:5]
        ),
        expected=f"identifiers such as {', '.join(all_ids[:5])}; found: {examples_of(names)}",
        mend=_why_no_answer_fits(predictions, names, all_ids),
    )


def _why_no_answer_fits(
    predictions: Sequence[Predictions], names: Sequence[str], all_ids: Sequence[str]
) -> str:
    """Return the likeliest reason why no answer matches a task, and a remedy.

    Args:
        predictions: The answers of each model.
        names: Identifiers of the answers.
        all_ids: Identifiers of the suite's tasks.
    """
    texts: list[str] = []
    for model_predictions in predictions:
        texts += islice(model_predictions.items.values(), _MAX_COMPARED_NAMES)
    # {"id": "task-1", "answer": "..."}: the keys were taken for tasks, and the task is a value.
    if not set(all_ids).isdisjoint(texts[:_MAX_COMPARED_NAMES]):
        return f"this is a single prediction; its keys are called: {EXAMPLE}"
    # {"model": "answers.jsonl"}: there is no such file, so the path was taken for an answer.
    for text in texts:
        if len(text) < _MAX_COMPARED_LENGTH and _FILE_ENDING.search(text):
            return f"there is no file {text!r}; give each model the path of an existing file"
    for model_predictions in predictions:
        reading = model_predictions.reading
        if reading is not None and reading.id_paths:
            path = next(iter(reading.id_paths))
            return f"--id-field {path} (in Python id={path!r}): it names tasks"
    question = _similar_tasks(names, all_ids)
    if question:
        question += " "
    example = f"{{'model': {{{all_ids[0]!r}: 'plan'}}}}"
    return (
        f"{question}choose the suite that the answers are for (eai suites); "
        f"answers of several models are given by model: {example}"
    )


def _similar_tasks(unknown_ids: Collection[str], task_ids: Sequence[str]) -> str:
    """Return a question with tasks similar to unknown identifiers, or ""."""
    if len(task_ids) > _MAX_COMPARED_TASKS:
        return ""
    similar_ids: dict[str, None] = {}
    for unknown_id in islice(unknown_ids, _MAX_COMPARED_NAMES):
        nearest_ids = nearest(unknown_id[:_MAX_COMPARED_LENGTH], task_ids, most=1)
        similar_ids.update(dict.fromkeys(nearest_ids))
    if not similar_ids:
        return ""
    return did_you_mean(similar_ids)


# Hints: why numbers are low for a reason that is not the model's.

_MIN_UNREADABLE = 3
"""Minimum number of unreadable answers for a hint: fewer may be slips of the model."""

_NEARLY_ALL = 0.9
"""Share of a model's answers that have to behave alike for a hint about all of them."""

_MAX_TRIED = 10
"""Maximum number of answers of a model that are evaluated in other ways."""

_MAX_NAMED = 3
"""Maximum number of models that a hint names."""

_BUDGET_SHARES = 20
"""The budget of an answer is divided by this when it is evaluated in another way."""

_UNANSWERED = "more than half of the tasks have no answer and count as failed"


def add_hints(report: Report, suite: Suite, *, answered: bool) -> None:
    """Add hints to a report on models with few or unreadable answers.

    Hints come before the other notes. Models share the text of a hint, but each has its own note,
    which appears in its row of the tables.

    Args:
        report: The report.
        suite: Its suite.
        answered: Whether only tasks count to which at least one model has an answer.
    """
    hints: list[str] = []
    hints_on_left_out: list[str] = []
    unreadable_by_problem: dict[str, list[_Unreadable]] = {}
    for model in report.models:
        counts = report.tally(model)
        if 2 * counts.missing > counts.tasks:  # more than half
            hints.append(f"{model}: {_hint_on_unanswered(suite, answered=answered)}")
        if counts.unread:
            hints_on_left_out.append(f"{model}: {_hint_on_left_out(report, model, suite)}")
        # The other hints say why all answers are wrong, which a single right answer refutes.
        wrong_answers = _sample_of_wrong_answers(report, model)
        if not wrong_answers:
            continue
        ability = _other_ability(report, wrong_answers, suite)
        if ability:
            hints.append(f"{model}: {_hint_on_ability(report, suite, ability)}")
            continue
        unread = counts.affected.get("parsing", 0)
        if unread >= max(_MIN_UNREADABLE, _NEARLY_ALL * counts.read):
            problem = _why_unreadable(report, wrong_answers, suite)
            unreadable = _Unreadable(model, unread, counts.read)
            unreadable_by_problem.setdefault(problem, []).append(unreadable)
    hints += hints_on_left_out
    # Up to here hints and notes are the same: each is about one model.
    notes = list(hints)
    for problem, unreadable_models in unreadable_by_problem.items():
        for unreadable in unreadable_models:
            share = f"{unreadable.unread} of {unreadable.answers}"
            notes.append(f"{unreadable.model}: {share} answers {problem}")
        hints.append(_shared_hint(problem, unreadable_models))
    report.hints = tuple(hints)
    report.hint_notes = tuple(notes)
    report.notes = tuple(dict.fromkeys((*notes, *report.notes)))


def _hint_on_unanswered(suite: Suite, *, answered: bool) -> str:
    """Return a hint if a model left most tasks unanswered, or "".

    Args:
        suite: The suite.
        answered: Whether only tasks count to which at least one model has an answer.
    """
    if answered:
        comparison = (
            "report.compare(answered=True) compares models over the tasks that both answered"
        )
        return f"{_UNANSWERED}; {comparison}"
    hint = _UNANSWERED
    if extension("eai.published", suite) is not None:
        hint += ", as published"
    option = "--tasks answered (in Python tasks='answered')"
    return f"{hint}; {option} leaves out those that no model answered"


def _sample_of_wrong_answers(report: Report, model: str) -> list[Record]:
    """Return records of some answers of a model whose answers are all wrong, or none.

    There are none, too, for a model with fewer than three answers.
    """
    if report.tally(model).read < _MIN_UNREADABLE:
        return []
    evaluated = (record for record in report.of(model) if record.result.status == "evaluated")
    sample = list(islice(evaluated, _MAX_TRIED))
    if any(_is_partly_right(record.result) for record in sample):
        return []
    return sample


def _shared_hint(problem: str, models: Sequence[_Unreadable]) -> str:
    """Return a hint about several models that are unreadable for the same reason."""
    names = ", ".join(unreadable.model for unreadable in models[:_MAX_NAMED])
    if len(models) > _MAX_NAMED:
        names += f" and {len(models) - _MAX_NAMED} more"
    unread = sum(unreadable.unread for unreadable in models)
    answers = sum(unreadable.answers for unreadable in models)
    return f"{names}: {unread} of {answers} answers {problem}"


class _Unreadable(NamedTuple):
    """A model with mostly unreadable answers, with their number and the total."""

    model: str
    unread: int
    answers: int


def _hint_on_left_out(report: Report, model: str, suite: Suite) -> str:
    """Return how many answers of a model were read, and how to read the others."""
    counts = report.tally(model)
    # A few are enough to find the quirk that keeps them from being read.
    sample = []
    for record in report.of(model):
        result = record.result
        if result.status == "excluded" and result.number_of(ErrorKind.PARSING):
            sample.append(record)
            if len(sample) == _MAX_TRIED:
                break
    return (
        f"read {counts.read} of {counts.read + counts.unread} answers ({UNREAD}): "
        "the others are left out, no "
        f"rate counts them{_advice_on_quirk(report, sample, suite)}"
    )


def _is_partly_right(result: Result) -> bool:
    """Return whether any part of an answer is right."""
    if result.success:
        return True
    if any(goal.met for goal in result.goals):
        return True
    return any(match.tp for match in result.matches)


def _evaluate_again(
    suite: Suite, ability: str, sample: Sequence[Record], semantics: Semantics
) -> list[Result | None]:
    """Return the results under other options, with None for tasks that take too long.

    Args:
        suite: The suite.
        ability: The ability.
        sample: Records of the answers.
        semantics: The semantics.
    """
    # Several answers in several ways: a hint may not take longer than the run.
    limited = semantics._replace(budget=semantics.budget / _BUDGET_SHARES)
    results: list[Result | None] = []
    for record in sample:
        try:
            task = suite.task(record.task)
            results.append(suite.evaluate(ability, task, record.output, limited))
        except BeyondBudgetError:  # noqa: PERF203 - each answer has a budget of its own
            results.append(None)
    return results


def _hint_on_ability(report: Report, suite: Suite, other: str) -> str:
    """Return a hint that answers are for another ability."""
    command = f"eai evaluate {suite.name} FILES --ability {other}"
    return (
        f"no answer is right as answers to {report.setting.ability}, but they can be read as "
        f"answers to {other}: ability={other!r} ({command}) evaluates them so"
    )


def _why_unreadable(report: Report, sample: Sequence[Record], suite: Suite) -> str:
    """Return that answers could not be read, and the likeliest reason if one is found."""
    advice = _advice_on_quirk(report, sample, suite) or _question_about_ability(report, suite)
    return f"could not be read as answers to {report.setting.ability}{advice}"


def _other_ability(report: Report, sample: Sequence[Record], suite: Suite) -> str:
    """Return the ability that the answers seem to be for, or "".

    Args:
        report: The report.
        sample: Records of answers, all of them wrong in the ability of the report.
        suite: The suite.
    """
    ability = report.setting.ability
    # The actions of an episode are a plan, too: none of these would explain why all are wrong.
    similar_abilities = {ability, PLANS, INTERACTION, RECORDED}
    candidates = [name for name in suite.abilities if name not in similar_abilities]
    # Plans can often be read as subgoals as well. Where answers are right as what they were
    # evaluated as, only a quirk is in the way.
    if candidates and _rightness(suite, ability, sample) == (0, 0):
        rightness = {name: _rightness(suite, name, sample) for name in candidates}
        best = max(candidates, key=rightness.__getitem__)
        if rightness[best] != (0, 0):
            return best
    if ability in (PLANS, INTERACTION) or PLANS not in suite.abilities:
        return ""
    if _are_plans(suite, sample):
        return PLANS
    return ""


def _rightness(suite: Suite, ability: str, sample: Sequence[Record]) -> tuple[int, int]:
    """Return how many answers solve their tasks in an ability, and how many are partly right.

    If fewer than half are partly right, both numbers are 0.
    """
    # Strictly, as a quirk of the published evaluator may keep answers from being read.
    results = _evaluate_again(suite, ability, sample, suite.semantics("strict"))
    evaluated = [result for result in results if result is not None]
    number_partly_right = sum(map(_is_partly_right, evaluated))
    if number_partly_right < max(_MIN_UNREADABLE, len(sample) / 2):
        return 0, 0
    number_solved = sum(result.success for result in evaluated)
    return number_solved, number_partly_right


def _are_plans(suite: Suite, sample: Sequence[Record]) -> bool:
    """Return whether nearly all answers can be read as plans of known actions.

    The plans may all be wrong.
    """
    unknown_action = {ErrorKind.PARSING, ErrorKind.ACTION_HALLUCINATION}
    number_of_plans = 0
    for result in _evaluate_again(suite, PLANS, sample, suite.semantics("strict")):
        if result is None:
            continue
        if unknown_action.isdisjoint(finding.kind for finding in result.findings):
            number_of_plans += 1
    return number_of_plans >= max(_MIN_UNREADABLE, _NEARLY_ALL * len(sample))


def _question_about_ability(report: Report, suite: Suite) -> str:
    """Return the question whether unreadable answers are for another ability, or ""."""
    excluded = (report.setting.ability, INTERACTION, RECORDED)
    candidates = [name for name in suite.abilities if name not in excluded]
    if not candidates:
        return ""
    return f": are they answers to another ability ({', '.join(candidates)})?"


_MAX_PROBED = 5
"""Maximum number of answers of a model from which its format is told."""


def formats_of(
    suite: Suite, ability: str, semantics: Semantics, predictions: Iterable[Predictions]
) -> dict[str, list[str]]:
    """Return the published formats that would read otherwise unreadable answers.

    Args:
        suite: The suite.
        ability: Which ability the answers are about.
        semantics: Under which semantics they shall be evaluated.
        predictions: The answers of each model.

    Returns:
        Name of a format to the models whose first answers have it.
    """
    models_by_format: dict[str, list[str]] = {}
    for name, abilities in answer_formats(suite).items():
        disabled = semantics.quirks.intersection(abilities.get(ability, ()))
        if not disabled:
            continue
        without_quirks = semantics._replace(quirks=semantics.quirks - disabled)
        for model_predictions in predictions:
            unread = _first_unread(suite, ability, semantics, model_predictions)
            number_readable = 0
            for task, text in unread:
                result = suite.evaluate(ability, task, text, without_quirks)
                if not result.number_of(ErrorKind.PARSING):
                    number_readable += 1
            # More than half are readable without the quirks. The others may be broken in any case.
            if 2 * number_readable > len(unread):
                models_by_format.setdefault(name, []).append(model_predictions.model)
    return models_by_format


def _first_unread(
    suite: Suite, ability: str, semantics: Semantics, predictions: Predictions
) -> list[tuple[Task, str]]:
    """Return a model's first answers with their tasks if all are unreadable, or an empty list.

    If one can be read, then the model's answers have the format of today.
    """
    tasks = frozenset(suite.task_ids())
    unread: list[tuple[Task, str]] = []
    number_evaluated = 0
    for raw_id, text in predictions.items.items():
        task_id = suite.canonical_id(raw_id)
        if task_id not in tasks:
            continue
        # Before the run: this may take no longer than a moment.
        if number_evaluated == _MAX_PROBED:
            break
        number_evaluated += 1
        task = suite.task(task_id)
        result = suite.evaluate(ability, task, text, semantics)
        if result.status != "evaluated":
            continue
        if not result.number_of(ErrorKind.PARSING):
            return []
        unread.append((task, text))
    return unread


def _advice_on_quirk(report: Report, sample: Sequence[Record], suite: Suite) -> str:
    """Return which quirk makes answers unreadable, and the option to disable it, or "".

    A quirk is a documented behaviour of the published evaluator that can be switched off.

    Args:
        report: The report.
        sample: Records of some of the answers.
        suite: The suite.
    """
    setting = report.setting
    semantics = Semantics.spelled(setting.semantics, suite.quirks, version=suite.official_version)
    # Answers of a format that was published are of that format, whatever else would read them.
    format_of_quirk: dict[str, str] = {}
    for name, abilities in answer_formats(suite).items():
        for disabled_quirk in abilities.get(setting.ability, ()):
            format_of_quirk.setdefault(disabled_quirk, name)
    quirk = _find_hindering_quirk(report, sample, suite, semantics, format_of_quirk)
    if quirk is None:
        return ""
    # The name is spelled "official -first -second": the quirks that are off already.
    semantics_name, *changes = semantics.name.split(" ")
    if semantics_name == "strict":
        return f"; without the quirk {quirk} they can be read: leave --with-quirk {quirk} out"
    if quirk in format_of_quirk:
        published = format_of_quirk[quirk]
        option = f"--answers {published} (in Python answers={published!r})"
        return (
            f", as published; they have the format of {published}: the same command with {option} "
            f"reads them; --ability {setting.ability} --force replaces this part of a run that is "
            "written"
        )
    # "-first" -> "first"; what begins with "+" was switched on
    disabled = [change[1:] for change in changes if change.startswith("-")]
    disabled.append(quirk)
    options = " ".join(f"--without-quirk {name}" for name in disabled)
    value: str | list[str] = disabled
    if len(disabled) == 1:
        value = quirk
    return (
        f", as published; without the quirk {quirk} they can be read: the same command with "
        f"{options} (in Python without={value!r})"
    )


def _find_hindering_quirk(
    report: Report,
    sample: Sequence[Record],
    suite: Suite,
    semantics: Semantics,
    preferred: Collection[str],
) -> str | None:
    """Return a quirk without which nearly all answers are readable, or None.

    Args:
        report: The report.
        sample: Records of some of the answers.
        suite: The suite.
        semantics: The semantics under which they could not be read.
        preferred: Quirks that are named rather than others.
    """
    ability = report.setting.ability
    results_without: dict[str, list[Result | None]] = {}
    for quirk in sorted(semantics.quirks):
        # Only a quirk of the reader (or one that names no hook) can keep an answer from being read.
        if suite.quirks[quirk].hook not in ("", "reading", "names"):
            continue
        results = _evaluate_again(suite, ability, sample, semantics.less(quirk))
        if _are_mostly_readable(results):
            results_without[quirk] = results
    if not results_without:
        return None

    def count_redundant_quirks(quirk: str) -> int:
        """Return how many other quirks make no difference any more without a quirk."""
        count = 0
        for other_quirk in results_without:
            if other_quirk == quirk:
                continue
            both_off = semantics.less(quirk, other_quirk)
            results = _evaluate_again(suite, ability, sample, both_off)
            if results == results_without[quirk]:
                count += 1
        return count

    def priority(quirk: str) -> tuple[bool, int, str]:
        # The narrowest quirk is named: with it off, the others still matter.
        return quirk not in preferred, count_redundant_quirks(quirk), quirk

    return min(results_without, key=priority)


def _are_mostly_readable(results: Sequence[Result | None]) -> bool:
    """Return whether nearly all answers were read, at least one of them cleanly."""
    number_read = 0
    has_well_formed = False
    for result in results:
        if result is None:
            continue
        if not result.number_of(ErrorKind.PARSING):
            number_read += 1
        if not any(finding.kind in GRAMMAR for finding in result.findings):
            has_well_formed = True
    return has_well_formed and number_read >= _NEARLY_ALL * len(results)
