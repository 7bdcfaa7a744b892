"""Tasks of ALFRED's types, made by chance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from eai.errors import InputError, check_name
from eai.simulators import engine_accepts
from eai.simulators.thor.scenes import Scene
from eai.suites.thor.document import ThorTaskDocument, ThorTasksDocument, room
from eai.suites.thor.suite import ThorTasks

_HEATED = ("Apple", "Bread", "Cup", "Egg", "Mug", "Plate", "Potato", "Tomato")
_POOLS = {
    "hot": _HEATED,
    "cold": (*_HEATED, "Bowl", "Lettuce", "Pan", "Pot", "WineBottle"),
    "clean": ("Apple", "Bowl", "ButterKnife", "Cloth", "Cup", "Fork", "Lettuce", "Mug", "Pan"),
}
"""Classes that generated tasks have heated, cooled or washed, by state."""
_MAX_DRAWS = 30
"""Draws of a task after which a room is taken to have none of its type."""

KINDS: Mapping[str, str] = {
    "pick_and_place_simple": "Put a {o} in or on a {r}.",
    "look_at_obj_in_light": "Look at a {o} in the light of a {r}.",
    "pick_clean_then_place_in_recep": "Put a clean {o} in or on a {r}.",
    "pick_heat_then_place_in_recep": "Put a hot {o} in or on a {r}.",
    "pick_cool_then_place_in_recep": "Put a cold {o} in or on a {r}.",
    "pick_two_obj_and_place": "Put two {o}s in or on one {r}.",
    "pick_and_place_with_movable_recep": "Put a {m} with a {o} in it in or on a {r}.",
}
"""ALFRED's seven types of tasks, with how the generator words them."""


def generate_tasks(
    scenes: Sequence[str], kinds: Sequence[str] = tuple(KINDS), *, each: int = 1, seed: int = 0
) -> ThorTasksDocument:
    """Return random tasks of ALFRED's types, all of which the oracle solves.

    A room in which there is no task of a type is passed over.

    Args:
        scenes: Names of rooms.
        kinds: Some of :data:`KINDS`.
        each: How many tasks of each type in each room.
        seed: The same seed gives the same tasks.

    Raises:
        UnknownNameError: If a type or a room is unknown.
        InputError: If there is no such task at all.
    """
    tasks: list[ThorTaskDocument] = []
    for kind in kinds:
        check_name("type of task", kind, KINDS)
        for name, number in product(scenes, range(1, each + 1)):
            # A generator of its own for each task: other tasks do not change it.
            dice = random.Random(f"{seed}/{kind}/{name}/{number}")  # noqa: S311
            for _ in range(_MAX_DRAWS):
                task = _draw_task(room(name), kind, number, dice)
                if task is not None and _is_good(task):
                    tasks.append(task)
                    break
    if not tasks:
        raise InputError("there is no such task in these rooms", mend="take other rooms")
    return ThorTasksDocument(tasks=tasks)


def _is_good(document: ThorTaskDocument) -> bool:
    """Return whether the oracle solves a task with a plan that is not empty."""
    suite = ThorTasks(ThorTasksDocument(tasks=[document]))
    try:
        task = suite.task(document.id)
    except InputError:
        return False
    # A goal that holds at the start would be solved by the empty plan.
    plans = suite.plans(suite.semantics("strict"))
    return bool(task.plans) and not plans.evaluate_actions(task, ()).success


# The kinds of tasks that need more than a target and a receptacle.
_LIGHT = "look_at_obj_in_light"
_TWO = "pick_two_obj_and_place"
_MOVABLE = "pick_and_place_with_movable_recep"


def _draw_task(
    scene: Scene, kind: str, number: int, dice: random.Random
) -> ThorTaskDocument | None:
    """Draw a task of a type in a room, or None if the room lacks objects for it.

    Args:
        scene: The room.
        kind: One of :data:`KINDS`.
        number: Number of the task among those of its type, for its identifier.
        dice: Source of random numbers.
    """
    state = _state_of(kind)
    choices_of_types = _object_types_for(scene, kind, state)
    if not choices_of_types:
        return None
    target, *movable, receptacle = dice.choice(choices_of_types)
    start: list[dict[str, Any]] = []
    goal: list[dict[str, Any]]
    if kind == _LIGHT:
        # The receptacle is a lamp here. An object is examined by holding it while the lamp is on.
        start.append({"object": receptacle, "is": ["off"]})
        goal = [{"object": target, "is": ["held"]}, {"object": receptacle, "is": ["on"]}]
    else:
        # An object that has to be cleaned is dirty at the start.
        if state == "clean" and target in _types_that_are(scene, "dirtyable"):
            start.append({"object": target, "is": ["dirty"]})
        container: Any = receptacle
        if movable:
            container = {"object": movable[0], "in": receptacle}
        count = 2 if kind == _TWO else 1
        states = [state] if state else []
        goal = [{"object": target, "in": container, "count": count, "is": states}]
    return ThorTaskDocument.model_validate(
        {
            "id": f"{scene.name}-{kind}-{number}",
            "scene": scene.name,
            "instruction": KINDS[kind].format(o=target, r=receptacle, m="".join(movable)),
            "name": kind,
            "start": start,
            "goal": goal,
        }
    )


def _state_of(kind: str) -> str:
    """Return the state that a type of task asks for (``"hot"``), or ""."""
    for state in _POOLS:
        if f" {state} " in KINDS[kind]:
            return state
    return ""


def _object_types_for(scene: Scene, kind: str, state: str) -> list[tuple[str, ...]]:
    """Return the possible object types of a task: (target, receptacle).

    Tasks with a movable receptacle have it in between: (Apple, Bowl, Fridge) is an apple in a bowl
    in the fridge. Tasks in the light of a lamp have the lamp as the last type.

    Args:
        scene: The room.
        kind: The type of the task.
        state: The state that the target has to be in; empty for none.
    """
    type_counts = Counter(item.type for item in scene.objects)
    portable_types = sorted(_types_that_are(scene, "pickupable"))
    all_receptacles = _types_that_are(scene, "receptacle")
    n_targets = 2 if kind == _TWO else 1
    possible_targets = _POOLS.get(state, portable_types)
    targets: list[str] = []
    for object_type in portable_types:
        if object_type in possible_targets and type_counts[object_type] >= n_targets:
            targets.append(object_type)
    if kind == _LIGHT:
        lamps = [lamp for lamp in ("DeskLamp", "FloorLamp") if type_counts[lamp]]
        return list(product(targets, lamps))
    # Portable objects are receptacles only in tasks with a movable receptacle.
    receptacles = sorted(all_receptacles - {"Floor", *portable_types})
    if kind == _MOVABLE:
        movables = sorted(all_receptacles.intersection(portable_types))
        return _object_types_with_movable(targets, movables, receptacles)
    return [pair for pair in product(targets, receptacles) if engine_accepts(*pair)]


def _object_types_with_movable(
    targets: Sequence[str], movables: Sequence[str], receptacles: Sequence[str]
) -> list[tuple[str, ...]]:
    """Return triples of object types: the first fits into the second, the second into the third.

    Args:
        targets: Types of target objects.
        movables: Types of portable receptacles.
        receptacles: Types of fixed receptacles.
    """
    chains: list[tuple[str, ...]] = []
    for target, movable, receptacle in product(targets, movables, receptacles):
        fits = engine_accepts(target, movable) and engine_accepts(movable, receptacle)
        if movable != target and fits:
            chains.append((target, movable, receptacle))
    return chains


def _types_that_are(scene: Scene, affordance: str) -> set[str]:
    """Return the types of a room's objects with an affordance."""
    return {item.type for item in scene.objects if affordance in item.affordances}
