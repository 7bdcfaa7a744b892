"""The written form of tasks in a room of AI2-THOR, and the names that it may use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Union

from pydantic import Field

from eai.errors import InputError, UnknownNameError, look_up
from eai.simulators import load_scene
from eai.simulators.thor.scenes import Scene, SceneObject, object_types
from eai.suites.shared.documents import SuiteDocument, Text

STATES: Mapping[str, tuple[str, bool, str]] = {
    "open": ("open", True, "openable"),
    "closed": ("open", False, "openable"),
    "on": ("on", True, "toggleable"),
    "off": ("on", False, "toggleable"),
    "dirty": ("dirty", True, "dirtyable"),
    "clean": ("was_cleaned", True, "pickupable"),
    "hot": ("hot", True, "pickupable"),
    "cold": ("cold", True, "pickupable"),
    "sliced": ("present", True, "sliceable"),
    "cooked": ("cooked", True, "cookable"),
    "filled": ("filled", True, "fillable"),
    "empty": ("filled", False, "fillable"),
    "held": ("holds", True, "pickupable"),
}
"""Word to the predicate, whether it holds, and what an object has to be for it."""


class WantedDocument(SuiteDocument):
    """Objects with their required states and locations at the end."""

    object: Text = Field(description="A type (Mug), or one object of the room (Mug_2).")
    states: list[str] = Field(default=[], alias="is", description=f"Of {', '.join(STATES)}.")
    inside: Union[Text, WantedDocument, None] = Field(
        default=None, alias="in", description="The receptacle: a type, an object, or both."
    )
    count: Annotated[int, Field(ge=1, le=9)] = Field(
        default=1, description="Number of objects, all in the same receptacle."
    )


class ChangeDocument(SuiteDocument):
    """The difference of one object at the start."""

    object: Text
    states: list[str] = Field(default=[], alias="is")
    inside: Text | None = Field(default=None, alias="in", description="A type or an object.")


class ThorTaskDocument(SuiteDocument):
    """One task."""

    id: Text
    scene: Text = Field(description="FloorPlan1-30, 201-230, 301-330 or 401-430.")
    instruction: Text
    name: str = Field(default="", description="Category.")
    start: list[ChangeDocument] = Field(default=[], description="What differs from the room.")
    goal: list[WantedDocument] = Field(min_length=1, description="All of it at the same time.")


class ThorTasksDocument(SuiteDocument):
    """A file of tasks."""

    title: str = "Own tasks in AI2-THOR"
    version: str = "1"
    rules: Union[Text, list[dict[str, object]], None] = Field(
        default=None, description="Rules that plans have to keep: a file of rules, or a list."
    )
    tasks: list[ThorTaskDocument] = Field(min_length=1)


@cache
def room(name: str) -> Scene:
    """Return a room whose objects are named by type, and numbered if there are several."""
    scene = load_scene(name)
    names: dict[str, str] = {}
    for object_type in {item.type for item in scene.objects}:
        items = scene.of_type(object_type)
        # "Fridge", but "Mug_1" and "Mug_2"
        if len(items) == 1:
            names[items[0].name] = object_type
            continue
        for number, item in enumerate(items, start=1):
            names[item.name] = f"{object_type}_{number}"
    return scene.renamed(names)


def objects_of(scene: Scene, word: str, where: str) -> list[str]:
    """Return the object with a name, or all objects of a type.

    Args:
        scene: The room.
        word: A name or a type.
        where: Place of the word, for messages.
    """
    names = [item.name for item in scene.objects if word in (item.name, item.type)]
    if names:
        return names
    known: dict[str, None] = {}
    for item in scene.objects:
        known |= {item.type: None, item.name: None}
    raise UnknownNameError("object", word, known, where=f"{where}, {scene.name}")


def able_objects(scene: Scene, word: str, states: Sequence[str], where: str) -> list[str]:
    """Return the objects of a name or type that can be in all of some states.

    With the state "sliced", the other states are those of the pieces: Bread cannot be cooked, but a
    slice of it can.

    Args:
        scene: The room.
        word: The name of an object, or a type.
        states: The states.
        where: Place of the word and the states, for messages.

    Raises:
        UnknownNameError: If an object or a state is unknown.
        InputError: If no object can be in these states.
    """
    candidates = objects_of(scene, word, where)
    by_name = scene.by_name()
    is_sliced = "sliced" in states
    if is_sliced:
        # It comes first, so that the error for an object without slices is about slicing.
        states = ("sliced", *states)
    for state in dict.fromkeys(states):
        _, _, affordance = look_up("state", state, STATES, where=where)
        is_about_pieces = is_sliced and state != "sliced"
        able_candidates = []
        for name in candidates:
            if affordance in _affordances(scene, by_name[name], of_pieces=is_about_pieces):
                able_candidates.append(name)
        candidates = able_candidates
        if not candidates:
            raise InputError(
                f"{word} cannot be {state}",
                where=where,
                expected=f"an object that is {affordance}",
            )
    return candidates


def _affordances(scene: Scene, item: SceneObject, *, of_pieces: bool) -> set[str]:
    """Return the affordances of an object, or of the pieces that it is sliced into.

    Args:
        scene: The room.
        item: The object.
        of_pieces: Whether the pieces are meant.
    """
    affordances = set(item.affordances)
    if of_pieces:
        affordances = set(_affordances_of_pieces(item.type))
    # A stove burner is switched by its knob, and the simulator lists only the knob.
    if any(item.name in knob.controls for knob in scene.objects):
        affordances.add("toggleable")
    return affordances


def _affordances_of_pieces(kind: str) -> tuple[str, ...]:
    """Return the affordances of a type's pieces, or none if it cannot be sliced."""
    made = object_types()[kind].slices
    if not made:
        return ()
    return object_types()[made[0]].affordances
