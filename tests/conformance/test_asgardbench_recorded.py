"""Recorded reference executions and placements of AsgardBench, replayed (see benchmarks)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from needs import facts, recordings

from eai.simulators import Observation, StepResult
from eai.simulators.thor.world import Fits
from eai.suites.asgardbench.instances import instance

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "agreement" / "asgardbench.py"
sys.path.append(str(BENCHMARK.parent))

from asgardbench import (  # noqa: E402
    PICTURES,
    PLANS,
    Replayed,
    allowed,
    exception,
    place_of,
    placements,
    plans,
    replay,
    shown,
)

FOLDER = facts("asgardbench_ai2thor")

recorded = recordings("asgardbench_ai2thor", PLANS)


@pytest.fixture(scope="module", params=["official", "strict"])
def runs(request: pytest.FixtureRequest) -> list[Replayed]:
    return [replay(one, plan, request.param) for one, plan in plans(FOLDER)]


@recorded
def test_every_step_is_accepted_or_falls_under_a_rule(runs: list[Replayed]) -> None:
    assert [each for run in runs for each in run.refused if not each.rule] == []


@recorded
def test_few_steps_fall_under_the_rules(runs: list[Replayed]) -> None:
    """Most of them are in the executions that begin with coffee in the mug."""
    refused = [each for run in runs for each in run.refused]
    assert len(refused) <= 0.003 * sum(run.steps for run in runs)


@recorded
def test_goals_about_places_are_met_by_all_executions(runs: list[Replayed]) -> None:
    assert all(run.locations for run in runs)


@recorded
def test_all_goals_are_met_by_all_executions(runs: list[Replayed]) -> None:
    assert all(run.solved for run in runs)


@recordings("asgardbench_ai2thor", PICTURES)
def test_instances_follow_what_pictures_show_with_high_confidence() -> None:
    """What lies there in slices is looked up by what it was cut from."""
    rows = shown(FOLDER)
    assert len(rows) == 448
    assert [r for r in rows if place_of(instance(r.instance), r.source) != r.receptacle] == []


@recorded
def test_no_placement_that_succeeded_is_refused() -> None:
    outcomes = placements(FOLDER)
    fits = Fits(outcomes)
    assert [each for each in outcomes if each.succeeded and not allowed(each, fits)] == []


@recorded
def test_hard_misfits_are_refused() -> None:
    outcomes = placements(FOLDER)
    fits = Fits(outcomes)
    hard = [each for each in outcomes if not each.succeeded and each.failures >= 5]
    assert hard
    assert not any(allowed(each, fits) for each in hard)


@pytest.mark.parametrize(
    ("plan", "code", "rule"),
    [
        ([["TOGGLE_ON", "CoffeeMachine"]], "COFFEE_MUG_FILLED", "brewed into a full mug"),
        ([["PUT", "Bread", "CounterTop"]], "NOTHING_HELD", "put without pickup"),
        ([["PICKUP", "Mug"], ["PUT", "Mug", "Fridge"]], "NOTHING_HELD", ""),
        ([["TOGGLE_OFF", "Faucet"], ["EMPTY", "Bowl"]], "NOT_FILLED", "emptied twice"),
        ([["EMPTY", "Bowl"]], "NOT_FILLED", ""),
        ([["PICKUP", "Mug"]], "NOT_VISIBLE", ""),
    ],
)
def test_exceptions_are_told_by_rule(plan: list[list[str]], code: str, rule: str) -> None:
    result = StepResult(False, Observation(), code, "refused")
    assert exception(plan, len(plan) - 1, result) == rule
