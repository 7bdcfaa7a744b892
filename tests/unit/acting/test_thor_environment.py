"""AI2-THOR behind the protocol of environments: the symbolic world and the real simulator alike."""

from __future__ import annotations

import struct
import zlib
from base64 import b64decode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_thor_player import StageClient
from fake_thor_stages import Symbolic, write_player
from needs import package
from thor_metadata import Metadata
from thor_states import fluents

from eai.acting import Acting, EpisodeRules, read_reply
from eai.diagnosis import GoalStatus
from eai.simulators import Environment, Observation, SeenObject, load_scene
from eai.simulators.thor.environment import (
    GO_TO,
    ThorEnvironment,
    controller_environment,
    symbolic_environment,
)
from eai.simulators.thor_controller.client import Connection, connect
from eai.simulators.thor_controller.engine import ControllerEngine
from eai.world import Action

SCENE = load_scene("FloorPlan1")
MUG, EGG, FRIDGE, MACHINE = (
    SCENE.of_type(kind)[0].name for kind in ("Mug", "Egg", "Fridge", "CoffeeMachine")
)
PIECE = f"{EGG}_EggCracked_0"
ACTIONS = [
    Action(GO_TO, (MUG,)),
    Action("PickupObject", (MUG,)),
    Action("PickupObject", (FRIDGE,)),
    Action("PutObject", (MACHINE,)),
    Action("ToggleObjectOn", (MACHINE,)),
    Action("ToggleObjectOn", (MACHINE,)),
    Action("Dance"),
    Action("PickupObject", ("Unicorn_1",)),
    Action("PickupObject", (MUG,)),
    Action("DropHandObject"),
    Action(GO_TO, (EGG,)),
    Action("OpenObject", (FRIDGE,)),
    Action("SliceObject", (EGG,)),
    Action(GO_TO, (PIECE,)),
    Action(GO_TO, (EGG, MUG)),
    Action(GO_TO, ("Unicorn_1",)),
    Action("BreakObject", (MUG,)),
]
CODES = [
    *("", "", "NOT_PICKUPABLE", "", "", "ALREADY_ON", "INVALID_ACTION", "UNKNOWN_OBJECT"),
    *("", "", "NOT_INTERACTABLE", "", "", "", "INVALID_ACTION", "UNKNOWN_OBJECT", ""),
]


def over_the_adapter(*, walking: bool = False) -> ThorEnvironment:
    """The adapter with the symbolic world behind it."""
    client = StageClient(Symbolic(walking=walking), SCENE.name)
    return controller_environment(ControllerEngine(Connection(client)))


@pytest.fixture(params=["symbolic", "adapter"])
def environment(request: pytest.FixtureRequest) -> ThorEnvironment:
    return symbolic_environment(SCENE) if request.param == "symbolic" else over_the_adapter()


def seen(observation: Observation, name: str) -> SeenObject | None:
    return next((one for one in observation.objects if one.name == name), None)


def play(environment: Environment) -> list[tuple[object, ...]]:
    """What comes of the actions, one after the other."""
    results = [environment.step(action) for action in ACTIONS]
    return [(r.success, r.code, r.observation, r.resolved) for r in results]


def test_both_say_the_same_of_the_same_actions() -> None:
    symbolic, real = symbolic_environment(SCENE), over_the_adapter()
    expected = play(symbolic)
    assert play(real) == expected
    assert fluents(real.state()) == fluents(symbolic.state())
    assert [code for _, code, *_ in expected] == CODES


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_genuine_client_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package("ai2thor", extra="thor")
    monkeypatch.setenv("HOME", str(tmp_path))
    with connect(SCENE.name, executable=write_player(tmp_path, "symbolic")) as connection:
        real = controller_environment(ControllerEngine(connection))
        assert play(real) == play(symbolic_environment(SCENE))


def test_what_happens_is_observed(environment: ThorEnvironment) -> None:
    start = environment.reset()
    assert seen(start, MUG) == SeenObject(
        MUG,
        "Mug",
        {"dirty": False, "filled": False, "broken": False},
        load_scene("FloorPlan1").by_name()[MUG].place,
        "in",
    )
    environment.step(Action("PickupObject", (MUG,)))
    environment.step(Action("PutObject", (MACHINE,)))
    brewed = environment.step(Action("ToggleObjectOn", (MACHINE,))).observation
    mug = seen(brewed, MUG)
    assert mug is not None
    assert (mug.inside, mug.properties["liquid"], mug.properties["hot"]) == (
        MACHINE,
        ("coffee",),
        True,
    )
    held = environment.step(Action("PickupObject", (MUG,))).observation
    assert (held.held, held.focus) == ((MUG,), MUG)


def test_slices_are_observed_once_they_are_there(environment: ThorEnvironment) -> None:
    assert seen(environment.reset(), PIECE) is None
    environment.step(Action("OpenObject", (FRIDGE,)))
    after = environment.step(Action("SliceObject", (EGG,))).observation
    piece = seen(after, PIECE)
    assert piece is not None
    assert piece.type == "EggCracked"
    assert seen(after, EGG) is None


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Action("Dance"), "INVALID_ACTION"),
        (Action(GO_TO), "INVALID_ACTION"),
        (Action(GO_TO, ("Unicorn_1",)), "UNKNOWN_OBJECT"),
        (Action(GO_TO, (PIECE,)), "NOT_INTERACTABLE"),
        (Action("PickupObject", ("Unicorn_1",)), "UNKNOWN_OBJECT"),
        (Action("PickupObject"), "MISSING_ARGUMENTS"),
        (Action("PickupObject", (MUG, MUG)), "INVALID_ARGUMENT"),
        (Action("RemoveFromScene", (MUG,)), "INVALID_ACTION"),
    ],
)
def test_no_action_is_an_exception(environment: ThorEnvironment, action: Action, code: str) -> None:
    before = environment.reset()
    result = environment.step(action)
    assert (result.success, result.code, result.observation) == (False, code, before)
    assert result.message


def test_in_the_real_simulator_only_what_is_in_view_is_seen() -> None:
    environment = over_the_adapter(walking=True)
    assert environment.reset().objects == ()
    there = environment.step(Action(GO_TO, (MUG,))).observation
    assert [one.name for one in there.objects] == [MUG]
    assert there.focus == MUG


def test_a_reset_begins_again() -> None:
    environment = over_the_adapter()
    start = environment.reset()
    play(environment)
    assert environment.reset() == start


def test_what_the_environments_can_do_is_said() -> None:
    assert not symbolic_environment(SCENE).capabilities.physics
    capabilities = over_the_adapter().capabilities
    assert (capabilities.physics, capabilities.hidden_state) == (True, True)


@dataclass(frozen=True)
class Photo:
    """An event with a picture of two rows of three points."""

    metadata: Metadata
    frame: object


class Camera(StageClient):
    """A client whose player draws."""

    def _ask(self, request: dict[str, object]) -> Any:
        drawn = np.arange(18, dtype=np.uint8).reshape(2, 3, 3)
        self.last_event = Photo(super()._ask(request).metadata, drawn)  # type: ignore[assignment]
        return self.last_event


def test_pictures_reach_the_agent_as_png() -> None:
    engine = ControllerEngine(Connection(Camera(Symbolic(), SCENE.name), images=True))
    environment = controller_environment(engine, images=True)
    picture = environment.reset().image
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture[16:24]) == (3, 2)
    packed = picture[picture.index(b"IDAT") + 4 : picture.index(b"IEND") - 8]
    assert zlib.decompress(packed) == b"\0" + bytes(range(9)) + b"\0" + bytes(range(9, 18))
    rules = EpisodeRules(
        goal=Never,
        read=read_reply,
        brief=lambda _: [{"role": "user", "content": "Go."}],
    )
    acting = Acting(environment, rules)
    (message,) = acting.messages
    assert b64decode(message["image"]) == picture
    assert message["content"] == "Go."


def test_without_a_camera_there_is_no_picture() -> None:
    assert over_the_adapter().reset().image == b""
    assert symbolic_environment(SCENE).reset().image == b""


class Never:
    """A goal that is not reached."""

    def update(self, *_: object) -> GoalStatus:
        return GoalStatus(False)
