"""Causes and rewards of random plans as they were before.

Run as a script, it finds them anew for all numbers of the fixture.
"""

from __future__ import annotations

import json
from dataclasses import astuple, replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from causes_worlds import NAMES, OPERATORS, THINGS, WORLD, workshop_task

from eai.diagnosis import DomainRules, Finding, Run, goal_conditions, rule_verdict, unmet_goals
from eai.diagnosis.causes import causes
from eai.logic import parse_formula
from eai.rewards import Weights
from eai.rewards.progress import Progress
from eai.simulators import Symbolic, execute
from eai.task import Task
from eai.world import Action

__all__ = ["CAUSES", "REWARDS", "recorded", "result_of"]

FOLDER = Path(__file__).parents[1] / "fixtures" / "verdicts"
CAUSES, REWARDS = 90, 160

ACTIONS = [
    Action(name, things)
    for name, arity in OPERATORS.items()
    for things in product(THINGS, repeat=arity)
]
CONDITIONS = (
    "painted(box)",
    "wet(box) and painted(can)",
    "not wet(can)",
    "in(box, can)",
    "nested(box, can) or painted(box)",
    "lit()",
    "not door_open()",
    "exists x. (painted(x))",
    "forall x. (not wet(x))",
    "exactly 1 x. (wet(x))",
    "lit() <-> aired()",
)
FACTS = ("lit", "door_open", "window_open", "in box can", "wet box", "wet can", "painted can")
FORMULAS = (
    *[""] * 6,
    "wet(box) then painted(box)",
    "lit() then not lit()",
    "G not door_open()",
    "F (wet(can) and aired())",
    "press() then paint(box)",
    "not (wet(box) then painted(box))",
    "(wet(can) then lit()) or (wet(box) then painted(box))",
    "exists x - thing. (wet(x) then painted(x))",
    "(F wet(can)) <-> lit()",
)


def drawn(random: Random) -> tuple[Task, tuple[Action, ...]]:
    """Return a random task, and a plan of which many steps can be done."""
    task = workshop_task(
        *random.sample(CONDITIONS, random.randint(0, 3)),
        otherwise=random.sample(CONDITIONS, random.choice((0, 0, 2))),
        actions=random.sample(("look", "press", "paint"), random.choice((0, 0, 1, 2))),
        formula=random.choice(FORMULAS),
        initially=random.sample(FACTS, random.randint(0, 4)),
    )
    now, plan = task.start.begin(), list[Action]()
    while len(plan) < 7 and random.random() < 0.9:
        action = random.choice(ACTIONS)
        numbers = WORLD.numbers(now, action.name, action.by("robot"))
        if WORLD.first_failure(now, action.name, numbers) < 0:
            WORLD.apply(now, action.name, numbers)
        elif random.random() < 0.8:
            continue
        plan.append(action)
    return task, tuple(plan)


RULES = (
    "G (wet(can) -> aired())",
    "G (not lit() or not door_open())",
    "F painted(box)",
    "G not soak(box)",
    "forall x. G (in(x, box) -> not wet(x))",
)


def _finding(error: Finding) -> list[Any]:
    """Return what is wrong with a step, without the sentence."""
    conditions = list(error.conditions)
    return [error.kind.value, error.action, conditions, error.held_until, error.destroyed_by]


def caused(number: int) -> list[Any]:
    """Return what was caused by what in a random plan, and how its goal stands."""
    task, plan = drawn(Random(f"causes {number}"))
    found = causes(task, plan)
    run, rules = Run(WORLD, task.start, task.agent), DomainRules(skip=number % 4 > 0)
    outcomes = []
    for at, action in enumerate(plan, start=1):
        outcome, error = rules.take(run, action, at)
        outcomes.append([outcome] if error is None else [outcome, *_finding(error)])
    kept = [
        rule_verdict(text, parse_formula(text, vocabulary=NAMES), run.trajectory) for text in RULES
    ]
    goals = goal_conditions(task.goal, run.trajectory)
    conditions = [[each.kind, each.text, each.met, each.since, each.lost_by] for each in goals]
    unmet = list(map(_finding, unmet_goals(goals, run.trajectory)))
    broken = [[rule.kept, rule.step, list(rule.facts)] for rule in kept]
    data: dict[str, Any] = json.loads(json.dumps(found.as_dict()))
    if data["failure"] is not None:
        del data["failure"]["message"]  # sentences may be written otherwise
    needed = list(map(str, found.needed()))
    return [data, needed, outcomes, conditions, unmet, broken]


def rewarded(number: int) -> list[Any]:
    """Return how far a random plan gets towards a goal, beside reference plans."""
    random = Random(f"rewards {number}")
    first, plan = drawn(random)
    end = first.start.begin()
    for action in plan:
        numbers = WORLD.numbers(end, action.name, action.by("robot"))
        if WORLD.first_failure(end, action.name, numbers) < 0:
            WORLD.apply(end, action.name, numbers)
    # The goal is what became so, and sometimes something that did not.
    reached = [
        text
        for text in CONDITIONS
        if WORLD.holds(end, parse_formula(text, vocabulary=NAMES))
        and not WORLD.holds(first.start, parse_formula(text, vocabulary=NAMES))
    ]
    goal = reached[: random.randint(1, 2)] + random.sample(CONDITIONS, random.choice((0, 0, 1)))
    task = workshop_task(
        *goal,
        otherwise=random.sample(CONDITIONS, random.choice((0, 0, 2))),
        actions=[step.name for step in plan[: random.choice((0, 0, 1, 2))]],
        initially=[
            " ".join((each.predicate, *map(str, each.terms))) for each in first.start.atoms()
        ],
    )
    references = [plan, drawn(random)[1], (Action("fly"),)][: random.randint(1, 3)]
    given = replace(task, plans=tuple(references))
    progress = Progress(given, WORLD)
    simulator = Symbolic(WORLD, DomainRules(described=False, skip=number % 2 > 0))
    steps = list(plan[: random.randint(0, len(plan))])
    for _ in range(random.choice((0, 0, 1, 2))):
        steps.insert(random.randint(0, len(steps)), random.choice(ACTIONS))
    execution = execute(simulator, task.start, steps, agent=task.agent)
    attempt = progress.measure(execution)
    weights = Weights(goals=0.5, way=0.25, left=0.75)
    return [
        # Without the last field, the broken rules: there are none.
        *(progress.length, progress.reached(execution.trajectory), list(astuple(attempt)[:-1])),
        *(weights.value(attempt), weights.nearness(attempt), Weights().value(attempt)),
    ]


KINDS = {"caused": (caused, CAUSES), "rewarded": (rewarded, REWARDS)}


def result_of(name: str, number: int) -> list[Any]:
    """Return a result as it is kept."""
    kept: list[Any] = json.loads(json.dumps(KINDS[name][0](number)))
    return kept


def recorded(name: str) -> list[list[Any]]:
    """Return the results by number."""
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for kind, (_, count) in KINDS.items():
        rows = [json.dumps(result_of(kind, at), separators=(",", ":")) for at in range(count)]
        (FOLDER / f"{kind}.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
