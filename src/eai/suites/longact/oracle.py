"""An agent that knows the whole state of a house, and does a checklist item by item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from eai.acting import Message, format_action
from eai.errors import InputError, ModelError
from eai.logic import format_formula
from eai.semantics import Semantics
from eai.simulators import Environment
from eai.simulators.thor.houses import HouseEnvironment
from eai.simulators.thor.world import AGENT
from eai.suites.longact.acting import checklist_of
from eai.suites.longact.episodes import Bound, Checklist
from eai.task import Task
from eai.world import Action

_ORDER = ("sliced", "cooked", "filled", "position", "on", "open")
_ROUNDS = 3  # what a later item undid is done again
_SURFACES = ("CounterTop", "DiningTable", "SideTable", "Desk", "CoffeeTable")
_Actions = Iterator[Action]


def oracle(task: Task, _semantics: Semantics, environment: Environment) -> Oracle:
    """Return an agent that acts in a house by its whole state.

    Raises:
        InputError: If it is no house.
    """
    return Oracle(checklist_of(task), environment)


class Oracle:
    """Acts in a house by its whole state, whatever it is told."""

    def __init__(self, checklist: Checklist, environment: Environment) -> None:
        if not isinstance(environment, HouseEnvironment):
            raise InputError(
                f"the oracle of LongAct cannot act in a {type(environment).__name__}",
                expected=f"the environment of {checklist.episode.id!r}",
            )
        self._house, self._types = environment, environment.house.types
        self._items = checklist.items
        # What was sliced can no longer be carried, so it is put where it has to be before.
        sliced = {name for bound in checklist.items for name in bound.tests.get("sliced", ())}
        first = (
            self._item(bound, "position")
            for bound in checklist.items
            if "position" in bound.tests and sliced.intersection(bound.objects)
        )
        rest = (
            self._item(bound, kind)
            for kind in _ORDER * _ROUNDS
            for bound in checklist.items
            if kind in bound.tests
        )
        items = chain(first, rest)
        # Each action is taken before the next is asked for.
        self._actions = (action for item in items for action in item)

    def __call__(self, _messages: Sequence[Message]) -> str:
        """Answer; the messages are not looked at.

        Raises:
            ModelError: If it has done what it can, and an item does not hold.
        """
        action = next(self._actions, Action("Stop"))
        if action == Action("Stop"):
            unmet = [
                f"item {number} ({format_formula(bound.whole)})"
                for number, bound in enumerate(self._items)
                if not self._house.holds(bound.whole)
            ]
            if unmet:
                raise ModelError(f"the oracle found no way to do {', '.join(unmet)}")
        return format_action(action)

    def _item(self, bound: Bound, kind: str) -> _Actions:
        # Objects that are as they have to be in other ways come first.
        done = {
            name: sum(self._house.holds(test[name]) for test in bound.tests.values())
            for name in bound.objects
        }
        chosen = sorted(bound.objects, key=lambda name: (-done[name], self._far(name)))
        value = next(each.value for each in bound.item.conditions if each.kind == kind)
        for name in chosen[: bound.count]:
            if not self._house.holds(bound.tests[kind][name]):
                yield from getattr(self, f"_{kind}")(name, value)

    def _far(self, name: str) -> tuple[bool, float, str]:
        spot, here = self._house.spot_of(name), self._house.spot
        return spot.room != here.room, abs(spot.x - here.x) + abs(spot.z - here.z), name

    def _nearest(self, *kinds: str) -> list[str]:
        return sorted((name for name, of in self._types.items() if of in kinds), key=self._far)

    def _go(self, name: str) -> _Actions:
        """Go to an object, and open what is around it."""
        spot = self._house.spot_of(name)
        if spot.room != self._house.spot.room:
            yield Action("GoTo", (spot.room,))
        around = [self._house.place(name)]
        while around[-1]:
            around.append(self._house.place(around[-1]))
        for each in filter(None, reversed(around)):
            if self._house.holds("openable", each) and self._house.holds("shut_in", name):
                yield from self._open(each)
        if not self._house.holds("near", AGENT, name):
            yield Action("GoTo", (name,))

    def _take(self, name: str) -> _Actions:
        if self._house.held != name:
            yield from self._free()
            yield from self._go(name)
            yield Action("Pick", (name,))

    def _free(self) -> _Actions:
        """Lay down what is in the hand, on the nearest that takes it."""
        if self._house.held:
            yield from self._lay(self._nearest(*_SURFACES))

    def _lay(self, receptacles: Iterable[str]) -> _Actions:
        held = self._house.held
        if not held:
            return
        for place in [r for r in receptacles if self._house.holds("accepted", held, r)]:
            yield from self._go(place)
            if self._house.holds("openable", place) and not self._house.holds("open", place):
                yield Action("Open", (place,))
            yield Action("Place", (place,))
            if self._house.held != held:
                return

    def _position(self, name: str, value: str) -> _Actions:
        yield from self._take(name)
        yield from self._lay([value] if value in self._types else self._nearest(value))

    def _open(self, name: str, value: bool = True) -> _Actions:
        yield from self._go(name)
        yield Action("Open" if value else "Close", (name,))

    def _on(self, name: str, value: bool) -> _Actions:
        yield from self._go(name)
        if self._types[name] == "Microwave" and self._house.holds("open", name):
            yield Action("Close", (name,))
        for knob in [k for k in self._types if self._house.holds("controls", k, name)][:1]:
            yield from self._go(knob)
            name = knob
        yield Action("ToggleOn" if value else "ToggleOff", (name,))

    def _sliced(self, name: str, _value: bool) -> _Actions:
        yield from self._free()
        for knife in self._nearest("Knife", "ButterKnife")[:1]:
            yield from self._take(knife)
            yield from self._go(name)
            yield Action("Slice", (name,))
        yield from self._free()

    def _cooked(self, name: str, _value: bool) -> _Actions:
        for oven in self._nearest("Microwave")[:1]:
            yield from self._take(name)
            yield from self._lay([oven])
            yield from (Action(verb, (oven,)) for verb in ("Close", "ToggleOn", "ToggleOff"))

    def _filled(self, name: str, _value: bool) -> _Actions:
        yield from self._take(name)
        taps = self._nearest("Faucet")
        for basin in self._nearest("SinkBasin"):
            for tap in [each for each in taps if self._house.holds("waters", each, basin)][:1]:
                yield from self._lay([basin])
                yield from self._go(tap)
                yield from (Action(verb, (tap,)) for verb in ("ToggleOn", "ToggleOff"))
                yield from self._take(name)
                yield from self._free()
                return
