"""The status of a goal: whether it is reached, and which conditions are met since when.

State and relation conditions are tested in the final state; of several alternatives the one with
the largest share of met conditions counts. Demanded actions have to occur in order (paper,
section 2.5). Evaluators that count something else build their conditions from the same parts.

Since when a condition holds is read off its history, one integer with a bit per position: the
highest run of ones begins there.

Examples:
    A condition that holds at the first two of four positions: after step 1, and not after step 2.

    >>> from eai.world import Action
    >>> last_held(0b0011, steps=[Step(Action("walk"), number, []) for number in (1, 2, 3)])
    (1, 2)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from eai.diagnosis.evidence import Evidence
from eai.diagnosis.result import Condition, Finding
from eai.diagnosis.taxonomy import UNMET_KINDS, ErrorKind
from eai.logic import Atom, Evaluation, Formula, format_formula
from eai.task import ActionGoal, Goal
from eai.world import State, Step, Trajectory, World


@dataclass(frozen=True, slots=True)
class GoalStatus:
    """The degree to which a goal is reached.

    Args:
        reached: Whether all that the goal demands is fulfilled.
        conditions: The conditions of the goal, in a fixed order, each met or not, with the step
            since which it is met, or the step that ended it. Their kinds are those of
            :data:`eai.diagnosis.GOAL_KINDS`.
        formula_holds: Whether the goal's formula holds on the whole trajectory; None if there is
            none, or nobody asked.
    """

    reached: bool
    conditions: tuple[Condition, ...] = ()
    formula_holds: bool | None = None

    @property
    def share(self) -> float:
        """Share of the conditions that are met, in [0, 1]; without any, 1 if it is reached."""
        if not self.conditions:
            return float(self.reached)
        return share_met(self.conditions)

    @classmethod
    def of(cls, conditions: Sequence[Condition]) -> GoalStatus:
        """Return the status of a goal that is reached if all its conditions are met."""
        return cls(all(condition.met for condition in conditions), tuple(conditions))


def goal_status(
    goal: Goal, trajectory: Trajectory, conditions: Sequence[Condition] | None = None
) -> GoalStatus:
    """Return whether a goal is reached at the end of a trajectory, with its conditions.

    Args:
        goal: The goal. Its formula is evaluated on the whole trajectory, and decides beside the
            conditions if the goal says so (:attr:`eai.task.task.Goal.whole`).
        trajectory: The steps that were done.
        conditions: Its conditions as another evaluator counts them; by default those of
            :func:`goal_conditions`.
    """
    if conditions is None:
        conditions = goal_conditions(goal, trajectory)
    # The formula is evaluated even where it does not decide: reports show both.
    holds: bool | None = None
    if goal.formula is not None:
        holds = Evaluation(trajectory).verdict(goal.formula).holds
    is_reached = all(condition.met for condition in conditions)
    if goal.whole and holds is False:
        is_reached = False
    return GoalStatus(is_reached, tuple(conditions), holds)


def goal_conditions(goal: Goal, trajectory: Trajectory) -> tuple[Condition, ...]:
    """Return the conditions of a goal as :func:`goal_status` lists them.

    Of several alternatives it lists the one of which the greatest share is met.
    """
    best: tuple[Condition, ...] = ()
    best_share = -1.0
    for option in goal.final:
        conditions = tuple([condition_of(kind, part, trajectory) for kind, part in option])
        share = share_met(conditions)
        # Of equally good alternatives the first counts.
        if share > best_share:
            best = conditions
            best_share = share
    return (*best, *action_conditions(goal.actions, trajectory))


def share_met(conditions: Sequence[Condition]) -> float:
    """Return the share of conditions that are met, in [0, 1]; 1 if there are none."""
    if not conditions:
        return 1.0
    return sum(condition.met for condition in conditions) / len(conditions)


def unmet_conditions(goal: Goal) -> tuple[Condition, ...]:
    """Return the conditions of a goal's shortest alternative, none of them met."""
    shortest = min(goal.final, key=len, default=())
    conditions = []
    for kind, formula in shortest:
        conditions.append(Condition(kind, text_of(formula), met=False, formula=formula))
    action_conditions = [Condition("action", str(action), met=False) for action in goal.actions]
    return (*conditions, *action_conditions)


def condition_of(
    kind: str, formula: Formula, trajectory: Trajectory, *, truth: int | None = None
) -> Condition:
    """Return a condition with its verdict: whether it is met, and which step achieved or ended it.

    Args:
        kind: ``"state"`` or ``"relation"``.
        formula: The condition.
        trajectory: The steps that were done.
        truth: The truth of the condition at every position, as a mask in which bit i is position
            i; by default it is evaluated.
    """
    if truth is None:
        truth = _history(formula, trajectory)
    is_met = bool(truth >> (trajectory.length - 1) & 1)
    if not truth:
        return Condition(kind, text_of(formula), is_met, None, None, formula)
    last_true = truth.bit_length() - 1
    # The start of the last run of ones is the position after the highest zero below it.
    run_start = (~truth & ((1 << last_true) - 1)).bit_length()
    # The state at a position was made by the step before it; the start by none.
    since = 0
    if run_start > 0:
        since = trajectory.steps[run_start - 1].number
    lost_by: int | None = None
    if not is_met:
        lost_by = trajectory.steps[last_true].number
    return Condition(kind, text_of(formula), is_met, since, lost_by, formula)


def _history(formula: Formula, trajectory: Trajectory) -> int:
    """Return the truth of a condition at every position."""
    if isinstance(formula, Atom):
        # From the changes of the atom alone, which is faster than any test of states.
        return trajectory.history(formula.predicate, tuple(map(str, formula.terms)))
    return trajectory.condition(formula)


def last_held(truth: int, steps: Sequence[Step]) -> tuple[int | None, int | None]:
    """Return the last step after which a condition held, and the step that ended it.

    The first number is 0 for the initial state, and None if the condition never held. The second
    is None if it never held or still holds.

    Args:
        truth: The truth of the condition at every position (bit i is position i).
        steps: The steps that were done.
    """
    if not truth:
        return None, None
    last_position = truth.bit_length() - 1
    held_until = 0
    if last_position > 0:
        held_until = steps[last_position - 1].number
    ended_by: int | None = None
    if last_position < len(steps):
        ended_by = steps[last_position].number
    return held_until, ended_by


def since_and_lost(
    holds: bool, previous: Condition | None, step: int
) -> tuple[int | None, int | None]:
    """Return the step since which a condition holds, and the step that ended it.

    It is called after every step, for evaluators that have no trajectory to look at.

    Args:
        holds: Whether the condition holds after the step.
        previous: The condition as it was returned before the step; None at the start.
        step: 1-based number of the step; 0 at the start.
    """
    if previous is None:
        return (step, None) if holds else (None, None)
    held_before = previous.since is not None and previous.lost_by is None
    if holds and not held_before:
        return step, None
    if held_before and not holds:
        return previous.since, step
    return previous.since, previous.lost_by


@lru_cache(maxsize=1 << 12)
def text_of(formula: Formula) -> str:
    """Return the text of a condition; the same ones are named again and again."""
    return format_formula(formula)


def action_conditions(goals: Sequence[ActionGoal], trajectory: Trajectory) -> tuple[Condition, ...]:
    """Match the demanded actions with executed steps, in order and as early as possible.

    Taking the earliest step for each action is optimal, as any other matching can be shifted to
    these steps.
    """
    conditions: list[Condition] = []
    # All goals share one iterator, so that no step is used twice. If a demanded action is missing,
    # the iterator is exhausted, and no later action is met.
    steps = iter(trajectory.steps)
    for goal in goals:
        since: int | None = None
        for step in steps:
            if step.action.name in goal.names:
                since = step.number
                break
        conditions.append(Condition("action", str(goal), since is not None, since=since))
    return tuple(conditions)


def unmet_goals(
    conditions: Sequence[Condition], trajectory: Trajectory | None = None
) -> tuple[Finding, ...]:
    """Return a finding for every unmet condition of a goal.

    Args:
        conditions: The conditions.
        trajectory: The steps that were done. With it, the findings say in words which facts hold
            instead.
    """
    if all(condition.met for condition in conditions):
        return ()
    compact_trajectory: Trajectory | None = None
    if trajectory is not None:
        # The changes are enough to come back to the end; findings need not hold its state.
        compact_trajectory = Trajectory(trajectory.world, trajectory.start, trajectory.steps)
    findings = []
    for index, condition in enumerate(conditions):
        if condition.met:
            continue
        evidence = None
        if compact_trajectory is not None:
            # Why an action does not count depends on those demanded before it.
            evidence = Evidence(
                compact_trajectory, condition.formula, tuple(conditions[: index + 1])
            )
        findings.append(_unmet_finding(condition, evidence))
    return tuple(findings)


def _unmet_finding(condition: Condition, evidence: Evidence | None) -> Finding:
    """Return the finding for an unmet condition, with the step that ended it if any.

    Args:
        condition: The condition.
        evidence: The trajectory, from which the reason is told; None if it is not kept.
    """
    error_kind = UNMET_KINDS[condition.kind]
    text = ""
    if condition.kind == "action" and condition.formula is not None:
        # A demanded action has no formula: this condition is about the whole trajectory.
        if condition.formula.reading() == "ltlf":
            error_kind = ErrorKind.PATH_GOAL
        text = f"{condition.text} does not hold on the trajectory"
    held_until: int | None = None
    if condition.lost_by is not None:
        held_until = condition.lost_by - 1
    return Finding(
        error_kind,
        text,
        conditions=(condition.text,),
        held_until=held_until,
        destroyed_by=condition.lost_by,
        evidence=evidence,
    )


class GoalTests:
    """The conditions of a goal as compiled tests for many executions of one task.

    Args:
        goal: The goal.
        world: Where plans are run.
        start: The initial state.

    Attributes:
        actions: The demanded actions, in order.
        options: The tests of each alternative.
    """

    def __init__(self, goal: Goal, world: World, start: State) -> None:
        """Compile the conditions of each alternative of the goal."""
        self._world = world
        self._start = start
        self._formula: Formula | None = None  # that is evaluated on the whole trajectory
        if goal.whole:
            self._formula = goal.formula
        self.actions = goal.actions
        # Compiled once: a task is executed thousands of times when plans are rewarded.
        self.options: list[list[Callable[[State], bool]]] = []
        for option in goal.final:
            tests = [world.test_of(formula, start.universe) for _, formula in option]
            self.options.append(tests)

    def matched(self, steps: Sequence[Step], already_matched: int = 0) -> int:
        """Return how many actions of the goal were executed in the order that it demands.

        Args:
            steps: The steps that were done.
            already_matched: Number of demanded actions that were executed before these steps.
        """
        matched_count = already_matched
        for step in steps:
            if matched_count == len(self.actions):
                break
            matched_count = self.matched_after(matched_count, step.action.name)
        return matched_count

    def matched_after(self, matched_count: int, action_name: str) -> int:
        """Return how many demanded actions are executed in order after one more action.

        Args:
            matched_count: Number of demanded actions that were executed before it.
            action_name: Name of the action.
        """
        if matched_count < len(self.actions) and action_name in self.actions[matched_count].names:
            return matched_count + 1
        return matched_count

    def reached(self, steps: Sequence[Step], state: State, matched_count: int) -> bool:
        """Return whether the goal is reached.

        Args:
            steps: All steps that were done.
            state: The state after them.
            matched_count: Number of demanded actions that the steps execute (:meth:`matched`).
        """
        if not self.holds_at_end(state, matched_count):
            return False
        if self._formula is None:
            return True
        # Only now, as a formula is evaluated on the whole trajectory and costs most.
        trajectory = Trajectory(self._world, self._start, steps, state)
        return Evaluation(trajectory).verdict(self._formula).holds

    def holds_at_end(self, state: State, matched_count: int) -> bool:
        """Return whether the final conditions and the demanded actions are satisfied.

        Args:
            state: The last state.
            matched_count: Number of demanded actions that all steps execute (:meth:`matched`).
        """
        # Cheapest first: most executions fail one of the two tests.
        if matched_count < len(self.actions):
            return False
        if not self.options:
            return True
        return any(_all_hold(tests, state) for tests in self.options)


def _all_hold(tests: Sequence[Callable[[State], bool]], state: State) -> bool:
    """Return whether all tests hold in a state."""
    return all(test(state) for test in tests)
