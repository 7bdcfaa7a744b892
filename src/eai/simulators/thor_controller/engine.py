"""From the metadata of the real engine to a state of the symbolic world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from eai.errors import SimulationError
from eai.simulators.thor.engine import ENGINE_ACTIONS, EngineResult, ThorFailure, failure_of
from eai.simulators.thor.metadata import STATE_FIELDS, read_scene
from eai.simulators.thor.scenes import Scene, SceneObject
from eai.simulators.thor.world import AGENT, ThorWorld, facts_of
from eai.simulators.thor_controller.client import Connection, ControllerReply
from eai.world import Change, State
from eai.world.bits import bits

_FLAGS = (*STATE_FIELDS.values(), "hot", "cold", "dormant")
_RELATIONS = ("in", "also_in", "holds", "contains")


class StateReader:
    """Derives symbolic states of one room from the simulator's metadata.

    All states are over the same objects: those of the room as it was loaded, and the slices that
    may be cut from them. Further objects that the engine lists later (an unknown slice) are left
    out.
    """

    def __init__(self, metadata: Mapping[str, Any], *, world: ThorWorld) -> None:
        """Read the room, and clear in its state everything that an action can change."""
        self.scene: Scene = read_scene(metadata)
        self._blank = world.start(self.scene)
        index = self._blank.layout.index
        for predicate in _FLAGS:
            self._blank.write(index[predicate], 0, None, -1, False)
        for predicate in _RELATIONS:
            for object_number in range(len(self._blank.universe)):
                self._blank.write(index[predicate], 0, object_number, -1, False)
        self._slices = {piece.name for piece in self.scene.slices}
        self.start: State = self._read(self.scene)

    def read(self, metadata: Mapping[str, Any], *, before: State, target: str = "") -> State:
        """Return the state of a room after an action.

        The engine lists the receptacles of an object in no order. If an object was in one of them
        before, it is still there; an object that was put down is in the receptacle of the action.
        The engine also omits contents of carried receptacles: an object that was in one before, and
        is in no receptacle now, is still in it.

        Args:
            metadata: The metadata after the action.
            before: The state before it.
            target: The receptacle that an object was put into; empty for other actions.
        """
        expected_places = _places(before, target)
        scene = read_scene(metadata)
        placed_objects: list[SceneObject] = []
        for scene_object in scene.objects:
            expected_place = expected_places.get(scene_object.name, "")
            # The expected receptacle is in the list of the engine, but not at its beginning.
            if expected_place != scene_object.place and expected_place in scene_object.also:
                other_receptacles = tuple(
                    name for name in scene_object.parents if name != expected_place
                )
                placed_objects.append(
                    replace(scene_object, place=expected_place, also=other_receptacles)
                )
            else:
                placed_objects.append(scene_object)
        state = self._read(replace(scene, objects=tuple(placed_objects)))
        state.began = before.initial
        self._keep_contents_of_carried(state, before)
        return state

    def _keep_contents_of_carried(self, state: State, before: State) -> None:
        """Restore the contents of carried receptacles that the metadata omits.

        The engine does not reliably list what is in a receptacle that is carried.

        Args:
            state: The state, which is changed.
            before: The state before the action.
        """
        # From the hand downwards: a bowl in a carried pan may have something in it, too.
        index = state.layout.index
        inside = index["in"]
        pending = list(bits(state.rows[index["holds"]][state.universe.number(AGENT)]))
        while pending:
            carrier = pending.pop()
            for object_number in bits(before.cols[inside][carrier] & ~state.unary[index["sliced"]]):
                if not (
                    state.rows[inside][object_number] or state.rows[index["also_in"]][object_number]
                ):
                    state.put(inside, (object_number, carrier), True)
                    pending.append(object_number)

    def _read(self, scene: Scene) -> State:
        """Return the state of a room without unknown objects.

        A state cannot get new objects, so it has all slices from the start. Slices that are not in
        the room are marked as dormant.
        """
        state = self._blank.copy()
        known_names = state.universe.index
        present_objects = [
            scene_object for scene_object in scene.objects if scene_object.name in known_names
        ]
        for scene_object in present_objects:
            for predicate, arguments in facts_of(scene_object):
                if all(name in known_names for name in arguments):
                    state.add(predicate, arguments)
        for name in self._slices - {scene_object.name for scene_object in present_objects}:
            state.add("dormant", (name,))
        return state


def _places(before: State, target: str) -> dict[str, str]:
    """Return the expected locations: the previous ones, and a target for the held object.

    Args:
        before: The state before an action.
        target: The receptacle that the action puts an object into; empty for other actions.
    """
    names = before.universe.names
    index = before.layout.index
    places = {}
    for object_number, receptacles in enumerate(before.rows[index["in"]]):
        for receptacle in bits(receptacles):
            places[names[object_number]] = names[receptacle]
    held = before.rows[index["holds"]][before.universe.number(AGENT)]
    for object_number in bits(held):
        places[names[object_number]] = target
    return places


def differences(before: State, after: State) -> list[Change]:
    """Return the changes between two states of a room.

    States are tables of bit masks, so a whole row is compared at once: a bit that was removed
    became false, and a bit that was added became true.
    """
    index = before.layout.index
    changes: list[Change] = []

    def compare(predicate: int, row_number: int | None, old: int, new: int) -> None:
        """Add the changes of one row: first the removed objects, then the added ones."""
        for mask, value in ((old & ~new, False), (new & ~old, True)):
            if mask:
                changes.append((predicate, 0, row_number, mask, value))

    for name in _FLAGS:
        predicate = index[name]
        compare(predicate, None, before.unary[predicate], after.unary[predicate])
    # One direction is enough: columns mirror the rows.
    for name in _RELATIONS:
        predicate = index[name]
        for object_number in range(len(before.universe)):
            old = before.rows[predicate][object_number]
            compare(predicate, object_number, old, after.rows[predicate][object_number])
    return changes


_ARGUMENTS = ("objectId", "fillLiquid")

_CODES = MappingProxyType(
    {
        "InvalidAction": ThorFailure.INVALID_ACTION,
        "MissingArguments": ThorFailure.MISSING_ARGUMENTS,
        "AmbiguousAction": ThorFailure.AMBIGUOUS_ACTION,
        "InvalidArgument": ThorFailure.INVALID_ARGUMENT,
    }
)
"""Failures that the engine tells by a code; the others are known by its message."""


POSE = frozenset(
    {
        *(ThorFailure.NOT_INTERACTABLE, ThorFailure.HAND_COLLIDES, ThorFailure.BURNER_BLOCKED),
        *(ThorFailure.NO_POSITION, ThorFailure.DROP_BLOCKED, ThorFailure.MOTION_BLOCKED),
    }
)
"""Failures that may be of the place from which it was tried."""


class ControllerEngine:
    """Performs the actions of :class:`eai.simulators.thor.engine.ThorEngine` in the real engine.

    The symbolic world has no distances: what is in view is in reach. So the agent is taken to
    an object before it acts on it, if it is not in reach (``GetInteractablePoses``,
    ``TeleportFull``). If the engine cannot act from there (:data:`POSE`), all other poses are tried
    before that counts as a failure. After an action that was done the engine is let act for one
    step more (``Pass``), so that what follows from it has happened.

    Args:
        world: The symbolic world whose states are read.
        setup: Actions, with their arguments, that the engine does once the room is loaded.

    Raises:
        SchemaError: If the metadata of the room cannot be read.
        SimulationError: If the player failed, or the set-up is refused.
    """

    def __init__(
        self,
        connection: Connection,
        *,
        approach: bool = True,
        world: ThorWorld | None = None,
        setup: Sequence[tuple[str, Mapping[str, object]]] = (),
    ) -> None:
        """Set the room up, and read its first state."""
        self.world = world or ThorWorld()
        self._connection = connection
        self._approach = approach
        self._setup = setup
        self._begin()

    def _begin(self) -> None:
        """Set up the room, and read its initial state.

        Raises:
            SimulationError: If the simulator refuses an action of the set-up.
        """
        for action, arguments in self._setup:
            reply = self._connection.ask(action, **arguments)
            if not reply.success:
                raise SimulationError(f"the set-up is refused: {reply.message}", where=action)
        self._reader = StateReader(self._connection.metadata, world=self.world)
        self.scene: Scene = self._reader.scene
        self._ids = {item.name: item.id for item in (*self.scene.objects, *self.scene.slices)}
        self.state: State = self._reader.start.begin()

    def reset(self) -> ControllerEngine:
        """Load the room again; return this engine."""
        self._connection.load(self.scene.name)
        self._begin()
        return self

    @property
    def visible(self) -> frozenset[str]:
        """Names of the objects that the agent sees from where it stands."""
        ids = {row["objectId"] for row in self._connection.metadata["objects"] if row["visible"]}
        return frozenset(name for name, identifier in self._ids.items() if identifier in ids)

    @property
    def image(self) -> bytes:
        """The picture of the camera, as PNG; empty if nothing is drawn."""
        return self._connection.image

    def go_to(self, name: str) -> EngineResult:
        """Take the agent to an object that it does not hold, so that it can act on it."""
        return next(iter(self._approaches(name)))

    def _approaches(self, name: str) -> Iterator[EngineResult]:
        """Move the agent to one pose after another from which it can act on an object.

        Yields:
            A success for each pose that the agent reaches, and at the end a failure with the reason
            why it reaches no further one.
        """
        poses = self._connection.ask("GetInteractablePoses", objectId=self._id(name))
        if not poses.success:
            yield _refused(_failure(poses), poses.message)
            return
        # The engine may refuse a pose although it has listed it.
        last_failure = _refused(ThorFailure.NOT_INTERACTABLE, f"{name} can be reached from nowhere")
        for pose in poses.value or ():
            reply = self._connection.ask("TeleportFull", **pose)
            if reply.success:
                yield EngineResult(True)
            last_failure = _refused(_failure(reply), reply.message)
        yield last_failure

    def perform(
        self, name: str, arguments: Sequence[str] = (), *, force: bool = False
    ) -> EngineResult:
        """Perform one of the engine's actions, or return why it fails.

        Args:
            name: The action, as the engine calls it.
            arguments: Names of objects, and for ``FillObjectWithLiquid`` the liquid.
            force: Whether reach and the table of placements are ignored (``forceAction``).

        Raises:
            SimulationError: If the player failed, which is not a failure of the action.
        """
        if name not in ENGINE_ACTIONS:
            return _refused(ThorFailure.INVALID_ACTION, f"{name} is not an action on objects")
        if len(arguments) > ENGINE_ACTIONS[name]:
            return _refused(ThorFailure.INVALID_ARGUMENT, f"{name} has too many arguments")
        # Most actions take an object only, and some nothing at all.
        request: dict[str, object] = dict(zip(_ARGUMENTS, arguments, strict=False))
        if arguments:
            request["objectId"] = self._id(arguments[0])
        if force:
            request["forceAction"] = True
        object_to_approach = ""
        if arguments and self._approach and not force:
            object_to_approach = arguments[0]
        reply = self._ask_within_reach(name, request, object_to_approach)
        if not reply.success:
            return _refused(_failure(reply), reply.message)
        # The metadata lists receptacles in no order, so only the action tells where the object is.
        put_receptacle = ""
        if name == "PutObject":
            put_receptacle = arguments[0]
        # One more step lets objects fall, or start to cook, because of the action.
        metadata = self._connection.ask("Pass").metadata
        state_before = self.state
        self.state = self._reader.read(metadata, before=state_before, target=put_receptacle)
        return EngineResult(True, changes=differences(state_before, self.state))

    def _ask_within_reach(
        self, name: str, request: Mapping[str, Any], target: str
    ) -> ControllerReply:
        """Send an action, repeating it from other poses near the target if needed.

        Args:
            name: The action.
            request: Its arguments.
            target: The object that the agent approaches; empty if it stays where it is.
        """
        if target and self._is_out_of_reach(target):
            self.go_to(target)  # If that fails, the engine says why it cannot act.
        reply = self._connection.ask(name, **request)
        # The first refusal, at the original pose, is the one that is reported. Other poses are only
        # tried if the refusal was because of the pose.
        if not target or _failure(reply) not in POSE:
            return reply
        for approach in self._approaches(target):
            if not approach.success:
                continue
            second_reply = self._connection.ask(name, **request)
            if _failure(second_reply) not in POSE:
                return second_reply
        return reply

    def _is_out_of_reach(self, name: str) -> bool:
        """Return whether an object is neither within reach nor held."""
        identifier = self._id(name)
        for row in self._connection.metadata["objects"]:
            if row["objectId"] == identifier:
                return not (row["isInteractable"] or row["isPickedUp"])
        return False

    def _id(self, name: str) -> str:
        """Return the id of an object; a name that is not known is for the engine to refuse."""
        return self._ids.get(name, name)


def _failure(reply: ControllerReply) -> ThorFailure | None:
    """Return why a request was refused, by message or code, or None if it succeeded."""
    if reply.success:
        return None
    failure = failure_of(reply.message)
    if failure is ThorFailure.OTHER:
        return _CODES.get(reply.code, failure)
    return failure


def _refused(failure: ThorFailure | None, message: str) -> EngineResult:
    """Return the result of an action that was not done."""
    return EngineResult(False, failure, message)
