"""Low-level planner: the sub-goals of a goal, and where to search for objects not yet seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from eai.agents.holomind.executor import Context, SubGoal
from eai.agents.holomind.goals import GoalNode, ObjectReference, object_and_target
from eai.agents.holomind.percepts import knowledge, plain, stem
from eai.agents.holomind.spatial import ObjectRecord, likely, may_hold

_OTHER_ROOM = 0.01
"""Factor of the value of a room that is not the one that the task names."""


def plan(goal: GoalNode, context: Context) -> list[SubGoal]:
    """Return the sub-goals of a goal, by a recipe or else the action alone.

    The recipe ``[["pick", "Knife|ButterKnife"], ["slice", "what"]]`` becomes the sub-goals
    ``pick(Knife)`` and ``slice(apple)`` for an apple. A recipe may be for one type of objects; it
    counts in worlds whose rules name its tools.
    """
    reference_by_word = {"what": goal.what, "to": goal.to or ObjectReference()}
    steps = []
    for role, *names in _recipe(goal, context):
        if context.skills.of(role) is None:
            continue  # this suite does not ask for the step: it has no such action
        objects = []
        for name in names:
            # A word for an object of the goal, or types of a tool: "Knife|ButterKnife".
            objects.append(reference_by_word.get(name) or ObjectReference.of(*name.split("|")))
        what, to = object_and_target(objects)
        relation = ""
        if role == "place":
            relation = goal.relation
        steps.append(SubGoal(role, what, to, relation))
    return steps


def _recipe(goal: GoalNode, context: Context) -> Sequence[Sequence[str]]:
    """Return the recipe of a goal, as steps of a role and words for its objects.

    The words are ``"what"`` and ``"to"``, the objects of the goal, or types of a tool.
    """
    object_types = goal.what.kinds
    object_record = context.bind(goal.what)
    if object_record is not None:
        object_types = object_record.kinds
    verb = goal.action or goal.kind
    action = [verb, "what"]
    if goal.to:
        action.append("to")
    recipes: Mapping[str, Sequence[Sequence[str]]] = knowledge()["recipes"]
    steps = recipes.get(verb) or [action]
    # A recipe for a type is called by the verb and the type, and replaces that for the verb.
    names = [verb + object_type for object_type in object_types]
    rules = context.percept.rules
    for name, recipe in recipes.items():
        if plain(name) in names and all(tool in rules for tool in _tools_of(recipe)):
            steps = recipe
    return steps


def _tools_of(recipe: Sequence[Sequence[str]]) -> set[str]:
    """Return the types of tools in a recipe."""
    words: set[str] = set()
    for _, *words_of_step in recipe:
        words.update(words_of_step)
    return words - {"what", "to"}


class _Option(NamedTuple):
    """A place that can be searched.

    Args:
        value: How promising it is.
        name: The name that marks it as searched.
        sub_goal: The sub-goal to search it.
    """

    value: float
    name: str
    sub_goal: SubGoal


def search(query: ObjectReference, context: Context, searched: set[str]) -> SubGoal | None:
    """Return the next place to search for an object and mark it, or None if none is left.

    Candidates are unvisited rooms, named objects, and closed containers that were seen. The one
    with the greatest probability of the object per cost of going there comes first.

    Args:
        query: The object.
        context: The state of the agent.
        searched: Names of places that were searched; the new one is added.
    """
    options = list(_rooms_to_visit(query, context, searched))
    if not context.memory.rooms:
        options += _names_to_visit(query, context, searched)
    options += _containers_to_open(query, context, searched)
    if not options:
        return None
    # Equal values are common where nothing is known; the name makes the choice the same each time.
    best_option = max(options, key=lambda option: (option.value, option.name))
    searched.add(best_option.name)
    return best_option.sub_goal


def _rooms_to_visit(
    query: ObjectReference, context: Context, searched: set[str]
) -> Iterator[_Option]:
    """Yield the rooms that were not visited yet.

    Args:
        query: The object that is searched for.
        context: The state of the agent.
        searched: Names of places that were searched.
    """
    memory = context.memory
    wanted_room = plain(query.room)
    for room in memory.rooms:
        if room in memory.visited or room in searched:
            continue
        value = likely(query.kinds, stem(room)) / memory.cost(room)
        if wanted_room not in ("", plain(room)):
            value *= _OTHER_ROOM  # other rooms come last
        yield _Option(value, room, SubGoal("goto", ObjectReference(name=room), fix="search"))


def _names_to_visit(
    query: ObjectReference, context: Context, searched: set[str]
) -> Iterator[_Option]:
    """Yield the objects named to the agent, for environments without rooms.

    Args:
        query: The object that is searched for.
        context: The state of the agent.
        searched: Names of places that were searched.
    """
    for name in context.percept.names:
        mark = f"name {name}"
        if mark in searched:
            continue
        # Its place is unknown, so going there costs as much as a room that is not listed.
        value = likely(query.kinds, plain(name)) / 4
        if plain(name) in query.kinds:
            value = 2.0  # the object itself: more than any likelihood
        yield _Option(
            value, mark, SubGoal("goto", ObjectReference(name=name), fix="search", once=True)
        )


def _containers_to_open(
    query: ObjectReference, context: Context, searched: set[str]
) -> Iterator[_Option]:
    """Yield the closed containers seen in an object's room, or in any room.

    Args:
        query: The object that is searched for.
        context: The state of the agent.
        searched: Names of places that were searched.
    """
    memory = context.memory
    experience = context.episodic.experience
    wanted_room = plain(query.room)
    number_of_type = Counter(plain(record.type) for record in memory.records.values())
    for record in memory.records.values():
        object_type = plain(record.type)
        is_closed = record.words.get("open") is False and not record.held
        if not is_closed or record.name in searched or not may_hold(object_type):
            continue
        room = memory.room(record)
        if wanted_room and plain(room) and wanted_room != plain(room):
            continue
        # The likelihood comes from recorded rooms, and experience raises it.
        likelihood = likely(query.kinds, object_type)
        rule_support = 0
        if context.episodic.lasting:
            for wanted_type in query.kinds:
                rule_support += experience.support("search", wanted_type, "prefer", object_type)
        likelihood *= 1 + rule_support
        if query.place and plain(query.place) in record.kinds:
            likelihood += 1
        # An object is in only one of the containers of a type.
        value = likelihood / number_of_type[object_type] / memory.cost(room)
        sub_goal = SubGoal("open", ObjectReference(name=record.name), fix="search", once=True)
        yield _Option(value, record.name, sub_goal)


def laid_down(held_object: ObjectRecord, context: Context) -> SubGoal | None:
    """Return the sub-goal to put down an object so that the hand is free, or None.

    The surface with the lowest cost is chosen: the cost of the way, minus twice the likelihood that
    such an object belongs on such a surface.
    """
    memory = context.memory
    refused: set[str] = set()
    if context.goal is not None:
        refused = context.goal.refused
    surfaces = {"surface", *map(plain, knowledge()["surfaces"])}
    # Pairs of a cost and a name; the name decides between equal costs.
    ranked_surfaces = []
    for record in memory.records.values():
        if record.held or record.stale or record.name in refused:
            continue
        object_type = plain(record.type)
        if object_type in surfaces:
            cost = memory.cost(memory.room(record)) - 2 * likely(held_object.kinds, object_type)
            ranked_surfaces.append((cost, record.name))
    if not ranked_surfaces:
        return None
    _, name = min(ranked_surfaces)
    return SubGoal(
        "place", ObjectReference(name=held_object.name), ObjectReference(name=name), fix="hand_full"
    )
