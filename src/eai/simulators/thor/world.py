"""The symbolic AI2-THOR world: the PDDL domain, and the state that a room starts in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from importlib import resources

from eai.diagnosis.judgement import Finding
from eai.diagnosis.runtime import DomainRules, Rules, Run
from eai.errors import InputError
from eai.logic.formula import Atom
from eai.pddl.model import Domain
from eai.pddl.phrases import with_phrases
from eai.pddl.reader import parse_domain
from eai.simulators.thor.containment import work_out_containment
from eai.simulators.thor.fits import Fits
from eai.simulators.thor.object_types import object_types
from eai.simulators.thor.scenes import Scene, SceneObject
from eai.simulators.thor.surroundings import spanning, watering
from eai.simulators.variations import redefined
from eai.world.action import Action
from eai.world.bits import mask_of
from eai.world.state import Change, State
from eai.world.trajectory import Step
from eai.world.transition import World
from eai.world.universe import Universe

__all__ = ["AGENT", "FORCED", "LIQUIDS", "SettlingRules", "ThorWorld", "pddl_type", "thor_domain"]

AGENT = "agent"
"""The object that acts."""

LIQUIDS = ("water", "coffee", "wine")
"""What objects can be filled with."""

FORCED: Mapping[str, str] = {
    "in_reach": "(not (dormant ?x))",
    "put_in_reach": "(and (not (dormant ?x)) (not (borne ?a ?x)))",
    "welcome": "(and)",
}
"""The tests that a forced action passes over (``forceAction``), as PDDL over their variables."""


@cache
def thor_domain() -> Domain:
    """Read the domain (once)."""
    folder = resources.files("eai.data.domains.thor")
    text = folder.joinpath("domain.pddl").read_text("utf-8")
    phrases = folder.joinpath("phrases.json").read_text("utf-8")
    domain = parse_domain(text, source="domains/thor/domain.pddl")
    return with_phrases(domain, phrases, source="domains/thor/phrases.json")


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
        world: The engine of the domain.
        rules: How steps of plans are judged: by the domain, and what follows from the
            surroundings belongs to the step.
    """

    def __init__(self, *, fits: Fits | None = None, domain: Domain | None = None) -> None:
        self.fits = fits
        self.domain = domain or thor_domain()
        self.world: World = World(domain) if domain else _world()
        self.rules: Rules = SettlingRules()

    @cached_property
    def forced(self) -> World:
        """The engine for forced actions."""
        own = self.domain is not thor_domain()
        return World(redefined(self.domain, FORCED)) if own else _forced()

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
        objects = (*scene.objects, *scene.slices)
        state = State.of(self.world.layout, self._universe(objects), _atoms(scene))
        _accept(state, objects)
        for misfit in self._misfits(scene.name, objects):
            state.add("misfit", misfit)
        for atom, value in (changes or {}).items():
            set_ = state.add if value else state.remove
            set_(atom.predicate, [str(term) for term in atom.terms])
        self.settle(state)
        return state

    def settle(self, state: State) -> list[Change]:
        """Let the surroundings act on a state until nothing changes; return what changed."""
        return _settle(self.world, state)

    def _universe(self, objects: Sequence[SceneObject]) -> Universe:
        types = {one.name: pddl_type(one.type) for one in objects}
        for name in self.domain.constants:
            if name in types:
                raise InputError(f"no object of a room can be called {name!r}", mend="rename it")
        unknown = {kind: "thing" for kind in types.values() if kind not in self.domain.types}
        domain = self.domain
        if unknown:
            domain = replace(domain, types={**domain.types, **unknown})
        return Universe(domain, types)

    def _misfits(self, scene: str, objects: Sequence[SceneObject]) -> Iterator[tuple[str, str]]:
        if self.fits is None:
            return
        names: dict[str, list[str]] = {}
        for one in objects:
            names.setdefault(one.type, []).append(one.name)
        there = {one.name for one in objects}
        for where, receptacle, held in sorted(self.fits.misfits):
            if where == scene and receptacle in there:
                yield from ((name, receptacle) for name in names.get(held, ()))


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
def _world() -> World:
    return World(thor_domain())


@cache
def _forced() -> World:
    return World(redefined(thor_domain(), FORCED))


def _atoms(scene: Scene) -> Iterator[Atom]:
    for one in scene.objects:
        yield from _properties(one)
        if one.place:
            yield Atom("in", (one.name, one.place))
        yield from (Atom("also_in", (one.name, name)) for name in one.also)
        yield from (Atom("controls", (one.name, name)) for name in one.controls)
        if one.held:
            yield Atom("holds", (AGENT, one.name))
    for piece in scene.slices:
        yield from _properties(piece)
        yield Atom("dormant", (piece.name,))
    yield from _sources(scene)
    yield from (Atom("waters", pair) for pair in watering(scene))
    yield from (Atom("spans", pair) for pair in spanning(scene))


def _properties(one: SceneObject) -> Iterator[Atom]:
    yield from (Atom(name, (one.name,)) for name in (*one.affordances, *sorted(one.flags)))
    if one.liquid:
        yield Atom("contains", (one.name, one.liquid))


def _sources(scene: Scene) -> Iterator[Atom]:
    """Which slice is cut from what, whether it is there or not."""
    whole = {one.id: one.name for one in scene.objects}
    made = {kind.slices[0] for kind in object_types().values() if kind.slices}
    for piece in (*scene.objects, *scene.slices):
        source = whole.get(piece.id.rpartition("|")[0])
        if source is not None and piece.type in made:
            yield Atom("slice_of", (piece.name, source))


def _accept(state: State, objects: Iterable[SceneObject]) -> None:
    """Write the table of placements into a state."""
    p = state.layout.index["accepted"]
    number = state.universe.index
    takers: dict[str, list[int]] = {}
    for one in objects:
        if "receptacle" in one.affordances:
            takers.setdefault(one.type, []).append(number[one.name])
    everything = mask_of(i for numbers in takers.values() for i in numbers)
    for one in objects:
        if "pickupable" in one.affordances:
            kind = object_types().get(one.type)
            if kind is None or kind.accepted is None:
                mask = everything
            else:
                mask = mask_of(i for name in kind.accepted for i in takers.get(name, ()))
            state.write(p, 0, number[one.name], mask, True)
