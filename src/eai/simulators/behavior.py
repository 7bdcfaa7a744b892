"""The symbolic BEHAVIOR world: the PDDL domain, its variations, and the state of a scene.

The domain (``domains/behavior/domain.pddl``) follows the table of transition models of the
Embodied Agent Interface (section N.1, Table 27). A *variation* redefines derived predicates of it
so that the world behaves like the published simulator where that does something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import and_

from eai.data import read_json
from eai.errors import look_up
from eai.logic import Atom
from eai.pddl import Domain
from eai.simulators.variations import (
    VariedSimulator,
    name_predicates,
    shipped_domain,
)
from eai.world import Computed, Layout, State, Universe
from eai.world.bits import bits

AGENT = "agent.n.01_1"
"""The robot, as BDDL calls it."""

ABILITIES: Mapping[str, str] = {
    "Burnt": "burnable",
    "CleaningTool": "cleaning_tool",
    "Cooked": "cookable",
    "Dusty": "dustyable",
    "Frozen": "freezable",
    "Open": "openable",
    "Sliced": "sliceable",
    "Slicer": "slicer",
    "Soaked": "soakable",
    "Stained": "stainable",
    "ToggledOn": "toggleable",
}
"""Ability of an object in a scene to predicate of the domain."""

STATES: Mapping[str, str] = {name: re.sub(r"\B([A-Z])", r"_\1", name).lower() for name in ABILITIES}
"""State of an object in a scene to predicate of the domain; what a tool serves as always holds."""

VARIATIONS: Mapping[str, Mapping[str, str]] = read_json("domains/behavior/variations.json")
"""Name of a variation to the derived predicates that it redefines (in PDDL)."""


def behavior_domain() -> Domain:
    """Read the domain (once)."""
    return shipped_domain("behavior")


@dataclass(frozen=True, slots=True)
class BehaviorObject:
    """An object of a scene.

    Args:
        name: Its name in the simulator, which plans use (``"fridge_97"``).
        bddl: Its name in the activity's definition, which goals use
            (``"electric_refrigerator.n.01_1"``); the parts of an object share it.
        part: Whether it is a piece that comes to be when its whole is sliced.
        abilities: States that it can be in, and tools that it can serve as (``"Open"``,
            ``"Slicer"``), sorted.
        states: Those that hold at the start, sorted.
    """

    name: str
    bddl: str
    floor: bool = False
    part: bool = False
    abilities: tuple[str, ...] = ()
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BehaviorScene:
    """A scene as the agent finds it.

    Args:
        objects: Its objects, in the order of the simulator.
        relations: Relation (``"inside"``, ``"ontop"``, ``"onfloor"``, ``"under"``, ``"nextto"``)
            with the names of the two objects.
    """

    objects: tuple[BehaviorObject, ...]
    relations: tuple[tuple[str, str, str], ...]


class BehaviorSimulator(VariedSimulator):
    """Runs plans in the symbolic BEHAVIOR world."""

    variations = VARIATIONS
    domain = staticmethod(behavior_domain)

    @staticmethod
    def computed(domain: Domain, variations: frozenset[str]) -> Mapping[str, Computed]:  # noqa: ARG004
        """Return a function for ``inside``, which is much faster than its recursive axiom."""
        # A variation that redefines ``inside`` has another rule than the one computed here.
        if any("inside" in VARIATIONS[name] for name in variations):
            return {}
        return {"inside": _containers}


def _containers(state: State, object_number: int, objects_below: int = 0) -> int:
    """Return the containers of an object as a mask, by the axiom for ``direct_containers``.

    An object is in the container that it was placed in, and in all containers of objects that it
    is in or on. A sliced object is in the containers that all of its parts are in.

    Args:
        state: The state.
        object_number: Number of the object.
        objects_below: Mask of objects that were visited before. These end a circle of relations.
    """
    index = state.layout.index
    direct_containers = state.rows[index["placed_inside"]][object_number]
    supports_under = state.rows[index["placed_ontop"]][object_number]
    objects_below |= 1 << object_number
    containers = direct_containers
    for support in bits((direct_containers | supports_under) & ~objects_below):
        containers |= _containers(state, support, objects_below)
    part_mask = state.cols[index["part_of"]][object_number]
    is_sliced = state.unary[index["sliced"]] >> object_number & 1
    # All parts are required, as in the domain's ``forall``: an apple is not in the bowl if only one
    # half of it is.
    if part_mask and is_sliced:
        containers |= reduce(
            and_,
            [_containers(state, part_number, objects_below) for part_number in bits(part_mask)],
        )
    return containers


def category(bddl: str) -> str:
    """Return the BDDL category of an object, without number: ``jar.n.01`` of ``jar.n.01_2``."""
    return bddl.rpartition("_")[0] or bddl


def initial_state(scene: BehaviorScene) -> State:
    """Return the initial state of a scene, including the robot (:data:`AGENT`).

    The objects have their BDDL categories as types, subtypes of the domain's ``thing`` and
    ``floor``, so that quantifiers of a BDDL goal range over them. Parts are no objects of BDDL:
    they have the domain's type ``part``.

    Raises:
        UnknownNameError: If a relation, a state or an ability of the scene is unknown.
    """
    types: dict[str, str] = {}
    supertypes: dict[str, str] = {}
    for object_ in scene.objects:
        if object_.part:
            types[object_.name] = "part"
            continue
        own_type = category(object_.bddl)
        types[object_.name] = own_type
        supertypes[own_type] = "floor" if object_.floor else "thing"
    types[AGENT] = "agent"
    # The domain's own types come last, so that a category cannot redefine one of them.
    domain = behavior_domain()
    universe = Universe(replace(domain, types={**supertypes, **domain.types}), types)
    return State.of(_layout(), universe, _initial_atoms(scene))


@cache
def _layout() -> Layout:
    """Return the layout of all states (once)."""
    return Layout(behavior_domain())


def _initial_atoms(scene: BehaviorScene) -> Iterator[Atom]:
    """Yield the initial atoms: states, abilities, places and parts.

    Raises:
        UnknownNameError: If a state or an ability of the scene is unknown.
    """
    for object_ in scene.objects:
        predicates = [look_up("state", name, STATES) for name in object_.states]
        predicates += [look_up("ability", name, ABILITIES) for name in object_.abilities]
        predicates += name_predicates("behavior", object_.name)
        for predicate in predicates:
            yield Atom(predicate, (object_.name,))
    for relation, first, second in scene.relations:
        yield Atom(f"placed_{relation}", (first, second))
        if relation == "nextto":  # the only symmetric one
            yield Atom("placed_nextto", (second, first))
    # A part has the same BDDL name as its whole.
    wholes = {object_.bddl: object_.name for object_ in scene.objects if not object_.part}
    for object_ in scene.objects:
        if object_.part:
            yield Atom("part_of", (object_.name, wholes[object_.bddl]))
