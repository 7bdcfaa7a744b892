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
from eai.pddl import Domain
from eai.simulators.thor.scenes import Scene, SceneObject, object_types
from eai.simulators.variations import redefined, shipped_domain
from eai.world import Action, Change, State, Step, Universe, World
from eai.world.bits import bits, union


def work_out_containment(state: State) -> None:
    """Let a state know the extension of ``inside``, unless it does already.

    It is what the domain's recursive rule says, and the state forgets it as soon as something
    changes. Going up from every object takes a tenth of the time of a general fixed point.
    """
    inside = state.layout.index["inside"]
    if inside in state.memo:
        return
    direct = state.rows[state.layout.index["in"]]
    rows, cols = [0] * len(direct), [0] * len(direct)
    for x, around in enumerate(direct):
        left = around
        while left:
            low = left & -left
            rows[x] |= low
            y = low.bit_length() - 1
            cols[y] |= 1 << x
            left = (left | direct[y]) & ~rows[x]
    state.memo[inside] = (0, rows, cols, {})


@dataclass(frozen=True, slots=True)
class PutOutcome:
    """Whether a type was ever placed in a receptacle, and in how many configurations it was not."""

    scene: str
    receptacle: str
    held: str
    succeeded: bool
    failures: int


_MOST = 5
"""So many failures without a success are a misfit; counting stopped there."""


class Fits:
    """Tells what has no place where: a hard misfit never succeeded and failed often.

    Both ``known`` and ``misfits`` are scene, receptacle, and type of what was placed there with
    success, or has no place there; where nothing is recorded, everything fits.
    """

    def __init__(self, outcomes: Iterable[PutOutcome]) -> None:
        rows = list(outcomes)
        known = frozenset((row.scene, row.receptacle, row.held) for row in rows if row.succeeded)
        failed = {(row.scene, row.receptacle, row.held) for row in rows if row.failures >= _MOST}
        self.known = known
        self.misfits = frozenset(failed - known)

    def fits(self, scene: str, receptacle: str, held: str) -> bool:
        """Return whether an object of the type ``held`` has a place in the receptacle."""
        return (scene, receptacle, held) not in self.misfits


@cache
def recorded_fits() -> Fits:
    """Return the outcomes that ship, with hard misfits refused."""
    return Fits(
        PutOutcome(scene, receptacle, held, bool(succeeded), failures)
        for scene, receptacle, held, succeeded, failures in read_json("domains/thor/fits.json.gz")[
            "rows"
        ]
    )


_TAPS = ("Faucet", "ShowerHead")
_BASINS = ("SinkBasin", "BathtubBasin")
_LOW = ("GarbageCan", "Shelf")
_FARTHEST = 1.5  # metres; the widest tub that is recorded is 1.3 m long


def watering(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield each tap with the basin that its water runs into: the nearest, seen from above."""
    basins = scene.of_type(*_BASINS)
    for tap in scene.of_type(*_TAPS):
        near = [basin for basin in basins if _distance(tap, basin) <= _FARTHEST]
        if near:
            yield tap.name, min(near, key=lambda basin: _distance(tap, basin)).name


def _distance(one: SceneObject, other: SceneObject) -> float:
    (x, _, z), (u, _, w) = one.position, other.position
    return math.hypot(x - u, z - w)


def spanning(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield receptacles with the furniture in them whose contents are in their volume too.

    The engine lists for an object all receptacles in whose volume it is. What is put in
    something that can be carried is always in the volume of what that stands in (the domain
    says so). For furniture, what it holds at the start decides; of what holds nothing, cans and
    shelves that reach down into a volume are taken to do so with their contents (in the 120
    rooms 28 of 31 contents are).
    """
    known = scene.by_name()
    contents: dict[str, list[SceneObject]] = {}
    for one in scene.objects:
        if one.place and "pickupable" in one.affordances:
            contents.setdefault(one.place, []).append(one)
    for furniture in scene.objects:
        if "pickupable" in furniture.affordances:
            continue
        held = contents.get(furniture.name, [])
        for around in (known[name] for name in furniture.parents if name in known):
            inside = sum(around.name in one.also for one in held)
            if 2 * inside > len(held) or (not held and furniture.type in _LOW):
                yield around.name, furniture.name


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
    """Type of the engine as the domain spells it (``"CoffeeMachine"``: ``"coffeemachine"``)."""
    return name.lower()


class ThorWorld:
    """The symbolic world of AI2-THOR 5.0.0; also a simulator that plans are run in.

    Args:
        fits: What has no place where; by default everything has that the table of placements
            allows.
        domain: The domain, or one that declares more after it.

    Attributes:
        rules: How steps of plans are evaluated: by the domain, and what follows from the
            surroundings belongs to the step.
    """

    def __init__(self, *, fits: Fits | None = None, domain: Domain | None = None) -> None:
        self.fits = fits
        self.domain = domain or thor_domain()
        self.world: World = World(domain) if domain else _shipped(forced=False)
        self.rules: Rules = SettlingRules()

    @cached_property
    def forced(self) -> World:
        """The engine for forced actions."""
        own = self.domain is not thor_domain()
        return World(redefined(self.domain, FORCED)) if own else _shipped(forced=True)

    def start(self, scene: Scene, *, changes: Mapping[Atom, bool] | None = None) -> State:
        """Return the state that a room starts in.

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
        types = {one.name: pddl_type(one.type) for one in objects}
        for name in self.domain.constants:
            if name in types:
                raise InputError(f"no object of a room can be called {name!r}", mend="rename it")
        unknown = {kind: "thing" for kind in types.values() if kind not in self.domain.types}
        domain = self.domain
        if unknown:
            domain = replace(domain, types={**domain.types, **unknown})
        state = State(self.world.layout, Universe(domain, types))
        for predicate, names in _facts(scene, slices):
            state.add(predicate, names)
        _accept(state, objects)
        for where, receptacle, held in sorted(self.fits.misfits) if self.fits else ():
            if where == scene.name and receptacle in state.universe.index:
                for one in (each for each in objects if each.type == held):
                    state.add("misfit", (one.name, receptacle))
        for atom, value in (changes or {}).items():
            set_ = state.add if value else state.remove
            set_(atom.predicate, [str(term) for term in atom.terms])
        self.settle(state)
        return state

    def settle(self, state: State) -> list[Change]:
        """Let the surroundings act on a state until nothing changes; return what changed."""
        return _settle(self.world, state)


class SettlingRules(DomainRules):
    """The rules that follow from the domain; what the surroundings do belongs to the step."""

    def take(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """See :meth:`eai.diagnosis.runtime.Rules.take`."""
        work_out_containment(run.state)
        outcome, finding = super().take(run, action, number)
        if outcome == "done":
            last = run.steps[-1]
            made = [*last.changes, *_settle(run.world, run.state)]
            run.steps[-1] = Step(last.action, last.number, made)
        return outcome, finding


def _settle(world: World, state: State) -> list[Change]:
    made: list[Change] = []
    work_out_containment(state)
    while changes := world.apply(state, "settle", ()):
        made += changes
        work_out_containment(state)
    return made


@cache
def _shipped(*, forced: bool) -> World:
    return World(redefined(thor_domain(), FORCED) if forced else thor_domain())


def facts_of(one: SceneObject) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the facts about an object: predicates and names."""
    yield from ((flag, (one.name,)) for flag in sorted(one.flags))
    if one.liquid:
        yield "contains", (one.name, one.liquid)
    if one.place:
        yield "in", (one.name, one.place)
    yield from (("also_in", (one.name, name)) for name in one.also)
    if one.held:
        yield "holds", (AGENT, one.name)


def _facts(scene: Scene, slices: Sequence[SceneObject]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the facts at the start: predicates and names (formulas would take twice the time)."""
    for one in (*scene.objects, *slices):
        yield from ((name, (one.name,)) for name in one.affordances)
        yield from facts_of(one)
        yield from (("controls", (one.name, name)) for name in one.controls)
    yield from (("dormant", (piece.name,)) for piece in slices)
    # Which slice is cut from what, whether it is there or not.
    whole = {one.id: one.name for one in scene.objects}
    made = {kind.slices[0] for kind in object_types().values() if kind.slices}
    for piece in (*scene.objects, *slices):
        source = whole.get(piece.id.rpartition("|")[0])
        if source is not None and piece.type in made:
            yield "slice_of", (piece.name, source)
    yield from (("waters", pair) for pair in watering(scene))
    yield from (("spans", pair) for pair in spanning(scene))


def _accept(state: State, objects: Iterable[SceneObject]) -> None:
    """Write the table of placements into a new state, type by type."""
    p, number = state.layout.index["accepted"], state.universe.index
    takers, things = dict[str, int](), dict[str, int]()
    for one in objects:
        for ability, masks in (("receptacle", takers), ("pickupable", things)):
            if ability in one.affordances:
                masks[one.type] = masks.get(one.type, 0) | 1 << number[one.name]
    for kind, mask in things.items():
        known = object_types().get(kind)
        accepted = takers.keys() if known is None or known.accepted is None else known.accepted
        into = union(takers.get(name, 0) for name in accepted)
        for i in bits(mask):
            state.rows[p][i] = into
        for i in bits(into):
            state.cols[p][i] |= mask
