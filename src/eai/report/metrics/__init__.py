"""How abilities are reported: their metrics, and the tables that they stand in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import cast

from eai.contract import INTERACTION, PLANS as ACTION_SEQUENCING, RECORDED, Suite, imported_part
from eai.contract.registry import suite as find_suite, suites
from eai.errors import EaiError
from eai.report.metrics.episodes import EPISODES
from eai.report.metrics.matches import INTERPRETED_GOALS, OPERATORS
from eai.report.metrics.plans import ANSWERS, PLANS, SUBGOAL_PLANS
from eai.report.metrics.view import View

__all__ = [
    "ANSWERS",
    "EPISODES",
    "INTERPRETED_GOALS",
    "OPERATORS",
    "PLANS",
    "SUBGOAL_PLANS",
    "VIEWS",
    "View",
    "view_of",
]


VIEWS: Mapping[str, View] = {
    ACTION_SEQUENCING: PLANS,
    "goal_interpretation": INTERPRETED_GOALS,
    INTERACTION: EPISODES,
    RECORDED: EPISODES,
    "subgoal_decomposition": SUBGOAL_PLANS,
    "transition_modeling": OPERATORS,
}
"""The view of each ability whose suite does not say it."""


def view_of(ability: str, suite: str | Suite = "") -> View:
    """Return how an ability is reported; answers to an unknown one are right or wrong.

    Args:
        ability: Its name.
        suite: The suite, which may bring a view of its own; or its name, if a package announces it.
    """
    own = _announced(suite, ability) if isinstance(suite, str) else _own(suite, ability)
    return own or VIEWS.get(ability, ANSWERS)


def _own(suite: Suite, ability: str) -> View | None:
    if ability not in suite.abilities:
        return None
    return cast("View | None", imported_part(suite.abilities[ability].view))


@cache
def _announced(name: str, ability: str) -> View | None:
    """What a suite brings that a record names; data must not choose what is imported."""
    try:
        return _own(find_suite(name), ability) if name and suites().announces(name) else None
    except EaiError:
        return None
