"""What can stand behind the player of AI2-THOR in tests, and the programs that play it."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fake_thor_player import Answer, play
from thor_metadata import Metadata, object_metadata, write_metadata

from eai.logic import Atom
from eai.simulators import ThorEngine, ThorWorld, load_scene, recorded_fits
from eai.simulators.thor.scenes import scene_names
from eai.suites.asgardbench.instances import instance as published
from eai.suites.asgardbench.placement import place_objects

__all__ = ["STAGES", "Recording", "Scripted", "Symbolic", "start", "write_player"]


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
            one = self._objects.setdefault(name, object_metadata(name, name))
            one.update({field: after for field, (_, after) in fields.items()})
        return Answer(list(self._objects.values()), error=step["error"])


class Symbolic:
    """Rooms of AI2-THOR with the symbolic world behind them.

    Args:
        walking: Whether an object is in reach only after the agent was taken to it.
        instance: An instance of AsgardBench, whose room is as that says.
    """

    def __init__(self, *, walking: bool = False, instance: str = "") -> None:
        self._instance = instance
        self.scenes = list(scene_names())
        self._walking = walking
        self._near: object = None

    def load(self, scene: str) -> Answer:
        """Begin a room."""
        if self._instance:
            self._scene = place_objects(published(self._instance))
            self._engine = ThorEngine(self._scene, world=ThorWorld(fits=recorded_fits()))
        else:
            self._scene = load_scene(scene)
            self._engine = ThorEngine(self._scene)
        self._names = {one.id: one.name for one in (*self._scene.objects, *self._scene.slices)}
        self._near = None
        return Answer(self._objects())

    def act(self, request: Mapping[str, Any]) -> Answer:
        """Do what the symbolic world does."""
        action, target = request["action"], str(request.get("objectId", ""))
        if action == "GetInteractablePoses":
            return self._poses(target)
        if action == "TeleportFull":
            self._near = request["x"]
        acts = action.endswith("Object") and action != "DisableObject"
        if acts or action.startswith(("Toggle", "Fill", "Empty")):
            return self._perform(request)
        return Answer(self._objects())

    def _perform(self, request: Mapping[str, Any]) -> Answer:
        given = (request.get("objectId"), request.get("fillLiquid"))
        arguments = [self._names.get(each, each) for each in given if each is not None]
        force = bool(request.get("forceAction"))
        if self._walking and given[0] in self._names and not force and not self._reached(given[0]):
            return Answer(self._objects(), error="Target object not found within the agent's reach")
        result = self._engine.perform(request["action"], arguments, force=force)
        code = "" if result.failure is None else _CODES.get(result.failure.name, "")
        return Answer(self._objects(), error=result.message, code=code)

    def _place(self, identifier: str) -> int:
        return list(self._names).index(identifier)

    def _reached(self, identifier: str) -> bool:
        name = self._names[identifier]
        held = self._engine.state.holds("holds", ("agent", name))
        return held or self._near == self._place(identifier)

    def _poses(self, identifier: str) -> Answer:
        if identifier not in self._names:
            return Answer(self._objects(), error="Object ID appears to be invalid.")
        reach = Atom("in_reach", ("agent", self._names[identifier]))
        reached = self._engine.world.world.holds(self._engine.state, reach)
        poses = [_pose(self._place(identifier))] if reached else []
        return Answer(self._objects(), value=poses)

    def _objects(self) -> list[Metadata]:
        rows = write_metadata(self._engine.state, self._scene)
        return [self._physical(row) for row in rows]

    def _physical(self, row: Metadata) -> Metadata:
        near = not self._walking or self._reached(row["objectId"])
        # The engine lists receptacles in no order.
        parents = row["parentReceptacles"]
        row["parentReceptacles"] = parents and sorted(parents, reverse=True)
        whole = object_metadata(row["name"], row["objectId"])
        return {**whole, **row, "visible": near, "isInteractable": near}


_CODES = {
    "INVALID_ACTION": "InvalidAction",
    "MISSING_ARGUMENTS": "MissingArguments",
    "INVALID_ARGUMENT": "InvalidArgument",
}


def _pose(place: int) -> dict[str, Any]:
    """A pose that tells, by its place, of which object it is in reach."""
    return {"x": place, "y": 0.9, "z": 0.0, "rotation": 90.0, "horizon": 0.0, "standing": True}


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


STAGES: dict[str, Callable[..., Any]] = {
    "recording": Recording,
    "scripted": Scripted,
    "symbolic": Symbolic,
}
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
        f"from fake_thor_stages import start\nstart({str(setup)!r})\n",
        encoding="utf-8",
    )
    player.chmod(0o700)
    return player


def start(setup: str) -> None:
    """Play what a file says; leave the number of the process beside it."""
    Path(setup).with_name("process").write_text(str(os.getpid()), encoding="utf-8")
    stage, arguments = json.loads(Path(setup).read_text(encoding="utf-8"))
    play(STAGES[stage](**arguments))
