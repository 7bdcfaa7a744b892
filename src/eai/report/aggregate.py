"""Counts over results: what every metric is computed from.

A :class:`Tally` holds whole numbers only and two of them add up, so counts of parts of a run
merge exactly. Metrics are computed from a tally at the end (:mod:`eai.report.metrics`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from eai.diagnosis import ErrorKind, Result

PARTS = 10**9
"""Ratios of single items are added up in whole parts, so many to 1: sums stay exact."""


class Tally(NamedTuple):
    """Counts over results; ``+`` merges two of them.

    Excluded tasks are counted in ``excluded`` and ``unread``, and nowhere else.

    Args:
        tasks: Evaluated tasks and tasks without a prediction: the denominator of every rate.
        missing: Tasks without a prediction (scored failures).
        excluded: Tasks that the semantics leaves out.
        unread: Those of them that are left out because their answer could not be read.
        executable: Tasks whose plan can be executed to its end.
        affected: Error key to the number of tasks with at least one such error.
        items: Error key to the same number as the rates count it: a task whose error counts
            several times, or never (see ``Finding.times``), is as many.
        occurrences: Error key to the number of such errors.
        met: Kind of goal condition to the number of met ones.
        total: Kind of goal condition to the number of all.
        tp: Kind of thing that was compared to its true positives.
        fp: Likewise, false positives.
        fn: Likewise, false negatives.
        grouped_success: Group to the number of solved ones among them.
        outcomes: How the planner, or the episode, ended to the number of tasks.
        readings: How answers were read (:attr:`eai.diagnosis.Result.reading`) to their number.
        measured: Kind of measure to the number of tasks that have it.
        amounts: Kind of measure to the sum of the ratios, in :data:`PARTS`.
        rules: Rule to the number of answers that it was evaluated for.
        rules_kept: Rule to the number of those that kept it.
        rules_idle: Rule to the number of those in which it was never at stake.
    """

    tasks: int = 0
    missing: int = 0
    excluded: int = 0
    unread: int = 0
    success: int = 0
    executable: int = 0
    affected: Mapping[str, int] = {}
    items: Mapping[str, int] = {}
    occurrences: Mapping[str, int] = {}
    met: Mapping[str, int] = {}
    total: Mapping[str, int] = {}
    tp: Mapping[str, int] = {}
    fp: Mapping[str, int] = {}
    fn: Mapping[str, int] = {}
    grouped: Mapping[str, int] = {}
    grouped_success: Mapping[str, int] = {}
    outcomes: Mapping[str, int] = {}
    readings: Mapping[str, int] = {}
    measured: Mapping[str, int] = {}
    amounts: Mapping[str, int] = {}
    rules: Mapping[str, int] = {}
    rules_kept: Mapping[str, int] = {}
    rules_idle: Mapping[str, int] = {}

    @property
    def read(self) -> int:
        """Number of tasks whose answer counts in the rates."""
        return self.tasks - self.missing

    def __add__(self, other: Tally) -> Tally:  # type: ignore[override]  # tuples are joined
        both = Counting()
        both.include(self)
        both.include(other)
        return both.tally()


def tally(results: Iterable[Result]) -> Tally:
    """Count results, in one pass."""
    counting = Counting()
    for result in results:
        counting.add(result)
    return counting.tally()


class Counting:
    """A mutable counter of results and tallies."""

    def __init__(self) -> None:
        """Begin with all counts at 0: single numbers, and numbers by the name of a kind."""
        self._scalars: defaultdict[str, int] = defaultdict(int)
        self._maps: defaultdict[str, defaultdict[str, int]] = defaultdict(_no_counts)

    def add(self, result: Result) -> None:
        """Count one result. An excluded one adds to no rate, only to the number of excluded."""
        if result.status == "excluded":
            self._scalars["excluded"] += 1
            # Some semantics exclude unreadable answers: then not the task is the reason.
            self._scalars["unread"] += result.number_of(ErrorKind.PARSING) > 0
            return
        self._add_outcome(result)
        self._add_errors(result)
        self._add_comparisons(result)
        self._add_measures(result)
        self._add_rules(result)

    def _add_outcome(self, result: Result) -> None:
        """Count whether the task was answered and solved, in total and by group."""
        scalars = self._scalars
        maps = self._maps
        scalars["tasks"] += 1
        scalars["success"] += result.success
        scalars["executable"] += result.executable
        # There is nothing to read in a missing answer.
        if result.status == "missing":
            scalars["missing"] += 1
        else:
            maps["readings"][result.reading] += 1
        if result.outcome:
            maps["outcomes"][result.outcome] += 1
        for group in result.groups:
            maps["grouped"][group] += 1
            maps["grouped_success"][group] += result.success

    def _add_comparisons(self, result: Result) -> None:
        """Count the goal conditions that are met, and the items that match the annotation."""
        maps = self._maps
        for goal in result.goals:
            maps["total"][goal.kind] += 1
            maps["met"][goal.kind] += goal.met
        for match in result.matches:
            maps["tp"][match.kind] += match.tp
            maps["fp"][match.kind] += match.fp
            maps["fn"][match.kind] += match.fn

    def _add_measures(self, result: Result) -> None:
        """Add the amounts that were measured, by kind."""
        maps = self._maps
        for measure in result.measures:
            maps["measured"][measure.kind] += 1
            # Rounded for each item, so that a sum does not depend on the order of the items.
            maps["amounts"][measure.kind] += round(PARTS * measure.amount / measure.base)

    def _add_rules(self, result: Result) -> None:
        """Count for each rule how often it was kept, and how often nothing could break it."""
        for rule in result.rules:
            self._maps["rules"][rule.name] += 1
            self._maps["rules_kept"][rule.name] += rule.kept
            self._maps["rules_idle"][rule.name] += not rule.at_stake

    def _add_errors(self, result: Result) -> None:
        """Count the errors of a result: by kind, by task with that kind, and in total."""
        times_by_kind: dict[str, int] = {}
        for finding in result.findings:
            key = finding.kind.key
            self._maps["occurrences"][key] += 1
            # A kind counts once for a task, unless a finding says that it counts more often.
            times_by_kind[key] = max(times_by_kind.get(key, 0), finding.times)
        for key, times in times_by_kind.items():
            self._maps["affected"][key] += 1
            self._maps["items"][key] += times

    def include(self, counts: Tally) -> None:
        """Add the counts of another tally."""
        for name in _SCALAR_FIELDS:
            self._scalars[name] += getattr(counts, name)
        for name in _MAP_FIELDS:
            for key, count in getattr(counts, name).items():
                self._maps[name][key] += count

    def tally(self) -> Tally:
        """Return the counts so far."""
        counted: dict[str, Any] = dict(self._scalars)
        for name, counts in self._maps.items():
            # Sorted and without zeros: equal counts are equal tallies, printed alike.
            counted[name] = {key: counts[key] for key in sorted(counts) if counts[key]}
        return Tally(**counted)


def _no_counts() -> defaultdict[str, int]:
    """Return a dictionary of counts that are all 0."""
    return defaultdict(int)


_MAP_FIELDS = tuple(name for name, default in Tally._field_defaults.items() if default == {})
_SCALAR_FIELDS = tuple(name for name in Tally._fields if name not in _MAP_FIELDS)
