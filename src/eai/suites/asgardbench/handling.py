"""What the oracle can do with single objects: take, put down, put somewhere, open, switch.

Each of these is a small plan: a generator that yields one action after the other and looks at
the room between them, because an action names a type and the world chooses the object.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable

from eai.suites.asgardbench.instances import rules
from eai.suites.asgardbench.room import Room
from eai.world.action import Action

__all__ = ["Handling", "Steps"]

Steps = Generator[Action, None, bool]
"""Yields actions, and returns whether what they were for is the case."""

_PUT_DOWN = (
    *("CounterTop", "SideTable", "DiningTable", "CoffeeTable", "Desk", "Dresser", "TVStand"),
    *("Shelf", "Cabinet", "Drawer", "Fridge", "Sofa", "ArmChair", "Bed", "Toilet"),
)
"""Where things are put that are in the way, the best places first."""


class Handling:
    """Handles single objects in a room.

    Args:
        room: The room as it is at any moment.
        spared: Types of receptacles that nothing is put on or into just to be rid of it.
    """

    def __init__(self, room: Callable[[], Room], spared: frozenset[str] = frozenset()) -> None:
        self._room = room
        self._spared = spared
        self.obstacle = ""
        """What could not be done last, as a sentence."""

    @property
    def room(self) -> Room:
        """The room as it is now."""
        return self._room()

    def need(self, kind: str) -> str | None:
        """Name of the first object of a type; if there is none, that is the obstacle."""
        name = self.room.first(kind)
        if name is None:
            self._stuck(f"there is no {kind}")
        return name

    def do(self, action: str, kind: str, done: Callable[[], bool]) -> Steps:
        """Take an action unless it is done; look for its object first if it does not succeed."""
        if done():
            return True
        yield Action(action, (kind,))
        if not done():
            yield Action("FIND", (kind,))
            yield Action(action, (kind,))
        return done() or self._stuck(f"{action} {kind} has no success")

    def _stuck(self, obstacle: str) -> bool:
        self.obstacle = obstacle
        return False

    def hold(self, name: str) -> Steps:
        """Take an object into the hand."""
        if self.room.held == name:
            return True
        if not (yield from self.put_down()) or not (yield from self.uncover(name)):
            return False
        kind = self.room.type(name)
        # Of several slices another one may be taken; whoever wants one asks for any.
        return (yield from self.do("PICKUP", kind, lambda: self._holds(kind)))

    def hold_one(self, kind: str) -> Steps:
        """Take an object of a type into the hand."""
        if self._holds(kind):
            return True
        name = self.need(kind)
        return name is not None and (yield from self.hold(name))

    def _holds(self, kind: str) -> bool:
        held = self.room.held
        return held is not None and self.room.type(held) == kind

    def uncover(self, name: str) -> Steps:
        """Open what an object is shut away in."""
        while (shut := self._shut_around(name)) is not None:
            if not (yield from self.open(shut)):
                return False
        return True

    def _shut_around(self, name: str) -> str | None:
        around = self.room.parent(name)
        while around is not None and not self.room.shut(around):
            around = self.room.parent(around)
        return around

    def open(self, name: str) -> Steps:
        """Open an object; others of its type may be opened on the way."""
        room, kind = self.room, self.room.type(name)
        for _ in room.instances(kind):
            if not self.room.shut(name):
                return True
            yield Action("OPEN", (kind,))
        return not self.room.shut(name) or self._stuck(f"{kind} cannot be opened")

    def put_down(self) -> Steps:
        """Empty the hand, wherever there is room."""
        held = self.room.held
        if held is None:
            return True
        kinds = [kind for kind in _PUT_DOWN if kind not in self._spared]
        for kind in kinds:
            if self.would_take(kind, held) and (yield from self._put(held, kind)):
                return True
        return self._stuck(f"there is nowhere to put {self.room.type(held)}")

    def would_take(self, kind: str, name: str) -> bool:
        """Whether some object of a type would take an object."""
        room = self.room
        allowed = kind in rules().accepted.get(room.type(name), ())
        return allowed and any(room.would_take(each, name) for each in room.instances(kind))

    def put(self, name: str, kind: str) -> Steps:
        """Put an object in or on something of a type."""
        if self.is_in(name, kind):
            return True
        if not self.would_take(kind, name):
            return self._stuck(f"{self.room.type(name)} has no place in {kind}")
        if not (yield from self.hold(name)):
            return False
        held = self.room.held
        return held is not None and (yield from self._put(held, kind))

    def is_in(self, name: str, kind: str) -> bool:
        """Whether an object is in or on something of a type."""
        parent = self.room.parent(name)
        return parent is not None and self.room.type(parent) == kind

    def _put(self, held: str, kind: str) -> Steps:
        """Put what is held somewhere; what has to be open for that is closed again."""
        for place in self._places(kind, held):
            closed = self.room.shut(place)
            if not (yield from self.uncover(place)):
                continue
            if closed and not (yield from self.open(place)):
                continue
            yield Action("PUT", (kind,))
            if closed:
                yield from self.close(kind)
            if self.room.held is None:
                return True
        return self._stuck(f"{self.room.type(held)} cannot be put in {kind}")

    def _places(self, kind: str, held: str) -> Iterable[str]:
        room = self.room
        fitting = [name for name in room.instances(kind) if room.would_take(name, held)]
        return sorted(fitting, key=room.shut)

    def close(self, kind: str) -> Steps:
        """Close everything of a type."""
        for name in self.room.instances(kind):
            if self.room.openable(name) and self.room.is_open(name):
                yield Action("CLOSE", (kind,))
        return not any(
            self.room.openable(name) and self.room.is_open(name)
            for name in self.room.instances(kind)
        )

    def clear(self, name: str, but: Callable[[str], bool]) -> Steps:
        """Take away everything in or on an object for which a test does not hold."""
        for each in self.room.contents(name):
            if but(each) or not self.room.pickupable(each):
                continue
            if not (yield from self.hold(each)) or not (yield from self.put_down()):
                return False
        return True

    def run(self, kind: str) -> Steps:
        """Switch something on and off again: of burners the one under the Pan."""
        names = self.room.instances(kind)
        under = (n for n in names if any(self.room.type(c) == "Pan" for c in self.room.contents(n)))
        name = next(under, self.need(kind))
        if name is None:
            return False
        on = yield from self.do("TOGGLE_ON", kind, lambda: self.is_on(name))
        off = yield from self.do("TOGGLE_OFF", kind, lambda: not self.is_on(name))
        return on and off

    def is_on(self, name: str) -> bool:
        """Whether an object, or the knob that switches it, is on."""
        return self.room.is_on(self.room.controller(name))
