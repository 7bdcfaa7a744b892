"""Why the engine refuses an action: one code for each reason, and how its message is known.

The codes are shared by the symbolic world and by the adapter of the real controller. The
substrings come from the engine's source (revisions of 2020 to 2022); no failing event of 5.0.0
is on record, so a message that holds none of them is :attr:`Failure.OTHER`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

from eai.logic.formula import Atom
from eai.simulators.thor.scenes import Scene
from eai.simulators.thor.world import AGENT, LIQUIDS, ThorWorld, work_out_containment
from eai.world.state import Change, State
from eai.world.transition import World

__all__ = ["ENGINE_ACTIONS", "MESSAGES", "TESTS", "Engine", "EngineResult", "Failure", "failure_of"]


class Failure(Enum):
    """Why the engine did not do what it was asked."""

    INVALID_ACTION = "INVALID_ACTION"
    MISSING_ARGUMENTS = "MISSING_ARGUMENTS"
    AMBIGUOUS_ACTION = "AMBIGUOUS_ACTION"
    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    UNKNOWN_OBJECT = "UNKNOWN_OBJECT"
    NOT_INTERACTABLE = "NOT_INTERACTABLE"
    NOT_PICKUPABLE = "NOT_PICKUPABLE"
    HAND_FULL = "HAND_FULL"
    HAND_NOT_AT_REST = "HAND_NOT_AT_REST"
    HAND_COLLIDES = "HAND_COLLIDES"
    HAND_EMPTY = "HAND_EMPTY"
    NO_RECEPTACLE = "NO_RECEPTACLE"
    NOT_RECEPTACLE = "NOT_RECEPTACLE"
    RECEPTACLE_CLOSED = "RECEPTACLE_CLOSED"
    NOT_MADE_FOR_IT = "NOT_MADE_FOR_IT"
    RECEPTACLE_FULL = "RECEPTACLE_FULL"
    BURNER_BLOCKED = "BURNER_BLOCKED"
    NOT_ACCEPTED = "NOT_ACCEPTED"
    NO_POSITION = "NO_POSITION"
    DROP_BLOCKED = "DROP_BLOCKED"
    OPENNESS = "OPENNESS"
    NOT_OPENABLE = "NOT_OPENABLE"
    MUST_BE_OFF = "MUST_BE_OFF"
    MOTION_BLOCKED = "MOTION_BLOCKED"
    NOT_TOGGLEABLE = "NOT_TOGGLEABLE"
    CONTROLLED = "CONTROLLED"
    ALREADY_ON = "ALREADY_ON"
    ALREADY_OFF = "ALREADY_OFF"
    MUST_BE_CLOSED = "MUST_BE_CLOSED"
    IS_BROKEN = "IS_BROKEN"
    IN_HAND = "IN_HAND"
    NOT_SLICEABLE = "NOT_SLICEABLE"
    NOT_BREAKABLE = "NOT_BREAKABLE"
    NOT_DIRTYABLE = "NOT_DIRTYABLE"
    ALREADY_DIRTY = "ALREADY_DIRTY"
    ALREADY_CLEAN = "ALREADY_CLEAN"
    NO_LIQUID = "NO_LIQUID"
    UNKNOWN_LIQUID = "UNKNOWN_LIQUID"
    NOT_FILLABLE = "NOT_FILLABLE"
    ALREADY_FILLED = "ALREADY_FILLED"
    ALREADY_EMPTY = "ALREADY_EMPTY"
    CANNOT_BE_USED_UP = "CANNOT_BE_USED_UP"
    ALREADY_USED_UP = "ALREADY_USED_UP"
    NOT_COOKABLE = "NOT_COOKABLE"
    ALREADY_COOKED = "ALREADY_COOKED"
    OTHER = "ENGINE_OTHER"


MESSAGES: Mapping[Failure, tuple[str, ...]] = {
    Failure.UNKNOWN_OBJECT: ("Object ID appears to be invalid",),
    Failure.NOT_INTERACTABLE: (
        "object not found / not interactable",
        "object not found",
        "not interactable",
        "occluded by something",
    ),
    Failure.NOT_PICKUPABLE: ("must have the property CanPickup",),
    Failure.HAND_FULL: ("Agent hand has something in it already",),
    Failure.HAND_NOT_AT_REST: ("Must reset Hand",),
    Failure.HAND_COLLIDES: ("cause it to collide",),
    Failure.HAND_EMPTY: ("isn't holding anything", "Nothing is in the agent's hand"),
    Failure.NO_RECEPTACLE: ("No valid Receptacle found",),
    Failure.NOT_RECEPTACLE: ("NOT a receptacle",),
    Failure.RECEPTACLE_CLOSED: ("Receptacle is CLOSED",),
    Failure.NOT_MADE_FOR_IT: ("not a valid Object Type to be placed",),
    Failure.RECEPTACLE_FULL: ("is full right now",),
    Failure.BURNER_BLOCKED: ("collision is blocking held object",),
    Failure.NOT_ACCEPTED: ("cannot be placed in",),
    Failure.NO_POSITION: ("No valid positions to place object found",),
    Failure.DROP_BLOCKED: ("can't be dropped",),
    Failure.OPENNESS: ("openness must be in",),
    Failure.NOT_OPENABLE: ("is not an Openable object",),
    Failure.MUST_BE_OFF: ("must be OFF to open",),
    Failure.MOTION_BLOCKED: ("failed to open/close",),
    Failure.NOT_TOGGLEABLE: ("not toggleable",),
    Failure.CONTROLLED: ("controlled by another sim object",),
    Failure.ALREADY_ON: ("already on",),
    Failure.ALREADY_OFF: ("already off",),
    Failure.MUST_BE_CLOSED: ("must be closed to Toggle On",),
    Failure.IS_BROKEN: ("is broken and cannot be Toggled On",),
    Failure.IN_HAND: ("cannot be sliced if it is in the agent's hand",),
    Failure.NOT_SLICEABLE: ("CanBeSliced property",),
    Failure.NOT_BREAKABLE: ("CanBreak property",),
    Failure.NOT_DIRTYABLE: ("CanBeDirty property", "dirtyable property"),
    Failure.ALREADY_DIRTY: ("already dirty",),
    Failure.ALREADY_CLEAN: ("already Clean",),
    Failure.NO_LIQUID: ("Missing Liquid",),
    Failure.UNKNOWN_LIQUID: ("not a valid Liquid Type",),
    Failure.NOT_FILLABLE: ("CanBeFilled property",),
    Failure.ALREADY_FILLED: ("already Filled",),
    Failure.ALREADY_EMPTY: ("already empty",),
    Failure.CANNOT_BE_USED_UP: ("CanBeUsedUp property",),
    Failure.ALREADY_USED_UP: ("already used up",),
    Failure.NOT_COOKABLE: ("not cookable",),
    Failure.ALREADY_COOKED: ("already Toasted",),
}
"""What the engine's message holds, by which the adapter knows the failure. Failures that are not
listed are known by the client's error code, or not at all."""

TESTS: Mapping[str, Failure] = {
    "in_reach": Failure.NOT_INTERACTABLE,
    "pickupable": Failure.NOT_PICKUPABLE,
    "hand_free": Failure.HAND_FULL,
    "hand_full": Failure.HAND_EMPTY,
    "put_in_reach": Failure.NO_RECEPTACLE,
    "receptacle": Failure.NOT_RECEPTACLE,
    "ready_to_take": Failure.RECEPTACLE_CLOSED,
    "suited": Failure.NOT_MADE_FOR_IT,
    "vacant": Failure.RECEPTACLE_FULL,
    "welcome": Failure.NOT_ACCEPTED,
    "fitting": Failure.NO_POSITION,
    "openable": Failure.NOT_OPENABLE,
    "switched_off_to_open": Failure.MUST_BE_OFF,
    "has_switch": Failure.NOT_TOGGLEABLE,
    "self_controlled": Failure.CONTROLLED,
    "off": Failure.ALREADY_ON,
    "on": Failure.ALREADY_OFF,
    "shut_to_run": Failure.MUST_BE_CLOSED,
    "whole": Failure.IS_BROKEN,
    "not_in_hand": Failure.IN_HAND,
    "sliceable": Failure.NOT_SLICEABLE,
    "breakable": Failure.NOT_BREAKABLE,
    "dirtyable": Failure.NOT_DIRTYABLE,
    "clean": Failure.ALREADY_DIRTY,
    "dirty": Failure.ALREADY_CLEAN,
    "fillable": Failure.NOT_FILLABLE,
    "empty": Failure.ALREADY_FILLED,
    "filled": Failure.ALREADY_EMPTY,
    "can_be_used_up": Failure.CANNOT_BE_USED_UP,
    "unused": Failure.ALREADY_USED_UP,
    "cookable": Failure.NOT_COOKABLE,
    "raw": Failure.ALREADY_COOKED,
}
"""Predicate of a test in the domain to the failure that it stands for."""


def failure_of(message: str) -> Failure:
    """Return the failure that a message of the engine tells of, letter case aside."""
    said = message.lower()
    # The longest part decides: "not toggleable" is not "already on", but one may hold another.
    found = (
        (len(part), failure)
        for failure, parts in MESSAGES.items()
        for part in parts
        if part.lower() in said
    )
    return max(found, key=lambda pair: pair[0], default=(0, Failure.OTHER))[1]


ENGINE_ACTIONS: Mapping[str, int] = {
    "PickupObject": 1,
    "PutObject": 1,
    "DropHandObject": 0,
    "ThrowObject": 0,
    "OpenObject": 1,
    "CloseObject": 1,
    "ToggleObjectOn": 1,
    "ToggleObjectOff": 1,
    "SliceObject": 1,
    "BreakObject": 1,
    "DirtyObject": 1,
    "CleanObject": 1,
    "FillObjectWithLiquid": 2,
    "EmptyLiquidFromObject": 1,
    "CookObject": 1,
    "UseUpObject": 1,
}
"""The engine's actions with the number of their arguments: an object, or the receptacle to put
in; to fill, a liquid too."""


@dataclass(frozen=True, slots=True)
class EngineResult:
    """What came of an action of the engine.

    Args:
        message: What the engine says of that; empty if it was done.
        changes: What changed in the state, effects of the surroundings included.
    """

    success: bool
    failure: Failure | None = None
    message: str = ""
    changes: Sequence[Change] = ()


class Engine:
    """Does the engine's actions, and after each lets the surroundings act.

    Args:
        start: A room, or a state of one; a state is not changed.
    """

    def __init__(self, start: Scene | State, *, world: ThorWorld | None = None) -> None:
        self.world = world or ThorWorld()
        state = self.world.start(start) if isinstance(start, Scene) else start
        self.state: State = state.begin()

    def perform(
        self, name: str, arguments: Sequence[str] = (), *, force: bool = False
    ) -> EngineResult:
        """Do one of :data:`ENGINE_ACTIONS`, or say why not. Nothing that is given raises.

        Args:
            name: The action, as the engine calls it.
            arguments: Names of objects, and for ``FillObjectWithLiquid`` the liquid.
            force: Whether reach and the table of placements are passed over (``forceAction``).
        """
        failure = self._malformed(name, arguments)
        world = self.world.forced if force else self.world.world
        if failure is None:
            failure = self._failure(world, _snake(name), arguments)
        if failure is not None:
            return EngineResult(False, failure, MESSAGES.get(failure, (failure.value,))[0])
        changes = world.apply(self.state, _snake(name), self._numbers(arguments))
        return EngineResult(True, changes=(*changes, *self.world.settle(self.state)))

    def _malformed(self, name: str, arguments: Sequence[str]) -> Failure | None:
        if name not in ENGINE_ACTIONS:
            return Failure.INVALID_ACTION
        if len(arguments) < ENGINE_ACTIONS[name]:
            return Failure.NO_LIQUID if arguments else Failure.MISSING_ARGUMENTS
        if len(arguments) > ENGINE_ACTIONS[name]:
            return Failure.INVALID_ARGUMENT
        constants, index = self.state.universe.constants, self.state.universe.index
        if arguments and (arguments[0] not in index or arguments[0] in constants):
            return Failure.UNKNOWN_OBJECT
        return None

    def _numbers(self, arguments: Sequence[str]) -> tuple[int, ...]:
        """Numbers of the agent and the arguments; no test looks at the liquid, known or not."""
        index = self.state.universe.index
        return tuple(index.get(name, index[AGENT]) for name in (AGENT, *arguments))

    def _failure(self, world: World, operator: str, arguments: Sequence[str]) -> Failure | None:
        work_out_containment(self.state)
        at = world.first_failure(self.state, operator, self._numbers(arguments))
        failure = None if at < 0 else _tests(world, operator)[at]
        # The engine asks whether it knows the liquid right before whether there is one in it.
        unknown = len(arguments) == 2 and arguments[1] not in LIQUIDS
        if unknown and failure in (None, Failure.ALREADY_FILLED):
            return Failure.UNKNOWN_LIQUID
        return failure


def _tests(world: World, operator: str) -> list[Failure]:
    tests = world.operator(operator).tests
    return [TESTS[test.predicate] for test in tests if isinstance(test, Atom)]


@cache
def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower()
