"""The world of AI2-THOR; containment is computed for all objects of a state at once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from eai.data import read_json
from eai.diagnosis import DomainRules, Finding, Rules, Run
from eai.errors import InputError
from eai.logic import Atom
from eai.pddl import Domain, clauses
from eai.simulators.thor.scenes import Scene, SceneObject, object_types
from eai.simulators.variations import redefined, shipped_domain
from eai.world import Action, Change, State, Step, Universe, World
from eai.world.bits import bits, mask_of, union


def work_out_containment(state: State) -> None:
    """Store the extension of ``inside`` in a state's memo, unless it is there already.

    ``inside`` is the transitive closure of ``in``, by a recursive rule of the domain. The state
    forgets it whenever something changes. To go up from every object takes a tenth of the time of
    a general fixed point.
    """
    inside = state.layout.index["inside"]
    if inside in state.memo:
        return
    direct_containers = state.rows[state.layout.index["in"]]
    containers_of = [0] * len(direct_containers)  # object to all its containers, as a mask
    contents_of = [0] * len(direct_containers)  # container to all objects in it
    for object_number, containers in enumerate(direct_containers):
        pending_containers = containers
        while pending_containers:
            lowest_bit = pending_containers & -pending_containers
            containers_of[object_number] |= lowest_bit
            container = lowest_bit.bit_length() - 1
            contents_of[container] |= 1 << object_number
            # Containers that were visited are left out, so circles end.
            pending_containers = (
                pending_containers | direct_containers[container]
            ) & ~containers_of[object_number]
    state.memo[inside] = (0, containers_of, contents_of, {})


@dataclass(frozen=True, slots=True)
class PutOutcome:
    """The recorded outcomes of placing a type into a receptacle type.

    Args:
        scene: Name of the room.
        receptacle: Name of the receptacle.
        held: The type.
        succeeded: Whether it was ever placed there.
        failures: Number of configurations in which it was not.
    """

    scene: str
    receptacle: str
    held: str
    succeeded: bool
    failures: int


_MAX_FAILURES = 5
"""Number of failures without a success that make a misfit; counting stopped there."""


class Fits:
    """Says which types fit into which receptacles, based on recorded placements.

    Both ``known`` (placed with success) and ``misfits`` have triples of scene, receptacle and type;
    where nothing is recorded, everything fits.

    Args:
        outcomes: Recorded placements.
    """

    def __init__(self, outcomes: Iterable[PutOutcome]) -> None:
        """Read the recorded placements."""
        triples: set[tuple[str, str, str]] = set()
        often_failed: set[tuple[str, str, str]] = set()
        for outcome in outcomes:
            triple = (outcome.scene, outcome.receptacle, outcome.held)
            if outcome.succeeded:
                triples.add(triple)
            # A single failure may have had another reason, such as a full receptacle.
            if outcome.failures >= _MAX_FAILURES:
                often_failed.add(triple)
        self.known = frozenset(triples)
        self.misfits = frozenset(often_failed - triples)

    def fits(self, scene: str, receptacle: str, held: str) -> bool:
        """Return whether an object of the type ``held`` has a place in the receptacle."""
        return (scene, receptacle, held) not in self.misfits


@cache
def recorded_fits() -> Fits:
    """Return the outcomes that ship, with hard misfits refused."""
    rows = read_json("domains/thor/fits.json.gz")["rows"]
    return Fits(
        PutOutcome(scene, receptacle, held, bool(succeeded), failures)
        for scene, receptacle, held, succeeded, failures in rows
    )


_TAPS = ("Faucet", "ShowerHead")
_BASINS = ("SinkBasin", "BathtubBasin")
_LOW = ("GarbageCan", "Shelf")
_MAX_TAP_DISTANCE_M = 1.5  # the widest tub that is recorded is 1.3 m long


def watering(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield (tap, basin) for each tap and its nearest basin, seen from above."""
    basins = scene.of_type(*_BASINS)
    for tap in scene.of_type(*_TAPS):
        distances = {basin.name: _distance(tap, basin) for basin in basins}
        near_basins = [
            name for name, distance_m in distances.items() if distance_m <= _MAX_TAP_DISTANCE_M
        ]
        if near_basins:
            yield tap.name, min(near_basins, key=distances.__getitem__)


def _distance(first: SceneObject, second: SceneObject) -> float:
    """Return the distance of two objects seen from above, in metres."""
    (x, _, z), (other_x, _, other_z) = first.position, second.position
    return math.hypot(x - other_x, z - other_z)


def spanning(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield pairs of a receptacle and furniture inside it, if the contents are inside it as well.

    The engine lists an object in every receptacle with a volume around the object. If a shelf is in
    a cabinet, the objects on the shelf may be in the cabinet's volume or not. The majority of the
    objects on the shelf at the start decides. For empty furniture, cans and shelves that reach down
    into a volume count as pairs (in the 120 rooms, 28 of 31 contents are inside).
    """
    object_by_name = scene.by_name()
    contents: dict[str, list[SceneObject]] = {}
    for item in scene.objects:
        if item.place and "pickupable" in item.affordances:
            contents.setdefault(item.place, []).append(item)
    for furniture in scene.objects:
        if "pickupable" in furniture.affordances:
            continue
        contained = contents.get(furniture.name, [])
        for receptacle in furniture.parents:
            # A receptacle outside of the scene has no contents here.
            if receptacle not in object_by_name:
                continue
            if _includes_contents(receptacle, furniture, contained):
                yield receptacle, furniture.name


def _includes_contents(receptacle: str, furniture: SceneObject, held: list[SceneObject]) -> bool:
    """Return whether a receptacle's volume includes most of what furniture in it holds."""
    if not held:
        return furniture.type in _LOW
    # The engine lists the outer receptacle for an object, too, if the object is in its volume.
    inside = sum(receptacle in item.also for item in held)
    return 2 * inside > len(held)


AGENT = "agent"
"""The object that acts."""

LIQUIDS = ("water", "coffee", "wine")
"""Liquids that objects can be filled with."""

FORCED: Mapping[str, str] = {
    "in_reach": "(not (dormant ?x))",
    "put_in_reach": "(and (not (dormant ?x)) (not (borne ?a ?x)))",
    "welcome": "(and)",
}
"""The tests that a forced action passes over (``forceAction``), as PDDL over their variables."""


def thor_domain() -> Domain:
    """Read the domain (once)."""
    return shipped_domain("thor")


def pddl_type(name: str) -> str:
    """Return a type of the engine as the domain spells it: ``coffeemachine``."""
    return name.lower()


class ThorWorld:
    """The symbolic world of AI2-THOR 5.0.0, in which plans can be executed.

    Args:
        fits: Types that do not fit into receptacles; by default every placement is possible that
            the table of placements allows.
        domain: The domain, or one that declares more after it.

    Attributes:
        rules: The rules by which steps of plans are evaluated: those of the domain, and changes
            by the surroundings belong to the step.
    """

    def __init__(self, *, fits: Fits | None = None, domain: Domain | None = None) -> None:
        self.fits = fits
        self.domain = domain or thor_domain()
        self.world: World = _shipped_world(forced=False) if domain is None else World(domain)
        self.rules: Rules = SettlingRules()

    @cached_property
    def forced(self) -> World:
        """The engine for forced actions."""
        if self.domain is thor_domain():
            return _shipped_world(forced=True)
        return World(redefined(self.domain, FORCED))

    def start(self, scene: Scene, *, changes: Mapping[Atom, bool] | None = None) -> State:
        """Return the initial state of a room.

        The objects keep their names; their types are those of the engine in small letters
        (:func:`pddl_type`). The agent is :data:`AGENT`. Slices that are not there yet are
        objects too: they are ``dormant``.

        Args:
            scene: The room.
            changes: Atoms that hold or not, whatever the room says.

        Raises:
            UnknownNameError: If a change names something unknown.
            InputError: If it has the wrong number of arguments, or an object has the name of the
                agent or of a liquid.
        """
        slices = scene.slices
        objects = (*scene.objects, *slices)
        state = State(self.world.layout, self._universe_of(objects))
        for predicate, names in _initial_facts(scene, slices):
            state.add(predicate, names)
        _write_placements(state, objects)
        if self.fits is not None:
            _add_misfits(state, scene, objects, self.fits)
        for atom, holds in (changes or {}).items():
            names = tuple(map(str, atom.terms))
            if holds:
                state.add(atom.predicate, names)
            else:
                state.remove(atom.predicate, names)
        # A tap may be on at the start. Its water runs before the first action.
        self.settle(state)
        return state

    def _universe_of(self, objects: Iterable[SceneObject]) -> Universe:
        """Return the universe of a room, with unknown types as subtypes of ``thing``.

        Raises:
            InputError: If an object has the name of the agent or of a liquid.
        """
        types = {item.name: pddl_type(item.type) for item in objects}
        for name in self.domain.constants:
            if name in types:
                raise InputError(f"no object of a room can be called {name!r}", mend="rename it")
        unknown_types = {
            type_name: "thing" for type_name in types.values() if type_name not in self.domain.types
        }
        domain = self.domain
        if unknown_types:
            domain = replace(domain, types={**domain.types, **unknown_types})
        return Universe(domain, types)

    def settle(self, state: State, after: Iterable[Change] | None = None) -> list[Change]:
        """Let the surroundings react until nothing changes, and return the changes.

        Args:
            state: The state.
            after: The changes that led here from a state in which they had nothing left to do;
                None if there is no such state.
        """
        if after is not None and not any(self._stirring >> change[0] & 1 for change in after):
            return []
        return _settle(self.world, state)

    @cached_property
    def _stirring(self) -> int:
        """The predicates whose changes trigger reactions, as a mask."""
        stirring = 0
        for clause in clauses(self.domain.operators["settle"].effect):
            for condition in (clause.condition, clause.atom):
                predicates = self.world.predicates_read(condition)
                stirring |= -1 if predicates is None else mask_of(predicates)
        return stirring


class SettlingRules(DomainRules):
    """Execution rules by which reactions of the surroundings are part of a step."""

    def take(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """Execute a step, followed by the reactions of the surroundings.

        A cup below a faucet that was switched on fills: such changes are part of the step.
        Arguments and result are those of :meth:`eai.diagnosis.runtime.Rules.take`.
        """
        work_out_containment(run.state)
        outcome, finding = super().take(run, action, number)
        # Nothing settles after a step that failed.
        if outcome == "done":
            last = run.steps[-1]
            changes = [*last.changes, *_settle(run.world, run.state)]
            run.steps[-1] = Step(last.action, last.number, changes)
        return outcome, finding


def _settle(world: World, state: State) -> list[Change]:
    """Apply the action ``settle`` until nothing changes, and return the changes."""
    made: list[Change] = []
    # A fixed point: for instance, water fills a cup, and then objects in the cup get wet.
    while True:
        work_out_containment(state)
        changes = world.apply(state, "settle", ())
        if not changes:
            return made
        made += changes


@cache
def _shipped_world(*, forced: bool) -> World:
    """Return the world of the domain that ships, or that for forced actions (once)."""
    if forced:
        return World(redefined(thor_domain(), FORCED))
    return World(thor_domain())


def facts_of(item: SceneObject) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (predicate, arguments) for each fact about an object.

    An apple in an open fridge yields ``("in", ("Apple_1", "Fridge_1"))`` and a fact for each of its
    flags, such as ``("sliced", ("Apple_1",))``.
    """
    for flag in sorted(item.flags):
        yield flag, (item.name,)
    if item.liquid:
        yield "contains", (item.name, item.liquid)
    if item.place:
        yield "in", (item.name, item.place)
    for receptacle in item.also:
        yield "also_in", (item.name, receptacle)
    if item.held:
        yield "holds", (AGENT, item.name)


def _initial_facts(
    scene: Scene, slices: Sequence[SceneObject]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (predicate, arguments) for each initial fact.

    Facts are tuples and not :class:`~eai.logic.Atom`, which would take twice the time.

    Args:
        scene: The room.
        slices: The slices that can be cut in it, which are dormant.
    """
    for scene_object in (*scene.objects, *slices):
        for affordance in scene_object.affordances:
            yield affordance, (scene_object.name,)
        yield from facts_of(scene_object)
        for controlled in scene_object.controls:
            yield "controls", (scene_object.name, controlled)
    # A slice that is there at the start is an object of the scene.
    for slice_object in slices:
        yield "dormant", (slice_object.name,)
    for slice_name, source_name in _slices_with_sources(scene, slices):
        yield "slice_of", (slice_name, source_name)
    for pair in watering(scene):
        yield "waters", pair
    for pair in spanning(scene):
        yield "spans", pair


def _slices_with_sources(scene: Scene, slices: Sequence[SceneObject]) -> Iterator[tuple[str, str]]:
    """Yield the names of each slice and of the object that it is cut from.

    The id of a slice begins with that of its source: the slice
    ``"Apple|-00.47|+01.15|+00.48|AppleSliced_0"`` is cut from ``"Apple|-00.47|+01.15|+00.48"``.

    Args:
        scene: The room, with the slices that were cut already.
        slices: The slices that can be cut.
    """
    name_of_id = {scene_object.id: scene_object.name for scene_object in scene.objects}
    slice_types = {
        type_record.slices[0] for type_record in object_types().values() if type_record.slices
    }
    for scene_object in (*scene.objects, *slices):
        if scene_object.type not in slice_types:
            continue
        source_id, _, _ = scene_object.id.rpartition("|")
        if source_id in name_of_id:
            yield scene_object.name, name_of_id[source_id]


def _add_misfits(state: State, scene: Scene, objects: Iterable[SceneObject], fits: Fits) -> None:
    """Add the object and receptacle pairs that never fit to a state.

    Args:
        state: The state, which is changed.
        scene: The room.
        objects: Its objects.
        fits: The recorded fits of all rooms.
    """
    names_by_type: dict[str, list[str]] = {}
    for item in objects:
        names_by_type.setdefault(item.type, []).append(item.name)
    # A misfit is recorded for one receptacle of a room and all objects of a type.
    for scene_name, receptacle, type_name in sorted(fits.misfits):
        if scene_name == scene.name and receptacle in state.universe.index:
            for name in names_by_type.get(type_name, ()):
                state.add("misfit", (name, receptacle))


def _write_placements(state: State, objects: Iterable[SceneObject]) -> None:
    """Add the engine's table of placements to a new state.

    ``accepted(x, r)`` holds if objects with the type of x may be placed in receptacles with the
    type of r. So all objects of a type have the same row, and each of their receptacles has all of
    them in its column. Objects of a type that is not recorded may be placed anywhere.
    """
    predicate = state.layout.index["accepted"]
    number_of = state.universe.index
    # Type to its receptacles, and to its portable objects, as masks.
    receptacles_by_type: dict[str, int] = {}
    portable_by_type: dict[str, int] = {}
    for item in objects:
        bit = 1 << number_of[item.name]
        if "receptacle" in item.affordances:
            receptacles_by_type[item.type] = receptacles_by_type.get(item.type, 0) | bit
        if "pickupable" in item.affordances:
            portable_by_type[item.type] = portable_by_type.get(item.type, 0) | bit
    for type_name, objects_of_type in portable_by_type.items():
        type_record = object_types().get(type_name)
        accepted_types: Iterable[str] = receptacles_by_type
        if type_record is not None and type_record.accepted is not None:
            accepted_types = type_record.accepted
        accepted_receptacles = union(receptacles_by_type.get(name, 0) for name in accepted_types)
        for object_number in bits(objects_of_type):
            state.rows[predicate][object_number] = accepted_receptacles
        for receptacle in bits(accepted_receptacles):
            state.cols[predicate][receptacle] |= objects_of_type
