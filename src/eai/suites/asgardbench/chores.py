"""How goals are reached: single objects, washing, cooking; methods of a hierarchical planner."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator
from functools import partial

from eai.semantics import Semantics
from eai.suites.asgardbench.gate import LOWEST_TO_SLICE
from eai.suites.asgardbench.goals import PRODUCTS, SLICES, cooked_types, state_goals
from eai.suites.asgardbench.instances import Instance, rules
from eai.suites.asgardbench.room import Room
from eai.world import Action

Steps = Generator[Action, None, bool]
"""Yields actions, and returns whether what they were for is the case."""

_PUT_DOWN = (
    *("CounterTop", "SideTable", "DiningTable", "CoffeeTable", "Desk", "Dresser", "TVStand"),
    *("Shelf", "Cabinet", "Drawer", "Fridge", "Sofa", "ArmChair", "Bed", "Toilet"),
)
"""Where things are put that are in the way, the best places first."""


def _each(*chores: Steps) -> Steps:
    """Do chores one after the other, until one has no success."""
    for chore in chores:
        if not (yield from chore):
            return False
    return True


class Handling:
    """Handles single objects in a room.

    Args:
        spared: Types of receptacles that nothing is put on or into just to be rid of it.
    """

    def __init__(self, room: Callable[[], Room], spared: frozenset[str] = frozenset()) -> None:
        self._room = room
        self._spared = spared

    @property
    def room(self) -> Room:
        """The room as it is now."""
        return self._room()

    def need(self, kind: str) -> str | None:
        """Name of the first object of a type."""
        return self.room.first(kind)

    def do(self, action: str, kind: str, done: Callable[[], bool]) -> Steps:
        """Take an action unless it is done; look for its object first if it does not succeed."""
        if done():
            return True
        yield Action(action, (kind,))
        if not done():
            yield Action("FIND", (kind,))
            yield Action(action, (kind,))
        return done()

    def hold(self, name: str) -> Steps:
        """Take an object into the hand."""
        if self.room.held == name:
            return True
        kind = self.room.type(name)
        # Of several slices another one may be taken; whoever wants one asks for any.
        take = self.do("PICKUP", kind, lambda: self._holds(kind))
        return (yield from _each(self.put_down(), self.uncover(name), take))

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
        around = self.room.parent(name)
        while around is not None:
            if self.room.shut(around):
                if not (yield from self.open(around)):
                    return False
                around = name
            around = self.room.parent(around)
        return True

    def open(self, name: str) -> Steps:
        """Open an object; others of its type may be opened on the way."""
        room, kind = self.room, self.room.type(name)
        for _ in room.instances(kind):
            if not self.room.shut(name):
                return True
            yield Action("OPEN", (kind,))
        return not self.room.shut(name)

    def put_down(self) -> Steps:
        """Empty the hand, wherever there is room."""
        held = self.room.held
        if held is None:
            return True
        kinds = [kind for kind in _PUT_DOWN if kind not in self._spared]
        for kind in kinds:
            if self.would_take(kind, held) and (yield from self._put(held, kind)):
                return True
        return False

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
            return False
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
        fitting = [n for n in self.room.instances(kind) if self.room.would_take(n, held)]
        for place in sorted(fitting, key=self.room.shut):
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
        return False

    def close(self, kind: str) -> Steps:
        """Close everything of a type."""
        for name in self.room.instances(kind):
            if self.room.has("openable", name) and self.room.has("open", name):
                yield Action("CLOSE", (kind,))
        return not any(
            self.room.has("openable", name) and self.room.has("open", name)
            for name in self.room.instances(kind)
        )

    def clear(self, name: str, but: Callable[[str], bool]) -> Steps:
        """Take away everything in or on an object for which a test does not hold."""
        for each in self.room.contents(name):
            if but(each) or not self.room.has("pickupable", each):
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
        return self.room.has("on", self.room.controller(name))


class Washing(Handling):
    """Cleans and empties things, too."""

    def wash(self, kind: str) -> Steps:
        """Clean everything of a type."""
        done = True
        for name in self.room.instances(kind):
            if self.room.has("dirty", name):
                done &= yield from (self._wipe(name) if kind == "Mirror" else self._rinse(name))
        return done

    def spray(self) -> Steps:
        """Spray the mirror."""
        spray = self.do("SPRAY", "Mirror", lambda: self.room.sprayed)
        return self.room.sprayed or (yield from _each(self.hold_one("SprayBottle"), spray))

    def pour_out(self, kind: str) -> Steps:
        """Empty everything of a type."""
        for name in self.room.instances(kind):
            if self.room.has("filled", name) and (yield from self.uncover(name)):
                yield from self.do("EMPTY", kind, partial(self._is_empty, name))
        return not any(map(partial(self.room.has, "filled"), self.room.instances(kind)))

    def _is_empty(self, name: str) -> bool:
        return not self.room.has("filled", name)

    def _wipe(self, name: str) -> Steps:
        clean = self.do("CLEAN", "Mirror", lambda: not self.room.has("dirty", name))
        return (yield from _each(self.spray(), self.hold_one("Cloth"), clean))

    def _rinse(self, name: str) -> Steps:
        kind = self.room.type(name)
        if not (yield from self._clear_sink()) or not (yield from self.put(name, "SinkBasin")):
            return False
        faucet = self.need("Faucet")
        if faucet is None or not (yield from self.hold_one("DishSponge")):
            return False
        yield from self.do("TOGGLE_ON", "Faucet", lambda: self.is_on(faucet))
        cleaned = yield from self.do("CLEAN", kind, lambda: not self.room.has("dirty", name))
        yield from self.do("TOGGLE_OFF", "Faucet", lambda: not self.is_on(faucet))
        return cleaned

    def _clear_sink(self) -> Steps:
        """Take out of the sink what keeps the faucet from being switched on."""
        sink = self.need("SinkBasin")
        washable = {*rules().spread(("Dishes", "Cookware")), "DishSponge"}
        return sink is not None and (
            yield from self.clear(sink, lambda each: self.room.type(each) in washable)
        )


_FLAT = ("CounterTop", "DiningTable", "SideTable")
_FRIED = frozenset({"EggCracked", "PotatoSliced"})


class Cooking(Washing):
    """Slices and cooks, too."""

    @abstractmethod
    def served(self, kind: str) -> list[str]:
        """The objects of a type that will do, the best first."""

    def cook(self, kind: str) -> Steps:
        """Cook one of a type."""
        if self.served(kind):
            return True
        if kind == "Potato":
            done = yield from self._microwave()
        elif kind in _FRIED:
            done = yield from self._fry(kind)
        else:
            done = yield from self._toast(kind)
        return done and bool(self.served(kind))

    def make(self, kind: str) -> Steps:
        """Slice something, if there are no slices of it yet; an egg is cracked elsewhere."""
        source = kind.removesuffix("Sliced")
        if source == kind or self.room.instances(kind):
            return True
        name = self.need(source)
        if name is None:
            return False
        cut = self.do("SLICE", source, lambda: self.room.has("sliced", name))
        return (yield from _each(self._lay_flat(name), self.hold_one("Knife"), cut))

    def _microwave(self) -> Steps:
        potato = self.need("Potato")
        if potato is None or not (yield from self.put(potato, "Microwave")):
            return False
        yield from self.close("Microwave")
        return (yield from self.run("Microwave"))

    def _toast(self, kind: str) -> Steps:
        toaster = self.need("Toaster")
        if toaster is None or not (yield from self._only(kind, toaster)):
            return False
        if not self.room.contents(toaster):
            if not (yield from self.make(kind)):
                return False
            if not (yield from self.put(self._spare(kind), "Toaster")):
                return False
        return (yield from self.run("Toaster"))

    def _fry(self, kind: str) -> Steps:
        pan = self.need("Pan")
        return pan is not None and (
            yield from _each(
                self.wash("Pan"),
                self._only(kind, pan),
                self._fill_pan(kind, pan),
                self.put(pan, "StoveBurner"),
                self.run("StoveBurner"),
            )
        )

    def _only(self, kind: str, place: str) -> Steps:
        """Leave nothing in a place but what is to be cooked there, or cracked."""
        wanted = (kind, "Egg") if kind == "EggCracked" else (kind,)
        return (yield from self.clear(place, lambda each: self.room.type(each) in wanted))

    def _fill_pan(self, kind: str, pan: str) -> Steps:
        """Get what is to be fried into the pan."""
        if any(self.room.type(each) == kind for each in self.room.contents(pan)):
            return True
        if kind == "EggCracked":
            return (yield from self._crack())
        if not (yield from self.make(kind)):
            return False
        return (yield from self.put(self._spare(kind), "Pan"))

    def _crack(self) -> Steps:
        egg = self.need("Egg")
        if egg is None or not (yield from self.put(egg, "Pan")):
            return False
        return (yield from self.do("SLICE", "Egg", lambda: self.room.has("sliced", egg)))

    def _spare(self, kind: str) -> str:
        """One of a type, the one in the hand before others."""
        names = self.served(kind) or self.room.instances(kind)
        return min(names, key=lambda name: name != self.room.held)

    def _lay_flat(self, name: str) -> Steps:
        """Put food where it can be sliced."""
        for kind in _FLAT:
            if self._is_flat(name):
                break
            yield from self.put(name, kind)
        return self._is_flat(name)

    def _is_flat(self, name: str) -> bool:
        room = self.room
        lies = room.parent(name) is not None and room.container(name) is None
        return lies and room.height(name) >= LOWEST_TO_SLICE


_FILLED = ("isFilledWithLiquid", True)
_CLEAN = ("isDirty", False)


class Chores(Cooking):
    """Knows how to reach the goals of an instance."""

    def __init__(self, room: Callable[[], Room], instance: Instance, semantics: Semantics) -> None:
        super().__init__(room, frozenset(table for table, _ in instance.goals.contents_exact))
        self._goals = instance.goals
        self._states = state_goals(instance)
        self._cooked = cooked_types(instance, semantics) | {
            PRODUCTS.get(kind, kind)
            for kind, flag, value in instance.goals.state
            if flag == "isCooked" and value
        }

    def all(self) -> Iterator[Steps]:
        """Yield what has to be done, in an order in which nothing undoes what was done before."""
        goals, states, wash = self._goals, self._states, self.wash
        acts = {"Drink Coffee": self.drink, "Spray Mirror": self.spray}
        yield from (self.clear_table(*laid) for laid in goals.contents_exact)
        yield from (acts[act]() for act in goals.action)
        yield from (self.fill(kind) for kind, flag, value in states if (flag, value) == _FILLED)
        yield from (wash(kind) for kind, flag, value in states if (flag, value) == _CLEAN)
        for table, kinds in goals.contents_exact:
            yield from (self.store(kind, (table,)) for kind in kinds if kind not in SLICES)
        yield from (self.cook(kind) for kind in sorted(self._cooked))
        yield from (self.serve(*place) for place in goals.location)
        yield from (self.store(kind, rules().homes[kind]) for kind in goals.put_away)
        yield from (self.settle(*state) for state in states)

    def clear_table(self, table: str, kinds: tuple[str, ...]) -> Steps:
        """Leave nothing on tables, and on what may stay on them, but what belongs there."""
        done = True
        for name in self.room.instances(table):
            for place in (name, *self.room.contents(name)):
                done &= yield from self.clear(place, lambda each: self.room.type(each) in kinds)
        return done

    def drink(self) -> Steps:
        """Drink coffee."""
        if any(str(act) == "Drink Coffee" for act in self.room.acts):
            return True
        if not (yield from self.fill("Mug")) or not (yield from self.hold_one("Mug")):
            return False
        mug = self.room.held
        return mug is not None and (
            yield from self.do("DRINK", "Mug", lambda: not self.room.has("filled", mug))
        )

    def fill(self, kind: str) -> Steps:
        """Make coffee."""
        mug, machine = self.need(kind), self.need("CoffeeMachine")
        if mug is None or machine is None:
            return False
        if self.room.liquid(mug) == "coffee":
            return True
        done = yield from _each(
            self.wash(kind),
            self.pour_out(kind),
            self.clear(machine, lambda each: each == mug),
            self.put(mug, "CoffeeMachine"),
            self.run("CoffeeMachine"),
        )
        return done and self.room.has("filled", mug)

    def store(self, kind: str, homes: tuple[str, ...]) -> Steps:
        """Put things of a type where they belong."""
        names = self.room.instances(kind)
        if any(self.is_in(name, home) for name in names for home in homes):
            return True
        name = self.need(kind)
        for home in homes:
            if name is not None and (yield from self.put(name, home)):
                return True
        return False

    def serve(self, kind: str, container: str) -> Steps:
        """Put one of a type into a clean dish, a cooked one if one was to be cooked."""
        if any(self.is_in(name, container) for name in self.served(kind)):
            return True
        clean = yield from self.wash(container)
        if not clean or not (yield from self.make(kind)):
            return False
        free = (name for name in self.served(kind) if not self._employed(name))
        name, dish = next(free, None), self.need(container)
        if name is None or dish is None:
            return False
        if (yield from self.put(name, container)):
            return True
        if not (yield from self.clear(dish, lambda each: self.room.type(each) == kind)):
            return False
        return (yield from self.put(name, container))

    def served(self, kind: str) -> list[str]:
        """The objects of a type that can be served, the one in the hand first."""
        room = self.room
        names = room.instances(kind)
        if kind in self._cooked:
            names = [name for name in names if room.state.holds("cooked", (name,))]
        return sorted(names, key=lambda name: (name != room.held, self._employed(name)))

    def _employed(self, name: str) -> bool:
        kind = self.room.type(name)
        return any(kind == what and self.is_in(name, where) for what, where in self._goals.location)

    def settle(self, kind: str, flag: str, value: bool) -> Steps:
        """Switch and close what is left; empty what has to be empty."""
        if flag == "isOpen" and not value:
            return (yield from self.close(kind))
        if flag == "isFilledWithLiquid" and not value:
            return (yield from self.pour_out(kind))
        if flag == "isToggled":
            return (yield from self._switch(kind, value))
        return True

    def _switch(self, kind: str, value: bool) -> Steps:
        wrong = [n for n in self.room.instances(kind) if not self._is_switched(n, value)]
        tool = wrong and kind == "Television"
        if tool and not (yield from self.hold_one("RemoteControl")):
            return False
        named = "StoveBurner" if kind == "StoveKnob" else kind
        word = "TOGGLE_ON" if value else "TOGGLE_OFF"
        done = True
        for name in wrong:
            done &= yield from self.do(word, named, partial(self._is_switched, name, value))
        return done

    def _is_switched(self, name: str, value: bool) -> bool:
        return self.room.has("on", name) is value
