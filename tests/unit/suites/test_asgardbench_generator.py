"""New instances of AsgardBench: drawn by a seed, solvable, with the branches they name."""

import random

import pytest
from hypothesis import given, settings, strategies as st

from asgard_episodes import STRICT
from eai.errors import InputError, UnknownNameError
from eai.simulators.thor.scenes import load_scene
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.generator import (
    Branches,
    draw_branches,
    families,
    generate_instances,
    needed_types,
    stripped,
    variant,
    washables,
)
from eai.suites.asgardbench.instances import (
    Instance,
    instance,
    instances,
    read_instances,
    write_instances,
)
from eai.suites.asgardbench.oracle import solve
from eai.suites.asgardbench.placement import inventory

EGG = "cook__Egg_FloorPlan13_V1"
COFFEE = "coffee__Mug(d)_FloorPlan12_V1"


def test_the_same_seed_gives_the_same_instances() -> None:
    few, more = generate_instances(3, seed=7), generate_instances(5, seed=7)
    assert more[:3] == few
    assert generate_instances(3, seed=8) != few
    assert len({one.id for one in more}) == 5


def test_every_one_is_solvable_in_as_many_steps_as_it_says() -> None:
    for one in generate_instances(6, seed=1):
        solution = solve(one, STRICT)
        assert solution.solved
        assert len(solution.plan) == one.reference_steps


def test_families_can_be_chosen() -> None:
    assert len(families()) == 12
    found = generate_instances(3, seed=2, only=["coffee", "turn_on_tv"])
    assert {one.family for one in found} <= {"coffee", "turn_on_tv"}
    with pytest.raises(UnknownNameError, match="coffee"):
        generate_instances(1, only=["cofee"])
    with pytest.raises(InputError, match="-1"):
        generate_instances(-1)


def test_they_are_written_and_read_like_the_published_ones() -> None:
    found = generate_instances(4, seed=3)
    assert read_instances(write_instances(found)) == found


def test_branches_are_the_case_at_the_start() -> None:
    scene = load_scene("FloorPlan11")
    branches = Branches(dirty=("Pan", "Plate"), blockers=("Apple",))
    one = variant(
        instance(EGG),
        branches,
        scene=scene.name,
        names=[each.name for each in scene.objects],
        seed=5,
        name="egg",
    )
    room = AsgardEnvironment(one, STRICT).room
    assert room.dirty(room.instances("Pan")[0])
    assert room.dirty(room.instances("Plate")[0])
    sink = room.instances("SinkBasin")[0]
    assert "Apple" in {room.type(name) for name in room.contents(sink)}
    assert ("Pan", "isDirty", False) in one.goals.state
    assert str(branches) == "Pan(d)_Plate(d)_Apple(sink)"


def test_without_branches_only_what_is_always_wanted_stays() -> None:
    egg = next(one for one in instances().values() if "Egg_Pan(d)_Plate(d)" in one.id)
    assert stripped(egg).goals.state == (("Egg", "isCooked", True),)
    assert stripped(instance(COFFEE)).goals.state == instance(COFFEE).goals.state
    assert stripped(instance(COFFEE)).setup == ()


def test_what_may_be_dirty_and_what_is_needed() -> None:
    assert washables("cook_egg") == ("Pan", "Plate")
    assert washables("turn_on_tv") == ()
    assert {"Egg", "Pan", "Plate", "StoveBurner", "Faucet"} <= needed_types(instance(EGG))
    assert "CoffeeMachine" in needed_types(instance(COFFEE))


def test_drawn_branches_are_about_what_is_there() -> None:
    scene = {one.type for one in load_scene("FloorPlan1").objects}
    seen = set()
    for seed in range(60):
        branches = draw_branches(instance(COFFEE), scene, random.Random(seed))
        assert set(branches.dirty) <= {"Mug"}
        assert not (branches.coffee and branches.dirty)
        assert set(branches.blockers) <= scene
        seen.add((branches.dirty, branches.coffee, bool(branches.blockers)))
    assert len(seen) == 6


@given(st.sampled_from(list(instances().values())), st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_drawn_branches_are_the_case_at_the_start(base: Instance, seed: int) -> None:
    scene = load_scene(base.scene)
    things = inventory(scene, stripped(base))
    branches = draw_branches(base, [one.type for one in things], random.Random(seed))
    one = variant(
        base,
        branches,
        scene=scene.name,
        names=[each.name for each in things],
        seed=seed,
        name="drawn",
    )
    room = AsgardEnvironment(one, STRICT).room

    def place(kind: str) -> str:
        return room.type(room.parent(room.instances(kind)[0]) or "")

    assert all(room.dirty(room.instances(kind)[0]) for kind in branches.dirty)
    assert all(place(kind) == "SinkBasin" for kind in branches.blockers)
    assert all(place(kind) == "DiningTable" for kind in branches.cluttered)
    assert all(place(kind) == where for kind, where in branches.occupied)
    assert all(place(kind) == where for kind, where in branches.shut_away)
    if _mugs(base):
        mug = room.instances("Mug")[0]
        assert (room.liquid(mug) == "coffee") is branches.coffee


def _mugs(base: Instance) -> bool:
    return base.family in ("coffee", "set_table")
