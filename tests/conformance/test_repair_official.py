"""Repairs of damaged reference plans: a sample (all: benchmarks/agreement/repair.py)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from eai.abilities.plans import repair
from eai.contract import Suite
from eai.errors import InputError
from eai.perturbation import perturb
from eai.planning import RepairBounds
from eai.suites.behavior import Behavior
from eai.suites.virtualhome import VirtualHome
from eai.task import Task

pytestmark = [pytest.mark.official, pytest.mark.heavy]

FAULTS = {
    "drop": 1,
    "move": 1,
    "swap": 2,
    "duplicate": 0,
    "insert": 1,
    "replace_object": 1,
    "replace_action": 1,
    "hallucinate_action": 1,
    "hallucinate_object": 1,
    "argument_number": 1,
}
"""What is done to a plan, and the most edits that mend it: an additional step does no harm."""


@cache
def sample(suite: type[Suite], every: int) -> list[tuple[Suite, Task]]:
    """Tasks whose reference plan works."""
    chosen = suite()
    tasks = [chosen.task(name) for name in list(chosen.task_ids())[7::every]]
    bounds = RepairBounds(edits=0)
    return [
        (chosen, each) for each in tasks if repair(each, each.plans[0], bounds=bounds).edits == ()
    ]


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize(("suite", "every"), [(VirtualHome, 60), (Behavior, 25)])
def test_a_fault_is_mended_with_as_few_edits(suite: type[Suite], every: int, kind: str) -> None:
    for chosen, task in sample(suite, every):
        try:
            wrong = perturb(chosen, task, kind=kind, seed=5)
        except InputError:
            continue
        # A single edit is found without the reference plan; of two, the budget may see too few.
        given = task if FAULTS[kind] > 1 else replace(task, plans=())
        found = repair(given, wrong.plan, bounds=RepairBounds(edits=FAULTS[kind]))
        assert found.distance is not None, wrong.fault.change
        assert found.distance <= FAULTS[kind]
        assert found.optimal or FAULTS[kind] > 1
