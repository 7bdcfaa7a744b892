"""Plans as answers: the text in which a suite's prompt asks for a plan."""

from __future__ import annotations

from collections.abc import Iterable

from eai.contract import Suite, refuse_without
from eai.errors import InputError
from eai.registry import given_suite
from eai.world.action import Action

__all__ = ["format_plan"]


def format_plan(plan: Iterable[Action], suite: str | Suite) -> str:
    """Write a plan in the form that the prompts of a suite ask for.

    Args:
        plan: The steps.
        suite: The suite, or its name.

    Raises:
        UnknownNameError: If there is no such suite, or it has no plans.
    """
    chosen = given_suite(suite)
    plans = chosen.plans
    if plans is None:
        refuse_without(chosen)
        raise InputError(f"the suite {chosen.name!r} does not say how plans are written")
    return plans.write(plan)
