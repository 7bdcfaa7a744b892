"""How the oracle slices and cooks: with a knife, in the microwave, the toaster and the pan."""

from __future__ import annotations

from collections.abc import Callable

from eai.suites.asgardbench.gate import LOWEST_TO_SLICE
from eai.suites.asgardbench.handling import Handling, Steps
from eai.suites.asgardbench.room import Room
from eai.suites.asgardbench.washing import Washing

__all__ = ["Cooking"]

_FLAT = ("CounterTop", "DiningTable", "SideTable")
_FRIED = frozenset({"EggCracked", "PotatoSliced"})


class Cooking:
    """Slices and cooks.

    Args:
        hands: What handles single objects.
        washing: What cleans the pan.
        served: The objects of a type that will do, the best first.
    """

    def __init__(
        self, hands: Handling, washing: Washing, served: Callable[[str], list[str]]
    ) -> None:
        self._hands = hands
        self._washing = washing
        self._served = served

    @property
    def _room(self) -> Room:
        return self._hands.room

    def cook(self, kind: str) -> Steps:
        """Cook one of a type."""
        if self._served(kind):
            return True
        if kind == "Potato":
            done = yield from self._microwave()
        elif kind in _FRIED:
            done = yield from self._fry(kind)
        else:
            done = yield from self._toast(kind)
        return done and bool(self._served(kind))

    def make(self, kind: str) -> Steps:
        """Slice something, if there are no slices of it yet; an egg is cracked elsewhere."""
        source = kind.removesuffix("Sliced")
        if source == kind or self._room.instances(kind):
            return True
        name = self._hands.need(source)
        if name is None or not (yield from self._lay_flat(name)):
            return False
        if not (yield from self._hands.hold_one("Knife")):
            return False
        return (yield from self._hands.do("SLICE", source, lambda: self._room.sliced(name)))

    def _microwave(self) -> Steps:
        potato = self._hands.need("Potato")
        if potato is None or not (yield from self._hands.put(potato, "Microwave")):
            return False
        yield from self._hands.close("Microwave")
        return (yield from self._hands.run("Microwave"))

    def _toast(self, kind: str) -> Steps:
        hands, toaster = self._hands, self._hands.need("Toaster")
        if toaster is None or not (yield from self._only(kind, toaster)):
            return False
        if not self._room.contents(toaster):
            if not (yield from self.make(kind)):
                return False
            if not (yield from hands.put(self._spare(kind), "Toaster")):
                return False
        return (yield from hands.run("Toaster"))

    def _fry(self, kind: str) -> Steps:
        pan = self._hands.need("Pan")
        if pan is None or not (yield from self._washing.wash("Pan")):
            return False
        if not (yield from self._only(kind, pan)) or not (yield from self._fill_pan(kind, pan)):
            return False
        if not (yield from self._hands.put(pan, "StoveBurner")):
            return False
        return (yield from self._hands.run("StoveBurner"))

    def _only(self, kind: str, place: str) -> Steps:
        """Leave nothing in a place but what is to be cooked there, or cracked."""
        wanted = (kind, "Egg") if kind == "EggCracked" else (kind,)
        return (yield from self._hands.clear(place, lambda each: self._room.type(each) in wanted))

    def _fill_pan(self, kind: str, pan: str) -> Steps:
        """Get what is to be fried into the pan."""
        if any(self._room.type(each) == kind for each in self._room.contents(pan)):
            return True
        if kind == "EggCracked":
            return (yield from self._crack())
        if not (yield from self.make(kind)):
            return False
        return (yield from self._hands.put(self._spare(kind), "Pan"))

    def _crack(self) -> Steps:
        egg = self._hands.need("Egg")
        if egg is None or not (yield from self._hands.put(egg, "Pan")):
            return False
        return (yield from self._hands.do("SLICE", "Egg", lambda: self._room.sliced(egg)))

    def _spare(self, kind: str) -> str:
        """One of a type, the one in the hand before others."""
        names = self._served(kind) or self._room.instances(kind)
        return min(names, key=lambda name: name != self._room.held)

    def _lay_flat(self, name: str) -> Steps:
        """Put food where it can be sliced."""
        for kind in _FLAT:
            if self._is_flat(name):
                break
            yield from self._hands.put(name, kind)
        return self._is_flat(name)

    def _is_flat(self, name: str) -> bool:
        room = self._room
        lies = room.parent(name) is not None and room.container(name) is None
        return lies and room.height(name) >= LOWEST_TO_SLICE
