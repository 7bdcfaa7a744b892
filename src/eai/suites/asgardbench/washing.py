"""How the oracle cleans and empties things: at the sink, and the mirror."""

from __future__ import annotations

from functools import partial

from eai.suites.asgardbench.handling import Handling, Steps
from eai.suites.asgardbench.instances import rules
from eai.suites.asgardbench.room import Room

__all__ = ["Washing"]


class Washing:
    """Cleans and empties things.

    Args:
        hands: What handles single objects.
    """

    def __init__(self, hands: Handling) -> None:
        self._hands = hands

    @property
    def _room(self) -> Room:
        return self._hands.room

    def wash(self, kind: str) -> Steps:
        """Clean everything of a type."""
        done = True
        for name in self._room.instances(kind):
            if self._room.dirty(name):
                done &= yield from (self._wipe(name) if kind == "Mirror" else self._rinse(name))
        return done

    def spray(self) -> Steps:
        """Spray the mirror."""
        if self._room.sprayed:
            return True
        if not (yield from self._hands.hold_one("SprayBottle")):
            return False
        return (yield from self._hands.do("SPRAY", "Mirror", lambda: self._room.sprayed))

    def pour_out(self, kind: str) -> Steps:
        """Empty everything of a type."""
        for name in self._room.instances(kind):
            if self._room.filled(name) and (yield from self._hands.uncover(name)):
                yield from self._hands.do("EMPTY", kind, partial(self._is_empty, name))
        return not any(map(self._room.filled, self._room.instances(kind)))

    def _is_empty(self, name: str) -> bool:
        return not self._room.filled(name)

    def _wipe(self, name: str) -> Steps:
        if not (yield from self.spray()) or not (yield from self._hands.hold_one("Cloth")):
            return False
        return (yield from self._hands.do("CLEAN", "Mirror", lambda: not self._room.dirty(name)))

    def _rinse(self, name: str) -> Steps:
        hands, kind = self._hands, self._room.type(name)
        if not (yield from self._clear_sink()) or not (yield from hands.put(name, "SinkBasin")):
            return False
        faucet = hands.need("Faucet")
        if faucet is None or not (yield from hands.hold_one("DishSponge")):
            return False
        yield from hands.do("TOGGLE_ON", "Faucet", lambda: hands.is_on(faucet))
        cleaned = yield from hands.do("CLEAN", kind, lambda: not self._room.dirty(name))
        yield from hands.do("TOGGLE_OFF", "Faucet", lambda: not hands.is_on(faucet))
        return cleaned

    def _clear_sink(self) -> Steps:
        """Take out of the sink what keeps the faucet from being switched on."""
        sink = self._hands.need("SinkBasin")
        washable = {*rules().spread(("Dishes", "Cookware")), "DishSponge"}
        return sink is not None and (
            yield from self._hands.clear(sink, lambda each: self._room.type(each) in washable)
        )
