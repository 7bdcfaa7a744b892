"""How goals are reached: the methods of a hierarchical planner for AsgardBench.

A goal is reduced to smaller ones until single actions are left (K. Erol, J. Hendler, D. Nau,
"HTN planning: complexity and expressivity", AAAI 1994). Every method looks at the whole state,
so that what is not dirty is not washed and what is not in the way stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from eai.semantics import Semantics
from eai.suites.asgardbench.cooking import Cooking
from eai.suites.asgardbench.goals import PRODUCTS, SLICES, cooked_types, state_goals
from eai.suites.asgardbench.handling import Handling, Steps
from eai.suites.asgardbench.instances import Instance, rules
from eai.suites.asgardbench.room import Room
from eai.suites.asgardbench.washing import Washing

__all__ = ["Chores"]

_FILLED = ("isFilledWithLiquid", True)
_CLEAN = ("isDirty", False)


class Chores:
    """Knows how to reach the goals of an instance.

    Args:
        hands: What handles single objects.
        instance: The instance.
        semantics: The quirks that are on.
    """

    def __init__(self, hands: Handling, instance: Instance, semantics: Semantics) -> None:
        self._hands = hands
        self._washing = Washing(hands)
        self._cooking = Cooking(hands, self._washing, self._served)
        self._goals = instance.goals
        self._states = state_goals(instance)
        self._cooked = cooked_types(instance, semantics) | {
            PRODUCTS.get(kind, kind)
            for kind, flag, value in instance.goals.state
            if flag == "isCooked" and value
        }

    @property
    def _room(self) -> Room:
        return self._hands.room

    def all(self) -> Iterator[Steps]:
        """Yield what has to be done, in an order in which nothing undoes what was done before."""
        goals, states, wash = self._goals, self._states, self._washing.wash
        deeds = {"Drink Coffee": self.drink, "Spray Mirror": self._washing.spray}
        yield from (self.clear_table(*laid) for laid in goals.contents_exact)
        yield from (deeds[deed]() for deed in goals.action)
        yield from (self.fill(kind) for kind, flag, value in states if (flag, value) == _FILLED)
        yield from (wash(kind) for kind, flag, value in states if (flag, value) == _CLEAN)
        for table, kinds in goals.contents_exact:
            yield from (self.store(kind, (table,)) for kind in kinds if kind not in SLICES)
        yield from (self._cooking.cook(kind) for kind in sorted(self._cooked))
        yield from (self.serve(*place) for place in goals.location)
        yield from (self.store(kind, rules().homes[kind]) for kind in goals.put_away)
        yield from (self.settle(*state) for state in states)

    def clear_table(self, table: str, kinds: tuple[str, ...]) -> Steps:
        """Leave nothing on tables, and on what may stay on them, but what belongs there."""
        done = True
        for name in self._room.instances(table):
            for place in (name, *self._room.contents(name)):
                done &= yield from self._hands.clear(
                    place, lambda each: self._room.type(each) in kinds
                )
        return done

    def drink(self) -> Steps:
        """Drink coffee."""
        if any(str(deed) == "Drink Coffee" for deed in self._room.deeds):
            return True
        if not (yield from self.fill("Mug")) or not (yield from self._hands.hold_one("Mug")):
            return False
        mug = self._room.held
        return mug is not None and (
            yield from self._hands.do("DRINK", "Mug", lambda: not self._room.filled(mug))
        )

    def fill(self, kind: str) -> Steps:
        """Make coffee."""
        hands, mug, machine = self._hands, self._hands.need(kind), self._hands.need("CoffeeMachine")
        if mug is None or machine is None:
            return False
        if self._room.liquid(mug) == "coffee":
            return True
        clean = yield from self._washing.wash(kind)
        if not clean or not (yield from self._washing.pour_out(kind)):
            return False
        if not (yield from hands.clear(machine, lambda each: each == mug)):
            return False
        if not (yield from hands.put(mug, "CoffeeMachine")):
            return False
        return (yield from hands.run("CoffeeMachine")) and self._room.filled(mug)

    def store(self, kind: str, homes: tuple[str, ...]) -> Steps:
        """Put things of a type where they belong."""
        names = self._room.instances(kind)
        if any(self._hands.is_in(name, home) for name in names for home in homes):
            return True
        name = self._hands.need(kind)
        for home in homes:
            if name is not None and (yield from self._hands.put(name, home)):
                return True
        return False

    def serve(self, kind: str, container: str) -> Steps:
        """Put one of a type into a clean dish, a cooked one if one was to be cooked."""
        if any(self._hands.is_in(name, container) for name in self._served(kind)):
            return True
        clean = yield from self._washing.wash(container)
        if not clean or not (yield from self._cooking.make(kind)):
            return False
        free = (name for name in self._served(kind) if not self._employed(name))
        name, dish = next(free, None), self._hands.need(container)
        if name is None or dish is None:
            return False
        if (yield from self._hands.put(name, container)):
            return True
        if not (yield from self._hands.clear(dish, lambda each: self._room.type(each) == kind)):
            return False
        return (yield from self._hands.put(name, container))

    def _served(self, kind: str) -> list[str]:
        """The objects of a type that can be served, the one in the hand first."""
        room = self._room
        names = room.instances(kind)
        if kind in self._cooked:
            names = [name for name in names if room.state.holds("cooked", (name,))]
        return sorted(names, key=lambda name: (name != room.held, self._employed(name)))

    def _employed(self, name: str) -> bool:
        kind = self._room.type(name)
        return any(
            kind == what and self._hands.is_in(name, where) for what, where in self._goals.location
        )

    def settle(self, kind: str, flag: str, value: bool) -> Steps:
        """Switch and close what is left; empty what has to be empty."""
        if flag == "isOpen" and not value:
            return (yield from self._hands.close(kind))
        if flag == "isFilledWithLiquid" and not value:
            return (yield from self._washing.pour_out(kind))
        if flag == "isToggled":
            return (yield from self._switch(kind, value))
        return True

    def _switch(self, kind: str, value: bool) -> Steps:
        wrong = [n for n in self._room.instances(kind) if not self._is_switched(n, value)]
        tool = wrong and kind == "Television"
        if tool and not (yield from self._hands.hold_one("RemoteControl")):
            return False
        named = "StoveBurner" if kind == "StoveKnob" else kind
        word = "TOGGLE_ON" if value else "TOGGLE_OFF"
        done = True
        for name in wrong:
            done &= yield from self._hands.do(word, named, partial(self._is_switched, name, value))
        return done

    def _is_switched(self, name: str, value: bool) -> bool:
        return self._room.is_on(name) is value
