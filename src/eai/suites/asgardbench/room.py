"""Heights and distances in a scene, as far as boxes around objects tell them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from eai.errors import check_name
from eai.logic import Formula
from eai.simulators import RoomEngine, engine_accepts
from eai.simulators.thor.scenes import Scene, SceneObject
from eai.simulators.thor.world import AGENT
from eai.simulators.thor_controller.engine import ControllerEngine
from eai.suites.asgardbench.instances import rules
from eai.world import State

_FLAT = frozenset({"CounterTop", "Shelf"})


def gap(first: SceneObject, second: SceneObject) -> float:
    """Return the horizontal distance between the bounding boxes of two objects in metres."""
    distances = []
    for axis in (0, 2):  # seen from above: x and z, as y is the height in Unity
        between_centres = abs(first.position[axis] - second.position[axis])
        distances.append(max(0.0, between_centres - (first.size[axis] + second.size[axis]) / 2))
    return math.hypot(*distances)


def surface_height(place: SceneObject) -> float:
    """Return the height of the surface of a receptacle, in metres.

    The origin of a counter or a shelf is its surface, that of a table is at its feet.
    """
    return place.height if place.type in _FLAT else place.height + place.size[1]


@dataclass(frozen=True, slots=True)
class Failed:
    """A failed action, with the reason."""

    code: str
    message: str


class Refusal(str, Enum):
    """The reason for which an action is refused before the simulator is called.

    The first five are no test of the gate: they say that the action or its object cannot be
    made out at all.
    """

    INVALID_RESPONSE = "INVALID_RESPONSE"
    INVALID_ACTION = "INVALID_ACTION"
    INVALID_OBJECT = "INVALID_OBJECT"
    NO_INSTANCE = "NO_INSTANCE"
    ALL_EMPLOYED = "ALL_EMPLOYED"
    ALREADY_SLICED = "ALREADY_SLICED"
    NOT_VISIBLE = "NOT_VISIBLE"
    HAND_FULL = "HAND_FULL"
    NOTHING_HELD = "NOTHING_HELD"
    IN_CLOSED = "IN_CLOSED"
    NOT_PICKUPABLE = "NOT_PICKUPABLE"
    CONTAINER_DIRTY = "CONTAINER_DIRTY"
    CONTAINER_CLOSED = "CONTAINER_CLOSED"
    INCOMPATIBLE = "INCOMPATIBLE"
    NOT_OPENABLE = "NOT_OPENABLE"
    ALREADY_OPEN = "ALREADY_OPEN"
    ALREADY_CLOSED = "ALREADY_CLOSED"
    ALREADY_ON = "ALREADY_ON"
    ALREADY_OFF = "ALREADY_OFF"
    TV_NEEDS_REMOTE = "TV_NEEDS_REMOTE"
    COFFEE_EMPTY = "COFFEE_EMPTY"
    COFFEE_WRONG_OBJECT = "COFFEE_WRONG_OBJECT"
    COFFEE_MUG_FILLED = "COFFEE_MUG_FILLED"
    COFFEE_MUG_DIRTY = "COFFEE_MUG_DIRTY"
    SINK_BLOCKED = "SINK_BLOCKED"
    MICROWAVE_OPEN = "MICROWAVE_OPEN"
    BURNER_EMPTY = "BURNER_EMPTY"
    NOT_ON_SURFACE = "NOT_ON_SURFACE"
    NOT_IN_PAN = "NOT_IN_PAN"
    NEEDS_KNIFE = "NEEDS_KNIFE"
    NOT_SPRAYED = "NOT_SPRAYED"
    NEEDS_CLOTH = "NEEDS_CLOTH"
    FAUCET_OFF = "FAUCET_OFF"
    NOT_IN_SINK = "NOT_IN_SINK"
    NEEDS_SPONGE = "NEEDS_SPONGE"
    NEEDS_SPRAY_BOTTLE = "NEEDS_SPRAY_BOTTLE"
    NOT_FILLED = "NOT_FILLED"
    NOT_HELD = "NOT_HELD"

    def __str__(self) -> str:
        return self.value


SIGHT = 6.0
"""How far the agent sees from what it looks at, in metres.

The benchmark sets 5 m in the simulator, from where the agent stands; that place is not known
here. 6 m is the least whole number with which no step of a recorded reference execution is refused
for sight. There is no field of view: the agent turns to what it deals with.
"""

_SINGLE = frozenset({"CoffeeMachine", "StoveBurner", "Toaster"})
"""Receptacles that take one object."""

SETUP = {"dirty": "DirtyObject", "empty": "EmptyLiquidFromObject", "fill": "FillObjectWithLiquid"}
"""Word of a set-up to the action of the simulator."""


class Act(str, Enum):
    """An act that a goal may ask for and that stays done, in the words of the goals."""

    DRINK = "Drink Coffee"
    SPRAY = "Spray Mirror"

    def __str__(self) -> str:
        return self.value


class Room:
    """A room that is acted in.

    Args:
        focus: Name of the object that the agent looks at; it stands there.
        reach: How far the agent sees, in metres.
        engine: The engine that does the simulator's actions.
    """

    def __init__(self, scene: Scene, *, focus: str, reach: float, engine: RoomEngine) -> None:
        """Index the objects of the scene by name and by type."""
        self.scene = scene
        self.focus = focus
        self.reach = reach
        self.acts: frozenset[Act] = frozenset()
        # In the order of the scene. Slices come last, even those that do not exist yet.
        self.things: Mapping[str, SceneObject] = {
            item.name: item for item in (*scene.objects, *scene.slices)
        }
        self._kinds: dict[str, list[str]] = {}
        for item in self.things.values():
            self._kinds.setdefault(item.type, []).append(item.name)
        self._engine = engine
        self._predicates = self.state.layout.index
        self._numbers = self.state.universe.index
        # The boxes of a scene's objects do not change, so each distance is computed once.
        self._gaps: dict[tuple[str, str], float] = {}

    @property
    def state(self) -> State:
        """The whole state."""
        return self._engine.state

    # ------------------------------------------------------------------ what is the case
    def test(self, condition: Formula) -> Callable[[State], bool]:
        """Return what tests a condition in the states of the room."""
        return self._engine.world.world.test_of(condition, self.state.universe)

    def has(self, predicate: str, name: str) -> bool:
        """Return whether a predicate of the world (``"dirtyable"``) is true of an object."""
        # One integer for each predicate, with a bit for each object.
        return bool(self.state.unary[self._predicates[predicate]] >> self._numbers[name] & 1)

    @property
    def held(self) -> str | None:
        """Name of the object that the agent holds."""
        return self._first("holds", AGENT)

    @property
    def sprayed(self) -> bool:
        """Whether something was sprayed that counts as the mirror."""
        return Act.SPRAY in self.acts

    def type(self, name: str) -> str:
        """Return the type of an object."""
        return self.things[name].type

    def holds_type(self, object_type: str) -> bool:
        """Return whether an object of a type is held."""
        return self.held is not None and self.type(self.held) == object_type

    def instances(self, object_type: str) -> list[str]:
        """Return the objects of a type, in the order of the scene; slices once they are there."""
        return [name for name in self._kinds.get(object_type, ()) if not self.has("dormant", name)]

    def first(self, object_type: str) -> str | None:
        """Name of the first object of a type."""
        return next(iter(self.instances(object_type)), None)

    def parent(self, name: str) -> str | None:
        """Name of what an object is in or on."""
        return self._first("in", name)

    def container(self, name: str) -> str | None:
        """Return the object that contains another one, or None if that lies on a surface."""
        parent = self.parent(name)
        if parent is None or self.type(parent) in rules().classes["Surface"]:
            return None
        return parent

    def contents(self, name: str) -> list[str]:
        """Return the names of the objects in or on another one, except sliced ones."""
        inside = self.state.related("in", name, column=True)
        return [content for content in inside if not self.has("sliced", content)]

    def has_pan(self, name: str) -> bool:
        """Return whether a Pan is in or on an object."""
        return any(self.type(content) == "Pan" for content in self.contents(name))

    def shut(self, name: str) -> bool:
        """Return whether an object can be opened and is closed."""
        return self.has("openable", name) and not self.has("open", name)

    def liquid(self, name: str) -> str | None:
        """Name of the liquid in an object."""
        return self._first("contains", name)

    def with_water(self, kinds: Collection[str]) -> list[str]:
        """Return the names of the objects of some types that contain water."""
        names = []
        for object_type in sorted(kinds):
            for name in self.instances(object_type):
                if self.liquid(name) == "water":
                    names.append(name)
        return names

    def is_slice(self, name: str) -> bool:
        """Return whether an object comes from slicing another one."""
        return bool(self.state.related("slice_of", name))

    def controller(self, name: str) -> str:
        """Name of what switches an object: a knob, or itself."""
        return next(iter(self.state.related("controls", name, column=True)), name)

    def height(self, name: str) -> float:
        """Return the height in metres at which an object lies."""
        parent = self.parent(name)
        if parent:
            return surface_height(self.things[parent])
        return self.things[name].height

    def volume(self, name: str) -> float:
        """Return the volume of the box around an object, in cubic metres."""
        return self.things[name].volume

    def would_take(self, name: str, held: str) -> bool:
        """Return whether a receptacle, once open, could receive an object."""
        if not engine_accepts(self.type(held), self.type(name)):
            return False
        if self.state.holds("misfit", (held, name)):
            return False
        return self.type(name) not in _SINGLE or not self.contents(name)

    # ------------------------------------------------------------------ what is in view
    def exposed(self, name: str) -> bool:
        """Return whether an object exists and is inside no closed container."""
        if self.has("dormant", name) or self.has("sliced", name):
            return False
        parent = self.parent(name)
        while parent is not None:
            if self.shut(parent):
                return False
            parent = self.parent(parent)
        return True

    def in_view(self, name: str) -> bool:
        """Return whether an object is in no closed container and near enough to the agent.

        Where the real simulator does the actions, its answer decides.
        """
        if not self.exposed(name):
            return False
        if isinstance(self._engine, ControllerEngine):
            return name in self._engine.visible
        return not self.focus or self.distance(self.focus, name) <= self.reach

    def distance(self, name: str, other: str) -> float:
        """Return the horizontal distance of two objects in metres.

        An object in or on a receptacle has the position of the receptacle, and a held object has
        that of the agent.
        """
        pair = self._base(name), self._base(other)
        if pair not in self._gaps:
            base, other_base = pair
            self._gaps[pair] = gap(self.things[base], self.things[other_base])
        return self._gaps[pair]

    def _base(self, name: str) -> str:
        """Return the object at the bottom of the stack that an object is in.

        A held object counts as part of the stack where the agent stands.
        """
        base = self._lowest(name)
        # A held thing has kept the box of where it lay.
        if base == self.held and self.focus:
            return self._lowest(self.focus)
        return base

    def _lowest(self, name: str) -> str:
        """Return the lowest object that an object is in or on, short of the floor."""
        parent = self.parent(name)
        while parent is not None and self.type(parent) != "Floor":
            name, parent = parent, self.parent(parent)
        return name

    # ------------------------------------------------------------------ acting
    def prepare(self, steps: Iterable[tuple[str, ...]]) -> None:
        """Apply the set-up steps of an instance."""
        for what, name, *liquid in steps:
            check_name("object", name, self.things, where=self.scene.name)
            # The simulator refuses to empty an empty object, which an instance may ask for.
            if what != "empty" or self.has("filled", name):
                self.call(SETUP[what], name, *liquid, force=True)

    def look_at(self, name: str) -> None:
        """Turn to an object, or to the container that hides it, with the held object."""
        # The agent need not turn to an object that it holds.
        if self._lowest(name) == self.held:
            return
        # A shut-in object is not visible: the agent looks at the closed container.
        while not self.exposed(name):
            parent = self.parent(name)
            if parent is None:
                return
            name = parent
        self.focus = name
        if isinstance(self._engine, ControllerEngine):
            self._engine.go_to(name)

    @property
    def image(self) -> bytes:
        """The picture of the real simulator's camera, as PNG; None without it."""
        return self._engine.image if isinstance(self._engine, ControllerEngine) else b""

    def call(self, name: str, *arguments: str, force: bool = False) -> Failed | None:
        """Run one action of the simulator, and return the failure, or None if it succeeds."""
        result = self._engine.perform(name, arguments, force=force)
        if result.failure is None:
            return None
        return Failed(result.failure.value, result.message)

    def _first(self, predicate: str, name: str) -> str | None:
        """Return the first object related to another one by a predicate, or None.

        The answers are looked up very often, so the relation is read without making a list.
        """
        state = self._engine.state
        row = state.rows[self._predicates[predicate]][self._numbers[name]]
        if not row:
            return None
        # The lowest bit that is set is the first object.
        return state.universe.names[(row & -row).bit_length() - 1]
