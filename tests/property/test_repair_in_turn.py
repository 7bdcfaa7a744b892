"""Least repairs of many plans, compared with all edit scripts, also of two edits."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest
from causes_worlds import OPERATORS, THINGS, WORLD, verdict, workshop_task
from repair_scripts import check_repair

from eai.abilities.plans import repair
from eai.diagnosis import DomainRules, Rules, Run
from eai.logic import Atom, Formula, LogicVocabulary, evaluate, parse_formula
from eai.pddl import parse_domain
from eai.planning import RepairBounds, Target, least_repair
from eai.task import Task
from eai.world import Action, State, World

ACTIONS = [
    Action(name, arguments)
    for name, arity in OPERATORS.items()
    for arguments in product(THINGS, repeat=arity)
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
    "forall x - thing. (not wet(x))",
)
FACTS = ("lit", "door_open", "in box can", "wet box", "painted can")


class Workshop:
    """The workshop as its domain describes it."""

    world: World = WORLD
    rules: Rules = DomainRules()


def task(random: Random) -> Task:
    return workshop_task(
        *random.sample(CONDITIONS, k=random.randint(0, 2)),
        otherwise=random.sample(CONDITIONS, k=random.choice([0, 0, 1])),
        actions=random.choice([[], [], ["look"], ["press"]]),
        formula=random.choice(["", "", "", "wet(box) then painted(box)", "lit() then not lit()"]),
        initially=random.sample(FACTS, k=random.randint(0, 3)),
    )


@pytest.mark.parametrize("seed", range(40))
def test_one_edit_is_found_as_by_trying_all(seed: int) -> None:
    random = Random(seed)
    for _ in range(2):
        made = task(random)
        plan = tuple(random.choices([*ACTIONS, Action("fly")], k=random.randint(0, 3)))
        found = repair(made, plan, bounds=RepairBounds(edits=1), simulator=Workshop())
        check_repair(found, lambda steps: verdict(made, steps)[0], ACTIONS, most=1)  # noqa: B023


# ---- a world of few actions, where all scripts of two edits can be tried

DOOR = World(
    parse_domain("""(define (domain door) (:requirements :adl)
      (:predicates (open) (locked) (inside) (lit) (fixed))
      (:action unlock :parameters (?a) :precondition (not (inside)) :effect (not (locked)))
      (:action lock :parameters (?a) :precondition (not (open)) :effect (locked))
      (:action push :parameters (?a) :precondition (not (locked)) :effect (open))
      (:action pull :parameters (?a) :precondition (not (fixed)) :effect (not (open)))
      (:action enter :parameters (?a) :precondition (open) :effect (inside))
      (:action light :parameters (?a) :precondition (inside)
        :effect (and (when (lit) (not (lit))) (when (not (lit)) (lit)))))""")
)
STEPS = [Action(name) for name in DOOR.domain.operators]
NAMES = LogicVocabulary(
    dict.fromkeys(DOOR.domain.predicates, 0), dict.fromkeys(DOOR.domain.operators, 0)
)
GOALS = (
    "inside() and locked()",
    "lit() and not open()",
    "open() and lit()",
    "inside() and not open() and locked()",
    "not lit() and inside()",
    "locked() and not inside()",
)


def formula(text: str) -> Formula:
    return parse_formula(text, vocabulary=NAMES)


def works(start: State, plan: tuple[Action, ...], target: Target) -> bool:
    run, rules = Run(DOOR, start, "ann"), DomainRules()
    if "failed" in [rules.take(run, step, number)[0] for number, step in enumerate(plan, 1)]:
        return False
    taken = iter([step.action.name for step in run.steps])
    if not all(any(name in names for name in taken) for names in target.actions):
        return False
    if target.formula is not None and not evaluate(target.formula, run.trajectory).holds:
        return False
    return any(all(DOOR.holds(run.state, each) for each in option) for option in target.final)


@pytest.mark.parametrize("seed", range(60))
def test_two_edits_are_found_as_by_trying_all(seed: int) -> None:
    random = Random(f"door {seed}")
    facts = [name for name in DOOR.domain.predicates if random.random() < 0.35]
    start = DOOR.state({"ann": "object"}, [Atom(name) for name in facts])
    options = tuple((formula(text),) for text in random.sample(GOALS, k=random.choice([1, 1, 2])))
    actions = random.choice([(), (), (("push",),), (("lock", "unlock"), ("enter",))])
    path = random.choice([None, None, formula("locked() then open()")])
    target = Target(options, actions, path)
    plan = tuple(random.choices([*STEPS, Action("fly")], k=random.randint(0, 2)))
    found = least_repair(DOOR, start, plan, target, agent="ann", bounds=RepairBounds(edits=2))
    check_repair(found, lambda steps: works(start, steps, target), STEPS, most=2)


@pytest.mark.parametrize("order", list(permutations(["unlock", "push", "enter", "light"])))
def test_steps_in_any_order_are_mended_as_by_trying_all(order: tuple[str, ...]) -> None:
    start = DOOR.state({"ann": "object"}, [Atom("locked")])
    plan = tuple(map(Action, order))
    for text in ("lit() and open()", "inside()"):
        target = Target(((formula(text),),))
        found = least_repair(DOOR, start, plan, target, agent="ann", bounds=RepairBounds(edits=1))
        check_repair(found, lambda steps: works(start, steps, target), STEPS, most=1)  # noqa: B023
