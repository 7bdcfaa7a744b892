"""How much of the actions and problems of earlier plans is remembered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from unittest import mock

import pytest

from eai.pddl import Domain, Problem, parse_domain, parse_problem
from eai.planning import Validation, action_masks, validate, validate_all
from eai.planning.action_masks import TableMemory
from eai.planning.runs import PlanRuns
from eai.world import Action, world_of

SWITCHES = parse_domain("""
(define (domain switches) (:requirements :adl) (:types switch)
  (:predicates (on ?s - switch))
  (:action press :parameters (?s - switch)
    :effect (and (when (on ?s) (not (on ?s))) (when (not (on ?s)) (on ?s)))))
""")

BARRELS = parse_domain("""
(define (domain barrels) (:requirements :adl :numeric-fluents :derived-predicates)
  (:types barrel)
  (:predicates (fits ?b - barrel) (sealed ?b - barrel))
  (:functions (content ?b - barrel) (size ?b - barrel))
  (:derived (fits ?b - barrel) (<= (content ?b) (size ?b)))
  (:action fill :parameters (?b - barrel) :effect (assign (content ?b) 3))
  (:action seal :parameters (?b - barrel) :precondition (fits ?b) :effect (sealed ?b)))
""")
BARREL = parse_problem(
    "(define (problem p) (:domain barrels) (:objects b - barrel) (:init)"
    " (:goal (= (content b) 3)))",
    domain=BARRELS,
)


def switches(number: int) -> Problem:
    """Return a problem with a number of switches, all of which are on."""
    names = [f"s{index}" for index in range(number)]
    facts = " ".join(f"(on {name})" for name in names)
    return parse_problem(
        f"(define (problem p) (:domain switches) (:objects {' '.join(names)} - switch)"
        f" (:init {facts}) (:goal (on s0)))",
        domain=SWITCHES,
    )


PRESS = Action("press", ("s0",))
FILL = Action("fill", ("b",))
SEAL = Action("seal", ("b",))


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    """Begin with nothing remembered, so that the order of tests does not matter."""
    action_masks.MEMORY.forget()
    yield
    action_masks.MEMORY.forget()


def test_as_many_entries_are_remembered_as_the_bound_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(action_masks, "MAX_REMEMBERED", 4)
    memory = TableMemory()
    for _ in range(2):  # a second time after everything was forgotten
        for key in range(4):
            memory.share(key, f"value {key}", entries=1)
        assert [memory.shared(key) for key in range(5)] == [
            "value 0",
            "value 1",
            "value 2",
            "value 3",
            None,
        ]
        assert memory.entries == 4
        memory.share(4, "value 4", entries=1)
        assert [memory.shared(key) for key in range(5)] == [None, None, None, None, "value 4"]
        assert memory.entries == 1
        memory.forget()
        assert memory.entries == 0


def test_large_value_takes_half_of_the_room_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(action_masks, "MAX_REMEMBERED", 10)
    memory = TableMemory()
    memory.share("small", 1, entries=3)
    assert memory.entries == 3
    memory.share("large", 2, entries=1000)
    assert memory.entries == 8
    assert (memory.shared("small"), memory.shared("large")) == (1, 2)


def executions(domain: Domain, problem: Problem, plans: list[list[Action]]) -> int:
    """Return how often the engine executes an action while plans are validated one by one."""
    with mock.patch("eai.world.transition.World.apply", autospec=True, return_value=()) as apply:
        for steps in plans:
            validate(domain, problem, steps)
    return int(apply.call_count)


def test_problem_with_more_facts_than_the_bound_is_remembered_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(action_masks, "MAX_REMEMBERED", 40)
    # It is forgotten once, to make room for its action, but not with every plan.
    assert executions(SWITCHES, switches(100), [[PRESS]] * 9) <= 2


def test_action_that_only_assigns_a_constant_changes_the_number() -> None:
    assert validate_all(BARRELS, BARREL, [[FILL], [FILL, FILL]]) == [
        Validation(True, cost=1.0),
        Validation(True, cost=2.0),
    ]
    assert not validate(BARRELS, BARREL, []).valid


def test_undefined_value_that_a_rule_needs_is_that_of_the_state() -> None:
    at_start, after_filling, again = validate_all(BARRELS, BARREL, [[SEAL], [FILL, SEAL], [SEAL]])
    assert (at_start.step, after_filling.step) == (1, 2)
    assert "(content b)" in at_start.reason
    assert "(size b)" in after_filling.reason
    assert again == at_start


ROADS = parse_domain("""
(define (domain roads) (:types place) (:predicates (at ?p - place) (road ?a ?b - place))
  (:action go :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b))
    :effect (and (at ?b) (not (at ?a)))))
""")
ROAD = parse_problem(
    "(define (problem p) (:domain roads) (:objects a b c - place)"
    " (:init (at a) (road a b) (road b c)) (:goal (at b)))",
    domain=ROADS,
)


def test_problem_counts_its_facts_and_what_it_shares_objects_and_static_facts() -> None:
    memory = action_masks.MEMORY
    validate(ROADS, ROAD, [])
    problem_entries, shared_entries = 1 + 3, 1 + 3 + 2
    assert memory.entries == problem_entries + shared_entries
    validate(ROADS, replace(ROAD, initial=ROAD.initial[1:]), [Action("go", ("a", "b"))])
    # another problem with the same objects and roads, and an action
    assert memory.entries == problem_entries + shared_entries + 3 + 1
    # a plan whose action is known for the problem that was the first
    validate(ROADS, ROAD, [Action("go", ("a", "b"))])
    assert memory.entries == problem_entries + shared_entries + 3 + 1


def test_goal_of_literals_is_not_tested_by_the_engine() -> None:
    with mock.patch("eai.world.transition.World.holds", autospec=True) as holds:
        valid = validate_all(ROADS, ROAD, [[Action("go", ("a", "b"))], []])
    assert [validation.valid for validation in valid] == [True, False]
    assert not holds.called


def test_other_goal_is_tested_by_the_engine_once_in_a_state() -> None:
    either = parse_problem(
        "(define (problem p) (:domain roads) (:objects a b c - place)"
        " (:init (at a) (road a b) (road b c)) (:goal (or (at b) (at c))))",
        domain=ROADS,
    )
    with mock.patch("eai.world.transition.World.holds", autospec=True, return_value=True) as holds:
        for _ in range(3):
            assert validate(ROADS, either, [Action("go", ("a", "b"))]).valid
    assert holds.call_count == 1


def test_run_says_how_far_it_came_and_which_test_fails() -> None:
    runs = PlanRuns.of(world_of(ROADS), ROAD.objects, ROAD.initial, ROAD.goal)
    go, too_far, astray = (
        Action("go", ("a", "b")),
        Action("go", ("b", "a")),
        Action("go", ("c", "b")),
    )
    done = runs.run([go])
    assert (done.steps_done, done.stopped_by, done.failing) == (1, None, -1)
    assert runs.is_goal(done)
    assert runs.run([]).steps_done == 0
    assert not runs.is_goal(runs.run([]))
    for plan, steps_done, failing in (([go, too_far], 1, 1), ([astray], 0, 0)):
        stopped = runs.run([*plan, go])
        assert stopped.stopped_by is not None
        assert (stopped.steps_done, stopped.failing) == (steps_done, failing)
        assert stopped.stopped_by.action == plan[-1]
    unknown = runs.run([go, Action("fly", ("b",)), go])
    assert unknown.stopped_by is not None
    assert (unknown.steps_done, unknown.failing) == (1, -1)
    assert unknown.stopped_by.error


def test_numbers_are_no_costs_unless_it_is_said() -> None:
    world = world_of(BARRELS)
    runs = PlanRuns.of(world, BARREL.objects, BARREL.initial, BARREL.goal, BARREL.values)
    assert runs.is_goal(runs.run([FILL]))
    assert runs.constant_cost([FILL]) == 0
