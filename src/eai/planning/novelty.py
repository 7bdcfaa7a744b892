"""Best-first width search: states that show something new come first.

The novelty of a state is 1 if some literal, and 2 if some pair of literals, is true in it for
the first time among the states with the same counts; 3 otherwise (Lipovetzky & Geffner 2012).
The counts are the conjuncts of the goal that are open, and the literals of a relaxed plan that
were seen since their number changed last: BFWS(f5) of Lipovetzky & Geffner 2017, section 3.
Nothing is pruned: when the queue is empty, every reachable state was seen.
"""

from __future__ import annotations

from heapq import heappop, heappush

from eai.planning.conditions import unmet
from eai.planning.greedy import Relaxation
from eai.planning.limits import Limits
from eai.planning.task import Search, Space, Task
from eai.world.bits import bits


class Novelty:
    """Literals and pairs of literals seen so far, apart for each class of states.

    Args:
        literals: The literals that count.
        limits: Counts what is kept.
    """

    def __init__(self, literals: int, limits: Limits) -> None:
        self._literals = literals
        self._limits = limits
        self._single: dict[object, int] = {}
        self._beside: dict[object, dict[int, int]] = {}

    def measure(self, kind: object, state: int, new: int) -> int:
        """Return the novelty of a state (1, 2 or 3) and remember what is true in it.

        Args:
            kind: Its class.
            state: The state.
            new: Literals that need a look: those that differ from another state of the class.
        """
        true = state & self._literals
        seen = self._single.get(kind, 0)
        self._single[kind] = seen | true
        found = 1 if true & ~seen else 3
        rows = self._beside.setdefault(kind, {})
        self._limits.count((true & new).bit_count())
        for literal in bits(true & new):
            row = rows.get(literal, 0)
            if not row:
                self._limits.keep(true)
            fresh = true & ~row
            if not fresh:
                continue
            rows[literal] = row | true
            if found == 3 and any(not rows.get(i, 0) >> literal & 1 for i in bits(fresh)):
                found = 2
        return found


def search_by_width(task: Task, limits: Limits) -> Search:
    """Search for a plan, best-first by novelty.

    If there is none, every reachable state is seen.
    """
    space, relaxation = Space(task, limits), Relaxation(task, limits)
    novelty = Novelty(task.needed, limits)
    start = task.initial
    left = unmet(task.goal, start)
    if not left:
        return []
    # Open goals, literals of the relaxed plan, those of them seen since.
    counts = (left, _wanted(relaxation, start), 0)
    novelty.measure((left, 0), start, start)
    queue: list[tuple[int, int, int, int, tuple[int, int, int]]] = [(1, left, 0, start, counts)]
    while queue:
        _, _, _, state, counts = heappop(queue)
        space.count(state)
        yield
        before, wanted, seen = counts
        for after, _ in space.successors(state):
            left = unmet(task.goal, after)
            if not left:
                return space.plan_to(after)
            if left < before:
                now = (left, _wanted(relaxation, after), 0)
            else:
                now = (left, wanted, seen | (after & wanted))
            same = left == before and now[2] == seen
            kind = (left, now[2].bit_count())
            rank = novelty.measure(kind, after, after & ~state if same else after)
            heappush(queue, (rank, left, len(space), after, now))
    return None


def _wanted(relaxation: Relaxation, state: int) -> int:
    """Literals of a relaxed plan from a state; none if the goal is out of reach."""
    found = relaxation.plan(state)
    return 0 if found is None else found[1]
