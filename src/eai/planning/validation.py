"""Validation of plans by running them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eai.errors import InputError
from eai.logic import Formula, compares_numbers
from eai.nesting import on_own_stack
from eai.pddl import (
    TOTAL_COST,
    Domain,
    Problem,
    format_condition,
    has_times,
    has_trajectory_constraints,
)
from eai.planning.action_masks import MEMORY, MaskedAction
from eai.planning.declarations import declared
from eai.planning.metrics import broken_constraints, executed, metric_value
from eai.planning.runs import PlanRun, PlanRuns
from eai.world import Action, NumberChange, State, Trajectory, world_of


@dataclass(frozen=True, slots=True)
class Validation:
    """The result of running a plan.

    Args:
        valid: Whether every action is applicable and the goal holds at the end.
        reason: The reason why it is not valid, or has no cost; else empty.
        step: 1-based number of the first action that fails; None if all can be done.
        cost: Total cost of a valid plan, or the value of another metric; its length if the problem
            has none. None if it cannot be evaluated, which the reason says.
    """

    valid: bool
    reason: str = ""
    step: int | None = None
    cost: float | None = None


@on_own_stack
def validate(domain: Domain, problem: Problem, plan: Sequence[Action]) -> Validation:
    """Run a plan and return whether it is valid.

    Problems and actions are remembered within a bound (:mod:`eai.planning.action_masks`), so
    further plans for the same problem object take a fraction of the time.

    Args:
        domain: The domain. Names that it mentions but does not declare are taken as declared.
        problem: The problem.
        plan: The actions.

    Raises:
        InputError: If the domain cannot be run (it says why).
    """
    return _prepared(domain, problem).validate(plan)


@on_own_stack
def validate_all(
    domain: Domain, problem: Problem, plans: Iterable[Sequence[Action]]
) -> list[Validation]:
    """Validate several plans of one problem.

    Args:
        domain: The domain. Names that it mentions but does not declare are taken as declared.
        problem: The problem.
        plans: The actions of each plan.

    Returns:
        A validation for each plan, the same as that of :func:`validate`.

    Raises:
        InputError: If the domain cannot be run (it says why).
    """
    prepared = _prepared(domain, problem)
    return [prepared.validate(plan) for plan in plans]


def _prepared(domain: Domain, problem: Problem) -> _PreparedProblem:
    """Return a problem whose plans can be run, made once for each pair of objects.

    Raises:
        InputError: If the domain cannot be run.
    """
    # Both contain mappings, which cannot be hashed. What is remembered keeps them, so no identity
    # is used again.
    key = (id(domain), id(problem))
    prepared = MEMORY.shared(key)
    if prepared is None:
        prepared = _PreparedProblem(domain, problem)
        MEMORY.share(key, prepared, entries=1 + len(problem.initial))
    assert isinstance(prepared, _PreparedProblem)  # noqa: S101 - nothing else has such a key
    return prepared


class _PreparedProblem:
    """A problem whose plans are validated.

    Args:
        domain: The domain.
        problem: The problem.

    Raises:
        InputError: If the domain cannot be run.
    """

    def __init__(self, domain: Domain, problem: Problem) -> None:
        """Declare names that are not declared, and begin without any action."""
        if has_times(domain, problem):
            raise InputError("a sequence of steps has no times, and the task has durative actions")
        self._given = domain, problem
        has_numbers = domain.has_numbers or problem.has_numbers
        if not has_numbers:
            domain, problem = declared(domain, problem)
        # A metric needs the numbers at the end, although no action may depend on them.
        if domain.has_costs or problem.metric is not None:
            domain = domain.with_numbers
        self._domain = domain
        self._problem = problem
        self._has_constraints = has_trajectory_constraints(domain, problem)
        self._world = world_of(domain)
        self._runs = PlanRuns.of(
            self._world,
            problem.objects,
            problem.initial,
            problem.goal,
            problem.values,
            adds_costs=not has_numbers,
        )

    def validate(self, plan: Sequence[Action]) -> Validation:
        """Run a plan and return whether it is valid."""
        run = self._runs.run(plan)
        if run.stopped_by is not None:
            return Validation(False, self._explain_stop(run, run.stopped_by), run.steps_done + 1)
        if not self._runs.is_goal(run):
            return Validation(False, self._explain_missed_goal(run))
        # Only conditions on the whole trajectory need the trajectory.
        if self._has_constraints:
            return self._with_constraints(plan)
        if self._problem.metric is None:
            return Validation(True, cost=float(len(plan)))
        return self._with_metric(plan, run)

    def _explain_stop(self, run: PlanRun, stopped_by: MaskedAction) -> str:
        """Return why an action is not applicable: the undefined value, or else the failed test."""
        action = stopped_by.action
        if stopped_by.error:
            return f"{action} is not an action of the task: {stopped_by.error}"
        reason = stopped_by.reasons.get(run.failing)
        if reason is not None:
            return reason
        test = self._world.test(action.name, run.failing, action.arguments)
        # Undeclared names may be in a condition.
        failed = self._why_undefined(test, run) or format_condition(test, legal_names=True)
        reason = f"{action} is not applicable: {failed}"
        # Which value is undefined may be another one in another state.
        reads_numbers = compares_numbers(test) or not self._runs.table.adds_costs
        if not (self._world.layout.functions and reads_numbers):
            stopped_by.reasons[run.failing] = reason
        return reason

    def _explain_missed_goal(self, run: PlanRun) -> str:
        """Return why the goal does not hold at the end, naming undefined values."""
        reason = "the goal does not hold after the last action"
        undefined = self._why_undefined(self._problem.goal, run)
        if not undefined:
            return reason
        return f"{reason}: {undefined}"

    def _why_undefined(self, condition: Formula, run: PlanRun) -> str:
        """Return why a condition is undefined at the end of a run, or ""."""
        world = self._world
        if not world.layout.functions:
            return ""
        return self._runs.ask(lambda state: world.why_undefined(state, condition), run)

    def _with_constraints(self, plan: Sequence[Action]) -> Validation:
        """Return the validation of a plan that reaches the goal: its constraints and its cost.

        A plan that breaks a constraint on its way is invalid.
        """
        trajectory = executed(self._domain, self._problem, plan)
        broken = broken_constraints(self._domain, self._problem, trajectory)
        if broken:
            return Validation(False, f"a constraint is violated on the way: {broken[0]}")
        return self._with_value(trajectory, len(plan))

    def _with_metric(self, plan: Sequence[Action], run: PlanRun) -> Validation:
        """Return the validation of a plan that reaches the goal, with the value of the metric."""
        cost = self._runs.constant_cost(plan)

        def evaluate(state: State) -> Validation:
            """Return the validation, with the value of the metric in the final state."""
            final = state
            if cost:
                final = state.copy()
                key = final.key_of(TOTAL_COST)
                assert final.numbers is not None  # noqa: S101 - a domain with costs has numbers
                before = final.numbers[key]
                final.set_numbers([NumberChange(key, before, before + cost)])
            return self._with_value(Trajectory(self._world, final, (), final), len(plan))

        return self._runs.ask(evaluate, run)

    def _with_value(self, trajectory: Trajectory, length: int) -> Validation:
        """Return the validation of a valid plan with the value of the metric.

        A plan whose metric has no value is valid, and the reason says why it has no cost.

        Args:
            trajectory: An execution that ends as the plan does.
            length: Number of steps of the plan.
        """
        try:
            cost = metric_value(self._domain, self._problem, trajectory, total_time=length)
        except InputError as error:
            return Validation(True, f"the metric has no value: {error.what}")
        return Validation(True, cost=cost)
