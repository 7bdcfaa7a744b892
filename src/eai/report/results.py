"""The results behind a report: the records of a run, their counts and metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from eai.contract import SUM_LEFT_OUT, Suite, version_of
from eai.contract.registry import suite as find_suite, suites
from eai.diagnosis import PATH_GOAL
from eai.errors import EaiError, InputError, UnknownNameError, reported
from eai.report.aggregate import Tally, tally
from eai.report.intervals import intervals
from eai.report.metrics import View, view_of
from eai.report.record import Record, Records
from eai.report.records import WARNINGS, RecordFile
from eai.report.scoring import Metric, PassAt, PathGoal, RulesKept, SafeSuccess, Score
from eai.report.usage import UsageSums
from eai.semantics import worded
from eai.text import counted
from eai.version import __version__

if TYPE_CHECKING:
    from eai.report.sides import Side


class Setting(NamedTuple):
    """The suite, version, ability and semantics that all records of a report share.

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
    """The records of one or more models on one suite, with their counts and metrics.

    :class:`eai.report.report.Report` adds tables, files and comparisons.
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
        """Check that the records belong together; everything else is computed at need."""
        all_records = _checked_records(records)
        self.records: Sequence[Record] = all_records
        self.notes = tuple(notes)
        if isinstance(records, RecordFile) and records.warning:
            self.notes = (records.warning, *self.notes)
        self.package_version = __version__ if package_version is None else package_version
        self.setting = _common_setting(all_records, setting)
        self._records_by_model = _group_by_model(all_records)
        self._given_view = view
        self._own_metrics = tuple(metrics)
        # Computed when they are asked for, once for each model.
        self._intervals: dict[str, dict[str, tuple[float, float]]] = {}
        self._metrics: dict[str, list[Score]] = {}
        self._sorted_notes: tuple[tuple[str, ...], Mapping[str, Sequence[int]]] | None = None
        self._latex: dict[tuple[bool, tuple[str, ...]], str] = {}

    @property
    def warnings(self) -> tuple[str, ...]:
        """Notes which say that records are missing or were changed since the run was written."""
        return tuple(note for note in self.notes if self.about(note)[1].startswith(WARNINGS))

    @cached_property
    def models(self) -> tuple[str, ...]:
        """Names of the models, in the order of their first records."""
        return tuple(self._records_by_model)

    @cached_property
    def view(self) -> View:
        """The metrics and tables of the suite or ability, with additional ones of the report."""
        view = self._given_view or view_of(self.setting.ability, self.setting.suite)
        # By key, so that a metric of the user's own takes the place of ours.
        metrics: dict[str, Metric] = {}
        sample_counts = set(map(self.samples, self.models)) - {1}
        if sample_counts:
            # pass@k needs k samples of every task: the model with the fewest decides.
            k = min(sample_counts)
            metrics.update({"pass@1": PassAt(1), f"pass@{k}": PassAt(k)})
        tallies = list(map(self.tally, self.models))
        if any(PATH_GOAL in counts.measured for counts in tallies):
            metrics[PathGoal.key] = PathGoal()
        if any(counts.rules for counts in tallies):
            metrics[RulesKept.key] = RulesKept()
            metrics[SafeSuccess.key] = SafeSuccess()
        metrics.update({metric.key: metric for metric in self._own_metrics})
        # A suite's own view may have one of these already, in its own place.
        for metric in view.own:
            metrics.pop(metric.key, None)
        return view.with_metrics(metrics.values())

    @cached_property
    def suite_at_hand(self) -> Suite | None:
        """The suite of the report, or None if it is not available in the same version.

        A table by a property of the tasks asks it for them: records hold what was answered only.
        """
        name = self.setting.suite
        # Records may come from anywhere, so their values must not decide what is imported.
        try:
            if not name or not suites().announces(name):
                return None
            suite = find_suite(name)
        except EaiError:
            return None
        if version_of(suite, self.setting.ability) != self.setting.version:
            return None
        return suite

    def of(self, model: str) -> Sequence[Record]:
        """Return the records of one model.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return Records(self._records_by_model[self._checked_model(model)].values())

    def samples(self, model: str) -> int:
        """Return how many answers a model has for each task (the minimum if they differ).

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return self._sample_counts[self._checked_model(model)]

    @cached_property
    def _sample_counts(self) -> dict[str, int]:
        """Number of answers of each model to each task (the minimum if they differ)."""
        counts = {}
        for model, records in self._records_by_model.items():
            by_task = Counter(task for task, _ in records)
            counts[model] = min(by_task.values(), default=1)
        return counts

    def _checked_model(self, model: str) -> str:
        """Return the name of a model of this report; refuse any other."""
        if not isinstance(model, str) or model not in self.models:
            raise UnknownNameError("model", model, self.models, where="report")
        return model

    @cached_property
    def sides(self) -> Mapping[str, Side]:
        """The models, by name, with what each task adds to each metric."""
        return self.sides_for(self.view)

    def sides_for(self, view: View) -> Mapping[str, Side]:
        """Return the models, by name, with what each task adds to each metric of a view."""
        from eai.report.sides import sides_of

        return sides_of(view, self.by_task())

    def by_task(self) -> Iterable[Sequence[Record]]:
        """Return the records grouped by model and task."""
        samples: dict[tuple[str, str], list[Record]] = {}
        for record in self.records:
            samples.setdefault((record.model, record.task), []).append(record)
        return samples.values()

    def usage(self, model: str) -> UsageSums:
        """Return the sums of the tokens, and perhaps of the costs, that a model's answers state.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return self._usages[self._checked_model(model)]

    @cached_property
    def _usages(self) -> Mapping[str, UsageSums]:
        """Usage of each model."""
        return {model: UsageSums(self.of(model)) for model in self.models}

    @cached_property
    def _tallies(self) -> dict[str, Tally]:
        """Counts of each model."""
        tallies = {}
        for model, records in self._records_by_model.items():
            tallies[model] = tally(record.result for record in records.values())
        return tallies

    def tally(self, model: str) -> Tally:
        """Return the counts of one model.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return self._tallies[self._checked_model(model)]

    def metrics(self, model: str) -> list[Score]:
        """Return the metrics of one model, each with its denominator.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        name = self._checked_model(model)
        if name not in self._metrics:
            self._metrics[name] = self._computed_metrics(name)
        return [*self._metrics[name]]

    def _computed_metrics(self, model: str) -> list[Score]:
        """Compute the metrics of one model; every table asks for them."""
        # Only metrics of a suite's or a user's own look at records; the others are made of counts.
        records: Sequence[Record] = ()
        if self.view.own:
            records = self.of(model)
        scores = self.view.scores(records, self.tally(model))
        if self.samples(model) == 1:
            return scores
        # Answers to one task depend on each other, so these rates have intervals by resampling.
        bounds = self._bounds_of(model)
        for index, score in enumerate(scores):
            if score.unit == "tasks":
                scores[index] = score._replace(unit="samples", bounds=bounds.get(score.key))
        return scores

    def _bounds_of(self, model: str) -> dict[str, tuple[float, float]]:
        """Return the interval bounds of a model's metrics by key, computed once."""
        if model not in self._intervals:
            bounds = {}
            for key, interval in intervals(self.view, self.of(model)).items():
                bounds[key] = (interval.low, interval.high)
            self._intervals[model] = bounds
        return self._intervals[model]

    @cached_property
    def _names(self) -> frozenset[str]:
        """Names of the models, to look up."""
        return frozenset(self.models)

    def about(self, note: str) -> tuple[str, str]:
        """Return the model that a note is about ("" for all), and the note's text."""
        # Names may contain colons, so the search takes the longest name that the note begins with.
        name_end = note.rfind(": ")
        while name_end > 0:
            if note[:name_end] in self._names:
                return note[:name_end], note[name_end + 2 :]
            name_end = note.rfind(": ", 0, name_end)
        return "", note

    def notes_of(self, model: str) -> list[str]:
        """Return the notes that are about a model, or about all of them."""
        positions = self._positions_of_notes(tuple(self.notes))
        # In the order of the report, notes on all models between those on this one.
        about_model = [*positions.get("", ()), *positions.get(model, ())]
        return [self.notes[index] for index in sorted(about_model)]

    def _positions_of_notes(self, notes: tuple[str, ...]) -> Mapping[str, Sequence[int]]:
        """Return where the notes about each model stand, and those about all under "".

        They are remembered for the same notes: a table asks for each of its models.
        """
        if self._sorted_notes is None or self._sorted_notes[0] != notes:
            positions: dict[str, list[int]] = {}
            for index, note in enumerate(notes):
                # The sum of what several models have is no fact about one of them.
                is_sum = len(self.models) > 1 and note.startswith(SUM_LEFT_OUT)
                if not is_sum:
                    positions.setdefault(self.about(note)[0], []).append(index)
            self._sorted_notes = notes, positions
        return self._sorted_notes[1]

    def remembered_latex(self, make: Callable[[], str], *, wide: bool) -> str:
        """Return the tables as LaTeX, which are made once for the same notes.

        A run writes them to a file, and its page holds them, too.

        Args:
            make: Makes them.
            wide: Whether they span both columns of the page.
        """
        key = wide, tuple(self.notes)
        if key not in self._latex:
            self._latex = {key: make()}
        return self._latex[key]

    def official_summary(self, model: str) -> dict[str, dict[str, object]]:
        """Return a model's metrics as the published evaluator nests and rounds them.

        Where the published evaluator would divide by zero, the value is None.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        return self.view.summary(self.tally(model))

    def failures(self, model: str | None = None, *, missing: bool = True) -> Records:
        """Return the records of unsolved tasks, those with an answer first.

        A task without an answer is a failure, too; an excluded one is not. The page of a report
        lists the two kinds of failures as "failed" and "missing".

        Args:
            model: One model; all of them if None.
            missing: Whether tasks without an answer are among them, behind all others.

        Raises:
            UnknownNameError: If the report has no such model.
        """
        records = self.records if model is None else self.of(model)
        answered: list[Record] = []
        unanswered: list[Record] = []
        for record in records:
            if record.result.success:
                continue
            # An excluded task is in neither list.
            if record.result.status == "evaluated":
                answered.append(record)
            elif record.result.status == "missing" and missing:
                unanswered.append(record)
        return Records(answered + unanswered)

    def __repr__(self) -> str:
        models = counted(len(self.models), "model")
        return f"<Report: {len(self.records)} records of {models}, {self.setting}>"


def require_results(value: object) -> None:
    """Refuse a value that is not a report.

    Raises:
        InputError: If the value is anything else.
    """
    if not isinstance(value, Results):
        raise InputError(
            f"{reported(value)} is not a report",
            expected="what eai.evaluate returns",
            mend="for a run, eai.Report(eai.read_records(path)) makes one",
        )


def _checked_records(records: Iterable[Record]) -> Records:
    """Return the records after checking that they are a sequence of records.

    Raises:
        InputError: If one of them is not a record.
    """
    # A text is iterable, too, but an error about its first letter would help nobody.
    if isinstance(records, str) or not isinstance(records, Iterable):
        records = (records,)
    all_records = Records(records)
    for record in all_records:
        if not isinstance(record, Record):
            raise InputError(
                f"{reported(record)} is not a record",
                where="report",
                expected="records: evaluated answers, as eai.read_records(path) reads them",
                mend="eai.evaluate(suite, answers) evaluates answers and returns a report",
            )
    return all_records


def _common_setting(records: Records, default: Setting | None) -> Setting:
    """Return the setting that all records share.

    Args:
        records: The records.
        default: The setting of a report without records; records must not have another one.

    Raises:
        InputError: If there are several.
    """
    settings: dict[Setting, None] = {}
    if default:
        settings[default] = None
    # Settings are made of the distinct fields only: a million records have one setting.
    for fields in dict.fromkeys(map(attrgetter(*Setting._fields), records)):
        settings[Setting._make(fields)] = None
    if len(settings) > 1:
        first, second, *_ = settings
        raise InputError(
            "a report cannot mix records of different runs",
            where="report",
            expected=f"one setting: {first} (also found: {second})",
            mend="make one report for each",
        )
    return next(iter(settings), Setting())


def _group_by_model(records: tuple[Record, ...]) -> dict[str, dict[tuple[str, int], Record]]:
    """Return the records of each model by (task, sample number).

    Raises:
        InputError: If a model has two records of one sample.
    """
    records_by_model: dict[str, dict[tuple[str, int], Record]] = {}
    for record in records:
        model_records = records_by_model.setdefault(record.model, {})
        # Counted twice, one task would weigh more than the others.
        if (record.task, record.epoch) in model_records:
            raise InputError(
                f"the model {record.model!r} has two records of the task {record.task!r}",
                where="report",
                expected="one record for each task, or samples with numbers (epoch)",
                mend="remove one of them, or give the runs different model names",
            )
        model_records[record.task, record.epoch] = record
    return records_by_model
