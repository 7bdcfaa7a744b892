"""What holds of the symbolic AI2-THOR whatever is done in it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from reference_world import Fact, Reference
from thor_generated_rooms import ROOMS, generate_scene
from thor_metadata import write_metadata
from thor_rooms import kitchen

from eai.errors import InputError
from eai.logic import Atom
from eai.simulators import ThorEngine, ThorWorld
from eai.simulators.thor.engine import ENGINE_ACTIONS
from eai.simulators.thor.metadata import read_scene
from eai.simulators.thor.scenes import Scene
from eai.simulators.thor.world import AGENT, LIQUIDS, thor_domain, work_out_containment
from eai.world import State
from eai.world.bits import bits

WORLD = ThorWorld()
rooms = st.builds(
    lambda seed, room: generate_scene(seed, room=room),
    st.integers(0, 40),
    st.sampled_from(sorted(ROOMS)),
)
CORNERS = [
    ("CounterTop", "Microwave", "Mug", "Egg"),
    ("SinkBasin", "Faucet", "Plate", "Bowl", "Candle"),
    ("StoveBurner", "StoveKnob", "Pan", "Egg"),
    ("Floor", "Fridge", "Egg", "Bowl"),
    ("Floor", "CoffeeMachine", "Mug", "ScrubBrush", "Box"),
]
"""Parts of a kitchen that are so small that everything can be tried in them."""
Steps = list[tuple[str, int, bool]]
"""Name of an action, number of its object among all, and whether it is forced."""
steps = st.lists(
    st.tuples(st.sampled_from(sorted(ENGINE_ACTIONS)), st.integers(0, 999), st.booleans()),
    min_size=5,
    max_size=60,
)
thorough = settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def arguments(scene: Scene, name: str, number: int) -> tuple[str, ...]:
    """Objects that the action can be tried on; those that can be carried are tried most."""
    if not ENGINE_ACTIONS[name]:
        return ()
    objects = (*scene.objects, *scene.slices)
    light = [one for one in objects if "pickupable" in one.affordances]
    chosen = light if number % 2 and name != "PutObject" else objects
    liquid = (LIQUIDS[number % 3],) if name == "FillObjectWithLiquid" else ()
    return (chosen[number % len(chosen)].name, *liquid)


def facts_of(state: State) -> frozenset[Fact]:
    """The atoms that hold, as tuples."""
    return frozenset((atom.predicate, tuple(map(str, atom.terms))) for atom in state.atoms())


def run(scene: Scene, plan: Steps) -> ThorEngine:
    """Try some actions one after the other."""
    engine = ThorEngine(scene, world=WORLD)
    for name, number, force in plan:
        engine.perform(name, arguments(scene, name, number), force=force)
    return engine


def places(state: State, at: int) -> list[int]:
    """Numbers of what an object is in."""
    return list(bits(state.rows[state.layout.index["in"]][at]))


@thorough
@given(rooms, steps)
def test_everything_has_one_place_and_is_not_inside_of_itself(scene: Scene, plan: Steps) -> None:
    state = run(scene, plan).state
    held = state.rows[state.layout.index["holds"]][state.universe.number(AGENT)]
    assert held.bit_count() <= 1
    for at in range(len(state.universe)):
        seen, above = {at}, places(state, at)
        assert not (above and held >> at & 1), "what is held is in nothing"
        while above:
            assert len(above) == 1
            assert above[0] not in seen
            seen.add(above[0])
            above = places(state, above[0])


@thorough
@given(rooms, steps)
def test_nothing_is_left_for_the_surroundings_to_do(scene: Scene, plan: Steps) -> None:
    engine = ThorEngine(scene, world=WORLD)
    for name, number, force in plan:
        result = engine.perform(name, arguments(scene, name, number), force=force)
        assert result.success or not result.changes
        assert WORLD.settle(engine.state.copy()) == []


@thorough
@given(rooms, steps)
def test_changes_lead_from_one_state_to_the_next(scene: Scene, plan: Steps) -> None:
    engine = ThorEngine(scene, world=WORLD)
    again = engine.state.copy()
    for name, number, force in plan:
        again.apply(engine.perform(name, arguments(scene, name, number), force=force).changes)
    assert list(again.atoms()) == list(engine.state.atoms())


@thorough
@given(rooms, steps)
def test_states_survive_as_metadata(scene: Scene, plan: Steps) -> None:
    engine = run(scene, plan)
    written = {"sceneName": scene.name, "objects": write_metadata(engine.state, scene)}
    # Where something lies and what reaches down to what is worked out anew from what is listed.
    worked_out = {"in", "also_in", "spans"}
    read = WORLD.start(read_scene(written))
    assert {fact for fact in facts_of(read) if fact[0] not in worked_out} == {
        fact for fact in facts_of(engine.state) if fact[0] not in worked_out
    }


@thorough
@given(rooms, steps)
def test_containment_is_what_the_recursive_rule_says(scene: Scene, plan: Steps) -> None:
    state = run(scene, plan).state
    quick, literal = state.copy(), state.copy()
    work_out_containment(quick)
    assert not literal.memo
    WORLD.world.holds(literal, Atom("inside", (scene.objects[0].name, scene.objects[0].name)))
    inside = state.layout.index["inside"]
    assert quick.memo[inside] == literal.memo[inside]


class Remembering(Reference):
    """The definitions, which remember what follows from the last state."""

    last: tuple[frozenset[Fact], frozenset[Fact]] = frozenset(), frozenset()

    def closed(self, facts: frozenset[Fact]) -> frozenset[Fact]:
        """See :meth:`Reference.closed`."""
        if self.last[0] != facts:
            self.last = facts, super().closed(facts)
        return self.last[1]


@pytest.mark.heavy
@settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(CORNERS), steps)
def test_actions_do_what_the_domain_says_read_literally(
    corner: tuple[str, ...], plan: Steps
) -> None:
    state = run(kitchen(*corner), plan).state
    domain, world, universe = thor_domain(), WORLD.world, state.universe
    reference = Remembering(domain, dict(zip(universe.names, universe.types, strict=True)))
    before = facts_of(state)
    known = reference.closed(before)
    for name, operator in domain.operators.items():
        for binding in reference.bindings(operator.parameters):
            numbers = world.numbers(state, name, tuple(binding.values()))
            applicable = reference.true(operator.precondition, known, binding)
            assert (world.first_failure(state, name, numbers) < 0) == applicable
            if applicable:
                after = state.copy()
                world.apply(after, name, numbers)
                assert facts_of(after) == reference.successor(operator, before, binding)


junk = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@thorough
@given(st.data())
def test_damaged_metadata_is_refused_or_a_room_that_can_be_acted_in(data: st.DataObject) -> None:
    scene = kitchen("CounterTop", "Bowl", "Egg")
    rows = write_metadata(WORLD.start(scene), scene)
    for row in data.draw(st.lists(st.sampled_from(rows), max_size=3)):
        row[data.draw(st.sampled_from(sorted(row)))] = data.draw(junk)
    try:
        read = read_scene({"sceneName": data.draw(junk), "objects": rows})
        engine = ThorEngine(read, world=WORLD)
    except InputError:
        return
    for one in read.objects:
        engine.perform("PickupObject", [one.name], force=True)
        engine.perform("PutObject", ["CounterTop"], force=True)
    assert write_metadata(engine.state, read)
