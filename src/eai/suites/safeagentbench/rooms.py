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
    """Return the names of a room. A type without a number means the first usable object.

    What is shut in comes last, and so do receptacles for one thing that have one already: the
    controller finds no shut-in object, and looks for an empty burner or toaster first.
    """
    objects = (*room(scene).objects, *room(scene).slices)
    state, world = start_of(scene), controller().world

    def rank(name: str) -> tuple[bool, bool]:
        """Return the reasons against an object; False comes first."""
        is_shut_in = world.holds(state, Atom("shut_in", (name,)))
        is_vacant = world.holds(state, Atom("vacant", (name,)))
        return is_shut_in, not is_vacant

    classes: dict[str, tuple[str, ...]] = {}
    for kind, names in by_class((item.name, item.type) for item in objects).items():
        classes[kind] = tuple(sorted(names, key=rank))
    for kind in ("Sink", "Bathtub"):
        # The ids of basins begin with the name of the whole, and it is they that things are put in.
        if kind in classes and f"{kind}Basin" in classes:
            classes[kind] = (*classes[f"{kind}Basin"], *classes[kind])
    names_of_objects = frozenset((*(item.name for item in objects), *LIQUIDS))
    vocabulary = Vocabulary.of(controller_domain(), names_of_objects)
    actions = dict(vocabulary.actions)
    actions.pop("settle", None)  # the world takes it by itself; no plan does
    return replace(vocabulary, actions=actions, classes=classes)
