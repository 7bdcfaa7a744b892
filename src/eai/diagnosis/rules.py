"""Verdicts on rules beside a task's goal: kept, or broken by which step and why."""

from __future__ import annotations

from eai.diagnosis.result import RuleVerdict
from eai.logic import ActionAtom, Formula, evaluate, explain, format_formula
from eai.logic.evidence import Blame
from eai.world import Trajectory

MAX_FACTS = 5
"""Maximum number of facts that are kept of those that broke a rule."""


def rule_verdict(name: str, formula: Formula, trajectory: Trajectory) -> RuleVerdict:
    """Return whether a trajectory kept a rule, and else which step broke it.

    Args:
        name: The rule's name.
        formula: The rule.
        trajectory: The steps, up to the last one that could be executed.
    """
    if evaluate(formula, trajectory):
        return RuleVerdict(name, kept=True)
    steps = trajectory.steps
    numbers = [step.number for step in steps]
    why = explain(formula, trajectory, plan=[step.action for step in steps], numbers=numbers)
    # The facts that suffice for the verdict are chosen as early as possible, so the rule was broken
    # with the last of them. Of something that never came, the last one is at the end.
    if why.blamed:
        breaking_step = max(_step(fact, numbers) for fact in why.blamed)
    else:
        breaking_step = numbers[-1] if steps else 0
    facts = [fact for fact in why.blamed if _step(fact, numbers) == breaking_step]
    # That something holds for no pair of objects is thousands of facts; what holds says more.
    facts.sort(key=lambda fact: not fact.holds)
    texts = tuple([_text(fact) for fact in facts[:MAX_FACTS]])
    return RuleVerdict(name, False, breaking_step, texts, why.text)


def _step(fact: Blame, numbers: list[int]) -> int:
    """Return the number of the step that led to a fact: an action is the step itself."""
    if isinstance(fact.atom, ActionAtom) and fact.position < len(numbers):
        return numbers[fact.position]
    return numbers[fact.position - 1] if fact.position else 0


def _text(fact: Blame) -> str:
    """Return a fact as a literal."""
    text = format_formula(fact.atom)
    return text if fact.holds else f"not {text}"
