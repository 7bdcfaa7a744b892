"""Why goal conditions are not met."""

from __future__ import annotations

import re

from eai.diagnosis.judgement import Condition, Judgement

__all__ = ["why_unmet"]

_ACTION = re.compile(r"\b([A-Z_]+)\(([^()]+)\)")
_NAME = re.compile(r"[A-Z_]+")
_VARIABLE = re.compile(r"\b(?:exists|forall|forn \d+) (\w+)")


def why_unmet(goal: Condition, judgement: Judgement) -> str:
    """Say why a condition is not met, where its finding says more than that it is not.

    Of an action, which any object satisfies, it is said what the formula asks for.

    Args:
        goal: The condition.
        judgement: The judgement that it is from.
    """
    if goal.met:
        return ""
    found = (f.message for f in judgement.findings if f.conditions == (goal.text,) and not f.step)
    message = next(found, "")
    plain = (f"{goal.text} does not hold", f"{goal.text} was not done", f"{goal.text} never holds")
    if message == plain[1] or message.startswith((plain[0], plain[2])):
        message = ""
    asked = _asked(goal, judgement.formula) if goal.kind == "action" else ""
    return "; ".join(filter(None, (message.removesuffix(f" [{goal.text}]"), asked)))


def _asked(goal: Condition, formula: str) -> str:
    """The action with its objects, if the formula names them."""
    variables = set(_VARIABLE.findall(formula))
    actions = {
        f"{name}({objects})": None
        for name, objects in _ACTION.findall(formula)
        if name in _NAME.findall(goal.text) and variables.isdisjoint(objects.split(", "))
    }
    return f"the formula asks for {' or '.join(actions)}" if actions else ""
