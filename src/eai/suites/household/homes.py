"""Homes as they are written, expanded to the atoms of a state.

The rules (``docs/household.md`` states them for writers):

1. Rooms have the type ``room``, the agent ``character``, everything else ``thing``.
2. Everything but a room is ``inside`` its room, whatever else it is on or in.
3. An object ``on`` or ``in`` another is ``ontop`` or ``inside`` it, and both are ``next_to`` each
   other. An object ``close`` to another is ``next_to`` it, and the other way round. ``facing`` has
   one direction. A door is ``between`` the rooms that it connects.
4. Body parts are in the room of the agent, and they and the agent are ``next_to`` each other.
5. Properties come from the class, from the object, and from the name of the class (the file
   ``classes.json`` beside the domain). States come from the class; a state that is given
   replaces its opposite.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from eai.errors import SchemaError, nearest
from eai.logic import Atom
from eai.simulators import class_predicates, object_class, virtualhome_domain
from eai.suites.shared.documents import ChangesDocument, ClassDocument, HomeDocument, ThingDocument

OPPOSITES: Mapping[str, str] = {
    "closed": "open",
    "open": "closed",
    "on": "off",
    "off": "on",
    "plugged_in": "plugged_out",
    "plugged_out": "plugged_in",
    "clean": "dirty",
    "dirty": "clean",
    "sitting": "lying",
    "lying": "sitting",
}
"""State to its opposite: an object is never in both."""


@dataclass(frozen=True, slots=True)
class Home:
    """A home in the form that the engine needs."""

    agent: str
    objects: Mapping[str, str]
    atoms: tuple[Atom, ...]


def expand_home(
    document: HomeDocument,
    classes: Mapping[str, ClassDocument],
    *,
    changes: ChangesDocument,
    where: str,
) -> Home:
    """Return a home with the changes that a task makes to it.

    It is a :class:`~eai.errors.SchemaError` if an object, class, property or state is not known,
    an id is used twice, or something is at an impossible place.

    Args:
        document: The home.
        classes: Name of a class to its properties.
        changes: The changes.
        where: Place of the home or of its changes, for messages.
    """
    plan = _ObjectLocations(document, where)
    plan.change(changes)
    plan.check(classes)
    objects = dict.fromkeys(document.rooms, "room")
    # Rooms, the agent and things are the three types of the domain that a home has.
    objects[document.agent.id] = "character"
    objects.update((name, "thing") for name in plan.things if name not in objects)
    in_rooms = [Atom("inside", (name, room)) for name, room in plan.rooms.items()]
    # A dictionary keeps the order, and each fact once.
    atoms = dict.fromkeys((*in_rooms, *plan.atoms(classes)))
    return Home(document.agent.id, objects, tuple(atoms))


class _ObjectLocations:
    """The objects of a home and their locations while the home is built."""

    def __init__(self, document: HomeDocument, where: str) -> None:
        """Locate the agent, the parts of its body, and all objects of the rooms."""
        self.where = where
        agent = document.agent
        self.agent = agent.id
        self.room_names = document.rooms.keys()
        self.things: dict[str, ThingDocument] = {}
        self.rooms: dict[str, str] = {}
        # The agent is placed like a thing; the parts of its body are close to it.
        body = ThingDocument(on=agent.on, states=agent.states, close=agent.body)
        self._put(agent.id, body, agent.room)
        for part in agent.body:
            self._put(part, ThingDocument(), agent.room)
        self._add(document.rooms)

    def _add(self, rooms: Mapping[str, Mapping[str, ThingDocument]]) -> None:
        """Add the things of some rooms: ``{"kitchen.1": {"cup.2": ...}}``."""
        for room, things in rooms.items():
            for name, thing in things.items():
                self._put(name, thing, room)

    def _put(self, name: str, thing: ThingDocument, room: str) -> None:
        """Add a thing to a room. The name must be new, and the room must exist."""
        if name in self.things:
            self.fail(f"{name} is there twice: in {self.rooms[name]} and in {room}")
        self.refuse_unknown("room", room, self.room_names, f"{name}: ")
        self.things[name] = thing
        self.rooms[name] = room

    def change(self, changes: ChangesDocument) -> None:
        """Apply the changes of a task: new objects, then places, then states."""
        self._add(changes.add)
        for name, place in changes.places.items():
            self.refuse_unknown("object", name, self.things, "changes: ")
            room = place.room or self.rooms[name]
            self.refuse_unknown("room", room, self.room_names, f"{name}: ")
            # A new place replaces the old one as a whole: on something, in something, or neither.
            update = {"on": place.on, "inside": place.inside}
            self.things[name] = self.things[name].model_copy(update=update)
            self.rooms[name] = room
        for name, states in changes.states.items():
            self.refuse_unknown("object", name, self.things, "changes: ")
            thing = self.things[name]
            new_states = _replace_states(thing.states, states)
            self.things[name] = thing.model_copy(update={"states": new_states})

    def check(self, classes: Mapping[str, ClassDocument]) -> None:
        """Refuse unknown names, duplicate ids, and impossible places."""
        owners: dict[str, str] = {}
        for name in (*self.room_names, *self.things):
            # The id alone, behind the dot, names an object in plans.
            owner = owners.setdefault(name.rpartition(".")[2], name)
            if owner != name:
                self.fail(f"{owner} and {name} have the same id")
        for name in self.things:
            if name in self.room_names:
                self.fail(f"{name} is the name of a room and of an object")
        for name, thing in self.things.items():
            self._check_words(name, thing, classes)
            self._check_names(name, thing)
            self._check_place(name, thing)

    def _check_words(
        self, name: str, thing: ThingDocument, classes: Mapping[str, ClassDocument]
    ) -> None:
        """Refuse unknown or contradictory properties and states of a thing or its class.

        Args:
            name: The thing.
            thing: Its properties and states.
            classes: Name of a class to its properties.
        """
        if name != self.agent:
            self.refuse_unknown("class", object_class(name), classes, f"{name}: ")
        class_document = classes.get(object_class(name), ClassDocument())
        known_properties, known_states = _unary_predicates()
        for word in (*class_document.properties, *thing.properties):
            self.refuse_unknown("property", word, known_properties, f"{name}: ")
        # A thing may be in the opposite state of its class, so the two lists are tested apart.
        for states in (class_document.states, thing.states):
            for state in states:
                self.refuse_unknown("state", state, known_states, f"{name}: ")
                if OPPOSITES[state] in states:
                    self.fail(f"{name} is {state} and {OPPOSITES[state]} at the same time")

    def _check_names(self, name: str, thing: ThingDocument) -> None:
        """Refuse relations of a thing to itself or to an unknown object."""
        related = [("on", thing.on), ("in", thing.inside)]
        related += [("close", other) for other in thing.close]
        related += [("facing", other) for other in thing.facing]
        for field, other in related:
            if other == name:
                self.fail(f"{name}: {field} names the object itself")
            if other is not None:
                self.refuse_unknown("object", other, self.things, f"{name}: {field}: ")
        for room in thing.between:
            self.refuse_unknown("room", room, self.room_names, f"{name}: between: ")

    def _check_place(self, name: str, thing: ThingDocument) -> None:
        """Refuse a thing with two places, a place in another room, or inside itself."""
        if thing.on is not None and thing.inside is not None:
            self.fail(f"{name} is both on {thing.on} and in {thing.inside}")
        # Follow the supports and containers; each has to be in the room, and none may come twice.
        seen = {name}
        below = thing.on or thing.inside
        while below is not None:
            if self.rooms[below] != self.rooms[name]:
                rooms = f"{self.rooms[name]}, but {below} is in {self.rooms[below]}"
                self.fail(f"{name} is on or in {below} and in {rooms}")
            if below in seen:
                self.fail(f"{name} is, by way of {below}, on or in itself")
            seen.add(below)
            below = self.things[below].on or self.things[below].inside

    def atoms(self, classes: Mapping[str, ClassDocument]) -> Iterator[Atom]:
        """Yield the atoms of the objects, except those about their rooms."""
        for name, thing in self.things.items():
            class_name = object_class(name)
            class_document = classes.get(class_name, ClassDocument())
            predicates = [*class_document.properties, *thing.properties]
            predicates += class_predicates(class_name)
            predicates += _replace_states(class_document.states, thing.states)
            for predicate in predicates:
                yield Atom(predicate, (name,))
            yield from _relations_of(name, thing)

    def refuse_unknown(self, kind: str, name: str, known: Collection[str], place: str) -> None:
        """Refuse an unknown name, and suggest similar ones."""
        if name in known:
            return
        similar = nearest(name, known)
        hint = f"did you mean {' or '.join(similar)}?" if similar else None
        self.fail(f"{place}there is no {kind} {name!r}", mend=hint)

    def fail(self, what: str, *, mend: str | None = None) -> None:
        """Refuse the home."""
        raise SchemaError(what, where=self.where, mend=mend)


def _relations_of(name: str, thing: ThingDocument) -> Iterator[Atom]:
    """Yield the relations of an object to other objects."""
    if thing.on is not None:
        yield Atom("ontop", (name, thing.on))
    if thing.inside is not None:
        yield Atom("inside", (name, thing.inside))
    # An object in or on another is also next to it, and the relation is symmetric.
    for other in (thing.on, thing.inside, *thing.close):
        if other is not None:
            yield Atom("next_to", (name, other))
            yield Atom("next_to", (other, name))
    for other in thing.facing:
        yield Atom("facing", (name, other))
    for room in thing.between:
        yield Atom("between", (name, room))


def _replace_states(old: list[str], new: list[str]) -> list[str]:
    """Return new states, preceded by the old ones that are not repeated or contradicted."""
    # A class says "clean" of its objects; of one of them a home may say "dirty".
    contradicted = {OPPOSITES.get(word) for word in new}
    kept = [word for word in old if word not in contradicted and word not in new]
    return [*kept, *new]


@cache
def _unary_predicates() -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of object properties, which never change, and of object states."""
    domain = virtualhome_domain()
    unary = {name for name, predicate in domain.predicates.items() if predicate.arity == 1}
    unary = unary.difference(domain.derived)
    return frozenset(unary - domain.fluents), frozenset(unary & domain.fluents)
