"""An agent that knows the whole state and how goals are reached; and plans found with it.

It plans by the methods of a hierarchical planner (single objects, washing, cooking) and looks at
the state after every action.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import chain

from eai.acting import Message, format_action
from eai.errors import InputError
from eai.semantics import Semantics
from eai.simulators import Environment
from eai.suites.asgardbench.environment import AsgardEnvironment, shown
from eai.suites.asgardbench.gate import lies_flat, unwashable
from eai.suites.asgardbench.goals import PRODUCTS, SLICES, cooked_types, state_goals
from eai.suites.asgardbench.instances import rules
from eai.suites.asgardbench.room import Act, Room
from eai.task import Task
from eai.world import Action

_ROUNDS = 3
"""Number of times that all chores are done: a later one may undo an earlier one."""


class AsgardOracle:
    """A reference agent that reads the whole state of its environment and ignores its observations.

    Raises:
        InputError: If the environment is not one of AsgardBench.
    """

    def __init__(self, task: Task, semantics: Semantics, environment: Environment) -> None:
        """Begin the plan, which continues as its actions are executed."""
        if not isinstance(environment, AsgardEnvironment):
            raise InputError(
                f"the oracle of AsgardBench cannot act in a {type(environment).__name__}",
                expected=f"the environment of the task {task.id!r}",
            )
        self._actions = plan_actions(environment, semantics)

    def __call__(self, _messages: Sequence[Message]) -> str:
        """Return the next action, whatever the messages say; look around if nothing is left."""
        return format_action(next(self._actions, Action("FIND", ("Floor",))))


def plan_actions(environment: AsgardEnvironment, semantics: Semantics) -> Iterator[Action]:
    """Yield the actions that solve the instance of an environment.

    Each action has to be taken before the next is asked for.
    """
    chores = Chores(environment, semantics)
    for _ in range(_ROUNDS):
        for action in chain.from_iterable(chores.all()):
            room = environment.room
            shown_types = {room.type(name) for name in shown(room)}
            # Every action of AsgardBench takes one type, of which an object has to be shown.
            (object_type,) = action.arguments
            if object_type not in shown_types:
                yield Action("FIND", action.arguments)
            yield action


# ------------------------------------------------------------------ methods


Steps = Generator[Action, None, bool]
"""A chore: it yields actions, and returns whether its aim is reached."""

_FLAT = ("CounterTop", "DiningTable", "SideTable")
"""Types of places where food can be sliced, the best first."""
_PUT_DOWN = (
    *("CounterTop", "SideTable", "DiningTable", "CoffeeTable", "Desk", "Dresser", "TVStand"),
    *("Shelf", "Cabinet", "Drawer", "Fridge", "Sofa", "ArmChair", "Bed", "Toilet"),
)
"""Types of places for things that are in the way, the best places first."""
_FRIED = frozenset({"EggCracked", "PotatoSliced"})
"""Types of food that are cooked in a pan."""
_FILLED = ("isFilledWithLiquid", True)
"""Flag and value of goals that ask for something to drink."""
_CLEAN = ("isDirty", False)
"""Flag and value of goals that ask for something clean."""


def _until_failure(*chores: Steps) -> Steps:
    """Do chores one after the other until one fails, and return whether all succeeded."""
    for chore in chores:
        if not (yield from chore):
            return False
    return True


def _do_each(chores: Iterable[Steps]) -> Steps:
    """Do all chores, even if some fail, and return whether all succeeded."""
    all_done = True
    for chore in chores:
        is_done = yield from chore
        all_done = all_done and is_done
    return all_done


class Chores:
    """The chores that reach the goals of an instance from the present state of the room."""

    def __init__(self, environment: AsgardEnvironment, semantics: Semantics) -> None:
        """Collect the goals of the environment's instance."""
        self._environment = environment
        instance = environment.instance
        self._goals = instance.goals
        # Types of receptacles that must not be used to put things out of the way.
        self._spared = frozenset(table for table, _ in instance.goals.contents_exact)
        self._states = state_goals(instance)
        cooked = set(cooked_types(instance, semantics))
        for object_type, flag, value in instance.goals.state:
            if flag == "isCooked" and value:
                cooked.add(PRODUCTS.get(object_type, object_type))
        self._cooked = frozenset(cooked)

    def all(self) -> Iterator[Steps]:
        """Yield all chores, ordered so that none undoes the work of an earlier one."""
        # Dishes are washed before food lies in them, and doors closed when all is put away.
        yield from self._preparations()
        yield from self._placements()
        for object_type, flag, value in self._states:
            yield self.settle(object_type, flag, value)

    def _preparations(self) -> Iterator[Steps]:
        """Yield the chores that change objects in place: clear, act, fill, wash."""
        for table, kinds in self._goals.contents_exact:
            yield self.clear_table(table, kinds)
        acts = {Act.DRINK.value: self.drink, Act.SPRAY.value: self.spray}
        for act in self._goals.action:
            yield acts[act]()
        for object_type, flag, value in self._states:
            if (flag, value) == _FILLED:
                yield self.fill(object_type)
        for object_type, flag, value in self._states:
            if (flag, value) == _CLEAN:
                yield self.wash(object_type)

    def _placements(self) -> Iterator[Steps]:
        """Yield the chores that cook food and then bring objects to their places."""
        for table, kinds in self._goals.contents_exact:
            for object_type in kinds:
                if object_type not in SLICES:
                    yield self.store(object_type, (table,))
        for object_type in sorted(self._cooked):
            yield self.cook(object_type)
        for object_type, container in self._goals.location:
            yield self.serve(object_type, container)
        for object_type in self._goals.put_away:
            yield self.store(object_type, rules().homes[object_type])

    # ------------------------------------------------------------------ single objects

    @property
    def room(self) -> Room:
        """The room as it is now."""
        return self._environment.room

    def _is(self, predicate: str, name: str, value: bool = True) -> Callable[[], bool]:
        """Return a test that a predicate is true of an object, or false, when it is called."""
        return lambda: self.room.has(predicate, name) is value

    def do(self, action: str, object_type: str, done: Callable[[], bool]) -> Steps:
        """Take an action unless its result holds already.

        If the action fails, search for its object and try once more.

        Args:
            action: Name of the action.
            object_type: The type of its object.
            done: Returns whether the result of the action holds.
        """
        if done():
            return True
        yield Action(action, (object_type,))
        if not done():
            yield Action("FIND", (object_type,))
            yield Action(action, (object_type,))
        return done()

    def hold(self, name: str) -> Steps:
        """Take an object into the hand."""
        if self.room.held == name:
            return True
        object_type = self.room.type(name)
        # Of several slices another one may be taken; whoever wants one asks for any.
        take = self.do("PICKUP", object_type, lambda: self.room.holds_type(object_type))
        # One hand: it is emptied first, and doors are opened with an empty hand.
        return (yield from _until_failure(self.put_down(), self.uncover(name), take))

    def hold_one(self, object_type: str) -> Steps:
        """Take an object of a type into the hand."""
        if self.room.holds_type(object_type):
            return True
        name = self.room.first(object_type)
        return name is not None and (yield from self.hold(name))

    def uncover(self, name: str) -> Steps:
        """Open the closed containers around an object."""
        container = self.room.parent(name)
        while container is not None:
            if self.room.shut(container):
                if not (yield from self.open(container)):
                    return False
                # Start again at the object, since its surroundings may have changed.
                container = name
            container = self.room.parent(container)
        return True

    def open(self, name: str) -> Steps:
        """Open an object. The action names a type, so others of that type may be opened first."""
        object_type = self.room.type(name)
        # At most once for each, so that a refused action is not repeated forever.
        for _ in self.room.instances(object_type):
            if not self.room.shut(name):
                return True
            yield Action("OPEN", (object_type,))
        return not self.room.shut(name)

    def close(self, object_type: str) -> Steps:
        """Close all objects of a type."""
        for name in self._open_objects(object_type):
            if self.room.has("open", name):
                yield Action("CLOSE", (object_type,))
        return not self._open_objects(object_type)

    def _open_objects(self, object_type: str) -> list[str]:
        """Return the objects of a type that are open."""
        room = self.room
        names = []
        for name in room.instances(object_type):
            if room.has("openable", name) and room.has("open", name):
                names.append(name)
        return names

    def put_down(self) -> Steps:
        """Put the held object down on any receptacle with room for it."""
        held = self.room.held
        if held is None:
            return True
        for object_type in _PUT_DOWN:
            if object_type in self._spared or not self.would_take(object_type, held):
                continue
            if (yield from self._put(held, object_type)):
                return True
        return False

    def would_take(self, object_type: str, name: str) -> bool:
        """Return whether an object of a type could receive a given object."""
        room = self.room
        if object_type not in rules().accepted.get(room.type(name), ()):
            return False
        return any(room.would_take(receptacle, name) for receptacle in room.instances(object_type))

    def put(self, name: str, object_type: str) -> Steps:
        """Put an object in or on an object of a type."""
        if self.is_in(name, object_type):
            return True
        if not self.would_take(object_type, name) or not (yield from self.hold(name)):
            return False
        held = self.room.held
        return held is not None and (yield from self._put(held, object_type))

    def is_in(self, name: str, object_type: str) -> bool:
        """Return whether an object is in or on something of a type."""
        parent = self.room.parent(name)
        return parent is not None and self.room.type(parent) == object_type

    def _put(self, held: str, object_type: str) -> Steps:
        """Put the held object in or on an object of a type, opening and closing it if needed."""
        room = self.room
        candidates = [name for name in room.instances(object_type) if room.would_take(name, held)]
        for receptacle in sorted(candidates, key=room.shut):  # open ones first
            was_closed = room.shut(receptacle)
            if not (yield from self.uncover(receptacle)):
                continue
            if was_closed and not (yield from self.open(receptacle)):
                continue
            yield Action("PUT", (object_type,))
            if was_closed:
                yield from self.close(object_type)
            if room.held is None:
                return True
        return False

    def clear(self, name: str, but: Callable[[str], bool]) -> Steps:
        """Take everything out of or off an object, except what passes a test."""
        for content in self.room.contents(name):
            if but(content) or not self.room.has("pickupable", content):
                continue
            if not (yield from _until_failure(self.hold(content), self.put_down())):
                return False
        return True

    def run(self, object_type: str) -> Steps:
        """Switch an object of a type on and off again. Of burners, use the one under the pan."""
        room = self.room
        with_pan = [name for name in room.instances(object_type) if room.has_pan(name)]
        name = with_pan[0] if with_pan else room.first(object_type)
        if name is None:
            return False
        return (
            yield from _do_each(
                self._switch_object(name, object_type, value) for value in (True, False)
            )
        )

    def _switch_object(self, name: str, object_type: str, value: bool) -> Steps:
        """Switch an object by itself, or by its knob."""
        word = "TOGGLE_ON" if value else "TOGGLE_OFF"
        return self.do(word, object_type, self._is("on", self.room.controller(name), value))

    # ------------------------------------------------------------------ washing

    def wash(self, object_type: str) -> Steps:
        """Clean everything of a type."""
        method = self._wipe if object_type == "Mirror" else self._rinse
        names = self.room.instances(object_type)
        return (yield from _do_each(method(name) for name in names if self.room.has("dirty", name)))

    def spray(self) -> Steps:
        """Spray the mirror."""
        if self.room.sprayed:
            return True
        spray = self.do("SPRAY", "Mirror", lambda: self.room.sprayed)
        return (yield from _until_failure(self.hold_one("SprayBottle"), spray))

    def pour_out(self, object_type: str) -> Steps:
        """Empty all objects of a type."""
        for name in self.room.instances(object_type):
            if self.room.has("filled", name) and (yield from self.uncover(name)):
                yield from self.do("EMPTY", object_type, self._is("filled", name, False))
        return not any(self.room.has("filled", name) for name in self.room.instances(object_type))

    def _wipe(self, name: str) -> Steps:
        """Clean a mirror: it is sprayed, then wiped with a cloth."""
        clean = self.do("CLEAN", "Mirror", self._is("dirty", name, False))
        return (yield from _until_failure(self.spray(), self.hold_one("Cloth"), clean))

    def _rinse(self, name: str) -> Steps:
        """Wash an object in the sink under running water, with the sponge in the hand."""
        object_type = self.room.type(name)
        sink = self.room.first("SinkBasin")
        blocking = unwashable(self.room)
        if sink is None:
            return False
        # Objects that keep others from being washed are taken out of the sink first.
        clear = self.clear(sink, lambda content: content not in blocking)
        is_in_sink = yield from _until_failure(clear, self.put(name, "SinkBasin"))
        if not is_in_sink:
            return False
        faucet = self.room.first("Faucet")
        if faucet is None:
            return False
        has_sponge = yield from self.hold_one("DishSponge")
        if not has_sponge:
            return False
        yield from self._switch_object(faucet, "Faucet", True)
        cleaned = yield from self.do("CLEAN", object_type, self._is("dirty", name, False))
        yield from self._switch_object(faucet, "Faucet", False)
        return cleaned

    # ------------------------------------------------------------------ cooking

    def cook(self, object_type: str) -> Steps:
        """Cook an object of a type."""
        if self.servable_objects(object_type):
            return True
        if object_type == "Potato":
            is_cooked = yield from self._microwave()
        elif object_type in _FRIED:
            is_cooked = yield from self._fry(object_type)
        else:
            is_cooked = yield from self._toast(object_type)
        return is_cooked and bool(self.servable_objects(object_type))

    def make(self, object_type: str) -> Steps:
        """Slice an object of a type unless there are slices of it.

        Eggs are left out, as they are cracked when cooked.
        """
        source = object_type.removesuffix("Sliced")
        if source == object_type or self.room.instances(object_type):
            return True
        name = self.room.first(source)
        if name is None:
            return False
        cut = self.do("SLICE", source, self._is("sliced", name))
        return (yield from _until_failure(self._lay_flat(name), self.hold_one("Knife"), cut))

    def _microwave(self) -> Steps:
        """Cook the potato in the microwave."""
        potato = self.room.first("Potato")
        if potato is None or not (yield from self.put(potato, "Microwave")):
            return False
        yield from self.close("Microwave")
        return (yield from self.run("Microwave"))

    def _toast(self, object_type: str) -> Steps:
        """Toast an object of a type, alone in the toaster."""
        toaster = self.room.first("Toaster")
        if toaster is None or not (yield from self._only(object_type, toaster)):
            return False
        if not self.room.contents(toaster) and not (yield from self._add(object_type, "Toaster")):
            return False
        return (yield from self.run("Toaster"))

    def _add(self, object_type: str, receptacle: str) -> Steps:
        """Put an object of a type where it is prepared, the one in the hand before others."""
        if not (yield from self.make(object_type)):
            return False
        names = self.servable_objects(object_type) or self.room.instances(object_type)
        name = self.room.held if self.room.held in names else names[0]
        return (yield from self.put(name, receptacle))

    def _fry(self, object_type: str) -> Steps:
        """Fry objects of a type, alone in a clean pan on a burner."""
        pan = self.room.first("Pan")
        if pan is None:
            return False
        return (
            yield from _until_failure(
                self.wash("Pan"),
                self._only(object_type, pan),
                self._fill_pan(object_type, pan),
                self.put(pan, "StoveBurner"),
                self.run("StoveBurner"),
            )
        )

    def _only(self, object_type: str, receptacle: str) -> Steps:
        """Take everything out of something except food that is cooked or cracked there."""
        wanted = (object_type, "Egg") if object_type == "EggCracked" else (object_type,)
        return (yield from self.clear(receptacle, lambda name: self.room.type(name) in wanted))

    def _fill_pan(self, object_type: str, pan: str) -> Steps:
        """Put food into the pan to fry it. An egg is cracked there."""
        if any(self.room.type(name) == object_type for name in self.room.contents(pan)):
            return True
        if object_type != "EggCracked":
            return (yield from self._add(object_type, "Pan"))
        egg = self.room.first("Egg")
        if egg is None or not (yield from self.put(egg, "Pan")):
            return False
        return (yield from self.do("SLICE", "Egg", self._is("sliced", egg)))

    def _lay_flat(self, name: str) -> Steps:
        """Put food on a surface that is high enough to slice it on."""
        for object_type in _FLAT:
            if self._is_flat(name):
                break
            yield from self.put(name, object_type)
        return self._is_flat(name)

    def _is_flat(self, name: str) -> bool:
        """Return whether an object lies where it can be sliced, and not in the hand."""
        return self.room.parent(name) is not None and lies_flat(self.room, name)

    # ------------------------------------------------------------------ goals

    def clear_table(self, table: str, kinds: tuple[str, ...]) -> Steps:
        """Remove from tables, and from what may stay on them, all that does not belong."""

        def belongs(name: str) -> bool:
            return self.room.type(name) in kinds

        def chores() -> Iterator[Steps]:
            """Yield the chores that clear each table of a type, and what stands on it."""
            for name in self.room.instances(table):
                # The objects on the table are known only when the chores before are done.
                for receptacle in (name, *self.room.contents(name)):
                    yield self.clear(receptacle, belongs)

        return (yield from _do_each(chores()))

    def drink(self) -> Steps:
        """Drink coffee."""
        if Act.DRINK in self.room.acts:
            return True
        if not (yield from _until_failure(self.fill("Mug"), self.hold_one("Mug"))):
            return False
        mug = self.room.held
        if mug is None:
            return False
        return (yield from self.do("DRINK", "Mug", self._is("filled", mug, False)))

    def fill(self, object_type: str) -> Steps:
        """Make coffee."""
        mug = self.room.first(object_type)
        machine = self.room.first("CoffeeMachine")
        if mug is None or machine is None:
            return False
        if self.room.liquid(mug) == "coffee":
            return True
        is_done = yield from _until_failure(
            self.wash(object_type),
            self.pour_out(object_type),
            self.clear(machine, lambda content: content == mug),
            self.put(mug, "CoffeeMachine"),
            self.run("CoffeeMachine"),
        )
        return is_done and self.room.has("filled", mug)

    def store(self, object_type: str, homes: tuple[str, ...]) -> Steps:
        """Put an object of a type in or on a target receptacle, unless one is there already."""
        names = self.room.instances(object_type)
        if not names:
            return False
        if any(self.is_in(name, home) for name in names for home in homes):
            return True
        for home in homes:
            if (yield from self.put(names[0], home)):
                return True
        return False

    def serve(self, object_type: str, container: str) -> Steps:
        """Put an object of a type into a clean dish, cooked if the goal asks for it."""
        if any(self.is_in(name, container) for name in self.servable_objects(object_type)):
            return True
        if not (yield from _until_failure(self.wash(container), self.make(object_type))):
            return False
        candidates = [
            name for name in self.servable_objects(object_type) if not self._is_in_its_place(name)
        ]
        dish = self.room.first(container)
        if not candidates or dish is None:
            return False
        if (yield from self.put(candidates[0], container)):
            return True
        # The dish had no room, so objects of other types are taken out.
        clear = self.clear(dish, lambda name: self.room.type(name) == object_type)
        return (yield from _until_failure(clear, self.put(candidates[0], container)))

    def servable_objects(self, object_type: str) -> list[str]:
        """Return the objects of a type that can be served, the one in the hand first."""
        room = self.room
        names = room.instances(object_type)
        if object_type in self._cooked:
            names = [name for name in names if room.has("cooked", name)]
        return sorted(names, key=lambda name: (name != room.held, self._is_in_its_place(name)))

    def _is_in_its_place(self, name: str) -> bool:
        """Return whether an object satisfies a location goal, so that it must not be moved."""
        object_type = self.room.type(name)
        for goal_kind, container in self._goals.location:
            if object_type == goal_kind and self.is_in(name, container):
                return True
        return False

    def settle(self, object_type: str, flag: str, value: bool) -> Steps:
        """Close, empty or switch the objects of a type as a goal demands.

        Args:
            object_type: The type of the objects.
            flag: The state.
            value: Whether they have to be in it.
        """
        if flag == "isOpen" and not value:
            return (yield from self.close(object_type))
        if flag == "isFilledWithLiquid" and not value:
            return (yield from self.pour_out(object_type))
        if flag == "isToggled":
            return (yield from self._switch_all(object_type, value))
        return True

    def _switch_all(self, object_type: str, value: bool) -> Steps:
        """Switch all objects of a type on or off.

        The television is switched by its remote control.
        """
        names = self.room.instances(object_type)
        names_to_switch = [name for name in names if self.room.has("on", name) is not value]
        if names_to_switch and object_type == "Television":
            has_remote = yield from self.hold_one("RemoteControl")
            if not has_remote:
                return False
        # Actions name the burner, although the state "on" is that of the knob.
        target = "StoveBurner" if object_type == "StoveKnob" else object_type
        action = "TOGGLE_ON" if value else "TOGGLE_OFF"
        chores = (self.do(action, target, self._is("on", name, value)) for name in names_to_switch)
        return (yield from _do_each(chores))
