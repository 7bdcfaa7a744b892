"""Why an action is refused before the simulator is asked: one code each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

__all__ = ["Failed", "Refusal"]


@dataclass(frozen=True, slots=True)
class Failed:
    """Why an action was not done.

    Args:
        code: A :class:`Refusal`, or a code of the simulator.
        message: The same as a sentence.
    """

    code: str
    message: str


class Refusal(str, Enum):
    """Why an action is refused before the simulator is asked.

    The first four are no test of the gate: they say that the action or its object cannot be
    made out at all.
    """

    INVALID_ACTION = "INVALID_ACTION"
    INVALID_OBJECT = "INVALID_OBJECT"
    NO_INSTANCE = "NO_INSTANCE"
    ALL_EMPLOYED = "ALL_EMPLOYED"
    ALREADY_SLICED = "ALREADY_SLICED"
    NOT_VISIBLE = "NOT_VISIBLE"
    HAND_FULL = "HAND_FULL"
    NOTHING_HELD = "NOTHING_HELD"
    IN_CLOSED = "IN_CLOSED"
    NOT_PICKUPABLE = "NOT_PICKUPABLE"
    CONTAINER_DIRTY = "CONTAINER_DIRTY"
    CONTAINER_CLOSED = "CONTAINER_CLOSED"
    INCOMPATIBLE = "INCOMPATIBLE"
    NOT_OPENABLE = "NOT_OPENABLE"
    ALREADY_OPEN = "ALREADY_OPEN"
    ALREADY_CLOSED = "ALREADY_CLOSED"
    ALREADY_ON = "ALREADY_ON"
    ALREADY_OFF = "ALREADY_OFF"
    TV_NEEDS_REMOTE = "TV_NEEDS_REMOTE"
    COFFEE_EMPTY = "COFFEE_EMPTY"
    COFFEE_WRONG_OBJECT = "COFFEE_WRONG_OBJECT"
    COFFEE_MUG_FILLED = "COFFEE_MUG_FILLED"
    COFFEE_MUG_DIRTY = "COFFEE_MUG_DIRTY"
    SINK_BLOCKED = "SINK_BLOCKED"
    MICROWAVE_OPEN = "MICROWAVE_OPEN"
    BURNER_EMPTY = "BURNER_EMPTY"
    NOT_ON_SURFACE = "NOT_ON_SURFACE"
    NOT_IN_PAN = "NOT_IN_PAN"
    NEEDS_KNIFE = "NEEDS_KNIFE"
    NOT_SPRAYED = "NOT_SPRAYED"
    NEEDS_CLOTH = "NEEDS_CLOTH"
    FAUCET_OFF = "FAUCET_OFF"
    NOT_IN_SINK = "NOT_IN_SINK"
    NEEDS_SPONGE = "NEEDS_SPONGE"
    NEEDS_SPRAY_BOTTLE = "NEEDS_SPRAY_BOTTLE"
    NOT_FILLED = "NOT_FILLED"
    NOT_HELD = "NOT_HELD"

    def __str__(self) -> str:
        return self.value
