"""States that an agent can reach by actions over some objects, against all states of a yard."""

from __future__ import annotations

from collections import deque
from itertools import permutations
from random import Random

import pytest
from reachable_states import STARTS, YARD, formula, ground_actions, key, reachable, state

from eai.budget import Budget
from eai.logic import Atom, Formula, conjuncts
from eai.pddl import parse_domain
from eai.planning import Steps, as_plan
from eai.world import Action, State, World

CONDITIONS = (
    "lit()",
    "not wet(can)",
    "full(robot)",
    "tidy(box)",
    "dry_all()",
    "cut(box)",
    "ready()",
)


def steps(start: State, *, mask: int = -1, predicates: frozenset[str] | None = None) -> Steps:
    return Steps(
        YARD,
        start,
        start.universe.number("robot"),
        operators=tuple(YARD.domain.operators),
        mask=start.universe.everything & mask,
        predicates=predicates,
    )


def after(now: State, name: str, numbers: tuple[int, ...]) -> State:
    other = now.copy()
    YARD.apply(other, name, numbers)
    return other


@pytest.mark.parametrize("facts", STARTS)
def test_every_state_is_reached_by_the_actions_that_can_be_taken(facts: str) -> None:
    start = state(facts)
    found = steps(start)
    seen, queue = {0}, deque([0])
    states = {key(start)}
    while queue and len(seen) < 250:
        differing = queue.popleft()
        now = found.state(differing)
        listed = found.following(differing)
        assert found.following(differing) is listed
        # Exactly the actions that can be done and change something, each with its changes.
        expected = {
            (name, numbers)
            for name, numbers in ground_actions()
            if YARD.first_failure(now, name, numbers) < 0 and YARD.changes(now, name, numbers)
        }
        assert {(name, tuple(numbers)) for (name, numbers), _ in listed} == expected
        for (name, numbers), changed in listed:
            then = after(now, name, tuple(numbers))
            assert changed.bit_count() == sum(
                change[3].bit_count() for change in now.changes_to(then)
            )
            assert key(found.state(differing ^ changed)) == key(then)
            states.add(key(then))
            if differing ^ changed not in seen:
                seen.add(differing ^ changed)
                queue.append(differing ^ changed)
    assert len(states) == len(seen)
    if not queue:
        assert states == {key(each) for each in reachable(facts)}


@pytest.mark.parametrize("facts", STARTS)
def test_conditions_that_do_not_hold_are_counted_in_every_state(facts: str) -> None:
    start, random = state(facts), Random(facts)
    found = steps(start)
    conditions: list[Formula] = list(map(formula, CONDITIONS))
    unmet = found.unmet(conditions)
    both = found.unmet(conjuncts(formula("lit() and not wet(can)")))
    for _ in range(6):
        differing = 0
        for _ in range(12):
            now = found.state(differing)
            expected = [not YARD.holds(now, each) for each in conditions]
            assert unmet(differing) == sum(expected)
            assert both(differing) == expected[0] + expected[1]
            following = found.following(differing)
            if not following:
                break
            differing ^= random.choice(following)[1]


def test_actions_are_about_the_objects_of_the_mask() -> None:
    start = state("sharp saw; in can box; lit")
    names = start.universe.names
    for chosen in (("box",), ("can", "saw"), ()):
        mask = sum(1 << start.universe.number(name) for name in chosen)
        for (_, numbers), _changed in steps(start, mask=mask).following(0):
            assert {names[number] for number in numbers[1:]} <= set(chosen)


def test_only_changes_that_matter_are_told_apart() -> None:
    start = state("sharp saw; lit")
    found = steps(start, predicates=frozenset({"lit"}))
    assert {name for (name, _), _ in found.following(0)} == {"press"}
    whole = {name for (name, _), _ in steps(start).following(0)}
    assert whole == {"press", "grab", "splash"}


def test_states_and_effects_are_counted_once_for_each_state() -> None:
    start = state("sharp saw")

    def used(meter_states: int | None = None) -> tuple[int, int]:
        meter = Budget(states=meter_states).meter() if meter_states else Budget.unlimited().meter()
        found = Steps(
            YARD,
            start,
            start.universe.number("robot"),
            operators=tuple(YARD.domain.operators),
            mask=start.universe.everything,
            meter=meter,
        )
        for _ in range(3):
            following = found.following(0)
        found.following(following[0][1])
        return meter.states, meter.instances

    first = used()
    assert first[0] == 2
    # Another search that looks at the same states counts the same.
    assert used() == first


def test_a_plan_names_what_the_agent_does() -> None:
    start = state("sharp saw")
    number = start.universe.number
    taken = [("grab", (number("robot"), number("saw"))), ("press", (number("robot"),))]
    assert as_plan(taken, start) == (Action("grab", ("saw",)), Action("press"))


TIES = World(
    parse_domain("""(define (domain ties)
      (:types robot ring)
      (:predicates (tied ?x ?y) (cold ?x))
      (:action close :parameters (?r - robot ?x - ring) :effect (tied ?x ?x))
      (:action tie :parameters (?r - robot ?x ?y - ring) :effect (tied ?x ?y))
      (:action tie_cold :parameters (?r - robot ?x ?y - ring)
        :effect (and (tied ?x ?y) (cold ?x)))
      (:action join :parameters (?r - robot ?x ?y - ring) :precondition (cold ?x)
        :effect (tied ?y ?x)))""")
)


def test_of_actions_that_do_the_same_the_first_that_asks_for_no_more_is_taken() -> None:
    start = TIES.state({"me": "robot", "a": "ring", "b": "ring"}, [Atom("cold", ("a",))])
    for order in permutations(TIES.domain.operators):
        found = Steps(
            TIES,
            start,
            start.universe.number("me"),
            operators=order,
            mask=start.universe.everything,
            predicates=frozenset({"tied"}),
        )
        listed = {name for (name, _), _ in found.following(0)}
        # Where only ties are asked for, coldness is no more than a condition.
        same = ("tie", "tie_cold")
        expected = {"close", min(same, key=order.index)}
        if order.index("join") < min(map(order.index, same)):
            expected.add("join")
        assert listed == expected, order
