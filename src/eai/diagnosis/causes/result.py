"""What is said about causes: plain data, as text and for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from eai.diagnosis.causes.parts import Failure, GoalCause, StepCause
from eai.diagnosis.causes.text import failure_lines, goal_lines, named, orders
from eai.errors import InputError
from eai.planning.ordering.orders import PartialOrder
from eai.world.action import Action

__all__ = ["Causes"]


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
