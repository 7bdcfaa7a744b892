"""AsgardBench's twelve actions, done by the real engine and by the symbolic one."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_thor_player import StageClient
from fake_thor_stages import Symbolic, write_player
from needs import package
from thor_metadata import Metadata
from thor_states import fluents

from eai.simulators import ThorWorld, load_scene, recorded_fits
from eai.simulators.thor_controller.client import Connection, connect
from eai.simulators.thor_controller.engine import ControllerEngine
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.gate import ACTIONS
from eai.suites.asgardbench.instances import instance, instances
from eai.suites.asgardbench.placement import place_objects, spawn_requests
from eai.world import Action

PLAYED = next(name for name, one in instances().items() if one.family == "coffee")
MIRROR = next(name for name, one in instances().items() if one.family == "clean_mirror")
EGG = next(name for name, one in instances().items() if one.family == "cook_egg")
DEEDS = {
    PLAYED: "FIND Mug, PICKUP Mug, PUT SinkBasin, PUT Fridge, OPEN Fridge, CLOSE Fridge, "
    "FIND Faucet, TOGGLE_ON Faucet, TOGGLE_OFF Faucet, PICKUP DishSponge, CLEAN Mug, EMPTY Mug, "
    "PUT CounterTop, PICKUP Mug, PUT CoffeeMachine, TOGGLE_ON CoffeeMachine, "
    "TOGGLE_OFF CoffeeMachine, PICKUP Mug, DRINK Mug, FLY Mug, PICKUP Unicorn",
    MIRROR: "FIND SprayBottle, PICKUP SprayBottle, SPRAY Mirror, PUT CounterTop, FIND Cloth, "
    "PICKUP Cloth, CLEAN Mirror",
    EGG: "FIND Egg, PICKUP Egg, PUT Pan, SLICE Egg, PICKUP Pan, PUT StoveBurner, "
    "TOGGLE_ON StoveBurner, TOGGLE_OFF StoveBurner, PICKUP EggCracked, PUT Plate",
}


def actions(text: str) -> list[Action]:
    words = (one.split() for one in text.split(", "))
    return [Action(name, (kind,)) for name, kind in words]


def over(engine: ControllerEngine, name: str, semantics: str) -> AsgardEnvironment:
    """An instance whose actions the engine does."""
    scene = place_objects(instance(name))
    return AsgardEnvironment(instance(name), semantics, scene=scene, begin=engine.reset)


def agree(environment: AsgardEnvironment, text: str) -> list[bool]:
    """Both give the same results and states; return what was done."""
    symbolic = AsgardEnvironment(environment.instance, environment.semantics)
    done = []
    for action in actions(text):
        expected = symbolic.step(action)
        assert environment.step(action) == expected
        assert fluents(environment.state()) == fluents(symbolic.state())
        done.append(expected.success)
    return done


def test_all_twelve_actions_are_played() -> None:
    played = {action.name for text in DEEDS.values() for action in actions(text)}
    assert set(ACTIONS) < played


@pytest.mark.heavy
@pytest.mark.parametrize("name", DEEDS)
@pytest.mark.parametrize("semantics", ["official", "strict"])
def test_the_twelve_actions_do_the_same(name: str, semantics: str) -> None:
    client = StageClient(Symbolic(instance=name), instance(name).scene)
    engine = ControllerEngine(Connection(client), world=ThorWorld(fits=recorded_fits()))
    done = agree(over(engine, name, semantics), DEEDS[name])
    assert done.count(True) > len(done) / 2


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_through_the_genuine_client_they_do_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package("ai2thor", extra="thor")
    monkeypatch.setenv("HOME", str(tmp_path))
    player = write_player(tmp_path, "symbolic", instance=PLAYED)
    with connect(instance(PLAYED).scene, executable=player) as connection:
        engine = ControllerEngine(connection, world=ThorWorld(fits=recorded_fits()))
        agree(over(engine, PLAYED, "official"), DEEDS[PLAYED])


class Near(Symbolic):
    """A room in which nothing but what the agent was taken to is visible."""

    def _physical(self, row: Metadata) -> Metadata:
        near = self._near == self._place(row["objectId"])
        return {**super()._physical(row), "visible": near}


def test_what_the_simulator_sees_is_in_view() -> None:
    client = StageClient(Near(instance=EGG), instance(EGG).scene)
    engine = ControllerEngine(Connection(client), world=ThorWorld(fits=recorded_fits()))
    environment = over(engine, EGG, "strict")
    refused = environment.step(Action("PICKUP", ("Egg",)))
    assert refused.code == "NOT_VISIBLE"
    assert environment.step(Action("FIND", ("Egg",))).success
    assert [
        thing.type for thing in environment.step(Action("FLY", ("Egg",))).observation.objects
    ] == ["Egg"]
    assert environment.step(Action("PICKUP", ("Egg",))).success


def test_the_set_up_of_an_instance_is_asked_for() -> None:
    one = instance(EGG)
    requests = spawn_requests(one)
    names = [action for action, _ in requests]
    spawned = [arguments for action, arguments in requests if action == "InitialRandomSpawn"]
    assert names == sorted(names, key=["DisableObject", "InitialRandomSpawn", "TeleportFull"].index)
    assert len(spawned) == 1 + len(one.distractors)
    assert {each["randomSeed"] for each in spawned} == {one.seed}
    ids = {each.type: each.id for each in load_scene(one.scene).objects}
    assert ids["Egg"] not in spawned[0]["excludedObjectIds"]  # type: ignore[operator]
    assert "Fridge" in spawned[0]["excludedReceptacles"]  # type: ignore[operator]
    assert (requests[-1][1]["x"], requests[-1][1]["rotation"]) == (one.pose.x, one.pose.yaw)
    engine = ControllerEngine(Connection(StageClient(Symbolic(), one.scene)), setup=requests)
    assert engine.scene.name == one.scene
