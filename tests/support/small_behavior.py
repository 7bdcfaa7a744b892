"""A small BEHAVIOR kitchen, and tasks in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from eai.diagnosis import Result
from eai.semantics import Semantics
from eai.simulators import BehaviorSimulator, initial_state
from eai.simulators.behavior import AGENT, BehaviorObject, BehaviorScene
from eai.suites.behavior import Behavior
from eai.suites.behavior.goals import BddlGoal
from eai.suites.behavior.plans import BehaviorPlans
from eai.task import Task, Vocabulary
from eai.world import State

__all__ = [
    "OFFICIAL",
    "STRICT",
    "SUITE",
    "errors",
    "evaluated",
    "facts_of",
    "kitchen",
    "state_of",
    "task_in",
    "written",
]

SUITE = Behavior()
OFFICIAL = SUITE.semantics("official")
STRICT = SUITE.semantics("strict")

_FOOD = ("Cooked", "Frozen")
_OBJECTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("room_floor_kitchen_0", "floor.n.01_1", ("Dusty", "Stained")),
    ("table_1", "table.n.02_1", ("Dusty", "Stained")),
    ("fridge_2", "refrigerator.n.01_1", ("Open",)),
    ("jar_3", "jar.n.01_1", ("Open",)),
    ("jar_4", "jar.n.01_2", ("Open",)),
    ("apple_5", "apple.n.01_1", (*_FOOD, "Sliced")),
    ("egg_6", "egg.n.02_1", _FOOD),
    ("knife_7", "knife.n.01_1", ("Slicer",)),
    ("sink_8", "sink.n.01_1", ("ToggledOn", "Dusty")),
    ("rag_9", "rag.n.01_1", ("CleaningTool", "Soaked")),
    ("plate_10", "plate.n.04_1", ("Dusty", "Stained")),
    ("dishwasher_11", "dishwasher.n.01_1", ("Open", "ToggledOn")),
    ("saucepan_12", "saucepan.n.01_1", ()),
    ("detergent_13", "detergent.n.02_1", ()),
    ("microwave_14", "microwave.n.02_1", ("Open", "ToggledOn")),
)
_NUMBER = re.compile(r"_\d+$")


def kitchen(states: str = "", relations: str = "", *, floors: int = 1) -> BehaviorScene:
    """A scene: states such as ``"Open jar_3; Dusty egg_6"``, relations ``"inside egg_6 jar_3"``."""
    true = [entry.split() for entry in filter(None, states.split("; "))]
    objects: list[BehaviorObject] = []
    for name, bddl, abilities in _OBJECTS:
        holds = tuple(sorted(state for state, of in true if of == name))
        floor = bddl.startswith("floor")
        objects.append(BehaviorObject(name, bddl, floor, False, tuple(sorted(abilities)), holds))
        if "Sliced" in abilities:
            objects += [
                BehaviorObject(f"{name}_part_{i}", bddl, part=True, abilities=_FOOD) for i in (0, 1)
            ]
    for number in range(1, floors):
        objects.append(
            BehaviorObject(f"room_floor_hall_{number}", f"floor.n.01_{number + 1}", True)
        )
    placed = [entry.split() for entry in filter(None, relations.split("; "))]
    return BehaviorScene(tuple(objects), tuple((r, a, b) for r, a, b in placed))


def state_of(facts: str, simulator: BehaviorSimulator, *, floors: int = 1) -> State:
    """A state of the kitchen with facts such as ``"holds_rh rag_9; dusty plate_10"``."""
    state = initial_state(kitchen(floors=floors))
    assert state.layout.names == simulator.world.layout.names
    for fact in filter(None, facts.split("; ")):
        predicate, *arguments = fact.split()
        if predicate.startswith("holds_"):
            arguments = [AGENT, *arguments]
        state.add(predicate, arguments)
    return state


def facts_of(state: State) -> set[str]:
    """Facts as :func:`state_of` takes them."""
    texts = (" ".join([atom.predicate, *map(str, atom.terms)]) for atom in state.atoms())
    return {text.replace(f" {AGENT}", "") for text in texts}


def task_in(scene: BehaviorScene, goal: str = "(open jar_3)") -> Task:
    """A task with a goal in BDDL; objects have their names in plans."""
    state = initial_state(scene)
    names = [name for name in state.universe.names if name != AGENT]
    actions = {
        name: len(operator.parameters) - 1
        for name, operator in BehaviorSimulator().world.domain.operators.items()
    }
    classes: dict[str, tuple[str, ...]] = {}
    for name in names:
        word = _NUMBER.sub("", name)
        classes[word] = (*classes.get(word, ()), name)
    vocabulary = Vocabulary(actions, {"open": 1}, frozenset(names), classes)
    return Task("t", "try", "Try it.", state, AGENT, BddlGoal(goal), vocabulary)


def written(steps: Iterable[str]) -> str:
    """An answer from steps such as ``"OPEN jar_3"``."""
    pairs = [step.split(" ", 1) for step in steps]
    return json.dumps([{"action": name, "object": target} for name, target in pairs])


def evaluated(task: Task, *steps: str, semantics: Semantics = OFFICIAL) -> Result:
    """Evaluate a plan."""
    return BehaviorPlans(semantics).evaluate(task, written(steps))


def errors(result: Result) -> list[tuple[str, int]]:
    """Kinds and steps of what went wrong, unmet goals left out."""
    return [(f.kind.value, f.step) for f in result.findings if f.step is not None]
