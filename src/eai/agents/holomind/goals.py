"""The goals of a task as a graph: an edge says that one goal comes before another, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from eai.agents.holomind.percepts import plain

RETRIES = 2
"""Number of times that a failed goal is tried again."""

MAX_GOALS = 100
"""Maximum number of goals that are pursued; long days in a house have about ten."""


class Status(str, Enum):
    """Progress of a goal."""

    PENDING = "pending"
    READY = "ready"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    BLOCKED = "blocked"
    SKIPPED = "skipped"


_LOST = (Status.FAILED, Status.SKIPPED, Status.BLOCKED)
"""Statuses of goals that were not reached; goals behind them cannot be begun."""
_OPEN = (Status.PENDING, Status.READY, Status.BLOCKED)
"""Statuses of goals that were not begun."""


class Edge(str, Enum):
    """The reason why one goal precedes another, from weakest to strongest."""

    RESOURCE = "resource"
    TEMPORAL = "temporal"
    OBJECT = "object-level"
    CAUSAL = "causal"


@dataclass(frozen=True, slots=True)
class ObjectReference:
    """A description of an object.

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
    def of(cls, *words: str) -> ObjectReference:
        """Return a reference to any object of some types."""
        return cls(tuple(map(plain, words)))

    @property
    def closeness(self) -> int:
        """How closely the object is described, first by name, then by place, then by room."""
        # Each weight is larger than the sum of the following weights.
        return 4 * bool(self.name) + 2 * bool(self.place) + bool(self.room)

    def __str__(self) -> str:
        text = self.name or "|".join(self.kinds)
        if self.place:
            text += f" from {self.place}"
        if self.room:
            text += f" in {self.room}"
        return text


ANYTHING = ObjectReference()
"""The reference to any object."""


def object_and_target(
    objects: Sequence[ObjectReference],
) -> tuple[ObjectReference, ObjectReference | None]:
    """Return the object and the target of a goal or step, given in this order."""
    if not objects:
        return ANYTHING, None
    if len(objects) == 1:
        return objects[0], None
    return objects[0], objects[1]


@dataclass(slots=True, eq=False)
class GoalNode:
    """One goal.

    Args:
        number: Its number in the task, from 1.
        kind: ``"put"``, ``"on"``, ``"off"``, ``"open"``, ``"close"``, ``"slice"``, ``"cook"``,
            ``"fill"``, ``"clean"``, ``"hold"``, or ``"do"`` (the action of a name).
        what: The object that it is about.
        to: The target, of a goal to put the object somewhere.
        action: Name of the action, of a goal to do it.
        relation: ``"in"`` or ``"on"``, if the task says it.
        after: Number of each goal that comes before it to the reason.
        waived: Numbers of those of them that it does not wait for any more.
        shares: Number of the goal that is about the same object; 0 if there is none.
        status: Its progress.
        tries: Number of times that it was begun.
        bound: Name of the object that was chosen.
        refused: Names of objects that failed, or are left to other goals.
    """

    number: int
    kind: str
    what: ObjectReference
    to: ObjectReference | None = None
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
        text = f"{self.action or self.kind} {self.bound or self.what}"
        if self.to is not None:
            text += f" -> {self.to}"
        return text


class GoalGraph:
    """The goals of a task.

    The graph is acyclic after every operation: a cycle is broken at its weakest edge.

    Args:
        goals: The goals.
        log: Adds an entry to the log of the agent.
    """

    def __init__(
        self, goals: list[GoalNode], log: Callable[..., None] = lambda *_, **__: None
    ) -> None:
        """Connect the goals, and remove edges until there is no cycle."""
        self.goals = {goal.number: goal for goal in goals}
        self._log = log
        for goal in goals:
            # Edges to goals that are not in the graph.
            for missing_number in goal.after.keys() - self.goals.keys():
                del goal.after[missing_number]
        cycle = self.cycle()
        # Each round removes an edge, so this ends.
        while cycle:
            later, earlier = self._weakest_edge(cycle)
            del self.goals[later].after[earlier]
            log("cycle", broken=f"{earlier} before {later}")
            cycle = self.cycle()
        self.update()

    def _weakest_edge(self, ring: Sequence[int]) -> tuple[int, int]:
        """Return the ends of the weakest edge in a cycle, the later goal first."""
        weakest_first = list(Edge)
        ranked_edges = []
        for later, first in pairwise([*ring, ring[0]]):
            edge = self.goals[later].after[first]
            # The minimum is the weakest edge; of equally weak edges, that of the first goals.
            ranked_edges.append((weakest_first.index(edge), later, first))
        _, later, first = min(ranked_edges)
        return later, first

    def cycle(self) -> list[int]:
        """Return the goals on a cycle, or none if the graph has no cycle."""
        graph = {number: goal.after for number, goal in self.goals.items()}
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            # The library lists it from first to later ones, and repeats the first goal at the end.
            ring: list[int] = error.args[1]
            return ring[:0:-1]
        return []

    def of(self, *statuses: Status) -> list[GoalNode]:
        """Return the goals of some statuses, in their order."""
        return [goal for goal in self.goals.values() if goal.status in statuses]

    def set(self, goal: GoalNode, status: Status, cause: str) -> None:
        """Change the status of a goal, and update the goals that depend on it."""
        self._log("goal", goal=goal.number, status=status.value, cause=cause)
        goal.status = status
        self.update()

    def update(self) -> None:
        """Mark goals as ready or blocked, depending on their predecessors."""
        # Until nothing changes, because a blocked goal blocks the goals that depend on it.
        is_changing = True
        while is_changing:
            is_changing = False
            for goal in self.of(*_OPEN):
                status = self._open_status(goal)
                if status is not goal.status:
                    goal.status = status
                    is_changing = True

    def _open_status(self, goal: GoalNode) -> Status:
        """Return the status of a goal that is not begun yet."""
        statuses = []
        for earlier, edge in goal.after.items():
            status = self.goals[earlier].status
            # A tool is free again even if the goal that it was used for failed.
            is_free = edge is Edge.RESOURCE and status in _LOST
            if earlier not in goal.waived and not is_free:
                statuses.append(status)
        if any(status in _LOST for status in statuses):
            return Status.BLOCKED
        if all(status is Status.DONE for status in statuses):
            return Status.READY
        return Status.PENDING

    # ------------------------------------------------------------------ replan operators

    def retry(self, goal: GoalNode) -> bool:
        """Mark a failed goal as ready and return True, or skip it after too many retries."""
        if goal.status is Status.FAILED and goal.tries <= RETRIES:
            self.set(goal, Status.PENDING, "retry")
            return True
        self.set(goal, Status.SKIPPED, "spent")
        return False

    def insert(self, first: GoalNode, second: GoalNode, edge: Edge = Edge.CAUSAL) -> bool:
        """Put a goal before another one, unless that creates a cycle; return whether it was done.

        Args:
            first: The goal that comes first; it is added if it is new.
            second: The goal that has to wait for it.
            edge: Why it has to wait.
        """
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

    def reorder(self, first: GoalNode, second: GoalNode) -> bool:
        """Reverse an edge, unless that creates a cycle; return whether it was done."""
        edge = second.after.pop(first.number)
        turned = self.insert(second, first, edge)
        if not turned:
            second.after[first.number] = edge
        return turned

    def split(self, goal: GoalNode, new_goals: list[GoalNode]) -> None:
        """Replace a goal by several, which inherit its predecessors."""
        del self.goals[goal.number]
        for new_goal in new_goals:
            new_goal.after |= goal.after
            self.goals[new_goal.number] = new_goal
        for later_goal in self.goals.values():
            edge = later_goal.after.pop(goal.number, None)
            if edge is not None:
                later_goal.after |= {new_goal.number: edge for new_goal in new_goals}
        self._log("graph", split=goal.number, parts=[new_goal.number for new_goal in new_goals])
        self.update()

    def drop(self, goal: GoalNode) -> None:
        """Skip a goal, so that its successors no longer wait for it."""
        for other in self.goals.values():
            if goal.number in other.after:
                other.waived.add(goal.number)
        self.set(goal, Status.SKIPPED, "drop")
