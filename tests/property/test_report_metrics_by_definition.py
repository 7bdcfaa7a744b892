"""Every metric of a report against its definition, computed from the results one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from eai.diagnosis import (
    GOAL_KINDS,
    GRAMMAR,
    RUNTIME,
    Behaviour,
    Condition,
    ErrorKind,
    Finding,
    Match,
    Measure,
    Result,
)
from eai.report import view_of
from eai.report.aggregate import tally
from eai.report.metrics.episodes import ENDS, REFUSALS, TURN_ERRORS
from eai.report.metrics.matches import CATEGORIES

KINDS = (*GOAL_KINDS, *CATEGORIES)
MEASURES = ("goals_reached", "step_ratio", *TURN_ERRORS, *(f"undoable_{key}" for key in REFUSALS))
BEHAVIOURS = tuple(behaviour.measure for behaviour in Behaviour)
COUNTS = st.integers(0, 4)

RESULTS = st.builds(
    Result,
    status=st.sampled_from(("evaluated", "evaluated", "missing", "excluded")),
    success=st.booleans(),
    executable=st.booleans(),
    findings=st.lists(st.builds(Finding, kind=st.sampled_from(ErrorKind)), max_size=4).map(tuple),
    goals=st.lists(
        st.builds(
            Condition,
            kind=st.sampled_from(GOAL_KINDS),
            text=st.just("on(lamp)"),
            met=st.booleans(),
        ),
        max_size=4,
    ).map(tuple),
    matches=st.lists(
        st.builds(Match, st.sampled_from(KINDS), COUNTS, COUNTS, COUNTS), max_size=4
    ).map(tuple),
    groups=st.lists(st.sampled_from(tuple(CATEGORIES)), unique=True, max_size=3).map(tuple),
    outcome=st.sampled_from(("", *ENDS)),
    measures=st.lists(
        st.builds(Measure, st.sampled_from((*MEASURES, *BEHAVIOURS)), COUNTS, st.integers(1, 4)),
        unique_by=lambda measure: measure.kind,
        max_size=4,
    ).map(tuple),
)

Rates = dict[str, Fraction | None]


def rate(numerator: int | Fraction, denominator: int) -> Fraction | None:
    """Return a share in percent; None if there is nothing to share."""
    return Fraction(100) * numerator / denominator if denominator else None


def share(results: Sequence[Result], test: Callable[[Result], object]) -> Fraction | None:
    return rate(sum(bool(test(result)) for result in results), len(results))


def goals(results: Sequence[Result]) -> Rates:
    found: Rates = {"task_success_rate": share(results, lambda result: result.success)}
    for name, kinds in (*((kind, (kind,)) for kind in GOAL_KINDS), ("total", GOAL_KINDS)):
        met = [goal.met for result in results for goal in result.goals if goal.kind in kinds]
        found[f"{name}_goal"] = rate(sum(met), len(met))
    found["execution_success_rate"] = share(results, lambda result: result.executable)
    return found


def grammar(results: Sequence[Result]) -> Rates:
    keys = {kind.key for kind in GRAMMAR if kind is not ErrorKind.NO_ANSWER}
    return {key: share_with(results, key) for key in keys}


def share_with(results: Sequence[Result], key: str) -> Fraction | None:
    """Return the share of the results with an error."""
    return share(results, lambda result: has(result, key))


def has(result: Result, key: str) -> int:
    return sum(finding.kind.key == key for finding in result.findings)


def plans(results: Sequence[Result]) -> Rates:
    runtime: Rates = {}
    for kind in RUNTIME:
        number = sum(has(result, kind.key) for result in results)
        runtime[kind.key] = rate(number, len(results))
    return {**goals(results), **grammar(results), **runtime}


def subgoals(results: Sequence[Result]) -> Rates:
    runtime = {kind.key: share_with(results, kind.key) for kind in RUNTIME}
    return {**goals(results), **grammar(results), **runtime}


def compared(results: Sequence[Result], kinds: Sequence[str]) -> Rates:
    found: Rates = {}
    for name, chosen in (*((kind, (kind,)) for kind in kinds), ("overall", KINDS)):
        matches = [match for result in results for match in result.matches if match.kind in chosen]
        tp = sum(match.tp for match in matches)
        fp = sum(match.fp for match in matches)
        fn = sum(match.fn for match in matches)
        found[f"{name}_precision"] = rate(tp, tp + fp)
        found[f"{name}_recall"] = rate(tp, tp + fn)
        found[f"{name}_f1"] = rate(2 * tp, 2 * tp + fp + fn)
    return {**found, **grammar(results)}


def interpreted(results: Sequence[Result]) -> Rates:
    found = compared(results, GOAL_KINDS)
    return {**found, "exact_match": share(results, lambda result: result.success)}


def operators(results: Sequence[Result]) -> Rates:
    found = compared(results, tuple(CATEGORIES))
    by_category = []
    for key in CATEGORIES:
        members = [result for result in results if key in result.groups]
        found[f"planner_{key}"] = share(members, lambda result: result.success)
        by_category += members
    found["planner_overall"] = share(by_category, lambda result: result.success)
    found["planner_tasks"] = share(results, lambda result: result.success)
    return found


def episodes(results: Sequence[Result]) -> Rates:
    found: Rates = {"task_success_rate": share(results, lambda result: result.success)}
    for key in ENDS:
        ended = sum(result.outcome == key for result in results)
        found[f"end_{key}"] = rate(ended, len(results))
    for key in (*MEASURES, *BEHAVIOURS):
        measures = [m for result in results for m in result.measures if m.kind == key]
        ratios = [Fraction(measure.amount, measure.base) for measure in measures]
        found[key] = rate(sum(ratios, Fraction(0)), len(ratios))
    return found


DEFINITIONS: dict[str, Callable[[Sequence[Result]], Rates]] = {
    "action_sequencing": plans,
    "subgoal_decomposition": subgoals,
    "goal_interpretation": interpreted,
    "transition_modeling": operators,
    "interaction": episodes,
}


@settings(max_examples=125)
@given(st.lists(RESULTS, max_size=6))
def test_metrics_are_those_of_their_definitions(results: list[Result]) -> None:
    counted = [result for result in results if result.status != "excluded"]
    for ability, definition in DEFINITIONS.items():
        metrics = {metric.key: metric for metric in view_of(ability).metrics(tally(results))}
        expected = definition(counted)
        assert metrics.keys() == expected.keys()
        for key, value in expected.items():
            found = metrics[key].value
            assert found == (None if value is None else pytest.approx(float(value), abs=1e-6)), key
