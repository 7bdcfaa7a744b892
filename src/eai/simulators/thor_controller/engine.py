"""The real engine in the place of the symbolic one: the same actions, results and states."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from eai.simulators.thor.engine import ENGINE_ACTIONS, EngineResult
from eai.simulators.thor.failures import Failure, failure_of
from eai.simulators.thor.scenes import Scene
from eai.simulators.thor.world import ThorWorld
from eai.simulators.thor_controller.client import Connection, Reply
from eai.simulators.thor_controller.states import StateReader, differences
from eai.world.state import State

__all__ = ["ControllerEngine"]

_ARGUMENTS = ("objectId", "fillLiquid")

_CODES = MappingProxyType(
    {
        "InvalidAction": Failure.INVALID_ACTION,
        "MissingArguments": Failure.MISSING_ARGUMENTS,
        "AmbiguousAction": Failure.AMBIGUOUS_ACTION,
        "InvalidArgument": Failure.INVALID_ARGUMENT,
    }
)
"""Failures that the engine tells by a code; the others are known by its message."""


class ControllerEngine:
    """Does what :class:`eai.simulators.thor.engine.Engine` does, by the real engine.

    The symbolic world has no distances: what is in view is in reach. So the agent is taken to
    an object before it acts on it, if it is not in reach (``GetInteractablePoses``,
    ``TeleportFull``). After an action that was done the engine is let act for one step more
    (``Pass``), so that what follows from it has happened.

    Args:
        connection: A player in which the room is loaded.
        approach: Whether the agent is taken to what it acts on.
        world: The symbolic world whose states are read.

    Attributes:
        scene: The room as it was loaded.
        state: The state now.

    Raises:
        SchemaError: If the metadata of the room cannot be read.
    """

    def __init__(
        self, connection: Connection, *, approach: bool = True, world: ThorWorld | None = None
    ) -> None:
        self.world = world or ThorWorld()
        self._connection = connection
        self._approach = approach
        self._begin()

    def _begin(self) -> None:
        self._reader = StateReader(self._connection.metadata, world=self.world)
        self.scene: Scene = self._reader.scene
        self._ids = {one.name: one.id for one in (*self.scene.objects, *self.scene.slices)}
        self.state: State = self._reader.start.begin()

    def reset(self) -> ControllerEngine:
        """Load the room again; return this engine.

        Raises:
            SimulationError: If the player failed.
        """
        self._connection.load(self.scene.name)
        self._begin()
        return self

    @property
    def visible(self) -> frozenset[str]:
        """Names of the objects that the agent sees from where it stands."""
        ids = {one["objectId"] for one in self._connection.metadata["objects"] if one["visible"]}
        return frozenset(name for name, identifier in self._ids.items() if identifier in ids)

    def go_to(self, name: str) -> EngineResult:
        """Take the agent to an object that it does not hold, so that it can act on it.

        Args:
            name: Name of the object.

        Raises:
            SimulationError: If the player failed.
        """
        poses = self._connection.ask("GetInteractablePoses", objectId=self._id(name))
        if not poses.success:
            return _refused(_failure(poses), poses.message)
        if not poses.value:
            return _refused(Failure.NOT_INTERACTABLE, f"{name} can be reached from nowhere")
        arrived = self._connection.ask("TeleportFull", **poses.value[0])
        if not arrived.success:
            return _refused(_failure(arrived), arrived.message)
        return EngineResult(True)

    def perform(
        self, name: str, arguments: Sequence[str] = (), *, force: bool = False
    ) -> EngineResult:
        """Do one of the engine's actions, or say why not.

        Args:
            name: The action, as the engine calls it.
            arguments: Names of objects, and for ``FillObjectWithLiquid`` the liquid.
            force: Whether reach and the table of placements are passed over (``forceAction``).

        Raises:
            SimulationError: If the player failed, which is no failure of the action.
        """
        if name not in ENGINE_ACTIONS:
            return _refused(Failure.INVALID_ACTION, f"{name} is no action on objects")
        if len(arguments) > ENGINE_ACTIONS[name]:
            return _refused(Failure.INVALID_ARGUMENT, f"{name} has too many arguments")
        request: dict[str, object] = dict(zip(_ARGUMENTS, arguments, strict=False))
        if arguments:
            request["objectId"] = self._id(arguments[0])
        if force:
            request["forceAction"] = True
        elif arguments and self._approach and self._is_far(arguments[0]):
            self.go_to(arguments[0])  # If that fails, the engine says why it cannot act.
        reply = self._connection.ask(name, **request)
        if not reply.success:
            return _refused(_failure(reply), reply.message)
        return self._settled(arguments[0] if name == "PutObject" else "")

    def _id(self, name: str) -> str:
        # A name that is not known is handed on, for the engine to refuse.
        return self._ids.get(name, name)

    def _is_far(self, name: str) -> bool:
        identifier = self._id(name)
        return any(
            one["objectId"] == identifier and not (one["isInteractable"] or one["isPickedUp"])
            for one in self._connection.metadata["objects"]
        )

    def _settled(self, target: str) -> EngineResult:
        metadata = self._connection.ask("Pass").metadata
        before = self.state
        self.state = self._reader.read(metadata, before=before, target=target)
        return EngineResult(True, changes=differences(before, self.state))


def _failure(reply: Reply) -> Failure:
    failure = failure_of(reply.message)
    return _CODES.get(reply.code, failure) if failure is Failure.OTHER else failure


def _refused(failure: Failure, message: str) -> EngineResult:
    return EngineResult(False, failure, message)
