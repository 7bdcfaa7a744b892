"""Where things lie when an instance starts.

The simulator drew the published placements. Here they are put together:

1. *Inventory*: the objects of the scene, without those that the benchmark takes away (a broken
   one, PepperShakers, and all but the first of every type that can be picked up).
2. *Pictures*: what the pictures of the reference execution show, before anything moved it, is in
   or on what they show it in or on; where there are several of the type, the seed decides.
3. *Evidence*: what else the reference execution moved out of the way is put where it was in the
   way: into the sink before something is washed, on the dining table before that is set. Food
   that is moved to be sliced comes out of the sink, too.
4. *Rest*: targets and distractors are spread, by a generator seeded with the instance, over open
   receptacles that take them and have room; what finds no room and is not needed is taken away.
   What belongs to neither group stays where it is in the scene, unless that has to be free.

A clean Pan that no picture shows stands on a StoveBurner in the families that fry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from random import Random

from eai.simulators import engine_accepts, load_scene
from eai.simulators.thor.scenes import Scene, SceneObject
from eai.suites.asgardbench.gate import CHOPPED, LOWEST_TO_SLICE
from eai.suites.asgardbench.instances import Instance, rules
from eai.suites.asgardbench.room import surface_height

_BROKEN = frozenset({"Cup_344dbbfb"})
_CONFUSING = frozenset({"PepperShaker"})
_KEPT_FREE = frozenset(
    {
        *("Bathtub", "BathtubBasin", "Bowl", "CoffeeMachine", "Cup", "Floor", "GarbageCan", "Mug"),
        *("Pan", "Plate", "Pot", "Sink", "SinkBasin", "StoveBurner", "Toaster", "Toilet"),
    }
)
_FLAT = ("CounterTop", "DiningTable", "SideTable")
_FOR_SILVERWARE = (*_FLAT, "CoffeeTable", "Desk")
_SPACIOUS = frozenset({"CounterTop", "DiningTable", "CoffeeTable", "Desk"})
_MARGIN = 0.2
"""Area that stays free on counters and tables, in square metres."""
_FRYING = frozenset({"cook_egg", "fry_potato_slice"})
_COOKWARE = frozenset({"Kettle", "Pan", "Pot"})


def placed(instance: Instance) -> Scene:
    """Return the scene of an instance as it is before its set-up."""
    scene = load_scene(instance.scene)
    board = _Board(instance, replace(scene, objects=inventory(scene, instance)))
    board.settle(instance.reference.seen)
    board.where = _evidence(instance, board) | board.where
    pan = board.portable.get("Pan")
    dirty = {step[1] for step in instance.setup if step[0] == "dirty"}
    if instance.family in _FRYING and pan and pan.name not in {*dirty, *board.where}:
        taken = set(board.where.values())
        free = (each.name for each in board.of_type("StoveBurner") if each.name not in taken)
        board.where[pan.name] = next(free, None) or board.first("StoveBurner")
    board.spread()
    gone = {one.name for one in scene.objects} - set(board.things)
    gone |= {name for name, place in board.where.items() if place is None}
    locations = {name: place for name, place in board.where.items() if place is not None}
    return scene.placed(locations).without(gone)


def spawn_requests(instance: Instance) -> list[tuple[str, dict[str, object]]]:
    """Return what the real simulator is asked for before an instance begins, as far as it is known.

    What the benchmark takes away is disabled; then what is to be in sight, and every group of
    distractors, is spread by ``InitialRandomSpawn`` with the seed of the instance; then the agent
    goes to its pose. That counters are thinned out, and silverware spread once more, is left out.
    """
    scene = load_scene(instance.scene)
    left = {one.name for one in inventory(scene, instance)}
    requests: list[tuple[str, dict[str, object]]] = []
    requests += [("DisableObject", {"objectId": o.id}) for o in scene.objects if o.name not in left]
    receptacles = {one.type for one in scene.objects if "receptacle" in one.affordances}
    shut = {one.type for one in scene.objects if "openable" in one.affordances}
    groups = [(instance.visible, instance.visible_on or tuple(receptacles - shut))]
    groups += [(each.types, each.on or tuple(receptacles)) for each in instance.distractors]
    for kinds, on in groups:
        moved = rules().spread(kinds)
        stay = [one.id for one in scene.objects if _portable(one) and one.type not in moved]
        seeded = {"randomSeed": instance.seed, "numPlacementAttempts": 10, "forceVisible": True}
        where = {"excludedReceptacles": sorted(receptacles - set(on)), "excludedObjectIds": stay}
        requests.append(("InitialRandomSpawn", {**seeded, **where, "placeStationary": True}))
    pose = asdict(instance.pose)
    pose["rotation"] = pose.pop("yaw")
    return [*requests, ("TeleportFull", pose)]


def inventory(scene: Scene, instance: Instance) -> tuple[SceneObject, ...]:
    """Return the objects of a scene that the benchmark leaves in it, in their order.

    Of every type that can be picked up one is left: the one that is set up, or the first.
    """
    kept = {thing.type: thing.name for thing in reversed(scene.objects) if _portable(thing)}
    prepared = {step[1] for step in instance.setup}
    kept |= {thing.type: thing.name for thing in scene.objects if thing.name in prepared}
    return tuple(
        thing
        for thing in scene.objects
        if thing.name not in _BROKEN
        and thing.type not in _CONFUSING
        and (not _portable(thing) or kept[thing.type] == thing.name)
    )


class _Board:
    """The objects of an instance, and where they were put."""

    def __init__(self, instance: Instance, scene: Scene) -> None:
        self.things, self.of_type = scene.by_name(), scene.of_type
        self.portable = {t.type: t for t in self.things.values() if _portable(t)}
        self.where: dict[str, str | None] = {}
        """What each object is put in or on; None for what is taken away."""
        self._needed = frozenset(instance.visible)
        self._allowed = _allowed(instance)
        self._free = _KEPT_FREE | ({"DiningTable"} if _clears_table(instance) else set())
        self._random = Random(f"{instance.id} {instance.seed}")  # noqa: S311

    def first(self, kind: str) -> str | None:
        """Name of the first object of a type."""
        return next((thing.name for thing in self.of_type(kind)), None)

    def settle(self, seen: Mapping[str, str]) -> None:
        """Put what was seen in or on something of a type."""
        for kind, where in seen.items():
            thing, options = self.portable.get(kind), list(self.of_type(where))
            if thing is None or not options:
                continue
            if where in self._free:
                taken = set(self.where.values()) if where == "StoveBurner" else set()
                options = [each for each in options if each.name not in taken][:1] or options[:1]
            elif kind in CHOPPED:
                high = [each for each in options if surface_height(each) >= LOWEST_TO_SLICE]
                options = high or options
            self.where[thing.name] = self._choice(thing, options, must=True)

    def spread(self) -> None:
        """Put what has no place yet: the groups that are spread, and what is in the way."""
        for thing in self.portable.values():
            if thing.name in self.where:
                continue
            if thing.type in self._allowed:
                self._put(thing, self._allowed[thing.type])
            elif self._in_the_way(thing):
                self._put(thing, _FLAT)

    def _in_the_way(self, thing: SceneObject) -> bool:
        parent = self.things.get(thing.place)
        if parent is None:
            return bool(thing.place)
        if parent.type == "StoveBurner" and thing.type in _COOKWARE:
            return False
        return parent.type in self._free - {"Floor"}

    def _put(self, thing: SceneObject, allowed: tuple[str, ...] | None) -> None:
        locations = [
            place
            for place in self.things.values()
            if (allowed is None or place.type in allowed)
            and not (
                place.type in self._free or _portable(place) or "openable" in place.affordances
            )
            and engine_accepts(thing.type, place.type)
            and not (thing.type in CHOPPED and surface_height(place) < LOWEST_TO_SLICE)
        ]
        if locations or self._in_the_way(thing):
            must = thing.type in self._needed
            self.where[thing.name] = self._choice(thing, locations, must=must)

    def _choice(
        self, thing: SceneObject, options: Sequence[SceneObject], *, must: bool
    ) -> str | None:
        """One of them that has room; if it must be put there, the one with most room."""
        left: dict[str, float] = {}
        for place in options:
            taken = (self.things[n].footprint for n, at in self.where.items() if at == place.name)
            margin = _MARGIN if place.type in _SPACIOUS else 0.0
            left[place.name] = place.footprint - margin - sum(taken) - thing.footprint
        roomy = [name for name in left if left[name] >= 0]
        if roomy:
            return self._random.choice(roomy)
        return max(left, key=left.__getitem__) if left and must else None


def _portable(thing: SceneObject) -> bool:
    return "pickupable" in thing.affordances


def _clears_table(instance: Instance) -> bool:
    return any(place == "DiningTable" for place, _ in instance.goals.contents_exact)


def _allowed(instance: Instance) -> Mapping[str, tuple[str, ...] | None]:
    """Types that are spread, with the types of receptacles that they may be on; None for any."""
    # What the reference execution moved was to be seen, also where nothing tells its place.
    allowed: dict[str, tuple[str, ...] | None] = {
        kind: _FLAT for kind, _, _ in instance.reference.relocated
    }
    for group in instance.distractors:
        allowed |= dict.fromkeys(rules().spread(group.types), group.on)
    allowed |= dict.fromkeys(instance.visible, instance.visible_on)
    # Silverware is moved again in the end, and what is to be sliced lies where it can be sliced.
    allowed |= dict.fromkeys(rules().classes["Silverware"], _FOR_SILVERWARE)
    return allowed | dict.fromkeys(CHOPPED & set(instance.visible), _FLAT)


def _evidence(instance: Instance, board: _Board) -> dict[str, str | None]:
    """Where the reference execution tells that something was."""
    where: dict[str, str | None] = {}
    sunk, silver = _in_sink(instance), rules().classes["Silverware"]
    for number, (kind, _, following) in enumerate(instance.reference.relocated):
        thing = board.portable.get(kind)
        if thing is None or thing.name in where:
            continue
        if number in sunk:
            place = board.first("SinkBasin")
        elif _clears_table(instance):
            place = board.first("DiningTable")
        elif following is None or kind in silver or not engine_accepts(kind, following):
            continue
        else:
            place = board.first(following)
        if place is not None:
            where[thing.name] = place
    # Things came out of closed containers.
    for kind, container in instance.reference.opened.items():
        stored = {kind, *(k for k, to, _ in instance.reference.relocated if to == container)}
        for closed in board.of_type(container):
            if kind in board.portable and all(engine_accepts(k, closed.type) for k in stored):
                where[board.portable[kind].name] = closed.name
                break
    return where


def _in_sink(instance: Instance) -> frozenset[int]:
    """Which of the relocated objects were in the sink, by number.

    A table is cleared before a sink is: if all were moved before the sink was used, the last
    one is taken to come out of it.
    """
    moved = instance.reference.relocated
    sunk: list[int] = []
    if instance.reference.blocked_sink:
        sunk = [number for number, (_, _, then) in enumerate(moved) if then == "SinkBasin"]
    if _clears_table(instance):
        sunk = sunk[-1:] if len(sunk) == len(moved) else sunk
    else:
        sliced = CHOPPED & set(instance.visible)
        sunk += [number for number, (kind, _, then) in enumerate(moved) if then and kind in sliced]
    silver = rules().classes["Silverware"]
    return frozenset(number for number in sunk if moved[number][0] not in silver)
