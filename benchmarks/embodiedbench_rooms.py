"""Work out what is where when a task of EB-ALFRED begins, by geometry and gold plans, by hand.

    python benchmarks/embodiedbench_rooms.py [FILE]

Containment is not published. Objects lie where their poses are; which receptacle that is, the
receptacles of AI2-THOR 2.1.0 say, with the boxes of the same furniture in 5.0.0. What gold plans
recorded counts first. Without a file it says how many of the places that ship are those that it
finds; with `tasks/embodiedbench/alfred.json.gz` it writes them there.
"""

from __future__ import annotations

import gzip
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

    def cost(self, at: Point) -> float:
        """How badly an object at a position fits: metres outside, with a small price of doors."""
        (x, y, z), (_, kind, (mx, _, mz), (w, d), floor, top) = at, self
        far = math.hypot(max(0.0, abs(x - mx) - w / 2), max(0.0, abs(z - mz) - d / 2))
        sort = _sort(kind)
        if sort == "inside":
            high = max(0.0, floor - 0.05 - y, y - top) + 0.04 * (kind in types("closed"))
        elif sort == "seats":
            high = max(0.0, floor + (top - floor) / 4 - y, y - top - 0.1)
        elif sort == "furniture":
            high = max(0.0, y - top - (0.06 if kind == "Shelf" else 0.12), top - y - 0.03)
        else:
            high = max(0.0, abs(y - (floor + top) / 2) - 0.1)
        if kind == "CounterTop":
            # Its box is flat, and one of several pieces: the top may be higher, and reach farther.
            high = min(high, 0.05) if y > top and far < 0.05 else high
            far = min(far, 0.1 + 0.05 * far)
        return far + 1.5 * high + 0.003 * w * d


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
        if one.type in types("receptacle_types") and one.type not in listed
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


def under(scene: str, at: Point) -> Receptacle:
    """Return the receptacle that an object at a position is in or on."""
    return min(receptacles(scene), key=lambda each: each.cost(at))


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


def figures(data: Any = None) -> None:  # noqa: ANN401
    """Print where geometry puts what gold plans take first; of rows as they are stored."""
    taken = right = exact = doors = 0
    plans = (
        [(row[2], [step[:5] for step in row[3] if step[0] != "End"]) for row in data["tasks"]]
        if data
        else [(row[11], row[12]) for row in shipped("alfred.json.gz")["tasks"]]
    )
    setups = (data or shipped("alfred.json.gz"))["setups"]
    for setup, plan in plans:
        room, poses = setups[setup][:2]
        for id_, kind, (x, z, y) in first_picks(plan):
            name, *at = id_.split("|")
            here = (float(at[0]), float(at[1]), float(at[2]))
            own = [pose[1:] for pose in poses if pose[0].startswith(f"{name}_")]
            if min((math.dist(pose, here) for pose in own), default=1.0) < 0.03:
                found = under(room, here)
                taken += 1
                right += found.type == kind
                exact += found.type == kind and math.dist(found.position, (x, y, z)) < 0.4
                doors += (found.type in types("closed")) is not (kind in types("closed"))
    print(f"eb-alfred: by geometry of {taken} objects: type right {100 * right / taken:.1f} %,")
    print(
        f"  receptacle right {100 * exact / taken:.1f} %, through doors {100 * doors / taken:.1f} %"
    )


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
    for path in map(Path, sys.argv[1:]):
        text = json.dumps(data, separators=(",", ":"))
        path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
