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

from eai.logic.formula import Formula, conjuncts, objects_of
from eai.planning.relevance import relevance
from eai.planning.subgoal_steps import Step, Steps, as_plan, related, without_doubles
from eai.world.action import Action
from eai.world.bits import bits, mask_of
from eai.world.state import State
from eai.world.transition import World

__all__ = ["Reached", "WidthSearch"]

_Test = Callable[[State], bool]

_Entry = tuple[int, int, State, int, int, tuple[Step, ...]]
"""Open conjuncts, a number for the order, the state, the atoms in which it differs from the first
one, actions since a conjunct was won, and all actions."""


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
    """

    def __init__(self, world: World, agent: str, *, actions: int, states: int) -> None:
        self._world = world
        self._agent = agent
        self._actions = actions
        self._states = states

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
        if all(test(state) for test in tests):
            return Reached((), state)
        names, predicates = _scope(self._world, goal, tuple(operators))
        agent = state.universe.number(self._agent)
        steps = Steps(self._world, state, agent, operators=names, mask=about, predicates=predicates)
        for width in widths:
            found = self._search(state, tests, steps, width)
            if found is not None:
                return found
        return None

    def _search(
        self, start: State, tests: Sequence[_Test], steps: Steps, width: int
    ) -> Reached | None:
        novel, count = _Novelty(width), 0
        queue: list[_Entry] = [(_unmet(tests, start), 0, start, 0, 0, ())]
        for _ in range(self._states):
            if not queue:
                return None
            unmet, _, state, differing, depth, path = heappop(queue)
            for step, changed in steps.possible(state) if depth < self._actions else ():
                reached = differing ^ changed
                if not novel.is_new(unmet, reached, changed & ~differing):
                    continue
                after, longer = steps.after(state, step), (*path, step)
                left = _unmet(tests, after)
                if not left:
                    return Reached(as_plan(longer, start), after)
                if left != unmet and not novel.is_new(left, reached, reached):
                    continue
                count += 1
                since = 0 if left < unmet else depth + 1
                heappush(queue, (left, count, after, reached, since, longer))
        return None


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
            seen = self._seen.get(kind, 0)
            self._seen[kind] = seen | added
            return bool(added & ~seen)
        beside = self._beside
        fresh = any(atoms & ~beside.get((kind, i), 0) for i in bits(added))
        if fresh:
            for i in bits(added):
                beside[kind, i] = beside.get((kind, i), 0) | atoms
            for i in bits(atoms & ~added):
                beside[kind, i] = beside.get((kind, i), 0) | added
        return fresh
