"""Searches as they went before: what was found, and how much work it took.

Work is counted and the same on every machine, so that a search that takes twice as much for the
same answer is noticed, too. Run as a script, it does all searches of the fixtures anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations, product
from pathlib import Path
from random import Random
from typing import Any

from causes_worlds import OPERATORS, THINGS, WORLD, workshop_task
from reachable_states import STARTS, YARD, formula, state
from strategies_planning import random_task

from eai.abilities.plans import target_of
from eai.abilities.subgoals.width import Reached, find_way
from eai.budget import BeyondBudgetError, Budget
from eai.logic import And
from eai.pddl import Domain, Problem, parse_domain, parse_problem
from eai.planning import Links, Taken, ground, plan
from eai.planning.cuts import LandmarkCuts, _search_by_cuts
from eai.planning.landmarks import Landmarks
from eai.planning.limits import Limits
from eai.planning.own import GREEDY, OWN, WIDTH
from eai.planning.repair.least import RepairSearch, best_repair
from eai.planning.repair.task import RepairTask
from eai.planning.searches import Relaxation, search_breadth_first, search_by_cost
from eai.planning.task import Successors, finish
from eai.world import Action, changed_literals

__all__ = ["SEARCHES", "recorded", "result_of"]

FOLDER = Path(__file__).parents[1] / "fixtures" / "searches"


DELIVERY = """
(define (domain delivery) (:requirements :adl :action-costs)
  (:types place movable - object truck parcel - movable)
  (:predicates (road ?a ?b - place) (at ?m - movable ?a - place) (in ?p - parcel ?t - truck)
    (open ?a - place) (washed ?t - truck))
  (:functions (total-cost) (length ?a ?b - place))
  (:action drive :parameters (?t - truck ?a ?b - place)
    :precondition (and (at ?t ?a) (road ?a ?b))
    :effect (and (at ?t ?b) (not (at ?t ?a)) {dirt} (increase (total-cost) (length ?a ?b))))
  (:action load :parameters (?p - parcel ?t - truck ?a - place)
    :precondition (and (at ?p ?a) (at ?t ?a))
    :effect (and (in ?p ?t) (not (at ?p ?a)) (increase (total-cost) 1)))
  (:action unload :parameters (?p - parcel ?t - truck ?a - place)
    :precondition (and (in ?p ?t) (at ?t ?a) {gate})
    :effect (and (at ?p ?a) (not (in ?p ?t)) (increase (total-cost) 1)))
  (:action unlock :parameters (?a - place)
    :precondition (exists (?t - truck) (at ?t ?a))
    :effect (and (open ?a) (increase (total-cost) 2)))
  (:action wash :parameters (?t - truck) :precondition (forall (?p - parcel) (not (in ?p ?t)))
    :effect (and (washed ?t) (increase (total-cost) 0))))
"""


def delivery(seed: int) -> tuple[Domain, Problem]:
    """Return a task with parcels, which takes some steps; of every other one effects depend."""
    random = Random(f"delivery {seed}")
    dirt = "(when (open ?a) (not (washed ?t)))" if seed % 2 else ""
    gate = random.choice(("(open ?a)", "(or (open ?a) (washed ?t))", ""))
    places = ["depot", "home", "mill", "port"][: random.randint(2, 4)]
    trucks, parcels = ["red", "tall"][: random.randint(1, 2)], ["p", "q"][: random.randint(1, 2)]
    roads = {
        way: random.randint(1, 9)
        for way in permutations(places, 2)
        if random.random() < 0.6 or way[0] == "depot"
    }
    facts = [f"(road {a} {b}) (= (length {a} {b}) {cost})" for (a, b), cost in roads.items()]
    facts += [f"(at {each} {random.choice(places)})" for each in (*trucks, *parcels)]
    goals = [f"(at {each} {random.choice(places)})" for each in parcels]
    goals += [f"(washed {trucks[0]})"] * random.randint(0, 1)
    goals += [f"(or (at {trucks[-1]} depot) (open {places[-1]}))"] * random.randint(0, 1)
    domain = parse_domain(DELIVERY.format(dirt=dirt, gate=gate))
    objects = f"{' '.join(places)} - place {' '.join(trucks)} - truck {' '.join(parcels)} - parcel"
    text = f"""(define (problem p) (:domain delivery) (:objects {objects})
      (:init {" ".join(facts)} (= (total-cost) 0)) (:goal (and {" ".join(goals)}))
      (:metric minimize (total-cost)))"""
    return domain, parse_problem(text, domain=domain)


def made(seed: int) -> tuple[Domain, Problem]:
    """Return a random task of either kind."""
    return delivery(seed) if seed % 3 else random_task(Random(seed))


def grounded(seed: int) -> list[Any]:
    """Return what is left of a random task, and what it took to ground it."""
    domain, problem = made(seed)
    limits = Limits()
    task = ground(domain, problem, limits=limits)
    actions = [
        [
            str(each.action),
            each.condition.every,
            sorted(each.condition.clauses),
            len(each.condition.choices),
            each.effect,
            [[condition.every, effect] for condition, effect in each.conditional],
            each.cost,
        ]
        for each in task.actions
    ]
    rules = [[[rule.body.every, rule.head] for rule in group] for group in task.strata]
    sizes = [len(task.atoms), task.initial, task.goal.every, task.needed, task.reachable]
    return [sizes, actions, rules, limits.meter.actions, limits.meter.instances]


def planned(seed: int) -> list[Any]:
    """Return what the searches find for a random task."""
    domain, problem = made(seed)
    found = []
    for engine in (OWN["eai"], OWN["eai-optimal"], WIDTH, GREEDY):
        meter = Budget.unlimited().meter()
        result = plan(domain, problem, engine=engine, budget=meter)
        steps = None if result.plan is None else list(map(str, result.plan))
        found.append([result.outcome.value, steps, result.cost, meter.states, meter.instances])
    return found


def estimated(seed: int) -> list[Any]:
    """Return what guides the searches in states on a random way: relaxed plans, bounds, landmarks.

    Landmark cuts are for tasks without conditional effects.
    """
    domain, problem = delivery(seed)
    task = ground(domain, problem)
    limits, random = Limits(), Random(f"walk {seed}")
    if not task.reachable:
        return []
    relaxation, landmarks = Relaxation(task, limits), Landmarks(task, limits)
    cuts = None if any(each.conditional for each in task.actions) else LandmarkCuts(task, limits)
    successors, state, seen = Successors(task), task.initial, {task.initial}
    found: list[Any] = [landmarks.literals]
    for _ in range(6):
        relaxed = relaxation.plan(state)
        found.append(
            [
                None if relaxed is None else [sorted(relaxed[0]), relaxed[1]],
                list(landmarks.look(state)),
                None if cuts is None else str(cuts.bound(state)),
            ]
        )
        following = [
            task.successor(state, action)
            for action in sorted(successors.applicable(state), key=lambda each: str(each.action))
        ]
        new = [after for after in following if after not in seen]
        if not new:
            break
        after = random.choice(new)
        landmarks.follow(state, after)
        seen.add(after)
        state = after
    for search in (search_by_cost, search_breadth_first, _search_by_cuts):
        if search is _search_by_cuts and cuts is None:
            continue
        counting = Limits(budget=Budget(states=400, actions=None, instances=None, bytes=None))
        try:
            steps = finish(search(task, counting))
        except BeyondBudgetError:
            steps = None
        shown = None if steps is None else [str(step.action) for step in steps]
        found.append([shown, counting.meter.states, counting.meter.instances])
    return [*found, limits.meter.instances]


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
    "nested(can, pot) and wet(pot)",
)
FACTS = ("lit", "door_open", "in box can", "wet box", "wet can", "painted can")
FORMULAS = (
    *[""] * 5,
    "wet(box) then painted(box)",
    "lit() then not lit()",
    "G not door_open()",
    "G (wet(can) -> aired())",
)


def repaired(seed: int) -> list[Any]:
    """Return the repairs of a random plan in the workshop, and which of them is chosen."""
    random = Random(f"repair {seed}")
    task = workshop_task(
        *random.sample(CONDITIONS, random.randint(1, 2)),
        otherwise=random.sample(CONDITIONS, random.choice((0, 0, 1))),
        actions=random.sample(("look", "press", "paint"), random.choice((0, 0, 0, 1))),
        formula=random.choice(FORMULAS),
        initially=random.sample(FACTS, random.randint(0, 3)),
    )
    given = tuple(random.choices([*ACTIONS, Action("fly")], k=random.randint(0, 5)))
    meter = Budget(states=None, actions=None, instances=10_000, bytes=None).meter()
    repairing = RepairTask(
        WORLD, task.start, given, target_of(task), agent="robot", skip=seed % 3 > 0, meter=meter
    )
    search = RepairSearch(repairing)
    search.run(1 + seed % 3, None)
    result: list[Any] = [len(search.repairs), search.bound, search.complete, bool(search.untried)]
    result.append(meter.instances)
    if search.repairs:
        edits = best_repair(list(search.repairs), repairing, THINGS, complete=search.complete)[1]
        result.append([[str(edit), edit.necessary] for edit in edits])
    return result


def linked(seed: int) -> list[Any]:
    """Return the causal links of a random execution in the workshop."""
    random = Random(f"links {seed}")
    start = workshop_task(initially=random.sample(FACTS, random.randint(0, 4))).start
    now, taken = start.begin(), list[Taken]()
    while len(taken) < 8:
        action = random.choice(ACTIONS)
        numbers = WORLD.numbers(now, action.name, action.by("robot"))
        if WORLD.first_failure(now, action.name, numbers) < 0:
            taken.append(Taken(action, numbers, WORLD.apply(now, action.name, numbers)))
    links = Links(WORLD, start, taken)
    needs = [sorted(map(str, links.needs(place))) for place in range(links.end)]
    rests = [sorted(links.rests_on([(links.needs(place), place)])) for place in range(links.end)]
    failed = [
        sorted(
            map(str, links.failed(action.name, WORLD.numbers(now, action.name, action.by("robot"))))
        )
        for action in ACTIONS[:: 1 + seed % 3]
    ]
    # What the literals rest on that steps have changed, everywhere behind these steps.
    changed = {
        (p, arguments)
        for step in taken
        for p, arguments, _ in changed_literals(step.changes or (), start.layout)
    }
    kept = []
    for place in range(1, links.end + 1):
        for p, arguments in sorted(changed):
            literal = (p, arguments, links.support(place).state.test(p, arguments))
            demand = (frozenset((literal,)), place)
            order = sorted(links.order([demand]) - links.order([]))
            kept.append([sorted(links.rests_on([demand])), order])
    return [needs, rests, sorted(links.order([])), failed, kept]


GOALS = (
    "lit()",
    "not wet(can)",
    "full(robot)",
    "tidy(box)",
    "dry_all()",
    "cut(box)",
    "ready()",
    "cut(can)",
    "in(can, box)",
    "held(robot, saw)",
    "not in(can, box)",
    "wet(saw)",
)


def ways(seed: int) -> list[Any]:
    """Return the way to a random condition in the yard, and what it took to find it."""
    random = Random(f"ways {seed}")
    goals = tuple(map(formula, random.sample(GOALS, random.randint(1, 3))))
    meter = Budget(states=300, actions=None, instances=200_000, bytes=None).meter()
    found = find_way(
        YARD,
        state(STARTS[seed % len(STARTS)]),
        goals[0] if len(goals) == 1 else And(goals),
        agent="robot",
        operators=tuple(YARD.domain.operators),
        meter=meter,
        blocked=lambda: (),
        actions=random.choice((None, None, 2)),
        quick=random.random() < 0.2,
    )
    work = [meter.states, meter.instances]
    if isinstance(found, Reached):
        return [list(map(str, found.plan)), *work]
    return [bool(found.bound), *work]


SEARCHES: dict[str, tuple[Callable[[int], list[Any]], int]] = {
    "grounded": (grounded, 45),
    "planned": (planned, 60),
    "estimated": (estimated, 40),
    "repaired": (repaired, 120),
    "linked": (linked, 30),
    "ways": (ways, 160),
}
"""Searches by name, each with the number of its cases."""


def recorded(name: str) -> list[list[Any]]:
    """Return the results of a search, by number."""
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def result_of(name: str, number: int) -> list[Any]:
    """Return a result as it is kept."""
    kept: list[Any] = json.loads(json.dumps(SEARCHES[name][0](number)))
    return kept


def write(name: str) -> None:
    """Search, and keep what was found."""
    FOLDER.mkdir(exist_ok=True)
    results = [result_of(name, number) for number in range(SEARCHES[name][1])]
    lines = [json.dumps(result, separators=(",", ":")) for result in results]
    (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    for search in SEARCHES:
        write(search)
