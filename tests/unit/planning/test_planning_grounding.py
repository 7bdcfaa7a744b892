"""Grounding: what is left of a task."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from planning_examples import lamps, lamps_domain

from eai.budget import BeyondBudgetError, Budget
from eai.errors import InputError
from eai.logic import And, Atom, Count, Exists, Iff, Next, Variable, Xor
from eai.pddl import Problem, parse_domain, parse_problem
from eai.planning import Limits, Outcome, ground, plan
from eai.planning.lifting import bindings, interchangeable
from eai.simulators import virtualhome_domain
from eai.world import World


def names(goal: str) -> set[str]:
    """The actions that are left for a goal."""
    return {str(action.action) for action in ground(lamps_domain(), lamps(goal)).actions}


def test_only_what_the_goal_can_depend_on_is_kept() -> None:
    assert names("(lit desk)") >= {"press(desk)", "flash()", "go(hall, attic)", "go(attic, hall)"}
    assert "press(floor)" not in names("(lit desk)")
    assert names("(at attic)") == {"go(hall, attic)", "go(attic, hall)"}


def test_what_is_out_of_reach_is_left_out() -> None:
    assert not any("cellar" in name or "wall" in name for name in names("(lit desk)"))
    task = ground(lamps_domain(), lamps("(at cellar)"))
    assert not task.reachable
    assert not task.actions


def test_what_nothing_binds_is_counted_for_every_object() -> None:
    text = """
      (define (domain names) (:predicates (held ?c) (near ?a ?b))
        (:action hold :parameters (?c) :effect (held ?c))
        (:action put :parameters (?a ?b ?c) :precondition (held ?c) :effect (near ?a ?b)))
    """
    domain, objects = parse_domain(text), " ".join(f"o{i}" for i in range(60))
    problem = f"(define (problem p) (:domain names) (:objects {objects}) (:goal (near o1 o2)))"
    limits = Limits(budget=Budget(instances=100_000))  # there are 60 ** 3 pairs to add
    with pytest.raises(BeyondBudgetError, match="100,000 instances"):
        ground(domain, parse_problem(problem, domain=domain), limits=limits)
    assert limits.meter.actions == 0


def test_static_facts_are_no_literals() -> None:
    task = ground(lamps_domain(), lamps("(and (lit desk) (door hall attic))"))
    assert {atom.predicate for atom in task.atoms} <= {"lit", "at"}


def test_actions_that_do_the_same_are_one() -> None:
    problem = lamps("(lit desk)")
    pressing = [a for a in names("(and (lit desk) (lit floor))") if a.startswith("press")]
    assert sorted(pressing) == ["press(desk)", "press(floor)"]
    task = ground(lamps_domain(), problem)
    effects = [(a.condition, a.effect, a.conditional) for a in task.actions]
    assert len(effects) == len(set(effects))


def _with_goal(goal: object) -> Problem:
    from dataclasses import replace

    return replace(lamps("(and)"), goal=goal)  # type: ignore[arg-type]


def test_goals_may_count_and_compare() -> None:
    lamp = Variable("l", ("lamp",))
    desk, floor = Atom("lit", ("desk",)), Atom("lit", ("floor",))
    for goal in (
        Count(2, lamp, Atom("lit", (lamp,)), "exactly"),
        Count(2, lamp, Atom("lit", (lamp,)), "at least"),
        And((Xor(desk, floor), Iff(desk, Atom("at", ("hall",))))),
    ):
        assert ground(lamps_domain(), _with_goal(goal)).reachable
    goal = Count(3, lamp, Atom("lit", (lamp,)), "at least")
    assert not ground(lamps_domain(), _with_goal(goal)).reachable


def test_time_cannot_stand_in_a_task() -> None:
    with pytest.raises(InputError, match="Next cannot stand"):
        ground(lamps_domain(), _with_goal(Next(Atom("lit", ("desk",)))))


CROWD = """
(define (domain crowd)
  (:requirements :adl)
  (:predicates (met ?a ?b ?c) (glad ?a))
  (:action greet
    :parameters (?x)
    :effect (and (glad ?x)
      (forall (?a ?b ?c) (when (glad ?a) (met ?a ?b ?c))))))
"""


@pytest.mark.parametrize(
    ("seconds", "megabytes", "outcome"),
    [(0.1, None, Outcome.TIME_LIMIT), (None, 0.2, Outcome.MEMORY_LIMIT)],
)
def test_limits_hold_while_one_action_is_grounded(
    seconds: float | None, megabytes: float | None, outcome: Outcome
) -> None:
    names = " ".join(f"p{i}" for i in range(60))
    problem = f"(define (problem p) (:domain crowd) (:objects {names}) (:goal (met p0 p1 p2)))"
    found = plan(CROWD, problem, time_limit=seconds, memory_limit=megabytes)
    assert found.outcome is outcome
    assert found.seconds < 5


CROWDED = """
(define (domain crowded)
  (:requirements :adl)
  (:predicates (here ?a) (knows ?a ?b) (glad ?a))
  (:action come :parameters (?x) :effect (here ?x))
  (:action meet :parameters (?x ?y) :effect (knows ?x ?y))
  (:action cheer
    :parameters (?x)
    :precondition {}
    :effect (glad ?x)))
"""


def alternatives(precondition: str) -> int:
    """How many alternatives the precondition of cheering has among five people."""
    people = " ".join(f"p{i}" for i in range(5))
    problem = f"(define (problem p) (:domain crowded) (:objects {people}) (:goal (glad p0)))"
    task = ground(parse_domain(CROWDED.format(precondition)), parse_problem(problem))
    [cheer] = [action for action in task.actions if action.action.name == "cheer"]
    [choice] = cheer.condition.choices
    return len(choice)


def test_variables_that_can_change_places_are_bound_in_one_order() -> None:
    different = "(not (= ?a ?b)) (not (= ?a ?c)) (not (= ?b ?c))"
    three = f"(exists (?a ?b ?c) (and (here ?a) (here ?b) (here ?c) {different}))"
    assert alternatives(three) == 10
    assert alternatives("(exists (?a ?b) (and (here ?a) (knows ?a ?b)))") == 25
    assert alternatives("(exists (?a ?b) (and (here ?a) (here ?b) (knows ?a ?b)))") == 25
    assert alternatives("(exists (?a ?b) (and (knows ?a ?b) (knows ?b ?a) (not (= ?b ?a))))") == 10


def test_selections_of_interchangeable_variables_are_not_gone_through_in_every_order() -> None:
    binding = ["", "", ""]
    every = bindings(binding, [0, 1, 2], [("a", "b", "c")] * 3, lambda _: None, is_unordered=True)
    seen = [tuple(binding) for _ in every]
    assert len(seen) == 10
    assert seen[:2] == [("a", "a", "a"), ("a", "a", "b")]
    assert {"".join(sorted(names)) for names in seen} == {"".join(names) for names in seen}
    [taken] = [a.body for a in virtualhome_domain().axioms if a.head.predicate == "four_on"]
    assert isinstance(taken, Exists)
    assert interchangeable(taken)


@pytest.mark.parametrize(
    ("objects", "alike", "number"), [(50, False, 2500), (50, True, 1275), (32, False, 1024)]
)
def test_combinations_are_counted_first_and_the_clock_is_looked_at_every_1024th(
    objects: int, alike: bool, number: int
) -> None:
    names = [f"o{i}" for i in range(objects)]
    seen = 0
    counted: list[tuple[int, int]] = []  # how many combinations were seen, and the count
    every = bindings(
        ["", ""],
        [0, 1],
        [names, names],
        lambda count: counted.append((seen, count)),
        is_unordered=alike,
    )
    for _ in every:
        seen += 1
    assert seen == number
    # Each combination has two objects.
    assert counted[0] == (0, 2 * number)
    assert counted[1:] == [(1024 * turn, 0) for turn in range(1, number // 1024 + 1)]


def test_a_binding_of_nothing_counts_as_one() -> None:
    counted: list[int] = []
    assert list(bindings([], [], [], counted.append)) == [None]
    assert counted == [1]


PARTY = """
(define (domain party)
  (:requirements :adl)
  (:predicates (here ?a) (near ?a ?b) (told ?a ?b) (busy ?a) (glad ?a))
  (:action tell
    :parameters (?x ?y)
    :effect (and
      (here ?y)
      (forall (?a ?b) (when (here ?a) (and (told ?a ?b) (not (near ?a ?b)))))
      (forall (?a ?b) (when (and (here ?b) (not (busy ?y))) (near ?a ?b)))
      (when (busy ?x) (and (glad ?x) (not (busy ?x))))
      (forall (?a) (busy ?a)))))
"""

HARD = And(
    (
        *(Atom("told", pair) for pair in product("ab", repeat=2)),
        *(Atom("near", pair) for pair in product("ab", repeat=2)),
        *(Atom("glad", (name,)) for name in "ab"),
        *(Atom("busy", (name,)) for name in "ab"),
    )
)


@pytest.mark.parametrize(
    "facts", ["", "(here a)", "(here b) (busy a)", "(here a) (here b) (near a b) (busy b)"]
)
def test_what_actions_do_is_what_they_do_in_the_world(facts: str) -> None:
    text = f"(define (problem p) (:domain party) (:objects a b) (:init {facts}) (:goal (and)))"
    domain, problem = parse_domain(PARTY), parse_problem(text)
    world, task = World(domain), ground(domain, replace(problem, initial=(), goal=HARD))
    start = world.state(problem.objects, problem.initial)
    given = {atom: number for number, atom in enumerate(task.atoms)}
    before = sum(1 << 2 * i + (atom not in set(start.atoms())) for atom, i in given.items())
    assert {action.action.arguments for action in task.actions} == set(product("ab", repeat=2))
    for action in task.actions:
        after = start.copy()
        numbers = tuple(map(start.universe.number, action.action.arguments))
        world.apply(after, "tell", numbers)
        state = task.successor(before, action)
        true = {atom for atom, i in given.items() if state >> 2 * i & 1}
        assert true == given.keys() & set(after.atoms())


def test_a_goal_that_nothing_reaches_is_refused_before_wide_actions_are_made() -> None:
    # 14 objects in the places of five parameters would make 537,824 actions.
    domain = """(define (domain d) (:requirements :adl)
      (:predicates (reach ?x) (hold ?x) (clean ?x) (soaked ?x) (soap ?x))
      (:action go :parameters (?x) :precondition (not (reach ?x)) :effect (reach ?x))
      (:action grasp :parameters (?x) :precondition (reach ?x) :effect (hold ?x))
      (:action wash :parameters (?a ?b ?c ?d ?e)
        :precondition (and (reach ?a) (hold ?b) (reach ?c) (reach ?d) (hold ?e) (not (soaked ?b)))
        :effect (clean ?a))
      (:action lather :parameters (?a ?b) :precondition (and (soap ?a) (clean ?b))
        :effect (soap ?b)))"""
    objects = " ".join(f"o{number}" for number in range(14))
    problem = f"""(define (problem p) (:domain d) (:objects {objects}) (:init)
      (:goal (and (clean o1) (soap o2))))"""
    found = plan(domain, problem, budget=Budget(actions=100, instances=20_000))
    assert found.outcome is Outcome.UNSOLVABLE


def test_the_effects_of_all_ground_actions_are_held_against_the_memory() -> None:
    text = """
      (define (domain lamps) (:requirements :adl :action-costs) (:predicates (lit ?x) (seen ?x ?y))
        (:functions (total-cost))
        (:action press :parameters (?x) :effect (and (lit ?x) (increase (total-cost) 1)))
        (:action look :parameters (?x) :effect (and
          (forall (?y) (when (lit ?y) (seen ?x ?y)))
          (when (lit ?x) (increase (total-cost) 1)))))
    """
    objects = " ".join(f"o{i}" for i in range(30))
    pairs = " ".join(f"(seen o{i} o{j})" for i in range(30) for j in range(30))
    problem = f"""(define (problem p) (:domain lamps) (:objects {objects})
      (:init (= (total-cost) 0)) (:goal (and {pairs})) (:metric minimize (total-cost)))"""
    checked: list[tuple[int, int]] = []

    class Watched(Limits):
        def check(self, effects: int = 0, actions: int = 0, atoms: int = 0) -> None:
            checked.append((effects, actions))
            super().check(effects, actions, atoms)

    domain = parse_domain(text)
    task = ground(domain, parse_problem(problem, domain=domain), limits=Watched())
    counts = [
        1 + len(action.conditional) + len(action.conditional_costs) for action in task.actions
    ]
    assert len(counts) == 60
    sums = {(0, 0), *((sum(counts[:n]), n) for n in range(1, len(counts) + 1))}
    assert len(set(checked)) > 20
    assert set(checked) <= sums
