"""Which of a suite's abilities is meant when none is named."""

from __future__ import annotations

from eai.errors import InputError, UnknownNameError
from eai.suites.base import Suite

__all__ = ["PLANS", "chosen_ability", "refuse_without"]

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
        if ability in known:
            return ability
        error = UnknownNameError("ability", ability, known)
        if PLANS in known and not error.suggestions:
            error.mend = f"name one of them; of plans it is {PLANS}"
        raise error
    if PLANS in known:
        return PLANS
    if len(known) != 1:
        raise InputError(
            f"the suite {suite.name!r} judges several abilities, and none is named",
            expected=f"one of {', '.join(known)}",
            mend=f"--ability {next(iter(known), 'NAME')}, or the argument of this name",
        )
    return known[0]


def refuse_without(suite: Suite, ability: str = PLANS) -> None:
    """See that a suite has what something is about that is for one ability only.

    Raises:
        UnknownNameError: If it does not judge the ability.
    """
    if ability in suite.abilities:
        return
    from eai.suites.interactive import ABILITY

    error = UnknownNameError("ability", ability, suite.abilities, where=f"suite {suite.name!r}")
    error.expected = f"a suite that judges {ability}; this one: {', '.join(suite.abilities)}"
    acts = f"; to act step by step: eai interact {suite.name}" if ABILITY in suite.abilities else ""
    error.mend = f"choose another suite (eai suites){acts}"
    raise error
