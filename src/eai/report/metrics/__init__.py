"""The view of each ability: its metrics, and the tables of a report that show them."""

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
"""View of each ability, unless the suite has one of its own."""


def view_of(ability: str, suite: str | Suite = "") -> View:
    """Return the view of an ability. Answers to an unknown ability are right or wrong.

    Args:
        ability: Name of the ability.
        suite: The suite, which may bring a view of its own; or its name, if a package announces it.
    """
    if isinstance(suite, str):
        view = _view_of_announced(suite, ability)
    else:
        view = _view_of_suite(suite, ability)
    return view or VIEWS.get(ability, ANSWERS)


def _view_of_suite(suite: Suite, ability: str) -> View | None:
    """Return the view that a suite brings for an ability, if it does."""
    if ability not in suite.abilities:
        return None
    return cast("View | None", imported_part(suite.abilities[ability].view))


@cache
def _view_of_announced(name: str, ability: str) -> View | None:
    """Return the view that a suite provides for an ability, or None.

    The name may come from a record. Data must not decide what is imported, so only registered
    suites are used.
    """
    try:
        if not name or not suites().announces(name):
            return None
        return _view_of_suite(find_suite(name), ability)
    except EaiError:
        return None
