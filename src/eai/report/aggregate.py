"""Counts over judgements, and the metrics that the paper's tables are made of.

A :class:`Tally` holds whole numbers only and two of them add up, so counts of parts of a run
merge exactly. Metrics are computed from a tally at the end, each with its denominator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from eai.diagnosis.judgement import GOAL_KINDS, Judgement
from eai.diagnosis.taxonomy import ErrorKind
from eai.report.statistics import wilson

__all__ = ["Metric", "Tally", "error_key", "metrics", "official_summary", "tally"]


@dataclass(frozen=True)
class Tally:
    """Counts over judgements; ``+`` merges two of them.

    Excluded tasks are counted in ``excluded`` and nowhere else.

    Args:
        tasks: Judged tasks and tasks without a prediction: the denominator of every rate.
        missing: Tasks without a prediction (scored failures).
        excluded: Tasks that the semantics leaves out.
        success: Solved tasks.
        executable: Tasks whose plan can be executed to its end.
        items: Error key to the number of tasks with at least one such error (a task whose error
            counts several times, see ``Finding.times``, is as many).
        occurrences: Error key to the number of such errors.
        met: Kind of goal condition to the number of met ones.
        total: Kind of goal condition to the number of all.
    """

    tasks: int = 0
    missing: int = 0
    excluded: int = 0
    success: int = 0
    executable: int = 0
    items: Mapping[str, int] = field(default_factory=dict)
    occurrences: Mapping[str, int] = field(default_factory=dict)
    met: Mapping[str, int] = field(default_factory=dict)
    total: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.tasks + other.tasks,
            self.missing + other.missing,
            self.excluded + other.excluded,
            self.success + other.success,
            self.executable + other.executable,
            _merged(self.items, other.items),
            _merged(self.occurrences, other.occurrences),
            _merged(self.met, other.met),
            _merged(self.total, other.total),
        )


@dataclass(frozen=True, slots=True)
class Metric:
    """One number of a report with what it was computed from.

    Args:
        group: ``"goal"``, ``"trajectory"``, ``"trajectory.grammar"`` or
            ``"trajectory.runtime"``.
        key: The key of the published evaluator (``"task_success_rate"``).
        label: The heading of the column in the paper's tables.
        numerator: What was counted.
        denominator: Out of how many; the value is undefined if it is 0.
        unit: What the numerator counts: ``"tasks"``, ``"conditions"`` (goal conditions, out of
            all of that kind) or ``"occurrences"`` (errors for each task: may exceed 100 %).
    """

    group: str
    key: str
    label: str
    numerator: int
    denominator: int
    unit: str

    @property
    def value(self) -> float | None:
        """The metric in percent, or None if it is undefined."""
        return 100.0 * self.numerator / self.denominator if self.denominator else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The Wilson 95 % interval in percent of a rate over tasks, else None.

        Goal conditions of one task depend on each other, and occurrences are no proportion,
        so neither has this interval; nor has a rate in which tasks count more than once.
        """
        if self.unit != "tasks" or not self.numerator <= self.denominator > 0:
            return None
        return wilson(self.numerator, self.denominator)


def error_key(kind: ErrorKind) -> str:
    """Return the key under which a kind is counted: the official one, or else its name."""
    return kind.official_key or kind.value


def tally(judgements: Iterable[Judgement]) -> Tally:
    """Count judgements, in one pass."""
    counts, items, occurrences = Counter[str](), Counter[str](), Counter[str]()
    met, total = Counter[str](), Counter[str]()
    for judgement in judgements:
        if judgement.status == "excluded":
            counts["excluded"] += 1
            continue
        counts["tasks"] += 1
        counts["missing"] += judgement.status == "missing"
        counts["success"] += judgement.success
        counts["executable"] += judgement.executable
        times: dict[str, int] = {}
        for finding in judgement.findings:
            key = error_key(finding.kind)
            occurrences[key] += 1
            times[key] = max(times.get(key, 0), finding.times)
        items.update(times)
        total.update(goal.kind for goal in judgement.goals)
        met.update(goal.kind for goal in judgement.goals if goal.met)
    maps = (_merged(each, {}) for each in (items, occurrences, met, total))
    return Tally(
        counts["tasks"],
        counts["missing"],
        counts["excluded"],
        counts["success"],
        counts["executable"],
        *maps,
    )


def metrics(counts: Tally) -> list[Metric]:
    """Return the metrics of action sequencing (paper, Tables 5 and 6), in a fixed order."""
    return [
        _of_tasks(counts, "goal", "task_success_rate", "Task SR", counts.success),
        *(_of_goals(counts, f"{kind}_goal", (kind,)) for kind in GOAL_KINDS),
        _of_goals(counts, "total_goal", GOAL_KINDS),
        _of_tasks(
            counts, "trajectory", "execution_success_rate", "Execution SR", counts.executable
        ),
        *(
            _of_tasks(counts, "trajectory.grammar", key, label, counts.items.get(key, 0))
            for key, label in _GRAMMAR.items()
        ),
        *(
            Metric(
                "trajectory.runtime",
                key,
                label,
                counts.occurrences.get(key, 0),
                counts.tasks,
                "occurrences",
            )
            for key, label in _RUNTIME.items()
        ),
    ]


def official_summary(counts: Tally) -> dict[str, dict[str, object]]:
    """Return the summary as the published evaluator nests and rounds it.

    Percent; ``execution_success_rate`` has one decimal, all others have four. Where the
    published evaluator would divide by zero, the value is None.
    """
    found = {metric.key: metric for metric in metrics(counts)}
    return {
        "goal_evaluation": {
            metric.key: _rounded(metric) for metric in found.values() if metric.group == "goal"
        },
        "trajectory_evaluation": {
            "execution_success_rate": _rounded(found["execution_success_rate"], 1),
            "grammar_error": {key: _rounded(found[key]) for key in _GRAMMAR},
            "runtime_error": {key: _rounded(found[key]) for key in _RUNTIME},
        },
    }


_GRAMMAR = {
    "parsing": "Parsing",
    "hallucination": "Hallucination",
    "predicate_argument_number": "Predicate-Arg Num",
}
_RUNTIME = {
    "wrong_order": "Wrong Order",
    "missing_step": "Missing Step",
    "affordance_error": "Affordance",
    "additional_step": "Additional Step",
}
_GOALS = {
    "state_goal": "State Goal",
    "relation_goal": "Relation Goal",
    "action_goal": "Action Goal",
    "total_goal": "Total Goal",
}


def _of_tasks(counts: Tally, group: str, key: str, label: str, numerator: int) -> Metric:
    return Metric(group, key, label, numerator, counts.tasks, "tasks")


def _of_goals(counts: Tally, key: str, kinds: Sequence[str]) -> Metric:
    met = sum(counts.met.get(kind, 0) for kind in kinds)
    total = sum(counts.total.get(kind, 0) for kind in kinds)
    return Metric("goal", key, _GOALS[key], met, total, "conditions")


def _rounded(metric: Metric, digits: int = 4) -> float | None:
    return None if metric.value is None else round(metric.value, digits)


def _merged(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    # Sorted and without zeros: equal counts are equal tallies, printed alike.
    together = Counter(one) + Counter(other)
    return dict(sorted(together.items()))
