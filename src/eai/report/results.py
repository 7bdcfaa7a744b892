"""What a report is about: the records of a run, and what they add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from eai.diagnosis import PATH_GOAL
from eai.errors import InputError, UnknownNameError, reported
from eai.report.aggregate import Tally, tally
from eai.report.metric import Metric, PassAt, PathGoal, RulesKept, Score
from eai.report.metrics import View, view_of
from eai.report.record import Record, Records
from eai.report.records import WARNINGS, RecordFile
from eai.semantics import worded
from eai.version import __version__

if TYPE_CHECKING:
    from eai.report.intervals import Side


class Setting(NamedTuple):
    """What all records of a report have in common.

    Args:
        version: Version of the suite's tasks.
    """

    suite: str = ""
    version: str = ""
    ability: str = ""
    semantics: str = ""

    def __str__(self) -> str:
        suite = f"{self.suite} {self.version}".strip()
        return f"suite {suite}, ability {self.ability}, semantics {worded(self.semantics)}"


class Results:
    """Records of one or more models on one suite, their counts and metrics.

    :class:`eai.report.report.Report` adds the ways to look at them.
    """

    hints: tuple[str, ...] = ()
    hint_notes: tuple[str, ...] = ()
    evaluated_now = 0

    def __init__(
        self,
        records: Iterable[Record],
        notes: Iterable[str] = (),
        *,
        package_version: str | None = None,
        setting: Setting | None = None,
        view: View | None = None,
        metrics: Iterable[Metric] = (),
    ) -> None:
        listed = Records(records if isinstance(records, Iterable) else (records,))
        others = [each for each in listed if not isinstance(each, Record)]
        if others:
            raise InputError(
                f"{reported(records if isinstance(records, str) else others[0])} is not a record",
                where="report",
                expected="records: evaluated answers, as eai.read_records(path) reads them",
                mend="eai.evaluate(suite, answers) evaluates answers and returns a report",
            )
        self.records: Sequence[Record] = listed
        warning = records.warning if isinstance(records, RecordFile) else ""
        self.notes = (warning, *notes) if warning else tuple(notes)
        self.package_version = __version__ if package_version is None else package_version
        # the setting of all records; that of a report without records is the given one
        found = map(Setting._make, dict.fromkeys(map(attrgetter(*Setting._fields), listed)))
        settings = dict.fromkeys([*([setting] if setting else []), *found])
        if len(settings) > 1:
            first, second, *_ = settings
            raise InputError(
                "a report cannot mix records of different runs",
                where="report",
                expected=f"one setting: {first} (also found: {second})",
                mend="make one report for each",
            )
        self.setting = next(iter(settings), Setting())
        self._by_model = _by_model(listed)
        self._given_view = view
        self._own_metrics = tuple(metrics)
        self._intervals: dict[str, dict[str, tuple[float, float]]] = {}

    @property
    def warnings(self) -> tuple[str, ...]:
        """Notes which say that records are missing or were changed since the run was written."""
        return tuple([note for note in self.notes if note.startswith(WARNINGS)])

    @cached_property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in the order of their first records."""
        return tuple(self._by_model)

    @cached_property
    def view(self) -> View:
        """Which metrics and tables there are: those that the suite brings, or the usual ones."""
        known = self._given_view or view_of(self.setting.ability, self.setting.suite)
        own = {metric.key: metric for metric in self._own_metrics}
        most = min(filter(lambda n: n > 1, map(self.samples, self.models)), default=1)
        more: list[Metric] = [PassAt(1), PassAt(most)] if most > 1 else []
        if any(PATH_GOAL in self.tally(model).measured for model in self.models):
            more.append(PathGoal())
        if any(self.tally(model).rules for model in self.models):
            more.append(RulesKept())
        known_keys = {metric.key for metric in known.own}
        wanted = {**{metric.key: metric for metric in more}, **own}
        return known.with_metrics(wanted[key] for key in wanted if key not in known_keys)

    def of(self, model: str) -> Sequence[Record]:
        """Return the records of one model.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return Records(self._by_model[self._known(model)].values())

    def samples(self, model: str) -> int:
        """Return how many answers of a model there are to each task; of few, the least number.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return self._sample_counts[self._known(model)]

    @cached_property
    def _sample_counts(self) -> dict[str, int]:
        return {
            model: min(Counter(task for task, _ in of).values(), default=1)
            for model, of in self._by_model.items()
        }

    def _known(self, model: str) -> str:
        if not isinstance(model, str) or model not in self.models:
            raise UnknownNameError("model", model, self.models, where="report")
        return model

    @cached_property
    def sides(self) -> Mapping[str, Side]:
        """The models as they are compared: what each task adds to each metric."""
        return self.sides_for(self.view)

    def sides_for(self, view: View) -> Mapping[str, Side]:
        """Return the models as they are compared in the metrics of a view, by name."""
        from eai.report.intervals import sides_of  # takes numpy

        return sides_of(view, self._by_task())

    def _by_task(self) -> Iterable[Sequence[Record]]:
        """The records, those of one model to one task together."""
        samples: dict[tuple[str, str], list[Record]] = {}
        for record in self.records:
            samples.setdefault((record.model, record.task), []).append(record)
        return samples.values()

    @cached_property
    def _tallies(self) -> dict[str, Tally]:
        return {
            model: tally(record.result for record in records.values())
            for model, records in self._by_model.items()
        }

    def tally(self, model: str) -> Tally:
        """Return the counts of one model.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return self._tallies[self._known(model)]

    def metrics(self, model: str) -> list[Score]:
        """Return the metrics of one model, each with its denominator.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        scores = self.view.scores(self.of(model) if self.view.own else (), self.tally(model))
        if self.samples(model) == 1:
            return scores
        if model not in self._intervals:
            from eai.report.intervals import intervals  # takes numpy

            found = intervals(self.view, self.of(model))
            self._intervals[model] = {key: (each.low, each.high) for key, each in found.items()}
        bounds = self._intervals[model]
        return [
            score._replace(unit="samples", bounds=bounds.get(score.key))
            if score.unit == "tasks"
            else score
            for score in scores
        ]

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.models)

    def about(self, note: str) -> tuple[str, str]:
        """Return which model a note is about (empty: all of them), and what it says."""
        # The longest name that the note begins with: names may have colons in them.
        end = note.rfind(": ")
        while end > 0:
            if note[:end] in self._names:
                return note[:end], note[end + 2 :]
            end = note.rfind(": ", 0, end)
        return "", note

    def notes_of(self, model: str) -> list[str]:
        """Return the notes that are about a model, or about all of them."""
        return [note for note in self.notes if self.about(note)[0] in ("", model)]

    def official_summary(self, model: str) -> dict[str, dict[str, object]]:
        """Return one model's metrics as the published evaluator nests and rounds them.

        Percent; where the published evaluator would divide by zero, the value is None.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return self.view.summary(self.tally(model))

    def failures(self, model: str | None = None, *, missing: bool = True) -> Records:
        """Return the records of tasks that were not solved: those with an answer come first.

        A task without an answer is a failure, too; an excluded one is none. The page of a report
        lists the two kinds of failures as "failed" and "missing".

        Args:
            model: One model; all of them if None.
            missing: Whether tasks without an answer are among them, behind all others.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        failed: dict[str, list[Record]] = {"evaluated": [], "missing": []}
        for record in self.records if model is None else self.of(model):
            if record.result.status != "excluded" and not record.result.success:
                failed[record.result.status].append(record)
        return Records(failed["evaluated"] + (failed["missing"] if missing else []))

    def __repr__(self) -> str:
        models = "1 model" if len(self.models) == 1 else f"{len(self.models)} models"
        return f"<Report: {len(self.records)} records of {models}, {self.setting}>"


def require_results(value: object) -> None:
    """Refuse what is no report.

    Raises:
        InputError: If it is something else.
    """
    if not isinstance(value, Results):
        raise InputError(
            f"{reported(value)} is not a report",
            expected="what eai.evaluate returns",
            mend="for a run, eai.Report(eai.read_records(path)) makes one",
        )


def _by_model(records: tuple[Record, ...]) -> dict[str, dict[tuple[str, int], Record]]:
    grouped: dict[str, dict[tuple[str, int], Record]] = {}
    for record in records:
        of_model = grouped.setdefault(record.model, {})
        if (record.task, record.epoch) in of_model:
            raise InputError(
                f"the model {record.model!r} has two records of the task {record.task!r}",
                where="report",
                expected="one record for each task, or samples with numbers (epoch)",
                mend="remove one of them, or give the runs different model names",
            )
        of_model[record.task, record.epoch] = record
    return grouped
