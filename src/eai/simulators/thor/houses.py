"""Houses: rooms of AI2-THOR side by side, acted in by an agent that has a place in them.

The rules are those of LongAct (arXiv 2605.14504): things are taken within
1.5 m, in the room where the agent is; a counted step is 0.25 m, 30 degrees, or one interaction;
an atomic step is 0.05 m, 30 degrees, or one interaction. Where nothing is published, what is said
here is this package's own: paths are straight lines through the doors, so steps are estimates.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from eai.diagnosis import ErrorKind
from eai.errors import InputError, check_name
from eai.logic import And, Atom, Formula, Not, Variable
from eai.pddl import Domain, Predicate
from eai.simulators.environment import Capabilities, Observation, SeenObject, StepResult
from eai.simulators.thor.engine import ThorEngine
from eai.simulators.thor.environment import OBSERVED
from eai.simulators.thor.scenes import ROOMS, Scene, SceneObject, load_scene
from eai.simulators.thor.world import AGENT, LIQUIDS, ThorWorld, thor_domain, work_out_containment
from eai.simulators.variations import redefined
from eai.world import Action, State, mask_of

REACH = 1.5
"""From how far things are acted on, in metres."""
ATOMIC = 0.05
"""Length of an atomic move, in metres."""
MOVES_COUNTED = 5
"""So many atomic moves are one counted step (0.25 m)."""
TURN = 30
"""Degrees of one turn."""
_STAND = 0.75  # metres between the agent and what it went to
_LEAST = 1.0  # metres; no room is narrower

ACTIONS: Mapping[str, int] = MappingProxyType(
    {
        "GoTo": 1,
        "Pick": 1,
        "Place": 1,
        "Open": 1,
        "Close": 1,
        "ToggleOn": 1,
        "ToggleOff": 1,
        "Slice": 1,
        "Stop": 0,
    }
)
"""The actions; ``GoTo`` an object or a room stands for eight movements of LongAct."""

_CALLS = {
    "Pick": "PickupObject",
    "Place": "PutObject",
    "Open": "OpenObject",
    "Close": "CloseObject",
    "ToggleOn": "ToggleObjectOn",
    "ToggleOff": "ToggleObjectOff",
    "Slice": "SliceObject",
}
_KNIVES = ("Knife", "ButterKnife")
_NEARBY = {
    "in_reach": "(and (present ?x) (not (shut_in ?x)) (near ?a ?x))",
    "put_in_reach": "(and (present ?x) (not (shut_in ?x)) (not (borne ?a ?x)) (near ?a ?x))",
}
_X = Variable("?x")
_SHOWN = And((Atom("present", (_X,)), Not(Atom("shut_in", (_X,)))))


class Spot(NamedTuple):
    """A point in a house, in metres east and north of its corner."""

    room: str
    x: float
    z: float


class Door(NamedTuple):
    """An open doorway between two rooms, with its position in metres east and north."""

    one: str
    other: str
    at: tuple[float, float]


@dataclass(frozen=True)
class House:
    """Rooms and the doors between them.

    Args:
        rooms: Name of a room to its middle, in metres; the agent starts in the first.
        scene: All objects of all rooms, with names of their own.

    Raises:
        InputError: If there is no room, or a room cannot be reached.
        UnknownNameError: If a door leads to a room that is not there.
    """

    rooms: Mapping[str, tuple[float, float]]
    doors: tuple[Door, ...]
    scene: Scene = field(repr=False)
    spots: Mapping[str, Spot] = field(repr=False)

    def __post_init__(self) -> None:
        """Check that doors are between rooms of the house, and that all rooms are connected."""
        if not self.rooms:
            raise InputError("a house without a room", expected="at least one room")
        for door in self.doors:
            for room in door[:2]:
                check_name("room", room, self.rooms, where="door of a house")
        # Doors can be passed both ways, so it is enough to reach all rooms from one.
        first = next(iter(self.rooms))
        cut_off = [room for room in self.rooms if room != first and not self.way(first, room)]
        if cut_off:
            raise InputError(
                f"no way leads from {first} to {', '.join(cut_off)}",
                expected="rooms that are all connected",
                mend="add a door",
            )

    def way(self, start: str, end: str) -> tuple[Door, ...]:
        """Return the doors on a shortest way between rooms, or none if there is no way.

        This is a breadth-first search that remembers the door by which each room was reached first.
        """
        reached_by: dict[str, tuple[str, Door] | None] = {start: None}
        pending = deque([start])
        while pending:
            room = pending.popleft()
            for door in self.doors:
                if room not in (door.one, door.other):
                    continue
                next_room = door.other if door.one == room else door.one
                if next_room not in reached_by:
                    reached_by[next_room] = (room, door)
                    pending.append(next_room)
        # Back from the end to the start, whose entry is None.
        doors: list[Door] = []
        previous = reached_by.get(end)
        while previous is not None:
            room, door = previous
            doors.append(door)
            previous = reached_by[room]
        return tuple(reversed(doors))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the recorded rooms that it is made of."""
        return tuple(self.scene.name.split("+"))

    @cached_property
    def start(self) -> State:
        """The state that it starts in; nothing is near yet."""
        return house_world().start(self.scene)

    def holds(self, state: State, asked: Formula | tuple[str, ...]) -> bool:
        """Return whether a formula, or the atom of a predicate and names, holds in a state."""
        formula = Atom(asked[0], asked[1:]) if isinstance(asked, tuple) else asked
        work_out_containment(state)
        return house_world().world.holds(state, formula)

    @cached_property
    def types(self) -> Mapping[str, str]:
        """Name of every object, slices included, to its type in the engine."""
        return {
            scene_object.name: scene_object.type
            for scene_object in (*self.scene.objects, *self.scene.slices)
        }


@lru_cache(maxsize=8)
def house_of(names: tuple[str, ...]) -> House:
    """Return a house of recorded rooms in a row from west to east, with doors between.

    Objects are named after their type and numbered through the house (``"Mug_2"``).

    Raises:
        UnknownNameError: If there is no such room.
        InputError: If there is no room, or one is named twice.
    """
    for name, times in Counter(names).items():
        if times > 1:
            raise InputError(f"the room {name} appears {times} times in a house", expected="once")
    return joined([load_scene(name) for name in names])


def joined(scenes: Sequence[Scene]) -> House:
    """Return a house of scenes in a row from west to east; see :func:`house_of`.

    Args:
        scenes: The rooms. Objects are numbered anew by type, and positions are moved to the east.
    """
    rooms = _in_a_row(scenes)
    objects: list[SceneObject] = []
    spots: dict[str, Spot] = {}
    for room in rooms:
        for scene_object in _objects_in_house(room):
            objects.append(scene_object)
            x, _, z = scene_object.position
            spots[scene_object.name] = Spot(room.name, x, z)
    house = Scene("+".join(scene.name for scene in scenes), tuple(objects))
    # A slice that does not exist yet is at the place of the object that it is cut from.
    name_of_id = {scene_object.id: scene_object.name for scene_object in objects}
    for slice_object in house.slices:
        source_id, _, _ = slice_object.id.rpartition("|")
        spots[slice_object.name] = spots[name_of_id[source_id]]
    middle_of_room = {room.name: room.middle for room in rooms}
    doors = [_door_between(west, east) for west, east in pairwise(rooms)]
    return House(middle_of_room, tuple(doors), house, spots)


class _PlacedRoom(NamedTuple):
    """A recorded room in its place in a house, whose south walls are all in line.

    Args:
        name: Name of the room in the house.
        scene: The room, with the names that its objects have in the house.
        floor: The floor as it was recorded.
        west_wall: Distance of the room's west wall from that of the house, in metres.
    """

    name: str
    scene: Scene
    floor: _Floor
    west_wall: float

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the room, in the coordinates of the house."""
        return self.west_wall + self.floor.width / 2, self.floor.depth / 2


def _in_a_row(scenes: Sequence[Scene]) -> list[_PlacedRoom]:
    """Return rooms side by side from west to east, with rooms and objects numbered by type."""
    rooms: list[_PlacedRoom] = []
    objects_of_type: Counter[str] = Counter()
    rooms_of_kind: Counter[str] = Counter()
    west_wall = 0.0
    for scene in scenes:
        room_kind = _kind_of_room(scene)
        rooms_of_kind[room_kind] += 1
        room_name = f"{room_kind}_{rooms_of_kind[room_kind]}"
        # Numbers go on from room to room, so that every name in the house is unique.
        object_names: dict[str, str] = {}
        for scene_object in scene.objects:
            objects_of_type[scene_object.type] += 1
            object_names[scene_object.name] = (
                f"{scene_object.type}_{objects_of_type[scene_object.type]}"
            )
        floor = _floor_of(scene)
        rooms.append(_PlacedRoom(room_name, scene.renamed(object_names), floor, west_wall))
        west_wall += floor.width
    return rooms


def _objects_in_house(room: _PlacedRoom) -> Iterator[SceneObject]:
    """Yield the objects of a room with their ids and positions in the house."""
    for scene_object in room.scene.objects:
        x, height, z = scene_object.position
        position = (x - room.floor.west + room.west_wall, height, z - room.floor.south)
        # Recorded ids are unique within a room only.
        yield replace(scene_object, id=f"{room.name}/{scene_object.id}", position=position)


def _door_between(west: _PlacedRoom, east: _PlacedRoom) -> Door:
    """Return the door between neighbours, in the middle of the wall that they share."""
    shared_wall = min(west.floor.depth, east.floor.depth)
    return Door(west.name, east.name, (east.west_wall, shared_wall / 2))


class _Floor(NamedTuple):
    """The floor of a recorded room: its south-west corner and its size, in metres."""

    west: float
    south: float
    width: float
    depth: float


def _floor_of(scene: Scene) -> _Floor:
    """Return the floor of a room: the smallest rectangle with all its objects.

    The walls themselves are not recorded.
    """
    x_positions = [scene_object.position[0] for scene_object in scene.objects] or [0.0]
    z_positions = [scene_object.position[2] for scene_object in scene.objects] or [0.0]
    width = max(max(x_positions) - min(x_positions), _LEAST)
    depth = max(max(z_positions) - min(z_positions), _LEAST)
    return _Floor(min(x_positions), min(z_positions), width, depth)


def _kind_of_room(scene: Scene) -> str:
    """Return the kind of a room by its number: ``"bedroom"`` for ``FloorPlan301``."""
    digits = "".join(filter(str.isdigit, scene.name))
    room_number = int(digits or 0)
    # From the highest numbers down: 301 is above the base of bedrooms, and above all lower ones.
    for room_kind, base in reversed(ROOMS):
        if room_number > base:
            return room_kind
    return "room"


@cache
def house_domain() -> Domain:
    """The domain of AI2-THOR extended by nearness to the agent."""
    near = Predicate("near", (Variable("?a"), Variable("?x")))
    domain = thor_domain()
    domain = replace(domain, predicates={**domain.predicates, near.name: near})
    return redefined(domain, _NEARBY)


@cache
def house_world() -> ThorWorld:
    """The symbolic world of houses (once)."""
    return ThorWorld(domain=house_domain())


@dataclass(frozen=True, slots=True)
class HouseStep(StepResult):
    """The result of one action, with its cost in steps."""

    moves: int = 0  # atomic ones of 0.05 m
    turns: int = 0  # by 30 degrees
    interactions: int = 0  # 1 for an action on an object, done or not

    @property
    def navigation(self) -> float:
        """Counted steps of moving: metres / 0.25 + degrees / 30."""
        return self.moves / MOVES_COUNTED + self.turns

    @property
    def atomic(self) -> int:
        """Atomic steps; an action that is refused takes one."""
        return max(self.moves + self.turns + self.interactions, int(not self.success))


class HouseEnvironment:
    """A house in which an agent acts with :data:`ACTIONS` and sees only its room.

    Attributes:
        observing: Whether results hold what is seen; without it, steps take less time.
        spot: Where the agent is.
        heading: Where it looks, in degrees from north to the east.
        stopped: Whether the agent said that it is done.
    """

    observing = True
    actions: Mapping[str, int] = ACTIONS
    capabilities = Capabilities(hidden_state=True)

    def __init__(self, house: House) -> None:
        self.house = house
        self.reset()

    def reset(self) -> Observation:
        """Return to the start: the middle of the first room, facing north.

        Returns:
            The observation there.
        """
        self._engine = ThorEngine(self.house.start, world=house_world())
        self._spots = dict(self.house.spots)
        room, middle = next(iter(self.house.rooms.items()))
        self.spot = Spot(room, *middle)
        self.heading = 0
        self.stopped = False
        self._visited = {room}
        self._focus = ""
        self._mark_near()
        return self._observe()

    def state(self) -> State:
        """The whole state, as a copy."""
        return self._engine.state.copy()

    def step(self, action: Action) -> HouseStep:
        """Take one action. It fails if a name is unknown.

        Only objects that were seen before can be acted on, so that an agent has to look around
        first.
        """
        if action.name not in ACTIONS:
            error_kind = ErrorKind.ACTION_HALLUCINATION
            return self._failed_step(
                error_kind.value, f"there is no action {action}", kind=error_kind
            )
        if ACTIONS[action.name] != len(action.arguments):
            error_kind = ErrorKind.ARGUMENT_NUMBER
            takes = "one object" if ACTIONS[action.name] else "no object"
            message = f"{action.name} takes {takes}, not {len(action.arguments)}"
            return self._failed_step(error_kind.value, message, kind=error_kind)
        if action.name == "Stop":
            self.stopped = True
            return HouseStep(True, self._now, resolved=action)
        target = action.arguments[0]
        # An agent may go to any room, but an object must have been seen before.
        if target not in self.house.rooms and not self._is_known(target):
            error_kind = ErrorKind.OBJECT_HALLUCINATION
            return self._failed_step("NOT_SEEN", f"no {target} was seen so far", kind=error_kind)
        if action.name == "GoTo":
            return self._go_to(target)
        return self._act(action, target)

    def _is_known(self, name: str) -> bool:
        """Return whether an object has been seen: not enclosed, in a visited room."""
        spot = self._spots.get(name)
        if spot is None:
            return False
        if spot.room not in self._visited and name not in self._carried_objects():
            return False
        return self.holds("present", name) and not self.holds("shut_in", name)

    # ------------------------------------------------------------------ what is where

    @property
    def held(self) -> str:
        """Name of the held object; empty if there is none."""
        return next(iter(OBSERVED.holding(self._engine.state, AGENT)), "")

    def place(self, name: str) -> str:
        """Return the receptacle that an object is in or on; empty if none, or if it is held."""
        return next(iter(self._engine.state.related("in", name)), "")

    def spot_of(self, name: str) -> Spot:
        """Return where an object is: with the agent, if it carries it."""
        if name in self._carried_objects():
            return self.spot
        return self._spots[name]

    def holds(self, asked: str | Formula, *names: str) -> bool:
        """Return whether a formula, or the atom of a predicate and names, holds now."""
        key = (asked, *names) if isinstance(asked, str) else asked
        return self.house.holds(self._engine.state, key)

    def _carried_objects(self) -> list[str]:
        """Return the held object and everything inside it."""
        carried: list[str] = []
        if self.held:
            carried.append(self.held)
        for name in carried:  # it grows while it is gone through
            carried += self._engine.state.related("in", name, column=True)
        return carried

    def _mark_near(self) -> None:
        """Write into the state which objects are near: carried, within reach, or the floor."""
        state = self._engine.state
        near_names = set(self._carried_objects())
        for name, spot in self._spots.items():
            if spot.room != self.spot.room:
                continue
            distance = math.hypot(spot.x - self.spot.x, spot.z - self.spot.z)
            if distance <= REACH or self.house.types[name] == "Floor":
                near_names.add(name)
        # The agent's row is updated in two steps: far objects are removed, near ones are added.
        near_mask = mask_of(map(state.universe.number, near_names))
        predicate = state.layout.index["near"]
        agent = state.universe.number(AGENT)
        state.write(predicate, 0, agent, state.rows[predicate][agent] & ~near_mask, False)
        state.write(predicate, 0, agent, near_mask, True)

    # ------------------------------------------------------------------ going and acting

    def _go_to(self, target: str) -> HouseStep:
        """Go through the doors to a room's middle or to where an object is within reach.

        Args:
            target: Name of a room or of an object.

        Returns:
            The observation there, with the numbers of moves and turns that it took.
        """
        if target in self.house.rooms:
            destination = Spot(target, *self.house.rooms[target])
            stop_short_m = 0.0
            focus = ""
        else:
            # An object is approached to arm's length only.
            destination = self.spot_of(target)
            stop_short_m = _STAND
            focus = target
        moves = 0
        turns = 0
        for door in self.house.way(self.spot.room, destination.room):
            moved, turned = self._walk(door.at, 0.0)
            moves += moved
            turns += turned
        moved, turned = self._walk((destination.x, destination.z), stop_short_m)
        moves += moved
        turns += turned
        self.spot = Spot(destination.room, self.spot.x, self.spot.z)
        self._visited.add(destination.room)
        self._focus = focus
        self._mark_near()
        observation = self._observe()
        return HouseStep(
            True, observation, resolved=Action("GoTo", (target,)), moves=moves, turns=turns
        )

    def _walk(self, to: tuple[float, float], stop_short_m: float) -> tuple[int, int]:
        """Walk towards a point; return the number of moves and of turns by 30 degrees.

        Args:
            to: The point: east and north in metres.
            stop_short_m: How far before the point the agent stops.
        """
        east = to[0] - self.spot.x
        north = to[1] - self.spot.z
        distance = math.hypot(east, north)
        if distance < ATOMIC / 2:
            return 0, 0
        # The agent turns by multiples of 30 degrees only, but then walks straight to the point.
        bearing = round(math.degrees(math.atan2(east, north)) / TURN) * TURN % 360
        angle = abs(bearing - self.heading)
        self.heading = bearing
        length = max(distance - stop_short_m, 0.0)
        x = self.spot.x + east * length / distance
        z = self.spot.z + north * length / distance
        self.spot = Spot(self.spot.room, x, z)
        return round(length / ATOMIC), min(angle, 360 - angle) // TURN

    def _act(self, action: Action, target: str) -> HouseStep:
        """Perform an action on an object if LongAct and the engine permit it.

        A placed object is afterwards at the spot of its new receptacle.
        """
        refusal = self._refusal(action.name, target)
        if refusal:
            return self._failed_step(*refusal, interactions=1)
        # This precedes the action: a placed object is no longer carried afterwards.
        moved_objects = self._carried_objects()
        result = self._engine.perform(_CALLS[action.name], (target,))
        if result.failure is not None:
            message = f"{action}: {result.message}"
            return self._failed_step(result.failure.value, message, interactions=1)
        if action.name == "Place":
            # An object on the floor is where the agent stands.
            spot = self._spots[target]
            if self.house.types[target] == "Floor":
                spot = self.spot
            for name in moved_objects:
                self._spots[name] = spot
                # Slices that may be cut from it later will be there.
                for slice_name in self._engine.state.related("slice_of", name, column=True):
                    self._spots[slice_name] = spot
        self._focus = target
        return HouseStep(True, self._observe(), resolved=action, interactions=1)

    def _refusal(self, name: str, target: str) -> tuple[str, str] | None:
        """Return code and message if LongAct's own rules forbid an action, or None.

        LongAct refuses more than AI2-THOR: acting on rooms, from too far away, opening what is
        open, closing what is closed, and slicing without a knife or in the hand.

        Args:
            name: Name of the action.
            target: Name of the object.

        Returns:
            The refusal; None if the engine decides.
        """
        if target in self.house.rooms:
            return "ROOM", f"{target} is a room: go there, and act on an object"
        if not self.holds("near", AGENT, target):
            return "TOO_FAR", f"{target} is not within {REACH} m: go to it first"
        is_open = self.holds("open", target)
        if name == "Open" and is_open:
            return "ALREADY_OPEN", f"{target} is open"
        # An object that cannot be opened is left to the engine, which reports it.
        if name == "Close" and not is_open and self.holds("openable", target):
            return "ALREADY_CLOSED", f"{target} is closed"
        if name == "Slice":
            if self.house.types.get(self.held) not in _KNIVES:
                return "NO_KNIFE", f"there is no knife in the hand to slice {target} with"
            if not self.place(target):
                return "NO_SURFACE", f"{target} does not lie on anything: place it first"
        return None

    def _failed_step(
        self, code: str, message: str, *, kind: ErrorKind | None = None, interactions: int = 0
    ) -> HouseStep:
        """Return the result of an action that was not done: nothing else is seen than before."""
        return HouseStep(False, self._now, code, message, kind=kind, interactions=interactions)

    # ------------------------------------------------------------------ sight

    def visible(self) -> Iterable[str]:
        """Return the visible objects: carried or in this room, and not enclosed.

        A slice is only visible once its whole was sliced. Objects in a closed fridge are enclosed.
        """
        carried = self._carried_objects()
        state = self._engine.state
        work_out_containment(state)
        visible_mask = house_world().world.members_of(_SHOWN, _X, ())(state)  # a mask
        names = []
        for name, spot in self._spots.items():
            is_here = spot.room == self.spot.room or name in carried
            if is_here and visible_mask >> state.universe.number(name) & 1:
                names.append(name)
        return names

    def _observe(self) -> Observation:
        """Store and return the current observation, empty if none is needed.

        Rooms are listed as objects, with ``here`` for the one that the agent is in.
        """
        self._now = Observation()
        if not self.observing:
            return self._now
        names = frozenset(self.visible())
        observation = OBSERVED.observe(
            self._engine.state, AGENT, names=names | frozenset(LIQUIDS), focus=self._focus
        )
        objects = []
        for room in self.house.rooms:
            objects.append(SeenObject(room, "Room", {"here": room == self.spot.room}))
        for seen_object in observation.objects:
            if seen_object.name not in names:
                continue  # a liquid
            location = seen_object.inside
            if not location and seen_object.name not in observation.held:
                location = self.spot.room
            object_type = self.house.types[seen_object.name]
            relation = seen_object.relation or "in"
            objects.append(
                replace(seen_object, type=object_type, inside=location, relation=relation)
            )
        self._now = replace(observation, objects=tuple(objects))
        return self._now
