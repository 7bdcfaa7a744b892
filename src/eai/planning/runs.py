"""Runs of plans for one problem: on masks where actions are literals, else in the engine.

Plans for one problem are alike: models repeat each other, and a search varies one plan. So each
action is made once (:mod:`eai.planning.action_masks`), and a plan is a few operations on integers
for each step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from eai.logic import Atom, Formula, Rational
from eai.planning.action_masks import MEMORY, ActionTable, MaskedAction, Numbers
from eai.world import Action, State, World

_T = TypeVar("_T")


class PlanRun(NamedTuple):
    """The execution of a plan up to its end, or to the first action that is not applicable.

    Args:
        facts: The facts that hold at the end, as a mask.
        numbers: The values of function terms there; None where states have no numbers.
        steps_done: Number of the steps that were done.
        stopped_by: The action that is not applicable; None if all steps were done.
        failing: Number of the first test of its precondition that fails; -1 if it is no action of
            the task.
    """

    facts: int
    numbers: Numbers | None
    steps_done: int
    stopped_by: MaskedAction | None = None
    failing: int = -1


class PlanRuns:
    """Runs plans from one state.

    Args:
        table: The actions.
        start: The facts at the start that actions can change.
        goal: The goal.
    """

    def __init__(self, table: ActionTable, start: Sequence[Atom], goal: Formula) -> None:
        """Give all facts of the start their bits."""
        self.table = table
        self.goal = goal
        self._start = table.mask_of(start)
        # What the goal reads and wants, if it is made of literals; it is read when it is needed.
        self._goal_masks: tuple[int, int] | None = None
        self._is_goal_read = False

    @classmethod
    def of(
        cls,
        world: World,
        objects: Mapping[str, str],
        facts: Sequence[Atom],
        goal: Formula,
        values: Mapping[Atom, float | Rational] | None = None,
        *,
        adds_costs: bool = False,
    ) -> PlanRuns:
        """Return the runs of a problem. Problems that differ in few facts share their actions.

        Args:
            world: The world.
            objects: Object name to type.
            facts: The facts that hold at the start.
            goal: The goal.
            values: Function terms with their values, where states have numbers.
            adds_costs: Whether the only numbers that change are costs, which no condition reads.

        Raises:
            InputError: If a fact or a value is none of the domain.
        """
        fluents = world.domain.fluents
        changing = [atom for atom in facts if atom.predicate in fluents]
        static = [atom for atom in facts if atom.predicate not in fluents]
        if world.layout.functions:
            # Costs and tests depend on the values, so the actions are those of this problem.
            table = ActionTable(world, objects, static, values, adds_costs=adds_costs)
        else:
            table = _shared_table(world, objects, static)
        return cls(table, changing, goal)

    def run(self, plan: Sequence[Action]) -> PlanRun:
        """Execute a plan up to its end, or to the first action that is not applicable."""
        table = self.table
        actions = table.actions
        outcomes = table.outcomes
        facts = self._start
        numbers = table.numbers
        for steps_done, action in enumerate(plan):
            masked = actions.get((action.name, *action.arguments))
            if masked is None:
                masked = table.add(action)
            if facts & masked.reads == masked.wants:
                facts = facts & masked.keeps | masked.makes
                continue
            # Masks of other actions never fit, so they come here as those that are not applicable.
            if masked.error:
                return PlanRun(facts, numbers, steps_done, masked)
            if masked.is_literals:
                failing = masked.first_failure(facts)
                return PlanRun(facts, numbers, steps_done, masked, failing)
            outcome = outcomes.get((masked, facts, numbers))
            if outcome is None:
                outcome = table.execute(masked, facts, numbers)
            if isinstance(outcome, int):
                return PlanRun(facts, numbers, steps_done, masked, outcome)
            facts, numbers = outcome
        return PlanRun(facts, numbers, len(plan))

    def is_goal(self, run: PlanRun) -> bool:
        """Return whether the goal holds at the end of a run.

        Raises:
            InputError: If the goal has unknown names.
        """
        if not self._is_goal_read:
            self._goal_masks = self.table.condition(self.goal)
            self._is_goal_read = True
        if self._goal_masks is None:
            return self.table.holds(self.goal, run.facts, run.numbers)
        reads, wants = self._goal_masks
        return run.facts & reads == wants

    def ask(self, function: Callable[[State], _T], run: PlanRun) -> _T:
        """Return the value of a function of the state at the end of a run."""
        return self.table.ask(function, run.facts, run.numbers)

    def constant_cost(self, plan: Sequence[Action]) -> Rational:
        """Return the costs of a plan's steps that the state at its end does not contain.

        Costs that depend on the state are in its numbers, like all other numbers that change.
        """
        cost: Rational = 0
        if self.table.adds_costs:
            actions = self.table.actions
            for action in plan:
                masked = actions.get((action.name, *action.arguments)) or self.table.add(action)
                cost += masked.cost
        return cost


def _shared_table(world: World, objects: Mapping[str, str], static: Sequence[Atom]) -> ActionTable:
    """Return the table of all problems with the same objects and static facts."""
    key = (world, tuple(objects.items()), frozenset(static))
    table = MEMORY.shared(key)
    if table is None:
        table = ActionTable(world, objects, static)
        MEMORY.share(key, table, entries=1 + len(objects) + len(static))
    assert isinstance(table, ActionTable)  # noqa: S101 - nothing else has such a key
    return table
