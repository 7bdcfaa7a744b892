"""Properties of acting in AsgardBench: whatever an agent does, the room stays a room."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest
from asgardbench_rooms import COFFEE, MIRROR, SLICES
from hypothesis import given, settings, strategies as st

from eai.simulators.thor.scenes import Scene
from eai.suites.asgardbench.environment import AsgardEnvironment, shown
from eai.suites.asgardbench.gate import ACTIONS, refusal
from eai.suites.asgardbench.instances import instance, instances
from eai.suites.asgardbench.placement import place_objects
from eai.suites.asgardbench.room import Room
from eai.world import Action

sys.path.append(str(Path(__file__).parents[2] / "benchmarks" / "agreement"))

from asgardbench import differing

SETTINGS = settings(max_examples=25)
SEMANTICS = st.sampled_from(("official", "strict"))
KINDS = {
    COFFEE: (
        "Mug",
        "Egg",
        "SinkBasin",
        "Faucet",
        "CoffeeMachine",
        "Cabinet",
        "CounterTop",
        "Fridge",
    ),
    SLICES: (
        "Tomato",
        "TomatoSliced",
        "Knife",
        "Plate",
        "CounterTop",
        "SinkBasin",
        "Bowl",
        "Fridge",
    ),
    MIRROR: ("Mirror", "Cloth", "SprayBottle", "CounterTop", "Cabinet"),
}


@cache
def start(name: str) -> Scene:
    return place_objects(instance(name))


@st.composite
def courses(draw: st.DrawFn) -> tuple[str, list[Action]]:
    name = draw(st.sampled_from(sorted(KINDS)))
    one = st.builds(
        lambda action, kind: Action(action, (kind,)),
        st.sampled_from(ACTIONS),
        st.sampled_from(KINDS[name]),
    )
    return name, draw(st.lists(one, max_size=30))


def begin(name: str, semantics: str) -> AsgardEnvironment:
    return AsgardEnvironment(instance(name), semantics, scene=start(name))


def check_places(room: Room) -> None:
    """Everything is in one place, or in the hand, and nothing is in itself."""
    for name in room.things:
        passed = {name}
        parent = room.parent(name)
        while parent is not None:
            assert parent not in passed
            passed.add(parent)
            parent = room.parent(parent)
        assert len(list(room.state.related("in", name))) <= 1
    assert len(list(room.state.related("holds", "agent"))) <= 1
    if room.held is not None:
        assert room.parent(room.held) is None
        assert room.has("pickupable", room.held)


@SETTINGS
@given(courses(), SEMANTICS)
def test_a_room_stays_a_room(course: tuple[str, list[Action]], semantics: str) -> None:
    name, actions = course
    environment = begin(name, semantics)
    for action in actions:
        result = environment.step(action)
        assert result.success == (not result.code)
        assert result.success or result.resolved is None
    check_places(environment.room)


@SETTINGS
@given(courses())
def test_what_is_refused_under_strict_changes_nothing(course: tuple[str, list[Action]]) -> None:
    name, actions = course
    environment = begin(name, "strict")
    before = set(environment.state().atoms())
    for action in actions:
        deeds = environment.acts
        result = environment.step(action)
        after = set(environment.state().atoms())
        if not result.success:
            assert after == before
            assert environment.acts == deeds
        before = after


@SETTINGS
@given(courses(), SEMANTICS)
def test_the_same_actions_come_to_the_same(
    course: tuple[str, list[Action]], semantics: str
) -> None:
    name, actions = course
    first, second = begin(name, semantics), begin(name, semantics)
    assert [first.step(a) for a in actions] == [second.step(a) for a in actions]
    first.reset()
    assert set(first.state().atoms()) == set(begin(name, semantics).state().atoms())


@SETTINGS
@given(courses())
def test_an_action_is_done_if_an_instance_lets_it_be_done(
    course: tuple[str, list[Action]],
) -> None:
    """Under strict, an action that the gate refuses for every instance is not done, and the
    chosen instance passes the gate."""
    name, actions = course
    environment = begin(name, "strict")
    room, semantics = environment.room, environment.semantics
    for action in actions:
        kind = action.arguments[0]
        free = [
            each
            for each in room.instances(kind)
            if refusal(action.name, each, room=room, semantics=semantics) is None
        ]
        result = environment.step(action)
        if result.resolved is not None and action.name != "FIND":
            assert result.resolved.arguments[0] in free
        if not free:
            assert not result.success


@SETTINGS
@given(courses(), SEMANTICS)
def test_only_what_is_in_view_is_shown(course: tuple[str, list[Action]], semantics: str) -> None:
    name, actions = course
    environment = begin(name, semantics)
    for action in actions:
        environment.step(action)
    room = environment.room
    assert all(room.in_view(each) for each in shown(room))
    if room.held is not None:
        assert room.held in shown(room)


@settings(max_examples=12)
@given(st.sampled_from(sorted(instances())))
def test_every_instance_can_be_begun(name: str) -> None:
    environment = AsgardEnvironment(instance(name), "strict")
    check_places(environment.room)
    for what, thing, *_ in instance(name).setup:
        assert environment.room.has(
            {"dirty": "dirty", "fill": "filled"}.get(what, "fillable"), thing
        )


@pytest.mark.heavy
def test_the_published_tests_written_a_second_time_refuse_the_same() -> None:
    """More steps: `python benchmarks/agreement/asgardbench.py --differential 10000`."""
    _, compared, found = differing(240, seed=1)
    assert compared > 100
    assert found == []
