"""Least repairs of random plans, compared with all edit scripts of up to two edits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import pytest
from causes_worlds import OPERATORS, THINGS, WORLD, verdict, workshop_task
from hypothesis import given, settings, strategies as st
from repair_scripts import check_repair
from strategies_world import Scene, questions

from eai.abilities.plans import repair
from eai.diagnosis import DomainRules, Rules, Run
from eai.errors import InputError
from eai.logic import Formula, Variable
from eai.planning import Repair, RepairBounds, Target, least_repair
from eai.task import Task
from eai.world import Action, State, World

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
]
FACTS = ["lit", "door_open", "in box can", "wet box", "painted can"]


class Workshop:
    """The workshop as its domain describes it."""

    world: World = WORLD
    rules: Rules = DomainRules()


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    """Tasks in the workshop."""
    several = st.lists(st.sampled_from(CONDITIONS), unique=True, max_size=2)
    conditions, otherwise = draw(several), draw(st.one_of(st.just([]), several))
    actions = draw(st.lists(st.sampled_from(["look", "press", "paint"]), max_size=1))
    formula = draw(st.sampled_from(["", "", "wet(box) then painted(box)", "lit() then not lit()"]))
    facts = draw(st.lists(st.sampled_from(FACTS), unique=True, max_size=3))
    return workshop_task(
        *conditions, otherwise=otherwise, actions=actions, formula=formula, initially=facts
    )


plans = st.lists(st.sampled_from([*ACTIONS, Action("fly")]), max_size=3).map(tuple)


def _check(found: Repair, task: Task, most: int) -> None:
    check_repair(found, lambda plan: verdict(task, plan)[0], ACTIONS, most=most)


@settings(max_examples=200)
@given(tasks(), plans)
def test_one_edit_is_found_as_by_trying_all(task: Task, plan: tuple[Action, ...]) -> None:
    found = repair(task, plan, bounds=RepairBounds(edits=1), simulator=Workshop())
    _check(found, task, 1)


@pytest.mark.heavy
@settings(max_examples=12)
@given(tasks(), plans.filter(lambda plan: len(plan) < 3))
def test_two_edits_are_found_as_by_trying_all(task: Task, plan: tuple[Action, ...]) -> None:
    found = repair(task, plan, bounds=RepairBounds(edits=2), simulator=Workshop())
    _check(found, task, 2)


@pytest.mark.heavy
def test_replacing_both_steps_is_not_needed_where_both_can_go() -> None:
    """Opening and closing the door works as well, but so does closing it, and then nothing."""
    task = workshop_task("in(box, can)", "not door_open()", initially=["in box can"])
    plan = (Action("fly"), Action("put", ("box", "box")))
    found = repair(task, plan, bounds=RepairBounds(edits=2), simulator=Workshop())
    assert (found.repaired, found.irredundant) == ((), 1)
    _check(found, task, 2)


# ---------------------------------------------------------------------- any domain


@dataclass(frozen=True)
class Small:
    """A random domain in which an agent acts, and a goal."""

    start: State
    world: World
    actions: tuple[Action, ...]
    goal: Formula

    def works(self, plan: tuple[Action, ...]) -> bool:
        """Whether a plan reaches the goal."""
        run, rules = Run(self.world, self.start, "robot"), DomainRules()
        taken = [rules.take(run, step, at)[0] for at, step in enumerate(plan, 1)]
        stopped = "failed" in taken
        return not stopped and self.world.holds(run.state, self.goal)


def _small(question: tuple[Scene, Formula]) -> Small | None:
    scene, goal = question
    operators = {
        name: replace(one, parameters=(Variable("me", ("robot",)), *one.parameters))
        for name, one in scene.domain.operators.items()
    }
    types = {**scene.domain.types, "robot": "object"}
    try:
        world = World(replace(scene.domain, types=types, operators=operators))
        start = world.state({**scene.objects, "robot": "robot"}, scene.facts)
        world.holds(start, goal)
    except InputError:
        return None
    actions = tuple(
        Action(name, arguments)
        for name, one in operators.items()
        for arguments in product(*[start.universe.of_types(v.types) for v in one.parameters[1:]])
    )
    return Small(start, world, actions, goal) if 0 < len(actions) <= 30 else None


@settings(max_examples=400)
@given(questions().map(_small).filter(bool), st.data())
def test_edits_in_any_domain_are_those_of_trying_all(small: Small, data: st.DataObject) -> None:
    plan = data.draw(st.lists(st.sampled_from(small.actions), max_size=3), label="plan")
    found = least_repair(
        small.world,
        small.start,
        plan,
        Target(((small.goal,),)),
        agent="robot",
        bounds=RepairBounds(edits=1),
    )
    check_repair(found, small.works, small.actions, most=1)
