"""A program that plays AI2-THOR's player for the genuine client, without Unity.

The client starts it as a process and speaks with it through two pipes: each message is a list of
fields, each with a header of five bytes (kind, length), up to a field that ends the message. The
client sends JSON; the player answers with MessagePack and a raw picture.

What is played is given by a file of JSON beside the program, as the arguments of one of the
:data:`STAGES`.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Protocol

__all__ = ["Answer", "Stage", "play", "write_player"]

_HEADER = struct.Struct("!BI")
_METADATA, _RGB, _END = 1, 4, 255
_SIZE = 300
"""Width and height of the picture: the smallest that the client does not want to change."""

Metadata = dict[str, Any]


class Answer:
    """What the player says to a request: the outcome, and what has come of the objects."""

    def __init__(
        self,
        objects: list[Metadata],
        *,
        error: str = "",
        code: str = "",
        value: object = None,
    ) -> None:
        self.objects = objects
        self.error = error
        self.code = code
        self.value = value

    def metadata(self, request: Mapping[str, Any], scene: str) -> Metadata:
        """The metadata of the agent, with the fields that AI2-THOR 5.0.0 has."""
        held = [o for o in self.objects if o["isPickedUp"]]
        point = {"x": 0.0, "y": 0.9, "z": 0.0}
        return {
            "objects": self.objects,
            "agent": {
                "name": "agent",
                "position": point,
                "rotation": {"x": 0.0, "y": 0.0, "z": 0.0},
                "cameraHorizon": 0.0,
                "isStanding": True,
                "inHighFrictionArea": False,
            },
            "inventoryObjects": [
                {"objectId": o["objectId"], "objectType": o["objectType"]} for o in held
            ],
            "sceneName": scene,
            "lastAction": request.get("action", ""),
            "lastActionSuccess": not self.error,
            "errorMessage": self.error,
            "errorCode": self.code,
            "actionReturn": self.value,
            "heldObjectPose": None,
            "arm": None,
            "isSceneAtRest": True,
            "collided": False,
            "collidedObjects": [],
            "fov": 90.0,
            "cameraPosition": point,
            "thirdPartyCameras": [],
            "screenWidth": _SIZE,
            "screenHeight": _SIZE,
            "agentId": 0,
            "colors": None,
            "currentTime": 0.0,
            "sceneBounds": None,
            "depthFormat": "Meters",
            "visibleRange": None,
        }


class Stage(Protocol):
    """What stands behind the player."""

    @property
    def scenes(self) -> list[str]:
        """Names of the scenes that it has."""
        ...

    def load(self, scene: str) -> Answer:
        """Begin a scene."""
        ...

    def act(self, request: Mapping[str, Any]) -> Answer:
        """Do what the client asks for, other than loading a scene."""
        ...


def play(stage: Stage) -> None:
    """Answer the client until it closes the pipe."""
    with Path(os.environ["AI2THOR_FIFO_SERVER_PIPE_PATH"]).open("wb") as out:
        scene = ""
        _send(out, Answer([]).metadata({}, scene), number=0, picture=False)
        with Path(os.environ["AI2THOR_FIFO_CLIENT_PIPE_PATH"]).open("rb") as requests:
            while (request := _receive(requests)) is not None:
                scene = str(request.get("sceneName", scene))
                metadata = _answer(stage, request).metadata(request, scene)
                picture = bool(request.get("renderImage", True))
                _send(out, metadata, number=request["sequenceId"], picture=picture)


def _answer(stage: Stage, request: Mapping[str, Any]) -> Answer:
    if request["action"] == "Reset":
        return stage.load(str(request["sceneName"]).removesuffix("_physics"))
    if request["action"] == "GetScenesInBuild":
        return Answer([], value=[f"{name}_physics" for name in stage.scenes])
    answer = stage.act(request)
    if request["action"] == "Initialize":
        answer.value = {"cameraNearPlane": 0.1, "cameraFarPlane": 20.0}
    return answer


def _receive(pipe: BinaryIO) -> dict[str, Any] | None:
    body = b""
    while header := pipe.read(_HEADER.size):
        kind, length = _HEADER.unpack(header)
        if kind == _END:
            request: dict[str, Any] = json.loads(body)
            return request
        body = pipe.read(length)
    return None


def _send(pipe: BinaryIO, metadata: Metadata, *, number: int, picture: bool) -> None:
    import msgpack  # type: ignore[import-untyped, import-not-found, unused-ignore]

    message = {
        "agents": [metadata],
        "thirdPartyCameras": [],
        "sequenceId": number,
        "activeAgentId": 0,
    }
    fields = [(_METADATA, msgpack.packb(message))]
    if picture:
        fields.append((_RGB, bytes(3 * _SIZE * _SIZE)))
    pipe.writelines(_HEADER.pack(kind, len(body)) + body for kind, body in [*fields, (_END, b"")])
    pipe.flush()


class Recording:
    """A scene in which only what was recorded can be done, in its order.

    Args:
        scene: Name of the scene.
        objects: The metadata of its objects at the start.
        steps: The recorded steps: ``action`` (the request), ``success``, ``error``, and
            ``changes`` (``{objectId: {field: [before, after]}}``).
    """

    def __init__(self, scene: str, objects: list[Metadata], steps: list[Metadata]) -> None:
        self.scenes = [scene]
        self._start = objects
        self._steps = [step for step in steps if step["action"]["action"] != "Initialize"]
        self._next = 0
        self._objects: dict[str, Metadata] = {}

    def load(self, scene: str) -> Answer:
        """Begin the scene again."""
        assert scene in self.scenes
        self._next = 0
        self._objects = {o["objectId"]: dict(o) for o in self._start}
        return Answer(list(self._objects.values()))

    def act(self, request: Mapping[str, Any]) -> Answer:
        """Play the next step if it is the one that is asked for."""
        if request["action"] in {"Initialize", "Pass", "ChangeResolution"}:
            return Answer(list(self._objects.values()))
        step = self._steps[self._next] if self._next < len(self._steps) else {"action": {}}
        asked = {key: request.get(key) for key in ("action", "objectId")}
        if asked != {key: step["action"].get(key) for key in asked}:
            return Answer(list(self._objects.values()), error=f"not recorded: {asked}")
        self._next += 1
        for name, fields in step.get("changes", {}).items():
            self._objects[name].update({field: after for field, (_, after) in fields.items()})
        return Answer(list(self._objects.values()), error=step["error"])


class Scripted:
    """A scene without objects in which each request is answered as it is written.

    Args:
        answers: For names of actions the answer: ``{"error": ..., "code": ...}``, or ``"end"``
            (the player ends), ``"crash"`` (it is killed) or ``"sleep"`` (it says nothing).
    """

    scenes = ("FloorPlan1", "FloorPlan2")

    def __init__(self, answers: dict[str, Any]) -> None:
        self._answers = answers

    def load(self, scene: str) -> Answer:
        """Begin the scene."""
        assert scene in self.scenes
        return Answer([])

    def act(self, request: Mapping[str, Any]) -> Answer:
        """Answer as it is written; what is not written succeeds."""
        answer = self._answers.get(request["action"], {})
        if answer == "end":
            sys.exit(0)
        if answer == "crash":
            os.kill(os.getpid(), signal.SIGABRT)
        if answer == "sleep":
            time.sleep(60)
        return Answer([], **answer)


STAGES: dict[str, Callable[..., Any]] = {"recording": Recording, "scripted": Scripted}
"""What can stand behind the player, by name."""


def write_player(folder: Path, stage: str, **arguments: object) -> Path:
    """Write a program that plays a stage; return its path.

    Args:
        folder: Where to write it.
        stage: One of the :data:`STAGES`.
        arguments: Its arguments, as JSON values.
    """
    setup = folder / "stage.json"
    setup.write_text(json.dumps([stage, arguments]), encoding="utf-8")
    player = folder / "player"
    player.write_text(
        f"#!{sys.executable}\n"
        f"import sys\nsys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        f"from fake_thor_player import start\nstart({str(setup)!r})\n",
        encoding="utf-8",
    )
    player.chmod(0o700)
    return player


def start(setup: str) -> None:
    """Play what a file says."""
    stage, arguments = json.loads(Path(setup).read_text(encoding="utf-8"))
    play(STAGES[stage](**arguments))
