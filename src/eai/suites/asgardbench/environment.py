"""AsgardBench's instances, acted in step by step: gate, choice of instances, simulator.

``official`` does what the published benchmark does; ``strict`` follows the rules of the paper:
an action is done with an instance that is in view and lets it be done, nothing is opened by
itself, and what is not seen is not found. Perception is not modelled: an agent reads what it
would see. Scores are therefore never comparable with published ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from eai.diagnosis.taxonomy import ErrorKind
from eai.interaction.protocol import Capabilities, Observation, StepResult
from eai.interaction.thor import RoomEngine
from eai.semantics import Semantics
from eai.simulators.thor.scenes import Scene, SceneObject
from eai.suites.asgardbench.effects import carry_out
from eai.suites.asgardbench.gate import ACTIONS, refusal
from eai.suites.asgardbench.instances import Instance, Pose
from eai.suites.asgardbench.placement import placed
from eai.suites.asgardbench.quirks import OFFICIAL_VERSION, QUIRKS
from eai.suites.asgardbench.refusals import Failed, Refusal
from eai.suites.asgardbench.resolution import Attention, alike, employed, in_order
from eai.suites.asgardbench.retry import Tried, in_turn
from eai.suites.asgardbench.room import SIGHT, Deed, Room
from eai.suites.asgardbench.sight import observed
from eai.world.action import Action
from eai.world.state import State

__all__ = ["AsgardEnvironment"]

_OPENED = ("Cabinet", "Drawer")
"""What `FIND` opens by itself, where the published benchmark does."""


class AsgardEnvironment:
    """One instance, acted in step by step.

    Args:
        instance: The instance.
        semantics: ``"official"``, ``"strict"``, or one with single quirks switched.
        scene: The scene as it is at the start; by default that of
            :func:`~eai.suites.asgardbench.placement.placed`.
        reach: How far the agent sees from where it stands, in metres.
        begin: Returns what does the simulator's actions, at the start of the scene; by default
            the symbolic engine.

    Raises:
        UnknownNameError: If the semantics or the scene is not known, or the scene has not got
            an object that the instance is set up with.
    """

    capabilities = Capabilities(hidden_state=True)
    actions: Mapping[str, int] = dict.fromkeys(ACTIONS, 1)

    def __init__(
        self,
        instance: Instance,
        semantics: str | Semantics = "official",
        *,
        scene: Scene | None = None,
        reach: float = SIGHT,
        begin: Callable[[], RoomEngine] | None = None,
    ) -> None:
        self.instance = instance
        self.semantics = Semantics.of(semantics, QUIRKS, version=OFFICIAL_VERSION)
        self.scene = placed(instance) if scene is None else scene
        self.reach = reach
        self._begin = begin
        self._kinds = {kind.lower(): kind for kind in self.scene.vocabulary}
        self.reset()

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """The types that an action may name, in a fixed order."""
        return tuple(self._kinds.values())

    @property
    def deeds(self) -> frozenset[Deed]:
        """What was done so far that goals ask for."""
        return self.room.deeds

    def reset(self) -> Observation:
        """Go back to the start of the instance."""
        self.room = Room(
            self.scene,
            focus=_nearest(self.scene, self.instance.pose),
            reach=self.reach,
            engine=None if self._begin is None else self._begin(),
        )
        self.room.prepare(self.instance.setup)
        self._attention = Attention()
        return observed(self.room)

    def state(self) -> State:
        """The whole state; for the evaluator."""
        return self.room.state

    def step(self, action: Action) -> StepResult:
        """Take one action: one of the twelve, on a type of objects."""
        name = action.name.upper()
        if name not in self.actions:
            return self._failed(Refusal.INVALID_ACTION, f"there is no action {action.name}")
        kind = self._kinds.get(action.arguments[0].lower()) if len(action.arguments) == 1 else None
        if kind is None:
            what = " ".join(action.arguments) or "nothing"
            return self._failed(Refusal.INVALID_OBJECT, f"there is no type of objects {what}")
        names = self._candidates(name, kind)
        if isinstance(names, Failed):
            return self._failed(names.code, names.message)
        tried = self._tried(name, kind, names)
        return self._result(name, tried)

    def _failed(self, code: str, message: str, kind: ErrorKind | None = None) -> StepResult:
        return StepResult(False, observed(self.room), str(code), message, kind=kind)

    def _candidates(self, action: str, kind: str) -> list[str] | Failed:
        names = in_order(self.room, action, kind, attention=self._attention, instance=self.instance)
        if not names:
            return Failed(Refusal.NO_INSTANCE, f"there is no {kind} here")
        if "reached_is_untouchable" in self.semantics:
            names = [name for name in names if not employed(self.room, name, self.instance)]
            if not names:
                return Failed(Refusal.ALL_EMPLOYED, f"every {kind} is where it has to be")
        return names

    def _tried(self, action: str, kind: str, names: list[str]) -> Tried:
        if action == "FIND":
            return in_turn(names, self._find)

        def attempt(name: str) -> Failed | None:
            return self._attempt(action, name)

        if action != "PUT":
            return in_turn(names, attempt)
        helped = "put_tries_all" in self.semantics
        before, after = (self._go_and_open, self._close) if helped else (None, None)
        tried = in_turn(names, attempt, before=before, after=after)
        others = alike(self.room, kind) if "surfaces_alike" in self.semantics else []
        if tried.failed is not None and others:
            tried = in_turn(others, attempt, before=before, after=after)
        return tried

    def _attempt(self, action: str, name: str) -> Failed | None:
        test = refusal(action, name, room=self.room, semantics=self.semantics)
        if test is not None:
            return Failed(test.code, test.says.replace("{}", self.room.type(name)))
        before = self.room.parent(name)
        failed = carry_out(action, name, room=self.room, semantics=self.semantics)
        # What is held moves with the agent: it looks on where it took that from.
        at = name if self.room.held != name else before
        if failed is None and at is not None and self.room.type(at) != "Floor":
            self.room.look_at(at)
        return failed

    def _find(self, name: str) -> Failed | None:
        room = self.room
        test = refusal("FIND", name, room=room, semantics=self.semantics)
        if test is not None:
            return Failed(test.code, test.says.replace("{}", room.type(name)))
        if "find_opens" in self.semantics:
            self._open_around(name)
        room.look_at(name)
        if room.in_view(name) or "find_never_fails" in self.semantics:
            return None
        return Failed(Refusal.NOT_VISIBLE, f"{room.type(name)} is not to be seen")

    def _open_around(self, name: str) -> None:
        container = self.room.container(name)
        if container is not None and self.room.type(container) in _OPENED:
            self.room.call("OpenObject", container, force=True)

    def _go_and_open(self, name: str) -> None:
        self.room.look_at(name)
        if self.room.shut(name):
            self._attempt("OPEN", name)

    def _close(self, name: str) -> None:
        if self.room.openable(name) and self.room.is_open(name):
            self.room.call("CloseObject", name)
            self._attention.closed(self.room.type(name), name)

    def _result(self, action: str, tried: Tried) -> StepResult:
        failed = tried.last if "last_refusal_told" in self.semantics else tried.failed
        if failed is not None:
            # What was sliced is no object any more: to look for it is no failure of the gate.
            gone = action == "FIND" and failed.code == Refusal.ALREADY_SLICED
            kind = ErrorKind.OBJECT_HALLUCINATION if gone else None
            return self._failed(failed.code, failed.message, kind)
        self._attention.note(action, self.room.type(tried.name), tried.name)
        return StepResult(True, observed(self.room), resolved=Action(action, (tried.name,)))


def _nearest(scene: Scene, pose: Pose) -> str:
    """Name of the receptacle that the agent stands at."""
    places = [
        one
        for one in scene.objects
        if "receptacle" in one.affordances
        and one.type != "Floor"
        and not {"pickupable", "openable"} & set(one.affordances)
    ]
    nearest = min(places, key=lambda one: _distance(one, pose), default=None)
    return "" if nearest is None else nearest.name


def _distance(one: SceneObject, pose: Pose) -> float:
    return math.hypot(one.position[0] - pose.x, one.position[2] - pose.z)
