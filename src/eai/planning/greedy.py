"""Greedy best-first search with relaxed plans, preferred actions and goal counts."""

from __future__ import annotations

from heapq import heappop, heappush

from eai.planning.conditions import Condition, conjoin, holds, size_of, unmet
from eai.planning.limits import Limits
from eai.planning.task import Search, Space, Task
from eai.world import mask_of
from eai.world.bits import bits

_Source = tuple[int, int, Condition]
"""Where a literal comes from: number of the action (-1: a rule), layer, and condition."""


class Relaxation:
    """Relaxed plans of one task."""

    def __init__(self, task: Task, limits: Limits) -> None:
        self._task, self._limits = task, limits
        operators: list[tuple[int, Condition, int]] = []
        for number, action in enumerate(task.actions):
            if action.effect:
                operators.append((number, action.condition, action.effect))
            for condition, literals in action.conditional:
                both = conjoin((action.condition, condition))
                operators.append((number, both, literals))
        operators += [(-1, rule.body, rule.head) for group in task.strata for rule in group]
        self._operators = operators
        self._sizes = [size_of(condition) for _, condition, _ in operators]
        self._missing = [condition.every.bit_count() for _, condition, _ in operators]
        self._at_once = [at for at, missing in enumerate(self._missing) if not missing]
        self._waiting: dict[int, list[int]] = {}
        for at, (_, condition, _) in enumerate(operators):
            for literal in bits(condition.every):
                self._waiting.setdefault(literal, []).append(at)
        self._asked = mask_of(self._waiting)

    def plan(self, state: int) -> tuple[set[int], int] | None:
        """Find a relaxed plan.

        Returns:
            Numbers of its actions (in ``task.actions``), and the mask of the literals that it
            asks for and that are not true yet; None if there is none.
        """
        built = self._layers(state)
        return None if built is None else self._extract(*built)

    def _layers(self, state: int) -> tuple[list[int], dict[int, _Source]] | None:
        """Build layers of literals up to the goal; each operator counts what it still misses."""
        goal, waiting = self._task.goal, self._waiting
        reached = fresh = state | self._task.derived << 1
        layers, sources = [reached], dict[int, _Source]()
        missing, ready = self._missing[:], self._at_once[:]
        while not holds(goal, reached):
            looked = 0
            for literal in bits(fresh & self._asked):
                looked += len(waiting[literal])
                for at in waiting[literal]:
                    missing[at] -= 1
                    if not missing[at]:
                        ready.append(at)
            self._limits.count(looked)
            grown, ready = self._grown(ready, reached, sources, len(layers))
            fresh = grown & ~reached
            if not fresh:
                return None
            reached = grown
            layers.append(reached)
        return layers, sources

    def _grown(
        self, ready: list[int], reached: int, sources: dict[int, _Source], layer: int
    ) -> tuple[int, list[int]]:
        """Add what operators make true; returns all literals, and the operators to try again."""
        grown, again = reached, list[int]()
        self._limits.count(sum([self._sizes[at] for at in ready]))
        for at in sorted(ready):
            number, condition, literals = self._operators[at]
            if (condition.clauses or condition.choices) and not holds(condition, reached):
                again.append(at)
                continue
            new = literals & ~grown
            if new:
                grown |= new
                for literal in bits(new):
                    sources[literal] = (number, layer, condition)
        return grown, again

    def _extract(self, layers: list[int], sources: dict[int, _Source]) -> tuple[set[int], int]:
        chosen: set[int] = set()
        done, facts = layers[0], 0
        pending = self._wanted(self._task.goal, layers) & ~done
        while pending:
            literal = pending.bit_length() - 1
            pending ^= 1 << literal
            done |= 1 << literal
            facts |= 1 << literal
            number, layer, condition = sources[literal]
            self._limits.count(1 + layer * size_of(condition) if condition.choices else 1)
            if number >= 0:
                chosen.add(number)
            pending |= self._wanted(condition, layers[:layer]) & ~done
        return chosen, facts

    def _wanted(self, condition: Condition, layers: list[int]) -> int:
        """Literals that make the condition true, of the first layers where there is a choice."""
        every, clauses, choices = condition
        wanted = every
        for clause in clauses:
            if not clause & wanted:
                found = next(clause & layer for layer in layers if clause & layer)
                wanted |= found & -found
        for choice in choices:
            option = next(o for layer in layers for o in choice if holds(o, layer))
            wanted |= self._wanted(option, layers)
        return wanted


_BOOST = 1000


def search_greedily(task: Task, limits: Limits) -> Search:
    """Search for a plan, greedily by the relaxed-plan heuristic and by open goals.

    If there is none, every state from which the relaxed goal can be reached is seen.
    """
    space, relaxation, queues = Space(task, limits), Relaxation(task, limits), _Queues()
    if not unmet(task.goal, task.initial):
        return []
    queues.put((0, 0), task.initial, preferred=True)
    closed: set[int] = set()
    while (state := queues.take()) is not None:
        if state in closed:
            continue
        closed.add(state)
        space.count(state)
        yield
        relaxed = relaxation.plan(state)
        if relaxed is None:
            continue
        helpful = {id(task.actions[number]) for number in relaxed[0]}
        values = (len(relaxed[0]), unmet(task.goal, state))
        queues.praise(values)
        for after, action in space.successors(state):
            if not unmet(task.goal, after):
                return space.plan_to(after)
            queues.put(values, after, preferred=id(action) in helpful)
    return None


class _Queues:
    """By heuristic and by goals, for all states and for preferred ones."""

    def __init__(self) -> None:
        self._heaps: list[list[tuple[int, int, int]]] = [[], [], [], []]
        self._turns = [0, 0, 0, 0]
        self._best = [1 << 60, 1 << 60]
        self._count = 0

    def put(self, values: tuple[int, int], state: int, *, preferred: bool) -> None:
        self._count += 1
        for at, value in enumerate(values):
            entry = (value, self._count, state)
            heappush(self._heaps[at], entry)
            if preferred:
                heappush(self._heaps[at + 2], entry)

    def praise(self, values: tuple[int, int]) -> None:
        """Give preferred states more turns if a state is better than all before it."""
        for at, value in enumerate(values):
            if value < self._best[at]:
                self._best[at] = value
                self._turns[2] -= _BOOST
                self._turns[3] -= _BOOST

    def take(self) -> int | None:
        """Return the next state; None if there is none."""
        filled = [at for at, heap in enumerate(self._heaps) if heap]
        if not filled:
            return None
        at = min(filled, key=self._turns.__getitem__)
        self._turns[at] += 1
        return heappop(self._heaps[at])[2]
