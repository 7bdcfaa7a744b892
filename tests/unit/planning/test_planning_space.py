"""What is kept of the states around a start is what the world says of each of them."""

from __future__ import annotations

from itertools import product

import pytest

from eai.logic import Atom
from eai.pddl import parse_condition, parse_domain
from eai.planning import Steps
from eai.planning.space import CachedFunction, StateCache, state_cache_of
from eai.world import State, World, mask_of

SHELVES = parse_domain("""
(define (domain shelves)
  (:types agent thing)
  (:predicates (holds ?a - agent ?x - thing) (on ?x ?y - thing) (hot ?x - thing) (tired ?a - agent)
    (between ?x ?y ?z - thing) (alarm) (fixed ?x - thing) (above ?x ?y - thing) (buried ?x - thing))
  (:derived (above ?x ?y - thing)
    (or (on ?x ?y) (exists (?z - thing) (and (on ?x ?z) (above ?z ?y)))))
  (:derived (buried ?x - thing) (exists (?y - thing) (above ?y ?x)))
  (:action take :parameters (?a - agent ?x - thing)
    :precondition (and (not (tired ?a)) (not (fixed ?x)) (not (buried ?x))
      (forall (?y - thing) (not (holds ?a ?y))))
    :effect (and (holds ?a ?x) (forall (?y - thing) (not (on ?x ?y)))
      (forall (?y ?z - thing) (not (between ?x ?y ?z)))))
  (:action put :parameters (?a - agent ?x ?y - thing)
    :precondition (and (holds ?a ?x) (not (hot ?y)) (not (= ?x ?y)) (not (above ?y ?x)))
    :effect (and (on ?x ?y) (not (holds ?a ?x))))
  (:action wedge :parameters (?a - agent ?x ?y ?z - thing)
    :precondition (and (holds ?a ?x) (not (= ?x ?y)) (not (= ?x ?z)) (not (= ?y ?z)))
    :effect (and (between ?x ?y ?z) (not (holds ?a ?x)) (tired ?a)))
  (:action heat :parameters (?a - agent ?x - thing)
    :precondition (or (fixed ?x) (buried ?x))
    :effect (and (hot ?x) (not (alarm)) (when (hot ?x) (alarm)) (when (not (buried ?x)) (tired ?a))
      (forall (?y - thing) (when (above ?y ?x) (hot ?y)))))
  (:action rest :parameters (?a - agent)
    :precondition (tired ?a)
    :effect (and (not (tired ?a)) (forall (?x - thing) (not (hot ?x)))))
  (:action sound :parameters (?a - agent) :precondition (not (alarm)) :effect (alarm)))
""")
WORLD = World(SHELVES)
NUMBER = WORLD.layout.index
THINGS = ("cup", "pan", "table")
OBJECTS = {"me": "agent", "you": "agent", **dict.fromkeys(THINGS, "thing")}


def start(*facts: str) -> State:
    atoms = [fact.split() for fact in ("fixed table", "on cup pan", *facts)]
    return WORLD.state(OBJECTS, [Atom(name, tuple(terms)) for name, *terms in atoms])


GOALS = {
    "a relation": "(on cup table)",
    "a rule": "(above cup table)",
    "a rule of a rule": "(not (buried pan))",
    "three objects": "(between cup pan table)",
    "no object": "(alarm)",
    "all": "(forall (?x - thing) (or (hot ?x) (holds me ?x)))",
}


@pytest.mark.parametrize("name", GOALS)
@pytest.mark.parametrize("facts", [(), ("holds me cup", "hot table"), ("tired me", "on pan table")])
@pytest.mark.parametrize("done", [(), ("sound me", "heat me table"), ("take me cup",)])
def test_states_and_steps_are_those_of_the_world(
    name: str, facts: tuple[str, ...], done: tuple[str, ...]
) -> None:
    at = start(*facts).begin()
    for each in done:  # a search may begin where a plan has led
        action, *arguments = each.split()
        numbers = tuple(map(at.universe.number, arguments))
        if WORLD.first_failure(at, action, numbers) < 0:
            WORLD.apply(at, action, numbers)
    goal = parse_condition(GOALS[name], domain=SHELVES, objects=OBJECTS)
    agent = at.universe.number("me")
    things = list(map(at.universe.number, THINGS))
    search = Steps(
        WORLD, at, agent, operators=tuple(SHELVES.operators), mask=mask_of([agent, *things])
    )
    unmet, test = search.unmet([goal]), WORLD.test_of(goal, at.universe)
    actions = [
        (operator.name, (agent, *others))
        for operator in SHELVES.operators.values()
        for others in product(things, repeat=len(operator.parameters) - 1)
    ]
    seen, waiting = {0}, [(0, at)]
    for _ in range(40):
        differing, now = waiting.pop(len(seen) % len(waiting))
        assert unmet(differing) == (not test(now))
        assert set(search.state(differing).atoms()) == set(now.atoms())
        following = dict(search.following(differing))
        for step in actions:
            after = now.copy()
            if WORLD.first_failure(now, *step) < 0 and WORLD.apply(after, *step):
                reached = differing ^ following.pop(step)
                if reached not in seen:
                    seen.add(reached)
                    waiting.append((reached, after))
        assert not following
        if not waiting:
            break
    assert len(seen) > 3


def test_one_space_serves_all_searches_from_a_start() -> None:
    at, other = start().begin(), start("hot pan").begin()
    space = state_cache_of(WORLD, at, 0)
    assert state_cache_of(WORLD, at, 0) is space
    following = at.copy()
    assert WORLD.apply(following, "sound", (0,))
    assert state_cache_of(WORLD, following, 0) is space
    for world, state, agent in ((WORLD, at, 1), (World(SHELVES), at, 0), (WORLD, other, 0)):
        space = state_cache_of(WORLD, at, 0)
        found = state_cache_of(world, state, agent)
        assert found is not space
        assert found.agent == agent
        assert state_cache_of(world, state, agent) is found


def test_a_state_that_no_execution_led_to_has_a_space_of_its_own() -> None:
    at = start()
    assert at.began is None
    assert state_cache_of(WORLD, at, 0) is not state_cache_of(WORLD, at, 0)


def test_a_space_in_which_too_much_is_kept_ends() -> None:
    at = start().begin()
    space = state_cache_of(WORLD, at, 0)
    kept: list[str] = space.shared("key", list)
    kept.append("something")
    assert space.shared("key", list) == ["something"]
    space.kept = 100_000
    assert state_cache_of(WORLD, at, 0) is space
    space.kept = 100_001
    assert state_cache_of(WORLD, at, 0) is not space
    assert space.shared("key", list) == []


def test_lists_of_actions_are_forgotten_when_there_are_too_many() -> None:
    space = StateCache(WORLD, start().begin(), 0)
    kept: list[str] = space.shared("key", list)
    kept.append("something")
    space.listed = 50_000
    assert space.shared("key", list) == ["something"]
    space.listed = 50_001
    assert space.shared("key", list) == []
    assert space.listed == 0


def test_a_difference_is_the_atoms_that_changed() -> None:
    origin = start("between cup pan table")
    space = StateCache(WORLD, origin, 0)
    assert space.difference(origin) == 0
    changed = origin.copy()
    changed.put(NUMBER["on"], (2, 3), False)
    changed.put(NUMBER["hot"], (4,), True)
    changed.put(NUMBER["between"], (2, 3, 4), False)
    changed.put(NUMBER["alarm"], (), True)
    mask = space.difference(changed)
    assert mask.bit_count() == 4
    assert set(space.state(origin, 0, mask).atoms()) == set(changed.atoms())
    assert set(space.state(changed, mask, mask).atoms()) == set(origin.atoms())
    one = space.atoms(1 << NUMBER["hot"])
    assert one.bit_count() == 1
    assert space.part(1 << NUMBER["hot"], mask) == one
    assert space.part(1 << NUMBER["tired"], mask) == 0
    assert space.atoms(-1) & mask == mask
    assert set(space.state(origin, 0, one).atoms()) == {
        *origin.atoms(),
        Atom("hot", ("table",)),
    }


def test_a_value_is_known_for_all_states_that_agree_in_what_was_read() -> None:
    origin = start().begin()
    space = StateCache(WORLD, origin, 0)
    is_hot, alarm = NUMBER["hot"], NUMBER["alarm"]
    # The second line is read only if nothing is hot.
    function = CachedFunction(lambda state: state.unary[is_hot] or -state.unary[alarm])
    differences = {}
    for names in ((), ("hot",), ("alarm",), ("tired",), ("hot", "alarm"), ("tired", "alarm")):
        state = origin.copy()
        for name in names:
            state.put(NUMBER[name], () if name == "alarm" else (2,), True)
        differences[names] = space.difference(state)
    assert {function.cached_value(difference) for difference in differences.values()} == {None}
    quiet = origin.copy()
    assert space.value(function, differences[()], quiet) == 0
    known = {names for names in differences if function.cached_value(differences[names]) == 0}
    assert known == {(), ("tired",)}
    quiet.put(is_hot, (2,), True)
    assert space.value(function, differences["hot",], quiet) == 1 << 2
    known = {names for names in differences if function.cached_value(differences[names]) == 1 << 2}
    assert known == {("hot",), ("hot", "alarm")}
    assert function.cached_value(differences["tired", "alarm"]) is None


def test_only_an_agent_of_the_right_type_acts() -> None:
    domain = parse_domain("""(define (domain staff) (:types agent thing - object boss - agent)
      (:predicates (done ?x - thing) (told ?x - thing))
      (:action do :parameters (?a - agent ?x - thing) :effect (done ?x))
      (:action tell :parameters (?b - boss ?x - thing) :effect (told ?x)))""")
    world = World(domain)
    at = world.state({"me": "agent", "you": "boss", "cup": "thing"}, ()).begin()
    everything = mask_of(range(3))
    for agent, names in ((0, {"do"}), (1, {"do", "tell"}), (2, set[str]())):
        search = Steps(world, at, agent, operators=("do", "tell"), mask=everything)
        assert {name for (name, _), _ in search.following(0)} == names


def test_a_state_of_the_cache_that_is_changed_forgets_what_is_derived() -> None:
    origin, other = start(), start("hot cup")
    cache = StateCache(WORLD, origin, origin.universe.number("me"))
    difference = cache.difference(other)
    above = Atom("above", ("cup", "pan"))
    first = cache.state(origin, 0, difference)
    assert WORLD.holds(first, above)
    cache.keep(first.memo, difference)
    state = cache.state(origin, 0, difference)
    state.remove("on", ("cup", "pan"))
    assert not WORLD.holds(state, above)
