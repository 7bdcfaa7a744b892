"""A program that plays AI2-THOR's player for the genuine client, without Unity.

The client starts it as a process and speaks with it through two pipes: each message is a list of
fields, each with a header of five bytes (kind, length), up to a field that ends the message. The
client sends JSON; the player answers with MessagePack and a raw picture.

What is played is one of the stages in :mod:`fake_thor_stages`.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from thor_metadata import Metadata

__all__ = ["Answer", "Said", "Stage", "StageClient", "answer", "play"]

_HEADER = struct.Struct("!BI")
_METADATA, _RGB, _END = 1, 4, 255
_SIZE = 300
"""Width and height of the picture: the smallest that the client does not want to change."""


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


@dataclass(frozen=True)
class Said:
    """An event of the client."""

    metadata: Metadata


class StageClient:
    """The genuine client and the player in one, without the client's package or a process.

    Args:
        stage: What stands behind the player.
        scene: The scene that is loaded first.
    """

    def __init__(self, stage: Stage, scene: str) -> None:
        self._stage = stage
        self._scene = scene
        self.requests: list[dict[str, object]] = []
        self.last_event = self.reset(scene)

    def reset(self, scene: str) -> Said:
        """Load a scene."""
        self._scene = scene
        return self._ask({"action": "Reset", "sceneName": scene})

    def step(self, action: str, **arguments: object) -> Said:
        """Ask the stage; raise for the codes for which the genuine client does."""
        event = self._ask({"action": action, **arguments})
        if event.metadata["errorCode"]:
            raise ValueError(event.metadata["errorMessage"])
        return event

    def stop(self) -> None:
        """There is no process to end."""

    def _ask(self, request: dict[str, object]) -> Said:
        self.requests.append(request)
        metadata = answer(self._stage, request).metadata(request, f"{self._scene}_physics")
        self.last_event = Said(metadata)
        return self.last_event


def play(stage: Stage) -> None:
    """Answer the client until it closes the pipe."""
    with Path(os.environ["AI2THOR_FIFO_SERVER_PIPE_PATH"]).open("wb") as out:
        scene = ""
        _send(out, Answer([]).metadata({}, scene), number=0, picture=False)
        with Path(os.environ["AI2THOR_FIFO_CLIENT_PIPE_PATH"]).open("rb") as requests:
            while (request := _receive(requests)) is not None:
                scene = str(request.get("sceneName", scene))
                metadata = answer(stage, request).metadata(request, scene)
                picture = bool(request.get("renderImage", True))
                _send(out, metadata, number=request["sequenceId"], picture=picture)


def answer(stage: Stage, request: Mapping[str, Any]) -> Answer:
    """Let a stage answer a request, or answer it without the stage."""
    if request["action"] == "Reset":
        return stage.load(str(request["sceneName"]).removesuffix("_physics"))
    if request["action"] == "GetScenesInBuild":
        return Answer([], value=[f"{name}_physics" for name in stage.scenes])
    said = stage.act(request)
    if request["action"] == "Initialize":
        said.value = {"cameraNearPlane": 0.1, "cameraFarPlane": 20.0}
    return said


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
