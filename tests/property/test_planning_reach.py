"""The search for subgoals finds what a search over all actions finds, and its plans run."""

from __future__ import annotations

from itertools import product
from random import Random

from hypothesis import given, settings, strategies as st

from eai.abilities.subgoals.width import NoWay, find_way
from eai.budget import Budget
from eai.logic import And, Atom, Formula, Not, Or
from eai.simulators import VirtualHomeSimulator
from eai.world import State
from eai.world.bits import bits

WORLD = VirtualHomeSimulator().world
ME = "character.1"
THINGS = ("box.3", "cup.4", "lamp.5")
OBJECTS = {ME: "character", "hall.2": "room", **dict.fromkeys(THINGS, "thing")}
STATES = ("closed", "open", "on", "off", "clean", "dirty", "plugged_out")
KINDS = ("grabbable", "can_open", "has_switch", "has_plug", "sittable", "surfaces", "clothes")
RELATIONS = ("ontop", "inside", "next_to", "facing")


def _scene(random: Random) -> State:
    facts = [Atom("inside", (name, "hall.2")) for name in (ME, *THINGS)]
    for name in THINGS:
        facts += [Atom(kind, (name,)) for kind in random.sample(KINDS, 3)]
        facts += [Atom(state, (name,)) for state in random.sample(STATES, 2)]
    for _ in range(random.randint(0, 3)):
        pair = tuple(random.sample((ME, *THINGS), 2))
        facts.append(Atom(random.choice(RELATIONS), pair))
    return WORLD.state(OBJECTS, dict.fromkeys(facts))


def _goal(random: Random) -> Formula:
    def literal() -> Formula:
        thing, other = random.sample(THINGS, 2)
        about = (ME, thing)
        names = ["holds_rh", "next_to", "facing", "ontop"]
        atoms = [Atom(random.choice(STATES), (thing,)), Atom(random.choice(names), about)]
        atoms.append(Atom(random.choice(["ontop", "inside"]), (thing, other)))
        atom = random.choice(atoms)
        return atom if random.random() < 0.8 else Not(atom)

    join = random.choice([And, Or])
    return join(tuple(literal() for _ in range(random.randint(1, 2))))


def _reachable(start: State, goal: Formula, depth: int) -> bool:
    """Whether some sequence of at most ``depth`` actions, of all that there are, makes it true."""
    layer = [start]
    for remaining in range(depth, -1, -1):
        if any(WORLD.holds(state, goal) for state in layer):
            return True
        layer = [after for state in layer for after in _successors(state)] if remaining else []
    return False


def _successors(state: State) -> list[State]:
    found: dict[frozenset[Atom], State] = {}
    for name, operator in WORLD.domain.operators.items():
        ranges = [list(bits(state.universe.mask(v.types))) for v in operator.parameters]
        for numbers in product(*ranges):
            if WORLD.first_failure(state, name, numbers) < 0:
                after = state.copy()
                WORLD.apply(after, name, numbers)
                found.setdefault(frozenset(after.atoms()), after)
    return list(found.values())


@settings(max_examples=25)
@given(st.randoms(use_true_random=False))
def test_what_few_actions_reach_is_found(random: Random) -> None:
    start, goal = _scene(random), _goal(random)
    found = find_way(
        WORLD,
        start,
        goal,
        agent=ME,
        operators=tuple(WORLD.domain.operators),
        meter=Budget.unlimited().meter(),
        blocked=lambda: (),
        actions=4,
    )
    if isinstance(found, NoWay):
        assert found.bound == "states" or not _reachable(start, goal, 2)
        return
    now = start.copy()
    for action in found.plan:
        numbers = WORLD.numbers(now, action.name, (ME, *action.arguments))
        assert WORLD.first_failure(now, action.name, numbers) < 0
        assert not WORLD.holds(now, goal)
        WORLD.apply(now, action.name, numbers)
    assert WORLD.holds(now, goal)
