"""Low-level planner: a goal as sub-goals, and where to search for what is not known."""

from __future__ import annotations

from collections import Counter

from eai.agents.holomind.executor import Context, SubGoal
from eai.agents.holomind.goals import ANYTHING, Goal, Reference
from eai.agents.holomind.percepts import knowledge, plain, stem
from eai.agents.holomind.spatial import Record, likely, may_hold


def plan(goal: Goal, context: Context) -> list[SubGoal]:
    """Say what to do for a goal, in order, by a recipe where there is one.

    A recipe for one type counts in worlds whose rules name its tools.
    """
    what = context.bind(goal.what)
    verb, kinds = goal.action or goal.kind, (what.kinds if what else goal.what.kinds)
    recipes = knowledge()["recipes"]
    steps = recipes.get(verb) or [[verb, "what", "to"][: 3 if goal.to else 2]]
    for name, recipe in recipes.items():
        tools = {word for _, *words in recipe for word in words} - {"what", "to"}
        if plain(name) in [verb + kind for kind in kinds]:
            steps = recipe if all(tool in context.percept.rules for tool in tools) else steps
    words = {"what": goal.what, "to": goal.to or Reference()}
    found = []
    for role, *names in steps:
        if context.skills.of(role) is not None:
            given = [words.get(name) or Reference.of(*name.split("|")) for name in names]
            relation = goal.relation if role == "place" else ""
            found.append(
                SubGoal(role, given[0] if given else ANYTHING, [*given, None, None][1], relation)
            )
    return found


def search(query: Reference, context: Context, searched: set[str]) -> SubGoal | None:
    """Say where to look next for what is not known, and add it to what was searched; or None.

    Candidates are rooms that were not visited, names that were told, and closed things that were
    seen: how likely it is there, divided by what it takes to go there.
    """
    memory, asked = context.memory, plain(query.room)
    experience = context.episodic.experience
    options: list[tuple[float, str, SubGoal]] = []
    for room in memory.rooms:
        if room not in memory.visited | searched:
            fit = 1.0 if asked in ("", plain(room)) else 0.01
            value = fit * likely(query.kinds, stem(room)) / memory.cost(room)
            options.append((value, room, SubGoal("goto", Reference(name=room), fix="search")))
    for name in () if memory.rooms else context.percept.names:
        if f"name {name}" not in searched:
            value = 2.0 if plain(name) in query.kinds else likely(query.kinds, plain(name)) / 4
            there = SubGoal("goto", Reference(name=name), fix="search", once=True)
            options.append((value, f"name {name}", there))
    alike = Counter(plain(record.type) for record in memory.records.values())
    for record in memory.records.values():
        kind = plain(record.type)
        shut = record.words.get("open") is False and not record.held
        if shut and record.name not in searched and may_hold(kind):
            room = plain(memory.room(record))
            if not asked or not room or asked == room:
                inside = SubGoal("open", Reference(name=record.name), fix="search", once=True)
                # By the recorded rooms and by experience; it may be in any of those alike.
                rules = (experience.support("search", k, "prefer", kind) for k in query.kinds)
                share = likely(query.kinds, kind) * (1 + context.episodic.lasting * sum(rules))
                share += bool(query.place) and plain(query.place) in record.kinds
                value = share / alike[kind] / memory.cost(memory.room(record))
                options.append((value, record.name, inside))
    if not options:
        return None
    _, name, found = max(options, key=lambda each: (each[0], each[1]))
    searched.add(name)
    return found


def laid_down(what: Record, context: Context) -> SubGoal | None:
    """A sub-goal that frees the hand, at the nearest and likeliest; None if there is nowhere."""
    memory = context.memory
    refused = context.goal.refused if context.goal else set[str]()
    words = {"surface", *map(plain, knowledge()["surfaces"])}
    found = [
        (memory.cost(memory.room(r)) - 2 * likely(what.kinds, plain(r.type)), r.name)
        for r in memory.records.values()
        if not r.held and not r.stale and r.name not in refused and plain(r.type) in words
    ]
    if not found:
        return None
    to = Reference(name=min(found)[1])
    return SubGoal("place", Reference(name=what.name), to, fix="hand_full")
