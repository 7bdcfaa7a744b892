"""Houses: rooms of AI2-THOR side by side, acted in by an agent that has a place in them.

The rules are those of LongAct (arXiv 2605.14504): things are taken within
1.5 m, in the room where the agent is; a counted step is 0.25 m, 30 degrees, or one interaction;
an atomic step is 0.05 m, 30 degrees, or one interaction. Where nothing is published, what is said
here is this package's own: paths are straight lines through the doors, so steps are estimates.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
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
    """A place in a house, in metres: east and north of its corner."""

    room: str
    x: float
    z: float


class Door(NamedTuple):
    """A doorway between two rooms, always open, and where it is: east and north in metres."""

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
        if not self.rooms:
            raise InputError("a house without a room", expected="at least one room")
        for door in self.doors:
            for room in door[:2]:
                check_name("room", room, self.rooms, where="door of a house")
        first = next(iter(self.rooms))
        cut_off = [room for room in self.rooms if room != first and not self.way(first, room)]
        if cut_off:
            raise InputError(
                f"no way leads from {first} to {', '.join(cut_off)}",
                expected="rooms that are all connected",
                mend="add a door",
            )

    def way(self, start: str, end: str) -> tuple[Door, ...]:
        """The doors to pass from one room to another, the fewest; none if there is no way."""
        before: dict[str, tuple[str, Door] | None] = {start: None}
        waiting = deque([start])
        while waiting:
            room = waiting.popleft()
            for door in self.doors:
                if room in door[:2]:
                    there = door.other if door.one == room else door.one
                    if there not in before:
                        before[there] = room, door
                        waiting.append(there)
        found: list[Door] = []
        step = before.get(end)
        while step is not None:
            found.append(step[1])
            step = before[step[0]]
        return tuple(reversed(found))

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
        return {one.name: one.type for one in (*self.scene.objects, *self.scene.slices)}


@lru_cache(maxsize=8)
def house_of(names: tuple[str, ...]) -> House:
    """Return a house of recorded rooms, in a row from west to east, with a door to the next.

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
    """Put rooms side by side: see :func:`house_of`."""
    rooms: dict[str, tuple[float, float]] = {}
    spots: dict[str, Spot] = {}
    objects: list[SceneObject] = []
    doors: list[Door] = []
    numbers: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    west, before = 0.0, ("", 0.0)
    for scene in scenes:
        number = int("".join(filter(str.isdigit, scene.name)) or 0)
        kind = next((kind for kind, base in reversed(ROOMS) if number > base), "room")
        kinds[kind] += 1
        room = f"{kind}_{kinds[kind]}"
        xs, zs = ([one.position[axis] for one in scene.objects] or [0.0] for axis in (0, 2))
        width, depth = (max(max(each) - min(each), _LEAST) for each in (xs, zs))
        rooms[room] = west + width / 2, depth / 2
        if before[0]:
            # Doors are in the middle of the wall that both rooms share; walls begin in a line.
            doors.append(Door(before[0], room, (west, min(depth, before[1]) / 2)))
        names: dict[str, str] = {}
        for one in scene.objects:
            numbers[one.type] += 1
            names[one.name] = f"{one.type}_{numbers[one.type]}"
        for one in scene.renamed(names).objects:
            x, y, z = one.position
            x, z = x - min(xs) + west, z - min(zs)
            spots[one.name] = Spot(room, x, z)
            objects.append(replace(one, id=f"{room}/{one.id}", position=(x, y, z)))
        west, before = west + width, (room, depth)
    house = Scene("+".join(scene.name for scene in scenes), tuple(objects))
    sources = {one.id: one.name for one in objects}
    for piece in house.slices:
        spots[piece.name] = spots[sources[piece.id.rpartition("|")[0]]]
    return House(rooms, tuple(doors), house, spots)


@cache
def house_domain() -> Domain:
    """The domain of AI2-THOR with what is near the agent, which reach depends on (once)."""
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
    """A house acted in with :data:`ACTIONS`; what is in other rooms, or shut in, is not seen.

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
        """Go back to the start: in the middle of the first room, looking north."""
        self._engine = ThorEngine(self.house.start, world=house_world())
        self._spots = dict(self.house.spots)
        room, middle = next(iter(self.house.rooms.items()))
        self.spot, self.heading = Spot(room, *middle), 0
        self._visited, self._focus, self.stopped = {room}, "", False
        self._notice()
        return self._observed()

    def state(self) -> State:
        """The whole state, as a copy."""
        return self._engine.state.copy()

    def step(self, action: Action) -> HouseStep:
        """Take one action; names that are not known make it fail."""
        if ACTIONS.get(action.name) != len(action.arguments):
            kind, message = ErrorKind.ACTION_HALLUCINATION, f"there is no action {action}"
            if action.name in ACTIONS:
                kind = ErrorKind.ARGUMENT_NUMBER
                takes = "one object" if ACTIONS[action.name] else "no object"
                message = f"{action.name} takes {takes}, not {len(action.arguments)}"
            return self._failed(kind.value, message, kind=kind)
        if action.name == "Stop":
            self.stopped = True
            return HouseStep(True, self._now, resolved=action)
        target = action.arguments[0]
        spot = self._spots.get(target)
        known = target in self.house.rooms or (
            spot is not None
            and (spot.room in self._visited or target in self._carried())
            and self.holds("present", target)
            and not self.holds("shut_in", target)
        )
        if not known:
            kind = ErrorKind.OBJECT_HALLUCINATION
            return self._failed("NOT_SEEN", f"no {target} was seen so far", kind=kind)
        if action.name == "GoTo":
            return self._go(target)
        return self._act(action, target)

    # ------------------------------------------------------------------ what is where

    @property
    def held(self) -> str:
        """Name of what the agent holds; empty if nothing."""
        return next(iter(OBSERVED.holding(self._engine.state, AGENT)), "")

    def place(self, name: str) -> str:
        """Name of what an object is in or on; empty if it is in nothing, or held."""
        return next(iter(self._engine.state.related("in", name)), "")

    def spot_of(self, name: str) -> Spot:
        """Where an object is."""
        return self.spot if name in self._carried() else self._spots[name]

    def holds(self, asked: str | Formula, *names: str) -> bool:
        """Return whether a formula, or the atom of a predicate and names, holds now."""
        key = (asked, *names) if isinstance(asked, str) else asked
        return self.house.holds(self._engine.state, key)

    def _carried(self) -> list[str]:
        found = [self.held] if self.held else []
        for name in found:
            found += self._engine.state.related("in", name, column=True)
        return found

    def _notice(self) -> None:
        """Write into the state what is near."""
        state, (room, x, z) = self._engine.state, self.spot
        near = set(self._carried())
        for name, (there, u, w) in self._spots.items():
            if there == room and (
                math.hypot(u - x, w - z) <= REACH or self.house.types[name] == "Floor"
            ):
                near.add(name)
        mask = mask_of(map(state.universe.number, near))
        p, agent = state.layout.index["near"], state.universe.number(AGENT)
        state.write(p, 0, agent, state.rows[p][agent] & ~mask, False)
        state.write(p, 0, agent, mask, True)

    # ------------------------------------------------------------------ going and acting

    def _go(self, target: str) -> HouseStep:
        moves = turns = 0
        if target in self.house.rooms:
            goal = Spot(target, *self.house.rooms[target])
        else:
            goal = self.spot_of(target)
        for door in self.house.way(self.spot.room, goal.room):
            moved, turned = self._walk(door.at, 0.0)
            moves, turns = moves + moved, turns + turned
        short = 0.0 if target in self.house.rooms else _STAND
        moved, turned = self._walk(goal[1:], short)
        self.spot = Spot(goal.room, *self.spot[1:])
        self._visited.add(goal.room)
        self._focus = "" if target in self.house.rooms else target
        self._notice()
        seen = self._observed()
        resolved = Action("GoTo", (target,))
        return HouseStep(True, seen, resolved=resolved, moves=moves + moved, turns=turns + turned)

    def _walk(self, to: tuple[float, float], short: float) -> tuple[int, int]:
        """Go towards a point, and stop short of it; return the atomic moves and the turns."""
        (x, z), (u, w) = self.spot[1:], to
        far = math.hypot(u - x, w - z)
        if far < ATOMIC / 2:
            return 0, 0
        bearing = round(math.degrees(math.atan2(u - x, w - z)) / TURN) * TURN % 360
        apart = abs(bearing - self.heading)
        self.heading = bearing
        length = max(far - short, 0.0)
        self.spot = Spot(self.spot.room, x + (u - x) * length / far, z + (w - z) * length / far)
        return round(length / ATOMIC), min(apart, 360 - apart) // TURN

    def _act(self, action: Action, target: str) -> HouseStep:
        refused = self._refusal(action.name, target)
        if refused:
            return self._failed(*refused, interactions=1)
        moving = self._carried()
        result = self._engine.perform(_CALLS[action.name], (target,))
        if result.failure is not None:
            message = f"{action}: {result.message}"
            return self._failed(result.failure.value, message, interactions=1)
        if action.name == "Place":
            there = self._spots[target]
            spot = self.spot if self.house.types[target] == "Floor" else there
            state = self._engine.state
            pieces = (p for n in moving for p in state.related("slice_of", n, column=True))
            for name in (*moving, *pieces):
                self._spots[name] = spot
        self._focus = target
        return HouseStep(True, self._observed(), resolved=action, interactions=1)

    def _refusal(self, name: str, target: str) -> tuple[str, str] | None:
        """Return the code and message of a refusal by LongAct that the engine does not know."""
        if target in self.house.rooms:
            return "ROOM", f"{target} is a room: go there, and act on an object"
        if not self.holds("near", AGENT, target):
            return "TOO_FAR", f"{target} is not within {REACH} m: go to it first"
        if name == "Open" and self.holds("open", target):
            return "ALREADY_OPEN", f"{target} is open"
        if name == "Close" and self.holds("openable", target) and not self.holds("open", target):
            return "ALREADY_CLOSED", f"{target} is closed"
        if name == "Slice":
            if self.house.types.get(self.held) not in _KNIVES:
                return "NO_KNIFE", f"there is no knife in the hand to slice {target} with"
            if not self.place(target):
                return "NO_SURFACE", f"{target} does not lie on anything: place it first"
        return None

    def _failed(
        self, code: str, message: str, *, kind: ErrorKind | None = None, interactions: int = 0
    ) -> HouseStep:
        seen = self._now
        return HouseStep(False, seen, code, message, kind=kind, interactions=interactions)

    # ------------------------------------------------------------------ sight

    def visible(self) -> Iterable[str]:
        """Names of the objects that are seen: in the room, there, and not shut in; and carried."""
        room, carried = self.spot.room, self._carried()
        state = self._engine.state
        work_out_containment(state)
        shown = house_world().world.members_of(_SHOWN, _X, ())(state)
        return [
            name
            for name, spot in self._spots.items()
            if (spot.room == room or name in carried) and shown >> state.universe.number(name) & 1
        ]

    def _observed(self) -> Observation:
        self._now = Observation()
        if self.observing:
            names = frozenset(self.visible())
            seen = OBSERVED.observe(
                self._engine.state, AGENT, names=names | frozenset(LIQUIDS), focus=self._focus
            )
            things = [
                replace(
                    one,
                    type=self.house.types[one.name],
                    inside=one.inside or ("" if one.name in seen.held else self.spot.room),
                    relation=one.relation or "in",
                )
                for one in seen.objects
                if one.name in names
            ]
            rooms = [
                SeenObject(room, "Room", {"here": room == self.spot.room})
                for room in self.house.rooms
            ]
            self._now = replace(seen, objects=(*rooms, *things))
        return self._now
