"""Goals of a task as a graph: what comes before what, and how far each goal is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from eai.agents.holomind.percepts import plain

RETRIES = 2
"""How often a goal that failed is tried again."""

MAX_GOALS = 100
"""Maximum number of goals that are pursued; long days in a house have about ten."""


class Status(str, Enum):
    """How far a goal is."""

    PENDING = "pending"
    READY = "ready"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    BLOCKED = "blocked"
    SKIPPED = "skipped"


_LOST = (Status.FAILED, Status.SKIPPED, Status.BLOCKED)
_OPEN = (Status.PENDING, Status.READY, Status.BLOCKED)


class Edge(str, Enum):
    """Why a goal comes before another; the weakest first."""

    RESOURCE = "resource"
    TEMPORAL = "temporal"
    OBJECT = "object-level"
    CAUSAL = "causal"


@dataclass(frozen=True, slots=True)
class Reference:
    """What is said of an object.

    Args:
        kinds: Types that it may have, in plain letters; empty for any.
        name: Its name, where it is known.
        place: Type or name of what it is in or on at the start.
        room: The room that it is in at the start.
    """

    kinds: tuple[str, ...] = ()
    name: str = ""
    place: str = ""
    room: str = ""

    @classmethod
    def of(cls, *words: str) -> Reference:
        """A reference to any object of some types."""
        return cls(tuple(map(plain, words)))

    @property
    def closeness(self) -> int:
        """How much it says of which object is meant."""
        return 4 * bool(self.name) + 2 * bool(self.place) + bool(self.room)

    def __str__(self) -> str:
        where = f" from {self.place}" if self.place else ""
        return f"{self.name or '|'.join(self.kinds)}{where}{self.room and f' in {self.room}'}"


ANYTHING = Reference()
"""Says nothing of an object."""


@dataclass(slots=True, eq=False)
class Goal:
    """One goal.

    Args:
        kind: ``"put"``, ``"on"``, ``"off"``, ``"open"``, ``"close"``, ``"slice"``, ``"cook"``,
            ``"fill"``, ``"clean"``, ``"hold"``, or ``"do"`` (the action of a name).
        relation: Whether it is put ``"in"`` or ``"on"``, where it is said.
        after: Numbers of the goals that come before it, and why.
        waived: Those of them that it does not wait for any more.
        shares: Number of the goal that is about the same object; 0 if there is none.
        bound: Name of the object that was chosen.
        refused: Names that failed, or are left to other goals.
    """

    number: int
    kind: str
    what: Reference
    to: Reference | None = None
    action: str = ""
    relation: str = ""
    after: dict[int, Edge] = field(default_factory=dict)
    waived: set[int] = field(default_factory=set)
    shares: int = 0
    status: Status = Status.PENDING
    tries: int = 0
    bound: str = ""
    refused: set[str] = field(default_factory=set)

    def __str__(self) -> str:
        to = f" -> {self.to}" if self.to else ""
        return f"{self.action or self.kind} {self.bound or self.what}{to}"


class GoalGraph:
    """The goals of a task, acyclic after every operation: a cycle is broken at its weakest edge."""

    def __init__(self, goals: list[Goal], log: Callable[..., None] = lambda *_, **__: None) -> None:
        self.goals = {goal.number: goal for goal in goals}
        self._log = log
        for goal in goals:
            goal.after = {n: edge for n, edge in goal.after.items() if n in self.goals}
        strength = {edge: number for number, edge in enumerate(Edge)}
        while ring := self.cycle():
            pairs = pairwise([*ring, ring[0]])
            later, first = min(pairs, key=lambda p: (strength[self.goals[p[0]].after[p[1]]], p))
            del self.goals[later].after[first]
            log("cycle", broken=f"{first} before {later}")
        self.update()

    def cycle(self) -> list[int]:
        """Numbers of goals each of which comes after the next, the last after the first."""
        try:
            TopologicalSorter({n: goal.after for n, goal in self.goals.items()}).prepare()
        except CycleError as error:
            ring: list[int] = error.args[1]
            return ring[:0:-1]
        return []

    def of(self, *statuses: Status) -> list[Goal]:
        """The goals of some statuses, in their order."""
        return [goal for goal in self.goals.values() if goal.status in statuses]

    def set(self, goal: Goal, status: Status, cause: str) -> None:
        """Change how far a goal is; the goals behind it follow."""
        self._log("goal", goal=goal.number, status=status.value, cause=cause)
        goal.status = status
        self.update()

    def update(self) -> None:
        """Say which goals are ready and which are blocked, by those before them."""
        before: list[Status] = []
        while before != (now := [goal.status for goal in self.goals.values()]):
            before = now
            for goal in self.of(*_OPEN):
                # A tool is free again, whatever came of the goal that it was used for.
                states = [
                    self.goals[n].status
                    for n, edge in goal.after.items()
                    if n not in goal.waived
                    and not (edge is Edge.RESOURCE and self.goals[n].status in _LOST)
                ]
                goal.status = Status.PENDING
                if any(state in _LOST for state in states):
                    goal.status = Status.BLOCKED
                elif all(state is Status.DONE for state in states):
                    goal.status = Status.READY

    # ------------------------------------------------------------------ replan operators

    def retry(self, goal: Goal) -> bool:
        """Make a goal that failed ready again; if its retries are spent it is skipped."""
        again = goal.status is Status.FAILED and goal.tries <= RETRIES
        self.set(goal, Status.PENDING if again else Status.SKIPPED, "retry" if again else "spent")
        return again

    def insert(self, first: Goal, second: Goal, edge: Edge = Edge.CAUSAL) -> bool:
        """Put a goal before another; False, and nothing is changed, if that made a cycle."""
        new = first.number not in self.goals
        self.goals[first.number] = first
        second.after[first.number] = edge
        if self.cycle():
            del second.after[first.number]
            if new:
                del self.goals[first.number]
            return False
        self._log("graph", first=first.number, second=second.number, why=edge.value)
        self.update()
        return True

    def reorder(self, first: Goal, second: Goal) -> bool:
        """Turn an edge around; False, and nothing is changed, if that made a cycle."""
        edge = second.after.pop(first.number)
        turned = self.insert(second, first, edge)
        if not turned:
            second.after[first.number] = edge
        return turned

    def split(self, goal: Goal, parts: list[Goal]) -> None:
        """Put goals in place of one, each after what it was after."""
        del self.goals[goal.number]
        for part in parts:
            part.after |= goal.after
            self.goals[part.number] = part
        for each in self.goals.values():
            if edge := each.after.pop(goal.number, None):
                each.after |= {part.number: edge for part in parts}
        self._log("graph", split=goal.number, parts=[part.number for part in parts])
        self.update()

    def drop(self, goal: Goal) -> None:
        """Leave a goal out; what is behind it waits for it no more."""
        for each in self.goals.values():
            if goal.number in each.after:
                each.waived.add(goal.number)
        self.set(goal, Status.SKIPPED, "drop")
