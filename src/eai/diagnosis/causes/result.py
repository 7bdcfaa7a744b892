"""What causes are made of: steps, failed conditions and goal conditions, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import InputError
from eai.planning.ordering.orders import PartialOrder
from eai.world.action import Action

__all__ = [
    "Causes",
    "Failure",
    "GoalCause",
    "Link",
    "Need",
    "StepCause",
    "failure_lines",
    "goal_lines",
    "named",
    "orders",
]


@dataclass(frozen=True, slots=True)
class Link:
    """Something that holds, and who made it so.

    Args:
        fact: A literal, as text.
        maker: 1-based number of the step that made it so; 0 if it holds from the start.
    """

    fact: str
    maker: int


@dataclass(frozen=True, slots=True)
class Need:
    """A condition of a step that failed.

    Args:
        condition: The condition, as text.
        because: What keeps it from holding, as far as that changes at all while the plan runs.
            It is empty if no step of the plan has anything to do with the condition.
        held_until: Number of the last step after which it held; 0 is the start, None never.
        destroyed_by: Number of the step that made it false, or None.
        words: What is the case in its stead, in words; empty if the domain has no phrases for it.
    """

    condition: str
    because: tuple[Link, ...] = ()
    held_until: int | None = None
    destroyed_by: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """The step at which the plan stopped.

    Args:
        step: Its 1-based number.
        action: The step, as text.
        kind: The kind of error.
        message: One sentence that says what is wrong.
        needs: Its conditions that do not hold.
        rests_on: Numbers of the steps that brought the failure about.
    """

    step: int
    action: str
    kind: ErrorKind
    message: str
    needs: tuple[Need, ...] = ()
    rests_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StepCause:
    """One step.

    Args:
        number: Its 1-based number.
        action: The step, as text.
        outcome: ``"done"``, ``"skipped"``, ``"failed"`` or ``"not reached"``.
        uses: What it needs to be done, as far as that changes while the plan runs.
        users: Numbers of the steps that could not be done without it.
        serves: The conditions of the goal that rest on it, as text.
    """

    number: int
    action: str
    outcome: str
    uses: tuple[Link, ...] = ()
    users: tuple[int, ...] = ()
    serves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoalCause:
    """One condition of the goal.

    Args:
        kind: ``"state"``, ``"relation"``, ``"action"`` or ``"formula"`` (the goal as a whole, if
            it says more than its conditions).
        condition: The condition, as text.
        met: Whether it is met.
        since: Number of the step that made it true for the last time; 0 is the start.
        lost_by: Number of the step that made it false after it had held, or None.
        because: The literals on which its truth, or its falsity, rests.
        rests_on: Numbers of the steps on which that rests, directly and through other steps.
    """

    kind: str
    condition: str
    met: bool
    since: int | None = None
    lost_by: int | None = None
    because: tuple[Link, ...] = ()
    rests_on: tuple[int, ...] = ()


Plan = Sequence[Action]


def failure_lines(failure: Failure, plan: Plan) -> Iterator[str]:
    """Say at which step a plan stopped, and what brought that about.

    Args:
        failure: The failure.
        plan: The plan.
    """
    yield f"Step {failure.step} fails ({failure.kind}): {failure.message}"
    for need in failure.needs:
        told = failure.message.endswith(f" [{need.condition}]")
        if not told:
            yield f"  {_unmet(need)}"
        yield from _because(need.because, plan, "  " if told else "    ")


def goal_lines(goals: Sequence[GoalCause], plan: Plan) -> Iterator[str]:
    """Say which conditions of the goal are met, and what that rests on.

    Args:
        goals: The conditions.
        plan: The plan.
    """
    for goal in goals:
        yield f"  {'met  ' if goal.met else 'unmet'} {goal.condition}{_fate(goal)}"
        if not goal.met:
            yield from _because(goal.because, plan, "    ")


def named(numbers: Sequence[int], plan: Plan) -> str:
    """Return steps with their numbers and actions.

    Args:
        numbers: Their 1-based numbers.
        plan: The plan.
    """
    return ", ".join(f"step {number}, {plan[number - 1]}" for number in numbers)


def orders(order: PartialOrder) -> str:
    """Say how many orders of the steps are possible."""
    count = order.count()
    if count is None:
        return "too many are possible to be counted"
    return "only this one is possible" if count == 1 else f"{count} are possible"


def _unmet(need: Need) -> str:
    if not need.words:
        return f"{need.condition} does not hold{_history(need)}"
    step = need.destroyed_by
    history = "no step before it changed that" if step is None else f"step {step} made it so"
    return f"{need.words}; {history} [{need.condition}]"


def _history(need: Need) -> str:
    if need.destroyed_by is None:
        return " and never did"
    since = "from the start" if not need.held_until else f"after step {need.held_until}"
    return f"; it held {since}, until step {need.destroyed_by}"


def _because(links: Sequence[Link], plan: Plan, indent: str) -> Iterator[str]:
    for link in links:
        since = f"since {named([link.maker], plan)}" if link.maker else "from the start"
        yield f"{indent}{link.fact} {since}"


def _fate(goal: GoalCause) -> str:
    if goal.lost_by is not None:
        return f" (lost by step {goal.lost_by})"
    since = "" if goal.since is None else f" since step {goal.since}"
    if goal.since == 0:
        since = " from the start"
    many = "s" if len(goal.rests_on) > 1 else ""
    steps = ", ".join(map(str, goal.rests_on))
    rests = f", rests on step{many} {steps}" if steps else ""
    return f"{since}{rests}" if goal.met else ""


@dataclass(frozen=True, slots=True)
class Causes:
    """What was caused by what.

    Args:
        plan: The plan.
        steps: Every step.
        goals: The conditions of the goal.
        failure: The step at which the plan stopped, if it did.
        idle: Numbers of the steps that were done (or passed over) and on which neither a
            condition of the goal nor a failure rests.
        order: The order that the other steps leave to each step that was done or passed over.
        fixed: Whether the goal speaks of time in a way that is not taken apart: then no step
            counts as idle, and the order stays as it is.
    """

    plan: tuple[Action, ...]
    steps: tuple[StepCause, ...]
    goals: tuple[GoalCause, ...]
    failure: Failure | None
    idle: tuple[int, ...]
    order: PartialOrder
    fixed: bool = False

    def without(self, step: int) -> tuple[Action, ...]:
        """Return the plan without an idle step and without what cannot be done without it.

        Args:
            step: Number of an idle step.

        Raises:
            InputError: If the step is not idle.
        """
        if step not in self.idle:
            raise InputError(
                f"step {step} cannot be left out",
                expected=f"an idle step: {', '.join(map(str, self.idle)) or 'there is none'}",
            )
        gone = {step, *self.steps[step - 1].users}
        return self._only(number for number in range(1, len(self.plan) + 1) if number not in gone)

    def needed(self) -> tuple[Action, ...]:
        """Return the plan without all idle steps."""
        return self._only(n for n in range(1, len(self.plan) + 1) if n not in self.idle)

    def reordered(self, seed: int = 0) -> tuple[Action, ...]:
        """Return the steps that were done in a random order in which they can be done.

        It leads to the same verdict on the goal. Steps that were passed over stay in; what comes
        from the failure on is left out.

        Args:
            seed: With the same seed, the same order.
        """
        return self._only(self.order.sample(seed))

    def _only(self, numbers: Iterable[int]) -> tuple[Action, ...]:
        return tuple([self.plan[number - 1] for number in numbers])

    def as_dict(self) -> dict[str, Any]:
        """Return everything as data for JSON."""
        failure = None if self.failure is None else asdict(self.failure)
        if failure is not None:
            failure["kind"] = str(failure["kind"])
        return {
            "plan": [str(action) for action in self.plan],
            "steps": [asdict(step) for step in self.steps],
            "goals": [asdict(goal) for goal in self.goals],
            "failure": failure,
            "idle": list(self.idle),
            "order": self.order.as_dict(),
            "orders": self.order.count(),
            "fixed": self.fixed,
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        done = sum(step.outcome in ("done", "skipped") for step in self.steps)
        yield f"{done} of {len(self.plan)} steps can be done"
        if self.failure is not None:
            yield from failure_lines(self.failure, self.plan)
        if self.goals:
            yield "Goal"
            yield from goal_lines(self.goals, self.plan)
        if self.idle:
            yield f"Nothing rests on {named(self.idle, self.plan)}"
        fixed = "as it is, since the goal speaks of time"
        yield f"Order: {fixed if self.fixed else orders(self.order)}"

    def _repr_html_(self) -> str:
        from eai.display import preformatted

        return preformatted(str(self))
