"""Searches that take turns until one is done, or a proof over pairs of literals ends them."""

from __future__ import annotations

from eai.planning.conditions import Condition, complement, literals_of
from eai.planning.limits import Limits
from eai.planning.searches import search_by_width, search_greedily
from eai.planning.task import GroundAction, GroundTask, Plan, Search
from eai.world import union
from eai.world.bits import bits


class ExcludedError(Exception):
    """It was proved that there is no plan."""


def exclude_goal(task: GroundTask, limits: Limits) -> Search:
    """Try to prove that there is no plan, by pairs of literals; if it is proved, that is raised.

    They are those that can be reached two by two (Haslum & Geffner 2000). With derived predicates
    nothing is proved.
    """
    if task.strata:
        return None
    pairs, before = _Pairs(task, limits), -1
    # How many literals the condition and the effects of each action have.
    sizes = [
        sum(
            literals_of(condition).bit_count() + literals.bit_count()
            for condition, literals in ((each.condition, each.effect), *each.conditional)
        )
        for each in task.actions
    ]
    while before != pairs.count:
        before = pairs.count
        for number, action in enumerate(task.actions):
            if not number & 63:
                limits.check()
                yield
            limits.count(sizes[number])
            pairs.extend(action)
        if pairs.beside(task.goal, pairs.reached) is not None:
            return None
    raise ExcludedError


class _Pairs:
    """For each literal the mask of those that can be true with it, itself included."""

    def __init__(self, task: GroundTask, limits: Limits) -> None:
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


_EASY, _STATE = 400_000, 20
"""Work of a search before a proof is tried; what a state counts besides its instances."""


def search_in_turns(task: GroundTask, limits: Limits) -> Search:
    """Search by width and greedily, in turns of equal work, with a proof beside that there is none.

    Who did the least goes on; so the whole takes no more than about three times as long as the
    quickest of them, whichever that is. Both searches see every state from which the goal may be
    reachable: the end of either without a plan proves that there is none. The proof by pairs of
    literals ends the search if it succeeds, and nothing if it fails.

    Raises:
        ExcludedError: If pairs of literals prove that there is no plan.
    """
    meter = limits.meter
    width, greedy = search_by_width(task, limits), search_greedily(task, limits)
    proof = exclude_goal(task, limits)
    # What width search counts takes longer: for a successor, everything new in it.
    price, done = {width: 3, greedy: 1, proof: 1}, {width: 0, greedy: 0, proof: _EASY}
    while True:
        search = min(done, key=done.__getitem__)
        before = meter.instances
        try:
            next(search)
            yield
        except StopIteration as end:
            if search is not proof:
                plan: Plan | None = end.value
                return plan
            del done[proof]
        else:
            done[search] += price[search] * (meter.instances - before + _STATE)
