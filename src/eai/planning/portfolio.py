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
    """Try to prove that there is no plan, by the pairs of literals that can be true together.

    All other pairs exclude each other in every state that can be reached (Haslum & Geffner 2000),
    so a goal that needs one of them cannot be reached. With derived predicates nothing is proved.

    Cost: each round looks at all actions; rounds end when one of them adds no pair.

    Raises:
        ExcludedError: If it is proved. If not, the search ends without a plan.
    """
    # Derived predicates change with others and without an effect, which pairs do not follow.
    if task.strata:
        return None
    pairs = _Pairs(task, limits)
    sizes = [_count_literals(action) for action in task.actions]
    count_before = -1
    while count_before != pairs.count:
        count_before = pairs.count
        for number, action in enumerate(task.actions):
            if number % _ACTIONS_BEFORE_PAUSE == 0:
                limits.check()
                yield
            limits.count(sizes[number])
            pairs.extend(action)
        if pairs.possible_with(task.goal, pairs.reached) is not None:
            return None
    raise ExcludedError


def _count_literals(action: GroundAction) -> int:
    """Return the number of literals in the condition and the effects of an action."""
    count = literals_of(action.condition).bit_count() + action.effect.bit_count()
    for condition, literals in action.conditional:
        count += literals_of(condition).bit_count() + literals.bit_count()
    return count


class _Pairs:
    """The pairs of literals that may be true together in some state that can be reached.

    Invariant: pairs are only added, and every pair that is true in a state reached by the actions
    looked at so far is among them. Some of them may be true in no such state.

    Args:
        task: The task; its initial state has the first pairs.
        limits: Limits of the proof.
    """

    def __init__(self, task: GroundTask, limits: Limits) -> None:
        self._limits = limits
        self._positive = task.positive
        self.reached = task.initial
        # For each literal the mask of those that can be true with it, itself included.
        self._partners = dict.fromkeys(bits(task.initial), task.initial)
        self.count = 0

    def possible_with(self, condition: Condition, candidates: int) -> int | None:
        """Return those of some literals that can be true with a condition.

        Args:
            condition: The condition.
            candidates: The literals, as a mask.

        Returns:
            The mask of them; None if the condition cannot hold together with them.
        """
        every, clauses, choices = condition
        if every & ~candidates:
            return None
        for literal in bits(every):
            candidates &= self._partners[literal]
        for clause in clauses:
            if not clause & candidates:
                return None
            # One of the clause has to be true: what goes with none of them is excluded.
            candidates &= union(self._partners[literal] for literal in bits(clause & candidates))
        for choice in choices:
            masks = [self.possible_with(option, candidates) for option in choice]
            possible = [mask for mask in masks if mask is not None]
            if not possible:
                return None
            candidates &= union(possible)
        # Clauses and choices may have excluded what the condition needs.
        if every & ~candidates:
            return None
        return candidates

    def extend(self, action: GroundAction) -> None:
        """Add the pairs that an action makes possible.

        Two literals are true after it if it makes both of them true, or if it makes one true while
        the other was true before and stays so.
        """
        before = self.possible_with(action.condition, self.reached)
        if before is None:
            return
        # "before": the literals that can be true before the action, together with its condition.
        unconditional = action.effect
        possible = action.effect
        for condition, literals in action.conditional:
            before_effect = self.possible_with(condition, before)
            if before_effect is not None:
                possible |= literals
                # What was true before stays so unless one of the effects makes it false.
                undone = complement(unconditional | literals, self._positive)
                self._add_pairs(literals, before_effect & ~undone)
        self._add_pairs(possible, possible)
        self._add_pairs(unconditional, before & ~complement(unconditional, self._positive))

    def _add_pairs(self, literals: int, partners: int) -> None:
        """Make every pair possible of one of some literals and one of some others."""
        for literal in bits(literals):
            earlier_partners = self._partners.get(literal, 0)
            if not earlier_partners:
                self._limits.keep(self.reached)
            new = partners & ~earlier_partners
            if new:
                self._limits.count(new.bit_count())
                self._partners[literal] = earlier_partners | partners | 1 << literal
                self.count += 1
                for partner in bits(new):
                    known_of_partner = self._partners.get(partner, 0)
                    self._partners[partner] = known_of_partner | 1 << literal | 1 << partner
        self.reached |= literals | partners


_ACTIONS_BEFORE_PAUSE = 64
"""Number of actions that a proof looks at before the searches have their turn."""
_WORK_BEFORE_PROOF = 400_000
"""Work of a search before a proof is tried: what is easy is solved without one."""
_WORK_OF_STATE = 20
"""Work that a state counts besides its instances."""
_PRICE_OF_WIDTH = 3
"""How many times longer width search takes for what it counts: it looks at all that is new."""


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
    prices = {width: _PRICE_OF_WIDTH, greedy: 1, proof: 1}
    work = {width: 0, greedy: 0, proof: _WORK_BEFORE_PROOF}
    while True:
        search = min(work, key=work.__getitem__)
        instances_before = meter.instances
        try:
            next(search)
            yield
        except StopIteration as end:
            if search is not proof:
                plan: Plan | None = end.value
                return plan
            del work[proof]  # nothing is proved: only the searches go on
        else:
            instances = meter.instances - instances_before
            work[search] += prices[search] * (instances + _WORK_OF_STATE)
