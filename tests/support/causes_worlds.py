"""A small workshop with every kind of condition and effect, and verdicts on plans in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eai.diagnosis import DomainRules, Run, goal_conditions
from eai.logic import Atom, Formula, LogicVocabulary, evaluate, parse_formula
from eai.pddl import parse_domain
from eai.simulators import VirtualHomeSimulator
from eai.task import ActionGoal, Goal, Task, Vocabulary
from eai.world import Action, World

__all__ = ["OPERATORS", "THINGS", "steps", "verdict", "workshop_task"]

DOMAIN = """
(define (domain workshop)
  (:requirements :adl :derived-predicates)
  (:types robot thing - object)
  (:predicates (lit) (door_open) (window_open) (in ?x ?y - thing) (painted ?x - thing)
               (wet ?x - thing) (nested ?x ?y - thing) (aired))
  (:derived (nested ?x ?y - thing)
    (or (in ?x ?y) (exists (?z - thing) (and (in ?x ?z) (nested ?z ?y)))))
  (:derived (aired) (or (door_open) (window_open)))
  (:action open_door :parameters (?r - robot) :precondition (not (door_open))
    :effect (door_open))
  (:action close_door :parameters (?r - robot) :precondition (door_open)
    :effect (not (door_open)))
  (:action open_window :parameters (?r - robot) :effect (window_open))
  (:action slam :parameters (?r - robot) :effect (and (not (door_open)) (not (window_open))))
  (:action paint :parameters (?r - robot ?x - thing)
    :precondition (and (aired) (not (wet ?x))) :effect (painted ?x))
  (:action put :parameters (?r - robot ?x ?y - thing)
    :precondition (and (not (= ?x ?y)) (not (nested ?y ?x))
                       (not (exists (?z - thing) (in ?x ?z))))
    :effect (in ?x ?y))
  (:action take :parameters (?r - robot ?x ?y - thing)
    :precondition (in ?x ?y) :effect (not (in ?x ?y)))
  (:action soak :parameters (?r - robot ?x - thing)
    :effect (forall (?y - thing) (when (or (= ?y ?x) (nested ?y ?x))
      (and (wet ?y) (not (painted ?y))))))
  (:action dry :parameters (?r - robot)
    :effect (forall (?y - thing) (when (aired) (not (wet ?y)))))
  (:action press :parameters (?r - robot)
    :effect (and (when (lit) (not (lit))) (when (not (lit)) (lit))))
  (:action look :parameters (?r - robot) :precondition (lit)))
"""

THINGS = ("box", "can", "pot")
WORLD = World(parse_domain(DOMAIN))
NAMES = LogicVocabulary(
    {name: predicate.arity for name, predicate in WORLD.domain.predicates.items()},
    {name: len(o.parameters) - 1 for name, o in WORLD.domain.operators.items()},
    frozenset(THINGS),
)
OPERATORS = {name: len(o.parameters) - 1 for name, o in WORLD.domain.operators.items()}


def steps(text: str) -> tuple[Action, ...]:
    """``"open_door; paint box"`` as a plan."""
    parts = (part.split() for part in text.split(";") if part.strip())
    return tuple(Action(name, tuple(arguments)) for name, *arguments in parts)


def workshop_task(
    *conditions: str,
    initially: Iterable[str] = (),
    formula: str = "",
    actions: Iterable[str] = (),
    otherwise: Sequence[str] = (),
) -> Task:
    """A task in the workshop: conditions on the last state, actions, a formula."""
    atoms = [Atom(name, tuple(terms)) for name, *terms in map(str.split, initially)]
    options = [_option(each) for each in (conditions, otherwise) if each or each is conditions]
    whole = parse_formula(formula, vocabulary=NAMES) if formula else None
    demanded = tuple(ActionGoal((name,)) for name in actions)
    return Task(
        id="workshop",
        name="Workshop",
        instruction="",
        start=WORLD.state({"robot": "robot", **dict.fromkeys(THINGS, "thing")}, atoms),
        agent="robot",
        goal=Goal(text=formula, formula=whole, final=tuple(options), actions=demanded),
        vocabulary=Vocabulary(OPERATORS, {}, frozenset(THINGS)),
    )


def _option(conditions: Iterable[str]) -> tuple[tuple[str, Formula], ...]:
    return tuple(("state", parse_formula(text, vocabulary=NAMES)) for text in conditions)


def verdict(task: Task, plan: Iterable[Action]) -> tuple[bool, bool, tuple[tuple[str, bool], ...]]:
    """Whether a plan succeeds, whether it can be executed, and which conditions are met."""
    rules = DomainRules()
    demanded = frozenset(name for goal in task.goal.actions for name in goal.names)
    here = task.start.layout.domain is WORLD.domain
    world = WORLD if here else VirtualHomeSimulator().world
    run = Run(world, task.start, task.agent, demanded=demanded)
    runs = True
    for number, action in enumerate(plan, start=1):
        if rules.take(run, action, number)[0] == "failed":
            runs = False
            break
    goals = goal_conditions(task.goal, run.trajectory)
    met = all(goal.met for goal in goals)
    if task.goal.formula is not None:
        met = met and evaluate(task.goal.formula, run.trajectory).holds
    return met and runs, runs, tuple((goal.text, goal.met) for goal in goals)
