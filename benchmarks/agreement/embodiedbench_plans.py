"""Convert ALFRED's gold plans to skills of EB-ALFRED, and make plans for EB-Habitat, by hand.

    python benchmarks/agreement/embodiedbench_plans.py [FILE ...]

Without a file it says how many of the plans that ship are those that it makes; with
`tasks/embodiedbench/alfred.json.gz` or `habitat.json.gz` it writes them there.
"""

from __future__ import annotations

import gzip
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import eai
from eai.acting import unobserved
from eai.logic import Atom, Not
from eai.semantics import Semantics
from eai.suites.embodiedbench import habitat
from eai.suites.embodiedbench.alfred import AlfredEnvironment, AlfredRecord, has_words, room
from eai.suites.embodiedbench.habitat import place_of
from eai.suites.embodiedbench.skills import types
from eai.task import Task
from eai.world import Action

_TREATED = {"CleanObject": "SinkBasin", "HeatObject": "Microwave", "CoolObject": "Fridge"}


class _Conversion:
    """ALFRED's gold plan as skills, carried out as they are found.

    Words name a first instance, and a slice, only as what its type's words lead to. Where that is
    another one than the gold plan takes, the two change places.
    """

    def __init__(self, task: Task) -> None:
        record = cast("AlfredRecord", task.metadata["record"])
        self._gold, self._room = record.gold, room(record.setup)
        self._world = AlfredEnvironment(task, Semantics("strict"))
        unobserved(self._world)
        self._names = [self._instance(step[1]) for step in self._gold]
        self._ahead = {
            name
            for name, step in zip(self._names, self._gold, strict=True)
            if step[0] == "PickupObject"
        }
        self._taken: set[str] = set()
        self._as: dict[str, str] = {}
        self._plan: list[Action] = []

    def converted(self) -> tuple[Action, ...]:
        """Return the plan: where it goes is found, and doors are opened."""
        for name, (action, *_, other) in zip(self._names, self._gold, strict=True):
            if action in ("PickupObject", "SliceObject"):
                self._act(self._as.get(name, name), "pick" if action[0] == "P" else "slice")
            elif action == "PutObject":
                self._put(self._named(other))
            elif action == "ToggleObject":
                self._act(name, "turn_on")
            elif action in _TREATED:
                held, kind = self._world.held, _TREATED[action]
                place = self._put(name or self._room.of_type(kind)[0].name)
                self._treat(action, place)
                self._act(held, "pick")
        return tuple(self._plan)

    def _named(self, id_: str) -> str:
        """The name of an object by its id, or the nearest one of its type; else nothing."""
        kind, *at = id_.split("|")
        here = [float(each) for each in at[:3]]
        alike = self._room.of_type(at[3] if at[3:] else kind)
        same = (one.name for one in alike if one.id == id_)
        near = min(alike, key=lambda one: math.dist(one.position, here), default=None)
        return next(same, near.name if near else "")

    def _instance(self, id_: str) -> str:
        """The object of an id in the gold plan; of a slice one that there is."""
        whole, _, piece = id_.rpartition("|")
        kind = piece.partition("_")[0]
        if "Sliced" not in kind:
            return self._named(id_) if id_ else ""
        source, names = self._named(whole), self._world.task.start.universe.names
        pieces = [name for name in names if name.startswith(f"{source}_{kind}_")]
        return next((name for name in pieces if name.endswith(piece)), (pieces or [source])[0])

    def _do(self, verb: str, name: str) -> None:
        self._plan.append(Action(verb, (name,)))
        self._world.step(self._plan[-1])

    def _led_to(self, name: str, verb: str = "find") -> str:
        """What the words of its type lead to now."""
        any_of_type = f"{name.partition('_')[0]}*"
        action, _ = self._world.choose_target(Action(verb, (any_of_type,)))
        return action.arguments[0]

    def _swap(self, one: str, other: str) -> str:
        gold = {actual: name for name, actual in self._as.items()}
        self._as |= {gold.get(one, one): other, gold.get(other, other): one}
        return other

    def _goes_to(self, place: str) -> bool:
        """Whether words lead to a receptacle, if need be from beside another one."""
        if has_words(place) or self._led_to(place) == place:
            return True
        for beside in self._room.by_name():
            if not has_words(beside) and self._led_to(beside) != beside:
                continue
            self._world.step(Action("find", (beside,)))
            if self._led_to(place) == place:
                self._plan.append(Action("find", (beside,)))
                return True
        return False

    def _act(self, name: str, verb: str = "") -> str:
        """Find something, which may be shut in, and act on it; return what it was."""
        found = self._led_to(name)
        ahead = {self._as.get(each, each) for each in self._ahead} - self._taken
        first = {name, found} <= ahead and not has_words(found)
        if found not in (name, *self._taken) and (first or not has_words(name)):
            name = self._swap(name, found)
        place = self._world.place(name)
        if self._world.holds("shut_in", name):
            shown = has_words(name) or self._led_to(name) == name
            self._do("find", place if self._goes_to(place) or not shown else name)
            self._do("open", place)
        if not has_words(name) and self._led_to(name) != name:
            self._do("find", place)  # its words lead to one that was taken: it is taken from here
            name = self._swap(name, self._led_to(name, verb or "find"))
        else:
            self._do("find", name)
        if verb:
            self._do(verb, name)
        self._taken |= {name} if verb == "pick" else set()
        return name

    def _put(self, place: str) -> str:
        """Put what is held."""
        place = self._act(self._as.get(place, place))
        if place.partition("_")[0] in types("closed") and not self._world.holds("open", place):
            self._do("open", place)
        self._do("put", place)
        return place

    def _waters(self, tap: str, basin: str) -> bool:
        return self._world.state().holds("waters", (tap, basin))

    def _treat(self, action: str, place: str) -> None:
        if action == "CleanObject":
            taps = [name for name in self._room.by_name() if self._waters(name, place)]
            faucet = self._act((taps or [self._led_to("Faucet")])[0], "turn_on")
            self._do("turn_off", faucet)
            return
        self._do("close", place)
        if action == "HeatObject":
            self._do("turn_on", place)
            self._do("turn_off", place)
        self._do("open", place)


def converted(task: Task) -> tuple[Action, ...]:
    """Return ALFRED's gold plan as skills that words lead to."""
    return _Conversion(task).converted()


def habitat_plan(task: Task) -> tuple[Action, ...]:
    """Return a plan that reaches a goal of EB-Habitat: it goes, takes, goes and puts."""
    held = [
        [habitat.world().holds(task.start, each) for _, each in option]
        for option in task.goal.final
    ]
    best = max(range(len(held)), key=lambda n: sum(held[n]))
    plan: list[Action] = []
    for (_, literal), holds in zip(task.goal.final[best], held[best], strict=True):
        atom = literal.operands[0] if isinstance(literal, Not) else literal
        if holds or not isinstance(atom, Atom):
            continue
        place = str(atom.terms[-1])
        if atom.predicate == "on_top":
            name, target = str(atom.terms[0]), place
            if literal is not atom:  # it may not stay where it is
                target = "sofa" if place != "sofa" else "table_1"
            pick = Action(f"pick_{name.rpartition('.')[0]}", (name,))
            plan += [Action("nav", (place_of(task.start, name),)), pick]
            plan += [Action("nav", (target,)), Action("place", (target,))]
        else:
            plan.append(Action("nav", (place,)))
            door = {"opened_fridge": "open_fridge", "closed_fridge": "close_fridge"}
            if atom.predicate in door:
                plan.append(Action(door[atom.predicate], (place,)))
    return tuple(plan)


def main() -> None:
    """Compare the plans that ship, or write them."""
    made: dict[str, Callable[[Task], tuple[Action, ...]]]
    made = {"eb-alfred": converted, "eb-habitat": habitat_plan}
    for name, make in made.items():
        suite = eai.suite(name)
        plans = {task: make(suite.task(task)) for task in suite.task_ids()}
        same = sum(suite.task(task).plans[:1] == (plan,) for task, plan in plans.items())
        print(f"{name}: {same} of {len(plans)} plans are as they are made")
        for path in map(Path, sys.argv[1:]):
            if path.name.partition(".")[0] != name.removeprefix("eb-"):
                continue
            data = json.loads(gzip.decompress(path.read_bytes()))
            columns = 14 if name == "eb-alfred" else 9
            for row in data["tasks"]:
                plan = plans[f"{row[0]}/{row[1]}"]
                row[columns - 1 :] = [[" ".join((step.name, *step.arguments)) for step in plan]]
            text = json.dumps(data, separators=(",", ":"))
            path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
