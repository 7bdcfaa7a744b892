"""Metrics: a value for every record, and the score that the records of a model add up to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from math import comb
from typing import ClassVar, NamedTuple, Union, overload

from eai.diagnosis import PATH_GOAL
from eai.errors import InputError
from eai.report.aggregate import PARTS, Tally
from eai.report.record import Record
from eai.report.statistics import wilson
from eai.table import Measured
from eai.text import counted


class Score(NamedTuple):
    """The value of a metric for one model, as numerator and denominator.

    Args:
        group: Group of metrics (``"goal"``, ``"trajectory.grammar"``); see ``View.groups``.
        key: Key of the published evaluator (``"task_success_rate"``), unique in a view.
        label: Heading of the column in the paper's tables.
        numerator: Number of units that count.
        denominator: Number of all units; the value is undefined if it is 0.
        unit: The unit that is counted:

            - ``"tasks"``: a rate over tasks.
            - ``"samples"``: a rate over several answers to each task.
            - ``"conditions"``: goal conditions, out of all of that kind.
            - ``"occurrences"``: errors for each task; may exceed 100 %.
            - ``"matches"``: precision, recall and F1, which is ``2 tp / (2 tp + fp + fn)``.
            - ``"means"``: the mean of a ratio over tasks; numerator and denominator are in
              :data:`~eai.report.aggregate.PARTS`, and it may exceed 100 %.
            - ``"numbers"``: the mean of a number that is no share, shown as it is.
        bounds: The 95 % interval of a rate over samples, in percent, where it is known.
    """

    group: str
    key: str
    label: str
    numerator: int
    denominator: int
    unit: str
    bounds: tuple[float, float] | None = None

    @classmethod
    def mean(cls, counts: Tally, group: str, key: str, label: str) -> Score:
        """Return the mean of a measure over the tasks that have it."""
        base = PARTS * counts.measured.get(key, 0)
        return cls(group, key, label, counts.amounts.get(key, 0), base, "means")

    @property
    def is_share(self) -> bool:
        """Whether the value is shown in percent; a mean of numbers is shown as it is."""
        return self.unit != "numbers"

    @property
    def scale(self) -> float:
        """Factor of the ratio: 100 for percent, 1 for a mean of numbers."""
        if self.is_share:
            return 100.0
        return 1.0

    @property
    def heading(self) -> str:
        """The label; of a mean of numbers it says so, as other columns are percent."""
        if self.is_share:
            return self.label
        return f"{self.label} (mean)"

    @property
    def value(self) -> float | None:
        """The metric in percent (a mean of numbers as it is), or None if it is undefined."""
        if not self.denominator:
            return None
        return self.scale * self.numerator / self.denominator

    @property
    def interval(self) -> tuple[float, float] | None:
        """The Wilson 95 % interval of a rate over tasks in percent, or None.

        Wilson's interval takes trials to be independent. Samples of one task, and its goal
        conditions, depend on each other; occurrences are no proportion; and in some rates tasks
        count more than once. These are linearized (:mod:`eai.report.intervals`).
        """
        if self.unit == "samples":
            return self.bounds
        # A metric of a user's own may count a task twice: Wilson's formula would then take the root
        # of a negative number.
        if self.unit != "tasks" or not self.numerator <= self.denominator > 0:
            return None
        return wilson(self.numerator, self.denominator)

    @property
    def counts(self) -> str:
        """Numerator and denominator as text, or the number of tasks for a mean."""
        if self.unit in ("means", "numbers"):
            # Each task adds PARTS to the denominator of a mean, see `Metric._ratio`.
            tasks = self.denominator // PARTS
            return counted(tasks, "task")
        return f"{self.numerator}/{self.denominator}"

    def cell(self, counts: str | None = None, mark: str = "") -> Measured:
        """Return the metric as a cell of a table.

        Args:
            counts: Text below the value; by default numerator and denominator.
            mark: Suffix of the value.
        """
        if counts is None:
            counts = self.counts
        # Means of numbers are small (steps of a plan): one digit more tells models apart.
        digits = 1 if self.is_share else 2
        return Measured(self.value, counts, self.interval, mark, digits)

    def rounded(self, digits: int = 4) -> float | None:
        """Return the value rounded to a number of decimals, or None if it is undefined."""
        if self.value is None:
            return None
        return round(self.value, digits)


class Ratio(NamedTuple):
    """Numerator and denominator that one record adds to a metric.

    Args:
        numerator: Number of parts that count (goal conditions that are met).
        denominator: Number of all parts.
    """

    numerator: int
    denominator: int


class Metric(ABC):
    """Base class of user-defined metrics: a key, a label, and a value for each record.

    Attributes:
        key: Key, which no other metric has (``"sound_plans"``).
        label: Heading in tables.
        unit: Unit of the values: ``"tasks"`` for True and False, ``"means"`` for shares,
            ``"numbers"`` for other numbers (steps, seconds), and for ratios the name of their
            parts, for instance ``"conditions"``.
    """

    key: ClassVar[str]
    label: ClassVar[str]
    unit: ClassVar[str] = "tasks"

    @abstractmethod
    def evaluate(self, record: Record) -> bool | float | Ratio | None:
        """Return the value of a record.

        Returns:
            Whether the record is right; or a number, of which the mean is shown (of ``"means"`` in
            percent, 1 is 100 %); or a ratio, whose parts are added up over records; or None if the
            record is not in the denominator. The method is not called with excluded records, but
            it is called with records of tasks without an answer.
        """

    def score(self, records: Iterable[Record]) -> Score:
        """Return the sum of the values of records.

        Raises:
            InputError: If a value does not fit the unit.
        """
        numerator = denominator = 0
        for record in records:
            if record.result.status == "excluded":
                continue
            value = self.evaluate(record)
            if value is None:
                continue
            # Numerators and denominators are added, not ratios, so that the score is one of sums.
            ratio = self._ratio(value)
            numerator += ratio.numerator
            denominator += ratio.denominator
        return Score("own", self.key, self.label, numerator, denominator, self.unit)

    def _ratio(self, value: bool | float | Ratio) -> Ratio:
        """Return the value of a record as a ratio of integers.

        Raises:
            InputError: If it is a number and the unit is not one of means.
        """
        if isinstance(value, Ratio):
            return value
        # Before numbers: True is an int in Python, and a rate of "tasks" takes no other number.
        if isinstance(value, bool):
            return Ratio(int(value), 1)
        if self.unit not in ("means", "numbers"):
            raise InputError(
                f"the metric {self.key!r} is {value!r} for a record",
                expected="True or False, a Ratio, or None",
                mend='unit = "numbers" shows the mean as it is, unit = "means" in percent',
            )
        # In whole parts, so that sums are exact in any order.
        return Ratio(round(PARTS * value), PARTS)


class PassAt(Metric):
    """pass@k: the probability that at least one of k sampled answers solves a task.

    Of n answers of which c are right it is ``1 - C(n - c, k) / C(n, k)``, which is unbiased
    (M. Chen et al., "Evaluating Large Language Models Trained on Code", 2021, equation 1); the mean
    over tasks is shown. A task with fewer than k answers is not in the denominator.

    Args:
        k: Number of answers drawn.

    Raises:
        InputError: If it is not positive.
    """

    unit: ClassVar[str] = "means"

    def __init__(self, k: int) -> None:
        """Check k, which also makes key and label."""
        if k < 1:
            raise InputError(f"pass@{k}", expected="a whole number from 1", mend="pass@1")
        self.k = k
        # Other metrics have constants of the class; here they depend on k.
        vars(self).update(key=f"pass@{k}", label=f"pass@{k}")

    def evaluate(self, record: Record) -> bool:
        """Return whether the answer is right."""
        return record.result.success

    def score(self, records: Iterable[Record]) -> Score:
        """Return the mean of pass@k over tasks."""
        outcomes_by_task: dict[str, list[bool]] = {}
        for record in records:
            if record.result.status != "excluded":
                outcomes_by_task.setdefault(record.task, []).append(self.evaluate(record))
        task_count = 0
        # In whole parts, so that sums are exact in any order.
        passed_parts = 0
        for outcomes in outcomes_by_task.values():
            answer_count = len(outcomes)
            if answer_count < self.k:
                continue
            wrong_count = answer_count - sum(outcomes)
            # C(wrong, k) of the C(n, k) draws have wrong answers only.
            probability_all_wrong = comb(wrong_count, self.k) / comb(answer_count, self.k)
            task_count += 1
            passed_parts += round(PARTS * (1 - probability_all_wrong))
        return Score("own", self.key, self.label, passed_parts, PARTS * task_count, self.unit)


class PathGoal(Metric):
    """The share of tasks with a path goal whose path goal is met."""

    key, label = PATH_GOAL, "Path Goal"

    def evaluate(self, record: Record) -> bool | None:
        """Return whether the path goal is met, or None if the task has none."""
        for measure in record.result.measures:
            if measure.kind == PATH_GOAL:
                return bool(measure.amount)
        return None


class RulesKept(Metric):
    """The share of answers with evaluated rules that broke none of them."""

    key, label = "rules_kept", "Rules Kept"

    def evaluate(self, record: Record) -> bool | None:
        """Return whether none was broken; None if no rule was evaluated."""
        return record.result.keeps_rules


class SafeSuccess(Metric):
    """The share of answers with evaluated rules that solve the task and break no rule.

    An answer that cannot be read was not run, so it counts neither way.
    """

    key, label = "safe_success", "Safe Success"

    def evaluate(self, record: Record) -> bool | None:
        """Return whether the task is solved without breaking a rule, or None without rules."""
        if record.result.keeps_rules is None:
            return None
        # Not the rate of success times that of kept rules: one answer has to do both.
        return record.result.keeps_rules and bool(record.result.success)


Value = Union[bool, float, Ratio, None]
"""Type of the value of a record (see :meth:`Metric.evaluate`)."""


@overload
def metric(evaluate: Callable[[Record], Value]) -> Metric: ...


@overload
def metric(
    evaluate: None = None, *, key: str = "", label: str = "", unit: str = "tasks"
) -> Callable[[Callable[[Record], Value]], Metric]: ...


def metric(
    evaluate: Callable[[Record], Value] | None = None,
    *,
    key: str = "",
    label: str = "",
    unit: str = "tasks",
) -> Metric | Callable[[Callable[[Record], Value]], Metric]:
    """Return a metric made from a function of a record; use it as a decorator.

    Args:
        evaluate: Returns the value of a record (see :meth:`Metric.evaluate`).
        key: Key of the metric; by default the name of the function.
        label: Heading of the metric; by default the key in words.
        unit: Unit of the values (see :class:`Metric`).
    """

    def make_metric(function: Callable[[Record], Value]) -> Metric:
        """Return an instance of a new class, since key, label and unit are class attributes."""
        name = key or function.__name__
        heading = label or name.replace("_", " ").capitalize()
        members = {
            "key": name,
            "label": heading,
            "unit": unit,
            "__doc__": function.__doc__,
            "evaluate": lambda _self, record: function(record),
        }
        new_metric: Metric = type(function.__name__, (Metric,), members)()
        return new_metric

    # Called as ``@metric(...)``: the function comes with the next call.
    if evaluate is None:
        return make_metric
    return make_metric(evaluate)
