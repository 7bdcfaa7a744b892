"""Which of a suite's abilities is meant when none is named."""

from __future__ import annotations

from eai.errors import InputError, UnknownNameError
from eai.suites.base import Suite

__all__ = ["PLANS", "chosen_ability"]

PLANS = "action_sequencing"
"""The ability that is meant where a suite has it."""


def chosen_ability(suite: Suite, ability: str | None = None) -> str:
    """Return the ability that is meant.

    Args:
        suite: The suite.
        ability: Its name; by default action sequencing, or the only ability of a suite that
            does not have this one.

    Raises:
        UnknownNameError: If the suite does not judge the ability.
        InputError: If none is named, and the suite has several and not action sequencing.
    """
    known = suite.abilities
    if ability is not None:
        if ability not in known:
            raise UnknownNameError("ability", ability, known)
        return ability
    if PLANS in known:
        return PLANS
    if len(known) != 1:
        raise InputError(
            f"the suite {suite.name!r} judges several abilities, and none is named",
            expected=f"one of {', '.join(known)}",
            mend=f"--ability {next(iter(known), 'NAME')}, or the argument of this name",
        )
    return known[0]
