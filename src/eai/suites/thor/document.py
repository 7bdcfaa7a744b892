"""The written form of tasks in a room of AI2-THOR, and the names that it may use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Union

from pydantic import Field

from eai.errors import InputError, UnknownNameError, look_up
from eai.simulators import load_scene
from eai.simulators.thor.scenes import Scene, object_types
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
    """Objects, and how they have to be at the end."""

    object: Text = Field(description="A type (Mug), or one object of the room (Mug_2).")
    states: list[str] = Field(default=[], alias="is", description=f"Of {', '.join(STATES)}.")
    inside: Union[Text, WantedDocument, None] = Field(
        default=None, alias="in", description="The receptacle: a type, an object, or both."
    )
    count: Annotated[int, Field(ge=1, le=9)] = Field(
        default=1, description="Number of objects, all in the same receptacle."
    )


class ChangeDocument(SuiteDocument):
    """In what an object differs at the start."""

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
    tasks: list[ThorTaskDocument] = Field(min_length=1)


@cache
def room(name: str) -> Scene:
    """Return a room whose objects are called by type, and number if there are several."""
    scene, names = load_scene(name), dict[str, str]()
    for kind in {one.type for one in scene.objects}:
        alike = scene.of_type(kind)
        for number, one in enumerate(alike, start=1):
            names[one.name] = f"{kind}_{number}" if len(alike) > 1 else kind
    return scene.renamed(names)


def objects_of(scene: Scene, word: str, where: str) -> list[str]:
    """Return the objects of a name or a type."""
    found = [one.name for one in scene.objects if word in (one.name, one.type)]
    if not found:
        known = dict.fromkeys(name for one in scene.objects for name in (one.type, one.name))
        raise UnknownNameError("object", word, known, where=f"{where}, {scene.name}")
    return found


def able_objects(scene: Scene, word: str, states: Sequence[str], where: str) -> list[str]:
    """Return the objects of a name or a type that can be in all of some states.

    Of what is sliced, the pieces have to be in the other states: Bread cannot be cooked, a slice
    of it can.

    Raises:
        UnknownNameError: If an object or a state is not known.
        InputError: If no object can be in these states.
    """
    found, known = objects_of(scene, word, where), scene.by_name()
    switched = {name for one in scene.objects for name in one.controls}
    for state in dict.fromkeys(("sliced", *states) if "sliced" in states else states):
        needs = look_up("state", state, STATES, where=where)[2]
        able: list[str] = []
        for name in found:
            affordances = known[name].affordances
            if "sliced" in states and state != "sliced":
                affordances = _affordances_of_pieces(known[name].type)
            if needs in affordances or (needs == "toggleable" and name in switched):
                able.append(name)
        if not able:
            raise InputError(
                f"{word} cannot be {state}", where=where, expected=f"an object that is {needs}"
            )
        found = able
    return found


def _affordances_of_pieces(kind: str) -> tuple[str, ...]:
    made = object_types()[kind].slices
    return object_types()[made[0]].affordances if made else ()
