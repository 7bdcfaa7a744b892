"""The view of each ability: its metrics, and the tables of a report that show them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import cast

from eai.contract import INTERACTION, PLANS as ACTION_SEQUENCING, RECORDED, Suite, imported_part
from eai.contract.registry import suite as find_suite, suites
from eai.errors import EaiError
from eai.report.metrics.view import View

__all__ = ["VIEWS", "View", "view_of"]

_ANSWERS = "eai.report.metrics.plans:ANSWERS"

VIEWS: Mapping[str, str] = {
    ACTION_SEQUENCING: "eai.report.metrics.plans:PLANS",
    "goal_interpretation": "eai.report.metrics.matches:INTERPRETED_GOALS",
    INTERACTION: "eai.report.metrics.episodes:EPISODES",
    RECORDED: "eai.report.metrics.episodes:EPISODES",
    "subgoal_decomposition": "eai.report.metrics.plans:SUBGOAL_PLANS",
    "transition_modeling": "eai.report.metrics.matches:OPERATORS",
}
"""View of each ability as ``module:name``, unless the suite has one of its own. A report is about
one ability, so the tables of the others are not made."""


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
    return view or cast("View", imported_part(VIEWS.get(ability, _ANSWERS)))


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
