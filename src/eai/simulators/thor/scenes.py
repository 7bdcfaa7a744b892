"""The types and rooms of AI2-THOR 5.0.0: affordances, the table of placements, recorded rooms.

Recorded in the engine: affordances and sizes in the metadata of its 120 rooms, the table of
placements in its source. An affordance is a property of the asset, not of the type; where
metadata lists it for some objects of a type only, :attr:`ObjectType.fractions` says for how many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import Any

from eai.data import read_json
from eai.errors import check_name, look_up


@dataclass(frozen=True, slots=True)
class ObjectType:
    """A type of objects.

    Args:
        name: Its name in the engine (``"CoffeeMachine"``).
        affordances: The affordances of its objects, as predicates of the domain, sorted; those that
            at least half of the recorded objects have.
        fractions: Affordances that only some objects have: the share of them (0 to 1).
        size: Median extent along the axes of the room, in metres; None if it is not recorded.
        slices: The type that it is sliced into, and how many slices there are; None if it
            cannot be sliced. The numbers are not recorded: 7 is the smallest that accounts for
            the ids that are known (``BreadSliced_6``).
        accepted: Types that its objects may be placed in; None if any type may.
        must_be_open: Whether something can be placed in it only while it is open.
        only: The only types that it takes, one object at a time; empty for other receptacles.
    """

    name: str
    affordances: tuple[str, ...] = ()
    fractions: Mapping[str, float] = field(default_factory=dict)
    size: tuple[float, float, float] | None = None
    slices: tuple[str, int] | None = None
    accepted: frozenset[str] | None = None
    must_be_open: bool = False
    only: tuple[str, ...] = ()


@cache
def object_types() -> Mapping[str, ObjectType]:
    """Return the 125 object types of AI2-THOR by name, sorted.

    They are read once; the mapping and its values cannot be changed.
    """
    rows: Mapping[str, Mapping[str, Any]] = read_json("domains/thor/types.json")["types"]
    types: dict[str, ObjectType] = {}
    for name, row in rows.items():
        fields: dict[str, Any] = {}
        for key, value in row.items():
            fields[key] = value
            # Lists become tuples, since types are shared by all scenes.
            if isinstance(value, list):
                fields[key] = tuple(value)
        if "accepted" in row:
            fields["accepted"] = frozenset(row["accepted"])
        types[name] = ObjectType(name, **fields)
    return MappingProxyType(types)


def object_type(name: str) -> ObjectType:
    """Return a type by its name in the engine.

    Raises:
        UnknownNameError: If the engine has no such type.
    """
    return look_up("object type", name, object_types())


def engine_accepts(held: str, receptacle: str) -> bool:
    """Return whether the engine's placement table permits one type in another.

    The table does not say whether the objects fit. A forced placement passes over it, but not
    over :attr:`ObjectType.only`, which is asked first.

    Raises:
        UnknownNameError: If the engine has no such type.
    """
    accepted = object_type(held).accepted
    if accepted is not None and receptacle not in accepted:
        return False
    # A coffee machine takes mugs only, though mugs may be placed almost anywhere.
    only = object_type(receptacle).only
    return not only or held in only


ROOMS = (("kitchen", 0), ("living_room", 200), ("bedroom", 300), ("bathroom", 400))
"""Kinds of rooms; the 30 of a kind have the numbers that follow."""

SURFACES = frozenset(
    ("CounterTop", "DiningTable", "Floor", "Shelf", "ShelvingUnit", "SideTable", "StoveBurner")
)
"""Types that an object is in only if it is in nothing else (AsgardBench's surfaces)."""

_UNNAMED = frozenset(("PepperShaker", "StoveKnob"))


@dataclass(frozen=True, slots=True)
class SceneObject:
    """One object.

    Args:
        name: Its name, which stays the same wherever it is (``"Mug_e7fad100"``).
        id: Its id, which tells where it was at the start (``"Mug|-01.76|+00.90|-00.62"``).
        asset: Its model; empty for objects that are built into the room.
        place: Name of the object that it is in or on; empty if it is in nothing.
        also: Other receptacles that the engine lists, rightly or not.
        controls: Names of the objects that it turns on and off: a knob its burner.
        affordances: Its abilities, as predicates of the domain, sorted.
        flags: Its state, as predicates of the domain (``"open"``, ``"dirty"``, ``"cold"``).
        liquid: The liquid in it, if that is known.
        held: Whether the agent holds it.
        size: Extent along the axes of the room, in metres.
        position: Where it is in the room, in metres; the second number is the height.
    """

    name: str
    id: str
    type: str
    asset: str = ""
    place: str = ""
    also: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()
    affordances: tuple[str, ...] = ()
    flags: frozenset[str] = frozenset()
    liquid: str = ""
    held: bool = False
    size: tuple[float, float, float] = (0.0, 0.0, 0.0)
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def parents(self) -> tuple[str, ...]:
        """All that the engine lists, its place first."""
        if not self.place:
            return self.also
        return (self.place, *self.also)

    @property
    def height(self) -> float:
        """How high it is above the origin of the room, in metres."""
        return self.position[1]

    @property
    def footprint(self) -> float:
        """Area that it covers seen from above, in square metres."""
        return self.size[0] * self.size[2]

    @property
    def volume(self) -> float:
        """Volume of the box around it, in cubic metres."""
        return self.footprint * self.size[1]


@dataclass(frozen=True, slots=True)
class Scene:
    """A room at one moment."""

    name: str
    objects: tuple[SceneObject, ...] = field(repr=False)
    vocabulary: tuple[str, ...] = field(default=(), repr=False)

    def by_name(self) -> dict[str, SceneObject]:
        """Return the objects by name."""
        return {item.name: item for item in self.objects}

    def of_type(self, *types: str) -> tuple[SceneObject, ...]:
        """Return the objects of any of the types, in order."""
        return tuple(item for item in self.objects if item.type in types)

    def renamed(self, names: Mapping[str, str]) -> Scene:
        """Return the room with renamed objects, without those that get no name.

        Args:
            names: New names by old names. If the container of an object has no new name, the object
                is in no container afterwards.
        """
        objects = []
        for item in self.objects:
            if item.name in names:
                # All references to other objects are renamed, too.
                other_receptacles = tuple(names[name] for name in item.also if name in names)
                controls = tuple(names[name] for name in item.controls if name in names)
                container = names.get(item.place, "")
                name = names[item.name]
                objects.append(
                    replace(
                        item, name=name, place=container, also=other_receptacles, controls=controls
                    )
                )
        return replace(self, objects=tuple(objects))

    def without(self, names: Iterable[str]) -> Scene:
        """Return the room without some objects. Objects inside them are then in nothing."""
        remaining_names = {item.name: item.name for item in self.objects}
        for name in names:
            remaining_names.pop(name, None)
        return self.renamed(remaining_names)

    def placed(self, locations: Mapping[str, str]) -> Scene:
        """Return the room with some objects in or on others.

        Args:
            locations: For each object what it is in; empty for nothing.

        Raises:
            UnknownNameError: If an object is not in the room.
        """
        by_name = self.by_name()
        for name in (*locations, *filter(None, locations.values())):
            check_name("object", name, by_name, where=self.name)
        # An object that is placed is no longer in the hand or in another receptacle.
        for name, container in locations.items():
            by_name[name] = replace(by_name[name], place=container, also=(), held=False)
        return replace(self, objects=tuple(by_name.values()))

    @property
    def slices(self) -> tuple[SceneObject, ...]:
        """The slices that do not exist yet, in the order of the objects they are cut from.

        AI2-THOR makes the slices of an apple only when it is sliced, but a symbolic state needs all
        objects from the start.
        """
        existing_ids = {source.id for source in self.objects}
        slices: list[SceneObject] = []
        for source in self.objects:
            type_record = object_types().get(source.type)
            if type_record is None or type_record.slices is None:
                continue
            if "sliceable" not in source.affordances or "sliced" in source.flags:
                continue
            slice_type, number_of_slices = type_record.slices
            # The id of a slice is that of its source with an ending. Existing slices are left out.
            affordances = object_type(slice_type).affordances
            for slice_index in range(number_of_slices):
                slice_id = f"{source.id}|{slice_type}_{slice_index}"
                if slice_id not in existing_ids:
                    name = f"{source.name}_{slice_type}_{slice_index}"
                    slice_object = SceneObject(
                        name, slice_id, slice_type, affordances=affordances, size=source.size
                    )
                    slices.append(slice_object)
        return tuple(slices)


def arranged(
    objects: Sequence[SceneObject], parents: Mapping[str, Sequence[str]]
) -> tuple[SceneObject, ...]:
    """Return the objects with their locations.

    The engine lists all receptacles around an object. The location is the one with the smallest
    volume; flat receptacles, such as counters, come last (the rule of AsgardBench). Impossible
    locations are left out: a portable object is in a receptacle that accepts it, if the engine
    lists one, and a fixed object is not in a receptacle that covers less of the floor.

    Args:
        objects: The objects.
        parents: Name of an object to the names of the receptacles that the engine lists.
    """
    object_by_name = {item.name: item for item in objects}
    placed_objects = []
    for item in objects:
        receptacles = [
            object_by_name[name] for name in parents.get(item.name, ()) if name in object_by_name
        ]
        placed_objects.append(_with_place(item, receptacles))
    # Two bowls may each be listed in the other. Then they have no location.
    in_circles = _objects_in_circles({item.name: item.place for item in placed_objects})
    for index, item in enumerate(placed_objects):
        if item.name in in_circles:
            placed_objects[index] = replace(item, place="", also=item.parents)
    return tuple(placed_objects)


def _objects_in_circles(places: dict[str, str]) -> set[str]:
    """Return the objects to relocate so that no object is inside itself.

    Some recordings list a cup in a bowl and the bowl in the cup. The first object of each circle is
    taken out of its place, in ``places`` itself.

    Args:
        places: For each object what it is in; empty for nothing.
    """
    in_circles = set()
    for name, place in places.items():
        # Follow the containers outward until there are no more, or there is a cycle.
        visited = {name}
        container = place
        while container and container not in visited:
            visited.add(container)
            container = places[container]
        if container == name:
            # With one of its objects out, the circle is broken.
            places[name] = ""
            in_circles.add(name)
    return in_circles


def _with_place(item: SceneObject, parents: Sequence[SceneObject]) -> SceneObject:
    """Return an object located in one of the receptacles that the engine lists.

    The engine lists a mug on a shelf both in the shelf and in the cabinet around it. The place is
    the smallest receptacle that accepts the object, or is large enough, surfaces last.

    Args:
        item: The object.
        parents: The receptacles.
    """
    candidates: list[SceneObject] = []
    if "pickupable" in item.affordances and item.type in object_types():
        accepted = object_type(item.type).accepted
        candidates = [parent for parent in parents if accepted is None or parent.type in accepted]
    if not candidates:
        candidates = [parent for parent in parents if parent.footprint >= item.footprint]
    if not candidates:
        return replace(item, place="", also=tuple(parent.name for parent in parents))
    receptacle = min(candidates, key=_preference_as_place)
    also = tuple(parent.name for parent in parents if parent is not receptacle)
    return replace(item, place=receptacle.name, also=also)


def _preference_as_place(receptacle: SceneObject) -> tuple[bool, float, str]:
    """Return a sort key that is smaller for a likelier location.

    The engine's order means nothing, so the name decides between receptacles of one size.
    """
    return receptacle.type in SURFACES, receptacle.volume, receptacle.name


def scene_names() -> tuple[str, ...]:
    """Return the names of the 120 rooms that ship, in order."""
    return tuple(_shipped_scenes())


@cache
def load_scene(name: str) -> Scene:
    """Return one of the 120 rooms as AI2-THOR 5.0.0 loads it.

    Args:
        name: ``"FloorPlan1"`` to ``"FloorPlan30"`` (kitchens), 201 to 230 (living rooms), 301
            to 330 (bedrooms), 401 to 430 (bathrooms).

    Raises:
        UnknownNameError: If there is no such room.
    """
    record = look_up("scene", name, _shipped_scenes())
    rows: Sequence[Sequence[Any]] = record["objects"]
    names = [str(row[0]) for row in rows]
    # Rows refer to each other by index.
    parents = {str(row[0]): [names[index] for index in row[3]] for row in rows}
    names_of_receptacles = set(chain.from_iterable(parents.values()))
    objects = [
        _object_of_row(row, names, holds_objects=row[0] in names_of_receptacles) for row in rows
    ]
    nameable_types = record["vocabulary"] or vocabulary(objects)
    return Scene(name, arranged(objects, parents), tuple(nameable_types))


def vocabulary(objects: Iterable[SceneObject]) -> tuple[str, ...]:
    """Return the types that a model may use as names of objects, sorted.

    They are the types that are there and those that can be cut from them, without the two that
    AsgardBench leaves out.
    """
    types = {item.type for item in objects}
    slices = set()
    for name in types.intersection(object_types()):
        cut = object_type(name).slices
        if cut is not None:
            slices.add(cut[0])
    return tuple(sorted((types | slices) - _UNNAMED))


def _object_of_row(row: Sequence[Any], names: Sequence[str], *, holds_objects: bool) -> SceneObject:
    """Return an object of a recorded room, still without its location.

    Args:
        row: Name, id, asset, receptacles and controlled objects (both as indices), flags, size,
            height.
        names: Names of all objects, by index.
        holds_objects: Whether another object is in it.
    """
    name, object_id, asset, _, controls, flags, size, height = row
    # The id has type and position, and may end in a part: "Sink|-01.90|+00.97|-01.50|SinkBasin".
    type_name, x, _, z, *part_name = object_id.split("|")
    if part_name:
        type_name = part_name[0]
    affordances = set(object_type(type_name).affordances)
    # Only some sinks are receptacles: those that hold objects are.
    if holds_objects and "receptacle" in object_type(type_name).fractions:
        affordances.add("receptacle")
    return SceneObject(
        name,
        object_id,
        type_name,
        asset,
        controls=tuple(names[index] for index in controls),
        affordances=tuple(sorted(affordances)),
        flags=frozenset(flags),
        size=(size[0], size[1], size[2]),
        position=(float(x), height, float(z)),
    )


def _shipped_scenes() -> Mapping[str, Mapping[str, Any]]:
    """Return the recorded rooms by name, as they stand in the file."""
    scenes: Mapping[str, Mapping[str, Any]] = read_json("domains/thor/scenes.json.gz")["scenes"]
    return scenes


@cache
def recorded_counts() -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """Count the locations of objects by type in all 120 recorded rooms.

    Agents use these counts to guess where an unseen object is: a mug is often in a cabinet, and
    most often in a kitchen.

    Returns:
        Two counts of objects: by their type and the type of their container, and by their type and
        the kind of room.
    """
    counts_by_container: Counter[tuple[str, str]] = Counter()
    counts_by_room: Counter[tuple[str, str]] = Counter()
    for room, base in ROOMS:
        # There are 30 rooms of each kind: kitchens are FloorPlan1 to 30, living rooms 201 to 230.
        for room_number in range(base + 1, base + 31):
            scene = load_scene(f"FloorPlan{room_number}")
            types = {item.name: item.type for item in scene.objects}
            for item in scene.objects:
                counts_by_room[item.type, room] += 1
                if item.place:
                    counts_by_container[item.type, types[item.place]] += 1
    return counts_by_container, counts_by_room
