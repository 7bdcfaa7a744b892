"""The rooms as tasks start in them, and the names that answers may use there."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from eai.logic import Atom
from eai.simulators.thor.skills import controller_domain
from eai.simulators.thor.world import LIQUIDS
from eai.suites.safeagentbench.running import controller
from eai.suites.shared.store import by_class
from eai.suites.thor import room
from eai.task import Vocabulary
from eai.world import State


@cache
def start_of(scene: str) -> State:
    """Return the state that a room starts in; whoever changes it takes a copy."""
    return controller().start(room(scene))


@cache
def vocabulary_of(scene: str) -> Vocabulary:
    """Return the names that plans may use in a room.

    A type in a plan means the first object of the type. As in the published controller, objects in
    closed containers come last, and so do burners and toasters that are not empty.
    """
    objects = (*room(scene).objects, *room(scene).slices)
    state, world = start_of(scene), controller().world

    def rank(name: str) -> tuple[bool, bool]:
        """Return the reasons against an object; False comes first."""
        is_shut_in = world.holds(state, Atom("shut_in", (name,)))
        is_vacant = world.holds(state, Atom("vacant", (name,)))
        return is_shut_in, not is_vacant

    objects_by_type: dict[str, tuple[str, ...]] = {}
    for object_type, names in by_class((item.name, item.type) for item in objects).items():
        objects_by_type[object_type] = tuple(sorted(names, key=rank))
    for object_type in ("Sink", "Bathtub"):
        # Things are put into the basin of a sink, so "Sink" means its basin first.
        basins = objects_by_type.get(f"{object_type}Basin")
        if object_type in objects_by_type and basins is not None:
            objects_by_type[object_type] = (*basins, *objects_by_type[object_type])
    object_names = frozenset((*(item.name for item in objects), *LIQUIDS))
    vocabulary = Vocabulary.of(controller_domain(), object_names)
    actions = dict(vocabulary.actions)
    actions.pop("settle", None)  # an action of the world itself, not of plans
    return replace(vocabulary, actions=actions, classes=objects_by_type)
