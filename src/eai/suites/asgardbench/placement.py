"""Placement of the objects of an instance at its start.

The published placements were drawn by the simulator and are not recorded. Here they are put
together from what is known, in this order:

1. *Inventory*: the objects of the scene, without those that the benchmark takes away (a broken
   one, PepperShakers, and all but the first of every type that can be picked up).
2. *Pictures*: what the pictures of the reference execution show, before anything moved it, is in
   or on what they show it in or on; where there are several of the type, the seed decides.
3. *Evidence*: what else the reference execution moved out of the way is put where it was in the
   way: into the sink before something is washed, on the dining table before that is set. Food
   that is moved to be sliced comes out of the sink, too.
4. *Rest*: targets and distractors are spread, by a generator seeded with the instance, over open
   receptacles that take them and have room; what finds no room and is not needed is taken away.
   Objects of neither group stay where they are in the scene, unless that place has to be free.

A clean Pan that no picture shows stands on a StoveBurner in the families that fry.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from random import Random

from eai.simulators import engine_accepts, load_scene
from eai.simulators.thor.scenes import Scene, SceneObject
from eai.suites.asgardbench.gate import CHOPPED, LOWEST_TO_SLICE
from eai.suites.asgardbench.instances import Instance, Relocation, rules
from eai.suites.asgardbench.room import surface_height

# Names of objects, and types, that the benchmark takes out of every scene.
_BROKEN = frozenset({"Cup_344dbbfb"})
_CONFUSING = frozenset({"PepperShaker"})
# Receptacle types on which nothing is scattered, as they must be free or are unsuitable.
_KEPT_FREE = frozenset(
    {
        *("Bathtub", "BathtubBasin", "Bowl", "CoffeeMachine", "Cup", "Floor", "GarbageCan", "Mug"),
        *("Pan", "Plate", "Pot", "Sink", "SinkBasin", "StoveBurner", "Toaster", "Toilet"),
    }
)
_FLAT = ("CounterTop", "DiningTable", "SideTable")
_FOR_SILVERWARE = (*_FLAT, "CoffeeTable", "Desk")
_SPACIOUS = frozenset({"CounterTop", "DiningTable", "CoffeeTable", "Desk"})
_MARGIN_M2 = 0.2
"""Area that stays free on counters and tables, in square metres."""
_FRYING = frozenset({"cook_egg", "fry_potato_slice"})
_COOKWARE = frozenset({"Kettle", "Pan", "Pot"})


def place_objects(instance: Instance) -> Scene:
    """Return the scene of an instance before its set-up steps."""
    scene = load_scene(instance.scene)
    placement = _Placement(instance, replace(scene, objects=inventory(scene, instance)))
    placement.settle(instance.reference.seen)
    # The places that pictures show override those of other evidence.
    placement.where = _evidence(instance, placement) | placement.where
    if instance.family in _FRYING:
        _put_pan_on_burner(instance, placement)
    placement.spread()
    removed = {item.name for item in scene.objects} - set(placement.things)
    locations: dict[str, str] = {}
    for name, receptacle in placement.where.items():
        if receptacle is None:
            removed.add(name)
        else:
            locations[name] = receptacle
    return scene.placed(locations).without(removed)


def _put_pan_on_burner(instance: Instance, placement: _Placement) -> None:
    """Put a clean pan on a free burner, or on the first one, unless evidence says where it is."""
    pan = placement.portable.get("Pan")
    if pan is None or pan.name in placement.where:
        return
    is_dirty = ("dirty", pan.name) in _prepared_states(instance)
    if is_dirty:
        return  # it has to be washed before it is used, so it may be anywhere
    occupied = set(placement.where.values())
    burners = [burner.name for burner in placement.of_type("StoveBurner")]
    free_burners = [name for name in burners if name not in occupied]
    burner = free_burners[0] if free_burners else placement.first("StoveBurner")
    placement.where[pan.name] = burner


def _prepared_states(instance: Instance) -> set[tuple[str, str]]:
    """Return pairs of a word and an object of the set-up of an instance."""
    return {(step[0], step[1]) for step in instance.setup}


def spawn_requests(instance: Instance) -> list[tuple[str, dict[str, object]]]:
    """Return the known requests to the real simulator that place objects before an instance begins.

    1. Objects that the benchmark removes are disabled.
    2. The visible objects, and every group of distractors, are spread by ``InitialRandomSpawn``
       with the seed of the instance.
    3. The agent goes to its pose.

    Two steps of the benchmark are left out: objects are removed from full counters, and silverware
    is spread once more.
    """
    scene = load_scene(instance.scene)
    remaining = {item.name for item in inventory(scene, instance)}
    requests: list[tuple[str, dict[str, object]]] = []
    for item in scene.objects:
        if item.name not in remaining:
            requests.append(("DisableObject", {"objectId": item.id}))
    receptacles = _types_with(scene, "receptacle")
    # Objects that must be visible at once must not be enclosed.
    open_receptacles = tuple(receptacles - _types_with(scene, "openable"))
    groups = [(instance.visible, instance.visible_on or open_receptacles)]
    for group in instance.distractors:
        groups.append((group.types, group.on or tuple(receptacles)))
    for kinds, allowed in groups:
        request: dict[str, object] = {
            "randomSeed": instance.seed,
            "numPlacementAttempts": 10,
            "forceVisible": True,
            # The request names excluded receptacles, and the instance names allowed ones.
            "excludedReceptacles": sorted(receptacles - set(allowed)),
            "excludedObjectIds": _portable_except(scene, rules().spread(kinds)),
            "placeStationary": True,
        }
        requests.append(("InitialRandomSpawn", request))
    pose = asdict(instance.pose)
    pose["rotation"] = pose.pop("yaw")  # as the simulator calls it
    requests.append(("TeleportFull", pose))
    return requests


def _types_with(scene: Scene, affordance: str) -> set[str]:
    """Return the types of the objects of a scene that have an affordance."""
    return {item.type for item in scene.objects if affordance in item.affordances}


def _portable_except(scene: Scene, moved: Container[str]) -> list[str]:
    """Return the identifiers of all portable objects that are not of the given types."""
    identifiers = []
    for item in scene.objects:
        if _is_portable(item) and item.type not in moved:
            identifiers.append(item.id)
    return identifiers


def inventory(scene: Scene, instance: Instance) -> tuple[SceneObject, ...]:
    """Return the objects of a scene that the benchmark keeps in it, in scene order.

    Of every portable type one object stays: the one that the set-up of the instance names, or else
    the first.
    """
    # Type to the name of the only object of the type that stays.
    kept_by_type: dict[str, str] = {}
    for item in scene.objects:
        if _is_portable(item):
            kept_by_type.setdefault(item.type, item.name)
    names_in_setup = {step[1] for step in instance.setup}
    for item in scene.objects:
        if item.name in names_in_setup:
            kept_by_type[item.type] = item.name
    kept_objects: list[SceneObject] = []
    for item in scene.objects:
        if item.name in _BROKEN or item.type in _CONFUSING:
            continue
        if not _is_portable(item) or kept_by_type[item.type] == item.name:
            kept_objects.append(item)
    return tuple(kept_objects)


class _Placement:
    """The objects of an instance, and their placement so far.

    Attributes:
        things: The objects by name.
        portable: Type to the object of that type that can be picked up: there is one only.
        where: Object to what it is put in or on; None if it is taken away.
    """

    def __init__(self, instance: Instance, scene: Scene) -> None:
        """Collect the objects and the receptacles that the instance allows for them."""
        self.things = scene.by_name()
        self.of_type = scene.of_type
        # A scene has at most one portable object of a type.
        self.portable = {item.type: item for item in self.things.values() if _is_portable(item)}
        # Name of an object to its receptacle; None for an object that is removed.
        self.where: dict[str, str | None] = {}
        self._needed = frozenset(instance.visible)
        self._allowed = _receptacles_by_type(instance)
        self._free = _KEPT_FREE | ({"DiningTable"} if _clears_table(instance) else set())
        self._random = Random(f"{instance.id} {instance.seed}")  # noqa: S311

    def first(self, object_type: str) -> str | None:
        """Return the name of the first object of a type; None if there is none."""
        return next((item.name for item in self.of_type(object_type)), None)

    def settle(self, seen: Mapping[str, str]) -> None:
        """Put objects where the pictures of the reference execution show them.

        Args:
            seen: Type of an object to the type of its receptacle, as in ``{"Mug": "Sink"}``.
        """
        for object_type, receptacle_type in seen.items():
            item = self.portable.get(object_type)
            receptacles = list(self.of_type(receptacle_type))
            if item is None or not receptacles:
                continue
            candidates = receptacles
            if receptacle_type in self._free:
                candidates = [self._first_free(receptacles, receptacle_type)]
            elif object_type in CHOPPED:
                # Food has to lie where it can be sliced, unless nothing is high enough.
                candidates = _high_enough_to_slice(receptacles) or receptacles
            self.where[item.name] = self._draw_receptacle(item, candidates, must=True)

    def _first_free(self, places: Sequence[SceneObject], place_type: str) -> SceneObject:
        """Return the first place that an object can be put on. A burner has to be empty."""
        if place_type == "StoveBurner":
            taken = set(self.where.values())
            for receptacle in places:
                if receptacle.name not in taken:
                    return receptacle
        return places[0]

    def spread(self) -> None:
        """Place the remaining objects: the distractors, and objects that are in the way.

        In the order of the scene: every draw depends on the room that earlier ones left.
        """
        for item in self.portable.values():
            if item.name in self.where:
                continue
            if item.type in self._allowed:
                self._put(item, self._allowed[item.type])
            elif self._is_in_the_way(item):
                self._put(item, _FLAT)

    def _is_in_the_way(self, item: SceneObject) -> bool:
        """Return whether an object lies on a receptacle that has to be empty at the start."""
        receptacle = self.things.get(item.place)
        if receptacle is None:
            return bool(item.place)  # in or on something that was taken away
        if receptacle.type == "StoveBurner" and item.type in _COOKWARE:
            return False
        # Objects on the floor stay there, although nothing is put there.
        return receptacle.type in self._free - {"Floor"}

    def _put(self, item: SceneObject, allowed: tuple[str, ...] | None) -> None:
        """Place an object, or remove it if it is in the way and not needed.

        Args:
            item: The object.
            allowed: Types of receptacles that it may be in or on; None for any.
        """
        receptacles = [
            receptacle
            for receptacle in self.things.values()
            if self._may_hold(receptacle, item, allowed)
        ]
        if receptacles or self._is_in_the_way(item):
            is_needed = item.type in self._needed
            self.where[item.name] = self._draw_receptacle(item, receptacles, must=is_needed)

    def _may_hold(
        self, receptacle: SceneObject, item: SceneObject, allowed: tuple[str, ...] | None
    ) -> bool:
        """Return whether an object may be placed in or on another one.

        Args:
            receptacle: The receptacle.
            item: The object.
            allowed: The types of receptacles that are allowed; None for all.
        """
        if allowed is not None and receptacle.type not in allowed:
            return False
        if (
            receptacle.type in self._free
            or _is_portable(receptacle)
            or "openable" in receptacle.affordances
        ):
            return False
        # Food has to lie where the agent can slice it.
        if item.type in CHOPPED and surface_height(receptacle) < LOWEST_TO_SLICE:
            return False
        return engine_accepts(item.type, receptacle.type)

    def _free_area(self, receptacle: SceneObject) -> float:
        """Return the unoccupied area of a receptacle in square metres."""
        margin = _MARGIN_M2 if receptacle.type in _SPACIOUS else 0.0
        taken = 0.0
        for name, where in self.where.items():
            if where == receptacle.name:
                taken += self.things[name].footprint
        return receptacle.footprint - margin - taken

    def _draw_receptacle(
        self, item: SceneObject, receptacles: Sequence[SceneObject], *, must: bool
    ) -> str | None:
        """Draw one of the receptacles that have room for an object, or None if there is none.

        Args:
            item: The object.
            receptacles: The receptacles.
            must: Whether it has to be put there: if none has room, where there is most.
        """
        # Area in square metres that is left once the object is there; negative if it does not fit.
        free_area: dict[str, float] = {}
        for receptacle in receptacles:
            free_area[receptacle.name] = self._free_area(receptacle) - item.footprint
        roomy = [name for name, area in free_area.items() if area >= 0]
        if roomy:
            return self._random.choice(roomy)
        if must and free_area:
            return max(free_area, key=free_area.__getitem__)
        return None


def _is_portable(item: SceneObject) -> bool:
    """Return whether an object can be picked up."""
    return "pickupable" in item.affordances


def _clears_table(instance: Instance) -> bool:
    """Return whether a dining table is cleared before it is set."""
    return any(receptacle == "DiningTable" for receptacle, _ in instance.goals.contents_exact)


def _receptacles_by_type(instance: Instance) -> Mapping[str, tuple[str, ...] | None]:
    """Return the distractor types, each with its receptacle types, or None where any is allowed.

    Later entries replace earlier ones.
    """
    # Objects that the reference execution moved were visible, even if their place is unknown.
    allowed: dict[str, tuple[str, ...] | None] = {
        object_type: _FLAT for object_type, _, _ in instance.reference.relocated
    }
    for group in instance.distractors:
        allowed |= dict.fromkeys(rules().spread(group.types), group.on)
    allowed |= dict.fromkeys(instance.visible, instance.visible_on)
    # Silverware is moved again in the end; food that is sliced lies where that is possible.
    allowed |= dict.fromkeys(rules().classes["Silverware"], _FOR_SILVERWARE)
    return allowed | dict.fromkeys(CHOPPED & set(instance.visible), _FLAT)


def _high_enough_to_slice(receptacles: Iterable[SceneObject]) -> list[SceneObject]:
    """Return the receptacles on whose surface the agent can slice."""
    high_enough = []
    for receptacle in receptacles:
        if surface_height(receptacle) >= LOWEST_TO_SLICE:
            high_enough.append(receptacle)
    return high_enough


def _relocation_evidence(instance: Instance, placement: _Placement) -> dict[str, str | None]:
    """Return the receptacles of the objects that the reference execution moves out of the way."""
    receptacles: dict[str, str | None] = {}
    taken_from_sink = _find_taken_from_sink(instance)
    for index, relocation in enumerate(instance.reference.relocated):
        item = placement.portable.get(relocation[0])
        # If an object is moved twice, the first move tells where it was.
        if item is None or item.name in receptacles:
            continue
        receptacle_type = "SinkBasin"
        if index not in taken_from_sink:
            receptacle_type = _cleared_type(instance, relocation)
        receptacle = placement.first(receptacle_type) if receptacle_type else None
        if receptacle is not None:
            receptacles[item.name] = receptacle
    return receptacles


def _evidence(instance: Instance, placement: _Placement) -> dict[str, str | None]:
    """Return the receptacles of objects at the start that the reference execution reveals."""
    receptacles = _relocation_evidence(instance, placement)
    # An object for which the reference execution opened a container was in it.
    for object_type, container_type in instance.reference.opened.items():
        item = placement.portable.get(object_type)
        if item is None:
            continue
        container = _container_of(instance, placement, object_type, container_type)
        if container is not None:
            receptacles[item.name] = container
    return receptacles


def _cleared_type(instance: Instance, relocation: Relocation) -> str:
    """Return the type of the receptacle that an object was taken from, or "" if it is unknown.

    The object was in the way: it was in or on the receptacle that was used next.

    Args:
        instance: The instance.
        relocation: The type of the object, where it was put, and what was used next.
    """
    object_type, _, next_used = relocation
    if _clears_table(instance):
        return "DiningTable"
    is_silverware = object_type in rules().classes["Silverware"]
    if next_used is None or is_silverware or not engine_accepts(object_type, next_used):
        return ""
    return next_used


def _container_of(
    instance: Instance, placement: _Placement, object_type: str, container_type: str
) -> str | None:
    """Return the closed container that an object came from, or None if none could hold it.

    Of several containers of the type it is the first that takes all that was put there, too.

    Args:
        instance: The instance.
        placement: The objects that are placed already.
        object_type: The type of the object.
        container_type: The type of its container.
    """
    stored = {object_type}
    for other, target, _ in instance.reference.relocated:
        if target == container_type:
            stored.add(other)
    for container in placement.of_type(container_type):
        if all(engine_accepts(other, container.type) for other in stored):
            return container.name
    return None


def _find_taken_from_sink(instance: Instance) -> frozenset[int]:
    """Return the indices of the relocated objects that were in the sink.

    These are objects that were moved before the sink was used, and food that was moved to be
    sliced; never silverware. A task that clears a table does so first: if all objects were moved
    before the sink was used, only the last one was in the sink.
    """
    # (type of the object, type of the new receptacle, type that is used next)
    relocated = instance.reference.relocated
    indices: list[int] = []
    if instance.reference.blocked_sink:
        for index, (_, _, next_used) in enumerate(relocated):
            if next_used == "SinkBasin":
                indices.append(index)
    if _clears_table(instance):
        # The first objects were on the table.
        if len(indices) == len(relocated):
            indices = indices[-1:]
    else:
        types_to_slice = CHOPPED & set(instance.visible)
        for index, (object_type, _, next_used) in enumerate(relocated):
            if next_used and object_type in types_to_slice:
                indices.append(index)
    silverware = rules().classes["Silverware"]
    return frozenset(index for index in indices if relocated[index][0] not in silverware)
