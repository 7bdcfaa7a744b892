"""Which tasks a run is about, which answers belong to them, and what is said of the others."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from eai.budget import BeyondBudgetError, Budget
from eai.contract import INTERACTION, PLANS, RECORDED, answer_formats, extension
from eai.diagnosis import GRAMMAR, ErrorKind, Result
from eai.errors import InputError, UnknownNameError, nearest
from eai.files import holds_run
from eai.predictions import EXAMPLE, Predictions
from eai.runs.left_out import examples_of, left_out_notes, listed_ids, problem_notes
from eai.semantics import Semantics
from eai.table import UNREAD
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
            else f"{names[0]!r:.60} is not an identifier of a task",
            where="tasks",
            expected="'all', 'answered', or identifiers of tasks",
            mend="list them: eai.suite(...).task_ids()",
        )
    wanted = frozenset(map(suite.canonical_id, names))
    for name in sorted(wanted.difference(known)):
        raise UnknownNameError("task", name, known, where=f"suite {suite.name}")
    tasks_word = "task" if len(wanted) == 1 else "tasks"
    found = [task for task in known if task in wanted]
    return Choice(found, f"{len(wanted)} chosen {tasks_word}")


def knows_task(suite: Suite) -> Callable[[str], bool]:
    """Return whether a text is an identifier of a task of a suite, in any of its spellings."""
    known = frozenset(suite.task_ids())
    return lambda name: suite.canonical_id(name) in known


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
        former: See :class:`eai.contract.suite.Ability`.
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
        from eai.answers import read_plan, shorten

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
    notes = [*left_out_notes(predictions, fits), *problem_notes(predictions)]
    for of_model, found in zip(predictions, fits, strict=True):
        about = (
            (found.second, "left out: their tasks have an answer already"),
            (found.former, "read as answers to the tasks that replaced theirs"),
            (of_model.cut_off, "cut off: the model had no tokens left (finish_reason: length)"),
        )
        notes += [f"{of_model.model}: {listed_ids(ids)} {what}" for ids, what in about if ids]
        if found.strange:
            meant = f"; {_meant(found.strange, suite.task_ids())}".rstrip("; ")
            strange = f"{listed_ids(found.strange)} left out: no such task{meant}"
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
        mend = f"this is a single prediction; its keys are called: {EXAMPLE}"
    elif paths:
        mend = f"there is no file {paths[0]!r}; give each model the path of an existing file"
    elif id_paths := [path for of in predictions if of.reading for path in of.reading.id_paths]:
        mend = f"--id-field {id_paths[0]} (in Python id={id_paths[0]!r}): it names tasks"
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
        expected=f"identifiers such as {', '.join(known[:5])}; found: {examples_of(given)}",
        mend=mend,
    )


def _meant(strange: Collection[str], known: Sequence[str]) -> str:
    """What may be meant by identifiers of no task, if that is found soon."""
    if len(known) > _MOST_KNOWN:
        return ""
    close = (nearest(name[:_LONGEST], known, most=1) for name in islice(strange, _FEW))
    found = dict.fromkeys(name for names in close for name in names)
    return f"did you mean {' or '.join(map(repr, found))}? " if found else ""


_FEWEST = 3
"""So many answers have to be unreadable before that is more than a slip."""

_NEARLY_ALL = 0.9

_LOOKED_AT = 10
"""So many answers of a model are evaluated in other ways."""
_SHARES = 20
"""What is looked at again may use so small a part of the budget of an answer."""

_UNANSWERED = "more than half of the tasks have no answer and count as failed"
_COMMON = "; report.compare(answered=True) compares models over the tasks that both answered"


def add_hints(report: Report, suite: Suite, *, answered: bool) -> None:
    """Say of models that they have few answers, or answers that cannot be read.

    The hints stand before the other notes of the report. Models with the same hint share it, but
    each has a note of its own, which stands in its row of the tables and in no other.
    """
    hints: list[str] = []
    notes: list[str] = []
    alike: dict[str, list[tuple[str, int, int]]] = {}
    for model in report.models:
        counts = report.tally(model)
        there, unread = counts.tasks - counts.missing, counts.affected.get("parsing", 0)
        if 2 * counts.missing > counts.tasks:
            left_out = "--tasks answered (in Python tasks='answered')"
            less = f"; {left_out} leaves out those that no model answered"
            if extension("eai.published", suite) is not None:
                less = f", as published{less}"
            hints.append(f"{model}: {_UNANSWERED}{_COMMON if answered else less}")
        if counts.unread:
            notes.append(f"{model}: {_left_out(report, model, suite)}")
        nobody = f"as answers to {report.setting.ability}"
        tried = (record for record in report.of(model) if record.result.status == "evaluated")
        some = [] if there < _FEWEST else list(islice(tried, _LOOKED_AT))
        right = there < _FEWEST or any(_right(record.result) for record in some)
        other = "" if right else _other_ability(report, some, suite)
        if other:
            command = f"eai evaluate {suite.name} FILES --ability {other}"
            hints.append(
                f"{model}: no answer is right {nobody}, but they can be read as answers to "
                f"{other}: "
                f"ability={other!r} ({command}) evaluates them so"
            )
        elif unread >= max(_FEWEST, _NEARLY_ALL * there) and not right:
            way = _without_quirk(report, some, suite) or _as_other_ability(report, suite)
            alike.setdefault(f"could not be read {nobody}{way}", []).append((model, unread, there))
    hints += notes
    notes = hints[:]
    for what, models in alike.items():
        names = [model for model, _, _ in models]
        notes += [f"{model}: {unread} of {there} answers {what}" for model, unread, there in models]
        named = (
            f"{', '.join(names[:3])} and {len(names) - 3} more" if names[3:] else ", ".join(names)
        )
        unread, there = (sum(numbers) for numbers in list(zip(*models, strict=True))[1:])
        hints.append(f"{named}: {unread} of {there} answers {what}")
    report.hints = tuple(hints)
    report.hint_notes = tuple(notes)
    report.notes = tuple(dict.fromkeys((*notes, *report.notes)))


def _left_out(report: Report, model: str, suite: Suite) -> str:
    """Say of a model how many answers were read, and how those that were not can be."""
    counts = report.tally(model)
    skipped = (record for record in report.of(model) if record.result.status == "excluded")
    unread = (record for record in skipped if record.result.number_of(ErrorKind.PARSING))
    some = list(islice(unread, _LOOKED_AT))
    return (
        f"read {counts.read} of {counts.read + counts.unread} answers ({UNREAD}): "
        "the others are left out, no "
        f"rate counts them{_without_quirk(report, some, suite)}"
    )


def _right(result: Result) -> bool:
    """Whether anything in an answer is right."""
    met, matched = (goal.met for goal in result.goals), (match.tp for match in result.matches)
    return result.success or any(met) or any(matched)


def _looked_at(
    suite: Suite, ability: str, record: Record, semantics: Semantics, share: Budget
) -> Result | None:
    """An answer evaluated again, if a small share of the budget is enough for that."""
    try:
        return suite.evaluate(
            ability, suite.task(record.task), record.output, replace(semantics, budget=share)
        )
    except BeyondBudgetError:
        return None


def _other_ability(report: Report, some: Sequence[Record], suite: Suite) -> str:
    """The ability to which answers are, of which none is right as they are evaluated, if any."""
    strict = suite.semantics("strict")

    def read_as(ability: str) -> list[Result]:
        share = strict.budget / _SHARES
        seen = (_looked_at(suite, ability, record, strict, share) for record in some)
        return list(filter(None, seen))

    # The actions of an episode are a plan, too.
    alike = {report.setting.ability, PLANS, INTERACTION, RECORDED}
    for ability in (name for name in suite.abilities if name not in alike):
        if sum(map(_right, read_as(ability))) >= max(_FEWEST, len(some) / 2):
            return ability
    if report.setting.ability in (PLANS, INTERACTION) or PLANS not in suite.abilities:
        return ""
    # Of plans it is enough that their actions are known: they may all be wrong.
    unknown = {ErrorKind.PARSING, ErrorKind.ACTION_HALLUCINATION}
    found = read_as(PLANS)
    plans = [r for r in found if unknown.isdisjoint(finding.kind for finding in r.findings)]
    return PLANS if len(plans) >= max(_FEWEST, _NEARLY_ALL * len(some)) else ""


def _as_other_ability(report: Report, suite: Suite) -> str:
    """Ask whether answers that nothing reads are answers to another ability."""
    acted = (report.setting.ability, INTERACTION, RECORDED)
    others = [name for name in suite.abilities if name not in acted]
    return f": are they answers to another ability ({', '.join(others)})?" if others else ""


_PROBED = 5
"""So many answers of a model say which format it has."""


def formats_of(
    suite: Suite, ability: str, semantics: Semantics, predictions: Iterable[Predictions]
) -> dict[str, list[str]]:
    """Find the published formats of answers that cannot be read as they are.

    Args:
        suite: The suite.
        ability: Which ability the answers are about.
        semantics: Under which semantics they shall be evaluated.
        predictions: The answers of each model.

    Returns:
        Name of a format to the models whose first answers have it.
    """
    found: dict[str, list[str]] = {}
    tasks = frozenset(suite.task_ids())
    for name, abilities in answer_formats(suite).items():
        off = semantics.quirks.intersection(abilities.get(ability, ()))
        if not off:
            continue
        changed = replace(semantics, quirks=semantics.quirks - off)
        for of_model in predictions:
            answers = ((suite.canonical_id(raw), text) for raw, text in of_model.items.items())
            some = islice((each for each in answers if each[0] in tasks), _PROBED)
            given = [(suite.task(task), text) for task, text in some]
            before = [suite.evaluate(ability, task, text, semantics) for task, text in given]
            known = [place for place, result in enumerate(before) if result.status == "evaluated"]
            if not known or not all(before[place].number_of(ErrorKind.PARSING) for place in known):
                continue
            # Only what cannot be read as it is is worth a second reading.
            after = [suite.evaluate(ability, task, text, changed) for task, text in given]
            still_unread = sum(after[place].number_of(ErrorKind.PARSING) > 0 for place in known)
            if 2 * still_unread < len(known):
                found.setdefault(name, []).append(of_model.model)
    return found


def _without_quirk(report: Report, some: Sequence[Record], suite: Suite) -> str:
    """Say which quirk keeps answers from being read, if one does and can be switched off.

    Of several the narrowest one is named: with it off, others still matter. It is empty if there
    is none.
    """
    setting = report.setting
    meaning = Semantics.spelled(setting.semantics, suite.quirks, version=suite.official_version)

    def without(*off: str) -> list[Result | None]:
        changed, share = meaning.quirks.difference(off), meaning.budget / _SHARES
        less = replace(meaning, quirks=changed)
        return [_looked_at(suite, setting.ability, record, less, share) for record in some]

    found = {}
    for quirk in sorted(meaning.quirks):
        if suite.quirks[quirk].hook not in ("", "reading", "names"):
            continue
        results = without(quirk)
        seen = list(filter(None, results))
        read = sum(not result.number_of(ErrorKind.PARSING) for result in seen)
        whole = sum(not any(f.kind in GRAMMAR for f in result.findings) for result in seen)
        if read >= _NEARLY_ALL * len(some) and whole:
            found[quirk] = results
    if not found:
        return ""
    wide = {
        quirk: sum(without(quirk, other) == results for other in found if other != quirk)
        for quirk, results in found.items()
    }
    # Answers of a format that was published are of that format, whatever else would read them.
    of_formats = {
        quirk
        for abilities in answer_formats(suite).values()
        for quirk in abilities.get(setting.ability, ())
    }
    quirk = min(sorted(found), key=lambda name: (name not in of_formats, wide[name]))
    choice, *changes = meaning.name.split(" ")
    if choice == "strict":
        return f"; without the quirk {quirk} they can be read: leave --with-quirk {quirk} out"
    formats = [
        name
        for name, abilities in answer_formats(suite).items()
        if quirk in abilities.get(setting.ability, ())
    ]
    if formats:
        way = f"--answers {formats[0]} (in Python answers={formats[0]!r})"
        return (
            f", as published; they have the format of {formats[0]}: the same command with {way} "
            f"reads them; --ability {setting.ability} --force replaces this part of a run that is "
            "written"
        )
    off = [*(change[1:] for change in changes if change.startswith("-")), quirk]
    options = " ".join(f"--without-quirk {name}" for name in off)
    way = f"{options} (in Python without={(quirk if len(off) == 1 else off)!r})"
    return (
        f", as published; without the quirk {quirk} they can be read: the same command with {way}"
    )
