"""Work out what is where when a task of EB-ALFRED begins, by geometry and gold plans, by hand.

    python benchmarks/agreement/embodiedbench_rooms.py [FILE]

Containment is not published. Objects lie where their poses are; which receptacle that is, the
receptacles of AI2-THOR 2.1.0 say, with the boxes of the same furniture in 5.0.0. What gold plans
recorded counts first. Without a file it says how many of the places that ship are those that it
finds; with `tasks/embodiedbench/alfred.json.gz` it writes them there.

It also prints how often geometry alone finds what gold plans recorded. The constants of the
geometry (`Prices`) are chosen anew for every room, by all other rooms.
"""

from __future__ import annotations

import gzip
import itertools
import json
import math
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from eai.simulators import engine_accepts, load_scene
from eai.simulators.thor.scenes import SceneObject, object_types
from eai.suites.embodiedbench.skills import shipped, types


class Prices(NamedTuple):
    """The constants of :meth:`Receptacle.cost`, in metres.

    Args:
        door: Price of being shut in.
        height: A metre too high or too low costs so many metres aside.
        area: Price of a square metre: of two receptacles the smaller one is meant.
        sticking_out: Price of a closed receptacle that an object is too high for.
    """

    door: float = 0.04
    height: float = 1.5
    area: float = 0.003
    sticking_out: float = 0.1


TRIED = tuple(
    Prices(*each)
    for each in itertools.product((0.0, 0.04, 0.1), (1.0, 1.5, 2.5), (0.0, 0.003, 0.01), (0.0, 0.1))
)
"""What the constants are chosen from."""

_HIGHEST_SURFACE = 1.2
"""Metres: in a higher box, something stands on the piece of furniture; its surface is lower."""

_NEVER = ("CoffeeMachine",)
"""Nothing that is recorded lies in these; a mug in the box of one stands before it."""

_BESIDE = 0.11
"""Metres between the middles of a dish and of what is in it, at most: it may lean out."""

Point = tuple[float, float, float]


class Receptacle(NamedTuple):
    """A receptacle that stays where it is; lengths in metres.

    Args:
        id: Its id in AI2-THOR 2.1.0, or in 5.0.0 where that one lists none of its type.
        position: Where it is; the second number is the height.
        size: Extent of its box along x and z.
        floor: The lowest point of its box.
        top: The highest point of its box.
    """

    id: str
    type: str
    position: Point
    size: tuple[float, float]
    floor: float
    top: float

    def cost(self, at: Point, prices: Prices) -> float:
        """How badly an object at a position fits, in metres."""
        (x, y, z), (mx, _, mz), (w, d) = at, self.position, self.size
        far = math.hypot(max(0.0, abs(x - mx) - w / 2), max(0.0, abs(z - mz) - d / 2))
        high = self._too_high_or_low(y)
        price = prices.area * w * d
        if self.type in types("closed"):
            price += prices.door + prices.sticking_out * (y > self.top)
        if self.type == "CounterTop":
            # Its box is flat, and one of several pieces: the top may be higher, and reach farther.
            high = min(high, 0.05) if y > self.top and far < 0.05 else high
            far = min(far, 0.1 + 0.05 * far)
        return far + prices.height * high + price

    def _too_high_or_low(self, y: float) -> float:
        """Metres that an object at a height is above or below where this holds things."""
        floor, top, sort = self.floor, self.top, _sort(self.type)
        if sort == "inside":
            return max(0.0, floor - 0.05 - y, y - top)
        if sort == "seats":
            return max(0.0, floor + (top - floor) / 4 - y, y - top - 0.1)
        if sort == "furniture":
            has_more_on_it = top - floor > _HIGHEST_SURFACE
            lowest = floor + _HIGHEST_SURFACE / 2 if has_more_on_it else top
            return max(0.0, y - top - (0.06 if self.type == "Shelf" else 0.12), lowest - y - 0.03)
        return max(0.0, abs(y - (floor + top) / 2) - 0.1)


@cache
def _sort(kind: str) -> str:
    """How things are held by a type of receptacle."""
    return next((pool for pool in ("inside", "seats", "furniture") if kind in types(pool)), "")


def _parts(id_: str) -> tuple[str, Point]:
    kind, x, y, z, *part = id_.split("|")
    return (part[0] if part else kind), (float(x), float(y), float(z))


def _box(one: SceneObject) -> tuple[tuple[float, float], float, float]:
    """Extent, floor and top; the position of most types is the middle of the floor."""
    y, (w, h, d) = one.position[1], one.size
    floor = y - h / 2 if one.type in types("centred") else y
    return (w, d), floor, floor + h


def _away(one: SceneObject, at: Point) -> float:
    return math.hypot(one.position[0] - at[0], one.position[2] - at[2])


@cache
def receptacles(scene: str) -> tuple[Receptacle, ...]:
    """Return the receptacles of a room that stay where they are."""
    fixed = [
        one
        for one in load_scene(scene).objects
        if "pickupable" not in one.affordances and one.type not in ("Sink", "Floor")
    ]
    found, used = [], set[str]()
    for id_ in shipped("alfred.json.gz")["layouts"][scene]["receptacles"]:
        kind, at = _parts(id_)
        found.append(Receptacle(id_, kind, at, *_of_old(kind, at, fixed, used)))
    listed = {each.type for each in found}
    found += [
        Receptacle(one.id, one.type, one.position, *_box(one))
        for one in fixed
        if one.type in (*types("receptacle_types"), *types("centred")) and one.type not in listed
        if one.id not in used and "receptacle" in one.affordances
    ]
    return tuple(found)


def _of_old(
    kind: str, at: Point, fixed: Iterable[SceneObject], used: set[str]
) -> tuple[tuple[float, float], float, float]:
    """The box of a receptacle of 2.1.0: that of the same furniture in 5.0.0, else of its type."""
    level = kind in types("centred") and kind not in ("BathtubBasin", "CounterTop", "SinkBasin")
    furniture = types("furniture") if kind in types("furniture") else ()
    same = [
        (math.dist(one.position, at), one)
        for one in fixed
        if one.type == kind and _away(one, at) < 0.5
        if not level or abs(one.position[1] - at[1]) < 0.3
    ]
    alike = [(_away(one, at), one) for one in fixed if one.type in furniture]
    near = min(same or alike, key=lambda pair: pair[0], default=None)
    if near is not None and (same or near[0] < 0.4):
        used.add(near[1].id)
        return _box(near[1])
    known = object_types().get(kind)
    w, h, d = (known.size if known else None) or (0.5, 0.5, 0.5)
    floor = at[1] - h / 2 if kind in types("centred") or at[1] > 0.2 else at[1]
    return (w, d), floor, floor + h


def under(scene: str, at: Point, prices: Prices = Prices()) -> Receptacle:  # noqa: B008 - constants
    """Return the receptacle that an object at a position is in or on."""
    candidates = (each for each in receptacles(scene) if each.type not in _NEVER)
    return min(candidates, key=lambda each: each.cost(at, prices))


Row = list[Any]
"""Type, id and position of an object."""


def fixed(scene: str) -> list[Row]:
    """What stays where it is in a room: receptacles, then taps, basins and the floor."""
    rows: list[Row] = [[each.type, each.id, *each.position] for each in receptacles(scene)]
    others = (*types("taps"), "Floor", "Sink")
    more = (one for one in load_scene(scene).objects if one.type in others)
    return rows + [[one.type, one.id, *one.position] for one in more]


def places(setup: int) -> list[int]:
    """For each pose of a set-up the number of what it is in, behind :func:`fixed` other poses."""
    room, poses, *_ = shipped("alfred.json.gz")["setups"][setup]
    ids = [each.id for each in receptacles(room)]
    known = list(_recorded(setup, room))
    objects, found = [], list[int]()
    for name, *pose in poses:
        kind, at = name.partition("_")[0], (pose[0], pose[1], pose[2])
        near = (
            place for other, there, place in known if other == kind and math.dist(there, at) < 0.03
        )
        found.append(ids.index(next(near, None) or under(room, at).id))
        objects.append(SceneObject(name, "", kind, position=at))
    first = len(fixed(room))
    dishes = [(n, one) for n, one in enumerate(objects) if one.type in types("dishes")]
    for n, one in enumerate(objects):
        loose = one.type not in types("dishes") and one.type in object_types()
        # What lies where a cup, a pot or the like stands is in it, if the engine accepts that.
        around = [
            (_away(one, dish.position), at)
            for at, dish in (dishes if loose else ())
            if engine_accepts(one.type, dish.type) and _away(one, dish.position) < _BESIDE
            if abs(one.height - dish.height) < 2 * _BESIDE
        ]
        found[n] = first + min(around)[1] if around else found[n]
    return found


def _recorded(setup: int, room: str) -> Iterator[tuple[str, Point, str]]:
    """Type and position of what gold plans take first, each with its receptacle."""
    for row in shipped("alfred.json.gz")["tasks"]:
        for object_, kind, (x, z, y) in first_picks(row[12]) if row[11] == setup else ():
            near = [
                (math.dist(each.position, (x, y, z)), each.id)
                for each in receptacles(room)
                if each.type == kind
            ]
            far, id_ = min(near, default=(1.0, ""))
            if far < 0.5:
                yield (*_parts(object_), id_)


def first_picks(plan: Iterable[list[Any]]) -> Iterator[tuple[str, str, list[float]]]:
    """Yield the first pick of every object in a gold plan, where its receptacle is recorded.

    That is the object's id, and the receptacle's type and position (x, z and height).
    """
    seen = set[str]()
    for action, object_, kind, at, *_ in plan:
        if action == "PickupObject" and object_ not in seen and object_.count("|") == 3:
            seen.add(object_)
            if kind and at:
                yield object_, kind, at


class Taken(NamedTuple):
    """An object that a gold plan takes from a recorded receptacle."""

    room: str
    at: Point
    type: str
    position: Point

    def is_under(self, found: Receptacle) -> bool:
        """Whether a receptacle is the recorded one."""
        return found.type == self.type and math.dist(found.position, self.position) < 0.4


def recorded() -> list[Taken]:
    """Return what gold plans take first and was not moved before, each object of a set-up once."""
    data, found = shipped("alfred.json.gz"), dict[tuple[int, str], Taken]()
    for row in data["tasks"]:
        room, poses = data["setups"][row[11]][:2]
        for id_, kind, (x, z, y) in first_picks(row[12]):
            name, at = _parts(id_)
            own = [pose[1:] for pose in poses if pose[0].startswith(f"{name}_")]
            if min((math.dist(pose, at) for pose in own), default=1.0) < 0.03:
                found[row[11], id_] = Taken(room, at, kind, (x, y, z))
    return list(found.values())


def figures() -> None:
    """Print how often geometry finds what is recorded, with constants of all other rooms."""
    objects = recorded()
    rooms = sorted({each.room for each in objects})
    hits = {
        (room, prices): sum(
            each.is_under(under(room, each.at, prices)) for each in objects if each.room == room
        )
        for room in rooms
        for prices in TRIED
    }
    type_right = right = doors = 0
    for room in rooms:
        others = [other for other in rooms if other != room]
        prices = max(TRIED, key=lambda each: sum(hits[other, each] for other in others))
        for each in objects:
            if each.room == room:
                found = under(room, each.at, prices)
                type_right += found.type == each.type
                right += each.is_under(found)
                doors += (found.type in types("closed")) is not (each.type in types("closed"))
    best = max(TRIED, key=lambda each: sum(hits[room, each] for room in rooms))
    print(f"eb-alfred: by geometry of {len(objects)} objects in {len(rooms)} rooms,")
    print(f"  with constants of the other rooms: type right {type_right / len(objects):.1%},")
    print(
        f"  receptacle right {right / len(objects):.1%}, through doors {doors / len(objects):.1%}"
    )
    print(f"  constants by all rooms: {best}")


def main() -> None:
    """Compare what ships, or write it."""
    data = shipped("alfred.json.gz")
    same = total = 0
    for number, setup in enumerate(data["setups"]):
        found, shipping = places(number), setup[5] if setup[5:] else ()
        same += sum(one == other for one, other in zip(found, shipping, strict=False))
        total += len(found)
        setup[5:] = [found]
    for name, layout in data["layouts"].items():
        layout["fixed"] = fixed(name)
    print(f"eb-alfred: {same} of {total} objects lie where they ship")
    figures()
    for path in map(Path, sys.argv[1:]):
        text = json.dumps(data, separators=(",", ":"))
        path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
