"""Why the engine refuses an action: one code for each reason, and how its message is known.

The codes are shared by the symbolic world and by the adapter of the real controller. The
substrings come from the engine's source (revisions of 2020 to 2022); no failing event of 5.0.0
is on record, so a message that holds none of them is :attr:`Failure.OTHER`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

__all__ = ["MESSAGES", "TESTS", "Failure", "failure_of"]


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
