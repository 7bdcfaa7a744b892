"""Causes as plain data: steps, failed conditions and goal conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from eai.diagnosis.taxonomy import ErrorKind
from eai.display import preformatted
from eai.errors import InputError
from eai.planning import PartialOrder
from eai.world import Action


@dataclass(frozen=True, slots=True)
class Link:
    """A true literal, or a number within a bound, with the step that achieved it.

    Several steps may bring a number to a bound together: each has a link of its own.

    Args:
        fact: The literal or the bound, as text.
        maker: 1-based number of the step; 0 if it holds from the start.
    """

    fact: str
    maker: int


@dataclass(frozen=True, slots=True)
class FailedCondition:
    """A condition of a step that failed.

    Args:
        condition: The condition, as text.
        because: The literals that keep it from holding, as far as they change while the plan runs.
            It is empty if no step of the plan has anything to do with the condition.
        held_until: Number of the last step after which it held; 0 is the start, None never.
        destroyed_by: Number of the step that made it false, or None.
        words: The facts that hold instead, in words; empty if the domain has no phrases for it.
    """

    condition: str
    because: tuple[Link, ...] = ()
    held_until: int | None = None
    destroyed_by: int | None = None
    words: str = ""

    def __str__(self) -> str:
        """Return the condition with its history in one sentence.

        "the door is closed; step 3 made it so [open(door.1)]", or, without a phrase for the
        condition, "open(door.1) does not hold; it held from the start, until step 3".
        """
        destroyer = self.destroyed_by
        # Words say which facts hold, so the condition itself only stands behind them.
        if self.words:
            if destroyer is None:
                return f"{self.words}; no step before it changed that [{self.condition}]"
            return f"{self.words}; step {destroyer} made it so [{self.condition}]"
        if destroyer is None:
            return f"{self.condition} does not hold and never did"
        since = "from the start"
        if self.held_until:
            since = f"after step {self.held_until}"
        return f"{self.condition} does not hold; it held {since}, until step {destroyer}"


@dataclass(frozen=True, slots=True)
class Failure:
    """The step at which the plan stopped.

    Args:
        step: Its 1-based number.
        action: The step, as text.
        kind: The kind of error.
        message: One sentence that says what is wrong.
        conditions: Its conditions that do not hold.
        rests_on: Numbers of the steps that brought the failure about.
    """

    step: int
    action: str
    kind: ErrorKind
    message: str
    conditions: tuple[FailedCondition, ...] = ()
    rests_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StepCause:
    """One step.

    Args:
        number: Its 1-based number.
        action: The step, as text.
        outcome: ``"done"``, ``"skipped"``, ``"failed"`` or ``"not reached"``.
        uses: The facts that it needs, as far as they change while the plan runs.
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


@dataclass(frozen=True, slots=True)
class RuleCause:
    """One rule beside the goal.

    Args:
        name: The rule's name.
        outcome: ``"kept"``, ``"never at stake"``, or by which step it was broken, in words.
        kept: Whether it was kept.
        step: Number of the step with which it was broken; 0 for the start, None if it was kept.
        because: The literals that broke it, and the steps that made them true.
        rests_on: Numbers of the steps on which that rests, directly and through other steps.
    """

    name: str
    outcome: str
    kept: bool
    step: int | None = None
    because: tuple[Link, ...] = ()
    rests_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Causes:
    """The causes of a verdict.

    Args:
        plan: The plan.
        steps: Every step.
        goals: The conditions of the goal.
        failure: The step at which the plan stopped, if it did.
        idle: Numbers of the steps that were done (or passed over) and on which neither a
            condition of the goal nor a failure rests.
        order: The order that the other steps leave to each step that was done or passed over.
        fixed: Whether the goal speaks of time in a way that is not taken apart, or a rule was
            kept: then no step counts as idle, and the order stays as it is.
        rules: The rules beside the goal that were judged.
        notes: Rules that were left out, and why.
    """

    plan: tuple[Action, ...]
    steps: tuple[StepCause, ...]
    goals: tuple[GoalCause, ...]
    failure: Failure | None
    idle: tuple[int, ...]
    order: PartialOrder
    fixed: bool
    rules: tuple[RuleCause, ...]
    notes: tuple[str, ...]

    def without(self, step: int) -> tuple[Action, ...]:
        """Return the plan without a step and everything that depends on it.

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
        # Idle steps may need each other: those that use this one cannot be done without it.
        # Users are all that rest on the step, also through others, so one round is enough.
        dropped_steps = {step, *self.steps[step - 1].users}
        remaining = [
            number for number in range(1, len(self.plan) + 1) if number not in dropped_steps
        ]
        return self._steps_numbered(remaining)

    def needed(self) -> tuple[Action, ...]:
        """Return the plan without all idle steps."""
        numbers = range(1, len(self.plan) + 1)
        return self._steps_numbered([number for number in numbers if number not in self.idle])

    def reordered(self, seed: int = 0) -> tuple[Action, ...]:
        """Return the executed steps in a random order that is also executable.

        The verdict on the goal is the same. Skipped steps are included; the failed step and later
        ones are not.

        Args:
            seed: Seed of the draw.
        """
        return self._steps_numbered(self.order.sample(seed))

    def _steps_numbered(self, numbers: Iterable[int]) -> tuple[Action, ...]:
        """Return the steps with some numbers."""
        return tuple([self.plan[number - 1] for number in numbers])

    def as_dict(self) -> dict[str, Any]:
        """Return the causes as plain data for JSON.

        The key for rules is only present if rules were judged.
        """
        failure: dict[str, Any] | None = None
        if self.failure is not None:
            failure = asdict(self.failure)
            # Kinds are enumerations, which JSON does not know.
            failure["kind"] = str(self.failure.kind)
        judged: dict[str, Any] = {}
        if self.rules or self.notes:
            judged = {"rules": [asdict(rule) for rule in self.rules], "notes": list(self.notes)}
        return {
            "plan": [str(action) for action in self.plan],
            "steps": [asdict(step) for step in self.steps],
            "goals": [asdict(goal) for goal in self.goals],
            "failure": failure,
            "idle": list(self.idle),
            "order": self.order.as_dict(),
            "orders": self.order.count(),
            "fixed": self.fixed,
            **judged,
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        """Yield the causes in words: steps, goal, rules, redundant steps and orders."""
        executed_count = sum(step.outcome in ("done", "skipped") for step in self.steps)
        yield f"{executed_count} of {len(self.plan)} steps can be done"
        if self.failure is not None:
            yield from self._failure_lines(self.failure)
        # A heading only where something stands below it.
        if self.goals:
            yield "Goal"
        for goal in self.goals:
            outcome = "met" if goal.met else "unmet"
            yield f"  {outcome:5} {goal.condition}{_history(goal)}"
            if not goal.met:
                yield from self._fact_lines(goal.because, "    ")
        if self.rules:
            yield "Rules"
        for rule in self.rules:
            text = f"  {rule.name}: {rule.outcome}"
            if rule.rests_on:
                text += f", rests on {self._steps_in_words(rule.rests_on)}"
            yield text
            yield from self._fact_lines(rule.because, "    ")
        for note in self.notes:
            yield f"  note: {note}"
        if self.idle:
            verb = "supports" if len(self.idle) == 1 else "support"
            idle = f"{self._steps_in_words(self.idle)} {verb} no goal"
            yield idle[:1].upper() + idle[1:]
        yield self._order_line()

    def _failure_lines(self, failure: Failure) -> Iterator[str]:
        """Yield lines on the failed step, its conditions, and the facts that violate them."""
        yield f"Step {failure.step} fails ({failure.kind}): {failure.message}"
        for failed in failure.conditions:
            # The message may end with the condition already.
            if failure.message.endswith(f" [{failed.condition}]"):
                yield from self._fact_lines(failed.because, "  ")
            else:
                yield f"  {failed}"
                yield from self._fact_lines(failed.because, "    ")

    def _order_line(self) -> str:
        """Return a line with the number of executable orders of the steps."""
        # Why the order is fixed is not stored: if no rule was kept, it can only be the goal.
        if self.fixed:
            if any(rule.kept for rule in self.rules):
                return "Order: fixed, since a rule about the way is kept"
            return "Order: fixed, since the goal is temporal"
        count = self.order.count()
        if count is None:
            return "Valid orderings: too many to count"
        if count > 1:
            return f"{count} valid orderings"
        return "No other ordering is valid"

    def _fact_lines(self, links: Sequence[Link], indent: str) -> Iterator[str]:
        """Yield a line for each fact with the steps that achieved it.

        Args:
            links: The facts, each with the number of the step that made it, 0 for the start.
            indent: Blanks before each line.
        """
        # Several steps that together bring a number to a bound share a line.
        achievers_by_fact: dict[str, list[int]] = {}
        for link in links:
            achievers_by_fact.setdefault(link.fact, []).append(link.maker)
        for fact, achievers in achievers_by_fact.items():
            if len(achievers) > 1:
                yield f"{indent}{fact} through {self._steps_in_words(achievers)}"
            elif achievers[0]:
                yield f"{indent}{fact} since {self._steps_in_words(achievers)}"
            else:
                yield f"{indent}{fact} from the start"

    def _steps_in_words(self, numbers: Sequence[int]) -> str:
        """Return steps with their actions."""
        return ", ".join(f"step {number}, {self.plan[number - 1]}" for number in numbers)

    def _repr_html_(self) -> str:
        return preformatted(str(self))


def _history(goal: GoalCause) -> str:
    """Return the history of a condition with the steps that it depends on.

    It is " since step 2, rests on steps 1, 2" for a condition that is met, " (lost by step 4)" for
    one that was met earlier, and empty for one that was never met.
    """
    if goal.lost_by is not None:
        return f" (lost by step {goal.lost_by})"
    if not goal.met:
        return ""
    # No step achieved the goal's formula as a whole, so it has no "since".
    text = ""
    if goal.since == 0:
        text = " from the start"
    elif goal.since is not None:
        text = f" since step {goal.since}"
    if goal.rests_on:
        noun = "steps" if len(goal.rests_on) > 1 else "step"
        text += f", rests on {noun} {', '.join(map(str, goal.rests_on))}"
    return text
