"""The history of a condition: tested only where something that it depends on changed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from eai.diagnosis import DomainRules, Run
from eai.errors import UnknownNameError
from eai.logic import ActionAtom, And, Atom, Formula, Not, Or, parse_formula
from eai.pddl import parse_domain
from eai.simulators import execute
from eai.world import Action, ConditionHistories, State, Trajectory, Universe, World

DOMAIN = parse_domain(
    """
    (define (domain shelves)
      (:predicates (on ?x ?y) (red ?x) (wet ?x) (above ?x ?y) (low ?x) (odd ?x))
      (:derived (above ?x ?y) (or (on ?x ?y) (exists (?z) (and (on ?x ?z) (above ?z ?y)))))
      (:derived (low ?x) (not (exists (?y) (above ?x ?y))))
      (:action stack :parameters (?c ?x ?y) :effect (on ?x ?y))
      (:action take :parameters (?c ?x ?y) :effect (not (on ?x ?y)))
      (:action paint :parameters (?c ?x) :effect (red ?x))
      (:action wet :parameters (?c ?x) :effect (wet ?x)))
    """
)
WORLD = World(DOMAIN)
A, B, C = "abc"
CONDITIONS: tuple[Formula, ...] = (
    Atom("above", (A, C)),
    Atom("low", (A,)),
    And((Atom("red", (A,)), Not(Atom("low", (B,))))),
    Or((Atom("wet", (B,)), Atom("above", (A, B)))),
)


class Plain:
    """A simulator of the shelves."""

    world = WORLD
    rules = DomainRules()


def trajectory(rounds: int = 1) -> Trajectory:
    steps = ("paint a", "stack a b", "stack b c", "wet b", "take a b", "stack a c", "take b c")
    plan = [Action(words[0], tuple(words[1:])) for words in map(str.split, steps * rounds)]
    start = WORLD.state(dict.fromkeys(["me", A, B, C], "object"), [])
    return execute(Plain(), start, plan, agent="me").trajectory


@pytest.mark.parametrize("condition", CONDITIONS, ids=repr)
def test_a_history_is_the_truth_in_every_state(condition: Formula) -> None:
    found = trajectory()
    truth = [WORLD.holds(state, condition) for state in found.states()]
    assert len(truth) == 8
    assert set(truth) == {True, False}
    for _ in range(2):  # it is remembered
        history = found.condition(condition)
        assert [bool(history >> position & 1) for position in range(8)] == truth


@pytest.mark.parametrize("condition", CONDITIONS, ids=repr)
def test_a_plan_that_goes_round_in_circles_comes_to_the_same_states(condition: Formula) -> None:
    found = trajectory(rounds=4)
    truth = [WORLD.holds(state, condition) for state in found.states()]
    history = found.condition(condition)
    assert [bool(history >> position & 1) for position in range(len(truth))] == truth


@pytest.mark.parametrize("condition", CONDITIONS, ids=repr)
def test_a_run_that_goes_on_adds_to_the_histories_that_it_has(condition: Formula) -> None:
    whole = trajectory(rounds=2)
    run, rules = Run(WORLD, whole.start, "me"), DomainRules()
    other = CONDITIONS[0]
    for number, step in enumerate(whole.steps, start=1):
        rules.take(run, step.action, number)
        positions = (2 << number) - 1
        if number % 3:  # now and then it is not asked
            assert run.trajectory.condition(condition) == whole.condition(condition) & positions
        if number > 5:  # one that is asked for later has all positions, too
            assert run.trajectory.condition(other) == whole.condition(other) & positions


@pytest.fixture
def tested(monkeypatch: pytest.MonkeyPatch) -> list[Formula]:
    """The conditions that were tested in a state, once for each test."""
    conditions: list[Formula] = []
    plain = WORLD.test_of

    def counting(formula: Formula, universe: Universe) -> Callable[[State], bool]:
        test = plain(formula, universe)

        def counted(state: State) -> bool:
            conditions.append(formula)
            return test(state)

        return counted

    monkeypatch.setattr(WORLD, "test_of", counting)
    return conditions


def test_a_condition_is_tested_once_after_each_step_however_often_it_is_asked_for(
    tested: list[Formula],
) -> None:
    whole = trajectory(rounds=10)
    run, rules = Run(WORLD, whole.start, "me"), DomainRules()
    for number, step in enumerate(whole.steps, start=1):
        rules.take(run, step.action, number)
        for _ in range(2):
            run.trajectory.condition(Atom("red", (A,)))
    # It is painted once, and the condition reads nothing else.
    assert len(tested) == 2


def test_a_derived_condition_is_tested_once_in_each_state_while_there_is_room(
    tested: list[Formula], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the second round on, all states were there in the round before."""
    numbers = {}
    for limit in (100, 6, 0):
        monkeypatch.setattr("eai.world.trajectory._MAX_REMEMBERED", limit)
        for rounds in (2, 6):
            tested.clear()
            whole = trajectory(rounds=rounds)
            ConditionHistories(WORLD, whole.start, whole.steps).truth(CONDITIONS[0])
            numbers[limit, rounds] = len(tested)
    assert numbers[100, 2] == numbers[100, 6] < numbers[6, 6] < numbers[0, 6]


def test_a_history_never_goes_back_on_values_that_are_not_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = trajectory(rounds=4)
    expected = [whole.condition(condition) for condition in CONDITIONS]
    for limit in (0, 1, 3):
        monkeypatch.setattr("eai.world.trajectory._MAX_REMEMBERED", limit)
        histories = ConditionHistories(WORLD, whole.start, whole.steps)
        assert [histories.truth(condition) for condition in CONDITIONS] == expected


def test_a_trajectory_that_is_kept_while_its_run_goes_on_is_not_mistaken() -> None:
    whole, goal = trajectory(), Atom("above", (A, C))
    run, rules = Run(WORLD, whole.start, "me"), DomainRules()
    kept = None
    for number, step in enumerate(whole.steps, start=1):
        rules.take(run, step.action, number)
        if number == 2:
            run.trajectory.condition(goal)
        if number == 3:
            kept = run.trajectory
    assert kept is not None
    assert kept.condition(goal) == whole.condition(goal)


def test_a_condition_reads_what_its_axioms_lead_to() -> None:
    def names(condition: Formula) -> set[str]:
        read = WORLD.reads(condition)
        assert read is not None
        return {WORLD.layout.names[number] for number in read}

    assert names(Atom("red", (A,))) == {"red"}
    assert names(Atom("low", (A,))) == {"on"}
    assert names(CONDITIONS[2]) == {"red", "on"}


def test_a_condition_reads_nothing_through_actions() -> None:
    actions = ActionAtom("take", (A,)), ActionAtom("drop", (A,))
    read = WORLD.reads(And((actions[0], Atom("red", (A,)), actions[1])))
    assert read == frozenset({WORLD.layout.index["red"]})
    assert WORLD.reads(And(actions)) == frozenset()


def test_an_unknown_predicate_is_named() -> None:
    with pytest.raises(UnknownNameError, match="'blue'"):
        WORLD.reads(Atom("blue", (A,)))


def test_a_computed_predicate_may_read_anything() -> None:
    def odd(state: State) -> int:
        return state.unary[state.layout.index["red"]]

    world = World(DOMAIN, computed={"odd": odd})
    assert world.reads(Atom("odd", (A,))) is None
    assert world.reads(Or((Atom("red", (A,)), Atom("odd", (A,))))) is None
    assert world.reads(Atom("red", (A,))) is not None


def test_a_test_of_a_condition_serves_all_states_over_its_universe() -> None:
    found = trajectory()
    test = WORLD.test_of(Atom("above", (A, C)), found.start.universe)
    assert not test(found.start)
    assert test(found.final)
    with pytest.raises(UnknownNameError, match="'d'"):
        WORLD.test_of(Atom("red", ("d",)), found.start.universe)


TANKS = parse_domain(
    """
    (define (domain tanks)
      (:requirements :adl :numeric-fluents)
      (:predicates (open ?x))
      (:functions (level ?x) (total))
      (:action fill :parameters (?x) :effect (and (increase (level ?x) 1) (increase (total) 1)))
      (:action empty :parameters (?x) :effect (and (assign (level ?x) 0) (open ?x)))
      (:action shut :parameters (?x) :effect (not (open ?x))))
    """
)
TANK_WORLD = World(TANKS)


@pytest.mark.parametrize(
    "text",
    [
        "level(a) >= 1",
        "level(b) > level(a)",
        "total >= 3",
        "open(b) & level(b) = 0",
        "exists x. (level(x) >= 2)",
        "open(a) | total >= 4",
    ],
)
def test_a_history_of_numbers_is_the_truth_in_every_state(text: str) -> None:
    condition = parse_formula(text)
    words = ("fill a", "fill b", "fill b", "shut a", "empty a", "fill a", "empty b", "shut b")
    plan = [Action(name, (tank,)) for name, tank in map(str.split, words)]
    levels = {Atom("level", (A,)): 0, Atom("level", (B,)): 0, Atom("total", ()): 0}
    start = TANK_WORLD.state(dict.fromkeys([A, B], "object"), [], levels)
    run, rules = Run(TANK_WORLD, start, ""), DomainRules()
    for number, action in enumerate(plan, start=1):
        rules.take(run, action, number)
        if number == 3:  # the history goes on from here
            run.trajectory.condition(condition)
    found = run.trajectory
    truth = [TANK_WORLD.holds(state, condition) for state in found.states()]
    assert set(truth) == {True, False}
    replayed = Trajectory(TANK_WORLD, start, found.steps)
    for history in (found.condition(condition), replayed.condition(condition)):
        assert [bool(history >> position & 1) for position in range(len(plan) + 1)] == truth
