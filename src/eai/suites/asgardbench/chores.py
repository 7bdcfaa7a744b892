"""How goals are reached: the methods of a hierarchical planner for AsgardBench.

A goal is reduced to smaller ones until single actions are left (K. Erol, J. Hendler, D. Nau,
"HTN planning: complexity and expressivity", AAAI 1994). Every method looks at the whole state,
so that what is not dirty is not washed and what is not in the way stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from eai.semantics import Semantics
from eai.suites.asgardbench.gate import LOWEST_TO_SLICE
from eai.suites.asgardbench.goals import PRODUCTS, SLICES, cooked_types, state_goals
from eai.suites.asgardbench.handling import Handling, Steps
from eai.suites.asgardbench.instances import Instance, rules
from eai.suites.asgardbench.room import Room

__all__ = ["Chores"]

_FLAT = ("CounterTop", "DiningTable", "SideTable")
_FRIED = {"EggCracked": "Egg", "PotatoSliced": "Potato"}
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
        self._instance = instance
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
        goals, states = self._instance.goals, state_goals(self._instance)
        deeds = {"Drink Coffee": self.drink, "Spray Mirror": self.spray}
        yield from (self.clear_table(*laid) for laid in goals.contents_exact)
        yield from (deeds[deed]() for deed in goals.action)
        yield from (self.fill(kind) for kind, flag, value in states if (flag, value) == _FILLED)
        yield from (self.wash(kind) for kind, flag, value in states if (flag, value) == _CLEAN)
        for table, kinds in goals.contents_exact:
            yield from (self.store(kind, (table,)) for kind in kinds if kind not in SLICES)
        yield from (self.cook(kind) for kind in sorted(self._cooked))
        yield from (self.serve(*place) for place in goals.location)
        yield from (self.store(kind, rules().homes[kind]) for kind in goals.put_away)
        yield from (self.settle(*state) for state in states)

    def clear_table(self, table: str, kinds: tuple[str, ...]) -> Steps:
        """Leave nothing on tables but what belongs there."""
        done = True
        for name in self._room.instances(table):
            done &= yield from self._hands.clear(name, lambda each: self._room.type(each) in kinds)
            for dish in self._room.contents(name):
                done &= yield from self._hands.clear(
                    dish, lambda each: self._room.type(each) in kinds
                )
        return done

    def drink(self) -> Steps:
        """Drink coffee."""
        if any(str(deed) == "Drink Coffee" for deed in self._room.deeds):
            return True
        if not (yield from self.fill("Mug")):
            return False
        mug = self._room.instances("Mug")[0]
        if not (yield from self._hands.hold(mug)):
            return False
        return (yield from self._hands.do("DRINK", "Mug", lambda: not self._room.filled(mug)))

    def spray(self) -> Steps:
        """Spray the mirror."""
        for bottle in self._room.instances("SprayBottle"):
            if not self._room.sprayed and (yield from self._hands.hold(bottle)):
                return (yield from self._hands.do("SPRAY", "Mirror", lambda: self._room.sprayed))
        return self._room.sprayed

    def fill(self, kind: str) -> Steps:
        """Make coffee."""
        hands, names = self._hands, self._room.instances(kind)
        if not names:
            return False
        mug = names[0]
        if self._room.liquid(mug) == "coffee":
            return True
        if not (yield from self.wash(kind)) or not (yield from self.pour_out(kind)):
            return False
        machine = self._room.instances("CoffeeMachine")[0]
        if not (yield from hands.clear(machine, lambda each: each == mug)):
            return False
        if not (yield from hands.put(mug, "CoffeeMachine")):
            return False
        return (yield from hands.run("CoffeeMachine")) and self._room.filled(mug)

    def pour_out(self, kind: str) -> Steps:
        """Empty everything of a type."""
        for name in self._room.instances(kind):
            if self._room.filled(name) and (yield from self._hands.uncover(name)):
                yield from self._hands.do("EMPTY", kind, partial(self._is_empty, name))
        return not any(map(self._room.filled, self._room.instances(kind)))

    def _is_empty(self, name: str) -> bool:
        return not self._room.filled(name)

    def wash(self, kind: str) -> Steps:
        """Clean everything of a type."""
        done = True
        for name in self._room.instances(kind):
            if self._room.dirty(name):
                clean = self._wipe if kind == "Mirror" else self._rinse
                done &= yield from clean(name)
        return done

    def _wipe(self, name: str) -> Steps:
        cloths = self._room.instances("Cloth")
        if not (yield from self.spray()) or not cloths:
            return False
        if not (yield from self._hands.hold(cloths[0])):
            return False
        return (yield from self._hands.do("CLEAN", "Mirror", lambda: not self._room.dirty(name)))

    def _rinse(self, name: str) -> Steps:
        hands, sinks = self._hands, self._room.instances("SinkBasin")
        washable = {*rules().spread(("Dishes", "Cookware")), "DishSponge"}
        if not sinks or not (
            yield from hands.clear(sinks[0], lambda each: self._room.type(each) in washable)
        ):
            return False
        if not (yield from hands.put(name, "SinkBasin")):
            return False
        faucet, kind = self._room.instances("Faucet")[0], self._room.type(name)
        sponge = next(iter(self._room.instances("DishSponge")), None)
        if sponge is not None:
            yield from hands.hold(sponge)
        yield from hands.do("TOGGLE_ON", "Faucet", lambda: hands.is_on(faucet))
        cleaned = yield from hands.do("CLEAN", kind, lambda: not self._room.dirty(name))
        yield from hands.do("TOGGLE_OFF", "Faucet", lambda: not hands.is_on(faucet))
        return cleaned

    def store(self, kind: str, homes: tuple[str, ...]) -> Steps:
        """Put things of a type where they belong."""
        names = self._room.instances(kind)
        if any(self._hands.is_in(name, home) for name in names for home in homes):
            return True
        for home in homes:
            if names and (yield from self._hands.put(names[0], home)):
                return True
        return False

    def serve(self, kind: str, container: str) -> Steps:
        """Put one of a type into a clean dish, a cooked one if one was to be cooked."""
        if any(self._hands.is_in(name, container) for name in self._served(kind)):
            return True
        if not (yield from self.wash(container)) or not (yield from self._make(kind)):
            return False
        free = [name for name in self._served(kind) if not self._employed(name)]
        for name in free[:1]:
            if (yield from self._hands.put(name, container)):
                return True
            dish = next(iter(self._room.instances(container)), None)
            if dish is not None and (
                yield from self._hands.clear(dish, lambda each: self._room.type(each) == kind)
            ):
                return (yield from self._hands.put(name, container))
        return False

    def _served(self, kind: str) -> list[str]:
        names = self._room.instances(kind)
        if kind in self._cooked:
            names = [name for name in names if self._is_cooked(name)]
        return sorted(names, key=lambda name: name != self._room.held)

    def _employed(self, name: str) -> bool:
        kind = self._room.type(name)
        return any(
            kind == what and self._hands.is_in(name, where)
            for what, where in self._instance.goals.location
        )

    def _is_cooked(self, name: str) -> bool:
        return self._room.state.holds("cooked", (name,))

    def cook(self, kind: str) -> Steps:
        """Cook one of a type."""
        if self._served(kind):
            return True
        if kind == "Potato":
            return (yield from self._microwave())
        if kind in _FRIED:
            return (yield from self._fry(kind))
        return (yield from self._toast(kind))

    def _microwave(self) -> Steps:
        hands, potato = self._hands, self._room.instances("Potato")[0]
        if not (yield from hands.put(potato, "Microwave")):
            return False
        yield from hands.close("Microwave")
        return (yield from hands.run("Microwave")) and self._is_cooked(potato)

    def _toast(self, kind: str) -> Steps:
        hands, toaster = self._hands, self._room.instances("Toaster")[0]
        if not (yield from hands.clear(toaster, lambda each: self._room.type(each) == kind)):
            return False
        if not self._room.contents(toaster):
            if not (yield from self._make(kind)):
                return False
            if not (yield from hands.put(self._spare(kind), "Toaster")):
                return False
        return (yield from hands.run("Toaster")) and bool(self._served(kind))

    def _fry(self, kind: str) -> Steps:
        hands, pan = self._hands, self._room.instances("Pan")[0]
        if not (yield from self.wash("Pan")):
            return False
        wanted = (kind, _FRIED[kind] if kind == "EggCracked" else kind)
        if not (yield from hands.clear(pan, lambda each: self._room.type(each) in wanted)):
            return False
        there = any(self._room.type(each) == kind for each in self._room.contents(pan))
        if not there and not (yield from self._into_pan(kind)):
            return False
        if not (yield from hands.put(pan, "StoveBurner")):
            return False
        return (yield from hands.run("StoveBurner")) and bool(self._served(kind))

    def _into_pan(self, kind: str) -> Steps:
        """Get what is to be fried into the pan: an egg is cracked there."""
        hands = self._hands
        if kind == "EggCracked":
            egg = self._room.instances("Egg")[0]
            if not (yield from hands.put(egg, "Pan")):
                return False
            return (yield from hands.do("SLICE", "Egg", lambda: self._room.sliced(egg)))
        if not (yield from self._make(kind)):
            return False
        return (yield from hands.put(self._spare(kind), "Pan"))

    def _spare(self, kind: str) -> str:
        """One of a type that is not where it has to be: the one in the hand before others."""
        names = self._served(kind) or self._room.instances(kind)
        held = self._room.held
        return min(names, key=lambda name: (name != held, self._employed(name)))

    def _make(self, kind: str) -> Steps:
        """Slice something, if there are no slices of it yet."""
        source = kind.removesuffix("Sliced")
        if source == kind or self._room.instances(kind):
            return True
        names = self._room.instances(source)
        if not names or not (yield from self._lay_flat(names[0])):
            return False
        knives = self._room.instances("Knife")
        if not knives or not (yield from self._hands.hold(knives[0])):
            return False
        return (yield from self._hands.do("SLICE", source, lambda: self._room.sliced(names[0])))

    def _lay_flat(self, name: str) -> Steps:
        """Put food where it can be sliced."""
        for kind in _FLAT:
            if self._is_flat(name):
                break
            yield from self._hands.put(name, kind)
        return self._is_flat(name)

    def _is_flat(self, name: str) -> bool:
        room = self._room
        return (
            room.parent(name) is not None
            and room.container(name) is None
            and room.height(name) >= LOWEST_TO_SLICE
        )

    def settle(self, kind: str, flag: str, value: bool) -> Steps:
        """Switch and close what is left; empty what has to be empty."""
        if flag == "isOpen" and not value:
            return (yield from self._hands.close(kind))
        if flag == "isFilledWithLiquid" and not value:
            return (yield from self.pour_out(kind))
        if flag == "isToggled":
            return (yield from self._switch(kind, value))
        return True

    def _switch(self, kind: str, value: bool) -> Steps:
        named = "StoveBurner" if kind == "StoveKnob" else kind
        if kind == "Television":
            for remote in self._room.instances("RemoteControl")[:1]:
                yield from self._hands.hold(remote)
        word = "TOGGLE_ON" if value else "TOGGLE_OFF"
        done = True
        for name in self._room.instances(kind):
            done &= yield from self._hands.do(word, named, partial(self._is_switched, name, value))
        return done

    def _is_switched(self, name: str, value: bool) -> bool:
        return self._room.is_on(name) is value
