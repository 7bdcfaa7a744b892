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

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from eai.diagnosis import GoalTests
from eai.logic import Formula, conjuncts
from eai.pddl import literal_effects
from eai.task import Task
from eai.world import Action, State, union


class _Condition(NamedTuple):
    """A condition, and the ends that its failure rules out.

    Args:
        test: Function of a state and the object numbers: whether the condition holds.
        argument_ids: The numbers of the condition's objects.
        ends: The ends before which it must hold, as a mask: bit n stands for the last n steps.
    """

    test: Callable[..., bool]
    argument_ids: tuple[int, ...]
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
        action_names = [action.name for action, _ in backwards]
        # The predicates that each step may change, as a mask of their numbers.
        self._changes_of_steps = [self._changed_predicates(name) for name in action_names]
        self._goal_options: list[list[_Condition]] = []
        for option in task.goal.final:
            formulas = [formula for _, formula in option]
            self._goal_options.append(self._goal_conditions(formulas, task.start))
        # By the ground formula: a condition of several steps is tested once for all of them.
        preconditions: dict[Formula, _Condition] = {}
        for steps_from_end, (action, argument_ids) in enumerate(backwards, start=1):
            conditions = self._conditions_of_step(steps_from_end, action, argument_ids, task)
            for formula, condition in conditions:
                earlier = preconditions.setdefault(formula, condition)
                preconditions[formula] = earlier._replace(ends=earlier.ends | condition.ends)
        self._preconditions = list(preconditions.values())
        # For each number of demanded actions taken before: a mask of the ends that take the rest.
        self._complete_ends: list[int] = []
        for matched_count in range(len(goal.actions) + 1):
            self._complete_ends.append(self._find_complete_ends(goal, action_names, matched_count))

    def possible(self, state: State, matched_count: int) -> int:
        """Return the ends that may lead to the goal, as a mask of their numbers of steps.

        Args:
            state: The state before the ends.
            matched_count: Number of demanded actions that were taken.
        """
        ends = self._complete_ends[matched_count]
        # The goal comes first: it rules out most, and ends that are ruled out need no test.
        if self._goal_options:
            ends = union(_ends_not_excluded(option, ends, state) for option in self._goal_options)
        if not ends:
            return 0
        return _ends_not_excluded(self._preconditions, ends, state)

    def _changed_predicates(self, name: str) -> int:
        """Return the stored predicates that an operator may change, as a mask."""
        index = self._world.layout.index
        mask = 0
        for literal in literal_effects(self._world.operator(name).operator.effect):
            mask |= 1 << index[literal.atom.predicate]
        return mask

    def _ends_that_need(self, steps_from_end: int, condition: Formula) -> int:
        """Return the ends before which a condition must hold, as a mask.

        An end needs the condition if no step of it changes the condition before it is needed.

        Args:
            steps_from_end: Number of steps from where the condition is needed to the end.
            condition: The condition, whose arguments may be variables.
        """
        ends = 1 << steps_from_end
        read_predicates = self._world.reads(condition)
        if read_predicates is None:
            return ends  # any step may change it
        for changed in self._changes_of_steps[steps_from_end:]:
            if any(changed >> predicate & 1 for predicate in read_predicates):
                break
            ends |= ends << 1
        return ends

    def _conditions_of_step(
        self, steps_from_end: int, action: Action, argument_ids: tuple[int, ...], task: Task
    ) -> Iterator[tuple[Formula, _Condition]]:
        """Yield the conjuncts of a step's precondition as ground formulas and as conditions.

        Args:
            steps_from_end: Number of steps from this one to the end of the plan, itself included.
            action: The step.
            argument_ids: Object numbers of its operator's arguments.
            task: The task.
        """
        operator = self._world.operator(action.name)
        functions = operator.test_functions
        for number, (test, function) in enumerate(zip(operator.tests, functions, strict=True)):
            if self._world.reads(test) is None:
                continue  # unknown dependencies: only running the steps of the end can tell
            # What never changes and holds at the start needs no test at all.
            if self._world.domain.is_static(test) and function(task.start, *argument_ids):
                continue
            ends = self._ends_that_need(steps_from_end, test)
            formula = self._world.test(action.name, number, action.by(task.agent))
            yield formula, _Condition(function, argument_ids, ends)

    def _goal_conditions(self, formulas: Sequence[Formula], start: State) -> list[_Condition]:
        """Return the conjuncts of one alternative of the goal."""
        conditions = []
        for formula in formulas:
            for conjunct in conjuncts(formula):
                test = self._world.test_of(conjunct, start.universe)
                conditions.append(_Condition(test, (), self._ends_that_need(0, conjunct)))
        return conditions

    def _find_complete_ends(
        self, goal: GoalTests, action_names: Sequence[str], matched_count: int
    ) -> int:
        """Return the ends that take all demanded actions still to be taken, as a mask.

        Args:
            goal: The tests of the goal, which know the demanded actions.
            action_names: Names of the plan's actions, the last one first.
            matched_count: Number of demanded actions that were taken before.
        """
        ends = 0
        for length in range(len(action_names) + 1):
            matched_at_end = matched_count
            for name in reversed(action_names[:length]):
                matched_at_end = goal.matched_after(matched_at_end, name)
            if matched_at_end == len(goal.actions):
                ends |= 1 << length
        return ends


def _ends_not_excluded(conditions: Sequence[_Condition], ends: int, state: State) -> int:
    """Return the ends that remain when failed conditions rule out theirs.

    Args:
        conditions: The conditions, each with the ends that need it.
        ends: The ends to choose from, as a mask.
        state: The state before the ends.
    """
    for test, argument_ids, excluded_ends in conditions:
        # Conditions that rule out nothing any more are not tested.
        if ends & excluded_ends and not test(state, *argument_ids):
            ends &= ~excluded_ends
    return ends
