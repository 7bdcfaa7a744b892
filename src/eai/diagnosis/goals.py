"""The status of a goal: whether it is reached, and which conditions are met since when.

State and relation conditions are tested in the final state; of several alternatives the one with
the largest share of met conditions counts. Demanded actions have to occur in order (paper,
section 2.5). Evaluators that count something else build their conditions from the same parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from eai.diagnosis.result import Condition, Evidence, Finding
from eai.diagnosis.taxonomy import UNMET_KINDS, ErrorKind
from eai.logic import Atom, Evaluation, Formula, format_formula
from eai.task import ActionGoal, Goal
from eai.world import State, Step, Trajectory, World


@dataclass(frozen=True, slots=True)
class GoalStatus:
    """How far a goal is reached.

    Args:
        reached: Whether everything is so that the goal demands.
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
        return sum(condition.met for condition in self.conditions) / len(self.conditions)

    @classmethod
    def of(cls, conditions: Sequence[Condition]) -> GoalStatus:
        """Return the status of a goal that is reached if all its conditions are met."""
        return cls(all(condition.met for condition in conditions), tuple(conditions))


def goal_status(
    goal: Goal, trajectory: Trajectory, conditions: Sequence[Condition] | None = None
) -> GoalStatus:
    """Say whether a goal is reached at the end of a trajectory, and its conditions since when.

    Args:
        goal: The goal. Its formula is evaluated on the whole trajectory, and decides beside the
            conditions if the goal says so (:attr:`eai.task.task.Goal.whole`).
        trajectory: What was done.
        conditions: Its conditions as another evaluator counts them; by default those of
            :func:`goal_conditions`.
    """
    if conditions is None:
        conditions = goal_conditions(goal, trajectory)
    formula = goal.formula
    holds = None if formula is None else Evaluation(trajectory).verdict(formula).holds
    reached = all(condition.met for condition in conditions)
    return GoalStatus(reached and not (goal.whole and holds is False), tuple(conditions), holds)


def goal_conditions(goal: Goal, trajectory: Trajectory) -> tuple[Condition, ...]:
    """Return the conditions of a goal as :func:`goal_status` lists them."""
    options = [
        tuple([condition_of(kind, formula, trajectory) for kind, formula in option])
        for option in goal.final
    ]
    # The share of the conditions that are met.
    best = max(options, key=lambda o: sum(c.met for c in o) / len(o) if o else 1.0, default=())
    return (*best, *action_conditions(goal.actions, trajectory))


def unmet_conditions(goal: Goal) -> tuple[Condition, ...]:
    """Return the conditions of a goal for which nothing was done: those of its shortest option."""
    final = min(goal.final, key=len, default=())
    return (
        *(Condition(kind, text_of(each), met=False, formula=each) for kind, each in final),
        *(Condition("action", str(action), met=False) for action in goal.actions),
    )


def condition_of(
    kind: str, formula: Formula, trajectory: Trajectory, *, truth: int | None = None
) -> Condition:
    """Say whether a condition is met at the end, and since when it holds or what ended it.

    Args:
        kind: ``"state"`` or ``"relation"``.
        formula: The condition.
        trajectory: What was done.
        truth: Its truth at every position (bit i is position i), where that is known or counted
            in a way of its own.
    """
    if truth is None:
        if isinstance(formula, Atom):
            truth = trajectory.history(formula.predicate, tuple(map(str, formula.terms)))
        else:
            truth = trajectory.condition(formula)
    met = bool(truth >> (trajectory.length - 1) & 1)
    since, lost_by = None, None
    if truth:
        last = truth.bit_length() - 1
        # The start of the last run of ones: the position after the highest zero below it.
        first = (~truth & ((1 << last) - 1)).bit_length()
        since = trajectory.steps[first - 1].number if first else 0
        lost_by = None if met else trajectory.steps[last].number
    return Condition(kind, text_of(formula), met, since, lost_by, formula)


def last_held(truth: int, steps: Sequence[Step]) -> tuple[int | None, int | None]:
    """Return numbers: of the last step after which a condition held, and of the one that ended it.

    They are 0 for the start, and None if it never held or still does.
    """
    if not truth:
        return None, None
    last = truth.bit_length() - 1
    ended = steps[last].number if last < len(steps) else None
    return (steps[last - 1].number if last else 0), ended


def since_and_lost(
    holds: bool, before: Condition | None, step: int
) -> tuple[int | None, int | None]:
    """Say since which step something holds, and which step ended that, looking at every step.

    Args:
        holds: Whether it holds after the step.
        before: What was said before the step; None at the start.
        step: 1-based number of the step; 0 at the start.
    """
    since, lost_by = (before.since, before.lost_by) if before else (None, None)
    held = since is not None and lost_by is None
    if holds and not held:
        return step, None
    return since, step if held and not holds else lost_by


@lru_cache(maxsize=1 << 12)
def text_of(formula: Formula) -> str:
    """Return the text of a condition; the same ones are named again and again."""
    return format_formula(formula)


def action_conditions(goals: Sequence[ActionGoal], trajectory: Trajectory) -> tuple[Condition, ...]:
    """Match demanded actions with the steps that were done, in order, each as early as possible."""
    conditions: list[Condition] = []
    steps = iter(trajectory.steps)
    for goal in goals:
        # After an action that was not done the steps are used up: none is met.
        since = next((step.number for step in steps if step.action.name in goal.names), None)
        conditions.append(Condition("action", str(goal), since is not None, since=since))
    return tuple(conditions)


def unmet_goals(
    conditions: Sequence[Condition], trajectory: Trajectory | None = None
) -> tuple[Finding, ...]:
    """Return one finding for every condition of a goal that is not met.

    Args:
        conditions: The conditions.
        trajectory: What was done. With it, the findings say in words what is the case instead.
    """
    if all(each.met for each in conditions):
        return ()
    # The changes are enough to come back to the end of the trajectory.
    seen = None
    if trajectory is not None:
        seen = Trajectory(trajectory.world, trajectory.start, trajectory.steps)
    found = []
    for place, each in enumerate(conditions):
        if each.met:
            continue
        kind, formula, lost_by, text = UNMET_KINDS[each.kind], each.formula, each.lost_by, ""
        if each.kind == "action" and formula is not None:  # it is about the whole trajectory
            kind = ErrorKind.PATH_GOAL if formula.reading() == "ltlf" else kind
            text = f"{each.text} does not hold on the trajectory"
        finding = Finding(
            kind,
            text,
            conditions=(each.text,),
            held_until=None if lost_by is None else lost_by - 1,
            destroyed_by=lost_by,
            evidence=None
            if seen is None
            else Evidence(seen, formula, tuple(conditions[: place + 1])),
        )
        found.append(finding)
    return tuple(found)


class GoalTests:
    """The conditions of a goal as functions of a state, for many executions of one task.

    Args:
        goal: The goal.
        world: Where plans are run.
        start: The initial state.
    """

    def __init__(self, goal: Goal, world: World, start: State) -> None:
        self._world = world
        self._start = start
        self._formula = goal.formula if goal.whole else None
        self.actions = goal.actions
        self.options: list[list[Callable[[State], bool]]] = [
            [world.test_of(formula, start.universe) for _, formula in option]
            for option in goal.final
        ]

    def matched(self, steps: Sequence[Step], before: int = 0) -> int:
        """Count the demanded actions that were taken in order.

        Args:
            steps: The steps that were done.
            before: How many were taken before these steps.
        """
        for step in steps:
            if before == len(self.actions):
                break
            before += step.action.name in self.actions[before].names
        return before

    def reached(self, steps: Sequence[Step], state: State, matched: int) -> bool:
        """Return whether everything is so that the goal demands.

        Args:
            steps: All steps that were done.
            state: The state after them.
            matched: What :meth:`matched` says of them.
        """
        if not self.holds_at_end(state, matched):
            return False
        if self._formula is None:
            return True
        trajectory = Trajectory(self._world, self._start, steps, state)
        return Evaluation(trajectory).verdict(self._formula).holds

    def holds_at_end(self, state: State, matched: int) -> bool:
        """Return whether the conditions on the end and the demanded actions are fulfilled.

        Args:
            state: The last state.
            matched: What :meth:`matched` says of all steps.
        """
        if matched < len(self.actions):
            return False
        return not self.options or any(all(test(state) for test in tests) for tests in self.options)
