"""Searches that take turns until one is done, or a proof over pairs of literals ends them."""

from __future__ import annotations

from itertools import chain, cycle

from eai.planning.conditions import Condition, complement, literals_of
from eai.planning.greedy import search_greedily
from eai.planning.limits import Limits
from eai.planning.novelty import search_by_width
from eai.planning.task import GroundAction, Plan, Search, Task
from eai.world import union
from eai.world.bits import bits


class ExcludedError(Exception):
    """It was proved that there is no plan."""


def excludes_goal(task: Task, limits: Limits) -> bool:
    """Whether pairs of literals prove that there is no plan.

    They are those that can be reached two by two (Haslum & Geffner 2000). With derived predicates
    nothing is proved.
    """
    if task.strata:
        return False
    pairs, before = _Pairs(task, limits), -1
    sizes = [_size(action) for action in task.actions]
    while before != pairs.count:
        before = pairs.count
        for number, action in enumerate(task.actions):
            if not number & 63:
                limits.check()
            limits.count(sizes[number])
            pairs.extend(action)
        if pairs.beside(task.goal, pairs.reached) is not None:
            return False
    return True


def _size(action: GroundAction) -> int:
    """How many literals its condition and its effects have."""
    found = literals_of(action.condition).bit_count() + action.effect.bit_count()
    for condition, literals in action.conditional:
        found += literals_of(condition).bit_count() + literals.bit_count()
    return found


class _Pairs:
    """For each literal the mask of those that can be true with it, itself included."""

    def __init__(self, task: Task, limits: Limits) -> None:
        self._limits = limits
        self._positive = task.positive
        self.reached = task.initial
        self._with = dict.fromkeys(bits(task.initial), task.initial)
        self.count = 0

    def beside(self, condition: Condition, candidates: int) -> int | None:
        """Those of some literals that can be true with a condition; None if it cannot hold."""
        every, clauses, choices = condition
        if every & ~candidates:
            return None
        for literal in bits(every):
            candidates &= self._with[literal]
        for clause in clauses:
            if not clause & candidates:
                return None
            candidates &= union(self._with[literal] for literal in bits(clause & candidates))
        for choice in choices:
            found = [self.beside(option, candidates) for option in choice]
            left = [mask for mask in found if mask is not None]
            if not left:
                return None
            candidates &= union(left)
        return None if every & ~candidates else candidates

    def extend(self, action: GroundAction) -> None:
        """Add the pairs that an action makes possible."""
        beside = self.beside(action.condition, self.reached)
        if beside is None:
            return
        always = some = action.effect
        for condition, literals in action.conditional:
            stays = self.beside(condition, beside)
            if stays is not None:
                some |= literals
                changed = always | literals
                self._join(literals, stays & ~complement(changed, self._positive))
        self._join(some, some)
        self._join(always, beside & ~complement(always, self._positive))

    def _join(self, ones: int, others: int) -> None:
        """Make pairs of ones and others possible."""
        for one in bits(ones):
            known = self._with.get(one, 0)
            if not known:
                self._limits.keep(self.reached)
            new = others & ~known
            if new:
                self._limits.count(new.bit_count())
                self._with[one] = known | others | 1 << one
                self.count += 1
                for other in bits(new):
                    self._with[other] = self._with.get(other, 0) | 1 << one | 1 << other
        self.reached |= ones | others


_EASY, _FIRST, _TURN = 500, 5000, 500
"""States that width search expands before a proof is tried, states that it expands alone after
that, and states of one turn from then on."""


def search_in_turns(task: Task, limits: Limits) -> Search:
    """Search by width first, then also greedily, in turns of equally many states.

    Where no plan is found soon, pairs of literals may prove that there is none. Both searches see
    every state from which the goal may be reachable, so the end of either of them without a plan
    proves it, too.

    Raises:
        ExcludedError: If pairs of literals prove that there is no plan.
    """
    searches = [search_by_width(task, limits), search_greedily(task, limits)]
    turns = chain(((0, _EASY), (0, _FIRST)), cycle(((1, _TURN), (0, _TURN))))
    while True:
        turn, states = next(turns)
        if states == _FIRST and excludes_goal(task, limits):
            raise ExcludedError
        try:
            for _ in range(states):
                next(searches[turn])
                yield
        except StopIteration as end:
            plan: Plan | None = end.value
            return plan
