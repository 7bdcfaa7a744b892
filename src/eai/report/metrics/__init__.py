"""The metrics of every ability, and the tables that they stand in."""

from __future__ import annotations

from functools import cache
from typing import cast

from eai.contract import Suite
from eai.errors import EaiError
from eai.registry import suite as find_suite, suites
from eai.report.metrics.episodes import EPISODES
from eai.report.metrics.goals import INTERPRETED_GOALS
from eai.report.metrics.operators import OPERATORS
from eai.report.metrics.plans import PLANS, SUBGOAL_PLANS
from eai.report.metrics.view import Column, Table, View

__all__ = ["Column", "Table", "View", "view_of"]

_VIEWS = {
    "goal_interpretation": INTERPRETED_GOALS,
    "interaction": EPISODES,
    "subgoal_decomposition": SUBGOAL_PLANS,
    "transition_modeling": OPERATORS,
}


def view_of(ability: str, suite: str | Suite = "") -> View:
    """Return how an ability is reported; one that is not known is reported like plans.

    Args:
        ability: Its name.
        suite: The suite, which may bring a view of its own; or its name, if a package announces it.
    """
    own = _announced(suite, ability) if isinstance(suite, str) else _own(suite, ability)
    return _VIEWS.get(ability, PLANS) if own is None else own


def _own(suite: Suite, ability: str) -> View | None:
    return cast("View | None", suite.view(ability)) if ability in suite.abilities else None


@cache
def _announced(name: str, ability: str) -> View | None:
    """What a suite brings that a record names; data must not choose what is imported."""
    try:
        return _own(find_suite(name), ability) if name and suites().announces(name) else None
    except EaiError:
        return None
