"""Breadth-first search for a subgoal that keeps only what is new (Lipovetzky & Geffner 2012).

A state is described by the atoms in which it differs from the first state. With width 1 a state
is kept only if one of these is seen for the first time, with width 2 if a pair is; what was seen
is counted apart for states with different numbers of open conjuncts (Lipovetzky & Geffner 2017,
section 3), and those with fewest come first. A plan that is found is a shortest one if the
subgoal has that width and one conjunct, and the work is bounded by the number of atoms or of
their pairs. Nothing is proved if no plan is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush

from eai.budget import Budget, Meter
from eai.logic.formula import Formula, conjuncts, objects_of
from eai.planning.relevance import relevance
from eai.planning.subgoal_steps import Step, Steps, as_plan, related, without_doubles
from eai.world.action import Action
from eai.world.bits import bits, mask_of
from eai.world.state import State
from eai.world.transition import World

__all__ = ["Reached", "WidthSearch"]

_Test = Callable[[State], bool]

_Entry = tuple[int, int, int, int, tuple[Step, ...]]
"""Open conjuncts, a number for the order, the atoms in which the state differs from the first one,
actions since a conjunct was won, and all actions."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A state that satisfies a subgoal.

    Args:
        plan: The actions that lead to it, without the agent.
        state: The state.
    """

    plan: tuple[Action, ...]
    state: State


class WidthSearch:
    """Searches in one world for one agent.

    Args:
        world: The world.
        agent: The object that acts: the first argument of every action.
        actions: Longest way to one more conjunct.
        states: States that may be expanded in one search.
        meter: Counts what is looked at; what it raises goes to the caller.
    """

    def __init__(
        self, world: World, agent: str, *, actions: int, states: int, meter: Meter | None = None
    ) -> None:
        self._meter = meter or Budget.unlimited().meter()
        self._world = world
        self._agent = agent
        self._actions = actions
        self._states = states
        self._last: tuple[object, _Graph] = (None, None)  # type: ignore[assignment]

    def around(self, state: State, condition: Formula, others: Iterable[str] = ()) -> int:
        """The objects of a condition, further ones, and what they are closely related to.

        Returns:
            A mask of their numbers.
        """
        names = {*objects_of(condition), *others, self._agent}
        mask = mask_of(map(state.universe.number, names))
        return mask | related(state, mask)

    def reach(
        self,
        state: State,
        goal: Formula,
        *,
        operators: Sequence[str],
        about: int,
        widths: Sequence[int] = (1, 2),
    ) -> Reached | None:
        """Search with small widths.

        Args:
            state: Where to start; it is not changed.
            goal: What has to hold.
            operators: Names of the operators that may be used.
            about: The objects that actions may be about, as a mask of their numbers.
            widths: The widths, one after the other.
        """
        tests = [self._world.test_of(part, state.universe) for part in conjuncts(goal)]
        cost = self._world.instances(goal, state.universe)
        self._meter.count_instances(cost)
        if all(test(state) for test in tests):
            return Reached((), state)
        names, predicates = _scope(self._world, goal, tuple(operators))
        agent = state.universe.number(self._agent)
        key = id(state), names, about, predicates
        if self._last[0] != key:
            steps = Steps(
                self._world,
                state,
                agent,
                operators=names,
                mask=about,
                predicates=predicates,
                meter=self._meter,
            )
            self._last = key, _Graph(state, steps)
        for width in widths:
            found = self._search(self._last[1], tests, width, cost)
            if found is not None:
                plan = as_plan(found, state)
                return Reached(plan, self._executed(state, found))
        return None

    def _executed(self, state: State, path: Sequence[Step]) -> State:
        following = state.copy()
        for name, numbers in path:
            self._world.apply(following, name, numbers)
        return following

    def _search(
        self, graph: _Graph, tests: Sequence[_Test], width: int, cost: int
    ) -> tuple[Step, ...] | None:
        is_new, count = _Novelty(width).is_new, 0
        first = _unmet(tests, graph.state(0, 0, None))
        queue: list[_Entry] = [(first, 0, 0, 0, ())]
        for _ in range(self._states):
            if not queue:
                return None
            unmet, _, differing, depth, path = heappop(queue)
            if depth >= self._actions:
                continue
            for step, changed in graph.following(differing):
                reached = differing ^ changed
                if not is_new(unmet, reached, changed & ~differing):
                    continue
                longer = (*path, step)
                self._meter.count_instances(cost)
                left = _unmet(tests, graph.state(reached, differing, step))
                if not left:
                    return longer
                if left != unmet and not is_new(left, reached, reached):
                    continue
                count += 1
                heappush(queue, (left, count, reached, 0 if left < unmet else depth + 1, longer))
        return None


class _Graph:
    """The states that were seen around one state, each looked at once.

    A state is known by the atoms in which it differs from the first one, among those that matter:
    what can be done in it, and what that changes, depends on nothing else.

    Args:
        start: The first state.
        steps: The actions.
    """

    def __init__(self, start: State, steps: Steps) -> None:
        self._steps = steps
        self._states = {0: start}
        self._following: dict[int, list[tuple[Step, int]]] = {}

    def following(self, differing: int) -> list[tuple[Step, int]]:
        """The actions that can be taken in a state, each with the atoms that it changes."""
        found = self._following.get(differing)
        if found is None:
            found = self._following[differing] = self._steps.possible(self._states[differing])
        return found

    def state(self, differing: int, before: int, step: Step | None) -> State:
        """A state; ``step`` leads to it from the state ``before``."""
        found = self._states.get(differing)
        if found is None:
            assert step is not None  # noqa: S101 - the first state is known
            found = self._states[differing] = self._steps.after(self._states[before], step)
        return found


def _unmet(tests: Sequence[_Test], state: State) -> int:
    return sum(not test(state) for test in tests)


@lru_cache(maxsize=4096)
def _scope(
    world: World, goal: Formula, operators: tuple[str, ...]
) -> tuple[tuple[str, ...], frozenset[str]]:
    """The operators that can help, and the predicates that matter."""
    found = relevance(world.domain, [goal], operators=operators)
    return without_doubles(world.domain, found.operators), found.predicates


class _Novelty:
    """Remembers which atoms, or pairs of atoms, were seen, apart for each class of states."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._seen: dict[int, int] = {}
        self._beside: dict[tuple[int, int], int] = {}

    def is_new(self, kind: int, atoms: int, added: int) -> bool:
        """Whether something in a state is seen for the first time; it is remembered.

        Args:
            kind: Class of the state.
            atoms: The state: numbers of atoms, as a mask.
            added: Those of them that need a look.
        """
        if self._width == 1:
            fresh = added & ~self._seen.get(kind, 0)
            if fresh:
                self._seen[kind] = self._seen.get(kind, 0) | fresh
            return bool(fresh)
        beside = self._beside
        fresh = any(atoms & ~beside.get((kind, i), 0) for i in bits(added))
        if fresh:
            for i in bits(added):
                beside[kind, i] = beside.get((kind, i), 0) | atoms
            for i in bits(atoms & ~added):
                beside[kind, i] = beside.get((kind, i), 0) | added
        return fresh
