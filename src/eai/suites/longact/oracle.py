"""An agent that knows the whole state of a house, and does a checklist item by item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eai.acting import Message, format_action
from eai.errors import InputError
from eai.simulators import Environment
from eai.simulators.thor.houses import HouseEnvironment
from eai.simulators.thor.world import AGENT
from eai.suites.longact.episodes import Bound, Checklist
from eai.world import Action

_ORDER = ("sliced", "cooked", "filled", "position", "on", "open")
_ROUNDS = 3
_STOP = Action("Stop")


class Oracle:
    """Acts in a house by its whole state, whatever it is told.

    Raises:
        InputError: If the environment is no house.
    """

    def __init__(self, checklist: Checklist, environment: Environment) -> None:
        if not isinstance(environment, HouseEnvironment):
            raise InputError(
                f"the oracle of LongAct cannot act in a {type(environment).__name__}",
                expected=f"the environment of {checklist.episode.id!r}",
            )
        self._actions = planned(checklist, environment)

    def __call__(self, _messages: Sequence[Message]) -> str:
        """Answer; the messages are not looked at."""
        return format_action(next(self._actions, _STOP))


def planned(checklist: Checklist, house: HouseEnvironment) -> Iterator[Action]:
    """Yield what to do; each action is taken before the next is asked for.

    What a later item undid is done again.
    """
    work = _Work(checklist, house)
    for _ in range(_ROUNDS):
        for kind in _ORDER:
            for bound in checklist.items:
                if kind in bound.tests:
                    yield from work.item(bound, kind)
    yield _STOP


class _Work:
    """How each kind of condition is brought about."""

    def __init__(self, checklist: Checklist, house: HouseEnvironment) -> None:
        self.checklist, self.house = checklist, house

    def holds(self, bound: Bound, kind: str, name: str) -> bool:
        return self.house.holds(bound.tests[kind][name])

    def item(self, bound: Bound, kind: str) -> Iterator[Action]:
        # Objects that are as they have to be in other ways come first.
        done = {
            name: sum(self.holds(bound, each, name) for each in bound.tests)
            for name in bound.objects
        }
        chosen = sorted(bound.objects, key=lambda name: (-done[name], self._far(name)))
        for name in chosen[: bound.count]:
            if not self.holds(bound, kind, name):
                wanted = next(each for each in bound.item.conditions if each.kind == kind)
                if kind == "position":
                    yield from self._position(bound, name)
                elif kind in ("open", "on"):
                    verbs = {"open": ("Open", "Close"), "on": ("ToggleOn", "ToggleOff")}[kind]
                    yield from self._switch(verbs[not wanted.value], name)
                else:
                    yield from getattr(self, f"_{kind}")(name)

    def _far(self, name: str) -> tuple[bool, float, str]:
        spot, here = self.house.spot_of(name), self.house.spot
        return spot.room != here.room, abs(spot.x - here.x) + abs(spot.z - here.z), name

    def _go(self, name: str) -> Iterator[Action]:
        """Go to an object, and open what is around it."""
        spot = self.house.spot_of(name)
        if spot.room != self.house.spot.room:
            yield Action("GoTo", (spot.room,))
        around = [self.house.place(name)]
        while around[-1]:
            around.append(self.house.place(around[-1]))
        for each in filter(None, reversed(around)):
            if self.house.holds("openable", each) and self.house.holds("shut_in", name):
                yield from self._switch("Open", each)
        if not self.house.holds("near", AGENT, name):
            yield Action("GoTo", (name,))

    def _take(self, name: str) -> Iterator[Action]:
        if self.house.held != name:
            yield from self._free()
            yield from self._go(name)
            yield Action("Pick", (name,))

    def _free(self) -> Iterator[Action]:
        """Lay down what is in the hand, on the nearest that takes it."""
        if self.house.held:
            yield from self._lay(self._receptacles())

    def _receptacles(self) -> list[str]:
        held, types = self.house.held, self.house.house.types
        surfaces = [
            name
            for name in types
            if types[name] in ("CounterTop", "DiningTable", "SideTable", "Desk", "CoffeeTable")
            and self.house.holds("accepted", held, name)
        ]
        return sorted(surfaces, key=self._far)[:3]

    def _lay(self, receptacles: Sequence[str]) -> Iterator[Action]:
        held = self.house.held
        for place in receptacles:
            yield from self._go(place)
            if self.house.holds("openable", place) and not self.house.holds("open", place):
                yield Action("Open", (place,))
            yield Action("Place", (place,))
            if self.house.held != held:
                return

    def _position(self, bound: Bound, name: str) -> Iterator[Action]:
        value = str(next(c.value for c in bound.item.conditions if c.kind == "position"))
        types = self.house.house.types
        receptacles = (
            [value] if value in types else [n for n, kind in types.items() if kind == value]
        )
        yield from self._take(name)
        receptacles = [each for each in receptacles if self.house.holds("accepted", name, each)]
        yield from self._lay(sorted(receptacles, key=self._far))

    def _switch(self, verb: str, name: str) -> Iterator[Action]:
        yield from self._go(name)
        if verb.startswith("Toggle"):
            if self.house.house.types[name] == "Microwave" and self.house.holds("open", name):
                yield Action("Close", (name,))
            knobs = [k for k in self.house.house.types if self.house.holds("controls", k, name)]
            for knob in knobs[:1]:
                yield from self._go(knob)
                name = knob
        yield Action(verb, (name,))

    def _nearest(self, *kinds: str) -> list[str]:
        types = self.house.house.types
        return sorted((name for name in types if types[name] in kinds), key=self._far)

    def _sliced(self, name: str) -> Iterator[Action]:
        yield from self._free()
        for knife in self._nearest("Knife", "ButterKnife")[:1]:
            yield from self._take(knife)
            yield from self._go(name)
            yield Action("Slice", (name,))
        yield from self._free()

    def _cooked(self, name: str) -> Iterator[Action]:
        for oven in self._nearest("Microwave")[:1]:
            yield from self._take(name)
            yield from self._lay([oven])
            yield Action("Close", (oven,))
            yield Action("ToggleOn", (oven,))
            yield Action("ToggleOff", (oven,))

    def _filled(self, name: str) -> Iterator[Action]:
        yield from self._take(name)
        basins = [each for each in self._nearest("SinkBasin") if self._tap(each)]
        for basin in basins[:1]:
            tap = self._tap(basin)
            yield from self._lay([basin])
            yield from self._go(tap)
            yield Action("ToggleOn", (tap,))
            yield Action("ToggleOff", (tap,))
            yield from self._take(name)
            yield from self._free()

    def _tap(self, basin: str) -> str:
        taps = (tap for tap in self._nearest("Faucet") if self.house.holds("waters", tap, basin))
        return next(taps, "")
