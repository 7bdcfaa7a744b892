"""Tasks of ALFRED's types, made by chance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice, product
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
_ROLES = ("pickupable", "receptacle", "dirtyable")

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
    """Make tasks of ALFRED's types by chance; the oracle solves all of them.

    A room in which there is no task of a type is passed over.

    Args:
        scenes: Names of rooms.
        kinds: Some of :data:`KINDS`.
        each: How many tasks of each type in each room.
        seed: The same seed gives the same tasks.

    Raises:
        UnknownNameError: If a type or a room is not known.
        InputError: If there is no such task at all.
    """
    found: list[ThorTaskDocument] = []
    for kind in kinds:
        check_name("type of task", kind, KINDS)
        for name in scenes:
            for number in range(1, each + 1):
                dice = random.Random(f"{seed}/{kind}/{name}/{number}")  # noqa: S311
                tries = filter(None, (_drawn(room(name), kind, number, dice) for _ in range(30)))
                found += islice(filter(_good, tries), 1)
    if not found:
        raise InputError("there is no such task in these rooms", mend="take other rooms")
    return ThorTasksDocument(tasks=found)


def _good(document: ThorTaskDocument) -> bool:
    """Whether the oracle solves it, and there is something to do."""
    suite = ThorTasks(ThorTasksDocument(tasks=[document]))
    try:
        task = suite.task(document.id)
    except InputError:
        return False
    plans = suite.plans(suite.semantics("strict"))
    return bool(task.plans) and not plans.evaluate_actions(task, ()).success


def _drawn(scene: Scene, kind: str, number: int, dice: random.Random) -> ThorTaskDocument | None:
    types = Counter(one.type for one in scene.objects)
    can = {which: {o.type for o in scene.objects if which in o.affordances} for which in _ROLES}
    carried = sorted(can["pickupable"])
    word = next((w for w in _POOLS if f" {w} " in KINDS[kind]), "")
    receptacles = sorted(can["receptacle"] - {"Floor", *carried})
    count = 2 if kind == "pick_two_obj_and_place" else 1
    pool = [o for o in carried if o in _POOLS.get(word, carried) and types[o] >= count]
    chains: list[tuple[str, ...]] = [
        (o, r) for o in pool for r in receptacles if engine_accepts(o, r)
    ]
    if kind == "look_at_obj_in_light":
        chains = [(o, lamp) for o in pool for lamp in ("DeskLamp", "FloorLamp") if types[lamp]]
    elif kind == "pick_and_place_with_movable_recep":
        around = [m for m in carried if m in can["receptacle"]]
        chains = [(o, m, r) for o in pool for m, r in product(around, receptacles) if m != o]
        chains = [c for c in chains if engine_accepts(*c[:2]) and engine_accepts(*c[1:])]
    if not chains:
        return None
    o, *m, r = dice.choice(chains)
    start = [{"object": o, "is": ["dirty"]}] if word == "clean" and o in can["dirtyable"] else []
    goal: list[dict[str, Any]] = [{"object": o, "in": {"object": m[0], "in": r} if m else r}]
    goal[0] |= {"count": count, "is": [word] if word else []}
    if kind == "look_at_obj_in_light":
        goal = [{"object": o, "is": ["held"]}, {"object": r, "is": ["on"]}]
        start = [{"object": r, "is": ["off"]}]
    return ThorTaskDocument.model_validate(
        {
            "id": f"{scene.name}-{kind}-{number}",
            "scene": scene.name,
            "instruction": KINDS[kind].format(o=o, r=r, m="".join(m)),
            "name": kind,
            "start": start,
            "goal": goal,
        }
    )
