"""Repairs of plans with numbers have as few edits as trying all edited plans finds."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from eai.pddl import parse_domain, parse_problem
from eai.planning import RepairBounds, Target, least_repair, validate
from eai.world import Action, world_of

sys.path.append(str(Path(__file__).parents[2] / "benchmarks" / "agreement"))
from numeric_plans import OBJECTS, Writer

Plan = tuple[Action, ...]
ACTIONS = [Action(f"act{number}", (name,)) for number, name in product(range(3), OBJECTS)]


def edited(plan: Plan) -> Iterator[Plan]:
    """Yield the plans that are one edit away."""
    for place in range(len(plan) + 1):
        for action in ACTIONS:
            yield (*plan[:place], action, *plan[place:])
    for place, step in enumerate(plan):
        rest = (*plan[:place], *plan[place + 1 :])
        yield rest
        for action in ACTIONS:
            yield (*plan[:place], action, *plan[place + 1 :])
        for other in range(len(rest) + 1):
            yield (*rest[:other], step, *rest[other:])


@pytest.mark.parametrize(
    "seed", [*range(40), *[pytest.param(n, marks=pytest.mark.heavy) for n in range(40, 400)]]
)
def test_repairs_have_the_fewest_edits(seed: int) -> None:
    case = Writer(random.Random(seed)).case()
    domain = parse_domain(case.domain)
    problem = parse_problem(case.problem, domain=domain)
    numeric = domain.with_numbers
    world = world_of(numeric)
    start = world.state(problem.objects, problem.initial, problem.values)
    plan = case.plans[0][:3]
    layer = {plan}
    distance = None
    for edits in range(3):
        if any(validate(domain, problem, each).valid for each in layer):
            distance = edits
            break
        layer = {after for before in layer for after in edited(before)} if edits < 2 else layer
    repair = least_repair(
        world,
        start,
        plan,
        Target(((problem.goal,),)),
        agent="",
        skip=False,
        bounds=RepairBounds(edits=2),
    )
    assert repair.distance == distance
    if distance is None:
        assert repair.bound == 3
    else:
        assert repair.optimal
        assert validate(domain, problem, repair.repaired or ()).valid
