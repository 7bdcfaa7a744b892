"""Why the engine refuses an action: one code for each reason, and how its message is known.

The codes are shared by the symbolic world and by the adapter of the real controller. The
substrings come from the engine's source (revisions of 2020 to 2022); no failing event of 5.0.0
is on record, so a message that holds none of them is :attr:`ThorFailure.OTHER`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

from eai.logic import Atom
from eai.simulators.thor.scenes import Scene
from eai.simulators.thor.world import AGENT, LIQUIDS, ThorWorld, work_out_containment
from eai.world import Change, State, World


class ThorFailure(Enum):
    """Reasons why the engine refuses an action.

    Each has its code, the predicate of the test in the domain that stands for it, if there is one,
    and what the engine's message holds, by which the adapter knows it. A failure without a message
    is known by the client's error code, or not at all.
    """

    INVALID_ACTION = "INVALID_ACTION"
    MISSING_ARGUMENTS = "MISSING_ARGUMENTS"
    AMBIGUOUS_ACTION = "AMBIGUOUS_ACTION"
    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    UNKNOWN_OBJECT = "UNKNOWN_OBJECT", "", "Object ID appears to be invalid"
    NOT_INTERACTABLE = (
        "NOT_INTERACTABLE",
        "in_reach",
        "object not found / not interactable",
        "object not found",
        "not interactable",
        "occluded by something",
    )
    NOT_PICKUPABLE = "NOT_PICKUPABLE", "pickupable", "must have the property CanPickup"
    HAND_FULL = "HAND_FULL", "hand_free", "Agent hand has something in it already"
    HAND_NOT_AT_REST = "HAND_NOT_AT_REST", "", "Must reset Hand"
    HAND_COLLIDES = "HAND_COLLIDES", "", "cause it to collide"
    HAND_EMPTY = (
        "HAND_EMPTY",
        "hand_full",
        "isn't holding anything",
        "Nothing is in the agent's hand",
    )
    NO_RECEPTACLE = "NO_RECEPTACLE", "put_in_reach", "No valid Receptacle found"
    NOT_RECEPTACLE = "NOT_RECEPTACLE", "receptacle", "NOT a receptacle"
    RECEPTACLE_CLOSED = "RECEPTACLE_CLOSED", "ready_to_take", "Receptacle is CLOSED"
    NOT_MADE_FOR_IT = "NOT_MADE_FOR_IT", "suited", "not a valid Object Type to be placed"
    RECEPTACLE_FULL = "RECEPTACLE_FULL", "vacant", "is full right now"
    BURNER_BLOCKED = "BURNER_BLOCKED", "", "collision is blocking held object"
    NOT_ACCEPTED = "NOT_ACCEPTED", "welcome", "cannot be placed in"
    NO_POSITION = "NO_POSITION", "fitting", "No valid positions to place object found"
    DROP_BLOCKED = "DROP_BLOCKED", "", "can't be dropped"
    OPENNESS = "OPENNESS", "", "openness must be in"
    NOT_OPENABLE = "NOT_OPENABLE", "openable", "is not an Openable object"
    MUST_BE_OFF = "MUST_BE_OFF", "switched_off_to_open", "must be OFF to open"
    MOTION_BLOCKED = "MOTION_BLOCKED", "", "failed to open/close"
    NOT_TOGGLEABLE = "NOT_TOGGLEABLE", "has_switch", "not toggleable"
    CONTROLLED = "CONTROLLED", "self_controlled", "controlled by another sim object"
    ALREADY_ON = "ALREADY_ON", "off", "already on"
    ALREADY_OFF = "ALREADY_OFF", "on", "already off"
    MUST_BE_CLOSED = "MUST_BE_CLOSED", "shut_to_run", "must be closed to Toggle On"
    IS_BROKEN = "IS_BROKEN", "whole", "is broken and cannot be Toggled On"
    IN_HAND = "IN_HAND", "not_in_hand", "cannot be sliced if it is in the agent's hand"
    NOT_SLICEABLE = "NOT_SLICEABLE", "sliceable", "CanBeSliced property"
    NOT_BREAKABLE = "NOT_BREAKABLE", "breakable", "CanBreak property"
    NOT_DIRTYABLE = "NOT_DIRTYABLE", "dirtyable", "CanBeDirty property", "dirtyable property"
    ALREADY_DIRTY = "ALREADY_DIRTY", "clean", "already dirty"
    ALREADY_CLEAN = "ALREADY_CLEAN", "dirty", "already Clean"
    NO_LIQUID = "NO_LIQUID", "", "Missing Liquid"
    UNKNOWN_LIQUID = "UNKNOWN_LIQUID", "", "not a valid Liquid Type"
    NOT_FILLABLE = "NOT_FILLABLE", "fillable", "CanBeFilled property"
    ALREADY_FILLED = "ALREADY_FILLED", "empty", "already Filled"
    ALREADY_EMPTY = "ALREADY_EMPTY", "filled", "already empty"
    CANNOT_BE_USED_UP = "CANNOT_BE_USED_UP", "can_be_used_up", "CanBeUsedUp property"
    ALREADY_USED_UP = "ALREADY_USED_UP", "unused", "already used up"
    NOT_COOKABLE = "NOT_COOKABLE", "cookable", "not cookable"
    ALREADY_COOKED = "ALREADY_COOKED", "raw", "already Toasted"
    OTHER = "ENGINE_OTHER"

    test: str
    messages: tuple[str, ...]

    def __new__(cls, code: str, test: str = "", *messages: str) -> ThorFailure:  # noqa: PYI034 (Self came with 3.11)
        """Create a member whose value is its code."""
        member = object.__new__(cls)
        member._value_ = code
        member.test = test
        member.messages = messages
        return member


_BY_TEST = {failure.test: failure for failure in ThorFailure if failure.test}


def failure_of(message: str) -> ThorFailure:
    """Return the failure that a message of the engine describes, ignoring case.

    The longest part that is found in the message decides, as one part may contain another.
    """
    text = message.lower()
    longest = 0
    longest_match = ThorFailure.OTHER
    for failure in ThorFailure:
        for known_message in failure.messages:
            # The longest part decides: "not toggleable" is not "already on", but one may hold
            # another.
            if len(known_message) > longest and known_message.lower() in text:
                longest = len(known_message)
                longest_match = failure
    return longest_match


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
    """The result of an action of the engine."""

    success: bool
    failure: ThorFailure | None = None
    message: str = ""  # what the engine says of that; empty if it was done
    changes: Sequence[Change] = ()  # in the state, effects of the surroundings included


class ThorEngine:
    """Performs the engine's actions, followed by reactions of the surroundings.

    Args:
        start: A room, or a state of one; a state is not changed.
    """

    def __init__(self, start: Scene | State, *, world: ThorWorld | None = None) -> None:
        self.world = world or ThorWorld()
        if isinstance(start, Scene):
            start = self.world.start(start)
        self.state: State = start.begin()

    def perform(
        self, name: str, arguments: Sequence[str] = (), *, force: bool = False
    ) -> EngineResult:
        """Perform one of :data:`ENGINE_ACTIONS`, or return why it fails. No argument raises.

        Args:
            name: The action, as the engine calls it.
            arguments: Names of objects, and for ``FillObjectWithLiquid`` the liquid.
            force: Whether reach and the table of placements are ignored (``forceAction``).
        """
        # Wrong names and numbers of arguments come first, because tests need valid arguments.
        failure = self._wrong_request(name, arguments)
        world = self.world.forced if force else self.world.world
        operator = _snake_case(name)
        if failure is None:
            failure = self._failed_test(world, operator, arguments)
        if failure is not None:
            message = failure.value
            if failure.messages:
                message = failure.messages[0]
            return EngineResult(False, failure, message)
        # Reactions of the surroundings (running water, cooking food) belong to the action.
        changes = world.apply(self.state, operator, self._numbers(arguments))
        return EngineResult(True, changes=(*changes, *self.world.settle(self.state)))

    def _wrong_request(self, name: str, arguments: Sequence[str]) -> ThorFailure | None:
        """Return the fault of a request that no state permits, or None.

        The order of the tests is that of the engine, as the first failure is the one it reports.
        """
        if name not in ENGINE_ACTIONS:
            return ThorFailure.INVALID_ACTION
        if len(arguments) < ENGINE_ACTIONS[name]:
            # Only filling takes two arguments, so it is the liquid that is missing.
            return ThorFailure.NO_LIQUID if arguments else ThorFailure.MISSING_ARGUMENTS
        if len(arguments) > ENGINE_ACTIONS[name]:
            return ThorFailure.INVALID_ARGUMENT
        universe = self.state.universe
        # Constants are the agent and the liquids, which have no ids.
        if arguments and (arguments[0] not in universe.index or arguments[0] in universe.constants):
            return ThorFailure.UNKNOWN_OBJECT
        return None

    def _numbers(self, arguments: Sequence[str]) -> tuple[int, ...]:
        """Return numbers of agent and arguments; no test looks at the liquid, known or not."""
        index = self.state.universe.index
        return tuple(index.get(name, index[AGENT]) for name in (AGENT, *arguments))

    def _failed_test(
        self, world: World, operator: str, arguments: Sequence[str]
    ) -> ThorFailure | None:
        """Return the failure of the first test that an action fails now, or None.

        Args:
            world: The world whose operator is tested.
            operator: Name of the operator.
            arguments: Names of its arguments.
        """
        work_out_containment(self.state)
        failure = None
        index = world.first_failure(self.state, operator, self._numbers(arguments))
        if index >= 0:
            test = world.operator(operator).tests[index]
            if isinstance(test, Atom):
                failure = _BY_TEST[test.predicate]
        # The engine tests for an unknown liquid right before it tests whether the object is filled.
        is_unknown_liquid = len(arguments) == 2 and arguments[1] not in LIQUIDS
        if is_unknown_liquid and failure in (None, ThorFailure.ALREADY_FILLED):
            return ThorFailure.UNKNOWN_LIQUID
        return failure


@cache
def _snake_case(name: str) -> str:
    """Return an action of the engine as the domain spells it: ``pickup_object``."""
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower()
