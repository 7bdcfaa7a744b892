"""The oracle: an agent that knows the whole state of a house.

It brings about one item of the checklist after the other, by a fixed recipe for each kind of
condition. Items that a later one undoes are done again, up to :data:`_ROUNDS` times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

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
"""Kinds of conditions in the order in which they are brought about."""

_ROUNDS = 3
"""How often all items are brought about, in case a later one undoes an earlier one."""

_SURFACES = ("CounterTop", "DiningTable", "SideTable", "Desk", "CoffeeTable")
"""Types of objects on which whatever is in the hand can be laid down."""

_Actions = Iterator[Action]


def oracle(task: Task, _semantics: Semantics, environment: Environment) -> LongActOracle:
    """Return a reference agent that acts in a house by reading its whole state.

    Raises:
        InputError: If it is not a house.
    """
    return LongActOracle(checklist_of(task), environment)


class LongActOracle:
    """A reference agent that reads the whole state of a house and ignores messages.

    Args:
        checklist: The checklist.
        environment: The house.

    Raises:
        InputError: If the environment is not a house.
    """

    def __init__(self, checklist: Checklist, environment: Environment) -> None:
        """Begin the plan, which continues as its actions are executed."""
        if not isinstance(environment, HouseEnvironment):
            raise InputError(
                f"the oracle of LongAct cannot act in a {type(environment).__name__}",
                expected=f"the environment of {checklist.episode.id!r}",
            )
        self._house = environment
        self._types = environment.house.types
        self._items = checklist.items
        self._actions = self._all_actions()

    def __call__(self, _messages: Sequence[Message]) -> str:
        """Return the next action as text, whatever the messages say.

        Raises:
            ModelError: If there is nothing left to do, and an item does not hold.
        """
        action = next(self._actions, Action("Stop"))
        if action == Action("Stop"):
            unmet = []
            for number, bound in enumerate(self._items):
                if not self._house.holds(bound.whole):
                    unmet.append(f"item {number} ({format_formula(bound.whole)})")
            if unmet:
                raise ModelError(f"the oracle found no way to do {', '.join(unmet)}")
        return format_action(action)

    def _all_actions(self) -> _Actions:
        """Yield the actions one by one. Each is executed before the next one is computed."""
        # A sliced object can no longer be carried, so it is put in its place before.
        objects_to_slice: set[str] = set()
        for bound in self._items:
            objects_to_slice.update(bound.tests.get("sliced", ()))
        for bound in self._items:
            if "position" in bound.tests and objects_to_slice.intersection(bound.objects):
                yield from self._bring_about(bound, "position")
        # Later rounds repair what earlier ones undid.
        for kind in _ORDER * _ROUNDS:
            for bound in self._items:
                if kind in bound.tests:
                    yield from self._bring_about(bound, kind)

    def _bring_about(self, bound: Bound, kind: str) -> _Actions:
        """Bring about one kind of condition of an item."""
        recipes: dict[str, Callable[[str, Any], _Actions]] = {
            "position": self._put,
            "open": self._open,
            "on": self._switch,
            "sliced": self._slice,
            "cooked": self._cook,
            "filled": self._fill,
        }
        # Objects that meet most of the conditions come first, then those that are near.
        n_met: dict[str, int] = {}
        for name in bound.objects:
            n_met[name] = sum(self._house.holds(test[name]) for test in bound.tests.values())
        best_first = sorted(bound.objects, key=lambda name: (-n_met[name], self._distance(name)))
        value = next(wanted.value for wanted in bound.item.conditions if wanted.kind == kind)
        for name in best_first[: bound.count]:
            if not self._house.holds(bound.tests[kind][name]):
                yield from recipes[kind](name, value)

    def _distance(self, name: str) -> tuple[bool, float, str]:
        """Return a sort key by distance, with objects in the agent's room first."""
        object_spot = self._house.spot_of(name)
        agent_spot = self._house.spot
        # Coordinates count from a corner of each room, so they cannot be compared between rooms.
        distance = abs(object_spot.x - agent_spot.x) + abs(object_spot.z - agent_spot.z)
        # The name makes the order unique.
        return object_spot.room != agent_spot.room, distance, name

    def _nearest(self, *kinds: str) -> list[str]:
        """Return the objects of some types, the nearest first."""
        names = [name for name, kind in self._types.items() if kind in kinds]
        return sorted(names, key=self._distance)

    def _go_to(self, name: str) -> _Actions:
        """Go to an object and open its containers, the outermost first."""
        spot = self._house.spot_of(name)
        if spot.room != self._house.spot.room:
            yield Action("GoTo", (spot.room,))
        # From the inside out: the mug's box, the cabinet that the box is in.
        containers = []
        container = self._house.place(name)
        while container:
            containers.append(container)
            container = self._house.place(container)
        for container in reversed(containers):
            if self._house.holds("openable", container) and self._house.holds("shut_in", name):
                yield from self._open(container)
        if not self._house.holds("near", AGENT, name):
            yield Action("GoTo", (name,))

    def _take(self, name: str) -> _Actions:
        """Pick up an object, after putting down another one that is held."""
        if self._house.held != name:
            yield from self._free_hand()
            yield from self._go_to(name)
            yield Action("Pick", (name,))

    def _free_hand(self) -> _Actions:
        """Lay down what is in the hand, on the nearest surface that takes it."""
        if self._house.held:
            yield from self._lay_down(self._nearest(*_SURFACES))

    def _lay_down(self, receptacles: Iterable[str]) -> _Actions:
        """Put the held object in or on the first receptacle with room for it."""
        held = self._house.held
        if not held:
            return
        accepting = [name for name in receptacles if self._house.holds("accepted", held, name)]
        for name in accepting:
            yield from self._go_to(name)
            if self._house.holds("openable", name) and not self._house.holds("open", name):
                yield Action("Open", (name,))
            yield Action("Place", (name,))
            # The action was executed while this generator waited. An empty hand means success.
            if self._house.held != held:
                return

    # ------------------------------------------------------------------ a recipe for each condition

    def _put(self, name: str, value: str) -> _Actions:
        """Put an object in or on another one, or the nearest of a type that has room."""
        yield from self._take(name)
        yield from self._lay_down([value] if value in self._types else self._nearest(value))

    def _open(self, name: str, value: bool = True) -> _Actions:
        """Open or close an object."""
        yield from self._go_to(name)
        yield Action("Open" if value else "Close", (name,))

    def _switch(self, name: str, value: bool) -> _Actions:
        """Switch an object on or off, by its knob if it has one."""
        yield from self._go_to(name)
        # A microwave runs only with its door shut.
        if self._types[name] == "Microwave" and self._house.holds("open", name):
            yield Action("Close", (name,))
        switch = name
        for knob in self._types:
            if self._house.holds("controls", knob, name):
                yield from self._go_to(knob)
                switch = knob
                break
        yield Action("ToggleOn" if value else "ToggleOff", (switch,))

    def _slice(self, name: str, _value: bool) -> _Actions:
        """Slice an object with the nearest knife, which is laid down again."""
        yield from self._free_hand()
        knives = self._nearest("Knife", "ButterKnife")
        if knives:
            yield from self._take(knives[0])
            yield from self._go_to(name)
            yield Action("Slice", (name,))
        yield from self._free_hand()

    def _cook(self, name: str, _value: bool) -> _Actions:
        """Cook an object in the nearest microwave."""
        microwaves = self._nearest("Microwave")
        if not microwaves:
            return
        yield from self._take(name)
        yield from self._lay_down(microwaves[:1])
        # Being on for a moment cooks everything inside.
        for verb in ("Close", "ToggleOn", "ToggleOff"):
            yield Action(verb, (microwaves[0],))

    def _fill(self, name: str, _value: bool) -> _Actions:
        """Fill an object under the nearest tap, and lay it down."""
        yield from self._take(name)
        taps = self._nearest("Faucet")
        for basin in self._nearest("SinkBasin"):
            taps_above = [tap for tap in taps if self._house.holds("waters", tap, basin)]
            if not taps_above:
                continue
            tap = taps_above[0]
            # Running water fills what stands in the basin below.
            yield from self._lay_down([basin])
            yield from self._go_to(tap)
            yield Action("ToggleOn", (tap,))
            yield Action("ToggleOff", (tap,))
            yield from self._take(name)
            yield from self._free_hand()
            return
