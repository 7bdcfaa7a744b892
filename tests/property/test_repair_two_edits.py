"""Repairs of up to two edits of some plans in the workshop, compared with all edit scripts."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from causes_worlds import OPERATORS, THINGS, WORLD, verdict, workshop_task
from repair_scripts import check_repair

from eai.abilities.plans import repair
from eai.diagnosis import DomainRules, Rules
from eai.planning import RepairBounds
from eai.world import Action, World

ACTIONS = [
    Action(name, arguments)
    for name, arity in OPERATORS.items()
    for arguments in product(THINGS, repeat=arity)
]
CONDITIONS = [
    "painted(box)",
    "wet(box) and painted(can)",
    "not wet(can)",
    "in(box, can)",
    "nested(box, can) or painted(box)",
    "lit()",
    "not door_open()",
    "exists x. (painted(x))",
    "forall x. (not wet(x))",
]
FACTS = ["lit", "door_open", "in box can", "wet box", "wet can", "painted can"]
FORMULAS = ["", "", "", "wet(box) then painted(box)", "lit() then not lit()", "G not door_open()"]


class Workshop:
    """The workshop as its domain describes it."""

    world: World = WORLD
    rules: Rules = DomainRules()


@pytest.mark.parametrize("seed", range(12))
def test_two_edits_are_found_as_by_trying_all(seed: int) -> None:
    random = Random(seed)
    task = workshop_task(
        *random.sample(CONDITIONS, random.randint(1, 2)),
        otherwise=random.sample(CONDITIONS, random.choice((0, 0, 1))),
        actions=random.sample(["look", "press", "paint"], random.choice((0, 0, 1))),
        formula=random.choice(FORMULAS),
        initially=random.sample(FACTS, random.randint(0, 3)),
    )
    plan = tuple(random.choices([*ACTIONS, Action("fly")], k=random.randint(0, 2)))
    found = repair(task, plan, bounds=RepairBounds(edits=2), simulator=Workshop())
    check_repair(found, lambda steps: verdict(task, steps)[0], ACTIONS, most=2)
