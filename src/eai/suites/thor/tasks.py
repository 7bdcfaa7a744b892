"""How tasks in a room are solved, by ALFRED's ways of treating things; and tasks made by chance."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice, product
from typing import Any

from eai.diagnosis import Run
from eai.errors import InputError, check_name
from eai.simulators import engine_accepts
from eai.simulators.thor.scenes import Scene
from eai.simulators.thor.world import AGENT
from eai.suites.embodiedbench.alfred import world
from eai.suites.embodiedbench.skills import types
from eai.suites.thor.suite import (
    ThorTaskDocument,
    ThorTasks,
    ThorTasksDocument,
    WantedDocument,
    objects_of,
    room,
)
from eai.task import Task
from eai.world import Action

_TREATMENTS = {"clean": "clean", "filled": "clean", "cooked": "heat", "hot": "heat", "cold": "cool"}
"""State to what brings it about, in an order in which none undoes another one."""
_WAYS = {"clean": "SinkBasin", "heat": "Microwave", "cool": "Fridge"}
"""Treatment to the appliance."""
_SWITCHES = {"open": "open", "closed": "close", "on": "turn_on", "off": "turn_off"}


def solution(task: Task, scene: Scene, goal: Sequence[WantedDocument]) -> tuple[Action, ...]:
    """Return a plan that should reach a goal; empty if the room has not got what it takes."""
    solver = _Solver(task, scene)
    try:
        # What is held at the end is taken last.
        for wanted in sorted(goal, key=lambda each: "held" in each.states):
            solver.reach(wanted)
    except IndexError:  # there is no such appliance, or no object is left
        return ()
    return tuple(solver.plan)


class _Solver:
    """Does what is wanted, one thing after the other, by ALFRED's ways of treating things."""

    def __init__(self, task: Task, scene: Scene) -> None:
        self._scene = scene
        self._run = Run(world().world, task.start, task.agent)
        self._used: set[str] = set()
        self.plan: list[Action] = []

    def _do(self, name: str, *words: str) -> None:
        self.plan.append(Action(name, words))
        world().rules.take(self._run, self.plan[-1], len(self.plan))

    def _other(self, predicate: str, name: str) -> str:
        """What an object stands in a relation to; empty if there is nothing."""
        return next(iter(self._run.state.related(predicate, name)), "")

    def _opened(self, name: str) -> None:
        if name.partition("_")[0] in types("closed") and not self._run.state.holds("open", (name,)):
            if self.plan[-1:] != [Action("find", (name,))]:
                self._do("find", name)
            self._do("open", name)

    def _at(self, name: str) -> None:
        """Find something, whatever it is in."""
        around = [self._other("in", name)]
        while around[-1]:
            around.append(self._other("in", around[-1]))
        for each in reversed(around[:-1]):
            self._opened(each)
        self._do("find", name)

    def _put(self, place: str) -> None:
        self._at(place)
        self._opened(place)
        self._do("put", place)

    def _treat(self, way: str) -> None:
        """Clean, heat or cool what is held, and take it again."""
        held, place = self._other("holds", AGENT), self._scene.of_type(_WAYS[way])[0].name
        self._put(place)
        if way == "clean":
            taps = self._scene.of_type("Faucet")
            tap = next((one for one in taps if self._other("waters", one.name) == place), taps[0])
            steps = [("find", tap.name), ("turn_on", tap.name), ("turn_off", tap.name)]
        else:
            switch = [("turn_on", place), ("turn_off", place)] if way == "heat" else []
            steps = [("close", place), *switch, ("open", place)]
        for step in (*steps, ("find", held), ("pick", held)):
            self._do(*step)

    def reach(self, wanted: WantedDocument) -> list[str]:
        """Bring about what is wanted; return the objects."""
        scene = self._scene
        free = [n for n in objects_of(scene, wanted.object, "") if n not in self._used]
        chosen, receptacles = free[: wanted.count], list[str]()
        if "sliced" in wanted.states:
            chosen = self._sliced(free[0])[: wanted.count]
        self._used.update(chosen)
        outer = wanted.inside
        if isinstance(outer, str):
            receptacles = objects_of(scene, outer, "")
        elif outer is not None:
            others = objects_of(scene, outer.object, "")
            receptacles = [name for name in others if name not in self._used]
        for name in [chosen[n] for n in range(wanted.count)]:
            self._treated(name, wanted, receptacles[0] if receptacles else "")
        if isinstance(outer, WantedDocument):
            self._used.discard(receptacles[0])
            self.reach(outer)
        return chosen

    def _treated(self, name: str, wanted: WantedDocument, place: str) -> None:
        for state, verb in _SWITCHES.items():
            if state in wanted.states:
                knobs = [one.name for one in self._scene.objects if name in one.controls]
                target = knobs[0] if knobs and verb.startswith("turn") else name
                self._at(target)
                self._do(verb, target)
        treatments = [step for word, step in _TREATMENTS.items() if word in wanted.states]
        if not (treatments or place or "held" in wanted.states):
            return
        self._at(name)
        self._do("pick", name)
        for step in dict.fromkeys(treatments):
            self._treat(step)
        if place:
            self._put(place)
        elif "held" not in wanted.states:
            self._do("drop")

    def _sliced(self, name: str) -> list[str]:
        state = self._run.state
        begin = f"{name}_{self._scene.by_name()[name].type}"
        pieces = [each for each in state.universe.names if each.startswith(begin)]
        if not state.holds("sliced", (name,)):
            knives = self._scene.of_type("Knife", "ButterKnife")
            self._at(knives[0].name)
            self._do("pick", knives[0].name)
            self._at(name)
            self._do("slice", name)
            self._do("drop")
        return [n for n in pieces if n not in self._used]


_HEATED = ("Apple", "Bread", "Cup", "Egg", "Mug", "Plate", "Potato", "Tomato")
_POOLS = {
    "hot": _HEATED,
    "cold": (*_HEATED, "Bowl", "Lettuce", "Pan", "Pot", "WineBottle"),
    "clean": ("Apple", "Bowl", "ButterKnife", "Cloth", "Cup", "Fork", "Lettuce", "Mug", "Pan"),
}
"""What is heated, cooled and washed."""
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
