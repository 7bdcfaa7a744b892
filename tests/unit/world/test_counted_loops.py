"""What conditions and effects look at is counted where a world has a budget."""

from __future__ import annotations

from itertools import pairwise

import pytest

from eai.budget import BeyondBudgetError, Budget, Meter
from eai.logic import Atom
from eai.pddl import parse_condition, parse_domain
from eai.world import State, World


def world(effect: str = "(and)") -> World:
    return World(
        parse_domain(f"""(define (domain d) (:requirements :adl :derived-predicates) (:types thing)
      (:predicates (clean ?x - thing) (on ?x ?y - thing) (above ?x ?y - thing)
        (lower ?x ?y ?z - thing))
      (:derived (above ?x ?y - thing)
        (or (on ?x ?y) (exists (?z - thing) (and (on ?x ?z) (above ?z ?y)))))
      (:derived (lower ?x ?y ?z - thing)
        (or (and (on ?x ?y) (on ?y ?z))
          (exists (?w - thing) (and (on ?x ?w) (lower ?w ?y ?z)))))
      (:action act :parameters () :effect {effect}))""")
    )


def counted(a_world: World, **budget: int) -> Meter:
    meter = Budget(**budget).meter()
    a_world.count_loops(meter)
    return meter


def tower(a_world: World, height: int) -> State:
    """Return a state with things on each other, ``t0`` at the top; ``t1`` is clean."""
    names = [f"t{index}" for index in range(height)]
    facts = [Atom("on", pair) for pair in pairwise(names)]
    return a_world.state(dict.fromkeys(names, "thing"), [*facts, Atom("clean", ("t1",))])


@pytest.mark.parametrize("height", [6, 20])
@pytest.mark.parametrize(
    "effect",
    [
        # nothing that the literal says depends on x
        "(forall (?x ?y ?z - thing) (when (and (clean ?y) (on ?x ?z)) (on ?y ?z)))",
        "(forall (?x ?y ?z - thing)"
        " (when (and (clean ?y) (on ?x ?z) (clean ?x)) (not (on ?y ?z))))",
        "(forall (?y ?z - thing) (when (and (clean ?y) (on ?z ?y)) (on ?y ?z)))",
    ],
)
def test_only_objects_that_a_fact_names_are_gone_through(effect: str, height: int) -> None:
    its_world = world(effect)
    meter = counted(its_world)
    state = tower(its_world, height)
    its_world.apply(state, "act", ())
    assert 1 <= meter.instances <= 2 * height


def test_each_object_is_counted_that_a_condition_goes_through() -> None:
    its_world = world()
    meter = counted(its_world)
    state = tower(its_world, 6)
    pairs = parse_condition("(forall (?x ?y - thing) (or (not (on ?x ?y)) (not (on ?y ?x))))")
    assert its_world.holds(state, pairs)
    first = meter.instances
    assert first >= 6
    assert its_world.holds(state, pairs)
    assert meter.instances == 2 * first


def test_table_of_three_arguments_is_counted_and_takes_room() -> None:
    its_world = world()
    meter = counted(its_world)
    state = tower(its_world, 6)
    assert its_world.holds(state, parse_condition("(above t0 t5)"))
    assert meter.bytes == 0  # pairs are kept as masks
    lower = parse_condition("(lower t0 t3 t4)")
    before = meter.instances
    assert its_world.holds(state, lower)
    assert meter.instances - before >= 36  # each pair of objects before the last
    assert meter.bytes == 36 * 200


@pytest.mark.parametrize("condition", ["(above t0 t5)", "(lower t0 t4 t5)"])
def test_table_that_was_broken_off_is_made_again(condition: str) -> None:
    its_world = world()
    meter = counted(its_world, instances=1000)
    state = tower(its_world, 6)
    meter.instances = 990
    with pytest.raises(BeyondBudgetError):
        its_world.holds(state, parse_condition(condition))
    meter.instances = 0
    assert its_world.holds(state, parse_condition(condition))
    assert not its_world.holds(state, parse_condition(condition.replace("t0", "t5")))


def test_nothing_is_counted_in_a_world_without_a_meter() -> None:
    counting, other = world(), world()
    meter = counted(counting)
    assert other.holds(tower(other, 6), parse_condition("(lower t0 t4 t5)"))
    assert meter.instances == 0
