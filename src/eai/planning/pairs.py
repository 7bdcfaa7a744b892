"""Which pairs of literals can be true together: a proof, often, that there is no plan.

This is the heuristic h^2 without costs (Haslum & Geffner 2000, section 3), for binary variables
and conditions as they are. A pair is taken to be possible if it holds at the start, or if some
action whose condition has only possible pairs in it makes it true. What is left out is true in
no reachable state.
"""

from __future__ import annotations

from eai.planning.conditions import Condition, complement, literals_of
from eai.planning.limits import Limits
from eai.planning.task import GroundAction, Task
from eai.world.bits import bits, union

__all__ = ["ExcludedError", "excludes_goal"]


class ExcludedError(Exception):
    """It was proved that there is no plan."""


def excludes_goal(task: Task, limits: Limits) -> bool:
    """Whether pairs of literals prove that there is no plan.

    Args:
        task: A task. With derived predicates nothing is proved.
        limits: What may be used up; what it raises goes to the caller.
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
