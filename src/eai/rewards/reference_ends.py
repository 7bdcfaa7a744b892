"""The ends of a reference plan that may lead from a state to the goal.

The way that is left is measured by trying the ends of reference plans, the shortest first
(:class:`eai.rewards.progress.Progress`). Most of them fail, and for most of those a look at the
state tells so.

Idea: a condition must hold already before an end begins if no step of the end changes a predicate
that it reads, up to where it is needed: before a step as a part of its precondition, or behind the
last step as a part of the goal. So a condition that is false rules out a range of ends at once.

Invariant: an end that is ruled out does not lead to the goal; one that is not may fail all the
same. Cost: a call for each condition that can change; ranges of ends are masks, with a bit for each
number of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from eai.diagnosis import GoalTests
from eai.logic import Formula, conjuncts
from eai.pddl import literal_effects
from eai.task import Task
from eai.world import Action, State, union


class _Condition(NamedTuple):
    """A condition, and the ends that its failure rules out.

    Args:
        test: Tests it in a state with the numbers of its objects.
        numbers: These numbers.
        ends: The ends before which it must hold, as a mask.
    """

    test: Callable[..., bool]
    numbers: tuple[int, ...]
    ends: int


class ReferenceEnds:
    """The ends of one reference plan.

    Args:
        task: The task.
        goal: The tests of its goal.
        plan: The steps, each with the object numbers of its operator's arguments.
    """

    def __init__(
        self, task: Task, goal: GoalTests, plan: Sequence[tuple[Action, tuple[int, ...]]]
    ) -> None:
        """Work out which ends the goal and the preconditions of the steps rule out."""
        self._world = task.world
        # Ends are counted from the goal, so the last step comes first.
        backwards = plan[::-1]
        names = [action.name for action, _ in backwards]
        # The predicates that each step may change, as a mask of their numbers.
        self._changed = [self._changes(name) for name in names]
        self._goals: list[list[_Condition]] = []
        for option in task.goal.final:
            formulas = [formula for _, formula in option]
            self._goals.append(self._goal_conditions(formulas, task.start))
        self._preconditions: list[_Condition] = []
        for place, (action, numbers) in enumerate(backwards, start=1):
            self._add_preconditions(place, action.name, numbers, task.start)
        # For each number of demanded actions that were taken before: the ends, as a mask, that
        # take all the demanded actions that are left.
        self._with_all_actions: list[int] = []
        for matched in range(len(goal.actions) + 1):
            self._with_all_actions.append(self._ends_with_all_actions(goal, names, matched))

    def possible(self, state: State, matched: int) -> int:
        """Return the ends that are not ruled out, as a mask of their numbers of steps.

        Args:
            state: The state before them.
            matched: Number of demanded actions that were taken.
        """
        ends = self._with_all_actions[matched]
        # The goal comes first: it rules out most, and ends that are ruled out need no test.
        if self._goals:
            ends = union(_passing(option, ends, state) for option in self._goals)
        return _passing(self._preconditions, ends, state)

    def _changes(self, name: str) -> int:
        """Return the stored predicates that an operator may change, as a mask."""
        index = self._world.layout.index
        changed = 0
        for literal in literal_effects(self._world.operator(name).operator.effect):
            changed |= 1 << index[literal.atom.predicate]
        return changed

    def _ends_before(self, place: int, condition: Formula) -> int:
        """Return the ends before which a condition must hold that is needed at some place.

        Args:
            place: The length of the end that begins where the condition is needed.
            condition: The condition, whose arguments may be variables.
        """
        ends = 1 << place
        read = self._world.reads(condition)
        if read is None:  # it may depend on anything
            return ends
        for changed in self._changed[place:]:
            if any(changed >> predicate & 1 for predicate in read):
                break
            ends |= ends << 1
        return ends

    def _add_preconditions(
        self, place: int, name: str, numbers: tuple[int, ...], start: State
    ) -> None:
        """Add the conjuncts of a step's precondition; ``place`` counts steps from the end."""
        operator = self._world.operator(name)
        functions = zip(operator.tests, operator.test_functions, strict=True)
        for test, function in functions:
            if self._world.reads(test) is None:
                continue  # what it depends on is unknown: the steps of the end are run for it
            # What never changes and holds at the start needs no test at all.
            if self._world.domain.is_static(test) and function(start, *numbers):
                continue
            condition = _Condition(function, numbers, self._ends_before(place, test))
            self._preconditions.append(condition)

    def _goal_conditions(self, formulas: Sequence[Formula], start: State) -> list[_Condition]:
        """Return the conjuncts of one alternative of the goal."""
        conditions = []
        for formula in formulas:
            for conjunct in conjuncts(formula):
                test = self._world.test_of(conjunct, start.universe)
                conditions.append(_Condition(test, (), self._ends_before(0, conjunct)))
        return conditions

    def _ends_with_all_actions(
        self, goal: GoalTests, backwards: Sequence[str], matched: int
    ) -> int:
        """Return the ends that take all demanded actions that are left, as a mask."""
        ends = 0
        for length in range(len(backwards) + 1):
            taken = matched
            for name in reversed(backwards[:length]):
                taken = goal.matched_after(taken, name)
            if taken == len(goal.actions):
                ends |= 1 << length
        return ends


def _passing(conditions: Sequence[_Condition], ends: int, state: State) -> int:
    """Return the ends among some that no condition rules out that fails in a state, as a mask."""
    for test, numbers, excluded in conditions:
        # Conditions that rule out nothing any more are not tested.
        if ends & excluded and not test(state, *numbers):
            ends &= ~excluded
    return ends
