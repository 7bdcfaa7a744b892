"""What was recorded in AI2-THOR 5.0.0, played again to the genuine client.

The recordings are the sequences of actions with what each changed, the rooms that they began in,
and the types of objects.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fake_thor_player import StageClient
from fake_thor_stages import Symbolic, write_player
from needs import facts, package, recordings
from thor_metadata import recorded_objects
from thor_states import fluents

from eai.simulators import ThorEngine, ThorWorld, load_scene, recorded_fits
from eai.simulators.thor.scenes import Scene
from eai.simulators.thor_controller.client import Connection, connect
from eai.simulators.thor_controller.engine import ControllerEngine, StateReader
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.instances import instance
from eai.suites.asgardbench.placement import place_objects
from eai.world import Action, State

pytestmark = [
    # The client leaves its log and its pipes to the garbage collection.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

FACTS = facts("asgardbench_ai2thor")
recorded = recordings("asgardbench_ai2thor")
Step = dict[str, Any]


@cache
def read(name: str) -> Any:
    return json.loads((FACTS / f"{name}.json").read_text("utf-8"))


SEQUENCES = read("recorded_transitions")["sequences"] if FACTS.is_dir() else []


@pytest.fixture
def engine(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The adapter, and the genuine client, with a player that plays the recording."""
    package("ai2thor", extra="thor")
    monkeypatch.setenv("HOME", str(tmp_path))
    recorded = request.getfixturevalue("sequence")
    rows = read("ithor_scenes")["scenes"][recorded["scene"]]["objects"]
    objects = recorded_objects(rows, read("object_types")["types"])
    player = write_player(
        tmp_path,
        "recording",
        scene=recorded["scene"],
        objects=objects,
        steps=recorded["steps"],
    )
    with connect(recorded["scene"], executable=player) as connection:
        yield ControllerEngine(connection)


def actions(sequence: Step) -> list[tuple[str, list[str], bool, Step]]:
    """The recorded steps: the action, its arguments, whether it was forced, all of it."""
    names = names_of(load_scene(sequence["scene"]))
    return [
        (
            step["action"]["action"],
            [names[step["action"]["objectId"]]] if "objectId" in step["action"] else [],
            bool(step["action"].get("forceAction")),
            step,
        )
        for step in sequence["steps"]
        if step["action"]["action"] != "Initialize"
    ]


def names_of(scene: Scene) -> dict[str, str]:
    """Id to name of everything that there is or may be."""
    return {one.id: one.name for one in (*scene.objects, *scene.slices)}


def fallen(step: Step, held: set[str]) -> set[str]:
    """Ids of what moved though nothing was done to it: small things fall through others."""
    moved = {
        name for name, fields in step.get("changes", {}).items() if "parentReceptacles" in fields
    }
    return moved - held - {step["action"].get("objectId")}


def places(state: State, name: str) -> set[str]:
    """What the state says that an object is in."""
    return {atom[2] for atom in fluents(state) if atom[0] in {"in", "also_in"} and atom[1] == name}


@recorded
def test_all_recorded_rooms_are_read_as_the_symbolic_world_has_them() -> None:
    world, types = ThorWorld(), read("object_types")["types"]
    scenes = read("ithor_scenes")["scenes"]
    for name, scene in scenes.items():
        objects = recorded_objects(scene["objects"], types)
        reader = StateReader({"sceneName": f"{name}_physics", "objects": objects}, world=world)
        assert fluents(reader.start) == fluents(world.start(load_scene(name))), name
    assert len(scenes) == 120


@recorded
@pytest.mark.parametrize("sequence", SEQUENCES, ids=[each["name"] for each in SEQUENCES])
def test_the_recording_is_read_as_the_symbolic_world_has_it(
    sequence: Step, engine: ControllerEngine
) -> None:
    symbolic = ThorEngine(load_scene(sequence["scene"]))
    assert fluents(engine.state) == fluents(symbolic.state)
    names = names_of(engine.scene)
    excepted, held = set[str](), set[str]()
    for name, arguments, force, step in actions(sequence):
        real = engine.perform(name, arguments, force=force)
        expected = symbolic.perform(name, arguments, force=force)
        assert (real.success, real.failure) == (step["success"], None)
        assert (real.success, real.failure) == (expected.success, expected.failure)
        excepted |= {names[one] for one in fallen(step, held | set(step["held"]))}
        held = set(step["held"])
        different = fluents(engine.state) ^ fluents(symbolic.state)
        assert {atom[1] for atom in different if atom[0] in {"in", "also_in"}} <= excepted
        assert {atom[0] for atom in different} <= {"in", "also_in"}


@recorded
@pytest.mark.parametrize("sequence", SEQUENCES, ids=[each["name"] for each in SEQUENCES])
def test_every_recorded_change_is_read(sequence: Step, engine: ControllerEngine) -> None:
    names = names_of(engine.scene)
    flags = {"isOpen": "open", "isToggled": "on", "isDirty": "dirty", "isSliced": "sliced"}
    for name, arguments, force, step in actions(sequence):
        engine.perform(name, arguments, force=force)
        assert {atom[2] for atom in fluents(engine.state) if atom[0] == "holds"} == {
            names[one] for one in step["held"]
        }
        for one, fields in step.get("changes", {}).items():
            if "parentReceptacles" in fields:
                after = fields["parentReceptacles"][1] or ()
                assert places(engine.state, names[one]) == {names[each] for each in after}
            for field in flags.keys() & fields:
                assert engine.state.holds(flags[field], (names[one],)) is fields[field][1]
            if "temperature" in fields:
                cold = engine.state.holds("cold", (names[one],))
                assert cold is (fields["temperature"][1] == "Cold")


def shortest() -> list[str]:
    """Names of the shortest recorded executions, one of each family of AsgardBench."""
    plans = read("asgard_oracle_plans")["plans"] if FACTS.is_dir() else {}
    families = {instance(name).family: name for name in sorted(plans, key=lambda n: -len(plans[n]))}
    return sorted(families.values())


@recorded
@pytest.mark.parametrize("name", shortest())
@pytest.mark.parametrize("semantics", ["official", "strict"])
def test_recorded_executions_are_done_by_the_adapter_as_by_the_symbolic_world(
    name: str, semantics: str
) -> None:
    client = StageClient(Symbolic(instance=name), instance(name).scene)
    engine = ControllerEngine(Connection(client), world=ThorWorld(fits=recorded_fits()))
    scene = place_objects(instance(name))
    adapter = AsgardEnvironment(instance(name), semantics, scene=scene, begin=engine.reset)
    symbolic = AsgardEnvironment(instance(name), semantics)
    for verb, *objects in read("asgard_oracle_plans")["plans"][name]:
        action = Action(verb, (objects[-1],))
        assert adapter.step(action) == symbolic.step(action)
        assert fluents(adapter.state()) == fluents(symbolic.state())
