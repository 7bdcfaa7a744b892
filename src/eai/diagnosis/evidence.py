"""The evidence behind a verdict, and the sentences that are made from it when they are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import InputError, LimitError

if TYPE_CHECKING:
    from eai.diagnosis.result import Condition, Finding
    from eai.logic import Formula
    from eai.world import Trajectory


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The data from which explanations of a verdict are made when they are read.

    Evidence is no part of the verdict: it is not compared, stored or sent to another process.

    Args:
        trajectory: The execution.
        formula: The condition that does not hold at its end, or the goal that it does not fulfil.
        goals: The goal's conditions up to the one that is not met.
    """

    trajectory: Trajectory
    formula: Formula | None = None
    goals: tuple[Condition, ...] = ()

    @property
    def reason(self) -> str:
        """Why the formula is false on the trajectory, as one sentence.

        If the formula is too large for that, the sentence says so. It is worked out when it is
        asked for: most verdicts are only counted.
        """
        if self.formula is None:
            return ""
        from eai.logic import explain

        plan = [step.action for step in self.trajectory.steps]
        numbers = [step.number for step in self.trajectory.steps]
        try:
            return explain(self.formula, self.trajectory, plan=plan, numbers=numbers).text
        except LimitError as error:
            return error.what


def message_of_failed_step(finding: Finding) -> str:
    """Return which condition of a step fails, and which step destroyed it.

    Examples of its four forms::

        open(fridge.1) cannot be done: the hands are full; step 2 made it so [free(agent)]
        open(fridge.1) cannot be done: the hands are full; no step before it changed that [...]
        open(fridge.1): free(agent) does not hold; it held until step 2 made it false
        open(fridge.1): free(agent) does not hold; it never held before
    """
    action = finding.action
    if not finding.conditions:
        return f"{action}: it cannot be executed"
    condition = finding.conditions[0]
    evidence = finding.evidence
    # A finding that was stored has no evidence: then the condition alone is named.
    if evidence is None or evidence.formula is None:
        return f"{action}: {condition} does not hold{_until_when_it_held(finding)}"
    words = _in_words(evidence.trajectory, evidence.formula)
    if words:
        cause = _what_made_it_so(finding, evidence.trajectory)
        return f"{action} cannot be done: {words}{cause} [{condition}]"
    values = _values_in_words(evidence.trajectory, evidence.formula)
    return f"{action}: {condition} does not hold{values}{_until_when_it_held(finding)}"


def _until_when_it_held(finding: Finding) -> str:
    """Return the history of a false condition, such as "; it never held before", or ""."""
    if finding.destroyed_by is not None:
        return f"; it held until {_destroying_step(finding)} made it false"
    if _never_held(finding):
        return "; it never held before"
    return ""


def _what_made_it_so(finding: Finding, trajectory: Trajectory) -> str:
    """Return which step made a condition false, such as "; step 2 made it so", or ""."""
    if finding.destroyed_by is not None:
        return f"; {_destroying_step(finding)} made it so"
    if trajectory.steps and _never_held(finding):
        return "; no step before it changed that"
    return ""


def _destroying_step(finding: Finding) -> str:
    """Return the step that made the condition false, with its action if that is known."""
    step_number = finding.destroyed_by
    evidence = finding.evidence
    if evidence is not None and evidence.formula is not None:
        for step in evidence.trajectory.steps:
            if step.number == step_number:
                return f"step {step_number}, {step.action},"
    return f"step {step_number}"


def _never_held(finding: Finding) -> bool:
    """Return whether the evidence shows that the condition of a missing step never held."""
    evidence = finding.evidence
    if finding.kind is not ErrorKind.MISSING_STEP or evidence is None or evidence.formula is None:
        return False
    return not evidence.trajectory.condition(evidence.formula)


def _values_in_words(trajectory: Trajectory, formula: Formula) -> str:
    """Return the compared numbers of a condition after a colon, or "".

    ": 3 >= 5 is false; fuel(t1) went from 5 to 3 at step 2", or why a value is undefined.
    """
    if trajectory.final.numbers is None:
        return ""
    from eai.diagnosis.numeric import leads_to_numbers, values_told

    if not leads_to_numbers(trajectory.world, formula):
        return ""
    values = trajectory.world.why_undefined(trajectory.final, formula)
    if not values:
        values = values_told(trajectory, formula)
    if not values:
        return ""
    return f": {values}"


def why_state_is_unmet(finding: Finding) -> str:
    """Return the final facts that violate a condition in words, or "".

    "the door is closed at the end; step 3 made it so".
    """
    evidence = finding.evidence
    if evidence is None or evidence.formula is None:
        return ""
    formula = evidence.formula
    trajectory = evidence.trajectory
    try:
        # An evaluator may not count a condition although it holds: then no words fit.
        if trajectory.world.holds(trajectory.final, formula):
            return ""
        words = _in_words(trajectory, formula)
    except InputError:  # a goal may speak of kinds of objects that only its suite knows
        return ""
    if not words:
        return ""
    return f"{words} at the end{_when_it_was_lost(formula, finding.destroyed_by)}"


def _when_it_was_lost(formula: Formula, step: int | None) -> str:
    """Return which step made a condition false for good, or that none did.

    Args:
        formula: The condition.
        step: Number of the step behind which it never holds again; None if it never held.
    """
    if formula.variables or formula.negated().variables:
        # The words are about one object or a number, the past is known of the condition only.
        return "" if step is None else f"; the condition held until step {step}"
    if step is None:
        return "; no step changed that"
    return f"; step {step} made it so"


def _in_words(trajectory: Trajectory, formula: Formula) -> str:
    """Return in words that a condition does not hold at the end of a trajectory."""
    from eai.diagnosis.words import in_words

    return in_words(trajectory.world, trajectory.final, formula)


def why_action_is_unmet(finding: Finding) -> str:
    """Return why a demanded action is unmet: not executed, or too early.

    The demanded actions must be executed in order, so an action before its predecessor does not
    count. The text is empty if the action is the only one that is demanded.
    """
    [name] = finding.conditions
    evidence = finding.evidence
    if evidence is None:
        return f"{name} was not done (in this order)"
    # The last of the conditions is the action itself.
    demanded_before = [goal for goal in evidence.goals[:-1] if goal.kind == "action"]
    last_step = _last_step_of(name, evidence.trajectory)
    if last_step is None or not demanded_before:
        return ""
    for goal in demanded_before:
        if not goal.met:
            return (
                f"{name} was done in step {last_step}, but not after {goal.text}, "
                "which the goal asks for first"
            )
    predecessor = demanded_before[-1]
    if last_step == predecessor.since:
        return f"{name} was not done again after step {last_step}"
    return (
        f"{name} was done in step {last_step}, but not after {predecessor.text} "
        f"(step {predecessor.since})"
    )


def _last_step_of(name: str, trajectory: Trajectory) -> int | None:
    """Return the number of the last step that does a demanded action, or None.

    ``name`` may list alternatives, of which one is enough: "GRAB|TOUCH".
    """
    alternatives = name.split("|")
    last_number = None
    for step in trajectory.steps:
        if step.action.name.upper() in alternatives:
            last_number = step.number
    return last_number
