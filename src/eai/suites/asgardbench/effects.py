"""What an action does once the gate lets it: calls of the simulator, and deeds.

Source: the published benchmark, section 1.5 of its description (paper: appendix A.3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from eai.semantics import Semantics
from eai.suites.asgardbench.refusals import Failed
from eai.suites.asgardbench.room import Deed, Room

__all__ = ["WASHED", "carry_out"]

WASHED = frozenset({"Bowl", "Cup", "Mug", "Pan", "Plate", "Pot"})
"""Types that are washed, and that the water of washing is poured out of."""


def carry_out(action: str, target: str, *, room: Room, semantics: Semantics) -> Failed | None:
    """Do what an action does.

    Args:
        action: One of the actions but ``FIND``, whose target has passed the gate.
        target: Name of the object.
        room: The room, which is changed.
        semantics: The quirks that are on.

    Returns:
        Why the simulator refused; None if it was done.
    """
    return _EFFECTS[action](target, room, semantics)


def _call(name: str, *, force: bool = False) -> Callable[[str, Room, Semantics], Failed | None]:
    return lambda target, room, _: room.call(name, target, force=force)


def _on(target: str, room: Room, _: Semantics) -> Failed | None:
    return room.call("ToggleObjectOn", room.controller(target))


def _off(target: str, room: Room, semantics: Semantics) -> Failed | None:
    failed = room.call("ToggleObjectOff", room.controller(target))
    if failed is None and "off_empties_water" in semantics:
        for name in room.with_water(WASHED):
            room.call("EmptyLiquidFromObject", name)
    return failed


def _pick_up(target: str, room: Room, semantics: Semantics) -> Failed | None:
    container = room.container(target)
    from_sink = container is not None and room.type(container) == "SinkBasin"
    failed = room.call("PickupObject", target)
    if failed is None and from_sink and "off_empties_water" not in semantics:
        for name in {target, *room.contents(target)} & set(room.with_water(WASHED)):
            room.call("EmptyLiquidFromObject", name)
    return failed


def _clean(target: str, room: Room, _: Semantics) -> Failed | None:
    return room.call("CleanObject", target) if room.dirty(target) else None


def _spray(target: str, room: Room, semantics: Semantics) -> Failed | None:
    if "spray_anything" in semantics or room.type(target) == "Mirror":
        room.remember(Deed.SPRAY)
    return None


def _drink(target: str, room: Room, semantics: Semantics) -> Failed | None:
    loose = "drink_with_anything" in semantics
    if loose or room.liquid(target) == "coffee":
        room.remember(Deed.DRINK)
    if not room.dirty(target) and (not loose or room.holds_type("Mug")):
        room.call("DirtyObject", target)
    return room.call("EmptyLiquidFromObject", target)


_EFFECTS: Mapping[str, Callable[[str, Room, Semantics], Failed | None]] = {
    "PICKUP": _pick_up,
    "PUT": _call("PutObject"),
    "OPEN": _call("OpenObject", force=True),
    "CLOSE": _call("CloseObject"),
    "TOGGLE_ON": _on,
    "TOGGLE_OFF": _off,
    "SLICE": _call("SliceObject"),
    "CLEAN": _clean,
    "SPRAY": _spray,
    "DRINK": _drink,
    "EMPTY": _call("EmptyLiquidFromObject"),
}
